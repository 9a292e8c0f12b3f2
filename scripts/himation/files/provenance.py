"""Which code and which versions a result came from."""

import re
from functools import cache
from hashlib import sha256
from pathlib import Path

_IMPORT = re.compile(r"^\s*(?:from\s+(himation[\w.]*)\s+import\s+(.+)|import\s+(himation[\w.]*))", re.MULTILINE)
_NAMED = re.compile(r"\"(himation[\w.]*):\w+\"")
PACKAGES = (
    "himation",
    "snakemake",
    "numpy",
    "scipy",
    "pandas",
    "scikit-learn",
    "numba",
    "pyarrow",
    "matplotlib",
    "jinja2",
)


def code_digest(script, extra=(), library=None) -> str:
    """A digest of a script and of every module that it imports, directly or not, from the library (beside the script).

    Numbers beside a module, in a .json of its name, belong to it. Snakemake does not see edits behind a shell command;
    this digest is a parameter of each rule instead.
    """
    script = Path(script)
    found: dict[str, Path] = {}
    _collect(script, Path(library or library_of(script.parent)), found)
    digest = sha256(script.read_bytes())
    for name in sorted(found):
        numbers = found[name].with_suffix(".json")
        for path in (found[name], numbers) if numbers.is_file() else (found[name],):
            digest.update(name.encode() + b"\0" + path.read_bytes())
    for path in sorted(map(str, extra)):
        digest.update(Path(path).read_bytes())
    return digest.hexdigest()[:12]


def library_of(scripts: Path) -> Path:
    """The folder that holds the library which these scripts use: their own, or, from a wheel, that of the package."""
    return scripts if (scripts / "himation").is_dir() else Path(__file__).parents[2]


def _collect(path: Path, library: Path, found: dict[str, Path]) -> None:
    for name in _imports(path):
        module = library.joinpath(*name.split("."))
        for candidate in (module.with_suffix(".py"), module / "__init__.py"):
            if candidate.is_file() and name not in found:
                found[name] = candidate
                _collect(candidate, library, found)


@cache
def _imports(path: Path) -> frozenset[str]:
    """Modules that a file names, functions' own imports and the registry of methods included."""
    text = path.read_text(encoding="utf-8")
    names = set(_NAMED.findall(text))
    for module, what, plain in _IMPORT.findall(text):
        name = module or plain
        names |= {".".join(name.split(".")[: k + 1]) for k in range(name.count(".") + 1)}
        names |= {f"{module}.{word.split(' as ')[0].strip(' ()')}" for word in what.split(",") if module}
    return frozenset(names)


def versions() -> dict[str, str]:
    """Versions of Python and of the packages that results depend on."""
    import platform
    from importlib import metadata

    from himation import __version__

    found = {"python": platform.python_version()}
    for package in PACKAGES:
        try:
            found[package] = __version__ if package == "himation" else metadata.version(package)
        except metadata.PackageNotFoundError:
            found[package] = "not installed"
    return found
