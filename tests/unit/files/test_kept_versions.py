"""The version of a memory that is kept beside what a person wrote into a file."""

from __future__ import annotations

from varves.events.kinds import RECORDED, well_formed
from varves.files.differences import beside
from varves.values.memory import Memory

POINTER = {"path": "src/ports.py", "line": 3}
BORN = dict.fromkeys(("created_at", "updated_at", "at"), "2026-11-15T06:20:00.000Z")


def memory(**fields):
    actors = dict.fromkeys(("created_by", "updated_by"), "ada")
    return Memory(id="mem_1", text="The port is 9090", **BORN, **actors, **fields)


def recorded(one, *changes):
    [(kind, content), *_] = beside(one, "mem_2", changes, reason="r")
    assert (kind, content["memory"], well_formed(kind, content)) == (RECORDED, "mem_2", True)
    return content


def test_the_kept_version_says_where_it_is_from_and_what_it_points_to():
    one = memory(source="https://example.org/ports", speaker="Bo", evidence=(POINTER,))
    content = recorded(one)
    assert content["text"] == one.text
    assert (content["source"], content["speaker"]) == (one.source, "Bo")
    assert content["evidence"] == [POINTER]


def test_a_rival_edit_is_kept_with_what_the_memory_points_to():
    content = recorded(memory(evidence=(POINTER,)), {"text": "The port is 1111"})
    assert (content["text"], content["evidence"]) == ("The port is 1111", [POINTER])


def test_what_a_memory_does_not_have_is_not_said():
    assert not {"source", "speaker"} & recorded(memory()).keys()
