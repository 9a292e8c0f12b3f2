"""Read what a user wrote: bytes that fit into memory, and text."""

import gzip
import zlib
from pathlib import Path

from himation.errors import UserError
from himation.files.memory import available, require


def read_utf8(path) -> str:
    """The text of a file, without a byte order mark; what is not UTF-8 is refused."""
    try:
        return Path(path).read_text(encoding="utf-8-sig")
    except UnicodeDecodeError as error:
        raise UserError(f"{path}: not UTF-8 text (byte {error.start}); save it as UTF-8") from None


def read_bytes(path: Path) -> bytes:
    """The content of a file, unpacked if it is compressed."""
    try:
        if path.name.endswith(".gz"):
            with gzip.open(path) as stream:
                return _bounded(stream, path)
        require(3 * path.stat().st_size, f"{path}")
        return path.read_bytes()
    except (OSError, EOFError, zlib.error) as error:
        raise UserError(f"{path}: can't be read ({error})") from None


def _bounded(stream, path) -> bytes:
    """All of a compressed text, unless it swells beyond a third of the memory."""
    most = available() / 3
    blocks, size = [], 0
    while block := stream.read(1 << 24):
        blocks.append(block)
        size += len(block)
        if size > most:
            require(3.0 * size, f"{path}, unpacked as far as it was,")
    return b"".join(blocks)
