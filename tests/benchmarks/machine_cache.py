"""What a long benchmark has finished, a line of JSON for each result, appended as soon as there is one.

>>> import tempfile
>>> with tempfile.TemporaryDirectory() as home:
...     cache = Cache(home + "/cache")
...     cache.add("small", "ours", {"auc": 0.9})
...     Cache(home + "/cache").of("small", "ours")
[{'auc': 0.9}]
"""

import json
from pathlib import Path


class Cache:
    """Results by problem and way. Each begins a line, so one that a crash cut off is passed over and harms no other."""

    def __init__(self, path: str):
        self.path = Path(path)

    def add(self, problem: str, way: str, result: dict) -> None:
        self.path.parent.mkdir(parents=True, exist_ok=True)
        with self.path.open("a", encoding="utf-8") as file:
            file.write("\n" + json.dumps({"problem": problem, "way": way, "result": result}))

    def of(self, problem: str, way: str) -> list[dict]:
        """Results in the order in which they were finished."""
        found = []
        for line in self.path.read_text(encoding="utf-8").splitlines() if self.path.exists() else ():
            try:
                entry = json.loads(line)
            except json.JSONDecodeError:
                continue
            if (entry["problem"], entry["way"]) == (problem, way):
                found.append(entry["result"])
        return found
