"""A file that git put together of two sides is nobody's edit, and both sides' records are there."""

from __future__ import annotations

import json

import pytest

from tests.protocols import settling

SIDECAR = "_mdan/state/sidecars/ada.sidecar.json"


def party(here, moment, decision=None):
    """Hold a party, with a decision or without."""
    ledger = here.at(moment)
    ledger.party.start(agents=["ada", "ben"])
    if decision is not None:
        ledger.party.decide(decision, pro=["ada"], contra=["ben"])
    ledger.party.end()


def branched(here):
    """Make branches `main` and `theirs` that each decided something."""
    party(here, "2026-11-15T08:00:00Z")
    here.commit("begin")
    here.git("branch", "-M", "main")
    here.git("switch", "--quiet", "--create", "theirs")
    party(here, "2026-11-15T09:10:00Z", "Take red")
    here.commit("theirs")
    here.git("switch", "--quiet", "main")
    party(here, "2026-11-15T09:20:00Z", "Take blue")
    here.commit("ours")
    here.without_driver()


def squash(here, other):
    """Take their work over without their commits."""
    here.git("merge", "--quiet", "--squash", other, check=False)


def pick(here, other):
    """Take their commit over without committing it."""
    here.git("cherry-pick", "--no-commit", other, check=False)


def pull_squash(here, other):
    """Take work over that no ref names here."""
    here.git("update-ref", "-d", f"refs/remotes/{other}")
    here.git("pull", "--quiet", "--no-rebase", "--squash", "origin", "theirs", check=False)


def read(here):
    """Return the sidecar."""
    return json.loads((here.root / SIDECAR).read_text(encoding="utf-8"))


def is_whole(here, *, sessions, decisions):
    """See that a sidecar counts every party and has every decision."""
    found = read(here)
    assert found["sessions_participated"] == sessions
    assert len(found["decision_history"]) == decisions
    assert len({one["dr_id"] for one in found["decision_history"]}) == decisions


def events(ledger):
    """Return the kinds of all events of the protocol."""
    return [one.kind for one in ledger.log() if one.protocol == "party"]


@pytest.mark.full_size(sample=1)
@pytest.mark.product
@pytest.mark.parametrize("fresh", [True, False], ids=["fresh-clone", "same-clone"])
@pytest.mark.parametrize("way", [squash, pick, pull_squash], ids=lambda one: one.__name__)
def test_what_git_composed_is_no_edit(clone, way, fresh):
    first = clone()
    branched(first)
    here = clone("other", of=first) if fresh or way is pull_squash else first
    way(here, "theirs" if here is first else "origin/theirs")
    assert SIDECAR in here.git("diff", "--name-only", "--diff-filter=U")

    ledger = here.at("2026-11-15T10:00:00Z")
    made = ledger.rebuild()

    assert not [note for note in made["notes"] if "edit" in note]
    assert "participant.revised" not in events(ledger)
    is_whole(here, sessions=3, decisions=2)
    status = here.git("status", "--porcelain")
    assert all(row[1] == " " for row in status.splitlines()), status


def test_what_git_composed_without_a_conflict_is_no_edit(clone):
    first = clone()
    branched(first)
    here = clone("other", of=first)
    here.git("merge", "--quiet", "--squash", "-X", "theirs", "origin/theirs")
    assert here.git("diff", "--name-only", "--diff-filter=U") == ""

    ledger = here.at("2026-11-15T10:00:00Z")
    ledger.rebuild()

    assert "participant.revised" not in events(ledger)
    is_whole(here, sessions=3, decisions=2)
    status = here.git("status", "--porcelain")
    assert all(row[1] == " " for row in status.splitlines()), status


