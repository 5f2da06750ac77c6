"""What counts as asking for something, and what is only thanks, a farewell or a statement."""

from __future__ import annotations

from tests.tables import each_row
from varves.capture.requests import asks_for_work

ASKED = (
    "fix the header",
    "commit it and then fix the typo in the footer please",
    "why is that so slow",
    "could you rename the endpoint",
    "I want the build script cleaned up, it is a mess",
    "hi, the checkout test is red on main",
    "the list still jumps, and the second test fails",
    "We won't sell in the US, so drop the dollar prices.",
    "run it again",
    "now the same for the importer",
    "next: the export",
)
NOT_ASKED = (
    "cool, that's it for today",
    "great, bye",
    "thanks, looks great",
    "perfect, see you tomorrow",
    "go ahead",
    "yes, do that",
    "awesome, works now",
    "I merged it myself",
    "can we stop here?",
    "maybe we should use GraphQL some day, not sure",
    "Never call the live API from tests.",
    "one more: Ines has to approve anything that touches the contracts folder",
    "<system-reminder>run the tests</system-reminder>",
)


@each_row("text", ASKED)
def test_a_request_is_recognized(text):
    assert asks_for_work(text)


@each_row("text", NOT_ASKED)
def test_talk_and_lasting_statements_ask_for_nothing(text):
    assert not asks_for_work(text)
