"""The messages just before, and the choice of the proposal that a message refers to implicitly."""

from __future__ import annotations

import re

from varves.protocols.deliberation.acts import Table
from varves.protocols.deliberation.cues import AGREES, OBJECTS, PROPOSES
from varves.protocols.deliberation.repeats import shared
from varves.protocols.deliberation.sentences import sentences
from varves.protocols.deliberation.state import ACTIVE, PURGED, SYSTEM

TYPE_CHECKING = False
if TYPE_CHECKING:
    from varves.protocols.deliberation.state import Message, Proposal, State

_REACH = 6  # the maximum number of messages back that a statement may refer to
_ASKS = 3  # the maximum number of messages back that "I can do that" may refer to
_READ = 4000  # the characters of an earlier message that are read again
_VIEWS = 2  # the maximum number of messages back that an objection to a view may refer to
_ALIKE = 0.15  # the least share of a proposal's words in a statement about it
_WHO = re.compile(
    r"\b(?:who|someone|somebody|anyone|anybody|volunteers?|owner|liaison|reviewer|assign|can you|"
    r"could you|would you|will you|do you want|have you)\b"
)


class Before:
    """The situation before a message."""

    def __init__(self, message: Message, state: State) -> None:
        self._message = message
        recent = [
            one
            for one in state.pending
            if one.type not in (SYSTEM, PURGED) and one.id != message.id
        ]
        self.recent = recent[-_REACH:]
        self.open = self._open(state)

    def _open(self, state: State) -> tuple[Proposal, ...]:
        """Return others' active proposals within reach, the latest first."""
        places = {one.id: place for place, one in enumerate(reversed(self.recent))}
        found = [
            one
            for one in reversed(state.proposals)
            if one.status == ACTIVE
            and one.proposer != self._message.agent_id
            and one.message != self._message.id
        ]
        near = [one for one in found if one.message in places]
        # If a summary has just covered the messages, the last proposal still counts as near.
        return tuple(near or (found[:1] if len(self.recent) < _ASKS else ()))

    def table(self) -> Table:
        """Return the situation in which the speaker speaks."""
        last = [one for one in self.recent if one.agent_id != self._message.agent_id]
        words = [
            one.plain for message in last[-_ASKS:] for one in sentences(message.content, _READ)
        ]
        name = self._message.agent_id.lower()
        return Table(
            tabled=bool(self.open or self._message.reply_to) or any(map(_viewed, last[-_VIEWS:])),
            asked=any(
                (one.find(name) >= 0 or _WHO.search(one)) and (PROPOSES.search(one) or "?" in one)
                for one in words
            ),
            agreed=bool(last) and _agreed(last[-1]),
        )

    def meant(self, text: str) -> Proposal | None:
        """Return the open proposal that an agreement or objection most likely refers to."""
        folded = text.lower()
        for message in self.recent:
            who = message.agent_id
            if who != self._message.agent_id and _names(folded, who):
                return next((one for one in self.open if one.proposer == who), None)
        if not self.open:
            return None
        scores = [(shared(text, one.content), one) for one in self.open]
        best = max(scores, key=lambda pair: pair[0])
        return best[1] if best[0] >= _ALIKE else self.open[0]


def _viewed(message: Message) -> bool:
    """Return whether a message expresses a view on what should be done."""
    return any(
        pattern.search(one.done)
        for one in sentences(message.content, _READ)
        for pattern in (AGREES, OBJECTS, PROPOSES)
    )


def _agreed(message: Message) -> bool:
    return any(
        AGREES.search(one.done) and not one.asks for one in sentences(message.content, _READ)
    )


def _names(folded: str, who: str) -> bool:
    return re.search(rf"\b(?:with|to|as|like) @?{re.escape(who.lower())}\b", folded) is not None
