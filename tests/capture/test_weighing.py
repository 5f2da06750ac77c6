"""Statements without a marker: what speaks for them is added up, and is told."""

from __future__ import annotations

from tests.tables import each_row
from varves.capture.lasting_words import lasting_words
from varves.capture.learnings import learnings
from varves.capture.signs import SIGNS
from varves.capture.weighing import Occasion, orders, weighed
from varves.language.sentences import plain
from varves.values.signals import SessionMessage

LASTING = (
    "the warehouse mounts that folder over nfs, so a grep in here proves nothing",
    "nobody restarts the broker by hand, the operator does that and pages you otherwise",
    "refunds go through the ledger service, never straight to the bank",
    "half of our customers are still on old tablets, so no container queries in anything they get",
    "values file. finance closes the books on the fifth, so nothing in billing ships before that",
    "in reviews i like the blockers on top and all the nits in one line",
    "more than five columns is noise to me, i read these on my phone",
)
TALK = (
    "the list still jumps for the old posts",
    "the importer hangs at the first row when i use both files",
    "we are moving the importer from 13 to 16",
    "i sent the file to our accounting people",
    "make every column in all our tables sortable",
    "all the tests in the repo are green now",
    "hard to tell, the wifi in our office is terrible",
    "one commit per step please, then open the pr",
    "the popover in the header is too low on every page",
    "however, the run has the same name for each of our jobs",
)


def said(*lines: str) -> list[SessionMessage]:
    roles = {"U": "user", "A": "assistant"}
    return [SessionMessage(role=roles[line[0]], text=line[2:]) for line in lines]


@each_row("sign", SIGNS)
def test_a_signal_is_in_its_example_and_not_in_its_near_miss(sign):
    for text, expected in ((sign.example, True), (sign.near, False)):
        form = plain(text)
        assert sign.is_in(form, {word.strip(",.") for word in form.split()}) is expected


@each_row("text", LASTING)
def test_what_is_so_in_general_is_kept_without_a_marker(text):
    assert len(lasting_words(text)) == 1


@each_row("text", TALK)
def test_talk_of_the_task_is_not_kept(text):
    assert lasting_words(text) == []


def test_the_signals_say_why():
    (one,) = lasting_words(LASTING[1])
    assert {"general", "we do not", "consequence"} <= set(one.why)
    assert weighed(plain(LASTING[1]), Occasion()).weight > 0


def test_the_first_message_sets_the_task_and_states_only_what_somebody_likes():
    fact, liking = LASTING[2], LASTING[5]
    assert [one.text for one in learnings(said(f"U {fact}"))] == []
    assert len(learnings(said(f"U {liking}"))) == 1
    assert len(learnings(said("U hi", "A Done, straight to the bank.", f"U {fact}"))) == 1


def test_sentences_that_go_on_are_one_statement():
    (one,) = lasting_words(
        "the status column is junk, sales sets it by hand for every customer."
        " a customer has churned when no invoice was paid for 60 days."
    )
    assert one.text.startswith("the status column")
    assert one.text.endswith("60 days.")


def test_a_preference_beside_a_request_is_kept_without_the_request():
    (one,) = lasting_words(
        "plot it, and for figures i like serif, pdf not png, same as in all my papers"
    )
    assert one.text.startswith("for figures i like")


def test_a_long_message_describes_a_task():
    assert (
        lasting_words(f"{LASTING[2]}. {'the next step of the import is the second one. ' * 12}")
        == []
    )


def test_an_order_begins_with_its_verb():
    assert orders("please just rename it")
    assert not orders("the rename is done")
    assert not orders("test is a noun here")
