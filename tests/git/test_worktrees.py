"""Worktrees of one repository see each other's project memories, and each keeps its own log."""

from __future__ import annotations

import json
import os
import random
import shutil

import pytest

import varves
from tests.git.scene import (
    Checkout,
    assert_each_counts_once,
    assert_index_follows,
    assert_reading_changes_nothing,
    assert_whole,
    begin,
    clone,
    rules,
)
from tests.rooms import indexed, room
from varves.cli.main import main
from varves.errors import Refused

LONG = "a story of walruses " * 15_000  # kept in a blob beside its line


@pytest.fixture
def trees(tmp_path, home):
    """Give a repository with a committed ledger, and a worktree on the branch `feature`."""
    here = begin(tmp_path / "project")
    here.remember("Use Postgres for storage", id="mem_aaaaaaaaaaaa")
    here.commit("first")
    aside = add_worktree(here, "aside", "feature")
    yield here, aside
    for checkout in (here, aside):
        checkout.close()


def add_worktree(here: Checkout, name: str, branch: str) -> Checkout:
    """Link another worktree on a branch of its own."""
    here.git("worktree", "add", "--quiet", "-b", branch, f"../{name}")
    return Checkout(here.root.parent / name, time=here.time, seed=name)


def labels(checkout: Checkout) -> dict[str, str | None]:
    """Return the branch of every memory a checkout shows, by text."""
    return {memory.text: memory.branch for memory in checkout.ledger.list(status="all")}


def own_events(checkout: Checkout) -> set[str]:
    return set(checkout.held())


@pytest.mark.parametrize("committed", [False, True])
def test_a_memory_of_another_worktree_is_seen_with_its_branch(trees, committed):
    here, aside = trees
    event = aside.remember("Use Redis for the queue", id="mem_bbbbbbbbbbbb")
    if committed:
        aside.commit("queue")
    (hit,) = here.ledger.recall("which queue is it?")
    assert (hit.memory.text, hit.memory.branch) == ("Use Redis for the queue", "feature")
    assert hit.as_dict()["branch"] == "feature"
    assert here.ledger.show("mem_bbbbbbbbbbbb").branch == "feature"
    assert labels(here) == {"Use Postgres for storage": None, "Use Redis for the queue": "feature"}
    assert labels(aside) == dict.fromkeys(labels(here))
    (told,) = here.ledger.history("mem_bbbbbbbbbbbb")
    assert (told.id, told.branch, told.as_dict()["branch"]) == (event, "feature", "feature")
    assert [e.branch for e in here.ledger.log()][-1] == "feature"
    assert event not in own_events(here)


def test_the_command_line_names_the_branch(trees, capsys):
    here, aside = trees
    aside.remember("Use Redis for the queue")
    shown = {}
    for name, *words in (("recall", "queue"), ("list",), ("log",)):
        main([name, *words, "--root", str(here.root)])
        shown[name] = capsys.readouterr().out
    assert "on feature" in shown["recall"]
    assert shown["list"].count("on feature") == 1
    assert shown["log"].splitlines()[-1].endswith("Use Redis for the queue  on feature")
    main(["list", "--json", "--root", str(here.root)])
    listed = json.loads(capsys.readouterr().out)["memories"]
    assert [memory["branch"] for memory in listed] == ["feature", None]


def test_the_main_checkout_is_seen_from_the_linked_one_and_three_see_each_other(trees):
    here, aside = trees
    third = add_worktree(here, "third", "other")
    here.remember("Said on main")
    aside.remember("Said on feature")
    third.remember("Said on other")
    assert labels(aside) | {"Use Postgres for storage": None} == {
        "Use Postgres for storage": None,
        "Said on main": "main",
        "Said on feature": None,
        "Said on other": "other",
    }
    assert labels(third)["Said on main"] == "main"
    assert labels(here)["Said on other"] == "other"
    third.close()


