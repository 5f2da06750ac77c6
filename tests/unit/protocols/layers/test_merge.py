"""Two versions of a log become one in which every event of both stands whole."""

from __future__ import annotations

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from tests.tables import each_row
from tests.unit.protocols.layers.logs import entries, logs
from varves.errors import Refused
from varves.protocols.layers.composition import PlannedEvent, compose
from varves.protocols.layers.merge import RecordingTimes, from_markers, merged
from varves.protocols.layers.parser import parse
from varves.protocols.layers.placement import place

TOP = "<!-- varves: newest first -->\n\n"


def event(time: str, title: str, body: str = "x") -> str:
    return f"## 2026-01-{time} — {title}\n\n### What\n{body}\n\n"


def titles(content: bytes) -> list[str]:
    return [block.title for block in parse(content).ordered]


BASE = "# Log\n\n" + event("01 10:00", "A") + event("02 10:00", "B")


def grown(text: str, *events: str) -> bytes:
    return (text + "".join(events)).encode()


def test_both_sides_events_follow_the_base_by_their_time():
    ours = grown(BASE, event("03 10:00", "O1"), event("05 10:00", "O2"))
    theirs = grown(BASE, event("03 10:01", "T1"), event("04 10:00", "T2"))
    merge = merged(BASE.encode(), ours, theirs)
    assert merge.content.startswith(BASE.encode())
    assert titles(merge.content) == ["A", "B", "O1", "T1", "T2", "O2"]
    assert [(one.side, one.title) for one in merge.taken] == [
        *(("ours", "O1"), ("theirs", "T1"), ("theirs", "T2"), ("ours", "O2"))
    ]
    assert merge.refused == ()


def test_on_a_tie_neither_side_goes_first():
    """Two clones that merge each other have one history."""
    ours = grown(BASE, *(event("03 10:00", f"O{number}") for number in range(4)))
    theirs = grown(BASE, *(event("03 10:00", f"T{number}") for number in range(4)))
    one, other = merged(BASE.encode(), ours, theirs), merged(BASE.encode(), theirs, ours)
    assert one.content == other.content
    assert len(titles(one.content)) == 10
    assert {(new.side, new.title[0]) for new in one.taken} == {("ours", "O"), ("theirs", "T")}
    assert {(new.side, new.title[0]) for new in other.taken} == {("ours", "T"), ("theirs", "O")}


def test_the_ledgers_clock_goes_before_the_headings():
    ours, theirs = grown(BASE, event("03 10:00", "O")), grown(BASE, event("03 10:00", "T"))
    made = {block.title: block.name for log in (ours, theirs) for block in parse(log).blocks}
    for order in (["O", "T"], ["T", "O"]):
        stamps = {made[title]: f"{number:016x}" for number, title in enumerate(order)}
        for sides in ((ours, theirs), (theirs, ours)):
            merge = merged(BASE.encode(), *sides, clock=RecordingTimes(stamps=stamps))
            assert titles(merge.content) == ["A", "B", *order]


def test_no_side_is_put_in_another_order_than_its_own():
    ours = grown(BASE, event("09 10:00", "O1"), event("03 10:00", "O2"))
    theirs = grown(BASE, event("05 10:00", "T1"))
    assert titles(merged(BASE.encode(), ours, theirs).content) == ["A", "B", "T1", "O1", "O2"]


def test_the_same_event_on_both_sides_is_one_and_twice_on_one_side_is_two():
    same = event("03 10:00", "S")
    merge = merged(BASE.encode(), grown(BASE, same, same), grown(BASE, same))
    assert titles(merge.content) == ["A", "B", "S", "S"]


def test_newest_first_stays_so():
    base = TOP + event("01 10:00", "A")
    ours = TOP + event("03 10:00", "O") + event("01 10:00", "A")
    theirs = TOP + event("02 10:00", "T") + event("01 10:00", "A")
    merge = merged(base.encode(), ours.encode(), theirs.encode())
    assert [block.title for block in parse(merge.content).blocks] == ["O", "T", "A"]


