"""People edit the files: what they did is taken over, and nothing else is."""

from __future__ import annotations

import json
import subprocess

import pytest

import varves
from varves.errors import Damaged

PATH = "memory/projects/shop/memory.json"
ADDED = {
    "id": "mem-007",
    "type": "convention",
    "content": "Indent by four blanks",
    "confidence": 0.7,
    "created_at": "2026-02-15T14:20:00Z",
    "accessed_count": 0,
}


@pytest.fixture
def edit(project, write):
    """Give three entries, and a way to edit their file as a person does."""
    for text in ("Use Zod for validation", "Ship on Tuesdays", "Reviews need two people"):
        write(text)

    def run(change):
        path = project / PATH
        document = json.loads(path.read_text(encoding="utf-8"))
        change(document["entries"])
        path.write_text(json.dumps(document, indent=4), encoding="utf-8")

    return run


def contents(found):
    return [one.content for one in found]


def texts(found):
    return [one["content"] for one in found]


def test_a_changed_entry_is_revised_and_keeps_its_number(ledger, edit, entries):
    before = ledger.scoped.read("project", "shop").entries
    edit(lambda found: found[0].update(content="Use Valibot for parsing", confidence=0.5))
    after = ledger.scoped.read("project", "shop").entries
    assert (after[0].id, after[0].memory) == ("mem-001", before[0].memory)
    assert (after[0].content, after[0].confidence) == ("Use Valibot for parsing", 0.5)
    ledger.scoped.init()
    assert entries()[0]["content"] == "Use Valibot for parsing"
    changed = ledger.history(before[0].memory)[-1]
    assert (changed.kind, changed.actor, changed.origin) == ("memory.revised", "USER", "direct")


def test_an_added_entry_is_recorded_under_its_own_number(ledger, edit, entries, write):
    edit(lambda found: found.append({**ADDED, "owner": "Ada"}))
    [added] = ledger.scoped.search("blanks")
    assert (added.id, added.created_at) == ("mem-007", "2026-02-15T14:20:00Z")
    assert write("Tests come first").id == "mem-008"
    assert entries()[3] == {**ADDED, "owner": "Ada", "accessed_count": 1} or entries()[3] == {
        **ADDED,
        "owner": "Ada",
    }


def test_an_added_entry_without_a_number_gets_the_next(ledger, edit, entries):
    bare = {"content": "Indent by four blanks"}
    edit(lambda found: found.append(bare))
    ledger.scoped.init()
    assert entries()[3]["id"] == "mem-004"
    [note] = ledger.scoped.core.notes  # what is left out is added without a word
    assert note.startswith(f"adopted 1 edit of {PATH}: added mem_")
    assert entries()[3]["content"] == "Indent by four blanks"


def test_a_number_that_is_taken_is_not_taken_twice(ledger, edit, entries):
    edit(lambda found: found.append({**ADDED, "id": "mem-001"}))
    ledger.scoped.init()
    assert {one["id"]: one["content"] for one in entries()} == {
        "mem-001": "Use Zod for validation",
        "mem-002": "Ship on Tuesdays",
        "mem-003": "Reviews need two people",
        "mem-004": "Indent by four blanks",
    }


FOREIGN = {
    "version": "1.0",
    "entries": [
        {**ADDED, "id": "mem-001", "content": "Answer in French", "accessed_count": 3},
        {**ADDED, "id": "mem-002", "content": "Use ripgrep", "accessed_count": 9},
    ],
}


