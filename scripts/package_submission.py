"""Put feature lists and predictions into one zip, as the challenge wants them; the same files give the same bytes.

example:
  python scripts/package_submission.py --files results/*/submission/* --output submission.zip
"""

import sys
import zipfile
from pathlib import Path

from himation import cli
from himation.errors import UserError

_A_FIXED_DAY = (1980, 1, 1, 0, 0, 0)


def arguments():
    parser = cli.parser(__doc__)
    parser.add_argument("--files", nargs="+", required=True, metavar="FILE", help="what goes in")
    parser.add_argument("--output", required=True, metavar="FILE", help="archive to write")
    return parser


@cli.command
def main(args):
    from himation.files.atomic import replacing
    from himation.studies.challenge.submission import repeated

    if twice := repeated(Path(path).name for path in args.files):
        places = " and ".join(path for path in args.files if Path(path).name == twice[0])
        raise UserError(f"{places}: two files of one name can't go into one submission")
    for path in args.files:
        if not Path(path).is_file():
            raise UserError(f"{path}: no such file")
    with replacing(args.output) as draft, zipfile.ZipFile(draft, "w", zipfile.ZIP_DEFLATED) as archive:
        for path in sorted(map(Path, args.files), key=lambda path: path.name):
            archive.writestr(zipfile.ZipInfo(path.name, _A_FIXED_DAY), path.read_bytes(), zipfile.ZIP_DEFLATED)
    cli.log.info("package_submission: %d files", len(args.files))


if __name__ == "__main__":
    sys.exit(main())
