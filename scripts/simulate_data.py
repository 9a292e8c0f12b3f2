"""Make a data set with known truth: the challenge's LUCAS network, or a gene-expression problem like REGED.

The training table is natural and depends on the seed alone. In the test table the manipulated variables have lost
their causes, and the system then runs on.

example:
  python scripts/simulate_data.py --network lucas --manipulate Smoking Fatigue --train train.parquet \\
      --target train.targets --test test.parquet --test-target test.targets --truth truth.csv --manipulated list.txt
"""

import sys

from himation import cli
from himation.errors import UserError


def arguments():
    parser = cli.parser(__doc__)
    parser.add_argument("--network", choices=["lucas", "reged"], required=True, help="what to simulate")
    parser.add_argument("--seed", type=int, default=1, help="the same seed gives the same tables")
    parser.add_argument("--train-size", type=int, default=500, help="training examples")
    parser.add_argument("--test-size", type=int, default=5000, help="test examples")
    parser.add_argument("--variables", type=int, default=300, help="number of variables (reged)")
    how = parser.add_mutually_exclusive_group()
    how.add_argument("--version", type=int, choices=[0, 1, 2], help="0 natural, 1 and 2 as in the challenge")
    how.add_argument("--manipulate", nargs="+", metavar="NAME", help="names of variables, or all, or none")
    for name in ("train", "test"):
        parser.add_argument(f"--{name}", required=True, metavar="FILE", help=f"{name} table to write: .parquet, .csv")
    parser.add_argument("--target", required=True, metavar="FILE", help="labels of the training table to write")
    parser.add_argument("--test-target", required=True, metavar="FILE", help="labels of the test table to write")
    parser.add_argument("--truth", required=True, metavar="FILE", help="edges to write, from,to; 0 is the target")
    parser.add_argument("--manipulated", required=True, metavar="FILE", help="list of manipulated variables to write")
    return parser


def simulate(args):
    """Training sample, test sample, edges, manipulated names."""
    import numpy as np

    from himation import networks, reged_like

    if args.network == "lucas":
        network, edges = networks.LUCAS, networks.LUCAS.edges
        listed = networks.LUCAS_MANIPULATED.get(args.version or 0)
        train_seed, test_seed = np.random.SeedSequence(args.seed).spawn(2)
    else:
        network = reged_like.make_reged_like(args.seed, variables=args.variables)
        edges, listed = network.edges, network.version(args.version or 0)
    if args.manipulate:
        listed = {"all": tuple(network.names), "none": ()}.get(args.manipulate[0], tuple(args.manipulate))
        networks.check_manipulated(listed, network.names, network.target)
    if args.network == "lucas":
        train = network.sample(args.train_size, np.random.default_rng(train_seed))
        test = network.sample(args.test_size, np.random.default_rng(test_seed), listed)
    else:
        train = network.train(args.train_size)
        rng = np.random.default_rng(np.random.SeedSequence([args.seed, len(network.names)]))
        test = network.sample(args.test_size, rng, listed)
    return network, train, test, edges, listed


def write_table(path, sample):
    import pandas as pd

    from himation.files.atomic import replacing

    frame = pd.DataFrame(sample.values, columns=list(sample.names))
    if not path.endswith((".csv", ".parquet")):
        raise UserError(f"{path}: write .csv or .parquet")
    with replacing(path) as draft:
        frame.to_csv(draft, index=False) if path.endswith(".csv") else frame.to_parquet(draft, index=False)


@cli.command
def main(args):
    from himation.files.atomic import write_text

    network, train, test, edges, listed = simulate(args)
    for path, target_path, sample in ((args.train, args.target, train), (args.test, args.test_target, test)):
        write_table(path, sample)
        write_text(target_path, "".join(f"{label}\n" for label in sample.target.tolist()))
    numbered = (("0" if end == network.target else end for end in edge) for edge in edges)
    write_text(args.truth, "from,to\n" + "".join(f"{cause},{effect}\n" for cause, effect in numbered))
    write_text(args.manipulated, "".join(f"{name}\n" for name in listed))
    cli.log.info(
        "simulate_data: %s, %d variables, %d and %d examples, %d manipulated in the test table",
        args.network,
        len(network.names),
        len(train.target),
        len(test.target),
        len(listed),
    )


if __name__ == "__main__":
    sys.exit(main())
