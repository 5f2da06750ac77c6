from __future__ import annotations

import pytest

from varves.recall.briefing import age, briefing
from varves.recall.fence import block, read_block
from varves.values.memory import Memory
from varves.values.text import tokens

NONCE = "0f" * 16
THEN = "2026-11-15T06:20:00.000Z"


def memory(number: int, text: str, *, scope: str = "project") -> Memory:
    stamps = dict.fromkeys(("created_at", "updated_at", "at"), THEN)
    return Memory(
        id=f"mem_{number}", text=text, scope=scope, created_by="ada", updated_by="ada", **stamps
    )


def told(*memories: Memory, budget: int = 2000):
    return briefing([(one, {"age": "3d"}) for one in memories], budget=budget, nonce=NONCE)


def test_the_block_holds_the_memories_in_their_order():
    made = told(memory(2, "second first"), memory(1, "then this"))
    assert made.ids == ("mem_2", "mem_1")
    assert [record["id"] for record in read_block(made.text)] == ["mem_2", "mem_1"]
    assert (made.omitted, made.tokens) == (0, tokens(made.text))


def test_a_record_says_where_it_comes_from_before_what_it_says():
    (record,) = read_block(told(memory(1, "Use Zod")).text)
    assert record == {
        "id": "mem_1",
        "type": "note",
        "scope": "project",
        "at": "2026-11-15T06:20",
        "origin": "direct",
        "trust": 3,
        "age": "3d",
        "text": "Use Zod",
    }
    assert list(record)[-1] == "text"


@pytest.mark.parametrize("budget", [*range(60, 400, 7), 2000])
def test_the_budget_is_kept_and_no_memory_is_cut(budget):
    memories = [memory(n, "word " * (n * 7 % 40)) for n in range(1, 12)]
    made = told(*memories, budget=budget)
    assert made.tokens <= budget
    assert len(made.ids) + made.omitted == len(memories)
    texts = {one.id: one.text for one in memories}
    for record in read_block(made.text) if made.text else ():
        assert record["text"] == texts[record["id"]]


def test_a_long_one_is_left_out_and_a_short_one_after_it_is_not():
    made = told(memory(1, "x" * 5000), memory(2, "short"), budget=200)
    assert (made.ids, made.omitted) == (("mem_2",), 1)


def test_the_budget_is_used_to_the_last_token():
    needed = told(memory(1, "Use Zod")).tokens
    assert told(memory(1, "Use Zod"), budget=needed).ids == ("mem_1",)
    assert told(memory(1, "Use Zod"), budget=needed - 1).ids == ()


def test_the_same_words_are_told_once_for_each_scope():
    twins = (memory(1, "Use Zod"), memory(2, "use  zod!"), memory(3, "Use Zod", scope="team:a"))
    made = told(*twins)
    assert (made.ids, made.omitted) == (("mem_1", "mem_3"), 0)


def test_nothing_to_tell_is_no_block():
    assert told().text == ""
    assert told(memory(1, "Use Zod"), budget=1).text == ""
    assert read_block(block((), NONCE)) == ()


@pytest.mark.parametrize(
    ("ms", "said"),
    [
        (0, "0m"),
        (-5, "0m"),
        (59_999, "0m"),
        (60_000, "1m"),
        (7_300_000, "2h"),
        (9 * 86_400_000, "9d"),
    ],
)
def test_an_age_is_told_in_its_largest_unit(ms, said):
    assert age(1_000_000, 1_000_000 + ms) == said
