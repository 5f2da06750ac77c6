"""One verb in, one answer out: the ledger here is a stand-in that says what it is told to."""

from __future__ import annotations

import gc
import io
import json
import sys
from types import SimpleNamespace
from typing import Any, Self

import pytest

import varves
from tests.tables import each_row
from varves.cli.main import main
from varves.errors import Busy, Damaged, NotFound, Refused, Stale, VarvesError
from varves.events.event import Event
from varves.values.answers import Likeness, Settled, Verification
from varves.values.listing import Compared, Listing
from varves.values.memory import Memory
from varves.values.value import Value

MEMORY = Memory(
    id="mem_aaaaaaaaaaaa",
    text="Use Zod\nfor \x1b[31minput",
    type="decision",
    tags=("web",),
    created_at="2026-11-15T10:00:00.000Z",
    created_by="alice",
    updated_at="2026-11-15T10:00:00.000Z",
    updated_by="alice",
    at="2026-11-15T10:00:00.000Z",
)
EVENT = Event(
    {
        "id": "evt_1",
        "kind": "memory.recorded",
        "time": "2026-11-15T10:00:00.000Z",
        "actor": "alice",
        "data": {"text": "Use Zod\nfor input"},
    }
)


class Hit(Value):
    """A hit as the ledger gives it."""

    memory: Memory
    score: float
    reasons: dict[str, Any]
    stale: str | None = None
    views: tuple[str, ...] = ()

    def as_dict(self) -> dict[str, Any]:
        """Return the flat form."""
        return {"id": self.memory.id, "score": self.score}


class Found(Value):
    """A recall as the ledger gives it."""

    query: str
    as_of: str = "2026-11-15T10:00:00.000Z"
    hits: tuple[Hit, ...] = ()
    omitted: int = 0
    tokens: int = 0
    dense: str = ""
    explained: dict[str, Any] | None = None
    weak: bool = False

    def __iter__(self):
        return iter(self.hits)


class Ledger:
    """Notes every call; answers what the test laid ready, or raises it."""

    notes: tuple[str, ...] = ()
    root: str

    def __init__(self) -> None:
        self.calls: list[tuple[str, tuple[Any, ...], dict[str, Any]]] = []
        self.answers: dict[str, Any] = {}
        self.opened: dict[str, Any] = {}

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_raised: object) -> None:
        pass

    def __getattr__(self, name: str) -> Any:
        def call(*args: Any, **kwargs: Any) -> Any:
            if name == "remember_many":
                args = (list(args[0]),)
                kwargs.pop("progress")
            kwargs.pop("progress", None)
            self.calls.append((name, args, kwargs))
            answer = self.answers[name]
            if isinstance(answer, BaseException):
                raise answer
            return answer

        return call


@pytest.fixture
def ledger(monkeypatch, home):
    fake = Ledger()
    fake.root = str(home)

    def opening(root: str | None = None, **named: Any) -> Ledger:
        fake.opened = {"root": root, **named}
        return fake

    monkeypatch.setattr(varves, "open", opening, raising=False)
    return fake


@pytest.fixture
def run(capsys):
    def call(*argv: str) -> tuple[int, str, str]:
        code = main(argv)
        captured = capsys.readouterr()
        return code, captured.out, captured.err

    return call


def lay(ledger: Ledger, **answers: Any) -> None:
    ledger.answers.update(answers)


WRITTEN = SimpleNamespace(
    id="mem_a", event="evt_1", status="recorded", redacted=(), conflicts=(), text="t", scope="p"
)
LIKENESS = Likeness(
    kind="update",
    id="mem_z",
    text="Use Joi",
    conflict="cfl_1",
    relation="update",
    reason="both say\nuse: Joi\x1b[2J, Zod",
)
CHANGED = SimpleNamespace(id="mem_a", event="evt_1", redacted=())
STATUS = {
    "root": "/r",
    "exists": True,
    "memories": {"active": 2},
    "quarantined": 1,
    "conflicts": 3,
    "uncompared": 0,
    "held": 0,
    "bad_lines": 0,
    "logs": {"project": {"path": "/r/.varves", "events": 4}},
    "told": None,
    "invalid": [],
    "limits": ["locks do not hold here"],
}
SUMMED_UP = """\
2 memories, 3 conflicts to settle, no agents connected
  3 conflicts to settle: varves conflicts
  1 memory in quarantine: varves list --status quarantined
  locks do not hold here
"""
CORRECTED = SimpleNamespace(
    id="mem_b", supersedes="mem_a", event="evt_1", redacted=(), conflicts=()
)


