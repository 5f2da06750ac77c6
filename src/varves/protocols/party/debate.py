"""One debate: its turns, the side of each agent, and the argument with which a side won.

The winner is the agent of the winning side who argued last. The winning argument is the last one
without an answer; if all were answered, it is the last one.
"""

from __future__ import annotations

from varves.protocols.party.relevance import significant
from varves.values.value import Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable

PRO, CONTRA = "pro", "contra"
OTHER = {PRO: CONTRA, CONTRA: PRO}


class Won(Value):
    """An argument that won a debate."""

    agent: str
    text: str
    challenged: bool
    turns: tuple[str, ...]
    """The argument's event, and the event that decided the debate."""


class Move(Value):
    """One side's turn in a debate."""

    number: int
    event: str
    agent: str
    side: str
    argument: str
    """The argument; empty if the turn only opposes."""
    proposal: str = ""
    """The text that it proposes, if it is the debate's proposal or a counter-proposal."""
    said: str = ""
    """Everything that the turn says."""


class Debate:
    """All turns on one proposal, and each agent's side."""

    def __init__(self, move: Move) -> None:
        self.moves = [move]
        self.sides = {move.agent: PRO}
        self.unsure: list[Move] = []
        """Turns that answer the debate without saying on which side; a concession settles it."""
        self.conceded: tuple[int, str, str, frozenset[str]] | None = None
        self.closed = False
        self.settled: Won | None = None

    def add(self, move: Move) -> None:
        """Add a turn; a turn of the side that conceded cancels the concession."""
        self.moves.append(move)
        self.sides.setdefault(move.agent, move.side)
        if self.conceded is not None and self.sides.get(self.conceded[1]) == move.side:
            self.conceded = None

    def side_of(self, agent: str) -> str | None:
        """Return an agent's side, also if only an unsure turn shows it."""
        unsure = (move.side for move in self.unsure if move.agent == agent)
        return self.sides.get(agent) or next(unsure, None)

    def has(self, number: int | None) -> bool:
        """Return whether a turn of the talk is one of the debate's, sure or not."""
        return any(move.number == number for move in (*self.moves, *self.unsure))

    @property
    def last(self) -> Move:
        """The last turn, sure or not."""
        return max((*self.moves, *self.unsure), key=lambda move: move.number)

    def words_against(self, agent: str) -> frozenset[str]:
        """Return the significant words of the other side, and of the side's last proposal."""
        side = self.side_of(agent)
        found = [move for move in (*self.moves, *self.unsure) if move.side != side]
        return significant(" ".join(f"{move.proposal} {move.said}" for move in found))

    def words_of(self, agent: str) -> frozenset[str]:
        """Return the significant words that an agent has proposed."""
        found = [move.proposal for move in (*self.moves, *self.unsure) if move.agent == agent]
        return significant(" ".join(found))

    def become_sure(self) -> None:
        """Count the unsure turns, because a concession shows that they were a debate."""
        for move in self.unsure:
            self.sides.setdefault(move.agent, move.side)
        moves = (move for move in self.unsure if self.sides[move.agent] == move.side)
        self.moves = sorted((*self.moves, *moves), key=lambda move: move.number)
        self.unsure = []

    def opposes(self, agent: str, named: Iterable[str]) -> bool:
        """Return whether one of the named agents is on the side against an agent."""
        against = OTHER.get(self.sides.get(agent, ""))
        return any(self.sides.get(name) == against for name in named if name in self.sides)

    def is_answered_by(self, number: int, side: str) -> bool:
        """Return whether a turn of one side directly follows one of the other side."""
        last = self.moves[-1]
        return last.side != side and last.number == number - 1

    @property
    def words(self) -> frozenset[str]:
        """The significant words of its proposals and arguments."""
        return significant(" ".join(f"{move.proposal} {move.argument}" for move in self.moves))

    @property
    def is_exchange(self) -> bool:
        """Whether both sides had a turn."""
        return {move.side for move in self.moves} == {PRO, CONTRA}

    def won_by(self, side: str, *, until: int, cause: str, among: frozenset[str]) -> Won | None:
        """Return the argument with which a side won; None if there was no debate or no argument."""
        heard = [move for move in self.moves if move.number < until]
        argued = [move for move in heard if move.side == side and move.argument]
        argued = [move for move in argued if move.agent in among] or ([] if among else argued)
        if not argued or not self.is_exchange:
            return None
        winner = argued[-1].agent
        own = [move for move in argued if move.agent == winner]
        answers = [move.number for move in heard if move.side != side]
        last_answer = max(answers, default=0)
        chosen = next((move for move in reversed(own) if move.number > last_answer), own[-1])
        return Won(
            agent=winner,
            text=chosen.argument,
            challenged=chosen.number < last_answer,
            turns=(chosen.event, cause),
        )