@pytest.mark.full_size(sample=1)
@pytest.mark.parametrize("known", [True, False], ids=["known", "notes-lost"])
def test_a_stash_that_comes_back_is_no_edit(clone, known):
    here = clone()
    party(here, "2026-11-15T08:00:00Z", "Take base")
    here.commit("base")
    party(here, "2026-11-15T09:00:00Z", "Take stash")
    here.git("stash", "--quiet", "--include-untracked")
    party(here, "2026-11-15T09:30:00Z", "Take green")
    here.commit("green")
    here.git("stash", "pop", "--quiet", check=False)
    if not known:
        for path in (here.root / ".git/varves/local").glob("**/state.sqlite*"):
            path.unlink()

    ledger = here.at("2026-11-15T10:00:00Z")
    made = ledger.rebuild()

    assert not [note for note in made["notes"] if "edit" in note]
    assert "participant.revised" not in events(ledger)
    is_whole(here, sessions=3, decisions=3)


def test_work_that_a_checkout_merged_is_no_edit(clone):
    here = clone()
    branched(here)
    party(here, "2026-11-15T09:30:00Z", "Take green")
    here.git("checkout", "--quiet", "--merge", "theirs", check=False)
    assert SIDECAR in here.git("diff", "--name-only", "--diff-filter=U")

    ledger = here.at("2026-11-15T10:00:00Z")
    ledger.rebuild()

    assert "participant.revised" not in events(ledger)
    assert here.git("diff", "--name-only", "--diff-filter=U") == ""
    texts = {one["content"] for one in read(here)["memories"]}
    assert {"Take red", "Take green"} <= texts


def test_an_edit_that_was_stashed_is_taken_up(clone):
    here = clone()
    party(here, "2026-11-15T08:00:00Z", "Take base")
    here.commit("base")
    party(here, "2026-11-15T09:00:00Z", "Take stash")
    content = read(here)
    content["displayName"] = "Ada"
    (here.root / SIDECAR).write_text(json.dumps(content, indent=2) + "\n", encoding="utf-8")
    here.git("stash", "--quiet", "--include-untracked")
    party(here, "2026-11-15T09:30:00Z", "Take green")
    here.commit("green")
    here.git("stash", "pop", "--quiet", check=False)

    here.at("2026-11-15T10:00:00Z").rebuild()

    assert read(here)["displayName"] == "Ada"
    is_whole(here, sessions=3, decisions=3)


def test_an_edit_that_was_squashed_is_its_authors(clone):
    first = clone()
    branched(first)
    first.git("switch", "--quiet", "theirs")
    content = read(first)
    content["displayName"] = "Ada"
    (first.root / SIDECAR).write_text(json.dumps(content, indent=2) + "\n", encoding="utf-8")
    first.commit("by hand")
    first.git("switch", "--quiet", "main")
    here = clone("other", of=first)
    squash(here, "origin/theirs")

    ledger = here.at("2026-11-15T10:00:00Z")
    ledger.rebuild()

    assert read(here)["displayName"] == "Ada"
    is_whole(here, sessions=3, decisions=2)
    [revised] = [one for one in ledger.log() if one.kind == "participant.revised"]
    assert revised.origin == "repo"


def test_the_message_of_a_squash_that_was_given_up_means_nothing(clone):
    here = clone()
    branched(here)
    squash(here, "theirs")
    message = here.root / ".git/SQUASH_MSG"
    left = message.read_bytes()
    here.git("reset", "--quiet", "--hard")
    message.write_bytes(left)  # not every git removes it
    content = read(here)
    content["memories"] = []
    (here.root / SIDECAR).write_text(json.dumps(content, indent=2) + "\n", encoding="utf-8")

    here.at("2026-11-15T10:00:00Z").rebuild()

    assert read(here)["memories"] == []
    is_whole(here, sessions=2, decisions=1)


@pytest.mark.full_size(sample=1)
@pytest.mark.parametrize("protocol", settling.FIVE, ids=lambda one: one.name)
def test_all_that_rebuild_remade_after_a_squash_is_staged(clone, protocol):
    first = clone()
    settling.branched(first, protocol)
    here = clone("other", of=first)
    squash(here, "origin/theirs")

    here.at("2026-11-15T10:00:00Z").rebuild()

    assert protocol.texts(here.root) == settling.ALL
    status = here.git("status", "--porcelain").splitlines()
    assert [row for row in status if row[1] != " "] == []
