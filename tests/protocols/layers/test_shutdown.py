"""The end of a session: events, views, one commit, and nothing kept."""

from __future__ import annotations

import json
import os

import pytest

from tests.places import local_of
from tests.protocols.layers.ending import VIEWS, begin, event, said, snapshot, titles, write
from varves.errors import NotFound, Refused, VarvesError

NOON = "2026-11-15T12:00:00Z"


@pytest.fixture
def tree(clone):
    """Give a project with rules and a log that is committed."""
    one = clone()
    begin(one.root)
    one.at("2026-11-15T09:00:00Z", actor="ada", session="s0").layers.init()
    one.commit("init")
    return one


def booted(tree, moment=NOON, **given):
    """Open a session and boot it."""
    layers = tree.at(moment, **{"actor": "ada", "session": "s1"} | given).layers
    layers.boot()
    return layers


def committed(tree, revision="HEAD"):
    """Return the files of a commit."""
    shown = tree.git("show", "--pretty=format:", "--name-only", revision)
    return {line for line in shown.splitlines() if line}


@pytest.mark.requirement("S1-53")
def test_three_units_are_three_events_each_with_all_its_parts(tree):
    layers = booted(tree)

    closed = layers.shutdown(text=event("First") + "\n" + event("Second") + "\n" + event("Third"))

    assert len(closed.appended) == 3
    assert titles(tree.root) == ["First", "Second", "Third"]
    text = (tree.root / "CHANGELOG.md").read_text(encoding="utf-8")
    for part in ("### What", "### Why", "### Impact", "### Next Steps"):
        assert text.count(f"{part}\n") == 3, part
    recorded = tree.at(NOON).log(kind=("log.entry",))
    assert [one.data["memory"] for one in recorded] == list(closed.appended)


@pytest.mark.requirement("S1-53", "S1-70")
def test_drafts_become_events_at_the_shutdown_of_their_session(tree):
    layers = booted(tree)
    layers.append(**said("Meant first"), draft=True)
    layers.append(**said("Meant second"), draft=True)

    assert titles(tree.root) == []
    assert [one.title for one in layers.drafts()] == ["Meant first", "Meant second"]
    layers.shutdown(text=event("Said last"))

    assert titles(tree.root) == ["Meant first", "Meant second", "Said last"]
    assert layers.drafts() == ()
    booted(tree).shutdown()
    assert titles(tree.root) == ["Meant first", "Meant second", "Said last"]


@pytest.mark.requirement("S1-70")
def test_what_one_agent_has_not_written_yet_no_other_sees(tree):
    mine = booted(tree)
    before = snapshot_of_tracked(tree)
    mine = booted(tree)
    mine.append(**said("Half done", what="Half done with [[skill-x]]"), draft=True)
    assert snapshot_of_tracked(tree) == before

    other = tree.at(NOON, actor="bob", session="s2").layers
    ready = other.boot()

    assert "Half done" not in json.dumps(ready.as_dict())
    assert other.drafts() == ()
    assert other.graph_query() == ()
    other.shutdown(text=event("Of bob"))
    assert titles(tree.root) == ["Of bob"]
    assert "Half done" not in tree.git("show", "HEAD")
    mine = tree.at(NOON, actor="ada", session="s1").layers
    assert [one.title for one in mine.drafts()] == ["Half done"]
    assert mine.shutdown().appended != ()
    assert titles(tree.root) == ["Of bob", "Half done"]


def snapshot_of_tracked(tree):
    """Return what git would see."""
    return {
        path: content
        for path, content in snapshot(tree.root).items()
        if not path.startswith(".git")
    }


def test_without_a_session_drafts_belong_to_their_actor(tree):
    tree.at(NOON, actor="ada").layers.append(**said("Of ada"), draft=True)
    tree.at(NOON, actor="bob").layers.append(**said("Of bob"), draft=True)

    tree.at(NOON, actor="ada").layers.shutdown()

    assert titles(tree.root) == ["Of ada"]


