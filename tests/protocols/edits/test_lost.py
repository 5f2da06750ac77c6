"""The log is gone: who still holds it is named; where nobody does, the files are the source."""

from __future__ import annotations

import shutil

import pytest

from tests.protocols.edits.conftest import LATER, NEXT, START
from tests.protocols.edits.scene import Hivemind, Scoped

ASKED = {
    "scoped": (("read", "project", "p"), ("write", "project", "p", "--type", "pattern")),
    "hivemind": (
        ("search", "zod", "--project", "p"),
        ("write", "--type", "factual", "--scope", "project:p"),
    ),
}


def verbs(protocol):
    """Return a read and a write verb of a protocol."""
    read, write = ASKED[protocol.name]
    return (protocol.name, *read), (protocol.name, *write, "--content", "More")


def check_all_refuse(here, protocol, varves, hint):
    """See that every verb stops with code 5, names the way out and leaves the files alone."""
    files = here.files()
    for argv in verbs(protocol):
        answer = varves(*argv, env={"VARVES_HOME": str(here.home)})
        assert (answer.code, hint in answer.err) == (5, True), (argv, answer)
        assert not (here.root / ".varves/log").exists()
    assert here.files() == files


@pytest.mark.full_size(sample=1)
@pytest.mark.requirement("U-07")
@pytest.mark.parametrize("changed", [False, True], ids=["as rendered", "edited"])
def test_a_log_that_git_still_has_is_named_and_nothing_adopted(
    project_of, protocol, varves, changed
):
    here = project_of(protocol, "Use Zod", commit=True)
    if changed:
        protocol.change(here.root, "Use Zod", text="Use Yup")
    shutil.rmtree(here.root / ".varves/log")

    check_all_refuse(here, protocol, varves, "git checkout -- .varves")

    here.git("checkout", "--", ".varves")
    ledger = here.at(LATER)
    ledger.rebuild()
    assert [one.text for one in ledger.list()] == ["Use Yup" if changed else "Use Zod"]


@pytest.mark.requirement("U-07")
def test_a_log_that_only_the_index_has_is_named(project_of, protocol, varves):
    here = project_of(protocol, "Use Zod")
    here.git("add", ".")
    shutil.rmtree(here.root / ".varves/log")

    check_all_refuse(here, protocol, varves, "git checkout -- .varves")


@pytest.mark.requirement("U-07")
def test_a_log_that_only_the_spool_has_is_named(project_of, protocol, varves):
    here = project_of(protocol, "Use Zod")
    shutil.rmtree(here.root / ".varves/log")

    check_all_refuse(here, protocol, varves, "varves doctor --restore")

    assert varves("doctor", "--restore", env={"VARVES_HOME": str(here.home)}).code == 0
    ledger = here.at(LATER)
    ledger.rebuild()
    assert [one.text for one in ledger.list()] == ["Use Zod"]


@pytest.mark.full_size(sample=1)
@pytest.mark.requirement("U-07")
@pytest.mark.parametrize("bookkeeping", [True, False], ids=["with local", "without local"])
def test_where_nobody_holds_the_log_all_that_is_found_is_adopted(project_of, protocol, bookkeeping):
    here = project_of(protocol, "Use Zod", "Use make")
    files = {path: content for path, content in here.files().items() if "_index" not in path}
    ids = {one.id for one in here.at(NEXT).list()}
    here.close()
    shutil.rmtree(here.root / ".git")
    if bookkeeping:
        shutil.rmtree(here.root / ".varves/log")
    else:
        shutil.rmtree(here.root / ".varves")

    ledger = here.at(NEXT)
    ledger.init()
    ledger.rebuild()

    core = getattr(ledger, protocol.name).core
    assert [note for note in core.notes if "without history, reasons and counters" in note]
    assert sorted(one.text for one in ledger.list()) == ["Use Zod", "Use make"]
    assert {one.origin for one in ledger.list()} == {"direct"}
    if protocol.name == "hivemind":
        assert {one.id for one in ledger.list()} == ids
    assert protocol.texts(here.root) == ["Use Zod", "Use make"]
    after = {path: content for path, content in here.files().items() if "_index" not in path}
    assert after.keys() == files.keys()

    ledger = here.at(LATER)
    before = len(ledger.log())
    ledger.rebuild()
    assert (core.notes == [], len(ledger.log())) == (False, before)
    assert getattr(ledger, protocol.name).core.notes == []


