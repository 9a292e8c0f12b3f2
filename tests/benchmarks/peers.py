"""Packages from PyPI that find blankets, or graphs from which blankets can be read, each behind a few lines.

All get the same alpha. Where the package has a graph only, the blanket is read from it; where it has parents and
children only, they are compared with the true ones. pgmpy's own MMPC lets every variable enter whatever alpha says and
then tries all subsets, so its PC stands for it.
"""

from functools import partial

import library_path  # noqa: F401
import numpy as np
from tools import Tool

from himation.graphs import markov_blanket


def categories(problem):
    """A data frame of strings as categories, columns v0, v1, ..."""
    import pandas as pd

    return pd.DataFrame({f"v{i}": pd.Categorical(row.astype(str)) for i, row in enumerate(problem.codes)})


def number(name: str) -> int:
    return int(name[1:])


def blankets_of(edges, problem):
    """Blankets of the targets in the graph with these directed edges."""
    dag = np.zeros((len(problem.codes), len(problem.codes)), dtype=bool)
    for cause, effect in edges:
        dag[cause, effect] = True
    return [markov_blanket(dag, target) for target in problem.targets]


def causal_learn_prepare(problem):
    from causallearn.utils.cit import CIT

    return CIT(problem.codes.T.astype(int), "gsq")


def causal_learn_iamb(test, problem):
    from causallearn.utils.MarkovNetwork.iamb import iamb

    return (iamb(test, len(problem.codes), target, problem.alpha)[0] for target in problem.targets)


def integers(problem):
    import pandas as pd

    return pd.DataFrame(problem.codes.T.astype(int))


def pycausalfs(frame, problem, module):
    from importlib import import_module

    find = getattr(import_module(module), module.rsplit(".", 1)[1])
    return (find(frame, target, problem.alpha)[0] for target in problem.targets)


def agrum_prepare(problem):
    import pyagrum

    return pyagrum.BNLearner(categories(problem))


def agrum(learner, problem, use):
    getattr(learner, use)()
    return blankets_of(learner.learnDAG().arcs(), problem)


def bnesian_prepare(problem):
    import pybnesian

    frame = categories(problem)
    return frame, pybnesian.ChiSquare(frame)


def bnesian_mmpc(prepared, problem):
    import pybnesian

    graph = pybnesian.MMPC().estimate(prepared[1], alpha=problem.alpha)
    for name in (f"v{target}" for target in problem.targets):
        yield {number(x) for x in (*graph.neighbors(name), *graph.parents(name), *graph.children(name))}


def bnesian_pc(prepared, problem):
    import pybnesian

    graph = pybnesian.PC().estimate(prepared[1], alpha=problem.alpha, allow_bidirected=False)
    return blankets_of([(number(a), number(b)) for a, b in graph.to_approximate_dag().arcs()], problem)


def bnesian_climb(prepared, problem):
    import pybnesian

    frame, _ = prepared
    start, moves = pybnesian.DiscreteBN(list(frame.columns)), pybnesian.ArcOperatorSet()
    network = pybnesian.GreedyHillClimbing().estimate(moves, pybnesian.BDe(frame), start)
    return blankets_of([(number(a), number(b)) for a, b in network.arcs()], problem)


def pgmpy_pc(frame, problem):
    from pgmpy.causal_discovery import PC

    search = PC("stable", "chi_square", "dag", problem.alpha, max_cond_vars=3, show_progress=False)
    edges = search.fit(frame).causal_graph_.edges()
    return blankets_of([(number(a), number(b)) for a, b in edges], problem)


def causalfs_tool(method, module):
    module = f"pyCausalFS.CBD.MBs.{module}"
    return Tool("pyCausalFS", method, "pyCausalFS", (module,), integers, partial(pycausalfs, module=module))


def agrum_tool(method, use):
    return Tool("pyAgrum", method, "pyAgrum", ("pyagrum",), agrum_prepare, partial(agrum, use=use), whole=True)


def bnesian_tool(method, find, answers="blankets"):
    return Tool("PyBNesian", method, "pybnesian", ("pybnesian",), bnesian_prepare, find, answers, whole=True)


TOOLS = (
    Tool(
        "causal-learn",
        "IAMB",
        "causal-learn",
        ("causallearn.utils.cit", "causallearn.utils.MarkovNetwork.iamb"),
        causal_learn_prepare,
        causal_learn_iamb,
    ),
    causalfs_tool("IAMB", "IAMB"),
    causalfs_tool("MMMB", "MMMB.MMMB"),
    causalfs_tool("HITON-MB", "HITON.HITON_MB"),
    agrum_tool("MIIC, graph", "useMIIC"),
    agrum_tool("hill climbing, graph", "useGreedyHillClimbing"),
    bnesian_tool("MMPC", bnesian_mmpc, "neighbours"),
    bnesian_tool("PC, graph", bnesian_pc),
    bnesian_tool("hill climbing, graph", bnesian_climb),
    Tool("pgmpy", "PC, graph", "pgmpy", ("pgmpy.causal_discovery",), categories, pgmpy_pc, whole=True),
)
