"""The ways to a model that `bench_models` compares, each timed and kept in the cache, and the lines of its table."""

import sys
import time
from dataclasses import dataclass

import library_path  # noqa: F401
import numpy as np
from machine_cache import Cache
from model_problems import Problem
from whole_grid import train_all

from himation.evaluate import auc
from himation.gram import Kernel
from himation.models.kinds import DEFAULT, Options, create
from himation.models.svm import EXHAUSTIVE as ALL_FOLDS
from himation.models.svm import Grid, folds_for, search, stratified_folds
from himation.svm import fit

OURS = "svm, halving (ours)"
BAGGED = f"{DEFAULT} (ours, default)"
EXHAUSTIVE = "svm, exhaustive"
PEER = "scikit-learn GridSearchCV"
BEST = "best of the grid on test"
WHOLE = "trained on all examples"  # with a result for each setting, as with the quarters
QUARTERS = tuple(f"quarter {number} held out" for number in (1, 2, 3, 4))
MOST_FOR_FOLDS = 1_000  # examples up to which the exhaustive search runs all folds
SETTINGS = [(kernel, cost) for kernel in Grid().kernels() for cost in sorted(Grid().costs)]


@dataclass(frozen=True)
class Line:
    """One way on one problem; cpu counts all threads, and is split into the search and the final machine."""

    way: str
    setting: str
    seconds: float | None
    cpu: float | None
    cpu_search: float | None
    cpu_final: float | None
    auc: float | None
    note: str = ""


class Clock:
    """Seconds on the clock and of the processor since it was made."""

    def __init__(self):
        self.start, self.cpu = time.perf_counter(), time.process_time()

    def read(self) -> tuple[float, float]:
        return time.perf_counter() - self.start, time.process_time() - self.cpu


def say(*words) -> None:
    print(time.strftime("%H:%M:%S"), *words, file=sys.stderr, flush=True)


def label(kernel: Kernel, cost: float) -> str:
    return f"{kernel}, C {cost:g}"


def run(problem: Problem, cache: Cache, threads: int, max_iterations: int, quarters: int) -> None:
    """All ways that the cache does not have yet, ours first."""
    _warm_up()
    small = len(problem.y) <= MOST_FOR_FOLDS
    ways = {OURS: _svm, BAGGED: _bagged} | ({EXHAUSTIVE: _svm_all_folds, PEER: _peer} if small else {})
    for way, train in ways.items():
        if not cache.of(problem.key, way):
            say(problem.title, way)
            cache.add(problem.key, way, train(problem, threads))
            say(cache.of(problem.key, way)[-1])
    if not small:
        folds = stratified_folds(problem.y, len(QUARTERS), problem.seed)
        likely = [SETTINGS[i] for i in cache.of(problem.key, OURS)[-1]["likely"]]
        for fold, way in enumerate(QUARTERS[:quarters]):
            for settings in (likely, SETTINGS):
                _whole_grid(problem, cache, way, settings, max_iterations, folds == fold)
        _whole_grid(problem, cache, WHOLE, [_choice(_held_out(cache, problem.key, quarters))], max_iterations)
    _whole_grid(problem, cache, WHOLE, SETTINGS, max_iterations)


def lines(cache: Cache, key: str, quarters: int) -> list[Line]:
    """The table's lines of one problem, of what is finished."""
    made = [_line(way, cache.of(key, way)[-1]) for way in (OURS, BAGGED, EXHAUSTIVE, PEER) if cache.of(key, way)]
    held_out, whole = _held_out(cache, key, quarters), _latest(cache, key, WHOLE)
    if held_out:
        made.append(_chosen_line(held_out, whole))
    if whole:
        top = max(whole.values(), key=lambda found: found["auc"])
        spent = [sum(found[what] for found in whole.values()) for what in ("seconds", "cpu")]
        made.append(Line(BEST, label(*_key(top)), *spent, None, None, top["auc"], _notes(whole)))
    return made


def _line(way: str, found: dict) -> Line:
    return Line(way, **{name: found[name] for name in Line.__dataclass_fields__ if name != "way"})


