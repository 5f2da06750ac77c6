"""S4: what belongs to one agent or session is in nobody else's answers, whatever they ask."""

from __future__ import annotations

import json
import random
import re
from pathlib import Path

import pytest

import varves
from tests.figures import full_size, note_figure
from tests.properties.world import START, SeededIds, Watchmaker

QUERIES = 10_000 if full_size() else 60
AGENTS = [f"agent{number:02}" for number in range(40)] + ["ada", "ADA", "ada_", "ad%", "_", "a-a"]
SESSIONS = [f"session{number:02}" for number in range(38)] + ["s_1", "s-1"]
TEAMS = [f"team{number}" for number in range(10)]
WORDS = (
    *("deploy", "review", "staging", "billing", "schema", "cache", "token", "branch", "index"),
    *("queue", "release", "backup", "invoice", "login", "search", "layout"),
)


LEVELS = ("session", "agent", "project", "team", "global")
NAMED = re.compile(r"mem_[a-z0-9]{12}|mark\d{5}")


class Filled:
    """Two projects of one home: a hundred scopes, and everything in them that might leak."""

    def __init__(self, root: Path) -> None:
        self.root = root / "ours"
        self.options = {"home": root / "home", "clock": Watchmaker(START), "ids": SeededIds(9)}
        self.scopes: dict[str, str] = {}  # of every id and mark
        self._chance = random.Random(4)
        self._marks = 0
        scopes = [
            *(f"agent:{name}" for name in AGENTS),
            *(f"session:{name}" for name in SESSIONS),
            *(f"team:{name}" for name in TEAMS),
            *("project", "project:web", "project:api", "global"),
        ]
        assert len(scopes) == 100
        notes = [self._line(scope) for scope in scopes for _ in range(5)]
        twins = [self._line(scope, f"{word} listens on port 8080") for scope in scopes for word in
                 self._chance.sample(WORDS, 1)]  # fmt: skip
        talk = [
            self._line(scope) | {"session": f"talk{number % 7}", "turn": number}
            for number, scope in enumerate(self._chance.sample(scopes, 90))
        ]
        self._write(self.root, [*notes, *twins, *talk])
        foreign = [self._line("project") | {"private": number % 2 == 0} for number in range(60)]
        self._write(root / "theirs", foreign, named="elsewhere")
        self.standing = len(notes) + len(twins) + len(talk)

    def _line(self, scope: str, said: str = "") -> dict:
        self._marks += 1
        mark = f"mark{self._marks:05}"
        said = said or " ".join(self._chance.sample(WORDS, 6))
        self.scopes[mark] = scope
        level = scope.partition(":")[0]
        return {
            "text": f"{said} {mark}", "scope": scope,
            "type": self._chance.choice(("note", "convention", "decision")),
            "priority": self._chance.choice((None, None, "high", "critical")),
            "private": level != "global" and self._chance.random() < 0.2,
        }  # fmt: skip

    def _write(self, root: Path, lines: list[dict], *, named: str | None = None) -> None:
        root.mkdir()
        with varves.open(root, **self.options) as ledger:
            assert ledger.remember_many(lines).written == len(lines)
            for memory in ledger.list(status="all"):
                if named is None or memory.kept != "global":
                    scope = memory.scope if named is None else named
                    self.scopes[memory.id] = self.scopes[memory.text.split()[-1]] = scope

    def open(self, **options) -> varves.Ledger:
        return varves.open(self.root, **self.options, **options)

    def foreign(self, answer: object, agent: str, session: str | None) -> list[str]:
        """Return every id and mark in an answer that its reader may not see."""
        named = set(NAMED.findall(json.dumps(answer, default=_plain)))
        return sorted(one for one in named if not visible(self.scopes[one], agent, session))

    def seen_by(self, agent: str, session: str | None) -> int:
        ids = [name for name in self.scopes if name.startswith("mem_")]
        return sum(visible(self.scopes[name], agent, session) for name in ids)


def _plain(value: object) -> object:
    return value.as_dict() if hasattr(value, "as_dict") else str(value)


def visible(scope: str, agent: str, session: str | None) -> bool:
    level, _, name = scope.partition(":")
    if level == "session":
        return name == session
    return level in LEVELS and (level != "agent" or agent in (name, "USER"))


