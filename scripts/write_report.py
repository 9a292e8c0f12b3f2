"""Write the report: one self-contained page that shows, for every data set, what was found and why.

Reads results/<id> for each of --ids. Files that a data set does not have (scores without a truth, say) are passed over.
True edges are read where the configuration in --run names them, to show how far the roles can be trusted.

example:
  python scripts/write_report.py --results results --run results/run.json --ids lucas0 lucas1 --output report.html
"""

import json
import sys
from pathlib import Path

from himation import cli
from himation.errors import UserError


def arguments():
    parser = cli.parser(__doc__)
    parser.add_argument("--results", required=True, metavar="FOLDER", help="folder with one folder for each data set")
    parser.add_argument("--run", metavar="FILE", help="configuration and versions, written by record_run.py")
    parser.add_argument("--ids", nargs="+", required=True, metavar="ID", help="data sets to show, in this order")
    parser.add_argument(
        "--scoreboard", metavar="FILE", help="table of write_scoreboard.py, for a rerun of the challenge"
    )
    parser.add_argument("--output", required=True, metavar="FILE", help="page to write")
    return parser


@cli.command
def main(args):
    from himation.files.atomic import read_tsv, write_text
    from himation.report.collect import collect
    from himation.report.page import render

    run = read_run(args.run)
    sets = []
    for name in dict.fromkeys(args.ids):
        sets.append(collect(args.results, name, truth_of(name, run, args.results)))
        cli.log.debug("write_report: %s, %d rows of evidence", name, len(sets[-1].variables))
    scoreboard = read_tsv(args.scoreboard) if args.scoreboard else []
    page = render(sets, run, scoreboard)
    write_text(args.output, page)
    cli.log.info("write_report: %s, %.1f MB; open it in a browser", args.output, len(page.encode()) / 1e6)


def read_run(path) -> dict:
    """Configuration and versions, empty if no file is named."""
    if not path:
        return {}
    try:
        return json.loads(Path(path).read_text(encoding="utf-8"))
    except FileNotFoundError:
        raise UserError(f"{path}: no such file (scripts/record_run.py writes it)") from None
    except ValueError as error:
        raise UserError(f"{path}: not JSON ({error}); scripts/record_run.py writes it") from None


def truth_of(name: str, run: dict, results) -> str | None:
    """The table of true edges of a data set, if the run had one and it is still there."""
    entries = run.get("configuration", {}).get("datasets", [])
    entry: dict = next((entry for entry in entries if entry.get("id") == name), {})
    path = Path(results, name, "simulated/truth.csv") if "simulate" in entry else entry.get("truth")
    return str(path) if path and Path(path).is_file() else None


if __name__ == "__main__":
    sys.exit(main())
