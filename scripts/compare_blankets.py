"""Compare the blankets of several methods by cross-validated SVMs, and settle on the natural blanket.

The first table is the reference (mmmb as shipped). If another set predicts better by more than the noise of
cross-validation, variables were missed: FSMB's variables then join the reference's, and the products that it
constructed from them are listed for the model (thesis, V.2.2).

Sets that were found in these examples predict them too well. Whether anything goes with the target at all is therefore
asked of the whole table, by permuting its labels (himation/independence/overall.py).

example:
  python scripts/compare_blankets.py --data results/x/data --blankets results/x/blanket/mmmb.tsv \\
      results/x/blanket/fsmb.tsv --output natural_blanket.tsv --candidates candidates.tsv
"""

import json
import sys
from pathlib import Path

from himation import cli
from himation.models.grid_options import add_model_arguments, grid_from

_AT_A_TIME, _CELLS = 512, 8_000_000  # variables held as numbers, and values of these


def arguments():
    parser = cli.parser(__doc__)
    cli.add_table_arguments(parser)
    parser.add_argument("--blankets", nargs="+", required=True, metavar="FILE", help="tables of find_blanket.py")
    parser.add_argument("--details", nargs="+", default=[], metavar="FILE", help="their details, in the same order")
    add_model_arguments(parser)
    parser.add_argument("--output", required=True, metavar="FILE", help="natural blanket to write")
    parser.add_argument("--association", metavar="FILE", help="whether anything goes with the target, to write (.json)")
    parser.add_argument("--features", metavar="FILE", help="table of the constructed features that join to write")
    parser.add_argument("--candidates", required=True, metavar="FILE", help="table of the sets compared to write")
    return parser


def goes_with_target(table, seed: int):
    """Whether anything in the table goes with its target, and the variable behind each column that was looked at."""
    from himation.independence.overall import overall

    step = max(1, min(_AT_A_TIME, _CELLS // table.train.n))

    def blocks():
        for start in range(0, table.n_variables, step):
            yield table.features(range(start, min(start + step, table.n_variables)))

    owners = [x for x in range(table.n_variables) for _ in range(table.n_features(x))]
    return overall(blocks, len(owners), table.target, seed), owners


@cli.command
def main(args):
    from himation.files.association import write_association
    from himation.files.atomic import write_tsv
    from himation.files.blanket_table import read_blanket, write_blanket
    from himation.files.features_table import features_of_details, write_features
    from himation.files.nodes import Nodes
    from himation.models.constructed import joining
    from himation.selection.comparing import ALL, choose, compare

    table = cli.load_table(args)
    nodes = Nodes(table)
    methods = [json.loads(Path(path).read_text(encoding="utf-8"))["method"] for path in args.details]
    names = [Path(path).stem for path in args.blankets]
    found = {name: read_blanket(path, nodes) for name, path in zip(names, args.blankets, strict=True)}
    sets = {name: members for name, (members, _) in found.items()}
    candidates = compare(table, sets, grid_from(args), args.seed, args.most_rows, args.threads, args.search)
    space = [name for name, method in zip(names, methods, strict=False) if method == "fsmb"]
    anything, owners = goes_with_target(table, args.seed)
    strongest = next((owners[column] for column in anything.parts[0].columns), 0)
    choice = choose(candidates, names[0], space, strongest, anything.found)
    scores = {x: score for name in reversed(names) for x, score in zip(*found[name], strict=True)}
    write_blanket(args.output, nodes, choice.members, [scores.get(x, 0.0) for x in choice.members])
    if args.association:
        write_association(args.association, anything, [table.names[x] for x in owners])
    if args.features:
        paths = [path for name, path in zip(names, args.details, strict=False) if name in choice.joined]
        joined = joining(feature for path in paths for feature in features_of_details(path, nodes))
        write_features(args.features, nodes, joined)
        if joined:
            cli.log.info("compare_blankets: %d constructed features join", len(joined))
    rows = [
        [c.name, len(c.members), c.auc, c.standard_error, c.settings, " ".join(map(str, map(nodes.column, c.members)))]
        for c in candidates
    ]
    for row in rows:
        row[-1] = "" if row[0] == ALL else row[-1]
        cli.log.info("compare_blankets: %s, %d variables, AUC %.4f +- %.4f", *row[:4])
    write_tsv(args.candidates, ("set", "variables", "auc", "standard_error", "settings", "columns"), rows)
    cli.log.info(
        "compare_blankets: %s goes with the target (p %.3g)",
        "something" if anything.found else "nothing",
        anything.p_value,
    )
    cli.log.info("compare_blankets: natural blanket of %d variables: %s", len(choice.members), choice.reason)


if __name__ == "__main__":
    sys.exit(main())
