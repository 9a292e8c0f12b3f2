"""A wheel has every file of the library, the workflow, and a declaration of what both need."""

import ast
import os
import re
import shutil
import subprocess
import sys
import tomllib
from pathlib import Path
from unittest import mock

import pytest
from conftest import PROJECT

SETTINGS = tomllib.loads((PROJECT / "pyproject.toml").read_text(encoding="utf-8"))


def files(folder):
    return {
        path.relative_to(folder).as_posix(): path.read_bytes()
        for path in sorted(Path(folder).rglob("*"))
        if path.is_file() and "__pycache__" not in path.parts
    }


def built(folder) -> Path:
    """The library as setuptools puts it into a wheel, by the settings of pyproject.toml and with no network."""
    from setuptools import Distribution, find_namespace_packages

    settings = SETTINGS["tool"]["setuptools"]
    find = settings["packages"]["find"]
    where = [str(PROJECT / place) for place in find["where"]]
    distribution = Distribution(
        {
            "packages": [name for place in where for name in find_namespace_packages(place, include=find["include"])],
            "package_dir": {name: str(PROJECT / place) for name, place in settings["package-dir"].items()},
            "package_data": {name.removeprefix("*"): data for name, data in settings["package-data"].items()},
            "script_name": "setup.py",
        }
    )
    command = distribution.get_command_obj("build_py")
    command.build_lib = str(folder)
    command.ensure_finalized()
    command.run()
    return folder


def test_an_installed_library_lacks_nothing(tmp_path):
    wanted, found = files(PROJECT / "scripts/himation"), files(built(tmp_path) / "himation")
    assert len(wanted) > 100
    assert sorted(set(wanted) - set(found)) == []
    assert found == wanted


def third_parties(tree) -> set[str]:
    """Top-level packages that a module imports, except where it says what to do without them."""
    guarded = {
        inner
        for node in ast.walk(tree)
        if isinstance(node, ast.Try) and any("Error" in ast.unparse(handler.type) for handler in node.handlers)
        for inner in ast.walk(node)
    }
    nodes = [node for node in ast.walk(tree) if node not in guarded]
    names = {alias.name for node in nodes if isinstance(node, ast.Import) for alias in node.names}
    names |= {node.module for node in nodes if isinstance(node, ast.ImportFrom) and not node.level}
    return {name.split(".")[0] for name in names} - sys.stdlib_module_names - {"himation"}


def test_what_the_library_imports_is_declared_with_its_range():
    declared = {re.match(r"[\w-]+", line)[0]: line for line in SETTINGS["project"]["dependencies"]}
    assert all(">=" in line for line in declared.values())
    extra = {re.match(r"[\w-]+", line)[0] for line in SETTINGS["project"]["optional-dependencies"]["networks"]}
    names = {"yaml": "pyyaml", "sklearn": "scikit-learn"}
    names |= {"markupsafe": "jinja2", "llvmlite": "numba", "joblib": "scikit-learn", "threadpoolctl": "scikit-learn"}
    found = {}
    for path in [*(PROJECT / "scripts").glob("*.py"), *(PROJECT / "scripts/himation").rglob("*.py")]:
        for name in third_parties(ast.parse(path.read_text(encoding="utf-8"))):
            found.setdefault(names.get(name, name), path.name)
    assert {name: path for name, path in found.items() if name not in {*declared, *extra}} == {}
    assert {name for name in extra if found.get(name, "graph_files.py") != "graph_files.py"} == set()


def test_other_pythons_get_one_line():
    text = (PROJECT / "scripts/himation/__init__.py").read_text(encoding="utf-8")
    for version in ((3, 10), (3, 14)):
        with mock.patch("sys.version_info", version), pytest.raises(ImportError) as caught:
            exec(compile(text, "himation", "exec"), {"__name__": "himation"})
        assert str(caught.value) == f"Himation needs Python 3.11, 3.12 or 3.13; this is 3.{version[1]}"
    assert SETTINGS["project"]["requires-python"] == ">=3.11,<3.14"


def interpreter(version: str) -> str:
    installed = sorted(Path.home().glob(f".pyenv/versions/{version}.*/bin/python"))
    return shutil.which(f"python{version}") or (str(installed[-1]) if installed else "")


@pytest.mark.slow
@pytest.mark.parametrize("version", ["3.11", "3.12", "3.13"])
def test_a_wheel_works_in_a_fresh_environment(tmp_path, version):
    """The estimator, the finders, and `himation run` to a page, with nothing but what the wheel declares."""
    python = interpreter(version)
    if not python or subprocess.run([python, "--version"], capture_output=True).returncode:
        pytest.skip(f"no Python {version} here")
    source, env = tmp_path / "source", tmp_path / "env"
    skipped = shutil.ignore_patterns(".*", "results", "build", "tests", "*.egg-info")
    shutil.copytree(PROJECT, source, ignore=skipped)
    subprocess.run([python, "-m", "venv", env], check=True)
    done = subprocess.run([env / "bin/pip", "install", "--quiet", "setuptools", source], capture_output=True, text=True)
    if done.returncode and re.search("connection|Could not find a version", done.stderr):
        pytest.skip("the packages can't be fetched")
    assert done.returncode == 0, done.stderr
    shutil.rmtree(source)
    program = (
        "from himation import Himation, MMMB, make_lucas\n"
        "X, y = make_lucas()\n"
        "print(sorted(Himation(manipulation=['Coughing'], chains=4, sweeps=100).fit(X, y).selected_))\n"
        "print(sorted(MMMB().fit(X, y).blanket_))\n"
        "X.assign(y=y).head(300).to_csv('lucas.csv', index=False)\n"
    )
    say = {"capture_output": True, "text": True, "cwd": tmp_path, "env": {"PATH": os.environ["PATH"], "HOME": "/"}}
    done = subprocess.run([env / "bin/python", "-c", program], **say)
    assert done.returncode == 0, done.stderr
    assert "'Smoking'" in done.stdout and "'Coughing', 'Fatigue'" in done.stdout
    done = subprocess.run([env / "bin/himation", "run", "lucas.csv", "--target", "y", "--quick"], **say)
    assert done.returncode == 0, done.stdout + done.stderr
    page = (tmp_path / "himation-lucas/results/report.html").read_text(encoding="utf-8")
    assert re.search(rf"<b>python</b> {version}|python.{{0,20}}{version}", page)
