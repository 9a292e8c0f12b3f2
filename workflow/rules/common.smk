# Takes: the configuration.
# Gives: PLAN (himation/files/plan.py), and the functions that rules use for their inputs and parameters.
# Does: checks the configuration and every table it names before a job starts; what is wrong ends in one line.

import os
import time
from functools import cache

from himation.errors import UserError
from himation.files.digests import SWITCH
from himation.files.failures import failures
from himation.files.needs import mem_mb, refuse_what_cannot_fit, runtime
from himation.files.plan import Plan, prefer_this_python
from himation.files.provenance import versions
from himation.files.model_warnings import warnings_of
from himation.files.starting import announce_damaged, check_tables, prepare_results

BEGAN = time.time()
os.environ[SWITCH] = "1"  # results get a digest, by which the next start finds damaged ones


def make_plan():
    """The plan; what does not fit into this machine is refused, unless a scheduler finds a larger one."""
    folders = [Path.cwd()] + [Path(path).resolve().parent for path in workflow.overwrite_configfiles]
    try:
        plan = Plan(config, workflow.basedir, folders)
        if workflow.is_main_process and workflow.nodes is None:
            refuse_what_cannot_fit(plan)
        return plan
    except UserError as error:
        stop(error)


prefer_this_python()
PLAN = make_plan()
STAMPS = check_tables(PLAN) if workflow.is_main_process else {}


def any_of(names):
    """The constraint of a wildcard: one of these names, or nothing at all."""
    return "|".join(names) or "(?!)"


LEADERS = any_of(PLAN.leaders)
FOLLOWERS = any_of(PLAN.followers)


@cache
def begin():
    """At the first job of the graph, when it is known whether anything will run."""
    if workflow.is_main_process and workflow.dryrun:
        announce_damaged()
    elif workflow.is_main_process and workflow.executor_plugin is not None:
        prepare_results(STAMPS)


def all_files(wildcards):
    begin()
    return PLAN.final_files()


def script(name):
    """The script of a rule as its input; every job has one."""

    def path(wildcards):
        begin()
        return PLAN.script(name)

    return path


def code(name):
    return PLAN.code(name)


def fixed(value):
    """A parameter as it is; in all that no function gives Snakemake replaces what is in braces."""

    def given(wildcards):
        return value

    return given


def say_where_to_look():
    """The last lines of a run: what to be careful about, and the pages that it made or found up to date."""
    for line in warnings_of(PLAN.ids):
        print(line, file=sys.stderr)
    shown = {
        "results/report.html": "the report, open it in a browser",
        "results/reruns.html": "published experiments beside ours",
        "results/submission.zip": "feature lists and predictions",
    }
    for path, what in shown.items():
        if path in PLAN.final_files() and Path(path).is_file():
            print(f"{Path(path).resolve()}: {what}", file=sys.stderr)


def explain_failures():
    """The last words of a run that failed."""
    for failure in failures(workflow.scheduler.failed, BEGAN):
        print(failure, file=sys.stderr)


def memory(step):
    """What a job of this step asks for, in MB: grows with the table and with every attempt."""

    def needed(wildcards, threads, attempt):
        return mem_mb(PLAN, step, wildcards, threads, attempt)

    return needed


def minutes(step):
    def needed(wildcards, attempt):
        return runtime(PLAN, step, wildcards, attempt)

    return needed


def source_files(wildcards):
    return PLAN.source_files(wildcards.id)


def source_options(wildcards):
    return PLAN.source_options(wildcards.id)


def simulation_options(wildcards):
    return PLAN.simulation_options(wildcards.id)


def method_options(wildcards):
    return PLAN.method_options(wildcards.method)


def rerun_options(wildcards):
    return PLAN.rerun_options(wildcards.rerun)


def rerun_code(wildcards):
    return PLAN.rerun_code(wildcards.rerun)


def manipulation(wildcards):
    return PLAN.manipulation(wildcards.id)


def manipulation_file(wildcards):
    return PLAN.manipulation_file(wildcards.id)


def inference_options(wildcards):
    return PLAN.inference_options(wildcards.id)


