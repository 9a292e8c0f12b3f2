"""The report's parts: reading results, the verdict's words, figures, and the page as a browser would parse it."""

import json
import re
from dataclasses import replace
from html.parser import HTMLParser

import numpy as np
import pytest

from himation.errors import UserError
from himation.files import prepared
from himation.files.atomic import tsv_rows, write_tsv
from himation.report import gather_evidence, gather_model, words
from himation.report.collect import collect
from himation.report.page import render
from himation.report.values import Variable
from himation.selection.rule_names import RULES
from himation.table import Dropped, Part, Table

HOSTILE = [
    "<script>alert(1)</script>",
    "$x^2$ $\\frac{",
    "\"quoted' & <b>",
    "变量 naïve ✓ \u202eevil",
    '--> ]]> <!-- style="fill: #0a0000" id="x"',
    "plain",
]
VOID = {"area", "base", "br", "col", "embed", "hr", "img", "input", "link", "meta", "source", "track", "wbr"}


class Page(HTMLParser):
    """Checks that tags are balanced, and gathers ids, links, texts of cells and scripts."""

    def __init__(self, text):
        super().__init__(convert_charrefs=True)
        self.open, self.ids, self.links, self.tags, self.names = [], [], [], [], []
        self.feed(text)
        self.close()
        assert self.open == []

    def handle_starttag(self, tag, attributes):
        self.tags.append((tag, dict(attributes)))
        found = dict(attributes)
        self.ids += [found["id"]] if "id" in found else []
        self.links += [found[key] for key in ("href", "src", "xlink:href", "action") if key in found]
        if tag not in VOID:
            self.open.append(tag)

    def handle_startendtag(self, tag, attributes):
        self.handle_starttag(tag, attributes)
        if tag not in VOID:
            self.open.pop()

    def handle_endtag(self, tag):
        assert self.open and self.open.pop() == tag, tag

    def handle_data(self, data):
        if self.tags and self.tags[-1][1].get("class") == "name":
            self.names.append(data)


def make_results(folder, name="one", labels=tuple(HOSTILE), manipulation="known", optional=True):
    """Results of a data set with six variables; the first two are parents, then a child, a spouse, and others."""
    rng = np.random.default_rng(0)
    n, p = 40, len(labels)
    part = Part(n, np.zeros((0, 5), np.uint8), np.zeros((0, n), np.uint8), rng.normal(size=(p, n)))
    y = np.where(np.arange(n) % 4 == 0, 1, -1).astype(np.int8)
    table = Table(
        names=list(labels),
        columns=np.arange(1, p + 1),
        kinds=np.array(["continuous"] * p, dtype=object),
        row=np.arange(p),
        levels=[None] * p,
        centre=np.zeros(p),
        scale=np.ones(p),
        target=y,
        target_name="<i>target",
        labels={1: "<yes>", -1: "no"},
        train=part,
        test=part if optional else None,
        test_target=y if optional else None,
        dropped=[Dropped("<u>flat", p + 1, "constant")],
        warnings=["1 constant columns dropped: <u>flat"],
        n_file_columns=p + 1,
    )
    home = folder / name
    prepared.save(table, home / "data")
    role = ["parent", "parent", "child", "spouse", "undirected", "none"]
    reason = "manipulated child (0.90): <b>dropped</b>"
    shares = {"parent": (0.9, 0, 0, 0.95), "child": (0, 0.9, 0, 0), "spouse": (0, 0, 0.9, 0)}
    rows = [
        [labels[i], i + 1, role[i], *shares.get(role[i], (0, 0, 0, 0)), int(i in (0, 1, 3)), reason] for i in range(p)
    ]
    keys = ("variable", "column", "role", "p_parent", "p_child", "p_spouse", "p_ancestor", "selected", "reason")
    write_tsv(home / "roles.tsv", keys, rows)
    facts = {"rule": "posterior", "manipulation": manipulation}
    facts |= {"manipulated": [1, 3] if manipulation == "known" else [], "columns": [1, 2, 4]}
    facts["warnings"] = ["theorem V.1 does not hold: <script>alert(2)</script>"]
    if optional:
        facts |= _selection(labels)
    (home / "selection.json").write_text(json.dumps(facts), encoding="utf-8")
    if optional:
        _optional_files(home, name, labels, y, rng)
    return folder


