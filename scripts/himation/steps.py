"""The steps of the workflow in one list: what each makes, for what, and how much memory and time it takes.

From here come the files that a run makes, the memory and time that jobs ask for, the order of the report's table of
times and the words of a message about a failure. The rules of the same names say from which files and by which command.

A step's peak of memory is a sum: what Python and its packages take, so many copies of the training and of the test
table in the form in which the step holds them, so many matrices of variables by variables or examples by examples, and,
where it forks, the same again for each process. The coefficients were fitted to measured peaks from LUCAS to SIDO's
full size (12,678 x 4,932) and to continuous tables of 2,000 x 3,000 and 9,000 x 250; tests hold them within a factor of
two.
"""

from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass


@dataclass(frozen=True)
class Need:
    """MB without data, and MB more for tables of numbers, which may turn out to be mixed; copies of the training table
    and of both, in cells as prepared but of a byte at least; copies of the training table as numbers; numbers for each
    pair of examples (up to 6,000: no computer holds a larger kernel), for each pair within the sample, for each of the
    sample with each example, and, in tables of numbers, for each pair of variables; MB of a forked process; minutes for
    each million cells."""

    base: float
    mixed: float = 0.0
    train: float = 0.0
    both: float = 0.0
    dense: float = 0.0
    kernel: float = 0.0
    chosen: float = 0.0
    applied: float = 0.0
    pairs: float = 0.0
    child: float = 0.0
    slow: float = 0.1


@dataclass(frozen=True)
class Step:
    """A step: what it is about, for what it runs (one of `SCOPES`), the files it makes below that place, its needs.

    ``{method}`` and ``{chunk}`` in a file stand for every method and every chunk of scattered work, ``{id}`` for the
    data set. The needs of find_blanket are those of the method's family.
    """

    name: str
    about: str
    of: str
    makes: tuple[str, ...]
    need: Need = Need(110)


SCOPES = ("training", "dataset", "tested", "scored", "all")
BY_FAMILY = "find_blanket"
FAMILIES = {
    "constraint": Need(170, mixed=120, train=4, pairs=1, slow=2),
    "feature_space": Need(290, dense=6, kernel=1, slow=5),
    "kernel": Need(110, dense=4, slow=5),
    "mixture": Need(300, train=2, pairs=1, slow=1),
    "ranked": Need(300, dense=2, slow=1),
    "other": Need(300, mixed=100, train=2, dense=3, pairs=1, slow=5),  # whatever a finder of somebody's own may do
}
STEPS = (
    Step("check_tables", "reading every table once", "all", ("checked.tsv",)),
    Step("simulate_data", "drawing the data", "dataset", (), Need(120, both=1.8)),
    Step("prepare_data", "reading and typing the table", "dataset", ("data",), Need(128, both=5)),
    Step("sample_networks", "networks from their posterior", "training", ("networks.npz",), Need(190, dense=3)),
    Step("estimate_effects", "what setting a variable would do", "training", ("effects.tsv",), Need(190, train=1)),
    Step("export_network", "one graph for other programs", "training", ("graph.graphml", "graph.dot"), Need(190)),
    Step("find_blanket", "a Markov blanket", "training", ("blanket/{method}.tsv", "blanket/{method}.json")),
    Step(
        "search_folds",
        "the search without some of the rows",
        "training",
        ("folds/{chunk}",),
        Need(290, mixed=40, train=4, dense=6, kernel=1, pairs=1, child=200, slow=20),
    ),
    Step(
        "compare_blankets",
        "the sets by rows held out",
        "training",
        (
            "natural_blanket.tsv",
            "natural_set.tsv",
            "widest_set.tsv",
            "association.json",
            "features.tsv",
            "candidates.tsv",
        ),
        Need(165, train=3, dense=1),
    ),
    Step("region_chunk", "a part of the skeleton", "training", (), Need(172, mixed=120, train=4, pairs=1, slow=2)),
    Step(
        "find_region",
        "the skeleton around the target",
        "training",
        ("region.tsv", "separations.tsv"),
        Need(172, mixed=120, train=4, pairs=1, slow=2),
    ),
    Step("orient_chunk", "a part of the orientation", "training", (), Need(165, slow=0.5)),
    Step("gather_orientation", "the parts of the orientation", "training", (), Need(105)),
    Step(
        "orient_region",
        "the direction of edges",
        "training",
        ("orientation.tsv", "pdags.tsv"),
        Need(105, child=110, slow=0.5),
    ),
    Step(
        "test_confounding",
        "Y-tests",
        "training",
        ("y_tests.tsv", "colliders.tsv", "y_edges.tsv"),
        Need(170, train=2, pairs=1),
    ),
    Step("combine_evidence", "the evidence by variable", "training", ("evidence.tsv",), Need(103)),
    Step(
        "infer_manipulation",
        "what the test table says",
        "tested",
        ("manipulated.tsv", "manipulated.json", "manipulated.npz"),
        Need(230, both=1),
    ),
    Step(
        "select_variables",
        "what survives the manipulation",
        "dataset",
        ("roles.tsv", "selection.json", "thesis.tsv"),
        Need(172, slow=0.5),
    ),
    Step(
        "estimate_auc",
        "what fresh rows would give",
        "dataset",
        ("expected.json", "stability.tsv", "held_out.tsv"),
        Need(165, train=3, dense=1, chosen=1.2, slow=2),
    ),
    Step(
        "build_model",
        "the model",
        "dataset",
        (
            *("model.npz", "model.json", "grid.tsv", "predictions.tsv"),
            *("submission/{id}_feat.slist", "submission/{id}_train.predict"),
        ),
        Need(60, mixed=40, applied=1.2),
    ),
    Step(
        "predict", "predictions for the test table", "tested", ("submission/{id}_test.predict",), Need(52, applied=0.4)
    ),
    Step("score", "scores", "scored", ("scores.tsv",), Need(90, mixed=50, applied=3.2)),
    Step("record_run", "the configuration and versions", "all", ("run.json",)),
    Step("package_submission", "the challenge's zip", "all", ("submission.zip",)),
    Step("write_report", "the page", "all", ("report.html",), Need(85)),
    Step("rerun_table", "a published experiment", "all", (), Need(300, child=200)),
)
NEEDS = {**{step.name: step.need for step in STEPS if step.name != BY_FAMILY}, **FAMILIES}
ABOUT = {step.name: step.about for step in STEPS}
ORDER = {step.name: i for i, step in enumerate(STEPS)}


