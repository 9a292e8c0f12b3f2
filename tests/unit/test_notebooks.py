"""The notebooks run from top to bottom, and show what is kept in them."""

import ast
import json

import pytest
from conftest import PROJECT

NOTEBOOKS = sorted((PROJECT / "docs/notebooks").glob("*.ipynb"))


def run_cell(text: str, names: dict) -> str:
    """What a cell shows: its last expression, if it ends with one."""
    tree = ast.parse(text)
    last = tree.body.pop() if isinstance(tree.body[-1], ast.Expr) else None
    exec(compile(tree, "cell", "exec"), names)
    value = eval(compile(ast.Expression(last.value), "cell", "eval"), names) if last else None
    return "" if value is None else repr(value)


@pytest.mark.slow
@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_a_notebook_runs_and_shows_what_is_kept_in_it(path):
    book = json.loads(path.read_text(encoding="utf-8"))
    names, shown, kept = {}, [], []
    for cell in book["cells"]:
        if cell["cell_type"] == "code":
            shown.append(run_cell("".join(cell["source"]), names))
            kept.append("".join("".join(item["data"]["text/plain"]) for item in cell["outputs"]))
    assert shown == kept and len([text for text in shown if text]) >= 3


def test_there_are_notebooks_and_the_documentation_names_them():
    pages = "".join(page.read_text(encoding="utf-8") for page in (PROJECT / "docs").glob("*.md"))
    assert len(NOTEBOOKS) >= 2 and all(f"notebooks/{path.name}" in pages for path in NOTEBOOKS)
