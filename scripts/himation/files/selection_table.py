"""What select_variables.py writes: the roles of all variables, the chosen columns, what competed, and warnings."""

from dataclasses import asdict

from himation.files.atomic import write_tsv
from himation.files.nodes import Nodes
from himation.posterior.averages import agreement
from himation.selection.rules import Selection, Situation, role_of
from himation.table import Table


def write_roles(path, table: Table, situation: Situation, selection: Selection) -> None:
    """The contract's table."""
    write_tsv(path, *role_rows(table, situation, selection))


def role_rows(table: Table, situation: Situation, selection: Selection) -> tuple[tuple[str, ...], list[list]]:
    """Header and rows: one for every column of the file but the target."""
    nodes = Nodes(table)
    rows = []
    for x in range(table.n_variables):
        share = situation.share(x)
        reason = selection.reasons.get(x, "no candidate: outside the natural blanket, and used by no network here")
        numbers = (share.parent, share.child, share.spouse, share.ancestor)
        role = role_of(share, situation.of(x))
        rows.append([nodes.name(x), nodes.column(x), role, *numbers, int(x in selection.chosen), reason])
    for item in table.dropped:
        if item.why != "target":
            rows.append([item.name, item.column, "none", 0.0, 0.0, 0.0, 0.0, 0, f"not searched: {item.why}"])
    rows.sort(key=lambda row: row[1])
    shares = ("p_parent", "p_child", "p_spouse", "p_ancestor")
    return ("variable", "column", "role", *shares, "selected", "reason"), rows


def facts(rule: str, situation: Situation, selections: dict[str, Selection], warnings, nodes) -> dict:
    """The contents of selection.json; variables are columns of the user's file."""

    def columns(members) -> list[int]:
        return [nodes.column(x) for x in members]

    def by_column(values: dict) -> dict:
        return {str(column): value for column, value in sorted((nodes.column(x), v) for x, v in values.items())}

    chosen, thesis = selections[rule], selections["thesis"]
    return {
        "rule": rule,
        "settings": asdict(situation.settings),
        "manipulation": situation.kind,
        "manipulated": sorted(columns(situation.manipulated)),
        "columns": columns(chosen.chosen),
        "also": columns(chosen.also),
        "fallback": chosen.fallback,
        "test_inputs": "auto" if situation.inferred else "never",
        "panels": [{"columns": columns(panel), "networks": count} for panel, count in chosen.panels.items()],
        "inclusion": by_column(chosen.inclusion),
        "sets": [{"set": name, "columns": columns(one.chosen)} for name, one in selections.items()],
        "thesis": {"columns": columns(thesis.chosen), "reasons": by_column(thesis.reasons)},
        "networks": _networks(situation, columns),
        "warnings": list(warnings),
    }


def _networks(situation: Situation, columns) -> dict:
    networks, agree = situation.networks, agreement(situation.shares)
    found = networks.reliability
    return {
        "chains": len(networks.chains),
        "draws": sum(len(chain.graphs) for chain in networks.chains),
        "variables": len(situation.shares),
        "converged": agree.converged,
        "largest_error": agree.largest_error,
        "least_sure": columns(agree.least_sure),
        "reliability": found.mean,
        "reliability_weights": [list(pair) for pair in zip(found.factors, found.weights, strict=True)],
    }
