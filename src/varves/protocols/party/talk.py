"""What a detector reads, and what it answers: a party's talk in, findings and bonds out.

A detector is one callable: `Callable[[Talk], list[Finding | Bond]]`. It is pure. The rules of this
package are one; a host may put another in its place.
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
"""What a turn may be called; `statement` lets the rules read its text."""


class Turn(Value):
    """One thing somebody said."""

    event: str
    """The id of the event that keeps it."""
    number: int
    """Its place in the talk, from 1; decisions have places of their own in the same count."""
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
    """Whether somebody gave it its id: of that id there is one, however often it is decided."""


class PartyTalk(Value):
    """A party's whole talk, in order."""

    session: str
    agents: dict[str, str]
    """Display names, by agent, in the order they were named at the start."""
    turns: tuple[Turn, ...]
    decisions: tuple[DecisionRecorded, ...] = ()


class TalkFinding(Value):
    """Something worth remembering for one agent."""

    agent: str
    type: str
    """One of `TYPES`."""
    text: str
    """In full; it is shortened where it is shown."""
    confidence: float
    turns: tuple[str, ...]
    """The events it was read from, the last one last."""
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
