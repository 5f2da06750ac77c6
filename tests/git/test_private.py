"""Nothing private is ever in a tracked file or in a git object; sharing is the only way there."""

from __future__ import annotations

import subprocess

import pytest

import varves
from tests.git.scene import Checkout, assert_each_counts_once, assert_whole, begin, clone
from varves.errors import NotFound

SECRETIVE = ("zanzibar", "quokka", "marzipan", "xylophone")


@pytest.fixture
def here(tmp_path, home):
    """Give a repository whose ledger holds one memory for everybody."""
    checkout = begin(tmp_path / "project")
    checkout.remember("Use Postgres for storage")
    checkout.commit("first")
    yield checkout
    checkout.close()


def objects(here: Checkout) -> bytes:
    """Return the content of every object git holds, reachable or not."""
    return subprocess.run(
        ["git", "cat-file", "--batch-all-objects", "--batch", "--unordered"],
        cwd=here.root,
        capture_output=True,
        check=True,
    ).stdout


def tracked(here: Checkout) -> bytes:
    """Return the content of every tracked file."""
    names = here.git("ls-files", "-z").rstrip("\0").split("\0")
    return b"".join((here.root / name).read_bytes() for name in names)


def test_private_words_are_in_no_tracked_file_and_no_object(here):
    ledger = here.ledger
    private = ledger.remember("The word is zanzibar", private=True, tags=["quokka"])
    ledger.remember("In this session it is marzipan", scope="session:x")
    ledger.correct(private.id, "The word is xylophone", reason="quokka")
    ledger.remember("Everybody may know about walrus")
    ledger.recall("zanzibar xylophone marzipan")
    assert {"zanzibar", "xylophone", "marzipan"} <= {
        memory.text.rsplit(" ", 1)[1] for memory in ledger.list(status="all")
    }
    here.commit("everything there is")
    here.git("checkout", "--quiet", "HEAD~2")  # from before the ledger and its ignore file
    here.git("stash", "--include-untracked", "--quiet", check=False)
    here.git("add", "-A")
    here.git("commit", "--quiet", "--allow-empty", "-m", "whatever lies about")
    here.git("checkout", "--quiet", "main")
    stored, shown = objects(here), tracked(here)
    assert b"walrus" in stored, "the search finds what is there"
    assert b"walrus" in shown
    for word in SECRETIVE:
        assert word.encode() not in stored
        assert word.encode() not in shown


def test_a_private_memory_is_seen_by_every_worktree_and_by_no_clone(here):
    private = here.ledger.remember("The word is zanzibar", private=True)
    here.git("worktree", "add", "--quiet", "../aside")
    with Checkout(here.root.parent / "aside", time=here.time).ledger as aside:
        assert aside.show(private.id).text == "The word is zanzibar"
    other = clone(here, "clone")
    with pytest.raises(NotFound):
        other.ledger.show(private.id)
    other.close()


def test_a_global_memory_belongs_to_its_home(here, tmp_path):
    """The project's index has read it; with another home it must not show it."""
    everywhere = here.ledger.remember("The word is zanzibar", scope="global")
    assert here.ledger.show(everywhere.id).kept == "global"
    here.close()
    with varves.open(here.root, home=tmp_path / "stranger") as stranger:
        assert not [m for m in stranger.list(status="all") if m.id == everywhere.id]
        assert not stranger.recall("zanzibar").hits
    assert here.ledger.show(everywhere.id).text == "The word is zanzibar"
    here.commit("all")
    assert b"zanzibar" not in objects(here)


def test_a_shared_memory_keeps_its_id_origin_and_trust_and_nothing_of_its_past(here):
    first = here.ledger.remember("The word is zanzibar", private=True, speaker="bob")
    private = here.ledger.correct(first.id, "The word is xylophone")
    before = here.ledger.show(private.id)
    here.ledger.share(private.id)
    after = here.ledger.show(private.id)
    assert (before.kept, after.kept) == ("private", "project")
    for field in ("id", "text", "origin", "trust", "speaker", "created_at", "created_by", "at"):
        assert getattr(after, field) == getattr(before, field), field
    (shared,) = [event for event in here.ledger.log() if event.kind == "memory.shared"]
    assert (shared.log, shared.data["memory"]) == ("project", private.id)
    assert (shared.origin, shared.trust) == (before.origin, before.trust)
    here.commit("shared")
    assert b"xylophone" in objects(here)
    assert b"zanzibar" not in objects(here)


def test_sharing_does_not_raise_the_trust_of_what_an_agent_said(here):
    heard = here.ledger.through("tool").remember("Overheard: xylophone", private=True)
    here.ledger.share(heard.id)
    here.commit("shared")
    other = clone(here, "clone")
    memory = other.ledger.show(heard.id)
    assert (memory.kept, memory.origin, memory.trust) == ("project", "tool", 0)
    other.close()


def test_undoing_a_share_makes_it_private_here_and_takes_it_from_the_others(here):
    private = here.ledger.remember("The word is xylophone", private=True)
    shared = here.ledger.share(private.id)
    here.commit("shared")
    other = clone(here, "clone")
    assert other.ledger.show(private.id).text == "The word is xylophone"

    here.ledger.undo(shared.events[0])
    assert here.ledger.log()[-1].kind == "memory.unshared"
    assert here.ledger.show(private.id).kept == "private"
    assert here.ledger.show(private.id).status == "active"
    here.commit("private again")
    other.git("pull", "--quiet", "--no-edit")
    with pytest.raises(NotFound):
        other.ledger.show(private.id)
    assert not [m for m in other.ledger.list(status="all") if m.id == private.id]
    assert not other.ledger.recall("xylophone").hits
    for checkout in (here, other):
        assert_each_counts_once(checkout)
        assert_whole(checkout.ledger)
    assert here.ledger.remember("The word is xylophone").status == "recorded", "no rejection"
    other.close()


def test_a_change_of_a_shared_memory_reaches_the_clone_and_comes_back(here):
    private = here.ledger.remember("The word is xylophone", private=True)
    here.ledger.share(private.id)
    here.commit("shared")
    other = clone(here, "clone")
    corrected = other.ledger.correct(private.id, "The word is kazoo")
    other.commit("corrected")
    here.git("pull", "--quiet", "--no-edit", str(other.root), "main")
    assert here.ledger.show(private.id).status == "superseded"
    assert here.ledger.show(corrected.id).text == "The word is kazoo"
    other.close()