def test_the_footer_stays_last_and_a_changed_start_is_taken_over():
    end = "---\n\n*Append only*\n"
    ours = grown(BASE, event("03 10:00", "O"), end)
    theirs = grown(BASE.replace("# Log", "# Our log"), event("04 10:00", "T"), end)
    merge = merged(grown(BASE, end), ours, theirs)
    assert merge.content.startswith(b"# Our log\n")
    assert merge.content.endswith(b"\n\n" + end.encode())
    assert titles(merge.content) == ["A", "B", "O", "T"]


def test_an_old_event_that_one_side_changed_stays_as_it_was_and_the_change_is_told():
    ours = grown(BASE.replace("B\n\n### What\nx", "B\n\n### What\nother"), event("03 10:00", "O"))
    merge = merged(BASE.encode(), ours, grown(BASE, event("04 10:00", "T")))
    assert merge.content.startswith(BASE.encode())
    assert titles(merge.content) == ["A", "B", "O", "T"]
    [refused] = merge.refused
    assert (refused.side, refused.why) == ("ours", "changed")
    assert refused.text == "## 2026-01-02 10:00 — B\n\n### What\nother"


def test_an_old_event_that_both_changed_is_theirs_if_they_did_alike_else_as_it_was():
    one, two = (BASE.replace("B\n\n### What\nx", f"B\n\n### What\n{word}") for word in ("1", "2"))
    assert b"### What\n1\n" in merged(BASE.encode(), one.encode(), one.encode()).content
    merge = merged(BASE.encode(), one.encode(), two.encode())
    assert merge.content == BASE.encode()
    assert [(each.side, each.why) for each in merge.refused] == [
        *(("ours", "changed"), ("theirs", "changed"))
    ]


def test_an_old_event_that_one_side_removed_stays_and_one_that_both_removed_goes():
    less = ("# Log\n\n" + event("02 10:00", "B")).encode()
    merge = merged(BASE.encode(), less, BASE.encode())
    assert titles(merge.content) == ["A", "B"]
    assert [(one.side, one.why, one.text) for one in merge.refused] == [("ours", "removed", "")]
    assert titles(merged(BASE.encode(), less, less).content) == ["B"]


def test_text_that_is_no_events_is_not_lost():
    ours = grown(BASE, "## March\n\nA note.\n\n", event("03 10:00", "O"))
    merge = merged(BASE.encode(), ours, BASE.encode())
    assert titles(merge.content) == ["A", "B", "O"]
    assert any("A note." in one.text for one in merge.refused) or b"A note." in merge.content


def test_line_ends_are_the_bases():
    wide = BASE.replace("\n", "\r\n").encode()
    merge = merged(wide, wide + event("03 10:00", "O").encode(), wide)
    assert merge.content.startswith(wide)
    assert b"\n" not in merge.content.replace(b"\r\n", b"")


def markers(ours: str, theirs: str, base: str | None = None) -> str:
    middle = "" if base is None else f"||||||| base\n{base}"
    return f"<<<<<<< HEAD\n{ours}{middle}=======\n{theirs}>>>>>>> other\n"


@pytest.mark.parametrize("base", [None, ""], ids=["merge", "diff3"])
def test_markers_alone_are_enough(base):
    ours, theirs = event("04 10:00", "O"), event("03 10:00", "T")
    merge = from_markers((BASE + markers(ours, theirs, base)).encode())
    assert merge.content.startswith(BASE.encode())
    assert titles(merge.content) == ["A", "B", "T", "O"]
    assert parse(merge.content).markers == ()


def test_markers_in_the_middle_of_two_events_give_two_whole_ones():
    head = "## 2026-01-03 10:00 — "
    common = "\n\n### What\n"
    text = BASE + markers(f"{head}O\n", f"{head}T\n") + common + markers("ours\n", "theirs\n")
    merge = from_markers(text.encode())
    blocks = parse(merge.content).blocks
    assert [(one.title, one.parts["What"]) for one in blocks[2:]] == [
        ("O", "ours"),
        ("T", "theirs"),
    ]


