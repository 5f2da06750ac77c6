"""What protocol verbs hand over and how they look; the ledger is a stand-in that says its part."""

from __future__ import annotations

import io
import json
import sys
from types import SimpleNamespace
from typing import Any, Self

import pytest

import varves
from varves.cli import published
from varves.cli.main import main
from varves.values.value import Value


class Verbs:
    """A protocol that notes every call and answers what the test laid ready."""

    def __init__(self) -> None:
        self.core = SimpleNamespace(notes=["memory/a.json was edited: adopted", "two\nlines"])
        self.calls: list[tuple[str, tuple[Any, ...], dict[str, Any]]] = []
        self.answer: Any = None

    def __getattr__(self, name: str) -> Any:
        def call(*args: Any, **named: Any) -> Any:
            self.calls.append((name, args, named))
            return self.answer

        return call


class Told(Value):
    block: str
    tokens: int
    entries: tuple[Any, ...]
    skipped: tuple[Any, ...]
    notices: tuple[str, ...] = ()


class Ledger:
    root = "/r"

    def __init__(self) -> None:
        self.scoped = self.hivemind = Verbs()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_raised: object) -> None:
        pass


@pytest.fixture
def verbs(monkeypatch):
    fake = Ledger()
    monkeypatch.setattr(varves, "open", lambda **_: fake, raising=False)
    return fake.scoped


@pytest.fixture
def run(capsys):
    def call(*argv: str) -> tuple[int, str, str]:
        code = main(argv)
        captured = capsys.readouterr()
        return code, captured.out, captured.err

    return call


NOTES = "varves: memory/a.json was edited: adopted\nvarves: two\\nlines\n"


def test_notes_of_the_protocol_stand_on_stderr_a_line_each(verbs, run):
    verbs.answer = ()
    assert run("scoped", "search", "--query", "x") == (0, "", NOTES)
    code, out, err = run("scoped", "proposals", "--json")
    assert (code, json.loads(out), err) == (0, {"proposals": []}, NOTES)


@pytest.mark.parametrize(
    ("argv", "call"),
    [
        (
            ["scoped", "search", "--query=q", "--scope=project", "--project=p", "-k3"],
            ("search", (), {"query": "q", "scope": "project", "project": "p", "k": 3}),
        ),
        (
            ["scoped", "stale", "--older-than", "90d", "--unused-for", "1y"],
            ("stale", (), {"older_than": "90d", "unused_for": "1y"}),
        ),
        (["scoped", "rank"], ("rank", (), {})),
        (["scoped", "rank", "team", "core"], ("rank", ("team", "core"), {})),
        (["scoped", "validate"], ("validate", (), {})),
        (["hivemind", "validate"], ("validate", (), {})),
    ],
)
def test_only_what_was_given_is_passed_on(verbs, run, argv, call):
    verbs.answer = ()
    assert run(*argv)[0] == 0
    assert verbs.calls == [call]


def test_a_block_stands_alone_on_stdout_and_what_is_said_of_it_is_for_people(verbs, run):
    entry = SimpleNamespace(id="mem-009", scope="team:core")
    verbs.answer = Told(block="<a>\n{}\n</a>", tokens=9, entries=(), skipped=(entry,))
    code, out, err = run("scoped", "task", "x")
    assert (code, out) == (0, "<a>\n{}\n</a>\n")
    said = "varves: 0 entries in 9 tokens\nvarves: mem-009 of team:core did not fit\n"
    assert err == said + NOTES
    verbs.answer = verbs.answer.replace(skipped=())
    code, out, err = run("scoped", "task", "x", "--json")
    assert (code, json.loads(out)["tokens"], err) == (0, 9, NOTES)


def test_a_dash_is_stdin_and_a_file_is_read(verbs, run, monkeypatch, tmp_path):
    verbs.answer = ()
    said = tmp_path / "talk.txt"
    said.write_text("é\n", encoding="utf-8")
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(b'{"a": 1}\n'), encoding="utf-8"))
    assert run("scoped", "done", "--transcript", str(said), "--output", "-")[0] == 0
    assert verbs.calls == [("done", (), {"transcript": "é", "output": '{"a": 1}'})]
    code, out, err = run("scoped", "done", "--transcript", str(tmp_path / "none"))
    assert (code, out) == (2, "")
    assert "cannot read" in err


def test_findings_make_the_code_one(verbs, run):
    verbs.answer = (SimpleNamespace(rule="type", place="a.json", message="odd", fix="mend it"),)
    assert run("scoped", "validate")[:2] == (1, "type  a.json  odd\n  mend it\n")


@pytest.mark.parametrize(
    "verb", ["read", "write", "search", "forget", "restore", "init", "rank", "validate"]
)
def test_a_published_command_is_the_verb_of_that_name(verb, monkeypatch, capsys):
    monkeypatch.setattr(sys, "argv", [f"memory-{verb}", "--help"])
    assert getattr(published, verb)() == 0
    assert capsys.readouterr().out.split()[0] == f"memory-{verb}"
