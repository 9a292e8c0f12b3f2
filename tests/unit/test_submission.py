"""The checker of submissions: a good one passes, and each rule that is broken gets its line."""

import time

import numpy as np
import pytest

from himation.studies.challenge.submission import PUBLISHED, Size, faults, nested_sizes

SIZES = {f"toy{version}": Size(columns=6, train=3, test=2) for version in range(3)} | {"mine": Size(6, 3, 2)}


def good():
    return {
        "mine_feat.slist": "4 2 6 1 3\n",
        "mine_train.predict": "0.1 0.2 0.3 1\n" * 3,
        "mine_test.predict": "1 2 3 4\n-1 0 1e-3 2\n",
    }


def test_a_good_submission_has_no_faults():
    assert faults(good(), SIZES) == []
    one_column = good() | {"mine_train.predict": "1\n2\n3\n", "mine_test.predict": "1 \n2 \n"}
    assert faults(one_column, SIZES) == []
    unsorted = {**one_column, "mine_feat.ulist": one_column["mine_feat.slist"]}
    del unsorted["mine_feat.slist"]
    assert faults(unsorted, SIZES) == []


BAD = {
    "not a number": ({"mine_feat.slist": "4 two 6 1 3"}, "mine_feat.slist: 'two' is not a column number"),
    "from zero": ({"mine_feat.slist": "0 2 6 1 3"}, "counted from 1"),
    "negative": ({"mine_feat.slist": "-1 2 6 1 3"}, "'-1' is not a column number"),
    "beyond": ({"mine_feat.slist": "7 2 6 1 3"}, "has the column 7, the table has 6"),
    "twice": ({"mine_feat.slist": "4 2 6 1 4"}, "column 4 is listed twice"),
    "empty list": ({"mine_feat.slist": " \n"}, "mine_feat.slist: is empty"),
    "both lists": ({"mine_feat.ulist": "1 2"}, "there is a sorted list as well"),
    "rows": ({"mine_test.predict": "1 2 3 4\n"}, "mine_test.predict: has 1 lines, there are 2 examples"),
    "ragged": ({"mine_test.predict": "1 2 3 4\n1 2 3\n"}, "line 2 has 3 values, line 1 has 4"),
    "blank line": ({"mine_test.predict": "1 2 3 4\n\n"}, "line 2 has 0 values"),
    "words": ({"mine_test.predict": "1 2 3 4\n1 2 x 4\n"}, "line 2 holds 'x'"),
    "infinite": ({"mine_test.predict": "1 2 3 4\n1 2 inf 4\n"}, "'inf', which is not a finite number"),
    "subsets": ({"mine_test.predict": "1 2\n" * 2, "mine_train.predict": "1 2\n" * 3}, "should have 1 or 4 (1, 2, 4"),
    "columns differ": ({"mine_test.predict": "1\n2\n"}, "has 1 columns, mine_train.predict has 4"),
    "strange file": ({"readme.txt": "hello"}, "readme.txt: not a file of a submission"),
}


@pytest.mark.parametrize("change, message", BAD.values(), ids=BAD)
def test_each_broken_rule_gets_a_line(change, message):
    found = faults(good() | change, SIZES)
    assert any(message in line for line in found), found


def test_missing_files_and_versions():
    files = good()
    del files["mine_test.predict"], files["mine_feat.slist"]
    assert len([line for line in faults(files, SIZES) if "missing" in line]) == 2
    one_version = {f"reged1_{name.split('_', 1)[1]}": text for name, text in good().items()}
    lines = faults(one_version, {"reged1": Size(6, 3, 2)})
    assert [line.split(":")[0] for line in lines] == ["reged0", "reged2"]
    assert faults({}, SIZES) == ["the submission has no feature list and no predictions"]


def test_a_long_list_is_checked_at_once():
    files = good() | {"mine_feat.slist": " ".join(map(str, [*range(1, 300_001), 7]))}
    began = time.perf_counter()
    found = faults(files, {"mine": Size(300_000, 3, 2)})
    assert time.perf_counter() - began < 5 and "mine_feat.slist: column 7 is listed twice" in found


def test_what_is_shown_of_a_strange_name_is_one_short_line():
    for name in ("a\nb", "x" * 10_000, "\x1b[31mred"):
        (line,) = faults(good() | {name: ""}, SIZES)
        assert line.isprintable() and len(line) < 250


def test_nested_subsets_are_powers_of_two_and_all():
    assert nested_sizes(1) == [1] and nested_sizes(2) == [1, 2] and nested_sizes(8) == [1, 2, 4, 8]
    for n in range(1, 70):
        sizes = nested_sizes(n)
        assert sizes[-1] == n and len(sizes) == int(np.ceil(np.log2(n))) + 1
    assert PUBLISHED["sido2"] == Size(4932, 12678, 10000)
