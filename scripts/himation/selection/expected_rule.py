"""The rule ``expected``: keep the variables with the best expected AUC under the manipulation (ours).

Candidates are the natural blanket; the variables that the averaged graphs put into the blanket though the blanket
finder missed them, as it does with a parent beside strong children; where something was manipulated, likely causes in
the networks drawn (`himation.selection.sampled`); and, where nobody knows what was manipulated, the possible ancestors
of the target (`himation.selection.ancestry`), which stand in for causes that the search missed.

With nothing manipulated the first two stay. Otherwise a candidate that the manipulation can hardly reach stays as well:
it does no harm, and the sample is too small to say that it does no good. The others, those that move in a quarter of
the worlds, must earn their place: `himation.selection.expected` eliminates them backward. For unknown manipulations so
must those that no graph joins to the target, what is surely no cause is given up, and possible ancestors stay only if
they are worth something together. A spouse goes with the last of the children that bring it. The sets of the other
rules compete with the set found so, and the answer says for each candidate how likely it is no cause of the target, and
what the expected AUC would be without it (or with it).

A manipulated child with an unmanipulated descendant among the candidates is where theorem V.1 of the thesis fails: the
natural P(T | S) misleads there. The worlds contain that case, the descendant moving with its manipulated parent, so a
descendant that misleads is left out where that helps.

The rule ``hedged``, the default, goes one step further where the model is an ensemble: it divides the variables among
the machines (`himation.selection.hedging`) if that is expected to do better than the best set, and else is the same.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace

import numpy as np

from himation.selection.ancestry import Ancestry
from himation.selection.expected import DRAWS, Expectation, Worlds, below_target, eliminate, order_of_trust
from himation.selection.hedging import hedge, share_with
from himation.selection.reported_roles import with_networks
from himation.selection.rule_names import EXPECTED, HEDGED
from himation.selection.rules import NATURAL, UNKNOWN, Selection, Situation, select
from himation.selection.worlds import draw_graphs

NEIGHBOUR = 0.5  # share of graphs with the edge from which a variable outside the natural blanket joins
SPOUSE = 0.7  # and P(spouse) from which it joins
THREATENED = 0.25  # share of the worlds in which a candidate moves, from which it must earn its place
STRANGERS = 0.015  # variables that neither blanket nor graphs join to the target must be worth this much together
LONELY_SPOUSE = 0.02  # a spouse without its children is kept only if it is worth more than this
RIVALS = ("natural", "parents", "thesis", "averaged")
LIKELY = 0.5
POSSIBLE = 0.25  # P(ancestor) from which a variable beside the blanket is considered: twice the base rate
SURELY_NONE = 0.97  # P(no cause) from which a candidate is given up where anything may be manipulated
FAR_LESS = 0.15  # and so is one that is this much less likely a cause than the likeliest
IN_NETWORKS = 0.2  # share of drawn networks that keep a variable intact, from which it is considered
UNRELATED = 0.1  # P(ancestor) of a variable that shows no relation to the target
MOST_ADDED = 60  # likely ancestors beside the blanket
MOST_CANDIDATES = 150  # of more, those with the strongest claim are considered
# Log-odds that a variable is no cause of the target: measured weights of what clues and graphs say.
CONSTANT, CLUES = 0.15, 0.9
DIRECTION, DENSE = 0.82, 0.92  # of the edge to the target; less, the larger the part of the table related to the target
FEW, MANY = 500, 1500  # examples: with few, what is related is so strongly, and half of that part counts
JOINED, STRENGTH = -1.6, 1.83  # presence of that edge, and its correlation: strong neighbours are more often effects
BELOW, NEAR = 0.21, 0.51  # a path down from the target; being in the region at all
SMOOTH = 0.05  # keeps the odds of unanimous graphs finite
NETWORK_CONSTANT, ALL_ELSE, INTACT = -0.13, 0.30, 1.05  # where networks were drawn: they, and all of the above
NETWORK_SMOOTH = 0.02
EVEN = 4e-3  # expectations closer than this are even, and the smaller set wins: a variable must earn its place


@dataclass(frozen=True)
class Choice:
    """The selection, in the order of trust; the path of elimination; and the sets that competed, by name.

    ``panels`` divides the selection among the machines of an ensemble, with weights; none if every machine has all.
    """

    selection: Selection
    path: list[Expectation]
    rivals: dict[str, Expectation]
    winner: str
    no_cause: dict[int, float] = field(default_factory=dict)  # P(no cause of the target) of every candidate
    panels: dict[tuple[int, ...], int] = field(default_factory=dict)


@dataclass(frozen=True)
class Graphs:
    """The oriented graphs of the region: their nodes, and one PDAG for each setting and sample."""

    nodes: tuple[int, ...]
    pdags: Sequence[np.ndarray]
    target: int


def candidates(situation: Situation, ancestry: Ancestry | None = None) -> list[int]:
    """The natural blanket, then what the graphs add to it, surest first, then possible ancestors, strongest first."""
    added = []
    for x, item in situation.evidence.items():
        edge = item.forward + item.backward + item.undirected
        if x not in situation.blanket and (edge >= NEIGHBOUR or (not item.neighbour and item.p_spouse >= SPOUSE)):
            added.append((-max(edge, item.p_spouse), x))
    found = [*situation.blanket, *(x for _, x in sorted(added))]
    if situation.kind == NATURAL or ancestry is None:
        return found
    least = IN_NETWORKS / max(ancestry.network_trust, IN_NETWORKS)
    drawn = [(-item.intact, x) for x, item in ancestry.shares.items() if item.intact >= least and x not in found]
    found += [x for _, x in sorted(drawn)]
    if situation.kind != UNKNOWN:
        return found
    possible = [x for x, p in ancestry.probability.items() if p >= POSSIBLE and x not in found]
    found += sorted(possible, key=lambda x: (-abs(ancestry.r[x]) * ancestry.probability[x], x))[:MOST_ADDED]
    if len(found) <= MOST_CANDIDATES:
        return found
    claim = {x: abs(ancestry.r.get(x, 0.0)) * (1 - no_cause(situation, ancestry, x)) for x in found}
    kept = set(sorted(found, key=lambda x: (-claim[x], x))[:MOST_CANDIDATES])
    return [x for x in found if x in kept]


def no_cause(
    situation: Situation, ancestry: Ancestry | None, x: int, below: float | None = None, seen: float = 1.0
) -> float:
    """P(x is no cause of the target), from the graphs, from marginal clues and from drawn networks.

    ``below`` is the share of the graphs with a path from the target down to x; None outside the region. ``seen`` is the
    share of the candidates that the region holds: graphs of a part are easily misled about a direction, and so are
    those of a table in which nearly everything goes with the target.
    """
    item = situation.of(x)
    p = ancestry.probability.get(x, UNRELATED) if ancestry is not None else LIKELY
    r = abs(ancestry.r.get(x, 0.0)) if ancestry is not None else 0.0
    joined = item.forward + item.backward + item.undirected
    log_odds = CONSTANT + CLUES * np.log((1 - p) / p) + (JOINED + STRENGTH * r) * joined
    direction = _log_ratio(item.backward + item.undirected / 2, item.forward + item.undirected / 2)
    log_odds += max(0.0, DIRECTION - DENSE * _density(ancestry)) * seen**2 * direction
    if below is not None:
        log_odds += NEAR + BELOW * _log_ratio(below, 1 - below)
    if ancestry is not None and x in ancestry.shares:
        intact, trust = ancestry.shares[x].intact, ancestry.network_trust
        network = INTACT * _log_ratio(1 - intact, intact, NETWORK_SMOOTH)
        log_odds = (1 - trust) * log_odds + trust * (NETWORK_CONSTANT + ALL_ELSE * log_odds + network)
    return float(1 / (1 + np.exp(-log_odds)))


def _density(ancestry: Ancestry | None) -> float:
    """The part of the table that is related to the target; of a small sample half as much."""
    if ancestry is None:
        return 0.0
    many = np.log(max(ancestry.n_examples, 1) / FEW) / np.log(MANY / FEW)
    return ancestry.related_share * (0.5 + 0.5 * min(max(many, 0.0), 1.0))


def _log_ratio(a: float, b: float, smooth: float = SMOOTH) -> float:
    return float(np.log((a + smooth) / (b + smooth)))


def select_expected(
    situation: Situation,
    columns: dict[int, np.ndarray],
    labels: np.ndarray,
    graphs: Graphs,
    chance: Callable[[int], float],
    seed: int = 1,
    draws: int = DRAWS,
    ancestry: Ancestry | None = None,
    progress: Callable[[int, int], None] | None = None,
    hedged: bool = False,
) -> Choice:
    """Choose by expected AUC. ``columns`` has the numbers of every candidate and every variable of the graphs.

    ``hedged`` says that the model is an ensemble, among whose machines the variables may be divided.
    """
    members = candidates(situation, ancestry)
    if situation.kind == NATURAL or not graphs.pdags:
        reasons = {x: _natural_reason(situation, x) for x in members}
        worlds = Worlds(columns, labels, graphs.target, members, [], chance, seed)
        only = worlds.expect(members)
        return Choice(Selection(tuple(members), reasons), [only], {EXPECTED: only}, EXPECTED)
    drawn = draw_graphs(graphs.nodes, graphs.pdags, graphs.target, draws, seed)
    below = below_target(drawn, graphs.nodes)
    seen = sum(x in below for x in members) / len(members) if members else 1.0
    doubt = {x: no_cause(situation, ancestry, x, below.get(x), seen) for x in members}
    worlds = Worlds(columns, labels, graphs.target, members, drawn, chance, seed, doubt)
    hopeful = _hopeful(situation, members, doubt, chance)
    open_ones = [x for x in hopeful if _must_earn(situation, worlds, x)]
    path = eliminate(worlds, hopeful, open_ones, progress)
    safe = set(hopeful) - set(open_ones)
    whole = [step for step in path if safe <= set(step.members)]
    found = _without_strangers(situation, worlds, best(whole))
    rivals = {EXPECTED: _without_lonely_spouses(situation, worlds, found)}
    for rule in RIVALS:
        inside = [x for x in select(rule, situation).chosen if x in worlds.place]
        rivals[rule] = worlds.expect(inside or members)
    winner, expect, panels = winning_set(rivals), worlds.expect, {}
    divided = hedge(worlds, [step.members for step in whole], rivals[winner]) if hedged else None
    if divided:
        winner, expect, panels = HEDGED, worlds.expect_hedged, divided.panels
        rivals = {HEDGED: divided.expectation, **rivals}
    trust = dict.fromkeys((*order_of_trust(path), *members))
    chosen = tuple(x for x in trust if x in rivals[winner].members)
    shown = with_networks(situation.evidence, ancestry) if ancestry else situation.evidence
    reasons = _reasons(replace(situation, evidence=shown), expect, rivals[winner], members, doubt, chance, panels)
    return Choice(Selection(chosen, reasons), path, rivals, winner, doubt, panels)


def _hopeful(situation: Situation, members: Sequence[int], doubt: dict[int, float], chance) -> list[int]:
    """Without what is surely no cause, or far less likely one than the likeliest, where anything may be manipulated."""
    if situation.kind != UNKNOWN:
        return list(members)
    least = max(1 - SURELY_NONE, FAR_LESS * (1 - min(doubt.values(), default=0.0)))
    return [x for x in members if 1 - doubt[x] >= least or chance(x) < 1] or list(members)


def best(path: Sequence[Expectation]) -> Expectation:
    """The highest point of the path; the smaller set where two are even."""
    top = max(step.auc for step in path)
    return min((step for step in path if step.auc >= top - EVEN), key=lambda step: len(step.members))


def _must_earn(situation: Situation, worlds: Worlds, x: int) -> bool:
    return worlds.moved[x] >= THREATENED or (situation.kind == UNKNOWN and not _joined(situation, x))


def _joined(situation: Situation, x: int) -> bool:
    item = situation.of(x)
    return item.neighbour and item.forward + item.backward + item.undirected >= NEIGHBOUR


def _without_strangers(situation: Situation, worlds: Worlds, found: Expectation) -> Expectation:
    """The set without possible ancestors that nothing joins to the target, unless causes were missed for which they
    stand in: then they are worth something."""
    joined = [x for x in found.members if x in situation.blanket or _joined(situation, x)]
    if not joined or len(joined) == len(found.members):
        return found
    without = worlds.expect(joined)
    return without if without.auc > found.auc - STRANGERS else found


def _without_lonely_spouses(situation: Situation, worlds: Worlds, found: Expectation) -> Expectation:
    """The set without spouses whose children are all gone, unless a spouse turns out to be worth something."""
    for x in found.members:
        through = [c for c, share in situation.of(x).spouse_through.items() if share > LIKELY]
        if len(found.members) == 1 or not through or any(c in found.members for c in through):
            continue
        without = worlds.expect([y for y in found.members if y != x])
        if without.auc > found.auc - LONELY_SPOUSE:
            found = without
    return found


def winning_set(rivals: dict[str, Expectation]) -> str:
    """Of the undivided sets that of ``expected``, unless another rule's is better by more than what counts as even."""
    sets = {rule: item for rule, item in rivals.items() if rule != HEDGED}
    name = max(sets, key=lambda rule: sets[rule].auc)
    return name if sets[name].auc > sets[EXPECTED].auc + EVEN else EXPECTED


