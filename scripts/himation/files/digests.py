"""Notice a result that is no longer what its step wrote: cut off, overwritten, or damaged on the disk.

The workflow lets every script leave a digest of each file (or folder) that it writes, in ``.digests`` beside it. At the
next start, what does not fit its digest is set aside under the name ``<name>.damaged``, and so is made again. A large
file is read only if its size or time has changed.
"""

import os
from hashlib import sha256
from pathlib import Path

SWITCH = "HIMATION_DIGESTS"  # set by the workflow; scripts run by hand leave no digests
FOLDER = ".digests"
_ALWAYS_READ = 1_000_000  # bytes up to which a file's content is compared whatever its time


def record(draft: Path, path: Path) -> None:
    """Note what ``draft`` holds, which is about to become ``path``."""
    if not os.environ.get(SWITCH):
        return
    (path.parent / FOLDER).mkdir(exist_ok=True)
    note = path.parent / FOLDER / f".{path.name}.{os.getpid()}"
    note.write_text(f"{_stamp(draft)} {digest(draft)}\n", encoding="utf-8")
    os.replace(note, path.parent / FOLDER / path.name)


def digest(path: Path) -> str:
    """SHA-256 of a file, or of all files in a folder with their names."""
    total = sha256()
    for part in _parts(path):
        total.update(part.name.encode() + b"\0" if path.is_dir() else b"")
        with part.open("rb") as stream:
            while block := stream.read(1 << 20):
                total.update(block)
    return total.hexdigest()


def damaged(results) -> list[Path]:
    """Files and folders below ``results`` that don't fit their digests."""
    notes = sorted(note for folder in Path(results).rglob(FOLDER) for note in folder.iterdir())
    pairs = [(note.parent.parent / note.name, note) for note in notes if not note.name.startswith(".")]
    return [path for path, note in pairs if path.exists() and not _fits(path, note)]


def set_aside(path: Path) -> Path:
    """Rename what is damaged, so that it counts as missing."""
    import shutil

    aside = path.with_name(f"{path.name}.damaged")
    if aside.is_dir():
        shutil.rmtree(aside)
    os.replace(path, aside)
    return aside


def _fits(path: Path, note: Path) -> bool:
    stamp, _, written = note.read_text(encoding="utf-8").strip().rpartition(" ")
    small = sum(part.stat().st_size for part in _parts(path)) <= _ALWAYS_READ
    return (not small and stamp == _stamp(path)) or written == digest(path)


def _parts(path: Path) -> list[Path]:
    """The files of a folder but hidden ones (snakemake leaves one there), or the file itself."""
    if not path.is_dir():
        return [path]
    return sorted(part for part in path.iterdir() if part.is_file() and not part.name.startswith("."))


def _stamp(path: Path) -> str:
    """Sizes and times of all parts, which a damage rarely leaves as they were."""
    return ",".join(f"{part.stat().st_size}:{part.stat().st_mtime_ns}" for part in _parts(path))
