"""A file that says what an earlier version of it said: brought by git, or a person's will."""

from __future__ import annotations

import json
import sqlite3

import pytest

from tests.places import local_of
from tests.protocols.edits.conftest import LATER, NEXT
from tests.protocols.edits.scene import Hivemind, Scoped, kinds

SCOPED, HIVEMIND = Scoped(), Hivemind()


def in_place(path, content):
    path.write_bytes(content)


def renamed(path, content):
    """Save as many editors do: beside it, then in its place."""
    beside = path.with_suffix(".swp")
    beside.write_bytes(content)
    beside.replace(path)


def written_anew(path, content):
    """Save as a script does, in a form of its own."""
    path.write_text(json.dumps(json.loads(content), indent=4), encoding="utf-8")


def two_versions(project_of, *, commit):
    """Give a project with two records, and its file with the first alone."""
    here = project_of(SCOPED, "First", commit=commit in ("first", "both"))
    path = here.root / SCOPED.file
    first = path.read_bytes()
    SCOPED.write(here.at(NEXT), "Second")
    here.close()
    if commit == "both":
        here.commit("second")
    return here, path, first


@pytest.mark.full_size(sample=1)
@pytest.mark.product
@pytest.mark.requirement("U-07")
@pytest.mark.parametrize("save", [in_place, renamed, written_anew])
@pytest.mark.parametrize("commit", ["none", "first", "both"])
def test_the_newest_record_taken_out_by_hand_is_forgotten(project_of, varves, commit, save):
    here, path, first = two_versions(project_of, commit=commit)
    save(path, first)

    read = varves("scoped", "read", "project", "p", cwd=here.root)
    assert "Second" not in read.out
    said = f"varves: {SCOPED.file}: 1 hand edit; the next write records it: removed mem-002"
    ledger = here.at(LATER)
    SCOPED.write(ledger, "Third")

    [gone] = ledger.list(status="forgotten")
    assert read.err == f"{said} ({gone.id})\n"
    what = f"adopted 1 edit of {SCOPED.file}: removed mem-002 ({gone.id})"
    assert what in ledger.scoped.core.notes
    assert (gone.text, gone.reason) == ("Second", "removed by hand")
    assert SCOPED.texts(here.root) == ["First", "Third"]
    ledger.restore(gone.id)
    ledger.rebuild()
    assert SCOPED.texts(here.root) == ["First", "Second", "Third"]


@pytest.mark.requirement("U-07")
def test_without_git_it_is_forgotten_too(varves, tmp_path):
    root = tmp_path / "plain"
    root.mkdir()
    write = ("scoped", "write", "project", "p", "--type", "pattern", "--content")
    for text in ("First", "Second"):
        varves(*write, text, cwd=root)
        if text == "First":
            first = (root / SCOPED.file).read_bytes()
    in_place(root / SCOPED.file, first)
    varves(*write, "Third", cwd=root)
    assert SCOPED.texts(root) == ["First", "Third"]


@pytest.mark.full_size(sample=1)
@pytest.mark.requirement("U-07")
@pytest.mark.parametrize(
    "words",
    [
        ("checkout", "--", "memory"),
        ("restore", "--source", "HEAD", "--staged", "--worktree", "--", "memory"),
        ("stash",),
        ("reset", "--hard"),
    ],
    ids=" ".join,
)
def test_what_git_brought_is_put_back_and_said(project_of, varves, words):
    here, _, _ = two_versions(project_of, commit="first")
    here.git(*words)

    why = "git restored an earlier version; varves forget ID removes a record"
    read = varves("scoped", "read", "project", "p", cwd=here.root)
    assert "Second" in read.out
    assert (
        read.err == f"varves: {SCOPED.file}: 1 record missing; the next write puts it back: {why}\n"
    )
    done = varves("rebuild", cwd=here.root)
    assert f"put 1 record back in {SCOPED.file}: {why}" in done.err
    assert SCOPED.texts(here.root) == ["First", "Second"]
    assert varves("rebuild", cwd=here.root).err == ""


