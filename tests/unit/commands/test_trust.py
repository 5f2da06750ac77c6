"""Trust: who may vouch for a memory, and when there is anything to vouch for."""

from __future__ import annotations

import pytest

from tests.unit.commands.rows import ACT, Rows, memory
from varves.commands import trust
from varves.errors import NotFound, Refused

NAME = "mem_aaaaaaaaaaaa"


def trusted(rows, act=ACT):
    return trust.decide(rows, trust.Trust(memory=NAME), act)


def test_a_memory_of_untrusted_origin_is_vouched_for():
    (draft,) = trusted(Rows(memory(trust=1))).drafts
    assert draft.kind == "memory.trusted"
    assert draft.data == {"memory": NAME}
    assert draft.cause == ("evt_1",)


def test_what_is_trusted_already_is_not_vouched_for_again():
    with pytest.raises(Refused, match="already"):
        trusted(Rows(memory(trust=2)))


def test_an_untrusted_door_trusts_nothing():
    with pytest.raises(Refused, match="entry point"):
        trusted(Rows(memory(trust=1)), ACT.replace(origin="tool", trust=1))


def test_what_is_not_there_cannot_be_trusted():
    with pytest.raises(NotFound):
        trusted(Rows())
