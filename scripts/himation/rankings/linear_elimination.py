"""Backward elimination and forward selection with a linear kernel, by updates of small matrices only.

Z has the centred columns, S = Z'Z + ridge I and N = ridge (Z Z' + ridge I)^-1, so that M1 (times its ridge) is tr(V'NV)
and M2 is tr(V'N^2V): the inner products of V, or of the ridge regression's residuals NV, among themselves.

* Out goes a block J of columns. With P = S^-1 and B = P Z'V, and A = P_JJ^-1 B_J, the residuals become NV + Z P_.J A,
  and since Z'NV = ridge B,

      M1 grows by tr(B_J' A),     M2 by 2 ridge tr(A' (P B)_J) + tr(A' (P_JJ - ridge (P P)_JJ) A).

* In comes a block J. With E = Z'NZ, F = Z'NV, E2 = Z'N^2Z, F2 = Z'N^2V over all columns, Q = (ridge I + E_JJ)^-1 and
  A = Q F_J, the residuals become NV - N Z_J A and N becomes N - N Z_J Q Z_J'N.

Blocks of one column, the usual case, are computed for all candidates at once.
"""

import numpy as np


class Sides:
    """Groups by position: those inside the set and those outside, as a search takes them out (backward) or in."""

    def __init__(self, n_groups: int, direction: str):
        everything = list(range(n_groups))
        self.backward = direction == "backward"
        self.inside, self.outside = (everything, []) if self.backward else ([], everything)

    def take(self, members: list[int]) -> None:
        gone = set(members)
        if self.backward:
            self.inside = [g for g in self.inside if g not in gone]
        else:
            self.outside = [g for g in self.outside if g not in gone]
            self.inside = self.inside + members


class _Search(Sides):
    def __init__(self, X, V, which, ridge, groups, direction):
        super().__init__(len(groups), direction)
        self.columns = [np.array(group, dtype=np.int64) for group in groups]
        self.Z = X - X.mean(axis=0)
        self.V, self.which, self.ridge = V, which, ridge
        self.total = float(np.square(V).sum())

    def _split(self, members) -> tuple[np.ndarray, np.ndarray, list[int]]:
        """Places and columns of the single-column candidates, and places of the others."""
        single = [at for at, g in enumerate(members) if len(self.columns[g]) == 1]
        columns = np.array([self.columns[members[at]][0] for at in single], dtype=np.int64)
        return np.array(single, dtype=np.int64), columns, [a for a, g in enumerate(members) if len(self.columns[g]) > 1]

    def _move(self, members: list[int]) -> np.ndarray:
        self.take(members)
        return np.concatenate([self.columns[g] for g in members])


class LinearBackward(_Search):
    """All variables inside at first."""

    def __init__(self, *arguments):
        super().__init__(*arguments)
        used = np.unique(np.concatenate(self.columns))
        S = self.Z[:, used].T @ self.Z[:, used]
        S.flat[:: len(S) + 1] += self.ridge
        self.columns = [np.searchsorted(used, columns) for columns in self.columns]
        cross = self.Z[:, used].T @ self.V
        self.P = np.linalg.inv(S)
        self.P = (self.P + self.P.T) / 2
        self.B = self.P @ cross
        left = self.V - self.Z[:, used] @ self.B
        self.now = float(np.vdot(self.V, left) if self.which == "m1" else np.square(left).sum())

    def value(self) -> float:
        return self.now / self.total

    def candidates(self) -> np.ndarray:
        return np.array((self.now + self._growth(self.inside)) / self.total)

    def _growth(self, members) -> np.ndarray:
        single, columns, blocks = self._split(members)
        found = np.empty(len(members))
        own, B = self.P[columns, columns], self.B[columns]
        if self.which == "m1":
            found[single] = np.square(B).sum(axis=1) / own
        else:
            mixed = (self.P[columns] @ self.B * B).sum(axis=1)
            squares = np.square(self.P[columns]).sum(axis=1)
            found[single] = (
                2 * self.ridge * mixed / own + np.square(B).sum(axis=1) * (own - self.ridge * squares) / own**2
            )
        for at in blocks:
            found[at] = self._block_growth(self.columns[members[at]])
        return found

    def _block_growth(self, J: np.ndarray) -> float:
        own, B = self.P[np.ix_(J, J)], self.B[J]
        A = np.linalg.solve(own, B)
        if self.which == "m1":
            return float(np.vdot(B, A))
        rows = self.P[J]
        return float(2 * self.ridge * np.vdot(A, rows @ self.B) + np.vdot(A, (own - self.ridge * rows @ rows.T) @ A))

    def move(self, members: list[int]) -> None:
        J = self._move(members)
        self.now = self.now + self._block_growth(J) if self.inside else self.total
        gain = np.linalg.solve(self.P[np.ix_(J, J)], self.P[J])
        self.B = self.B - gain.T @ self.B[J]
        if len(J) == 1:
            self.P -= np.outer(self.P[J[0]], gain[0])
        else:
            self.P -= self.P[J].T @ gain
        self.P[J], self.P[:, J], self.B[J] = 0.0, 0.0, 0.0


