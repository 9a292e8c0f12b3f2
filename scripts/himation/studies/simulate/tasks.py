"""The challenge's six tasks by name: what is drawn, at which size, and all that is known about it.

    lucas, lucap     the toy network, without and with probes        (`networks`, `probes`)
    reged, marti     gene expression, clean and on a noisy chip      (`reged_like`, `marti_like`)
    sido, cina       molecules and people, with probes               (`sido_like`, `census`)

Any discrete network can be drawn too, as a `discrete.NetworkProblem` in place of a task's name.

Difficulty, by linear SVMs on true sets, is measured in `studies.reruns.difficulty` beside the published figures.

Every task has one natural training table, the same for all versions, and test version 0 (natural), 1 (known
manipulations) or 2 (unknown ones).

>>> problem = simulate("lucap", seed=1, version=1, train=200, test=100)
>>> problem.train.values.shape, len(problem.real), len(problem.manipulated)
((200, 143), 11, 132)
"""

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from himation.errors import UserError
from himation.studies.simulate.discrete import NetworkProblem
from himation.studies.simulate.networks import LUCAS, LUCAS_MANIPULATED, Sample, check_manipulated
from himation.task_names import PROBE_TASKS

ADVERSE = {"sido": 0.53}  # where version 2 is milder than in CINA, as the published scores say


@dataclass(frozen=True)
class Simulated:
    """Training and test samples, true edges by name, what the test manipulates, and where the tables are special.

    `real` names the variables that count as relevant whatever the graph says (tasks with probes); `calibrants` are
    columns from 1 on the chip of size `grid`.
    """

    train: Sample
    test: Sample
    target: str
    edges: list[tuple[str, str]]
    manipulated: tuple[str, ...]
    real: tuple[str, ...] = ()
    calibrants: tuple[int, ...] = ()
    grid: tuple[int, int] | None = None


def simulate(
    network: str | NetworkProblem,
    seed: int,
    version: int = 0,
    train: int = 500,
    test: int = 5000,
    variables: int | None = None,
    manipulate: tuple[str, ...] | None = None,
    adult: Mapping[str, np.ndarray] | None = None,
) -> Simulated:
    """Draw a task, or a problem that any network is. `manipulate` names variables in place of a version; `adult` are
    the columns of UCI Adult (cina)."""
    if isinstance(network, NetworkProblem):
        listed = network.version(version) if manipulate is None else _named(manipulate, network.names, network.target)
        return Simulated(network.train(train), network.test(test, listed), network.target, network.edges, listed)
    if network in PROBE_TASKS:
        if manipulate is not None:
            raise UserError(f"{network}: probes are manipulated as in the challenge; give a version, not a list")
        return _with_probes(network, seed, version, (train, test), variables, adult)
    if network == "lucas":
        return _lucas(seed, version, train, test, manipulate)
    return _genes(network, seed, version, train, test, variables, manipulate)


def _lucas(seed, version, n_train, n_test, manipulate) -> Simulated:
    listed = LUCAS_MANIPULATED[version] if manipulate is None else _named(manipulate, LUCAS.names, LUCAS.target)
    train_seed, test_seed = np.random.SeedSequence(seed).spawn(2)
    train = LUCAS.sample(n_train, np.random.default_rng(train_seed))
    test = LUCAS.sample(n_test, np.random.default_rng(test_seed), listed)
    return Simulated(train, test, LUCAS.target, LUCAS.edges, listed)


def _genes(network, seed, version, n_train, n_test, variables, manipulate) -> Simulated:
    more = {}
    if network == "marti":
        from himation.studies.simulate.marti_like import make_marti_like, side_of

        problem = make_marti_like(seed, side_of(variables or 1024))
        more = {"calibrants": tuple(place + 1 for place in problem.calibrants), "grid": problem.grid}
        genes = problem.genes
    else:
        from himation.studies.simulate.reged_like import make_reged_like

        genes = problem = make_reged_like(seed, variables=variables or 300)
    listed = problem.version(version) if manipulate is None else _named(manipulate, genes.names, problem.target)
    rng = np.random.default_rng(np.random.SeedSequence([seed, len(genes.names)]))
    test = problem.sample(n_test, rng, listed)
    return Simulated(problem.train(n_train), test, problem.target, problem.edges, listed, **more)


