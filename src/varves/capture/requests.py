"""Decides whether a message asks for work; thanks, farewells and lasting statements do not."""

from __future__ import annotations

from varves.capture.cues import ASKS_TOO
from varves.capture.lasting_words import lasting_words
from varves.capture.own_words import own_words
from varves.capture.weighing import orders
from varves.language.english.tongue import ENGLISH
from varves.language.sentences import sentences

TYPE_CHECKING = False
if TYPE_CHECKING:
    from varves.language.sentences import SpokenSentence


def asks_for_work(text: str) -> bool:
    """Return whether a user's message contains a question, an order or a complaint."""
    said = own_words(text)
    asking = [one for one in sentences(said) if _asks(one)]
    if not asking:
        return False
    lasting = " ".join(one.text for one in lasting_words(text))
    return any(one.text.rstrip(".!") not in lasting for one in asking)


def _asks(sentence: SpokenSentence) -> bool:
    body = sentence.body
    if ENGLISH.acts["closes"].search(body):
        return False
    if sentence.asks or ENGLISH.guards["asks"].search(sentence.plain):
        return True
    if orders(body) or ASKS_TOO.search(body):
        return True
    return (
        ENGLISH.acts["requests"].search(body) is not None
        and ENGLISH.guards["guesses"].search(body) is None
    )
