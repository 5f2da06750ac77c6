"""A number or a record that two branches have in common is told apart by its own history."""

from __future__ import annotations

import pytest

from tests.protocols.edits.conftest import LATER, NEXT
from tests.protocols.edits.scene import Hivemind, Scoped

SCOPED = Scoped()
LAST = "2026-11-15T11:00:00Z"


def numbered(root):
    """Return what stands under each number."""
    from json import loads

    document = loads((root / SCOPED.file).read_text(encoding="utf-8"))
    return {entry["id"]: entry["content"] for entry in document["entries"]}


@pytest.fixture
def pair(project_of, clone):
    """Give two clones that took the same number for different things; theirs is the later."""
    ours = project_of(SCOPED, "One", commit=True)
    theirs = clone("theirs", ours)
    SCOPED.write(ours.at("2026-11-15T08:30:00Z"), "Ours")
    SCOPED.write(theirs.at(NEXT), "Theirs")
    for side in (ours, theirs):
        side.commit("second")
    return ours, theirs


def pull(ours, theirs):
    ours.without_driver()
    ours.git("pull", "--quiet", "--no-rebase", "--no-edit", theirs.root, "main", check=False)


def settle(here, how):
    """Leave the conflict as it is, take their file for good, or while git is not done yet."""
    if how == "added":
        here.git("checkout", "--theirs", "--", SCOPED.file)
        SCOPED.change(here.root, "One", confidence=0.77)
        here.git("add", SCOPED.file)
    if how == "theirs":
        here.git("checkout", "--theirs", "--", SCOPED.file)
        here.git("add", SCOPED.file)
        here.git("commit", "--quiet", "--no-edit")


SETTLED = pytest.mark.parametrize("how", ["unmerged", "theirs", "added"])


@pytest.mark.full_size(sample=1)
@SETTLED
def test_a_number_that_moved_is_no_edit_of_the_record_that_kept_it(pair, how):
    ours, theirs = pair
    pull(ours, theirs)
    settle(ours, how)

    ledger = ours.at(LATER)
    ledger.rebuild()

    assert numbered(ours.root) == {"mem-001": "One", "mem-002": "Ours", "mem-003": "Theirs"}
    revised = [event.data["set"] for event in ledger.log() if event.kind == "memory.revised"]
    assert revised == ([{"confidence": 0.77}] if how == "added" else [])


@pytest.mark.full_size(sample=1)
@SETTLED
def test_an_edit_committed_on_a_branch_follows_the_record_to_its_other_number(pair, how):
    ours, theirs = pair
    SCOPED.change(theirs.root, "Theirs", text="Theirs, edited")
    theirs.commit("edit")
    pull(ours, theirs)
    settle(ours, how)

    ledger = ours.at(LATER)
    ledger.rebuild()

    assert numbered(ours.root) == {
        "mem-001": "One",
        "mem-002": "Ours",
        "mem-003": "Theirs, edited",
    }
    assert len(ledger.list(status="all")) == 3


@pytest.mark.full_size(sample=1)
@SETTLED
def test_a_record_added_on_a_branch_under_a_number_in_use_gets_another(pair, how):
    ours, theirs = pair
    SCOPED.write(ours.at("2026-11-15T08:31:00Z"), "Ours again")
    ours.commit("third")
    SCOPED.add(theirs.root, "By hand")  # as mem-003
    theirs.commit("edit")
    pull(ours, theirs)
    settle(ours, how)

    ledger = ours.at(LATER)
    ledger.rebuild()

    found = numbered(ours.root)
    assert (found["mem-002"], found["mem-003"]) == ("Ours", "Ours again")
    assert sorted(found.values()) == ["By hand", "One", "Ours", "Ours again", "Theirs"]


@pytest.mark.full_size(sample=1)
@pytest.mark.parametrize("done", ["changed", "removed"])
def test_an_editor_that_opened_the_file_before_a_number_moved_means_the_moved_record(pair, done):
    ours, theirs = pair
    SCOPED.write(theirs.at("2026-11-15T09:01:00Z"), "Theirs too")
    opened = (theirs.root / SCOPED.file).read_bytes()
    theirs.commit("third")
    pull(theirs, ours)
    theirs.at(LATER).rebuild()
    theirs.commit("merged")
    assert numbered(theirs.root)["mem-004"] == "Theirs"
    (theirs.root / SCOPED.file).write_bytes(opened)
    SCOPED.change(theirs.root, "One", confidence=0.77)
    if done == "changed":
        SCOPED.change(theirs.root, "Theirs", text="Theirs, edited")
    else:
        SCOPED.take_out(theirs.root, "Theirs")

    SCOPED.write(theirs.at(LAST), "More")

    found = numbered(theirs.root)
    assert [found[f"mem-00{n}"] for n in (1, 2, 3, 5)] == ["One", "Ours", "Theirs too", "More"]
    assert found.get("mem-004") == ("Theirs, edited" if done == "changed" else None)


