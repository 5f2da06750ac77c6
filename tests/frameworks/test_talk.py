"""Talks: what frameworks keep of their conversations, as they gave it, and in this clone only."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import varves as package
from tests.frameworks.page import run_example
from tests.places import forget_local
from tests.rooms import room
from tests.tables import each_row
from varves.errors import NotFound, Refused, UsageError

PAT = "ghp_" + "a1B2c3D4e5F6g7H8i9J0" + "k1L2m3N4o5P6q7R8"
CALL = "call_omhI40hkpYr64Zi06aFOK3zdWrprNHHBdEuX0a2d"
JSON = st.recursive(
    st.none()
    | st.booleans()
    | st.integers()
    | st.floats(allow_nan=False)
    | st.text(st.characters(), max_size=20),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=8), inner),
    max_leaves=8,
)
SHARED = settings(suppress_health_check=[HealthCheck.function_scoped_fixture], max_examples=20)


@pytest.fixture
def talk(ledger: Any) -> Any:
    return ledger.talk("app/one")


def values(talk: Any, **options: Any) -> list[Any]:
    return [entry.value for entry in talk.entries(**options)]


# As it was given


@SHARED
@given(given=st.lists(JSON, max_size=4))
def test_any_json_comes_back_as_json_would_have_it(ledger: Any, given: list[Any]):
    talk = ledger.talk("any")
    talk.clear()
    talk.append(given)
    assert json.dumps(values(talk)) == json.dumps(given)


def test_the_order_of_keys_large_numbers_and_half_a_surrogate_pair_survive(talk: Any):
    said = {"b": 1, "a": [2**70, 1e300, float("inf"), "\ud800", "\x00", {"": None}], "é": "\u2028"}
    talk.append([said])
    (back,) = values(talk)
    assert json.dumps(back) == json.dumps(said)


def test_what_is_given_may_be_changed_afterwards(talk: Any):
    said = {"parts": [1]}
    talk.append([said])
    said["parts"].append(2)
    assert values(talk) == [{"parts": [1]}]


@each_row("value", [object(), {1, 2}, b"bytes", {(1, 2): 3}])
def test_a_value_that_json_cannot_hold_refuses_its_whole_batch(talk: Any, value: Any):
    with pytest.raises(UsageError):
        talk.append(["fine", value])
    assert values(talk) == []


def test_a_long_entry_lies_in_a_file_of_its_own_and_comes_back(ledger: Any, talk: Any):
    long = {"text": "crêpe " * 60_000}
    talk.append(["short", long])
    assert values(talk) == ["short", long]
    assert "blob" in ledger.log(kind=["talk.said"])[-1].data
    with pytest.raises(Refused, match="8 MiB"):
        talk.append(["x" * (9 << 20)])


# In order


def test_the_last_so_many_and_the_first_so_many_after_one(talk: Any):
    ids = [entry.id for entry in talk.append(range(10)).entries]
    assert values(talk, limit=3) == [7, 8, 9]
    assert values(talk, limit=0) == []
    assert values(talk, limit=99) == list(range(10))
    assert values(talk, after=ids[3], limit=2) == [4, 5]
    assert values(talk, after=ids[9]) == []
    with pytest.raises(UsageError):
        talk.entries(limit=-1)
    with pytest.raises(NotFound):
        talk.entries(after="evt_" + "0" * 26)


@SHARED
@given(
    acts=st.lists(
        st.one_of(
            st.tuples(st.just("append"), st.lists(st.integers(0, 9), max_size=4)),
            st.tuples(st.just("pop"), st.none()),
            st.tuples(st.just("clear"), st.none()),
            st.tuples(st.just("delete"), st.none()),
            st.tuples(st.just("read"), st.integers(0, 5)),
        ),
        max_size=12,
    )
)
def test_a_talk_is_a_list_in_which_a_key_stands_once(ledger: Any, acts: list[Any]):
    talk, model = ledger.talk("listed"), []
    talk.delete()
    exists = False
    for act, told in acts:
        if act == "append":
            fresh = [n for n in dict.fromkeys(told) if n not in model]
            done = talk.append(told, keys=[str(n) for n in told])
            assert [entry.value for entry in done.entries] == fresh
            assert done.known == len(told) - len(fresh)
            model, exists = model + fresh, exists or bool(told)
        elif act == "pop":
            popped = talk.pop()
            assert (popped.value if popped else None) == (model.pop() if model else None)
        elif act == "read":
            assert values(talk, limit=told) == (model[-told:] if told else [])
        else:
            assert getattr(talk, act)() == len(model)
            model, exists = [], exists and act == "clear"
        assert values(talk) == model
        assert [one.name for one in ledger.talks("listed")] == ["listed"] * exists


def test_an_entry_that_was_taken_out_marks_its_place_still(talk: Any):
    first, second = talk.append(["a", "b"]).entries
    assert talk.pop().id == second.id
    talk.append(["c"])
    assert values(talk, after=first.id) == ["c"]
    assert values(talk, after=second.id) == ["c"]
    assert values(talk, limit=2) == ["a", "c"]


def test_keys_are_as_many_as_entries_and_hold_for_one_talk(ledger: Any, talk: Any):
    with pytest.raises(UsageError):
        talk.append([1, 2], keys=["one"])
    talk.append([1], keys=["k"])
    assert ledger.talk("app/two").append([1], keys=["k"]).known == 0
    assert ledger.talk("app/one").append([2], keys=["k"]).known == 1


def test_talks_are_listed_by_the_beginning_of_their_names(ledger: Any):
    for name in ("a/1", "a/2", "a", "b/1", "a%", "a_"):
        ledger.talk(name).append([name])
    assert [one.name for one in ledger.talks("a/")] == ["a/1", "a/2"]
    assert len(ledger.talks()) == 6
    assert ledger.talks("a/3") == ()
    assert ledger.talks("b/")[0].changed_at == ledger.talk("b/1").entries()[0].at


@each_row("name", ["", "a\nb", "\ud800", "x" * 1025, None, "tab\t"])
def test_a_name_is_a_line_of_text(ledger: Any, name: Any):
    with pytest.raises(UsageError):
        ledger.talk(name)


def test_a_note_is_made_of_the_one_before_and_goes_with_its_entry(ledger: Any, talk: Any):
    def total(before: Any, added: list[int]) -> int:
        return (before or 0) + sum(added)

    talk.append([1, 2], keys=["a", "b"], note=total)
    talk.append([2, 5], keys=["b", "c"], note=total)  # b is known, so it does not count again
    assert [one.note for one in ledger.talks()] == [8]
    talk.append([9])
    assert [one.note for one in ledger.talks()] == [8]
    talk.pop()
    talk.pop()
    assert [one.note for one in ledger.talks()] == [3]
    talk.clear()
    assert [one.note for one in ledger.talks()] == [None]
    talk.append([1], note=lambda _, added: {"said": PAT})
    assert PAT not in str(ledger.talks())


# For others, and for nobody else


def test_other_processes_and_an_index_made_anew_read_the_same(project: Path, ledger: Any):
    talk = ledger.talk("x")
    talk.append(["a", {"b": 1}, "c"], keys=["1", "2", "3"])
    talk.pop()
    ledger.close()
    forget_local(project)
    with package.open(str(project)) as other:
        assert values(other.talk("x")) == ["a", {"b": 1}]
        assert other.talk("x").append(["z"], keys=["2"]).known == 1
        assert other.talk("x").append(["z"], keys=["3"]).known == 0
        ahead = ledger.talk("x")
        assert values(ahead) == ["a", {"b": 1}, "z"]
        assert other.verify(deep=True).ok


CROWD = """
import sys, varves
with varves.open(sys.argv[1]) as ledger:
    talk = ledger.talk("crowd")
    for turn in range(8):
        some = [f"{sys.argv[2]}-{turn}-{n}" for n in range(3)]
        talk.append([*some, turn], keys=[*some, f"turn {turn}"])
