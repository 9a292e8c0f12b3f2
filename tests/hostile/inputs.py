"""Hostile inputs by number: tables, configurations, lists of variables, submissions and models that mean no good."""

import gzip
import io
import pickle
import zipfile

import numpy as np
import yaml

NAMES = [
    "=1+1",
    "=cmd|' /C calc'!A0",
    "@SUM(A1)",
    "-2+3",
    "<script>alert(1)</script>",
    '"><img src=x onerror=alert(1)>',
    "</table></html>",
    "&amp;&lt;",
    "../../../etc/passwd",
    "/etc/passwd",
    "..\\..\\windows",
    "a/b",
    "C:nul",
    "$(touch stray)",
    "`touch stray`",
    "; touch stray",
    "| touch stray",
    "--log=stray",
    "-o",
    "{wildcards.id}",
    "{0}",
    "%s%n",
    "nan",
    "inf",
    "0",
    "1",
    "-1",
    "999999999999999999999",
    "target",
    "y",
    "ÄÖ ß",
    "名前",
    "\u202e\u0646",
    "a\u2028b",
    "x" * 5000,
    " ",
    "",
    "a\tb",
    'a"b',
    "a'b",
    "#",
    "\\N",
    "null",
    "__proto__",
    "${jndi:ldap://x}",
    "{{7*7}}",
    "\x07bell",
    "😀",
]
NUMBERS = ["0", "1", "-1", "1e308", "-1e308", "1e-320", "1e400", "nan", "inf", "-inf", "", "NA", "0x10", "1_000", "1,5"]
NUMBERS += [
    "9" * 400,
    "1e",
    "+",
    "--1",
    "٣",
    "1 2",
    "TRUE",
    "2026-01-01",
    "0.1",
    "1e17",
    "12345678901234567890",
    "1.0e-300",
]
CODECS = ["utf-8", "utf-8-sig", "utf-16", "utf-16-le", "latin-1", "utf-32", "cp1252", "shift_jis"]


class Trap:
    """Leaves a file behind if somebody unpickles it."""

    def __reduce__(self):
        return (open, ("stray", "w"))


def pick(rng, values):
    return values[int(rng.integers(len(values)))]


def damage(rng, content: bytes) -> bytes:
    """Cut off, flipped, doubled or filled with zeros, or (mostly) as it was."""
    kind, at = int(rng.integers(12)), int(rng.integers(max(1, len(content))))
    if kind == 0:
        return content[:at]
    if kind == 1:
        return content[:at] + bytes([int(rng.integers(256))]) + content[at + 1 :]
    if kind == 2:
        return content + content[at:]
    if kind == 3:
        return content[:at] + b"\0" * 7 + content[at:]
    if kind == 4:
        return rng.bytes(200)
    return content


def grid(rng, nasty=0.02):
    """Rows of words, and a header; the last column is the target."""
    n, p = int(rng.integers(1, 25)), int(rng.integers(1, 7))
    columns = [
        rng.integers(0, 2, n).astype(str),
        rng.normal(size=n).round(3).astype(str),
        rng.integers(0, 5, n).astype(str),
    ]
    rows = [[str(columns[j % 3][i]) for j in range(p)] + [str(int(rng.integers(2)))] for i in range(n)]
    share = nasty if rng.random() < 0.7 else 0.0
    rows = [[pick(rng, NUMBERS) if rng.random() < share else word for word in row] for row in rows]
    if rng.random() < 0.2:
        rows[int(rng.integers(n))].append(pick(rng, NAMES))
    header = [pick(rng, NAMES) if rng.random() < 0.6 else f"v{j}" for j in range(p)] + ["y"]
    return header, rows


def text_table(rng, separator, with_header):
    header, rows = grid(rng)
    quote = rng.random() < 0.5
    cells = [['"' + word.replace('"', '""') + '"' for word in header] if quote else header] if with_header else []
    end = pick(rng, ["\n", "\n", "\r\n", "\r", "\n\n"])
    text = end.join(separator.join(row) for row in [*cells, *rows]) + end
    return damage(rng, text.encode(pick(rng, CODECS) if rng.random() < 0.3 else "utf-8", "replace"))


def sparse_table(rng):
    n, p = int(rng.integers(1, 20)), int(rng.integers(1, 6))
    claim = pick(rng, [(n, p), (n, p), (n, 10**9), (10**9, p), (-1, p), (2**62, 2**62), (n, p, 3), (0, 0)])
    entries = rng.integers(0, 3, (n, p)).astype(float)
    indptr = np.concatenate([[0], np.cumsum((entries > 0).sum(axis=1))])
    arrays = {"indices": entries.nonzero()[1], "indptr": indptr, "data": entries[entries > 0], "shape": np.array(claim)}
    arrays["format"] = np.array(pick(rng, [b"csr", b"csr", b"csc", b"coo", "x" * 100, b"\xff"]))
    if rng.random() < 0.3:
        key = pick(rng, sorted(arrays))
        arrays[key] = pick(
            rng, [np.array([Trap()], dtype=object), np.array("text"), np.array([]), np.array([2**63 - 1])]
        )
    if rng.random() < 0.2:
        del arrays[pick(rng, sorted(arrays))]
    stream = io.BytesIO()
    np.savez(stream, **arrays)
    return damage(rng, stream.getvalue() if rng.random() < 0.9 else pickle.dumps(Trap()))