def test_a_file_of_another_tool_and_the_log_keep_all_entries(project, home, tmp_path):
    """Its numbers are in use: its entries get the next ones, with their counters."""
    with varves.open(str(project)) as ledger:
        for text in ("Prefer dark themes", "Run the linter before a push", "Never force a push"):
            ledger.scoped.write("global", type="preference", content=text, confidence=0.9)
    second = tmp_path / "second"
    path = second / "memory/global/memory.json"
    path.parent.mkdir(parents=True)
    path.write_text(json.dumps(FOREIGN), encoding="utf-8")
    with varves.open(str(second)) as ledger:
        ledger.scoped.write("global", type="preference", content="Write in English", confidence=0.9)
        found = {one.id: one.content for one in ledger.scoped.list("global")}
    shown = json.loads(path.read_text(encoding="utf-8"))["entries"]
    assert found == {
        "mem-001": "Prefer dark themes",
        "mem-002": "Run the linter before a push",
        "mem-003": "Never force a push",
        "mem-004": "Answer in French",
        "mem-005": "Use ripgrep",
        "mem-006": "Write in English",
    }
    assert [one["accessed_count"] for one in shown] == [0, 0, 0, 3, 9, 0]


def test_a_file_of_another_tool_in_the_place_of_ours_forgets_nothing(
    ledger, project, edit, entries
):
    before = texts(entries())
    bare = {"version": "1.0", "entries": [{"id": "mem-001", "content": "Answer in French"}]}
    (project / PATH).write_text(json.dumps(bare), encoding="utf-8")
    assert contents(ledger.scoped.read("project", "shop")) == [*before, "Answer in French"]
    ledger.scoped.init()
    assert texts(entries()) == [*before, "Answer in French"]


def test_an_edit_brings_the_counters_of_its_file_up_to_date(ledger, edit, entries, write):
    for _ in range(3):
        ledger.scoped.read("project", "shop")
    edit(lambda found: found[0].update(content="Use Valibot for parsing"))
    write("Be terse", "global")
    assert [one["accessed_count"] for one in entries()] == [3, 3, 3]
    assert entries()[0]["content"] == "Use Valibot for parsing"


@pytest.mark.requirement("S2-17")
def test_reads_of_an_entry_that_no_verb_adopted_yet_count_on(ledger, project, entries, write):
    """The first write adopts the entry; until then it is only in the file."""
    ledger.scoped.init(project="shop")
    one = {"id": "mem-001", "type": "pattern", "content": "Shards hold 40 GB", "confidence": 0.7}
    one |= {"created_at": "2026-10-20T10:00:00Z", "accessed_count": 5}
    path = project / "memory/projects/shop/memory.json"
    path.write_text(json.dumps({"version": "1.0", "entries": [one]}), encoding="utf-8")
    for count in (6, 7, 8):
        [seen] = ledger.scoped.read("project", "shop")
        assert seen.accessed_count == count
    write("Query plans go into the pull request")
    assert [one["accessed_count"] for one in entries()] == [8, 0]
    assert next(iter(ledger.scoped.read("project", "shop"))).accessed_count == 9


@pytest.mark.requirement("S2-17")
def test_reads_on_another_branch_are_counted_there(clone):
    made = clone()
    made.at("2026-11-15T08:00:00Z").init()
    made.commit("begin")
    made.git("checkout", "--quiet", "-b", "shards")
    said = {"type": "pattern", "content": "Shards hold 40 GB"}
    made.at("2026-11-15T09:00:00Z").scoped.write("project", "shop", **said)
    made.commit()
    made.at("2026-11-15T09:30:00Z").scoped.read("project", "shop")
    made.git("checkout", "--quiet", "main")
    said = {"type": "pattern", "content": "Carts expire after a day"}
    made.at("2026-11-15T10:00:00Z").scoped.write("project", "shop", **said)
    made.commit()
    made.git("checkout", "--quiet", "shards")
    [one] = made.at("2026-11-15T11:00:00Z").scoped.read("project", "shop")
    assert one.accessed_count == 2


def test_a_counter_that_a_person_raises_is_kept(ledger, edit, entries, write):
    edit(lambda found: found[0].update(accessed_count=12))
    ledger.scoped.init()
    assert entries()[0]["accessed_count"] == 12
    edit(lambda found: found[0].update(accessed_count=5, confidence=0.5))
    write("Tests come first")
    shown = entries()[0]
    assert (shown["accessed_count"], shown["confidence"]) == (12, 0.5), "it only counts up"