def test_a_verb_run_within_a_program_leaves_its_garbage_collection_as_it_was(ledger, run):
    lay(ledger, remember=WRITTEN)
    before = gc.get_threshold(), gc.get_freeze_count()
    assert run("remember", "t")[0] == 0
    assert (gc.get_threshold(), gc.get_freeze_count()) == before


def test_options_reach_the_ledger_and_its_opening(ledger, run):
    lay(ledger, remember=WRITTEN)
    code, out, err = run(
        *("remember", "t", "--tag", "a", "--confidence", "0.5", "--again"),
        *("--root", "here", "--actor", "bob", "--session", "s1"),
    )
    assert (code, out, err) == (0, "mem_a recorded\n", "")
    assert ledger.opened == {"root": "here", "actor": "bob", "session": "s1"}
    assert ledger.calls == [
        ("remember", ("t",), {"tags": ("a",), "confidence": 0.5, "again": True})
    ]


@pytest.mark.parametrize(
    ("written", "line"),
    [
        ({"status": "known"}, "mem_a known\n"),
        ({"redacted": ("github-pat", "jwt")}, "mem_a recorded (redacted: github-pat, jwt)\n"),
        (
            {"conflicts": (LIKENESS,)},
            "mem_a recorded\n  updates mem_z: both say use: Joi\\x1b[2J, Zod"
            " (cfl_1: varves conflicts)\n",
        ),
    ],
)
def test_remember_says_what_became_of_the_text(ledger, run, written, line):
    lay(ledger, remember=SimpleNamespace(**(vars(WRITTEN) | written)))
    assert run("remember", "t") == (0, line, "")


@pytest.mark.parametrize("verb", [("remember", "-"), ("correct", "mem_a", "-")])
def test_a_dash_is_the_text_on_stdin(ledger, run, monkeypatch, verb):
    lay(ledger, remember=WRITTEN, correct=CORRECTED)
    monkeypatch.setattr(
        sys, "stdin", io.TextIOWrapper(io.BytesIO("é\n\nb\r\n".encode()), encoding="utf-8")
    )
    assert run(*verb)[0] == 0
    assert ledger.calls[0][1][-1] == "é\n\nb"


def test_stdin_that_is_not_text_is_refused(ledger, run, monkeypatch):
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(b"\xff"), encoding="utf-8"))
    assert run("remember", "-") == (
        2,
        "",
        "varves: stdin is not valid UTF-8; encode the text as UTF-8\n",
    )


def test_a_batch_is_judged_line_by_line(ledger, run, tmp_path):
    lines = tmp_path / "lines.jsonl"
    lines.write_bytes(b'\xef\xbb\xbf{"text": "a"}\n\n{"txt": "b"}\n{"text": "c"}')
    refused = (SimpleNamespace(line=2, code="usage", message="unknown key txt"),)
    written = SimpleNamespace(written=2, known=0, refused=refused, conflicts=(), more=0)
    lay(ledger, remember_many=written)
    code, out, _ = run("remember", "--batch", str(lines), "--json", "--again")
    assert (code, json.loads(out)) == (
        3,
        {
            "written": 2,
            "known": 0,
            "refused": [{"line": 3, "code": "usage", "message": "unknown key txt"}],
            "conflicts": [],
            "more": 0,
        },
    )
    _, ((first, second, third),), named = ledger.calls[0]
    assert (first, third, named) == ({"text": "a"}, {"text": "c"}, {"again": True})
    assert isinstance(second, VarvesError)
    assert run("remember", "--batch", str(lines)) == (
        3,
        "2 written, 0 known, 1 refused\nline 3  usage  unknown key txt\n",
        "",
    )


