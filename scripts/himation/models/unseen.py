"""Words of a table to predict that training never had: none of the model's columns stands for them."""

from collections import Counter

import numpy as np

from himation.table import DISCRETE, Table


def unseen(table: Table, variables, raw=None) -> dict[str, Counter]:
    """How often each such word occurs in the test part, by the variable's name. ``raw`` is the table as it was read,
    where the prepared one does not keep the word itself."""
    found = {}
    for i in variables:
        if table.kinds[i] != DISCRETE or not table.is_text(i):
            continue
        codes = np.asarray(table.test.codes[table.row[i]])
        rows = np.flatnonzero(codes >= table.arity(i))
        if len(rows):
            words = _words(raw, table, i) if raw is not None else None
            found[table.names[i]] = Counter(
                str(table.levels[i][codes[row]]) if words is None else words[row] for row in rows.tolist()
            )
    return found


def _words(raw, table: Table, i: int) -> list[str]:
    named = table.names[i] in raw.names and not raw.headerless
    place = raw.names.index(table.names[i]) if named else int(table.columns[i]) - 1
    words = raw.texts.get(place)
    return [f"{value:g}" for value in raw.column(place)] if words is None else [str(word) for word in words]