def test_a_removed_entry_is_forgotten_and_can_be_restored(ledger, edit, entries):
    edit(lambda found: found.pop(1))
    assert contents(ledger.scoped.read("project", "shop")) == [
        "Use Zod for validation",
        "Reviews need two people",
    ]
    back = ledger.scoped.restore("mem-002", scope="project", project="shop")
    assert back.reason == "removed by hand"
    assert texts(entries())[1] == "Ship on Tuesdays"


def test_an_entry_put_back_by_hand_is_the_same_one(ledger, edit, entries):
    old = ledger.scoped.read("project", "shop").entries[1]
    kept = entries()[1]
    edit(lambda found: found.pop(1))
    ledger.scoped.init()
    edit(lambda found: found.insert(1, {**kept, "confidence": 0.3}))
    ledger.scoped.init()
    again = ledger.scoped.read("project", "shop").entries[1]
    assert (again.id, again.memory, again.content) == ("mem-002", old.memory, old.content)
    assert again.confidence == 0.3


def test_what_breaks_a_rule_is_taken_as_found_and_reported(ledger, project, edit, entries, write):
    odd = {**ADDED, "type": "fact", "confidence": 7, "created_at": "last week"}
    edit(lambda found: found.append(odd))
    write("Tests come first")
    assert any("mem-007" in note for note in ledger.scoped.core.notes)
    assert entries()[3] == odd
    assert {one.rule for one in ledger.scoped.validate()} == {"S2-13", "S2-15", "S2-16"}
    assert [one.content for one in ledger.scoped.rank("project", "shop")][-1]


@pytest.mark.full_size(sample=2)
@pytest.mark.parametrize(
    "content",
    [
        b"{",
        b"[]",
        b'{"version": "2.0", "entries": []}',
        b'{"version": "1.0", "entries": {}}',
        b'{"version": "1.0", "entries": [7]}',
        b'{"version": "1.0", "entries": [{"id": "mem-001"}]}',
        b'{"entries": []}',
        b'{"version": "1.0", "entries": [{"id": "mem-001", "content": "\\ud800"}]}',
        b'{"version": "1.0", "entries": [{"content": "x", "confidence": NaN}]}',
        b"\xff\xfe",
        b"",
    ],
    ids=[
        *("half", "list", "version", "object", "number", "no content", "no version", "surrogate"),
        *("nan", "encoding", "empty"),
    ],
)
def test_a_file_that_cannot_be_read_is_reported_and_left_alone(content, ledger, project, edit):
    (project / PATH).write_bytes(content)
    events = len(ledger.log())
    with pytest.raises(Damaged, match="cannot be read"):
        ledger.scoped.write("project", "shop", type="pattern", content="Tests come first")
    assert (project / PATH).read_bytes() == content
    assert len(ledger.log()) == events
    assert any(PATH in one.place for one in ledger.scoped.validate())
    assert ledger.scoped.write("team", "core", type="pattern", content="Tests come first").id


@pytest.mark.full_size(sample=1)
@pytest.mark.parametrize("way", ["stash", "checkout", "reset", "deleted"])
def test_git_taking_a_file_back_forgets_nothing(way, ledger, project, edit, write, entries):
    def git(*words):
        subprocess.run(["git", *words], cwd=project, check=True, capture_output=True)

    git("add", "--all")
    git("commit", "--quiet", "-m", "memory")
    write("Tests come first")
    if way == "stash":
        git("stash", "--", "memory")
    elif way == "checkout":
        git("checkout", "--", "memory")
    elif way == "reset":
        git("add", "memory")
        git("checkout", "HEAD", "--", "memory")
    else:
        (project / PATH).unlink()
    assert len(ledger.scoped.read("project", "shop")) == 4
    ledger.scoped.init()
    assert len(entries()) == 4
    assert not ledger.log(kind=("memory.forgotten",))


