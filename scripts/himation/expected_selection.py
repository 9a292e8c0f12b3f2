"""The rule ``expected``: keep the variables with the best expected AUC under the manipulation (ours).

Candidates are the natural blanket, and the variables that the averaged graphs put into the blanket though the blanket
finder missed them: at a few hundred examples a parent that stands beside strong children is easily missed, and the
graphs, which weigh all edges together, find it again.

With nothing manipulated all candidates stay. Otherwise `himation.expected` eliminates candidates backward, and the sets
of the other rules compete with the best set of that path. The answer says for each candidate how often it is below the
target, and what the expected AUC would be without it (or with it).

A manipulated child with an unmanipulated descendant among the candidates is where theorem V.1 of the thesis fails: the
natural P(T | S) misleads there. The worlds contain that case, the descendant moving with its manipulated parent, so a
descendant that misleads is left out where that helps.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

import numpy as np

from himation.expected import DRAWS, Expectation, Worlds, eliminate, order_of_trust
from himation.selection import NATURAL, Selection, Situation, select
from himation.worlds import DOUBT, draw_graphs

NEIGHBOUR = 0.5  # share of graphs with the edge from which a variable outside the natural blanket joins
SPOUSE = 0.7  # and P(spouse) from which it joins
RIVALS = ("natural", "parents", "thesis", "averaged")
EVEN = 1e-3  # expectations closer than this are even, and the smaller set wins: a variable must earn its place


@dataclass(frozen=True)
class Choice:
    """The selection, in the order of trust; the path of elimination; and the sets that competed, by name."""

    selection: Selection
    path: list[Expectation]
    rivals: dict[str, Expectation]
    winner: str
    below: dict[int, float] = field(default_factory=dict)  # share of graphs with the variable below the target


@dataclass(frozen=True)
class Graphs:
    """The oriented graphs of the region: their nodes, and one PDAG for each setting and sample."""

    nodes: tuple[int, ...]
    pdags: Sequence[np.ndarray]
    target: int


def candidates(situation: Situation) -> list[int]:
    """The natural blanket, then what the graphs add to it, surest first."""
    added = []
    for x, item in situation.evidence.items():
        edge = item.forward + item.backward + item.undirected
        if x not in situation.blanket and (edge >= NEIGHBOUR or (not item.neighbour and item.p_spouse >= SPOUSE)):
            added.append((-max(edge, item.p_spouse), x))
    return [*situation.blanket, *(x for _, x in sorted(added))]


def select_expected(
    situation: Situation,
    columns: dict[int, np.ndarray],
    labels: np.ndarray,
    graphs: Graphs,
    chance: Callable[[int], float],
    seed: int = 1,
    draws: int = DRAWS,
    doubt: float = DOUBT,
    progress: Callable[[int, int], None] | None = None,
) -> Choice:
    """Choose by expected AUC. ``columns`` has the numbers of every candidate and every variable of the graphs."""
    members = candidates(situation)
    if situation.kind == NATURAL or not graphs.pdags:
        reasons = {x: _natural_reason(situation, x) for x in members}
        worlds = Worlds(columns, labels, graphs.target, members, [], chance, seed)
        only = worlds.expect(members)
        return Choice(Selection(tuple(members), reasons), [only], {"expected": only}, "expected")
    drawn = draw_graphs(graphs.nodes, graphs.pdags, graphs.target, draws, seed)
    below = {x: float(np.mean([x in graph.descendants for graph in drawn])) for x in members}
    worlds = Worlds(columns, labels, graphs.target, members, drawn, chance, seed, doubt)
    path = eliminate(worlds, members, progress)
    rivals = {"expected": best(path)}
    for rule in RIVALS:
        rivals[rule] = worlds.expect(select(rule, situation).chosen)
    winner = _winner(rivals)
    trust = order_of_trust(path)
    chosen = tuple(x for x in trust if x in rivals[winner].members)
    reasons = _reasons(situation, worlds, rivals[winner], members, below, chance)
    return Choice(Selection(chosen, reasons), path, rivals, winner, below)


def best(path: Sequence[Expectation]) -> Expectation:
    """The highest point of the path; the smaller set where two are even."""
    top = max(step.auc for step in path)
    return min((step for step in path if step.auc >= top - EVEN), key=lambda step: len(step.members))


def _winner(rivals: dict[str, Expectation]) -> str:
    """``expected``, unless another rule's set is better by more than what counts as even."""
    name = max(rivals, key=lambda rule: rivals[rule].auc)
    return name if rivals[name].auc > rivals["expected"].auc + EVEN else "expected"


def _natural_reason(situation: Situation, x: int) -> str:
    if x in situation.blanket:
        return "in the natural blanket"
    item = situation.of(x)
    return f"{item.role} in the oriented graphs: joins the natural blanket"


def _reasons(situation, worlds, chosen: Expectation, members, below, chance) -> dict[int, str]:
    reasons = {}
    for x in members:
        reached = "manipulated" if chance(x) == 1 else "not manipulated" if chance(x) == 0 else "perhaps manipulated"
        if situation.kind == "unknown" and chance(x) == 1:
            reached = "perhaps manipulated"
        what = f"{situation.of(x).role}, below the target in {100 * below[x]:.0f} % of the graphs, {reached}"
        if x in chosen.members:
            rest = [y for y in chosen.members if y != x]
            other = worlds.expect(rest).auc if rest else 0.5
            reasons[x] = f"{what}: kept, without it the expected AUC is {other:.3f} in place of {chosen.auc:.3f}"
        else:
            other = worlds.expect([*chosen.members, x]).auc
            reasons[x] = f"{what}: dropped, with it the expected AUC is {other:.3f} in place of {chosen.auc:.3f}"
    return reasons