def test_a_batch_takes_no_options_of_a_single_memory(ledger, run):
    code, _, err = run("remember", "--batch", "f", "--scope", "global")
    assert (code, ledger.calls) == (2, [])
    assert "--batch cannot be combined with --scope" in err


def test_a_batch_that_cannot_be_read_is_a_usage_error(ledger, run, tmp_path):
    code, _, err = run("remember", "--batch", str(tmp_path))
    assert code == 2
    assert "cannot read" in err


def test_recall_shows_each_hit_and_where_it_stands(ledger, run):
    hit = Hit(memory=MEMORY, score=0.834, reasons={"words": 0.7, "recency": 0.13}, stale="old")
    lay(ledger, recall=Found(query="q", hits=(hit,), omitted=2, tokens=9))
    assert run("recall", "q", "-k", "3", "--as-of", "HEAD~1")[1] == (
        "mem_aaaaaaaaaaaa  0.83  Use Zod\n"
        "  for \\x1b[31minput\n"
        "  project · decision · 2026-11-15 · alice · #web · stale: old\n"
        "2 omitted\n"
    )
    assert ledger.calls == [("recall", ("q",), {"k": 3, "dense": False, "as_of": "HEAD~1"})]


EXPLAINED = {
    "profile": "default",
    "dense": "not asked for",
    "terms": {f"word{n}": 2.0 - n / 100 for n in range(22)},
    "too_frequent": ["input\x1b[2J"],
    "in_no_memory": ["quota\x1b[2J"],
    "matched": {MEMORY.id: ["use"]},
    "weights": {"plain": {"words": 0.7, "recency": 0.2, "size": -0.1}},
    "features": {MEMORY.id: {"words": 1.0, "recency": 0.65, "size": 0.5, "trust": 1.0}},
    "kinds": {MEMORY.id: "plain"},
    "near_misses": [
        {"id": "mem_b", "score": 0.5, "why": "shadowed by mem_aaaaaaaaaaaa"},
        {"id": "mem_c", "score": None, "why": "superseded"},
    ],
}
REASONS = {"size": -0.05, "recency": 0.13, "words": 0.7, "changed": -0.39}
RULES = {"same": ["mem_d", "mem_e"], "evidence": "changed a.py:2"}


def test_an_explained_recall_says_what_counted_and_what_was_left_out(ledger, run):
    hit = Hit(memory=MEMORY.replace(text="Use Zod"), score=0.39, reasons=REASONS | RULES)
    lay(ledger, recall=Found(query="q", hits=(hit,), explained=EXPLAINED))
    code, out, err = run("recall", "q", "--explain")
    assert (code, err, ledger.calls[0][2]) == (0, "", {"dense": False, "explain": True})
    assert out == (
        "mem_aaaaaaaaaaaa  0.39  Use Zod\n"
        "  project · decision · 2026-11-15 · alice · #web\n"
        "  words +0.70 (1.00*0.70)    recency +0.13 (0.65*0.20)  size -0.05 (0.50*-0.10)\n"
        "  changed -0.39\n"
        "  matched: use\n"
        "  says the same as mem_d, mem_e\n"
        "  evidence changed a.py:2\n"
        "profile: default; dense: not asked for\n"
        "searched for: word0 2.00, word1 1.99, word2 1.98, word3 1.97, word4 1.96, word5 1.95,\n"
        "  word6 1.94, word7 1.93, word8 1.92, word9 1.91, word10 1.90, word11 1.89, word12 1.88,\n"
        "  word13 1.87, word14 1.86, word15 1.85, word16 1.84, word17 1.83, word18 1.82,\n"
        "  word19 1.81, 2 more\n"
        "too frequent to search for: input\\x1b[2J\n"
        "in no memory: quota\\x1b[2J\n"
        "weights, statements: words 0.70, recency 0.20, size -0.10\n"
        "left out:\n"
        "  mem_b  0.50  shadowed by mem_aaaaaaaaaaaa\n"
        "  mem_c        superseded\n"
    )
    code, out, _ = run("recall", "q", "--explain", "--json")
    assert (code, json.loads(out)["explained"]) == (0, EXPLAINED)


