"""What the workflow's rules ask of the configuration: files, options, and which data sets share a training table.

A task of the challenge has one training table and three test tables. All that depends on the training table alone
(blankets, region, orientation, tests of confounding, roles) is computed once, for the first data set that has it; the
others reuse it.
"""

import json
import shlex
from pathlib import Path

from himation.challenge.task_names import CHIP, PROBE_TASKS, TASKS
from himation.errors import UserError
from himation.files.configuration import load_schema, resolve_configuration
from himation.files.provenance import code_digest
from himation.methods import METHODS
from himation.rerun_list import PLOTTED

_TRAINING_KEYS = ("train", "target", "types", "missing", "calibrants", "grid")
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
_ALL_RESULTS += ("ancestry.tsv", "selection.json", "roles.tsv", "model.npz", "model.json", "grid.tsv")
_ALL_RESULTS += ("predictions.tsv",)
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
        try:
            return str(path.relative_to(Path.cwd()))
        except ValueError:
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
        return {key: path for key, path in paths.items() if path and (made or Path(path).is_file())}

    def source_options(self, name: str) -> str:
        """Options of prepare_data.py, as one string for the shell."""
        entry = self.datasets[name]
        words = []
        for key in ("train", "target", "test", "test_target", "types", "calibrants"):
            value = self.path(name, key) or entry.get(key)
            if value and not (key == "types" and value == "auto"):
                words += ["--" + key.replace("_", "-"), value]
        if "grid" in entry:
            words += ["--grid", *map(str, entry["grid"])]
        elif self.path(name, "calibrants"):
            words += ["--grid", *[str(round(entry["simulate"]["variables"] ** 0.5))] * 2]
        if entry["missing"] != "error":
            words += ["--missing", entry["missing"]]
        return shlex.join(words)

    def simulation_options(self, name: str) -> str:
        simulate = self.datasets[name]["simulate"]
        words = ["--network", simulate["network"], "--train-size", simulate["train"], "--test-size", simulate["test"]]
        words += ["--seed", simulate.get("seed", self.config["seed"])]
        if simulate["network"] != "lucas":
            words += ["--variables", simulate["variables"]]
        if "adult" in simulate:
            words += ["--adult", simulate["adult"]]
        if "version" in simulate:
            words += ["--version", simulate["version"]]
        manipulate = simulate.get("manipulate", [])
        words += ["--manipulate", *([manipulate] if isinstance(manipulate, str) else manipulate)] if manipulate else []
        return shlex.join(map(str, words))

    def method_options(self, method: str) -> str:
        """Options of find_blanket.py: the method's own parameters, then those of the whole configuration."""
        entry = self.methods[method]
        shared = self.config["independence"]
        words = ["--method", entry["method"], "--independence", shared["test"], "--seed", self.config["seed"]]
        for key in METHODS[entry["method"]].parameters:
            value = entry.get(key, shared.get(key))
            if value is not None:
                words += ["--" + key.replace("_", "-"), value]
        return shlex.join(map(str, words))

    def independence_options(self) -> str:
        shared = self.config["independence"]
        words = ["--independence", shared["test"], "--alpha", shared["alpha"]]
        words += ["--max-conditioning", shared["max_conditioning"], "--symmetry", shared["symmetry"]]
        return shlex.join(map(str, words))

    def rerun_options(self, name: str) -> str:
        entry = self.reruns[name]
        words = ["--table", name, "--seed", self.config["seed"]]
        words += ["--samples", entry["samples"]] if "samples" in entry else []
        return shlex.join(map(str, words))

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
        files += [f"results/{name}/submission/{name}_test.predict" for name in self.tested]
        return files + [f"results/{name}/scores.tsv" for name in self.scored]

    def region_options(self) -> str:
        region = self.config["region"]
        words = ["--search", region["search"], "--depth", region["depth"], "--most-variables", region["most_variables"]]
        words += ["--expand", "--most-depth", region["most_depth"]] if region["expand"] else []
        words += ["--at-target", region["at_target"], *self._group_options()]
        return f"{self.independence_options()} {shlex.join(map(str, words))}"

    def _group_options(self) -> list[str]:
        groups = self.config["region"]["groups"]
        return [] if groups == "none" else ["--groups", groups]

    def orientation_options(self) -> str:
        chosen = self.config["orientation"]
        words = ["--seed", self.config["seed"], *self._group_options()]
        for key in ("score", "search", "prior", "patience", "bootstraps", "resample"):
            words += ["--" + key, chosen[key]]
        for key in ("equivalent_sample_size", "sigma", "kappa"):
            words += ["--" + key.replace("_", "-"), *chosen[key]]
        return shlex.join(map(str, words))

    def confounding_options(self) -> str:
        shared = self.config["independence"]
        return shlex.join(["--independence", shared["test"], "--alpha", str(shared["alpha"])])

    def selection_options(self) -> str:
        chosen = self.config["selection"]
        words = ["--seed", self.config["seed"], "--rule", chosen["rule"]]
        for key in ("draws", "unknown_share", "consistent", "child_p_score", "most_child_tests"):
            words += ["--" + key.replace("_", "-"), chosen[key]]
        words += ["--use-test-inputs"] if chosen["use_test_inputs"] else []
        words += [] if self.config["model"]["kind"] == "bagged" else ["--one-machine"]
        return shlex.join(map(str, words))

    def model_options(self) -> str:
        model = self.config["model"]
        words = ["--seed", self.config["seed"], "--most-rows", model["most_rows"], "--search", model["search"]]
        for key in ("degrees", "gammas", "costs"):
            words += ["--" + key, *model[key]]
        return shlex.join(map(str, words))

    def building_options(self) -> str:
        model = self.config["model"]
        words = ["--kind", model["kind"], "--machines", str(model["machines"])]
        return f"{shlex.join(words)} {self.model_options()}"

    def as_json(self) -> str:
        return json.dumps(self.config, sort_keys=True)

    def manipulation(self, name: str) -> str:
        """The option --manipulation of select_variables.py and score.py: a word, a file, or names."""
        value = self.datasets[name]["manipulation"]
        if value == "known":
            return shlex.join(["--manipulation", f"results/{name}/simulated/manipulated.txt"])
        if isinstance(value, list):
            return shlex.join(["--manipulated", *map(str, value)]) if value else "--manipulation none"
        return shlex.join(["--manipulation", value])

    def true_manipulation(self, name: str) -> str:
        """The same option for score.py, which may know what the user of the method does not."""
        if "simulate" in self.datasets[name]:
            return shlex.join(["--manipulation", f"results/{name}/simulated/manipulated.txt"])
        return self.manipulation(name)

    def true_manipulation_file(self, name: str) -> list[str]:
        if "simulate" in self.datasets[name]:
            return [f"results/{name}/simulated/manipulated.txt"]
        return self.manipulation_file(name)

    def real_file(self, name: str) -> str | None:
        """The list of real variables of a simulated task with probes."""
        entry = self.datasets[name]
        if "simulate" in entry and entry["simulate"]["network"] in PROBE_TASKS:
            return f"results/{name}/simulated/real.txt"
        return None

    def manipulation_file(self, name: str) -> list[str]:
        """Where the list of manipulated variables is read from, if from a file."""
        value = self.datasets[name]["manipulation"]
        if value == "known":
            return [f"results/{name}/simulated/manipulated.txt"]
        return [value] if isinstance(value, str) and value not in ("none", "unknown") else []


