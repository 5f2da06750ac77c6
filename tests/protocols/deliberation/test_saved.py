"""Saving and restoring: a conversation goes on exactly, and a broken file is left alone."""

from __future__ import annotations

import json
import tempfile
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import varves as package
from tests.tables import assert_each
from varves.errors import UsageError
from varves.protocols.deliberation.saved_state import from_json, to_json
from varves.protocols.deliberation.state import Message
from varves.values.instants import FixedClock, instant

AGENTS = ("ada", "ben", "noa")
IDEAS = ("a nightly backup", "three regions", "a moon base for the servers")
PHRASES = (
    "The build took a while.",
    "I propose {}.",
    "What if we try {}?",
    "I agree with {}.",
    "I disagree, {} won't work.",
    "We decided on 'storage': {}.",
    "We've agreed: {}.",
    "I think {} is fine, because it is cheap.",
)
few = settings(max_examples=max(6, settings.default.max_examples // 5))
posts = st.tuples(
    st.sampled_from(AGENTS),
    st.sampled_from(PHRASES),
    st.sampled_from(IDEAS),
    st.sampled_from(["message", "message", "message", "system"]),
)


def messages(drawn, start=0):
    return [
        Message(
            agent_id=agent,
            content=phrase.format(idea),
            type=kind,
            id=f"m{start + place}",
            timestamp=f"2026-01-01T00:{(start + place) % 60:02}:00.000Z",
        )
        for place, (agent, phrase, idea, kind) in enumerate(drawn)
    ]


def without_ids(document):
    """Return a state with every record named by its place; one that was let go has none."""
    names = {}
    for key in ("summaries", "decisions", "proposals"):
        names |= {one["id"]: f"{key}-{place}" for place, one in enumerate(document[key])}
    told = json.loads(json.dumps(document))
    for key in ("summaries", "decisions", "proposals"):
        for one in told[key]:
            for name in ("id", "replaces", "repeats", "successor"):
                if name in one:
                    one[name] = names.get(one[name], "let go")
    return told


def settled(ledger, **options):
    return ledger.deliberation.state(**options)


@pytest.mark.requirement("S4-53")
@few
@given(drawn=st.lists(posts, max_size=9), cut=st.integers(0, 9))
def test_a_restored_conversation_goes_on_as_if_it_had_not_stopped(drawn, cut):
    said = messages(drawn)
    with tempfile.TemporaryDirectory() as folder:
        (Path(folder) / ".varves").mkdir()
        table = 'mode = "fast"\n[deliberation]\nsummary_interval = 4\n'
        table += "keep_proposals = 2\nkeep_decisions = 2\n"
        (Path(folder) / ".varves/settings.toml").write_text(table, encoding="utf-8")
        clock = FixedClock(instant("2026-01-02T00:00:00Z"))
        with package.open(folder, home=f"{folder}/home", clock=clock) as ledger:
            verbs = ledger.deliberation
            for name in ("whole", "first"):
                verbs.begin(name)
            for place, message in enumerate(said):
                verbs.post("whole", message, summarise=True)
                if place < cut:
                    verbs.post("first", message, summarise=True)
            path = f"{folder}/saved.json"
            verbs.save(conversation="first", to=path)
            verbs.restore(path, name="second")
            kept = settled(ledger, conversation="first")
            assert to_json(settled(ledger, conversation="second")) == to_json(kept)
            contexts = [verbs.context("ada", conversation=one).text for one in ("first", "second")]
            assert contexts[0] == contexts[1]
            for message in said[cut:]:
                verbs.post("second", message, summarise=True)

            ends = [to_json(settled(ledger, conversation=one)) for one in ("whole", "second")]
            assert without_ids(ends[0]) == without_ids(ends[1])
            assert verbs.stats(conversation="whole") == verbs.stats(conversation="second")


@pytest.mark.requirement("S4-53")
@few
@given(drawn=st.lists(posts, max_size=12))
def test_a_ledger_and_a_memory_alone_come_to_one_state(drawn):
    said = messages(drawn)
    table = {"summary_interval": 5, "keep_proposals": 2, "keep_decisions": 3, "keep_summaries": 2}
    clock = FixedClock(instant("2026-01-02T00:00:00Z"))
    alone = package.ConversationMemory(table, clock=clock)
    with tempfile.TemporaryDirectory() as folder:
        (Path(folder) / ".varves").mkdir()
        lines = "".join(f"{key} = {number}\n" for key, number in table.items())
        path = Path(folder) / ".varves/settings.toml"
        path.write_text(f'mode = "fast"\n[deliberation]\n{lines}', encoding="utf-8")
        with package.open(folder, home=f"{folder}/home", clock=clock) as ledger:
            verbs = ledger.deliberation
            verbs.begin("talk")
            for message in said:
                verbs.post("talk", message, summarise=True)
                alone.process_message(message)
                alone.summarise()
            kept = to_json(settled(ledger))
            file = Path(folder) / "deliberations/talk/memory.json"
            assert json.loads(file.read_bytes()) == kept

    assert without_ids(kept) == without_ids(alone.get_state())


@pytest.mark.requirement("S4-52")
def test_the_state_is_saved_with_the_session(talk):
    talk.hold(("ada", "We decided that sessions live in Redis."))

    assert (talk.root / "deliberations/talk/memory.json").is_file()
    assert talk.file() == to_json(talk.verbs.state())
    assert talk.path().read_bytes().endswith(b"}\n")


@pytest.mark.requirement("S4-52")
def test_a_state_is_saved_where_it_is_asked_for(talk, tmp_path):
    talk.hold(("ada", "We decided that sessions live in Redis."))
    to = tmp_path / "copy.json"

    saved = talk.verbs.save(to=str(to))
    again = talk.verbs.save(to=str(to))

    assert (saved.path, saved.bytes) == (str(to), len(to.read_bytes())) == (again.path, again.bytes)
    assert to.read_bytes() == talk.path().read_bytes()


def test_no_other_file_is_written_over(talk, tmp_path, varves):
    talk.hold(("ada", "We decided that sessions live in Redis."))
    to = tmp_path / "notes.json"
    to.write_text('{"mine": 1}', encoding="utf-8")

    answer = varves("deliberation", "save", "--to", str(to))

    assert (answer.code, answer.out) == (3, "")
    assert to.read_text(encoding="utf-8") == '{"mine": 1}'


@pytest.mark.requirement("S4-53")
def test_the_next_summary_comes_where_it_would_have_come(talk, tmp_path):
    talk.begin()
    talk.fill(10)
    talk.verbs.save(to=str(tmp_path / "memory.json"))

    talk.verbs.restore(tmp_path / "memory.json", name="second")
    one = talk.say("ada", "The sky is blue.", conversation="second")
    two = talk.say("ben", "It is.", conversation="second")

    assert [len(said.summaries) for said in (one, two)] == [0, 1]
    assert two.summaries[0].message_range == (0, 11)
    assert (one.index, two.index) == (10, 11)


@pytest.mark.requirement("S4-53")
def test_ids_are_kept_in_another_project(talk, tmp_path):
    talk.hold(
        ("ada", "I propose a nightly backup."),
        ("ben", "We decided that sessions live in Redis."),
    )
    before = talk.file()
    (tmp_path / "other").mkdir()
    with package.open(tmp_path / "other", home=tmp_path / "h") as other:
        other.deliberation.restore(talk.path(), name="talk")

        assert to_json(other.deliberation.state()) == before
        name = before["decisions"][0]["id"]
        assert other.show(name).text == before["decisions"][0]["outcome"]
        assert other.deliberation.show(name).kind == "decision"


def test_foreign_ids_are_kept_and_found(talk):
    document = {
        "decisions": [
            {"id": "dec-1", "topic": "store", "outcome": "Postgres"},
            {"id": "dec-2", "topic": "store", "outcome": "Redis", "replaces": "dec-1"},
        ],
        "proposals": [
            {"id": "p-1", "content": "a backup", "proposer": "ada"},
            {"id": "p-2", "content": "two backups", "proposer": "ben", "repeats": "p-1"},
        ],
    }
    talk.verbs.restore(document, name="talk")

    assert talk.verbs.show("dec-2").content["outcome"] == "Redis"
    assert [one["id"] for one in talk.file()["decisions"]] == ["dec-1", "dec-2"]
    assert talk.file()["decisions"][1]["replaces"] == "dec-1"
    assert talk.file()["proposals"][1]["repeats"] == "p-1"
    talk.verbs.react("noa", "p-1", "support")
    talk.verbs.resolve("p-1", "modified", successor="p-2")
    assert talk.file()["proposals"][0]["reactions"] == [{"agentId": "noa", "reaction": "support"}]
    assert talk.file()["proposals"][0]["successor"] == "p-2"
    assert [hit.memory.text for hit in talk.ledger.recall("Redis store")][:1] == ["Redis"]


BROKEN = {
    "truncated": b'{"summaries": [], "decisions": [{"id": "d1", "topic',
    "empty": b"",
    "a-list": b"[]\n",
    "bad-utf-8": b'{"summaries": ["\xff"]}',
    "no-lists": b'{"summaries": 7}',
    "no-object": b'{"agentStates": []  , "decisions": 1}',
    "no-messages": b'{"summaries": [], "pendingMessages": 7}',
    "no-number": b'{"summaries": [], "extra": NaN}',
    "endless": b'{"summaries": [], "extra": -1e400}',
    "too-large": b'{"summaries": [], "extra": 123456789012345678901234567890}',
    "half-a-character": b'{"summaries": [{"content": "\\ud800"}]}',
    "deep": b"[" * 100_000,
    "deeper-than-an-event": b'{"extra": ' + b"[" * 80 + b"]" * 80 + b"}",
}


@pytest.mark.parametrize("content", BROKEN.values(), ids=BROKEN)
def test_a_broken_file_is_not_restored(talk, tmp_path, varves, content):
    path = tmp_path / "broken.json"
    path.write_bytes(content)

    answer = varves("deliberation", "restore", str(path), "--name", "second")

    assert answer.code == 5
    assert (answer.out, len(answer.err.strip().splitlines())) == ("", 1)
    assert path.read_bytes() == content
    assert talk.verbs.list() == ()


@pytest.mark.full_size(sample=2)
@pytest.mark.parametrize("content", BROKEN.values(), ids=BROKEN)
def test_a_broken_state_file_is_left_as_it_is(talk, varves, content):
    talk.hold(("ada", "We decided that sessions live in Redis."))
    talk.path().write_bytes(content)
    copies = set(talk.path().parent.iterdir())

    told = varves("deliberation", "context")
    said = varves("deliberation", "say", "ada", "The sky is blue.")

    assert told.code == 0
    assert "sessions live in Redis" in told.out
    assert "cannot be read" in told.err
    assert said.code == 5
    assert "memory.json cannot be read" in said.err
    assert talk.path().read_bytes() == content
    assert set(talk.path().parent.iterdir()) == copies
    assert talk.verbs.stats().total_messages == 1

    talk.path().unlink()
    assert talk.say("ada", "The sky is blue.").index == 1
    assert talk.file()["processedMessageCount"] == 2


POND = {"id": "p", "proposer": "bo", "content": "build a pond"}
CANNOT = (
    ("summaries", {"content": "A pond.", "messageRange": [5, 2]}, "messageRange"),
    ("summaries", {"content": "A pond.", "messageRange": "all"}, "messageRange"),
    ("summaries", {"content": "A pond.", "timestamp": "x"}, "timestamp"),
    ("summaries", {"content": 5}, "content is not a text"),
    ("decisions", {"id": "d"}, "without topic and outcome"),
    ("decisions", {"outcome": "a pond", "supportingAgents": "bo"}, "supportingAgents"),
    ("decisions", "a pond", "not an object"),
    ("proposals", {"id": "p"}, "without content"),
    ("proposals", {**POND, "status": "maybe"}, "status is not one of active"),
    ("proposals", {**POND, "reactions": "many"}, "reaction is not one of support"),
    ("proposals", {**POND, "reactions": [{"agentId": "ana", "reaction": "adores"}]}, "reaction"),
    ("proposals", {**POND, "reactions": [{"reaction": "support"}]}, "agentId"),
    ("agentStates", {"messageCount": -1}, "messageCount"),
    ("agentStates", {"keyContributions": [1]}, "keyContributions"),
)


@pytest.mark.requirement("S4-06", "S4-09", "S4-10")
def test_a_state_with_a_value_that_it_cannot_have_is_refused(talk, tmp_path, varves):
    path, events = tmp_path / "m.json", len(talk.ledger.log())

    def refused(row):
        key, record, told = row
        state = {key: {"ana": record} if key == "agentStates" else [record]}
        path.write_text(json.dumps(state), encoding="utf-8")
        answer = varves("deliberation", "restore", str(path))
        assert (answer.code, told in answer.err) == (5, True), answer.err
        with pytest.raises(UsageError, match=told):
            package.ConversationMemory().restore(state)

    assert_each(CANNOT, refused)
    assert len(talk.ledger.log()) == events


@pytest.mark.requirement("S4-54")
def test_a_state_without_some_keys_is_restored(talk):
    state = {"proposals": [POND], "agentStates": {"ana": {}}, "summaries": [{"content": "Hi."}]}
    talk.verbs.restore(state, name="talk")

    assert '- bo: "build a pond" (0 reactions)' in talk.brief()


def test_a_missing_file_to_restore_is_not_found(varves, project):
    answer = varves("deliberation", "restore", "nowhere.json")

    assert (answer.code, answer.out) == (4, "")


def test_a_bus_goes_on_from_its_own_saved_state(talk):
    talk.hold(("ada", "We decided that sessions live in Redis."))
    with talk.verbs.bus("talk") as bus:
        bus.restore_memory(talk.file())
        assert bus.get_memory_stats().total_messages == 1

        with pytest.raises(package.errors.Refused):
            bus.restore_memory({})


def test_a_fresh_conversation_takes_a_saved_state(talk):
    talk.hold(("ada", "We decided that sessions live in Redis."))
    saved = talk.file()
    talk.begin("second")
    with talk.verbs.bus("second") as bus:
        bus.restore_memory(saved)

    assert without_ids(talk.file("second")) == without_ids(saved)


def test_secrets_in_a_saved_state_are_masked(talk):
    secret = "ghp_" + "a1B2" * 9
    talk.verbs.restore({"decisions": [{"id": "d", "outcome": f"use {secret}"}]}, name="talk")

    assert secret not in talk.path().read_text(encoding="utf-8")


def test_secrets_in_a_state_that_a_bus_restores_are_masked(talk):
    secret = "ghp_" + "a1B2" * 9
    state = {"decisions": [{"id": "d", "outcome": f"use {secret}"}], "processedMessageCount": 3}
    talk.begin()
    with talk.verbs.bus("talk") as bus:
        bus.restore_memory(state)

        assert bus.get_memory_stats().total_messages == 3
        assert "[redacted:" in bus.get_memory_context()
    assert secret not in talk.path().read_text(encoding="utf-8")
    assert not any(secret in json.dumps(event.as_dict()) for event in talk.ledger.log())


def test_unknown_keys_survive(talk):
    document = {
        "mood": "fine",
        "decisions": [{"id": "d", "outcome": "x", "weight": 3}],
        "proposals": [{"id": "p", "content": "y", "votes": [1, 2]}],
        "summaries": [{"messageRange": [0, 3], "content": "z", "model": "m"}],
        "agentStates": {"ada": {"messageCount": 4, "colour": "red"}},
    }
    talk.verbs.restore(document, name="talk")
    talk.say("ada", "I think the sky is blue.")

    found = talk.file()
    assert found["mood"] == "fine"
    assert found["decisions"][0]["weight"] == 3
    assert found["proposals"][0]["votes"] == [1, 2]
    assert found["summaries"][0]["model"] == "m"
    assert found["agentStates"]["ada"]["colour"] == "red"
    assert from_json(found).agent_states["ada"].message_count == 5


def test_a_state_is_written_to_stdout_and_read_from_stdin(talk, varves):
    talk.hold(("ada", "I propose a nightly backup"))
    told = varves("deliberation", "save", "--to", "-")
    assert json.loads(told.out) == talk.file()
    assert not (talk.root / "-").exists()
    back = varves("deliberation", "restore", "-", "--name", "back", stdin=told.out)
    assert back.out.startswith("conversation back continues from stdin\n")
    assert talk.verbs.stats(conversation="back").proposal_count == 1
    bad = varves("deliberation", "restore", "-", "--name", "bad", stdin="{")
    assert (bad.code, bad.err.count("\n")) == (5, 1)


def test_the_advice_on_a_broken_file_works_where_git_ignores_it(talk, varves):
    talk.hold(("ada", "I propose a nightly backup"))
    talk.path().write_text('{"x":', encoding="utf-8")
    told = varves("deliberation", "validate")
    assert told.code == 1
    assert "delete the file and run `varves rebuild`" in told.out
    assert "git" not in told.out
    talk.path().unlink()
    assert varves("rebuild").code == 0
    assert talk.file()["proposals"][0]["content"] == "a nightly backup"
