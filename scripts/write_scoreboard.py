"""Write the scoreboard of a rerun of the challenge: our scores of every task and version beside the published ones.

Takes the data sets that are named after a task and version of the challenge (reged1, sido0, ...). One without scores,
because its test labels are not known, has the published figures alone.

example:
  python scripts/write_scoreboard.py --results results --ids reged0 reged1 reged2 --output results/scoreboard.tsv
"""

import sys
from pathlib import Path

from himation import cli
from himation.errors import UserError


def arguments():
    parser = cli.parser(__doc__)
    parser.add_argument("--results", required=True, metavar="FOLDER", help="folder with one folder for each data set")
    parser.add_argument("--ids", nargs="+", required=True, metavar="ID", help="data sets named after task and version")
    parser.add_argument("--output", required=True, metavar="FILE", help="table to write")
    return parser


@cli.command
def main(args):
    from himation.files.atomic import read_tsv, write_tsv
    from himation.studies.challenge.scoreboard import ALL_TASKS, COLUMNS, board, challenge_name

    found = []
    for name in dict.fromkeys(args.ids):
        if challenge_name(name) is None:
            raise UserError(f"{name!r} is not a task and version of the challenge, such as reged1")
        folder = Path(args.results) / name
        scores = folder / "scores.tsv"
        found.append((name, read_tsv(scores) if scores.is_file() else [], (folder / "simulated").is_dir()))
    lines = board(found)
    write_tsv(args.output, COLUMNS, ([line[column] for column in COLUMNS] for line in lines))
    for line in lines:
        if line["version"] == "mean" and line["Tscore"] is not None:
            cli.log.info("scoreboard: %s, mean Tscore %.4f", line["task"], line["Tscore"])
        if line["task"] == ALL_TASKS and line["relative Tscore"] is not None:
            words = "scoreboard: all tasks, version %d, mean relative Tscore %.3f"
            cli.log.info(words, line["version"], line["relative Tscore"])


if __name__ == "__main__":
    sys.exit(main())
