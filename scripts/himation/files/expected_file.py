"""Read what estimate_auc.py wrote: expected.json, and the values of the rows held out."""

from pathlib import Path

import numpy as np

from himation.errors import UserError
from himation.files.atomic import read_json, read_tsv
from himation.models.kinds import Honest
from himation.table import Table


def read_expected(path, held_out, table: Table) -> tuple[dict, Honest | None]:
    """The facts, and the values of the rows held out; nothing, and None, where no file or no value is given."""
    if not path:
        return {}, None
    if not Path(path).is_file():
        raise UserError(f"{path}: no such file (scripts/estimate_auc.py writes it)")
    facts = read_json(path)
    rows = read_tsv(held_out) if held_out else []
    if not rows:
        return facts, None
    values = np.full(table.train.n, np.nan)
    for row in rows:
        if not 1 <= int(row["row"]) <= table.train.n:
            raise UserError(f"{held_out}: row {row['row']} of a table with {table.train.n}; run estimate_auc.py again")
        values[int(row["row"]) - 1] = float(row["value"])
    return facts, Honest(values, facts["expected_auc"], facts["standard_error"], facts["measured"])
