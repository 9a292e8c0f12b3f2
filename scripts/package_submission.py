"""Put feature lists and predictions into one zip, as the challenge wants them; the same files give the same bytes.

example:
  python scripts/package_submission.py --files results/*/submission/* --output submission.zip
"""

import sys
import zipfile
from pathlib import Path

from himation import cli

_A_FIXED_DAY = (1980, 1, 1, 0, 0, 0)


def arguments():
    parser = cli.parser(__doc__)
    parser.add_argument("--files", nargs="+", required=True, metavar="FILE", help="what goes in")
    parser.add_argument("--output", required=True, metavar="FILE", help="archive to write")
    return parser


@cli.command
def main(args):
    from himation.files.atomic import replacing

    with replacing(args.output) as draft, zipfile.ZipFile(draft, "w", zipfile.ZIP_DEFLATED) as archive:
        for path in sorted(map(Path, args.files), key=lambda path: path.name):
            archive.writestr(zipfile.ZipInfo(path.name, _A_FIXED_DAY), path.read_bytes(), zipfile.ZIP_DEFLATED)
    cli.log.info("package_submission: %d files", len(args.files))


if __name__ == "__main__":
    sys.exit(main())
