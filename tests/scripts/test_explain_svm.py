"""A user's own SVC and a model of build_model.py are read; table, picture and mistakes."""

import numpy as np
import pytest
from sklearn.svm import SVC


@pytest.fixture
def machine(tmp_path):
    rng = np.random.default_rng(0)
    X = rng.choice([-1.0, 1.0], size=(200, 12))
    svc = SVC(kernel="poly", degree=2, gamma="scale", coef0=1).fit(X, X[:, 2] * X[:, 7])
    arrays = {"support_vectors": svc.support_vectors_, "dual_coef": svc.dual_coef_, "degree": svc.degree}
    np.savez(tmp_path / "svm.npz", **arrays, gamma=svc._gamma, coef0=svc.coef0)
    return tmp_path


def test_table_and_picture(run_script, machine):
    (machine / "names").write_text("".join(f"gene{j}\n" for j in range(12)))
    words = "--model svm.npz --names names --features 5 --method brute --output top.tsv --picture"
    done = run_script("explain_svm", *words.split(), "top.svg", cwd=machine)
    assert done.returncode == 0 and "5 features of" in done.stderr and "proven to be the heaviest" in done.stderr
    rows = [line.split("\t") for line in (machine / "top.tsv").read_text().splitlines()]
    assert rows[0][:4] == ["rank", "feature", "weight", "coefficient"] and len(rows) == 6
    assert rows[1][1] == "gene2*gene7" and rows[1][4:] == ["3 8", "1 1"] and float(rows[1][2]) > 0
    picture = (machine / "top.svg").read_bytes()
    assert b"<svg" in picture
    run_script("explain_svm", *words.split(), "again.svg", cwd=machine)
    assert (machine / "again.svg").read_bytes() == picture


def test_printed_and_anytime(run_script, machine):
    done = run_script("explain_svm", *["--model", "svm.npz", "--features", "3", "--seconds", "5"], cwd=machine)
    assert done.returncode == 0 and done.stdout.splitlines()[1].split()[:2] == ["1", "x3*x8"]


def test_model_of_build_model(run_script, tmp_path):
    from himation.files.models import Saved, save_model
    from himation.models.encoding import Encoding, Variable
    from himation.models.kinds import Options, create
    from himation.models.svm import Grid

    rng = np.random.default_rng(1)
    X = rng.choice([0.0, 1.0], size=(100, 3))
    y = np.where(X[:, 0] != X[:, 2], 1, -1)
    names = {"x4": 4, "x2": 2, "x9": 9}
    encoding = Encoding(tuple(Variable(n, c, "binary", [0, 1], 0.0, 1.0, 0) for n, c in names.items()), 9)

    def save(path, kind, grid):
        model = create(kind, Options(grid, machines=3)).fit(X, y, 1)
        save_model(tmp_path / path, Saved(kind, model, encoding))

    save("model.npz", "svm", Grid((2,), (), (1.0,)))
    done = run_script("explain_svm", "--model", "model.npz", "--features", "1", cwd=tmp_path)
    assert "x4*x9" in done.stdout
    save("rbf.npz", "svm", Grid((), (0.1,), (1.0,)))
    done = run_script("explain_svm", "--model", "rbf.npz", cwd=tmp_path)
    assert done.returncode == 1 and "Gaussian kernel" in done.stderr
    save("bagged.npz", "bagged", Grid())
    done = run_script("explain_svm", "--model", "bagged.npz", cwd=tmp_path)
    assert done.returncode == 1 and "--kind svm" in done.stderr


def test_mistakes_get_one_line(run_script, machine):
    np.savez(machine / "half.npz", support_vectors=np.ones((2, 2)))
    (machine / "names").write_text("a\nb\n")
    (machine / "text.npz").write_text("no arrays")
    for words, message in {
        "--model none.npz": "none.npz: no such file",
        "--model half.npz": "has no array 'dual_coef'",
        "--model text.npz": "not an .npz file",
        "--model svm.npz --names names": "2 names for the 12 variables",
        "--model svm.npz --picture a.gif": "a.gif: a picture is written as",
    }.items():
        done = run_script("explain_svm", *words.split(), cwd=machine)
        assert done.returncode == 1 and message in done.stderr and done.stderr.count("\n") == 1


def test_constructed_features_reach_the_model(run_script, tmp_path):
    """XOR beside a weak cause: FSMB's product joins, the model uses it, and predictions of both parts need it."""
    rng = np.random.default_rng(2)
    bits = rng.integers(0, 2, (900, 12))
    y = np.where(rng.random(900) < 0.1, -1, 1) * np.where(bits[:, 2] != bits[:, 7], 1, -1)
    y = np.where((bits[:, 0] == 1) & (rng.random(900) < 0.3), 1, y)
    for name, part in {"train": slice(0, 600), "test": slice(600, 900)}.items():
        np.savetxt(tmp_path / f"{name}.data", bits[part], fmt="%d")
        np.savetxt(tmp_path / f"{name}.y", y[part], fmt="%d")

    def step(name, words):
        done = run_script(name, *words.split(), cwd=tmp_path)
        assert done.returncode == 0, done.stderr
        return done.stderr

    step("prepare_data", "--train train.data --target train.y --test test.data --test-target test.y --output data")
    for method in ("mmmb", "fsmb --degree 2 --cost 1"):
        name = method.split()[0]
        step("find_blanket", f"--data data --method {method} --output {name}.tsv --details {name}.json")
    grid = "--degrees 1 --gammas --costs 0.1 1"
    step("sample_networks", "--data data --chains 2 --sweeps 40 --output n.npz")
    finders = '[{"id":"mmmb"},{"id":"fsmb","degree":2,"cost":1}]'
    step("search_folds", f"--data data --finders {finders} --machines 10 --output folds")
    words = "--blankets mmmb.tsv fsmb.tsv --details mmmb.json fsmb.json --networks n.npz --folds folds"
    written = "--output b.tsv --natural-set s.tsv --features f.tsv --candidates c.tsv"
    step("compare_blankets", f"--data data {words} {written}")
    lines = (tmp_path / "f.tsv").read_text().splitlines()
    assert any(set(line.split("\t")[1].split()) == {"3", "8"} for line in lines[1:])

    def test_auc(columns):
        said = step(
            "build_model", f"--data data --columns {columns} --constructed f.tsv --kind svm {grid} --model m.npz"
        )
        step("predict", "--data data --model m.npz --challenge p")
        from himation.evaluate import auc

        values = np.array([float(line.split()[-1]) for line in (tmp_path / "p").read_text().splitlines()])
        return said, auc(y[600:], values)

    said, with_product = test_auc("1 3 8")
    assert "constructed features" in said and with_product > 0.8
    said, without = test_auc("1 3")  # x8 was not selected: the product must not bring it back
    assert "constructed features" not in said and without < 0.7
