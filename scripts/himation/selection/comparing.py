"""Which set of variables is the natural blanket (thesis, V.2.2), and which one predicts in nature.

Every candidate has its AUC on rows that neither its search nor its model saw (`himation.nested`). The reference is
accepted as the natural blanket unless another set is better by more than the noise: the difference exceeds twice its
standard error, and half a point of AUC in a hundred. Then something that the reference can't see predicts the target.
Such variables are looked for in feature space, so the variables of FSMB's features join, and the features with them
(`himation.models.constructed`).
"""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass

from himation.models.constructed import Constructed
from himation.nested.measuring import Estimate

STANDARD_ERRORS = 2.0
LEAST_GAIN = 0.005


@dataclass(frozen=True)
class Candidate:
    """A set with what to expect of it in nature."""

    name: str
    members: tuple[int, ...]
    expected: Estimate


@dataclass(frozen=True)
class Choice:
    """The natural blanket, surest first, and why it is that."""

    members: tuple[int, ...]
    reason: str
    joined: tuple[str, ...] = ()  # the feature-space sets that join, with the features that they constructed


def better(gain: Estimate) -> bool:
    """Whether a gain over the reference is more than noise."""
    return gain.auc > max(LEAST_GAIN, STANDARD_ERRORS * gain.error)


def beyond(members: Sequence[int], features: Iterable[Constructed]) -> tuple[list[int], list[Constructed]]:
    """FSMB's features with a variable outside a set, and their variables that the set lacks: in the thesis's released
    code these always join (V.2.2, footnote)."""
    reaching = [feature for feature in features if not {v for v, _ in feature.monomial} <= set(members)]
    return list(dict.fromkeys(v for f in reaching for v, _ in f.monomial if v not in members)), reaching


def choose(
    candidates: Sequence[Candidate],
    reference: str,
    gain: Callable[[str, str], Estimate],
    feature_space: Sequence[str] = (),
    strongest: int = 0,
    anything: bool = True,
    outside: Sequence[int] | None = None,
) -> Choice:
    """The reference's set, with feature-space variables if something was missed; never empty.

    ``gain`` says by how much one candidate is better than another. Where the reference is empty, another set takes its
    place, or, if not ``anything`` in the table goes with the target (`himation.independence.overall`) or no set has a
    member, the variable ``strongest``. ``outside`` are variables that join whatever predicts better (`beyond`).
    """
    by_name = {candidate.name: candidate for candidate in candidates}
    base = by_name[reference]
    ahead = [c.name for c in candidates if c.name != reference and c.members and better(gain(c.name, reference))]
    members = list(base.members)
    added = []
    if outside is not None:
        ahead, added = [], list(outside)
    elif ahead:
        for name in feature_space:
            added += [x for x in by_name[name].members if x not in members and x not in added]
    members += added
    if not members:
        others = [candidate for candidate in candidates if candidate.members]
        if not anything or not others:
            return Choice((strongest,), f"{reference} found nothing: the strongest single variable stands in")
        best = max(others, key=lambda c: (c.expected.auc, -len(c.members)))
        return Choice(best.members, f"{reference} found nothing: the set of '{best.name}' is used")
    if outside is not None:
        reason = f"as found by {reference}, with {len(added)} variables of FSMB's features that reach beyond it"
        return Choice(tuple(members), reason, tuple(feature_space))
    joined = tuple(name for name in feature_space if ahead and by_name[name].members)
    if added:
        reason = f"{', '.join(ahead)} predict better, {len(added)} variables of FSMB join"
        return Choice(tuple(members), reason, joined)
    if joined:
        reason = f"as found by {reference}, with FSMB's products of them, as {', '.join(ahead)} predict better"
        return Choice(tuple(members), reason, joined)
    if ahead:
        return Choice(tuple(members), f"as found by {reference}, though {', '.join(ahead)} predict better")
    return Choice(tuple(members), f"as found by {reference}: no other set predicts better by more than the noise")