def _with_probes(network, seed, version, sizes, variables, adult) -> Simulated:
    from himation.studies.simulate.probes import LARGE, LUCAP, adversarial_probes, make_probes, permute_probes

    parts = ("structure", "train", f"test{version}", "probes", "order", f"probes{version}")
    rng = {part: np.random.default_rng(np.random.SeedSequence([seed, *part.encode()])) for part in parts}
    real, target, test_real, test_target, names, edges = _real_part(
        network, seed, version, sizes, variables, adult, rng
    )
    total = variables or PROBE_TASKS[network]
    if total - len(names) < 4:
        raise UserError(f"{network}: {total} variables leave no room for probes beside {len(names)} real ones")
    recipe = LUCAP if network == "lucap" else LARGE
    mechanisms, probes = make_probes(real, target, total - len(names), rng["probes"], recipe)
    test_probes = mechanisms.values(test_real, test_target, rng[f"probes{version}"])
    if version == 1:
        test_probes = permute_probes(test_probes, rng[f"probes{version}"])
    if version == 2:
        chance = {"adverse": ADVERSE[network]} if network in ADVERSE else {}
        test_probes = adversarial_probes(test_probes, test_target, rng[f"probes{version}"], **chance)
    probe_names = _numbered(mechanisms.kinds)
    every = (*names, *probe_names)
    order = rng["order"].permutation(len(every))
    shuffled = tuple(every[i] for i in order)
    known = edges + [("target" if a < 0 else every[a], every[b]) for a, b in mechanisms.edges]
    return Simulated(
        _sample(real, probes, target, order, shuffled),
        _sample(test_real, test_probes, test_target, order, shuffled),
        "target",
        known,
        tuple(name for name in shuffled if version and name in set(probe_names)),
        real=names,
    )


def _real_part(network, seed, version, sizes, variables, adult, rng):
    """Real variables (a row each) and target of training and test, names, and edges by name."""
    if network == "lucap":
        samples = [LUCAS.sample(n, rng[part]) for n, part in zip(sizes, ("train", f"test{version}"), strict=True)]
        edges = [tuple("target" if end == LUCAS.target else end for end in edge) for edge in LUCAS.edges]
        return *(part for s in samples for part in (np.ascontiguousarray(s.values.T), s.target)), LUCAS.names, edges
    if network == "sido":
        from himation.studies.simulate.sido_like import PREVALENCE, make_sido_like

        problem = make_sido_like(seed, (variables or PROBE_TASKS["sido"]) // 3)
        names = problem.names
        edges = [tuple("target" if end < 0 else names[end] for end in edge) for edge in problem.edges]
        train = problem.sample(sizes[0], rng["train"], positives=round(PREVALENCE * sizes[0]))
        return *train, *problem.sample(sizes[1], rng[f"test{version}"]), names, edges
    from himation.studies.simulate.census import TRAIN, encode_adult, simulate_census, split_adult

    if adult is None:
        real, target, names = simulate_census(sizes[0], rng["train"], round(sizes[0] * TRAIN[1] / TRAIN[0]))
        test_real, test_target, _ = simulate_census(sizes[1], rng[f"test{version}"])
        return real, target, test_real, test_target, names, []
    table, target, names = encode_adult(adult)
    train, test = split_adult(target, sizes, version, rng["train"])
    return table[:, train], target[train], table[:, test], target[test], names, []


def _named(manipulate, names, target) -> tuple[str, ...]:
    listed = {"all": tuple(names), "none": ()}.get(manipulate[0], tuple(manipulate)) if manipulate else ()
    check_manipulated(listed, names, target)
    return listed


def _numbered(kinds) -> tuple[str, ...]:
    count = dict.fromkeys(kinds, 0)
    found = []
    for kind in kinds:
        count[kind] += 1
        found.append(f"{kind}{count[kind]}")
    return tuple(found)


def _sample(real, probes, target, order, names) -> Sample:
    return Sample(np.concatenate([real, probes])[order].T, target, names)
