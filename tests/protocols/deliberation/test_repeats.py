"""Whether an idea that comes again is known again."""

from __future__ import annotations

import os
from typing import Any

import pytest

import varves
from tests.architecture.source import loaded_by
from tests.tables import each_row

MAIN = "import sys; from varves.cli.main import main; sys.exit(main())"
FIRST = "I propose that we move the nightly backups to the second disk."


def linked(first: str, second: str, *between: str, likeness: float = 0.0) -> bool:
    """Tell whether the last proposal is linked to the first."""
    memory = varves.ConversationMemory({"likeness": likeness})
    for text in (first, *between, second):
        memory.process_message(varves.Message(agent_id="ada", content=text))
    earliest, *_, latest = memory.state.proposals
    return latest.repeats == earliest.id


@pytest.mark.requirement("S4-02")
@each_row(
    ("first", "second"),
    [
        (
            "I propose a lock on the seat map while a customer pays",
            "What if the seat map loaded as SVG?",
        ),
        (
            "I propose the login page gets a captcha after five failures",
            "What if we served the login page from the CDN?",
        ),
        (
            "I propose we cache the exchange rates in the gateway for an hour",
            "I propose we round the exchange rates to four digits for display",
        ),
        (
            "We should offer invoices as PDF so that the accountants can open them",
            "I propose retry keys on every POST of the billing client",
        ),
    ],
)
def test_two_ideas_about_one_subject_are_not_one(first, second):
    assert not linked(first, second)


@pytest.mark.requirement("S4-02")
def test_a_repeat_is_told_from_an_idea_that_is_only_similar(varves):
    varves("deliberation", "new", "talk")
    varves("deliberation", "say", "ada", FIRST)
    same = "What if we moved nightly backups to the second disk?"
    told = varves("deliberation", "say", "ben", same).out
    assert "(already proposed by ada in message 0)" in told
    near = "I propose that nightly backups go to the second disk, encrypted"
    told = varves("deliberation", "say", "eve", near).out
    assert "(like one proposed by ada in message 0)" in told


@pytest.mark.requirement("S4-02")
def test_an_idea_of_message_5_is_known_again_in_message_55():
    memory = varves.ConversationMemory()
    for number in range(1, 56):
        text = f"The build took {number} minutes."
        if number == 5:
            text = FIRST
        if number == 30:
            text = "I propose that we paint the door green."
        if number == 55:
            text = "What if we put nightly backups on the second disk?"
        memory.process_message(varves.Message(agent_id=f"agent-{number}", content=text))

    first, other, again = memory.state.proposals
    assert (first.proposer, again.proposer) == ("agent-5", "agent-55")
    assert (first.repeats, other.repeats) == (None, None)
    assert again.repeats == first.id


@pytest.mark.requirement("S4-02")
def test_an_idea_that_was_settled_is_known_again():
    memory = varves.ConversationMemory()
    posted = memory.process_message(varves.Message(agent_id="ada", content=FIRST))
    memory.process_message(
        varves.Message(agent_id="ben", content="[DECISION] rejected", reply_to=posted.id)
    )
    memory.process_message(varves.Message(agent_id="eve", content=FIRST))

    first, again = memory.state.proposals
    assert (first.status, again.repeats) == ("rejected", first.id)


