"""`make test` does the same each time, and replays what a search has found."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from types import SimpleNamespace

import pytest

from tests.architecture.source import ROOT
from tests.dealing import Dealt, record, recorded, shares
from torture import search

DRAWING = """
import {loaded}
import tests.conftest
from hypothesis import given, strategies as st
drawn = []
@given(st.text(), st.integers(), st.sets(st.sampled_from("abcdef")))
def law(text, number, letters):
    drawn.append((text, number, sorted(letters)))
law()
print(ascii(drawn))
"""
BREAKING = """
import tests.conftest
from hypothesis import given, strategies as st
drawn = []
@given(st.integers(0, 1 << 64))
def law(number):
    drawn.append(number)
    assert number % 97 != 13 or number < 1000
try:
    law()
except AssertionError:
    print("failed", drawn[0])
"""
POLLUTED = """
import sys
def test_one(): assert not hasattr(sys, "polluted")
def test_two(): sys.polluted = True
"""
KEPT = {
    "HYPOTHESIS_STORAGE_DIRECTORY": str(ROOT / ".hypothesis"),  # its table of all characters
    "PYTHONPATH": str(ROOT),
    "PYTHONWARNINGS": "ignore",
}


def run(code: str, place, **env: str) -> str:
    (place / "laws.py").write_text(code, encoding="utf-8")
    done = subprocess.run(
        [sys.executable, "laws.py"],
        cwd=place,
        env={**os.environ, **KEPT, **env},
        capture_output=True,
        encoding="utf-8",
        check=True,
    )
    return done.stdout


@pytest.mark.full_size
def test_the_same_examples_are_drawn_whatever_is_loaded_and_however_sets_are_ordered(tmp_path):
    first = run(DRAWING.format(loaded="sys"), tmp_path, PYTHONHASHSEED="1")
    more = "varves.ledger, tests.figures"
    assert run(DRAWING.format(loaded=more), tmp_path, PYTHONHASHSEED="2") == first


@pytest.mark.full_size
def test_what_a_search_finds_is_the_first_that_is_tried_next_time(tmp_path):
    kept = {"VARVES_EXAMPLES": str(tmp_path / "examples")}
    assert not run(BREAKING, tmp_path, **kept), "it is found without a search"
    assert run(BREAKING, tmp_path, **kept, HYPOTHESIS_PROFILE="deep").startswith("failed")
    word, number = run(BREAKING, tmp_path, **kept).split()
    assert (word, int(number) % 97) == ("failed", 13)


def test_each_worker_gets_the_same_tests_in_whatever_order_they_come_up():
    class Node(SimpleNamespace):
        __hash__ = object.__hash__

        def __init__(self, name: str) -> None:
            super().__init__(gateway=SimpleNamespace(id=name), shutdown=lambda: None)

        def send_runtest_some(self, share: list[int]) -> None:
            sent[self.gateway.id] = list(share)

    for arrived in (("gw0", "gw1", "gw2"), ("gw2", "gw0", "gw1")):
        sent: dict[str, list[int]] = {}
        dealt = Dealt(SimpleNamespace(getvalue=lambda _: ["3*popen"]))
        nodes = [Node(name) for name in arrived]
        for one in nodes:
            dealt.add_node(one)
        for one in nodes:
            dealt.add_node_collection(one, [f"test_{n}" for n in range(8)])
        dealt.schedule()
        assert sent == {"gw0": [0, 3, 6], "gw1": [1, 4, 7], "gw2": [2, 5]}
        assert not dealt.tests_finished
        for one in nodes:
            for number in sent[one.gateway.id]:
                dealt.mark_test_complete(one, number)
        assert dealt.tests_finished


def test_the_longest_files_are_dealt_first_and_each_stays_whole_unless_it_is_most_of_all():
    tests = [f"{path}::test_{n}" for path in "abcdefghijklmnopqrstuvwxyz" for n in range(2)]
    seconds = dict.fromkeys("abcdefghijklmnopqrstuvwxy", 1.0) | {"z": 1.2}
    one, other = shares(tests, 2, seconds)
    assert sorted(one + other) == [*range(52)]
    assert one == sorted(one)
    assert {50, 51} <= {*one}
    assert all((n in one) == (n + 1 in one) for n in range(0, 52, 2))
    one, other = shares(tests[:8], 2, {"a": 8.0, "b": 1.0, "c": 1.0, "d": 1.0})
    assert [0 in one, 1 in one].count(True) == 1, "a file that is most of all is divided"


def test_durations_are_recorded_by_file_and_read_again(tmp_path):
    report = tmp_path / "report.xml"
    cases = [
        '<testcase classname="tests.conformance.test_index.TestSqlite" name="a" time="1.5"/>',
        '<testcase classname="tests.conformance.test_index" name="b" time="0.25"/>',
        '<testcase classname="tests.architecture.test_steady" name="c" time="0.5"/>',
    ]
    report.write_text(f"<testsuite>{''.join(cases)}</testsuite>", encoding="utf-8")
    lines = tmp_path / "durations.txt"
    lines.write_text(record([str(report)]), encoding="utf-8")
    assert recorded(lines) == {"tests/conformance/test_index.py": 1.8}
    assert all((ROOT / path).is_file() for path in recorded()), "a recorded file is gone"


def test_of_the_tests_before_one_that_fails_only_the_needed_are_written_down(tmp_path, monkeypatch):
    orders = tmp_path / "orders.txt"
    monkeypatch.setattr(search, "ORDERS", str(orders))
    said = search.judged("victim", ["a", "b", "polluter", "c"], lambda ran: "polluter" not in ran)
    assert "after polluter" in said
    assert [json.loads(line) for line in orders.read_text(encoding="utf-8").splitlines()] == [
        ["polluter", "victim"]
    ]
    assert "alone" in search.judged("broken", ["a"], lambda _: False)
    assert "once" in search.judged("flaky", ["a"], lambda _: True)
    assert len(orders.read_text(encoding="utf-8").splitlines()) == 1


def test_an_order_is_replayed_as_it_is_written_down(tmp_path, monkeypatch):
    unused = ("langsmith_plugin", "anyio", "hypothesispytest", "pytest_cov")  # slow to import
    monkeypatch.setenv("PYTEST_ADDOPTS", " ".join(f"-p no:{name}" for name in unused))
    file = tmp_path / "test_pollution.py"
    file.write_text(POLLUTED, encoding="utf-8")
    assert not search.passes([f"{file}::test_two", f"{file}::test_one"])
    assert search.passes([f"{file}::test_one", f"{file}::test_two"])


def test_all_that_are_needed_are_kept_and_little_else():
    for needed in ({"3"}, {"0", "7"}, {"1", "2", "8"}):
        found = search.needed_of(
            [str(n) for n in range(10)], lambda some, needed=needed: needed <= {*some}
        )
        assert set(found) == needed
