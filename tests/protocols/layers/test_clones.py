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
    one.at(NOON).layers.rebuild()
    one.commit("altered")
    assert [each.rule for each in one.at(NOON).layers.validate()] == ["S1-81"]


def session(tree, name, *, moment=NOON):
    """Boot a session of an agent of that name."""
    layers = tree.at(moment, actor=name, session=name).layers
    return layers, layers.boot()


@pytest.fixture
def merged(pair):
    """Give the clone that has merged the session of another one, committed by git alone."""
    for tree, title in zip(pair, ("Ours", "Theirs"), strict=True):
        layers, _ = session(tree, title)
        layers.append(**EVENT | {"what": f"[[{title.lower()}]] is active"}, title=title)
        layers.shutdown()
    one, other = pair
    one.git("pull", "--quiet", "--no-rebase", "--no-edit", str(other.root), "main")
    return one, other


def test_boot_after_a_merge_changes_no_tracked_file_and_the_next_pull_works(merged):
    one, other = merged
    before = one.git("ls-files", "--stage"), one.git("status", "--porcelain")

    layers, ready = session(one, "again")

    assert "Ours" in ready.context
    assert "Theirs" in ready.context
    assert ready.graph == {"entities": 2, "relations": 0}
    assert ready.regenerated == ()
    (said,) = [said for said in ready.warnings if "older than the log" in said]
    assert GRAPH in said
    assert CONTEXT in said
    assert "varves layers rebuild" in said
    assert layers.context(write=False).text == ready.context
    assert [one.id for one in layers.graph_query()] == ["ours", "theirs"]
    assert layers.find("theirs").hits[0].source == "graph"
    stale = [each.place for each in layers.validate() if each.rule in ("S1-22", "S1-89")]
    assert set(stale) == {one.partition(":")[0] for one in ready.stale}
    assert (one.git("ls-files", "--stage"), one.git("status", "--porcelain")) == before
    other.git("pull", "--quiet", "--no-rebase", "--no-edit", str(one.root), "main")
    layers, _ = session(other, "third")
    layers.append(**EVENT, title="More")
    layers.shutdown()
    one.git("pull", "--quiet", "--no-rebase", "--no-edit", str(other.root), "main")
    assert "More" in session(one, "fourth")[1].context


def test_the_next_event_brings_the_views_of_a_merge_up_to_date(merged):
    one, _ = merged
    layers, _ = session(one, "again")
    layers.append(**EVENT, title="More")
    shown = (one.root / CONTEXT).read_text(encoding="utf-8")
    assert [title in shown for title in ("Ours", "Theirs", "More")] == [True] * 3
    assert "[[theirs]]" in (one.root / GRAPH).read_text(encoding="utf-8")
    layers.shutdown()
    assert one.git("status", "--porcelain") == ""
    assert one.at(NOON).layers.validate() == ()


def test_events_of_one_minute_are_shown_in_order_by_boot_and_written_by_the_next_verb(pair):
    one, other = pair
    late, early = "2026-01-05T10:00:40Z", "2026-01-05T10:00:05Z"
    for tree, moment, status in ((one, late, "blocked"), (other, early, "active")):
        layers, _ = session(tree, status, moment=moment)
        layers.append(**EVENT | {"what": f"[[login]] is {status}."}, title=status)
        layers.shutdown()
    one.git("pull", "--quiet", "--no-rebase", "--no-edit", str(other.root), "main")
    content = (one.root / LOG).read_bytes()

    layers, ready = session(one, "again")

    assert ready.context.index("blocked (") < ready.context.index("active (")  # newest first
    assert (one.root / LOG).read_bytes() == content
    assert "blocked" in layers.context(write=False).text
    assert [one.status for one in layers.graph_query(id="login")] == ["blocked"]
    layers.context()
    assert any("git pulls only when" in note for note in layers.core.notes)
    layers.append(**EVENT, title="More")
    text = (one.root / LOG).read_text(encoding="utf-8")
    assert text.index("active\n") < text.index("blocked\n") < text.index("More\n")


def test_boot_leaves_an_edited_view_that_git_tracks_and_the_next_event_keeps_the_edit_aside(merged):
    one, _ = merged
    one.at(NOON).layers.rebuild()
    one.commit("views")
    edited = (one.root / CONTEXT).read_text(encoding="utf-8") + "\n- by hand\n"
    (one.root / CONTEXT).write_text(edited, encoding="utf-8")

    layers, ready = session(one, "again")

    assert "by hand" not in ready.context
    assert any(f"{CONTEXT} is edited by hand" in said for said in ready.warnings)
    assert (one.root / CONTEXT).read_text(encoding="utf-8") == edited
    layers.append(**EVENT, title="More")
    assert any("edited by hand; that text is kept in" in note for note in layers.core.notes)
    kept = [path.read_text(encoding="utf-8") for path in (local_of(one.root) / "aside").iterdir()]
    assert edited in kept
    shown = (one.root / CONTEXT).read_text(encoding="utf-8")
    assert "More" in shown
    assert "by hand" not in shown


def test_boot_leaves_an_incomplete_event_in_a_tracked_log_and_the_next_event_sets_it_aside(pair):
    one, _ = pair
    piece = block("2026-01-05 09:00", "Cut").partition("### Impact")[0].rstrip("\n")
    one.at(NOON).layers.boot()
    with (one.root / LOG).open("a", encoding="utf-8") as file:
        file.write(f"\n{piece}")
    content = (one.root / LOG).read_bytes()

    layers, ready = session(one, "again")

    assert "not written completely" in ready.findings[0]
    assert "Cut" not in ready.context
    assert (one.root / LOG).read_bytes() == content
    layers.append(**EVENT, title="Whole")
    assert "Cut" not in (one.root / LOG).read_text(encoding="utf-8")
    assert [path.read_text(encoding="utf-8").strip() for path in aside(one)] == [piece]


def aside(tree):
    """Return the files that were set aside."""
    return sorted((local_of(tree.root) / "aside").iterdir())


def test_boot_makes_a_tracked_view_that_is_missing(merged):
    one, _ = merged
    one.at(NOON).layers.rebuild()
    one.commit("views")
    for path in (GRAPH, CONTEXT):
        (one.root / path).unlink()
    _, ready = session(one, "again")
    assert set(ready.regenerated) == {GRAPH, CONTEXT}
    assert one.git("status", "--porcelain") == ""


def test_context_says_that_the_file_it_wrote_after_a_merge_is_to_be_committed(merged):
    one, other = merged
    layers = one.at(NOON).layers
    text = layers.context().text
    assert (one.root / CONTEXT).read_text(encoding="utf-8") == text
    assert any("git pulls only when" in note for note in layers.core.notes)
    layers = other.at(NOON).layers
    layers.context()  # nothing was merged here
    assert not any("git pulls" in note for note in layers.core.notes)


def test_accept_shows_the_state_that_boot_shows(merged):
    one, _ = merged
    layers = one.at(NOON, actor="ada", session="ada").layers
    layers.handoff(to="ben", reason="task complete")
    one.git("checkout", "--", GRAPH, CONTEXT)
    layers = one.at(NOON, actor="ben", session="ben").layers
    assert layers.accept().context == layers.boot().context


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
