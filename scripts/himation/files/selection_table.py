"""What select_variables.py writes beside the roles: the chosen columns, what competed, and what to be aware of."""

from himation.posterior.averages import agreement
from himation.selection.rules import Selection, Situation
from himation.selection.worlds import Expectation


def facts(
    rule: str, situation: Situation, selections: dict[str, Selection], expected: dict[str, Expectation], warnings, nodes
) -> dict:
    """The contents of selection.json; variables are columns of the user's file."""

    def columns(members) -> list[int]:
        return [nodes.column(x) for x in members]

    def by_column(values: dict) -> dict:
        return {str(column): value for column, value in sorted((nodes.column(x), v) for x, v in values.items())}

    chosen, thesis = selections[rule], selections["thesis"]
    return {
        "rule": rule,
        "manipulation": situation.kind,
        "manipulated": sorted(columns(situation.manipulated)),
        "columns": columns(chosen.chosen),
        "panels": [{"columns": columns(panel), "networks": count} for panel, count in chosen.panels.items()],
        "inclusion": by_column(chosen.inclusion),
        "expected_auc": expected[rule].auc,
        "natural_auc": expected[rule].natural,
        "sets": [
            {
                "set": name,
                "columns": columns(item.members),
                "expected_auc": item.auc,
                "standard_error": item.standard_error,
                "natural_auc": item.natural,
            }
            for name, item in expected.items()
        ],
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
