"""CHANGELOG.md is only ever added to, in one form, and read in all the forms there are."""

from __future__ import annotations

import re
import subprocess
from pathlib import Path

import pytest

import varves as package
from varves.errors import Refused
from varves.values.instants import FixedClock, instant

SAMPLES = Path(__file__).parent / "samples"
LOGS = {
    "seed": SAMPLES / "templatesSB" / "CHANGELOG-seed-format.md",
    "evt": SAMPLES / "templatesSB" / "CHANGELOG-evt-section-0a56d75.md",
    "e2e": SAMPLES / "templatesSB" / "CHANGELOG-evt-test-e2e.md",
    "decisions": SAMPLES / "zero-operators" / "DECISION_LOG.md",
}
NOON = "2026-11-15T12:00:00Z"
GOLDEN = """\
## 2026-11-15 12:00 — Login times out

**Type:** decision
**Scope:** file

### What
Sessions end after an hour.

### Why
Shared desks.

### Impact
Everybody logs in again.

Files: [src/login.py](src/login.py), [docs/log in.md](<docs/log in.md>)

### Next Steps
- Tell the desk.
"""
EVENT = {
    "type": "decision",
    "scope": "file",
    "title": "Login times out",
    "what": "Sessions end after an hour.",
    "why": "Shared desks.",
    "impact": "Everybody logs in again.",
    "next": "- Tell the desk.",
    "files": ("src/login.py", "docs/log in.md"),
}


class Desk:
    """The verbs of a project at a moment, and its log as bytes."""

    def __init__(self, root: Path) -> None:
        self.root = root
        self.clock = FixedClock(instant(NOON))
        self.ledger = package.open(str(root), clock=self.clock, session="s1")

    @property
    def verbs(self):
        return self.ledger.layers

    def at(self, moment: str):
        self.clock.ms = instant(moment)
        return self.verbs

    def append(self, title: str = "More", **changes):
        return self.verbs.append(**EVENT | {"title": title, "files": ()} | changes)

    @property
    def path(self) -> Path:
        return self.root / "CHANGELOG.md"

    @property
    def content(self) -> bytes:
        return self.path.read_bytes()

    def entries(self):
        """Return the memories that the events of the log are, in order of recording."""
        recorded = self.ledger.log(kind=("log.entry",))
        return [self.ledger.show(event.data["memory"]) for event in recorded]

    def findings(self, rule: str):
        """Return the lines of the log that a rule finds fault with, and how badly."""
        found = [one for one in self.verbs.validate() if one.rule == rule]
        assert all(one.place.startswith("CHANGELOG.md:") for one in found)
        return [(int(one.place.partition(":")[2]), one.level) for one in found]

    def settings(self, text: str) -> None:
        """Change the table of settings, as a person does between two sessions."""
        self.ledger.close()
        (self.root / ".varves").mkdir(exist_ok=True)
        path = self.root / ".varves" / "settings.toml"
        path.write_text(f"[layers]\n{text}\n", encoding="utf-8")
        self.ledger = package.open(str(self.root), clock=self.clock, session="s1")


@pytest.fixture
def desk(project):
    made = Desk(project)
    yield made
    made.ledger.close()


@pytest.mark.requirement("S1-07")
def test_the_log_can_be_added_to_and_nothing_else(desk, varves):
    verbs = {name for name in dir(desk.verbs) if not name.startswith("_")}
    assert {"append", "append_text"} <= verbs
    for word in ("edit", "delete", "remove", "reorder", "sort", "move", "forget", "rewrite"):
        assert not [name for name in verbs if word in name], word
        assert varves("layers", word, "mem_x").code == 2, word