@pytest.mark.requirement("S1-58")
def test_the_context_is_made_anew_up_to_the_last_event(tree):
    layers = booted(tree)
    layers.append(**said("Before"))

    closed = layers.shutdown(text=event("After", kind="milestone"))

    text = (tree.root / ".memory/context.md").read_text(encoding="utf-8")
    assert closed.context
    assert text.index("After") < text.index("Before")
    assert "- Look at After again" in text
    (horizon,) = [line for line in text.splitlines() if line.startswith("<!--")]
    assert "2026-11-15 12:00" in horizon
    (other,) = [
        line
        for line in (tree.root / ".memory/graph.md").read_text(encoding="utf-8").splitlines()
        if line.startswith("<!--")
    ]
    assert "2026-11-15 12:00" in other
    layers = tree.at(NOON).layers
    assert [one for one in layers.validate() if one.place.startswith(".memory")] == []
    assert layers.boot().stale == ()


@pytest.mark.requirement("S1-59")
def test_one_commit_has_our_paths_and_what_events_link_and_nothing_else(tree):
    write(tree.root, "src/other.py", "two = 2\n")
    write(tree.root, "staged.txt", "old\n")
    tree.commit("more")
    before = tree.git("rev-parse", "HEAD").strip()
    layers = booted(tree)
    write(tree.root, "src/app.py", "one = 11\n")
    write(tree.root, "src/other.py", "two = 22\n")
    write(tree.root, "staged.txt", "staged\n")
    write(tree.root, "notes.txt", "unrelated\n")
    write(tree.root, "src/fresh.py", "three = 3\n")
    write(tree.root, "by-hand.txt", "named\n")
    tree.git("add", "staged.txt")
    layers = tree.at(NOON, actor="ada", session="s1").layers

    closed = layers.shutdown(
        text=event("Edit", files="src/app.py") + "\n" + event("Add", files="src/fresh.py"),
        files=["by-hand.txt"],
    )

    assert closed.commit == tree.git("rev-parse", "HEAD").strip()
    assert tree.git("rev-parse", "HEAD^").strip() == before
    wanted = {"CHANGELOG.md", *VIEWS, "src/app.py", "src/fresh.py", "by-hand.txt"}
    found = committed(tree)
    assert wanted <= found
    assert all(path in wanted or path.startswith(".varves/log/") for path in found), found
    status = tree.git("status", "--porcelain")
    assert sorted(status.splitlines()) == [" M src/other.py", "?? notes.txt", "M  staged.txt"]


@pytest.mark.requirement("S1-59")
def test_events_that_were_moved_to_the_archive_are_committed_with_the_log(tree):
    layers = booted(tree)
    layers.append_text(event("Old") + "\n" + event("Late"))
    whole = (tree.root / "CHANGELOG.md").read_text(encoding="utf-8")
    old, late = (
        whole.index(f"— {title}") - len("## 2026-11-15 12:00 ") for title in ("Old", "Late")
    )
    write(tree.root, "CHANGELOG-archive.md", f"# Archive\n\n{whole[old:late]}")
    write(tree.root, "CHANGELOG.md", whole[:old] + whole[late:])
    closed = layers.shutdown()
    assert "CHANGELOG-archive.md" in committed(tree)
    assert closed.warnings == ()


@pytest.mark.requirement("S1-59", "S1-77")
def test_a_session_that_boots_again_still_knows_what_it_did(tree):
    layers = booted(tree)
    write(tree.root, "src/app.py", "one = 11\n")
    layers.append_text(event("Edit", files="src/app.py"))
    layers = booted(tree, "2026-11-15T13:00:00Z")
    closed = layers.shutdown(to="ben")
    assert "src/app.py" in committed(tree)
    assert closed.handoff["files"]["changelog_updated"] is True
    layers.boot()
    assert layers.shutdown(to="ben").handoff["files"]["changelog_updated"] is False


@pytest.mark.requirement("S1-59", "S1-77")
def test_a_session_without_a_name_that_boots_again_still_knows_what_it_did(tree):
    def layers():
        return tree.at(NOON, actor="ada").layers

    layers().boot()
    write(tree.root, "src/app.py", "one = 11\n")
    layers().append_text(event("Edit", files="src/app.py"))
    layers().boot()
    layers().append_text(event("More"))
    closed = layers().shutdown(to="ben")
    assert "src/app.py" in committed(tree)
    assert "src/app.py" in closed.handoff["files"]["modified"]
    assert closed.handoff["files"]["changelog_updated"] is True
    assert closed.warnings == ()


