"""What was said in talk goes when a record that it taught is purged; the talk itself goes on."""

from __future__ import annotations

import json
import os

import pytest

from tests.protocols.test_purged_sources import everywhere
from varves.errors import NotFound

MOMENT = "2026-01-0{}T00:00:00Z"
SAID = (
    ("ada", "Good morning to all of you."),
    ("ben", "I think the code word is fine. We decided on 'the code word': tangerine."),
    ("ada", "I propose a nightly backup of the store."),
)


def begun(clone, *, shared=False, said=SAID):
    """Hold a talk in which a decision is found."""
    made = clone()
    verbs = made.at(MOMENT.format(1)).deliberation
    verbs.begin("talk", shared=shared)
    found = [verbs.say(agent, text, conversation="talk") for agent, text in said]
    made.commit("begin")
    return made, found


def the_decision(found):
    [one] = [one for said in found for one in said.found if one.kind == "decision"]
    return one.id


def messages(one, day):
    return one.at(MOMENT.format(day)).deliberation.messages(conversation="talk")


@pytest.mark.full_size(sample=1)
@pytest.mark.requirement("U-07")
@pytest.mark.parametrize("shared", [False, True], ids=["private", "shared"])
def test_a_purged_decision_is_in_no_byte_of_the_checkout(clone, shared):
    here, found = begun(clone, shared=shared)
    assert everywhere(here.root)
    ledger = here.at(MOMENT.format(2))

    done = ledger.purge(the_decision(found), reason="it leaked")

    assert done.sources == ()
    assert (done.git is not None) == shared
    with pytest.raises(NotFound, match="was purged"):
        ledger.deliberation.show(the_decision(found))
    assert ledger.verify(deep=True).ok
    here.close()
    assert everywhere(here.root) == []
    rebuilt = here.at(MOMENT.format(3))
    rebuilt.rebuild()
    here.close()
    assert everywhere(here.root) == []


def test_what_was_noted_down_of_a_long_talk_goes_too(clone):
    """The position that an agent took with the words is noted every fifty events."""
    stance = ("ben", "I believe that tangerine is best. We decided on 'the word': tangerine.")
    more = (("ada", f"The build took a while today, number {n}.") for n in range(55))
    here, found = begun(clone, said=(stance, *more))
    assert ".git/local/state.sqlite" in everywhere(here.root)

    ledger = here.at(MOMENT.format(2))
    for name in {one.id for said in found for one in said.found if one.id}:
        ledger.purge(name, reason="it leaked")
    for summary in ledger.deliberation.state(conversation="talk").summaries:
        ledger.purge(summary.id, reason="it leaked")

    assert ledger.deliberation.stats(conversation="talk").total_messages == 56
    here.close()
    assert everywhere(here.root) == []


def test_the_talk_goes_on_and_keeps_its_places(clone, varves):
    here, found = begun(clone)
    here.at(MOMENT.format(2)).purge(the_decision(found), reason="it leaked")

    verbs = here.at(MOMENT.format(3)).deliberation
    left = verbs.messages(conversation="talk")

    assert [one.index for one in left] == [0, 1, 2]
    assert [one.content for one in left] == [SAID[0][1], "", SAID[2][1]]
    assert left[1].type == "purged"
    assert verbs.say("ben", "The sky is blue.", conversation="talk").index == 3
    assert "tangerine" not in verbs.context("ben", conversation="talk").text
    assert verbs.stats(conversation="talk").total_messages == 4
    [summary] = verbs.summarise(conversation="talk", rest=True).summaries
    shown = verbs.show(summary.id)
    assert [one.index for one in shown.messages] == [0, 1, 2, 3]
    here.close()
    env = {"VARVES_HOME": str(here.home)}
    said = varves("deliberation", "show", summary.id, env=env).out
    assert "1  this message was purged" in said


