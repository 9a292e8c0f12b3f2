"""What a catalog of workflows, a fresh clone and continuous integration look for is there and valid."""

import re
import subprocess

import yaml
from conftest import PROJECT

from himation.files.configuration import load_schema, resolve_configuration

SCHEMA = load_schema(PROJECT / "workflow/schemas/config.schema.yaml")


def test_both_entrances_plan_the_same_jobs(snakemake, tmp_path):
    words = ("--configfile", PROJECT / ".test/config.yaml", "--dry-run", "--snakefile")
    told = [snakemake(tmp_path, *words, PROJECT / name) for name in ("Snakefile", "workflow/Snakefile")]
    jobs = [re.findall(r"^(\w+) +(\d+)$", done.stdout + done.stderr, flags=re.MULTILINE) for done in told]
    assert jobs[0] == jobs[1] and ("write_report", "1") in jobs[0]
    resolve_configuration(yaml.safe_load((PROJECT / ".test/config.yaml").read_text()), SCHEMA, [tmp_path])


def test_the_top_level_snakefile_is_one_include():
    lines = [line for line in (PROJECT / "Snakefile").read_text().splitlines() if line and not line.startswith("#")]
    assert len(lines) == 1 and "workflow/Snakefile" in lines[0]


def test_the_catalog_is_told_how_the_workflow_is_used():
    usage = yaml.safe_load((PROJECT / ".snakemake-workflow-catalog.yml").read_text())["usage"]
    assert usage["software-stack-deployment"]["conda"] and usage["report"]
    assert (PROJECT / "config/README.md").is_file() and (PROJECT / "workflow/Snakefile").is_file()


def test_github_actions_run_the_commands_of_continuous_integration():
    actions = yaml.safe_load((PROJECT / ".github/workflows/main.yml").read_text())
    runs = [step["run"] for step in actions["jobs"]["run"]["steps"] if "run" in step]
    assert runs == [".ci/run"]


def test_a_fresh_clone_has_a_folder_for_results_with_a_page():
    ignored = subprocess.run(
        ["git", "check-ignore", "results/README.md", "results/report.html"], cwd=PROJECT, capture_output=True, text=True
    )
    assert ignored.stdout.split() in (["results/report.html"], [])  # nothing, where this is no clone
    assert len((PROJECT / "results/README.md").read_text().split("\n\n")) == 2  # a heading and one paragraph