def test_titles_of_any_length_and_number_fit_into_a_commit_message(tree):
    layers = booted(tree)
    layers.append_text(event("so it went " * 13_000) + "\n" + event("B" * 2_000))
    assert layers.shutdown().commit == tree.git("rev-parse", "HEAD").strip()
    assert len(tree.git("show", "--no-patch", "--format=%B")) < 1000


@pytest.mark.requirement("S1-59")
def test_the_commit_can_be_left_to_the_user(tree):
    before = tree.git("rev-parse", "HEAD")
    layers = booted(tree)

    closed = layers.shutdown(text=event("Mine"), commit=False)

    assert closed.commit is None
    assert tree.git("rev-parse", "HEAD") == before
    assert titles(tree.root) == ["Mine"]
    assert " M CHANGELOG.md" in tree.git("status", "--porcelain").splitlines()


def test_the_commit_runs_the_users_hooks_and_reaches_for_no_remote(tree):
    hook = tree.root / ".git/hooks/post-commit"
    hook.parent.mkdir(exist_ok=True)
    hook.write_text('#!/bin/sh\necho "$GIT_ALLOW_PROTOCOL" > .git/allowed\n', encoding="utf-8")
    hook.chmod(0o755)
    booted(tree).shutdown(text=event("Mine"))
    assert (tree.root / ".git/allowed").read_text(encoding="utf-8") == "none\n"


def test_the_first_shutdown_of_all_makes_the_first_commit(project, clone):
    tree = clone()
    write(project, "AGENTS.md", "# Rules\n\n## Do\n- Test\n")
    layers = tree.at(NOON, actor="ada", session="s1").layers
    layers.init()
    layers.boot()

    closed = layers.shutdown(text=event("Born"))

    assert closed.commit == tree.git("rev-parse", "HEAD").strip()
    assert {".memory/.gitignore", ".varves/.gitignore", ".varves/format.json"} <= committed(tree)
    assert tree.git("status", "--porcelain").splitlines() == ["?? AGENTS.md"]


def test_a_project_below_the_top_of_its_repository_commits_its_own_paths(clone, project):
    tree = clone()
    begin(project)
    below = project / "packages/one"
    write(project, "packages/one/AGENTS.md", "# Rules\n\n## Do\n- Test\n")
    tree.root = below
    layers = booted_below(tree)

    closed = layers.shutdown(text=event("Below"))

    assert closed.commit
    found = committed(tree)
    assert "packages/one/CHANGELOG.md" in found
    assert all(path.startswith("packages/one/") for path in found)


def booted_below(tree):
    """Begin a log in a folder of the repository."""
    layers = tree.at(NOON, actor="ada", session="s1").layers
    layers.init()
    layers.boot()
    return layers


@pytest.mark.requirement("S1-09")
def test_changed_files_that_no_event_links_are_named(tree):
    layers = booted(tree)
    write(tree.root, "src/app.py", "one = 11\n")

    (warning,) = [one for one in layers.shutdown().warnings if "event" in one]

    assert "src/app.py" in warning
    assert tree.git("status", "--porcelain").splitlines() == [" M src/app.py"]
    layers = booted(tree)
    closed = layers.shutdown(text=event("Edit", files="src/app.py"))
    assert [one for one in closed.warnings if "src/app.py" in one] == []


@pytest.mark.requirement("S1-61")
def test_nothing_is_kept_and_the_next_process_boots_from_the_files(tree, varves):
    layers = booted(tree)
    layers.append(**said("Kept out"), draft=True)
    layers.shutdown(text=event("Last"), to="bob")
    tree.close()

    notes = local_of(tree.root) / "notes/layers"
    left = os.listdir(notes) if notes.is_dir() else []
    assert [name for name in left if "s1" in name] == []
    before = snapshot(tree.root)
    first = varves("layers", "boot", "--json", "--session", "s2", env={"VARVES_NOW": NOON})
    assert first.code == 0, first.err
    assert first.json["stale"] == []
    assert first.json["context"] == (tree.root / VIEWS[1]).read_text(encoding="utf-8")
    assert snapshot(tree.root) == before