@pytest.mark.full_size(sample=1)
@pytest.mark.parametrize("shared", [False, True], ids=["private", "shared"])
def test_a_long_message_leaves_no_file_of_its_own(clone, shared):
    long = f"{SAID[1][1]} " + "Tangerine is a word. " * 20_000
    here, found = begun(clone, shared=shared, said=(("ben", long),))
    names = [one.id for one in found[0].found if one.id]

    ledger = here.at(MOMENT.format(2))
    for name in names:
        ledger.purge(name, reason="it leaked")

    here.close()
    assert everywhere(here.root) == []
    assert everywhere(here.root, "Tangerine") == []


def test_a_whole_chunk_that_was_purged_is_summed_up_as_that(clone):
    here, found = begun(clone, said=SAID[1:2])
    here.at(MOMENT.format(2)).purge(the_decision(found), reason="it leaked")

    verbs = here.at(MOMENT.format(3)).deliberation
    [summary] = verbs.summarise(conversation="talk", rest=True).summaries

    assert (summary.message_range, summary.content) == ((0, 0), "What was said here was purged.")


def lines_of(root):
    """Return the lines of the logs by event."""
    folders = (root / ".varves/log", root / ".git/varves/private/log")
    files = [path for folder in folders for path in folder.rglob("*.jsonl")]
    lines = [line for path in files for line in path.read_bytes().splitlines()]
    return files, {json.loads(line)["id"]: line for line in lines}


def undo_erasing(root, before, *kinds):
    """Put lines back as they were before a purge, as if it had been cut short."""
    for path in lines_of(root)[0]:
        lines = []
        for line in path.read_bytes().splitlines():
            event = json.loads(line)
            fits = not kinds or event["kind"] in kinds
            lines.append(before.get(event["id"], line) if fits else line)
        put(path, b"".join(line + b"\n" for line in lines))


def put(path, content):
    """Put a file in the place of another, as git does: nobody takes it for one that grew."""
    other = path.with_suffix(".other")
    other.write_bytes(content)
    os.replace(other, path)


@pytest.mark.full_size(sample=1)
@pytest.mark.product
@pytest.mark.parametrize("shared", [False, True], ids=["private", "shared"])
@pytest.mark.parametrize(
    "kinds",
    [(), ("message.posted", "stance.changed"), ("memory.recorded",)],
    ids=["all", "talk", "record"],
)
def test_a_purge_cut_short_shows_nothing_and_is_finished_by_doctor(clone, shared, kinds):
    here, found = begun(clone, shared=shared)
    _, before = lines_of(here.root)
    here.at(MOMENT.format(2)).purge(the_decision(found), reason="it leaked")
    here.close()
    undo_erasing(here.root, before, *kinds)
    assert everywhere(here.root)

    assert [one.content for one in messages(here, 3)][1] == ""
    ledger = here.at(MOMENT.format(3))
    for as_of in (None, found[1].event, "HEAD"):
        assert all("tangerine" not in repr(one.as_dict()) for one in ledger.log(as_of=as_of))
    assert "unpurged" in {one.rule for one in ledger.verify().damage}
    ledger.mend()
    assert ledger.verify(deep=True).ok
    assert ledger.mend().plan == ()
    here.close()
    assert everywhere(here.root) == []


def test_a_purge_killed_between_two_logs_is_finished_with_the_talk(clone):
    """The record is the project's and the talk private: only one of the two was told."""
    here = clone()
    party = here.at(MOMENT.format(1)).party
    party.start(agents=["ada", "ben"])
    party.say("ada", "I prefer the tangerine code.")
    party.end()
    _, before = lines_of(here.root)
    ledger = here.at(MOMENT.format(2))
    name = next(one.id for one in ledger.list() if "tangerine" in one.text)
    ledger.purge(name, reason="it leaked")
    here.close()
    undo_erasing(here.root, before)
    private = [path for path in lines_of(here.root)[0] if ".git" in path.parts]
    for path in private:
        lines = path.read_bytes().splitlines(keepends=True)
        kept = [line for line in lines if b'"kind":"memory.purged"' not in line]
        put(path, b"".join(kept))

    ledger = here.at(MOMENT.format(3))
    ledger.mend()

    assert "unpurged" not in {one.rule for one in ledger.verify(deep=True).damage}
    here.close()
    assert everywhere(here.root) == []


