"""Our own methods, as `tools.Tool`. Packing the bits of the data counts as loading: prepared data are stored packed."""

from functools import partial

import library_path  # noqa: F401
from tools import Tool

from himation.blanket.iamb import iamb
from himation.blanket.mmmb import mmmb
from himation.blanket.mmpc import Neighbours, mmpc
from himation.blanket.pcmb import boundary, get_pcd
from himation.independence import GSquare


def prepare(problem):
    return GSquare.from_codes(problem.codes, problem.arities)


def with_neighbours(test, problem, search, answer, threads=1):
    """All targets share one memory of the neighbourhoods."""
    neighbours = Neighbours(test, problem.alpha, search=search, threads=threads)
    if threads > 1 and len(problem.targets) > 1:
        neighbours.prefetch(problem.targets)
    return (answer(neighbours, target) for target in problem.targets)


def mmmb_members(neighbours, target):
    return mmmb(neighbours, target).members


def pcmb_members(neighbours, target):
    return boundary(neighbours, target).members


def iamb_members(test, problem):
    return (iamb(test, target, problem.alpha).members for target in problem.targets)


def plain_mmpc(test, problem):
    return (mmpc(test, target, problem.alpha).members for target in problem.targets)


def own(method, find, answers="blankets"):
    return Tool("Himation", method, "numba", (), prepare, find, answers)


MMMB = own("MMMB", partial(with_neighbours, search=mmpc, answer=mmmb_members))
PCMB = own("PCMB", partial(with_neighbours, search=get_pcd, answer=pcmb_members))
MMMB_THREADS = own("MMMB, 2 threads", partial(with_neighbours, search=mmpc, answer=mmmb_members, threads=2))
PCMB_THREADS = own("PCMB, 2 threads", partial(with_neighbours, search=get_pcd, answer=pcmb_members, threads=2))
IAMB = own("IAMB", iamb_members)
MMPC = own("MMPC", partial(with_neighbours, search=mmpc, answer=Neighbours.of), "neighbours")
PLAIN_MMPC = own("MMPC, no symmetry", plain_mmpc, "neighbours")

TOOLS = (MMMB, MMMB_THREADS, PCMB, PCMB_THREADS, IAMB, MMPC, PLAIN_MMPC)
