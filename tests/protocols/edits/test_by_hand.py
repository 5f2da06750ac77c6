"""What a person does to a state file, uncommitted, becomes so."""

from __future__ import annotations

import json
import shutil

import pytest

from tests.places import forget_local
from tests.protocols.edits.conftest import LATER, NEXT
from tests.protocols.edits.scene import Hivemind, Scoped, kinds

SCOPED, HIVEMIND = Scoped(), Hivemind()


@pytest.mark.requirement("U-07")
def test_a_changed_record_is_revised_in_the_persons_name(project_of, protocol):
    here = project_of(protocol, "Use Zod", "Use make")
    protocol.change(here.root, "Use Zod", text="Use Zod four")

    ledger = here.at(NEXT, actor="ARCH-001")
    protocol.write(ledger, "Deploy on Fridays")

    [revised] = [event for event in ledger.log() if event.kind == "memory.revised"]
    assert (revised.actor, revised.origin, revised.trust) == ("USER", "direct", 3)
    assert protocol.texts(here.root) == ["Deploy on Fridays", "Use Zod four", "Use make"]
    assert sorted(one.text for one in ledger.list()) == protocol.texts(here.root)
    protocol.write(ledger, "And never on Mondays")
    assert kinds(ledger).count("memory.revised") == 1


@pytest.mark.full_size(sample=1)
@pytest.mark.requirement("U-07")
def test_an_edit_comes_after_what_it_changes_also_by_a_clock_that_is_late(
    project_of, clone, protocol
):
    first = project_of(protocol, "Use Zod")
    protocol.change(first.root, "Use Zod", text="Use Zod three")
    first.at(NEXT).rebuild()
    first.commit("three")
    here = clone("late", first)
    protocol.change(here.root, "Use Zod three", text="Use Zod four")

    ledger = here.at("2026-11-15T07:00:00Z")
    ledger.rebuild()

    assert protocol.texts(here.root) == ["Use Zod four"]
    assert [one.text for one in ledger.list()] == ["Use Zod four"]


@pytest.mark.requirement("U-07")
def test_an_added_record_is_recorded(project_of, protocol):
    here = project_of(protocol, "Use make")
    protocol.add(here.root, "Written with an editor")

    ledger = here.at(NEXT)
    protocol.write(ledger, "Written with a verb")

    [added] = [one for one in ledger.list() if one.text == "Written with an editor"]
    assert (added.created_at[:10], added.origin, added.scope) == (
        "2026-11-02",
        "direct",
        "project:p",
    )
    assert protocol.texts(here.root) == [
        "Use make",
        "Written with a verb",
        "Written with an editor",
    ]


@pytest.mark.requirement("U-07")
def test_a_read_verb_answers_with_the_edit_says_so_and_writes_nothing(
    project_of, protocol, varves, tmp_path
):
    here = project_of(protocol, "Use Zod")
    path = protocol.change(here.root, "Use Zod", text="Use Valibot")
    edited = (here.root / path).read_bytes()
    before = here.at(NEXT).log()
    here.close()

    asked = ("search", "--query", "valibot") if protocol.name == "scoped" else ("search", "valibot")
    home = {"VARVES_HOME": str(here.home)}
    answer = varves(protocol.name, *asked, "--project", "p", env=home)

    assert (answer.code, "Use Valibot" in answer.out) == (0, True), answer
    [line] = answer.err.splitlines()
    assert line.startswith(f"varves: {path}: 1 hand edit; the next write records it: changed mem")
    assert (here.root / path).read_bytes() == edited
    assert [one.id for one in here.at(LATER).log()] == [one.id for one in before]


@pytest.mark.requirement("U-07")
def test_a_removed_record_is_forgotten_and_can_be_restored(project_of):
    here = project_of(SCOPED, "One", "Two", "Three")
    SCOPED.take_out(here.root, "Two")

    ledger = here.at(NEXT)
    SCOPED.write(ledger, "Four")

    [gone] = ledger.list(status="forgotten")
    assert (gone.text, gone.reason) == ("Two", "removed by hand")
    assert SCOPED.texts(here.root) == ["Four", "One", "Three"]
    ledger.scoped.restore("mem-002", scope="project", project="p")
    assert SCOPED.texts(here.root) == ["Four", "One", "Three", "Two"]


