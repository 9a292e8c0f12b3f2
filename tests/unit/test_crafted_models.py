"""Model files that somebody has tampered with: each is a model that predicts, or gets one line that it is none."""

import io
import json
import tracemalloc
import zipfile

import numpy as np
import pytest

from himation.errors import UserError
from himation.files.models import load_model, save_model
from himation.files.svm_file import read_svm
from himation.files.tables import RawTable
from himation.models.building import build
from himation.models.constructed import Constructed
from himation.models.kinds import Options
from himation.models.svm import Grid
from himation.prepare.preparing import prepare

KINDS = ("svm", "bagged", "mixture")


def table(kind):
    rng = np.random.default_rng(2)
    values = rng.integers(0, 2, size=(4, 60)).astype(float)
    texts, types = {}, "auto"
    if kind != "mixture":
        values[0] = rng.normal(size=60)
        texts = {3: rng.choice(["Hull", "Leeds", "York"], 60).astype(object)}
        types = {"d": "discrete"}
    y = np.where(values[0] + values[1] + 0.5 * rng.normal(size=60) > 0.5, "yes", "no")
    return prepare(RawTable("t.csv", list("abcd"), 60, values=values, texts=texts), y, "ill", types=types)


@pytest.fixture(scope="module")
def models(tmp_path_factory):
    """Arrays of a model of each kind, as saved."""
    found = {}
    for kind in KINDS:
        made = table(kind)
        variables = [made.names.index(name) for name in "abcd"]
        products = () if kind == "mixture" else (Constructed("a*b", ((variables[0], 1), (variables[1], 1)), 1.0),)
        options = Options(Grid((2,), (), (1.0,)), machines=4)
        path = tmp_path_factory.mktemp("models") / "m.npz"
        save_model(path, build(made, variables, products, kind, 1, options).saved)
        with np.load(path) as stored:
            found[kind] = {key: stored[key] for key in stored.files}
    return found


def predicts_or_is_refused(path, arrays) -> bool:
    """Whether the file is refused, in one line that says so; otherwise its predictions are checked."""
    np.savez(path, **arrays)
    try:
        saved = load_model(path)
    except UserError as error:
        assert str(error).startswith(f"{path}: not a model of build_model.py") and "\n" not in str(error)
        assert len(str(error)) < 400 + len(str(path))
        return True
    new = RawTable(
        "n.csv",
        [v.name for v in saved.encoding.variables],
        1,
        values=np.array([[0.0 if v.is_words else v.fill] for v in saved.encoding.variables]),
        texts={i: np.array([v.fill], dtype=object) for i, v in enumerate(saved.encoding.variables) if v.is_words},
    )
    values = saved.values(saved.encoding.read(new), "test")[:, -1]
    assert np.isfinite(values).all() and np.isfinite(saved.platt.probability(values)).all()
    return False


def tampered(array):
    """An array in other forms, most of which make no sense where it stood."""
    if array.dtype.kind == "f":
        for value in (np.nan, np.inf, -np.inf, 1e308, -1.0):
            changed = array.copy()
            changed.flat[:1] = value
            yield changed
    if array.dtype.kind == "i":
        for value in (-1, 99, 2**62):
            changed = array.copy()
            changed.flat[:1] = value
            yield changed
    yield array[None]
    yield array.ravel()[:-1]
    yield np.array("text")
    yield np.array(7)
    yield np.empty((0, 3))


@pytest.mark.parametrize("kind", KINDS)
def test_arrays_of_a_model(models, tmp_path, kind):
    good = models[kind]
    path = tmp_path / "m.npz"
    assert not predicts_or_is_refused(path, good)
    for key, array in good.items():
        without = {name: value for name, value in good.items() if name != key}
        needed = key not in ("columns", "converged")
        assert predicts_or_is_refused(path, without) or not needed, key
        for changed in tampered(array):
            refused = predicts_or_is_refused(path, good | {key: changed})
            assert refused or changed.dtype.kind != "f" or np.isfinite(changed).all(), key


def leaves(value, place=()):
    """Places of all parts of a JSON document."""
    yield place
    items = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for key, inner in items:
        yield from leaves(inner, (*place, key))


def with_leaf(value, place, new):
    if not place:
        return new
    copy = value.copy()
    copy[place[0]] = with_leaf(value[place[0]], place[1:], new)
    return copy


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("part", ["facts", "encoding"])
def test_facts_of_a_model(models, tmp_path, kind, part):
    good = models[kind]
    facts = json.loads(str(good[part]))
    for place in leaves(facts):
        if place[:1] == ("versions",):
            continue
        for new in (float("nan"), float("inf"), None, "text", -1, 0, 10**30, [], {}, True):
            text = json.dumps(with_leaf(facts, place, new)).replace("Infinity", "1e999")
            predicts_or_is_refused(tmp_path / "m.npz", good | {part: np.array(text)})