def _latest(cache: Cache, key: str, way: str) -> dict[tuple[Kernel, float], dict]:
    return {_key(found): found for found in cache.of(key, way)}


def _held_out(cache: Cache, key: str, quarters: int) -> dict[tuple[Kernel, float], dict]:
    """Settings that are finished on all quarters asked for: mean AUC, and sums of what they took."""
    parts = [_latest(cache, key, way) for way in QUARTERS[:quarters]]
    merged = {}
    for setting in parts[0]:
        if all(setting in part for part in parts):
            every = [part[setting] for part in parts]
            merged[setting] = {what: sum(one[what] for one in every) for what in ("seconds", "cpu")}
            merged[setting]["held_out_auc"] = sum(one["held_out_auc"] for one in every) / quarters
            merged[setting]["converged"] = all(one["converged"] for one in every)
    return merged


def _chosen_line(held_out: dict, whole: dict) -> Line:
    choice = _choice(held_out)
    final = whole.get(choice)
    seconds, cpu = (sum(found[what] for found in held_out.values()) for what in ("seconds", "cpu"))
    if final is None:
        return Line(EXHAUSTIVE, label(*choice), seconds, cpu, cpu, None, None, _notes(held_out))
    both = seconds + final["seconds"], cpu + final["cpu"]
    return Line(EXHAUSTIVE, label(*choice), *both, cpu, final["cpu"], final["auc"], _notes(held_out))


def _notes(found: dict) -> str:
    """What is missing and what did not converge: nothing is left out in silence."""
    missing = [label(*setting) for setting in SETTINGS if setting not in found]
    stopped = [label(*setting) for setting in SETTINGS if setting in found and not found[setting]["converged"]]
    parts = [f"{len(found)} of {len(SETTINGS)} settings"]
    parts += [f"not run: {'; '.join(missing)}"] if missing else []
    parts += [f"{len(stopped)} stopped at the cap on iterations: {'; '.join(stopped)}"] if stopped else []
    return ". ".join(parts)


def _key(found: dict) -> tuple[Kernel, float]:
    return Kernel(found["kind"], found["degree"], found["gamma"]), found["cost"]


def _enough(found: dict, max_iterations: int) -> bool:
    """Whether more iterations would change nothing, or none are asked for."""
    return found["converged"] or found["max_iterations"] >= max_iterations


def _choice(held_out: dict[tuple[Kernel, float], dict]) -> tuple[Kernel, float]:
    """The best on the held-out quarters; of equal ones the simplest."""
    return max((setting for setting in SETTINGS if setting in held_out), key=lambda s: held_out[s]["held_out_auc"])


def _whole_grid(problem: Problem, cache: Cache, way: str, settings, max_iterations: int, held_out=None) -> None:
    known = {_key(found) for found in cache.of(problem.key, way) if _enough(found, max_iterations)}
    wanted = [setting for setting in settings if setting not in known]
    if held_out is None:  # the likely winners first, should the run be stopped
        rank = {setting: -found["held_out_auc"] for setting, found in _held_out(cache, problem.key, 1).items()}
        wanted.sort(key=lambda setting: rank.get(setting, 0.0))
    inside = np.ones(len(problem.y), dtype=bool) if held_out is None else ~held_out
    for made in train_all(problem.X[inside], problem.y[inside], wanted, max_iterations):
        kernel, cost = made.kernel, made.cost
        found = {"kind": kernel.kind, "degree": kernel.degree, "gamma": kernel.gamma, "cost": cost}
        found |= {"converged": made.converged, "seconds": made.seconds, "cpu": made.cpu, "same_as": made.same_as}
        found |= {"vectors": len(made.dual), "max_iterations": max_iterations}
        if held_out is None:
            found["auc"] = auc(problem.test_y, made.values(problem.test_X))
        else:
            found["held_out_auc"] = auc(problem.y[held_out], made.values(problem.X[held_out]))
        cache.add(problem.key, way, found)
        area = found.get("auc", found.get("held_out_auc"))
        end = "" if made.converged else ", stopped at the cap"
        say(f"{problem.title}, {way}: {label(kernel, cost)}: AUC {area:.4f}, {made.cpu:.1f} s{end}")


