"""What the workflow's rules ask of the configuration: files, options, and which data sets share a training table.

A task of the challenge has one training table and three test tables. All that depends on the training table alone
(blankets, region, orientation, tests of confounding, roles) is computed once, for the first data set that has it; the
others reuse it.

Options are lists of words, which the rules' ``{params.options:q}`` quotes one by one: a text of a user is never part of
a shell's command.
"""

import json
import os
import sys
from pathlib import Path

from himation.challenge.task_names import CHIP, PROBE_TASKS, TASKS
from himation.errors import UserError
from himation.files.configuration import load_schema, resolve_configuration
from himation.files.provenance import code_digest, library_of
from himation.methods import METHODS
from himation.rerun_list import PLOTTED, RERUNS
from himation.reruns.runners import source_file

_TRAINING_KEYS = ("train", "target", "types", "missing", "calibrants", "grid", "ignore", "positive")
_SIMULATED = {
    "train": "train.parquet",
    "target": "train.targets",
    "test": "test.parquet",
    "test_target": "test.targets",
    "truth": "truth.csv",
}
# Named one by one as wanted, so that one that is lost is made again even if what depends on it is there.
_ALL_RESULTS = ("data", "natural_blanket.tsv", "candidates.tsv", "features.tsv", "region.tsv", "separations.tsv")
_ALL_RESULTS += ("orientation.tsv", "pdags.tsv", "y_tests.tsv", "colliders.tsv", "y_edges.tsv", "evidence.tsv")
_ALL_RESULTS += ("networks.npz", "selection.json", "roles.tsv", "model.npz", "model.json", "grid.tsv")
_ALL_RESULTS += ("predictions.tsv", "association.json", "natural_set.tsv", "expected.json", "stability.tsv")
_ALL_RESULTS += ("held_out.tsv", "effects.tsv")
_FEW = 100  # examples of a simulation that are drawn to see whether it can be
_ON_A_CHIP = {"calibrants": "calibrants.txt"}


