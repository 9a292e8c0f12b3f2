"""Show rerun experiments on one page: published and rerun figures side by side, the difference marked.

example:
  python scripts/write_reruns.py --tables results/reruns/*.tsv --output results/reruns.html
"""

import sys
from pathlib import Path

from himation import cli


def arguments():
    parser = cli.parser(__doc__)
    parser.add_argument("--tables", nargs="+", required=True, metavar="FILE", help="tables of rerun_table.py")
    parser.add_argument("--output", required=True, metavar="FILE", help="page to write")
    return parser


@cli.command
def main(args):
    from himation.files.atomic import read_tsv, write_text
    from himation.rerun_list import RERUNS
    from himation.studies.reproduction.overview import render

    tables = [(Path(path).stem, read_tsv(path)) for path in args.tables]
    about = {name: rerun.about for name, rerun in RERUNS.items()}
    write_text(args.output, render(tables, about))
    cli.log.info("write_reruns: %d tables at %s", len(tables), args.output)


if __name__ == "__main__":
    sys.exit(main())
