"""Record the resolved configuration and the versions of all packages beside the results.

example:
  python scripts/record_run.py --configuration '{"seed": 1}' --output results/run.json
"""

import json
import sys

from himation import cli


def arguments():
    parser = cli.parser(__doc__)
    parser.add_argument("--configuration", required=True, metavar="JSON", help="the resolved configuration")
    parser.add_argument("--output", required=True, metavar="FILE", help="where to write both, as JSON")
    return parser


@cli.command
def main(args):
    from himation.files.atomic import write_json
    from himation.files.provenance import versions

    facts = {"versions": versions(), "configuration": json.loads(args.configuration)}
    write_json(args.output, facts)


if __name__ == "__main__":
    sys.exit(main())
