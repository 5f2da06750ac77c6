"""What git's merge driver makes of three versions of each published file."""

from __future__ import annotations

import json

import pytest

from tests.tables import each_row
from varves.protocols.registry import find_form
from varves.protocols.threeway import Versions
from varves.protocols.unreadable import Unreadable

ENTRIES = "memory/projects/p/memory.json"
MEMORY = "memory/projects/p/mem_4k2m9x7q1c5d.json"
SIDECAR = "_mdan/state/sidecars/ada.sidecar.json"
STATE = "_mdan/state/MDAN-STATE.json"
LOG = "CHANGELOG.md"


def encoded(document):
    return b"" if document is None else f"{json.dumps(document, indent=2)}\n".encode()


def settled(path, base, ours, theirs):
    """Settle three versions, and see that the other direction gives the same file."""
    settle = find_form(path).settled
    made = settle(Versions(origin=base, ours=ours, theirs=theirs))
    other = settle(Versions(origin=base, ours=theirs, theirs=ours))
    assert (made.ours, made.theirs) == (other.theirs, other.ours)
    return made


def merged(path, base, ours, theirs):
    """Merge three JSON documents that a protocol owns as a whole."""
    made = settled(path, encoded(base), encoded(ours), encoded(theirs))
    assert made.origin == made.ours == made.theirs
    return json.loads(made.ours)


# Entries of scoped memory


def entry(number, content, minute=0, **more):
    return {
        "id": f"mem-{number:03}",
        "type": "decision",
        "content": content,
        "confidence": 0.9,
        "created_at": f"2026-11-15T09:{minute:02}:00Z",
        "accessed_count": 0,
        **more,
    }


def file(*entries, **more):
    return {"version": "1.0", "entries": list(entries), **more}


def shown(document):
    return {one["id"]: one["content"] for one in document["entries"]}


def test_entries_of_both_sides_are_in_the_file_and_the_older_keeps_a_number():
    known = entry(1, "Known")
    ours, theirs = entry(2, "Ours", 20), entry(2, "Theirs", 10)
    more = entry(3, "Ours too", 20)
    found = merged(ENTRIES, file(known), file(known, ours, more), file(known, theirs))
    assert shown(found) == {
        "mem-001": "Known",
        "mem-002": "Theirs",
        "mem-003": "Ours too",
        "mem-004": "Ours",
    }


def test_an_entry_that_either_side_removed_stays_out():
    one, two = entry(1, "One"), entry(2, "Two")
    changed = entry(1, "One", confidence=1.0)
    found = merged(ENTRIES, file(one, two), file(two), file(changed, two))
    assert shown(found) == {"mem-002": "Two"}


def test_counters_add_what_both_sides_counted():
    counts = [entry(1, "One", accessed_count=count) for count in (2, 5, 3)]
    found = merged(ENTRIES, *map(file, counts))
    assert found["entries"][0]["accessed_count"] == 6


def test_keys_of_people_beside_the_entries_are_merged_one_by_one():
    found = merged(ENTRIES, file(note="a"), file(note="b"), file(note="a", owner="noa"))
    assert (found["note"], found["owner"]) == ("b", "noa")


def test_both_sides_may_begin_a_file():
    found = merged(ENTRIES, None, file(entry(1, "Ours", 1)), file(entry(1, "Theirs", 2)))
    assert shown(found) == {"mem-001": "Ours", "mem-002": "Theirs"}


# Memories of hivemind


def memory(**more):
    return {
        "id": "mem_4k2m9x7q1c5d",
        "updated_at": "2026-11-15T09:00:00Z",
        "tags": ["a"],
        "priority": "low",
        "content": {"text": "Known"},
        "access_count": 1,
        "last_accessed": None,
        **more,
    }


def test_a_memory_has_the_changes_of_both_sides_and_the_later_of_two():
    ours = memory(
        updated_at="2026-11-15T10:00:00Z", priority="high", tags=["a", "b"], access_count=3
    )
    theirs = memory(
        updated_at="2026-11-15T11:00:00Z",
        priority="medium",
        tags=["c"],
        content={"text": "Theirs"},
        last_accessed="2026-11-15T10:30:00Z",
        access_count=2,
    )
    found = merged(MEMORY, memory(), ours, theirs)
    assert found == memory(
        updated_at="2026-11-15T11:00:00Z",
        priority="medium",
        tags=["b", "c"],
        content={"text": "Theirs"},
        last_accessed="2026-11-15T10:30:00Z",
        access_count=4,
    )


