"""Whatever is handed in, what is written is one event in the published form that says it."""

from __future__ import annotations

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from tests.tables import each_row
from tests.unit.protocols.layers.logs import entries, logs
from varves.errors import Refused, UsageError
from varves.protocols.layers.composition import PlannedEvent, compose, opening, units
from varves.protocols.layers.parser import parse
from varves.protocols.layers.placement import place

ENTRY = {
    "time": "2026-02-27 10:00",
    "title": "Title",
    "type": "change",
    "area": "file",
    "what": "What.",
    "why": "Why.",
}


@given(entries)
def test_a_composed_event_is_read_as_one_that_says_the_same(given_entry):
    text = compose(PlannedEvent(**given_entry))
    log = parse(text.encode("utf-8"))
    [block] = log.blocks
    assert block.form == "published"
    assert (block.time, block.type, block.area) == (
        given_entry["time"],
        given_entry["type"],
        given_entry["area"],
    )
    assert list(block.parts) == ["What", "Why", "Impact", "Next Steps"]
    assert set(given_entry["files"]) <= set(block.files)
    assert (log.suspects, log.markers, log.footer, block.gap) == ((), (), "", "")


@given(entries)
def test_a_composed_event_handed_in_again_is_composed_the_same(given_entry):
    text = compose(PlannedEvent(**given_entry))
    [entry] = units(text)
    assert compose(entry) == text


@given(st.lists(entries, min_size=1, max_size=4))
def test_several_units_in_one_text_are_as_many_events(given_entries):
    text = "\n".join(compose(PlannedEvent(**one)) for one in given_entries)
    assert [unit.time for unit in units(text)] == [one["time"] for one in given_entries]


def place_of(log, content, text):
    """Return where an event belongs: on top, before a footer, or behind what it would swallow."""
    if log.newest_first and log.blocks:
        return len(log.preamble.encode())
    followed = parse(f"{text}\n{log.footer}".encode())
    if [block.digest for block in followed.blocks] == digests(text):
        return len(content) - len(log.footer.encode())
    return len(content)


def digests(text):
    return [block.digest for block in parse(text.encode()).blocks]


@given(logs(), entries)
@example(b"### evt-007 | 2026-01-01 10:00 | me | fix\n\n### Why\n", ENTRY)
@example(b"### evt-007 | 2026-01-01 10:00 | me | fix\n\n### Why", ENTRY)
@example(b"### evt-007 | 2026-01-01 10:00 | me | fix\r\n\r\n### Why\r\n\r\n\r\n", ENTRY)
def test_placing_an_event_keeps_every_byte_and_adds_one_event(content, given_entry):
    """A `### Why` behind a `### evt-` is no part of it, and would be one of what goes between."""
    log = parse(content)
    text = compose(PlannedEvent(**given_entry))
    try:
        placed = place(log, text)
    except Refused:
        assert log.markers or log.unclosed
        return
    after = parse(placed)
    old = [block.digest for block in log.ordered]
    assert [block.digest for block in after.ordered] == [*old, *digests(text)]
    start = place_of(log, content, text)
    assert len(placed) > len(content)
    assert placed.startswith(content[:start])
    assert placed.endswith(content[start:])
    assert log.newline == "\n" or b"\n" not in placed.replace(b"\r\n", b"").replace(
        content.replace(b"\r\n", b""), b""
    )


def test_the_published_form_is_exact():
    assert (
        compose(PlannedEvent(**ENTRY, impact="Impact.", next="- Next.", files=("a.py", "b c.md")))
        == """\
## 2026-02-27 10:00 — Title

**Type:** change
**Scope:** file

### What
What.

### Why
Why.

### Impact
Impact.

Files: [a.py](a.py), [b c.md](<b c.md>)

### Next Steps
- Next.
"""
    )


@each_row(
    ("change", "message"),
    [
        ({"type": "fix"}, "not a type of event: 'fix'"),
        ({"area": "repo"}, "not a scope of events: 'repo'"),
        ({"why": " \n"}, "no why"),
        ({"what": ""}, "no what"),
        ({"title": " "}, "no title"),
        ({"files": ("https://example.org",)}, "not a file's path"),
        ({"files": ("a\nb",)}, "not a file's path"),
        ({"files": ("",)}, "not a file's path"),
    ],
)
def test_what_breaks_a_rule_is_refused(change, message):
    with pytest.raises(Refused, match=message):
        compose(PlannedEvent(**ENTRY | change))


@each_row("time", ["", "2026-02-30 10:00", "2026-02-27", "now", "2026-02-27T10:00"])
def test_a_time_is_to_the_minute(time):
    with pytest.raises(UsageError, match="not a time"):
        compose(PlannedEvent(**ENTRY | {"time": time}))


@each_row(
    ("text", "message"),
    [
        ("", "does not begin with an event"),
        ("just text", "does not begin with an event"),
        ("text\n\n## Title\n", "does not begin with an event"),
        ("## Title\n\n### Notes\nx", "not a part of an event: 'Notes'"),
        ("## Title\n\n**Owner:** me\n", "not a part of an event: 'Owner'"),
        ("## 2026-02-30 10:00 — Title\n", "line 1: the heading's time"),
        ("## Title\n\nloose text\n\n### What\nx", "line 3 is in no section"),
    ],
)
def test_a_text_of_which_something_would_be_lost_is_no_event(text, message):
    with pytest.raises(UsageError, match=message):
        units(text)


def test_a_unit_may_leave_its_time_out():
    [entry] = units(
        "## Title here\n\n**Type:** result\n**Scope:** pack\n\n### What\na\n### Why\nb\n"
    )
    assert entry == PlannedEvent(title="Title here", type="result", area="pack", what="a", why="b")


def test_a_log_that_begins_is_one():
    assert parse(opening().encode()).is_log
    assert parse(opening(newest_first=True).encode()).newest_first
