"""Questions to the results of a data set, in a notebook: to a folder such as results/trial, or to a fitted `Himation`.

import himation
himation.effect("results/trial", "dose", 10, 25)
himation.network("results/trial").edges(data=True)
"""

from pathlib import Path

from himation.errors import UserError
from himation.files import prepared
from himation.files.column_names import resolve
from himation.files.networks_file import read_networks
from himation.files.nodes import Nodes
from himation.posterior.effects import Effect
from himation.posterior.effects import effect as of_networks
from himation.posterior.networks import Networks
from himation.table import BINARY, Table


def effect(results, variable, before, after, seed: int = 1) -> Effect:
    """The change of P(positive) if a variable were set to ``after`` where it is ``before``: mean, 90 % interval, and
    the probability that the variable is a cause at all."""
    return one_effect(*_read(results), variable, before, after, seed)


def network(results):
    """The sampled networks as one networkx graph by names: every edge has a ``probability``,
    and says whether it is in the ``consensus`` of most networks."""
    from himation.files.graph_files import to_networkx

    return _with("networkx", to_networkx, results)


def bayesian_network(results):
    """The consensus of a table of discrete variables with its chances, as pgmpy's DiscreteBayesianNetwork."""
    from himation.files.graph_files import to_pgmpy

    return _with("pgmpy", to_pgmpy, results)


def _with(package: str, convert, results):
    try:
        return convert(_graph(results))
    except ModuleNotFoundError:
        raise UserError(f"this needs {package}: pip install 'himation[networks]', or {package} alone") from None


def _graph(results):
    from himation.files.graph_files import Graph

    return Graph(*_read(results))


def _read(results) -> tuple[Table, Networks]:
    if hasattr(results, "networks_"):
        return results.table_, results.networks_
    folder = Path(results)
    table = prepared.load(folder / "data")
    if not (folder / "networks.npz").is_file():
        raise UserError(f"{folder / 'networks.npz'}: no such file; run snakemake first")
    return table, read_networks(folder / "networks.npz", Nodes(table))


def one_effect(table: Table, networks: Networks, variable, before, after, seed: int = 1) -> Effect:
    """The same with the variable by name or 1-based column, and with values as somebody writes them."""
    [position] = resolve([variable], table.file_columns(), "variable")
    places = {int(column): x for x, column in enumerate(table.columns)}
    if position + 1 not in places:
        why = next(item.words for item in table.dropped if item.column == position + 1)
        raise UserError(f"variable: {variable!r} is no variable of the search ({why})")
    x = places[position + 1]
    return of_networks(table, networks, x, *(_value(table, x, value) for value in (before, after)), seed)


def _value(table: Table, x: int, given):
    """A level of the table, or a number."""
    for level in table.levels[x] or ():
        if given == level or str(given) == str(level):
            return level
    if table.is_text(x) or table.kinds[x] == BINARY:
        return given
    try:
        return float(given)
    except ValueError:
        return str(given)
