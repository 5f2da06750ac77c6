"""The four layers: where each lies, who sees it, and how long it lasts."""

from __future__ import annotations

import json
import shutil
import subprocess

import pytest

import varves
from tests.consenting import write_settings
from tests.places import forget_local
from varves.errors import Refused


def git(root, *args):
    subprocess.run(["git", *args], cwd=root, check=True, capture_output=True)


def contents(found):
    return [one.content for one in found]


@pytest.mark.requirement("S2-01")
def test_a_session_has_a_file_of_its_own_that_no_other_session_reads(ledger, project, entries):
    ledger.scoped.session_start(id="s1", project="shop")
    ledger.scoped.note("We try the small parser first")
    assert contents(ledger.scoped.read("session")) == ["We try the small parser first"]
    assert [one["content"] for one in entries("sessions/s1.json")] == [
        "We try the small parser first"
    ]
    with varves.open(str(project), session="s2") as other:
        assert contents(other.scoped.read("session")) == []
        assert other.scoped.search("parser") == ()
        with pytest.raises(Refused, match="may read its memory"):
            other.scoped.read("session", "s1")


@pytest.mark.requirement("S2-01")
def test_of_several_running_sessions_one_is_named_by_its_id(project, varves_process):
    def scoped(*words):
        return varves_process("scoped", *words)

    said = ("--type", "decision", "--content")
    for name in ("blue", "green"):
        varves_process("--session", name, "scoped", "session", "start")
    assert scoped("write", "session", *said, "Blue first").code == 3
    assert scoped("write", "session", "blue", *said, "Blue first").code == 0
    assert "Blue first" in scoped("read", "session", "blue").out
    assert scoped("read", "session", "green").out == ""
    other = varves_process("--session", "green", "scoped", "read", "session", "blue")
    assert (other.code, "may read its memory" in other.err) == (3, True)
    other = varves_process("--actor", "bob", "scoped", "write", "session", "blue", *said, "Mine")
    assert (other.code, "may write to its memory" in other.err) == (3, True)
    unknown = scoped("write", "session", "red", *said, "Red first")
    assert (unknown.code, "no session 'red' is running" in unknown.err) == (3, True)
    assert "blue, green" in unknown.err


@pytest.mark.requirement("S2-02")
def test_a_projects_memory_lasts(ledger, project, write, entries):
    write("Use Zod for validation")
    ledger.close()
    assert [one["id"] for one in entries("projects/shop/memory.json")] == ["mem-001"]
    with varves.open(str(project)) as again:
        assert contents(again.scoped.read("project", "shop")) == ["Use Zod for validation"]


@pytest.mark.requirement("S2-03")
def test_global_memory_is_every_projects(ledger, project, tmp_path, write):
    write("Answer in short sentences", "global", type="preference")
    assert (project / "memory/global/memory.json").is_file()
    other = tmp_path / "other"
    other.mkdir()
    git(other, "init", "--quiet")
    with varves.open(str(other)) as elsewhere:
        assert contents(elsewhere.scoped.read("global")) == ["Answer in short sentences"]
        elsewhere.scoped.write("global", type="pattern", content="Tests first", confidence=1)
        shown = json.loads((other / "memory/global/memory.json").read_text(encoding="utf-8"))
        assert [one["content"] for one in shown["entries"]] == [
            "Answer in short sentences",
            "Tests first",
        ]
    assert contents(ledger.scoped.read("global"))[1] == "Tests first"


@pytest.mark.requirement("S2-03", "S2-04")
def test_what_is_not_the_projects_is_never_tracked(ledger, project, write):
    ledger.scoped.session_start(id="s1")
    ledger.scoped.note("A private thought")
    write("Answer in short sentences", "global")
    write("Reviews need two people", "team", "core")
    git(project, "add", "--all")
    tracked = subprocess.run(
        ["git", "ls-files", "memory"],
        cwd=project,
        check=True,
        capture_output=True,
        encoding="utf-8",
    ).stdout.split()
    assert tracked == ["memory/teams/core/memory.json"]


@pytest.mark.requirement("S2-04")
def test_a_team_shares_its_memory_through_the_repository(ledger, project, tmp_path, write):
    write("Use Zod for validation")
    git(project, "add", "--all")
    git(project, "commit", "--quiet", "-m", "memory")
    clone = tmp_path / "clone"
    git(tmp_path, "clone", "--quiet", str(project), str(clone))
    with varves.open(str(clone), actor="bob") as member:
        assert contents(member.scoped.read("team", "core")) == []
    done = write("Reviews need two people", "team", "core", type="convention")
    git(project, "add", "--all")
    git(project, "commit", "--quiet", "-m", "more")
    git(clone, "pull", "--quiet")
    with varves.open(str(clone), actor="bob") as member:
        [read] = member.scoped.read("team", "core")
        assert (read.content, read.id, read.memory) == (
            *("Reviews need two people", "mem-001", done.memory),
        )
    text = (clone / "memory/teams/core/memory.json").read_text(encoding="utf-8")
    assert json.loads(text)["entries"][0]["content"] == "Reviews need two people"


