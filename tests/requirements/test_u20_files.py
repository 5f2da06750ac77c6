from __future__ import annotations

import json
import subprocess

import pytest


def git(project, *args):
    subprocess.run(["git", *args], cwd=project, check=True, capture_output=True)


def a_session(varves):
    """Leave behind every kind of text file the core writes."""
    assert varves("init").code == 0
    for options in ((), ("--private",), ("--scope", "global")):
        assert varves("remember", f"naïve\r\ntext \U0001f600 {options}", *options).code == 0
    assert varves("recall", "text").code == 0


def written(project, home):
    """Find all we wrote but SQLite's own files and the lanes' notes, which are no text files."""
    folders = (project / ".varves", project / ".git/varves", home / "varves")
    return [
        path
        for folder in folders
        for path in sorted(folder.rglob("*"))
        if path.is_file() and ".sqlite" not in path.name and path.suffix != ".lock"
    ]


@pytest.mark.requirement("U-20")
def test_every_file_is_utf8_with_lf_and_a_final_newline(varves, project, home):
    a_session(varves)
    files = written(project, home)
    assert len(files) >= 8
    for path in files:
        content = path.read_bytes()
        assert content.decode("utf-8"), path
        assert b"\r" not in content, path
        assert content.endswith(b"\n"), path
        assert not content.startswith(b"\xef\xbb\xbf"), path


@pytest.mark.requirement("U-20")
def test_json_files_are_indented_by_two_spaces(varves, project, home):
    a_session(varves)
    found = [path for path in written(project, home) if path.suffix == ".json"]
    assert found == [project / ".varves/format.json"]
    for path in found:
        text = path.read_text(encoding="utf-8")
        assert text == json.dumps(json.loads(text), indent=2) + "\n"


@pytest.mark.requirement("U-20")
def test_every_line_of_a_segment_is_ascii_json(varves, project, home):
    a_session(varves)
    lines = [
        line
        for path in written(project, home)
        if path.suffix == ".jsonl"
        for line in path.read_bytes().split(b"\n")[:-1]
    ]
    assert len(lines) >= 4
    for line in lines:
        assert line.isascii()
        assert json.loads(line)["v"] == 1


@pytest.mark.requirement("U-20")
def test_foreign_line_endings_in_peoples_own_files_stay(varves, project):
    changelog = project / "CHANGELOG.md"
    changelog.write_bytes(b"# Changes\r\n\r\n- one\r\n")
    exclude = project / ".git/info/exclude"
    exclude.write_bytes(b"# mine\r\n*.tmp\r\nlast line without end")
    assert varves("init", "--local").code == 0
    assert varves("remember", "x", "--evidence", "CHANGELOG.md:3").code == 0
    assert varves("init", "--local").code == 0
    assert changelog.read_bytes() == b"# Changes\r\n\r\n- one\r\n"
    lines = exclude.read_bytes()
    assert lines.startswith(b"# mine\r\n*.tmp\r\nlast line without end\n")
    assert lines.count(b"/.varves/") == 1


@pytest.mark.requirement("U-20")
def test_git_leaves_the_bytes_of_the_log_alone(varves, project, tmp_path):
    """Even where it is told to turn line ends into CRLF."""
    a_session(varves)
    git(project, "add", "-A")
    git(project, "commit", "-qm", "all")
    other = tmp_path / "other"
    git(tmp_path, "-c", "core.autocrlf=true", "clone", "-q", str(project), str(other))
    ours = {path.name: path.read_bytes() for path in project.glob(".varves/log/*/*.jsonl")}
    theirs = {path.name: path.read_bytes() for path in other.glob(".varves/log/*/*.jsonl")}
    assert ours
    assert theirs == ours
    assert varves("verify", "--deep", cwd=other).code == 0
