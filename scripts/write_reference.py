"""Write docs/configuration.md, the list of all configuration keys, and config/README.md in short, from the schema; and
docs/api.md from the docstrings of classes and functions.

`make reference` runs it; a test fails if a page and the schema differ.

example:
  python scripts/write_reference.py
  python scripts/write_reference.py --schema workflow/schemas/config.schema.yaml --output docs/configuration.md
"""

import sys
from pathlib import Path

from himation import cli

PROJECT = Path(__file__).resolve().parent.parent


def arguments():
    parser = cli.parser(__doc__)
    schema, page = PROJECT / "workflow/schemas/config.schema.yaml", PROJECT / "docs/configuration.md"
    parser.add_argument("--schema", metavar="FILE", help="the schema (the project's own)")
    parser.add_argument("--output", metavar="FILE", help="page to write (docs/configuration.md of the project)")
    parser.add_argument("--summary", metavar="FILE", help="page of the first level's keys (config/README.md)")
    parser.add_argument("--api", metavar="FILE", help="page of classes and functions (docs/api.md)")
    parser.set_defaults(api=str(PROJECT / "docs/api.md"))
    parser.set_defaults(schema=str(schema), output=str(page), summary=str(PROJECT / "config/README.md"))
    return parser


@cli.command
def main(args):
    from himation.errors import UserError
    from himation.files.atomic import write_text
    from himation.files.configuration import load_schema
    from himation.files.reference import api_reference, reference, summary
    from himation.methods import METHODS

    if not Path(args.schema).is_file():
        raise UserError(f"{args.schema}: no such file")
    parameters = dict.fromkeys(key for method in METHODS.values() for key in method.parameters)
    takers = {key: [name for name, method in METHODS.items() if key in method.parameters] for key in parameters}
    schema = load_schema(args.schema)
    write_text(args.output, reference(schema, takers))
    write_text(args.summary, summary(schema))
    write_text(args.api, api_reference())
    cli.log.info("write_reference: %s and %s", args.output, args.summary)


if __name__ == "__main__":
    sys.exit(main())