class Plan:
    """The resolved configuration, seen from the rules."""

    def __init__(self, config: dict, project, folders):
        self.project = Path(project)
        self.config = resolve_configuration(
            config, load_schema(self.project / "workflow/schemas/config.schema.yaml"), folders
        )
        self.datasets = {entry["id"]: entry for entry in self.config["datasets"]}
        self.methods = {entry["id"]: entry for entry in self.config["methods"]}
        self.reruns = {entry["id"]: entry for entry in self.config["reruns"]}
        self.leader_of = self._leaders()
        self.script("check_config")  # a folder that can't be used is refused here

    @property
    def ids(self) -> list[str]:
        return list(self.datasets)

    @property
    def leaders(self) -> list[str]:
        return [name for name in self.ids if self.leader_of[name] == name]

    @property
    def followers(self) -> list[str]:
        return [name for name in self.ids if self.leader_of[name] != name]

    @property
    def simulated(self) -> list[str]:
        return [name for name in self.ids if "simulate" in self.datasets[name]]

    @property
    def scored(self) -> list[str]:
        """Data sets for which there is something to score against; a target column inside test counts as well."""
        return [name for name in self.ids if self.has_truth(name) or self.has_test_target(name)]

    @property
    def challenge(self) -> list[str]:
        """Data sets named after a task and version of the challenge, where all three versions are there.

        None if they are toys only.
        """
        tasks = [task for task in TASKS if all(f"{task}{version}" in self.datasets for version in range(3))]
        tasks = tasks if set(tasks) - {"lucas", "lucap"} else []
        return [f"{task}{version}" for task in tasks for version in range(3)]

    @property
    def tested(self) -> list[str]:
        return [name for name, entry in self.datasets.items() if "simulate" in entry or "test" in entry]

    def has_truth(self, name) -> bool:
        entry = self.datasets[name]
        return "simulate" in entry or "truth" in entry

    def has_test_target(self, name) -> bool:
        entry = self.datasets[name]
        return "simulate" in entry or "test_target" in entry or _target_in_test(entry)

    def _leaders(self) -> dict[str, str]:
        first: dict[str, str] = {}
        leaders = {}
        for name, entry in self.datasets.items():
            leaders[name] = first.setdefault(self._training_key(entry), name)
        return leaders

    def _training_key(self, entry) -> str:
        if "simulate" in entry:
            apart = {"version", "manipulate", "test"}
            key = {k: v for k, v in entry["simulate"].items() if k not in apart}
        else:
            key = {k: entry.get(k) for k in _TRAINING_KEYS}
        return json.dumps(key, sort_keys=True)

    # files and options of the rules

    def script(self, name: str) -> str:
        path = self.project / "scripts" / f"{name}.py"
        path = path.relative_to(Path.cwd()) if path.is_relative_to(Path.cwd()) else path
        if "{" in str(path) or "}" in str(path):
            raise UserError(f"{self.project}: Snakemake takes braces for wildcards; rename the project's folder")
        return str(path)

    def code(self, name: str) -> str:
        folder = self.project / "scripts" / "himation" / "report"
        extra = sorted(folder.glob("*.*")) if name == "write_report" and folder.is_dir() else ()
        return code_digest(self.project / "scripts" / f"{name}.py", [p for p in extra if p.is_file()])

    def path(self, name: str, key: str) -> str | None:
        """Where a file of a data set is: made by simulate_data, or given."""
        entry = self.datasets[name]
        if "simulate" in entry:
            made = {**_SIMULATED, **_ON_A_CHIP} if entry["simulate"]["network"] in CHIP else _SIMULATED
            return f"results/{name}/simulated/{made[key]}" if key in made else None
        return entry.get(key)

    def source_files(self, name: str) -> dict[str, str]:
        """The files that prepare_data reads."""
        keys = ("train", "target", "test", "test_target", "types", "calibrants")
        paths = {key: self.path(name, key) for key in keys}
        made = "simulate" in self.datasets[name]
        return {key: path for key, path in paths.items() if path and (made or os.path.isfile(path))}

    def source_options(self, name: str) -> list[str]:
        """Options of prepare_data.py."""
        entry = self.datasets[name]
        words = []
        for key in ("train", "target", "test", "test_target", "types", "calibrants"):
            value = self.path(name, key) or entry.get(key)
            if value and not (key == "types" and value == "auto"):
                words += _option(key, value)
        if "grid" in entry:
            words += _option("grid", *entry["grid"])
        elif self.path(name, "calibrants"):
            words += _option("grid", *[round(entry["simulate"]["variables"] ** 0.5)] * 2)
        if entry["missing"] != "error":
            words += _option("missing", entry["missing"])
        words += _option("positive", entry["positive"]) if "positive" in entry else []
        return words + _option("ignore", *entry.get("ignore", []))

    def simulation_options(self, name: str) -> list[str]:
        simulate = self.datasets[name]["simulate"]
        words = _option("network", simulate["network"])
        words += _option("train_size", simulate["train"]) + _option("test_size", simulate["test"])
        words += _option("seed", simulate.get("seed", self.config["seed"]))
        if simulate["network"] != "lucas":
            words += _option("variables", simulate["variables"])
        for key in ("adult", "version"):
            words += _option(key, simulate[key]) if key in simulate else []
        manipulate = simulate.get("manipulate", [])
        return words + _option("manipulate", *([manipulate] if isinstance(manipulate, str) else manipulate))

    def method_options(self, method: str) -> list[str]:
        """Options of find_blanket.py: the method's own parameters, then those of the whole configuration."""
        entry = self.methods[method]
        shared = self.config["independence"]
        words = _option("method", entry["method"]) + _option("independence", shared["test"])
        words += _option("seed", self.config["seed"])
        for key in METHODS[entry["method"]].parameters:
            value = entry.get(key, shared.get(key))
            words += _option(key, value) if value is not None else []
        return words

    def independence_options(self) -> list[str]:
        shared = self.config["independence"]
        words = _option("independence", shared["test"])
        for key in ("alpha", "max_conditioning", "symmetry"):
            words += _option(key, shared[key])
        return words

    def rerun_options(self, name: str) -> list[str]:
        entry = self.reruns[name]
        words = _option("table", name) + _option("seed", self.config["seed"])
        samples = min(entry.get("samples", RERUNS[name].samples), self.config.get("most_samples", sys.maxsize))
        return words + (_option("samples", samples) if samples != RERUNS[name].samples else [])

    def rerun_code(self, name: str) -> str:
        """A digest of the code of this experiment alone, so that an edit to another does not repeat it."""
        scripts = self.project / "scripts"
        library = library_of(scripts)
        return code_digest(library / source_file(name), [scripts / "rerun_table.py"], library)

    def final_files(self) -> list[str]:
        """All that a run without a named target makes."""
        files = ["results/reruns.html"] if self.reruns else []
        files += [f"results/reruns/{name}.svg" for name in self.reruns if name in PLOTTED]
        if self.ids:
            files += ["results/report.html", "results/submission.zip", "results/run.json"]
            files += ["results/scoreboard.tsv"] if self.challenge else []
        for name in self.ids:
            files += [f"results/{name}/submission/{name}_{made}" for made in ("feat.slist", "train.predict")]
            files += [f"results/{name}/{made}" for made in _ALL_RESULTS]
            files += [
                f"results/{name}/blanket/{method}.{ending}" for method in self.methods for ending in ("tsv", "json")
            ]
        files += [folder for name in self.leaders for folder in self.fold_folders(name)]
        for name in self.tested:
            files += [f"results/{name}/submission/{name}_test.predict"]
            files += [f"results/{name}/manipulated.{ending}" for ending in ("tsv", "json", "npz")]
        return files + [f"results/{name}/scores.tsv" for name in self.scored]

    def region_options(self) -> list[str]:
        region = self.config["region"]
        words = self.independence_options()
        for key in ("search", "depth", "most_variables"):
            words += _option(key, region[key])
        words += ["--expand", *_option("most_depth", region["most_depth"])] if region["expand"] else []
        return words + _option("at_target", region["at_target"]) + self._group_options()

    def _group_options(self) -> list[str]:
        groups = self.config["region"]["groups"]
        return [] if groups == "none" else _option("groups", groups)

    def group_file(self) -> list[str]:
        """The file that lists groups of indicators, if there is one."""
        groups = self.config["region"]["groups"]
        return [] if groups in ("none", "found") else [groups]

    def orientation_options(self) -> list[str]:
        chosen = self.config["orientation"]
        words = _option("seed", self.config["seed"]) + self._group_options()
        for key in ("score", "search", "prior", "patience", "bootstraps", "resample"):
            words += _option(key, chosen[key])
        for key in ("equivalent_sample_size", "sigma", "kappa"):
            words += _option(key, *chosen[key])
        return words

    def confounding_options(self) -> list[str]:
        shared = self.config["independence"]
        return _option("independence", shared["test"]) + _option("alpha", shared["alpha"])

    def network_options(self) -> list[str]:
        chosen = self.config["networks"]
        words = _option("seed", self.config["seed"])
        for key in ("chains", "sweeps", "nodes"):
            words += _option(key, chosen[key])
        return words

    def effect_options(self) -> list[str]:
        return _option("seed", self.config["seed"])

    def fold_folders(self, name: str) -> list[str]:
        n = self.config["scatter"]
        return [f"results/{name}/folds/{i + 1}-of-{n}" for i in range(n)]

    def fold_options(self) -> list[str]:
        """Options of search_folds.py."""
        chosen, shared = self.config["estimate"], self.config["independence"]
        finders = []
        for name, entry in self.methods.items():
            values = {key: entry.get(key, shared.get(key)) for key in METHODS[entry["method"]].parameters}
            known = {key: value for key, value in values.items() if value is not None}
            finders.append({"id": name, "method": entry["method"], **known})
        words = _option("finders", json.dumps(finders)) + _option("independence", shared["test"])
        for key in ("folds", "divisions", "permutations"):
            words += _option(key, chosen[key])
        for key in ("chains", "sweeps", "nodes"):
            words += _option(key, self.config["networks"][key])
        return words + self.building_options()

    def comparison_options(self) -> list[str]:
        return _option("seed", self.config["seed"])

    def estimate_options(self) -> list[str]:
        """Options of estimate_auc.py."""
        chosen = self.config["selection"]
        words = _option("rule", chosen["rule"]) + _option("least_share", chosen["least_share"])
        words += [] if chosen["test_inputs"] == "never" else ["--ask-test"]
        words += _option("prior", chosen["manipulated_share"])
        words += [] if self.config["model"]["kind"] == "bagged" else ["--one-machine"]
        return words + self.building_options()

    def inference_options(self, name: str) -> list[str]:
        words = _option("seed", self.config["seed"]) + _option("prior", self.config["selection"]["manipulated_share"])
        return words + _option("why_not_used", *self._why_not_asked(name))

    def _why_not_asked(self, name: str) -> list[str]:
        """Why the selection for a data set does not go by what its test table says, if it does not."""
        value = self.datasets[name]["manipulation"]
        if value == "none":
            return ["the configuration says that nothing was manipulated"]
        if value != "unknown":
            return ["the list of the configuration is used"]
        if self.config["selection"]["test_inputs"] == "never":
            return ["test_inputs: never"]
        if self.config["selection"]["rule"] != "posterior":
            return [f"rule: {self.config['selection']['rule']}"]
        return []

    def asked(self, name: str) -> list[str]:
        """What the test table says of each network, where the selection goes by it."""
        asks = name in self.tested and not self._why_not_asked(name)
        return [f"results/{name}/manipulated.npz"] if asks else []

    def selection_options(self) -> list[str]:
        chosen = self.config["selection"]
        words = _option("rule", chosen["rule"])
        for key in ("least_share", "consistent", "child_p_score", "most_child_tests"):
            words += _option(key, chosen[key])
        return words + ([] if self.config["model"]["kind"] == "bagged" else ["--one-machine"])

    def model_options(self) -> list[str]:
        model = self.config["model"]
        words = _option("seed", self.config["seed"]) + _option("most_rows", model["most_rows"])
        words += _option("search", model["search"])
        for key in ("degrees", "gammas", "costs"):
            words += _option(key, *model[key]) or [f"--{key}"]
        return words

    def building_options(self) -> list[str]:
        model = self.config["model"]
        return _option("kind", model["kind"]) + _option("machines", model["machines"]) + self.model_options()

    def as_json(self) -> str:
        return json.dumps(self.config, sort_keys=True)

    def truth_option(self, name: str) -> list[str]:
        return _option("truth", self.path(name, "truth")) if self.has_truth(name) else []

    def real_option(self, name: str) -> list[str]:
        return _option("real", *self.real_file(name))

    def manipulation(self, name: str) -> list[str]:
        """The option --manipulation of select_variables.py and score.py: a word, a file, or names."""
        value = self.datasets[name]["manipulation"]
        if value == "known":
            return _option("manipulation", f"results/{name}/simulated/manipulated.txt")
        if isinstance(value, list):
            return _option("manipulated", *value) or _option("manipulation", "none")
        return _option("manipulation", value)

    def true_manipulation(self, name: str) -> list[str]:
        """The same option for score.py, which may know what the user of the method does not."""
        if "simulate" in self.datasets[name]:
            return _option("manipulation", f"results/{name}/simulated/manipulated.txt")
        return self.manipulation(name)

    def true_manipulation_file(self, name: str) -> list[str]:
        if "simulate" in self.datasets[name]:
            return [f"results/{name}/simulated/manipulated.txt"]
        return self.manipulation_file(name)

    def real_file(self, name: str) -> list[str]:
        """The list of real variables of a simulated task with probes."""
        entry = self.datasets[name]
        made = "simulate" in entry and entry["simulate"]["network"] in PROBE_TASKS
        return [f"results/{name}/simulated/real.txt"] if made else []

    def manipulation_file(self, name: str) -> list[str]:
        """Where the list of manipulated variables is read from, if from a file."""
        value = self.datasets[name]["manipulation"]
        if value == "known":
            return [f"results/{name}/simulated/manipulated.txt"]
        return [value] if isinstance(value, str) and value not in ("none", "unknown") else []


