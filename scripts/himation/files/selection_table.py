"""What select_variables.py writes: the roles of all variables, the chosen columns, what competed, and warnings."""

from dataclasses import asdict

from himation.files.atomic import write_tsv
from himation.files.nodes import Nodes
from himation.posterior.averages import agreement
from himation.selection.rules import Selection, Situation, role_of
from himation.selection.thesis import role_by_evidence
from himation.table import Table

GROUPS = ("variable", "column", "group", "parent_tests", "child_tests", "child_p_score")


def write_roles(path, table: Table, situation: Situation, selection: Selection, by_evidence: bool = False) -> None:
    """The contract's table."""
    write_tsv(path, *role_rows(table, situation, selection, by_evidence))


def role_rows(
    table: Table, situation: Situation, selection: Selection, by_evidence: bool = False
) -> tuple[tuple[str, ...], list[list]]:
    """Header and rows: one for every column of the file but the target. Roles are those of most networks, or,
    ``by_evidence``, the thesis's; shares are of the networks or of its graphs."""
    nodes = Nodes(table)
    rows = []
    for x in range(table.n_variables):
        role, numbers = _role(situation, x, by_evidence)
        reason = selection.reasons.get(x, "no candidate: outside the natural blanket, and used by no network here")
        rows.append([nodes.name(x), nodes.column(x), role, *numbers, int(x in selection.chosen), reason])
    for item in table.dropped:
        if item.why != "target":
            rows.append([item.name, item.column, "none", 0.0, 0.0, 0.0, 0.0, 0, f"not searched: {item.words}"])
    rows.sort(key=lambda row: row[1])
    shares = ("p_parent", "p_child", "p_spouse", "p_ancestor")
    return ("variable", "column", "role", *shares, "selected", "reason"), rows


def _role(situation: Situation, x: int, by_evidence: bool) -> tuple[str, tuple[float, float, float, float]]:
    if by_evidence:
        item = situation.of(x)
        shares = (item.forward, item.backward, max(item.spouse_through.values(), default=0.0), 0.0)
        return role_by_evidence(situation, x), shares
    share = situation.share(x)
    return role_of(share, situation.of(x)), (share.parent, share.child, share.spouse, share.ancestor)


def write_groups(path, situation: Situation, nodes: Nodes) -> None:
    """The thesis's candidates by group, with the Y-tests that speak for each (its figure V-4)."""
    rows = []
    for x, group in situation.thesis_groups.items():
        item = situation.of(x)
        rows.append([nodes.name(x), nodes.column(x), group, item.parent_tests, item.child_tests, item.child_p_score])
    write_tsv(path, GROUPS, rows)


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
    if not networks.chains:
        return {}
    found = networks.reliability
    return {
        "chains": len(networks.chains),
        "draws": sum(len(chain.graphs) for chain in networks.chains),
        "variables": len(situation.shares),
        "converged": agree.converged,
        "largest_error": agree.largest_error,
        "least_sure": columns(agree.least_sure),
        "reliability": found.mean,
        "copy": found.copy,
        "reliability_weights": [list(pair) for pair in zip(found.factors, found.weights, strict=True)],
    }
