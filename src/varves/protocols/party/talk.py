"""The input and output of a detector: a party's talk in, findings and bonds out.

A detector is one pure callable: `Callable[[Talk], list[Finding | Bond]]`. The rules of this package
are one detector; a host may pass another.
"""

from __future__ import annotations

from varves.values.value import Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable


TYPES = ("observation", "preference", "context", "decision")
RELATIONS = ("agrees_with", "disagrees_with", "complements")
TURNS = (
    "statement",
    "argument",
    "proposal",
    "rebuttal",
    "concession",
    "question",
    "agreement",
    "disagreement",
    "complement",
    "observation",
    "inference",
    "fact",
    "preference",
    "constraint",
)
"""The types of a turn; for `statement`, the rules read the text."""
SAID = "said-decision"
"""The rule of a finding that is a decision without a decision record."""


class Turn(Value):
    """One utterance of an agent."""

    event: str
    """The id of the event that stores it."""
    number: int
    """Its position in the talk, from 1; decisions are counted in the same sequence."""
    agent: str
    text: str
    to: str | None = None
    type: str = "statement"


class DecisionRecorded(Value):
    """A decision record of the party."""

    event: str
    number: int
    id: str
    """Such as `DR-001`."""
    text: str
    outcome: str
    """`accepted`, `rejected` or `compromise`."""
    roles: dict[str, str]
    """Proponent, opponent, arbitrator or participant; every agent of the party has one."""
    positions: dict[str, str] = {}  # noqa: RUF012 - values are frozen
    named: bool = False
    """Whether a caller gave the id: then a repeated decision replaces the earlier one."""


class PartyTalk(Value):
    """A party's whole talk, in order."""

    session: str
    agents: dict[str, str]
    """Display names, by agent, in the order given at the start."""
    turns: tuple[Turn, ...]
    decisions: tuple[DecisionRecorded, ...] = ()


class TalkFinding(Value):
    """Something worth remembering for one agent."""

    agent: str
    type: str
    """One of `TYPES`."""
    text: str
    """The full text; it is shortened for display."""
    confidence: float
    turns: tuple[str, ...]
    """The events it is based on, in order."""
    rule: str


class Bond(Value):
    """One sign that an agent agrees with, disagrees with or complements another."""

    agent: str
    other: str
    relation: str
    """One of `RELATIONS`."""
    turns: tuple[str, ...]
    rule: str


if TYPE_CHECKING:
    Detector = Callable[[PartyTalk], list[TalkFinding | Bond]]
