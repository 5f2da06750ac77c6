"""The published payload, made after the commit and consumed once."""

from __future__ import annotations

import json
import re
import subprocess

import pytest

from tests.protocols.layers.ending import begin, event, said, snapshot, write
from varves.errors import NotFound, Refused

NOON = "2026-11-15T12:00:00Z"
PLACE = ".memory/handoff.json"
PUBLISHED = {
    "handoff": ["from", "to", "timestamp", "reason"],
    "state": ["recent_events", "active_entities", "blockers", "next_actions"],
    "files": ["modified", "committed", "changelog_updated"],
}


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


def payload(tree):
    """Return what lies there for the next agent."""
    return json.loads((tree.root / PLACE).read_text(encoding="utf-8"))


def section(tree, name):
    """Return the list lines of a part of context.md."""
    text = (tree.root / ".memory/context.md").read_text(encoding="utf-8")
    part = re.search(rf"^## {name}\n(.*?)(?=^## |^<!--|\Z)", text, re.DOTALL | re.MULTILINE)
    return [line[2:] for line in part[1].splitlines() if line.startswith("- ")]


@pytest.mark.requirement("S1-60", "S1-72")
def test_the_payload_has_the_published_objects_and_keys(tree):
    closed = booted(tree).shutdown(text=event("Last", files="src/app.py"), to="bob")

    document = payload(tree)
    assert closed.handoff == document
    assert {name: list(part) for name, part in document.items()} == PUBLISHED
    kinds = {name: type(part) for name, part in document["state"].items()}
    assert set(kinds.values()) == {list}
    assert document["state"]["recent_events"] == ["2026-11-15 12:00 — Last (change, file)"]
    assert document["state"]["active_entities"] == ["src/app.py"]
    assert tree.git("status", "--porcelain") == ""
    assert tree.git("check-ignore", PLACE).strip() == PLACE


@pytest.mark.requirement("S1-60")
def test_without_a_receiver_there_is_no_payload(tree):
    closed = booted(tree).shutdown(text=event("Last"))

    assert closed.handoff is None
    assert not (tree.root / PLACE).exists()
    assert tree.at(NOON).log(kind=("handoff.created",)) == ()


@pytest.mark.requirement("S1-73")
def test_it_says_who_hands_on_to_whom_when_and_why(tree):
    booted(tree).shutdown(text=event("Last"), to="bob", reason="escalation")

    head = payload(tree)["handoff"]
    assert head == {
        "from": "ada",
        "to": "bob",
        "timestamp": "2026-11-15T12:00:00.000Z",
        "reason": "escalation",
    }
    (made,) = tree.at(NOON).log(kind=("handoff.created",))
    assert made.log == "private"
    told = {key: made.data[key] for key in ("from", "to", "time", "reason")}
    assert list(told.values()) == list(head.values())
    assert "handoff" not in tree.git("show", "HEAD", "--", ".varves")


@pytest.mark.full_size(sample=1)
@pytest.mark.requirement("S1-74")
@pytest.mark.parametrize("reason", ["session timeout", "task complete", "escalation"])
def test_each_of_the_three_reasons_is_taken(reason, tree):
    layers = booted(tree)
    layers.shutdown(text=event("Last"))
    layers.handoff(to="bob", reason=reason)

    assert payload(tree)["handoff"]["reason"] == reason


@pytest.mark.full_size(sample=1)
@pytest.mark.requirement("S1-74")
@pytest.mark.parametrize("reason", ["", "Task complete", "bored"])
def test_any_other_reason_is_refused(reason, tree):
    layers = booted(tree)
    layers.shutdown(text=event("Last"))
    before = snapshot(tree.root)

    for verb in (layers.handoff, layers.shutdown):
        with pytest.raises(Refused, match="unknown reason") as refused:
            verb(to="bob", reason=reason)
        assert "session timeout, task complete, escalation" in refused.value.hint
    assert snapshot(tree.root) == before


@pytest.mark.full_size(sample=1)
@pytest.mark.requirement("S1-75")
@pytest.mark.parametrize(("number", "expected"), [(3, 3), (9, 5)])
def test_the_last_five_events_go_along_newest_first(number, expected, tree):
    layers = booted(tree)
    layers.shutdown(text="\n".join(event(f"Event {n}") for n in range(number)), to="bob")

    wanted = [f"2026-11-15 12:00 — Event {n} (change, file)" for n in reversed(range(number))][
        :expected
    ]
    assert payload(tree)["state"]["recent_events"] == wanted


