"""The options about groups of indicators; apart from cli.py so that other scripts don't depend on orientation."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import TYPE_CHECKING

from himation import cli
from himation.errors import UserError
from himation.table import Table

if TYPE_CHECKING:
    from himation.orientation.groups import Factors


def add_group_arguments(made: argparse.ArgumentParser) -> None:
    made.add_argument(
        "--groups",
        default="none",
        help="indicators of one category as one factor: none, found, or a file, a group a line",
    )


def factors_from(args: argparse.Namespace, table: Table) -> Factors | None:
    """The table with its groups of indicators as factors, or None if there are no groups."""
    if args.groups == "none":
        return None
    from himation.orientation.groups import Factors, check_groups, find_groups

    if args.groups == "found":
        groups = find_groups(table)
    else:
        from himation.files.dataset import resolve

        if not Path(args.groups).is_file():
            raise UserError(f"groups: {args.groups!r} is neither none, found nor a file")
        where = {int(column): i for i, column in enumerate(table.columns)}
        lines = Path(args.groups).read_text(encoding="utf-8").splitlines()
        listed = [resolve(line.replace(",", " ").split(), table.file_columns(), args.groups) for line in lines]
        groups = [tuple(where[p + 1] for p in group if p + 1 in where) for group in listed]
        groups = check_groups(table, [tuple(sorted(group)) for group in groups if len(group) > 1])
    for group in groups:
        cli.log.info("group: %s", ", ".join(table.names[v] for v in group))
    return Factors.of(table, sorted(groups)) if groups else None
