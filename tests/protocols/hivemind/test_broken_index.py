"""What `doctor` says of a Hivemind file that cannot be read is what `rebuild` does with it."""

from __future__ import annotations

import json

import pytest

BROKEN = ['{"entry_count": NaN}', "{", "[]", '{"a": 1e999}', "\ufeff{}", '{"a": 1, "a": 2}']
ENTRY = ("--type", "factual", "--content", "The port is 5433")


@pytest.fixture
def told(varves, project):
    """Give the folder of a project's entries, and the name of one."""
    name = varves("hivemind", "write", *ENTRY, "--json").json["id"]
    return project / "memory/projects/project", name


def about(varves, path):
    found = varves("doctor", "--json").json["findings"]
    return [one for one in found if one["place"].startswith(path)]


@pytest.mark.full_size(sample=1)
@pytest.mark.parametrize("content", BROKEN)
def test_an_index_is_made_anew_and_doctor_says_so(varves, project, told, content):
    folder, _ = told
    index = folder / "_index.json"
    before = index.read_bytes()
    index.write_text(content, encoding="utf-8")
    [one] = about(varves, "memory/projects/project")
    assert "`varves rebuild` writes it again" in one["fix"]
    assert "not overwritten" not in one["fix"]
    done = varves("rebuild")
    assert done.code == 0
    assert index.read_bytes() == before
    assert "the edited file is in" in done.err
    assert not about(varves, "memory/projects/project")


@pytest.mark.full_size(sample=1)
@pytest.mark.parametrize("content", BROKEN)
def test_an_entry_is_left_alone_and_doctor_says_so(varves, project, told, content):
    folder, name = told
    entry = folder / f"{name}.json"
    entry.write_text(content, encoding="utf-8")
    before = entry.read_bytes()
    [one] = about(varves, "memory/projects/project")
    assert one["place"].startswith(f"memory/projects/project/{name}.json")
    assert "until then it is not overwritten" in one["fix"]
    assert varves("rebuild").code == 0
    assert entry.read_bytes() == before


def test_a_file_that_cannot_be_read_is_not_said_to_be_missing(varves, project, told, tmp_path):
    folder, name = told
    (folder / f"{name}.json").write_text("{", encoding="utf-8")
    said = varves("hivemind", "validate")
    assert said.code == 1
    assert "is not there" not in said.out + said.err
    assert f"memory/projects/project/{name}.json:1" in said.out
    (tmp_path / "other").mkdir()
    place = ("--root", str(tmp_path / "other"))
    done = varves(*place, "import", "hivemind", str(project / "memory"), "--dry-run")
    assert f"lists {name} in {name}.json, which cannot be read" in done.out


DAMAGED = ('{"session_id": ', "", "[]", '{"a": 1}', '{"session_id": 5}')


@pytest.mark.parametrize("content", DAMAGED)
def test_the_advice_for_a_damaged_session_file_works(varves, project, told, content):
    """Git does not have this file, so it cannot be restored from there."""
    assert told
    varves("hivemind", "session", "start", "--project", "shop")
    current = project / "memory/sessions/current.json"
    started = json.loads(current.read_text(encoding="utf-8"))["session_id"]
    current.write_text(content, encoding="utf-8")
    done = varves("hivemind", "task", "Change the port")
    assert done.code == 0
    assert "memory/sessions/current.json cannot be read" in done.err
    assert "`varves hivemind validate` says what to do" in done.err
    assert current.read_text(encoding="utf-8") == content
    [found] = varves("hivemind", "validate", "--json").json["findings"]
    assert "delete the file" in found["fix"]
    assert "git" not in found["fix"]
    current.unlink()
    varves("hivemind", "task", "Change the port")
    assert json.loads(current.read_text(encoding="utf-8"))["session_id"] == started
    assert varves("hivemind", "validate").code == 0


def test_the_ignore_files_say_why(varves, project, told):
    assert told
    varves("hivemind", "session", "start", "--project", "shop")
    for folder in ("global", "sessions"):
        said = (project / f"memory/{folder}/.gitignore").read_text(encoding="utf-8")
        assert said.startswith("# Kept out of git: ")
        assert said.endswith("\n*\n")


@pytest.mark.parametrize(
    ("content", "hidden"),
    [
        ("*\n", True),
        ("# mine\n\n*\n", True),
        ("*\n!global.json\n", False),
        ("#*\n", False),
        ("# " + 5000 * "x" + "\n*\n", False),
    ],
)
def test_an_ignore_file_counts_if_it_hides_everything(varves, project, told, content, hidden):
    assert told
    varves("hivemind", "session", "start")
    (project / "memory/global/.gitignore").write_text(content, encoding="utf-8")
    done = varves("hivemind", "write", "--type", "factual", "--scope", "global", "--content", "A b")
    assert (done.code, "was not written by varves" in done.err) == (
        (0, False) if hidden else (3, True)
    )
