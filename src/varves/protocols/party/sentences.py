"""Splits a turn into the speaker's own sentences, as the reader of `language` understands them.

The agents of the party are marked by name. A sentence that begins with another agent's name and a
colon is a line of a transcript, and not the speaker's own.
"""

from __future__ import annotations

import re

from varves.language.acts import (
    ATTESTS,
    BINDS,
    CONCEDES,
    DECIDES,
    GRANTS,
    INFERS,
    LEARNS,
    LIKES,
    OBSERVES,
    OPPOSES,
    PREFERS,
    PROPOSES,
    RESOLVES,
    RESTATES,
    YIELDS,
    Situation,
)
from varves.language.reader import read
from varves.language.sentences import NAMED
from varves.values.value import Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from varves.language.acts import SpeechAct
    from varves.language.names import Names
    from varves.language.reader import Said

LONGEST = 1000  # the most characters of a sentence that is read
_KINDS = (
    *(DECIDES, PROPOSES, OPPOSES, CONCEDES, YIELDS, GRANTS),
    *(BINDS, PREFERS, LIKES, ATTESTS, LEARNS, OBSERVES, INFERS, RESTATES, RESOLVES),
)
"""The acts that the party's rules use, in addition to agreement and disagreement."""
_COMPANY = Situation(named=True)
_LABEL = re.compile(r"@\d+ ?:")
TRAILING = re.compile(r"(?:[\s\u2013\u2014]|\s--?(?=\s*$))+$")
_ANNOUNCED = re.compile(  # words that only announce something to know
    r"(?:^|(?<=[.!?;]\s))[ \t]*(?:(?:please|also|just|but|so|and)\s+)*"
    r"(?:(?:note|keep\s+in\s+mind|bear\s+in\s+mind|mind|be\s+aware)(?:\s+that\s+|\s*[,:]\s*)"
    r"|(?:unfortunately|sadly|fyi)\s*[,:]\s*)",
    re.IGNORECASE | re.MULTILINE,
)


class TurnSentence(Value):
    """One sentence of a turn: the original text, and what the reader says of it."""

    text: str
    """The text, without opening words such as "as I said"."""
    said: Said
    whole: str
    """The text with what follows a dash, unless that is something of its own to remember."""

    @property
    def plain(self) -> str:
        """Its words in lower case, with marks for the agents."""
        return self.said.sentence.plain

    @property
    def asks(self) -> bool:
        """Whether it is a question."""
        return self.said.guards.asks

    @property
    def is_own(self) -> bool:
        """Whether it is the speaker's own statement: no question, no `if`, no one else's view."""
        meant = self.said.guards
        return not (meant.asks or meant.supposes or meant.tells)

    def act(self, kind: str, *, plainly: bool = False) -> SpeechAct | None:
        """Return the act of a kind, if the sentence does it."""
        found = self.said.act(kind)
        return found if found is not None and (found.plainly or not plainly) else None


def sentences(text: str, names: Names, speaker: str) -> list[TurnSentence]:
    """Return the sentences of a turn that are the speaker's own."""
    marked = _ANNOUNCED.sub(lambda found: " " * len(found[0]), names.mark(text))
    if speaker in names.people:
        own = re.escape(chr(NAMED + names.people.index(speaker)))
        label = re.compile(rf"^[ \t]*{own}+[ \t]*:", re.MULTILINE)
        marked = label.sub(lambda found: " " * len(found[0]), marked)
    found: list[TurnSentence] = []
    for one in read(marked, _COMPANY, kinds=_KINDS, strictly=True):
        start, end = one.sentence.start, one.sentence.end
        if end - start <= LONGEST and not _LABEL.match(one.sentence.plain):
            again = one.act(RESTATES)
            told = _trimmed(text[again.end if again else start : end])
            found.append(TurnSentence(text=told, said=one, whole=told))
    return found


def _trimmed(text: str) -> str:
    return TRAILING.sub("", text.lstrip(" ,:"))
