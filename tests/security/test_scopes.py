"""S4: what belongs to one agent or session is in nobody else's answers, whatever they ask."""

from __future__ import annotations

import random

import pytest

import varves
from tests.figures import full_size, note_figure
from tests.properties.world import START, SeededIds, Watchmaker

QUERIES = 10_000 if full_size() else 250
AGENTS = [f"agent{number:02}" for number in range(40)] + ["ada", "ADA", "ada_", "ad%", "_", "a-a"]
SESSIONS = [f"session{number:02}" for number in range(38)] + ["s_1", "s-1"]
TEAMS = [f"team{number}" for number in range(10)]
WORDS = (
    *("deploy", "review", "staging", "billing", "schema", "cache", "token", "branch", "index"),
    *("queue", "release", "backup", "invoice", "login", "search", "layout"),
)


@pytest.fixture(scope="module")
def filled(tmp_path_factory):
    """Make one ledger of a hundred scopes, every word of it in every scope."""
    root = tmp_path_factory.mktemp("scopes")
    scopes = [
        *(f"agent:{name}" for name in AGENTS),
        *(f"session:{name}" for name in SESSIONS),
        *(f"team:{name}" for name in TEAMS),
        *("project", "project:web", "project:api", "global"),
    ]
    chance = random.Random(4)
    lines = [
        {"text": f"{' '.join(chance.sample(WORDS, 6))} note {number} of {scope}", "scope": scope,
         "priority": chance.choice((None, "high", "critical"))}
        for scope in scopes
        for number in range(6)
    ]  # fmt: skip
    options = {"home": root / "home", "clock": Watchmaker(START), "ids": SeededIds(9)}
    with varves.open(root, **options) as ledger:
        assert ledger.remember_many(lines).written == len(lines)
    assert len(scopes) == 100
    return root, options


def foreign(memory: varves.Memory, agent: str, session: str) -> bool:
    level, _, name = memory.scope.partition(":")
    return (level == "agent" and name != agent) or (level == "session" and name != session)


def test_no_answer_holds_what_is_another_agents_or_sessions(filled):
    root, options = filled
    chance = random.Random(44)
    leaks, own, asked, briefed = [], 0, 0, 0
    for number in range(QUERIES // 10):
        agent, session = chance.choice(AGENTS), chance.choice(SESSIONS)
        with varves.open(root, actor=agent, session=session, **options) as ledger:
            for _ in range(10):
                words = " ".join(chance.sample(WORDS, chance.randint(1, 4)))
                level = chance.choice((None, None, None, "project", "team", "global"))
                k, budget = chance.choice((5, 20, 200)), chance.choice((None, 300))
                query = f"{words} {chance.choice(AGENTS)} {chance.choice(SESSIONS)}"
                told = ledger.recall(query, k=k, scope=level, budget=budget)
                leaks += [hit.memory.id for hit in told if foreign(hit.memory, agent, session)]
                twins = [name for hit in told for name in hit.reasons.get("same", ())]
                leaks += [name for name in twins if foreign(ledger.show(name), agent, session)]
                own += any(
                    hit.memory.scope in (f"agent:{agent}", f"session:{session}") for hit in told
                )
                asked += 1
            told = ledger.brief(task=query, budget=20_000)
            leaks += [name for name in told.ids if foreign(ledger.show(name), agent, session)]
        if number % 10 == 0:  # a briefing for another agent is that agent's
            with varves.open(root, session=session, **options) as ledger:
                told = ledger.brief(agent=agent, budget=20_000)
                leaks += [name for name in told.ids if foreign(ledger.show(name), agent, session)]
                briefed += any(ledger.show(name).scope == f"agent:{agent}" for name in told.ids)
    note_figure("S4", scopes=100, queries=asked, leaks=len(leaks), answers_with_own=own)
    assert not leaks
    assert own > 0.3 * asked
    assert briefed > 0.5 * (QUERIES // 100)


def test_the_count_of_what_was_left_out_says_nothing_about_others(filled):
    """Another agent's notes are no part of the number that did not fit."""
    root, options = filled
    with varves.open(root, actor="nobody", session="none", **options) as ledger:
        all_of_it = ledger.recall(" ".join(WORDS), k=1000)
        few = ledger.recall(" ".join(WORDS), k=5)
    assert few.omitted <= len(all_of_it) - 5


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