@pytest.mark.parametrize(
    ("dense", "note"),
    [("dense: 4 embedded", ""), ("dense: not installed", "varves: dense: not installed\n")],
)
def test_meanings_that_cannot_be_compared_are_a_note_beside_the_answer(ledger, run, dense, note):
    lay(ledger, recall=Found(query="q", dense=dense))
    nothing = "varves: nothing found; try other words, or list all memories with varves list\n"
    assert run("recall", "q", "--dense") == (0, "", nothing + note)
    assert ledger.calls == [("recall", ("q",), {"dense": True})]


def test_an_empty_answer_is_no_error_and_no_line(ledger, run):
    lay(ledger, recall=Found(query="q"), list=Listing(()), log=Listing(()), conflicts=Compared(()))
    for argv in (["list"], ["log"]):
        assert run(*argv) == (0, "", "")
    assert run("conflicts") == (0, "", "varves: no conflicts\n")
    assert run("recall", "q")[:2] == (0, "")


@each_row(
    "case",
    [
        (["remember", "t"], WRITTEN, {"id", "event", "status", "redacted", "conflicts"}),
        (
            ["recall", "q"],
            Found(query="q"),
            {"query", "as_of", "hits", "omitted", "tokens", "weak"},
        ),
        (["show", "mem_a"], MEMORY, set(MEMORY.as_dict())),
        (["history", "mem_a"], (EVENT,), {"events"}),
        (["list"], Listing((MEMORY,)), {"memories", "more"}),
        (
            ["correct", "mem_a", "t"],
            CORRECTED,
            {"id", "supersedes", "event", "redacted", "conflicts"},
        ),
        (["edit", "mem_a", "--ttl=1d"], CHANGED, {"id", "event", "redacted"}),
        (["forget", "mem_a", "--reason=r"], CHANGED, {"id", "event", "redacted"}),
        (["restore", "mem_a"], CHANGED, {"id", "event", "redacted"}),
        (["share", "mem_a"], SimpleNamespace(ids=("a",), events=("e",)), {"ids", "events"}),
        (["conflicts"], Compared(()), {"conflicts", "more", "uncompared"}),
        (["log"], Listing((EVENT,)), {"events", "more"}),
        (
            ["undo"],
            SimpleNamespace(id=None, event=None, undone=None, candidates=(EVENT,)),
            {"id", "event", "undone", "candidates"},
        ),
        (
            ["init"],
            SimpleNamespace(root="/r", created=(), notes=()),
            {"root", "created", "notes"},
        ),
        (["status", "--verbose"], STATUS, {*STATUS, "agents"}),
        (
            ["rebuild"],
            {"events": 1, "memories": 1, "settled": [], "notes": []},
            {"events", "memories", "settled", "notes"},
        ),
        (["doctor"], (), {"ok", "findings"}),
        (["pack"], SimpleNamespace(packs=(), segments=0), {"packs", "segments"}),
    ],
)
def test_json_is_one_document_with_the_published_keys(ledger, run, case):
    argv, answer, keys = case
    lay(ledger, **{argv[0]: answer})
    code, out, err = run(*argv, "--json")
    assert (code, err) == (0, "")
    assert out.count("\n") == 1
    assert set(json.loads(out)) == keys


