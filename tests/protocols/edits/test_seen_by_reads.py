"""A read says what it saw in an edited file and records nothing; the next write keeps its ids."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import pytest

import varves as package

if TYPE_CHECKING:
    from pathlib import Path

FIRST, ADDED, MORE = "The build needs make", "Written with an editor", "Written with another"


class Scoped:
    """Entries of one file."""

    path = "memory/projects/p/memory.json"
    begin = (("scoped", "write", "project", "p", "--type", "pattern", "--content", FIRST),)
    read = ("scoped", "read", "project", "p", "--json")
    write = ("scoped", "write", "project", "p", "--type", "pattern", "--content", "More")

    def add(self, root: Path, text: str) -> str:
        """Write an entry without an id."""
        return appended(root, self.path, "entries", {"type": "decision", "content": text})

    def ids(self, answer: Any) -> dict[str, str]:
        """Return the ids that a read showed, by text."""
        return {one["content"]: one["memory"] for one in answer["entries"]}


class Party:
    """Memories of a sidecar."""

    path = "_mdan/state/sidecars/ada.sidecar.json"
    begin = (
        ("party", "start", "--agents", "ada"),
        ("party", "say", "ada", f"I prefer that {FIRST}"),
        ("party", "end"),
    )
    read = ("party", "show", "ada", "--json")
    write = ("party", "start", "--agents", "ada")

    def add(self, root: Path, text: str) -> str:
        """Write a memory."""
        line = {"type": "context", "content": text, "source_session": "2026-01-02"}
        return appended(root, self.path, "memories", {**line, "confidence": 0.9})

    def ids(self, answer: Any) -> dict[str, str]:
        """Return the ids that a read showed, by text."""
        return {one["content"]: one["id"] for one in answer["memories"]}


class Hivemind:
    """A file for each memory."""

    begin = (
        ("hivemind", "write", "--type", "factual", "--content", FIRST, "--scope", "project:p"),
    )
    read = ("hivemind", "search", "written editor another", "--project", "p", "--json")
    write = ("hivemind", "write", "--type", "factual", "--content", "More", "--scope", "project:p")

    def add(self, root: Path, text: str) -> str:
        """Write a file under a name, and with an id, that cannot be a memory's."""
        path = f"memory/projects/p/{text.rsplit(maxsplit=1)[-1]}.json"
        said = {"id": "note-1", "type": "factual", "content": {"text": text}, "created_by": "USER"}
        (root / path).write_text(json.dumps(said, indent=2), encoding="utf-8")
        return path

    def ids(self, answer: Any) -> dict[str, str]:
        """Return the ids that a read showed, by text."""
        found = [hit["entry"] for hit in answer["memories"]]
        return {one["content"]["text"]: one["id"] for one in found}


class Deliberation:
    """Decisions of a saved state."""

    path = "deliberations/talk/memory.json"
    begin = (
        ("deliberation", "new", "talk", "--shared"),
        ("deliberation", "say", "ada", f"[DECISION] {FIRST}.", "--conversation", "talk"),
    )
    read = ("deliberation", "show", "talk", "--json")
    write = ("deliberation", "say", "ada", "More.", "--conversation", "talk")

    def add(self, root: Path, text: str) -> str:
        """Write a decision without an id."""
        return appended(root, self.path, "decisions", {"topic": text, "outcome": text})

    def ids(self, answer: Any) -> dict[str, str]:
        """Return the ids that a read showed, by text."""
        return {one["outcome"]: one["id"] for one in answer["decisions"]}


def appended(root: Path, path: str, key: str, one: Any) -> str:
    """Add to a list of a JSON file, in place."""
    document = json.loads((root / path).read_text(encoding="utf-8"))
    document[key].append(one)
    (root / path).write_text(json.dumps(document, indent=2), encoding="utf-8")
    return path


@pytest.fixture(params=[Scoped, Party, Hivemind, Deliberation], ids=lambda one: one.__name__)
def hand(request, project, varves):
    """Give each two-way protocol in turn, with a record."""
    made = request.param()
    for argv in made.begin:
        assert varves(*argv).code == 0, argv
    return made


def shown(varves, hand):
    """Return the ids that a read shows, and what it says beside."""
    answer = varves(*hand.read)
    assert answer.code == 0, answer
    return hand.ids(answer.json), answer.err.splitlines()


def events(varves):
    return [one["id"] for one in varves("log", "--json").json["events"]]