def left_out(config: Mapping) -> frozenset[str]:
    """The steps that a configuration does without: networks and what goes by them, or rows that are held out."""
    by_networks = ("sample_networks", "estimate_effects", "export_network", "infer_manipulation")
    found = () if config["networks"]["draw"] else by_networks
    return frozenset((*found, *(("search_folds", "estimate_auc") if config["estimate"]["folds"] == 1 else ())))


def files_of(scope: str, methods: Iterable[str] = (), scatter: int = 1, without: Collection[str] = ()) -> list[str]:
    """What the steps of a scope make, below the place of what they run for; some steps may be left out.

    >>> files_of("training", methods=["mmmb"], scatter=2)[1:5]
    ['blanket/mmmb.tsv', 'blanket/mmmb.json', 'folds/1-of-2', 'folds/2-of-2']
    """
    chunks = [f"{i + 1}-of-{scatter}" for i in range(scatter)]
    return [
        name.replace("{method}", method).replace("{chunk}", chunk)
        for step in STEPS
        if step.of == scope and step.name not in without
        for name, method, chunk in _spread(step.makes, methods, chunks)
    ]


def _spread(makes, methods, chunks) -> Iterator[tuple[str, str, str]]:
    if any("{method}" in name for name in makes):
        return ((name, method, "") for method in methods for name in makes)
    return ((name, "", chunk) for name in makes for chunk in (chunks if "{chunk}" in name else [""]))


def all_files(
    tables: Mapping[str, str],
    scopes: Mapping[str, Iterable[str]],
    methods: Iterable[str],
    scatter: int,
    without: Collection[str] = (),
) -> list[str]:
    """All that a run makes for its data sets; ``tables`` maps them to the places of their training tables, ``scopes``
    names the data sets to which the steps of a scope apply."""
    found = [f"results/{name}" for name in files_of("all")]
    of_table = ("data", *files_of("training", methods, scatter, without))
    found += [f"results/{place}/{name}" for place in dict.fromkeys(tables.values()) for name in of_table]
    for scope, names in {"dataset": tables, **scopes}.items():
        own = files_of(scope, without=without)
        found += [f"results/{name}/{made.replace('{id}', name)}" for name in names for made in own]
    return found + [f"results/{name}/{made}" for name in tables for made in shared_files(methods, without)]


def shared_files(methods: Iterable[str], without: Collection[str] = ()) -> list[str]:
    """What data sets with the same training table share, and every one of them shows."""
    return files_of("training", methods, 0, without)
