# Takes: the configuration.
# Gives: CONFIG, resolved; ENTRIES, every data set and training table by its place below results/; and the functions
#   that rules use for inputs, parameters and resources.
# Does: nothing but look at the configuration; what is wrong with it ends in one line.

from himation.errors import UserError
from himation.files.configuration import load_schema, resolve_configuration
from himation.files.entries import is_scored, places, training_places
from himation.files.needs import Size, family, mem_mb, refuse_what_cannot_fit, runtime, size_of
from himation.files.options import flags
from himation.files.provenance import code_digest, library_of, versions
from himation.methods import finder_settings
from himation.rerun_list import PLOTTED
from himation.steps import all_files, left_out, shared_files
from himation.task_names import challenge_ids


def resolved():
    """The checked configuration; what does not fit into this computer is refused, unless a scheduler finds a larger one."""
    folders = [Path.cwd(), START] + [Path(path).resolve().parent for path in workflow.overwrite_configfiles]
    try:
        found = resolve_configuration(config, load_schema(PROJECT / "workflow/schemas/config.schema.yaml"), folders)
        if workflow.is_main_process and workflow.nodes is None:
            refuse_what_cannot_fit(found)
        return found
    except UserError as error:
        stop(error)


CONFIG = resolved()
ENTRIES = places(CONFIG["datasets"])
IDS = [entry["id"] for entry in CONFIG["datasets"]]
TABLES = training_places(CONFIG["datasets"])
TESTED = [name for name in IDS if "test" in ENTRIES[name]]
SCORED = [name for name in IDS if is_scored(ENTRIES[name])]
CHALLENGE = challenge_ids(IDS)
METHODS = {entry["id"]: entry for entry in CONFIG["methods"]}
RERUNS = {entry["id"]: entry for entry in CONFIG["reruns"]}

WITHOUT = left_out(CONFIG)

# Half of the cores for a job that can use several: with all of them it would wait until every other job is done.
HERE = workflow.is_main_process and workflow.nodes is None
THREADS = min(4, max(1, (workflow.resource_settings.cores or 2) // 2)) if HERE else 2

SEED = flags(CONFIG, "seed")
MODEL = SEED + flags(CONFIG["model"], "kind", "machines", "rows", "most_rows", "search", "degrees", "gammas", "costs")
MODEL += flags(CONFIG["model"], "class_weight", "mixture")
ENSEMBLE = [] if CONFIG["model"]["kind"] == "bagged" else ["--one-machine"]


def script(name):
    """The script of a rule as its input; relative where the project is below this folder."""
    path = PROJECT / "scripts" / f"{name}.py"
    path = path.relative_to(Path.cwd()) if path.is_relative_to(Path.cwd()) else path
    if "{" in str(path) or "}" in str(path):
        stop(f"{PROJECT}: Snakemake takes braces for wildcards; rename the project's folder")
    return local(str(path))


def code(name):
    """A digest of a script and all that it imports: an edit of any of it runs the rule again."""
    scripts = PROJECT / "scripts"
    extra = (library_of(scripts) / "himation/report").glob("*.*") if name == "write_report" else ()
    return code_digest(scripts / f"{name}.py", [path for path in extra if path.is_file()])


def entry_of(wildcards):
    """The data set or training table of a job."""
    place = getattr(wildcards, "id", None) or getattr(wildcards, "place", None) or f"training/{wildcards.table}"
    if place not in ENTRIES:
        raise UserError(f"{place!r} is not in this configuration, which has: {', '.join(ENTRIES)}")
    return ENTRIES[place]


def memory(step):
    """What a job of this step asks for, in MB: grows with the table and with every attempt."""

    def needed(wildcards, threads, attempt):
        return mem_mb(*sized(step, wildcards), threads, attempt)

    return needed


def minutes(step):
    def needed(wildcards, attempt):
        return runtime(*sized(step, wildcards), attempt)

    return needed


def sized(step, wildcards):
    """A step, for find_blanket the family of its method, for an orientation in parts what puts them together; a size."""
    if step == "find_blanket":
        step = family(METHODS[wildcards.method]["method"])
    if step == "orient_region" and CONFIG["scatter"] > 1:
        step = "gather_orientation"
    of_one = {"id", "place", "table"} & set(wildcards.keys())
    return step, size_of(entry_of(wildcards), CONFIG["model"]["most_rows"]) if of_one else Size(0, 0)


def option(*names):
    """Options for those of the named inputs that a job has."""

    def words(wildcards, input):
        files = {name: input.get(name) for name in names if input.get(name)}
        return flags({name: [path] if isinstance(path, str) else list(path) for name, path in files.items()})

    return words


def training(*names):
    """Results of a data set's training table."""

    def paths(wildcards):
        return [f"results/{TABLES[wildcards.id]}/{name}" for name in names]

    return paths


def parts(folder, ending=""):
    """The chunks over which a step is spread."""
    n = CONFIG["scatter"]
    return [f"{folder}/{i + 1}-of-{n}{ending}" for i in range(n)]


def finder(name, **more):
    """A method with its parameters, its own before those of the whole configuration."""
    return {**more, **finder_settings(METHODS[name], CONFIG["independence"])}


def final_files(wildcards):
    """All that a run without a named target makes."""
    files = ["results/reruns.html"] if RERUNS else []
    files += [f"results/reruns/{name}.svg" for name in RERUNS if name in PLOTTED]
    files += ["results/scoreboard.tsv"] if CHALLENGE else []
    return files + (
        all_files(TABLES, {"tested": TESTED, "scored": SCORED}, METHODS, CONFIG["scatter"], WITHOUT) if IDS else []
    )