@pytest.mark.full_size(sample=1)
@pytest.mark.requirement("S1-07", "S1-10")
@pytest.mark.parametrize("end", [b"\n", b"\r\n"], ids=["lf", "crlf"])
@pytest.mark.parametrize("name", sorted(LOGS))
def test_after_an_append_all_old_bytes_are_there_in_order(desk, name, end):
    old = LOGS[name].read_bytes().replace(b"\n", end)
    desk.path.write_bytes(old)
    desk.append("Added")
    now = desk.content
    assert now != old
    head, tail = _around(old, now)
    assert head + tail == old
    added = now[len(head) : len(now) - len(tail)].decode("utf-8").replace("\r\n", "\n")
    assert added.strip("\n").startswith("## 2026-11-15 12:00 — Added\n")
    assert added.strip("\n").endswith("### Next Steps\n- Tell the desk.")
    assert added.count("\n## ") <= 1
    desk.append("Again")
    assert _around(now, desk.content) != (b"", b"")


def _around(old: bytes, now: bytes) -> tuple[bytes, bytes]:
    """Return what stands before and after the bytes that were put in."""
    same = next((at for at, byte in enumerate(old) if now[at] != byte), len(old))
    return old[:same], old[same:] if now.endswith(old[same:]) else b""


@pytest.mark.full_size(sample=1)
@pytest.mark.requirement("S1-08")
@pytest.mark.parametrize("given", ["2026-11-15 09:59", "2026-11-14T10:00:00Z", "2020-01-01 00:00"])
def test_an_earlier_time_is_stamped_now_and_that_is_said(desk, varves, given):
    desk.at("2026-11-15T10:00:00Z").append(**EVENT)
    desk.clock.ms = instant(NOON)
    done = desk.append("Late", at=given)
    assert done.stamped == ("2026-11-15 12:00",)
    assert [line.startswith("## 2026-11-15 1") for line in _headings(desk)] == [True, True]
    assert "gets the time 2026-11-15 12:00" in " ".join(desk.ledger.layers.core.notes)
    said = varves("layers", "append", *_options(EVENT), "--at", given)
    assert said.code == 0
    assert "gets the time" in said.err
    assert _headings(desk) == sorted(_headings(desk))


@pytest.mark.requirement("S1-08")
def test_a_time_between_the_last_event_and_now_is_kept(desk):
    desk.at("2026-11-15T10:00:00Z").append(**EVENT)
    desk.clock.ms = instant(NOON)
    assert desk.append(at="2026-11-15 11:30").stamped == ("2026-11-15 11:30",)


def _headings(desk) -> list[str]:
    text = desk.content.decode("utf-8")
    return [line for line in text.split("\n") if line.startswith("## ")]


def _options(event: dict) -> list[str]:
    said = [part for key, value in event.items() if key != "files" for part in (f"--{key}", value)]
    return [word if word.startswith("--") else word.lstrip("- ") for word in said]


@pytest.mark.requirement("S1-10")
@pytest.mark.parametrize("mark", ["", "<!-- varves: newest first -->\n\n"], ids=["end", "top"])
def test_whatever_stands_in_a_log_stands_there_after_many_appends(desk, mark):
    odd = (
        f"\ufeff# Log\t \n\n{mark}~~~\n## 2026-01-01 10:00 — shown\n~~~\n\n"
        "## 2026-01-02 10:00 — One  \n\n**Type:** change\ntext\r\n\n\n\n---\n\n## Notes\n\nfree\n\n"
        "## 2026-01-03 10:00 — Two\n\x0b\u2028\ttext\n\n***\n\n*The end*"
    ).encode()
    desk.path.write_bytes(odd)
    for number in range(3):
        desk.append(f"Added {number}")
    left = desk.content.replace(b"\r\n", b"\n")
    added = ["Added 0", "Added 1", "Added 2"]
    order = [*added[::-1], "One", "Two"] if mark else ["One", "Two", *added]
    headings = re.findall(rb"^## 2026-(?:01-0[23]|11).*\xe2\x80\x94 (.*?) *$", left, re.MULTILINE)
    assert [word.decode("utf-8") for word in headings] == order
    for number in range(3):
        event = GOLDEN.replace("Login times out", f"Added {number}")
        event = event.replace(event[event.index("\nFiles:") : event.index("\n### Next")], "")
        assert left.count(event.encode()) == 1
        left = left.replace(event.encode() + b"\n", b"")
    assert left == odd.replace(b"\r\n", b"\n")


