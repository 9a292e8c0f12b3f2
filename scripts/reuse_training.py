"""Copy the results of one data set to another with the same training table.

example:
  python scripts/reuse_training.py --files results/lucas0/region.tsv --output results/lucas1/region.tsv
"""

import shutil
import sys

from himation import cli
from himation.errors import UserError


def arguments():
    parser = cli.parser(__doc__)
    parser.add_argument("--files", nargs="+", required=True, metavar="FILE", help="what to copy")
    parser.add_argument("--output", nargs="+", required=True, metavar="FILE", help="where to, in the same order")
    return parser


@cli.command
def main(args):
    from himation.files.atomic import replacing

    if len(args.files) != len(args.output):
        raise UserError(f"{len(args.files)} files to copy and {len(args.output)} places to copy them to")
    for path, copy in zip(args.files, args.output, strict=True):
        with replacing(copy) as draft:
            shutil.copyfile(path, draft)
    cli.log.info("reuse_training: %d files", len(args.files))


if __name__ == "__main__":
    sys.exit(main())