@each_row(
    "case",
    [
        (["correct", "mem_a", "t"], CORRECTED, "mem_b supersedes mem_a\n"),
        (["edit", "mem_a", "--ttl=1d"], CHANGED, "mem_a edited\n"),
        (["forget", "mem_a", "--reason=r"], CHANGED, "mem_a forgotten\n"),
        (["restore", "mem_a"], CHANGED, "mem_a restored\n"),
        (["share", "a", "b"], SimpleNamespace(ids=("a", "b"), events=()), "a shared\nb shared\n"),
        (
            ["rebuild"],
            {"events": 3, "memories": 2, "settled": [], "notes": []},
            "rebuilt: 3 events, 2 memories\n",
        ),
        (["doctor"], (), "ok\n"),
        (["status"], STATUS, SUMMED_UP),
        (
            ["init"],
            SimpleNamespace(root="/r", created=(".varves/log",), notes=("no git here",)),
            "/r ready\n  created .varves/log\n  no git here\n",
        ),
        (
            ["log"],
            Listing((EVENT,)),
            "2026-11-15T10:00:00.000Z  memory.recorded    alice  evt_1  Use Zod\\nfor input\n",
        ),
        (
            ["undo"],
            SimpleNamespace(id="mem_a", event="evt_2", undone="evt_1", candidates=(), notes=()),
            "evt_1 undone  mem_a\n",
        ),
    ],
)
def test_the_result_comes_first_and_nothing_after(ledger, run, case):
    argv, answer, out = case
    lay(ledger, **{argv[0]: answer})
    assert run(*argv) == (0, out, "")


def test_conflicts_show_their_members_and_the_way_out(ledger, run):
    other = MEMORY.replace(id="mem_bbbbbbbbbbbb", text="Use Yup")
    conflict = SimpleNamespace(
        id="cfl_1", kind="siblings", members=(MEMORY, other), current=other.id, reason="both stand"
    )
    lay(ledger, conflicts=Compared((conflict,)), resolve=Settled(**vars(CHANGED)))
    assert run("conflicts")[1] == (
        "cfl_1  siblings  both stand\n"
        "  mem_aaaaaaaaaaaa  Use Zod\n"
        "    for \\x1b[31minput\n"
        "  mem_bbbbbbbbbbbb  Use Yup  (current)\n"
        "  varves conflicts resolve cfl_1 --keep ID | --merge TEXT | --delete ID\n"
    )
    assert run("conflicts", "resolve", "cfl_1", "--merge", "Use both") == (0, "mem_a merged\n", "")
    assert ledger.calls[-1] == ("resolve", ("cfl_1",), {"merge": "Use both"})


def test_findings_are_listed_and_make_the_code_one(ledger, run):
    one = SimpleNamespace(rule="chain", place="a.jsonl:3", message="torn", fix="varves doctor")
    bad = Verification(ok=False, segments=1, events=2, damage=(one,), gaps=())
    lay(ledger, verify=bad, doctor=(one,))
    assert run("verify", "--deep") == (1, "damage  a.jsonl:3  torn\n", "")
    assert run("doctor") == (1, "chain  a.jsonl:3  torn\n  varves doctor\n", "")
    gapped = Verification(ok=True, segments=4, events=123, damage=(), gaps=(one,))
    lay(ledger, verify=gapped)
    assert run("verify") == (0, "not whole: 123 events in 4 segments\ngap  a.jsonl:3  torn\n", "")


def test_doctor_brings_back_what_git_removed(ledger, run):
    lay(ledger, restore_eaten=SimpleNamespace(restored=3, segments=("a.jsonl",)))
    assert run("doctor", "--restore") == (0, "3 events restored\n  a.jsonl\n", "")


def test_following_streams_one_line_or_document_for_each_event(ledger, run):
    lay(ledger, follow=(EVENT, EVENT))
    assert run("log", "--follow", "--actor", "alice")[1].count("\n") == 2
    assert ledger.calls[-1] == ("follow", (), {"actor": "alice"})
    _, out, _ = run("log", "--follow", "--json")
    assert [json.loads(line)["id"] for line in out.splitlines()] == ["evt_1", "evt_1"]
    assert run("log", "--follow", "--as-of", "HEAD")[0] == 2


