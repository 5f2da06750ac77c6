from __future__ import annotations

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from varves.recall.brief import Parts, Topic, briefing
from varves.recall.fence import block, nonce_for, read_block
from varves.values.memory import Memory
from varves.values.text import count_tokens

NONCE = "0f" * 16
WORDS = (
    *("harbour", "berth", "lock", "mast", "anchor", "chart", "tide", "rope", "bell", "crane"),
    *("deck", "sail"),
)


def memory(number: int, text: str, **fields) -> Memory:
    stamps = dict.fromkeys(
        ("created_at", "updated_at", "at"), f"2026-11-15T06:{number % 60:02}:00.000Z"
    )
    return Memory(
        id=f"mem_{number:03}", text=text, created_by="ada", updated_by="ada", **stamps | fields
    )


def topics(*memories: Memory) -> tuple[Topic, ...]:
    return tuple(Topic(one) for one in memories)


def told(budget: int = 2000, **parts: tuple[Topic, ...]):
    total = len({one.memory.id for part in parts.values() for one in part})
    return briefing(Parts(**parts), budget=budget, total=total, nonce=lambda _: NONCE)


def test_the_parts_stand_in_their_order_each_by_age_and_answers_by_rank():
    made = told(
        answers=topics(memory(9, "tide tables"), memory(8, "anchor chains")),
        recent=topics(memory(21, "crane repaired"), memory(12, "bell rings")),
        lasting=topics(memory(5, "sail slowly"), memory(4, "deck clean")),
        musts=topics(memory(3, "mast broken"), memory(2, "rope torn")),
    )
    assert made.ids == tuple(f"mem_{n:03}" for n in (2, 3, 4, 5, 12, 21, 9, 8))
    assert [record["id"] for record in read_block(made.text)] == list(made.ids)
    assert made.omitted == 0
    assert made.tokens - 5 <= count_tokens(made.text) <= made.tokens


def test_a_record_says_where_it_comes_from_before_what_it_says():
    strange = memory(
        1, "Use Zod", type="decision", scope="team:a", origin="tool", trust=0, speaker="Ada"
    )
    about = {"conflict": "cfl_1", "clone": "k8r6"}
    (record,) = read_block(told(answers=(Topic(strange, about=about),)).text)
    assert list(record.items()) == [
        ("id", "mem_001"), ("type", "decision"), ("scope", "team:a"), ("at", "2026-11-15"),
        ("origin", "tool"), ("trust", 0), ("speaker", "Ada"), ("conflict", "cfl_1"),
        ("clone", "k8r6"), ("text", "Use Zod"),
    ]  # fmt: skip


def test_a_note_of_the_projects_scope_says_neither():
    (record,) = read_block(told(answers=topics(memory(1, "Use Zod"))).text)
    assert list(record) == ["id", "at", "origin", "trust", "text"]


texts = st.lists(
    st.one_of(
        st.lists(st.sampled_from(WORDS), max_size=40).map(" ".join),
        st.text(st.characters(exclude_categories=["Cs"]), max_size=80),
    ),
    max_size=12,
)


def _parts(drawn):
    memories = [
        [memory(20 * part + place, text) for place, text in enumerate(texts)]
        for part, texts in enumerate(drawn)
    ]
    return {
        name: topics(*some)
        for name, some in zip(("musts", "lasting", "recent", "answers"), memories, strict=True)
    }


@given(st.tuples(texts, texts, texts, texts), st.integers(1, 900), st.integers(0, 400))
def test_the_budget_is_kept_and_a_bigger_one_tells_no_less_of_what_must_be_told(drawn, small, more):
    known = {one.memory.id: one.memory.text for part in _parts(drawn).values() for one in part}
    kept = []
    for budget in (small, small + more):
        made = told(budget, **_parts(drawn))
        assert count_tokens(made.text) <= made.tokens <= budget
        assert len(set(made.ids)) == len(made.ids)
        assert len(made.ids) + made.omitted == len(known)
        assert bool(made.text) == bool(made.ids)
        records = read_block(made.text) if made.text else ()
        assert [(one["id"], one["text"]) for one in records] == [(i, known[i]) for i in made.ids]
        kept.append({name for name in made.ids if name < "mem_020"})
    assert kept[0] <= kept[1]


def test_of_what_must_be_told_as_many_as_fit():
    made = told(
        230, musts=topics(memory(1, "mast " * 60), memory(2, "rope torn"), memory(3, "bell"))
    )
    assert (made.ids, made.omitted) == (("mem_002", "mem_003"), 1)


def test_a_long_one_is_left_out_and_a_short_one_after_it_is_not():
    made = told(230, answers=topics(memory(1, "x" * 5000), memory(2, "short")))
    assert (made.ids, made.omitted) == (("mem_002",), 1)


def test_no_two_of_nearly_the_same_words_are_told():
    said = "the harbour crane lifts boats of forty tons"
    twins = (memory(1, said), memory(2, said.upper() + "!"), memory(3, said + " only"))
    other = memory(4, "the harbour crane is painted red")
    made = told(answers=topics(*twins, other))
    assert (made.ids, made.omitted) == (("mem_001", "mem_004"), 2)
    across = told(musts=topics(twins[0]), lasting=topics(twins[1]), recent=topics(twins[2]))
    assert across.ids == ("mem_001",)


