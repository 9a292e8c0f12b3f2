"""Orient the region under several settings of the score and on several samples, and average (thesis, V.2.4 and V.2.6).

Each setting, on each sample, gives a directed graph, of which only the edges that are compelled in its completed PDAG
say something about cause and effect. The thesis keeps what appears under all settings; here every edge gets the share
of the graphs that direct it one way, the other way, leave it undirected, or have no edge.

Settings: equivalent sample sizes of BDeu, widths and smoothing of the kernel score
(`himation.orientation.scores.by_name` has the scores). Samples: all examples, and ``bootstraps`` resamples of them.
``bootstrap`` draws as many examples as there are with repetition, ``half`` half of them without. Both vary like a new
sample would. Examples that occur twice look like evidence, and bootstrap samples have some edges too many (Steck and
Jaakkola 2003); half-samples lose the weak ones, which is worse. Brier scores of (a -> b, b -> a, no edge) over the
edges of a skeleton, without resamples, by bootstrap and by halves: 0.23, 0.20, 0.27 on Alarm, Insurance and Child (500
to 2,000 examples, BDeu), 0.46, 0.32, 0.65 on nonlinear continuous networks (500 examples, kernel score).

Searches: ``ges``, ours (`himation.orientation.ges`), or ``hill-climbing``, the thesis's
(`himation.orientation.hill_climbing`).

All graphs are independent pieces of work: they are shared out among processes, and the answer is the same for any
number of them, as each sample's examples are drawn from a seed of its own.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np

from himation.errors import UserError
from himation.knowledge import TARGET
from himation.orientation.hill_climbing import Score
from himation.orientation.obeying import obey
from himation.orientation.region import Region
from himation.orientation.scores.by_name import DISCRETE_SCORES, Sample, score_maker
from himation.table import CONTINUOUS, Table

Settings = Sequence[tuple[str, dict]]  # names with the parameters of the score
SEARCHES = ("ges", "hill-climbing")
RESAMPLES = ("bootstrap", "half")
PATIENCE = 100  # MMHC has 15; on Alarm (5,000 examples, true skeleton) that ends 12 edges off, 100 steps end 2 off


@dataclass(frozen=True)
class Setting:
    """One way to score on one sample, with the PDAG that it gives on the region's nodes (positions)."""

    name: str
    pdag: np.ndarray


@dataclass(frozen=True)
class EdgeShares:
    """Over all settings: how often a -> b and b -> a are compelled, and a - b is left undirected."""

    a: int
    b: int
    forward: float
    backward: float
    undirected: float