@pytest.mark.requirement("U-07")
def test_an_earlier_commit_checked_out_is_no_edit_of_a_clone_either(project_of, clone):
    here, _, _ = two_versions(project_of, commit="both")
    there = clone("there", here)
    there.at(LATER).rebuild()
    there.git("checkout", "HEAD~1", "--", "memory")
    ledger = there.at(LATER)
    ledger.rebuild()
    assert ledger.list(status="forgotten") == ()
    assert SCOPED.texts(there.root) == ["First", "Second"]


@pytest.mark.requirement("U-07")
def test_in_a_clone_the_newest_record_can_be_taken_out_by_hand_too(project_of, clone):
    here, _, first = two_versions(project_of, commit="both")
    there = clone("there", here)
    there.at(LATER).rebuild()
    in_place(there.root / SCOPED.file, first)
    ledger = there.at(LATER)
    ledger.rebuild()
    assert [one.text for one in ledger.list(status="forgotten")] == ["Second"]


@pytest.mark.full_size(sample=1)
@pytest.mark.requirement("U-07")
def test_what_is_changed_back_by_hand_is_changed(project_of, protocol):
    here = project_of(protocol, "First wording", commit=True)
    path = here.root / protocol.path_of(here.root, "First wording")
    first = path.read_bytes()
    protocol.change(here.root, "First wording", text="Second wording")
    here.at(NEXT).rebuild()
    here.close()
    assert protocol.texts(here.root) == ["Second wording"]

    in_place(path, first)
    ledger = here.at(LATER)
    ledger.rebuild()

    assert protocol.texts(here.root) == ["First wording"]
    assert [one.text for one in ledger.list()] == ["First wording"]


@pytest.mark.requirement("U-07")
def test_a_call_that_was_killed_before_it_noted_its_rendering_has_edited_nothing(project_of):
    """Its file is newer than what is noted as the newest; and the log has gone on since."""
    here, path, first = two_versions(project_of, commit="none")
    second = path.read_bytes()
    SCOPED.write(here.at(LATER), "Third")
    here.close()
    in_place(path, second)
    with sqlite3.connect(local_of(here.root) / "state.sqlite") as views:
        oldest = views.execute("select digest from rendered order by n limit 1").fetchone()
        views.execute("update file set latest = ? where path = ?", (*oldest, SCOPED.file))
    views.close()
    ledger = here.at(LATER)
    ledger.rebuild()
    assert ledger.list(status="forgotten") == ()
    assert SCOPED.texts(here.root) == ["First", "Second", "Third"]
    assert first != second


@pytest.mark.requirement("U-07")
def test_where_locks_do_not_hold_an_earlier_rendering_is_another_process(project_of):
    here, path, first = two_versions(project_of, commit="none")
    (here.root / ".varves/local/no-locks").touch()
    in_place(path, first)
    ledger = here.at(LATER)
    ledger.rebuild()
    assert ledger.list(status="forgotten") == ()


@pytest.mark.requirement("U-07")
def test_more_than_a_few_at_once_are_put_back(project_of):
    here = project_of(SCOPED, "First")
    first = (here.root / SCOPED.file).read_bytes()
    ledger = here.at(NEXT)
    for number in range(6):
        SCOPED.write(ledger, f"More {number}")
    in_place(here.root / SCOPED.file, first)
    ledger.rebuild()
    assert ledger.list(status="forgotten") == ()
    assert len(SCOPED.texts(here.root)) == 7
    assert "memory.forgotten" not in kinds(ledger)


def cut(path, keep, **changes):
    """Leave the first entries of a file alone in it, the first of them changed."""
    document = json.loads(path.read_text(encoding="utf-8"))
    del document["entries"][keep:]
    for entry in document["entries"][:1]:
        entry.update(changes)
    path.write_text(json.dumps(document, indent=2) + "\n", encoding="utf-8")


