"""The real part of CINA: people, their work, and whether they earn much. From UCI Adult, or simulated.

CINA's 44 real variables come from UCI Adult (48,842 people): people without a known class of work or occupation are
left out (46,033 stay), categories become one indicator each, the native country becomes "United States or not", the
word for a person's education gives way to its number, and indicators that hold for fewer than one in a thousand (three
of them) go, as constant ones do. Training and the three tests are disjoint parts of the people: 16,033 and three times
10,000, with the published numbers of positive examples (income above 50,000).

Who has no Adult table gets a simulated census with the same columns: six numbers (age, weight, education, gains, losses
and hours, the middle ones skewed), two facts (sex, country), and five groups of indicators. Age, sex and education come
first; marriage, relationship, work and occupation follow from them; income is a logistic function of most of it, and a
model of it reaches the AUC that the real table allows, about 0.90.

>>> table, target, names = simulate_census(500, np.random.default_rng(1))
>>> table.shape, len(names), sorted(set(target.tolist()))
((44, 500), 44, [-1, 1])
>>> occupation = [i for i, name in enumerate(names) if name.startswith("occupation=")]
>>> bool((table[occupation].sum(axis=0) == 1).all())
True
"""

from collections.abc import Mapping

import numpy as np

from himation.errors import UserError
from himation.studies.simulate.balance import logistic
from himation.studies.simulate.sido_like import signs

NUMBERS = ("age", "fnlwgt", "education-num", "capital-gain", "capital-loss", "hours-per-week")
CATEGORIES = ("workclass", "marital-status", "occupation", "relationship", "race")
NEEDED = (*NUMBERS, *CATEGORIES, "sex", "native-country", "income")
RAREST = 0.001  # indicators below this rate are dropped
UNKNOWN = "?"
TRAIN = (16_033, 3_939)  # examples, and positive ones among them, as published
TESTS = ((10_000, 2_425), (10_000, 2_540), (10_000, 2_518))

_WORK = ("Private", "Self-emp-not-inc", "Local-gov", "State-gov", "Self-emp-inc", "Federal-gov")
_MARITAL = ("Married-civ-spouse", "Never-married", "Divorced", "Separated", "Widowed", "Married-spouse-absent")
_RELATION = ("Husband", "Not-in-family", "Own-child", "Unmarried", "Wife", "Other-relative")
_RACE = ("White", "Black", "Asian-Pac-Islander", "Amer-Indian-Eskimo", "Other")
# Occupations with: log of their frequency, pull of education, pull of being a man, and what they add to the log-odds.
_OCCUPATION = {
    "Prof-specialty": (0.4, 1.6, -0.3, 0.55),
    "Craft-repair": (-0.2, -0.5, 1.9, 0.05),
    "Exec-managerial": (0.9, 0.8, 0.0, 0.8),
    "Adm-clerical": (1.7, -0.1, -1.3, 0.05),
    "Sales": (0.9, 0.1, 0.0, 0.25),
    "Other-service": (1.2, -0.6, -0.6, -0.8),
    "Machine-op-inspct": (0.1, -0.8, 0.7, -0.3),
    "Transport-moving": (-0.9, -0.6, 2.2, -0.1),
    "Handlers-cleaners": (-0.8, -0.7, 1.5, -0.7),
    "Farming-fishing": (-1.3, -0.6, 1.8, -0.9),
    "Tech-support": (-0.5, 0.3, -0.1, 0.6),
    "Protective-serv": (-1.7, 0.0, 1.3, 0.6),
    "Priv-house-serv": (-2.0, -1.0, -2.5, -1.5),
}