def test_another_clone_masks_and_erases_what_was_purged_here(clone):
    here, found = begun(clone, shared=True)
    there = clone("there", here)
    assert messages(there, 2)[1].content == SAID[1][1]
    there.at(MOMENT.format(2)).deliberation.say("cyd", "Hello from here.", conversation="talk")
    there.commit("more")
    here.at(MOMENT.format(2)).purge(the_decision(found), reason="it leaked")
    here.commit("purged")

    there.git("pull", "--quiet", "--no-rebase", "--no-edit", str(here.root))

    assert [one.content for one in messages(there, 3)][:2] == [SAID[0][1], ""]
    there.at(MOMENT.format(3)).mend()
    assert there.at(MOMENT.format(3)).verify(deep=True).ok
    assert there.at(MOMENT.format(3)).deliberation.stats(conversation="talk")
    there.close()
    assert everywhere(there.root) == []


def test_what_else_the_message_taught_stays_and_is_named(clone):
    both = "I propose a nightly backup. We decided on 'the backup': a nightly backup."
    here, found = begun(clone, said=(("ada", both),))
    kinds = {one.kind: one.id for one in found[0].found}
    assert {"decision", "proposal"} <= kinds.keys()
    ledger = here.at(MOMENT.format(2))

    done = ledger.purge(kinds["decision"], reason="it leaked")

    assert done.same == (kinds["proposal"],)
    assert ledger.show(kinds["proposal"]).text == "a nightly backup"
    [said] = ledger.log(kind=("message.posted",))
    assert said.purged
    again = ledger.purge(kinds["proposal"], reason="too")
    assert (again.same, again.sources) == ((), ())
    here.close()
    assert everywhere(here.root, "nightly backup") == []


class Teller:
    """Sums up any talk, and quotes the first message of ours."""

    def query(self, **_: object) -> str:
        return f"They met. {SAID[0][1]} Then they spoke of fruit."


def test_a_purged_summary_takes_what_it_quotes_and_names_the_rest(clone):
    here, found = begun(clone)
    verbs = here.at(MOMENT.format(2)).deliberation
    done = verbs.summarise(conversation="talk", rest=True, runner=Teller())
    [summary] = done.summaries

    told = here.at(MOMENT.format(3)).purge(summary.id, reason="it leaked")

    posted = [one.event for one in found]
    assert [place.split()[0] for place in told.sources] == posted[1:]
    assert [one.content for one in messages(here, 4)] == ["", SAID[1][1], SAID[2][1]]


def test_other_messages_with_the_same_words_are_named(clone):
    more = ("ada", "So the word is   TANGERINE then.")
    here, found = begun(clone, said=(*SAID, more))

    done = here.at(MOMENT.format(2)).purge(the_decision(found), reason="it leaked")

    place = f"{found[-1].event} (message.posted in talk, private log)"
    assert place in done.sources
    assert all("message.posted" not in one for one in done.sources if one != place)


def test_a_party_keeps_the_numbers_of_its_turns(clone):
    here = clone()
    party = here.at(MOMENT.format(1)).party
    party.start(agents=["ada", "ben"])
    party.say("ada", "I prefer the tangerine code.")
    party.say("ben", "The sky is blue.")
    held = party.remember("ada", type="context", content="Clementine is next", confidence=0.9)
    ledger = here.at(MOMENT.format(1))
    [first, _] = ledger.log(kind=("message.posted",))
    assert held.id
    ledger.party.end()
    name = next(one.id for one in ledger.list() if "tangerine" in one.text)
    ledger.purge(name, reason="it leaked")
    assert ledger.log(kind=("message.posted",))[0].id == first.id
    here.close()
    assert everywhere(here.root) == []
    assert here.at(MOMENT.format(2)).party.validate() == ()