class LinearForward(_Search):
    """No variable inside at first."""

    def __init__(self, *arguments):
        super().__init__(*arguments)
        self.E, self.F = self.Z.T @ self.Z, self.Z.T @ self.V
        if self.which == "m2":
            self.E2, self.F2 = self.E.copy(), self.F.copy()
        self.now = self.total

    def value(self) -> float:
        return self.now / self.total

    def candidates(self) -> np.ndarray:
        single, columns, blocks = self._split(self.outside)
        found = np.empty(len(self.outside))
        own, F = self.ridge + self.E[columns, columns], self.F[columns]
        if self.which == "m1":
            found[single] = -np.square(F).sum(axis=1) / own
        else:
            mixed = (F * self.F2[columns]).sum(axis=1)
            found[single] = -2 * mixed / own + np.square(F).sum(axis=1) * self.E2[columns, columns] / own**2
        for at in blocks:
            found[at] = self._block_growth(self.columns[self.outside[at]])
        return (self.now + found) / self.total

    def _inverse(self, J: np.ndarray) -> np.ndarray:
        return np.linalg.inv(self.E[np.ix_(J, J)] + self.ridge * np.eye(len(J)))

    def _block_growth(self, J: np.ndarray) -> float:
        A = self._inverse(J) @ self.F[J]
        if self.which == "m1":
            return -float(np.vdot(A, self.F[J]))
        return float(-2 * np.vdot(A, self.F2[J]) + np.vdot(A, self.E2[np.ix_(J, J)] @ A))

    def move(self, members: list[int]) -> None:
        J = self._move(members)
        self.now += self._block_growth(J)
        Q = self._inverse(J)
        EQ = self.E[:, J] @ Q
        if self.which == "m2":
            half = self.E2[:, J] @ EQ.T
            square = EQ @ self.E2[np.ix_(J, J)] @ EQ.T
            own = self.E2[:, J] @ (Q @ self.F[J])
            self.F2 = self.F2 - EQ @ self.F2[J] - own + EQ @ (self.E2[np.ix_(J, J)] @ (Q @ self.F[J]))
            self.E2 = self.E2 - half - half.T + square
        self.F = self.F - EQ @ self.F[J]
        self.E = self.E - EQ @ self.E[J]


class LinearHsic(_Search):
    """HSIC of a linear kernel: a sum over columns, so that nothing changes as variables come or go."""

    def __init__(self, *arguments):
        super().__init__(*arguments)
        own = np.square(self.Z.T @ self.V).sum(axis=1)
        self.shares = np.array([own[columns].sum() for columns in self.columns]) / self.total

    def value(self) -> float:
        return float(self.shares[self.inside].sum()) if self.inside else 0.0

    def candidates(self) -> np.ndarray:
        if self.backward:
            return self.value() - self.shares[self.inside]
        return self.value() + self.shares[self.outside]

    def move(self, members: list[int]) -> None:
        self._move(members)
