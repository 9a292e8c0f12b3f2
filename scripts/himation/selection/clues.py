"""Marginal clues to whether a variable is an ancestor of the target: cheap, over all variables, in plain correlations.

The oriented graphs see a region of a few hundred variables. Much of what tells causes from the rest lies outside it,
and shows in correlations r alone. For a variable X, the target T and any third variable W:

- **Not an ancestor.** If X caused T, whatever moves with X would move with T: about r(W,X) r(X,T). A W that goes
  with X and not with T speaks against X, the more so the larger that product is (Entner, Hoyer and Spirtes 2013 state
  such rules for tests). Many weak W are taken together by regressing X on them.
- **Not a descendant.** A W that goes with T and not with X, where r(W,T) r(T,X) is large, speaks for X.
- **Who stands between.** r(W,T) = r(W,X) r(X,T) means that X lies between W and T, as causes do; r(W,X) =
  r(W,T) r(T,X) means that T lies between W and X, as it does for effects.
- **Who is bound to whom.** The partial correlation of X and T given the other candidates, the part of X that they
  explain, how many variables go with X, and what part of these is unrelated to T.

No clue decides alone. `himation.selection.ancestry` weighs them by what they meant in thousands of simulated variables.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np

NAMES = (
    "one_instrument",  # log(1+) of the strongest evidence of one W against X as an ancestor
    "all_instruments",  # signed log(1+) of the evidence of all such W taken together
    "explained_by_instruments",  # correlation of X with its regression on them
    "instruments",  # log(1+) of their number
    "separated_sum",  # log(1+) of -log P(none of the W tied to X is separated from the target)
    "separated_top",  # the largest P(W is separated from the target) of a W tied to X
    "one_other_cause",  # log(1+) of the strongest evidence against X as a descendant
    "other_causes",  # log(1+) of the number of W with such evidence
    "target_between",  # log of the share of W that the target stands between
    "variable_between",  # log of the share of W that X stands between
    "below_collider",  # log(1+) of the evidence that a W with an arrow into T reaches X through T alone
    "in_collider",  # log(1+) of the evidence that X meets another variable in T
    "z",  # log(1+) of the z-score of r(X,T)
    "r",  # |r(X,T)|
    "partial_z",  # log(1+) of the z-score of the partial correlation given the other candidates
    "explained",  # the part of X that the candidates and T explain
    "ties",  # log(1+) of the number of variables tied to X
    "farthest_seen_through",  # log(1+) of the largest z of a W that X stands between
    "nearest_seen_through",  # log(1+) of the largest z(W,X) of a W that the target stands between
    "idle_ties",  # the part of the ties that is unrelated to the target
)
TIED = 5.0  # z-score from which two variables are surely dependent
SEEN = 4.0
UNRELATED = 2.0  # and below which there is no sign of dependence
POWER = 2.0  # an expected z-score below this can't be missed
MOST_INSTRUMENTS = 40  # in one regression
STRONGEST = 0.999  # correlations end here
RIDGE = 0.02
_DIGITS = 6  # beyond these the order of the columns shows
_BLOCK = 64  # candidates at a time
_CHUNK = 2048  # variables at a time


@dataclass(frozen=True)
class Clues:
    """A row for every candidate, a column for every clue; squared partial correlations of the candidates given T."""

    values: np.ndarray
    kinship: np.ndarray


def association(columns: Callable[[Sequence[int]], np.ndarray], n_variables: int, labels: np.ndarray) -> np.ndarray:
    """r(X,T) of all variables. ``columns`` gives standardised variables, examples by variables."""
    y = standardised(np.asarray(labels, dtype=float)[:, None])[:, 0]
    parts = [columns(part).T @ y / len(y) for part in _parts(n_variables)]
    return np.round(np.concatenate(parts), _DIGITS) if parts else np.empty(0)


def find_clues(
    columns: Callable[[Sequence[int]], np.ndarray], r: np.ndarray, candidates: Sequence[int], n: int
) -> Clues:
    """Clues for the candidates. ``r`` holds r(X,T) of all variables, ``n`` is the number of examples."""
    candidates = np.asarray(candidates, dtype=np.int64)
    own = columns(candidates)
    ties = np.concatenate([(columns(part).T @ own / n).astype(np.float32) for part in _parts(len(r))])
    ties = np.round(ties, _DIGITS)
    ties[candidates, np.arange(len(candidates))] = 0.0
    np.clip(ties, -STRONGEST, STRONGEST, out=ties)
    among = ties[candidates].astype(float)
    into = _colliders(among, r[candidates], n)
    link = np.zeros(len(r))
    for block in _blocks(len(candidates)):
        z = np.sqrt(n) * np.abs(ties[:, block])
        link = np.maximum(link, np.where(z > TIED, z * np.abs(r[candidates[block]]), 0.0).max(axis=1))
    separated = _separated(np.sqrt(n) * r, link)
    partial_z, explained = _precision(among, r[candidates], n)
    rows = []
    for block in _blocks(len(candidates)):
        here = candidates[block]
        sizes = _sizes(ties[:, block].astype(float), r, r[here], n, separated, candidates, into)
        together = _instruments(columns, ties[:, block], r, r[here], n)
        rows.append(_assemble(sizes, together, into[block], partial_z[block], explained[block], r[here], n))
    values = np.round(np.concatenate(rows), _DIGITS) if rows else np.empty((0, len(NAMES)))
    return Clues(values, _kinship(among, r[candidates]))


def standardised(X: np.ndarray) -> np.ndarray:
    """Columns with mean 0 and variance 1; constant ones are 0."""
    centred = X - X.mean(axis=0)
    scale = centred.std(axis=0)
    return centred / np.where(scale > 0, scale, 1.0)


def _parts(n: int):
    return [np.arange(start, min(start + _CHUNK, n)) for start in range(0, n, _CHUNK)]


def _blocks(n: int):
    return [slice(start, min(start + _BLOCK, n)) for start in range(0, n, _BLOCK)]


def _evidence(expected: np.ndarray, observed: np.ndarray) -> np.ndarray:
    """Log-likelihood ratio of mean 0 against mean ``expected`` for a z-score."""
    return expected * expected / 2 - expected * observed


def _separated(z_target: np.ndarray, link: np.ndarray) -> np.ndarray:
    """P(W is unrelated to the target), given how strongly its ties could have made them related."""
    spread = 1 + (0.5 * link) ** 2
    log_odds = 0.5 * np.log(spread) - z_target**2 / 2 + z_target**2 / (2 * spread)
    return np.where(link > 1, 1 / (1 + np.exp(-np.clip(log_odds, -30, 30))), 0.0)


def _colliders(among: np.ndarray, r: np.ndarray, n: int):
    """Evidence that each candidate meets another one in the target: both related to it, and not to each other."""
    z = np.sqrt(n) * np.abs(r)
    expected = np.sqrt(n) * np.abs(np.outer(r, r))
    observed = np.sqrt(n) * among * np.sign(np.outer(r, r))
    may = (np.abs(observed) < UNRELATED) & (z > TIED)[:, None] & (z > TIED)[None, :]
    np.fill_diagonal(may, False)
    return np.where(may, np.maximum(_evidence(expected, observed), 0.0), 0.0).max(axis=1, initial=0.0)


def _sizes(ties, r, own_r, n, separated, candidates, into) -> dict[str, np.ndarray]:
    """What follows from each W by itself, for a block of candidates."""
    z_target, z = np.sqrt(n) * r[:, None], np.sqrt(n) * np.abs(ties)
    expected = z * np.abs(own_r)
    against = _evidence(expected, z_target * np.sign(ties * own_r))
    against = np.where((expected > POWER) & (np.abs(z_target) < UNRELATED), np.maximum(against, 0.0), 0.0)
    through = np.sqrt(n) * np.abs(np.outer(r, own_r))
    seen = np.sqrt(n) * ties * np.sign(np.outer(r, own_r))
    other = np.where((through > POWER) & (np.abs(seen) < UNRELATED), np.maximum(_evidence(through, seen), 0.0), 0.0)
    other[ties == 0] = 0.0
    tied = np.clip((z - 3.5) / 1.5, 0, 1) * separated[:, None]
    both = (np.abs(z_target) > TIED) & (z > SEEN)
    by_target = np.sqrt(n) * np.abs(ties - np.outer(r, own_r))  # 0 where the target stands between
    by_variable = np.sqrt(n) * np.abs(r[:, None] - ties * own_r)  # 0 where X stands between
    count = both.sum(axis=0)
    below = both[candidates] & (by_target[candidates] < UNRELATED) & (by_variable[candidates] > 3)
    linked, idle = (z > TIED), np.abs(z_target) < UNRELATED
    return {
        "one_instrument": against.max(axis=0),
        "separated_sum": -np.log1p(-np.clip(tied, 0, 0.95)).sum(axis=0),
        "separated_top": tied.max(axis=0),
        "one_other_cause": other.max(axis=0),
        "other_causes": (other > 3).sum(axis=0),
        "target_between": ((both & (by_target < UNRELATED) & (by_variable > SEEN)).sum(axis=0) + 0.5) / (count + 2.0),
        "variable_between": ((both & (by_variable < UNRELATED) & (by_target > SEEN)).sum(axis=0) + 0.5) / (count + 2.0),
        "below_collider": (np.minimum(into, 20.0)[:, None] * below).max(axis=0),
        "ties": linked.sum(axis=0),
        "farthest_seen_through": np.where(both & (by_variable < UNRELATED), np.abs(z_target), 0.0).max(axis=0),
        "nearest_seen_through": np.where(both & (by_target < UNRELATED), z, 0.0).max(axis=0),
        "idle_ties": (linked & idle).sum(axis=0) / np.maximum(linked.sum(axis=0), 1),
    }


def _instruments(columns, ties, r, own_r, n):
    """Evidence of all W that are tied to X and unrelated to T, by one regression; its correlation; their number."""
    idle = np.abs(np.sqrt(n) * r) < UNRELATED
    evidence, explained, count = (np.zeros(len(own_r)) for _ in range(3))
    for j, r_xt in enumerate(own_r):
        z = np.sqrt(n) * np.abs(ties[:, j])
        found = np.flatnonzero(idle & (z > TIED))
        count[j] = len(found)
        if not len(found):
            continue
        found = np.sort(found[np.argsort(-z[found], kind="stable")[:MOST_INSTRUMENTS]])
        W = columns(found)
        gram, goal = W.T @ W / n, ties[found, j].astype(float)
        weights = np.linalg.solve(gram + np.eye(len(found)) * (0.01 + len(found) / n), goal)
        size = np.sqrt(weights @ gram @ weights)
        explained[j] = weights @ goal / size
        observed = np.sqrt(n) * (weights @ r[found]) / size * np.sign(r_xt)
        evidence[j] = _evidence(np.sqrt(n) * explained[j] * abs(r_xt), observed)
    return evidence, explained, count


def _precision(among: np.ndarray, r: np.ndarray, n: int):
    """z-scores of the partial correlations with the target, and the part of each candidate that the rest explains."""
    joint = np.ones((len(r) + 1, len(r) + 1))
    joint[:-1, :-1], joint[:-1, -1], joint[-1, :-1] = among, r, r
    np.fill_diagonal(joint, 1.0 + RIDGE)
    inverse = np.linalg.inv(joint)
    scale = np.sqrt(np.diag(inverse))
    return np.sqrt(n) * np.abs(inverse[:-1, -1]) / (scale[:-1] * scale[-1]), 1 - 1 / np.maximum(scale[:-1] ** 2, 1.0)


def _kinship(among: np.ndarray, r: np.ndarray) -> np.ndarray:
    partial = (among - np.outer(r, r)) / np.sqrt(np.outer(1 - r**2, 1 - r**2))
    np.fill_diagonal(partial, 0.0)
    return partial**2


def _assemble(sizes, together, in_collider, partial_z, explained, r, n) -> np.ndarray:
    evidence, by_instruments, count = together
    columns = {
        **{name: np.log1p(sizes[name]) for name in ("one_instrument", "separated_sum", "one_other_cause")},
        **{name: np.log1p(sizes[name]) for name in ("other_causes", "below_collider", "ties")},
        **{name: np.log1p(sizes[name]) for name in ("farthest_seen_through", "nearest_seen_through")},
        **{name: np.log(sizes[name]) for name in ("target_between", "variable_between")},
        **{name: sizes[name] for name in ("separated_top", "idle_ties")},
        "all_instruments": np.sign(evidence) * np.log1p(np.abs(evidence)),
        "explained_by_instruments": by_instruments,
        "instruments": np.log1p(count),
        "in_collider": np.log1p(in_collider),
        "z": np.log1p(np.sqrt(n) * np.abs(r)),
        "r": np.abs(r),
        "partial_z": np.log1p(partial_z),
        "explained": explained,
    }
    return np.column_stack([columns[name] for name in NAMES])
