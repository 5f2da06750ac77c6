"""Keys that a person writes beside `version` and `entries` survive every round trip."""

from __future__ import annotations

import json
import subprocess

import pytest

import varves
from tests.consenting import write_settings

PATH = "memory/projects/shop/memory.json"
SCHEMA = {"$schema": "https://example.org/memory.json", "owner": {"name": "Ada", "since": 2026}}


@pytest.fixture
def put(project):
    """Change a file as a person does, keys first or last as they like."""

    def run(path=PATH, *, drop=(), **keys):
        file = project / path
        document = json.loads(file.read_text(encoding="utf-8"))
        kept = {key: part for key, part in document.items() if key not in drop}
        file.write_text(json.dumps({**keys, **kept, **keys}, indent=4), encoding="utf-8")

    return run


def shown(project, path=PATH):
    return json.loads((project / path).read_text(encoding="utf-8"))


def own(document):
    return {key: part for key, part in document.items() if key not in ("version", "entries")}


@pytest.mark.requirement("U-12")
def test_unknown_keys_survive_a_write_and_are_an_event_of_that_files_log(
    ledger, project, write, put
):
    write("Use Zod for validation")
    put(**SCHEMA)
    before = (project / PATH).read_bytes()
    assert len(ledger.scoped.read("project", "shop")) == 1
    assert (project / PATH).read_bytes() == before, "a reading verb writes nothing"
    assert write("Ship on Tuesdays").id == "mem-002"
    document = shown(project)
    assert list(document) == ["$schema", "version", "entries", "owner"]
    assert own(document) == SCHEMA
    [adopted] = ledger.log(kind=("file.adopted",))
    assert adopted.data == {"path": PATH, "scope": "project:shop", "unknown": SCHEMA}
    assert (adopted.log, adopted.protocol, adopted.actor) == ("project", "scoped", "USER")
    assert [one["id"] for one in document["entries"]] == ["mem-001", "mem-002"]
    assert ledger.scoped.validate() == ()


@pytest.mark.requirement("U-12")
def test_they_survive_rebuilding_deleting_the_file_and_another_clone(
    ledger, project, write, put, tmp_path
):
    write("Use Zod for validation")
    put(**SCHEMA)
    ledger.scoped.init()
    (project / PATH).unlink()
    ledger.rebuild()
    assert own(shown(project)) == SCHEMA
    written = (project / PATH).read_bytes()
    for words in (["add", "--all"], ["commit", "--quiet", "-m", "memory"]):
        subprocess.run(["git", *words], cwd=project, check=True)
    copy = tmp_path / "copy"
    subprocess.run(["git", "clone", "--quiet", project, copy], check=True)
    with varves.open(str(copy)) as other:
        other.rebuild()
        assert (copy / PATH).read_bytes() == written
        assert len(other.log(kind=("file.adopted",))) == 1


@pytest.mark.requirement("U-12")
def test_a_key_is_changed_added_and_taken_out_by_hand(ledger, project, write, put):
    write("Use Zod for validation")
    put(**SCHEMA)
    ledger.scoped.init()
    put(owner="Bob", note=None)
    write("Ship on Tuesdays")
    assert own(shown(project)) == {"$schema": SCHEMA["$schema"], "note": None, "owner": "Bob"}
    put(drop=("$schema", "owner"))
    write("Reviews need two people")
    assert own(shown(project)) == {"note": None}
    put(drop=("note",))
    ledger.scoped.init()
    assert list(shown(project)) == ["version", "entries"]
    assert [one["content"] for one in shown(project)["entries"]] == [
        *("Use Zod for validation", "Ship on Tuesdays", "Reviews need two people")
    ]
    assert len(ledger.log(kind=("file.adopted",))) == 4