@pytest.mark.full_size(sample=1)
@pytest.mark.requirement("U-07")
@pytest.mark.parametrize(
    ("keep", "changes", "left"),
    [
        (1, {}, ["First"]),
        (0, {}, []),
        (1, {"content": "Changed"}, ["Changed"]),
    ],
    ids=["newest", "all", "newest-and-a-change"],
)
def test_a_reading_between_two_writes_hides_no_removal(project_of, varves, keep, changes, left):
    here = project_of(SCOPED, "First")
    here.at(NEXT).scoped.read("project", "p")
    SCOPED.write(here.at(NEXT), "Second")
    here.close()
    path = here.root / SCOPED.file
    assert json.loads(path.read_text(encoding="utf-8"))["entries"][0]["accessed_count"] == 1
    cut(path, keep, **changes)

    assert "missing" not in varves("status", cwd=here.root).out
    here.at(LATER).rebuild()

    assert SCOPED.texts(here.root) == left


@pytest.mark.requirement("U-07")
def test_two_entries_taken_out_at_once_are_both_forgotten(project_of):
    here, path, _ = two_versions(project_of, commit="none")
    cut(path, 0)
    ledger = here.at(LATER)
    ledger.rebuild()
    assert SCOPED.texts(here.root) == []
    assert sorted(one.text for one in ledger.list(status="forgotten")) == ["First", "Second"]


def edited(change, content):
    """Return a file's bytes after a person changed its list of entries."""
    document = json.loads(content)
    change(document["entries"])
    return (json.dumps(document, indent=2, ensure_ascii=False) + "\n").encode()


def newest_out_and_oldest_changed(entries):
    del entries[-1]
    entries[0]["content"] = "Changed"


def newest_replaced(entries):
    entries[-1] = {**entries[-1], "id": "mem-009", "content": "Replaced"}


def newest_out_and_one_added(entries):
    del entries[-1]
    entries.append({"type": "pattern", "content": "Added"})


@pytest.mark.full_size(sample=1)
@pytest.mark.requirement("U-07")
@pytest.mark.parametrize(
    ("change", "left"),
    [
        (newest_out_and_oldest_changed, ["Changed"]),
        (newest_replaced, ["First", "Replaced"]),
        (newest_out_and_one_added, ["Added", "First"]),
    ],
    ids=["changed", "replaced", "added"],
)
@pytest.mark.parametrize("commit", ["none", "first", "both"])
def test_what_was_taken_out_by_hand_stays_out_beside_other_edits(
    project_of, varves, commit, change, left
):
    here, path, _ = two_versions(project_of, commit=commit)
    in_place(path, edited(change, path.read_bytes()))
    read = varves("scoped", "read", "project", "p", cwd=here.root)
    assert "Second" not in read.out
    done = varves("rebuild", cwd=here.root)
    assert "put" not in done.err
    assert SCOPED.texts(here.root) == left


@pytest.mark.requirement("U-07")
@pytest.mark.parametrize("way", ["branches", "status", "add"])
def test_it_stays_out_where_git_wrote_the_same_version_or_only_looked(project_of, way):
    here, path, _ = two_versions(project_of, commit="both")
    if way == "branches":
        here.git("checkout", "-q", "-b", "other", "HEAD~1")
        here.git("checkout", "-q", "-")
    in_place(path, edited(newest_out_and_oldest_changed, path.read_bytes()))
    if way != "branches":
        here.git(way, *(["-A"] if way == "add" else []))
    here.at(LATER).rebuild()
    assert SCOPED.texts(here.root) == ["Changed"]


@pytest.mark.requirement("U-07")
@pytest.mark.parametrize(
    ("commit", "words"),
    [
        ("both", ("checkout", "HEAD~1", "--", "memory")),
        ("first", ("checkout", "--", "memory")),
        ("first", ("stash",)),
    ],
    ids=lambda one: one if isinstance(one, str) else " ".join(one),
)
@pytest.mark.parametrize("read", [False, True], ids=["unread", "read"])
def test_an_edit_of_a_version_that_git_restored_takes_nothing_out(
    project_of, varves, commit, words, read
):
    here, path, first = two_versions(project_of, commit=commit)
    here.git(*words)
    assert path.read_bytes() == first
    in_place(path, first.replace(b"First", b"Changed"))
    if read:
        assert "Second" in varves("scoped", "read", "project", "p", cwd=here.root).out
    done = varves("rebuild", cwd=here.root)
    assert "put 1 record back" in done.err
    assert "varves forget ID removes a record" in done.err
    assert SCOPED.texts(here.root) == ["Changed", "Second"]
