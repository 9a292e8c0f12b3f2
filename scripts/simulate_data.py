"""Make a data set with known truth: one of the challenge's six tasks, or any discrete network in a file.

lucas is the challenge's toy network; reged is like gene expression, marti the same on a chip with noise in training;
sido is like sparse binary molecules, cina like a census (from UCI Adult itself with --adult). sido, cina and lucap have
probes: artificial variables that are no causes of the target and that the test table manipulates.

A network is read by pgmpy (.bif, .xmlbif, .net, .xdsl, also packed); --predict names the variable to be predicted, and
--positive the one of its values that counts as positive, against all others.

The training table is natural and depends on the seed alone. In the test table the manipulated variables have lost
their causes, and the system then runs on.

example:
  python scripts/simulate_data.py --network lucas --manipulate Smoking Fatigue --train train.parquet \\
      --target train.targets --test test.parquet --test-target test.targets --truth truth.csv --manipulated list.txt
"""

import sys

from himation import cli
from himation.errors import UserError
from himation.task_names import TASKS


def arguments():
    parser = cli.parser(__doc__)
    named = ", ".join(TASKS)
    parser.add_argument("--network", required=True, metavar="NAME", help=f"{named}, or a file of a network")
    parser.add_argument("--predict", metavar="NAME", help="the target, a variable of the network in a file")
    parser.add_argument("--positive", metavar="VALUE", help="value of the target that counts as positive, in a file")
    parser.add_argument("--seed", type=int, default=1, help="the same seed gives the same tables")
    parser.add_argument("--train-size", type=int, default=500, help="training examples")
    parser.add_argument("--test-size", type=int, default=5000, help="test examples")
    parser.add_argument("--variables", type=int, metavar="N", help="variables in all, where not the usual number")
    parser.add_argument("--adult", metavar="FILE", help="table of UCI Adult, for cina; a simulated census without it")
    how = parser.add_mutually_exclusive_group()
    how.add_argument("--version", type=int, choices=[0, 1, 2], help="0 natural, 1 and 2 as in the challenge")
    how.add_argument(
        "--manipulate", nargs="+", action="extend", metavar="NAME", help="names of variables, or all, or none"
    )
    for name in ("train", "test"):
        parser.add_argument(f"--{name}", required=True, metavar="FILE", help=f"{name} table to write: .parquet, .csv")
    parser.add_argument("--target", required=True, metavar="FILE", help="labels of the training table to write")
    parser.add_argument("--test-target", required=True, metavar="FILE", help="labels of the test table to write")
    parser.add_argument("--truth", required=True, metavar="FILE", help="edges to write, from,to; 0 is the target")
    parser.add_argument("--manipulated", required=True, metavar="FILE", help="list of manipulated variables to write")
    parser.add_argument("--real", metavar="FILE", help="list of real variables, where there are probes, to write")
    parser.add_argument("--calibrants", metavar="FILE", help="list of calibrants (marti) to write")
    return parser


def simulate(args):
    """All that is known of the task that the options name."""
    from himation.studies.simulate import tasks as simulations
    from himation.studies.simulate.network_files import open_task

    adult = None
    if args.adult:
        from himation.studies.simulate.adult_table import read_adult

        adult = read_adult(args.adult)
    return simulations.simulate(
        open_task(args.network, args.seed, args.predict, args.positive),
        args.seed,
        args.version or 0,
        args.train_size,
        args.test_size,
        args.variables,
        tuple(args.manipulate) if args.manipulate else None,
        adult,
    )


def write_table(path, sample):
    import pandas as pd

    from himation.files.atomic import replacing

    frame = pd.DataFrame(sample.values, columns=list(sample.names), copy=False)
    if not path.endswith((".csv", ".parquet")):
        raise UserError(f"{path}: write .csv or .parquet")
    with replacing(path) as draft:
        frame.to_csv(draft, index=False) if path.endswith(".csv") else frame.to_parquet(draft, index=False)


@cli.command
def main(args):
    from himation.files.atomic import write_text

    problem = simulate(args)
    parts = ((args.train, args.target, problem.train), (args.test, args.test_target, problem.test))
    for path, target_path, sample in parts:
        write_table(path, sample)
        write_text(target_path, "".join(f"{label}\n" for label in sample.target.tolist()))
    numbered = (("0" if end == problem.target else end for end in edge) for edge in problem.edges)
    write_text(args.truth, "from,to\n" + "".join(f"{cause},{effect}\n" for cause, effect in numbered))
    lists = ((args.manipulated, problem.manipulated), (args.real, problem.real), (args.calibrants, problem.calibrants))
    for path, listed in lists:
        if path:
            write_text(path, "".join(f"{name}\n" for name in listed))
    cli.log.info(
        "simulate_data: %s, %d variables, %d examples (%d positive) and %d (%d), %d manipulated in the test table",
        args.network,
        len(problem.train.names),
        *(count for *_, sample in parts for count in (len(sample.target), int((sample.target > 0).sum()))),
        len(problem.manipulated),
    )


if __name__ == "__main__":
    sys.exit(main())