@pytest.mark.requirement("S1-76")
def test_entities_blockers_and_next_actions_are_those_of_the_context(tree):
    layers = booted(tree)
    layers.append(**said("Begin", what="- [[login]] — Login — active — pack-auth"))
    layers.append(**said("Stuck", impact="Blocker: no key for the server\nBlocker: no time"))
    layers.shutdown(text=event("Go on", files="src/app.py", more="\nResolved: no time"), to="bob")

    state = payload(tree)["state"]
    assert state["blockers"] == ["no key for the server"] == section(tree, "Blockers/Issues")
    assert state["next_actions"] == section(tree, "Next Actions")
    assert "Look at Go on again" in state["next_actions"]
    assert {"login", "pack-auth", "src/app.py"} == set(state["active_entities"])
    text = "\n".join(section(tree, "Active Entities"))
    assert all(f"[[{name}]]" in text for name in state["active_entities"])


@pytest.mark.requirement("S1-76")
def test_where_the_context_says_none_the_payload_has_an_empty_list(tree):
    booted(tree).shutdown(to="bob")

    state = payload(tree)["state"]
    assert state == {key: [] for key in PUBLISHED["state"]}


@pytest.mark.requirement("S1-77")
def test_the_files_that_changed_and_the_commit_that_holds_them(tree):
    layers = booted(tree)
    write(tree.root, "src/app.py", "one = 11\n")
    write(tree.root, "notes.txt", "unrelated\n")
    layers.shutdown(text=event("Edit", files="src/app.py"), to="bob")

    files = payload(tree)["files"]
    assert {"CHANGELOG.md", "src/app.py"} <= set(files["modified"])
    assert "notes.txt" not in files["modified"]
    assert "AGENTS.md" not in files["modified"]
    assert not any(path.startswith(".varves/") for path in files["modified"])
    assert files["committed"] == tree.git("rev-parse", "HEAD").strip()


@pytest.mark.requirement("S1-77")
def test_files_that_no_event_of_the_session_links_are_not_among_the_modified(tree):
    write(tree.root, "draft.txt", "somebody's\n")
    booted(tree)
    for path in ("shared.txt", "given.txt", "src/app.py", "src/his.py"):
        write(tree.root, path, "three = 33\n")
    other = tree.at(NOON, actor="carol", session="s2").layers
    other.boot()
    other.append_text(event("His", files="src/his.py"))
    layers = tree.at(NOON, actor="ada", session="s1").layers
    text = event("Edit", files="src/app.py")
    closed = layers.shutdown(text=text, to="bob", files=["given.txt"])

    files = closed.handoff["files"]["modified"]
    assert {"src/app.py", "given.txt"} <= set(files)
    assert {"draft.txt", "shared.txt", "src/his.py"}.isdisjoint(files)
    assert any("shared.txt" in one for one in closed.warnings)


@pytest.mark.requirement("S1-78")
def test_a_handoff_says_what_its_commit_does_not_contain(tree):
    booted(tree, actor="carol", session="s2").append(**said("Hers"))
    layers = booted(tree)
    write(tree.root, "src/app.py", "one = 11\n")
    made = layers.handoff(to="bob", reason="escalation")

    told = "\n".join(made.warnings)
    assert "1 event of other open sessions not committed: 'Hers'" in told
    assert "changed, but not committed: " in told
    assert "src/app.py" in told


@pytest.mark.requirement("S1-77")
def test_files_the_agent_committed_itself_are_among_the_modified(tree):
    booted(tree)
    write(tree.root, "src/app.py", "one = 11\n")
    tree.git("commit", "--quiet", "--message", "my own", "--", "src/app.py")
    layers = tree.at(NOON, actor="ada", session="s1").layers
    layers.shutdown(text=event("Edit", files="src/app.py"), to="bob")

    assert "src/app.py" in payload(tree)["files"]["modified"]


