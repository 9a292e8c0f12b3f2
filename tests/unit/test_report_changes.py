"""What changed between training and test, on the page: its words, its pictures, and that they don't contradict."""

import json
import re
from dataclasses import replace

import numpy as np
import pytest
from unit.test_report import RUN, Page, write_changes

from himation.files import prepared
from himation.files.atomic import write_tsv
from himation.files.raw import RawTable
from himation.prepare.preparing import prepare
from himation.report import change_words, words
from himation.report.collect import collect
from himation.report.gather_changes import MOST_WORDS, RANGES
from himation.report.page import render

NAMES = ["temp", "flow", "valve", "town", "grade", "load", "<b>odd"]
VERDICTS = {"temp": "set", "flow": "shifted", "town": "set", "valve": "unsure"}
CHANCES = {"set": (0.97, 0.01), "shifted": (0.1, 0.81), "unsure": (0.3, 0.25), "same": (0.02, 0.01)}


def sample(n, rng, manipulated):
    """load -> temp -> flow; in test temp is set, flow is shifted, town has another mixture."""
    load = rng.normal(20, 4, n)
    temp = 3 * load + rng.normal(0, 4, n)
    if manipulated:
        temp = rng.normal(90, 10, n)
    flow = temp / 10 + rng.normal(0, 0.3, n) + (5 if manipulated else 0)
    valve, grade = rng.integers(0, 2, n), rng.integers(1, 5, n)
    town = rng.choice([f"town{k:02d}" for k in range(12)], n, p=_mixture(manipulated))
    odd = rng.normal(size=n)
    values = np.array([temp, flow, valve, np.zeros(n), grade, load, odd], dtype=float)
    return RawTable("t.csv", NAMES, n, values=values, texts={3: town.astype(object)})


def _mixture(manipulated):
    weights = np.arange(1, 13) if manipulated else np.arange(12, 0, -1)
    return weights / weights.sum()


def make(folder, manipulation="unknown", verdicts=None, told=None, rule="posterior", listed=()):
    """Results of a plant with seven variables; load and flow are selected."""
    verdicts = VERDICTS if verdicts is None else verdicts
    rng = np.random.default_rng(4)
    train, test = sample(400, rng, False), sample(300, rng, True)
    y = np.where(train.column(5) + rng.normal(0, 3, 400) > 20, "yes", "no")
    table = prepare(train, y, "fails", test)
    home = folder / "plant"
    prepared.save(table, home / "data")
    shares = ("p_parent", "p_child", "p_spouse", "p_ancestor")
    role = {"temp": ("child", 0, 0.9), "load": ("parent", 0.9, 0)}
    roles = [
        [name, k + 1, *role.get(name, ("none", 0, 0)), 0, 0, int(name in ("load", "flow")), "why"]
        for k, name in enumerate(NAMES)
    ]
    write_tsv(home / "roles.tsv", ("variable", "column", "role", *shares, "selected", "reason"), roles)
    columns = [NAMES.index(name) + 1 for name in listed]
    selection = {"rule": rule, "manipulation": manipulation, "manipulated": columns, "columns": [6, 2], "warnings": []}
    (home / "selection.json").write_text(json.dumps(selection))
    companion = {"temp": "load", "flow": "temp", "town": "valve", "valve": "town", "grade": "temp"}
    place = {name: table.names.index(name) for name in NAMES}
    rows = []
    for name in sorted(NAMES, key=lambda name: -sum(CHANCES[verdicts.get(name, "same")])):
        verdict = verdicts.get(name, "same")
        other = companion.get(name, "")
        r = [""] * 2
        if other:
            pairs = (
                (table.numbers(place[name], part), table.numbers(place[other], part)) for part in ("train", "test")
            )
            r = [float(np.corrcoef(*pair)[0, 1]) for pair in pairs]
        column = NAMES.index(other) + 1 if other else ""
        held = 0.0 if name == "grade" else 0.6
        rows.append([name, NAMES.index(name) + 1, verdict, CHANCES[verdict], held, column, *r])
    write_changes(home, rows, **(told or {}))
    return folder


@pytest.fixture(scope="module")
def data(tmp_path_factory):
    return collect(make(tmp_path_factory.mktemp("results")), "plant")


@pytest.fixture(scope="module")
def page(data):
    return render([data], RUN)


def plain(text):
    return text.replace("\u00a0", " ")


def section(page):
    return re.search(r'id="plant-changes".*?manipulated\.tsv', page, flags=re.DOTALL)[0]


def told(folder, **given):
    return plain(change_words.sentence(collect(make(folder, **given), "plant")))


