"""What protocol verbs hand over and how they look; the ledger is a stand-in that says its part."""

from __future__ import annotations

import io
import json
import sys
from types import SimpleNamespace
from typing import Any, Self

import pytest

import varves
from tests.tables import each_row
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
    notes: tuple[str, ...] = ()

    def __init__(self) -> None:
        self.party = self.layers = self.scoped = self.hivemind = Verbs()

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
    assert run("scoped", "search", "--query", "x") == (0, "", f"varves: no entries\n{NOTES}")
    code, out, err = run("scoped", "proposals", "--json")
    assert (code, json.loads(out), err) == (0, {"proposals": []}, NOTES)


@each_row(
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
        (["party", "validate"], ("validate", (), {})),
        (["layers", "validate"], ("validate", (), {})),
        (
            ["layers", "graph", "query", "--kind=skill", "--status", "active", "--pack=p"],
            ("graph_query", (), {"kind": "skill", "status": "active", "pack": "p"}),
        ),
        (["layers", "graph", "depends", "login"], ("graph_depends", ("login",), {})),
        (["layers", "graph", "cycles"], ("graph_cycles", (), {})),
        (["party", "recover"], ("recover", (), {})),
    ],
)
def test_only_what_was_given_is_passed_on(verbs, run, argv, call):
    verbs.answer = ()
    verbs.calls.clear()
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


@pytest.mark.parametrize(
    ("own", "call"),
    [
        (["-"], ("append_text", ("## A",), {})),
        (["## B", "--draft"], ("append_text", ("## B",), {"draft": True})),
        (
            ["--title", "A", "--files", "a", "b"],
            (
                "append",
                (),
                {**dict.fromkeys(("type", "scope", "what", "why"), "")}
                | {"title": "A", "files": ("a", "b"), "check_files": True},
            ),
        ),
    ],
)
def test_events_are_given_as_text_or_by_their_parts(verbs, run, monkeypatch, own, call):
    """A part that is missing is the protocol's to name."""
    verbs.answer = SimpleNamespace(ids=(), redacted=(), status="", as_dict=dict)
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(b"## A\n"), encoding="utf-8"))
    assert run("layers", "append", *own)[0] == 0
    assert verbs.calls == [call]


def test_names_are_split_at_commas_and_positions_at_the_first_equals_sign(verbs, run):
    verbs.answer = SimpleNamespace(id="DR-001", outcome="accepted", results={}, as_dict=dict)
    own = ["--pro", "ada, ben", "--pro=noa", "--position", "ada=a = b", "--position=ben=no"]
    assert run("party", "decide", "x", *own)[0] == 0
    given = {"pro": ("ada", "ben", "noa"), "positions": {"ada": "a = b", "ben": "no"}}
    assert verbs.calls == [("decide", ("x",), given)]


def test_only_an_error_of_the_four_layers_makes_the_code_one(verbs, run):
    finding = {"rule": "S1-84", "place": "a.md:3", "message": "odd", "fix": ""}
    verbs.answer = (SimpleNamespace(**finding, level="warning"),)
    assert run("layers", "validate")[:2] == (0, "ok\nS1-84  a.md:3  warning: odd\n")
    verbs.answer = (SimpleNamespace(**finding, level="error"),)
    assert run("layers", "validate")[:2] == (1, "S1-84  a.md:3  odd\n")


def test_findings_make_the_code_one(verbs, run):
    verbs.answer = (SimpleNamespace(rule="type", place="a.json", message="odd", fix="mend it"),)
    assert run("scoped", "validate")[:2] == (1, "type  a.json  odd\n  mend it\n")


@each_row("verb", ["read", "write", "search", "forget", "restore", "init", "rank", "validate"])
def test_a_published_command_is_the_verb_of_that_name(verb, monkeypatch, capsys):
    monkeypatch.setattr(sys, "argv", [f"memory-{verb}", "--help"])
    assert getattr(published, verb)() == 0
    assert capsys.readouterr().out.split()[0] == f"memory-{verb}"