def test_an_edit_of_a_file_that_is_remade_and_not_yet_added_is_adopted(pair):
    ours, theirs = pair
    pull(ours, theirs)
    ours.at(LATER).rebuild()
    SCOPED.change(ours.root, "Theirs", text="Theirs, edited")
    SCOPED.add(ours.root, "By hand")

    SCOPED.write(ours.at(LAST), "More")

    expected = ["By hand", "More", "One", "Ours", "Theirs, edited"]
    assert SCOPED.texts(ours.root) == expected


def test_a_conflict_that_somebody_solved_with_an_editor_takes_nothing_away(pair):
    ours, theirs = pair
    pull(ours, theirs)
    ours.git("checkout", "--theirs", "--", SCOPED.file)
    SCOPED.change(ours.root, "Theirs", text="Theirs, solved")
    SCOPED.take_out(ours.root, "One")

    SCOPED.write(ours.at(LAST), "More")

    assert SCOPED.texts(ours.root) == ["More", "One", "Ours", "Theirs, solved"]


@pytest.mark.full_size(sample=1)
@pytest.mark.requirement("U-07")
def test_a_record_that_two_clones_adopt_from_one_commit_is_one(project_of, clone, protocol):
    ours = project_of(protocol, "One", commit=True)
    protocol.add(ours.root, "By hand")
    ours.commit("edit")
    theirs = clone("theirs", ours)
    for side, moment in ((ours, NEXT), (theirs, LATER)):
        protocol.write(side.at(moment), f"At {moment}")
        side.commit("adopted")
    pull(ours, theirs)

    ledger = ours.at(LAST)
    ledger.rebuild()

    assert protocol.texts(ours.root) == sorted(["One", "By hand", f"At {NEXT}", f"At {LATER}"])
    assert len([one for one in ledger.list() if one.text == "By hand"]) == 1
    ours.commit("merged")
    before = len(ledger.log())
    ours.at(LAST).rebuild()
    assert (ours.git("status", "--porcelain"), len(ours.at(LAST).log())) == ("", before)


@pytest.mark.full_size(sample=1)
@pytest.mark.product
@pytest.mark.requirement("U-07")
@pytest.mark.parametrize("edited", ["", "here", "there"], ids=["as it is", "edited", "and there"])
def test_a_record_whose_log_came_after_its_file_is_one(project_of, clone, protocol, edited):
    ours = project_of(protocol, "One", commit=True)
    theirs = clone("theirs", ours)
    protocol.write(ours.at(NEXT), "Two")
    ours.git("add", "memory")
    ours.git("commit", "--quiet", "--message", "the files alone")
    pull(theirs, ours)
    protocol.write(theirs.at("2026-11-15T09:30:00Z"), "Three")
    if edited == "there":
        protocol.change(theirs.root, "Two", text="Two, edited")
        protocol.write(theirs.at("2026-11-15T09:31:00Z"), "Four")
    theirs.commit("adopted")
    if edited == "here":
        protocol.change(ours.root, "Two", text="Two, edited")
        protocol.write(ours.at("2026-11-15T09:40:00Z"), "Four")
    ours.commit("the log")
    pull(theirs, ours)

    ledger = theirs.at(LATER)
    ledger.rebuild()

    more = ["Two, edited", "Four"] if edited else ["Two"]
    assert protocol.texts(theirs.root) == sorted(["One", "Three", *more])


@pytest.mark.parametrize(
    ("forgotten", "asked"),
    [("2026-11-15T09:40:00Z", []), ("2026-11-15T09:10:00Z", ["Two"])],
    ids=["after", "before"],
)
def test_what_is_forgotten_after_another_clone_adopted_its_file_is_forgotten_there_too(
    project_of, clone, forgotten, asked
):
    """If it was forgotten before, the commit may have brought it back: a person decides."""
    ours = project_of(SCOPED, "One", commit=True)
    theirs = clone("theirs", ours)
    two = SCOPED.write(ours.at(NEXT), "Two")
    ours.git("add", "memory")
    ours.git("commit", "--quiet", "--message", "the files alone")
    pull(theirs, ours)
    SCOPED.write(theirs.at("2026-11-15T09:30:00Z"), "Three")  # adopts it, without its log
    theirs.commit("adopted")
    ours.at(forgotten).forget(two, reason="outdated")
    ours.commit("the log")
    pull(theirs, ours)

    ledger = theirs.at(LATER)
    ledger.rebuild()

    assert SCOPED.texts(theirs.root) == ["One", "Three"]
    assert [one.text for one in ledger.list(status="flagged")] == asked