@pytest.mark.requirement("S1-61")
def test_a_session_that_goes_on_after_its_end_boots_as_any_other(tree):
    booted(tree).shutdown(text=event("First"))

    again = booted(tree)
    write(tree.root, "AGENTS.md", "# Other rules\n")

    with pytest.raises(Refused, match=r"AGENTS\.md"):
        again.shutdown(text=event("Second"))
    assert titles(tree.root) == ["First"]


def test_who_did_not_hear_the_answer_calls_again_and_nothing_is_doubled(tree):
    layers = booted(tree)
    first = layers.shutdown(text=event("Once"), to="bob")

    again = tree.at("2026-11-15T13:00:00Z", actor="ada", session="s1").layers
    second = again.shutdown(text=event("Once"), to="bob")

    assert titles(tree.root) == ["Once"]
    assert second.resumed
    assert (second.appended, second.commit) == (first.appended, first.commit)
    assert second.handoff == first.handoff
    assert any("boot first" in note for note in again.core.notes)
    again.boot()
    again.shutdown(text=event("Once"))
    assert titles(tree.root) == ["Once", "Once"]


# Before the first write


def agents_changed(tree, layers):
    write(tree.root, "AGENTS.md", "# Other rules\n")


def agents_gone(tree, layers):
    (tree.root / "AGENTS.md").unlink()


def markers(tree, layers):
    layers.append(**said("Ours"))
    text = (tree.root / "CHANGELOG.md").read_text(encoding="utf-8")
    write(tree.root, "CHANGELOG.md", f"<<<<<<< HEAD\n{text}=======\n>>>>>>> theirs\n")


def detached(tree, layers):
    tree.git("checkout", "--quiet", "--detach")


def nobody(tree, layers):
    tree.git("config", "--global", "--unset", "user.email")
    tree.git("config", "--global", "user.useConfigOnly", "true")


def joining(tree, layers):
    head = tree.git("rev-parse", "HEAD")
    write(tree.root, ".git/MERGE_HEAD", head)


def unchanged(tree, layers):
    """Leave all as it is: the call itself is wrong."""


STOPS = {
    "rules changed": (agents_changed, {}, r"AGENTS\.md .*boot"),
    "rules gone": (agents_gone, {}, r"AGENTS\.md .*boot"),
    "conflict markers": (markers, {}, "conflict marker"),
    "detached": (detached, {}, "no branch"),
    "no identity": (nobody, {}, "identity unknown"),
    "merge under way": (joining, {}, "merge"),
    "reason": (unchanged, {"reason": "bored", "to": "bob"}, "unknown reason 'bored'"),
    "not two": (unchanged, {"commit": False, "to": "bob"}, "handoff.* commit"),
    "no why": (unchanged, {"text": event("X").replace("It was asked for.", "")}, "no why"),
    "no file": (unchanged, {"files": ["../out"]}, "unsafe file"),
}


@pytest.mark.full_size(sample=2)
@pytest.mark.requirement("S1-62")
@pytest.mark.parametrize("case", sorted(STOPS))
def test_what_stops_a_shutdown_stops_it_before_anything_is_written(case, tree):
    spoil, given, line = STOPS[case]
    layers = booted(tree)
    layers.append(**said("Meant"), draft=True)
    spoil(tree, layers)
    layers = tree.at(NOON, actor="ada", session="s1").layers
    before, head = snapshot(tree.root), tree.git("log", "--format=%H")
    layers = tree.at(NOON, actor="ada", session="s1").layers

    with pytest.raises(VarvesError, match=line) as refused:
        layers.shutdown(**{"text": event("New"), "files": ()} | given)

    assert refused.value.exit == 3
    assert refused.value.hint
    assert "\n" not in refused.value.message
    assert snapshot(tree.root) == before
    assert tree.git("log", "--format=%H") == head


def test_without_git_the_commit_is_refused_and_can_be_left_out(tmp_path, home):
    import varves as package

    root = tmp_path / "plain"
    write(root, "AGENTS.md", "# Rules\n\n## Do\n- Test\n")
    with package.open(root, actor="ada", session="s1") as ledger:
        ledger.layers.init()
        ledger.layers.boot()
        with pytest.raises(Refused, match="git") as refused:
            ledger.layers.shutdown(text=event("Alone"))
        assert "--no-commit" in refused.value.hint
        assert titles(root) == []
        assert ledger.layers.shutdown(text=event("Alone"), commit=False).commit is None
        assert titles(root) == ["Alone"]