@pytest.mark.parametrize("where", [("encoding", "variables", 0, "scale"), ("encoding", "variables", 0, "centre")])
@pytest.mark.parametrize("word", ["NaN", "1e999", "-Infinity"])
def test_no_model_has_a_scale_that_is_no_number(models, tmp_path, where, word):
    part, *place = where
    facts = with_leaf(json.loads(str(models["svm"][part])), place, "HERE")
    text = json.dumps(facts).replace('"HERE"', word)
    assert predicts_or_is_refused(tmp_path / "m.npz", models["svm"] | {part: np.array(text)})


@pytest.mark.parametrize("word", ["NaN", "1e999", "null", '"1"'])
def test_no_model_has_a_calibration_that_is_no_number(models, tmp_path, word):
    facts = json.dumps(json.loads(str(models["svm"]["facts"])) | {"calibration": ["HERE", 0.5]})
    assert predicts_or_is_refused(
        tmp_path / "m.npz", models["svm"] | {"facts": np.array(facts.replace('"HERE"', word))}
    )


def test_texts_that_break_parsers(models, tmp_path):
    for text in ("[" * 100_000, '{"format": ' + "9" * 10_000 + "}", "", "\x00", '{"format": 3}', "[]", "null"):
        for part in ("facts", "encoding"):
            assert predicts_or_is_refused(tmp_path / "m.npz", models["svm"] | {part: np.array(text)})


def test_bytes_of_a_file(models, tmp_path):
    """Damage anywhere in a file, and files of another kind."""
    path = tmp_path / "m.npz"
    np.savez(path, **models["svm"])
    good = path.read_bytes()
    rng = np.random.default_rng(8)
    others = [b"", b"PK", b"PK\x05\x06" + bytes(18), b"\x93NUMPY", good[: len(good) // 2], good[100:]]
    for _ in range(150):
        at = int(rng.integers(len(good)))
        others.append(good[:at] + bytes([int(rng.integers(256))]) + good[at + 1 :])
    for content in others:
        path.write_bytes(content)
        try:
            load_model(path)
        except UserError as error:
            assert "not a model of build_model.py" in str(error) and "\n" not in str(error)


def header(shape, kind="<f8"):
    stream = io.BytesIO()
    np.lib.format.write_array_header_1_0(stream, {"descr": kind, "fortran_order": False, "shape": shape})
    return stream.getvalue()


def test_sizes_are_known_before_anything_is_unpacked(tmp_path):
    """A bomb, an array that claims to be larger than it is, two of one name, and an array of objects."""
    bomb, liar, twins, objects = (tmp_path / f"{name}.npz" for name in ("bomb", "liar", "twins", "objects"))
    packed = zipfile.ZipFile(bomb, "w", zipfile.ZIP_DEFLATED)
    with packed as archive, archive.open("facts.npy", "w", force_zip64=True) as stream:
        stream.write(header((600_000_000,), "|i1"))
        for _ in range(60):
            stream.write(bytes(10_000_000))
    with zipfile.ZipFile(liar, "w") as archive:
        archive.writestr("facts.npy", header((10**12, 10**6)) + bytes(80))
    with pytest.warns(UserWarning, match="Duplicate name"), zipfile.ZipFile(twins, "w") as archive:
        for _ in range(2):
            archive.writestr("facts.npy", header((1,)) + bytes(8))
    np.savez(objects, facts=np.array([{}], dtype=object))
    tracemalloc.start()
    for path, why in (
        (bomb, "would unpack to 0.6 GB"),
        (liar, "not as large as it says"),
        (twins, "two arrays are called 'facts'"),
        (objects, "not of plain numbers or text"),
    ):
        for read, what in ((load_model, "not a model of build_model.py"), (read_svm, "not an .npz file")):
            with pytest.raises(UserError, match=why) as caught:
                read(path)
            assert what in str(caught.value)
    assert tracemalloc.get_traced_memory()[1] < 10e6
    tracemalloc.stop()


def test_a_machine_to_explain_has_finite_numbers_that_fit(tmp_path):
    good = {
        "support_vectors": np.eye(3),
        "dual_coef": np.array([[1.0, -1.0, 0.5]]),
        "degree": np.array(2),
        "gamma": np.array(1.0),
        "coef0": np.array(1.0),
    }
    path = tmp_path / "m.npz"
    np.savez(path, **good)
    assert read_svm(path)[0].degree == 2
    bad = {"dual_coef": [1.0, np.nan, 1.0], "support_vectors": np.ones(3), "degree": [2, 3], "gamma": "x"}
    for key, value in bad.items():
        np.savez(path, **good | {key: np.array(value)})
        with pytest.raises(UserError, match=r"m\.npz: not a"):
            read_svm(path)