def _svm(problem: Problem, threads: int, method: str | None = None) -> dict:
    """As `himation.models.svm_model.SupportVector`, with the two parts timed apart."""
    options = Options(threads=threads)
    clock = Clock()
    found = search(
        problem.X,
        problem.y,
        options.grid,
        seed=problem.seed,
        max_rows=options.most_rows,
        threads=options.threads,
        method=method or options.search,
    )
    _, searched = clock.read()
    model = fit(problem.X, problem.y, found.best.kernel, found.best.cost)
    seconds, cpu = clock.read()
    note = f"searched on {found.rows_searched:,} examples, {found.n_folds} folds; {found.unconverged} machines stopped"
    note += " at the cap on iterations" + ("" if model.converged else "; so did the final machine, on all examples")
    values = model.decision_function(problem.test_X)
    likely = [i for i, tried in enumerate(found.settings) if tried.rows > min(s.rows for s in found.settings)]
    parts = {"likely": likely}  # which settings came further than the first round: the full grid begins with them
    parts |= {"cpu_search": searched, "cpu_final": cpu - searched, "auc": auc(problem.test_y, values), "note": note}
    return {"setting": label(found.best.kernel, found.best.cost), "seconds": seconds, "cpu": cpu, **parts}


def _svm_all_folds(problem: Problem, threads: int) -> dict:
    return _svm(problem, threads, ALL_FOLDS)


def _bagged(problem: Problem, threads: int) -> dict:
    clock = Clock()
    model = create(DEFAULT, Options(threads=threads)).fit(problem.X, problem.y, problem.seed)
    seconds, cpu = clock.read()
    area = auc(problem.test_y, model.decision_function(problem.test_X))
    spent = {"seconds": seconds, "cpu": cpu, "cpu_search": None, "cpu_final": None}
    return {"setting": model.describe(), **spent, "auc": area, "note": ""}


def _peer(problem: Problem, threads: int) -> dict:
    """scikit-learn's own search with its own solver settings, on our folds; its cap on iterations is none."""
    from sklearn.model_selection import GridSearchCV
    from sklearn.svm import SVC

    grid = Grid()
    folds = stratified_folds(problem.y, folds_for(len(problem.y)), problem.seed)
    splits = [(np.flatnonzero(folds != fold), np.flatnonzero(folds == fold)) for fold in range(folds.max() + 1)]
    polynomial = {"kernel": ["poly"], "degree": list(grid.degrees), "gamma": [1.0], "coef0": [1.0]}
    gaussian = {"kernel": ["rbf"], "gamma": list(grid.gaussian_gamma)}
    tried = [{**kernel, "C": list(grid.costs)} for kernel in (polynomial, gaussian)]
    clock = Clock()
    found = GridSearchCV(SVC(class_weight="balanced"), tried, scoring="roc_auc", cv=splits)
    found.fit(problem.X, problem.y)
    seconds, cpu = clock.read()
    area = auc(problem.test_y, found.best_estimator_.decision_function(problem.test_X))
    best = found.best_params_
    kernel = Kernel(best["kernel"], best.get("degree", 1), best["gamma"])
    spent = {"seconds": seconds, "cpu": cpu, "cpu_search": cpu - found.refit_time_, "cpu_final": found.refit_time_}
    return {"setting": label(kernel, best["C"]), **spent, "auc": area, "note": "our folds, one thread"}


def _warm_up() -> None:
    """Imports and first calls stay outside the clock."""
    rng = np.random.default_rng(0)
    X = rng.normal(size=(60, 3))
    y = np.where(X[:, 0] + rng.normal(size=60) > 0, 1, -1)
    best = search(X, y, Grid((1,), (1.0,), (1.0,))).best
    fit(X, y, best.kernel, best.cost)
    create(DEFAULT, Options(machines=3)).fit(X, y, 0)
