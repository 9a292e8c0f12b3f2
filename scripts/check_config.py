"""Check a configuration and every table it names, without running anything, and print what was understood of them.

Ends in one line that names the place and the fix if something is wrong, with exit status 1.

example:
  python scripts/check_config.py --configfile mine.yaml
"""

import json
import sys
from pathlib import Path

from himation import cli

PROJECT = Path(__file__).resolve().parent.parent


def arguments():
    parser = cli.parser(__doc__)
    which = parser.add_mutually_exclusive_group(required=True)
    which.add_argument("--configfile", metavar="FILE", help="a configuration as given to snakemake --configfile")
    which.add_argument("--resolved", metavar="FILE", help="a resolved configuration as JSON; - is standard input")
    parser.add_argument("--memory", action="store_true", help="list the memory that each step is estimated to take")
    parser.add_argument("--cluster", action="store_true", help="don't ask whether it fits into this machine's memory")
    parser.add_argument("--only", nargs="+", metavar="ID", help="check the tables of these data sets only")
    return parser


def read_configuration(args) -> tuple[dict, list[Path]]:
    from himation.files.config_file import laid_over, read_config_file

    if args.resolved:
        text = sys.stdin.read() if args.resolved == "-" else Path(args.resolved).read_text(encoding="utf-8")
        return json.loads(text), [Path.cwd()]
    shipped = read_config_file(PROJECT / "config.yaml")
    given = read_config_file(args.configfile)
    return laid_over(shipped, given), [Path.cwd(), Path(args.configfile).resolve().parent]


@cli.command
def main(args):
    from himation.files.needs import estimated_peaks, refuse_what_cannot_fit
    from himation.files.plan import Plan, check_datasets
    from himation.files.understood import understood

    config, folders = read_configuration(args)
    plan = Plan(config, PROJECT, folders)
    if args.memory:
        for name in args.only or plan.ids:
            for step, peak in estimated_peaks(plan, name).items():
                print(f"{name}\t{step}\t{peak / 1e6:.0f} MB")
    if args.configfile and not args.cluster:
        refuse_what_cannot_fit(plan)
    if args.configfile and not args.quiet:
        for name in args.only or plan.ids:
            for line in understood(plan, name):
                print(line)
    else:
        check_datasets(plan, args.only or plan.ids)
    cli.log.info("in order: %d data sets, %d methods", len(plan.ids), len(plan.methods))


if __name__ == "__main__":
    sys.exit(main())
