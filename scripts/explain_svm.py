"""Show what a polynomial SVM looks at: its heaviest products of variables, as a table and a picture.

The model is a model.npz of build_model.py, or your own. Save a fitted sklearn SVC(kernel="poly", coef0=1) with

  import numpy as np
  np.savez("svm.npz", support_vectors=svc.support_vectors_, dual_coef=svc.dual_coef_, degree=svc.degree,
           gamma=svc._gamma, coef0=svc.coef0)

(a sparse model: svc.support_vectors_.toarray() and svc.dual_coef_.toarray(); optional: names=[...]).

Each feature has its weight in the kernel's feature space, by which it is ranked, and its coefficient: the number that
the product itself has in the decision function. The last line says whether the list is proven to be the true one.

examples:
  python scripts/explain_svm.py --model svm.npz --features 20
  python scripts/explain_svm.py --model results/x/model.npz --names train.csv --output top.tsv --picture top.svg
  python scripts/explain_svm.py --model svm.npz --seconds 30 --output top.tsv
"""

import sys
from pathlib import Path

from himation import cli
from himation.errors import UserError

_HEAD = ("rank", "feature", "weight", "coefficient", "variables", "powers")


def arguments():
    parser = cli.parser(__doc__)
    parser.add_argument("--model", "--machine", required=True, metavar="FILE", help="the SVM to read (.npz)")
    parser.add_argument(
        "--names", metavar="FILE", help="names of the variables: one a line, or a table with a head line"
    )
    parser.add_argument(
        "--method", default="heur2", choices=["heur2", "heur1", "brute"], help="search for heavy features"
    )
    parser.add_argument("--construct", type=int, default=20_000, help="features whose weights are computed (p)")
    parser.add_argument("--features", type=int, default=50, help="features to show (r)")
    parser.add_argument("--level", default="normalised", choices=["normalised", "maximum"], help="how heur2 goes on")
    parser.add_argument(
        "--seconds", type=float, help="let heur2 go on until then or until proven, instead of --construct"
    )
    parser.add_argument("--output", metavar="FILE", help="table to write; absent: it is printed")
    parser.add_argument("--picture", metavar="FILE", help="bar chart to write: .svg, .png or .pdf")
    return parser


@cli.command
def main(args):
    from himation.feature_space.explain import explain
    from himation.files.atomic import write_tsv
    from himation.files.svm_file import read_names, read_svm

    svm, names = read_svm(args.model, read_names(args.names) if args.names else None)
    if args.picture and Path(args.picture).suffix not in (".svg", ".png", ".pdf"):
        raise UserError(f"{args.picture}: a picture is written as .svg, .png or .pdf")
    found = explain(
        svm,
        args.features,
        args.method,
        args.construct,
        args.level,
        args.seconds,
        names,
        progress=cli.Progress("explain_svm"),
    )
    rows = []
    for rank, monomial in enumerate(found.monomials, start=1):
        variables, powers = (" ".join(map(str, part)) for part in zip(*((v + 1, q) for v, q in monomial), strict=True))
        at = rank - 1
        rows.append([rank, found.names[at], found.weights[at], found.coefficients[at], variables, powers])
    if args.output:
        write_tsv(args.output, _HEAD, rows)
    else:
        width = max([7, *map(len, found.names)])
        print(f"{'rank':>4}  {'feature':{width}}  {'weight':>11}  {'coefficient':>11}")
        for row in rows:
            print(f"{row[0]:>4}  {row[1]:{width}}  {row[2]:>11.4g}  {row[3]:>11.4g}")
    if args.picture:
        from himation.files.svm_file import draw_features

        draw_features(args.picture, found)
    certain = (
        "proven to be the heaviest" if found.proven else "not proven to be the heaviest: allow more time or features"
    )
    cli.log.info("explain_svm: %d features of %d looked at; %s", len(rows), found.constructed, certain)


if __name__ == "__main__":
    sys.exit(main())