def _selection(labels):
    """What selection.json has beside what must be there."""
    sets = (
        ("posterior", [1, 2, 4], 0.85),
        ("thesis", [1, 5], 0.8),
        ("parents", [1, 2], 0.79),
        ("natural", [1, 2, 3, 4], 0.7),
    )
    return {
        "panels": [{"columns": [1, 2, 4], "networks": 120}, {"columns": [1, 2], "networks": 40}],
        "inclusion": {"1": 1.0, "2": 0.97, "4": 0.75, "5": 0.04},
        "sets": [{"set": rule, "columns": chosen} for rule, chosen, _ in sets],
        "thesis": {
            "columns": [1, 5],
            "reasons": {"1": "parent in every PDAG: kept", "5": f"undecided {labels[0]}: kept"},
        },
        "networks": {
            **{"chains": 16, "draws": 3200, "variables": 6, "converged": False, "largest_error": 0.12},
            **{"least_sure": [5], "reliability": 1.25, "copy": 0.0, "reliability_weights": [[1.0, 0.25], [1.3, 0.75]]},
        },
    }


def _optional_files(home, name, labels, y, rng):
    header = ("variable", "column", "score", "rank")
    for method, members in {"mmmb": (1, 2, 3, 4), "fsmb": (1, 2, 5)}.items():
        write_tsv(
            home / f"blanket/{method}.tsv", header, [[labels[c - 1], c, 1.0, k + 1] for k, c in enumerate(members)]
        )
        details = {
            "method": method,
            "settings": {"alpha": 0.05},
            "features": [[[1, 2], [2, 1]]] if method == "fsmb" else [],
        }
        (home / f"blanket/{method}.json").write_text(json.dumps(details), encoding="utf-8")
    write_tsv(home / "natural_blanket.tsv", header, [[labels[c - 1], c, 1.0, c] for c in (1, 2, 3, 4)])
    rows = [["mmmb", 4, 0.9, 0.01, 0.0, 0.0, 1, "1 2 3 4"], ["fsmb", 3, 0.88, 0.02, -0.02, 0.01, 0, "1 2 5"]]
    keys = ("set", "variables", "auc", "standard_error", "gain", "gain_error", "used", "columns")
    write_tsv(home / "candidates.tsv", keys, rows)
    write_tsv(home / "stability.tsv", ("variable", "column", "share"), [[labels[0], 1, 0.8]])
    sets = (("posterior", 0.85), ("parents", 0.79), ("natural", 0.7))
    model = {
        **{"words": "bagged", "measured": "rows held out: 5 folds", "folds": 5, "permutations": 19, "p_value": 0.05},
        **{"expected_auc": 0.85, "standard_error": 0.01, "natural_auc": 0.91, "natural_error": 0.011},
        "sets": [
            {"set": rule, "expected_auc": value, "standard_error": 0.01, "natural_auc": 0.92} for rule, value in sets
        ],
        "warnings": ["few rows: <script>alert(3)</script>"],
    }
    (home / "model.json").write_text(json.dumps(model), encoding="utf-8")
    row = [labels[3], 4, 0, *[0.0] * 5, 1.0, 0, 0, 0, 0, "3:0.9"]
    keys = "variable column neighbour forward backward undirected parent_p_score child_p_score child_p_dependent"
    write_tsv(home / "evidence.tsv", (*keys.split(), *EVIDENCE_COUNTS, "spouse_through"), [row])
    keys = ("a", "column_a", "b", "column_b", *EDGE_NUMBERS)
    edge = ["t", 0, labels[2], 3, 2, 1, 0.7, 0.2, 1e-4, 0.03, 12.5, 3.0]
    write_tsv(home / "y_edges.tsv", keys, [edge, [labels[0], 1, labels[1], 2, *edge[4:]]])
    write_tsv(home / "region.tsv", ("column_a", "column_b", "depth"), [[0, 1, 1], [1, 6, 2]])
    keys = [key for letter in "abcd" for key in (letter, f"column_{letter}")]
    tests = [
        [labels[0], 1, labels[1], 2, "t", 0, labels[2], 3, 0.7],
        [labels[4], 5, labels[5], 6, labels[0], 1, "t", 0, 0.4],
    ]
    write_tsv(home / "y_tests.tsv", (*keys, "p_score"), tests)
    grid = [
        ["poly", 2, 1.0, 0.1, 0.91, 0.011, 0],
        ["rbf", 1, 0.01, 1.0, 0.91, 0.02, 0],
        ["poly", 1, 1.0, 1.0, 0.8, 0.01, 0],
    ]
    write_tsv(home / "grid.tsv", ("kernel", "degree", "gamma", "cost", "auc", "standard_error", "unconverged"), grid)
    for part in ("train", "test"):
        text = "".join(f"{value:.4f}\n" for value in y + rng.normal(size=len(y)))
        (home / "submission").mkdir(exist_ok=True)
        (home / f"submission/{name}_{part}.predict").write_text(text)
    scores = [
        ["Tscore", "selected variables", 0.87, 0.012, "AUC on test"],
        ["Tscore", "true parents", 0.89, 0.012, "2 variables"],
        ["Tscore", "all variables", 0.99, 0.01, "no selection"],
    ]
    write_tsv(home / "scores.tsv", ("score", "of", "value", "error", "note"), scores)
    changed = [
        [labels[2], 3, "set", (0.97, 0.01), 1.0, 1, 0.5, 0.1],
        [labels[4], 5, "shifted", (0.1, 0.8), 0.0, "", "", ""],
        *([labels[k], k + 1, "same", (0.01, 0.02), 1.0, "", "", ""] for k in (0, 1, 3, 5)),
    ]
    write_changes(home, changed, used=False, why="the list of the configuration is used")
    write_tsv(home / "benchmarks/score.tsv", ("s", "max_rss"), [[12.5, 100.0]])
    write_tsv(home / "benchmarks/prepare_data.tsv", ("s", "max_rss"), [[1.5, "NA"]])