def encode_adult(columns: Mapping[str, np.ndarray]) -> tuple[np.ndarray, np.ndarray, tuple[str, ...]]:
    """Real variables (a row each), target and names, from the columns of UCI Adult by name, words for categories."""
    missing = [name for name in NEEDED if name not in columns]
    if missing:
        raise UserError(f"the Adult table has no column {missing[0]!r}; it needs {', '.join(NEEDED)}")
    words = {name: np.char.strip(np.asarray(columns[name], dtype=str)) for name in (*CATEGORIES, "sex", "income")}
    known = (words["workclass"] != UNKNOWN) & (words["occupation"] != UNKNOWN)
    country = np.char.strip(np.asarray(columns["native-country"], dtype=str))[known]
    try:
        rows = {name: np.asarray(columns[name], dtype=np.float64)[known] for name in NUMBERS}
    except ValueError as error:
        raise UserError(
            f"the Adult table has text among its numbers ({error}); it needs {', '.join(NUMBERS)}"
        ) from None
    rows["sex=Male"] = (words["sex"][known] == "Male").astype(np.float64)
    rows["native-country=United-States"] = (country == "United-States").astype(np.float64)
    for name in CATEGORIES:
        column = words[name][known]
        rows |= {f"{name}={word}": (column == word).astype(np.float64) for word in sorted(set(column.tolist()))}
    names = tuple(name for name, row in rows.items() if row.max() > row.min() and row.mean() >= RAREST)
    target = np.where(np.char.startswith(words["income"][known], ">"), 1, -1).astype(np.int8)
    return np.stack([rows[name] for name in names]), target, names


def split_adult(target: np.ndarray, sizes: tuple[int, int], version: int, rng: np.random.Generator):
    """Training and test rows: disjoint parts of all people with the published shares of positive examples.

    `sizes` are the numbers of training and of test examples, at most CINA's; fewer come from the same parts.
    """
    if sizes[0] > TRAIN[0] or sizes[1] > TESTS[version][0]:
        raise UserError(
            f"CINA has {TRAIN[0]} training and {TESTS[version][0]} test examples, not {sizes[0]}, {sizes[1]}"
        )
    pools = [rng.permutation(np.flatnonzero(target > 0)), rng.permutation(np.flatnonzero(target < 0))]
    parts, start = [], [0, 0]
    for n, positive in (TRAIN, *TESTS):
        counts = (positive, n - positive)
        if any(s + c > len(pool) for s, c, pool in zip(start, counts, pools, strict=True)):
            raise UserError(f"the Adult table has too few people for CINA: {len(target)}, of {46_033} that there were")
        part = np.concatenate([pool[s : s + c] for pool, s, c in zip(pools, start, counts, strict=True)])
        parts.append(rng.permutation(part))
        start = [s + c for s, c in zip(start, counts, strict=True)]
    return parts[0][: sizes[0]], parts[1 + version][: sizes[1]]


def simulate_census(
    n: int, rng: np.random.Generator, positives: int | None = None
) -> tuple[np.ndarray, np.ndarray, tuple[str, ...]]:
    """Real variables (a row each), target and names of n simulated people, exactly so many `positives` if given."""
    people = _people(n, rng)
    target = signs(_log_odds(people) + rng.logistic(size=n), positives)
    rows = {name: people[name] for name in NUMBERS}
    rows["sex=Male"], rows["native-country=United-States"] = people["man"], people["native"]
    for name, choices in zip(CATEGORIES, (_WORK, _MARITAL, tuple(_OCCUPATION), _RELATION, _RACE), strict=True):
        rows |= {f"{name}={word}": (people[name] == i).astype(np.float64) for i, word in enumerate(choices)}
    return np.stack(list(rows.values())).astype(np.float64), target, tuple(rows)