def _option(key: str, *values) -> list[str]:
    """An option and its values as words; one that begins with a dash is tied to the option, to be taken for a value.

    >>> _option("test_target", "labels.txt"), _option("manipulated", "a", "-o"), _option("manipulated")
    (['--test-target', 'labels.txt'], ['--manipulated', 'a', '--manipulated=-o'], [])
    """
    flag = "--" + key.replace("_", "-")
    plain = [str(value) for value in values if not str(value).startswith("-")]
    tied = [f"{flag}={value}" for value in values if str(value).startswith("-")]
    return ([flag, *plain] if plain else []) + tied


def _target_in_test(entry) -> bool:
    """Whether the test table has a column with the target's name."""
    if "test" not in entry or os.path.isfile(entry["target"]):
        return False
    from himation.files.tables import column_names

    return entry["target"] in column_names(entry["test"])


def prefer_this_python() -> None:
    """Let jobs use the Python that runs snakemake, activated or not; a rule's conda environment still goes first."""
    import sys

    os.environ["PATH"] = os.path.dirname(sys.executable) + os.pathsep + os.environ.get("PATH", "")


def stamp(plan: Plan, name: str) -> str:
    """Changes when the entry or one of the files of a data set does: whether it must be checked again."""
    from hashlib import sha256

    entry = plan.datasets[name]
    facts = [json.dumps(entry, sort_keys=True), plan.code("simulate_data" if "simulate" in entry else "prepare_data")]
    named = {**entry, **entry.get("simulate", {})}
    for value in [named.get(key) for key in (*_TRAINING_KEYS, "test", "test_target", "truth", "manipulation", "adult")]:
        if isinstance(value, str) and os.path.isfile(value):
            status = Path(value).stat()
            facts.append(f"{value} {status.st_size} {status.st_mtime_ns}")
    return sha256("\n".join(facts).encode()).hexdigest()[:16]