def parquet_table(rng):
    import pandas as pd

    header, rows = grid(rng, nasty=0)
    width = len(header)
    frame = pd.DataFrame([row[:width] for row in rows], columns=[f"{name}" for name in header])
    odd = [list, pd.Timestamp, str, float, None]
    for j in range(width):
        kind = pick(rng, odd) if rng.random() < 0.3 else float
        words = frame.iloc[:, j].tolist()
        if kind is list:
            values = [[1, 2]] * len(words)
        elif kind is pd.Timestamp:
            values = [pd.Timestamp("2026-01-01")] * len(words)
        elif kind is None:
            values = [None] * len(words)
        else:
            values = [kind(word) for word in words]
        frame.isetitem(j, pd.Series(values, dtype=object if kind is list else None))
    stream = io.BytesIO()
    try:
        frame.to_parquet(stream, index=bool(rng.integers(2)))
    except Exception:
        return damage(rng, b"PAR1 and so on PAR1")
    return damage(rng, stream.getvalue())


def table(rng) -> tuple[str, bytes]:
    """The ending and the content of a table."""
    ending = pick(
        rng, ["csv", "csv", "tsv", "data", "csv.gz", "data.gz", "npz", "parquet", "txt", "xlsx", "pkl", "CSV"]
    )
    if ending == "npz":
        return ending, sparse_table(rng)
    if ending == "parquet":
        return ending, parquet_table(rng)
    if ending in ("xlsx", "pkl"):
        return ending, pickle.dumps(Trap())
    separator = {"data": " ", "data.gz": " ", "tsv": "\t", "txt": "\t"}.get(ending, ",")
    content = text_table(rng, separator, "data" not in ending)
    return ending, (damage(rng, gzip.compress(content)) if ending.endswith("gz") else content)


def labels(rng, n=20) -> bytes:
    words = [pick(rng, ["1", "-1"]) if rng.random() < 0.95 else pick(rng, NUMBERS + NAMES) for _ in range(n)]
    return damage(rng, "\n".join(words).encode("utf-8", "replace"))


def scalar(rng):
    made = [
        *NAMES,
        *NUMBERS,
        0,
        -1,
        1,
        2**70,
        1e308,
        float("nan"),
        float("inf"),
        True,
        None,
        [],
        {},
        [[]],
        [1],
        {"a": 1},
    ]
    return pick(rng, made)


def configuration(rng, shipped: dict) -> bytes:
    """The shipped configuration with some of its values, keys or bytes changed."""
    config = yaml.safe_load(yaml.safe_dump({**shipped, "datasets": [{"id": "a", "train": "t.csv", "target": "y"}]}))
    for _ in range(int(rng.integers(1, 4))):
        here = config
        while True:
            keys = list(here) if isinstance(here, dict) else list(range(len(here)))
            if not keys:
                break
            key = pick(rng, keys)
            if isinstance(here[key], dict | list) and here[key] and rng.random() < 0.7:
                here = here[key]
                continue
            if isinstance(here, dict) and rng.random() < 0.3:
                here[pick(rng, NAMES)] = scalar(rng)
            elif isinstance(here, dict) and key in ("datasets", "id", "train") and rng.random() < 0.5:
                here[key] = pick(
                    rng, ["../up", "/etc/passwd", "a/../../b", "CON", "a b", "t.csv", ".", "..", "a" * 300]
                )
            else:
                here[key] = scalar(rng)
            break
    text = yaml.safe_dump(config, allow_unicode=True)
    extra = [
        "",
        "",
        "",
        "x: !!python/object/apply:os.system ['touch stray']\n",
        "a: &a [1]\nb: [*a, *a]\n",
        "- 1\n",
        "\t\n",
    ]
    extra += ["? [1, 2]\n: 3\n", "1: 2\n", "seed: 1\nseed: 2\n", "? {a: 1}\n: 2\n", "[" * 300 + "\n"]
    return damage(rng, (text + pick(rng, extra)).encode("utf-8", "replace"))


def manipulation(rng) -> bytes:
    words = [pick(rng, [*NAMES, *NUMBERS, "a", "b", "1", "2", "y"]) for _ in range(int(rng.integers(0, 6)))]
    return damage(rng, pick(rng, ["\n", ",", " "]).join(words).encode(pick(rng, CODECS), "replace"))


def submission(rng) -> bytes:
    stream = io.BytesIO()
    names = [
        "reged1_feat.slist",
        "reged1_train.predict",
        "reged1_test.predict",
        "lucas0_feat.ulist",
        *NAMES,
        "../../up.txt",
    ]
    with zipfile.ZipFile(stream, "w", zipfile.ZIP_DEFLATED) as archive:
        for _ in range(int(rng.integers(0, 6))):
            body = " ".join(pick(rng, [*NUMBERS, *NAMES, "1", "2"]) for _ in range(int(rng.integers(0, 20))))
            body = "0" * 3_000_000 if rng.random() < 0.02 else body
            archive.writestr(zipfile.ZipInfo(pick(rng, names).replace("\0", "")), body.encode("utf-8", "replace"))
    return damage(rng, stream.getvalue())


def model(rng, sound: bytes) -> bytes:
    """A model of our own with one array replaced by something else."""
    with np.load(io.BytesIO(sound)) as stored:
        arrays = {key: stored[key] for key in stored.files}
    key = pick(rng, sorted(arrays))
    odd = [
        np.array([Trap()], dtype=object),
        np.array("{}"),
        np.array("[1"),
        np.array([]),
        np.array(7),
        np.zeros((3, 3, 3)),
    ]
    odd += [np.array([1e308, np.nan]), np.array(["x"]), np.full(2, 2**62), np.array('{"format": 1}'), np.array("null")]
    arrays[key] = pick(rng, odd)
    if rng.random() < 0.2:
        del arrays[key]
    stream = io.BytesIO()
    np.savez(stream, **arrays)
    return damage(rng, stream.getvalue())
