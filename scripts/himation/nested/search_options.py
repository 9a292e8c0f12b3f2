"""Options of a search in folds, and what they stand for."""

from __future__ import annotations

import argparse
import json
from typing import TYPE_CHECKING

from himation.errors import UserError

if TYPE_CHECKING:
    from himation.nested.searching import Search

CHAINS_SHARE, LEAST_CHAINS = 4, 6  # a fold has a quarter of the chains


def add_fold_arguments(made: argparse.ArgumentParser) -> None:
    from himation.posterior.settings import Settings

    group = made.add_argument_group("folds")
    group.add_argument("--folds", type=int, default=0, help="parts held out in turn; 0: five")
    group.add_argument("--divisions", type=int, default=0, help="times that rows are divided; 0: by their number")
    group.add_argument("--finders", default='[{"id": "mmmb"}]', help="JSON list of {id, method, parameters ...}")
    group.add_argument("--independence", default="auto", help="test of independence")
    group.add_argument("--chains", type=int, default=Settings.chains, help="chains of the table; a fold has fewer")
    group.add_argument("--sweeps", type=int, default=Settings.sweeps, help="length of a chain")
    group.add_argument("--nodes", type=int, default=Settings.nodes, help="variables of a chain")


def search_from(args: argparse.Namespace) -> Search:
    """The search of a fold."""
    from himation.nested.searching import Finder, Search
    from himation.posterior.networks import Options

    try:
        entries = json.loads(args.finders)
        finders = tuple(Finder(entry["id"], entry.get("method", entry["id"]), _parameters(entry)) for entry in entries)
    except (json.JSONDecodeError, TypeError, KeyError, AttributeError):
        raise UserError('--finders: write a JSON list such as [{"id": "mmmb", "alpha": 0.05}]') from None
    chains = max(LEAST_CHAINS, args.chains // CHAINS_SHARE)
    return Search(finders, args.independence, Options.of(chains, args.sweeps, args.nodes, args.seed), args.seed)


def _parameters(entry: dict) -> dict:
    return {key: value for key, value in entry.items() if key not in ("id", "method")}
