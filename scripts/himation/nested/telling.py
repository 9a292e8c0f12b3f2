"""What is told of an estimate: the contents of expected.json."""

from collections.abc import Mapping, Sequence

from himation.nested.competing import ALL, BLANKET, Searched
from himation.nested.measuring import Estimate, p_value
from himation.nested.natural import Expected, compared, split
from himation.selection.rule_names import THESIS

_HOW = {
    "none": "each row predicted by a model that was searched for and fitted without it",
    "known": "rows held out from search and fit, changed as the sampled networks say of the manipulation",
    "unknown": "rows held out from search and fit, changed as the sampled networks say of what may have been set",
}


def facts_of(
    rule: str, found: Mapping[str, Expected], searched: Sequence[Searched], permuted: Sequence[float], kind: str
) -> dict:
    """The estimate under the manipulation and in nature, how it was made, and that of other rules and sets."""
    expected = found[rule]
    searched = split(searched)[0]
    known = compared(searched)
    rows = {row for one in searched for row in one.fold.held}
    divisions = len({one.fold.division for one in searched})
    folds = len(searched)
    how = _HOW[kind]
    if rule == THESIS and kind != "none":
        how += f", with the natural blanket in place of the rule '{THESIS}', whose graphs are not searched for again"
    words = f"{folds} folds" + (f" of {divisions} divisions of the rows" if divisions > 1 else "")
    return {
        "expected_auc": expected.here.auc,
        "standard_error": expected.here.error,
        "above_chance": expected.here.above_chance,
        "natural_auc": expected.natural.auc,
        "natural_error": expected.natural.error,
        "measured": f"{how}: {words}, {len(rows):,} rows" if folds else "not measured: a class is too rare",
        "folds": folds,
        "divisions": divisions,
        "rows": len(rows),
        "manipulation": kind,
        "rule": rule,
        "used": list(expected.used),
        "shift": expected.shift,
        "spread_of_worlds": expected.worlds,
        "gain_over_all": _measured(known.gain(BLANKET, ALL)) if ALL in known.placed and kind == "none" else None,
        "permutations": len(permuted),
        "p_value": p_value(expected.natural.auc, list(permuted)),
        "sets": [{"set": name, **_measured(one.here), "natural_auc": one.natural.auc} for name, one in found.items()],
    }


def _measured(value: Estimate) -> dict:
    return {"expected_auc": value.auc, "standard_error": value.error}
