"""The whole strategy as one classifier: find the variables that survive a manipulation, and predict with these.

>>> from himation import Himation, make_lucas
>>> X, y = make_lucas()
>>> model = Himation(manipulation=["Coughing", "Fatigue"], chains=4, sweeps=100, machines=10).fit(X, y)
>>> sorted(model.selected_)
['Genetics', 'Smoking']
>>> model.roles_.set_index("variable").loc["Coughing", "role"]
'child'
>>> model.predict_proba(X).shape
(2000, 2)
"""

from collections.abc import Sequence
from dataclasses import replace
from typing import Any, Self, cast

import numpy as np
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.utils.multiclass import check_classification_targets, type_of_target
from sklearn.utils.validation import check_is_fitted, validate_data

from himation.errors import UserError, suggestion
from himation.estimators.base import _check_choice, _check_types, _columns_of_words, _raw_table, _seed, estimator
from himation.methods import METHODS

RULES = ("posterior", "parents", "natural")


@estimator
class Himation(ClassifierMixin, BaseEstimator):
    """Prediction when somebody has manipulated the variables.

    Parameters
    ----------
    manipulation : None, "unknown", or a list of names (of positions from 0 where X has no names)
        What was set by somebody in the rows that will be predicted. None: nothing. "unknown": the table that ``fit``
        gets as ``test`` is asked, and without one only likely causes are used.
    methods : list of str
        Blanket finders; the set of the first is the reference.
    rule : "posterior", "parents" or "natural"
        How variables are selected.
    estimate : bool
        Whether to repeat the search without some of the rows, as the workflow does: the natural blanket is then settled
        by rows held out, and ``expected_auc_`` says what fresh rows would give. It takes five times as long or more.
    kind, machines : the model, "bagged" with so many members or "svm".
    chains, sweeps, nodes : of the sampled networks.
    types : "auto", "continuous", "binary", "discrete", "mixed", or a dictionary from column names to types.
    random_state : int, RandomState or None
    n_jobs : threads; the answer is the same with any number.

    Attributes after fit
    --------------------
    classes_ : the two labels; the second is the positive class.
    roles_ : a data frame with a row for each column: role, its probabilities, whether it is selected, and why.
    selected_ : names (positions if X has no names) of the variables that the model uses, surest first.
    networks_ : the sampled networks (himation.posterior.networks.Networks); their variables are those of ``table_``.
    manipulated_ : what the test table says was manipulated, None if it was not asked.
    expected_auc_, expected_error_ : with ``estimate`` only.
    table_ : the prepared training table.
    """

    manipulation: str | Sequence | None = None
    methods: Sequence[str] = ("mmmb",)
    rule: str = "posterior"
    estimate: bool = False
    kind: str = "bagged"
    machines: int = 50
    chains: int = 24
    sweeps: int = 400
    nodes: int = 100
    types: str | dict = "auto"
    random_state: int | np.random.RandomState | None = 1
    n_jobs: int | None = None

    def fit(self, X: Any, y: Any, test: Any = None) -> Self:
        """Learn from ``X`` and ``y``; ``test`` is an unlabelled table with the columns of X, to be asked what was
        manipulated in it."""
        words = _columns_of_words(X)
        checked, y = validate_data(
            self, X, y, dtype=None if words else "numeric", accept_sparse="csr", ensure_min_samples=2
        )
        check_classification_targets(y)
        self.classes_, codes = np.unique(y, return_inverse=True)
        if len(self.classes_) != 2:
            raise ValueError(
                f"Only binary classification is supported. The type of the target is {type_of_target(y)}; it has "
                f"{len(self.classes_)} class{'es' * (len(self.classes_) > 1)}"
            )
        raw = _raw_table(self, X if words else checked)
        further = None
        if test is not None:
            given = validate_data(self, test, reset=False, dtype=None if words else "numeric", accept_sparse="csr")
            further = _raw_table(self, test if words else given)
        try:
            self._learn(raw, codes.astype(np.float64), further)
        except UserError as error:
            raise ValueError(str(error)) from error
        return self

    def _learn(self, raw, target, further) -> None:
        from himation.models.applying import select_and_build
        from himation.models.calibration import Platt
        from himation.models.encoding import with_test
        from himation.nested.searching import search
        from himation.nested.settling import products, settle
        from himation.posterior.manipulation import infer
        from himation.posterior.settings import Settings as Sampled
        from himation.prepare.identifiers import identifiers, refuse_dates
        from himation.prepare.preparing import prepare
        from himation.selection.rule_names import Settings
        from himation.selection.rules import UNKNOWN, Situation

        _check_choice("rule", self.rule, RULES)
        _check_types(self.types, raw.names)
        left_out = {}
        if hasattr(self, "feature_names_in_"):
            kept = frozenset(self.types) if isinstance(self.types, dict) else frozenset()
            refuse_dates(raw, {})
            left_out = identifiers(raw, kept)
        seed = _seed(self.random_state)
        self.table_ = table = prepare(raw, target, types=self.types, exclude=left_out)
        kind, manipulated = self._manipulated(table)
        how, fitting = self._how(seed)
        found = search(table, how)
        self.networks_ = found.networks
        folds = self._folds(table, how, seed) if self.estimate else []
        settled = settle(table, found, folds, seed)
        asked = with_test(table, further) if further is not None else None
        self.manipulated_ = infer(asked, found.networks, Sampled.manipulated_share, seed) if asked else None
        settings = Settings(one_machine=self.kind != "bagged")
        inferred = self.manipulated_ if kind == UNKNOWN else None
        situation = Situation(
            settled.blanket.members, {}, found.networks, kind, manipulated, table.names.__getitem__, settings
        )
        situation = replace(situation, inferred=inferred, best=settled.natural, widest=settled.widest)
        self._selection, built = select_and_build(table, self.rule, situation, products(found, settled), fitting)
        self._saved, self._platt = built.saved, cast(Platt, built.saved.platt)
        names = [self._name(x) for x in self._selection.chosen]
        self.selected_ = np.array(names, dtype=object if hasattr(self, "feature_names_in_") else np.int64)
        self.roles_ = self._roles(situation)
        if self.estimate:
            self._expect(folds, kind, manipulated, settled, settings, asked, seed)

    def _how(self, seed: int):
        """The search, and the model."""
        from joblib import effective_n_jobs

        from himation.models.kinds import Options
        from himation.models.svm import Grid
        from himation.nested.competing import Fitting
        from himation.nested.searching import Finder, Search
        from himation.posterior import networks

        for method in self.methods:
            if method not in METHODS:
                raise UserError(f"methods: unknown method {method!r}; {suggestion(str(method), list(METHODS))}")
        finders = tuple(Finder(method, method, {}) for method in self.methods)
        sampling = networks.Options.of(self.chains, self.sweeps, self.nodes, seed)
        options = Options(Grid(), machines=self.machines, threads=effective_n_jobs(self.n_jobs))
        return Search(finders, "auto", sampling, seed), Fitting(self.kind, options, seed)

    def _folds(self, table, how, seed: int):
        """The search without some of the rows, with fewer chains and models, as the workflow does it."""
        from himation.nested.folds import plan_folds
        from himation.nested.options import machines_of
        from himation.nested.search_options import CHAINS_SHARE, LEAST_CHAINS
        from himation.nested.searching import search_fold
        from himation.posterior import networks

        chains = min(self.chains, max(LEAST_CHAINS, self.chains // CHAINS_SHARE))
        fewer = replace(how, networks=networks.Options.of(chains, self.sweeps, self.nodes, seed))
        _, fitting = self._how(seed)
        fitting = replace(fitting, options=replace(fitting.options, machines=machines_of(self.machines, table.train.n)))
        return [search_fold(table, fold, fewer, fitting) for fold in plan_folds(table.target, seed)]

    def _expect(self, folds, kind, manipulated, settled, settings, asked, seed) -> None:
        from himation.nested.manipulated import Task, expect_rules
        from himation.nested.options import machines_of

        _, fitting = self._how(seed)
        fitting = replace(
            fitting, options=replace(fitting.options, machines=machines_of(self.machines, self.table_.train.n))
        )
        columns = frozenset(int(self.table_.columns[x]) for x in manipulated)
        task = Task(kind, columns, self.rule, settings, asked)
        expected = expect_rules(folds, task, fitting, settled.anything.found, seed)[self.rule].here
        self.expected_auc_, self.expected_error_ = expected.auc, expected.error

    def _manipulated(self, table) -> tuple[str, frozenset[int]]:
        """What is known, and the variables of a list; constant columns are none."""
        if self.manipulation is None or isinstance(self.manipulation, str):
            known = self.manipulation or "none"
            _check_choice("manipulation", known, ("none", "unknown"))
            return known, frozenset()
        where = {name: x for x, name in enumerate(table.names)}
        columns = table.file_columns()
        found = set()
        for one in self.manipulation:
            name = columns[one] if isinstance(one, int | np.integer) and 0 <= one < len(columns) else one
            if name not in columns:
                raise UserError(f"manipulation: {one!r} is no column of X; {suggestion(str(one), columns)}")
            found |= {where[name]} if name in where else set()
        return "known" if found else "none", frozenset(found)

    def _name(self, x: int):
        return self.table_.names[x] if hasattr(self, "feature_names_in_") else int(self.table_.columns[x]) - 1

    def _roles(self, situation):
        import pandas as pd

        from himation.files.selection_table import role_rows

        head, rows = role_rows(self.table_, situation, self._selection)
        frame = pd.DataFrame(rows, columns=head).drop(columns="column")
        return frame.astype({"selected": bool})

    @property
    def effects_(self) -> Any:
        """What setting a variable would change: for each move the chance that it is a cause, and the change of
        P(positive class) with a 90 % interval, the largest first."""
        import pandas as pd

        from himation.posterior.effects import effects

        check_is_fitted(self)
        head = ("variable", "from", "to", "p_cause", "effect", "low", "high")
        rows = []
        for change in effects(self.table_, self.networks_, _seed(self.random_state)):
            one = change.effect
            name = self.table_.names[change.variable]
            rows.append([name, change.before, change.after, one.p_cause, one.mean, one.low, one.high])
        return pd.DataFrame(rows, columns=head)

    def _values(self, X) -> np.ndarray:
        check_is_fitted(self)
        words = _columns_of_words(X)
        checked = validate_data(self, X, reset=False, dtype=None if words else "numeric", accept_sparse="csr")
        try:
            table = self._saved.encoding.read(_raw_table(self, X if words else checked))
            return self._saved.values(table, "test")[:, -1]
        except UserError as error:
            raise ValueError(str(error)) from error

    def decision_function(self, X: Any) -> np.ndarray:
        """The log odds of the positive class."""
        values = self._values(X)
        return self._platt.slope * values + self._platt.offset

    def predict_proba(self, X: Any) -> np.ndarray:
        """Calibrated probabilities of both classes."""
        values = self._values(X)
        positive = self._platt.probability(values)
        return np.column_stack([1 - positive, positive])

    def predict(self, X: Any) -> np.ndarray:
        """The likelier class."""
        likelier = self.decision_function(X) > 0
        return self.classes_[likelier.astype(int)]

    def __sklearn_tags__(self):
        tags = super().__sklearn_tags__()
        tags.classifier_tags.multi_class = False
        tags.input_tags.sparse = True
        return tags