@pytest.mark.requirement("U-07")
def test_records_that_a_commit_holds_are_adopted_as_its_authors(project_of, clone, tmp_path):
    here = project_of(Scoped(), "Use Zod")
    here.git("init", "--quiet", tmp_path / "other")
    shutil.copytree(here.root / "memory", tmp_path / "other/memory")
    other = clone("other-clone", type(here)(tmp_path / "other", tmp_path / "h"))
    assert not (other.root / "memory").exists()  # nothing is committed there yet
    source = type(here)(tmp_path / "other", tmp_path / "home-o")
    source.commit("files alone")

    ledger = source.at(NEXT)
    ledger.init()
    Scoped().write(ledger, "More")
    found = {one.text: (one.origin, one.created_by) for one in ledger.list()}
    source.close()

    assert found["Use Zod"] == ("repo", "Ada Example")


def test_a_fresh_project_with_no_files_is_not_lost(project_of):
    here = project_of(Hivemind())
    ledger = here.at(NEXT)

    Hivemind().write(ledger, "First")

    assert ledger.hivemind.core.notes == []


# A branch without a log


def leave_for_a_branch_without_a_log(here):
    """Commit what was recorded on a branch of its own, and check out an older one."""
    here.git("checkout", "--quiet", "-b", "feature")
    here.commit("memories")
    here.git("checkout", "--quiet", "older")


@pytest.fixture
def branched(project_of):
    """Give a project whose first memory is on another branch than the one checked out."""
    here = project_of(Scoped())
    here.at(START).scoped.init(project="p")
    here.commit("folders and no memory")
    here.git("branch", "older")
    Scoped().write(here.at(NEXT), "Contacts have one owner")
    leave_for_a_branch_without_a_log(here)
    return here


@pytest.mark.requirement("U-07")
def test_on_a_branch_older_than_the_first_memory_nothing_is_lost(branched, varves):
    for argv in verbs(Scoped()):
        answer = varves(*argv, env={"VARVES_HOME": str(branched.home)})
        assert answer.code == 0, (argv, answer)
    ledger = branched.at(LATER)
    assert [one.text for one in ledger.list()] == ["More"]
    branched.commit("on the older branch")
    branched.git("merge", "--quiet", "--no-edit", "feature", check=False)
    ledger = branched.at(LATER)
    ledger.rebuild()
    assert sorted(one.text for one in ledger.list()) == ["Contacts have one owner", "More"]
    assert len(Scoped().texts(branched.root)) == 2
    assert ledger.verify().ok


@pytest.mark.requirement("U-07")
def test_a_log_that_is_deleted_on_such_a_branch_is_still_missed(branched, varves):
    Scoped().write(branched.at(LATER), "Written here and not committed")
    branched.close()
    shutil.rmtree(branched.root / ".varves/log")

    check_all_refuse(branched, Scoped(), varves, "varves doctor --restore")


@pytest.mark.requirement("U-07")
def test_memories_of_a_branch_that_was_deleted_are_missed(branched, varves):
    branched.git("branch", "--quiet", "-D", "feature")

    check_all_refuse(branched, Scoped(), varves, "varves doctor --restore")


@pytest.mark.requirement("U-07")
def test_a_log_that_a_commit_of_this_branch_removed_is_missed(project_of, protocol, varves):
    here = project_of(protocol, "Use Zod", commit=True)
    here.git("branch", "safe")
    here.git("rm", "-r", "--quiet", ".varves/log")
    here.git("commit", "--quiet", "--message", "remove the log")
    removed = here.git("rev-parse", "HEAD").strip()

    check_all_refuse(here, protocol, varves, f"git checkout {removed[:12]}^ -- .varves")