def test_what_two_branches_add_is_both_there(clone):
    """Each event says what was set, so the sets of two branches add up."""
    ours = clone()
    ledger = ours.at("2026-11-15T08:00:00Z")
    ledger.scoped.write("project", "shop", type="pattern", content="The build needs make")
    ours.commit()
    theirs = clone("theirs", ours)
    for one, hour, key in ((ours, 9, "owner"), (theirs, 10, "$schema")):
        document = {**one.read(PATH), key: "mine"}
        (one.root / PATH).write_text(json.dumps(document), encoding="utf-8")
        one.at(f"2026-11-15T{hour:02}:00:00Z").scoped.init()
        one.commit()
    ours.git("fetch", "--quiet", str(theirs.root), "HEAD")
    ours.git("merge", "--quiet", "--no-edit", "FETCH_HEAD", check=False)
    ours.at("2026-11-15T11:00:00Z").rebuild()
    assert own(ours.read(PATH)) == {"$schema": "mine", "owner": "mine"}
    assert [one["id"] for one in ours.read(PATH)["entries"]] == ["mem-001"]


@pytest.mark.parametrize("scope", ["session", "global", "team"])
def test_keys_of_what_is_not_the_projects_stay_out_of_its_log(
    scope, ledger, project, tmp_path, write, put
):
    if scope == "team":
        ledger.init()
        write_settings(project, f'[teams.core]\nroot = "{tmp_path / "core"}"\n')
        ledger.close()
    path = {
        "session": "memory/sessions/s1.json",
        "global": "memory/global/memory.json",
        "team": "memory/teams/core/memory.json",
    }[scope]
    with varves.open(str(project)) as opened:
        opened.scoped.session_start(id="s1", project="shop")
        name = "core" if scope == "team" else None
        options = {"type": "pattern", "confidence": 1}
        opened.scoped.write(scope, name, content="Tests come first", **options)
        put(path, blue_plan="in no log of the project")
        opened.scoped.write(scope, name, content="Ship on Tuesdays", **options)
        assert own(shown(project, path)) == {"blue_plan": "in no log of the project"}
        [adopted] = opened.log(kind=("file.adopted",))
        assert adopted.log == {"session": "private", "global": "global", "team": "team:core"}[scope]
    subprocess.run(["git", "add", "--all"], cwd=project, check=True)
    listed = ["git", "grep", "--cached", "-l", "blue_plan"]
    assert subprocess.run(listed, cwd=project, check=False, capture_output=True).stdout == b""


def test_a_file_with_nothing_but_keys_of_a_persons_own_is_kept(ledger, project):
    path = project / PATH
    path.parent.mkdir(parents=True)
    document = {"$schema": "s.json", "version": "1.0", "entries": []}
    path.write_text(json.dumps(document), encoding="utf-8")
    ledger.scoped.init(project="shop")
    ledger.rebuild()
    assert shown(project) == document


def test_keys_alone_keep_git_out_of_a_team_with_its_own_root(project, tmp_path):
    (project / ".varves").mkdir()
    write_settings(project, f'[teams.core]\nroot = "{tmp_path / "core"}"\n')
    path = project / "memory/teams/core/memory.json"
    path.parent.mkdir(parents=True)
    path.write_text('{"blue_plan": 1, "version": "1.0", "entries": []}', encoding="utf-8")
    with varves.open(str(project)) as ledger:
        ledger.scoped.init()
    assert (path.parent / ".gitignore").read_text(encoding="utf-8").endswith("\n*\n")


def test_secrets_in_hand_edits_are_masked_before_they_are_recorded(ledger, project, write, put):
    token = "ghp_" + "a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8"
    write("Use Zod for validation")
    put(token=token)
    document = shown(project)
    document["entries"].append({"content": f"The token is {token}"})
    (project / PATH).write_text(json.dumps(document), encoding="utf-8")
    ledger.scoped.init()
    assert any("masked" in note for note in ledger.scoped.core.notes)
    assert token not in json.dumps(shown(project))
    assert token not in json.dumps([event.as_dict() for event in ledger.log()])
    assert len(shown(project)["entries"]) == 2
