"""Another workflow imports this one, from its own folder, with and without a prefix, and runs it to the report."""

import re
import subprocess
import sys

import pytest
from conftest import PROJECT, write_challenge

SNAKEFILE = """
module himation:
    snakefile:
        {snakefile!r}
    {prefix}config:
        {{
            "datasets": [
                {{
                    "id": "toy",
                    "train": "mine/toy_train.data",
                    "target": "mine/toy_train.targets",
                    "test": "mine/toy_test.data",
                    "manipulation": "mine/list.txt",
                }}
            ],
            "methods": [{{"id": "mmmb"}}],
            "orientation": {{"bootstraps": 0, "equivalent_sample_size": [1]}},
            "networks": {{"chains": 4, "sweeps": 40}},
            "model": {{"degrees": [1], "gammas": [], "costs": [0.1], "machines": 4}},
        }}


use rule * from himation as him_*


rule count_selected:
    input:
        roles="{folder}results/toy/roles.tsv",
        report="{folder}results/report.html",
    output:
        lines="count.txt",
    shell:
        "grep -c '' {{input.roles:q}} > {{output.lines:q}}"


rule everything:
    default_target: True
    input:
        rules.him_all.input,
        "count.txt",
"""


def importing(folder, prefix):
    """A workflow with the module and a rule of its own that uses one of its results."""
    (folder / "mine").mkdir()
    write_challenge(folder / "mine", 80, 30, seed=5)
    (folder / "mine/list.txt").write_text("2\n")
    words = f"prefix:\n        {prefix!r}\n    " if prefix else ""
    text = SNAKEFILE.format(
        snakefile=str(PROJECT / "workflow/Snakefile"), prefix=words, folder=f"{prefix}/" if prefix else ""
    )
    (folder / "Snakefile").write_text(text)


def snakemake(folder, *words):
    command = [sys.executable, "-m", "snakemake", "--cores", "2", *words]
    return subprocess.run(command, cwd=folder, capture_output=True, text=True)


@pytest.mark.parametrize("prefix", ["", "one/two"])
def test_all_that_is_made_is_below_the_prefix(tmp_path, prefix):
    importing(tmp_path, prefix)
    done = snakemake(tmp_path, "--dry-run", "--printshellcmds")
    assert done.returncode == 0, done.stderr
    shells = [line for line in (done.stdout + done.stderr).splitlines() if line.startswith("Shell command: python")]
    assert len(shells) >= 20 and all("mine/" not in line.replace(" mine/", "").replace('"mine/', "") for line in shells)
    made = {place for line in shells for place in re.findall(r"(?<= )[^ ]*\bresults/", line)}
    assert made == {f"{prefix}/results/" if prefix else "results/"}


@pytest.mark.parametrize("prefix", [pytest.param("", marks=pytest.mark.slow), "one/two"])
def test_a_run_ends_in_the_report(tmp_path, prefix):
    importing(tmp_path, prefix)
    done = snakemake(tmp_path)
    assert done.returncode == 0, done.stderr[-3000:]
    place = tmp_path / prefix / "results"
    assert "toy" in (place / "report.html").read_text(encoding="utf-8")
    roles = (place / "toy/roles.tsv").read_text().splitlines()
    assert (tmp_path / "count.txt").read_text().strip() == str(len(roles))
    assert (place / "toy/region.tsv").is_symlink() and (place / "toy/region.tsv").is_file()
    assert {path.name for path in tmp_path.iterdir()} == {
        *("Snakefile", "mine", "count.txt", ".snakemake"),
        (prefix or "results").split("/")[0],
    }
    done = snakemake(tmp_path, "--dry-run")
    assert "Nothing to be done" in done.stdout + done.stderr
