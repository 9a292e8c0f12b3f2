"""Find the Markov blanket of the target by one method.

Writes the members with score and rank (1 is best) as a table. The methods:

METHODS
examples:
  python scripts/find_blanket.py --train train.csv --target outcome --method mmmb --output blanket.tsv
  python scripts/find_blanket.py --data results/lucas0/data --method fsmb --degree 2 --output blanket.tsv
  python scripts/find_blanket.py --data results/lucas0/data --method kiamb --runs 100 --details all.json --output b.tsv
"""

import json
import sys

from himation import cli
from himation.methods import METHODS, finder
from himation.test_names import TESTS

_SETTINGS = tuple(dict.fromkeys(key for method in METHODS.values() for key in method.parameters))


def arguments():
    about = "".join(f"  {name:13s} {method.about}\n" for name, method in METHODS.items())
    parser = cli.parser(__doc__.replace("METHODS\n", about + "\n"))
    cli.add_table_arguments(parser)
    parser.add_argument("--method", required=True, metavar="NAME", help="which finder: " + ", ".join(METHODS))
    parser.add_argument("--independence", default="auto", help="test of independence: " + ", ".join(TESTS))
    parser.add_argument("--alpha", type=float, help="level of the tests (0.05)")
    parser.add_argument("--max-conditioning", type=int, help="largest conditioning set (3)")
    parser.add_argument("--symmetry", choices=["and", "or", "none"], help="correction of parents and children (and)")
    parser.add_argument(
        "--spouses", choices=["strict", "published"], help="how spouses enter (strict; published for hiton, hiton-mb)"
    )
    parser.add_argument("--tolerance", type=float, help="AUC that hiton's wrapper may lose in all (0)")
    parser.add_argument("--phases", choices=["repeated", "once"], help="whether iamb, kiamb grow again (repeated)")
    parser.add_argument("--k", type=float, help="share of the candidates that kiamb, kpcmb draw at each step (0.8)")
    parser.add_argument("--runs", type=int, help="runs of kiamb, kpcmb (10)")
    parser.add_argument("--degree", type=int, help="degree of the polynomial kernel; absent: by cross-validation")
    parser.add_argument("--cost", type=float, help="the SVM's C; absent: by cross-validation")
    parser.add_argument(
        "--svm", choices=["ours", "published"], help="the SVM of fsmb, rfe: ours, or with the thesis's ranges (ours)"
    )
    parser.add_argument("--construct", type=int, help="features whose weights fsmb computes (20000)")
    parser.add_argument("--keep", type=int, help="features that fsmb passes on (50)")
    parser.add_argument("--finder", choices=["hiton", "mmmb"], help="blanket finder in fsmb's feature space (hiton)")
    parser.add_argument(
        "--guard", choices=["screen", "honest", "none"], help="against accidental features of fsmb (screen)"
    )
    parser.add_argument("--accidents", type=float, help="features that fsmb's screen lets through on average (1)")
    parser.add_argument(
        "--search", choices=["auto", "heur2", "brute_force"], help="how fsmb finds heavy features (auto)"
    )
    parser.add_argument(
        "--redundant", choices=["skipped", "struck"], help="equal products: not searched, or struck out later (skipped)"
    )
    parser.add_argument(
        "--coding", choices=["plus_minus", "zero_one"], help="binary variables in feature space (plus_minus)"
    )
    parser.add_argument("--neighbours", type=int, help="neighbours that relief looks at (5)")
    _ranking_arguments(parser)
    parser.add_argument("--seed", type=int, default=1, help="seed of folds and held-out parts")
    parser.add_argument("--threads", type=int, default=1, help="threads to use; the answer is the same")
    parser.add_argument("--output", required=True, metavar="FILE", help="table of members to write")
    parser.add_argument("--details", metavar="FILE", help="parameters, features and other details to write, as JSON")
    return parser


def _ranking_arguments(parser):
    """Of the methods that rank all variables and cut the ranking."""
    parser.add_argument("--kernel", choices=["gaussian", "linear"], help="of kcdm, bahsic (gaussian)")
    parser.add_argument("--measure", choices=["m1", "m2"], help="what kcdm minimises (m1)")
    parser.add_argument("--direction", choices=["backward", "forward"], help="of kcdm (backward)")
    parser.add_argument("--epsilon", type=float, help="regularisation of kcdm (m1: 0.001, m2: 0.001 times examples)")
    parser.add_argument("--landmarks", type=int, help="examples that carry the Gaussian kernel (100)")
    parser.add_argument("--share", type=float, help="part of the variables that goes in one step (0, or 0.1 of many)")
    parser.add_argument(
        "--cut",
        choices=["permutation", "gap", "auc"],
        help="where the ranking ends (kcdm, bahsic: permutation; or auc)",
    )
    parser.add_argument("--size", type=int, help="members to return, instead of --cut")
    parser.add_argument("--set-size", type=int, help="conditioning set of koller-sahami (2), mixture (15)")
    parser.add_argument("--entropy", choices=["weighted", "published"], help="terms of mixture's entropy (weighted)")
    parser.add_argument("--components", type=int, help="components of a class that mixture starts with (10)")
    parser.add_argument("--regularisation", type=float, help="gamma of mixture's EM (0.5)")


@cli.command
def main(args):
    from himation.files.atomic import write_text
    from himation.files.blanket_table import write_blanket
    from himation.files.nodes import Nodes
    from himation.finders import Context, check_settings

    find = finder(args.method)
    settings = {key: getattr(args, key) for key in _SETTINGS if getattr(args, key) is not None}
    check_settings(args.method, settings)
    table = cli.load_table(args, any_target=True)
    context = Context(args.independence, args.seed, args.threads, cli.Progress(f"find_blanket {args.method}"))
    found = find(table, settings, context)
    if "warning" in found.details:
        cli.log.warning("find_blanket %s: %s", args.method, found.details["warning"])
    nodes = Nodes(table)
    write_blanket(args.output, nodes, found.members, found.scores)
    if args.details:
        features = [[[nodes.column(x), power] for x, power in feature] for feature in found.features]
        details = {"method": args.method, "settings": settings, "features": features, **found.details}
        write_text(args.details, json.dumps(details, indent=1, ensure_ascii=False) + "\n")
    names = ", ".join(nodes.name(x) for x in found.members[:10])
    more = ", ..." if len(found.members) > 10 else ""
    cli.log.info("find_blanket %s: %d members: %s%s", args.method, len(found.members), names or "none", more)


if __name__ == "__main__":
    sys.exit(main())
