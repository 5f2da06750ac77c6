"""Clones and branches: the log is one, whoever saw its entries first."""

from __future__ import annotations

import shutil

import pytest

from tests.command_line import call
from tests.places import local_of
from tests.protocols.layers.conftest import CONTEXT, GRAPH, LOG, RULES, block
from tests.tables import each_row

NOON = "2026-01-05T12:00:00Z"
EVENT = {"type": "change", "scope": "project", "what": "w", "why": "y", "impact": "i", "next": "n"}


@pytest.fixture
def pair(clone):
    """Give two clones of a project with one event, written by a person."""
    one = clone()
    (one.root / "AGENTS.md").write_text(RULES, encoding="utf-8")
    (one.root / LOG).write_text("# Log\n\n" + block("2026-01-05 08:00", "Begin"), encoding="utf-8")
    one.at(NOON).init(local=False)
    one.commit()
    return one, clone("other", of=one)


def merge_as_text(one, other):
    """Merge what the other clone committed, where our merge driver is not installed."""
    one.without_driver()
    one.git("pull", "--quiet", "--no-rebase", "--no-edit", str(other.root), "main", check=False)


def pull(one, other):
    """Merge what the other clone committed; settle the log if git could not."""
    merge_as_text(one, other)
    done = one.at(NOON).layers.merge()
    one.commit("merged")
    return done


def test_both_clones_record_the_same_entry_and_it_is_one(pair):
    one, other = pair
    for tree in pair:
        tree.at(NOON).layers.boot()
        tree.commit("booted")
    pull(one, other)
    ledger = one.at(NOON)
    assert len(ledger.log(kind=("log.entry",))) == 2
    assert len({event.data["memory"] for event in ledger.log(kind=("log.entry",))}) == 1
    assert len(ledger.list()) == 1
    assert ledger.layers.validate() == ()


@each_row("staged", [False, True])
def test_where_git_alone_has_the_ledgers_log_nothing_is_recorded(pair, clone, staged):
    one, _ = pair
    one.at(NOON).layers.append(**EVENT, title="Ours")
    one.commit("work")
    bare = clone(f"bare-{staged}", of=one)
    if staged:
        bare.git("rm", "-r", "--quiet", "--cached", ".varves/log")
    shutil.rmtree(bare.root / ".varves/log")
    said = call("layers", "boot", cwd=bare.root).err
    assert "nothing is recorded: .varves/log is missing, but git has it" in said
    assert not (bare.root / ".varves/log").exists()


def test_two_branches_appends_are_merged_whole_and_both_clones_show_the_same_bytes(pair):
    one, other = pair
    one.at("2026-01-05T10:00:00Z").layers.append(**EVENT, title="Ours")
    other.at("2026-01-05T09:00:00Z").layers.append(**EVENT, title="Theirs")
    for tree in pair:
        tree.at(NOON).layers.boot()
        tree.commit("work")
    done = pull(one, other)
    assert set(done.settled) == {LOG, GRAPH, CONTEXT}
    assert [(each.side, each.title) for each in done.taken] == [
        ("theirs", "Theirs"),
        ("ours", "Ours"),
    ]
    other.git("pull", "--quiet", "--ff-only", str(one.root), "main")
    for tree in pair:
        booted = tree.at(NOON).layers.boot()
        assert booted.findings == ()
        assert booted.adopted == ()
        assert booted.regenerated == ()
        assert tree.git("status", "--porcelain") == ""
    for path in (LOG, GRAPH, CONTEXT):
        assert (one.root / path).read_bytes() == (other.root / path).read_bytes()


def test_a_view_that_git_could_not_merge_is_made_anew(pair):
    one, other = pair
    for tree, title in ((one, "Same"), (other, "Other")):
        tree.at(NOON).layers.boot()
        tree.at(NOON).layers.append(**EVENT, title=title)
        tree.at(NOON).layers.boot()
        tree.commit("work")
    merge_as_text(one, other)
    assert "<<<<<<<" in (one.root / CONTEXT).read_text(encoding="utf-8")
    layers = one.at(NOON).layers
    assert any("varves rebuild" in line for line in layers.boot().warnings)
    layers.merge()
    assert one.git("diff", "--name-only", "--diff-filter=U") == ""
    assert not (local_of(one.root) / "aside").exists()
    one.commit("merged")
    assert one.at(NOON).layers.validate() == ()


def test_a_log_that_somebody_settled_by_hand_is_kept_beside_the_merged_one(pair):
    one, other = pair
    for tree, title in ((one, "Ours"), (other, "Theirs")):
        tree.at(NOON).layers.append(**EVENT, title=title)
        tree.commit("work")
    merge_as_text(one, other)
    mine = "# Log\n\n" + block("2026-01-05 08:00", "Begin")
    (one.root / LOG).write_text(mine, encoding="utf-8")
    layers = one.at(NOON).layers
    assert [each.title for each in layers.merge().taken] == ["Ours", "Theirs"]
    [kept] = (local_of(one.root) / "aside").iterdir()
    assert kept.read_text(encoding="utf-8") == mine
    assert any("resolved by hand" in note for note in layers.core.notes)


