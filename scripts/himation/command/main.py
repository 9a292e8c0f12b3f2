"""From a table to a page in one command.

  himation run table.csv --target outcome
  himation run table.csv --target outcome --test new.csv --manipulation unknown
  himation check table.csv --target outcome
  himation predict newer.csv --folder himation-table

`run` writes a configuration, runs the workflow on it, prints the verdict, and says where the page is; run again, it
makes only what is missing or has changed. `check` prints what `run` would understand, and does nothing. `predict`
applies the model of a run to a later table.
"""

import argparse
import shlex
import sys
from pathlib import Path

from himation.errors import UserError


def arguments() -> argparse.ArgumentParser:
    made = argparse.ArgumentParser(
        prog="himation", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    made.add_argument("--version", action=_Version, nargs=0, help="show the version and end")
    which = made.add_subparsers(dest="what", required=True, metavar="run | check | predict")
    for name, text in (("run", "from a table to a page"), ("check", "print what a run would understand")):
        part = which.add_parser(name, help=text, description=text)
        _add_data(part)
        if name == "run":
            part.add_argument("--output", metavar="FOLDER", help="where all results go (himation-NAME)")
            part.add_argument(
                "--quick", action="store_true", help="a first look: one finder, short chains, three folds"
            )
            part.add_argument("--cores", default="all", help="how many cores to use (all)")
            part.add_argument("--seed", type=int, help="where random choices start (1)")
    part = which.add_parser("predict", help="predict a later table with the model of a run")
    part.add_argument("table", metavar="TABLE", help="a table with the columns that the model uses")
    part.add_argument("--folder", required=True, metavar="FOLDER", help="the folder of a run")
    part.add_argument("--output", default="predictions.tsv", metavar="FILE", help="table to write (predictions.tsv)")
    part.add_argument("--manipulation", metavar="WHAT", help="of this table: none, unknown, or names with commas")
    part.add_argument("--id", metavar="COLUMN", help="column that names the rows")
    part.add_argument("--missing", choices=["error", "impute"], default="impute", help="missing values (impute)")
    return made


class _Version(argparse.Action):
    """Loads what knows the version only where somebody asks for it."""

    def __call__(self, parser, *_):
        from himation.files.provenance import versions

        known = versions()
        print(f"himation {known['himation']}, Python {known['python']}")
        parser.exit()


def _add_data(part: argparse.ArgumentParser) -> None:
    part.add_argument("table", metavar="TABLE", help="training table: .csv, .tsv, .txt, .parquet, .data, sparse .npz")
    part.add_argument(
        "--target", required=True, metavar="COLUMN", help="what to predict: a column, or a file of labels"
    )
    part.add_argument("--positive", metavar="VALUE", help="its value that counts, or a cut of numbers: '> median'")
    part.add_argument("--test", metavar="TABLE", help="what to predict; its target may be unknown")
    part.add_argument("--test-target", metavar="FILE", help="labels of the test table, to see how well it went")
    part.add_argument(
        "--manipulation", metavar="WHAT", help="in the test table: none, unknown, a file, or names with commas (none)"
    )
    part.add_argument("--ignore", action="append", metavar="COLUMNS", help="columns to leave out, with commas")
    part.add_argument("--types", default="auto", help="auto, continuous, discrete, mixed, or a table variable,type")
    part.add_argument(
        "--missing", choices=["error", "drop", "impute"], default="impute", help="missing values (impute)"
    )
    part.add_argument("--truth", metavar="FILE", help="true edges from,to, where they are known")
    part.add_argument("--name", metavar="ID", help="name of the results (the table's)")


def main(words=None) -> int:
    """The command; gives its exit status."""
    args = arguments().parse_args(words)
    try:
        return {"run": run, "check": check, "predict": predict}[args.what](args)
    except UserError as error:
        from himation.command.asking import as_options

        print(f"himation: {as_options(' '.join(str(error).split()))}", file=sys.stderr)
    except KeyboardInterrupt:
        print("himation: stopped; the same command goes on from here", file=sys.stderr)
    except OSError as error:
        print(f"himation: {error.filename or 'a file'}: {error.strerror}", file=sys.stderr)
    return 1


def check(args) -> int:
    from himation.command.asking import as_options, checked, configuration, dataset_entry
    from himation.command.project import project_folder
    from himation.files.understood import understood

    config = checked(configuration(dataset_entry(args), None), project_folder())
    for line in understood(config, config["datasets"][0]):
        print(as_options(line))
    return 0


def run(args) -> int:
    import yaml

    from himation.command.asking import as_options, checked, configuration, dataset_entry, quick_settings
    from himation.command.following import command, follow
    from himation.command.project import project_folder
    from himation.files.atomic import write_text
    from himation.files.understood import understood

    project, entry = project_folder(), dataset_entry(args)
    given = {**(quick_settings(project) if args.quick else {}), **configuration(entry, args.seed)}
    config = checked(given, project)
    for line in understood(config, config["datasets"][0]):
        print(as_options(line), flush=True)
    folder = Path(args.output or f"himation-{entry['id']}").resolve()
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / "config.yaml"
    write_text(
        path, "# Written by himation run; see config.yaml of the project for more keys.\n" + yaml.safe_dump(given)
    )
    print(f"running in {folder}", flush=True)
    trouble = follow(command(project, folder, path, args.cores), folder / "run.log", _teller())
    if trouble:
        print("\n".join(trouble), file=sys.stderr)
        raise UserError(f"the run failed; all it said is in {folder / 'run.log'}")
    print(f"\n{verdict(folder, entry['id'])}")
    print(f"\nTo predict later tables: himation predict TABLE --folder {shlex.quote(_short(folder))}")
    print(f"The report, to be opened in a browser: {folder / 'results' / 'report.html'}")
    return 0


def _short(folder: Path) -> str:
    """As one would write it here."""
    return str(folder.relative_to(Path.cwd()) if folder.is_relative_to(Path.cwd()) else folder)


def verdict(folder: Path, name: str) -> str:
    """The four lines, for a terminal, and the warnings."""
    from himation.report.collect import collect
    from himation.report.verdict import verdict_lines

    data = collect(folder / "results", name)
    lines = [*verdict_lines(data), *(("Warning", text) for text in data.warnings)]
    return "\n".join(f"{label + ':':<17}{text}" for label, text in lines).replace("\u00a0", " ")


def _teller():
    """Prints how far the run is: on a terminal in one line that renews itself."""
    live = sys.stdout.isatty()

    def tell(step: str) -> None:
        if live:
            print(f"\r\033[K  {step[:100]}", end="", flush=True)
        else:
            print(f"  {step}", flush=True)

    return tell


def predict(args) -> int:
    import subprocess

    from himation.command.project import project_folder

    models = sorted(Path(args.folder).glob("results/*/model.npz")) or sorted(Path(args.folder).glob("model.npz"))
    if len(models) != 1:
        many = f"has {len(models)} models; give the folder of one, results/<id>" if models else "has no fitted model"
        raise UserError(f"{args.folder}: {many}; `himation run` makes one")
    words = [sys.executable, str(project_folder() / "scripts/predict.py"), "--model", str(models[0])]
    words += ["--table", args.table, "--output", args.output, "--missing", args.missing]
    words += [f"--manipulation={args.manipulation}"] if args.manipulation else []
    return subprocess.run(words + ([f"--id={args.id}"] if args.id else [])).returncode


if __name__ == "__main__":
    sys.exit(main())