def test_what_is_held_here_and_there_is_held_here(trees):
    here, aside = trees
    aside.remember("Use Redis for the queue")
    aside.commit("queue")
    assert labels(here)["Use Redis for the queue"] == "feature"
    here.git("merge", "--quiet", "feature")
    assert labels(here)["Use Redis for the queue"] is None
    assert_each_counts_once(here)
    here.git("reset", "--quiet", "--hard", "HEAD~1")
    assert labels(here)["Use Redis for the queue"] == "feature", "it is only there again"


def test_the_label_follows_what_is_checked_out_there(trees):
    here, aside = trees
    aside.remember("Use Redis for the queue")
    assert labels(here)["Use Redis for the queue"] == "feature"
    aside.git("checkout", "--quiet", "-b", "release/2")
    assert labels(here)["Use Redis for the queue"] == "release/2"
    aside.git("checkout", "--quiet", "--detach")
    assert labels(here)["Use Redis for the queue"] == aside.git("rev-parse", "HEAD")[:12]


def test_worktrees_can_be_kept_apart(trees):
    here, aside = trees
    aside.remember("Use Redis for the queue")
    assert len(here.ledger.list()) == 2
    (here.root / ".varves/settings.toml").write_text('share = "branch"\n', encoding="utf-8")
    with varves.open(here.root) as apart:
        assert [memory.text for memory in apart.list()] == ["Use Postgres for storage"]
        assert not apart.doctor(), "what the other holds is not lost"
        assert list(apart.status()["logs"]) == ["project"]
    (here.root / ".varves/settings.toml").write_text('share = "all"\n', encoding="utf-8")
    with pytest.raises(varves.errors.Damaged, match="share"):
        varves.open(here.root)


def test_a_change_made_elsewhere_to_a_memory_of_ours_shows_with_that_branch(trees):
    here, aside = trees
    better = aside.ledger.correct("mem_aaaaaaaaaaaa", "Use SQLite for storage")
    old, young = here.ledger.show("mem_aaaaaaaaaaaa"), here.ledger.show(better.id)
    assert (old.status, old.branch) == ("superseded", "feature")
    assert (young.status, young.branch) == ("active", "feature")
    with pytest.raises(Refused):
        here.remember("Use Postgres for storage")
    shutil.rmtree(aside.root)
    assert here.ledger.show("mem_aaaaaaaaaaaa").status == "active"
    assert here.ledger.show("mem_aaaaaaaaaaaa").branch is None


def test_a_change_made_here_to_a_memory_of_another_worktree_waits_in_our_log(trees):
    here, aside = trees
    memory = aside.ledger.remember("Use Redis for the queue")
    here.ledger.edit(memory.id, tag=["+fast"])
    better = here.ledger.correct(memory.id, "Use NATS for the queue")
    changes = [event for event in here.ledger.history(memory.id) if event.branch is None]
    assert [event.kind for event in changes] == ["memory.revised", "memory.superseded"]
    assert {event.id for event in changes} <= own_events(here) - own_events(aside)
    for checkout in (here, aside):
        assert checkout.ledger.show(memory.id).status == "superseded"
        assert_index_follows(checkout.ledger, here.time.ms)
        assert_whole(checkout.ledger)
    assert here.ledger.show(better.id).branch is None
    assert aside.ledger.show(better.id).branch == "main"
    here.commit("changed")

    other = clone(here, "clone")  # has the change, and not what it changes
    assert [m.text for m in other.ledger.list(status="all")] == [
        "Use NATS for the queue",
        "Use Postgres for storage",
    ]
    aside.commit("queue")
    other.git("pull", "--quiet", "--no-rebase", "--no-edit", str(here.root), "feature")
    arrived = other.ledger.show(memory.id)
    assert (arrived.status, arrived.tags) == ("superseded", ("fast",))
    other.close()