@pytest.mark.requirement("S1-11", "S1-14")
def test_an_event_is_written_in_the_published_form_to_the_byte(desk):
    desk.verbs.append(**EVENT)
    assert desk.content.decode("utf-8").endswith("\n\n" + GOLDEN)


@pytest.mark.full_size(sample=1)
@pytest.mark.requirement("S1-11")
@pytest.mark.parametrize(
    ("heading", "warned"),
    [
        ("## 2026-02-23 02:00 — Event Title", False),
        ("## 2026-02-23 02:00 - Event Title", True),
        ("## 2026-02-23 02:00 \u2013 Event Title", True),
        ("## 2026-02-23 — Event Title", True),
    ],
    ids=["published", "hyphen", "dash", "day"],
)
def test_four_headings_are_read_and_all_but_one_with_a_warning(desk, heading, warned):
    rest = (
        GOLDEN.partition("\n")[2].replace("src/login.py", "a.md").replace("docs/log in.md", "a.md")
    )
    desk.path.write_text(f"# Log\n\n{heading}\n{rest}", encoding="utf-8")
    (desk.root / "a.md").write_text("a\n", encoding="utf-8")
    desk.append("Next one")
    first = desk.entries()[0]
    assert (first.summary, first.at[:10]) == ("Event Title", "2026-02-23")
    assert desk.findings("S1-11") == ([(3, "warning")] if warned else [])
    assert "## 2026-11-15 12:00 — Next one\n" in desk.content.decode("utf-8")


@pytest.mark.full_size(sample=1)
@pytest.mark.requirement("S1-12", "S1-13")
@pytest.mark.parametrize(
    ("key", "rule", "words"),
    [
        ("type", "S1-12", ("decision", "change", "result", "milestone")),
        ("scope", "S1-13", ("project", "pack", "skill", "file")),
    ],
    ids=["type", "scope"],
)
def test_only_the_published_words_are_written_and_others_are_read_with_a_warning(
    desk, varves, key, rule, words
):
    name = key.capitalize()
    for word in words:
        desk.append(f"A {word}", **{key: word})
        assert f"**{name}:** {word}\n" in desk.content.decode("utf-8")
    before = desk.content
    for bad in ("bugfix", "Decision", "", "decision|change"):
        with pytest.raises(Refused, match=f"not a {key} of"):
            desk.append("Bad", **{key: bad})
    said = varves("layers", "append", *_options({**EVENT, key: "bugfix"}))
    assert said.code == 3
    assert said.err.count("\n") == 1
    assert desk.content == before

    foreign = GOLDEN.replace(f"**{name}:** {EVENT[key]}", f"**{name}:** BUGFIX + more")
    desk.path.write_bytes(before + b"\n" + foreign.encode("utf-8"))
    desk.append("After it")
    assert foreign in desk.content.decode("utf-8")
    taken = next(one for one in desk.entries() if "BUGFIX + more" in one.text)
    assert (taken.type if key == "type" else taken.extra["area"]) == "BUGFIX + more"
    line = before.decode("utf-8").count("\n") + 2
    assert desk.findings(rule) == [(line, "warning")]


@pytest.mark.requirement("S1-14")
def test_the_four_sections_follow_in_their_order_whatever_the_order_of_the_call(desk):
    text = (
        "## Turned round\n\n**Scope:** file\n**Type:** change\n\n### Next Steps\nd\n\n"
        "### Impact\nc\n\n### Why\nb\n\n### What\na\n"
    )
    desk.verbs.append_text(text)
    body = desk.content.decode("utf-8").partition("Turned round\n")[2]
    assert body == (
        "\n**Type:** change\n**Scope:** file\n\n### What\na\n\n### Why\nb\n\n### Impact\nc\n\n"
        "### Next Steps\nd\n"
    )