def _natural_reason(situation: Situation, x: int) -> str:
    if x in situation.blanket:
        return "in the natural blanket"
    item = situation.of(x)
    return f"{item.role} in the oriented graphs: joins the natural blanket"


def _reasons(situation, expect, chosen: Expectation, members, doubt, chance, panels) -> dict[int, str]:
    reasons = {}
    for x in members:
        reached = "manipulated" if chance(x) == 1 else "not manipulated" if chance(x) == 0 else "perhaps manipulated"
        if situation.kind == UNKNOWN and chance(x) == 1:
            reached = "perhaps manipulated"
        what = f"{situation.of(x).role}, chance of losing its link if manipulated {doubt[x]:.2f}, {reached}"
        if x in chosen.members:
            rest = [y for y in chosen.members if y != x]
            other = expect(rest).auc if rest else 0.5
            kept = f"kept by {share_with(panels, x):.0%} of the machines" if panels else "kept"
            reasons[x] = f"{what}: {kept}, without it the expected AUC is {other:.3f} in place of {chosen.auc:.3f}"
        else:
            other = expect([*chosen.members, x]).auc
            verdict = "dropped, it would add too little" if other > chosen.auc else "dropped"
            reasons[x] = f"{what}: {verdict}, with it the expected AUC is {other:.3f} in place of {chosen.auc:.3f}"
    return reasons