@dataclass(frozen=True)
class Averaging:
    """How the graphs are found, and on how many resamples beside the sample itself."""

    search: str = "ges"
    patience: int = PATIENCE
    bootstraps: int = 0
    resample: str = "bootstrap"
    seed: int = 1

    def __post_init__(self):
        for name, known in (("search", SEARCHES), ("resample", RESAMPLES)):
            if getattr(self, name) not in known:
                raise UserError(f"orientation: {name} is {' or '.join(known)}, not {getattr(self, name)!r}")

    def rows(self, sample: int, n: int) -> np.ndarray | None:
        """Examples of a sample, in their own order; sample 0 is all of them."""
        if sample == 0:
            return None
        rng = np.random.default_rng([self.seed, sample])
        drawn = rng.integers(0, n, n) if self.resample == "bootstrap" else rng.permutation(n)[: (n + 1) // 2]
        return np.sort(drawn)


def settings_for(
    kind: str,
    score: str = "auto",
    sample_sizes: Sequence[float] = (10,),
    sigmas: Sequence[float] = (1,),
    kappas: Sequence[float] = (0.01,),
    prior: str = "uniform",
    dimension: str = "smooth",
) -> list[tuple[str, dict]]:
    """Names and parameters of the settings to average over. ``kind`` is that of the table, its target included."""
    if score == "auto":
        score = "bdeu" if kind in ("binary", "discrete") else "kernel"
    fixed = {"score": score, "prior": prior if score in DISCRETE_SCORES else "uniform"}
    if score == "bdeu":
        return [(f"bdeu ess={size:g}", {**fixed, "equivalent_sample_size": float(size)}) for size in sample_sizes]
    if score != "kernel":
        return [(score, fixed)]
    fixed["dimension"] = dimension
    return [
        (f"kernel sigma={sigma:g} kappa={kappa:g}", {**fixed, "sigma": float(sigma), "kappa": float(kappa)})
        for kappa in kappas
        for sigma in sigmas
    ]


def orient(
    table: Table,
    region: Region,
    settings: list[tuple[str, dict]],
    averaging: Averaging | None = None,
    threads: int = 1,
    progress: Callable[[int, int], None] | None = None,
    chunk: tuple[int, int] = (1, 1),
) -> list[Setting]:
    """The PDAG of the region under each setting, on each sample. The target is the node ``table.n_variables``.

    ``chunk`` (i, n) gives the i-th of n parts of the answer; `assemble` puts the parts together again.
    """
    sample, skeleton = region_sample(table, region), region.skeleton()
    found = orient_sample(sample, skeleton, settings, averaging, threads, progress, chunk)
    if not table.knowledge:
        return found
    columns = [TARGET if node == table.n_variables else int(table.columns[node]) for node in region.nodes]
    known = table.knowledge.constraints(columns)
    return [Setting(one.name, obey(one.pdag, known)) for one in found]


def orient_sample(
    sample: Sample,
    skeleton: np.ndarray,
    settings: list[tuple[str, dict]],
    averaging: Averaging | None = None,
    threads: int = 1,
    progress: Callable[[int, int], None] | None = None,
    chunk: tuple[int, int] = (1, 1),
) -> list[Setting]:
    """The same for columns of one's own."""
    averaging = averaging or Averaging()
    tasks = tasks_of(settings, averaging, chunk)
    makers = []
    for _, parameters in settings:
        parameters = dict(parameters)
        makers.append(score_maker(sample, parameters.pop("score"), **parameters))

    def graph(task: tuple[int, int]) -> np.ndarray:
        which, draw = task
        score = makers[which](averaging.rows(draw, sample.n_examples))
        return find_pdag(score, skeleton, averaging.search, averaging.patience)

    from himation.processes import share_out

    graphs = share_out(graph, tasks, threads, progress)
    return [Setting(task_name(settings, task), pdag) for task, pdag in zip(tasks, graphs, strict=True)]


def tasks_of(settings: Settings, averaging: Averaging, chunk: tuple[int, int] = (1, 1)) -> list[tuple[int, int]]:
    """Pairs of a setting and a sample, in the order of the answer, or every n-th of them from the i-th on.

    >>> tasks_of([("a", {}), ("b", {})], Averaging(bootstraps=1), chunk=(2, 3))
    [(1, 0)]
    """
    i, n = chunk
    return [(which, draw) for draw in range(averaging.bootstraps + 1) for which in range(len(settings))][i - 1 :: n]


def task_name(settings: Settings, task: tuple[int, int]) -> str:
    which, draw = task
    return settings[which][0] + (f" sample {draw}" if draw else "")


def assemble(settings: Settings, averaging: Averaging, parts: list[Setting]) -> list[Setting]:
    """The whole answer from the chunks' parts, in any order."""
    known = {part.name: part for part in parts}
    names = [task_name(settings, task) for task in tasks_of(settings, averaging)]
    absent = [name for name in names if name not in known]
    if absent or len(parts) != len(names):
        what = f"lack {absent[0]!r}" if absent else f"hold {len(parts)} graphs"
        raise UserError(f"orientation: the parts {what}; {len(names)} are asked for: make the parts again")
    return [known[name] for name in names]


def find_pdag(score: Score, skeleton: np.ndarray, search: str = "ges", patience: int = PATIENCE) -> np.ndarray:
    """The completed PDAG that a search by name finds within the skeleton."""
    if search == "ges":
        from himation.orientation.ges import greedy_equivalence_search

        return greedy_equivalence_search(score, skeleton)
    from himation.orientation.hill_climbing import hill_climb
    from himation.orientation.pdags import cpdag

    return cpdag(hill_climb(score, skeleton, patience=patience).dag)


def edge_shares(region: Region, settings: list[Setting]) -> list[EdgeShares]:
    """Average the PDAGs over the settings and samples."""
    pdags = np.array([setting.pdag for setting in settings])
    where = {node: position for position, node in enumerate(region.nodes)}
    shares = []
    for a, b in region.edges:
        i, j = where[a], where[b]
        there, back = pdags[:, i, j], pdags[:, j, i]
        shares.append(
            EdgeShares(
                a,
                b,
                float(np.mean(there & ~back)),
                float(np.mean(back & ~there)),
                float(np.mean(there & back)),
            )
        )
    return shares


def region_sample(table: Table, region: Region) -> Sample:
    """Columns of the region's nodes: codes of discrete variables, numbers of the others."""
    columns, arities = [], []
    for node in region.nodes:
        if node == table.n_variables:
            is_number = table.target_kind == CONTINUOUS
            columns.append(np.asarray(table.target, dtype=float) if is_number else table.target_codes())
            arities.append(0 if is_number else int(columns[-1].max()) + 1)
        elif table.kinds[node] == CONTINUOUS:
            columns.append(table.numbers(node))
            arities.append(0)
        else:
            columns.append(table.codes([node])[0][0])
            arities.append(table.arity(node))
    return Sample(tuple(columns), tuple(arities))
