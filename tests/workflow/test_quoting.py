"""Texts of a user reach the shell as words: in every placeholder of every rule, from every key that takes free text."""

import ast
import json
import re
import string
import subprocess
from functools import cache

import pytest
import yaml
from conftest import PROJECT
from forked import commands

from himation.studies.simulate import census

RULES = {path.name: path.read_text() for path in sorted((PROJECT / "workflow/rules").glob("*.smk"))}
SHELL = re.compile(r"^( *)shell:\n((?:\1 +\".*\n?)+)", re.MULTILINE)
RULE = re.compile(r"^ *rule (\w+):", re.MULTILINE)
HOSTILE = [
    "$(touch PWNED)",
    "`touch PWNED`",
    "; touch PWNED;",
    "my data/x",
    "a'b",
    'a"b\\',
    "-x",
    "*",
    "ü ~ & | # %s !",
]
PLAIN = "plain"
TRAINING = re.compile(r"training/[a-z0-9-]+-[0-9a-f]{8}")  # named after the table
# Keys of the schema that take any text; `configuration` uses each.
TEXTS = {
    "datasets.train",
    "datasets.target",
    "datasets.test",
    "datasets.test_target",
    "datasets.types",
    "datasets.calibrants",
    "datasets.truth",
    "datasets.manipulation",
    "datasets.ignore",
    "datasets.positive",
    "datasets.environment",
    "datasets.knowledge",
    *(f"datasets.knowledge.{key}" for key in ("first", "last", "tiers", "causes", "not_causes", "edges", "no_edges")),
    "datasets.simulate.network",
    "datasets.simulate.target",
    "datasets.simulate.positive",
    "datasets.simulate.adult",
    "challenge_data",
    "folder",
    "region.groups",
}
CHECKED = {"methods.method", "datasets.simulate.manipulate"}  # compared with a list of names before anything uses it


def free_texts(schema, place=""):
    """Keys whose text may be anything."""
    kinds = schema.get("type", [])
    if "string" in ([kinds] if isinstance(kinds, str) else kinds) and "pattern" not in schema:
        yield place
    for key, part in schema.get("properties", {}).items():
        yield from free_texts(part, f"{place}.{key}".removeprefix("."))
    if isinstance(schema.get("items"), dict):
        yield from free_texts(schema["items"], place)


def test_every_placeholder_of_every_rule_is_quoted():
    unquoted, n_shells = [], 0
    for name, text in RULES.items():
        for match in SHELL.finditer(text):
            n_shells += 1
            written = ast.literal_eval(f"({match.group(2)})")  # no f-string, no call
            for _, field, spec, _ in string.Formatter().parse(written):
                if field is not None and field != "threads" and spec != "q":
                    unquoted.append(f"{name}: {{{field}}}")
            assert written.startswith("python {input.script:q} ")
    assert unquoted == []
    assert n_shells == sum(len(RULE.findall(text)) for text in RULES.values()) > 15


def test_every_key_that_takes_a_text_is_tried():
    schema = yaml.safe_load((PROJECT / "workflow/schemas/config.schema.yaml").read_text())
    assert set(free_texts(schema)) == TEXTS | CHECKED


@cache
def adult_table() -> str:
    """As many people as CINA has, in the columns of UCI Adult."""
    lines = [",".join(census.NEEDED)]
    for i in range(46_033):
        kinds = [f"{name}{i % (3 + j)}" for j, name in enumerate(census.CATEGORIES)]
        numbers = [str(i % (7 + j)) for j in range(len(census.NUMBERS))]
        lines.append(",".join([*numbers, *kinds, "Male", "United-States", ">50K" if i < 11_422 else "<=50K"]))
    return "\n".join(lines) + "\n"


