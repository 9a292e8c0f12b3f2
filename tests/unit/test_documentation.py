"""The documentation says what is there: every key, every method with its parameters, links that lead somewhere."""

import ast
import doctest
import importlib.util
import re
import subprocess
import sys
from pathlib import Path
from xml.etree import ElementTree

import numpy as np
import pytest
import yaml
from conftest import PROJECT
from scipy.stats import chi2_contingency, false_discovery_control
from sklearn.utils.estimator_checks import check_estimator

import himation.estimators
import himation.finders
from himation import make_lucas
from himation.errors import UserError
from himation.estimators import ESTIMATORS, make_estimator
from himation.files.configuration import load_schema, resolve_configuration
from himation.files.needs import estimated_peaks
from himation.methods import METHODS, PARAMETERS, Method, Parameter

DOCS = PROJECT / "docs"
PAGES = [PROJECT / "README.md", PROJECT / "config/README.md", *sorted(DOCS.rglob("*.md"))]
SCHEMA = load_schema(PROJECT / "workflow/schemas/config.schema.yaml")
LABELS = ("Assumes", "Costs", "Parameters", "Reference", "Class")
KEYWORDS = {
    *("type", "properties", "additionalProperties", "items", "required", "enum", "default", "description", "title"),
    *("minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "minItems", "maxItems", "pattern", "maxLength"),
    "$schema",
}


def sections(path) -> dict[str, str]:
    """Text below each heading of the form ## `name`."""
    parts = re.split(r"^## `([^`]+)`$", path.read_text(encoding="utf-8"), flags=re.MULTILINE)
    return dict(zip(parts[1::2], parts[2::2], strict=True))


def every_part(part):
    yield part
    for inner in [*part.get("properties", {}).values(), *([part["items"]] if "items" in part else [])]:
        yield from every_part(inner)


def blocks(path, language) -> list[str]:
    return re.findall(rf"^```{language}\n(.*?)^```", path.read_text(encoding="utf-8"), flags=re.MULTILINE | re.DOTALL)


def test_the_configuration_reference_is_up_to_date(run_script, tmp_path):
    files = ("--output", tmp_path / "page.md", "--summary", tmp_path / "short.md", "--api", tmp_path / "api.md")
    done = run_script("write_reference", *files)
    assert done.returncode == 0, done.stderr
    classes = (DOCS / "api.md").read_text(encoding="utf-8")
    assert (tmp_path / "api.md").read_text(encoding="utf-8") == classes, "run `make reference`"
    assert all(f"### `{made.__name__}`" in classes for made in ESTIMATORS.values())
    short = (PROJECT / "config/README.md").read_text(encoding="utf-8")
    assert (tmp_path / "short.md").read_text(encoding="utf-8") == short, "run `make reference`"
    written = (DOCS / "configuration.md").read_text(encoding="utf-8")
    assert (tmp_path / "page.md").read_text(encoding="utf-8") == written, "run `make reference`"


def test_a_schema_that_is_not_there_gets_one_line(run_script, tmp_path):
    done = run_script("write_reference", "--schema", "nowhere.yaml", "--output", tmp_path / "page.md", cwd=tmp_path)
    assert done.returncode == 1 and done.stderr == "write_reference: nowhere.yaml: no such file\n"


def test_every_key_is_in_the_reference():
    def keys(part, path=""):
        for key, inner in part.get("properties", {}).items():
            below = bool(inner.get("properties") or inner.get("items", {}).get("properties"))
            yield f"{path}{key}", below
            yield from keys(inner, f"{path}{key}.")
            yield from keys(inner.get("items", {}), f"{path}{key}[].")

    page = (DOCS / "configuration.md").read_text(encoding="utf-8")
    listed = set(re.findall(r"^\| `([^`]+)` \|", page, flags=re.MULTILINE)) | set(sections(DOCS / "configuration.md"))
    assert {key for key, _ in keys(SCHEMA)} == listed


def test_the_schema_holds_no_stray_words():
    # a comma in an unquoted description between braces ends it without a word
    assert [set(part) - KEYWORDS for part in every_part(SCHEMA) if set(part) - KEYWORDS] == []


def test_every_method_has_one_section():
    found = [name for page in sorted((DOCS / "methods").glob("*.md")) for name in sections(page)]
    assert sorted(found) == sorted(METHODS)


@pytest.mark.parametrize("method", METHODS)
def test_a_method_is_described_in_full(method):
    [text] = [sections(page)[method] for page in (DOCS / "methods").glob("*.md") if method in sections(page)]
    items = dict(re.findall(r"^- \*\*(\w+)\*\* (.*?)(?=^- |\Z)", text, flags=re.MULTILINE | re.DOTALL))
    assert tuple(items) == LABELS
    named = set(re.findall(r"`([^`]+)`", items["Parameters"]))
    assert set(METHODS[method].parameters) <= named
    assert not named & ({key for entry in METHODS.values() for key in entry.parameters} - {*METHODS[method].parameters})
    assert items["Class"].strip() == f"`himation.{ESTIMATORS[method].__name__}`"


def test_every_method_is_in_the_table():
    rows = [
        line for line in (DOCS / "methods/README.md").read_text(encoding="utf-8").splitlines() if line.startswith("|")
    ]
    assert set(METHODS) <= set(re.findall(r"`([a-z-]+)`", "\n".join(rows)))


@pytest.mark.parametrize("page", PAGES, ids=lambda path: path.relative_to(PROJECT).as_posix())
def test_links_and_files_exist(page):
    text = page.read_text(encoding="utf-8")
    links = [link.split("#")[0] for link in re.findall(r"\]\(([^)\s]+)\)", text) if "://" not in link]
    named = re.findall(r"`((?:workflow|profiles|envs|docs|tests)/[\w./-]+)`", text)
    named += re.findall(r"(?<![\w/])(scripts/\w+\.py|workflow/presets/[\w-]+\.yaml)", text)
    absent = [link for link in links if link and not (page.parent / link).exists()]
    allowed = (
        re.compile(r"scripts/(himation/|count_agreement)") if page.name.startswith("adding-a-") else re.compile("$^")
    )
    absent += [name for name in named if not allowed.match(name) and not (PROJECT / name).exists()]
    assert absent == []


def anchors(page) -> set[str]:
    """What a heading is called in an address, by GitHub's rule, which the site follows."""
    text = re.sub(r"^```.*?^```", "", page.read_text(encoding="utf-8"), flags=re.MULTILINE | re.DOTALL)
    found: dict[str, int] = {}
    for title in re.findall(r"^#+ (.*)$", text, flags=re.MULTILINE):
        title = re.sub(r"\[([^]]*)\]\([^)]*\)", r"\1", title)
        name = re.sub(r"[^\w\- ]", "", title.strip().lower()).replace(" ", "-")
        found[name] = found.get(name, -1) + 1
    return {f"{name}-{i}" if i else name for name, count in found.items() for i in range(count + 1)}


@pytest.mark.parametrize("page", PAGES, ids=lambda path: path.relative_to(PROJECT).as_posix())
def test_links_to_headings_lead_to_one(page):
    text = page.read_text(encoding="utf-8")
    links = [link.split("#") for link in re.findall(r"\]\(([^)\s]*#[^)\s]+)\)", text) if "://" not in link]
    assert [link for link in links if link[1] not in anchors(page.parent / link[0] if link[0] else page)] == []


def test_the_site_has_every_page():
    text = re.sub(r"!!python/\S+", "", (PROJECT / "mkdocs.yml").read_text(encoding="utf-8"))
    site = yaml.safe_load(text)
    listed = [page for part in site["nav"] for pages in part.values() for page in pages]
    pages = {path.relative_to(DOCS).as_posix() for path in DOCS.rglob("*.md")}
    without = {page for page in pages if page.startswith("reproduction/") and page != "reproduction/README.md"}
    assert sorted(listed) == sorted(pages - without) and site["strict"] and site["theme"]["font"] is False


@pytest.mark.slow
def test_the_site_is_built_and_asks_nothing_of_a_network(tmp_path):
    mkdocs = PROJECT / ".venv-docs/bin/mkdocs"
    if not mkdocs.is_file():
        pytest.skip("`make docs` sets up what builds the site")
    command = [mkdocs, "build", "--quiet", "--site-dir", tmp_path / "site"]
    done = subprocess.run(command, cwd=PROJECT, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    pages = list((tmp_path / "site").rglob("*.html"))
    loaded = r"""<(?:script|img|iframe|link[^>]*rel="?(?:stylesheet|preload|icon))[^>]*(?:src|href)=["']?(https?:)?//"""
    assert len(pages) > 60
    assert [page.name for page in pages if re.search(loaded, page.read_text(encoding="utf-8"))] == []


@pytest.mark.parametrize(
    "page", [DOCS / "library.md", DOCS / "tutorial.md", PROJECT / "README.md"], ids=lambda path: path.name
)
def test_the_python_of_the_pages_runs(page):
    results = doctest.testfile(str(page), module_relative=False)
    assert results.attempted >= 3 and results.failed == 0


def test_the_examples_of_configuration_are_valid(tmp_path, monkeypatch):
    (tmp_path / "data").mkdir()
    for name in ("train", "test"):
        (tmp_path / f"data/{name}.csv").write_text("dose,diet,recovered\n1,2,0\n")
    found = [yaml.safe_load(block) for block in blocks(PROJECT / "README.md", "yaml")]
    assert [entry["id"] for config in found for entry in config["datasets"]] == ["trial"]
    for config in found:
        assert resolve_configuration(config, SCHEMA, [tmp_path])["datasets"][0]["manipulation"] == ["dose", "diet"]


def test_the_pictures_are_those_that_are_drawn():
    spec = importlib.util.spec_from_file_location("draw", DOCS / "pictures/draw.py")
    draw = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(draw)
    assert {path.stem for path in (DOCS / "pictures").glob("*.svg")} == set(draw.PICTURES)
    shown = "".join(page.read_text(encoding="utf-8") for page in PAGES)
    for name, picture in draw.PICTURES.items():
        text = (DOCS / f"pictures/{name}.svg").read_text(encoding="utf-8")
        assert text == picture(), "run `make reference`"
        assert ElementTree.fromstring(text).find("{http://www.w3.org/2000/svg}title").text
        assert "http" not in text.replace("http://www.w3.org/2000/svg", "") and f"pictures/{name}.svg" in shown


def test_the_picture_of_the_steps_has_the_names_of_the_rules():
    rules = "".join(path.read_text() for path in (PROJECT / "workflow/rules").glob("*.smk"))
    drawn = set(re.findall(r">([a-z]+(?:_[a-z]+)*)</text>", (DOCS / "pictures/steps.svg").read_text()))
    known = set(re.findall(r"^ *rule (\w+):", rules, flags=re.MULTILINE))
    assert len(drawn & known) == 15 and {name for name in drawn if "_" in name} <= known


def test_captions_of_snakemakes_report():
    rules = "".join(
        path.read_text() for path in [PROJECT / "workflow/Snakefile", *(PROJECT / "workflow/rules").glob("*.smk")]
    )
    named = set(re.findall(r"report/(\w+)\.rst", rules))
    assert named == {path.stem for path in (PROJECT / "workflow/report").glob("*.rst")} and len(named) > 8
    assert named - {"workflow"} <= set(re.findall(r"^ *rule (\w+):", rules, flags=re.MULTILINE))


@pytest.mark.filterwarnings("ignore:No features were selected")
def test_the_worked_example_of_a_finder(tmp_path, monkeypatch):
    page = (DOCS / "adding-a-finder.md").read_text(encoding="utf-8")
    assert re.findall(r"`(scripts/[\w/]+\.py)`", page) == [
        "scripts/himation/finders/marginal.py",
        "scripts/himation/methods.py",
    ]  # two files
    finder, parameter, entry = blocks(DOCS / "adding-a-finder.md", "python")
    assert len("".join([finder, parameter, entry]).splitlines()) < 60
    (tmp_path / "marginal.py").write_text(finder)
    monkeypatch.setattr(himation.finders, "__path__", [*himation.finders.__path__, str(tmp_path)])
    monkeypatch.setitem(PARAMETERS, "rate", eval("{" + parameter + "}", {"Parameter": Parameter})["rate"])
    monkeypatch.setitem(METHODS, "marginal", eval("{" + entry + "}", {"Method": Method})["marginal"])
    schema = load_schema(PROJECT / "workflow/schemas/config.schema.yaml")
    config = {
        "datasets": [{"id": "a", "simulate": {"network": "lucas"}}],
        "methods": [{"id": "marginal", "rate": 0.01}],
    }
    resolved = resolve_configuration(config, schema, [tmp_path])
    assert estimated_peaks(resolved, resolved["datasets"][0])["find_blanket marginal"] > 0
    config["methods"][0]["rate"] = 2
    with pytest.raises(UserError, match="rate"):
        resolve_configuration(config, schema, [tmp_path])
    try:
        estimator = make_estimator("marginal")
        monkeypatch.setattr(himation.estimators, "Marginal", estimator, raising=False)
        X, y = make_lucas(300)
        found = estimator(rate=0.01).fit(X, y)
        tables = [np.histogram2d(X[name], y, bins=2)[0] for name in X]
        p = [chi2_contingency(table, correction=False, lambda_="log-likelihood").pvalue for table in tables]
        assert set(found.blanket_) == set(X.columns[false_discovery_control(p) <= 0.01])
        assert 2 < len(found.blanket_) < 11
        assert {r["status"] for r in check_estimator(estimator(), on_skip=None)} <= {"passed", "skipped"}
        results = doctest.testmod(sys.modules["himation.finders.marginal"])
        assert results.attempted == 1 and results.failed == 0
    finally:
        sys.modules.pop("himation.finders.marginal", None)


def test_the_readme_is_short():
    assert len((PROJECT / "README.md").read_text(encoding="utf-8").splitlines()) <= 180


def test_folders_are_named_where_they_are_described():
    text = (PROJECT / "README.md").read_text(encoding="utf-8")
    kept = [p.name for p in PROJECT.iterdir() if p.is_dir() and not p.name.startswith(".") and p.name != "results"]
    assert [name for name in kept if f"{name}/" not in text] == []
    assert Path(DOCS / "README.md").is_file()


def test_the_page_of_the_layout_names_every_folder_and_only_files_that_exist():
    text = (DOCS / "layout.md").read_text(encoding="utf-8")
    library = PROJECT / "scripts/himation"
    folders = {path.parent.relative_to(library).as_posix() for path in library.rglob("*.py")} - {"."}
    rows = dict(re.findall(r"^\| `([\w/]+)/` \|(.*)\|$", text, flags=re.MULTILINE))
    assert folders <= set(rows)
    named = [f"{folder}/{name}.py" for folder in folders for name in re.findall(r"`(\w+)`", rows[folder])]
    named += re.findall(r"`([\w/.]+\.(?:py|j2))`", text)
    assert [name for name in named if not (library / name).is_file() and not (library.parent / name).is_file()] == []
    assert {path.name for path in library.glob("*.py")} <= set(named)


def test_a_folder_of_the_library_says_what_belongs_there_and_loads_nothing():
    with_code = {"himation", "estimators", "finders", "independence", "reruns"}
    for path in (PROJECT / "scripts/himation").rglob("__init__.py"):
        tree = ast.parse(path.read_text(encoding="utf-8"))
        assert path.parent.name in with_code or ("Belongs here:" in ast.get_docstring(tree) and len(tree.body) == 1)
