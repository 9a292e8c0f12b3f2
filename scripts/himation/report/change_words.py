"""What changed between training and test, in plain words: a sentence of the verdict, and the section of the page.

Where the selection goes by the test table the sentence says what it shows and what the model makes of it. Elsewhere it
is set beside what the user said, and nothing is done about it.
"""

from collections.abc import Sequence

from himation.report.values import SAME, SET, SHIFTED, UNSURE, Changed, Changes, DataSet
from himation.report.words import MOST_NAMES, count, join, names, percent, short

LITTLE = 0.5  # of what a table could tell; with less it is called too small to say


def sentence(data: DataSet) -> str:
    """What the test table says, for the verdict; nothing where there is none."""
    seen = data.changes
    if seen is None:
        return ""
    changed = seen.having(SET, SHIFTED)
    if seen.told < LITTLE and not changed:
        text = f"{_said(data, 'the test table')} is too small to say what was manipulated"
        return f"{text}; the choice of variables is close to that without a table." if data.asked else f"{text}."
    if data.manipulation == "known":
        text = _beside_the_list(data, seen)
    elif not changed:
        text = f"{_said(data, 'the test table')} shows no variable that was set or shifted{_unsure(seen)}"
    elif data.manipulation == "none":
        text = f"{_said(data, names(changed))} {'has' if len(changed) == 1 else 'have'} changed: {_chances(changed)}"
    else:
        told = "says" if data.asked else "was not asked and would say"
        text = f"The test table {told} that {_what(seen)}{_relies(data, changed)}"
    return f"{text}.{' Of the other variables it is too small to say.' if seen.told < LITTLE else ''}"


def _said(data: DataSet, who: str) -> str:
    """What the user said, and who is set beside it."""
    if data.manipulation == "unknown":
        return f"{who[0].upper()}{who[1:]}{'' if data.asked else ', which was not asked,'}"
    if data.manipulation == "none":
        return f"You said that nothing was manipulated; {who}"
    mine = [row for row in data.changes.rows if row.listed]
    few = mine and data.n_manipulated == len(mine) <= MOST_NAMES
    return f"You listed {names(mine) if few else count(data.n_manipulated, 'variable')}; {who}"


def _relies(data: DataSet, changed: Sequence[Changed]) -> str:
    """What the model makes of what has changed, where it goes by that."""
    ways = (("does not rely on", (False, False)), ("hardly uses", (False, True)), ("still uses", (True, False)))
    parts = []
    for start, how in ways:
        group = [row for row in changed if (row.selected, row.hardly) == how]
        parts += [f"{start} {names(group)}"] if group else []
    return f"; the model {join(parts)}" if data.asked and not data.nothing else ""


def _beside_the_list(data: DataSet, seen: Changes) -> str:
    mine = [row for row in seen.rows if row.listed]
    other = [row for row in seen.having(SET, SHIFTED) if not row.listed]
    same = [row for row in mine if row.verdict == SAME]
    also = f"also shows {names(other)} ({_chances(other)})" if other else f"shows no other change{_unsure(seen)}"
    text = f"{_said(data, 'the test table')} {also}"
    return f"{text}; {names(same)} {'shows' if len(same) == 1 else 'show'} no change" if same else text


def _what(seen: Changes) -> str:
    """'a and b were set and c was shifted'."""
    found = []
    for verdict in (SET, SHIFTED):
        group = seen.having(verdict)
        if group:
            found.append(f"{names(group)} {'was' if len(group) == 1 else 'were'} {verdict}")
    return join(found)


def _unsure(seen: Changes) -> str:
    group = seen.having(UNSURE)
    return f"; of {names(group)} it does not say" if group else ""


def _chances(group: Sequence[Changed]) -> str:
    """The probabilities of a change, in the order of the names; of many, from the least to the most."""
    values = [row.p_changed for row in group]
    if len(values) <= MOST_NAMES:
        return f"probability {', '.join(f'{value:.2f}' for value in values)}"
    return f"probability {min(values):.2f} to {max(values):.2f}"


def way(data: DataSet) -> str:
    """How the manipulation was dealt with, and how much the table can tell."""
    seen = data.changes
    if data.asked:
        done = (
            "What was manipulated is unknown, so the test table was asked: the choice of variables goes by its answer."
        )
    elif data.manipulation == "unknown":
        done = (
            f"What was manipulated is unknown and the test table was not asked ({seen.why.rstrip('.')}): the worst is "
            "assumed, every variable set and every link lost. What the table shows stands here for comparison."
        )
    else:
        said = "that nothing was manipulated" if data.manipulation == "none" else "what was manipulated"
        done = (
            f"You said {said}, and the choice of variables goes by that; what the test table shows stands here for "
            "comparison."
        )
    shares = (
        f"Of all variables, {percent(seen.share_set)} seem to have been set and {percent(seen.share_shifted)} shifted "
        f"(before looking: {percent(seen.prior_share)} manipulated)."
    )
    return f"{done} {_stop(seen.words)} {shares}"


def _stop(text: str) -> str:
    """A sentence that begins and ends as one.

    >>> _stop("the table is small")
    'The table is small.'
    """
    text = text.strip().rstrip(".")
    return f"{text[:1].upper()}{text[1:]}."


def row_words(row: Changed) -> str:
    """What became of a variable."""
    if row.verdict == UNSURE:
        chances = f"set {row.p_set:.2f}, shifted {row.p_shifted:.2f}, the same {row.p_same:.2f}"
        return f"the test table does not say ({chances})"
    if row.verdict == SAME:
        return "as in training, as far as the table tells"
    companion = short(row.companion)
    link = f"its link with {companion}" if row.verdict == SET else f"the strength of its link with {companion}"
    moved = ["its distribution"] if row.distribution and row.distribution.moved else []
    moved += [link] if row.link and row.link.moved else []
    if not moved:
        return "judged by all that goes with it; neither its distribution nor one link alone shows it"
    text = f"{join(moved)} {'is not what it was' if len(moved) == 1 else 'are not what they were'}"
    kept = row.verdict == SHIFTED and row.r_train is not None and link not in moved
    return f"{text}; it goes with {companion} as before" if kept else text


def numbers(row: Changed) -> str:
    """The same in figures: probability, mean, spread and correlation, before and after."""
    found = [f"changed with probability {row.p_changed:.2f}"]
    shape = row.distribution
    if shape and len(shape.labels) == 2:
        found.append(f"share of {shape.labels[1]} {shape.train[1]:.2f}, in the test table {shape.test[1]:.2f}")
    if row.means:
        found.append(f"mean {row.means[0]:.3g}, in the test table {row.means[1]:.3g}")
    if row.spreads:
        found.append(f"standard deviation {row.spreads[0]:.3g}, {row.spreads[1]:.3g}")
    if row.r_train is not None and row.r_test is not None:
        found.append(f"correlation with {short(row.companion)} {row.r_train:.2f}, {row.r_test:.2f}")
    if row.networks == 0:
        found.append("in no network: judged by what goes with it")
    return "; ".join(found)


def more(data: DataSet) -> str:
    """What is not shown, and where it is."""
    seen = data.changes
    left = len([row for row in seen.rows if row.verdict != SAME]) - len([r for r in seen.shown if r.verdict != SAME])
    text = f"{left:,} more {'is' if left == 1 else 'are'} set, shifted or unsure; all" if left else "All"
    return f"{text} variables are in"