"""


def test_what_several_processes_append_stays_together_and_a_key_stands_once(project: Path):
    crowd = [
        subprocess.Popen([sys.executable, "-c", CROWD, str(project), str(n)]) for n in range(3)
    ]
    assert [one.wait(60) for one in crowd] == [0, 0, 0]
    with package.open(str(project)) as ledger:
        said = values(ledger.talk("crowd"))
        assert ledger.verify(deep=True).ok
    texts = [one for one in said if isinstance(one, str)]
    assert sorted(one for one in said if isinstance(one, int)) == list(range(8))
    batches = [texts[at : at + 3] for at in range(0, len(texts), 3)]
    assert sorted(texts) == sorted(
        f"{p}-{t}-{n}" for p in range(3) for t in range(8) for n in range(3)
    )
    assert all(one[:-1] == batch[0][:-1] for batch in batches for one in batch)
    for process in "012":  # each in the order in which it was appended
        own = [one for one in texts if one.startswith(process)]
        assert own == sorted(own, key=lambda one: tuple(map(int, one.split("-"))))


def test_a_talk_is_private_to_this_clone_and_no_memory(project: Path, ledger: Any, varves: Any):
    ledger.remember("The oven is broken.")
    ledger.talk("x").append([{"text": "My sister lives in Lisbon."}])
    found = subprocess.run(
        ["grep", "-rl", "Lisbon", "."],
        cwd=project,
        capture_output=True,
        encoding="utf-8",
        check=False,
    )
    assert all(name.startswith("./.git/varves/private/log/") for name in found.stdout.split())
    assert found.stdout
    assert ledger.recall("sister Lisbon").hits == ()
    assert "Lisbon" not in "\n".join(ledger.export())
    assert [memory.text for memory in ledger.list(status="all")] == ["The oven is broken."]
    assert "Lisbon" not in varves("brief").out
    assert ledger.undo().candidates == ()  # the last thing to undo is the memory


def test_a_branch_that_carries_entries_says_nothing(project: Path, ledger: Any):
    """Digests are no signatures: a repository can hold any event, but not in the private log."""
    ledger.talk("x").append(["mine"])
    with room(project) as other:
        act = other.act().replace(session="x")
        said = act.draft("talk.said", {"text": '"forged"'})
        dropped = act.draft("talk.dropped", {"all": True})
        also = said.replace(session="y")
        from varves.commands.port import Decision

        drafts = (said, dropped, also)
        other.append(Decision(log="project", drafts=drafts, memory=""))
    assert values(ledger.talk("x")) == ["mine"]
    assert ledger.talk("x").pop().value == "mine"
    assert values(ledger.talk("y")) == []
    assert [one.name for one in ledger.talks()] == ["x"]


def test_reading_a_talk_reads_its_own_entries_only(ledger: Any, monkeypatch: pytest.MonkeyPatch):
    from varves.index.sqlite import index

    for name in range(20):
        ledger.talk(f"other {name}").append(range(100))
    ledger.talk("x").append(range(50))
    assert len(values(ledger.talk("x"))) == 50
    read: list[str] = []
    real = index.from_lines

    def counting(lines: Sequence[tuple[str, str]]) -> Any:
        read.extend(line for line, _ in lines)
        return real(lines)

    monkeypatch.setattr(index, "from_lines", counting)
    assert values(ledger.talk("x"), limit=3) == [47, 48, 49]
    assert len(read) == 3
    assert len(values(ledger.talk("x"))) == 50
    assert len(read) == 53
    ledger.talk("x").append([1])
    assert len(read) < 60


# Secrets


def test_secrets_are_masked_string_by_string_and_the_rest_is_exact(project: Path, ledger: Any):
    said = {"role": "user", "content": [{"text": f"use {PAT} please", "n": 1}], "api_key": PAT}
    done = ledger.talk("x").append([said, "plain"])
    assert done.redacted == ("github-pat",)
    masked = "[redacted:github-pat]"
    expected = {**said, "content": [{"text": f"use {masked} please", "n": 1}], "api_key": masked}
    assert values(ledger.talk("x")) == [expected, "plain"] == [e.value for e in done.entries]
    assert ledger.log(kind=["talk.said"])[0].data["redacted"] == ["github-pat"]
    ledger.close()
    held = [path.read_bytes() for path in project.rglob("*") if path.is_file()]
    assert not any(PAT.encode() in content for content in held)


def test_ids_fit_together_though_they_look_like_tokens(ledger: Any):
    call = {"type": "function_call", "call_id": CALL, "arguments": f'{{"key": "{PAT}"}}'}
    answer = {"call_id": CALL, "output": f"never show {CALL} {PAT}", "parentUuid": CALL}
    sealed = {"encrypted_content": "sk-" + "a1B2c3D4e5F6g7H8i9J0" * 20, "text": PAT}
    ledger.talk("x").append([call, answer, sealed])
    first, second, third = values(ledger.talk("x"))
    assert first["call_id"] == second["call_id"] == second["parentUuid"] == CALL
    assert second["output"] == "never show [redacted:unknown-token] [redacted:github-pat]"
    assert third["encrypted_content"] == sealed["encrypted_content"]
    assert PAT not in str((first, second, third))


@pytest.mark.parametrize("secret", [{"id": PAT}, {"access_key_id": "AKIA" + "Q3EGRZ7XWLT5DKVB"}])
def test_a_secret_of_a_known_format_is_masked_under_any_key(ledger: Any, secret: Any):
    ledger.talk("x").append([secret])
    assert "[redacted:" in str(values(ledger.talk("x")))


def test_names_that_hold_a_secret_are_masked_and_still_told_apart(project: Path, ledger: Any):
    other = PAT[:-1] + "9"
    ledger.talk(f"s/{PAT}").append(["mine"], keys=[PAT])
    ledger.talk(f"s/{other}").append(["yours"])
    assert values(ledger.talk(f"s/{PAT}")) == ["mine"]
    assert ledger.talk(f"s/{PAT}").append(["mine", "more"], keys=[PAT, other]).known == 1
    assert [values(ledger.talk(one.name)) for one in ledger.talks()] in (
        [["mine", "more"], ["yours"]],
        [["yours"], ["mine", "more"]],
    )
    ledger.close()
    held = [path.read_bytes() for path in project.rglob("*") if path.is_file()]
    assert not any(PAT[4:].encode() in content for content in held)


# Erasing


def test_a_purge_leaves_no_byte_of_a_talk_and_nothing_else_changes(project: Path, ledger: Any):
    kept = ledger.remember("The oven is broken.", private=True)
    talk = ledger.talk("x")
    talk.append(["My sister lives in Lisbon.", {"long": "Lisbon by night " * 20_000}])
    ledger.talk("y").append(["Porto"])
    talk.pop()
    assert talk.purge(reason="asked for") == 2
    assert values(talk) == []
    assert [one.name for one in ledger.talks()] == ["y"]
    assert ledger.verify(deep=True).ok
    assert ledger.doctor() == ()
    assert [memory.id for memory in ledger.list(status="all")] == [kept.id]
    assert values(ledger.talk("y")) == ["Porto"]
    assert talk.purge(reason="again") == 0
    talk.append(["anew"])
    assert values(talk) == ["anew"]
    ledger.close()
    held = {path: path.read_bytes() for path in project.rglob("*") if path.is_file()}
    assert not [path for path, content in held.items() if b"Lisbon" in content]


def test_deleting_takes_out_of_sight_and_purging_still_erases(project: Path, ledger: Any):
    talk = ledger.talk("x")
    talk.append(["Lisbon"])
    talk.delete()
    assert values(talk) == []
    assert talk.purge(reason="asked for") == 1
    assert "Lisbon" not in str([event.as_dict() for event in ledger.log()])


def test_origin_is_the_door_it_came_through(ledger: Any):
    ledger.through("agent").talk("x").append(["a"])
    ledger.talk("x").append(["b"])
    said = ledger.log(kind=["talk.said"])
    assert [(event.origin, event.trust, event.log) for event in said] == [
        ("agent", 2, "private"),
        ("direct", 3, "private"),
    ]


def test_the_example_on_the_page_runs(project: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.chdir(project)
    run_example("talk")
