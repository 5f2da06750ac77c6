"""What a stranger reads: one thing is not several, and what to do is said in plain words."""

from __future__ import annotations

import json
import re
import subprocess

import pytest

from varves.values.text import counted

PLURALS = (
    *("events", "memories", "segments", "lines", "files", "records", "entries", "messages"),
    *("tokens", "sessions", "agents", "decisions", "proposals", "relations", "entities", "edits"),
    *("commits", "times", "steps", "packs", "hits", "conflicts", "findings", "documents"),
)
ONE_OF_SEVERAL = re.compile(rf"(?<![\w.:-])1 (?:[a-z]+ )?({'|'.join(PLURALS)})\b")


def test_how_many_there_are_is_said_in_words():
    assert counted(1, "memory") == "1 memory"
    assert counted(0, "memory") == "0 memories"
    assert counted(2, "hand edit") == "2 hand edits"
    assert counted(3, "day") == "3 days"


@pytest.fixture
def one_of_each(project, varves):
    """Give a ledger with one memory, and one record of each protocol in turn."""

    def say(*words: str, stdin: str | None = None) -> str:
        done = varves(*words, stdin=stdin)
        return done.out + done.err

    return say


def commit(project):
    subprocess.run(["git", "add", "-A"], cwd=project, check=True)
    subprocess.run(["git", "commit", "-qm", "x"], cwd=project, check=True)


def core_verbs(say, project, tmp_path):
    yield say("init")
    commit(project)
    yield say("remember", "The port is 5433", "--tag", "db")
    for verb in ("status", "verify", "rebuild", "doctor", "list", "log", "conflicts", "pack"):
        yield say(verb)
    yield say()
    yield say("recall", "port", "--explain")
    yield say("brief", "--task", "port")
    yield say("remember", "--batch", "-", stdin=json.dumps({"text": "The host is db1"}))
    name = re.search("mem_[a-z0-9]{12}", say("recall", "port"))[0]
    yield say("remember", "The port is 5433")
    yield say("why", name)
    (tmp_path / "out.jsonl").write_text(say("export"), encoding="utf-8")
    (tmp_path / "there").mkdir()
    for more in ((), ("--trust",), ("--dry-run",)):
        place = ("--root", str(tmp_path / "there"))
        yield say(*place, "import", "jsonl", str(tmp_path / "out.jsonl"), *more)
    commit(project)
    yield say("forget", name, "--reason", "x")
    yield say("purge", name, "--reason", "x", "--yes")
    yield say("doctor", "--fix")


def eaten(say, project, tmp_path):
    say("init")
    commit(project)
    say("remember", "The port is 5433")
    subprocess.run(["git", "stash", "-uq"], cwd=project, check=True)
    subprocess.run(["git", "stash", "drop", "-q"], cwd=project, check=True)
    yield say("verify")
    yield say("doctor")
    yield say("doctor", "--restore")


def protocol_verbs(say, project, tmp_path):
    say("init", "--protocol", "all")
    yield say("scoped", "session", "start")
    yield say("scoped", "write", "project", "--type", "decision", "--content", "Small steps")
    yield say("scoped", "inject")
    yield say("scoped", "session", "end")
    yield say("hivemind", "write", "--type", "factual", "--content", "The port is 5433")
    yield say("hivemind", "session", "start")
    yield say("hivemind", "session", "end")
    yield say("deliberation", "new", "talk", "--agents", "ada")
    yield say("deliberation", "say", "We use Valkey", "--agent", "ada")
    yield say("deliberation", "status")
    yield say("deliberation", "list")
    event = ("--scope", "project", "--title", "T", "--what", "W", "--why", "Y")
    yield say("layers", "append", "--type", "decision", *event)
    yield say("layers", "boot")
    yield say("import", "changelog", "CHANGELOG.md")
    (tmp_path / "log.md").write_text("## 2026-01-01 — One\nx\n\nstray\n", encoding="utf-8")
    yield say("import", "changelog", str(tmp_path / "log.md"))
    (project / "CHANGELOG.md").unlink()
    yield say("layers", "boot")
    yield say("party", "start", "--agents", "ada")
    yield say("party", "remember", "ada", "Tea")
    yield say("party", "end")
    yield say("party", "start", "--agents", "ada")
    yield say("validate")


@pytest.mark.full_size(sample=1)
@pytest.mark.parametrize("verbs", [core_verbs, eaten, protocol_verbs])
def test_one_of_a_thing_is_not_told_in_the_plural(one_of_each, project, tmp_path, verbs):
    answers = list(verbs(one_of_each, project, tmp_path))
    assert re.search(r"\b1 (event|memory|entry|message)\b", "\n".join(answers))
    for text in answers:
        assert not ONE_OF_SEVERAL.search(text), text


@pytest.mark.parametrize(
    ("words", "what"),
    [
        (("trust", "{}"), "trust {}"),
        (("purge", "{}", "--reason", "x"), "erase {} for good"),
        (("trust", "--settings"), "let capture = shared take effect"),
    ],
)
def test_where_nobody_can_be_asked_that_is_said_plainly(varves, project, words, what):
    name = varves("remember", "The port is 5433", "--json").json["id"]
    (project / ".varves/settings.toml").write_text("capture = 'shared'\n", encoding="utf-8")
    done = varves(*(word.format(name) for word in words))
    asked = f"cannot ask whether to {what.format(name)}: there is no terminal; pass --yes"
    assert (done.code, done.err) == (3, f"varves: {asked}\n")


def test_a_fix_names_the_verb_that_brings_back_what_git_removed(varves, project):
    assert varves("init").code == 0
    commit(project)
    assert varves("doctor", "--fix").out == "nothing to fix\n"
    varves("remember", "The port is 5433")
    subprocess.run(["git", "stash", "-uq"], cwd=project, check=True)
    subprocess.run(["git", "stash", "drop", "-q"], cwd=project, check=True)
    for words in (("--fix",), ("--fix", "--dry-run")):
        assert "varves doctor --restore" in varves("doctor", *words).out
    [left] = varves("doctor", "--fix", "--json").json["left"]
    assert "1 event missing" in left
    assert varves("doctor", "--restore").out.startswith("1 event restored\n")
    assert varves("doctor", "--fix").out == "nothing to fix\n"
