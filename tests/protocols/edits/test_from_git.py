"""What git does to the files is no edit; what somebody committed is its author's."""

from __future__ import annotations

import json
import shutil

import pytest

from tests.protocols.edits.conftest import LATER, NEXT
from tests.protocols.edits.scene import FOLDER, Scoped, kinds

SCOPED = Scoped()


def with_work(project_of, protocol):
    """Give a project with a commit, and a record that is not committed."""
    here = project_of(protocol, "Committed", commit=True)
    protocol.write(here.at(NEXT), "At work")
    here.close()
    return here


@pytest.mark.full_size(sample=1)
@pytest.mark.product
@pytest.mark.requirement("U-07")
@pytest.mark.parametrize(
    "words",
    [
        ("stash",),
        ("checkout", "--", "."),
        ("reset", "--hard"),
        ("checkout", "--", "memory"),
        ("stash", "--include-untracked"),
    ],
    ids=" ".join,
)
def test_what_git_puts_back_is_no_edit(project_of, protocol, words):
    here = with_work(project_of, protocol)
    here.git("add", "--intent-to-add", ".")
    here.git("reset")
    here.git(*words)

    ledger = here.at(LATER)
    before = len(ledger.log())
    ledger.rebuild()

    assert len(ledger.log()) == before
    assert ledger.list(status="forgotten") == ()
    assert protocol.texts(here.root) == sorted(one.text for one in ledger.list())


@pytest.mark.full_size(sample=1)
@pytest.mark.requirement("U-07")
def test_an_older_version_is_no_edit_also_where_nothing_was_rendered_yet(
    project_of, clone, protocol
):
    here = project_of(protocol, "First", commit=True)
    path = protocol.path_of(here.root, "First")
    protocol.change(here.root, "First", text="Second")
    protocol.write(here.at(NEXT), "More")
    here.commit("second")
    there = clone("there", here)
    there.git("checkout", "HEAD~1", "--", path)

    ledger = there.at(LATER)
    before = len(ledger.log())
    ledger.rebuild()

    assert len(ledger.log()) == before
    assert protocol.texts(there.root) == ["More", "Second"]


@pytest.mark.full_size(sample=1)
@pytest.mark.requirement("U-07")
def test_a_pull_is_no_edit(project_of, clone, protocol):
    here = project_of(protocol, "First", commit=True)
    there = clone("there", here)
    there.at(NEXT).rebuild()
    protocol.write(here.at(NEXT), "Second")
    here.commit("second")
    there.git("pull", "--quiet", "--no-edit")

    ledger = there.at(LATER)
    before = len(ledger.log())
    ledger.rebuild()

    assert (len(ledger.log()), there.git("status", "--porcelain")) == (before, "")
    assert protocol.texts(there.root) == ["First", "Second"]


@pytest.mark.full_size(sample=1)
@pytest.mark.requirement("U-02")
def test_what_came_with_the_log_alone_is_rendered_with_the_next_write(project_of, clone, protocol):
    here = project_of(protocol, "First", commit=True)
    there = clone("there", here)
    there.at(NEXT).rebuild()
    protocol.write(here.at(NEXT), "Second")
    here.git("add", ".varves")
    here.git("commit", "--quiet", "--message", "the log alone")
    there.git("pull", "--quiet", "--no-edit")

    protocol.write(there.at(LATER), "Third")

    assert protocol.texts(there.root) == ["First", "Second", "Third"]


def by_another(here, protocol):
    """Commit an edit of a file as somebody else, who has no ledger."""
    path = protocol.change(here.root, "Use Zod", text="Use Valibot")
    here.git("add", path)
    here.git("commit", "--quiet", "--message", "edit", "--author", "Grace H <grace@example.org>")
    return path


@pytest.mark.full_size(sample=1)
@pytest.mark.requirement("U-07")
def test_a_committed_edit_is_its_authors_and_comes_from_the_repository(project_of, protocol):
    here = project_of(protocol, "Use Zod", "Use make", commit=True)
    path = by_another(here, protocol)

    ledger = here.at(NEXT)
    protocol.write(ledger, "More")

    [revised] = [event for event in ledger.log() if event.kind == "memory.revised"]
    assert (revised.actor, revised.origin, revised.trust) == ("Grace H", "repo", 2)
    assert protocol.texts(here.root) == ["More", "Use Valibot", "Use make"]
    notes = getattr(ledger, protocol.name).core.notes
    assert any(one.startswith(f"adopted 1 edit of {path}: changed mem") for one in notes)