@pytest.mark.full_size(sample=1)
@pytest.mark.requirement("U-07")
def test_the_id_that_a_read_shows_is_the_one_the_next_write_records(hand, project, varves):
    paths = {hand.add(project, text) for text in (ADDED, MORE)}
    before = events(varves)

    first, said = shown(varves, hand)
    again, _ = shown(varves, hand)

    assert {ADDED, MORE} <= first.keys()
    assert len({*first.values()}) == len(first)
    assert first == again
    assert events(varves) == before
    assert not any("adopted" in line for line in said)
    lines = [line.rpartition(": ") for line in said if "the next write records" in line]
    seen = [line for line, _, _ in lines]
    assert all("added" in what for _, _, what in lines)
    both = "2 hand edits; the next write records them"
    one = "1 hand edit; the next write records it"
    told = {f"varves: {path}: {both if len(paths) == 1 else one}" for path in paths}
    assert {*seen} == told

    done = varves(*hand.write)
    assert (done.code, "adopted" in done.err) == (0, True), done
    after, said = shown(varves, hand)
    assert {text: after[text] for text in (ADDED, MORE)} == {
        text: first[text] for text in (ADDED, MORE)
    }
    assert not any("hand edit" in line for line in said)
    for text in (ADDED, MORE):
        assert varves("show", first[text]).code == 0


@pytest.mark.full_size(sample=1)
@pytest.mark.requirement("U-07")
def test_status_and_doctor_name_what_is_not_recorded_yet_and_recall_does_not(hand, project, varves):
    paths = {hand.add(project, text) for text in (ADDED, MORE)}
    before = events(varves)

    edits = varves("status", "--json").json["edits"]
    doctor = varves("doctor", "--json")
    found = {one["place"]: one for one in doctor.json["findings"] if one["rule"] == "edited"}

    assert {line.partition(": ")[0] for line in edits} == paths == found.keys()
    assert all("varves rebuild" in line for line in edits)
    assert {one["level"] for one in found.values()} == {"note"}
    assert "the next write records" in varves("status").out
    assert ADDED not in [one["text"] for one in varves("recall", ADDED, "--json").json["hits"]]
    assert events(varves) == before
    varves("rebuild")
    assert varves("status", "--json").json["edits"] == []
    assert "edited" not in {one["rule"] for one in varves("doctor", "--json").json["findings"]}


def test_status_names_an_event_that_somebody_added_to_the_layers_log(varves, project):
    (project / "AGENTS.md").write_text("# Rules\n", encoding="utf-8")
    said = ("--type", "change", "--scope", "project", "--what", "w", "--why", "y")
    varves("layers", "append", "--title", "One", *said)
    log = project / "CHANGELOG.md"
    text = log.read_text(encoding="utf-8")
    block = text[text.index("## 20") :]
    log.write_text(text + "\n" + block.replace("One", "Two"), encoding="utf-8")
    [edit] = varves("status", "--json").json["edits"]
    assert edit.startswith("CHANGELOG.md: 1 event added by hand")
    varves("layers", "boot")
    assert varves("status", "--json").json["edits"] == []


def test_a_purged_record_is_taken_up_from_no_file_and_a_verb_gives_it_another_id(project, varves):
    """Nobody can tell who put the words there: git may have (ADR 55)."""
    hand = Scoped()
    varves(*hand.begin[0])
    hand.add(project, ADDED)
    varves(*hand.write)
    first = shown(varves, hand)[0][ADDED]
    assert varves("purge", first, "--reason", "private", "--yes").code == 0

    hand.add(project, ADDED)
    assert ADDED not in shown(varves, hand)[0]
    varves(*hand.write)
    assert ADDED not in (project / hand.path).read_text(encoding="utf-8")

    assert varves(*hand.write[:-1], ADDED).code == 0
    assert shown(varves, hand)[0][ADDED] != first


def test_a_read_says_that_the_next_write_puts_records_back(project, varves):
    hand = Scoped()
    with package.open(project) as ledger:
        for number in range(12):
            ledger.scoped.write("project", "p", type="pattern", content=f"Rule {number}")
    document = json.loads((project / hand.path).read_text(encoding="utf-8"))
    document["entries"] = document["entries"][6:]
    (project / hand.path).write_text(json.dumps(document), encoding="utf-8")

    found, said = shown(varves, hand)

    assert len(found) == 12
    why = "more than 5 disappeared at once"
    assert said == [f"varves: {hand.path}: 6 records missing; the next write puts them back: {why}"]
    assert f"varves: put 6 records back in {hand.path}: {why}" in varves(*hand.write).err
