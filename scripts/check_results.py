"""Find results that are no longer what their step wrote: cut off, overwritten, or changed on a disk.

A run leaves a digest of everything it writes. What does not fit is listed; with --set-aside it is renamed to
<name>.damaged, and the next `snakemake` makes it again.

example:
  python scripts/check_results.py --results results --set-aside
"""

import sys
from pathlib import Path

from himation import cli
from himation.errors import UserError


def arguments():
    parser = cli.parser(__doc__)
    parser.add_argument("--results", default="results", metavar="FOLDER", help="folder of the results")
    parser.add_argument("--set-aside", action="store_true", help="rename what is damaged, so that it is made again")
    return parser


@cli.command
def main(args):
    from himation.files.digests import damaged, set_aside

    if not Path(args.results).is_dir():
        raise UserError(f"{args.results}: no such folder")
    if any(Path(args.results).resolve().parent.glob(".snakemake/locks/*")):
        raise UserError("snakemake is at work here; wait for its end, or say `snakemake --unlock` if it was killed")
    spoilt = damaged(args.results)
    for path in spoilt:
        made = f"; now {set_aside(path).name}, and made again by the next run" if args.set_aside else ""
        cli.log.warning("%s: not as it was written%s", path, made)
    cli.log.info("check_results: %d damaged", len(spoilt))
    if spoilt and not args.set_aside:
        raise UserError(f"{len(spoilt)} damaged; --set-aside lets the next run make them again")


if __name__ == "__main__":
    sys.exit(main())
