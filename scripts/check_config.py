"""Check a configuration and every table it names, without running anything, and print what was understood of them.

Ends in one line that names the place and the fix if something is wrong, with exit status 1.

example:
  python scripts/check_config.py --configfile mine.yaml
"""

import sys
from pathlib import Path

from himation import cli

PROJECT = Path(__file__).resolve().parent.parent


def arguments():
    parser = cli.parser(__doc__)
    parser.add_argument(
        "--configfile", metavar="FILE", required=True, help="a configuration as given to snakemake --configfile"
    )
    parser.add_argument("--memory", action="store_true", help="list the memory that each step is estimated to take")
    parser.add_argument("--cluster", action="store_true", help="don't ask whether it fits into this computer's memory")
    parser.add_argument("--only", nargs="+", metavar="ID", help="check the tables of these data sets only")
    return parser


@cli.command
def main(args):
    from himation.files.config_file import laid_over, read_config_file
    from himation.files.configuration import load_schema, resolve_configuration
    from himation.files.entries import places
    from himation.files.needs import estimated_peaks, refuse_what_cannot_fit
    from himation.files.understood import understood

    config = laid_over(read_config_file(PROJECT / "config.yaml"), read_config_file(args.configfile))
    folders = [Path.cwd(), Path(args.configfile).resolve().parent]
    config = resolve_configuration(config, load_schema(PROJECT / "workflow/schemas/config.schema.yaml"), folders)
    chosen = [entry for entry in config["datasets"] if not args.only or entry["id"] in args.only]
    if args.memory:
        entries = places(chosen)
        for entry in chosen:
            for step, peak in estimated_peaks(config, entries[entry["id"]]).items():
                print(f"{entry['id']}\t{step}\t{peak / 1e6:.0f} MB")
    if not args.cluster:
        refuse_what_cannot_fit(config)
    for entry in chosen:
        for line in understood(config, entry):
            if not args.quiet:
                print(line)
    cli.log.info("in order: %d data sets, %d methods", len(config["datasets"]), len(config["methods"]))


if __name__ == "__main__":
    sys.exit(main())
