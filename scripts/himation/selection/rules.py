"""From what is known of the networks to the variables of the model, by rules with names (thesis, V.1.1 and V.2.6).

What can be used depends on what was manipulated in the test table. Nothing: the natural blanket. A known list: the
blanket of the manipulated network, without manipulated children and the spouses that only they bring. Something
unknown: what the test table says (`himation.posterior.manipulation`), or, if it may not be asked, the parents alone,
since only they predict under every manipulation.

``posterior``  ours, and the default: these sets in every sampled network, and an average over the networks: each
               member of an ensemble takes the variables of one of them (`himation.posterior`);
``thesis``     the automated procedure of V.2.6, thresholds included, by oriented graphs and Y-tests;
``parents``    the variables that are parents in most sampled networks, whatever was manipulated;
``natural``    the natural blanket whatever was manipulated.

Every rule returns the chosen variables, surest first, and a reason for each variable that it considered.
"""

from collections.abc import Callable, Collection
from dataclasses import dataclass, field, replace
from functools import cached_property

from himation.posterior import averages, manipulation
from himation.posterior.averages import MAJORITY
from himation.posterior.manipulation import Inferred
from himation.posterior.networks import Networks
from himation.selection.evidence import Evidence
from himation.selection.rule_names import Settings
from himation.selection.thesis import groups, thesis_rule

KNOWN, UNKNOWN, NATURAL = "known", "unknown", "none"
ONE_MACHINE = 0.02  # of an ensemble: a variable that fewer networks use is in none


@dataclass(frozen=True)
class Selection:
    """Chosen variables, surest first; why each variable considered was kept or not; what the user should know.

    ``panels`` are the variables of the members of an ensemble, with weights; none if every member has all. Some may
    use variables that too few use for them to be chosen: ``also``. ``inclusion`` is the share of the networks, of those
    that hold a variable, that use it. ``fallback``: nothing passed the rule, and the natural blanket stands in.
    """

    chosen: tuple[int, ...]
    reasons: dict[int, str]
    warnings: tuple[str, ...] = ()
    panels: dict[tuple[int, ...], int] = field(default_factory=dict)
    inclusion: dict[int, float] = field(default_factory=dict)
    also: tuple[int, ...] = ()
    fallback: bool = False

    @property
    def used(self) -> tuple[int, ...]:
        """All variables of the model, surest first."""
        return self.chosen + self.also


@dataclass(frozen=True)
class Situation:
    """What a rule decides on. ``blanket`` is the natural blanket, surest first; the thesis goes by the ``evidence``.
    ``inferred`` is what the test table says was manipulated, where that is unknown and it was asked; ``best`` is the
    set that predicts best in nature, surest first, where that is known, and ``widest`` the largest that is no worse.
    ``by_fsmb`` are FSMB's neighbours of the target where these are the thesis's candidates."""

    blanket: tuple[int, ...]
    evidence: dict[int, Evidence]
    networks: Networks
    kind: str
    manipulated: frozenset[int]
    name_of: Callable[[int], str] = str
    settings: Settings = field(default_factory=Settings)
    inferred: Inferred | None = None
    best: tuple[int, ...] = ()
    widest: tuple[int, ...] = ()
    by_fsmb: tuple[int, ...] | None = None

    def of(self, x: int) -> Evidence:
        return self.evidence.get(x) or Evidence(x)

    def candidates(self) -> list[int]:
        """For parents and children by the thesis's rule, surest first."""
        if self.by_fsmb is None:
            return [x for x in self.blanket if self.of(x).neighbour]
        rank = {x: k for k, x in enumerate(self.blanket)}
        return sorted(self.by_fsmb, key=lambda x: (rank.get(x, len(rank)), x))

    @cached_property
    def thesis_groups(self) -> dict[int, str]:
        return groups(self)

    def is_set(self, x: int) -> bool:
        """Whether x is taken to be manipulated."""
        return self.kind == UNKNOWN or x in self.manipulated

    @cached_property
    def shares(self) -> dict[int, averages.Shares]:
        return averages.shares(self.networks)

    def share(self, x: int) -> averages.Shares:
        return self.shares.get(x) or averages.Shares()


