"""Files nobody may lose: derived, unreadable, foreign, linked, closed and locked ones."""

from __future__ import annotations

import fcntl
import json
import os

import pytest

from tests.places import local_of
from tests.protocols.edits.conftest import LATER, NEXT
from tests.protocols.edits.scene import FOLDER, Hivemind, Scoped
from varves.errors import Damaged, Refused, UnsafeName

SCOPED, HIVEMIND = Scoped(), Hivemind()
INDEX = f"{FOLDER}/_index.json"
DAMAGE = {
    "bad JSON": lambda _: b"{not json]",
    "half a file": lambda content: content[: len(content) // 2],
    "a wrong encoding": lambda content: content.decode("utf-8").encode("utf-16"),
    "nothing": lambda _: b"",
    "noise": lambda _: bytes(range(256)),
    "a deep nest": lambda _: b"[" * 100_000,
}


def written_with_all(protocol):
    """Return the file that every write to the project changes."""
    return SCOPED.file if protocol.name == "scoped" else INDEX


@pytest.mark.requirement("U-07")
def test_an_edited_derived_file_is_set_aside_and_made_again(project_of):
    here = project_of(HIVEMIND, "One")
    rendered = (here.root / INDEX).read_bytes()
    (here.root / INDEX).write_bytes(rendered.replace(b'"One"', b'"Mine"'))
    edited = (here.root / INDEX).read_bytes()

    ledger = here.at(NEXT)
    before = len(ledger.log())
    ledger.rebuild()

    assert ((here.root / INDEX).read_bytes(), len(ledger.log())) == (rendered, before)
    [note] = ledger.hivemind.core.notes
    [aside] = [word for word in note.split() if word.startswith(".git/varves/local/aside/")]
    assert (here.root / aside).read_bytes() == edited


def test_a_derived_file_that_git_brought_is_made_again_without_a_word(project_of, clone):
    here = project_of(HIVEMIND, "One", commit=True)
    there = clone("there", here)
    HIVEMIND.write(there.at(NEXT), "Two")
    there.git("checkout", "--", INDEX)

    ledger = there.at(LATER)
    ledger.rebuild()

    assert there.read(INDEX)["entry_count"] == 2
    assert ledger.hivemind.core.notes == []


@pytest.mark.full_size(sample=1)
@pytest.mark.product
@pytest.mark.requirement("U-11")
@pytest.mark.parametrize("kind", DAMAGE)
def test_an_unreadable_state_file_is_reported_and_never_overwritten(project_of, protocol, kind):
    here = project_of(protocol, "One", "Two")
    path = here.root / protocol.path_of(here.root, "One")
    path.write_bytes(DAMAGE[kind](path.read_bytes()))
    left = path.read_bytes()

    ledger = here.at(NEXT)
    before = len(ledger.log())
    ledger.rebuild()

    assert (path.read_bytes(), len(ledger.log())) == (left, before)
    [note] = getattr(ledger, protocol.name).core.notes
    assert note.startswith(f"{path.relative_to(here.root)} cannot be read: ")


@pytest.mark.requirement("U-11")
def test_a_verb_that_would_write_an_unreadable_file_is_stopped_before_it_records(project_of):
    here = project_of(SCOPED, "One")
    (here.root / SCOPED.file).write_bytes(b"{")
    ledger = here.at(NEXT)
    before = len(ledger.log())

    with pytest.raises(Damaged, match=SCOPED.file):
        ledger.scoped.write("project", "p", type="pattern", content="More")
    ledger.scoped.write("project", "another", type="pattern", content="Elsewhere")

    assert (here.root / SCOPED.file).read_bytes() == b"{"
    assert len(ledger.log()) == before + 1
    (here.root / SCOPED.file).unlink()
    ledger.scoped.write("project", "p", type="pattern", content="More")
    assert SCOPED.texts(here.root) == ["More", "One"]


@pytest.mark.requirement("U-11")
def test_an_unreadable_record_does_not_stop_the_others(project_of):
    here = project_of(HIVEMIND, "One", "Two")
    path = here.root / HIVEMIND.path_of(here.root, "One")
    path.write_bytes(b"{")
    ledger = here.at(NEXT)

    HIVEMIND.write(ledger, "Three")

    assert path.read_bytes() == b"{"
    path.unlink()
    ledger.rebuild()
    assert HIVEMIND.texts(here.root) == ["One", "Three", "Two"]


@pytest.mark.requirement("U-07")
def test_foreign_files_in_the_folders_are_never_touched(project_of, protocol):
    here = project_of(protocol, "One")
    foreign = {
        f"{FOLDER}/notes.txt": b"mine\n",
        f"{FOLDER}/.hidden.json": b"{",
        "memory/README.md": b"what this is\n",
        "memory/projects/p/deep/er/x.bin": bytes(range(256)),
    }
    for path, content in foreign.items():
        (here.root / path).parent.mkdir(parents=True, exist_ok=True)
        (here.root / path).write_bytes(content)

    ledger = here.at(NEXT)
    protocol.write(ledger, "Two")
    ledger.rebuild()

    assert {path: (here.root / path).read_bytes() for path in foreign} == foreign
    assert protocol.texts(here.root) == ["One", "Two"]


@pytest.mark.requirement("U-09")
@pytest.mark.parametrize("linked", ["memory", "memory/projects", FOLDER, "the file"])
def test_a_link_in_the_place_of_a_file_or_folder_is_refused(project_of, protocol, linked, tmp_path):
    here = project_of(protocol, "One")
    linked = protocol.path_of(here.root, "One") if linked == "the file" else linked
    outside = tmp_path / "outside"
    os.rename(here.root / linked, outside)
    (here.root / linked).symlink_to(outside)
    ledger = here.at(NEXT)
    before = len(ledger.log())

    with pytest.raises(UnsafeName, match="is a link"):
        protocol.write(ledger, "Two")

    assert len(ledger.log()) == before
    if outside.is_file():
        assert b"Two" not in outside.read_bytes()
    else:
        found = [path.read_bytes() for path in outside.rglob("*.json")]
        assert found
        assert not any(b"Two" in content for content in found)


def test_a_link_among_foreign_files_is_left_alone(project_of, protocol, tmp_path):
    here = project_of(protocol, "One")
    (tmp_path / "elsewhere.txt").write_bytes(b"x")
    (here.root / f"{FOLDER}/more.txt").symlink_to(tmp_path / "elsewhere.txt")

    protocol.write(here.at(NEXT), "Two")

    assert protocol.texts(here.root) == ["One", "Two"]


@pytest.mark.full_size(sample=1)
@pytest.mark.requirement("U-08")
@pytest.mark.parametrize("closed", ["file", "folder"])
def test_what_is_read_only_refuses_before_anything_is_recorded(project_of, protocol, closed):
    here = project_of(protocol, "One")
    path = here.root / written_with_all(protocol)
    place = path if closed == "file" else path.parent
    place.chmod(0o444 if closed == "file" else 0o555)
    ledger = here.at(NEXT)
    before = len(ledger.log())

    with pytest.raises(Refused, match="read-only") as refusal:
        protocol.write(ledger, "Two")

    assert (refusal.value.exit, len(ledger.log())) == (3, before)
    place.chmod(0o644 if closed == "file" else 0o755)
    protocol.write(ledger, "Two")
    assert protocol.texts(here.root) == ["One", "Two"]


@pytest.mark.requirement("U-08")
def test_a_file_that_another_program_has_locked_refuses_before_anything_is_recorded(
    project_of, protocol
):
    here = project_of(protocol, "One")
    ledger = here.at(NEXT)
    before = len(ledger.log())
    path = here.root / written_with_all(protocol)
    with open(path, "rb") as held:
        fcntl.flock(held, fcntl.LOCK_EX)
        with pytest.raises(Refused, match="locked by another program"):
            protocol.write(ledger, "Two")
    assert len(ledger.log()) == before


@pytest.mark.requirement("U-08")
def test_a_file_is_replaced_in_one_step_and_no_half_file_is_left(project_of):
    here = project_of(SCOPED, "One")
    with open(here.root / SCOPED.file, "rb") as polling:
        SCOPED.write(here.at(NEXT), "Two")
        assert [one["content"] for one in json.load(polling)["entries"]] == ["One"]

    left = [path.name for path in local_of(here.root).iterdir()]
    assert not [name for name in left if name.startswith(".view")]
    assert sorted(os.listdir(here.root / FOLDER)) == ["memory.json"]


def test_a_read_only_record_refuses_its_own_change_and_no_others(project_of):
    here = project_of(HIVEMIND, "One", "Two")
    path = here.root / HIVEMIND.path_of(here.root, "One")
    path.chmod(0o444)
    HIVEMIND.write(here.at(NEXT), "Three")
    path.chmod(0o644)
    HIVEMIND.change(here.root, "One", text="One, edited")
    path.chmod(0o444)

    ledger = here.at(LATER)
    before = len(ledger.log())
    with pytest.raises(Refused, match=path.name):
        HIVEMIND.write(ledger, "Four")

    assert len(ledger.log()) == before
    assert HIVEMIND.texts(here.root) == ["One, edited", "Three", "Two"]


def test_files_have_the_modes_that_the_umask_gives(project_of, protocol):
    before = os.umask(0o027)
    try:
        here = project_of(protocol, "One")
    finally:
        os.umask(before)

    path = here.root / protocol.path_of(here.root, "One")
    assert (path.stat().st_mode & 0o777, path.parent.stat().st_mode & 0o777) == (0o640, 0o750)


@pytest.mark.requirement("U-15")
def test_what_is_not_the_projects_is_hidden_from_git_with_the_first_file(project_of):
    here = project_of(SCOPED, "One")
    ledger = here.at(NEXT)
    ledger.scoped.write("global", type="preference", content="Likes tabs", confidence=0.95)
    here.close()

    assert (here.root / "memory/global/.gitignore").read_bytes().endswith(b"\n*\n")
    assert "memory/global" not in here.git("status", "--porcelain", "--untracked-files=all")
    assert not (here.root / "memory/sessions").exists()


def test_a_person_who_saves_while_a_verb_runs_loses_nothing(project_of):
    here = project_of(SCOPED, "One", "Two")
    ledger = here.at(NEXT)
    core, codec = ledger.scoped.core, ledger.scoped.codec

    def during():
        ledger.scoped.write("project", "p", type="pattern", content="Three")
        SCOPED.change(here.root, "One", text="One, just now")

    core.during(codec, during, writes=True)
    assert SCOPED.texts(here.root) == ["One, just now", "Two"]
    assert core.notes == [
        f"{SCOPED.file} was changed in the meantime; the next verb adopts the change"
    ]

    SCOPED.write(ledger, "Four")
    assert SCOPED.texts(here.root) == ["Four", "One, just now", "Three", "Two"]