def test_many_entries_that_vanish_at_once_are_put_back(ledger, project, write, entries):
    for number in range(7):
        write(f"Topic{number} follows rule{number}")
    for _ in range(12):  # no shorter version of the file is remembered
        ledger.scoped.read("project", "shop")
        ledger.scoped.session_start(id="s1", project="shop")
        ledger.scoped.session_end()
    (project / PATH).write_text('{"version": "1.0", "entries": []}', encoding="utf-8")
    assert len(ledger.scoped.read("project", "shop")) == 7
    ledger.scoped.init()
    assert len(entries()) == 7


def test_a_session_file_is_followed_too(ledger, project, entries):
    ledger.scoped.session_start(id="s1", project="shop")
    ledger.scoped.note("Use Zod for validation")
    path = project / "memory/sessions/s1.json"
    text = path.read_text(encoding="utf-8").replace("Zod", "Valibot")
    path.write_text(text, encoding="utf-8")
    ended = ledger.scoped.session_end()
    assert contents(ended.proposals) == ["Use Valibot for validation"]


def test_without_a_log_the_files_are_enough_to_start_again(home, tmp_path):
    root = tmp_path / "found"
    path = root / PATH
    path.parent.mkdir(parents=True)
    document = {"version": "1.0", "entries": [ADDED, {**ADDED, "id": "mem-012", "content": "Hi"}]}
    path.write_text(json.dumps(document), encoding="utf-8")
    with varves.open(str(root)) as ledger:
        assert [one.id for one in ledger.scoped.read("project", "shop")] == ["mem-007", "mem-012"]
        done = ledger.scoped.write("project", "shop", type="pattern", content="Tests come first")
        assert done.id == "mem-013"
    shown = json.loads(path.read_text(encoding="utf-8"))["entries"]
    assert [one["id"] for one in shown] == ["mem-007", "mem-012", "mem-013"]
    assert {**shown[0], "accessed_count": 0} == ADDED


def test_files_of_others_are_left_alone(ledger, project, write):
    others = {
        "memory/sessions/current.json": b"{",
        "memory/sessions/archive/old.json": b"{",
        "memory/projects/shop/_index.json": b"{",
        "memory/projects/shop/mem_0123456789ab.json": b"{",
        "memory/notes.json": b"{",
    }
    for path, content in others.items():
        (project / path).parent.mkdir(parents=True, exist_ok=True)
        (project / path).write_bytes(content)
    write("Use Zod for validation")
    ledger.scoped.session_start(id="s1", project="shop")
    ledger.scoped.session_end()
    ledger.rebuild()
    for path, content in others.items():
        assert (project / path).read_bytes() == content
    assert ledger.scoped.validate() == ()


def test_an_edit_of_what_changed_meanwhile_keeps_both_texts(ledger, project, edit):
    """The file wins, the other text is kept, and the conflict is listed."""
    first = ledger.scoped.read("project", "shop").entries[0]
    old = (project / PATH).read_text(encoding="utf-8")
    edit(lambda found: found[0].update(content="Use Joi for validation", confidence=0.4))
    ledger.scoped.init()
    assert ledger.show(first.memory).text == "Use Joi for validation"
    # A person had the old file open in an editor all the while.
    (project / PATH).write_text(old.replace("Zod", "Valibot"), encoding="utf-8")
    ledger.scoped.init()
    assert ledger.show(first.memory).text == "Use Valibot for validation"
    members = [{memory.text for memory in one.members} for one in ledger.conflicts()]
    assert {"Use Valibot for validation", "Use Joi for validation"} in members
    numbers = [one.id for one in ledger.scoped.read("project", "shop")]
    assert len(set(numbers)) == len(numbers)