@pytest.mark.requirement("U-07")
def test_five_records_may_vanish_and_six_are_put_back_and_reported(project_of):
    texts = [f"Number {n}" for n in range(12)]
    here = project_of(SCOPED, *texts)
    SCOPED.take_out(here.root, *texts[:5])
    ledger = here.at(NEXT)
    SCOPED.write(ledger, "More")
    assert len(ledger.list(status="forgotten")) == 5

    SCOPED.take_out(here.root, *texts[5:11])
    ledger = here.at(LATER)
    SCOPED.write(ledger, "A word about zebras")

    assert len(ledger.list(status="forgotten")) == 5
    assert SCOPED.texts(here.root) == sorted([*texts[5:], "More", "A word about zebras"])
    assert ledger.scoped.core.notes == [
        "put 6 records back in memory/projects/p/memory.json: more than 5 disappeared at once"
    ]


def test_what_vanishes_is_counted_by_what_the_log_holds_not_by_a_shorter_version(project_of):
    """A regression: an emptied young file is nearest to a version that held one or two."""
    here = project_of(SCOPED, *(f"Rule number {n}" for n in range(7)))
    SCOPED.take_out(here.root, *(f"Rule number {n}" for n in range(7)))

    ledger = here.at(NEXT)
    ledger.scoped.session_start(project="p")

    assert len(SCOPED.texts(here.root)) == 7
    assert ledger.list(status="forgotten") == ()


@pytest.mark.requirement("U-07")
def test_without_bookkeeping_nothing_is_forgotten(project_of):
    here = project_of(SCOPED, "One", "Two", commit=True)
    forget_local(here.root)
    SCOPED.take_out(here.root, "Two")

    ledger = here.at(NEXT)
    SCOPED.write(ledger, "Three")

    assert ledger.list(status="forgotten") == ()
    assert SCOPED.texts(here.root) == ["One", "Three", "Two"]
    [note] = ledger.scoped.core.notes
    assert note.startswith("put 1 record back in memory/projects/p/memory.json:")


@pytest.mark.requirement("U-07")
def test_deleting_local_alone_changes_nothing(project_of, protocol):
    here = project_of(protocol, "One", "Two")
    before, log = here.files(), here.at(NEXT).log()
    here.close()
    forget_local(here.root)

    ledger = here.at(NEXT)
    ledger.rebuild()

    assert here.files() == before
    assert [event.id for event in ledger.log()] == [event.id for event in log]


@pytest.mark.requirement("U-07")
def test_a_missing_file_or_folder_is_rendered_again(project_of, protocol):
    here = project_of(protocol, "One", "Two")
    before = here.files()
    shutil.rmtree(here.root / "memory")

    ledger = here.at(NEXT)
    log = len(ledger.log())
    ledger.rebuild()
    assert here.files() == before

    (here.root / protocol.path_of(here.root, "One")).unlink()
    protocol.write(ledger, "Three")
    assert protocol.texts(here.root) == ["One", "Three", "Two"]
    assert (len(ledger.log()), ledger.list(status="forgotten")) == (log + 1, ())


@pytest.mark.requirement("U-07")
def test_a_critical_record_follows_the_person_too(project_of):
    here = project_of(HIVEMIND)
    ledger = here.at(NEXT)
    HIVEMIND.write(ledger, "Never store passwords", priority="critical")
    here.close()
    HIVEMIND.change(here.root, "Never store passwords", text="Never store tokens")

    HIVEMIND.write(here.at(LATER), "Another")

    assert HIVEMIND.texts(here.root) == ["Another", "Never store tokens"]


@pytest.mark.requirement("U-07")
def test_where_both_sides_changed_the_file_wins_and_the_other_version_is_kept(project_of, protocol):
    here = project_of(protocol, "Use Zod", "Use make")
    ledger = here.at(NEXT)
    name = next(one.id for one in ledger.list() if one.text == "Use Zod")
    before = here.files()
    protocol.change(here.root, "Use Zod", text="Use Yup")
    protocol.write(ledger, "The log has moved on")
    for path, content in before.items():  # an editor that had the file open
        (here.root / path).write_bytes(content)
    protocol.change(here.root, "Use Zod", text="Use Valibot")

    ledger = here.at(LATER)
    protocol.write(ledger, "And on")

    assert ledger.show(name).text == "Use Valibot"
    [conflict] = [one for one in ledger.conflicts() if name in {m.id for m in one.members}]
    assert {one.text for one in conflict.members} == {"Use Valibot", "Use Yup"}
    assert "Use Valibot" in protocol.texts(here.root)