def select(rule: str, situation: Situation) -> Selection:
    """Apply a rule. An empty answer is never given: the natural blanket stands in, with a warning."""
    if situation.kind == NATURAL and rule != "posterior":
        rule = "natural"
    found = {"posterior": _posterior, "thesis": _thesis, "parents": _parents, "natural": _natural}[rule](situation)
    if found.chosen:
        return found
    warning = "no variable passed the rule: the natural blanket is used instead"
    return Selection(
        situation.blanket, dict.fromkeys(situation.blanket, "nothing passed the rule: kept"), (warning,), fallback=True
    )


def role_of(share: averages.Shares, evidence: Evidence) -> str:
    """What a variable is to the target in most of the sampled networks. Where most have an edge and no direction has
    most of them, Y-tests may say that it is confounded, of which networks know nothing."""
    for role, part in (("parent", share.parent), ("child", share.child), ("spouse", share.spouse)):
        if part >= MAJORITY:
            return role
    if share.parent + share.child >= MAJORITY:
        return "confounded" if evidence.may_be_confounded else "undirected"
    return "none"


def theorem_v1_warnings(situation: Situation, chosen: Collection[int]) -> tuple[str, ...]:
    """One sentence for each manipulated child with a descendant among the chosen: there theorem V.1 does not hold."""
    found = []
    for c in sorted(situation.manipulated, key=situation.name_of):
        if situation.share(c).child < MAJORITY:
            continue
        below = averages.below_child(situation.networks, c)
        for d in sorted((d for d in chosen if below.get(d, 0.0) > MAJORITY), key=situation.name_of):
            found.append(
                f"theorem V.1 does not hold: {situation.name_of(c)} is a manipulated child of the target and its "
                f"descendant {situation.name_of(d)} is among the selected variables"
            )
    return tuple(found)


def _natural(situation: Situation) -> Selection:
    why = "in the natural blanket" + ("" if situation.kind == NATURAL else ": kept by the rule 'natural'")
    return Selection(situation.blanket, dict.fromkeys(situation.blanket, why))


def _parents(situation: Situation) -> Selection:
    parents = [x for x in situation.shares if situation.share(x).parent >= MAJORITY]
    parents.sort(key=lambda x: (-situation.share(x).parent, x))
    reasons = {}
    for x in dict.fromkeys((*parents, *situation.blanket)):
        verdict = "kept" if x in parents else "left out"
        reasons[x] = f"a cause of the target in {_of_networks(situation.share(x).parent)}: {verdict}"
    return Selection(tuple(parents), reasons)


def _posterior(situation: Situation) -> Selection:
    """The blanket of the manipulated network, averaged over the networks."""
    share = averages.inclusion(situation.networks, situation.is_set)
    if situation.kind == NATURAL:
        return _natural_and_likely(situation, share)
    if situation.inferred:
        natural = _natural_and_likely(situation, share).chosen
        panels = manipulation.panels(situation.inferred, natural, situation.widest)
        share = _share_of_machines(panels)
    else:
        panels = averages.panels(situation.networks, situation.is_set)
    if situation.kind == KNOWN:  # nothing speaks against a member of the blanket that no network holds
        unseen = [x for x in situation.blanket if x not in situation.shares and x not in situation.manipulated]
        panels = {tuple(sorted((*panel, *unseen))): count for panel, count in panels.items()} or {tuple(unseen): 1}
        share |= dict.fromkeys(unseen, 1.0)
    least = MAJORITY if situation.settings.one_machine else situation.settings.least_share
    rank = {x: i for i, x in enumerate(situation.blanket)}
    order = sorted(share, key=lambda x: (-share[x], rank.get(x, len(rank)), x))
    chosen = [x for x in order if share[x] >= least] or order[:1]
    reasons = {x: _reason(situation, x, share, x in chosen) for x in dict.fromkeys((*order, *situation.blanket))}
    if situation.settings.one_machine:
        return Selection(tuple(chosen), reasons, (), {}, share)
    also = tuple(x for x in order if x not in chosen and share[x] >= ONE_MACHINE)
    divided: dict[tuple[int, ...], int] = {}
    for panel, count in panels.items():
        kept = tuple(x for x in panel if x in {*chosen, *also})
        if kept:
            divided[kept] = divided.get(kept, 0) + count
    return Selection(tuple(chosen), reasons, (), divided if len(divided) > 1 else {}, share, also)