def _target_in_test(entry) -> bool:
    """Whether the test table has a column with the target's name."""
    if "test" not in entry or Path(entry["target"]).is_file():
        return False
    from himation.files.tables import column_names

    return entry["target"] in column_names(entry["test"])


def prefer_this_python() -> None:
    """Let jobs use the Python that runs snakemake, activated or not; a rule's conda environment still goes first."""
    import os
    import sys

    os.environ["PATH"] = os.path.dirname(sys.executable) + os.pathsep + os.environ.get("PATH", "")


def stamp(plan: Plan, name: str) -> str:
    """Changes when the entry or one of the files of a data set does: whether it must be checked again."""
    from hashlib import sha256

    entry = plan.datasets[name]
    facts = [json.dumps(entry, sort_keys=True), plan.code("prepare_data")]
    for value in [entry.get(key) for key in (*_TRAINING_KEYS, "test", "test_target", "truth", "manipulation")]:
        if isinstance(value, str) and Path(value).is_file():
            status = Path(value).stat()
            facts.append(f"{value} {status.st_size} {status.st_mtime_ns}")
    return sha256("\n".join(facts).encode()).hexdigest()[:16]


def check_datasets(plan: Plan, names) -> None:
    """Read every table, list and truth once, so that what is wrong with them shows before any long work."""
    from himation.files.dataset import Source, manipulated_columns, read_dataset, read_list, read_truth

    for name in names:
        entry = plan.datasets[name]
        try:
            if "simulate" in entry:
                _check_simulation(entry)
                continue
            known = {key: entry.get(key) for key in ("train", "target", "test", "test_target", "types", "missing")}
            grid = tuple(entry["grid"]) if "grid" in entry else None
            table = read_dataset(Source(**known, calibrants=entry.get("calibrants"), grid=grid))
            manipulation = entry["manipulation"]
            listed = manipulation if isinstance(manipulation, list) else []
            if isinstance(manipulation, str) and manipulation not in ("none", "unknown"):
                listed = read_list(manipulation)
            manipulated_columns(listed, table)
            if "truth" in entry:
                read_truth(entry["truth"], table.file_columns(), table.target_name)
        except UserError as error:
            raise UserError(f"data set {name!r}: {error}") from None


def _check_simulation(entry) -> None:
    manipulate = entry["simulate"].get("manipulate")
    if entry["simulate"]["network"] == "lucas" and isinstance(manipulate, list):
        from himation.simulate.networks import LUCAS, check_manipulated

        check_manipulated(manipulate, LUCAS.names, LUCAS.target)
