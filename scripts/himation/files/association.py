"""Write whether anything goes with the target (`himation.independence.overall`), as JSON."""

from himation.files.atomic import write_json
from himation.independence.overall import Overall


def write_association(path, found: Overall, names) -> None:
    """``names`` has a name for each column that was looked at."""
    facts = {
        "found": found.found,
        "p_value": found.p_value,
        "level": found.level,
        "permutations": found.permutations,
        "parts": [
            {"part": part.name, "p_value": part.p_value, "variables": [names[column] for column in part.columns]}
            for part in found.parts
        ],
    }
    write_json(path, facts)
