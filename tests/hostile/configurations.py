"""Configurations by number, each with its tables: drawn from the schema, then often spoilt in a value or a byte."""

import json

import inputs
import numpy as np
import yaml
from conftest import PROJECT

SCHEMA = yaml.safe_load((PROJECT / "workflow/schemas/config.schema.yaml").read_text())
NAMES = ["t.csv", "my data/t.csv", "a'b.csv", 't"$(touch PWNED).csv', "-x.csv", "ü ß.csv", "`id`;&|.csv", "50%.csv"]
BAD_NAMES = ["{0}.csv", "{id}.csv", "a}b.csv", "t\tb.csv", "results/one/t.csv", "results/t.csv"]
WORDS = ["none", "unknown", "known", "found", "auto", "continuous", "discrete", "all", "y", "a", "y.txt", "nofile", "."]
ODD = [None, True, False, 1.0, 100.0, -1, 0, 0.5, 2**32, 2**70, -(2**70), float("nan"), float("inf"), 1e308, 1e-320]
ODD += ["", " ", "1", "yes", "a\nb", "a\0b", "\x1b[2J", "x" * 300, "x" * 70_000, [], {}, [[]], [None], {"a": {"b": []}}]
ODD += ["../up", "/etc/passwd", "/", "~", "results", "é", "e\u0301", "\u202e", *inputs.NAMES[:30]]
KNOWN = ["lucas", "lucap", "reged", "marti", "cina", "sido"]
SWELLING = "".join(f"l{i}: &l{i} [{', '.join([f'*l{i - 1}'] * 9)}]\n" for i in range(1, 12))
TEXTS = [
    "l0: &l0 [x, x]\n" + SWELLING,
    "a: &a [*a]\n",
    "a: &a {b: *a}\n",
    "seed: " + "[" * 2000 + "]" * 2000 + "\n",
    "seed: " + "{a: " * 2000 + "1" + "}" * 2000 + "\n",
    "{" * 900,
    "seed: [1\n",
    "seed: 1\n  datasets: []\n",
    "seed: 'x\n",
    "\tseed: 1\n",
    "seed: 1\n---\nseed: 2\n",
    "seed: 1\nseed: 2\n",
    "- 1\n- 2\n",
    "seed\n",
    "",
    "# nothing\n",
    "null\n",
    "seed: !!python/object/apply:os.system ['touch PWNED']\n",
    "seed: !!timestamp 2026-13-45\n",
    "seed: 2026-01-40\n",
    "seed: !!int abc\n",
    "seed: !!float x\n",
    "seed: !!binary =\n",
    "seed: !!set {1, 2}\n",
    "seed: !mine 3\n",
    "seed: *gone\n",
    "? [1, 2]\n: 3\n",
    "? {a: 1}\n: 3\n",
    "1: 2\n",
    "null: 2\n",
    "<<: {seed: 3}\n",
    "<<: 3\n",
    "seed: 0x1F\n",
    "seed: 1:30\n",
    "seed: 010\n",
    "seed: \x01\n",
    "seed: \x85 \u2028 1\n",
    "%YAML 3.0\n---\nseed: 1\n",
    "seed: &a 1\nscatter: *a\n",
    "datasets: {id: a}\n",
    "methods: [mmmb, iamb]\n",
    "methods: mmmb\n",
    "region: depth\n",
    "region: {groups: nofile}\n",
    "independence: {alpha: .nan}\n",
    "configfile: x\n",
    "__use_yte__: true\nseed: ?open('PWNED', 'w').write('1')\n",
    "__use_yte__: true\n__definitions__: [import os, 'os.mkdir(\"PWNED\")']\n",
    '{"seed": 1}',
    '{"seed": NaN}',
    '{"seed": 1',
    '{"seed": "\\ud800"}',
    '{"seed": 1}{"seed": 2}',
]
CODECS = ["utf-16", "utf-16-le", "utf-8-sig", "latin-1", "utf-32", "cp037"]


def case(number: int, seed: int, folder) -> None:
    """Write ``c.yaml`` and the files it names."""
    rng = np.random.default_rng([seed, number])
    made = _Maker(rng, folder)
    config = made.configuration()
    if rng.random() < 0.35:
        made.spoil(config)
    if rng.random() < 0.15:
        text = inputs.pick(rng, TEXTS)
        both = rng.random() < 0.3
        text = (_written(rng, config) if both else "") + text
    else:
        text = _written(rng, config)
    content = text.encode(inputs.pick(rng, CODECS) if rng.random() < 0.05 else "utf-8", "replace")
    (folder / "c.yaml").write_bytes(inputs.damage(rng, content) if rng.random() < 0.1 else content)


def _written(rng, config) -> str:
    if rng.random() < 0.2:
        return json.dumps(config)
    return yaml.safe_dump(config, allow_unicode=bool(rng.integers(2)), default_flow_style=bool(rng.integers(2)))


