"""The functions behind the names of `himation.rerun_list`."""

from importlib import import_module
from pathlib import Path

WHERE = {
    "pena-6": "himation.reruns.pena:run",
    "pena-7": "himation.reruns.pena_thrombin:run",
    "thrombin": "himation.reruns.thrombin:run",
    "thesis-b": "himation.reruns.comparison:run",
    "saeed-3": "himation.reruns.saeed_cina:run",
    "strobl-cyto": "himation.reruns.strobl_cyto:run",
    "thesis-counts": "himation.reruns.counts:run",
    "data-sizes": "himation.reruns.sizes:run",
    "thesis-weights": "himation.reruns.weights:run",
    "thesis-xor": "himation.reruns.interactions:run_xor",
    "thesis-redundant": "himation.reruns.interactions:run_redundant",
    "thesis-parity": "himation.reruns.interactions:run_parity",
    "thesis-parity-large": "himation.reruns.interactions:run_large_parity",
    "thesis-iii-10": "himation.reruns.real:run",
    "thesis-networks": "himation.reruns.regions:run_networks",
    "thesis-regions": "himation.reruns.regions:run",
    "thesis-wide": "himation.reruns.wide:run",
    "challenge-difficulty": "himation.reruns.difficulty:run",
    "manipulation": "himation.reruns.manipulation:run",
    "asked": "himation.reruns.asked:run",
    "stability": "himation.reruns.stability:run",
    "ancestors": "himation.reruns.ancestors:run",
    "copies": "himation.reruns.copies:run",
    "effects": "himation.reruns.effects:run",
    "drugs": "himation.reruns.drugs:run",
    "sachs": "himation.reruns.sachs:run",
    "ablation": "himation.reruns.ablation:run",
    "honest": "himation.reruns.honest:run",
    "strobl-synthetic": "himation.reruns.strobl:run_synthetic",
    "strobl-networks": "himation.reruns.strobl:run_networks",
    "saeed-2": "himation.reruns.saeed:run",
    "thesis-times-iv": "himation.reruns.regions:run_times",
    "thesis-times-ii": "himation.reruns.weights:run_times",
    "thesis-times-iii": "himation.reruns.interactions:run_times",
}


def runner(name: str):
    """The function behind a name."""
    module, function = WHERE[name].split(":")
    return getattr(import_module(module), function)


def source_file(name: str) -> str:
    """The file of the library that holds it.

    >>> source_file("pena-6")
    'himation/reruns/pena.py'
    """
    return WHERE[name].split(":")[0].replace(".", "/") + ".py"


def rerun_digest(scripts: Path, name: str) -> str:
    """The digest of one published experiment, so that an edit to another does not repeat it."""
    from himation.files.provenance import code_digest, library_of

    library = library_of(scripts)
    return code_digest(library / source_file(name), [scripts / "rerun_table.py"], library)
