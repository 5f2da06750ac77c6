"""A purged memory stays purged wherever this clone goes in its history."""

from __future__ import annotations

import json
import os
import shutil
import stat

import pytest

import varves as package
from tests.git.scene import Checkout, assert_whole, begin, clone, rules
from tests.security.erasing import TEXT, WORD, hits
from varves.errors import NotFound

WHY = "asked to be forgotten"


def switched(here):
    here.git("switch", "--quiet", "feature")


def reset(here):
    here.git("reset", "--quiet", "--hard", "HEAD~1")


def detached(here):
    here.git("checkout", "--quiet", "HEAD~1")


def files_checked_out(here):
    here.git("checkout", "--quiet", "HEAD~1", "--", ".varves")


def reverted(here):
    here.git("revert", "--no-edit", "HEAD")


WAYS = [switched, reset, detached, files_checked_out, reverted]


@pytest.fixture
def here(tmp_path, home):
    """Give a repository where something was said, committed, branched off and purged."""
    made = begin(tmp_path / "here")
    yield made
    made.close()


def purged(here, *, packed=False):
    """Say, commit, branch off, purge and commit; return the memory's name."""
    name = here.ledger.remember(TEXT).id
    here.ledger.remember("What stays")
    if packed:
        for number in range(4):
            here.commit()
            here.remember(f"Fills segment {number}")
        here.commit()
        assert here.ledger.pack().segments
    here.commit()
    here.git("branch", "feature")
    here.ledger.purge(name, reason=WHY)
    here.commit("purge")
    return name


def log_holds(here):
    """Tell whether a file of the project's log holds the text."""
    return bool(hits(here.root / ".varves/log"))


def assert_hidden(ledger, name):
    """Check that no door tells it."""
    said = [
        *(hit.memory.text for hit in ledger.recall(WORD)),
        *(hit.memory.text for hit in ledger.recall(WORD, include=("superseded", "quarantined"))),
        ledger.brief(task=WORD).text,
        *(memory.text for memory in ledger.list(status="all")),
        *(str(event.fields) for event in ledger.log()),
        *(str(event.fields) for event in ledger.history(name)),
        str(ledger.why(name)),
        *ledger.export(private=True),
        *ledger.export(format="markdown", private=True),
        *(memory.text for memory in ledger.list(status="all", as_of="HEAD")),
        *(memory.text for memory in ledger.list(status="all", as_of="2999-01-01T00:00:00Z")),
    ]
    assert WORD not in "\n".join(said)
    for refuses in (
        lambda: ledger.show(name),
        lambda: ledger.correct(name, "again"),
        lambda: ledger.edit(name, tag=["x"]),
        lambda: ledger.restore(name),
        lambda: ledger.share(name),
        lambda: ledger.remember("from it", derived_from=[name]),
    ):
        with pytest.raises(NotFound, match=f"^{name} was purged$"):
            refuses()


@pytest.mark.full_size(sample=1)
@pytest.mark.product
@pytest.mark.parametrize("way", WAYS, ids=lambda way: way.__name__)
@pytest.mark.parametrize("packed", [False, True], ids=["loose", "packed"])
def test_git_brings_the_file_back_and_nobody_is_told_it(here, way, packed):
    name = purged(here, packed=packed)
    way(here)
    assert log_holds(here)
    before = here.changes()

    here.ledger.rebuild()

    assert_hidden(here.ledger, name)
    assert here.changes() == before, "reading changed a file that git sees"
    found = [one for one in here.ledger.doctor() if one.rule == "unpurged"]
    assert found
    assert {one.place for one in found} == {
        os.path.relpath(path, here.root) for path in hits(here.root / ".varves/log")
    }
    assert {one.fix for one in found} == {"varves doctor --fix"}


