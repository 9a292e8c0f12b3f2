"""The roles that are reported: those of networks drawn from their posterior, as far as these are trusted.

Shares of the networks (`himation.selection.sampled`) are calibrated as they are. On 124 simulated problems of ten kinds
93 % of the 58 variables that 70 to 90 % of the networks had as parents were parents, 98 % of the 178 above that, and
56, 38 and 18 % of those around 60, 39 and 18 %. Networks know of no hidden causes, so P(confounded) stays what PDAGs
and Y-tests say (`himation.selection.roles`), and so do the roles of what is in no network.
"""

from dataclasses import replace

from himation.selection.ancestry import Ancestry
from himation.selection.roles import CHILD, CONFOUNDED, NONE, PARENT, SPOUSE, UNDIRECTED, Evidence

LEAST = 0.5  # of the probabilities of a role together, from which a variable has one


def with_networks(evidence: dict[int, Evidence], ancestry: Ancestry) -> dict[int, Evidence]:
    """The same evidence with the probabilities and roles that drawn networks give, as far as they are trusted."""
    trust, found = ancestry.network_trust, dict(evidence)
    for x, shares in ancestry.shares.items():
        old = evidence.get(x) or Evidence(x)
        left = trust * (1 - old.p_confounded)
        parent = (1 - trust) * old.p_parent + left * shares.parent
        child = (1 - trust) * old.p_child + left * shares.child
        spouse = min(old.p_spouse, max(0.0, 1 - parent - child - old.p_confounded))
        new = replace(old, p_parent=parent, p_child=child, p_spouse=spouse)
        if trust > LEAST:
            new.role = _likeliest(new)
        if new.p_outside < 1:
            found[x] = new
    return found


def _likeliest(item: Evidence) -> str:
    if item.p_confounded > max(item.p_parent, item.p_child):
        return CONFOUNDED
    if item.p_parent + item.p_child + item.p_confounded < LEAST:
        return SPOUSE if item.p_spouse >= LEAST else NONE
    if item.p_parent == item.p_child:
        return UNDIRECTED
    return PARENT if item.p_parent > item.p_child else CHILD