def with_work_of_two(tree):
    """Let Carol and Ada append; return Ada's verbs."""
    carol = booted(tree, actor="carol", session="s2")
    carol.append(**said("Hers", what="- [[secret]] — Secret — active — none", impact="Blocker: x"))
    layers = booted(tree)
    layers.append(**said("Mine", what="- [[login]] — Login — active — none"))
    return layers


@pytest.mark.requirement("S1-70", "S1-76")
def test_a_handoff_shows_no_uncommitted_work_of_another_session(tree):
    with_work_of_two(tree).shutdown(to="bob")
    at_shutdown = payload(tree)["state"]
    layers = tree.at(NOON, actor="ada", session="s1").layers
    layers.handoff(to="bob", reason="escalation")

    assert payload(tree)["state"] == at_shutdown
    assert at_shutdown == {
        "recent_events": ["2026-11-15 12:00 — Mine (change, file)"],
        "active_entities": ["login"],
        "blockers": [],
        "next_actions": ["Look at Mine again"],
    }
    committed = tree.git("show", "HEAD:.memory/context.md")
    assert "- Look at Mine again" in committed
    assert "Hers" not in committed
    assert "Hers" in (tree.root / "CHANGELOG.md").read_text(encoding="utf-8")


@pytest.mark.requirement("S1-77")
def test_a_handoff_after_the_shutdown_names_the_same_files(tree):
    layers = booted(tree)
    write(tree.root, "src/app.py", "one = 11\n")
    closed = layers.shutdown(text=event("Edit", files="src/app.py"), to="bob")
    layers = tree.at(NOON, actor="ada", session="s1").layers
    made = layers.handoff(to="bob", reason="task complete")

    assert made.payload["files"] == closed.handoff["files"]
    assert "src/app.py" in made.payload["files"]["modified"]


@pytest.mark.requirement("S1-77")
def test_another_session_hands_over_a_commit_with_its_files(tree):
    layers = booted(tree)
    write(tree.root, "src/app.py", "one = 11\n")
    closed = layers.shutdown(text=event("Edit", files="src/app.py"))
    made = tree.at(NOON, actor="carol", session="s2").layers.handoff(
        to="bob", reason="task complete"
    )
    files = made.payload["files"]
    assert files["committed"] == closed.commit
    assert {"CHANGELOG.md", "src/app.py"} <= set(files["modified"])
    assert files["changelog_updated"] is False
    write(tree.root, "notes.txt", "more\n")
    tree.commit("by hand")
    made = tree.at(NOON, actor="carol", session="s2").layers.handoff(
        to="bob", reason="task complete"
    )
    assert made.payload["files"]["modified"] == []


def of_this_session(tree):
    booted(tree).append(**said("Mine"))


def of_another(tree):
    booted(tree)
    tree.at(NOON, actor="bob", session="s2").layers.append(**said("His"))


def by_hand(tree):
    booted(tree)
    path = tree.root / "CHANGELOG.md"
    with path.open("a", encoding="utf-8") as file:
        file.write("\n" + event("By hand").replace("## By", "## 2026-11-15 11:00 — By", 1))


def nothing(tree):
    booted(tree)


@pytest.mark.full_size(sample=1)
@pytest.mark.requirement("S1-77")
@pytest.mark.parametrize(
    ("before", "updated"),
    [(of_this_session, True), (of_another, False), (by_hand, False), (nothing, False)],
)
def test_the_changelog_counts_as_updated_only_if_this_session_appended(before, updated, tree):
    before(tree)
    layers = tree.at(NOON, actor="ada", session="s1").layers
    layers.shutdown(to="carol")

    assert payload(tree)["files"]["changelog_updated"] is updated


@pytest.mark.requirement("S1-78")
def test_a_payload_before_the_commit_is_refused(tree):
    layers = booted(tree)
    layers.append(**said("Not committed"))
    before = snapshot(tree.root)

    with pytest.raises(Refused, match="uncommitted changes") as refused:
        layers.handoff(to="bob", reason="task complete")

    assert "varves layers shutdown --to bob" in refused.value.hint
    assert snapshot(tree.root) == before
    layers.shutdown(commit=False)
    with pytest.raises(Refused, match="uncommitted changes"):
        layers.handoff(to="bob", reason="task complete")
    tree.commit("by hand")
    layers = tree.at(NOON, actor="ada", session="s1").layers
    made = layers.handoff(to="bob", reason="task complete")
    assert made.payload["files"]["committed"] == tree.git("rev-parse", "HEAD").strip()
    assert made.payload == payload(tree)


