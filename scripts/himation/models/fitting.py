"""A model fitted to the rows it may learn from, its variables divided among the members of an ensemble.

Beside the natural rows these are the experiments of which the networks say that, given the variables of a member, the
target is there what it is in nature (`himation.posterior.experiments`). Each member of an ensemble learns from those
that its part of the networks admits, a single model from those that most admit.
"""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import pairwise

import numpy as np

from himation.models.bagged import Experiments, Panel
from himation.models.constructed import Constructed, model_columns, usable
from himation.models.kinds import Options, create, takes_panels
from himation.posterior import experiments
from himation.posterior.averages import MAJORITY
from himation.posterior.networks import NO_NETWORKS, Networks
from himation.table import Table


def fit(
    table: Table,
    variables: Sequence[int],
    features: Sequence[Constructed],
    kind: str,
    seed: int,
    options: Options,
    panels: Sequence[tuple[Sequence[int], float]] = (),
    networks: Networks = NO_NETWORKS,
):
    """The model, and the options with its panels."""
    features = usable(features, variables)
    X, y = model_columns(table, variables, features), np.asarray(table.target)
    options = replace(options, panels=panels_of_columns(table, variables, features, panels))
    if table.experiments is None or not networks.chains:
        return create(kind, options).fit(X, y, seed), options
    more, of_set = model_columns(table, variables, features, "experiments"), table.environment
    if takes_panels(kind):
        own = panels_of_columns(table, variables, features, panels or [(variables, 1.0)], networks)
        with_more = replace(options, panels=own, experiments=Experiments(more, of_set.target, of_set.groups))
        return create(kind, with_more).fit(X, y, seed), options
    shares = experiments.usable(networks, table, variables)
    admitted = np.isin(of_set.groups, np.flatnonzero(shares >= MAJORITY))
    X, y = np.vstack([X, more[admitted]]), np.append(y, of_set.target[admitted])
    return create(kind, options).fit(X, y, seed), options


def panels_of_columns(table: Table, variables, features, panels, networks: Networks | None = None) -> tuple[Panel, ...]:
    """The panels as columns of the model's inputs; one that has none of these variables is left out. Where networks are
    given, each is divided by the experiments that they admit."""
    if not panels:
        return ()
    owners = [{v} for v in variables for _ in range(table.n_features(v))]
    owners += [{v for v, _ in feature.monomial} for feature in usable(features, variables)]
    found: dict[tuple, float] = {}
    for members, weight in panels:
        columns = tuple(i for i, owner in enumerate(owners) if owner.issubset(members))
        if columns:
            parts = _admitted(networks, table, members) if networks else [((), 1.0)]
            for settings, share in parts:
                found[columns, settings] = found.get((columns, settings), 0.0) + weight * share
    return tuple(Panel(columns, weight, settings) for (columns, settings), weight in found.items())


def _admitted(networks: Networks, table: Table, members) -> Iterator[tuple[tuple[int, ...], float]]:
    """Settings that the networks admit for a model on these members together, and how large a part of them."""
    shares = experiments.usable(networks, table, members)
    ends = [1.0, *sorted({float(share) for share in shares} - {0.0, 1.0}, reverse=True), 0.0]
    for high, low in pairwise(ends):
        yield tuple(np.flatnonzero(shares >= high).tolist()), high - low
