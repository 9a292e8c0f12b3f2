"""Real experiments: every protein under every drug (Sachs and others, Science 2005), manipulation unknown.

Each of the two stimuli is a training table, in which each protein in turn, above its median, is the target; each drug
given beside that stimulus, and two other stimuli, are test tables. All steps run as in the workflow with its defaults:
finders, networks, folds, the sets in nature, the test table asked, the ensemble. Beside it stand the natural set by the
same ensemble, and all variables by the same and by logistic regression with a ridge chosen on training rows. AUCs are
within a test table. How often the protein that the drug acts on is among the three most suspicious is counted where it
is not the target; of ten at random, three in ten would be (four, where a drug acts on two).

Nothing was published on this; the column of published figures stays empty.
"""

import numpy as np

from himation.evaluate import auc
from himation.files.tables import RawTable
from himation.models.constructed import model_columns
from himation.models.encoding import with_test
from himation.nested.competing import fit
from himation.nested.searching import search
from himation.nested.settling import settle
from himation.posterior.manipulation import infer
from himation.posterior.settings import Settings as NetworkSettings
from himation.prepare.preparing import prepare
from himation.selection.rule_names import DEFAULT
from himation.selection.rules import UNKNOWN, Situation, select
from himation.studies.reruns import Line, mean_of, real, whole
from himation.studies.reruns.sachs import read
from himation.studies.reruns.strobl_cyto import NAMES

STIMULI = ("_cd3cd28.", "_cd3cd28icam2.")  # alone
BESIDE = (("_cd3cd28_", "_pma", "_b2camp"), ("_cd3cd28icam2_",))
WAYS = ("unknown, asked", "natural set", "all variables, ensemble", "all variables, logistic regression")
FEWEST = 10  # of a class in a test table
SUSPICIOUS = 3


def run(samples: int, seed: int, threads: int = 1, progress=None) -> list[Line]:
    """``samples`` proteins are targets, all eleven at most."""
    from himation.processes import share_out

    conditions = read(sorted(real.folder_of("sachs").glob("sachs_*.csv.gz")))
    targets = np.random.default_rng(seed).permutation(len(NAMES))[:samples].tolist()
    tasks = [(k, target) for k in range(len(STIMULI)) for target in targets]
    found = share_out(lambda task: measure(conditions, *task), tasks, threads, progress)
    figures = [one for some in found for one in some]
    note = f"{len(figures)} test tables"
    lines = []
    for way in WAYS:
        values = [one[way] for one in figures]
        lines.append(mean_of(values, "drugs", f"AUC, {way}", None, "high", note))
        if way != WAYS[0]:
            gains = [one[WAYS[0]] - one[way] for one in figures]
            lines.append(mean_of(gains, "drugs", f"asked less {way}", None, "high", note))
    told = [float(one["told"]) for one in figures if "told" in one]
    name = f"the drug's protein among the {SUSPICIOUS} most suspicious"
    lines.append(mean_of(told, "drugs", name, None, "high", f"{len(told)} test tables"))
    return lines


def measure(conditions, stimulus: int, target: int) -> list[dict]:
    """AUCs by way, for every test table of one training table and target."""
    (natural,) = [columns for name, _, columns in conditions if STIMULI[stimulus] in name]
    cut, others = np.median(natural[:, target]), [i for i in range(len(NAMES)) if i != target]
    table = prepare(_raw(natural, others), np.where(natural[:, target] > cut, 1, -1))
    found, settled = _learned(table)
    plain = _logistic(table)
    everything = tuple(range(table.n_variables))
    in_nature = {WAYS[1]: settled.natural, WAYS[2]: everything}
    models = {way: _ensemble(table, variables) for way, variables in in_nature.items()}
    figures = []
    for name, acted, columns in conditions:
        labels = columns[:, target] > cut
        if not any(part in name for part in BESIDE[stimulus]) or min(labels.sum(), (~labels).sum()) < FEWEST:
            continue
        y, asked = np.where(labels, 1, -1), with_test(table, _raw(columns, others))
        inferred = infer(asked, found.networks)
        situation = Situation(settled.blanket.members, {}, found.networks, UNKNOWN, frozenset())
        sets = {"inferred": inferred, "best": settled.natural, "widest": settled.widest}
        selection = select(DEFAULT, Situation(**{**vars(situation), **sets}))
        used = {**in_nature, WAYS[0]: selection.used}
        models[WAYS[0]] = _ensemble(table, selection.used, selection.panels)
        values = {
            way: model.decision_function(model_columns(asked, used[way], (), "test")) for way, model in models.items()
        }
        values[WAYS[3]] = plain.decision_function(asked.features(list(everything), "test"))
        one = {way: auc(y, values[way]) for way in WAYS}
        if NAMES[target] not in acted:
            order = sorted(inferred.chances, key=lambda x: -inferred.chances[x].set - inferred.chances[x].shifted)
            one["told"] = bool({table.names[x] for x in order[:SUSPICIOUS]} & set(acted))
        figures.append(one)
    return figures


def _raw(columns: np.ndarray, others: list[int]) -> RawTable:
    return RawTable(
        "cells", [NAMES[i] for i in others], len(columns), values=np.ascontiguousarray(columns[:, others].T)
    )


def _learned(table):
    """What the searches found, and the sets in nature."""
    found = search(table, whole.how_to_search(NetworkSettings.chains))
    return found, settle(table, found, whole.searched_folds(table), 1)


def _ensemble(table, variables, sets=None):
    """On some variables, divided into sets if there are any."""
    return fit(table, variables, (), whole.fitting_with(whole.MEMBERS), sets)


def _logistic(table):
    from sklearn.linear_model import LogisticRegressionCV

    X = table.features(list(range(table.n_variables)))
    settings = {"Cs": 8, "cv": 5, "scoring": "roc_auc", "max_iter": 1000, "l1_ratios": (0.0,)}
    return LogisticRegressionCV(**settings, use_legacy_attributes=False).fit(X, table.target)
