"""The reliability table and its page; nothing is tortured here."""

from __future__ import annotations

import json
import re
from types import SimpleNamespace

import pytest

from tests.architecture.source import ROOT
from tests.figures import thinned
from torture import report
from torture.goals import GOALS, LACKS, LATER
from torture.outcome import MET, MISSED, NOT_RUN, PART, Outcome, load, missed, save
from torture.run import CARRIES, PROGRAMS, carriers, known, wide

ROWS = [*(f"R{n}" for n in range(1, 23)), *(f"S{n}" for n in range(1, 13))]


def test_the_table_has_every_row_in_order():
    assert list(GOALS) == ROWS
    for goal in GOALS.values():
        assert all((goal.promise, goal.test, goal.target, goal.peer))


def test_no_test_carries_a_row_that_is_not_in_the_table():
    assert not known(list(carriers()))
    assert {*LACKS, *LATER} <= set(ROWS)
    assert not LACKS.keys() & LATER.keys()


def test_every_row_is_carried_by_a_test_or_says_why_not():
    there = {*carriers(), *PROGRAMS, *LATER}
    assert [row for row in ROWS if row not in there] == []


def test_a_file_that_is_larger_at_full_size_is_run_so_with_a_row_or_without():
    found = wide()
    assert "tests/security/test_purge_published.py" in found
    assert not {*found} & {path for paths in carriers().values() for path in paths}


class Played:
    """A test as pytest lists it."""

    def __init__(self, name, mark="", sample=0, **params):
        self.nodeid, self.mark = name, SimpleNamespace(name=mark, kwargs={"sample": sample})
        self.callspec = SimpleNamespace(params=params)

    def get_closest_marker(self, name):
        return self.mark if self.mark.name == name else None


def test_of_a_product_each_value_is_left_and_of_other_tests_all():
    products = [Played(f"x[{a}-{b}]", "product", a=a, b=b) for a in range(3) for b in range(2)]
    others = [Played(f"y[{a}-{b}]", a=a, b=b) for a in range(3) for b in range(2)]
    kept = thinned([*products, *others])
    assert kept >= {*others}
    assert {one.nodeid for one in kept - {*others}} == {"x[0-0]", "x[1-1]", "x[2-0]"}


def test_of_what_is_large_a_sample_is_left_and_the_tests_of_a_file_try_different_cases():
    tests = [Played(f"f::{name}[{n}]", "full_size", 2, n=n) for name in "xy" for n in range(4)]
    alone = [Played("f::z", "full_size"), Played("f::t", "full_size", 1)]
    expected = {"f::t", "f::x[1]", "f::x[3]", "f::y[2]", "f::y[0]"}
    assert {one.nodeid for one in thinned([*tests, *alone])} == expected
    assert {one.nodeid for one in thinned([*alone, *reversed(tests)])} == expected


@pytest.mark.parametrize(
    ("text", "rows"),
    [
        ('note_@("R1", kills=3)', ["R1"]),
        ('    add_@(\n        "S12",\n        x=1)', ["S12"]),
        ("note_@(row, x=1)", []),
        ('footnote_@("R1")', []),
    ],
)
def test_a_test_carries_a_row_by_telling_figures_about_it(text, rows):
    assert CARRIES.findall(text.replace("@", "figure")) == rows  # or this file would carry them


def test_figures_are_added_up_or_replaced_as_they_were_told():
    told = [
        {"row": "R1", "figure": "kills", "value": 3, "add": True},
        {"row": "R1", "figure": "kills", "value": 4, "add": True},
        {"row": "R1", "figure": "place", "value": "disk", "add": False},
        {"row": "R1", "figure": "rate", "value": 1.5, "add": False},
        {"row": "R1", "figure": "rate", "value": 2.5, "add": False},
        {"row": "R2", "figure": "kills", "value": 9, "add": True},
    ]
    assert report.gathered(told, "R1") == {"kills": 7, "place": "disk", "rate": 2.5}


def test_a_row_is_met_only_if_everything_was_measured_and_held():
    assert Outcome("R1", passed=2).verdict == MET
    assert Outcome("R1", passed=2, skipped=("no root",)).verdict == PART
    assert Outcome("R2", passed=2).verdict == PART, "it lacks something by its own word"
    assert Outcome("R1", passed=2, failed=("test_x",)).verdict == MISSED
    assert Outcome("R1", skipped=("no root",)).verdict == NOT_RUN
    assert Outcome("R1").verdict == NOT_RUN


def test_what_was_missed_is_named_with_its_target():
    outcomes = {"R1": Outcome("R1", passed=1), "R6": Outcome("R6", failed=("test_x",))}
    [line] = missed(outcomes)
    assert line.startswith("R6: ")
    assert GOALS["R6"].target in line
    assert "test_x" in line


def test_outcomes_are_kept_and_read_back(tmp_path):
    told = Outcome(
        "R6",
        figures={"mutations": 100_000, "share": 0.5, "where": "memory"},
        passed=3,
        skipped=("no root",),
        seconds=12.5,
        date="2026-11-15",
        machine={"cores": "2"},
    )
    save(told, str(tmp_path))
    kept = load(str(tmp_path))
    assert kept["R6"] == told
    assert list(kept) == ROWS
    assert kept["R1"] == Outcome("R1")


def test_the_page_shows_figures_misses_and_what_was_not_run():
    outcomes = {row: Outcome(row) for row in ROWS}
    outcomes["R9"] = Outcome(
        "R9",
        figures={"mutations": 100_000, "seconds_each": 0.125},
        passed=3,
        date="2026-11-15",
        seconds=140,
        machine={"cores": "2"},
    )
    outcomes["R1"] = Outcome("R1", passed=1, failed=("test_x",), date="2026-11-15")
    page = report.page(outcomes)
    table = {line.split(" | ")[0][2:]: line for line in page.splitlines() if line[:3] in _STARTS}
    assert [row for row in table if row in GOALS] == ROWS
    assert "mutations 100,000; seconds each 0.12 | met" in table["R9"]
    assert "2026-11-15, 140 s" in table["R9"]
    assert "MISSED" in table["R1"]
    assert "not run (comes with the import of archives)" in table["S8"]
    assert "- R1 is missed: test_x." in page
    assert "- S8 was not run: comes with the import of archives." in page
    assert "- R9: cores 2." in page
    for line in page.splitlines():
        assert not line.startswith("| R") or line.count(" | ") == len(report.HEADINGS) - 1


_STARTS = ("| R", "| S")


def test_the_page_in_the_docs_is_the_one_of_the_kept_outcomes():
    page = (ROOT / "docs/reliability.md").read_text(encoding="utf-8")
    assert page == report.page(load()), "run python -m torture --page"


def test_kept_outcomes_tell_nothing_of_where_they_were_made():
    for path in sorted((ROOT / "torture/results").glob("*.json")):
        told = json.loads(path.read_text(encoding="utf-8"))
        assert path.stem == told["row"]
        assert not re.search(r"/(home|root|tmp|Users)\b", json.dumps(told)), path.name
