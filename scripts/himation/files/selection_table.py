"""What select_variables.py writes beside the roles: the chosen columns, what competed, and what to be aware of."""

from himation.selection.rule_names import BY_EXPECTATION


def facts(rule: str, situation, choice, chosen, warnings, nodes) -> dict:
    """The contents of selection.json; variables are columns of the user's file."""

    def columns(members) -> list[int]:
        return [nodes.column(x) for x in members]

    winner = choice.rivals[choice.winner]
    taken = winner if rule in BY_EXPECTATION else choice.rivals.get(rule, winner)
    return {
        "rule": rule,
        "manipulation": situation.kind,
        "manipulated": sorted(columns(situation.manipulated)),
        "columns": columns(chosen),
        "winner": choice.winner,
        "panels": [{"columns": columns(panel), "worlds": worlds} for panel, worlds in choice.panels.items()],
        "expected_auc": taken.auc,
        "natural_auc": taken.natural,
        "sets": [
            {"set": name, "columns": columns(item.members), **_numbers(item)} for name, item in choice.rivals.items()
        ],
        "path": [{"columns": len(item.members), **_numbers(item)} for item in choice.path],
        "no_cause": {str(nodes.column(x)): p for x, p in sorted(choice.no_cause.items())},
        "warnings": list(warnings),
    }


def _numbers(item) -> dict[str, float]:
    return {"expected_auc": item.auc, "standard_error": item.standard_error, "natural_auc": item.natural}
