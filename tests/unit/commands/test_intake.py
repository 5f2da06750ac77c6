"""What callers hand in is checked before anything is decided."""

from __future__ import annotations

import pytest

from tests.tables import each_row
from varves.commands import intake
from varves.errors import Refused, UnsafeName, UsageError


@each_row("text", [None, 7, b"x", [], "", " ", "\n\t"])
def test_a_text_must_be_text_and_say_something(text):
    with pytest.raises(UsageError):
        intake.statement(text)


def test_half_a_surrogate_pair_is_refused():
    with pytest.raises(Refused, match="Unicode"):
        intake.statement("a\ud800b")


def test_eight_mebibytes_are_taken_and_one_byte_more_is_not():
    most = 8 * 1024 * 1024
    assert len(intake.statement("x" * most)) == most
    with pytest.raises(Refused, match="8 MiB"):
        intake.statement("x" * most + "y")
    with pytest.raises(Refused, match="8 MiB"):
        intake.statement("é" * (most // 2) + "y")


def test_tags_are_distinct_and_keep_their_order():
    assert intake.tags(["b", "a", "b"]) == ("b", "a")
    assert intake.tags(()) == ()


@each_row("value", ["web", 3, [""], [" "], ["a,b"], ["a\nb"], ["a\x1fb"], ["x" * 65]])
def test_what_is_no_list_of_short_words_is_refused_as_tags(value):
    with pytest.raises(UsageError):
        intake.tags(value)


@each_row("value", ["urgent", "", 1, True, ["high"], "High"])
def test_there_are_four_priorities(value):
    with pytest.raises(UsageError):
        intake.priority(value)
    assert intake.priority("critical") == "critical"
    assert intake.priority(None) is None


@each_row("value", [-0.1, 1.1, float("nan"), float("inf"), True, "0.5"])
def test_a_confidence_is_between_0_and_1(value):
    with pytest.raises(UsageError):
        intake.confidence(value)
    assert intake.confidence(0) == 0.0
    assert intake.confidence(1) == 1.0


@pytest.mark.parametrize("value", [5, "", "soon"])
def test_a_time_to_live_is_a_duration(value):
    with pytest.raises(UsageError):
        intake.ttl(value)
    assert intake.ttl("30d") == "30d"


@pytest.mark.parametrize("value", [-1, True, 1.5, "1"])
def test_a_turn_is_counted_from_0(value):
    with pytest.raises(UsageError):
        intake.turn(value)
    assert intake.turn(0) == 0


def test_an_instant_is_kept_in_one_form():
    assert intake.moment("2026-11-15T08:20+02:00") == "2026-11-15T06:20:00.000Z"


@each_row("value", ["", "mem_short", "mem_AAAAAAAAAAAA", 5, "../mem_aaaaaaaaaa"])
def test_a_given_id_has_the_form_of_one(value):
    with pytest.raises(UsageError):
        intake.memory_id(value)


@pytest.mark.parametrize("value", ["../evil", "a/b", "CON"])
def test_a_session_is_a_name(value):
    with pytest.raises(UnsafeName):
        intake.session(value)


@each_row(
    ("pointer", "place"),
    [
        ("src/a.py", {"path": "src/a.py"}),
        ("src/a.py:12", {"path": "src/a.py", "line": 12}),
        ("src/a.py:12-14", {"path": "src/a.py", "line": 12, "end": 14}),
        ("src/a.py:12-12", {"path": "src/a.py", "line": 12, "end": 12}),
        ("src/a.py:x", {"path": "src/a.py:x"}),
        ("src/a.py:12-", {"path": "src/a.py:12-"}),
        ("src/a.py::f", {"path": "src/a.py", "symbol": "f"}),
        ("src/a.py::A.f", {"path": "src/a.py", "symbol": "A.f"}),
        ("src/a.cpp::ns::A", {"path": "src/a.cpp", "symbol": "ns.A"}),
        ("src/a.py::not a name", {"path": "src/a.py::not a name"}),
        ("commit:0123abcdef", {"commit": "0123abcdef"}),
        ("commit:0123ABC", {"commit": "0123abc"}),
        ("my notes/é.md:3", {"path": "my notes/é.md", "line": 3}),
    ],
)
def test_evidence_is_a_path_perhaps_with_lines_or_a_symbol_or_a_commit(pointer, place):
    assert intake.evidence([pointer], lambda one: one | {"digest": "d"}) == (
        place | {"digest": "d"},
    )
    assert intake.evidence(pointer, dict) == (place,)


@pytest.mark.parametrize("pointer", ["commit:HEAD", "commit:", "commit:abc", "a.py:9-3"])
def test_evidence_that_is_nearly_right_is_refused(pointer):
    with pytest.raises(UsageError):
        intake.evidence([pointer], dict)


def test_the_longest_word_has_two_thousand_and_forty_eight_characters():
    assert intake.word("a" * 2048, "source") == "a" * 2048
    with pytest.raises(UsageError):
        intake.word("a" * 2049, "source")


def test_a_line_number_has_at_most_fifteen_digits():
    longest, longer = "9" * 15, "9" * 16
    (place,) = intake.evidence([f"a.py:{longest}"], dict)
    assert place == {"path": "a.py", "line": int(longest)}
    (place,) = intake.evidence([f"a.py:{longer}"], dict)
    assert place == {"path": f"a.py:{longer}"}


@pytest.mark.parametrize("value", [5, 1.5, True])
def test_evidence_that_is_no_list_is_refused(value):
    with pytest.raises(UsageError):
        intake.evidence(value, dict)


@each_row("pointer", ["../evil", "/etc/passwd:1", "a/../b:3", "~/x", "C:\\x"])
def test_evidence_outside_the_project_is_refused_and_never_read(pointer):
    asked = []
    with pytest.raises(UnsafeName):
        intake.evidence([pointer], asked.append)
    assert not asked


@pytest.mark.parametrize("pointer", [5, "", "a\nb", None])
def test_evidence_that_is_no_path_is_refused(pointer):
    with pytest.raises((UsageError, UnsafeName)):
        intake.evidence([pointer], dict)
