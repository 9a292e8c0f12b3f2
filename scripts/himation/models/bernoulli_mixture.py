"""Mixtures of multivariate Bernoulli distributions for binary tables, by regularised EM, and a classifier made of them.

Saeed, Bernoulli mixture models for Markov blanket filtering and classification, JMLR W&CP 3, 2008. A component d has a
weight pi_d and a probability p_di of a one for each variable; within a component the variables are independent.
Appendix A, EM:

    z_kd  proportional to  pi_d  prod_i p_di^x_ki (1 - p_di)^(1 - x_ki)
    w_kd = z_kd (1 + gamma ln z_kd)
    p_d = (a + sum_k w_kd x_k) / (2 a + sum_k w_kd),    pi_d proportional to sum_k w_kd.

With gamma = 0 and a = 0 it is plain EM, and the likelihood never falls. With gamma > 0 (Li, Zhang and Jiang 2005) the
entropy of the memberships is penalised: components that share their examples lose weight, and one whose weight falls to
an example or less is dropped, so that the number of components shrinks by itself. a = 1 is Laplace's smoothing.

The paper does not state gamma. Started from random probabilities, EM with a fixed gamma ends anywhere between 1 and 10
components on data drawn from 3, as it depends on gamma, on the start and on the number of variables. Three choices of
ours make the number dependable: probabilities start near each variable's share of ones; gamma acts only after plain EM
has settled; and at last components without which the Bayesian information criterion is better are dropped (`trim`).

The logarithm of a component's probability is linear in the example, so that a round of EM is two products of the table
with a small matrix, and the table may be sparse.

Appendix B, classification: a mixture for each class, and the posterior probabilities of all components, the classes
being equally likely, as the inputs of any classifier. `MixtureClassifier` has two: ``networks``, the paper's ensemble
of ten neural networks with 1 to 10 hidden units, and ``odds``, the logarithm of the classes' likelihood ratio, which
the posteriors are functions of. With many variables posteriors are 0 or 1 to machine precision; the odds still rank.

>>> rng = np.random.default_rng(0)
>>> rows = np.repeat([[0.9, 0.9, 0.1, 0.1], [0.1, 0.1, 0.9, 0.9]], 200, axis=0)
>>> mixture = fit_mixture((rng.random(rows.shape) < rows).astype(float), 5, seed=1)
>>> sorted(mixture.main_vectors.tolist())
[[0, 0, 1, 1], [1, 1, 0, 0]]
"""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np

from himation.errors import UserError
from himation.gram import is_sparse

COMPONENTS = 10
GAMMA = 0.5
SMOOTHING = 1.0
ROUNDS = 100  # of plain and of regularised EM, each
TRIM_ROUNDS = 50
TOLERANCE = 1e-5  # of the likelihood for each example: a smaller change ends EM
SPREAD = 1.0  # of the starting probabilities about the shares of ones, in log-odds
HEADS = ("odds", "networks")
NETWORKS = 10
_LEAST = 1e-6  # nearest a probability gets to 0 or 1
_LEAST_START = 1e-3


@dataclass(frozen=True)
class Mixture:
    """Weights of the components (they add up to 1) and a row of probabilities for each; the likelihoods of EM."""

    weights: np.ndarray
    probabilities: np.ndarray
    likelihoods: tuple[float, ...] = field(default=(), repr=False)

    @property
    def main_vectors(self) -> np.ndarray:
        """The most probable example of each component: ones where the probability is 0.5 or more."""
        return (self.probabilities >= 0.5).astype(np.uint8)

    def log_joint(self, X) -> np.ndarray:
        """ln(pi_d p(x | d)), examples by components."""
        one, zero = np.log(self.probabilities), np.log1p(-self.probabilities)
        return np.asarray(X @ (one - zero).T) + (zero.sum(axis=1) + np.log(self.weights))

    def log_likelihood(self, X) -> np.ndarray:
        """ln p(x) of every example."""
        return log_sum(self.log_joint(X))


def log_sum(values: np.ndarray) -> np.ndarray:
    """The logarithm of the sum of exponentials of each row."""
    top = values.max(axis=1)
    return top + np.log(np.exp(values - top[:, None]).sum(axis=1))


