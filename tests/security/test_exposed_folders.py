"""A folder that git could take keeps out what is private, and nothing else.

What a clone brought there is left alone, in one line; whatever is written elsewhere is written.
"""

from __future__ import annotations

import pytest

from tests.security.test_local_texts import by_a_tracked_file, check_objects, git

FOLDERS = ("memory/global", "memory/sessions", "deliberations")
LEFT = "is neither read nor written: private text would be written there, and git tracks"


@pytest.fixture
def clone(varves, home, tmp_path, monkeypatch):
    """Give a clone of a project whose maker committed the folders that nobody else should see."""
    there = tmp_path / "upstream"
    there.mkdir()
    git(there, "init", "-q")
    monkeypatch.setenv("VARVES_HOME", str(home / "theirs"))
    asked = ("--protocol", "hivemind", "--protocol", "scoped", "--protocol", "deliberation")
    assert varves("init", *asked, cwd=there).code == 0
    told = ("--type", "factual", "--scope", "global", "--content", "Theirs alone")
    assert varves("hivemind", "write", *told, cwd=there).code == 0
    told = ("global", "--type", "convention", "--confidence", "0.9", "--content", "Theirs too")
    assert varves("scoped", "write", *told, cwd=there).code == 0
    assert varves("deliberation", "new", "one", cwd=there).code == 0
    assert varves("hivemind", "session", "start", cwd=there).code == 0
    git(there, "add", "--all", "--force")
    git(there, "reset", "-q", ".varves/local")
    git(there, "commit", "-qm", "all of it")
    monkeypatch.setenv("VARVES_HOME", str(home / "varves"))
    git(tmp_path, "clone", "-q", str(there), "clone")
    return tmp_path / "clone"


WRITES = {
    "hivemind": (
        *("hivemind", "write", "--type", "factual", "--scope", "project:x"),
        *("--content", "Deploys start at noon"),
    ),
    "scoped": ("scoped", "write", "project", "--type", "decision", "--content", "Deploys at noon"),
    "conversation": ("deliberation", "new", "open", "--shared"),
    "core": ("remember", "Deploys start at noon"),
}


@pytest.mark.full_size(sample=1)
@pytest.mark.parametrize("verb", WRITES)
def test_what_is_for_everybody_is_written(varves, clone, verb):
    before = {path: path.read_bytes() for one in FOLDERS for path in (clone / one).rglob("*.json")}
    answer = varves(*WRITES[verb], cwd=clone)
    assert answer.code == 0, answer
    lines = answer.err.splitlines()
    assert len(lines) == len(set(lines)) <= 2, "each folder is named once"
    assert all(LEFT in line for line in lines)
    assert "there is no log" not in answer.err
    after = {path: path.read_bytes() for one in FOLDERS for path in (clone / one).rglob("*.json")}
    assert after == before, "and nothing there is touched"
    assert varves("rebuild", cwd=clone).code == 0
    git(clone, "commit", "-qam", "work", "--allow-empty")
    check_objects(clone)


def test_a_shared_conversation_goes_on(varves, clone):
    assert varves("deliberation", "new", "open", "--shared", cwd=clone).code == 0
    said = varves("deliberation", "say", "ada", "We decided to use Rust.", cwd=clone)
    assert said.code == 0, said
    assert "Rust" in varves("deliberation", "show", "open", cwd=clone).out
    assert not (clone / "deliberations/open").exists()


@pytest.mark.full_size(sample=1)
@pytest.mark.parametrize(
    "call",
    [
        ("hivemind", "write", "--type", "factual", "--scope", "global", "--content", "Mine"),
        (
            "scoped",
            "write",
            "global",
            *("--type", "convention", "--confidence", "0.9"),
            "--content",
            "Mine",
        ),
        ("deliberation", "new", "mine"),
        ("hivemind", "session", "start"),
    ],
)
def test_what_would_lie_there_is_refused(varves, clone, call):
    events = varves("status", "--json", cwd=clone).json["events"]
    answer = varves(*call, cwd=clone)
    assert answer.code == 3
    assert LEFT in answer.err
    assert answer.err.count("\n") == 1
    assert varves("status", "--json", cwd=clone).json["events"] == events


def test_what_came_with_the_clone_is_in_no_answer(varves, clone):
    for call in (("hivemind", "search", "theirs"), ("scoped", "read", "global"), ("list",)):
        answer = varves(*call, cwd=clone)
        assert "Theirs" not in answer.out, answer
    found = varves("doctor", "--json", cwd=clone).json["findings"]
    assert {one["place"] for one in found if one["rule"] == "tracked"} == {*FOLDERS}
    assert not [one for one in found if one["rule"] == "edited"], "no write records them"


def test_a_session_starts_beside_a_foreign_global_folder_in_one_line(varves, project):
    """It said nearly the same of each of its files."""
    (project / "memory/global").mkdir(parents=True)
    (project / "memory/global/_index.json").write_text("{}", encoding="utf-8")
    git(project, "add", "--force", "memory/global/_index.json")
    git(project, "commit", "-qm", "theirs")
    for _ in range(2):
        answer = varves("hivemind", "session", "start")
        assert answer.code == 0, answer
        assert answer.err.count("memory/global is neither read nor written") == 1
        assert answer.err.count("git tracks") == 1
        assert "another ledger" not in answer.err


def test_a_session_that_runs_lets_the_project_be_written(varves, project):
    assert varves("hivemind", "session", "start").code == 0
    by_a_tracked_file(project, "memory/sessions")
    answer = varves(*WRITES["hivemind"])
    assert answer.code == 0, answer
    assert varves("hivemind", "session", "end").code == 3


def test_taken_out_of_git_the_files_count_again(varves, clone):
    assert varves(*WRITES["hivemind"], cwd=clone).code == 0
    for folder in FOLDERS:
        git(clone, "rm", "-rq", "--cached", folder)
    assert "Theirs alone" in varves("hivemind", "search", "theirs", cwd=clone).out
