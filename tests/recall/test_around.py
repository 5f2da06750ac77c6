"""What is around a thing: its memories, and what these touch, in two steps and no more."""

from __future__ import annotations

import pytest

import varves as package
from varves.errors import NotFound, UsageError


@pytest.fixture
def shop(project):
    """Give a ledger of a shop with memories of two people."""
    (project / "src").mkdir()
    (project / "src/checkout.ts").write_text("const RETRIES = 3;\n", encoding="utf-8")
    (project / "src/a b.ts").write_text("x\n", encoding="utf-8")
    with package.open(project, actor="claude") as claude:
        yield claude


def texts(found) -> list[str]:
    return [one.text for one in found.memories]


def touched(found) -> dict[tuple[str, str], int]:
    return {(one.kind, one.name): len(one.memories) for one in found.things}


def test_a_tag_leads_to_its_memories_and_what_they_touch(shop):
    old = shop.remember(
        "Payment calls wait 200 ms", tags=["payments"], evidence=["src/checkout.ts:1"]
    ).id
    new = shop.correct(old, "Payment calls wait 100 ms").id
    shop.remember("Klarna needs the whole address", tags=["payments", "klarna"], speaker="mira")
    shop.remember("Labels are printed at 203 dpi", tags=["shipping"])
    found = shop.around("#payments")
    assert (found.thing.kind, found.thing.name, found.text) == ("tag", "payments", None)
    assert texts(found) == [
        "Klarna needs the whole address",
        "Payment calls wait 100 ms",
        "Payment calls wait 200 ms",
    ]
    assert found.replaced == ((old, new),)
    assert touched(found) == {
        ("person", "claude"): 2,
        ("file", "src/checkout.ts"): 2,
        ("tag", "klarna"): 1,
        ("person", "mira"): 1,
    }
    assert shop.around("payments").memories == found.memories


def test_files_and_people_are_things_too(shop):
    shop.remember("One", evidence=["src/a b.ts:1"])
    shop.remember("Two", speaker="mira")
    assert texts(shop.around("src/a b.ts")) == ["One"]
    assert texts(shop.around("mira")) == ["Two"]
    assert texts(shop.around("claude")) == ["Two", "One"]


def test_a_memory_leads_to_those_that_share_something_with_it(shop):
    tags = ["payments"]
    first = shop.remember("Payment calls wait 200 ms", tags=tags).id
    second = shop.correct(first, "Payment calls wait 100 ms").id
    third = shop.remember("Klarna needs the whole address", tags=tags).id
    shop.remember("Labels are printed at 203 dpi", tags=["shipping"])
    found = shop.around(second)
    assert found.text == "Payment calls wait 100 ms"
    assert {one.id: one.why for one in found.memories} == {
        first: ("replaces", "#payments"),
        third: ("#payments",),
    }
    alone = shop.remember("Nothing else is like this").id
    assert shop.around(alone).memories == ()


def test_what_others_may_not_see_is_left_out(shop):
    shop.remember("seen", tags=["x"])
    shop.remember("Ada is ill", tags=["x", "sensitive"])
    shop.through("tool").remember("from a tool", tags=["x"])
    shop.forget(shop.remember("forgotten", tags=["x"]).id, reason="no")
    assert texts(shop.around("#x")) == ["seen"]


def test_no_more_than_150_things_are_shown_and_the_rest_is_counted(shop):
    for number in range(90):
        shop.remember(f"Memory {number}", tags=["x", *(f"t{number}-{n}" for n in range(4))])
    found = shop.around("#x")
    assert (len(found.memories), found.more) == (40, 50)
    assert found.memories[0].text == "Memory 89"
    assert 1 + len(found.memories) + len(found.things) == 150
    assert found.things[0].name == "claude", "what most of them touch comes first"
    assert shop.around("#x", limit=90).more == 0
    for wrong in (0, 101):
        with pytest.raises(UsageError):
            shop.around("#x", limit=wrong)


def test_the_past_has_its_own_surroundings(shop):
    event = shop.remember("One", tags=["x"]).event
    shop.remember("Two", tags=["x"])
    assert texts(shop.around("#x", as_of=event)) == ["One"]


def test_a_decision_that_another_took_the_place_of_is_replaced(shop):
    shop.deliberation.begin("talk", agents=["claude", "codex"], shared=True)
    old = shop.deliberation.decide("typos", "Names match above 0.3", agent="claude").id
    new = shop.deliberation.decide(
        "typos", "Names match above 0.4", agent="claude", replaces=old
    ).id
    found = shop.around("claude")
    assert {one.id: one.status for one in found.memories} == {old: "superseded", new: "active"}
    assert found.replaced == ((old, new),)


def test_the_verb_says_the_same(shop, varves):
    shop.remember("One", tags=["x"], evidence=["src/checkout.ts:1"])
    shop.close()
    said = varves("around", "#x", "--json").json
    assert {"thing", "memories", "things", "replaced", "more", "text"} == set(said)
    assert [one["text"] for one in said["memories"]] == ["One"]
    shown = varves("around", "#x").out
    assert "One" in shown
    assert "src/checkout.ts 1" in shown
    assert varves("around", "nothing-like-this").code == 4
    with pytest.raises(NotFound):
        shop.around("#nothing")