def fit_mixture(
    X,
    components: int = COMPONENTS,
    gamma: float = GAMMA,
    smoothing: float = SMOOTHING,
    seed: int = 0,
    trimmed: bool = True,
    rounds: int = ROUNDS,
) -> Mixture:
    """A mixture for the rows of X (0/1, dense or SciPy sparse), with at most ``components`` components."""
    n = X.shape[0]
    if n < 1 or components < 1:
        raise UserError(f"a mixture needs examples and components, not {n} and {components}")
    if gamma < 0 or smoothing < 0:
        raise UserError(f"gamma is {gamma}, smoothing {smoothing}; neither may be negative")
    X = zero_one(X)
    mixture = em(X, start(X, min(components, n), np.random.default_rng(seed)), 0.0, smoothing, rounds)
    if gamma:
        mixture = em(X, mixture, gamma, smoothing, rounds)
    return trim(X, mixture, smoothing) if trimmed else mixture


def zero_one(X):
    """The table as floats, after checking that all of it is 0 or 1."""
    X = X.tocsr().astype(float) if is_sparse(X) else np.asarray(X, dtype=float)
    values = X.data if is_sparse(X) else X
    if not ((values == 0) | (values == 1)).all():
        raise UserError("a Bernoulli mixture needs a binary table: all variables must be 0 or 1")
    return X


def start(X, components: int, rng: np.random.Generator) -> Mixture:
    """Random probabilities near each variable's share of ones."""
    share = np.clip(np.asarray(X.mean(axis=0)).ravel(), _LEAST_START, 1 - _LEAST_START)
    odds = np.log(share / (1 - share)) + SPREAD * rng.normal(size=(components, len(share)))
    return Mixture(np.full(components, 1.0 / components), np.clip(1 / (1 + np.exp(-odds)), _LEAST, 1 - _LEAST))


def em(X, mixture: Mixture, gamma: float, smoothing: float, rounds: int = ROUNDS) -> Mixture:
    """Rounds of EM from a given mixture, until the likelihood stands still."""
    history, dropped = [], False
    for done in range(rounds + 1):
        joint = mixture.log_joint(X)
        total = log_sum(joint)
        history.append(float(total.sum()))
        settled = done and not dropped and abs(history[-1] - history[-2]) <= TOLERANCE * X.shape[0]
        if settled or done == rounds:
            break
        before = len(mixture.weights)
        mixture = _update(X, np.exp(joint - total[:, None]), gamma, smoothing)
        dropped = len(mixture.weights) < before
    return Mixture(mixture.weights, mixture.probabilities, tuple(history))


def _update(X, z: np.ndarray, gamma: float, smoothing: float) -> Mixture:
    """The M-step; components that one example or less belongs to are dropped if there is a regulariser."""
    logs = np.log(np.where(z > 0, z, 1.0))
    w = z * (1.0 + gamma * logs)
    sums = w.sum(axis=0)
    keep = sums > (1.0 if gamma or smoothing else 0.0)
    keep[np.argmax(sums)] = True
    w, sums = w[:, keep], np.maximum(sums[keep], _LEAST)
    probabilities = (smoothing + np.asarray(X.T @ w).T) / (2 * smoothing + sums)[:, None]
    return Mixture(sums / sums.sum(), np.clip(probabilities, _LEAST, 1 - _LEAST))


def bic(X, mixture: Mixture) -> float:
    """Likelihood less half a ln n for each parameter."""
    parameters = mixture.probabilities.size + len(mixture.weights) - 1
    return float(mixture.log_likelihood(X).sum() - 0.5 * np.log(X.shape[0]) * parameters)


def trim(X, mixture: Mixture, smoothing: float = SMOOTHING) -> Mixture:
    """Drop components, the lightest first, as long as the information criterion gets better."""
    best = bic(X, mixture)
    while len(mixture.weights) > 1:
        for d in np.argsort(mixture.weights, kind="stable"):
            rest = np.arange(len(mixture.weights)) != d
            weights = mixture.weights[rest] / mixture.weights[rest].sum()
            found = em(X, Mixture(weights, mixture.probabilities[rest]), 0.0, smoothing, TRIM_ROUNDS)
            if bic(X, found) > best:
                mixture, best = found, bic(X, found)
                break
        else:
            break
    return mixture


def class_mixtures(X, y, components: int = COMPONENTS, gamma: float = GAMMA, seed: int = 0) -> tuple[Mixture, Mixture]:
    """A mixture of the positive examples and one of the others."""
    X, positive = zero_one(X), np.asarray(y) > 0
    return tuple(fit_mixture(X[rows], components, gamma, seed=seed) for rows in (positive, ~positive))


