"""The tasks that can be simulated and their published sizes, apart so that reading them loads nothing."""

PROBE_TASKS = {"lucap": 143, "cina": 132, "sido": 4932}  # variables in all
# Variables, training and test examples where the configuration names none.
DEFAULT_SIZES = {
    "lucas": (11, 500, 5000),
    "lucap": (143, 2000, 10000),
    "reged": (300, 500, 5000),
    "marti": (1024, 500, 20000),
    "cina": (132, 16033, 10000),
    "sido": (4932, 12678, 10000),
}
FROM_FILE = (None, 500, 5000)  # of a network in a file, which has its own variables
TASKS = tuple(DEFAULT_SIZES)
OURS = "selected variables"  # of a table of scores: what was selected, and the references that know the truth
TRUE_PARENTS, TRUE_BLANKET, TRUE_MANIPULATED = "true parents", "true natural blanket", "true manipulated blanket"
TRUE_REAL = "true real variables"
KNOWING = (TRUE_PARENTS, TRUE_BLANKET, TRUE_MANIPULATED, TRUE_REAL)
CHIP = ("marti",)  # tasks with calibrants on a grid


def challenge_ids(ids) -> list[str]:
    """Data sets named after a task and version of the challenge, where all three versions are there.

    None if they are toys only.

    >>> challenge_ids(["lucas0", "lucas1", "lucas2", "reged0"])
    []
    """
    tasks = [task for task in TASKS if all(f"{task}{version}" in ids for version in range(3))]
    tasks = tasks if set(tasks) - {"lucas", "lucap"} else []
    return [f"{task}{version}" for task in tasks for version in range(3)]
