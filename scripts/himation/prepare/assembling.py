"""What every way of preparing a table ends with: an order set by content, empty blocks, and what is to be reported."""

from collections.abc import Callable, Iterable, Sequence
from hashlib import blake2b

import numpy as np

from himation.bits import pack_bits, unpack_bits, words_for
from himation.errors import UserError
from himation.files.raw import RawTable
from himation.files.texts import listed
from himation.table import Dropped, Part

NAMING_ROWS = "left out, since they name or number the rows"


def by_content(
    positions: Iterable[int], names: Sequence[str], content: Callable[[int], bytes]
) -> tuple[list[int], list[Dropped]]:
    """Positions sorted by a digest of their content; of equal columns the first in the file stays."""
    digests: dict[bytes, int] = {}
    twins = []
    for i in sorted(positions):
        digest = blake2b(content(i), digest_size=16).digest()
        if digest in digests:
            twins.append(Dropped(names[i], i + 1, "equal", names[digests[digest]]))
        else:
            digests[digest] = i
    return [digests[digest] for digest in sorted(digests)], twins


def require_variables(raw: RawTable, order: Sequence[int], dropped: Sequence[Dropped]) -> None:
    """At least one column to learn from."""
    if order:
        return
    if all(item.why == "target" for item in dropped):
        raise UserError(f"{raw.path}: has no column but the target; add the variables to learn from")
    raise UserError(f"{raw.path}: no variable is left: all {len(dropped)} columns are constant or left out")


def rows_of(part: Part, rows: np.ndarray) -> Part:
    """Some rows of a part, by mask."""
    n = int(rows.sum())
    bits = unpack_bits(part.bits, part.n)[:, rows] if len(part.bits) else np.empty((0, n), np.uint8)
    codes, values = (np.ascontiguousarray(np.asarray(block)[:, rows]) for block in (part.codes, part.values))
    return Part(n, pack_bits(bits), codes, values)


def no_blocks(n: int, bits: bool = True) -> tuple[np.ndarray, ...]:
    blocks = (np.empty((0, n), dtype=np.uint8), np.empty((0, n)))
    return (np.empty((0, words_for(n)), dtype=np.uint64), *blocks) if bits else blocks


def warnings(dropped: Sequence[Dropped], left_out: int = 0) -> list[str]:
    constant = [d.name for d in dropped if d.why == "constant"]
    equal = [d.name for d in dropped if d.why == "equal"]
    rows = [d.name for d in dropped if d.why == "identifier"]
    found = []
    if rows:
        found.append(f"{NAMING_ROWS}: {listed(rows)} (declared in 'types' they are used)")
    if constant:
        found.append(f"{len(constant)} constant columns dropped: {listed(constant)}")
    if equal:
        found.append(f"{len(equal)} columns dropped because an equal one stays: {listed(equal)}")
    if left_out:
        found.append(f"{left_out} training examples with missing values left out of learning, predicted all the same")
    return found