@pytest.mark.requirement("S1-78")
def test_drafts_are_work_that_is_not_complete(tree):
    layers = booted(tree)
    layers.append(**said("Meant"), draft=True)

    with pytest.raises(Refused, match="draft"):
        layers.handoff(to="bob", reason="task complete")
    assert not (tree.root / PLACE).exists()


def test_the_views_are_fresh_in_a_payload_made_alone(tree):
    layers = booted(tree)
    layers.append(**said("New", what="- [[login]] — Login — active — none"))
    stale = (tree.root / ".memory/graph.md").read_bytes()
    tree.commit("by hand")
    assert b"login" not in stale

    layers = tree.at(NOON, actor="ada", session="s1").layers
    made = layers.handoff(to="bob", reason="escalation")

    assert made.payload["state"]["active_entities"] == ["login"]
    assert b"[[login]]" in (tree.root / ".memory/graph.md").read_bytes()


@pytest.mark.requirement("S1-79")
def test_the_next_agent_boots_takes_over_and_nobody_takes_it_twice(tree):
    booted(tree).shutdown(text=event("Last"), to="bob")
    layers = booted(tree, "2026-11-15T13:00:00Z", actor="bob", session="s2")

    taken = layers.accept()

    assert taken.status == "accepted"
    assert taken.payload == payload(tree)
    assert taken.context == (tree.root / ".memory/context.md").read_text(encoding="utf-8")
    assert (taken.consumed_by, taken.consumed_at) == ("bob", "2026-11-15T13:00:00.000Z")
    for actor in ("bob", "carol"):
        again = tree.at("2026-11-15T14:00:00Z", actor=actor, session="s3").layers
        with pytest.raises(Refused, match="consumed: bob accepted it at 2026-11-15T13:00"):
            again.accept()
    events = tree.at(NOON).log(kind=("handoff.created", "handoff.consumed"))
    assert [(one.kind, one.actor, one.log) for one in events] == [
        ("handoff.created", "ada", "private"),
        ("handoff.consumed", "bob", "private"),
    ]
    assert events[0].id in events[1].cause
    assert tree.git("status", "--porcelain") == ""


@pytest.mark.requirement("S1-79")
def test_a_second_handoff_is_another_one(tree):
    booted(tree).shutdown(text=event("One"), to="bob")
    booted(tree, actor="bob", session="s2").accept()
    booted(tree, actor="bob", session="s2").shutdown(text=event("Two"), to="ada")

    assert booted(tree, actor="ada", session="s3").accept().status == "accepted"


@pytest.mark.requirement("S1-79")
def test_only_the_receiver_accepts_a_handoff(tree):
    booted(tree).shutdown(text=event("Last"), to="Bob")

    for actor in ("ada", "carol", "USER"):
        with pytest.raises(Refused, match="the handoff is for Bob") as refused:
            booted(tree, actor=actor, session="s2").accept()
        assert "varves --actor Bob layers accept" in refused.value.hint
    assert tree.at(NOON).log(kind=("handoff.consumed",)) == ()
    assert booted(tree, actor="bob", session="s3").accept().status == "accepted"


def test_a_handoff_nobody_took_is_named_before_another_takes_its_place(tree):
    booted(tree).shutdown(text=event("Last"), to="bob")

    closed = booted(tree).shutdown(to="carol")

    assert any("bob" in one for one in closed.warnings)


def test_nothing_handed_on_is_not_found(tree):
    with pytest.raises(NotFound, match="there is no handoff"):
        booted(tree).accept()


FOREIGN = {
    "not json": b"{",
    "a list": b"[]",
    "no state": b'{"handoff": {}}',
    "not text": b"\xff\xfe",
    "other kinds": json.dumps(
        {"handoff": dict.fromkeys(PUBLISHED["handoff"], 1), "state": {}, "files": {}}
    ).encode(),
    "deep": b"[" * 100_000,
}


