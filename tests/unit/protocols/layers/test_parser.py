"""A log is read without losing a byte, and nothing that looks like an event vanishes."""

from __future__ import annotations

import pytest
from hypothesis import given

from tests.tables import each_row
from tests.unit.protocols.layers.logs import FILES, SAMPLES, logs
from varves.errors import Refused
from varves.protocols.layers.parser import parse


def read(text: str):
    return parse(text.encode("utf-8"))


@given(logs())
def test_what_was_read_put_together_again_is_the_same_bytes(content):
    assert parse(content).content == content


@each_row("path", FILES)
@each_row("end", ["\n", "\r\n"])
def test_every_sample_put_together_again_is_the_same_bytes(path, end):
    content = path.read_bytes().replace(b"\n", end.encode())
    assert parse(content).content == content


@given(logs())
def test_line_ends_and_trailing_blanks_change_no_digest(content):
    plain = content.replace(b"\r\n", b"\n")
    wide = plain.replace(b"\n", b"  \r\n")
    assert [one.digest for one in parse(plain).blocks] == [one.digest for one in parse(wide).blocks]


@given(logs())
def test_every_event_is_found_where_it_says_it_is(content):
    log = parse(content)
    lines = content.decode().removeprefix("\ufeff").split("\n")
    for block in log.blocks:
        assert block.raw.startswith(lines[block.line - 1])
        assert block.stamp in lines[block.line - 1]
    assert len({block.name for block in log.blocks}) == len(log.blocks)


@each_row(
    ("heading", "form", "time", "title"),
    [
        ("## 2026-02-23 02:00 — Title", "published", "2026-02-23 02:00", "Title"),
        ("## 2026-02-23 02:00 - Title", "dash", "2026-02-23 02:00", "Title"),
        ("## 2026-02-23 02:00 \u2013 Title", "dash", "2026-02-23 02:00", "Title"),
        ("## 2026-02-23 — Title", "date", "2026-02-23", "Title"),
        ("## 2026-02-23T02:00:10Z - Title", "dash", "2026-02-23 02:00", "Title"),
        ("## 2026-02-23 02:00", "dash", "2026-02-23 02:00", ""),
        ("## Decision: 2026-04-09T16:00:00Z", "decision", "2026-04-09 16:00", "Decision"),
        ("## Decision: 2026-04-09T01:30:00+02:00", "decision", "2026-04-08 23:30", "Decision"),
        ("## Decision: 2026-04-09T01:30-0130", "decision", "2026-04-09 03:00", "Decision"),
        ("## Decision: 2026-04-09", "decision", "2026-04-09", "Decision"),
        ("### evt-001 | 2026-02-26 12:00 | human | fix", "evt", "2026-02-26 12:00", ""),
        ("### evt-001 | 2026-02-26 | human | fix", "evt", "2026-02-26", ""),
    ],
)
def test_headings_of_all_forms(heading, form, time, title):
    [block] = read(f"{heading}\n").blocks
    assert (block.form, block.time, block.title) == (form, time, title)


def test_the_author_is_told_in_the_form_that_has_one():
    text = "### evt-001 | 2026-02-26 | human | fix\n\n## 2026-02-23 02:00 — Title | human | x\n"
    assert [block.author for block in read(text).blocks] == ["human", None]
    [nobody] = read("### evt-001 | 2026-02-26 |  | fix\n").blocks
    assert nobody.author is None


@each_row(
    ("text", "why"),
    [
        ("## 2026-13-01 10:00 — T", "not a valid time"),
        ("## 2026-02-30 10:00 — T", "not a valid time"),
        ("## 2026-02-20 25:00 — T", "not a valid time"),
        ("## 2026/02/20 — T", "the time is not"),
        ("## 2026-02-20 9:00 — T", "the time is not"),
        ("### 2026-02-20 09:00 — T", "begins with ##"),
        ("# 2026-02-20 09:00 — T", "begins with ##"),
        ("##2026-02-20 09:00 — T", "no blank after #"),
        ("## 2026-02-20", "a date and nothing else"),
        ("2026-02-20 09:00 — T\n-----", "underlined"),
        ("2026-02-20 09:00 — T\n=====", "underlined"),
        ("### evt-NNN | YYYY-MM-DD HH:MM | who | type", "evt-NNN"),
        ("## Decision: use tabs", "no date"),
        ("## Use tabs\n\n**Type:** decision", "no date"),
        ("## Use tabs\n\n### What\nTabs.", "no date"),
        ("```\ncode", "never closed"),
        ("<!-- a note", "never closed"),
    ],
)
def test_a_near_event_is_reported_with_its_line(text, why):
    log = read(f"# Log\n\n## 2026-01-01 10:00 — Real\n\n{text}\n")
    assert [block.title for block in log.blocks] == ["Real"]
    [suspect] = log.suspects
    assert suspect.line == 5
    assert suspect.text == text.partition("\n")[0]
    assert why in suspect.why