def test_where_there_is_no_log_there_is_nothing_to_close(clone):
    tree = clone()
    write(tree.root, "AGENTS.md", "# Rules\n")
    with pytest.raises(NotFound, match=r"CHANGELOG\.md"):
        tree.at(NOON, actor="ada", session="s1").layers.shutdown()


def test_detached_the_work_can_still_be_closed_without_a_commit(tree):
    layers = booted(tree)
    detached(tree, layers)
    layers = tree.at(NOON, actor="ada", session="s1").layers

    with pytest.raises(Refused) as refused:
        layers.shutdown(text=event("On no branch"))
    assert "--no-commit" in refused.value.hint
    layers.shutdown(text=event("On no branch"), commit=False)

    assert titles(tree.root) == ["On no branch"]


# Going on


@pytest.mark.requirement("S1-62")
def test_a_hook_of_the_project_that_says_no_stops_there_and_the_next_call_goes_on(tree):
    hook = tree.root / ".git/hooks/pre-commit"
    hook.parent.mkdir(exist_ok=True)
    hook.write_text("#!/bin/sh\necho 'lint: line too long' >&2\nexit 1\n", encoding="utf-8")
    hook.chmod(0o755)
    layers = booted(tree)
    head = tree.git("rev-parse", "HEAD")
    layers = tree.at(NOON, actor="ada", session="s1").layers

    with pytest.raises(Refused, match="lint: line too long"):
        layers.shutdown(text=event("Once"), to="bob")
    assert titles(tree.root) == ["Once"]
    assert tree.git("rev-parse", "HEAD") == head
    assert not (tree.root / ".memory/handoff.json").exists()
    assert tree.git("diff", "--cached", "--name-only") == ""

    hook.unlink()
    closed = tree.at("2026-11-15T13:00:00Z", actor="ada", session="s1").layers.shutdown(
        text=event("Once")
    )

    assert titles(tree.root) == ["Once"]
    assert len(closed.appended) == 1
    assert closed.commit == tree.git("rev-parse", "HEAD").strip()
    payload = json.loads((tree.root / ".memory/handoff.json").read_text(encoding="utf-8"))
    assert payload["handoff"]["to"] == "bob"
    assert payload["handoff"]["timestamp"] == "2026-11-15T12:00:00.000Z"
    assert payload["files"]["changelog_updated"] is True


def test_a_commit_that_was_refused_can_be_left_out_then(tree):
    hook = tree.root / ".git/hooks/pre-commit"
    hook.parent.mkdir(exist_ok=True)
    hook.write_text("#!/bin/sh\nexit 1\n", encoding="utf-8")
    hook.chmod(0o755)
    layers = booted(tree)
    with pytest.raises(Refused):
        layers.shutdown(text=event("Once"))

    closed = layers.shutdown(commit=False)

    assert closed.commit is None
    assert titles(tree.root) == ["Once"]
    layers.boot()
    hook.unlink()
    assert layers.shutdown().appended == ()


def test_what_comes_with_the_second_call_is_added_once(tree):
    hook = tree.root / ".git/hooks/pre-commit"
    hook.parent.mkdir(exist_ok=True)
    hook.write_text("#!/bin/sh\nexit 1\n", encoding="utf-8")
    hook.chmod(0o755)
    layers = booted(tree)
    with pytest.raises(Refused):
        layers.shutdown(text=event("One"))
    with pytest.raises(Refused):
        layers.shutdown(text=event("One") + "\n" + event("Two"))
    hook.unlink()

    layers.shutdown(text=event("One") + "\n" + event("Two"))

    assert titles(tree.root) == ["One", "Two"]
    assert tree.git("status", "--porcelain") == ""


def test_a_secret_in_an_event_is_masked_everywhere(tree):
    secret = "ghp_" + "a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8"
    layers = booted(tree)

    layers.shutdown(
        text=event("Leak", more=f"The token is {secret}."), message=f"Leak of {secret}", to="bob"
    )

    assert not any(secret.encode() in content for content in snapshot(tree.root).values())
    assert secret not in tree.git("show", "HEAD")