def write_changes(home, rows, **facts):
    """What infer_manipulation.py writes; rows are (name, column, verdict, chances, networks, companion, r, r)."""
    places = ("mean_train", "mean_test", "sd_train", "sd_test")
    keys = (
        "variable",
        "column",
        "p_manipulated",
        "kind",
        "p_set",
        "p_shifted",
        "networks",
        *places,
        "companion_column",
    )
    found = []
    for name, column, verdict, (p_set, p_shifted), networks, *link in rows:
        kind = {"same": "none", "unsure": "set"}.get(verdict, verdict)
        found.append([name, column, p_set + p_shifted, kind, p_set, p_shifted, networks, *[0.0] * 4, *link])
    write_tsv(home / "manipulated.tsv", (*keys, "r_train", "r_test"), found)
    told = {"used": True, "why": "the test table was asked", "words": "the table tells most of what can be told"}
    told |= {"test_rows": 40, "share_set": 0.28, "share_shifted": 0.14, "prior_share": 0.5, "told": 0.9}
    sets = {state: [row[1] for row in rows if row[2] == state] for state in ("set", "shifted")}
    (home / "manipulated.json").write_text(json.dumps({**told, **sets, **facts}), encoding="utf-8")


EVIDENCE_COUNTS = ("parent_tests", "child_tests", "arrow_at_target", "arrow_at_variable")
EDGE_NUMBERS = [
    f"{key}_{way}" for key in ("tests", "p_score", "p_dependent", "log_ratio") for way in ("forward", "backward")
]
RUN = {"versions": {"python": "3.11"}, "configuration": {"seed": 7, "datasets": [{"id": "</pre><script>"}]}}


@pytest.fixture(scope="module")
def data(tmp_path_factory):
    return collect(make_results(tmp_path_factory.mktemp("results")), "one")