@pytest.mark.full_size(sample=1)
@pytest.mark.requirement("S1-15")
@pytest.mark.parametrize(
    ("name", "count"), [("seed", 3), ("evt", 13), ("e2e", 1), ("decisions", 106)]
)
def test_every_event_of_the_samples_is_found_and_no_template(desk, name, count):
    desk.path.write_bytes(LOGS[name].read_bytes())
    desk.append("After them")
    found = desk.entries()
    assert len(found) == count + 1
    assert not [one for one in found if "YYYY" in one.text.partition("\n")[0]]
    assert desk.findings("S1-82") == []


@pytest.mark.requirement("S1-15")
def test_code_and_comments_hold_no_event_and_what_nearly_is_one_is_told(desk):
    desk.path.write_text(
        "# Log\n\n```\n## 2026-01-01 10:00 — fenced\n```\n\n"
        "<!--\n## 2026-01-02 10:00 — noted\n-->\n\n"
        + GOLDEN.replace("2026-11-15", "2026-11-14")
        + "\n## Undated but typed\n\n**Type:** change\n\n## 2026-13-01 10:00 — No month\n\n"
        "### 2026-11-14 13:00 — Too deep\n",
        encoding="utf-8",
    )
    desk.append("After them")
    assert [one.summary for one in desk.entries()] == ["Login times out", "After them"]
    lines = desk.content.decode("utf-8").split("\n")
    nearly = ("Undated but typed", "No month", "Too deep")
    places = [at for at, line in enumerate(lines, 1) if line.endswith(nearly)]
    assert desk.findings("S1-82") == [(at, "error") for at in places]
    assert len(places) == 3


@pytest.mark.requirement("S1-17")
def test_two_units_given_in_one_call_are_two_events(desk, varves):
    one, two = (GOLDEN.replace("Login times out", title) for title in ("One", "Two"))
    done = desk.verbs.append_text(f"{one}\n---\n\n{two}")
    assert len(set(done.ids)) == len(set(done.events)) == 2
    assert [one.summary for one in desk.entries()] == ["One", "Two"]
    assert len(desk.ledger.log(kind=("log.entry",))) == 2
    said = varves("layers", "append", "-", stdin=f"{one}\n{two}".replace("2026-11-15 12:00 — ", ""))
    assert said.code == 0
    assert len(desk.entries()) == 4


@pytest.mark.requirement("S1-18")
def test_the_files_of_an_event_are_links_that_are_read_back(desk, varves):
    names = ["a.py", "docs/b c.md", "x(1)/[y].txt", "50% done#2.csv"]
    for name in names:
        path = desk.root / name
        path.parent.mkdir(exist_ok=True)
        path.write_text("x\n", encoding="utf-8")
    said = varves("layers", "append", *_options(EVENT), "--files", *names)
    assert said.code == 0
    assert "[a.py](a.py), [docs/b c.md](<docs/b c.md>)" in desk.content.decode("utf-8")
    assert desk.findings("S1-84") == []
    for name in names:
        (desk.root / name).unlink()
    dead = " ".join(one.message for one in desk.verbs.validate() if one.rule == "S1-84")
    assert [name for name in names if name not in dead] == []


@pytest.mark.requirement("S1-19")
@pytest.mark.parametrize("why", ["", "  \n "], ids=["empty", "blank"])
def test_an_event_without_its_reasoning_is_refused_and_nothing_is_written(desk, varves, why):
    with pytest.raises(Refused, match="no why"):
        desk.append("Just so", why=why)
    assert not desk.path.exists()
    said = varves("layers", "append", *_options({**EVENT, "why": why or " "}))
    assert said.code == 3
    with pytest.raises(Refused, match="no why"):
        desk.verbs.append_text(GOLDEN.replace("### Why\nShared desks.\n\n", ""))
    assert not desk.path.exists()
    assert desk.entries() == []