@pytest.mark.full_size(sample=1)
@pytest.mark.requirement("U-07")
def test_a_committed_edit_is_adopted_once_and_never_again(project_of, protocol):
    here = project_of(protocol, "Use Zod", commit=True)
    path = by_another(here, protocol)
    ledger = here.at(NEXT)
    protocol.write(ledger, "More")
    protocol.change(here.root, "Use Valibot", text="Use Yup after all")
    protocol.write(ledger, "And more")
    before = kinds(ledger)

    here.git("checkout", "--", path)
    ledger = here.at(LATER)
    ledger.rebuild()

    assert kinds(ledger) == before
    assert "Use Yup after all" in protocol.texts(here.root)


@pytest.mark.requirement("U-07")
def test_what_a_commit_takes_out_is_put_back_and_reported(project_of):
    here = project_of(SCOPED, "One", "Two", commit=True)
    SCOPED.take_out(here.root, "One")  # without the other it is as it was rendered before
    here.commit("tidy up")

    ledger = here.at(NEXT)
    SCOPED.write(ledger, "Three")

    assert SCOPED.texts(here.root) == ["One", "Three", "Two"]
    assert ledger.list(status="forgotten") == ()
    [note] = ledger.scoped.core.notes
    assert note.startswith(f"put 1 record back in {SCOPED.file}")


@pytest.mark.requirement("U-07")
def test_an_edit_on_top_of_a_committed_one_leaves_each_with_its_author(project_of):
    here = project_of(SCOPED, "Use Zod", "Use make", commit=True)
    by_another(here, SCOPED)
    SCOPED.change(here.root, "Use make", text="Use just")

    ledger = here.at(NEXT)
    SCOPED.write(ledger, "More")

    revised = [event for event in ledger.log() if event.kind == "memory.revised"]
    assert [(event.actor, event.origin) for event in revised] == [
        ("Grace H", "repo"),
        ("USER", "direct"),
    ]
    assert SCOPED.texts(here.root) == ["More", "Use Valibot", "Use just"]


@pytest.mark.full_size(sample=1)
@pytest.mark.requirement("U-07")
def test_a_commit_goes_around_no_trust_rule(project_of, protocol):
    here = project_of(protocol, "Use Zod", commit=True)
    settings = here.root / ".varves/settings.toml"
    settings.write_text("strict = true\n", encoding="utf-8")
    assert [one.text for one in here.at(NEXT).list()] == ["Use Zod"]
    here.close()
    by_another(here, protocol)

    ledger = here.at(NEXT)
    ledger.rebuild()

    assert [one.text for one in ledger.list()] == ["Use Zod"]
    assert protocol.texts(here.root) == ["Use Zod"]


def diverged(project_of, clone, protocol):
    """Give two clones in which different people committed an edit of one record by hand."""
    ours = project_of(protocol, "Use Zod", "Use make", commit=True)
    theirs = clone("theirs", ours)
    for side, text, name in ((ours, "Use Yup", "Our Person"), (theirs, "Use Joi", "Their Person")):
        path = protocol.change(side.root, "Use Zod", text=text)
        side.git("add", path)
        side.git("commit", "--quiet", "--message", "edit", "--author", f"{name} <a@example.org>")
    ours.without_driver()
    ours.git("pull", "--quiet", "--no-rebase", "--no-edit", theirs.root, "main", check=False)
    assert b"<<<<<<<" in (ours.root / path).read_bytes()
    return ours, path


@pytest.mark.full_size(sample=1)
@pytest.mark.product
@pytest.mark.requirement("U-07")
@pytest.mark.parametrize("staged", [False, True], ids=["unmerged", "added with its marks"])
def test_both_sides_of_a_conflict_are_adopted(project_of, clone, protocol, staged):
    ours, path = diverged(project_of, clone, protocol)
    if staged:
        ours.git("add", path)
        ours.git("commit", "--quiet", "--message", "merged somehow")

    ledger = ours.at(LATER)
    ledger.rebuild()

    assert b"<<<<<<<" not in (ours.root / path).read_bytes()
    said = {one.text for conflict in ledger.conflicts() for one in conflict.members}
    assert {"Use Yup", "Use Joi"} <= said
    assert len(ledger.conflicts()) == 1
    assert "Use make" in protocol.texts(ours.root)
    authors = {event.actor for event in ledger.log() if event.kind == "memory.revised"}
    assert {"Our Person", "Their Person"} <= authors
    before = len(ledger.log())
    ledger.rebuild()
    assert len(ledger.log()) == before


