"""Which tables the papers have: `tables.toml`, as values.

>>> TABLES["thesis-iii-1"].printed, TABLES["thesis-iii-1"].reruns
('Table III-1', ('thesis-xor',))
"""

import tomllib
from dataclasses import dataclass
from pathlib import Path

SOURCES = {
    "thesis": "Brown's thesis",
    "pena": "Peña, Nilsson, Björkegren and Tegnér 2007",
    "hiton": "Aliferis, Tsamardinos and Statnikov 2003",
    "saeed": "Saeed 2008",
    "strobl": "Strobl and Visweswaran 2014",
}


@dataclass(frozen=True)
class Published:
    """A published table or figure; `tables.toml` says what the fields are."""

    name: str
    printed: str
    about: str
    reruns: tuple[str, ...] = ()
    cases: tuple[str, ...] = ("",)
    measures: tuple[str, ...] = ("",)
    ours: tuple[str, ...] = ()
    unit: float = 0.001
    exact: bool = False
    given: bool = False
    simulated: bool = False
    reason: str = ""
    causes: str = ""

    @property
    def source(self) -> str:
        return SOURCES[self.name.split("-")[0]]

    def has(self, row: dict[str, str]) -> bool:
        """Whether a line of a rerun belongs to it."""
        return row["case"].startswith(self.cases) and row["measure"].startswith(self.measures)

    def judges(self, row: dict[str, str]) -> bool:
        """Whether the line is of a published method, and not of one of ours beside it."""
        return not any(name in text for name in self.ours for text in (row["case"], row["measure"], row["note"]))


def _read() -> dict[str, Published]:
    content = tomllib.loads((Path(__file__).parent / "tables.toml").read_text(encoding="utf-8"))
    texts = content["texts"]
    made = {}
    for entry in content["table"]:
        for key in ("reason", "causes"):
            entry[key] = entry.get(key, "").format(**texts)
        lists = {key: tuple(value) for key, value in entry.items() if isinstance(value, list)}
        made[entry["name"]] = Published(**{**entry, **lists})
    if len(made) < len(content["table"]):
        raise ValueError("tables.toml: a name stands there twice")
    return made


TABLES = _read()
