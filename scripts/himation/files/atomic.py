"""Write a file or a folder so that it appears whole or not at all; read and write tables and JSON."""

import json
import os
import re
import shutil
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from glob import escape
from pathlib import Path

from himation.errors import UserError
from himation.files.digests import record

_BREAKS = re.compile(r"[\x00-\x1f\x7f\x85\u2028\u2029]")  # what some reader takes for the end of a cell or line


@contextmanager
def replacing(path):
    """Yield a temporary path beside ``path``; on success it takes the place of ``path``, on failure it goes.

    The caller writes a file there, or makes it a folder.
    """
    path = Path(path)
    path.parent.mkdir(parents=True, exist_ok=True)
    for left in path.parent.glob(f".{escape(path.name)}.{'?' * 8}"):  # by a process that was killed
        shutil.rmtree(left, ignore_errors=True)
    holder = Path(tempfile.mkdtemp(prefix=f".{path.name}.", dir=path.parent))
    try:
        draft = holder / path.name
        yield draft
        record(draft, path)
        if path.is_dir() and not path.is_symlink():
            shutil.rmtree(path)
        os.replace(draft, path)
    finally:
        shutil.rmtree(holder, ignore_errors=True)


def write_text(path, text: str) -> None:
    with replacing(path) as draft:
        draft.write_text(text, encoding="utf-8")


def read_json(path, missing=None):
    """What a file of JSON says; ``missing``, if that is given, where there is no such file."""
    if missing is not None and not Path(path).is_file():
        return missing
    return json.loads(Path(path).read_text(encoding="utf-8"))


def write_json(path, facts) -> None:
    write_text(path, json.dumps(facts, indent=1, ensure_ascii=False) + "\n")


def write_tsv(path, header, rows) -> None:
    """A tab-separated table; floats are written with the shortest digits that read back the same."""
    lines = ["\t".join(header)]
    lines += ["\t".join(_cell(value) for value in row) for row in rows]
    write_text(path, "\n".join(lines) + "\n")


def _cell(value) -> str:
    if value is None:
        return ""
    if isinstance(value, float):
        return repr(float(value))
    if hasattr(value, "item"):
        return _cell(value.item())
    return _BREAKS.sub(" ", str(value))


def read_tsv(path) -> list[dict[str, str]]:
    """The rows of a table written by `write_tsv`, as text."""
    if not Path(path).is_file():
        raise UserError(f"{path}: no such file")
    return list(tsv_rows(path))


def tsv_rows(path) -> Iterator[dict[str, str]]:
    """The same one by one; none if there is no such file. Lines end at line feeds and nowhere else."""
    if not Path(path).is_file():
        return
    with open(path, encoding="utf-8", newline="\n") as lines:
        header = next(lines, "").rstrip("\n").split("\t")
        for line in lines:
            cells = line.rstrip("\n").split("\t")
            if len(cells) != len(header):
                raise UserError(f"{path}: damaged, a row has {len(cells)} cells, not {len(header)}; make it again")
            yield dict(zip(header, cells, strict=True))
