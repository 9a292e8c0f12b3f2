"""The verdict on a data set in two sentences, and other wording of the page.

The first sentence says which variables are selected, in which roles, and what the manipulation changes; the second how
well they predict and how sure the roles are.
"""

from collections.abc import Sequence
from math import floor

from himation.report.values import CHILD, CONFOUNDED, NONE, PARENT, ROLES, SPOUSE, UNDIRECTED, DataSet, Variable
from himation.selection.rule_names import BY_EXPECTATION, HEDGED

MOST_NAMES = 5
MANY = 8  # selected variables; with more, fewer of each role are named
FEW_NAMES = 3
LONGEST_NAME = 28
SURE = 0.9
_ONE_MANY = {
    PARENT: ("parent", "parents"),
    CHILD: ("child", "children"),
    SPOUSE: ("spouse", "spouses"),
    UNDIRECTED: ("neighbour of undecided direction", "neighbours of undecided direction"),
    CONFOUNDED: ("confounded neighbour", "confounded neighbours"),
    NONE: ("of unknown role", "of unknown role"),
}
RIVALS = {
    HEDGED: "the variables of the backward elimination, divided among the machines",
    "expected": "the best set of the backward elimination",
    "natural": "the whole natural blanket",
    "parents": "the likely parents",
    "thesis": "the set of the thesis' rule",
    "averaged": "the set of the rule 'averaged'",
}
MANIPULATION = {"none": "nothing manipulated", "known": "known manipulation", "unknown": "unknown manipulation"}


def verdict(data: DataSet) -> tuple[str, str]:
    """Two sentences."""
    if data.nothing:
        return _nothing(data), _in_spite(data)
    chosen = data.selected
    roles = _by_role(chosen)
    first = f"{len(chosen):,} of {count(data.n_variables, 'variable')} {'is' if len(chosen) == 1 else 'are'} selected"
    first += f": {roles}" if roles else ""
    return f"{first}; {_change(data)}.", f"{_performance(data)}; {certainty(chosen)}."


_LOOKED = {"single": "no single one", "pair": "no pair of them", "together": "not all of them together"}


def _nothing(data: DataSet) -> str:
    """That nothing goes with the target, and what was looked at."""
    test = data.association
    looked = join([words for part, words in _LOOKED.items() if part in test.parts])
    left = "" if "pair" in test.parts else "; pairs are too many to be tested"
    how = f"p\u00a0=\u00a0{test.p_value:.2f} by {test.permutations} permutations of its labels"
    return (
        f"Nothing in this table goes with {short(data.target)}: of {count(data.n_variables, 'variable')}, {looked} "
        f"{'tells' if data.n_variables == 1 else 'tell'} its two values apart better than chance does ({how}{left})."
    )


def _in_spite(data: DataSet) -> str:
    """What became of the model where nothing goes with the target."""
    text = f"A model was built all the same, on {names(data.selected) or 'nothing'}, and should not be relied on"
    measured = data.under or data.expected
    if data.achieved:
        return f"{text}: {number(data.achieved.value, data.achieved.error)} was achieved on the test table."
    if measured is None:
        return f"{text}."
    return f"{text}: its AUC of {measured.value:.3f} comes from the examples by which its variables were chosen."


def join(parts: Sequence[str]) -> str:
    """
    >>> join(["a", "b", "c"])
    'a, b and c'
    """
    parts = list(parts)
    return parts[0] if len(parts) == 1 else f"{', '.join(parts[:-1])} and {parts[-1]}" if parts else ""


def short(name: str, longest: int = LONGEST_NAME) -> str:
    """
    >>> short("a_very_long_name_of_a_variable", 11)
    'a_ver…iable'
    """
    if len(name) <= longest:
        return name
    head = (longest - 1) // 2
    return f"{name[:head]}…{name[len(name) - (longest - 1 - head) :]}"


def count(n: int, noun: str) -> str:
    return f"{n:,} {noun}" if n == 1 else f"{n:,} {noun}s"


def number(value: float, error: float | None = None) -> str:
    """A score with its standard error, three decimals each, on one line."""
    return f"{value:.3f}" if error is None else f"{value:.3f}\u00a0±\u00a0{error:.3f}"


def names(variables: Sequence[Variable], most: int = MOST_NAMES) -> str:
    """The first few names, and how many more."""
    if len(variables) <= most:
        return join([short(v.name) for v in variables])
    return f"{', '.join(short(v.name) for v in variables[: most - 1])} and {len(variables) - most + 1:,} more"


def _by_role(chosen: list[Variable]) -> str:
    parts = []
    for role in ROLES:
        members = [v for v in chosen if v.role == role]
        if members:
            noun = _ONE_MANY[role][len(members) > 1]
            most = MOST_NAMES if len(chosen) <= MANY else FEW_NAMES
            parts.append(f"{len(members):,} {noun} ({names(members, most)})")
    return join(parts)


def _change(data: DataSet) -> str:
    """What the manipulation does to the natural blanket."""
    blanket = f"the natural blanket of {data.blanket_size:,}" if data.blanket_size else "the natural blanket"
    if data.manipulation == "none":
        return f"nothing was manipulated, so {blanket} serves whole{_joined(data)}"
    if data.fallback:
        return f"{_cause(data)} and no variable passed the rule, so {blanket} stands in for want of a safer set"
    if data.rule == "natural":
        return f"by the rule 'natural' the manipulation changes nothing in {blanket}"
    if data.rule in BY_EXPECTATION:
        return _expected_change(data, blanket)
    if data.manipulation == "unknown" or data.rule == "parents":
        dropped = data.blanket_size - sum(v.in_blanket for v in data.selected)
        staying = "parents and undecided neighbours" if data.rule == "thesis" else "likely parents"
        return f"{_cause(data)}, so only {staying} stay and {dropped:,} of {blanket} are left out"
    return _known_change(data, blanket)


