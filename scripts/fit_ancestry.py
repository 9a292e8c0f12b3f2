"""Fit the trees that judge whether a variable is an ancestor of the target, on simulated problems; write them as JSON.

The file is part of the library: fit again only after a change of the clues (himation/selection/clues.py) or of the
simulations. How good the trees are on problems that they have not seen is the rerun `ancestry`.

example:
  python scripts/fit_ancestry.py --output scripts/himation/selection/ancestry.json --threads 2
"""

import json
import sys

from himation import cli


def arguments():
    parser = cli.parser(__doc__)
    parser.add_argument("--samples", type=int, default=128, help="problems of every kind to draw")
    parser.add_argument("--threads", type=int, default=1, help="processes")
    parser.add_argument("--output", required=True, metavar="FILE", help="trees to write")
    return parser


@cli.command
def main(args):
    from himation.errors import UserError
    from himation.files.atomic import write_text
    from himation.reruns.ancestry import FOLDS, as_numbers, fit

    if args.samples < FOLDS:
        raise UserError(f"--samples: at least {FOLDS}, a problem of every kind in each part of the cross-validation")
    model = fit(args.samples, threads=args.threads, progress=cli.Progress("fit_ancestry"))
    write_text(args.output, json.dumps(as_numbers(model), separators=(",", ":")) + "\n")
    cli.log.info("fit_ancestry: %d trees in each stage, in %s", len(model.first.leaves), args.output)


if __name__ == "__main__":
    sys.exit(main())
