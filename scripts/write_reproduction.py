"""Write the book of reproduced tables: a page and a table for each published one that was rerun, and an index.

Figures whose reruns are not in the folder stay as they are; the index is about all.

example:
  python scripts/write_reproduction.py --reruns results/reruns --output docs/reproduction
"""

import sys
from collections.abc import Sequence
from itertools import chain
from pathlib import Path

from himation import cli


def arguments():
    parser = cli.parser(__doc__)
    parser.add_argument("--reruns", required=True, metavar="FOLDER", help="where rerun_table.py left .tsv and .json")
    parser.add_argument("--output", required=True, metavar="FOLDER", help="the book, as kept in docs/reproduction")
    return parser


@cli.command
def main(args):
    from himation.errors import UserError
    from himation.files.atomic import read_json, read_tsv, write_text, write_tsv
    from himation.rerun_list import RERUNS, WHOLE
    from himation.studies.reproduction.pages import FIGURES, RUNS, index, judged, page
    from himation.studies.reproduction.tables import TABLES

    book, list_of_runs = Path(args.output), Path(args.output) / "runs.tsv"
    facts = {path.stem: read_json(path) for path in Path(args.reruns).glob("*.json")}
    known = RERUNS | WHOLE
    facts = {name: facts[name] for name in known if name in facts}
    if not facts:
        raise UserError(f"{args.reruns}: has no reruns; make reproduction runs them")
    lines = {name: read_tsv(Path(args.reruns) / f"{name}.tsv") for name in facts}
    runs = read_tsv(list_of_runs) if list_of_runs.is_file() else []
    for table in TABLES.values():
        page_of = book / f"{table.name}.tsv"
        new = {name: judged(table, lines[name], facts[name]["samples"], name) for name in table.reruns if name in facts}
        new = {name: rows for name, rows in new.items() if rows}
        if new:
            kept = [row for row in (read_tsv(page_of) if page_of.is_file() else []) if row["run"] not in new]
            rows = sorted(chain(kept, *new.values()), key=lambda row: table.reruns.index(row["run"]))
            write_tsv(page_of, FIGURES, [[row[key] for key in FIGURES] for row in rows])
            runs = [run for run in runs if run["table"] != table.name or run["rerun"] not in new]
            runs += [_run(table.name, name, facts[name], known[name].samples) for name in new]
    runs.sort(key=lambda run: (list(TABLES).index(run["table"]), run["rerun"]))
    figures: dict[str, Sequence[dict[str, str]]] = {
        name: read_tsv(book / f"{name}.tsv") for name in TABLES if (book / f"{name}.tsv").is_file()
    }
    for name, lines_of_table in figures.items():
        write_text(
            book / f"{name}.md", page(TABLES[name], lines_of_table, [run for run in runs if run["table"] == name])
        )
    write_tsv(list_of_runs, RUNS, [[run[key] for key in RUNS] for run in runs])
    write_text(book / "README.md", index(figures, runs))
    cli.log.info("write_reproduction: %d tables at %s", len(figures), book / "README.md")


def _run(table: str, name: str, facts: dict, samples: int) -> dict[str, str]:
    versions = ", ".join(f"{package} {version}" for package, version in facts["versions"].items())
    made = (table, name, facts["samples"], samples, facts["seed"], facts["date"], versions)
    return dict(zip(("table", "rerun", "samples", "of", "seed", "date", "versions"), map(str, made), strict=True))


if __name__ == "__main__":
    sys.exit(main())
