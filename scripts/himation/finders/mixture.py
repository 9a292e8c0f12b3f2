"""Markov blanket filtering on a prepared table: by Bernoulli mixtures, and as Koller and Sahami have it."""

import numpy as np

from himation.errors import UserError
from himation.finders import Context, Found, require_two_classes
from himation.finders.ranked import fixed_size, found_from, simple_cut
from himation.table import BINARY, CONTINUOUS, Table

ENTROPIES = ("weighted", "published")


def find_mixture(table: Table, settings: dict, context: Context) -> Found:
    """Saeed's filter; binary tables with a binary target only."""
    from himation.finders.feature_space import sparse_examples
    from himation.models.bernoulli_mixture import COMPONENTS, GAMMA, class_mixtures
    from himation.rankings.mixture_filter import K, mixture_filter

    require_binary(table)
    k = int(settings.get("set_size", K))
    components, gamma = int(settings.get("components", COMPONENTS)), settings.get("regularisation", GAMMA)
    X = sparse_examples(table)
    positive, negative = class_mixtures(X, table.target, components, gamma, context.seed)
    correlation, relevance = correlations(table)
    entropy = settings.get("entropy", ENTROPIES[0])
    found = mixture_filter(positive, negative, correlation, relevance, k, entropy == "weighted", context.progress)
    details = {
        "set_size": k,
        "entropy": entropy,
        "components": [len(positive.weights), len(negative.weights)],
        "regularisation": gamma,
    }
    return _cut(table, found, settings, context, details)


def find_koller_sahami(table: Table, settings: dict, context: Context) -> Found:
    """The original filter, for tables and targets of discrete values."""
    from himation.files.memory import require
    from himation.rankings.koller_sahami import K, koller_sahami

    strange = [table.names[i] for i in range(table.n_variables) if table.kinds[i] == CONTINUOUS][:3]
    if strange or table.target_kind == CONTINUOUS:
        names = ", ".join(strange) or table.target_name
        raise UserError(f"koller-sahami needs discrete variables and target; continuous: {names}")
    require(1.0 * table.n_variables * table.train.n, "this table as a matrix of codes")
    k = int(settings.get("set_size", K))
    codes, arities = table.codes(range(table.n_variables))
    target = table.target_codes()
    known = correlations(table)[0] if table.kind == BINARY and table.target_kind == BINARY else None
    found = koller_sahami(codes, arities, target, int(target.max()) + 1, k, known, context.progress)
    return _cut(table, found, settings, context, {"set_size": k})


def require_binary(table: Table) -> None:
    """Refuse tables that are not binary, naming a column."""
    strange = [table.names[i] for i in range(table.n_variables) if table.kinds[i] != BINARY]
    if strange:
        names = ", ".join(strange[:3]) + (", ..." if len(strange) > 3 else "")
        raise UserError(f"mixtures need a table of binary variables; {len(strange)} are not: {names}")
    require_two_classes(table)


def correlations(table: Table) -> tuple[np.ndarray, np.ndarray]:
    """Absolute correlations of binary variables with each other, and with the target."""
    from himation.bits import count_bits, pack_bits
    from himation.files.memory import require
    from himation.rankings.markov_filter import binary_correlation

    require(4.0 * table.n_variables**2, "the matrix of correlations")
    n, bits = table.train.n, table.train.bits[table.row]
    positive = pack_bits(table.target_codes()[None, :].astype(np.uint8))
    ones, total = count_bits(bits).astype(float), float(count_bits(positive)[0])
    spread = np.sqrt(ones * (n - ones) * total * (n - total))
    relevance = np.abs(n * count_bits(bits & positive) - ones * total) / np.where(spread > 0, spread, 1.0)
    return binary_correlation(bits, n), relevance


def _cut(table: Table, found, settings: dict, context: Context, details: dict) -> Found:
    path: list = []
    size, rule = fixed_size(settings, table.n_variables), settings.get("cut", "auc")
    if size is None:
        size, path = simple_cut(table, found.order, np.array(found.deltas), rule, context)
    details = {**details, "cut": "size" if "size" in settings else rule, "deltas_computed": found.computed}
    return found_from(table, found.order, np.array(found.deltas), size, details, path)