def configuration(folder, odd):
    """All free texts, each with ``odd`` in it, and all rules; the files are written into ``folder``."""
    rows = [f"{i % 2},{1 - i % 2},{i % 3},{i * 0.5},{(i * 7) % 5}" for i in range(30)]

    def write(name, text):
        path = folder / f"{odd}.{name}"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
        return f"{odd}.{name}"

    column = odd.replace('"', '""')
    files = {
        "train": write("train.csv", "\n".join(["a,b,c,d,e", *rows]) + "\n"),
        "target": write("labels.txt", "1\n-1\n" * 15),
        "test": write("test.csv", "\n".join(["a,b,c,d,e", *rows]) + "\n"),
        "test_target": write("test_labels.txt", "1\n-1\n" * 15),
        "types": write("types.csv", "variable,type\na,binary\n"),
        "truth": write("truth.csv", "from,to\nc,0\n"),
        "manipulation": write("list.txt", "c\n"),
    }
    chip_rows = [",".join(str((i * (j + 2) + i * i) % 13) for j in range(9)) for i in range(30)]
    noisy = write("noisy.csv", "\n".join(["k1,k2,k3,k4,k5,k6,k7,k8,k9", *chip_rows]) + "\n")
    chip = {
        "train": noisy,
        "target": files["target"],
        "calibrants": write("chip.txt", "1\n3\n5\n7\n9\n"),
        "grid": [3, 3],
    }
    about = {"ignore": [odd, "d"], "positive": odd}
    named = write("named.csv", "\n".join([f'"{column}","{column}.y",c,d,e', *rows]) + "\n")
    lists = {key: [f"{odd}.{key}"] for key in ("first", "last", "causes", "not_causes")}
    pairs = {key: [[f"{odd}.{key}", "c"]] for key in ("edges", "no_edges")}
    told = {"knowledge": {**lists, **pairs, "tiers": [[f"{odd}.tiers"]]}, "environment": odd}
    read = write("known.yaml", "first: [c]\n")
    folder_of_task = folder / f"{odd}.challenge"
    folder_of_task.mkdir(parents=True)
    for ending, text in (("train.data", "0 1\n1 0\n1 1\n" * 10), ("train.targets", "1\n-1\n-1\n" * 10)):
        (folder_of_task / f"reged0_{ending}").write_text(text)
    for version in range(3):
        (folder_of_task / f"reged{version}_test.data").write_text("0 1\n1 0\n")
    (folder_of_task / "reged1.manipulated").write_text("1\n")
    adult = write("adult.csv", adult_table())
    drawn = {"network": write("net.bif", "variable a {\n}\n"), "target": odd, "positive": odd, "version": 1}
    small = {"train": 100, "test": 50}
    return {
        "folder": odd,
        "datasets": [
            {"id": "files", **files},
            {"id": "chip", **chip},
            {"id": "named", "train": named, "target": f"{odd}.y", "manipulation": ["c", odd], **about},
            {"id": "told", "train": named, "target": f"{odd}.y", **told},
            {"id": "read", "train": named, "target": f"{odd}.y", "knowledge": read},
            {"id": "census", "simulate": {"network": "cina", "adult": adult, "variables": 60, **small}},
            {"id": "drawn", "simulate": {**drawn, "train": 100, "test": 50}},
            {"id": "made", "simulate": {"network": "lucas", "manipulate": ["Smoking"], **small}},
            *[{"id": f"reged{v}", "simulate": {"network": "reged", "version": v}} for v in range(3)],
        ],
        "challenge_data": f"{odd}.challenge",
        "region": {"groups": write("groups.txt", "a,b\n")},
        "methods": ["mmmb"],
        "reruns": ["strobl-synthetic"],
        "scatter": 2,
    }


@pytest.fixture(scope="module")
def run():
    with commands() as forked:
        yield forked


def words_of_all_jobs(run, folder, odd):
    """The words that each job's command has after a shell has read it, sorted."""
    folder.mkdir()
    (folder / "c.yaml").write_text(yaml.safe_dump(configuration(folder, odd)))
    done = run(folder, "snakemake", "--dry-run", "--printshellcmds", "--configfile", "c.yaml")
    assert done.status == 0, done.err + done.out[-500:]
    prefix = "Shell command: "
    shells = [line.removeprefix(prefix) for line in done.out.splitlines() if line.startswith(prefix)]
    shells = [shell for shell in shells if shell != "None"]  # rule all
    before = set(folder.rglob("*"))
    script = "python() { printf '%s\\0' \"$@\"; printf '\\1\\0'; }\n" + "\n".join(shells)
    told = subprocess.run(["bash", "-euo", "pipefail"], input=script, cwd=folder, capture_output=True, text=True)
    assert told.returncode == 0 and told.stderr == ""
    assert set(folder.rglob("*")) == before
    jobs = [job.split("\0")[:-1] for job in told.stdout.split("\1\0")[:-1]]
    assert len(jobs) == len(shells)
    return jobs


def comparable(jobs, folder, odd):
    """The different words of each job, with the odd text made plain; a value tied to its option counts apart."""
    made = []
    for job in jobs:
        words = set()
        for word in job:
            flag, tied, value = word.partition("=")
            words |= {flag, value} if flag.startswith("--") and tied and value.startswith(odd) else {word}
        words = {json.loads(word)["seed"] if word.startswith('{"seed') else word for word in words}
        words = {TRAINING.sub("training/TABLE", str(word)) for word in words}
        words = {word.replace(json.dumps(odd)[1:-1], PLAIN) if word.startswith(("[{", "{")) else word for word in words}
        made.append(sorted(word.replace(str(folder), "FOLDER").replace(odd, PLAIN) for word in words))
    return sorted(made)


@pytest.fixture(scope="module")
def plain(run, tmp_path_factory):
    folder = tmp_path_factory.mktemp("plain") / "run"
    jobs = words_of_all_jobs(run, folder, PLAIN)
    named = set(re.findall(r'script\("(\w+)"\)', "".join(RULES.values())))
    assert {job[0].rpartition("/")[2].removesuffix(".py") for job in jobs} == named
    return comparable(jobs, folder, PLAIN)


@pytest.mark.parametrize("odd", HOSTILE)
def test_a_hostile_name_in_every_key_is_one_word_everywhere(run, plain, tmp_path, odd):
    folder = tmp_path / "run"
    assert comparable(words_of_all_jobs(run, folder, odd), folder, odd) == plain
    assert not list(tmp_path.rglob("PWNED"))
