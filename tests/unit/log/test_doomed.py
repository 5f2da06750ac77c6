"""What a purge looks for in files: the texts of what it erases, and of nothing else."""

from __future__ import annotations

from tests.unit.commands.rows import event
from varves.log.doomed import said_in

OLD, FRESH = "mem_aaaaaaaaaaaa", "mem_bbbbbbbbbbbb"


def test_of_an_event_about_two_memories_only_the_purged_ones_text_is_said():
    record = {"memory": FRESH, "text": "Use Valibot", "scope": "project"}
    both = event("evt_1", "memory.superseded", memory=OLD, by=FRESH, text="Use Zod", record=record)
    assert said_in([both], {OLD}) == {"Use Zod"}
    assert said_in([both], {FRESH}) == {"Use Valibot"}
    assert said_in([both], set()) == set()


def test_of_an_event_that_is_purged_itself_every_text_is_said():
    said = event("evt_1", "talk.said", text="The oven is broken")
    assert said_in([said], {"evt_1"}) == {"The oven is broken"}
    assert said_in([said], {"evt_2"}) == set()