SAME = {
    "word-for-word": ("I propose a smaller disk", "I propose a smaller disk"),
    "other-frame": ("I propose that we drop the old parser", "What if we remove the old parser?"),
    "order": ("I propose that tests run on each push", "What if we run on each push the tests?"),
    "both-dropped": ("I propose to delete the old parser", "I propose to drop the old parser"),
    "numbers-of-two-things": (
        "I propose that the 3 servers move to the rack in the cellar",
        "What if we have, 10 days from now, our cellar's rack hold these servers?",
    ),
    "negation-of-another-word": (
        "I propose that times are stored as UTC in the database",
        "What if we have all stored times of the database as UTC, and no local offsets?",
    ),
    "negation-long-before": (
        "I propose that the database stores times as UTC",
        "What if we take no local offsets from any client and the database stores times as UTC?",
    ),
    "reason": (
        "I propose that we close the shop on Monday afternoons because hardly anyone comes",
        "Since there is so little traffic, I propose to stay shut on Monday after lunch",
    ),
    "without": (
        "How about we bake a gluten-free cake once a week on order?",
        "I propose a cake without gluten weekly for people who pre-order it",
    ),
    "synonym": (
        "I propose that leftover bread goes to the food bank every evening",
        "I propose to donate unsold bread to the food bank at the end of each day",
    ),
    "longer": (
        "I propose to keep the lock files in git",
        "What if we keep the lock files in git, since people ask for them all the time?",
    ),
}
TWO = {
    "other-thing": ("I propose a lint for names", "I propose a dinner for all"),
    "one-word": ("I propose to write the parser in Go", "I propose to write the parser in Zig"),
    "number": ("I propose to retry a call 3 times", "I propose to retry a call 8 times"),
    "counted": ("I propose three tries a call", "I propose eight tries a call"),
    "negated": ("I propose to sign the images", "I propose not to sign the images"),
    "dropped": ("I propose to keep the old parser", "I propose to drop the old parser"),
    "number-in-other-words": (
        "I propose that a session ends after 30 minutes",
        "I propose 45 minutes at most until we end a session",
    ),
    "turned-within": (
        "I propose that the old index is kept with a warning",
        "I propose that without a warning the old index is kept",
    ),
    "other-reason": (
        "I propose a walk because the weather is good",
        "I propose a film because the weather is good",
    ),
    "with-and-without": (
        "I propose a dark cake with sugar for the party",
        "I propose a dark cake without sugar for the party",
    ),
    "excluded": (
        "I propose that the bakery opens on Sundays in the summer at eight",
        "I propose that in the summer the bakery does not open on Sundays at eight",
    ),
    "other-end": (
        "I propose a tunnel between the kitchen and the garden",
        "I propose a tunnel between the kitchen and the railway station",
    ),
}


@each_row(("first", "second"), SAME.values())
def test_the_same_idea_in_other_words_is_linked(first, second):
    assert linked(first, second, "I propose a walk")


@each_row(("first", "second"), TWO.values())
def test_two_ideas_that_read_alike_are_not_linked(first, second):
    assert not linked(first, second)


def test_a_common_verb_and_noun_do_not_make_two_ideas_one():
    first = "How about we bake a gluten-free cake once a week on order?"
    assert not linked(first, "How about we bake a vegan cake for the street festival?")


def test_how_like_they_must_be_is_a_setting():
    first, second = "I propose a red door and a green roof", "I propose a red roof"

    assert linked(first, second)
    assert not linked(first, second, likeness=0.95)


# No word that carries the idea is in both.
PHYSICIAN = "I propose that a physician visits the children."
DOCTOR = "I propose that a doctor comes to see the kids."