@pytest.fixture(scope="module")
def filled(tmp_path_factory):
    return Filled(tmp_path_factory.mktemp("scopes"))


def draw(chance: random.Random) -> tuple[str, dict]:
    """Draw a question and its options; some ask for another's scope by name."""
    words = " ".join(chance.sample(WORDS, chance.randint(1, 5)))
    asked = f"{words} {chance.choice(AGENTS)} {chance.choice(SESSIONS)}"
    if chance.random() < 0.3:
        asked = f"{words} listens on port 8080"
    scope = chance.choice((None, None, None, *LEVELS, "of an agent", "of a session"))
    named = {"of an agent": f"agent:{chance.choice(AGENTS)}",
             "of a session": f"session:{chance.choice(SESSIONS)}"}  # fmt: skip
    return asked, {
        "scope": named.get(scope, scope), "k": chance.choice((5, 20, 200)),
        "budget": chance.choice((None, 300)), "explain": chance.random() < 0.5,
    }  # fmt: skip


def test_no_answer_holds_what_is_another_agents_or_sessions(filled):
    chance = random.Random(44)
    leaks, own, asked, briefed = [], 0, 0, 0
    for number in range(QUERIES // 10):
        agent = chance.choice((*AGENTS, "USER"))
        session = chance.choice((*SESSIONS, None))
        seen = filled.seen_by(agent, session)
        with filled.open(actor=agent, session=session) as ledger:
            for _ in range(10):
                query, options = draw(chance)
                told = ledger.recall(query, **options)
                leaks += filled.foreign(told.replace(query=""), agent, session)
                assert len(told) + told.omitted <= seen
                scopes = {hit.memory.scope for hit in told}
                own += not scopes.isdisjoint((f"agent:{agent}", f"session:{session}"))
                asked += 1
            told = ledger.brief(task=query, budget=chance.choice((700, 20_000)))
            leaks += filled.foreign(told, agent, session)
            assert len(told.ids) + told.omitted == seen
        if number % 10 == 0:  # a briefing for another agent is that agent's
            with filled.open(session=session) as ledger:
                told = ledger.brief(agent=agent, budget=20_000)
                leaks += filled.foreign(told, agent, session)
                briefed += f"agent:{agent}" in {filled.scopes[name] for name in told.ids}
    note_figure("S4", scopes=100, queries=asked, leaks=len(leaks), answers_with_own=own)
    assert not leaks
    assert own > 0.2 * asked
    assert briefed > 0.5 * (QUERIES // 100)


def test_the_judge_sees_a_leak_where_there_is_one(filled):
    """Everything, as the person of another session sees it, is full of what is not an agent's."""
    with filled.open(session="s_1") as ledger:
        told = ledger.recall(" ".join(WORDS), k=1000)
    assert filled.foreign(told, "USER", "s_1") == []
    assert len(filled.foreign(told, "ada", "s_1")) > 50
    assert len(filled.foreign(told, "USER", None)) > 1


def test_an_unknown_scope_is_refused_in_one_line(cli, ledger):
    ledger.remember("Use Zod")
    for verb in (("recall", "zod"), ("list",)):
        said = cli(*verb, "--scope", "world")
        assert (said.code, said.out) == (2, "")
        assert said.err.count("\n") == 1
        assert "unknown scope: 'world'" in said.err


def test_nothing_sensitive_is_in_a_briefing(ledger):
    name = ledger.remember("The salary band is 4", tags=["sensitive"], priority="critical").id
    assert not ledger.brief(task="salary band").ids
    assert ledger.show(name).text


def test_what_expired_or_was_replaced_is_in_no_briefing(project):
    clock = Watchmaker(START)
    with varves.open(project, clock=clock) as ledger:
        ledger.remember("The freeze holds until noon", ttl="1h", priority="critical")
        old = ledger.remember("Use Yup", priority="high").id
        ledger.correct(old, "Use Zod")
        gone = ledger.remember("Ask Bob", priority="high").id
        ledger.forget(gone, reason="he left")
        clock.ms += 2 * 3_600_000
        told = ledger.brief(task="yup bob freeze")
        assert [ledger.show(name).text for name in told.ids] == ["Use Zod"]
