"""Check a submission to the challenge against the rules of its format: one line for each fault, exit status 1.

The numbers of columns and of examples are those of the prepared data in --results, where the folder has a data set of
that name; otherwise those of the challenge.

example:
  python scripts/check_submission.py --submission results/submission.zip --results results
"""

import json
import sys
import zipfile
from pathlib import Path

from himation import cli
from himation.errors import UserError

_MOST_BYTES, _MOST_FILES = 500_000_000, 1_000
_MOST_LINES = 40


def arguments():
    parser = cli.parser(__doc__)
    parser.add_argument("--submission", required=True, metavar="FILE", help="the zip")
    parser.add_argument("--results", metavar="FOLDER", help="results of a run, for the sizes of its tables")
    return parser


def read_archive(path) -> tuple[dict[str, str], list[str]]:
    """Texts by file name, and names that several files have; folders inside the archive are passed over."""
    from himation.studies.challenge.submission import repeated

    if not Path(path).is_file():
        raise UserError(f"{path}: no such file")
    try:
        with zipfile.ZipFile(path) as archive:
            files = [info for info in archive.infolist() if info.filename and not info.is_dir()]
            if sum(info.file_size for info in files) > _MOST_BYTES:
                raise UserError(f"{path}: unpacked it is larger than {_MOST_BYTES // 10**6} MB, which no submission is")
            if len(files) > _MOST_FILES:
                raise UserError(f"{path}: it has {len(files)} files, and no submission has more than {_MOST_FILES}")
            texts = {Path(info.filename).name: archive.read(info).decode("utf-8", "replace") for info in files}
            return texts, repeated(Path(info.filename).name for info in files)
    except UserError:
        raise
    except Exception as error:  # a damaged archive can fail in any way
        why = " ".join((str(error) or type(error).__name__).split())[:200]
        raise UserError(f"{path}: not a zip ({why})") from None


def read_sizes(results) -> dict:
    """Sizes of the data sets that were prepared there."""
    from himation.studies.challenge.submission import Size

    found = {}
    for path in sorted(Path(results).glob("*/data/facts.json")) if results else []:
        try:
            facts = json.loads(path.read_text(encoding="utf-8"))
            examples = facts["examples"]
            train = examples["train"] + examples.get("left_out", 0)
            found[path.parent.parent.name] = Size(facts["n_file_columns"], train, examples.get("test"))
        except (ValueError, KeyError, TypeError, AttributeError):
            raise UserError(f"{path}: not the facts of a prepared data set; run the workflow again") from None
    return found


@cli.command
def main(args):
    from himation.studies.challenge.submission import PUBLISHED, faults

    files, twice = read_archive(args.submission)
    found = [f"{name[:100]!r}: two files of this name are in the archive; only one can count" for name in twice]
    found += faults(files, {**PUBLISHED, **read_sizes(args.results)})
    if len(found) > _MOST_LINES:
        found[_MOST_LINES - 1 :] = [f"{len(found) - _MOST_LINES + 1} more faults"]
    for line in found[:-1]:
        cli.log.error("%s", line)
    if found:
        raise UserError(found[-1])
    cli.log.info("check_submission: %d files in order", len(files))


if __name__ == "__main__":
    sys.exit(main())