@each_row(
    "text",
    [
        "```\n## 2026-01-02 10:00 — In\n```",
        "````md\n```\n## 2026-01-02 10:00 — In\n```\n````",
        "~~~\n## 2026-01-02 10:00 — In\n```\n~~~",
        "<!--\n## 2026-01-02 10:00 — In\n-->",
        "<!-- ``` -->\n<!--\n## 2026-01-02 10:00 — In\n-->",
        "- ```md\n  ## 2026-01-02 10:00 — In\n  ```",
        "    ## 2026-01-02 10:00 — In",
        "> ## 2026-01-02 10:00 — In",
    ],
)
def test_code_and_comments_hold_no_events_and_hide_none_after_them(text):
    log = read(f"## 2026-01-01 10:00 — One\n\n{text}\n\n## 2026-01-03 10:00 — Two\n")
    assert [block.title for block in log.blocks] == ["One", "Two"]
    assert log.suspects == ()


def test_code_in_a_list_ends_with_the_list():
    log = read("## 2026-01-01 10:00 — One\n- ```\n  x\n\n## 2026-01-03 10:00 — Two\n")
    assert [block.title for block in log.blocks] == ["One", "Two"]


def test_a_fence_that_nothing_closes_hides_no_event():
    log = read("## 2026-01-01 10:00 — One\n```\n\n## 2026-01-03 10:00 — Two\n")
    assert [block.title for block in log.blocks] == ["One", "Two"]
    assert log.unclosed == 2


def test_an_event_reads_the_same_last_or_not_and_with_or_without_a_rule():
    event = "## 2026-01-01 10:00 — One\n\n### What\nx\n"
    after = "\n## 2026-01-02 10:00 — Two\n"
    texts = [event, event + after, event + "\n---\n" + after, event + "\n---\n\n*End*\n"]
    texts.append(event + "\n## Earlier\nsee git\n")
    assert {read(text).blocks[0].digest for text in texts} == {read(event).blocks[0].digest}


def test_a_rule_within_an_event_ends_nothing():
    [block] = read("## 2026-01-01 10:00 — One\n\n### What\nx\n\n---\n\n### Why\ny\n").blocks
    assert block.parts == {"What": "x\n\n---", "Why": "y"}


def test_a_footer_is_text_and_rules_alone_are_none():
    event = "## 2026-01-01 10:00 — One\nx\n\n"
    assert read(event + "---\n").footer == ""
    assert read(event + "---\n\n*End*\n").footer == "---\n\n*End*\n"
    assert read(event + "# Other\n").footer == "# Other\n"


def test_only_the_comment_declares_newest_first():
    events = "## 2026-01-02 10:00 — Two\n\n## 2026-01-01 10:00 — One\n"
    declared = read("<!-- varves: newest first -->\n\n" + events)
    assert [block.title for block in declared.ordered] == ["One", "Two"]
    for start in ("", "Newest first.\n\n", "```\n<!-- varves: newest first -->\n```\n"):
        assert not read(start + events).newest_first


def test_equal_events_are_told_apart_in_the_order_of_the_log():
    event = "## 2026-01-02 10:00 — Same\nx\n\n"
    assert [block.ordinal for block in read(event * 3).blocks] == [0, 1, 2]
    top = read("<!-- varves: newest first -->\n" + event * 3)
    assert [block.ordinal for block in top.blocks] == [2, 1, 0]
    assert [one.name for one in top.ordered] == [one.name for one in read(event * 3).blocks]


@each_row(
    ("text", "lines"),
    [
        ("<<<<<<< HEAD\na\n=======\nb\n>>>>>>> x\n", (1, 3, 5)),
        ("<<<<<<< HEAD\na\n||||||| o\n=======\nb\n>>>>>>> x\n", (1, 3, 4, 6)),
        ("```\n<<<<<<< HEAD\na\n=======\nb\n>>>>>>> x\n```\n", ()),
        ("<<<<<<< HEAD\n```\n=======\n```\n>>>>>>> x\n", (1, 3, 5)),
        ("Title\n=======\n", ()),
        ("left\n>>>>>>> x\n", (2,)),
        ("<<<<<<< left\n", (1,)),
        ("a <<<<<<< HEAD\n", ()),
    ],
)
def test_conflict_markers_are_found_unless_they_are_shown_as_code(text, lines):
    assert read(text).markers == lines
    assert read(text.replace("\n", "\r\n")).markers == lines


def test_bytes_that_are_no_text_are_refused_with_their_line():
    with pytest.raises(Refused, match="line 2 is not UTF-8"):
        parse(b"# Log\n\xff\n")


def test_a_list_of_releases_is_no_log():
    log = parse((SAMPLES / "wcp-v3" / "CHANGELOG.md").read_bytes())
    assert not log.is_log
    assert log.suspects == ()
    assert read("# Log\n\n<!-- varves: event log -->\n").is_log


def test_a_long_log_is_read_by_looking_at_each_line_once():
    """Nothing in it grows with the square: 200,000 marks that open and never close."""
    log = read("```\n" * 99_999 + "<!--\n" * 100_000 + "## 2026-01-01 10:00 — One\n")
    assert len(log.blocks) == 1
