"""The verdict on a data set in two sentences, and other wording of the page.

The first sentence says which variables are selected, in which roles, and what the manipulation changes; the second how
well they predict and how sure the roles are.
"""

from collections.abc import Sequence
from math import floor

from himation.report.values import (
    CHILD,
    CONFOUNDED,
    NONE,
    PARENT,
    ROLES,
    SPOUSE,
    UNDIRECTED,
    Changed,
    DataSet,
    Networks,
    Rival,
    Variable,
)

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
    "posterior": "the choice of the sampled networks",
    "thesis": "the set of the thesis's rule",
    "parents": "the likely parents",
    "natural": "the whole natural blanket",
}
WAYS = {
    ("posterior", "known"): ", so these lose their causes in each sampled network, and the blankets left are averaged",
    ("posterior", "unknown"): ", so the worst is assumed and the parents in each sampled network count, averaged",
    ("thesis", "known"): ", so children among these go, with the spouses that only they bring",
    ("thesis", "unknown"): ", so only parents and undecided neighbours stay",
    ("parents", "known"): ", and only likely parents stay",
    ("parents", "unknown"): ", so only likely parents stay",
    ("natural", "known"): ", which by the rule 'natural' changes nothing",
    ("natural", "unknown"): ", which by the rule 'natural' changes nothing",
}
ASKED = (
    ", so the test table was asked: what it shows as set loses its causes in each sampled network, and the blankets \
left are averaged"
)
_EVEN = 0.0005  # AUCs nearer than this are shown alike
_PLAIN = 0.005  # what is nearer to 0 or 1 is shown as that
MANIPULATION = {"none": "nothing manipulated", "known": "known manipulation", "unknown": "unknown manipulation"}


def verdict(data: DataSet) -> tuple[str, str]:
    """Two sentences."""
    if data.nothing:
        said = _by_luck(data) if data.association is None or data.association.found else _nothing(data)
        return said, _in_spite(data)
    chosen = data.selected
    roles = _by_role(chosen)
    first = f"{len(chosen):,} of {count(data.n_variables, 'variable')} {_be(len(chosen))} selected"
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


def _by_luck(data: DataSet) -> str:
    """That the expected AUC may be that of chance."""
    hope, where = data.outlook, " under the manipulation" if data.under else ""
    return (
        f"Nothing was found that fresh rows would confirm: the expected AUC of {number(hope.value, hope.error)}{where} "
        f"may be that of chance, 0.5."
    )


def _in_spite(data: DataSet) -> str:
    """What became of the model where nothing goes with the target."""
    text = f"A model was built all the same, on {names(data.selected) or 'nothing'}, and should not be relied on"
    text += "; the roles below are guesses"
    if data.achieved:
        return f"{text}; {number(data.achieved.value, data.achieved.error)} was achieved on the test table."
    return f"{text}."


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


def percent(share: float) -> str:
    return f"{100 * share:.0f}\u00a0%"


def _be(n: int) -> str:
    return "is" if n == 1 else "are"


def names(variables: Sequence[Variable | Changed], most: int = MOST_NAMES, total: int = 0) -> str:
    """The first few names, and how many more; ``total`` where not all are given."""
    total = max(total, len(variables))
    if total <= most:
        return join([short(v.name) for v in variables])
    shown = [short(v.name) for v in variables[: most - 1]]
    return f"{', '.join(shown)} and {total - len(shown):,} more"


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
    """What the manipulation means for the selection, and what that makes of the natural blanket."""
    if data.fallback:
        return f"{_cause(data)} and no variable passed the rule, so the natural blanket stands in for a safer set"
    way = ASKED if data.asked else WAYS.get((data.rule, data.manipulation), "")
    return "; ".join(part for part in (f"{_cause(data)}{way}", _beside_the_blanket(data)) if part)


def _beside_the_blanket(data: DataSet) -> str:
    """What is left out of the natural blanket, what joins it, and what stays though it was manipulated."""
    if not data.blanket_size:
        return ""
    gone = [v for v in data.variables if v.in_blanket and not v.selected]
    n_gone = data.blanket_size - sum(v.in_blanket for v in data.selected)
    added = [v for v in data.selected if not v.in_blanket]
    kept = [v for v in data.selected if v.manipulated and v.role == PARENT]
    blanket = f"the natural blanket of {data.blanket_size:,}"
    text = f"{blanket} stays whole"
    if n_gone:
        text = f"of {blanket}, {names(gone, total=n_gone)} {_be(n_gone)} left out"
    if added:
        text += f" and {names(added)} {'joins' if len(added) == 1 else 'join'} it"
        chosen = "since that predicts best in nature" if data.manipulation == "none" else "by the sampled networks"
        text += f" {chosen}" if data.networks else ""
    if kept:
        text += f"; {names(kept)} {'stays' if len(kept) == 1 else 'stay'} though manipulated, for a cause still acts"
    rare = [v for v in data.selected if v.inclusion is not None and v.inclusion < 0.5]
    return f"{text}; most sampled networks do without {names(rare)}" if rare else text


def _cause(data: DataSet) -> str:
    if data.manipulation == "none":
        return "nothing was manipulated"
    if data.manipulation == "unknown":
        return "what was manipulated is unknown"
    return f"{count(data.n_manipulated, 'variable')} {'was' if data.n_manipulated == 1 else 'were'} manipulated"