@pytest.mark.requirement("S1-20")
def test_another_zone_holds_from_then_on_and_moves_no_older_event(desk):
    desk.append("In UTC")
    desk.settings('zone = "Asia/Tokyo"')
    desk.at("2026-11-15T13:00:00Z")
    desk.append("In Tokyo")
    desk.settings('zone = "UTC"')
    desk.at("2026-11-15T14:00:00Z")
    desk.append("In UTC again")
    order = ["In UTC", "In Tokyo", "In UTC again"]
    assert [one.partition("— ")[2] for one in _headings(desk)] == order
    assert _headings(desk)[:2] == ["## 2026-11-15 12:00 — In UTC", "## 2026-11-15 22:00 — In Tokyo"]
    assert _headings(desk) == sorted(_headings(desk), key=lambda line: line[:19])
    desk.verbs.rebuild()
    context = (desk.root / ".memory" / "context.md").read_text(encoding="utf-8")
    recent = context.partition("## Recent Events\n")[2].partition("\n## ")[0].strip().split("\n")
    assert [line.partition("— ")[2].partition(" (")[0] for line in recent] == order[::-1]
    assert [one.summary for one in desk.entries()] == order


@pytest.mark.requirement("S1-20")
@pytest.mark.parametrize("zone", ['"Mars/Olympus"', "7", '""'], ids=["nowhere", "number", "empty"])
def test_a_zone_that_is_none_is_refused(desk, varves, zone):
    desk.append("Before")
    before = desk.content
    desk.settings(f"zone = {zone}")
    said = varves("layers", "append", *_options(EVENT))
    assert (said.code, desk.content) == (5, before)
    assert "zone" in said.err


@pytest.mark.requirement("S1-66")
def test_appending_one_event_adds_its_lines_and_changes_no_other(desk):
    def git(*words: str) -> str:
        done = subprocess.run(["git", *words], cwd=desk.root, capture_output=True, check=True)
        return done.stdout.decode("utf-8")

    desk.append("First")
    git("add", "CHANGELOG.md")
    git("commit", "--quiet", "--message", "log")
    desk.verbs.append(**EVENT)
    changes = [
        line
        for line in git("diff", "--unified=0", "--", "CHANGELOG.md").split("\n")
        if line.startswith(("+", "-")) and not line.startswith(("+++", "---"))
    ]
    assert [line for line in changes if line.startswith("-")] == []
    assert "\n".join(line[1:] for line in changes).strip("\n") == GOLDEN.strip("\n")
    assert git("diff", "--numstat", "--", "CHANGELOG.md").split()[:2] == ["19", "0"]
    assert GOLDEN.count("\n") == 18


@pytest.mark.requirement("U-20")
def test_a_log_with_foreign_line_ends_keeps_them(desk):
    old = LOGS["seed"].read_bytes().replace(b"\n", b"\r\n")
    desk.path.write_bytes(old)
    desk.append("One")
    desk.verbs.append_text(GOLDEN.replace("\n", "\r\n"))
    assert b"\n" not in desk.content.replace(b"\r\n", b"")
    assert len(desk.entries()) == 5
    desk.path.write_bytes(desk.content.replace(b"\r\n", b"\n"))
    assert not [one for one in desk.verbs.validate() if one.rule == "S1-81"]


def test_archiving_is_offered_only_where_it_is_set_and_what_was_moved_stays_known(desk):
    (desk.root / "AGENTS.md").write_text("# Rules\n", encoding="utf-8")
    for number in range(6):
        desk.append(f"Event {number}")
    assert not [said for said in desk.verbs.boot().warnings if "moved" in said]
    desk.settings("archive_above = 5\narchive_keep = 2")
    [offer] = [said for said in desk.verbs.boot().warnings if "moved" in said]
    assert "has 6 events: the oldest 4 may be moved to CHANGELOG-archive.md" in offer
    head, *events = re.split(rb"(?m)^(?=## )", desk.content)
    desk.path.write_bytes(head + b"".join(events[4:]))
    (desk.root / "CHANGELOG-archive.md").write_bytes(b"# Older\n\n" + b"".join(events[:4]))
    booted = desk.verbs.boot()
    assert not [said for said in booted.warnings if "moved" in said]
    assert desk.findings("S1-81") == []
    assert [one.status for one in desk.entries()] == ["archived"] * 4 + ["active"] * 2