@each_row(
    ("error", "code"),
    [
        (Refused("no", "do this"), 3),
        (Stale("no", "do this"), 3),
        (NotFound("no", "do this"), 4),
        (Damaged("no", "do this"), 5),
        (Busy("no", "do this"), 6),
    ],
)
def test_errors_are_one_line_and_a_code(ledger, run, error, code):
    lay(ledger, show=error)
    assert run("show", "mem_a") == (code, "", "varves: no; do this\n")
    _, out, err = run("show", "mem_a", "--json")
    assert err == ""
    assert json.loads(out) == {"error": {"code": error.code, "message": "no", "hint": "do this"}}


def test_an_error_stays_on_one_line_whatever_it_quotes(ledger, run):
    lay(ledger, show=NotFound("no \x1b[2J\nmem", ""))
    assert run("show", "x")[2] == "varves: no \\x1b[2J\\nmem\n"


def test_what_should_not_happen_is_said_without_a_traceback(ledger, run, monkeypatch):
    monkeypatch.delenv("VARVES_DEBUG", raising=False)
    lay(ledger, show=ZeroDivisionError("oh"))
    code, out, err = run("show", "x")
    assert (code, out) == (5, "")
    assert err == (
        "varves: internal error: ZeroDivisionError: oh; set VARVES_DEBUG=1 to see the traceback\n"
    )
    assert json.loads(run("show", "x", "--json")[1])["error"]["code"] == "internal"


def test_the_traceback_is_there_for_those_who_ask(ledger, run, monkeypatch):
    monkeypatch.setenv("VARVES_DEBUG", "1")
    lay(ledger, show=ZeroDivisionError("oh"))
    assert "Traceback" in run("show", "x")[2]


def test_an_interrupt_ends_quietly(ledger, run):
    lay(ledger, show=KeyboardInterrupt())
    assert run("show", "x") == (130, "", "")


def test_colour_is_only_for_terminals_unless_asked(ledger, run):
    lay(ledger, list=Listing((MEMORY,)))
    assert "\x1b" not in run("list")[1]
    assert "\x1b[1mmem_aaaaaaaaaaaa\x1b[0m" in run("list", "--color=always")[1]
    assert "\x1b" not in run("list", "--json", "--color=always")[1]


def test_help_and_version_open_no_ledger(ledger, run):
    assert run("recall", "--help")[1].startswith("varves recall QUERY")
    assert run("--version")[1].startswith("varves ")
    assert "version" in json.loads(run("--version", "--json")[1])
    assert "help" in json.loads(run("--help", "--json")[1])
    assert ledger.opened == {}


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="needs /dev/full")
def test_a_full_disk_under_stdout_is_said(ledger, monkeypatch, capfd):
    lay(ledger, list=Listing((MEMORY,)))
    with open("/dev/full", "w", encoding="utf-8") as full:
        monkeypatch.setattr(sys, "stdout", full)
        assert main(["list"]) == 5
    assert "the answer could not be written" in capfd.readouterr().err


def test_a_reader_that_went_away_is_no_error(ledger, monkeypatch, capfd):
    import os

    lay(ledger, list=Listing((MEMORY,) * 1000))
    reading, writing = os.pipe()
    os.close(reading)
    with open(writing, "w", encoding="utf-8") as gone:
        monkeypatch.setattr(sys, "stdout", gone)
        assert main(["list"]) == 0
    assert capfd.readouterr().err == ""


def test_text_a_narrow_stdout_cannot_carry_is_escaped(ledger, monkeypatch):
    lay(ledger, list=Listing((MEMORY.replace(text="é\ud800"),)))
    narrow = io.TextIOWrapper(io.BytesIO(), encoding="ascii")
    monkeypatch.setattr(sys, "stdout", narrow)
    assert main(["list"]) == 0
    assert b"\\xe9\\ud800" in narrow.buffer.getvalue()


def test_a_closed_stdout_does_not_stop_a_write(ledger, monkeypatch):
    lay(ledger, remember=WRITTEN)
    monkeypatch.setattr(sys, "stdout", None)
    assert main(["remember", "t"]) == 0