@pytest.fixture(scope="module")
def page(data):
    return render([data], RUN)


def test_rules_are_those_of_the_library():
    assert set(words.RIVALS) == set(RULES) == {rule for rule, _ in words.WAYS}


def test_collected_values_are_those_of_the_files(data):
    assert data.n_variables == 6 and data.blanket_size == 4 and data.n_manipulated == 2
    assert [v.column for v in data.selected] == [1, 2, 4]
    assert [v.manipulated for v in data.variables if v.column in (1, 2, 3)] == [True, False, True]
    spouse = next(v for v in data.variables if v.role == "spouse")
    assert spouse.through == ((3, 0.9),) and spouse.ranks == {"mmmb": 4}
    assert data.expected.value == 0.91 and data.expected.error == 0.011
    assert data.stability == {1: 0.8} and not data.nothing
    assert data.measured == (
        "Rows held out: 5 folds. Among 19 tables with permuted labels luck did as well with a probability of 0.050."
    )
    assert [text[:9] for text in data.warnings] == ["theorem V", "few rows:"]
    assert (data.under.value, data.under.error) == (0.85, 0.01) and data.outlook is data.under
    assert [(r.label, r.size) for r in data.rivals if r.used] == [("posterior", 3)] and len(data.rivals) == 3
    assert [(v.column, v.inclusion, v.by_thesis) for v in data.compared] == [
        (2, 0.97, False), (4, 0.75, False), (5, 0.04, True), (1, 1.0, True),
    ]  # fmt: skip
    assert data.panels == (120, 40) and data.variables[0].p_ancestor == 0.95
    assert data.networks.least_sure == (HOSTILE[4],) and data.networks.exact == 0.25
    assert data.achieved.value == 0.87 and data.best_reference.label == "true parents"
    assert [m.id for m in data.methods] == ["mmmb", "fsmb"] and data.methods[1].features == (
        f"{HOSTILE[0]}^2 · {HOSTILE[1]}",
    )
    assert [c.chosen for c in data.candidates] == [True, False]
    assert [t.shows for t in data.y_tests] == [f"{HOSTILE[2]} is a child", f"{HOSTILE[0]} is a parent"]
    assert [(s.name, s.seconds, s.megabytes) for s in data.steps] == [
        ("prepare_data", 1.5, None),
        ("score", 12.5, 100.0),
    ]
    assert dict(data.facts)["columns left out"] == "1 constant (<u>flat)"


def test_region_gives_the_least_depth(data):
    assert {v.column: v.depth for v in data.variables if v.column in (1, 2, 6)} == {1: 1, 2: None, 6: 2}


def test_curve_has_the_area_of_the_predictions(data):
    for curve in data.curves:
        assert (curve.fpr[0], curve.tpr[0], curve.fpr[-1], curve.tpr[-1]) == (0, 0, 1, 1)
        assert np.trapezoid(curve.tpr, curve.fpr) == pytest.approx(curve.auc, abs=2e-3)


def test_long_curve_is_thinned_and_keeps_its_area():
    rng = np.random.default_rng(1)
    y = np.where(rng.random(20_000) < 0.3, 1, -1)
    curve = gather_model.curve("x", y, y + 1.5 * rng.normal(size=len(y)), fitted=False)
    assert len(curve.fpr) <= gather_model.MOST_POINTS + 2
    assert np.trapezoid(curve.tpr, curve.fpr) == pytest.approx(curve.auc, abs=1e-3)


def test_rows_end_only_at_line_feeds(tmp_path):
    (tmp_path / "t.tsv").write_bytes("a\tb\nx\u2028y\t1\r\nz\x0b\t2\n".encode())
    assert list(tsv_rows(tmp_path / "t.tsv")) == [{"a": "x\u2028y", "b": "1\r"}, {"a": "z\x0b", "b": "2"}]
    assert list(tsv_rows(tmp_path / "none.tsv")) == []