@pytest.mark.requirement("U-07")
def test_a_record_that_another_worktree_holds_keeps_its_id_here_too(project_of, clone, tmp_path):
    hivemind = Hivemind()
    main = project_of(hivemind, "One", commit=True)
    hivemind.add(main.root, "By hand")
    main.git("add", "memory")
    main.git("commit", "--quiet", "--message", "edit")
    hivemind.write(main.at(NEXT), "Two")  # adopts it, in a log that nobody has committed
    main.git("worktree", "add", "--quiet", "-b", "aside", tmp_path / "aside")
    aside = type(main)(tmp_path / "aside", main.home)

    hivemind.write(aside.at(LATER), "Three")
    aside.close()

    assert hivemind.texts(aside.root) == ["By hand", "One", "Three"]
    assert hivemind.path_of(aside.root, "By hand").endswith("/mem_byhand000001.json")


def with_marks(here, protocol):
    """Put git's marks around another text of a record, as no merge made them."""
    path = here.root / protocol.path_of(here.root, "Use Zod")
    lines = []
    for line in path.read_text(encoding="utf-8").splitlines(keepends=True):
        if "Use Zod" in line and '"content"' in line + lines[-1]:
            line = f"<<<<<<< HEAD\n{line}=======\n{line.replace('Zod', 'Joi')}>>>>>>> x\n"  # noqa: PLW2901
        lines.append(line)
    path.write_text("".join(lines), encoding="utf-8")


@pytest.mark.full_size(sample=1)
@pytest.mark.requirement("U-07")
def test_marks_that_somebody_committed_go_around_no_trust_rule(project_of, protocol):
    here = project_of(protocol, "Use Zod", "Use make", commit=True)
    with_marks(here, protocol)
    here.git("commit", "--quiet", "--all", "--message", "edit", "--author", "Grace <g@example.org>")

    ledger = here.at(NEXT)
    ledger.rebuild()

    [revised] = [event for event in ledger.log() if event.kind == "memory.revised"]
    assert (revised.actor, revised.origin, revised.trust) == ("Grace", "repo", 2)
    assert protocol.texts(here.root) == ["Use Joi", "Use make"]


def test_a_file_that_was_mended_after_its_marks_were_committed_is_read(project_of, protocol):
    here = project_of(protocol, "Use Zod", "Use make", commit=True)
    rendered = (here.root / protocol.path_of(here.root, "Use Zod")).read_bytes()
    path = here.root / protocol.path_of(here.root, "Use Zod")
    with_marks(here, protocol)
    here.commit("with marks")
    path.write_bytes(rendered)
    protocol.change(here.root, "Use Zod", text="Use Yup")

    ledger = here.at(NEXT)
    ledger.rebuild()

    assert protocol.texts(here.root) == ["Use Yup", "Use make"]


@pytest.fixture(params=["adopted", "committed"])
def renamed(request, project_of, clone):
    """Give two clones: here a record made way for another, there the first one was edited."""
    hivemind = Hivemind()
    ours = project_of(hivemind, "Retry twice", "Use make", commit=True)
    theirs = clone("theirs", ours)
    ledger = ours.at(NEXT)
    name = hivemind.path_of(ours.root, "Retry twice").rpartition("/")[2].removesuffix(".json")
    ledger.forget(name, reason="outdated")
    hivemind.write(ledger, "Retry thrice")
    hivemind.change(theirs.root, "Retry twice", confidence=0.77)
    if request.param == "adopted":
        hivemind.write(theirs.at(LATER), "Use just")
    for side in (ours, theirs):
        side.commit("work")
    return ours, theirs, hivemind


@pytest.mark.full_size(sample=1)
@pytest.mark.parametrize("how", ["merge", "rebase"])
def test_what_git_takes_for_a_renamed_file_is_no_edit_of_the_other_record(renamed, how):
    ours, theirs, hivemind = renamed
    path = hivemind.path_of(ours.root, "Retry thrice")
    ours.git("fetch", "--quiet", theirs.root, "main")
    ours.git(how, "--quiet", "FETCH_HEAD", check=False)
    assert '"confidence": 0.77' in (ours.root / path).read_text(encoding="utf-8")

    ledger = ours.at(LAST)
    ledger.rebuild()

    assert hivemind.documents(ours.root)[path]["confidence"] == 0.5
    assert [one.text for one in ledger.list(status="forgotten")] == ["Retry twice"]
    assert "Retry thrice" in hivemind.texts(ours.root)
