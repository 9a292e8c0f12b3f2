"""What all estimators share: from a matrix or data frame to a `Table`, to a finder, to a mask over the columns.

An estimator stores its parameters and nothing else; ``fit`` checks them, works out the type of every column as the
workflow does (`himation.prepare.preparing`), and calls the finder of the registry. What it learned ends in an
underscore.
"""

from dataclasses import dataclass
from typing import Any, ClassVar, Self

import numpy as np
from sklearn.base import BaseEstimator
from sklearn.feature_selection import SelectorMixin
from sklearn.utils import ClassifierTags
from sklearn.utils.validation import check_is_fitted, validate_data

from himation.bits import pack_bits
from himation.errors import UserError, suggestion
from himation.files.tables import RawTable, from_frame, listed
from himation.finders import Context, check_settings
from himation.methods import METHODS, finder
from himation.prepare.preparing import TYPES, prepare
from himation.table import KINDS

_COLUMNS_AT_ONCE = 4_096
_LARGEST_SEED = 2**31 - 1


# eq and repr are scikit-learn's own
estimator = dataclass(kw_only=True, eq=False, repr=False)


@estimator
class BlanketFinder(SelectorMixin, BaseEstimator):
    """A blanket finder as a selector of columns.

    Parameters that every finder has
    --------------------------------
    types : "auto", "continuous", "binary", "discrete", "mixed", or a dictionary from column names to types.
        auto: two values are binary, at most ten whole numbers discrete, anything else continuous. Columns of words in
        a data frame are discrete.
    random_state : int, RandomState or None
        Where folds and random searches start. 1 unless given: the same data give the same answer.
    n_jobs : int or None
        Threads; the answer is the same with any number.

    Attributes after fit
    --------------------
    blanket_ : array of names (of positions if X has no names), best first.
    scores_ : what ranks them, in the same order.
    support_ : mask over the columns of X.
    kinds_ : type of every column of X; "dropped" for constant columns and for copies of another one.
    features_ : products of columns that a feature-space method found, as tuples of (position, power).
    details_ : what else the finder reports.
    """

    method: ClassVar[str] = ""
    two_classes: ClassVar[bool] = False  # whether the target must have two values, at least with default parameters

    types: str | dict = "auto"
    random_state: int | np.random.RandomState | None = 1
    n_jobs: int | None = None

    def fit(self, X: Any, y: Any) -> Self:
        """Find the blanket of ``y`` among the columns of ``X``: an array, a sparse matrix or a data frame."""
        words = _columns_of_words(X)
        kind = None if words else "numeric"
        checked, y = validate_data(self, X, y, dtype=kind, accept_sparse="csr", ensure_min_samples=2)
        try:
            self._find(_raw_table(self, X if words else checked), _target(y))
        except UserError as error:
            raise ValueError(str(error)) from error
        return self

    def _find(self, raw: RawTable, target: np.ndarray) -> None:
        settings = {key: getattr(self, key, None) for key in METHODS[self.method].parameters}
        settings = {key: value for key, value in settings.items() if value is not None}
        check_settings(self.method, settings)
        _check_types(self.types, raw.names)
        table = prepare(raw, target, types=self.types, any_target=True)
        found = finder(self.method)(table, settings, self._context())
        positions = table.columns - 1
        members = positions[list(found.members)].astype(np.int64)
        names = getattr(self, "feature_names_in_", None)
        self.blanket_ = members if names is None else names[members]
        self.scores_ = np.array(found.scores, dtype=np.float64)
        self.support_ = np.zeros(self.n_features_in_, dtype=bool)
        self.support_[members] = True
        self.kinds_ = np.full(self.n_features_in_, "dropped", dtype=object)
        self.kinds_[positions] = table.kinds
        self.features_ = tuple(
            tuple(sorted((int(positions[x]), power) for x, power in product)) for product in found.features
        )
        self.details_ = found.details

    def _context(self) -> Context:
        from joblib import effective_n_jobs

        return Context(getattr(self, "independence", "auto"), _seed(self.random_state), effective_n_jobs(self.n_jobs))

    def _get_support_mask(self) -> np.ndarray:
        check_is_fitted(self)
        return self.support_

    def __sklearn_tags__(self):
        tags = super().__sklearn_tags__()
        tags.target_tags.required = True
        tags.input_tags.sparse = True
        if self.two_classes:
            tags.classifier_tags = ClassifierTags(multi_class=False)
        return tags


@estimator
class IndependenceFinder(BlanketFinder):
    """A finder that works by tests of conditional independence.

    independence : "auto", "g2-or-fisherz", "g2", "pearson", "permutation", "fisherz" or "mixed".
        auto is g2 where all is discrete, fisherz where all columns are continuous, mixed otherwise, for which
        g2-or-fisherz takes fisherz too.
    alpha : level of the tests.
    """

    independence: str = "auto"
    alpha: float = 0.05


def _columns_of_words(X) -> list[str]:
    """The columns of a data frame that hold no numbers. Missing ones are refused here, for words can't be imputed."""
    if not hasattr(X, "select_dtypes"):
        return []
    words = X.select_dtypes(exclude=["number", "bool"])
    absent = words.columns[words.isna().any()]
    if len(absent):
        raise ValueError(f"missing values in column {listed(absent)}; fill them in, or leave these examples out")
    return list(words.columns)


def _raw_table(fitted, X) -> RawTable:
    """The form in which the workflow reads tables; columns without names are x0, x1, ... as in scikit-learn."""
    if hasattr(X, "iloc"):
        return from_frame("X", X, text_columns=None, first_line=1)
    n, p = X.shape
    names = [str(name) for name in fitted.feature_names_in_] if hasattr(fitted, "feature_names_in_") else None
    names = names or [f"x{i}" for i in range(p)]
    if not hasattr(X, "tocsc"):
        return RawTable("X", names, n, values=np.array(X.T, dtype=np.float64, order="C"))
    X = X.tocsc()
    X.eliminate_zeros()
    if not (X.data == 1).all():
        return RawTable("X", names, n, values=np.ascontiguousarray(X.toarray().T, dtype=np.float64))
    starts = range(0, p, _COLUMNS_AT_ONCE)
    parts = [pack_bits(np.ascontiguousarray(X[:, i : i + _COLUMNS_AT_ONCE].toarray().T != 0)) for i in starts]
    return RawTable("X", names, n, bits=np.concatenate(parts))


def _check_choice(what: str, value, allowed) -> None:
    if value not in allowed:
        raise UserError(f"{what} is {value!r}; {suggestion(str(value), allowed)}")


def _check_types(types, names) -> None:
    if not isinstance(types, dict):
        return _check_choice("types", types, TYPES)
    for name, kind in types.items():
        _check_choice("types: a column", name, names)
        _check_choice(f"types: the type of {name!r}", kind, (*KINDS, "auto"))


def _target(y: np.ndarray) -> np.ndarray:
    return y.astype(np.float64) if y.dtype.kind in "biuf" else y.astype(object)


def _seed(random_state) -> int:
    if isinstance(random_state, int | np.integer):
        return int(random_state)
    from sklearn.utils import check_random_state

    return int(check_random_state(random_state).randint(_LARGEST_SEED))