def test_only_what_this_checkout_holds_makes_a_write_known(trees):
    here, aside = trees
    there = aside.ledger.remember("Use Redis for the queue")
    said = here.ledger.remember("Use Redis for the queue")
    assert said.status == "recorded"
    assert here.ledger.remember("Use Redis for the queue").status == "known"
    (hit,) = here.ledger.recall("queue")
    assert (hit.memory.id, hit.memory.branch) == (said.id, None)
    assert hit.reasons["same"] == [there.id]
    aside.git("worktree", "remove", "--force", ".")
    assert [memory.id for memory in here.ledger.list(tag=None)][:1] == [said.id]


def test_a_given_id_is_recorded_here_too_and_stays_one_memory(trees):
    here, aside = trees
    aside.remember("Use Redis for the queue", id="mem_bbbbbbbbbbbb")
    first = here.ledger.remember("Use Redis for the queue", id="mem_bbbbbbbbbbbb")
    assert first.status == "recorded"
    assert here.ledger.remember("Use Redis for the queue", id=first.id).status == "known"
    assert here.ledger.show(first.id).branch is None
    with pytest.raises(Refused):
        here.remember("Use another", id="mem_bbbbbbbbbbbb")
    here.commit("ours")
    aside.commit("theirs")
    here.git("merge", "--quiet", "--no-edit", "feature")
    assert [memory.id for memory in here.ledger.list()].count(first.id) == 1
    assert_whole(here.ledger)


def test_a_share_in_one_worktree_is_only_labelled_in_the_other(trees):
    """Both read the same private log; only one project's log holds the sharing."""
    here, aside = trees
    private = aside.ledger.remember("The word is xylophone", private=True)
    aside.ledger.share(private.id)
    assert (here.ledger.show(private.id).kept, here.ledger.show(private.id).branch) == (
        "project",
        "feature",
    )
    assert here.ledger.remember("The word is xylophone").status == "recorded"
    aside.git("worktree", "remove", "--force", ".")
    assert (here.ledger.show(private.id).kept, here.ledger.show(private.id).branch) == (
        "private",
        None,
    )


def test_verify_status_and_seen_speak_of_this_checkout_only(trees):
    here, aside = trees
    for number in range(4):
        aside.remember(f"Aside {number}")
        here.ledger.recall("aside")
        here.remember(f"Here {number}")
        aside.ledger.recall("here")
    for checkout, other in ((here, aside), (aside, here)):
        found = checkout.ledger.verify()
        logs = checkout.ledger.status()["logs"]
        told = logs["private"]["events"]  # both worktrees share that log
        assert (found.ok, found.gaps, found.events) == (True, (), len(own_events(checkout)) + told)
        assert logs["project"]["events"] == len(own_events(checkout))
        (key,) = [key for key in logs if key.startswith("project@")]
        assert logs[key]["events"] == len(own_events(other))
    assert aside.ledger.status()["logs"]["project@.git"]["branch"] == "main"
    assert here.ledger.status()["logs"]["project@aside"]["branch"] == "feature"


def test_damage_in_one_worktree_is_found_there_and_not_in_the_other(trees):
    here, aside = trees
    aside.remember("Use Redis for the queue")
    (segment,) = set(aside.root.glob(".varves/log/*/*")) - {
        aside.root / path.relative_to(here.root) for path in here.root.glob(".varves/log/*/*")
    }
    segment.write_bytes(segment.read_bytes().replace(b"Redis", b"Kafka"))
    assert rules(aside.ledger.doctor()) == ["bad-line"]
    assert not here.ledger.doctor()
    assert here.ledger.verify().ok
    assert "Use Kafka for the queue" not in labels(here)


def test_a_long_text_of_another_worktree_is_read_from_there(trees):
    here, aside = trees
    memory = aside.ledger.remember(LONG)
    assert here.ledger.show(memory.id).text == LONG
    assert not list(here.root.glob(".varves/log/blobs/*"))
    assert indexed(here.root, "select count(*) from missing") == [(0,)], "nothing is waited for"


