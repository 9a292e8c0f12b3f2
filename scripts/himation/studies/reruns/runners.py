"""The functions behind the names of `himation.rerun_list`."""

from importlib import import_module
from pathlib import Path

WHERE = {
    "pena-6": "himation.studies.reruns.pena:run",
    "pena-7": "himation.studies.reruns.pena_thrombin:run",
    "thrombin": "himation.studies.reruns.thrombin:run",
    "thesis-b": "himation.studies.reruns.comparison:run",
    "saeed-3": "himation.studies.reruns.saeed_cina:run",
    "strobl-cyto": "himation.studies.reruns.strobl_cyto:run",
    "thesis-counts": "himation.studies.reruns.counts:run",
    "data-sizes": "himation.studies.reruns.sizes:run",
    "thesis-weights": "himation.studies.reruns.weights:run",
    "thesis-xor": "himation.studies.reruns.interactions:run_xor",
    "thesis-redundant": "himation.studies.reruns.interactions:run_redundant",
    "thesis-parity": "himation.studies.reruns.interactions:run_parity",
    "thesis-parity-large": "himation.studies.reruns.interactions:run_large_parity",
    "thesis-iii-10": "himation.studies.reruns.real:run",
    "thesis-networks": "himation.studies.reruns.regions:run_networks",
    "thesis-regions": "himation.studies.reruns.regions:run",
    "thesis-wide": "himation.studies.reruns.wide:run",
    "challenge-difficulty": "himation.studies.reruns.difficulty:run",
    "manipulation": "himation.studies.reruns.manipulation:run",
    "asked": "himation.studies.reruns.asked:run",
    "stability": "himation.studies.reruns.stability:run",
    "ancestors": "himation.studies.reruns.ancestors:run",
    "copies": "himation.studies.reruns.copies:run",
    "effects": "himation.studies.reruns.effects:run",
    "drugs": "himation.studies.reruns.drugs:run",
    "sachs": "himation.studies.reruns.sachs:run",
    "ablation": "himation.studies.reruns.ablation:run",
    "honest": "himation.studies.reruns.honest:run",
    "strobl-synthetic": "himation.studies.reruns.strobl:run_synthetic",
    "strobl-networks": "himation.studies.reruns.strobl:run_networks",
    "saeed-2": "himation.studies.reruns.saeed:run",
    "thesis-times-iv": "himation.studies.reruns.regions:run_times",
    "thesis-times-ii": "himation.studies.reruns.weights:run_times",
    "thesis-times-iii": "himation.studies.reruns.interactions:run_times",
}


def runner(name: str):
    """The function behind a name."""
    module, function = WHERE[name].split(":")
    return getattr(import_module(module), function)


def source_file(name: str) -> str:
    """The file of the library that holds it.

    >>> source_file("pena-6")
    'himation/studies/reruns/pena.py'
    """
    return WHERE[name].split(":")[0].replace(".", "/") + ".py"


def rerun_digest(scripts: Path, name: str) -> str:
    """The digest of one published experiment, so that an edit to another does not repeat it."""
    from himation.files.provenance import code_digest, library_of

    library = library_of(scripts)
    return code_digest(library / source_file(name), [scripts / "rerun_table.py"], library)
