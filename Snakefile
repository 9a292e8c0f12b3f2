# Himation: prediction when somebody has manipulated the variables.
# This file is the contents page. The one file to edit is config.yaml; the steps are in workflow/rules, their commands
# in scripts, the mathematics in scripts/himation. `snakemake` alone runs everything and ends with results/report.html.

from snakemake.utils import min_version

min_version("9.0")


include: "workflow/rules/start.smk"


configfile: f"{workflow.basedir}/config.yaml"


report: "workflow/report/workflow.rst"


include: "workflow/rules/common.smk"


wildcard_constraints:
    id=any_of(PLAN.ids),
    method=any_of(PLAN.methods),
    rerun=any_of(PLAN.reruns),


localrules:
    all,
    record_run,
    package_submission,
    write_report,
    write_reruns,
    write_scoreboard,


include: "workflow/rules/data.smk"
include: "workflow/rules/blanket.smk"
include: "workflow/rules/region.smk"
include: "workflow/rules/orientation.smk"
include: "workflow/rules/confounding.smk"
include: "workflow/rules/selection.smk"
include: "workflow/rules/model.smk"
include: "workflow/rules/evaluate.smk"
include: "workflow/rules/report.smk"
include: "workflow/rules/rerun.smk"


rule all:
    default_target: True
    input:
        all_files,


onsuccess:
    say_where_to_look()


onerror:
    explain_failures()