class MixtureClassifier:
    """Classification from mixture posteriors (appendix B)."""

    def __init__(
        self, components: int = COMPONENTS, gamma: float = GAMMA, head: str = HEADS[0], networks: int = NETWORKS
    ):
        self.components, self.gamma, self.head, self.networks = components, gamma, head, networks

    @classmethod
    def from_options(cls, options) -> MixtureClassifier:
        return cls(head=options.mixture)

    def fit(self, X, y, seed: int = 0) -> MixtureClassifier:
        """Learn from 0/1 rows and labels -1 and +1."""
        from himation.svm import check_data

        if self.head not in HEADS:
            raise UserError(f"head {self.head!r}: write 'odds' or 'networks'")
        y = check_data(X, y)
        self.mixtures_ = class_mixtures(X, y, self.components, self.gamma, seed)
        self.layers_ = self._train(self.posteriors(X), y, seed) if self.head == "networks" else []
        return self

    def refit(self, X, y, seed: int = 0) -> MixtureClassifier:
        """A new one with the same settings."""
        return MixtureClassifier(self.components, self.gamma, self.head, self.networks).fit(X, y, seed)

    def posteriors(self, X) -> np.ndarray:
        """Probabilities of all components, those of the positive class first; rows add up to 1."""
        joint = self._joint(X)
        return np.exp(joint - log_sum(joint)[:, None])

    def _joint(self, X) -> np.ndarray:
        X = zero_one(X)
        expected = self.mixtures_[0].probabilities.shape[1]
        if X.shape[1] != expected:
            raise UserError(f"the model has {expected} variables, the table {X.shape[1]}")
        return np.hstack([mixture.log_joint(X) for mixture in self.mixtures_])

    def decision_function(self, X) -> np.ndarray:
        """Larger for examples that are more likely positive."""
        joint = self._joint(X)
        if self.head == "odds":
            positive = len(self.mixtures_[0].weights)
            return log_sum(joint[:, :positive]) - log_sum(joint[:, positive:])
        inputs = np.exp(joint - log_sum(joint)[:, None])
        return sum((np.tanh(inputs @ A + a) @ B + b).ravel() for A, a, B, b in self.layers_) / len(self.layers_)

    def _train(self, inputs: np.ndarray, y: np.ndarray, seed: int) -> list[tuple]:
        import warnings

        from sklearn.exceptions import ConvergenceWarning
        from sklearn.neural_network import MLPClassifier

        layers = []
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", ConvergenceWarning)
            for hidden in range(1, self.networks + 1):
                network = MLPClassifier((hidden,), activation="tanh", random_state=seed + hidden, max_iter=100)
                network.fit(inputs, y > 0)
                (A, B), (a, b) = network.coefs_, network.intercepts_
                layers.append((A, a, B, b))
        return layers

    def describe(self) -> str:
        """The model in words."""
        counts = " and ".join(str(len(mixture.weights)) for mixture in self.mixtures_)
        return f"Bernoulli mixtures of {counts} components (positive, negative), by {self.head}"

    def to_arrays(self) -> dict[str, np.ndarray]:
        """Everything as plain arrays, for `np.savez`."""
        arrays = {
            "components": np.array(self.components),
            "gamma": np.array(self.gamma),
            "head": np.array(self.head),
            "networks": np.array(self.networks),
        }
        for name, mixture in zip(("positive", "negative"), self.mixtures_, strict=True):
            arrays[f"{name}_weights"], arrays[f"{name}_probabilities"] = mixture.weights, mixture.probabilities
        for at, layer in enumerate(self.layers_):
            arrays |= {f"network_{at}_{part}": values for part, values in enumerate(layer)}
        return arrays

    @classmethod
    def from_arrays(cls, arrays) -> MixtureClassifier:
        """The reverse of `to_arrays`; takes a dictionary or an open .npz file."""
        model = cls(int(arrays["components"]), float(arrays["gamma"]), str(arrays["head"]), int(arrays["networks"]))
        model.mixtures_ = tuple(
            Mixture(arrays[f"{name}_weights"], arrays[f"{name}_probabilities"]) for name in ("positive", "negative")
        )
        for mixture in model.mixtures_:
            p, weights = mixture.probabilities, mixture.weights
            if not (((p > 0) & (p < 1)).all() and (weights > 0).all() and np.isclose(weights.sum(), 1)):
                raise ValueError("the probabilities of a mixture are not between 0 and 1")
        count = model.networks if model.head == "networks" else 0
        model.layers_ = [tuple(arrays[f"network_{at}_{part}"] for part in range(4)) for at in range(count)]
        return model