def test_the_older_of_two_memories_has_a_name_that_both_claim():
    path = "memory/projects/p/context.json"
    ours = memory(id="mem_aaaaaaaaaaaa", created_at="2026-11-15T10:00:00Z")
    theirs = memory(id="mem_bbbbbbbbbbbb", created_at="2026-11-15T09:00:00Z")
    assert merged(path, None, ours, theirs) == theirs


@pytest.mark.parametrize(
    "path",
    [
        *("memory/projects/p/_index.json", "memory/agents/ada/archive/_index-2.json"),
        *(".memory/graph.md", "sub/project/.memory/context.md"),
    ],
)
def test_of_a_derived_file_our_version_is_taken(path):
    made = find_form(path).settled(Versions(origin=b"base", ours=b"ours", theirs=b"theirs"))
    assert (made.origin, made.ours, made.theirs) == (b"ours", b"ours", b"ours")


# Sidecars


def sidecar(*memories, sessions=1, updated="09:00", decided=(), agrees=(), **more):
    return {
        "agent": "ada",
        "displayName": "Ada",
        "created_at": "2026-11-15T08:00:00Z",
        "last_updated": f"2026-11-15T{updated}:00Z",
        "sessions_participated": sessions,
        "memories": [
            {"type": "context", "content": one, "source_session": "2026-11-15"} for one in memories
        ],
        "relationships": {"agrees_with": list(agrees)},
        "decision_history": [{"dr_id": one, "role": "proponent"} for one in decided],
        **more,
    }


def test_a_sidecar_has_what_both_sides_remember_decided_and_counted():
    base = sidecar("Known", "Gone", decided=("DR-001",), agrees=("noa",))
    ours = sidecar(
        *("Known", "Ours"), sessions=3, updated="11:00", decided=("DR-001", "DR-003"), agrees=()
    )
    theirs = sidecar(
        *("Known", "Gone", "Theirs"),
        sessions=2,
        updated="10:00",
        decided=("DR-001", "DR-002"),
        agrees=("noa", "ben"),
        team="blue",
    )
    found = merged(SIDECAR, base, ours, theirs)
    assert sorted(one["content"] for one in found["memories"]) == ["Known", "Ours", "Theirs"]
    assert [one["dr_id"] for one in found["decision_history"]] == ["DR-001", "DR-002", "DR-003"]
    assert found["sessions_participated"] == 4
    assert found["last_updated"] == "2026-11-15T11:00:00Z"
    assert found["relationships"] == {"agrees_with": ["ben"]}
    assert found["team"] == "blue"


def test_decisions_of_two_branches_with_one_name_get_two():
    def side(updated, *texts, roles=("proponent",)):
        made = sidecar(updated=updated)
        made["memories"] = [{"type": "decision", "content": one} for one in texts]
        made["decision_history"] = [
            {"dr_id": f"DR-{number:03}", "role": role} for number, role in enumerate(roles, 1)
        ]
        return made

    def names(ours, theirs):
        both = [
            [
                (one["dr_id"], one["role"])
                for one in merged(SIDECAR, side("09:00", roles=()), *two)["decision_history"]
            ]
            for two in ((ours, theirs), (theirs, ours))
        ]
        assert both[0] == both[1]
        return both[0]

    early = side("10:00", "Racks are steel")
    assert names(early, side("11:00", "Ovens are leased")) == [
        ("DR-001", "proponent"),
        ("DR-002", "proponent"),
    ]
    two = side("11:00", "Ovens are leased", "We close", roles=("opponent", "proponent"))
    assert names(early, two) == [
        ("DR-001", "proponent"),
        ("DR-002", "proponent"),
        ("DR-003", "opponent"),
    ]
    assert names(early, side("11:00", "Racks are steel")) == [("DR-001", "proponent")]


def test_in_the_state_file_only_the_list_of_sidecars_is_made_equal():
    def state(phase, **agents):
        listed = {
            name: {"path": name, "memory_count": count, "sessions": count}
            for name, count in agents.items()
        }
        return f'{{"phase": {phase},\n "agent_sidecars": {json.dumps(listed)}}}\n'.encode()

    made = settled(STATE, state(1, ada=1), state(2, ada=2), state(3, ada=3, noa=1))
    listed = {json.dumps(json.loads(one)["agent_sidecars"]) for one in vars(made).values()}
    assert len(listed) == 1
    assert json.loads(listed.pop())["ada"]["memory_count"] == 4
    assert [json.loads(one)["phase"] for one in (made.origin, made.ours, made.theirs)] == [1, 2, 3]


# The log of layers


def event(minute, title, said="Done."):
    return f"## 2026-11-15 09:{minute:02} — {title}\n\n**Type:** change\n\n### What\n{said}\n"


