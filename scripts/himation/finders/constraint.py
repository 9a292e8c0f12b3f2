"""MMPC, MMMB, HITON, the IAMB family and PCMB: finders that work by tests of conditional independence."""

from __future__ import annotations

from typing import TYPE_CHECKING

from himation.finders import Context, Found
from himation.finders.ranked import nested_auc
from himation.rows import TEST_ROWS, rows_used
from himation.table import Table
from himation.table_tests import neighbours_for, starting_points, test_for

if TYPE_CHECKING:
    from himation.blanket.mmpc import Neighbours
    from himation.blanket.search import Blanket

RUNS = 10


def find_neighbours(table: Table, settings: dict, context: Context, search: str) -> Found:
    """Parents and children alone."""
    neighbours = neighbours_for(table, context.test, settings, search, context.threads)
    strength = neighbours.strength(table.n_variables)
    members = tuple(sorted(strength, key=lambda x: (-strength[x], x)))
    return Found(members, tuple(strength[x] for x in members), details_of(neighbours, table))


def find_mmpc(table: Table, settings: dict, context: Context) -> Found:
    return find_neighbours(table, settings, context, "mmpc")


def find_mmmb(table: Table, settings: dict, context: Context) -> Found:
    from himation.blanket.mmmb import mmmb

    neighbours = neighbours_for(table, context.test, settings, threads=context.threads)
    return with_spouses(mmmb(neighbours, table.n_variables, settings.get("spouses", "strict")), neighbours, table)


def with_spouses(blanket: Blanket, neighbours: Neighbours, table: Table) -> Found:
    """A blanket made of parents and children and their spouses, with details on the former."""
    details = {"neighbours": [table.names[x] for x in blanket.neighbours], **details_of(neighbours, table)}
    return Found(blanket.members, blanket.strength, details)


def details_of(neighbours: Neighbours, table: Table) -> dict:
    """Details on where searches start, on how many rows of a long table tests use, and on what the correction for
    symmetry took from the target's neighbours, with a warning if it took most.

    Columns that are nearly the same shadow each other: given one, the target tells nothing more about the other, so
    the target is in the neighbourhood of neither.
    """
    details: dict = {"starts": starting_points(neighbours)} if neighbours.test.most_candidates else {}
    if 0 < neighbours.test.n < table.train.n:
        details["rows"] = rows_used(neighbours.test.n, table)
    plain, own = neighbours.plain(table.n_variables).members, neighbours.of(table.n_variables)
    if neighbours.symmetry != "and" or len(own) == len(plain):
        return details
    details["uncorrected"] = [table.names[x] for x in plain]
    if 2 * len(own) < len(plain):
        names = ", ".join(details["uncorrected"][:5]) + (", ..." if len(plain) > 5 else "")
        details["warning"] = (
            f"the correction for symmetry left {len(own) or 'none'} of {len(plain)} parents and children ({names}); "
            "columns that are nearly the same shadow each other. Details have the uncorrected set"
        )
    return details


def find_hiton_pc(table: Table, settings: dict, context: Context) -> Found:
    return find_neighbours(table, settings, context, "hiton-pc")


def find_si_hiton_pc(table: Table, settings: dict, context: Context) -> Found:
    return find_neighbours(table, settings, context, "si-hiton-pc")


def find_hiton_mb(table: Table, settings: dict, context: Context) -> Found:
    from himation.blanket.hiton import hiton_mb

    neighbours = neighbours_for(table, context.test, settings, "hiton-pc", context.threads)
    spouses = settings.get("spouses", "published")
    return with_spouses(hiton_mb(neighbours, table.n_variables, spouses), neighbours, table)


def find_hiton(table: Table, settings: dict, context: Context) -> Found:
    """HITON-MB, then the wrapper."""
    from himation.blanket.wrapper import wrapper

    blanket = find_hiton_mb(table, settings, context)
    score = dict(zip(blanket.members, blanket.scores, strict=True))
    tolerance = settings.get("tolerance", 0.0)
    kept, auc = wrapper(
        blanket.members, lambda members: nested_auc(table, members, context), tolerance, context.progress
    )
    before = [table.names[x] for x in blanket.members]
    return Found(kept, tuple(score[x] for x in kept), {**blanket.details, "before_wrapper": before, "auc": auc})


def _test(table: Table, settings: dict, context: Context):
    return test_for(table, context.test, rows=settings.get("rows", TEST_ROWS))


def find_pcmb(table: Table, settings: dict, context: Context) -> Found:
    from himation.blanket.pcmb import boundary

    neighbours = neighbours_for(table, context.test, {**settings, "symmetry": "and"}, "get-pcd", context.threads)
    return with_spouses(boundary(neighbours, table.n_variables), neighbours, table)


def find_iamb(table: Table, settings: dict, context: Context) -> Found:
    from himation.blanket.iamb import ALPHA, iamb

    test, phases = _test(table, settings, context), settings.get("phases", "repeated")
    found = iamb(test, table.n_variables, settings.get("alpha", ALPHA), phases)
    return Found(found.members, found.strength)


def find_inter_iamb(table: Table, settings: dict, context: Context) -> Found:
    from himation.blanket.iamb import ALPHA, inter_iamb

    found = inter_iamb(_test(table, settings, context), table.n_variables, settings.get("alpha", ALPHA))
    return Found(found.members, found.strength)


def find_gs(table: Table, settings: dict, context: Context) -> Found:
    from himation.blanket.iamb import ALPHA, grow_shrink

    found = grow_shrink(_test(table, settings, context), table.n_variables, settings.get("alpha", ALPHA))
    return Found(found.members, found.strength)


def find_kiamb(table: Table, settings: dict, context: Context) -> Found:
    from himation.blanket.iamb import ALPHA, Growth, K

    growth = Growth(_test(table, settings, context), table.n_variables, settings.get("alpha", ALPHA))
    k, phases = settings.get("k", K), settings.get("phases", "repeated")
    return _most_frequent(lambda rng: growth.random_blanket(k, rng, phases), table, settings, context)


def find_kpcmb(table: Table, settings: dict, context: Context) -> Found:
    from himation.blanket.iamb import ALPHA, K
    from himation.blanket.pcmb import MAX_CONDITIONING, kpcmb

    test = _test(table, settings, context)
    alpha, most = settings.get("alpha", ALPHA), settings.get("max_conditioning", MAX_CONDITIONING)
    k = settings.get("k", K)
    return _most_frequent(lambda rng: kpcmb(test, table.n_variables, alpha, most, k, rng), table, settings, context)


def _most_frequent(find, table: Table, settings: dict, context: Context) -> Found:
    """Several runs: the most frequent blanket (then the better AUC, the smaller), and all of them in the details."""
    from himation.blanket.runs import distinct

    runs = settings.get("runs", RUNS)
    found = [
        (blanket, count, nested_auc(table, blanket.members, context))
        for blanket, count in distinct(find, runs, context.seed, context.progress)
    ]
    found.sort(key=lambda item: (-item[1], -item[2], len(item[0].members), sorted(item[0].members)))
    blankets = [
        {"members": [table.names[x] for x in blanket.members], "count": count, "auc": auc}
        for blanket, count, auc in found
    ]
    best = found[0][0]
    return Found(best.members, best.strength, {"runs": runs, "blankets": blankets})
