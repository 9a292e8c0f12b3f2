"""The verdict on a data set in four short lines, in words of causes and effects.

They open the page and end `himation run`: what to use, what not to use, what to expect, and how sure that is.
"""

from himation.report.values import (
    CHILD,
    CONFOUNDED,
    NONE,
    PARENT,
    ROLES,
    SET,
    SHIFTED,
    SPOUSE,
    UNDIRECTED,
    DataSet,
    Variable,
)
from himation.report.words import FEW_NAMES, MOST_NAMES, SURE, count, is_sure, names, number, percent, short, sure_roles

USE, AVOID, EXPECT, SURENESS = "Use these", "Don't use those", "Expect this", "How sure"
_NOUNS = {
    PARENT: ("cause", "causes"),
    CHILD: ("effect", "effects"),
    SPOUSE: ("cause of an effect", "causes of an effect"),
    UNDIRECTED: ("cause or effect", "causes or effects"),
    CONFOUNDED: ("shares a hidden cause with the target", "share a hidden cause with the target"),
    NONE: ("role unknown", "role unknown"),
}


def verdict_lines(data: DataSet) -> list[tuple[str, str]]:
    """Label and sentence of each line."""
    return [(USE, _use(data)), (AVOID, _avoid(data)), (EXPECT, _expect(data)), (SURENESS, _sureness(data))]


def _use(data: DataSet) -> str:
    if data.nothing:
        return f"None: nothing here tells {short(data.target)} better than chance does."
    if not data.selected:
        return "None: no variable is left that would predict."
    rare = [v for v in data.selected if v.inclusion is not None and v.inclusion < 0.5 and data.manipulation != "none"]
    part = f"; {names(rare)} with less weight: most networks do without {'it' if len(rare) == 1 else 'them'}"
    return f"{_by_role(data.selected)}{part if rare else ''}."


def _by_role(variables: list[Variable]) -> str:
    most = MOST_NAMES if len(variables) <= 2 * MOST_NAMES else FEW_NAMES
    parts = []
    for role in ROLES:
        decided = role in (PARENT, CHILD, SPOUSE)
        for word in ("", "likely ") if decided else ("",):
            members = [v for v in variables if v.role == role and not (decided and is_sure(v) == bool(word))]
            if members:
                parts.append(f"{names(members, most)} ({word}{_NOUNS[role][len(members) > 1]})")
    return "; ".join(parts)


def _avoid(data: DataSet) -> str:
    """What predicts in training and is left out, and why; else that the rest adds nothing."""
    rest = data.n_variables - len(data.selected)
    others = "the other variable" if rest == 1 else f"the other {rest:,} variables"
    if data.nothing:
        return "Any variable as a predictor: what looks good here is luck."
    gone = [v for v in data.variables if v.in_blanket and not v.selected]
    if not gone:
        rest_adds = f" beside these, {others} {'adds' if rest == 1 else 'add'} nothing" if rest else ""
        return f"Nothing to avoid{':' * bool(rest)}{rest_adds}."
    more = f" Beside these, {others} are not needed." if rest > len(gone) else ""
    return f"{_by_role(gone)}: {_why_avoided(data, gone)}.{more}"


def _why_avoided(data: DataSet, gone: list[Variable]) -> str:
    it = "it predicts" if len(gone) == 1 else "they predict"
    if data.manipulation == "none":
        return "not needed beside those above" if data.changes is None else "not needed where nothing is manipulated"
    if data.manipulation == "known":
        return f"{it} in training, but not after the manipulation you listed"
    changed = {row.column for row in data.changes.having(SET, SHIFTED)} if data.asked else set()
    if changed & {v.column for v in gone}:
        return f"{it} in training, but the test table shows that somebody set {'it' if len(gone) == 1 else 'some'}"
    return f"{it} in training, and may not after an unknown manipulation"


def _expect(data: DataSet) -> str:
    hope = data.outlook
    if hope is None:
        return "No expected AUC was recorded."
    if data.nothing:
        text = f"A coin's success (AUC {number(hope.value, hope.error)}, where 0.5 is chance)"
    else:
        where = "" if data.under is None else " after the manipulation"
        text = f"On new rows{where} an AUC of {number(hope.value, hope.error)}: {_pairs(hope.value)}"
    if data.achieved:
        text += f". On the test table it was {number(data.achieved.value, data.achieved.error)}"
    return f"{text}."


def _pairs(auc: float) -> str:
    """What an AUC means."""
    return f"of two rows, one of each class, it ranks the right one higher in {100 * auc:.0f} of 100 cases"


def _sureness(data: DataSet) -> str:
    parts = []
    chosen = data.selected
    if chosen and not data.nothing:
        parts.append(_roles(chosen))
        often = [data.stability[v.column] for v in chosen if v.column in data.stability]
        if often:
            parts.append(f"searches on part of the rows select them {percent(sum(often) / len(often))} of the time")
    if data.networks and data.networks.chains and not data.networks.converged:
        parts.append("the sampled networks do not agree yet")
    if data.warnings:
        parts.append(f"{count(len(data.warnings), 'warning')}")
    text = "; ".join(parts) or "no evidence was found to be sure of"
    return f"{text[:1].upper()}{text[1:]}."


def _roles(chosen: list[Variable]) -> str:
    """How many roles are sure, and who has the least sure one, or none."""
    sure = sure_roles(chosen)
    if len(chosen) == 1:
        text = f"the role is {'' if sure else 'not '}sure"
    elif sure == len(chosen):
        text = f"all {sure:,} roles are sure"
    else:
        text = f"{f'{sure:,}' if sure else 'none'} of the {len(chosen):,} roles {'are' if sure > 1 else 'is'} sure"
    text += f" (probability {SURE} or more)"
    open_ones = [v for v in chosen if v.role == NONE]
    if open_ones:
        return f"{text}, that of {names(open_ones)} unknown"
    least = min(chosen, key=lambda v: v.certainty)
    return text if sure == len(chosen) else f"{text}, {short(least.name)} least ({least.certainty:.2f})"