@pytest.mark.full_size(sample=1)
@pytest.mark.product
@pytest.mark.parametrize("way", WAYS, ids=lambda way: way.__name__)
@pytest.mark.parametrize("how", ["fix", "write", "batch", "other process"])
def test_a_repair_or_the_next_write_takes_it_away_on_this_branch_too(
    here, varves_process, way, how
):
    name = purged(here)
    way(here)
    if how == "fix":
        assert here.ledger.mend().failed == ()
    elif how == "write":
        here.ledger.remember("Said on the other branch")
    elif how == "batch":
        here.ledger.remember_many([{"text": "Said on the other branch"}])
    else:
        assert varves_process("remember", "Said on the other branch", cwd=here.root).code == 0
    assert hits(here.root / ".varves", here.root / ".git/varves") == []
    assert_whole(here.ledger)
    assert [one.rule for one in here.ledger.doctor() if one.rule == "unpurged"] == []
    assert_hidden(here.ledger, name)
    reasons = {e.data["reason"] for e in here.ledger.history(name) if e.kind == "memory.purged"}
    assert reasons == {WHY}


def test_what_is_committed_there_is_a_purge_for_every_other_clone(here):
    """The branch says it itself: who fetches it has no note of this clone."""
    name = purged(here)
    switched(here)
    here.remember("Said on the other branch")
    here.commit()
    other = clone(here, "other", "--branch", "feature")
    with pytest.raises(NotFound, match="was purged"):
        other.ledger.show(name)
    assert_whole(other.ledger)
    here.git("switch", "--quiet", "main")
    here.git("merge", "--quiet", "--no-edit", "feature")
    assert_whole(here.ledger)
    assert_hidden(here.ledger, name)
    other.close()


def test_what_it_tied_stays_as_it_was(here):
    """A correction speaks of two memories; the one that was not purged must not change."""
    name = here.ledger.remember(TEXT).id
    tied = here.ledger.correct(name, "What is true now").id
    here.commit()
    here.git("branch", "feature")
    here.ledger.purge(name, reason=WHY)
    here.commit()
    switched(here)
    assert here.ledger.show(tied).status == "active"
    assert_hidden(here.ledger, name)
    here.remember("Said on the other branch")
    assert hits(here.root / ".varves", here.root / ".git/varves") == []
    assert here.ledger.show(tied).text == "What is true now"
    assert_whole(here.ledger)


def test_a_stash_of_the_purged_lines_brings_nothing_back(here):
    name = here.ledger.remember(TEXT).id
    here.commit()
    here.ledger.purge(name, reason=WHY)
    here.git("stash", "--quiet")
    assert log_holds(here)
    assert_hidden(here.ledger, name)
    here.remember("Said meanwhile")
    assert hits(here.root / ".varves", here.root / ".git/varves") == []


def test_a_stash_with_the_purge_itself_brings_nothing_back(here):
    name = here.ledger.remember(TEXT).id
    here.commit()
    here.ledger.purge(name, reason=WHY)
    here.git("stash", "--quiet", "--include-untracked")
    assert log_holds(here)
    assert_hidden(here.ledger, name)


@pytest.mark.full_size(sample=1)
@pytest.mark.parametrize("looked", [False, True])
def test_the_next_write_erases_a_copy_that_a_stash_brings_beside_the_erased_one(
    here, varves, looked
):
    here.remember("Said first")
    here.commit()
    name = here.ledger.remember(TEXT).id
    here.git("stash", "--quiet", "--include-untracked")
    assert varves("doctor", "--restore", cwd=here.root).code == 0
    varves("purge", name, "--reason", WHY, "--yes", cwd=here.root)
    here.commit("purge")
    here.git("stash", "pop", "--quiet")
    assert log_holds(here)
    if looked:
        assert WORD not in varves("list", cwd=here.root).out
    varves("remember", "Said next", cwd=here.root)
    assert hits(here.root / ".varves", here.root / ".git/varves") == []
    assert_whole(here.ledger)


def test_a_worktree_of_an_old_commit_does_not_tell_it(here, tmp_path):
    name = purged(here)
    aside = tmp_path / "aside"
    here.git("worktree", "add", "--quiet", str(aside), "feature")
    (aside / ".varves/settings.toml").write_text('share = "branch"\n', encoding="utf-8")
    with package.open(aside) as ledger:
        assert_hidden(ledger, name)
        assert "unpurged" in rules(ledger.doctor())
        ledger.remember("Said there")
        assert ledger.verify().ok
    assert hits(aside / ".varves") == []


