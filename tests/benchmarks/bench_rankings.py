"""How the time of the ranking finders grows with the examples and the variables: CPU seconds and fitted exponents.

    python tests/benchmarks/bench_rankings.py --output results/bench_rankings.tsv          # two minutes or so
    python tests/benchmarks/bench_rankings.py --limits --output results/bench_limits.tsv   # the largest sizes, minutes

Gaussian K-CDM one by one needs p^2/2 values of O(n landmarks^2) each: growth of about n^1 p^2. The linear one needs
n p^2 once and p^2 for each step: p^3. Filters compute p (K + 1) deltas or so and p^2 correlations.
"""

import argparse
import resource
import time
from collections.abc import Callable

import library_path  # noqa: F401
import numpy as np

EXAMPLES, VARIABLES = (250, 500, 1000, 2000), (20, 40, 80, 160)
FIXED_EXAMPLES, FIXED_VARIABLES = 500, 40
SETS = (1, 2, 4, 6, 8)


def blanket(n: int, p: int):
    """Three causes among noise, and a binary target."""
    rng = np.random.default_rng(0)
    X = rng.normal(size=(n, p))
    return X, (X[:, :3].sum(axis=1) + rng.normal(size=n) > 0).astype(float)


def kernel(which: str, kind: str) -> Callable[[int, int], None]:
    def run(n: int, p: int) -> None:
        from himation.rankings.kcdm import rank_variables, target_factor

        X, y = blanket(n, p)
        rank_variables(X, target_factor(y, kind), which, kind)

    return run


def sparse_binary(n: int, p: int):
    """Random sparse zeros and ones with a rare target, of the size and density of SIDO."""
    rng = np.random.default_rng(1)
    factors = rng.random((20, n)) < 0.15
    codes = (rng.random((p, n)) < 0.05) | (factors[rng.integers(0, 20, p)] & (rng.random((p, n)) < 0.6))
    chance = 1 / (1 + np.exp(-(2.0 * codes[:5].sum(axis=0) - 5.0)))
    return codes.astype(np.uint8), np.where(rng.random(n) < chance, 1, -1)


def mixture(n: int, p: int, k: int = 15) -> None:
    from scipy.sparse import csr_matrix

    from himation.bits import pack_bits
    from himation.models.bernoulli_mixture import class_mixtures
    from himation.rankings.markov_filter import binary_correlation
    from himation.rankings.mixture_filter import mixture_filter

    codes, y = sparse_binary(n, p)
    mixtures = class_mixtures(csr_matrix(codes.T.astype(float)), y)
    mixture_filter(*mixtures, binary_correlation(pack_bits(codes), n), np.zeros(p), k)


def direct(n: int, p: int, k: int = 2) -> None:
    from himation.bits import pack_bits
    from himation.rankings.koller_sahami import koller_sahami
    from himation.rankings.markov_filter import binary_correlation

    codes, y = sparse_binary(n, p)
    koller_sahami(codes, [2] * p, y > 0, 2, k, binary_correlation(pack_bits(codes), n))


TOOLS = {
    "kcdm, gaussian": kernel("m1", "gaussian"),
    "bahsic, gaussian": kernel("hsic", "gaussian"),
    "kcdm, linear": kernel("m1", "linear"),
    "mixture, K = 15": mixture,
    "koller-sahami, K = 2": direct,
}


def seconds(run, *sizes: int) -> tuple[float, float]:
    """CPU and clock."""
    cpu, clock = time.process_time(), time.perf_counter()
    run(*sizes)
    return time.process_time() - cpu, time.perf_counter() - clock


def growth() -> list[list]:
    """Rows of (tool, examples, variables, CPU seconds, clock), then fitted exponents."""
    rows = []
    for name, run in TOOLS.items():
        factor = 1 if "gaussian" in name else 5  # the others are quick
        run(100, 10)  # compiles
        by_n = [(n, *seconds(run, n * factor, FIXED_VARIABLES * factor)) for n in EXAMPLES]
        by_p = [(p, *seconds(run, FIXED_EXAMPLES * factor, p * factor)) for p in VARIABLES]
        rows += [[name, n * factor, FIXED_VARIABLES * factor, cpu, clock] for n, cpu, clock in by_n]
        rows += [[name, FIXED_EXAMPLES * factor, p * factor, cpu, clock] for p, cpu, clock in by_p]
        for what, points in (("examples", by_n), ("variables", by_p)):
            size, cpu, _ = np.log(np.array(points)).T
            rows.append([f"{name}: exponent of {what}", "", "", float(np.polyfit(size, cpu, 1)[0]), ""])
    return rows


def limits() -> list[list]:
    """The sizes that the finders are meant for."""
    cases = [
        ("kcdm, gaussian", TOOLS["kcdm, gaussian"], 1000, 100),
        ("kcdm, gaussian", TOOLS["kcdm, gaussian"], 500, 500),
        ("mixture, K = 15", mixture, 12_678, 4_932),
        *((f"koller-sahami, K = {k}", lambda n, p, k=k: direct(n, p, k), 12_678, 4_932) for k in SETS),
    ]
    rows = []
    for name, run, n, p in cases:
        rows.append([name, n, p, *seconds(run, n, p)])
        print(*rows[-1], sep="\t", flush=True)
    rows.append(["memory, GB", "", "", resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1e6, ""])
    return rows


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--limits", action="store_true", help="the largest sizes in place of the growth")
    parser.add_argument("--output", required=True, metavar="FILE")
    args = parser.parse_args()
    rows = limits() if args.limits else growth()
    with open(args.output, "w", encoding="utf-8") as stream:
        for row in [["tool", "examples", "variables", "cpu_seconds", "seconds"], *rows]:
            stream.write("\t".join(f"{value:.3g}" if isinstance(value, float) else str(value) for value in row) + "\n")
    print(f"wrote {args.output}")


if __name__ == "__main__":
    main()