@pytest.mark.requirement("U-07")
def test_an_editor_that_opened_an_older_version_takes_nothing_away(project_of):
    """The file proves the older version: one of its records has been changed since."""
    here = project_of(SCOPED, "One", "Two")
    opened = (here.root / SCOPED.file).read_bytes()
    SCOPED.change(here.root, "Two", text="Two, better")
    ledger = here.at(NEXT)
    for text in ("Three", "Four"):
        SCOPED.write(ledger, text)
    (here.root / SCOPED.file).write_bytes(opened)
    SCOPED.change(here.root, "One", text="One, edited")

    ledger = here.at(LATER)
    SCOPED.write(ledger, "Five")

    assert SCOPED.texts(here.root) == ["Five", "Four", "One, edited", "Three", "Two, better"]
    assert ledger.list(status="forgotten") == ()


@pytest.mark.requirement("U-07")
def test_two_people_who_changed_different_parts_both_have_their_way(project_of):
    here = project_of(SCOPED, "Use Zod")
    opened = (here.root / SCOPED.file).read_bytes()
    SCOPED.change(here.root, "Use Zod", type="decision")
    ledger = here.at(NEXT)
    SCOPED.write(ledger, "More")
    (here.root / SCOPED.file).write_bytes(opened)
    SCOPED.change(here.root, "Use Zod", text="Use Zod four")

    ledger = here.at(LATER)
    SCOPED.write(ledger, "A word about zebras")

    [found] = [one for one in ledger.list() if one.text == "Use Zod four"]
    assert (found.type, ledger.conflicts()) == ("decision", ())


def test_other_spaces_and_order_are_no_edit(project_of, protocol):
    here = project_of(protocol, "One")
    path = protocol.path_of(here.root, "One")
    rendered = (here.root / path).read_bytes()
    (here.root / path).write_text(
        json.dumps(json.loads(rendered), separators=(",", ":")), encoding="utf-8"
    )

    ledger = here.at(NEXT)
    log = len(ledger.log())
    ledger.rebuild()

    assert ((here.root / path).read_bytes(), len(ledger.log())) == (rendered, log)


@pytest.mark.requirement("U-12")
def test_keys_that_nobody_knows_survive_the_round_trip(project_of, protocol):
    here = project_of(protocol, "One")
    odd = {"x-team": {"deep": [1, {"ü": None}]}, "note": "mine"}
    path = protocol.change(here.root, "One", **odd)

    ledger = here.at(NEXT)
    protocol.write(ledger, "Two")
    ledger.rebuild()

    document = here.read(path)
    shown = document["entries"][0] if protocol.name == "scoped" else document
    assert {key: shown[key] for key in odd} == odd


@pytest.mark.full_size(sample=1)
def test_what_is_edited_twice_within_one_tick_is_seen_twice(project_of, protocol):
    here = project_of(protocol, "Port 1111")
    ledger = here.at(NEXT)
    for number in range(2, 9):
        old, text = f"Port {str(number - 1) * 4}", f"Port {str(number) * 4}"
        path = here.root / protocol.path_of(here.root, old)
        path.write_bytes(path.read_bytes().replace(old.encode(), text.encode()))
        ledger.rebuild()
        assert [one.text for one in ledger.list()] == [text]


def test_a_time_that_no_record_can_have_is_shown_as_found(project_of):
    """A regression: in UTC it was in the year 0, and every ranking failed from then on."""
    here = project_of(SCOPED, "Use Zod")
    [path] = here.root.glob("memory/projects/*/memory.json")
    document = json.loads(path.read_text(encoding="utf-8"))
    document["entries"][0]["created_at"] = written = "0001-01-01T00:00:00+14:00"
    path.write_text(json.dumps(document), encoding="utf-8")

    ledger = here.at(NEXT)
    SCOPED.write(ledger, "Deploy on Fridays")

    assert [one.content for one in ledger.scoped.rank()] == ["Deploy on Fridays", "Use Zod"]
    shown = json.loads(path.read_text(encoding="utf-8"))["entries"]
    assert [one["created_at"] for one in shown] == [written, NEXT]