@pytest.mark.requirement("S2-04")
def test_a_team_with_a_folder_of_its_own_spans_projects(project, tmp_path):
    shared = tmp_path / "shared-team"
    second = tmp_path / "second"
    second.mkdir()
    for root in (project, second):
        (root / ".varves").mkdir()
        write_settings(root, f'[teams.core]\nroot = "{shared}"\n')
    with varves.open(str(project)) as one:
        one.scoped.write("team", "core", type="convention", content="Reviews need two people")
    with varves.open(str(second)) as other:
        assert contents(other.scoped.read("team", "core")) == ["Reviews need two people"]
        done = other.scoped.write("team", "core", type="decision", content="Ship on Tuesdays")
        assert done.id == "mem-002"
    git(project, "add", "--all")
    tracked = subprocess.run(
        ["git", "ls-files", "memory"], cwd=project, check=True, capture_output=True
    ).stdout
    assert tracked == b"", "it is not this project's to keep"


@pytest.mark.requirement("S2-04")
def test_a_file_that_git_tracks_never_shows_a_team_that_got_its_own_root(project, tmp_path):
    path = project / "memory/teams/core/memory.json"
    with varves.open(str(project)) as ledger:
        ledger.scoped.write("team", "core", type="convention", content="Reviews need two people")
    git(project, "add", "--all")
    git(project, "commit", "--quiet", "-m", "memory")
    tracked = path.read_bytes()
    write_settings(project, f'[teams.core]\nroot = "{tmp_path / "core"}"\n')
    with varves.open(str(project)) as ledger:
        done = ledger.scoped.write("team", "core", type="decision", content="Ship on Tuesdays")
        assert done.id == "mem-002"
        assert any("git rm --cached" in note for note in ledger.scoped.core.notes)
        ledger.rebuild()
        assert path.read_bytes() == tracked
        assert contents(ledger.scoped.read("team", "core")) == [
            *("Reviews need two people", "Ship on Tuesdays")
        ]
        git(project, "rm", "--quiet", "--cached", "memory/teams/core/memory.json")
        ledger.rebuild()
        assert "Ship on Tuesdays" in path.read_text(encoding="utf-8")
        assert contents(ledger.scoped.read("team", "core")) == [
            *("Reviews need two people", "Ship on Tuesdays")
        ]
    git(project, "add", "--all")
    listed = subprocess.run(
        ["git", "ls-files", "memory"], cwd=project, check=True, capture_output=True
    )
    assert listed.stdout == b""


@pytest.mark.requirement("S2-09")
def test_any_member_writes_and_the_record_says_who(project, entries):
    for actor, text in (("alice", "Ship on Tuesdays"), ("bob", "Reviews need two people")):
        with varves.open(str(project), actor=actor) as ledger:
            ledger.scoped.write("team", "core", type="decision", content=text)
    assert len(entries("teams/core/memory.json")) == 2
    with varves.open(str(project)) as ledger:
        wrote = {
            one.content: ledger.show(one.memory).created_by
            for one in ledger.scoped.read("team", "core")
        }
    assert wrote == {"Ship on Tuesdays": "alice", "Reviews need two people": "bob"}


@pytest.mark.requirement("S2-46")
def test_a_plain_folder_is_enough_and_what_is_derived_can_go(home, tmp_path):
    root = tmp_path / "plain"
    root.mkdir()
    with varves.open(str(root)) as ledger:
        ledger.scoped.write("project", "shop", type="decision", content="Use Zod for validation")
        ledger.scoped.session_start(id="s1", project="shop")
        ledger.scoped.note("A thought")
    forget_local(root)
    shutil.rmtree(root / "memory")
    with varves.open(str(root), session="s1") as ledger:
        assert contents(ledger.scoped.read("project", "shop")) == ["Use Zod for validation"]
        assert contents(ledger.scoped.read("session")) == ["A thought"]
        ledger.rebuild()
    assert (root / "memory/projects/shop/memory.json").is_file()
    assert (root / "memory/sessions/s1.json").is_file()


@pytest.mark.requirement("S2-25", "S2-54")
def test_init_makes_the_folders_once(ledger, project, write):
    made = ledger.scoped.init(project="shop", team="core")
    folders = {"sessions", "projects", "global", "teams"}
    assert {one.name for one in (project / "memory").iterdir()} == folders
    assert (project / "memory/projects/shop").is_dir()
    assert (project / "memory/teams/core").is_dir()
    assert "memory/teams/core" in made.created
    write("Use Zod for validation")
    mine = project / "memory/projects/shop/notes.txt"
    mine.write_text("mine", encoding="utf-8")
    before = {path: path.read_bytes() for path in project.rglob("memory/**/*") if path.is_file()}
    assert ledger.scoped.init(project="shop", team="core").created == ()
    after = {path: path.read_bytes() for path in project.rglob("memory/**/*") if path.is_file()}
    assert after == before