@pytest.fixture
def meanings(project: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    """Let meanings be compared in a project; it is off where a test does not say so."""
    assert project.is_dir()
    monkeypatch.setenv("VARVES_DENSE", "1")


def last_link(talk: Any) -> tuple[str | None, str | None]:
    """Return the first proposal's id, and which one the last says again."""
    first, *_, last = talk.verbs.state().proposals
    return first.id, last.repeats


@pytest.mark.requirement("S4-02")
@pytest.mark.usefixtures("meanings")
def test_an_idea_in_wholly_other_words_is_known_again_by_its_meaning(talk: Any):
    said = talk.hold(("ada", PHYSICIAN), ("ben", "I propose a walk."), ("eve", DOCTOR))

    first, again = (one.found[0] for one in (said[0], said[-1]))
    assert (again.repeats, again.proposed_by, again.proposed_in) == (first.id, "ada", 0)
    _, walk, raised = talk.events("proposal.raised")
    assert walk.data.get("links", {}) == {}
    assert raised.data["links"] == {"repeats": [first.id]}
    assert 0.5 <= raised.data["likeness"] <= 1


@pytest.mark.usefixtures("meanings")
def test_a_proposal_that_is_recorded_outright_is_compared_too(talk: Any):
    talk.begin()
    first = talk.verbs.propose("ada", "a physician visits the children")
    again = talk.verbs.propose("eve", "a doctor comes to see the kids")

    assert (first.repeats, again.repeats) == (None, first.id)


@pytest.mark.full_size(sample=1)
@pytest.mark.parametrize(("first", "second"), TWO.values(), ids=TWO)
@pytest.mark.usefixtures("meanings")
def test_meanings_do_not_make_one_of_two_ideas_that_read_alike(talk: Any, first: str, second: str):
    *_, again = talk.hold(("ada", first), ("eve", second))

    assert again.found[0].repeats is None


@pytest.mark.full_size(sample=1)
@pytest.mark.parametrize(("first", "second"), SAME.values(), ids=SAME)
@pytest.mark.usefixtures("meanings")
def test_what_words_know_again_is_not_lost_where_meanings_count(talk: Any, first: str, second: str):
    talk.hold(("ada", first), ("eve", second))

    earliest, linked_to = last_link(talk)
    assert linked_to == earliest


def test_switched_off_words_alone_count(talk: Any):
    talk.hold(("ada", PHYSICIAN), ("eve", DOCTOR))
    assert last_link(talk)[1] is None


@pytest.mark.usefixtures("meanings")
def test_what_was_found_is_recorded_and_never_worked_out_again(
    talk: Any, monkeypatch: pytest.MonkeyPatch
):
    talk.hold(("ada", PHYSICIAN), ("eve", DOCTOR))
    before = last_link(talk)
    assert before[0] == before[1]

    monkeypatch.setenv("VARVES_DENSE", "0")
    talk.again()
    talk.ledger.rebuild()
    assert last_link(talk) == before

    talk.verbs.begin("later")
    for agent, text in (("ada", PHYSICIAN), ("eve", DOCTOR)):
        talk.say(agent, text, conversation="later")
    monkeypatch.setenv("VARVES_DENSE", "1")
    talk.again()
    talk.ledger.rebuild()
    assert talk.verbs.state(conversation="later").proposals[1].repeats is None


@pytest.mark.usefixtures("meanings")
def test_a_command_loads_nothing_to_compare_proposals(talk: Any):
    """A process that answers once goes by words."""
    talk.begin()
    talk.close()
    for text in ("The build took a while.", PHYSICIAN, "We decided that tea is free.", DOCTOR):
        found = loaded_by(MAIN, "deliberation", "say", "ada", text, cwd=talk.root)
        assert not {"numpy", "wordllama"} & found
    for verb in ("context", "brief", "stats"):
        assert "numpy" not in loaded_by(MAIN, "deliberation", verb, cwd=talk.root)
    assert "numpy" not in loaded_by(MAIN, "deliberation", "propose", "eve", DOCTOR, cwd=talk.root)


@pytest.mark.parametrize("package", ["numpy", "wordllama"])
@pytest.mark.usefixtures("meanings")
def test_without_the_extra_words_answer_and_nothing_is_said_of_it(
    talk: Any, varves: Any, tmp_path: Any, package: str
):
    folder = tmp_path / "hiding"
    folder.mkdir()
    hiding = f"import sys\nsys.modules[{package!r}] = None\n"
    (folder / "sitecustomize.py").write_text(hiding, encoding="utf-8")
    env = {"PYTHONPATH": os.pathsep.join([str(folder), os.environ.get("PYTHONPATH", "")])}
    talk.begin()
    talk.close()

    said = [
        varves("deliberation", "say", "ada", text, "--json", env=env)
        for text in (PHYSICIAN, DOCTOR, "What if we let a physician visit the children?")
    ]

    assert [(one.code, one.err) for one in said] == [(0, "")] * 3
    first, other, again = (one.json["found"][0] for one in said)
    assert other.get("repeats") is None
    assert again["repeats"] == first["id"]


def test_a_memory_alone_may_be_given_what_compares_meanings():
    asked: list[tuple[str, tuple[str, ...]]] = []

    def likeness(text: str, others: Any) -> list[float] | None:
        asked.append((text, tuple(others)))
        return [0.8 if "physician" in other and "doctor" in text else 0.1 for other in others]

    memory = varves.ConversationMemory(likeness=likeness)
    for text in (PHYSICIAN, "The build took a while.", "I propose a walk", DOCTOR):
        memory.process_message(varves.Message(agent_id="ada", content=text))

    first, walk, again = memory.state.proposals
    assert (walk.repeats, again.repeats) == (None, first.id)
    assert [len(others) for _, others in asked] == [1, 2]  # never with nothing to compare


def test_what_cannot_compare_meanings_leaves_it_to_the_words():
    memory = varves.ConversationMemory(likeness=lambda _text, _others: None)
    for text in (FIRST, DOCTOR, FIRST):
        memory.process_message(varves.Message(agent_id="ada", content=text))

    first, other, again = memory.state.proposals
    assert (other.repeats, again.repeats) == (None, first.id)