class _Maker:
    """Draws one configuration, and writes its files into a folder."""

    def __init__(self, rng, folder):
        self.rng, self.folder = rng, folder
        (folder / "y.txt").write_text("0\n1\n" * 15)
        lists = ["a\nb\n", "1\n2\n", "a,b"] * 3 + ["", "y\n", "nobody\n", "99\n"]
        (folder / "list.txt").write_text(inputs.pick(rng, lists))
        truths = ["from,to\na,y\n", "from,to\n1,0\n"] * 3 + ["a,b\n", "from,to\nq,y\n"]
        (folder / "truth.csv").write_text(inputs.pick(rng, truths))

    def likely(self, share) -> bool:
        return self.rng.random() < share

    def pick(self, values):
        return inputs.pick(self.rng, values)

    def configuration(self) -> dict:
        config = {"datasets": [self.dataset(i) for i in range(int(self.rng.integers(1, 4)))]}
        for key, schema in SCHEMA["properties"].items():
            if key not in ("datasets", "challenge_data", "folder", "methods", "reruns") and self.likely(0.2):
                config[key] = self.value(schema)
        if self.likely(0.5):
            ids = ["mmmb", "iamb", "rfe", "hiton", "fsmb", "mmpc"]
            config["methods"] = [self.pick([name, {"id": name}]) for name in ids if self.likely(0.4)] or ["mmmb"]
        if self.likely(0.05):
            config["challenge_data"] = self.pick([".", "nofolder", "my data"])
        return config

    def dataset(self, i: int) -> dict:
        if self.likely(0.25):
            network = self.pick(KNOWN)
            simulate = {"network": network, "train": int(self.pick([10, 50, 200])), "test": int(self.pick([10, 50]))}
            simulate |= {"variables": int(self.pick([64, 100, 400]))} if network != "lucas" else {}
            simulate |= {"version": int(self.rng.integers(3))} if self.likely(0.5) else {}
            return {"id": f"s{i}", "simulate": simulate}
        entry = {"id": self.pick(["one", "two", "x-1", "a_b"]) + (str(i) if self.likely(0.95) else "")}
        name = self.pick(NAMES) if self.likely(0.95) else self.pick(BAD_NAMES)
        entry |= {"train": self.table(name), "target": "y" if self.likely(0.8) else "y.txt"}
        if self.likely(0.4):
            entry["test"] = self.table(f"test-{i}-{self.pick(NAMES).replace('/', '-')}")
        if self.likely(0.3 if "test" in entry else 0.03):
            entry["test_target"] = "y.txt"
        if self.likely(0.3):
            sound = ["none", "unknown", "list.txt", ["a"], [1, "b"], []]
            entry["manipulation"] = self.pick(sound if self.likely(0.8) else [["y"], ["$(id)"], [4], ["-x"], "known"])
        if self.likely(0.15):
            entry["truth"] = "truth.csv"
        if self.likely(0.15):
            entry["types"] = self.pick(["auto", "continuous", "discrete", "mixed", *self.pick([[], [], ["list.txt"]])])
        if self.likely(0.15):
            entry["missing"] = self.pick(["error", "drop", "impute"])
        return entry

    def table(self, name: str) -> str:
        """A sound table, or one in twenty that means no good."""
        if self.likely(1 / 20):
            ending, content = inputs.table(self.rng)
            name = f"{name.removesuffix('.csv')}.{ending}"
        else:
            rows = "".join(f"{i % 7},{(i * 5) % 11},{i * 0.5},{i % 2}\n" for i in range(30))
            content = ("a,b,c,y\n" + rows).encode()
        path = self.folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content)
        return name

    def value(self, schema):
        """Something that the schema allows, mostly."""
        if "enum" in schema:
            return self.pick(schema["enum"])
        kind = schema.get("type")
        kind = kind[0] if isinstance(kind, list) else kind
        if kind in ("integer", "number"):
            low = schema.get("minimum", schema.get("exclusiveMinimum", 0))
            high = schema.get("maximum", schema.get("exclusiveMaximum", low + 50))
            if kind == "integer":
                return int(self.rng.integers(low, min(high, low + 50) + 1))
            return float(low + (high - low) * self.rng.uniform(0.01, 0.99))
        if kind == "boolean":
            return bool(self.rng.integers(2))
        if kind == "array":
            return [self.value(schema["items"]) for _ in range(int(self.rng.integers(schema.get("minItems", 0), 4)))]
        if kind == "object":
            return {key: self.value(part) for key, part in schema["properties"].items() if self.likely(0.3)}
        return schema["default"] if self.likely(0.9) else self.pick(WORDS)

    def spoil(self, config) -> None:
        """Replace a value somewhere, or add a key."""
        here = config
        while True:
            keys = list(here) if isinstance(here, dict) else list(range(len(here)))
            if not keys:
                return
            key = self.pick(keys)
            if isinstance(here[key], dict | list) and here[key] and self.likely(0.8):
                here = here[key]
            elif isinstance(here, dict) and self.likely(0.15):
                here[self.pick(inputs.NAMES)] = self.pick(ODD)
                return
            else:
                here[key] = self.pick(ODD) if self.likely(0.7) else self.pick(WORDS + NAMES + BAD_NAMES)
                return
