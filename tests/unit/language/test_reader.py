"""What the reader takes a sentence to do."""

from __future__ import annotations

from tests.tables import each_row
from varves.language.acts import NOTHING, Situation
from varves.language.reader import read

TABLED = Situation(tabled=True, answers=True)
ASKED = Situation(asked=True)
ACTS = [
    ("We decided against Redis.", "decides"),
    ("We decided not to use Redis.", "decides"),
    ("We agreed not to ship.", "decides"),
    ("Ok, closing.", "decides"),
    ("Sounds like we're doing the small one.", "decides"),
    ("Going once, going twice... done.", "decides"),
    ("I propose a flag.", "proposes"),
    ("Should we wait?", "proposes"),
    ("I agree.", "supports"),
    ("I'm not convinced.", "opposes"),
    ("I prefer tabs over spaces.", "prefers"),
    ("Never push to main.", "orders"),
    ("No, the port is 8080.", "corrects"),
    ("The fix was to clear the cache.", "fixes"),
    ("Every migration must be reversible.", "constrains"),
    ("The service runs on port 8080.", "states"),
    ("I fixed the flaky test by seeding the RNG.", "fixes"),
    ("All migrations must be reversible.", "orders"),
    ("The client insists on hosting in Europe.", "binds"),
    ("We are required by law to encrypt backups.", "binds"),
    ("I verified that it works.", "attests"),
    ("I learned the hard way that it is slow.", "learns"),
    ("I noticed that it is slow.", "observes"),
    ("I assume the traffic doubles.", "infers"),
    ("Library X lacks feature Y.", "lacks"),
    ("I went with a queue.", "chooses"),
    ("As I said before, it is slow.", "restates"),
    ("I stand corrected.", "concedes"),
    ("You convinced me.", "yields"),
    ("Fair point.", "grants"),
]
NOT_CLAIMED = [
    ("It is a myth that we cannot use Redis because it is slow.", "binds"),
    ("Eve says we cannot use Redis because it is slow.", "binds"),
    ("I have not verified that it works.", "attests"),
    ("I have not fixed the test by seeding the RNG.", "fixes"),
    ("I do not prefer tabs.", "prefers"),
]
NO_DECISIONS = [
    "As we decided earlier, the cache stays.",
    "Have we decided on naming?",
    "We have not decided yet.",
    "Like we agreed, no force push.",
    "Per our decision, the cache stays.",
    "I thought we agreed on Redis.",
    "If we agreed on Redis, tell Eve.",
    'She wrote "we decided to ship".',
    "They decided to leave.",
]


def kinds(text: str, situation: Situation = NOTHING) -> set[str]:
    """Return the kinds of all acts in a message."""
    return {act.kind for said in read(text, situation) for act in said.acts}


@each_row(("text", "kind"), ACTS)
def test_a_sentence_does_what_it_says(text, kind):
    assert kind in kinds(text)


@each_row(("text", "kind"), NOT_CLAIMED)
def test_what_is_denied_or_told_of_another_is_not_claimed(text, kind):
    assert kind not in kinds(text)


@each_row(
    ("text", "kind", "plainly"),
    [
        ("We decided against Redis.", "decides", True),
        ("Decision: none.", "decides", False),
        ("I'll close this one.", "decides", False),
        ("I propose a flag.", "proposes", True),
        ("We should add a flag.", "proposes", False),
        ("I disagree.", "opposes", True),
        ("I'm worried about the cost.", "opposes", False),
        ("I prefer tabs.", "prefers", True),
        ("I hate long functions.", "prefers", False),
    ],
)
def test_an_act_tells_whether_it_is_said_in_so_many_words(text, kind, plainly):
    act = read(text)[0].act(kind)

    assert act is not None
    assert act.plainly is plainly


def test_only_the_acts_that_a_caller_keeps_are_looked_for():
    [said] = read("I agree, we decided to use Redis.", kinds=("decides",))

    assert [act.kind for act in said.acts] == ["decides"]


@each_row("text", NO_DECISIONS)
def test_citing_asking_reporting_and_supposing_decide_nothing(text):
    assert "decides" not in kinds(text, TABLED)


def test_the_situation_makes_the_difference():
    assert "decides" in kinds("I can do that!", ASKED)
    assert "decides" not in kinds("I can do that!")
    assert "supports" in kinds("Yes.", TABLED)
    assert "supports" not in kinds("Yes.")
    assert "opposes" in kinds("That breaks everyone on 1.x.", TABLED)
    assert "opposes" not in kinds("That breaks everyone on 1.x.")


def test_a_bare_yes_accepts_a_task_that_the_speaker_was_asked_to_do():
    called = Situation(tabled=True, answers=True, called=True)

    assert kinds("Yes.", called) == {"decides"}
    assert "decides" not in kinds("Yes.", TABLED)
    assert "decides" not in kinds("Yes but I am away.", called)


def test_yes_and_builds_on_a_view_and_but_turns_from_it():
    told = Situation(told=True)

    assert kinds("Yes, and it would save us a week.", told) == {"supports"}
    assert kinds("But users lose a month.", told) == {"opposes"}
    assert not kinds("Yes, and it would save us a week.")


def test_what_follows_the_heading_of_an_outcome_is_no_proposal():
    found = kinds("Consensus:\n- We can use a design meeting.")

    assert "decides" in found
    assert "proposes" not in found


def test_what_is_taken_back_is_not_done():
    said = read("Let's go with Redis. Scratch that.")

    assert (said[0].acts, said[0].taken_back) == ((), True)
    assert kinds("Scratch that. We decided to use Postgres.") >= {"decides"}


def test_an_act_names_its_place_its_value_and_whom_it_concerns():
    text = "Hm. I agree with zed. We decided against Redis."
    agreed, decided = read(text)[1].acts[0], read(text)[2].acts[0]

    assert (text[agreed.start : agreed.end], agreed.whom) == ("I agree", ("zed",))
    assert (decided.value, decided.against) == ("redis", True)


def test_a_correction_gives_the_old_and_the_new_value():
    act = read("The port is 8080, not 80.")[0].act("corrects")

    assert act is not None
    assert (act.subject, act.value) == ("80", "8080")