def read_entry(entry: dict):
    """The table of a data set that is read from files."""
    from himation.files.dataset import Source, read_dataset

    keys = ("train", "target", "test", "test_target", "types", "missing", "calibrants", "positive")
    grid = tuple(entry["grid"]) if "grid" in entry else None
    ignore = tuple(map(str, entry.get("ignore", ())))
    return read_dataset(Source(**{key: entry.get(key) for key in keys}, grid=grid, ignore=ignore))


def check_datasets(plan: Plan, names) -> None:
    """Read every table, list and truth once, so that what is wrong with them shows before any long work."""
    for name in names:
        check_dataset(plan, name)


def check_dataset(plan: Plan, name: str):
    """The same of one data set; gives its table, None where it is simulated."""
    from himation.files.dataset import manipulated_columns, read_list, read_truth

    entry = plan.datasets[name]
    try:
        if "simulate" in entry:
            if plan.leader_of[name] == name or "manipulate" in entry["simulate"]:
                _draw_a_few(entry["simulate"], plan.config["seed"])
            return None
        table = read_entry(entry)
        manipulation = entry["manipulation"]
        listed = manipulation if isinstance(manipulation, list) else []
        if isinstance(manipulation, str) and manipulation not in ("none", "unknown"):
            listed = read_list(manipulation)
        manipulated_columns(listed, table)
        if "truth" in entry:
            read_truth(entry["truth"], table.file_columns(), table.target_name)
    except UserError as error:
        raise UserError(f"data set {name!r}: {error}") from None
    return table


def _draw_a_few(simulate, seed) -> None:
    """Simulate as the job will, but few examples: what it would refuse is refused here."""
    from himation.simulate.tasks import simulate as draw

    sizes, adult = [min(simulate[key], _FEW) for key in ("train", "test")], None
    if "adult" in simulate:
        from himation.files.adult_table import read_adult

        sizes, adult = [simulate["train"], simulate["test"]], read_adult(simulate["adult"])
    listed = simulate.get("manipulate") or None
    listed = (listed,) if isinstance(listed, str) else listed and tuple(listed)
    version, variables = simulate.get("version", 0), simulate.get("variables")
    drawn = draw(simulate["network"], simulate.get("seed", seed), version, *sizes, variables, listed, adult)
    if simulate["train"] == sizes[0] and len(set(drawn.train.target.tolist())) < 2:
        raise UserError(f"simulate: all {sizes[0]} training examples are of one class; write a larger 'train'")
