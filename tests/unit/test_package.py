"""An installed library (`pip install .`, not editable) has every file that it has here."""

import tomllib
from pathlib import Path

from conftest import PROJECT


def files(folder):
    return {
        path.relative_to(folder).as_posix(): path.read_bytes()
        for path in sorted(Path(folder).rglob("*"))
        if path.is_file() and "__pycache__" not in path.parts
    }


def built(folder) -> Path:
    """The library as setuptools puts it into a wheel, by the settings of pyproject.toml and with no network."""
    from setuptools import Distribution, find_namespace_packages

    settings = tomllib.loads((PROJECT / "pyproject.toml").read_text())["tool"]["setuptools"]
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