def test_the_most_suspicious_come_first_with_their_pictures(data):
    assert [(row.name, row.verdict) for row in data.changes.shown] == [
        ("temp", "set"), ("town", "set"), ("flow", "shifted"), ("valve", "unsure"),
    ]  # fmt: skip
    assert [row.selected for row in data.changes.shown] == [False, False, True, False]
    temp, town, flow, valve = data.changes.shown
    assert len(temp.distribution.edges) == RANGES + 1 and temp.distribution.moved and temp.link.moved
    for part in (temp.distribution.train, temp.distribution.test, town.distribution.train, valve.distribution.test):
        assert sum(part) == pytest.approx(1)
    assert 10 < temp.distribution.edges[0] < 60 < 90 < temp.distribution.edges[-1] < 130  # the user's units
    assert temp.means == pytest.approx((60, 90), abs=2) and temp.companion == "load"
    slopes = [
        (points[-1][1] - points[0][1]) / (points[-1][0] - points[0][0]) for points in (temp.link.train, temp.link.test)
    ]
    assert slopes[0] == pytest.approx(3, abs=0.3) and abs(slopes[1]) < 1
    assert len(town.distribution.labels) == MOST_WORDS and town.distribution.labels[-1] == "others" and not town.means
    assert valve.distribution.labels == ("0", "1") and not valve.distribution.moved and valve.link.of == "share of 1"
    assert flow.link.labels == () and len(valve.link.labels) == MOST_WORDS and flow.link.of == "mean of flow"


def test_words_of_a_row_say_what_has_moved(data):
    said = {row.name: change_words.row_words(row) for row in data.changes.shown}
    assert said["temp"] == "its distribution and its link with load are not what they were"
    assert said["town"] == "its distribution is not what it was"
    assert said["flow"] == "its distribution and the strength of its link with temp are not what they were"
    flow = data.changes.shown[2]
    kept = change_words.row_words(replace(flow, link=replace(flow.link, moved=False)))
    assert kept == "its distribution is not what it was; it goes with temp as before"
    assert said["valve"] == "the test table does not say (set 0.30, shifted 0.25, the same 0.45)"
    temp = next(row for row in data.changes.shown if row.name == "temp")
    still = replace(temp, link=replace(temp.link, moved=False), distribution=replace(temp.distribution, moved=False))
    assert "judged by all that goes with it" in change_words.row_words(still)
    assert change_words.row_words(replace(temp, verdict="same")) == "as in training, as far as the table tells"
    assert "mean 60" in change_words.numbers(temp) and "correlation with load 0.9" in change_words.numbers(temp)
    assert "in no network" in change_words.numbers(replace(temp, networks=0.0))


def test_the_verdict_says_what_was_set_and_what_the_model_makes_of_it(data):
    said = plain(change_words.sentence(data))
    assert said == (
        "The test table says that temp and town were set and flow was shifted; "
        "the model does not rely on temp and town and still uses flow."
    )
    assert {v.name for v in data.variables if v.manipulated} == {"temp"}  # town is in no row
    few = tuple(replace(row, hardly=row.name == "town") for row in data.changes.rows)
    said = change_words.sentence(replace(data, changes=replace(data.changes, rows=few)))
    assert said.endswith("the model does not rely on temp, hardly uses town and still uses flow.")
    first, _ = words.verdict(data)
    assert "what was manipulated is unknown, so the test table was asked" in first and "worst" not in first
    assert "the test table was asked" in change_words.way(
        data
    ) and "tells most of what can be told." in change_words.way(data)


def test_the_page_shows_the_section_and_does_not_contradict_itself(data, page):
    parsed = Page(page)
    assert len(parsed.ids) == len(set(parsed.ids)) and "plant-changes" in parsed.ids
    assert {link[1:] for link in parsed.links if link.startswith("#")} <= set(parsed.ids)
    text = section(page)
    rows = re.findall(r'class="name"[^>]*>([^<]*)</(?:a|span)>\s*<span class="change change-(\w+)">(\w+)<', text)
    assert [(name, verdict) for name, verdict, _ in rows] == [(row.name, row.verdict) for row in data.changes.shown]
    assert all(shown == verdict for _, verdict, shown in rows)
    assert text.count("<svg") == 4
    verdict = re.search(r'class="verdict">(.*?)</p>', page)[1]
    sentence = verdict[verdict.index("The test table says") :]
    for name, state, _ in rows:
        assert (name in sentence) == (state in ("set", "shifted"))
    left = re.search(r"does not rely on (.*?) and still uses (.*?)\.", sentence)
    chosen = {v.name for v in data.selected}
    assert not chosen & set(re.split(", | and ", left[1])) and set(re.split(", | and ", left[2])) <= chosen
    assert sentence in text
    details = json.loads(re.search(r'id="plant-details">(.*?)</script>', page, flags=re.DOTALL)[1])
    assert ["in the test table", "shifted (changed with probability 0.91)"] in details["2"]
    assert ["in the test table", "same"] in details["6"]