def test_markers_around_an_old_event_keep_it_where_they_hold_the_base():
    old = event("02 10:00", "B")
    text = BASE.replace(old, markers(old.replace("x", "1"), old.replace("x", "2"), old))
    merge = from_markers(text.encode())
    assert merge.content == BASE.encode()
    assert len(merge.refused) == 2
    both = from_markers(BASE.replace(old, markers(old.replace("x", "1"), old)).encode())
    assert titles(both.content) == ["A", "B", "B"]


def test_markers_that_an_event_shows_as_code_are_its_text():
    shown = event("01 12:00", "Shown", "```\n<<<<<<< HEAD\na\n=======\nb\n>>>>>>> x\n```")
    text = BASE + shown + markers(event("04 10:00", "O"), event("03 10:00", "T"))
    merge = from_markers(text.encode())
    assert merge.content.startswith((BASE + shown).encode())
    assert titles(merge.content) == ["A", "B", "Shown", "T", "O"]


@each_row(
    "text",
    [
        "no markers\n",
        "<<<<<<< HEAD\na\n",
        "<<<<<<< HEAD\na\n=======\nb\n",
        "a\n>>>>>>> x\n",
        "<<<<<<< HEAD\na\n<<<<<<< HEAD\nb\n=======\nc\n>>>>>>> x\n",
        "<<<<<<< HEAD\na\n>>>>>>> x\n",
    ],
)
def test_markers_that_do_not_match_are_refused(text):
    with pytest.raises(Refused):
        from_markers((BASE + text).encode())


def test_a_version_with_markers_in_it_gives_both_of_their_sides():
    """They were committed after an earlier merge, and hold what both sides said."""
    marked = BASE + markers(event("03 10:00", "X"), event("04 10:00", "Y"))
    merge = merged(BASE.encode(), marked.encode(), grown(BASE, event("05 10:00", "T")))
    assert titles(merge.content) == ["A", "B", "X", "Y", "T"]
    assert not parse(merge.content).markers


def test_a_version_with_markers_that_do_not_match_is_refused():
    torn = markers(event("03 10:00", "X"), event("04 10:00", "Y")).rpartition(">>>>>>>")[0]
    with pytest.raises(Refused, match="a conflict has no end"):
        merged(BASE.encode(), (BASE + torn).encode(), BASE.encode())


def test_a_base_that_git_itself_could_not_make_is_left_aside():
    nested = BASE + "<<<<<<<<< one\n" + event("03 10:00", "X") + "=========\n>>>>>>>>> two\n"
    merge = merged(nested.encode(), grown(BASE, event("03 10:00", "O")), BASE.encode())
    assert titles(merge.content) == ["A", "B", "O"]


@given(logs(), st.lists(entries, max_size=3), st.lists(entries, max_size=3))
def test_nothing_is_lost_whatever_the_base_is(content, first, second):
    """Each side appended through us; the base holds anything that may be appended to."""
    sides = []
    for side in (first, second):
        log = parse(content)
        assume(not log.markers)
        for entry in side:
            try:
                log = parse(place(log, compose(PlannedEvent(**entry))))
            except Refused:
                assume(condition=False)
        sides.append(log)
    merge = merged(content, *(log.content for log in sides))
    held = {block.name for block in parse(merge.content).blocks}
    assert held == {block.name for log in sides for block in log.blocks}
    assert merge.refused == ()
    lines, now = (
        {line.strip("\ufeff\r") for line in text.decode("utf-8").split("\n")}
        for text in (content, merge.content)
    )
    assert lines - now <= {""}
    if not sides[0].newest_first and not parse(content).footer:
        assert merge.content.startswith(content)
    if not first and not second:
        assert merge.content == content
