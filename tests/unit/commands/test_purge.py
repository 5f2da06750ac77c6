"""Purge: which logs get a purge, and what it says about numbers in files."""

from __future__ import annotations

import pytest

from tests.unit.commands.rows import ACT, Rows, event
from varves.commands import purge
from varves.errors import NotFound, Refused

NAME = "mem_aaaaaaaaaaaa"


def said(name, log="project", kind="memory.recorded", **content):
    return event(name, kind, log, **{"memory": NAME, "text": "Use Zod", **content})


def purged(name, log="project", **content):
    return event(name, "memory.purged", log, **{"memory": NAME, "reason": "secret", **content})


def decided(*events, act=ACT):
    return purge.decide(Rows(events=events), purge.Purge(memory=NAME, reason="secret"), act)


def test_each_log_that_holds_the_memory_gets_a_purge():
    drafts = decided(said("evt_1", "private"), said("evt_2", kind="memory.shared"))
    assert set(drafts) == {"private", "project"}
    for log in drafts:
        assert [draft.kind for draft in drafts[log]] == ["memory.purged"]
        assert drafts[log][0].data == {"memory": NAME, "reason": "secret"}


def test_a_purge_that_is_there_is_not_repeated():
    assert decided(said("evt_1"), purged("evt_2")) == {}


def test_what_is_not_there_is_not_purged_and_no_tool_purges_what_is_trusted():
    with pytest.raises(NotFound):
        decided()
    with pytest.raises(Refused):
        decided(said("evt_1"), act=ACT.replace(origin="tool", trust=1))


def test_a_purge_keeps_the_numbers_of_the_memory_and_the_scope_they_are_in():
    """Only a trusted event gives a number, and the last one that names a scope is right."""
    first = said("evt_1", scope="project:shop", number=2, record={"memory": "other", "number": 9})
    forged = said("evt_2", scope="project:evil", number=7)
    forged.fields["trust"] = 1
    later = event("evt_3", "memory.revised", memory=NAME, set={"number": 4})
    later.fields["trust"] = 2
    for one in (first, later):
        one.fields["protocol"] = "scoped"
    [draft] = decided(first, forged, later)["project"]
    assert draft.protocol == "scoped"
    assert draft.data["scope"] == "project:shop"
    assert draft.data["numbers"] == [[*first.order, 2], [*later.order, 4]]
    [plain] = decided(said("evt_1", scope="project"))["project"]
    assert draft.data.keys() - plain.data.keys() == {"scope", "numbers"}


def test_a_purge_that_stopped_between_two_logs_is_completed_in_the_other():
    doomed = [said("evt_1", "private"), said("evt_2", kind="memory.shared")]
    drafts = purge.completing(doomed, [purged("evt_3")], ACT)
    assert [(log, [one.kind for one in drafts[log]]) for log in drafts] == [
        ("private", ["memory.purged"])
    ]
    assert drafts["private"][0].data == {"memory": NAME, "reason": "secret"}


def test_a_purge_that_is_complete_but_for_a_source_names_the_source_too():
    posted = event("evt_0", "conversation.posted", "private")
    known = [purged("evt_3"), purged("evt_4", "private")]
    doomed = [said("evt_2")]
    assert purge.completing(doomed, known, ACT) == {}
    drafts = purge.completing(doomed, known, ACT, sources={NAME: [(posted, "evt_2")]})
    assert list(drafts) == ["private"]
    assert drafts["private"][0].data["sources"] == [["evt_0", "evt_2"]]