@pytest.mark.requirement("S2-10", "S2-25", "S2-53")
def test_init_makes_empty_files_that_no_verb_takes_for_edits(ledger, project, entries):
    ledger.scoped.init(project="shop", team="core")
    paths = ("projects/shop/memory.json", "teams/core/memory.json", "global/memory.json")
    assert [entries(path) for path in paths] == [[], [], []]
    assert ledger.scoped.validate() == ()
    ledger.scoped.write("project", "shop", type="decision", content="Ship on Tuesdays")
    assert ledger.scoped.core.notes == []
    assert [len(entries(path)) for path in paths] == [1, 0, 0]
    path = project / "memory" / paths[1]
    added = {"version": "1.0", "entries": [{"content": "Reviews need two people"}]}
    path.write_text(json.dumps(added), encoding="utf-8")
    assert [one.content for one in ledger.scoped.read("team")] == ["Reviews need two people"]


@pytest.mark.requirement("S2-03")
def test_a_global_write_shows_in_the_files_of_all_projects(
    ledger, project, home, tmp_path, entries
):
    (tmp_path / "second").mkdir()
    path = tmp_path / "second/memory/global/memory.json"

    def shown():
        found = json.loads(path.read_text(encoding="utf-8"))["entries"]
        return [one["content"] for one in found]

    ledger.scoped.init()
    with varves.open(str(tmp_path / "second")) as other:
        other.scoped.init()
        first = ledger.scoped.write(
            "global", type="preference", content="Likes dark themes", confidence=0.9
        )
        assert shown() == ["Likes dark themes"]
        other.scoped.write("global", type="preference", content="Answers in French", confidence=0.9)
        there = [one["content"] for one in entries("global/memory.json")]
        assert there == shown() == ["Likes dark themes", "Answers in French"]
        assert other.scoped.core.notes == []
        ledger.forget(first.memory, reason="outdated")
        assert shown() == ["Answers in French"]
        path.write_text(
            path.read_text(encoding="utf-8").replace("French", "Dutch"), encoding="utf-8"
        )
        ledger.scoped.write("global", type="preference", content="Reads on paper", confidence=0.9)
        assert shown() == ["Answers in Dutch"], "an edit is not overwritten"
        other.scoped.write("project", type="decision", content="Ship on Tuesdays")
        assert shown() == ["Answers in Dutch", "Reads on paper"]
        there = [one["content"] for one in entries("global/memory.json")]
        assert there == ["Answers in Dutch", "Reads on paper"]
    assert ledger.scoped.validate() == ()


def test_init_in_a_second_project_shows_what_is_global(ledger, home, tmp_path):
    ledger.scoped.write(
        "global", type="preference", content="Answer in short sentences", confidence=0.9
    )
    (tmp_path / "second").mkdir()
    with varves.open(str(tmp_path / "second")) as other:
        other.scoped.init()
    path = tmp_path / "second/memory/global/memory.json"
    shown = json.loads(path.read_text(encoding="utf-8"))["entries"]
    assert [one["content"] for one in shown] == ["Answer in short sentences"]


def test_the_current_project_stays_the_same_when_another_one_gets_entries(ledger, write):
    """Own choice: a clone may lie in a folder of any name."""
    write("Use Zod for validation")
    assert ledger.scoped.read("project").scope == "project:shop"
    write("Use Yup for validation", "project", "bank")
    assert ledger.scoped.read("project").scope == "project:shop"
    ledger.scoped.forget("mem-001", scope="project", project="shop", reason="outdated")
    assert ledger.scoped.read("project").scope == "project:shop"
    write("Use Joi for validation", "project", "project")
    assert ledger.scoped.read("project").scope == "project:project", "as the folder is called"


def test_scoped_memory_goes_to_the_project_of_the_session(ledger):
    scoped = ledger.scoped
    scoped.session_start(project="shop")
    for level in ("project:bank", "project:project"):
        scoped.write(level, type="decision", content=f"Known in {level}")
    assert (
        scoped.write("project", type="decision", content="Ship on Friday").scope == "project:shop"
    )
    assert scoped.read("project").scope == "project:shop"


def test_the_project_and_team_of_init_are_the_current_ones(varves, project, entries):
    assert varves("scoped", "init", "--project", "kiosk", "--team", "crew").code == 0
    varves("scoped", "session", "start")
    done = varves("scoped", "done", "Learned: the printer warms up", "--json")
    [proposed] = done.json["proposals"]
    assert proposed["scope"] == "project:kiosk"
    given = ("--type", "decision", "--content", "Receipts are printed in German")
    assert "team:crew" in varves("scoped", "write", "team", *given).out
    varves("scoped", "approve", proposed["id"])
    assert contents_of(entries("projects/kiosk/memory.json")) == [proposed["content"]]
    assert not (project / "memory/projects" / project.name).exists()
    assert varves("scoped", "init").out.count("created") == 0, "it prepares no other project"


def contents_of(found):
    return [one["content"] for one in found]


def test_a_project_with_entries_is_the_current_one_before_one_that_has_only_a_file(varves):
    given = ("--type", "decision", "--content", "Receipts are printed in German")
    assert varves("scoped", "write", "project", "shop", *given).code == 0
    assert varves("scoped", "init", "--project", "kiosk").code == 0
    assert "shop" in varves("scoped", "read", "project").out