def _performance(data: DataSet) -> str:
    hope = data.outlook
    if hope is None:
        text = "No expected AUC was recorded"
    else:
        text = f"The expected AUC is {number(hope.value, hope.error)}"
        if data.under and data.expected:
            text += f" under the manipulation ({data.expected.value:.3f} without it), by {data.expected.label}"
        else:
            text += f" by {hope.label}"
    if data.achieved is None:
        return f"{text}, with no test target to check it against"
    text += f" and {number(data.achieved.value, data.achieved.error)} was achieved on the test table"
    best = data.best_reference
    return f"{text} ({best.value:.3f} by the best model that knows the truth)" if best else text


def why(data: DataSet) -> str:
    """What was selected, beside the other sets that were compared, and how the ensemble uses it."""
    used = data.used
    if used and data.nothing:
        return "Nothing goes with the target: by chance, these go with it most in the training examples."
    if used is None or data.manipulation == "none":
        return ""
    others = [rival for rival in data.rivals if not rival.used]
    value = number(used.expected.value, used.expected.error)
    chosen = f"{RIVALS.get(used.label, used.label)}, {count(used.size, 'variable')}"
    parts = (f"Used: {chosen}, with an expected AUC of {value}.", _rank(used, others), _members(data))
    return " ".join(part for part in parts if part)


def _rank(used: Rival, others: Sequence[Rival]) -> str:
    """Where the set in use stands among the others by its expected AUC, which does not choose."""
    if not others:
        return ""
    top = max(others, key=lambda rival: rival.expected.value)
    lead = used.expected.value - top.expected.value
    if lead > _EVEN:
        return f"That is the highest; the next, '{top.label}', has {number(top.expected.value)}."
    if lead < -_EVEN:
        return (
            f"'{top.label}' has {number(top.expected.value)}; the rule is set by the configuration, not by this number."
        )
    same = [f"'{rival.label}'" for rival in others if abs(rival.expected.value - used.expected.value) <= _EVEN]
    return f"None has more; {join(same)} {_be(len(same))} even with it."


def _members(data: DataSet) -> str:
    """That the members of the ensemble use different variables."""
    if not data.panels:
        return ""
    sets, most = count(len(data.panels), "different set"), percent(max(data.panels) / sum(data.panels))
    return (
        f"The blankets of the sampled networks are {sets} of variables, the commonest in {most} of them; each "
        "member of the ensemble takes one."
    )


def thesis(data: DataSet) -> str:
    """What the thesis's rule would have chosen, beside what was; nothing where that is not known or was used."""
    theirs = [v for v in data.variables if v.by_thesis]
    if not theirs or data.rule == "thesis":
        return ""
    missed = [v for v in data.selected if not v.by_thesis]
    more = [v for v in theirs if not v.selected]
    if not missed and not more:
        return f"The thesis's rule would have chosen the same {count(len(theirs), 'variable')}."
    parts = [f"without {names(missed)}"] * bool(missed) + [f"with {names(more)}"] * bool(more)
    chosen = f"{count(len(theirs), 'variable')}, a difference of {len(missed) + len(more):,}"
    return f"The thesis's rule would have chosen {chosen}: {', but '.join(parts)}."


def networks(known: Networks) -> str:
    """The sampled networks: how many, whether they agree, and what they take the target to be."""
    if not known.chains:
        return "No network was sampled: no variable goes with the target."
    told = f"{count(known.chains, 'chain')} gave {count(known.draws, 'network')} of the target and "
    told += f"{count(known.variables, 'variable')}; the probability of a role is its share of those with the variable."
    error = f"the standard error of a neighbour's P(parent) is at most {known.largest_error:.2f}"
    agree = f"The chains agree: {error}."
    if not known.converged:
        unsure = join([short(name) for name in known.least_sure[:MOST_NAMES]])
        agree = f"The chains do not agree yet, least on {unsure}: {error}. The warning above says how to lengthen them."
    return f"{told} {agree} {_reliability(known)}"


def _reliability(known: Networks) -> str:
    """What the target is taken to be."""
    if known.copy:
        return (
            "Effects of the target see a hidden copy of it in place of its labels (their correlation is about "
            f"{known.copy:.2f}), and take part in the networks as such."
        )
    if known.reliability < 1 + _PLAIN:
        return "The target is what its neighbours see: links to it are as strong as its labels show."
    copy = "behaves like an imperfect copy"
    if known.exact > _PLAIN:
        copy = f"may be an imperfect copy of what its neighbours see (probability {1 - known.exact:.2f})"
    return f"The target {copy}: links to it are taken to be {known.reliability:.2f} times as strong as its labels show."


def certainty(chosen: list[Variable]) -> str:
    """How sure the roles of the selected variables are."""
    if not chosen:
        return "there are no roles to be sure of"
    decided = [v for v in chosen if v.role in (PARENT, CHILD, SPOUSE)]
    least = floor(min((v.certainty for v in decided), default=0) * 100 + 1e-9) / 100
    lowest = f"{least:.2f}{' or more' if least < 1 else ''}"
    open_ones = len(chosen) - len(decided)
    if not decided:
        return "the roles are undecided"
    if open_ones:
        text = f"{open_ones:,} of the {len(chosen):,} roles {_be(open_ones)} undecided"
        return f"{text}, the rest {'has' if len(decided) == 1 else 'have'} a probability of {lowest}"
    if least >= SURE:
        return f"the roles are sure, with a probability of {lowest}"
    return f"the least sure of the roles has a probability of {least:.2f}"


def sure_roles(chosen: list[Variable]) -> int:
    """How many of the roles are sure."""
    return sum(v.role in (PARENT, CHILD, SPOUSE) and is_sure(v) for v in chosen)


def is_sure(v: Variable) -> bool:
    """By the two digits that the page shows."""
    return round(v.certainty, 2) >= SURE