def asked(wildcards):
    """What the test table says was manipulated, where the selection goes by it."""
    return PLAN.asked(wildcards.id)


def asked_option(wildcards):
    return ["--manipulated-networks", *asked(wildcards)] if asked(wildcards) else []


def true_manipulation(wildcards):
    return PLAN.true_manipulation(wildcards.id)


def true_manipulation_file(wildcards):
    return PLAN.true_manipulation_file(wildcards.id)


def test_predictions(wildcards):
    return [f"results/{wildcards.id}/submission/{wildcards.id}_test.predict"] if wildcards.id in PLAN.tested else []


def report_inputs(wildcards):
    """Every file that the page shows."""
    paths = [path.format(id=name) for name in PLAN.ids for path in SHARED]
    for name in PLAN.ids:
        paths += [
            f"results/{name}/{file}"
            for file in ("data", "roles.tsv", "selection.json", "model.json", "expected.json", "grid.tsv")
        ]
        paths += [f"results/{name}/submission/{name}_train.predict"]
    for name in PLAN.tested:
        paths += [f"results/{name}/{file}" for file in ("manipulated.tsv", "manipulated.json")]
        paths += [f"results/{name}/submission/{name}_test.predict"]
    return paths + [f"results/{name}/scores.tsv" for name in PLAN.scored]


def constructed_features(wildcards):
    """The products that build_model may use, if the configuration lets it."""
    return [f"results/{wildcards.id}/features.tsv"] if PLAN.config["model"]["constructed_features"] else []


def constructed_option(wildcards):
    return ["--constructed", *constructed_features(wildcards)] if constructed_features(wildcards) else []


def parts(wildcards, folder, ending):
    """Files of the chunks over which a step is spread, if it is."""
    n = PLAN.config["scatter"]
    return [f"results/{wildcards.id}/{folder}/{i + 1}-of-{n}.{ending}" for i in range(n)] if n > 1 else []


def fold_folders(wildcards):
    return PLAN.fold_folders(wildcards.id)


def leading_fold_folders(wildcards):
    """The folds of the training table, at the data set that was first to have it."""
    return PLAN.fold_folders(PLAN.leader_of[wildcards.id])


def region_parts(wildcards):
    return parts(wildcards, "searches", "npz")


def orientation_parts(wildcards):
    return parts(wildcards, "orientation", "tsv")


def region_parts_option(wildcards):
    return ["--parts", *region_parts(wildcards)] if region_parts(wildcards) else []


def orientation_parts_option(wildcards):
    return ["--parts", *orientation_parts(wildcards)] if orientation_parts(wildcards) else []


def truth_file(wildcards):
    path = PLAN.path(wildcards.id, "truth")
    return [path] if path else []


def truth_option(wildcards):
    return PLAN.truth_option(wildcards.id)


def real_file(wildcards):
    return PLAN.real_file(wildcards.id)


def real_option(wildcards):
    return PLAN.real_option(wildcards.id)


def group_file(wildcards):
    return PLAN.group_file()


def scoreboard_file(wildcards):
    return ["results/scoreboard.tsv"] if PLAN.challenge else []


def scoreboard_option(wildcards):
    return ["--scoreboard", "results/scoreboard.tsv"] if PLAN.challenge else []


def training_results(wildcards):
    """What depends on the training table alone, at the data set that was first to have it."""
    leader = PLAN.leader_of[wildcards.id]
    return [path.format(id=leader) for path in SHARED]


SHARED = [f"results/{{id}}/blanket/{method}.{ending}" for method in PLAN.methods for ending in ("tsv", "json")] + [
    f"results/{{id}}/{name}"
    for name in (
        "natural_blanket.tsv",
        "natural_set.tsv",
        "association.json",
        "features.tsv",
        "candidates.tsv",
        "region.tsv",
        "separations.tsv",
        "orientation.tsv",
        "pdags.tsv",
        "y_tests.tsv",
        "colliders.tsv",
        "y_edges.tsv",
        "evidence.tsv",
        "networks.npz",
        "effects.tsv",
    )
]
