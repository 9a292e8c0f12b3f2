"""The natural blanket and the set that predicts in nature, from what was found and what rows held out say of it."""

from collections.abc import Sequence
from dataclasses import dataclass

from himation.independence.overall import Overall, goes_with_target
from himation.models.constructed import Constructed
from himation.nested.competing import JOINED, Found, Searched, competitors, in_order
from himation.nested.natural import Compared, compared, split
from himation.selection.comparing import Candidate, Choice, choose
from himation.table import Table


@dataclass(frozen=True)
class Settled:
    """Whether anything goes with the target (and the variables behind the columns that were asked), the sets that
    competed, the natural blanket, the set that predicts in nature by its name and surest first, and the widest that is
    no worse."""

    anything: Overall
    owners: tuple[int, ...]
    known: Compared
    candidates: tuple[Candidate, ...]
    blanket: Choice
    used: str
    natural: tuple[int, ...]
    widest: tuple[int, ...]


def settle(
    table: Table, found: Found, searched: Sequence[Searched], seed: int, outside: Sequence[int] | None = None
) -> Settled:
    """The first finder's set is the reference; without folds it is the natural blanket, and what predicts in nature.
    Where variables ``outside`` it join whatever predicts better, so they do in nature."""
    known = compared(split(searched)[0])
    everything = competitors(table, found)
    candidates = tuple(Candidate(name, members, known.expected(name)) for name, members in everything.items())
    anything, owners = goes_with_target(table, seed)
    strongest = next((owners[column] for column in anything.parts[0].columns), 0)
    reference = next(iter(found.sets))
    chosen = choose(candidates, reference, known.gain, found.feature_space, strongest, anything.found, outside)
    held = [one.name for one in candidates if one.members]
    used, widest = known.choose(anything.found, held), known.widest(anything.found, held)
    sets = [in_order(table, everything, name) for name in (used, widest)]
    if outside is not None:
        sets = [chosen.members, chosen.members]
    return Settled(anything, tuple(owners), known, candidates, chosen, used, *sets)


def products(found: Found, settled: Settled) -> tuple[Constructed, ...]:
    """The products that come with what was settled: those of the feature-space finders, where these join the natural
    blanket or predict in nature."""
    joins = {*settled.blanket.joined, settled.used} & {JOINED, *found.feature_space}
    return found.features if joins else ()
