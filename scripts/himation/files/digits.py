"""Tables in which every value is one digit, read without parsing: a byte for each value, a row for each variable.

A hundred thousand columns of a thousand examples are 200 MB of text. Where all fields are one character wide, the lines
have one length and every value has a known place.
"""

import numpy as np

MOST = 9
_BLOCK = 4096  # columns turned over at a time
_ZERO, _NINE = ord("0"), ord("9")


def digits_of_text(text, begin: int, separators: bytes) -> np.ndarray | None:
    """The digits of lines of equal length from byte ``begin`` on; None if the layout or a value is of another kind.

    >>> digits_of_text(b"a,b\\n0,2\\n1,0\\n3,1\\n", 4, b",").tolist()
    [[0, 1, 3], [2, 0, 1]]
    """
    symbols = np.frombuffer(text, dtype=np.uint8)[begin:]
    width = text.find(b"\n", begin) + 1 - begin
    if width < 2:
        return None
    if len(symbols) % width == width - 1:  # no line end after the last line
        symbols = np.append(symbols, np.uint8(ord("\n")))
    if len(symbols) % width:
        return None
    lines = symbols.reshape(-1, width)
    ending = b"\r\n" if lines[0, -2] == ord("\r") else b"\n"
    fields = width - len(ending)
    if fields % 2 == 0 and lines[0, fields - 1] == ord(" ") and b" " in separators:
        ending, fields = b" " + ending, fields - 1
    if fields % 2 == 0 or not _are(lines[:, fields:], ending) or not _are(lines[:, 1:fields:2], separators[:1]):
        return None
    return _turned(lines[:, 0:fields:2])


def _are(symbols: np.ndarray, expected: bytes) -> bool:
    return bool((symbols == np.frombuffer(expected, dtype=np.uint8)).all()) if symbols.size else True


def _turned(symbols: np.ndarray) -> np.ndarray | None:
    n, p = symbols.shape
    found = np.empty((p, n), dtype=np.uint8)
    for begin in range(0, p, _BLOCK):
        block = symbols[:, begin : begin + _BLOCK]
        if block.min() < _ZERO or block.max() > _NINE:
            return None
        found[begin : begin + _BLOCK] = block.T
    found -= _ZERO
    return found


def digits_of_sparse(form: str, indices, indptr, data, n: int, p: int) -> np.ndarray | None:
    """The same from the arrays of a sparse matrix of small whole numbers; None if entries are other or double."""
    if len(data) and not (data.min() >= 0 and data.max() <= MOST):
        return None
    small = data.astype(np.uint8)
    found = np.zeros((p, n), dtype=np.uint8)
    lines, across = (n, p) if form == "csr" else (p, n)
    step = max(1, 2**24 // max(across, 1))
    for begin in range(0, lines, step):
        end = min(begin + step, lines)
        part = slice(int(indptr[begin]), int(indptr[end]))
        if (small[part] != data[part]).any():
            return None
        block = np.zeros((end - begin, across), dtype=np.uint8)
        line = np.repeat(np.arange(end - begin), np.diff(indptr[begin : end + 1]))
        block[line, indices[part]] = small[part]
        if np.count_nonzero(block) != np.count_nonzero(small[part]):
            return None
        if form == "csr":
            found[:, begin:end] = block.T
        else:
            found[begin:end] = block
    return found