def _joined(data: DataSet) -> str:
    """Selected variables that the blanket finders missed and the oriented graphs found."""
    added = [v for v in data.selected if not v.in_blanket]
    if not added or not data.blanket_size:
        return ""
    return f", and {names(added)} {'joins' if len(added) == 1 else 'join'} it by the oriented graphs"


def _expected_change(data: DataSet, blanket: str) -> str:
    """By the expected AUC: what predicts worse under the manipulation is left out."""
    gone = [v for v in data.variables if v.in_blanket and not v.selected]
    if not gone:
        text = f"{_cause(data)}, and every variable of {blanket} is still expected to help"
    else:
        verb = "is" if len(gone) == 1 else "are"
        text = f"{_cause(data)}, so {names(gone)} of {blanket} {verb} left out, not being expected to help there"
    return text + _joined(data)


def _cause(data: DataSet) -> str:
    if data.manipulation == "unknown":
        return "what was manipulated is unknown"
    return f"{count(data.n_manipulated, 'variable')} {'was' if data.n_manipulated == 1 else 'were'} manipulated"


def _known_change(data: DataSet, blanket: str) -> str:
    gone = [v for v in data.variables if v.in_blanket and not v.selected]
    kept = [v for v in data.selected if v.manipulated]
    if not gone:
        text = f"{_cause(data)}, which takes nothing out of {blanket}"
    else:
        text = f"{_cause(data)}, which takes {names(gone)} out of {blanket}"
    if kept:
        parents = all(v.role == PARENT for v in kept)
        why = ", for a cause acts however it came about" if parents else ""
        text += f" but leaves {names(kept)}{why}"
    return text


def _performance(data: DataSet) -> str:
    hope = data.outlook
    if hope is None:
        text = "No expected AUC was recorded"
    else:
        text = f"The expected AUC is {number(hope.value, None if data.under else hope.error)}"
        if data.under and data.expected:
            natural = f"the model's own is {data.expected.value:.3f} without it, by {data.expected.label}"
            text += f" under the manipulation, by a linear machine in simulated worlds ({natural})"
        else:
            text += f" {'under the manipulation' if data.under else f'by {hope.label}'}"
    if data.achieved is None:
        return f"{text}, with no test target to check it against"
    text += f" and {number(data.achieved.value, data.achieved.error)} was achieved on the test table"
    best = data.best_reference
    return f"{text} ({best.value:.3f} by the best model that knows the truth)" if best else text


def why(data: DataSet) -> str:
    """Why the selected set was preferred to the others that were compared."""
    used = data.used
    if used is None:
        return ""
    if data.nothing:
        return "Nothing goes with the target: by chance, these go with it most in the training examples."
    others = [rival for rival in data.rivals if not rival.used]
    if not others:
        return "Nothing was manipulated, so there is no choice to make: all candidates stay."
    value = number(used.expected.value, used.expected.error)
    top = max(others, key=lambda rival: rival.expected.value)
    lead = used.expected.value - top.expected.value
    name, size = RIVALS.get(used.label, used.label), count(used.size, "variable")
    if data.rule not in BY_EXPECTATION:
        rank = "the highest" if lead >= 0 else f"'{top.label}' would have {number(top.expected.value)}"
        return f"The configuration asks for the rule '{data.rule}': {size}, expected AUC {value} ({rank})."
    text = f"Used: {name}, {size}, with an expected AUC of {value}."
    even = 0.0005
    if lead > even:
        return f"{text} That is the highest; the next, '{top.label}', has {number(top.expected.value)}."
    if lead < -even:
        return f"{text} '{top.label}' has {number(top.expected.value)}, which is too little more to count."
    same = [rival.label for rival in others if abs(rival.expected.value - used.expected.value) <= even]
    listed = join([f"'{label}'" for label in same])
    return f"{text} None has more; {listed} {'is' if len(same) == 1 else 'are'} even with it."


def certainty(chosen: list[Variable]) -> str:
    """How sure the roles of the selected variables are."""
    if not chosen:
        return "there are no roles to be sure of"
    decided = [v for v in chosen if v.role in (PARENT, CHILD, SPOUSE)]
    lowest = f"{floor(min((v.certainty for v in decided), default=0) * 100 + 1e-9) / 100:.2f}"
    open_ones = len(chosen) - len(decided)
    if not decided:
        return "the roles are undecided"
    if open_ones:
        text = f"{open_ones:,} of the {len(chosen):,} roles {'is' if open_ones == 1 else 'are'} undecided"
        return f"{text}, the rest {'has' if len(decided) == 1 else 'have'} a probability of {lowest} or more"
    if float(lowest) >= SURE:
        return f"the roles are sure, with a probability of {lowest}{' or more' if float(lowest) < 1 else ''}"
    return f"the least sure of the roles has a probability of {lowest}"


def sure_roles(chosen: list[Variable]) -> int:
    """How many of the roles are sure."""
    return sum(v.role in (PARENT, CHILD, SPOUSE) and v.certainty >= SURE for v in chosen)