def log(*events, top="# Changelog\n\n<!-- varves: event log -->\n", end=""):
    return "\n".join([top, *events, *filter(None, [end])]).encode()


def test_events_of_both_sides_are_whole_and_in_order_in_every_version():
    known = event(0, "Known")
    made = settled(
        LOG,
        log(known),
        log(known, event(2, "Ours"), event(4, "Ours again"), top="# Our log\n"),
        log(known, event(3, "Theirs"), end="---\n\nSee also: [x]\n"),
    )
    wanted = (known, event(2, "Ours"), event(3, "Theirs"), event(4, "Ours again"))
    assert made.origin == log(*wanted)
    assert made.ours == log(*wanted, top="# Our log\n")
    assert made.theirs == log(*wanted, end="---\n\nSee also: [x]\n")


def test_an_event_that_one_side_altered_is_left_to_git():
    known, altered = event(0, "Known"), event(0, "Known", "Done otherwise.")
    made = settled(LOG, log(known), log(altered), log(known, event(3, "Theirs")))
    assert made.ours == log(altered, event(3, "Theirs"))
    assert made.origin == made.theirs == log(known, event(3, "Theirs"))


def test_the_newest_event_stays_first_where_the_log_begins_with_it():
    top = "# Changelog\n\n<!-- varves: newest first -->\n"
    known = event(0, "Known")
    made = settled(
        LOG,
        log(known, top=top),
        log(event(2, "Ours"), known, top=top),
        log(event(3, "Theirs"), known, top=top),
    )
    assert made.ours == log(event(3, "Theirs"), event(2, "Ours"), known, top=top)
    assert made.origin == made.ours == made.theirs


# The block in a prompt file


def prompt(text, block):
    mark = "<!-- varves memory: {} -->"
    return f"{text}\n\n{mark.format('begin')}\n{block}\n{mark.format('end')}\n".encode()


def test_the_block_in_a_prompt_file_is_ours_and_the_rest_stays_as_each_side_has_it():
    form = find_form("docs/AGENTS.md")
    made = form.settled(
        Versions(
            origin=prompt("Be nice", "1"), ours=prompt("Be kind", "2"), theirs=prompt("Go", "3")
        )
    )
    assert made.origin == prompt("Be nice", "2")
    assert made.ours == prompt("Be kind", "2")
    assert made.theirs == prompt("Go", "2")


# What is left to git

DEEP = b'{"version": "1.0", "entries": ' + b"[" * 5000 + b"]" * 5000 + b"}"


@each_row(
    ("name", "path", "theirs"),
    [
        ("markers", ENTRIES, b"<<<<<<< ours\n{}\n=======\n{}\n>>>>>>> theirs\n"),
        ("not JSON", ENTRIES, b"{"),
        ("an array", ENTRIES, b"[]"),
        ("NaN", ENTRIES, b'{"version": "1.0", "entries": [], "x": NaN}'),
        ("a key twice", ENTRIES, b'{"version": "1.0", "entries": [], "entries": []}'),
        ("half a character", ENTRIES, b'{"version": "1.0", "entries": [], "x": "\\ud800"}'),
        ("deep", ENTRIES, DEEP),
        ("a huge number", ENTRIES, b'{"version": "1.0", "entries": [], "x": 1e999}'),
        ("entries of numbers", ENTRIES, b'{"version": "1.0", "entries": [1]}'),
        ("entries of lists", ENTRIES, b'{"version": "1.0", "entries": {"a": 1}}'),
        ("no memories", SIDECAR, b'{"agent": "ada", "memories": {}}'),
        ("another tool's file", MEMORY, b'{"version": 3}'),
        ("the list of sidecars is a list", STATE, b'{"agent_sidecars": []}'),
        ("a log that is not UTF-8", LOG, b"\xff\xfe"),
        ("a list of releases", LOG, b"# Changelog\n\n- 1.0: the first\n"),
        ("a prompt without a block", "AGENTS.md", b"Be nice\n"),
        ("two blocks", "AGENTS.md", prompt("Be nice", "1") * 2),
    ],
)
def test_what_cannot_be_read_is_left_to_git(name, path, theirs):
    fine = {
        ENTRIES: encoded(file(entry(1, "One"))),
        MEMORY: encoded(memory()),
        SIDECAR: encoded(sidecar("One")),
        STATE: b'{"agent_sidecars": {}}',
        LOG: log(event(0, "One")),
        "AGENTS.md": prompt("Be nice", "1"),
    }[path]
    for ours, other in ((fine, theirs), (theirs, fine)):
        with pytest.raises(Unreadable):
            find_form(path).settled(Versions(origin=fine, ours=ours, theirs=other))
