"""Networks from files: what pgmpy reads of discrete variables, as arrays; and whether a simulation can be drawn."""

from functools import cache
from pathlib import Path

import numpy as np

from himation.errors import UserError
from himation.files.frames import is_number
from himation.files.network_file import FORMATS, format_of
from himation.files.texts import MISSING_WORDS, decoded, listed, read_bytes
from himation.studies.simulate.discrete import Network, make_problem
from himation.studies.simulate.tasks import simulate as draw
from himation.task_names import TASKS

_ROUNDING = 0.02  # a row of a table may miss a sum of 1 by this much, and is scaled


def open_task(network: str, seed: int, target: str | None = None, positive: str | None = None):
    """What `tasks.simulate` draws: the name of a task, or the problem that a network in a file is."""
    if network in TASKS:
        return network
    if target is None:
        raise UserError(f"{network}: name the variable to be predicted, target: NAME")
    found, states = read_network(network)
    words = [states[j] if name == target else words_in_table(states[j]) for j, name in enumerate(found.names)]
    try:
        return make_problem(found, words, target, positive, seed)
    except UserError as error:
        raise UserError(f"{network}: {error}") from None


def words_in_table(states) -> tuple[str, ...]:
    """The states of a variable as a table holds them: none of them is read as a number or as a missing value.

    >>> words_in_table(("low", "high")), words_in_table(("None", "Mild"))
    (('low', 'high'), ('state None', 'state Mild'))
    """
    odd = any(state in MISSING_WORDS or is_number(state) for state in states)
    return tuple(f"state {state}" if odd else state for state in states)


@cache
def read_network(path: str):
    """The network in a file, its variables in alphabetical order, and the states of each as the file names them."""
    reader = FORMATS[format_of(path)]
    text = decoded(read_bytes(Path(path)), path)
    try:
        from pgmpy import readwrite
    except ImportError:
        raise UserError(f"{path}: networks are read by the package pgmpy: pip install pgmpy") from None
    from joblib import parallel_config

    try:
        with parallel_config(backend="threading"):  # its readers would start processes
            model = getattr(readwrite, reader)(string=text).get_model()
        cpds = {cpd.variable: cpd for cpd in model.get_cpds()}
        names = tuple(sorted(map(str, model.nodes)))
    except Exception as error:  # whatever its parsers meet
        why = " ".join(str(error).split())[:120] or type(error).__name__
        raise UserError(f"{path}: pgmpy can't read this network ({why})") from None
    if not names:
        raise UserError(f"{path}: pgmpy finds no variable in this file")
    without = [name for name in names if name not in cpds]
    if without:
        raise UserError(f"{path}: no probabilities of {listed(without)}")
    return _network(path, names, cpds)


def _network(path, names, cpds):
    parents, tables, states = [], [], []
    for name in names:
        cpd = cpds[name]
        causes = sorted(cpd.variables[1:])
        table = np.transpose(cpd.values, [cpd.variables.index(word) for word in (*causes, name)])
        total = table.sum(axis=-1, keepdims=True)
        if not (np.isfinite(table).all() and (table >= 0).all() and (abs(total - 1) <= _ROUNDING).all()):
            raise UserError(f"{path}: the probabilities of {name!r} do not add up to 1")
        own = {cause: [str(word) for word in cpd.state_names[cause]] for cause in causes}
        for axis, cause in enumerate(causes):  # in the order in which the cause itself has them
            order = [own[cause].index(str(word)) for word in cpds[cause].state_names[cause]]
            table, total = np.take(table, order, axis=axis), np.take(total, order, axis=axis)
        parents.append(tuple(names.index(cause) for cause in causes))
        tables.append(table / total)
        states.append(tuple(str(word) for word in cpd.state_names[name]))
    return Network(names, tuple(parents), tuple(tables)), tuple(states)


_FEW = 100


def draw_a_few(simulate: dict, seed: int) -> None:
    """Simulate as the job will, but few examples: what it would refuse is refused here."""
    sizes, adult = [min(simulate[key], _FEW) for key in ("train", "test")], None
    if "adult" in simulate:
        from himation.studies.simulate.adult_table import read_adult

        sizes, adult = [simulate["train"], simulate["test"]], read_adult(simulate["adult"])
    listed = simulate.get("manipulate") or None
    listed = (listed,) if isinstance(listed, str) else listed and tuple(listed)
    version, variables, seed = simulate.get("version", 0), simulate.get("variables"), simulate.get("seed", seed)
    network = open_task(simulate["network"], seed, simulate.get("target"), simulate.get("positive"))
    drawn = draw(network, seed, version, *sizes, variables, listed, adult)
    if simulate["train"] == sizes[0] and len(set(drawn.train.target.tolist())) < 2:
        raise UserError(f"simulate: all {sizes[0]} training examples are of one class; write a larger 'train'")