def _share_of_machines(panels: dict[tuple[int, ...], int]) -> dict[int, float]:
    found: dict[int, float] = {}
    for panel, count in panels.items():
        for x in panel:
            found[x] = found.get(x, 0.0) + count
    return {x: count / sum(panels.values()) for x, count in found.items()}


def _natural_and_likely(situation: Situation, share: dict[int, float]) -> Selection:
    """The set that predicts best in nature; where none is known, the natural blanket and the neighbours of the target
    in most networks that the blanket finder missed."""
    if situation.best:
        why = dict.fromkeys(situation.best, "in the set that predicts best where nothing is manipulated: kept")
        without = "not in the set that predicts best where nothing is manipulated: left out"
        left = {x: without for x in situation.blanket if x not in why}
        return Selection(situation.best, why | left, inclusion=share)
    natural = _natural(situation)
    likely = averages.likely_neighbours(situation.shares, natural.reasons)
    reasons = {x: f"a cause or an effect of the target in {_of_networks(part)}: joins" for x, part in likely.items()}
    return replace(natural, chosen=(*natural.chosen, *likely), reasons=natural.reasons | reasons, inclusion=share)


_ROLE_WORDS = {"parent": "a cause", "child": "an effect", "spouse": "a cause of an effect"}


def _reason(situation: Situation, x: int, share: dict[int, float], kept: bool) -> str:
    """A sentence: what x is to the target, what became of it, and whether it says anything of the target after that."""
    verdict = "kept" if kept else "left out"
    listed = f"{'' if x in situation.manipulated else 'not '}on the list of manipulated variables"
    if situation.kind == KNOWN and x not in situation.shares:
        return f"found by the search for the blanket and in no network; {listed}: {verdict}"
    if situation.kind == UNKNOWN and not situation.inferred:
        return f"a cause of the target in {_of_networks(situation.share(x).parent)}: {verdict}"
    role, changed = _role_words(situation.share(x)), listed
    if situation.inferred:
        chance = situation.inferred.chances[x]
        states = {
            "not changed": 1 - chance.set - chance.shifted,
            "set by somebody": chance.set,
            "shifted": chance.shifted,
        }
        likeliest = max(states, key=lambda state: states[state])
        changed = f"{likeliest} in the test table (probability {states[likeliest]:.2f})"
    return f"{role}; {changed}; after that it helps to predict in {_of_networks(share.get(x, 0.0))}: {verdict}"


def _role_words(share: averages.Shares) -> str:
    parts = {"parent": share.parent, "child": share.child, "spouse": share.spouse}
    for role, part in parts.items():
        if part >= MAJORITY:
            return f"{_ROLE_WORDS[role]} in {_of_networks(part)}"
    if share.parent + share.child >= MAJORITY:
        return f"a cause in {_of_networks(share.parent)}, an effect in {_of_networks(share.child)}"
    return "no direct link to the target in most networks"


def _of_networks(share: float) -> str:
    """
    >>> _of_networks(1.0), _of_networks(0.997), _of_networks(0.25), _of_networks(0.0)
    ('all networks', 'nearly all networks', '25% of the networks', 'no network')
    """
    if share in (0.0, 1.0):
        return "all networks" if share else "no network"
    if share < 0.005 or share >= 0.995:
        return "nearly all networks" if share > 0.5 else "hardly any network"
    return f"{share:.0%} of the networks"


def _thesis(situation: Situation) -> Selection:
    return Selection(*thesis_rule(situation, whole=situation.kind != UNKNOWN))