def test_a_purge_in_a_worktree_holds_after_the_worktree_is_gone(here, tmp_path):
    name = here.ledger.remember(TEXT).id
    here.commit()
    aside = tmp_path / "aside"
    here.git("worktree", "add", "--quiet", "-b", "other", str(aside))
    there = Checkout(aside, time=here.time)
    there.ledger.purge(name, reason=WHY)
    there.close()
    here.git("worktree", "remove", "--force", str(aside))
    assert_hidden(here.ledger, name)
    here.remember("Said here")
    assert hits(here.root / ".varves", here.root / ".git/varves") == []
    assert_whole(here.ledger)


def test_somebody_elses_purge_counts_only_where_it_is_checked_out(here):
    name = here.ledger.remember(TEXT).id
    here.commit()
    other = clone(here, "other")
    other.ledger.purge(name, reason=WHY)
    other.commit()
    here.git("fetch", "--quiet", str(other.root), "HEAD:theirs")
    here.git("checkout", "--quiet", "theirs")
    with pytest.raises(NotFound, match="was purged"):
        here.ledger.show(name)
    here.remember("Said on their branch")
    here.commit()
    here.git("checkout", "--quiet", "main")
    assert here.ledger.show(name).text == TEXT
    here.remember("Said on ours")
    assert here.ledger.show(name).text == TEXT
    other.close()


def test_a_purge_written_in_our_name_counts_no_longer_than_its_branch(here):
    """A clone's id stands in every line it wrote: anybody can take it."""
    name = here.ledger.remember(TEXT).id
    here.commit()
    other = clone(here, "other")
    own = here.root / ".git/varves/clone"
    (other.root / ".git/varves").mkdir(exist_ok=True)
    shutil.copy(own, other.root / ".git/varves/clone")
    other.ledger.purge(name, reason=WHY)
    other.commit()
    here.git("fetch", "--quiet", str(other.root), "HEAD:theirs")
    here.git("checkout", "--quiet", "theirs")
    here.remember("Said on their branch")
    here.ledger.mend()
    here.commit()
    here.git("checkout", "--quiet", "main")
    assert here.ledger.show(name).text == TEXT
    here.remember("Said on ours")
    assert here.ledger.show(name).text == TEXT
    other.close()


def test_a_purge_from_before_purges_were_kept_is_taken_up_by_the_next_write(here):
    name = purged(here)
    shutil.rmtree(here.root / ".git/varves/purges")  # as an earlier version leaves it
    here.ledger.rebuild()
    here.remember("The next write")
    here.commit()
    switched(here)
    assert_hidden(here.ledger, name)


def test_what_is_kept_says_nothing_and_is_for_nobody_else(here):
    name = here.ledger.remember(TEXT).id
    secret = here.ledger.remember("Said in private", private=True).id
    here.commit()
    here.ledger.purge(name, reason=WHY)
    here.ledger.purge(secret, reason="private too")
    here.commit()
    kept = here.root / ".git/varves/purges"
    files = [path for path in kept.rglob("*") if path.is_file()]
    for path in [kept, *kept.rglob("*")]:
        assert not stat.S_IMODE(path.stat().st_mode) & 0o077, path
    content = b"".join(path.read_bytes() for path in files)
    assert content.count(name.encode()) == 1
    assert secret.encode() not in content
    assert WORD.encode() not in content
    lines = (kept / "log/own/purges.jsonl").read_bytes().splitlines()
    assert all(json.loads(line)["kind"] == "memory.purged" for line in lines)
    log = b"".join(path.read_bytes() for path in (here.root / ".varves/log").rglob("*.jsonl"))
    assert secret.encode() not in log


def test_two_ledgers_of_one_repository_keep_apart(here):
    below = here.root / "part"
    (below / ".varves").mkdir(parents=True)
    name = here.ledger.remember(TEXT).id
    here.commit()
    with package.open(below) as part:
        part.remember(TEXT, id=name)
        here.ledger.purge(name, reason=WHY)
        assert part.show(name).text == TEXT


def test_without_git_there_is_nothing_to_keep(tmp_path, home):
    root = tmp_path / "bare"
    root.mkdir()
    with package.open(root) as ledger:
        name = ledger.remember(TEXT).id
        ledger.purge(name, reason=WHY)
        ledger.remember("Said after")
    assert not list(root.rglob("purges*"))
    assert hits(root) == []
