"""The thesis's model as one of the kinds of model: one SVM, its setting found by a cross-validated grid (V.2.7)."""

from __future__ import annotations

from himation import svm
from himation.models.svm import HALVING, Grid, SearchResult, search


class SupportVector:
    """fit searches the grid and trains the best setting on all examples; refit keeps the setting."""

    def __init__(self, grid=None, search=HALVING, most_rows=2_000, threads=1, progress=None, class_weight="balanced"):
        self.grid, self.search, self.most_rows = grid or Grid(), search, most_rows
        self.threads, self.progress, self.class_weight = threads, progress, class_weight

    @classmethod
    def from_options(cls, options) -> SupportVector:
        return cls(
            options.grid, options.search, options.most_rows, options.threads, options.progress, options.class_weight
        )

    def fit(self, X, y, seed: int = 0) -> SupportVector:
        self.found_: SearchResult = search(
            X,
            y,
            self.grid,
            seed=seed,
            max_rows=self.most_rows,
            threads=self.threads,
            progress=self.progress,
            class_weight=self.class_weight,
            method=self.search,
        )
        best = self.found_.best
        self.model_ = svm.fit(X, y, best.kernel, best.cost, self.class_weight)
        return self

    def refit(self, X, y, seed: int = 0) -> SupportVector:
        """The same kernel and cost on other columns or examples."""
        made = SupportVector(class_weight=self.class_weight)
        made.model_ = svm.fit(X, y, self.model_.kernel, self.model_.cost, self.class_weight)
        return made

    def decision_function(self, X):
        return self.model_.decision_function(X)

    def describe(self) -> str:
        kernel = self.model_.kernel
        if kernel.kind == "poly":
            shape = "linear kernel" if kernel.degree == 1 else f"polynomial kernel of degree {kernel.degree}"
        else:
            shape = f"Gaussian kernel, gamma {kernel.gamma:g}"
        text = f"SVM, {shape}, C {self.model_.cost:g}; {len(self.model_.dual):,} support vectors"
        return text if self.model_.converged else text + "; the solver stopped before it converged"

    def settings_table(self) -> tuple[tuple[str, ...], list[list]]:
        """Every setting of the grid, the AUC it had, and on how many examples."""
        head = ("kernel", "degree", "gamma", "cost", "auc", "standard_error", "unconverged", "rows")
        rows = [
            [s.kernel.kind, s.kernel.degree, s.kernel.gamma, s.cost, s.auc, s.standard_error, s.unconverged, s.rows]
            for s in self.found_.settings
        ]
        return head, rows

    def to_arrays(self):
        return self.model_.to_arrays()

    @classmethod
    def from_arrays(cls, arrays) -> SupportVector:
        made = cls()
        made.model_ = svm.Model.from_arrays(arrays)
        return made