@pytest.mark.requirement("S1-56")
@pytest.mark.parametrize("named", ["linked", "given", "linked beside the work of another session"])
def test_what_git_removed_or_moved_is_committed_as_removed(named, tree):
    layers = booted(tree)
    tree.git("mv", "src/app.py", "src/main.py")
    if named == "given":
        layers.shutdown(text=event("Move"), files=["src/app.py", "src/main.py"])
    else:
        if named != "linked":
            booted(tree, actor="bo", session="s2").append(**said("Not mine"))
        layers.shutdown(text=event("Move", files="src/app.py", more="See `src/main.py`."), to="bo")
        told = json.loads((tree.root / ".memory/handoff.json").read_text(encoding="utf-8"))
        assert {"src/app.py", "src/main.py"} <= {*told["files"]["modified"]}

    listed = tree.git("ls-tree", "--name-only", "HEAD", "src/").split()
    assert listed == ["src/main.py"]
    assert "src/" not in tree.git("status", "--short")


@pytest.mark.requirement("S1-56")
def test_a_file_that_a_person_took_out_of_git_stays_out(tree):
    layers = booted(tree)
    tree.git("rm", "--cached", "--quiet", "src/app.py")

    layers.shutdown(text=event("Forget", files="src/app.py"))

    assert tree.git("ls-tree", "--name-only", "HEAD", "src/") == ""
    assert tree.git("status", "--short", "src").strip() == "?? src/"
    assert (tree.root / "src/app.py").read_text(encoding="utf-8") == "one = 1\n"


@pytest.mark.requirement("S1-56")
def test_a_folder_that_an_event_links_is_committed_with_its_changed_files(tree):
    layers = booted(tree)
    write(tree.root, "pk/one.py", "1\n")
    write(tree.root, "pk/deep/two.py", "2\n")
    write(tree.root, "pkg.py", "3\n")

    closed = layers.shutdown(text=event("Add pk", files="pk/"), to="bo")

    assert {"pk/one.py", "pk/deep/two.py"} <= committed(tree)
    assert "pkg.py" not in committed(tree)
    assert any("pkg.py" in line and "pk/one.py" not in line for line in closed.warnings)
    assert {"pk/one.py", "pk/deep/two.py"} <= {*closed.handoff["files"]["modified"]}


@pytest.mark.requirement("S1-63")
def test_a_shutdown_names_the_sessions_whose_events_it_leaves(tree):
    booted(tree, session="crashed").append(**said("Unfinished"))
    booted(tree, session=None, actor="bo").append(**said("Of nobody's session"))
    layers = booted(tree, session="s2")
    layers.append(**said("Mine"))

    layers.shutdown()

    (note,) = [line for line in layers.core.notes if "left for their own shutdown" in line]
    assert "session crashed, actor bo" in note
    tree.at(NOON, actor="ada", session="crashed").layers.shutdown()
    assert "Unfinished" in tree.git("show", "HEAD:CHANGELOG.md")


def test_drafts_of_a_session_that_crashed_are_counted_for_the_next(tree):
    booted(tree, session="crashed").append(**said("Unfinished"), draft=True)
    layers = booted(tree, session="s2")

    assert layers.drafts() == ()

    (note,) = layers.core.notes
    assert note.startswith("1 draft of other open sessions: session crashed")
    assert "Unfinished" not in note
    assert tree.at(NOON, actor="ada", session="crashed").layers.drafts()[0].title == "Unfinished"


@pytest.mark.requirement("S1-70")
@pytest.mark.parametrize("accept", [True, False])
def test_another_clone_leaves_what_its_session_has_not_committed(tree, clone, accept):
    (name,) = booted(tree, session="s1").append(**said("Unfinished")).ids
    layers = booted(tree, session="s2")
    layers.append(**said("Mine"))
    layers.shutdown()
    other = clone("other", of=tree)
    before = (other.root / "CHANGELOG.md").read_bytes()
    assert b"Unfinished" not in before

    with pytest.raises(NotFound):
        booted(other, session="s3").resolve(accept=accept)

    assert (other.root / "CHANGELOG.md").read_bytes() == before
    assert other.at(NOON).layers.resolve(name, accept=False).ids == (name,)
    assert "Unfinished" in (other.root / "CHANGELOG.md").read_text(encoding="utf-8")
