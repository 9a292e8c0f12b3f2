"""Compare sets of variables by what fresh rows would give, and settle on the natural blanket and on the set that
predicts in nature.

Finders' sets, sets from the sampled networks and all variables compete. The AUC of each comes from search_folds.py:
every row was predicted by a model that was fitted, on a set that was found, without it.

The first table is the reference (mmmb as shipped). If another set predicts better by more than the noise, variables
were missed: FSMB's variables then join the reference's, and the products that it constructed from them are listed for
the model (thesis, V.2.2). In nature the model takes the best set, the blanket unless another is better by more than one
standard error of the difference. The widest set is all variables, unless that one is better by more than one error.

Whether anything goes with the target at all is asked of the whole table, by permuting its labels
(himation/independence/overall.py).

example:
  python scripts/compare_blankets.py --data results/x/data --blankets results/x/blanket/mmmb.tsv \\
      results/x/blanket/fsmb.tsv --details results/x/blanket/mmmb.json results/x/blanket/fsmb.json \\
      --networks results/x/networks.npz --folds results/x/folds/1-of-1 --output natural_blanket.tsv \\
      --natural-set natural_set.tsv --candidates candidates.tsv
"""

import sys
from pathlib import Path

from himation import cli

HEAD = ("set", "variables", "auc", "standard_error", "gain", "gain_error", "used", "columns")


def arguments():
    parser = cli.parser(__doc__)
    cli.add_table_arguments(parser)
    parser.add_argument("--blankets", nargs="+", required=True, metavar="FILE", help="tables of find_blanket.py")
    parser.add_argument("--details", nargs="+", required=True, metavar="FILE", help="their details, in the same order")
    parser.add_argument("--networks", nargs="?", metavar="FILE", help="networks of sample_networks.py, if drawn")
    parser.add_argument("--folds", nargs="*", default=[], metavar="FOLDER", help="folders of search_folds.py")
    parser.add_argument(
        "--join", choices=["better", "always"], default="better", help="when FSMB's variables join the reference's"
    )
    parser.add_argument("--seed", type=int, default=1, help="of the permutations")
    parser.add_argument("--output", required=True, metavar="FILE", help="natural blanket to write")
    parser.add_argument("--natural-set", required=True, metavar="FILE", help="the set that predicts in nature to write")
    parser.add_argument("--widest-set", metavar="FILE", help="the widest set that predicts no worse in nature to write")
    parser.add_argument("--association", metavar="FILE", help="whether anything goes with the target, to write (.json)")
    parser.add_argument("--features", metavar="FILE", help="table of the constructed features that join to write")
    parser.add_argument("--candidates", required=True, metavar="FILE", help="table of the sets compared to write")
    return parser


@cli.command
def main(args):
    from himation.files.atomic import read_json, write_json, write_tsv
    from himation.files.blanket_table import read_blanket, write_blanket
    from himation.files.features_table import features_of_details, write_features
    from himation.files.folds_folder import read_folds
    from himation.files.networks_file import read_networks
    from himation.files.nodes import Nodes
    from himation.models.constructed import joining
    from himation.nested.competing import ALL, FEATURE_SPACE, JOINED, Found
    from himation.nested.settling import settle
    from himation.posterior.networks import NO_NETWORKS
    from himation.selection.comparing import beyond

    table = cli.load_table(args)
    nodes = Nodes(table)
    methods = [read_json(path)["method"] for path in args.details]
    names = [Path(path).stem for path in args.blankets]
    read = {name: read_blanket(path, nodes) for name, path in zip(names, args.blankets, strict=True)}
    space = [n for n, method in zip(names, methods, strict=True) if method == FEATURE_SPACE and read[n][0]]
    sets = {name: members for name, (members, _) in read.items()}
    paths = dict(zip(names, args.details, strict=True))
    built = [feature for name in space for feature in features_of_details(paths[name], nodes)]
    outside, reaching = beyond(sets[names[0]], built)
    networks = read_networks(args.networks, nodes) if args.networks else NO_NETWORKS
    found = Found(sets, tuple(space), (), networks)
    searched = read_folds(args.folds, table)[0]
    settled = settle(table, found, searched, args.seed, outside if args.join == "always" else None)
    choice, used, anything = settled.blanket, settled.used, settled.anything
    scores = {x: score for name in reversed(names) for x, score in zip(*read[name], strict=True)}
    written = {args.output: choice.members, args.natural_set: settled.natural}
    if args.widest_set:
        written[args.widest_set] = settled.widest
    for path, members in written.items():
        write_blanket(path, nodes, members, [scores.get(x, 0.0) for x in members])
    if args.association:
        write_json(args.association, anything.facts([table.names[x] for x in settled.owners]))
    if args.features:
        joins = set(choice.joined) | set(space if used == JOINED else [used])
        chosen = [f for name in names if name in joins for f in features_of_details(paths[name], nodes)]
        joined = joining(reaching if args.join == "always" else chosen)
        write_features(args.features, nodes, joined)
        if joined:
            cli.log.info("compare_blankets: %d constructed features join", len(joined))
    rows = []
    for one in settled.candidates:
        gain = settled.known.gain(one.name, settled.candidates[0].name)
        columns = "" if one.name == ALL else " ".join(map(str, map(nodes.column, one.members)))
        measured = (one.expected.auc, one.expected.error, gain.auc, gain.error)
        rows.append([one.name, len(one.members), *measured, int(one.name == used), columns])
        cli.log.info("compare_blankets: %s, %d variables, AUC %.4f +- %.4f", *rows[-1][:4])
    write_tsv(args.candidates, HEAD, rows)
    what = "something" if anything.found else "nothing"
    cli.log.info("compare_blankets: %s goes with the target (p %.3g)", what, anything.p_value)
    cli.log.info("compare_blankets: natural blanket of %d variables: %s", len(choice.members), choice.reason)
    cli.log.info("compare_blankets: in nature the set '%s' predicts", used)


if __name__ == "__main__":
    sys.exit(main())