@pytest.mark.parametrize("apart", [("40", "50"), ("", "not"), ("v1", "v2"), ("does", "doesn't")])
def test_two_that_differ_in_a_number_or_in_saying_no_are_both_told(apart):
    said = "the crane in the northern harbour should {} lift boats heavier than ours"
    made = told(answers=topics(*(memory(n, said.format(part)) for n, part in enumerate(apart))))
    assert len(made.ids) == 2


def test_short_ones_are_one_only_where_the_text_is():
    made = told(answers=topics(*(memory(n, text) for n, text in enumerate(
        ("Use Zod", "use  zod!", "```zod```", "~~~zod~~~", "...", "???")
    ))))  # fmt: skip
    assert made.ids == ("mem_000", "mem_002", "mem_003", "mem_005")


def test_both_sides_of_a_dispute_are_told_side_by_side():
    said = "the harbour crane lifts all the boats of our young {} club twice"
    one, two = (
        Topic(memory(n, said.format(word)), about={"conflict": "cfl_1"})
        for n, word in ((1, "sailing"), (5, "rowing"))
    )
    between = Topic(memory(3, "bell rings"))
    assert told(musts=(one, between, two)).ids == ("mem_003", "mem_001", "mem_005")
    apart = [Topic(topic.memory) for topic in (one, two)]
    assert told(musts=(*apart, between)).ids == ("mem_001", "mem_003"), "else they are one"


def test_one_session_does_not_crowd_out_the_others():
    other = [memory(n, f"{WORDS[n]} agreed", session=f"s{n + 2}") for n in range(2)]
    talk = [memory(n, f"{WORDS[n]} agreed", session="s1", turn=n) for n in range(2, 12)]
    made = told(300, answers=topics(*talk, *other))
    assert {"mem_000", "mem_001"} <= set(made.ids)
    assert len(made.ids) < 8, "the budget was no limit, and the test shows nothing"


def test_one_type_does_not_crowd_out_the_others():
    facts = [memory(n, f"{WORDS[n]} {WORDS[n - 1]}", type="deciding") for n in range(2, 12)]
    made = told(300, answers=topics(*facts, memory(1, "quay gate", type="decision")))
    assert "mem_001" in made.ids
    assert len(made.ids) < 8


def test_the_more_useful_is_told_where_both_do_not_fit():
    much, little = (
        Topic(memory(n, f"{word} " * 9), use)
        for n, word, use in ((1, "mast", 0.9), (2, "rope", 0.2))
    )
    assert told(190, answers=(little, much)).ids == ("mem_001",)


def test_what_is_partly_said_already_comes_after_what_is_not():
    first = memory(1, "crane lifts boats of sailors daily", priority="high")
    fresh = memory(2, "bell rings above harbour gate throughout evenings")
    partly = memory(3, "crane lifts boats during winter storms")
    made = told(200, musts=topics(first), answers=topics(partly, fresh))
    assert made.ids == ("mem_001", "mem_002")


def test_what_lasts_is_the_same_whatever_the_task_is():
    lasting = [memory(n, f"{one} {two} rule") for n, (one, two) in enumerate(pairwise(WORDS))]
    tasks = [
        topics(*(memory(50 + n, f"{word} {place} fact {n}") for n in range(9)))
        for place, word in enumerate(("bow", "stern"))
    ]
    blocks = [
        told(420, lasting=topics(*lasting), answers=answers).text.split("\n") for answers in tasks
    ]
    same = next(
        place for place, pair in enumerate(zip(*blocks, strict=False)) if pair[0] != pair[1]
    )
    assert same >= 4, "mark, notice and the lasting ones begin both blocks"
    assert all("fact" not in line for line in blocks[0][:same])
    assert all("fact" in line for line in blocks[0][-3:-1]), "there is room for the task as well"


@pytest.mark.parametrize("part", ["musts", "lasting", "recent", "answers"])
def test_what_lost_its_evidence_is_not_told_and_what_changed_is_flagged(part):
    fates = {"mem_001": "gone", "mem_002": "changed src/a.py:3", "mem_003": None}
    made = told(**{part: tuple(
        Topic(memory(n, text), stale=lambda one: fates[one.id])
        for n, text in ((1, "mast"), (2, "rope"), (3, "bell"))
    )})  # fmt: skip
    assert {record["id"]: record.get("stale") for record in read_block(made.text)} == {
        "mem_002": "changed src/a.py:3",
        "mem_003": None,
    }
    assert made.omitted == 1


def test_nothing_to_tell_is_no_block():
    assert told().text == ""
    assert told(1, answers=topics(memory(1, "Use Zod"))).text == ""
    assert read_block(block((), NONCE)) == ()


@given(st.lists(st.text(max_size=20)), st.integers(0, 3))
def test_a_nonce_is_the_same_again_and_stands_in_no_line(lines, known):
    seen = []
    for _ in range(known):
        seen.append(nonce_for([*lines, *seen], key="s", place="ada").upper())
    made = nonce_for([*lines, *seen], key="s", place="ada")
    assert made == nonce_for([*lines, *seen], key="s", place="ada")
    assert made not in "\n".join([*lines, *seen]).lower()
    assert made == nonce_for([], key="s", place="ada") or known
    assert made != nonce_for(seen, key="t", place="ada")
    assert made != nonce_for(seen, key="s", place="bob")
    assert len(made) == 32