def test_only_rows_that_matter_are_kept():
    far = [Variable(f"v{i}", i, depth=3) for i in range(1000)]
    outside = [Variable(f"o{i}", 2000 + i) for i in range(10)]
    kept = [Variable("s", 5000, role="child", selected=True)]
    listed = gather_evidence.worth_a_row(far + outside + kept)
    assert (
        len(listed) == gather_evidence.MOST_ROWS
        and listed[0].name == "s"
        and all(v.depth or v.selected for v in listed)
    )


def test_page_is_balanced_and_links_lead_somewhere(page):
    parsed = Page(page)
    assert len(parsed.ids) == len(set(parsed.ids))
    assert {link[1:] for link in parsed.links if link.startswith("#")} <= set(parsed.ids)
    assert all(link.startswith("#") or link == "data:," for link in parsed.links)
    assert "#one-1" in parsed.links  # a box of the drawing leads to its row


def test_page_needs_nothing_from_outside(page):
    assert not re.search(r"https?://|//[a-z]|@import|@font-face|url\((?!#)", re.sub(r"// [^\n]*", "", page))
    tags = {tag for tag, _ in Page(page).tags}
    assert not tags & {"img", "iframe", "object", "embed", "base", "form"}


def test_hostile_names_stay_text(page):
    parsed = Page(page)
    scripts = [attributes.get("type") for tag, attributes in parsed.tags if tag == "script"]
    assert scripts == ["application/json", None]  # the evidence as data, and the page's own
    assert not any(key.startswith("on") for _, attributes in parsed.tags for key in attributes)
    assert set(HOSTILE) <= set(parsed.names)
    details = json.loads(re.search(r'id="one-details">(.*?)</script>', page, flags=re.DOTALL)[1])
    assert [HOSTILE[2]] == [pair[1].split(" (")[0] for pair in details["4"] if pair[0].endswith("spouse through")]
    assert "$x^2$" in page  # not set as a formula
    assert "\u202e" not in "".join(re.findall(r"<text.*?</text>", page))
    for tag, attributes in parsed.tags:
        assert tag not in ("b", "i", "u") or attributes.keys() <= {"class"}


def test_figures_have_text_alternatives_and_no_fixed_colours(data, page):
    pictures = re.findall(r"<svg.*?</svg>", page, flags=re.DOTALL)
    assert len(pictures) == 7 + len(data.changes.shown) == 9
    for picture in pictures:
        assert re.match(r'<svg class="[^"]*" role="(img|group)" aria-label="[^"]{20,}"', picture)
        tags = "".join(re.findall(r"<[^>]*>", re.sub(r'aria-label="[^"]*"', "", picture)))
        assert "#0" not in tags and "DejaVu" not in tags and "var(--" in tags
        assert "<style" not in picture and "<metadata" not in picture


def test_same_values_same_bytes(data, page):
    assert render([data], RUN) == page


def test_times_stand_in_one_section_only(data, page):
    other = render([replace(data, steps=())], RUN)
    begin, end = page.index('<section id="time">'), page.index('<section id="run">')
    assert page[:begin] == other[: other.index('<section id="time">')]
    assert page[end:] == other[other.index('<section id="run">') :]


def test_optional_files_may_be_missing(tmp_path):
    make_results(tmp_path, optional=False, manipulation="unknown")
    roles = tmp_path / "one/roles.tsv"
    roles.write_text(roles.read_text(encoding="utf-8").replace("p_ancestor", "other"), encoding="utf-8")
    data = collect(tmp_path, "one")
    assert data.expected is data.achieved is None and data.scores == data.curves == data.methods == ()
    page = render([data], {})
    Page(page)
    assert "No times were recorded" in page and "No expected AUC was recorded" in page


@pytest.mark.parametrize("gone", ["roles.tsv", "selection.json", "data/facts.json"])
def test_needed_file_missing_is_said(tmp_path, gone):
    make_results(tmp_path, optional=False)
    (tmp_path / "one" / gone).unlink()
    with pytest.raises(UserError, match=gone.split("/")[-1]):
        collect(tmp_path, "one")