@pytest.mark.requirement("U-07")
def test_a_file_that_git_merged_into_no_json_is_remade_from_both_sides(project_of, clone):
    ours = project_of(SCOPED, "Use Zod", commit=True)
    theirs = clone("theirs", ours)
    for side, text in ((ours, "On our side"), (theirs, "On their side")):
        SCOPED.write(side.at(NEXT), text)
        side.commit(text)
    ours.without_driver()
    ours.git("pull", "--quiet", "--no-rebase", "--no-edit", theirs.root, "main", check=False)
    broken = (ours.root / SCOPED.file).read_text(encoding="utf-8")
    lines = [line for line in broken.splitlines() if not line.startswith(("<<<", "===", ">>>"))]
    (ours.root / SCOPED.file).write_text("\n".join(lines[:-3]), encoding="utf-8")
    ours.git("add", ".")
    ours.git("commit", "--quiet", "--message", "merged badly")

    ours.at(LATER).rebuild()

    assert SCOPED.texts(ours.root) == ["On our side", "On their side", "Use Zod"]


@pytest.mark.requirement("U-07")
def test_a_conflict_with_stashed_work_keeps_both(project_of):
    here = project_of(SCOPED, "Use Zod", commit=True)
    SCOPED.change(here.root, "Use Zod", text="Use Joi")
    here.git("stash")
    SCOPED.change(here.root, "Use Zod", text="Use Yup")
    SCOPED.write(here.at(NEXT), "More")
    here.commit("yup")
    here.without_driver()
    here.git("stash", "pop", check=False)
    assert b"<<<<<<<" in (here.root / SCOPED.file).read_bytes()

    ledger = here.at(LATER)
    ledger.rebuild()

    assert SCOPED.texts(here.root)[0] == "More"
    said = {one.text for conflict in ledger.conflicts() for one in conflict.members}
    assert said == {"Use Yup", "Use Joi"}
    revised = [event for event in ledger.log() if event.kind == "memory.revised"]
    assert {(event.actor, event.origin) for event in revised} == {("USER", "direct")}


@pytest.mark.full_size(sample=1)
def test_an_older_version_with_other_line_ends_is_no_edit(project_of, clone, protocol):
    here = project_of(protocol, "First", commit=True)
    path = protocol.path_of(here.root, "First")
    older = (here.root / path).read_bytes()
    protocol.change(here.root, "First", text="Second")
    protocol.write(here.at(NEXT), "More")
    here.commit("second")
    there = clone("there", here)
    (there.root / path).write_bytes(older.replace(b"\n", b"\r\n"))

    ledger = there.at(LATER)
    before = len(ledger.log())
    ledger.rebuild()

    assert (protocol.texts(there.root), len(ledger.log())) == (["More", "Second"], before)


@pytest.mark.requirement("U-07")
def test_marks_that_git_knows_nothing_of_are_two_edits(project_of, protocol):
    here = project_of(protocol, "Use Zod", "Use make")
    shutil.rmtree(here.root / ".git")
    path = here.root / protocol.path_of(here.root, "Use Zod")
    lines = []
    for line in path.read_text(encoding="utf-8").splitlines(keepends=True):
        if "Use Zod" in line:
            sides = (line.replace("Zod", "Yup"), line.replace("Zod", "Joi"))
            line = f"<<<<<<< HEAD\n{sides[0]}=======\n{sides[1]}>>>>>>> other\n"  # noqa: PLW2901
        lines.append(line)
    path.write_text("".join(lines), encoding="utf-8")

    ledger = here.at(LATER)
    ledger.rebuild()

    [conflict] = ledger.conflicts()
    assert {one.text for one in conflict.members} == {"Use Yup", "Use Joi"}
    assert "Use make" in protocol.texts(here.root)


def test_a_project_below_the_top_of_a_repository_is_judged_the_same(project, clone, tmp_path):
    import varves as package

    root = project / "packages/one"
    root.mkdir(parents=True)
    with package.open(root, home=tmp_path / "there") as ledger:
        ledger.init()
        SCOPED.write(ledger, "Use Zod")
    here = clone()
    here.commit("begin")
    SCOPED.change(root, "Use Zod", text="Use Valibot")
    here.git("commit", "--quiet", "--all", "--message", "edit", "--author", "Grace <g@example.org>")

    with package.open(root, home=tmp_path / "there") as ledger:
        SCOPED.write(ledger, "More")
        [revised] = [event for event in ledger.log() if event.kind == "memory.revised"]

    assert (revised.actor, revised.origin) == ("Grace", "repo")
    assert json.loads((root / f"{FOLDER}/memory.json").read_text(encoding="utf-8"))["version"]
