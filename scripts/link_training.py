"""Give a data set the results of its training table, by links.

Several data sets may share a training table; what depends on it alone is made once, and each of them shows it.

example:
  python scripts/link_training.py --files results/training/t-12ab34cd/region.tsv --output results/lucas1/region.tsv
"""

import os
import sys
from pathlib import Path

from himation import cli
from himation.errors import UserError


def arguments():
    parser = cli.parser(__doc__)
    parser.add_argument("--files", nargs="+", required=True, metavar="FILE", help="what to link to")
    parser.add_argument("--output", nargs="+", required=True, metavar="FILE", help="where, in the same order")
    return parser


@cli.command
def main(args):
    if len(args.files) != len(args.output):
        raise UserError(f"{len(args.files)} files to link to and {len(args.output)} places for the links")
    for path, link in zip(args.files, map(Path, args.output), strict=True):
        if not Path(path).is_file():
            raise UserError(f"{path}: no such file")
        link.parent.mkdir(parents=True, exist_ok=True)
        link.unlink(missing_ok=True)
        link.symlink_to(os.path.relpath(path, link.parent))
    cli.log.info("link_training: %d files", len(args.files))


if __name__ == "__main__":
    sys.exit(main())
