"""Features that FSMB constructed, carried along to the model as columns of their own.

The rule, stated once. Where the comparison of blankets lets FSMB's variables join (thesis, V.2.2), its products of
several variables, or powers of one, join as well. Later steps decide on variables alone. The model gets the value of a
product as one more column if all of its variables were selected, and only then: a product of a variable that was
dropped because it is manipulated would bring that variable back.

>>> products = (Constructed("a*b", ((0, 1), (1, 1)), 2.0), Constructed("b", ((1, 1),), 1.0))
>>> [feature.name for feature in joining(products)]
['a*b']
>>> usable(products[:1], [0]), [feature.name for feature in usable(products[:1], [1, 0])]
((), ['a*b'])
"""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass

import numpy as np

from himation.table import BINARY, Table

Monomial = tuple[tuple[int, int], ...]


@dataclass(frozen=True)
class Constructed:
    """A product ((variable, power), ...) with its weight in FSMB's model, and how binary variables were coded."""

    name: str
    monomial: Monomial
    weight: float
    coding: str = "plus_minus"


def joining(features: Iterable[Constructed]) -> tuple[Constructed, ...]:
    """Those that are more than a single variable, each once, in the order given."""
    found: dict[tuple, Constructed] = {}
    for feature in features:
        if len(feature.monomial) > 1 or feature.monomial[0][1] > 1:
            found.setdefault((feature.monomial, feature.coding), feature)
    return tuple(found.values())


def usable(features: Sequence[Constructed], variables: Iterable[int]) -> tuple[Constructed, ...]:
    """Those all of whose variables were selected."""
    selected = set(variables)
    return tuple(feature for feature in features if selected.issuperset(v for v, _ in feature.monomial))


def model_columns(table: Table, variables, features: Sequence[Constructed] = (), part: str = "train") -> np.ndarray:
    """Examples by columns of a model: the selected variables, then the products."""
    X = table.features(variables, part)
    products = [product(table, feature, lambda x: table.numbers(x, part)) for feature in features]
    return np.column_stack([X, *products]) if products else X


def product(table: Table, feature: Constructed, numbers: Callable[[int], np.ndarray]) -> np.ndarray:
    """The values of a constructed feature, where ``numbers`` has those of its variables."""
    value = np.array(1.0)
    for variable, power in feature.monomial:
        own = numbers(variable)
        if table.kinds[variable] == BINARY and feature.coding == "plus_minus":
            own = 2.0 * own - 1.0
        value = value * own**power
    return value
