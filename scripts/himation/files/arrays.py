"""Read an .npz of plain arrays that somebody else may have made: every size is known before anything is unpacked."""

import math
import os
import zipfile

import numpy as np

from himation.files.memory import require

MOST_UNPACKED = 500_000_000  # bytes, of a file that is smaller itself
_KINDS = "biufU"  # numbers and text
_HEADERS = {(1, 0): np.lib.format.read_array_header_1_0, (2, 0): np.lib.format.read_array_header_2_0}


def read_arrays(path) -> dict[str, np.ndarray]:
    """Arrays by name; a ValueError that says why where the file is anything else."""
    with zipfile.ZipFile(path) as archive:
        entries = archive.infolist()
        names = [entry.filename.removesuffix(".npy") for entry in entries]
        if len(set(names)) < len(names):
            raise ValueError(f"two arrays are called {next(name for name in names if names.count(name) > 1)[:40]!r}")
        unpacked, packed = sum(entry.file_size for entry in entries), os.path.getsize(path)
        if unpacked > max(packed, MOST_UNPACKED):
            raise ValueError(f"its {packed / 1e6:.1f} MB would unpack to {unpacked / 1e9:.1f} GB")
        require(unpacked, str(path), "use a computer with more memory")
        return {name: _read(archive, entry, name) for name, entry in zip(names, entries, strict=True)}


def _read(archive: zipfile.ZipFile, entry: zipfile.ZipInfo, name: str) -> np.ndarray:
    with archive.open(entry) as stream:
        version = np.lib.format.read_magic(stream)
        if version not in _HEADERS:
            raise ValueError(f"array {name[:40]!r} is not of plain numbers or text")
        shape, in_columns, kind = _HEADERS[version](stream)
        if kind.kind not in _KINDS:
            raise ValueError(f"array {name[:40]!r} is not of plain numbers or text")
        if kind.itemsize * math.prod(shape) != entry.file_size - stream.tell():
            raise ValueError(f"array {name[:40]!r} is not as large as it says")
        content = stream.read()
    if not content:
        return np.empty(shape, dtype=kind)
    return np.frombuffer(content, dtype=kind).reshape(shape, order="F" if in_columns else "C")


def refuse_what_is_not_finite(arrays: dict[str, np.ndarray]) -> None:
    """Numbers that nothing can be computed with, by the name of their array."""
    for name, array in arrays.items():
        if array.dtype.kind == "f" and not np.isfinite(array).all():
            raise ValueError(f"{name[:40]!r} holds a value that is not a finite number")
