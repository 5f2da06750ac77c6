from __future__ import annotations

from tests.tables import each_row
from varves.recall.scopes import precedence
from varves.recall.shadow import shadowed
from varves.values.memory import Memory

SCOPES = ("session:s-1", "agent:ada", "project", "team:core", "global")
SAME = "The staging server listens on port {}"


def memory(number: int, text: str, scope: str, **fields) -> Memory:
    stamps = dict.fromkeys(("created_at", "updated_at", "at"), f"2026-11-15T06:{number:02}:00.000Z")
    return Memory(
        id=f"mem_{number}",
        text=text,
        scope=scope,
        created_by="a",
        updated_by="a",
        **stamps | fields,
    )


def pair(specific: str, general: str, first="listens on port 8080", second="listens on port 8080"):
    return [
        memory(1, f"The staging server {second}", general),
        memory(2, f"The staging server {first}", specific),
    ]


@each_row("profile", ["hivemind", "adr0018"])
@each_row("one", SCOPES)
@each_row("two", SCOPES)
def test_the_more_specific_wins_by_the_profiles_order(profile, one, two):
    order = precedence(profile)
    found = shadowed(pair(one, two), order)
    levels = [scope.partition(":")[0] for scope in (one, two)]
    if one == two or not set(levels) <= set(order):
        assert found == {}
    elif order.index(levels[0]) < order.index(levels[1]):
        assert found == {"mem_1": "mem_2"}
    else:
        assert found == {"mem_2": "mem_1"}


@each_row(
    ("text", "steps_back"),
    [
        ("listens on port 8080", True),
        ("listens on Port 8080!", True),
        ("listens on port 9090", True),
        ("does not listen on port 8080", True),
        ("has two disks", False),
        ("was bought by the harbour", False),
    ],
)
def test_only_a_repetition_or_a_contradiction_is_shadowed(text, steps_back):
    assert bool(shadowed(pair("project", "global", text))) is steps_back


def test_two_of_one_level_both_stand():
    assert shadowed(pair("team:a", "team:b")) == {}
    assert shadowed(pair("project", "project:web")) == {}
    beside = memory(9, "Something else altogether", "global")
    assert shadowed([*pair("team:a", "team:b"), beside]) == {}


def test_of_several_the_most_specific_is_named():
    many = [memory(n, SAME.format(8080), scope) for n, scope in enumerate(SCOPES)]
    assert shadowed(many[::-1]) == dict.fromkeys(("mem_1", "mem_2", "mem_3", "mem_4"), "mem_0")


@each_row(
    ("mine", "theirs", "steps_back"),
    [
        ({}, {"priority": "critical"}, False),
        ({"priority": "critical"}, {"priority": "critical"}, True),
        ({"priority": "critical"}, {}, True),
        ({"trust": 2}, {"trust": 3}, False),
        ({"trust": 3}, {"trust": 2}, True),
    ],
)
def test_the_guards_come_before_precedence(mine, theirs, steps_back):
    rows = [
        memory(1, SAME.format(1), "agent:ada", **mine),
        memory(2, SAME.format(2), "project", **theirs),
    ]
    assert bool(shadowed(rows)) is steps_back


def test_only_the_first_are_compared():
    fill = [memory(n, f"unrelated {n}", "project") for n in range(3, 40)]
    first, second = pair("project", "global")
    assert shadowed([first, *fill, second]) == {}
    assert shadowed([first, *fill, second], first=50) == {"mem_1": "mem_2"}


def test_an_empty_text_speaks_to_no_other():
    assert shadowed([memory(1, "...", "global"), memory(2, "mast", "project")]) == {}
