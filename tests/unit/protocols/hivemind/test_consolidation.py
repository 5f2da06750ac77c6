"""Small decisions of upkeep: who is protected, who belongs where, what is cut, what is the same."""

from __future__ import annotations

import pytest

from tests.tables import each_row
from tests.unit.protocols.hivemind.records import memory
from varves.protocols.hivemind.consolidation import shortened, team_of
from varves.protocols.hivemind.failures import normalised, slug
from varves.protocols.hivemind.repeats import protected


@each_row(
    ("fields", "safe"),
    [
        ({"created_by": "DEV-001"}, False),
        ({"created_by": "USER"}, True),
        ({"created_by": "SYSTEM", "priority": "critical"}, True),
        ({"created_by": "SYSTEM", "priority": "high"}, False),
        ({"created_by": "SYSTEM", "tags": ("core",)}, True),
        ({"created_by": "SYSTEM", "tags": ("permanent",)}, True),
        ({"created_by": "SYSTEM", "tags": ("protected",)}, True),
    ],
)
def test_critical_user_made_and_marked_memories_are_protected(fields, safe):
    assert protected(memory(**fields)) == safe


@each_row(
    ("agent", "scope"),
    [
        ("DEV-001", "team:web"),
        ("DEV-002", "team:development"),
        ("SEC-001", "team:security"),
        ("INF-001", "team:infrastructure"),
        ("QA-001", "team:qa"),
        ("OPS-001", "team:ops"),
        ("COORDINATOR", None),
        ("USER", None),
    ],
)
def test_an_agent_belongs_to_its_last_team_or_the_one_its_id_says(agent, scope):
    assert team_of(agent, {"DEV-001": "web"}) == scope


def test_a_summary_has_the_same_fields_each_cut_to_its_beginning():
    long = "word " * 100
    short = shortened({"a": long, "b": [long, 1, 2, 3], "c": {"d": long}, "e": 5})
    assert short.keys() == {"a", "b", "c", "e"}
    assert len(short["a"]) <= 200 >= len(short["c"]["d"])
    assert (len(short["b"]), short["e"]) == (3, 5)


@each_row(
    ("one", "other", "same"),
    [
        ("GET  /users took 31 s", "get /users took 7.5 S", True),
        ("no file '/tmp/a.txt'", "no file '/var/b.txt'", True),
        ("cannot open /tmp/a.txt", "cannot open /var/log/b", True),
        ("at 0x7fe1 it died", "at 0xdead it died", True),
        ("job 1b4e28ba-2fa1-11d2-883f-0016d3cca427 died", "job 7 died", True),
        ("x of undefined at a.js:12", "x of undefined at src/b.ts:40:3", True),
        ("failed (index.js:1:2)", "failed (lib/main.mjs:9)", True),
        ("no module foo.js", "no module bar.js", False),
        ("refused by db.local:5432", "refused by cache.local:6379", False),
        ("refused by db.example.com:5432", "refused by cache.example.com:6379", False),
        ("disk full", "disk empty", False),
    ],
)
def test_a_message_is_normalised_by_what_differs_each_time(one, other, same):
    assert (normalised(one) == normalised(other)) == same


@pytest.mark.parametrize(
    ("text", "tag"),
    [("TimeoutError", "timeout-error"), ("DNS failure!", "dns-failure"), ("…", "unknown")],
)
def test_a_type_of_error_becomes_a_tag(text, tag):
    assert slug(text) == tag
