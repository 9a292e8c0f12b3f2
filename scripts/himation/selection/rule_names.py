"""The rules of selection by name, and defaults of their settings; apart from `rules`, so that who only names them does
not depend on how they work."""

from dataclasses import dataclass

THESIS = "thesis"
RULES = ("posterior", THESIS, "parents", "natural")
DEFAULT = RULES[0]
NEED_NETWORKS = ("posterior", "parents")


@dataclass(frozen=True)
class Settings:
    """Of the rules. An ensemble divides the variables among its members; ``one_machine`` can't."""

    least_share: float = 0.3  # posterior: a variable that fewer of the networks would use is left out
    consistent: float = 0.9  # thesis: share that counts as "in every PDAG": all of a few, not all of many resamples
    child_p_score: float = 0.5  # thesis
    most_child_tests: int = 0  # thesis
    cut_by_graphs: bool = True  # thesis, with a cut of ours: what is a child in every graph is no undecided neighbour
    one_machine: bool = False


def why_not_asked(entry: dict, selection: dict) -> str | None:
    """Why the selection for a data set does not go by what its test table says, if it does not."""
    value = entry["manipulation"]
    if "test" not in entry:
        return "there is no test table"
    if value == "none":
        return "the configuration says that nothing was manipulated"
    if value != "unknown":
        return "the list of the configuration is used"
    if selection["test_inputs"] == "never":
        return "test_inputs: never"
    return None if selection["rule"] == DEFAULT else f"rule: {selection['rule']}"