def test_what_a_removed_worktree_held_alone_comes_back_in_any_other(trees):
    here, aside = trees
    third = add_worktree(here, "third", "other")
    kept = aside.remember("Committed on feature")
    aside.commit("kept")
    lost = {aside.remember("Use Redis for the queue"), aside.remember(LONG)}
    assert labels(here)["Use Redis for the queue"] == "feature"
    assert not here.ledger.doctor()
    here.git("worktree", "remove", "--force", "../aside")
    assert "Use Redis for the queue" not in labels(here)
    assert rules(here.ledger.doctor()) == rules(third.ledger.doctor()) == ["eaten"]
    assert third.ledger.restore_eaten().restored == len(lost) + 1  # and what closed the segment
    assert lost <= own_events(third)
    assert kept not in own_events(third), "the branch still holds it"
    assert (labels(third)[LONG], labels(here)[LONG]) == (None, "other")
    assert not here.ledger.doctor()
    assert not third.ledger.doctor()
    assert_whole(third.ledger)
    third.close()


def test_a_worktree_whose_folder_was_just_deleted_loses_nothing_either(trees):
    here, aside = trees
    lost = aside.remember("Use Redis for the queue")
    shutil.rmtree(aside.root)
    assert rules(here.ledger.doctor()) == ["eaten"]
    here.ledger.restore_eaten()
    assert lost in own_events(here)
    here.git("worktree", "prune")
    assert not here.ledger.doctor()


def test_a_worktree_that_moves_is_followed(trees):
    here, aside = trees
    aside.remember("Use Redis for the queue")
    assert labels(here)["Use Redis for the queue"] == "feature"
    here.git("worktree", "move", "../aside", "../moved")
    assert labels(here)["Use Redis for the queue"] == "feature"
    moved = Checkout(here.root.parent / "moved", time=here.time, seed="moved")
    moved.remember("Said after the move")
    assert labels(here)["Said after the move"] == "feature"
    moved.close()


def spoil_link(ledger_folder):
    elsewhere = ledger_folder.parent / "elsewhere"
    ledger_folder.rename(elsewhere)
    ledger_folder.symlink_to(elsewhere)


def spoil_format(ledger_folder):
    (ledger_folder / "format.json").write_text('{"format":"varves","version":2}', encoding="utf-8")


def spoil_pipe(ledger_folder):
    (ledger_folder / "format.json").unlink()
    os.mkfifo(ledger_folder / "format.json")


def spoil_log(ledger_folder):
    shutil.rmtree(ledger_folder / "log")
    (ledger_folder / "log").write_text("no folder\n", encoding="utf-8")


def spoil_month(ledger_folder):
    (month,) = (ledger_folder / "log").glob("*-*")
    month.chmod(0)


@pytest.mark.full_size(sample=1)
@pytest.mark.parametrize("spoil", [spoil_link, spoil_format, spoil_pipe, spoil_log, spoil_month])
def test_whatever_is_wrong_with_one_worktree_is_not_the_others_trouble(trees, spoil):
    here, aside = trees
    aside.remember("Use Redis for the queue")
    aside.close()
    spoil(aside.root / ".varves")
    assert labels(here)["Use Postgres for storage"] is None
    here.remember("Life goes on")
    assert here.ledger.recall("life").hits
    with room(here.root) as seen:
        sources = {log.key for log in seen.index.sources()}
    assert ("project@aside" in sources) == (spoil is spoil_month)
    assert_whole(here.ledger)
    if spoil is spoil_month:
        next((aside.root / ".varves/log").glob("*-*")).chmod(0o700)


def test_undo_without_a_session_takes_back_this_checkouts_last_event(trees):
    here, aside = trees
    ours = here.remember("Said here")
    theirs = aside.remember("Said there")
    assert here.ledger.undo().undone == ours
    assert aside.ledger.undo().undone == theirs
    assert here.ledger.undo().undone != theirs