@pytest.mark.full_size(sample=1)
@pytest.mark.parametrize("case", sorted(FOREIGN))
def test_a_file_that_is_no_payload_is_refused_in_one_line(case, tree):
    layers = booted(tree)
    (tree.root / PLACE).write_bytes(FOREIGN[case])

    with pytest.raises(Refused, match="is not a handoff") as refused:
        layers.accept()

    assert "\n" not in refused.value.message
    assert (tree.root / PLACE).read_bytes() == FOREIGN[case]


def test_a_payload_of_another_tool_is_taken_once_with_all_its_keys(tree):
    layers = booted(tree)
    document = {
        "handoff": {"from": "x", "to": "ada", "timestamp": "today", "reason": "tired", "more": 1},
        "state": {key: ["something"] for key in PUBLISHED["state"]},
        "files": {"modified": [], "committed": None, "changelog_updated": False},
        "own": {"deep": [1]},
    }
    write(tree.root, PLACE, json.dumps(document))

    assert layers.accept().payload == document
    with pytest.raises(Refused, match="consumed"):
        layers.accept()


def test_the_files_are_the_same_whatever_the_private_ledger_holds(tree, clone):
    booted(tree).shutdown(text=event("Base", more="- [[login]] — Login — active — none"))
    tree.close()
    theirs = clone("theirs", tree)
    layers = booted(theirs, "2026-12-24T08:00:00Z", actor="bob", session="s9")
    layers.append(**said("Only meant", what="- [[draft]] — Draft — active — none"), draft=True)
    ledger = theirs.at("2026-12-24T08:00:00Z", actor="bob", session="s9")
    ledger.remember("The staging key lies with [[carol]]", private=True)
    layers = ledger.layers
    layers.rebuild()

    for path in ("CHANGELOG.md", ".memory/graph.md", ".memory/context.md"):
        assert (theirs.root / path).read_bytes() == (tree.root / path).read_bytes(), path
    assert theirs.git("status", "--porcelain") == ""
    layers = booted(theirs, "2026-12-24T08:00:00Z", actor="bob", session="s8")
    layers.shutdown(text=event("From there"))
    tree.git("pull", "--quiet", "--no-edit", theirs.root, "main")
    tree.at("2026-12-25T08:00:00Z", actor="ada", session="s7").layers.boot()
    assert tree.git("status", "--porcelain") == ""
    for path in ("CHANGELOG.md", ".memory/graph.md", ".memory/context.md"):
        assert (theirs.root / path).read_bytes() == (tree.root / path).read_bytes(), path
    everything = b"".join(
        content for path, content in snapshot(tree.root).items() if not path.startswith(".git")
    )
    assert b"draft" not in everything
    assert b"staging key" not in everything


@pytest.mark.requirement("S1-79")
def test_a_shared_handoff_reaches_another_clone_and_is_consumed_once(project, varves, tmp_path):
    def git(*words, cwd=project):
        return subprocess.run(
            ["git", *words], cwd=cwd, capture_output=True, encoding="utf-8", check=True
        ).stdout

    (project / "AGENTS.md").write_text("# Rules\n\n## Do\n- Test\n", encoding="utf-8")
    for words in (("init",), ("boot",), ("append", "-")):
        assert varves("layers", *words, stdin=event("Last")).code == 0
    assert varves("layers", "shutdown", "--share").code == 2
    assert varves("layers", "shutdown", "--to", "bob", "--share").code == 0
    assert ".memory/handoff.json" in git("show", "--name-only", "--format=%s", "HEAD")
    work = json.loads((project / ".memory/handoff.json").read_bytes())["files"]["committed"]
    assert git("rev-parse", "HEAD~1").strip() == work
    copy = tmp_path / "copy"
    git("clone", "--quiet", str(project), str(copy))
    assert "a handoff to bob waits" in varves("layers", "boot", cwd=copy).err
    bob = {"VARVES_ACTOR": "bob"}
    taken = varves("layers", "accept", "--json", cwd=copy, env=bob).json
    assert (taken["status"], taken["payload"]["handoff"]["to"]) == ("accepted", "bob")
    assert varves("layers", "shutdown", cwd=copy, env=bob).code == 0
    git("pull", "--quiet", str(copy), "HEAD")
    again = varves("layers", "accept", env=bob)
    assert (again.code, "consumed: bob accepted it" in again.err) == (3, True)