def test_pictures_have_text_alternatives_and_no_fixed_colours(page):
    for picture in re.findall(r"<svg.*?</svg>", section(page), flags=re.DOTALL):
        assert re.match(r'<svg class="[^"]*" role="img" aria-label="[^"]{60,}"', picture) and len(picture) < 30_000
        tags = "".join(re.findall(r"<[^>]*>", re.sub(r'aria-label="[^"]*"', "", picture)))
        assert "#0" not in tags and "var(--accent)" in tags and "var(--muted)" in tags


def test_the_same_bytes_twice(data, page, tmp_path):
    assert render([collect(make(tmp_path), "plant")], RUN) == page


def test_beside_what_the_user_said(tmp_path):
    said = told(tmp_path, manipulation="none", told={"used": False})
    assert (
        said == "You said that nothing was manipulated; temp, town and flow have changed: probability 0.98, 0.98, 0.91."
    )
    said = told(tmp_path, manipulation="known", listed=("temp", "grade"), told={"used": False})
    assert said == (
        "You listed temp and grade; the test table also shows town and flow (probability 0.98, 0.91); "
        "grade shows no change."
    )
    said = told(tmp_path, manipulation="known", listed=("temp",), verdicts={"temp": "set"}, told={"used": False})
    assert said == "You listed temp; the test table shows no other change."
    said = told(tmp_path, manipulation="none", verdicts={"flow": "unsure"}, told={"used": False})
    assert said.startswith("You said that nothing was manipulated; the test table shows no variable that was set or")
    assert said.endswith("shifted; of flow it does not say.")


def test_it_says_which_way_the_unknown_was_dealt_with(tmp_path):
    never = {"used": False, "why": "test_inputs: never"}
    assert told(tmp_path, told=never).startswith(
        "The test table was not asked and would say that temp and town were set"
    )
    data = collect(tmp_path, "plant")
    assert "was not asked (test_inputs: never): the worst is assumed" in change_words.way(data)
    assert "so the worst is assumed and the parents" in words.verdict(data)[0] and not data.asked
    assert not collect(make(tmp_path, rule="thesis"), "plant").asked  # a rule that does not go by it
    assert not collect(make(tmp_path, manipulation="none"), "plant").asked


def test_a_table_too_small_to_say(tmp_path):
    few = {"told": 0.05, "test_rows": 12}
    said = told(tmp_path, verdicts={}, told=few)
    assert said.startswith("The test table is too small to say what was manipulated; the choice of variables is close")
    assert "too small to say" in told(tmp_path, verdicts={}, told={**few, "used": False}, manipulation="none")
    said = told(tmp_path, verdicts={"temp": "set"}, told=few)
    assert said.startswith("The test table says that temp was set") and said.endswith("it is too small to say.")


def test_where_nothing_has_changed_the_nearest_are_shown(tmp_path):
    data = collect(make(tmp_path, verdicts={}), "plant")
    assert len(data.changes.shown) == 3 and data.changes.rows == ()
    assert "shows no variable that was set or shifted." in change_words.sentence(data)
    assert change_words.more(data) == "All variables are in"


def test_more_than_ten_are_counted(data):
    row = data.changes.shown[0]
    many = tuple(replace(row, name=f"v{k}", column=k) for k in range(14))
    seen = replace(data, changes=replace(data.changes, rows=many, shown=many[:10]))
    assert change_words.more(seen) == "4 more are set, shifted or unsure; all variables are in"
    assert "that v0, v1, v2, v3 and 10 more were set; the model does not rely on v0" in change_words.sentence(seen)
    seen = replace(seen, manipulation="none")
    assert plain(change_words.sentence(seen)).endswith("v3 and 10 more have changed: probability 0.98 to 0.98.")


def test_without_a_test_table_there_is_no_section(tmp_path):
    make(tmp_path)
    (tmp_path / "plant/manipulated.tsv").unlink()
    data = collect(tmp_path, "plant")
    assert data.changes is None and change_words.sentence(data) == ""
    assert "What changed between" not in render([data], RUN)