def _people(n: int, rng: np.random.Generator) -> dict[str, np.ndarray]:
    man = (rng.random(n) < 0.67).astype(np.float64)
    age = np.clip(np.rint(17 + rng.gamma(2.4, 9.0, n)), 17, 90)
    race = _choose(np.log([[0.857, 0.095, 0.031, 0.009, 0.008]]), rng, n)
    native = (rng.random(n) < np.where(np.isin(race, (2, 4)), 0.35, 0.93)).astype(np.float64)
    years = (age - 38) / 13
    education = np.clip(np.rint(10.2 + 2.4 * rng.standard_normal(n) - 0.9 * (age < 22) + 0.2 * (native > 0)), 1, 16)
    schooling = (education - 10) / 2.5
    marital = _marital(years, man, rng)
    relation = _relation(marital, man, age, rng)
    jobs = np.array(list(_OCCUPATION.values()))
    occupation = _choose(jobs[:, 0] + np.outer(schooling, jobs[:, 1]) + np.outer(man, jobs[:, 2]), rng, n)
    work = np.array([2.4, 0.1, 0.0, -0.5, -0.8, -0.9]) + np.outer(schooling, [0, 0, 0.5, 0.4, 0.3, 0.3])
    work = _choose(work + np.outer(years, [-0.1, 0.5, 0.2, 0.0, 0.5, 0.2]), rng, n)
    keen = 0.35 * man + 0.25 * schooling + 0.5 * (work == 4) - 0.9 * (relation == 2)
    hours = np.clip(np.rint(np.where(rng.random(n) < 0.45, 40, 40 + 5 * keen + 10 * rng.standard_normal(n))), 1, 99)
    means = 0.35 * schooling + 0.3 * years + 0.3 * (marital == 0)
    gains = (rng.random(n) < logistic(means - 3.0)) * np.rint(np.exp(8.3 + 0.7 * means + 0.9 * rng.standard_normal(n)))
    losses = (rng.random(n) < logistic(means - 3.6)) * np.rint(1870 + 350 * rng.standard_normal(n))
    return {
        "age": age,
        "fnlwgt": np.rint(np.exp(12.0 + 0.55 * rng.standard_normal(n))),
        "education-num": education,
        "capital-gain": np.clip(gains, 0, 99_999),
        "capital-loss": np.clip(losses, 0, 4_356),
        "hours-per-week": hours,
        "man": man,
        "native": native,
        "workclass": work,
        "marital-status": marital,
        "occupation": occupation,
        "relationship": relation,
        "race": race,
    }


def _marital(years: np.ndarray, man: np.ndarray, rng) -> np.ndarray:
    scores = np.outer(np.minimum(years, 1.2), [0.8, -2.3, 0.7, 0.2, 1.8, 0.1]) + np.outer(man, [1.5, 0, 0, 0, -0.9, 0])
    return _choose(scores + np.array([0.35, 0.1, 0.0, -1.3, -2.3, -2.2]), rng, len(years))


def _relation(marital: np.ndarray, man: np.ndarray, age: np.ndarray, rng) -> np.ndarray:
    """Married people are husbands and wives; single ones live on their own, with parents, or with others."""
    n = len(marital)
    single = np.tile([-np.inf, 0.9, 0.0, 0.1, -np.inf, -1.3], (n, 1))
    single[:, 2] += np.where(marital == 1, 1.2, -1.5) - 0.08 * (age - 22)
    single[:, 3] += np.where(marital == 1, -0.8, 0.6) - 1.2 * man
    return np.where(marital == 0, np.where(man > 0, 0, 4), _choose(single, rng, n))


def _log_odds(people: dict[str, np.ndarray]) -> np.ndarray:
    jobs = np.array([row[3] for row in _OCCUPATION.values()])
    years = (people["age"] - 38) / 13
    return (
        -3.75
        + 0.42 * (people["education-num"] - 10)
        + 2.9 * (people["marital-status"] == 0)
        + 0.85 * years
        - 0.45 * years**2
        + 0.032 * (people["hours-per-week"] - 40)
        + np.array([0.0, -0.55, -0.2, -0.35, 0.2, 0.45])[people["workclass"]]
        + jobs[people["occupation"]]
        + 0.5 * (people["man"] * (people["marital-status"] != 0))
        + 0.3 * people["native"]
        + 0.00028 * np.minimum(people["capital-gain"], 15_000)
        + 0.0007 * people["capital-loss"]
    )


def _choose(scores: np.ndarray, rng, n: int) -> np.ndarray:
    """One of the columns for each row, with chances proportional to the exponentials of the scores."""
    noise = rng.gumbel(size=(n, np.shape(scores)[-1]))
    return np.argmax(scores + noise, axis=1)
