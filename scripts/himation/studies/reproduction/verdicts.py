"""Does a rerun agree with what was published?

A figure agrees within two standard errors, rounding of the published one added. The errors are those of the rerun and,
where a paper prints the spread of its samples, of the published figure, together. It is better, worse or different
where it is further away than chance gives with so few samples (Student's intervals of 95 %). Between the two, and where
the rerun's error is not known, as with one sample, nothing can be told.

Other published figures have errors as well: two means of ten samples each differ by more than two standard errors of
one of them in 16 % of all cases, without any difference behind it. A table agrees, therefore, if four fifths do of its
figures of which something can be told; where that is half of them or less, nothing can be told of the table.

>>> verdict(0.50, 0.55, 0.03, "high", samples=10), verdict(0.50, 0.61, 0.03, "high", samples=10)
('agrees', 'better')
>>> verdict(0.50, 0.61, 0.03, "high", samples=3), verdict(0.50, 0.61, None, "high", samples=1)
("can't tell", "can't tell")
>>> verdict(0.50, 0.61, 0.03, "high", samples=10, published_error=0.05)
'agrees'
"""

from collections import Counter
from collections.abc import Iterable
from functools import cache
from math import hypot

ERRORS = 2.0  # standard errors of the rerun within which a published figure agrees
LEVEL = 0.95  # of the interval outside of which it does not
MOST = 0.8  # share of the figures by which a whole table is called
PRINTED = 10  # samples behind a published spread
FEWEST = 5  # samples, all alike, that show that a figure has no spread
AGREES, BETTER, WORSE, DIFFERS, OPEN = VERDICTS = ("agrees", "better", "worse", "differs", "can't tell")
MIXED = "mixed"


def verdict(
    published, rerun, error, better: str, samples: int | None = None, unit: float = 0.0, published_error: float = 0.0
) -> str:
    """One of VERDICTS, or "" where nothing was published.

    ``better`` is "high", "low" or "", ``unit`` the last digit printed. Without ``samples``, as with a figure that owes
    nothing to chance, the interval is that of two standard errors too.
    """
    if published is None:
        return ""
    if samples == 1:
        return OPEN
    difference = rerun - published
    rounding = 0.5 * unit + 1e-9
    if abs(difference) <= ERRORS * hypot(error or 0.0, published_error) + rounding:
        return AGREES if error is not None or not difference else OPEN
    unknown = error is None or (samples and error == 0 and samples < FEWEST)
    if unknown or abs(difference) <= hypot(_width(samples) * error, _width(PRINTED) * published_error) + rounding:
        return OPEN
    if not better:
        return DIFFERS
    return BETTER if (difference > 0) == (better == "high") else WORSE


def of_row(row: dict[str, str], samples: int | None = None, unit: float = 0.0) -> str:
    """The verdict on a line of a table that rerun_table.py wrote."""
    known = float(row["published"]) if row["published"] else None
    error = float(row["error"]) if row.get("error") else None
    theirs = float(row.get("published_error") or 0.0)
    return verdict(known, float(row["rerun"]), error, row["better"], samples, unit, theirs)


def summary(verdicts: Iterable[str]) -> str:
    """One word for a table: what four fifths of the figures are of which something can be told, if these are most.

    >>> summary(["agrees"] * 8 + ["worse"] * 2), summary(["agrees"] * 5 + ["worse"] * 5)
    ('agrees', 'worse')
    >>> summary(["agrees", "worse", "better"]), summary(["can't tell", "agrees", ""])
    ('mixed', "can't tell")
    """
    counts = Counter(verdicts)
    told = sum(counts[word] for word in VERDICTS[:-1])
    if told <= counts[OPEN]:
        return OPEN
    if counts[AGREES] >= MOST * told:
        return AGREES
    apart = told - counts[AGREES]
    return next((word for word in (BETTER, WORSE, DIFFERS) if counts[word] >= MOST * apart), MIXED)


@cache
def _width(samples: int | None) -> float:
    """How many standard errors the interval reaches to either side."""
    from scipy.stats import t

    return max(ERRORS, float(t.ppf(0.5 + LEVEL / 2, samples - 1))) if samples and samples > 1 else ERRORS
