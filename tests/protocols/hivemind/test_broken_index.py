"""What `doctor` says of a Hivemind file that cannot be read is what `rebuild` does with it."""

from __future__ import annotations

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