def test_another_branch_is_another_log_and_nothing_was_altered(pair):
    one, _ = pair
    one.at(NOON).layers.boot()
    one.commit("booted")
    one.git("checkout", "--quiet", "-b", "side")
    one.at(NOON).layers.append(**EVENT, title="Side")
    one.at(NOON).layers.boot()
    one.commit("side")
    one.git("checkout", "--quiet", "main")
    assert one.at(NOON).layers.boot().findings == ()
    assert one.git("status", "--porcelain") == ""
    one.git("checkout", "--quiet", "side")
    assert one.at(NOON).layers.boot().findings == ()
    assert one.at(NOON).log(kind=("log.altered",)) == ()


def test_an_event_that_git_took_out_of_the_file_is_reported_and_comes_back(pair):
    one, _ = pair
    one.at(NOON).layers.boot()
    one.commit("booted")
    [name] = one.at(NOON).layers.append(**EVENT, title="Stashed").ids
    one.git("stash", "push", "--quiet", "--", LOG)
    [found] = one.at(NOON).layers.boot().findings
    assert name in found
    assert "missing from the log" in found
    one.git("stash", "pop", "--quiet")
    one.at(NOON).layers.boot()
    assert one.at(NOON).show(name).status == "active"
    assert "Stashed" in (one.root / CONTEXT).read_text(encoding="utf-8")


def test_a_committed_edit_of_somebody_without_this_tool_is_found(pair):
    one, other = pair
    one.at(NOON).layers.boot()
    one.commit("booted")
    text = (other.root / LOG).read_text(encoding="utf-8")
    (other.root / LOG).write_text(text.replace("Begin happened.", "Rewritten."), encoding="utf-8")
    other.git("commit", "--quiet", "--all", "--message", "rewrite")
    one.git("pull", "--quiet", "--no-rebase", "--no-edit", str(other.root), "main")
    [found] = one.at(NOON).layers.boot().findings
    assert "Begin happened." in found
    one.commit("altered")
    assert [each.rule for each in one.at(NOON).layers.validate()] == ["S1-81"]


def test_boot_after_a_merge_says_how_the_next_pull_becomes_possible(pair):
    one, other = pair
    for tree, title in ((one, "Ours"), (other, "Theirs")):
        layers = tree.at(NOON, actor=title, session=title).layers
        layers.boot()
        layers.append(**EVENT, title=title)
        assert [said for said in layers.boot().warnings if "shutdown" in said] == []
        layers.shutdown()
    one.git("pull", "--quiet", "--no-rebase", "--no-edit", str(other.root), "main")

    layers = one.at(NOON, actor="Ours", session="again").layers
    (said,) = [said for said in layers.boot().warnings if "shutdown" in said]

    assert GRAPH in said or CONTEXT in said
    layers.shutdown()
    assert one.git("status", "--short") == ""
    other.git("pull", "--quiet", "--no-rebase", "--no-edit", str(one.root), "main")
    layers = other.at(NOON, actor="Theirs", session="again").layers
    assert [said for said in layers.boot().warnings if "shutdown" in said] == []
    layers.append(**EVENT, title="More")
    layers.shutdown()
    one.git("pull", "--quiet", "--no-rebase", "--no-edit", str(other.root), "main")


def test_an_event_whose_commit_was_reverted_is_reported(pair):
    one, _ = pair
    one.at(NOON).layers.boot()
    one.commit("booted")
    for title in ("Kept", "Later"):
        layers = one.at(NOON, actor="ada", session=title).layers
        layers.boot()
        layers.append(**EVENT, title=title)
        layers.shutdown()
    assert one.at(NOON).layers.validate() == ()
    one.git("revert", "--no-edit", "HEAD")
    one.at(NOON).layers.boot()
    one.commit("booted again")

    found = [each.message for each in one.at(NOON).layers.validate() if each.rule == "S1-07"]

    assert len(found) == 1
    assert "removed" in found[0]
    assert "Later" in found[0]
    (first, *_) = [each for each in one.at(NOON).layers.validate() if "Later" in each.message]
    one.at(NOON).layers.waive(first.place, reason="It was a test.")
    assert not any("Later" in each.message for each in one.at(NOON).layers.validate())


def test_an_entry_that_was_changed_between_two_commits_is_reported(pair):
    one, _ = pair
    log = one.root / LOG
    whole = log.read_text(encoding="utf-8") + "\n" + block("2026-01-05 09:00", "By hand")
    log.write_text(whole, encoding="utf-8")
    one.git("commit", "--quiet", "--all", "--message", "by hand")
    log.write_text(whole.replace("By hand happened.", "Nothing happened."), encoding="utf-8")
    one.git("commit", "--quiet", "--all", "--message", "rewrite")

    (found,) = [each for each in one.at(NOON).layers.validate() if each.rule == "S1-07"]

    assert "changed" in found.message
    assert "By hand" in found.message
    assert found.level == "warning"