def test_undo_leaves_alone_what_the_other_worktree_has_undone(trees):
    here, aside = trees
    first, second = here.remember("First"), here.remember("Second")
    aside.ledger.undo(second)
    assert here.ledger.undo().undone == first


def test_reading_in_one_worktree_changes_nothing_in_any(trees):
    here, aside = trees
    aside.remember("Use Redis for the queue")
    here.remember("Use UTC")
    before = here.changes()
    assert_reading_changes_nothing(aside)
    assert here.changes() == before


def test_ledgers_in_a_subfolder_find_each_other(tmp_path, home):
    here = begin(tmp_path / "project")
    inner = here.root / "tools/bot"
    inner.mkdir(parents=True)
    with varves.open(inner) as ledger:
        ledger.remember("Said in the subfolder")
    here.remember("Said at the top")
    here.commit("two ledgers")
    aside = add_worktree(here, "aside", "feature")
    with varves.open(aside.root / "tools/bot") as below, varves.open(inner) as ledger:
        below.remember("Said below on feature")
        seen = {memory.text: memory.branch for memory in ledger.list()}
    assert seen == {"Said in the subfolder": None, "Said below on feature": "feature"}
    assert set(labels(here)) == {"Said at the top"}
    for checkout in (here, aside):
        checkout.close()


def test_worktrees_of_a_bare_repository_find_each_other(tmp_path, home):
    origin = begin(tmp_path / "origin")
    origin.remember("Start")
    origin.commit("first")
    origin.git("clone", "--quiet", "--bare", str(origin.root), str(tmp_path / "hub.git"))
    trees = []
    for name in ("one", "two"):
        origin.git(f"--git-dir={tmp_path}/hub.git", "worktree", "add", "--quiet", f"../{name}")
        trees.append(Checkout(tmp_path / name, time=origin.time, seed=name))
    one, two = trees
    one.remember("Said in one")
    two.remember("Said in two")
    assert labels(one) == {"Start": None, "Said in one": None, "Said in two": "two"}
    assert labels(two) == {"Start": None, "Said in two": None, "Said in one": "one"}
    for checkout in (origin, one, two):
        checkout.close()


def do_something(seeded: random.Random, there: Checkout) -> None:
    """Write, or let git do something that moves events about."""
    memories = there.ledger.list(status="all")
    what = seeded.choice(("say", "say", "say", "correct", "forget", "commit", "merge", "reset"))
    try:
        if what == "say" or not memories:
            there.remember(f"Use {seeded.choice('abcdefgh')} for it", again=True)
        elif what == "correct":
            there.ledger.correct(seeded.choice(memories).id, f"Use {seeded.random()}", again=True)
        elif what == "forget":
            there.ledger.forget(seeded.choice(memories).id, reason="because")
        elif what == "commit":
            there.commit()
        elif what == "merge":
            there.commit()
            there.git("merge", "--quiet", "--no-edit", seeded.choice(("main", "feature", "other")))
        else:
            there.git("reset", "--quiet", "--hard", "HEAD~1", check=False)
    except Refused:
        pass


def heads_of(checkout) -> object:
    with room(checkout.root) as seen:
        return seen.index.get().heads("project")


@pytest.mark.parametrize("seed", range(40 if os.environ.get("VARVES_TORTURE") else 1))
def test_an_index_brought_along_says_what_one_made_anew_says(trees, seed):
    """Labels too, whatever moves between three worktrees."""
    here, aside = trees
    third = add_worktree(here, "third", "other")
    seeded = random.Random(seed)
    for _ in range(25):
        there = seeded.choice((here, aside, third))
        do_something(seeded, there)
        assert_each_counts_once(there)
    for checkout in (here, aside, third):
        brought = checkout.ledger.list(status="all")
        heads = heads_of(checkout)
        assert_index_follows(checkout.ledger, here.time.ms)
        checkout.ledger.rebuild()
        assert checkout.ledger.list(status="all") == brought
        assert heads_of(checkout) == heads
        assert_whole(checkout.ledger)
    third.close()
