"""The reader: finds the acts of each sentence of a message.

Every part of the program uses the reader to find out whether someone decides, proposes, agrees,
objects, prefers, orders, corrects or states something. The result depends only on the text and the
situation.
"""

from __future__ import annotations

from varves.language.acts import KINDS, NOTHING, SUPPORTS, Situation, SpeechAct, acts
from varves.language.english.tongue import ENGLISH
from varves.language.guards import Guards, guards
from varves.language.sentences import MOST, SpokenSentence, sentences
from varves.values.value import Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Collection

    from varves.language.tables import Tongue


class Said(Value):
    """One sentence as it was read: its words, its guards and its acts."""

    sentence: SpokenSentence
    guards: Guards
    acts: tuple[SpeechAct, ...]
    taken_back: bool = False
    """Whether a later sentence of the message retracts this one; then it has no acts."""

    def act(self, kind: str) -> SpeechAct | None:
        """Return the first act of a kind in the sentence, or None."""
        return next((one for one in self.acts if one.kind == kind), None)


def read(
    text: str,
    situation: Situation = NOTHING,
    *,
    most: int = MOST,
    kinds: Collection[str] = KINDS,
    strictly: bool = False,
    tongue: Tongue = ENGLISH,
) -> tuple[Said, ...]:
    """Return the sentences of a message, with their guards and acts.

    Args:
        text: the message as written.
        situation: what happened before the message.
        most: the most characters that are read; the middle of a longer message is skipped.
        kinds: the acts to look for.
        strictly: whether a message that contains only other people's words has no sentences.
        tongue: the tables of its language.
    """
    found: list[Said] = []
    for one in sentences(text, most=most, strictly=strictly, tongue=tongue):
        meant = guards(one, tongue)
        if meant.takes_back:
            found = [said.replace(acts=(), taken_back=True) for said in found]
        said = Said(
            sentence=one, guards=meant, acts=acts(one, meant, situation, kinds=kinds, tongue=tongue)
        )
        found.append(said)
        if said.act(SUPPORTS) is not None:
            situation = situation.replace(agreed=True, agrees=True)
        if tongue.acts["sums_up"].match(one.plain):
            situation = situation.replace(settled=True)
    return tuple(found)
