"""What mypy checks has types where others call it: a public function of those files says what it takes and gives."""

import ast
import tomllib
from pathlib import Path

PROJECT = Path(__file__).parents[2]


def checked_files():
    settings = tomllib.loads((PROJECT / "pyproject.toml").read_text(encoding="utf-8"))["tool"]["mypy"]
    for place in map(PROJECT.joinpath, settings["files"]):
        yield from place.rglob("*.py") if place.is_dir() else [place]


def public_functions(tree):
    """Functions of a module and methods of its classes, but those that are compiled and those that Python names."""
    for node in tree.body:
        inside = node.body if isinstance(node, ast.ClassDef) and not node.name.startswith("_") else [node]
        for item in inside:
            if isinstance(item, ast.FunctionDef) and not item.name.startswith("_"):
                compiled = any("njit" in ast.unparse(one) for one in item.decorator_list)
                if not compiled:
                    yield item


def test_public_functions_are_typed():
    without = []
    for path in checked_files():
        for function in public_functions(ast.parse(path.read_text(encoding="utf-8"))):
            arguments = [*function.args.posonlyargs, *function.args.args, *function.args.kwonlyargs]
            bare = [one.arg for one in arguments if one.annotation is None and one.arg not in ("self", "cls")]
            bare += ["return"] if function.returns is None else []
            without += [f"{path.relative_to(PROJECT)}: {function.name}({', '.join(bare)})"] if bare else []
    assert without == []
