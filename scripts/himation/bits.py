"""Rows of zeros and ones as rows of 64-bit words.

The first example is the lowest bit of the first word; the padding of the last word is zero.
"""

import numpy as np


def words_for(n: int) -> int:
    """Number of words for ``n`` examples."""
    return (n + 63) // 64


def pack_bits(rows: np.ndarray) -> np.ndarray:
    """Rows of 0/1 as rows of words.

    >>> pack_bits(np.array([[1, 0, 1]], dtype=np.uint8))
    array([[5]], dtype=uint64)
    """
    count, n = rows.shape
    packed = np.zeros((count, 8 * words_for(n)), dtype=np.uint8)
    packed[:, : (n + 7) // 8] = np.packbits(rows, axis=1, bitorder="little")
    return packed.view("<u8")


def unpack_bits(words: np.ndarray, n: int) -> np.ndarray:
    """The inverse of `pack_bits`: rows of ``n`` bytes."""
    rows = np.ascontiguousarray(words).view(np.uint8)
    return np.unpackbits(rows, axis=1, count=n, bitorder="little")


def count_bits(words: np.ndarray) -> np.ndarray:
    """Number of ones in each row."""
    return np.bitwise_count(words).sum(axis=1, dtype=np.int64)