def test_a_rejected_text_that_a_person_writes_again_is_an_entry_again(ledger, edit, entries, write):
    """The verb asks for `--again`; a person's edit of the file is such a request."""
    ledger.scoped.forget("mem-002", scope="project", project="shop", reason="old timetable")
    edit(lambda found: found.append({**ADDED, "content": "Ship on Tuesdays"}))
    read = ledger.scoped.read("project", "shop").entries
    assert contents(read)[-1] == "Ship on Tuesdays"
    assert any("was rejected" in note for note in ledger.scoped.core.notes)
    write("Tests come first")
    assert ("mem-007", "Ship on Tuesdays") in [(one["id"], one["content"]) for one in entries()]
    assert not ledger.conflicts()


def test_an_entry_changed_to_a_rejected_text_stays(ledger, edit, entries, write):
    ledger.scoped.forget("mem-002", scope="project", project="shop", reason="old timetable")
    edit(lambda found: found[1].update(content="Ship on Tuesdays"))
    write("Tests come first")
    assert texts(entries()) == [
        "Use Zod for validation",
        "Ship on Tuesdays",
        "Tests come first",
    ]


@pytest.mark.parametrize("named", ["mem-050", "xyz", "mem-002", None])
def test_an_entry_whose_id_a_person_changes_keeps_its_number(named, ledger, edit, entries, write):
    before = {one.content: one.memory for one in ledger.scoped.read("project", "shop").entries}

    def change(found):
        found[0]["confidence"] = 0.4
        if named is None:
            del found[0]["id"]
        else:
            found[0]["id"] = named

    edit(change)
    read = ledger.scoped.read("project", "shop").entries
    assert {one.content: one.memory for one in read} == before
    if named is not None:
        told = "an entry keeps its number"
        assert any(told in note and named in note for note in ledger.scoped.core.notes)
    write("Tests come first")
    assert [(one["id"], one["content"]) for one in entries()] == [
        ("mem-001", "Use Zod for validation"),
        ("mem-002", "Ship on Tuesdays"),
        ("mem-003", "Reviews need two people"),
        ("mem-004", "Tests come first"),
    ]
    assert entries()[0]["confidence"] == 0.4
    assert not ledger.log(kind=("memory.forgotten",))


def test_ids_that_change_places_change_nothing(ledger, edit, entries, write):
    before = entries()

    def change(found):
        found[0]["id"], found[1]["id"] = found[1]["id"], found[0]["id"]

    edit(change)
    write("Tests come first")
    assert entries()[:3] == before


def test_a_new_entry_may_take_the_id_that_another_gave_up(ledger, edit, entries, write):
    def change(found):
        found[0]["id"] = "mem-050"
        found.append({**ADDED, "id": "mem-001"})

    edit(change)
    write("Tests come first")
    assert {one["id"]: one["content"] for one in entries()} == {
        "mem-001": "Use Zod for validation",
        "mem-002": "Ship on Tuesdays",
        "mem-003": "Reviews need two people",
        "mem-004": "Indent by four blanks",
        "mem-005": "Tests come first",
    }


def test_a_second_entry_with_the_text_of_another_is_reported(ledger, edit, entries, write):
    edit(lambda found: found.append({**ADDED, "content": "Ship on Tuesdays"}))
    for _ in range(2):  # until a write puts the file right
        ledger.scoped.read("project", "shop")
        [note] = [one for one in ledger.scoped.core.notes if "mem-002 has this text" in one]
        assert "mem-007" in note
    write("Tests come first")
    assert len(entries()) == 4


@pytest.mark.requirement("S2-15")
def test_an_invalid_value_leaves_the_last_valid_one_in_force(ledger, write, project, entries):
    write("Use Zod for validation", confidence=0.75, type="preference")
    path = project / PATH
    document = json.loads(path.read_text(encoding="utf-8"))
    document["entries"][0].update(confidence=7)
    path.write_text(json.dumps(document), encoding="utf-8")
    for _ in range(2):
        [one] = ledger.scoped.read("project", "shop")
        assert one.confidence == 0.75
        ledger.scoped.init()
    [shown] = entries()
    assert shown["confidence"] == 7
