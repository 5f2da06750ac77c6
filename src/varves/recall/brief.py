"""The briefing: the memories that an agent should see now, in one block within a token budget.

The block has four parts: memories that must be included (critical or disputed), lasting memories
chosen independently of the task, recent memories, and answers to the task. Because the lasting
parts come first, successive blocks begin with the same text until a lasting memory changes, so a
prompt cache can reuse it.

For each part, memories are chosen one by one: always the memory that adds the most for its tokens.
What a memory adds is its usefulness, reduced by what the chosen memories already say. It is also
reduced for each chosen memory of the same session or type. Memories that must be included are
chosen shortest first, so that a larger budget never includes fewer of them.
"""

from __future__ import annotations

from varves.recall.fence import NONCE_LENGTH, block, line_of, record_of
from varves.recall.stopwords import STOPWORDS
from varves.values.text import LONGEST, count_tokens, fold, words
from varves.values.value import Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable
    from typing import Any

    from varves.values.memory import Memory

BUDGET = 2000
LASTING = 0.35  # the share of the budget for lasting memories, whatever the task is
TWINS = 0.75  # two memories that share at least this part of their words are treated as equal
SAID = 0.8  # the part of its usefulness that a memory loses if another memory has all its words
SESSION, TYPE = (
    0.75,
    0.94,
)  # the usefulness is multiplied by these for each chosen memory of the same session or type
LEAST = 0.05  # memories below this usefulness are left out
GOOD = 0.3  # answers with at least this usefulness come before memories that are not about the task
CHANGED = 0.5  # the usefulness is multiplied by this if the evidence has changed
GONE = "gone"  # memories whose evidence is completely gone are left out
LENGTH = 0.25  # the weight of a memory's length: 0 ignores it, 1 divides by its tokens
_ENOUGH = 4  # texts with fewer words than this together are twins only if they are equal
_DENYING = frozenset(("not", "no", "never", "nobody", "nothing", "none", "without", "t"))
_ANY = "a0" * (NONCE_LENGTH // 2)  # a placeholder with at least as many tokens as any real nonce


class Briefing(Value):
    """A block for a context window, and the memories in it."""

    text: str
    tokens: int
    ids: tuple[str, ...]
    omitted: int


class Topic:
    """A memory that may be included: its usefulness in one part of the block, and its line."""

    __slots__ = ("_line", "_stale", "_words", "about", "cost", "group", "memory", "use")

    def __init__(
        self,
        memory: Memory,
        use: float = 1.0,
        *,
        about: dict[str, Any] | None = None,
        stale: Callable[[Memory], str | None] | None = None,
    ) -> None:
        self.memory = memory
        self.use = use
        self.about = about or {}
        self._stale = stale  # only called for memories that would be included
        # memories of the same group are placed next to each other
        self.group = self.about.get("conflict")
        self.cost = 0
        self._line = ""
        self._words: frozenset[str] | None = None

    @property
    def words(self) -> frozenset[str]:
        """The words that distinguish this memory from others."""
        if self._words is None:
            said = words(self.memory.titled)
            self._words = frozenset(said) - STOPWORDS or frozenset(said)
        return self._words

    def check_evidence(self) -> bool:
        """Check the memory's evidence, but only once; return whether its usefulness changed."""
        stale = self._stale(self.memory) if self._stale else None
        self._stale = None
        if stale is None:
            return False
        self.about = {**self.about, "stale": stale}
        self.use = 0.0 if stale == GONE else self.use * CHANGED
        self._line = ""
        return True

    def line(self, room: int) -> str:
        """Return the memory's line of the block; "" if it cannot fit into `room` tokens."""
        if not self._line and len(self.memory.text) <= room * LONGEST:
            self._line = line_of(record_of(self.memory, self.about))
            self.cost = count_tokens(self._line + "\n")
        return self._line if self.cost <= room else ""


class Parts(Value):
    """The memories that may be included, in four groups: required, lasting, recent, answers."""

    musts: tuple[Topic, ...] = ()
    lasting: tuple[Topic, ...] = ()
    recent: tuple[Topic, ...] = ()
    answers: tuple[Topic, ...] = ()


class _Block:
    """A block that is being filled with memories."""

    def __init__(self, room: int) -> None:
        self.room = room
        self.told: dict[str, Topic] = {}
        self._sessions: dict[str, int] = {}
        self._types: dict[str, int] = {}

    def musts(self, topics: Iterable[Topic]) -> list[Topic]:
        """Add the memories that must be included, shortest first, while they fit; return those."""
        standing: list[Topic] = []
        for one in topics:
            one.check_evidence()
            if one.use and not any(_twins(one, other) for other in standing):
                standing.append(one)
        taken = []
        for one in sorted(standing, key=lambda one: (not one.line(self.room), one.cost)):
            if one.line(self.room):
                self._take(one)
                taken.append(one)
        return taken

    def fill(self, topics: Iterable[Topic], room: int) -> list[Topic]:
        """Add the memory that adds the most for its tokens, until no other memory fits."""
        waiting = [one for one in topics if one.use >= LEAST and one.memory.id not in self.told]
        fresh = {one.memory.id: self._newness(one) for one in waiting}
        taken: list[Topic] = []
        while True:
            room = min(room, self.room)
            fitting = [
                one for one in waiting if one.use and fresh[one.memory.id] and one.line(room)
            ]
            if not fitting:
                return taken
            best = max(fitting, key=lambda one: self._gain(one, fresh[one.memory.id]))
            if best.check_evidence():
                continue
            self._take(best)
            taken.append(best)
            room -= best.cost
            waiting = [one for one in fitting if one is not best]
            for one in waiting:
                fresh[one.memory.id] = min(fresh[one.memory.id], _newness(one, best))

    def _take(self, one: Topic) -> None:
        memory = one.memory
        self.told[memory.id] = one
        self.room -= one.cost
        if memory.session:
            self._sessions[memory.session] = self._sessions.get(memory.session, 0) + 1
        self._types[memory.type] = self._types.get(memory.type, 0) + 1

    def _newness(self, one: Topic) -> float:
        return min((_newness(one, other) for other in self.told.values()), default=1.0)

    def _gain(self, one: Topic, newness: float) -> tuple[float, str, str]:
        """Return what a memory adds for its tokens, as a sort key.

        Of equal memories, the newest wins.
        """
        gain = one.use * newness * SESSION ** self._sessions.get(one.memory.session or "", 0)
        gain *= TYPE ** self._types.get(one.memory.type, 0)
        return gain / one.cost**LENGTH, one.memory.created_at, one.memory.id


def briefing(
    parts: Parts, *, budget: int, total: int, nonce: Callable[[list[str]], str]
) -> Briefing:
    """Choose memories for a block and put them in order.

    Args:
        parts: the memories that may be included.
        budget: the maximum number of tokens of the whole block, marks included.
        total: how many memories the reader may see.
        nonce: returns the nonce for a block with the given lines.
    """
    whole = budget - count_tokens(block((), _ANY) + "\n")
    filling = _Block(max(0, whole))
    musts = filling.musts(parts.musts)
    lasting = filling.fill(parts.lasting, int(LASTING * filling.room))
    rest = filling.fill([one for one in parts.answers if one.use >= GOOD], whole)
    rest += filling.fill([*parts.answers, *parts.recent, *parts.lasting], whole)
    rank = {one.memory.id: place for place, one in enumerate(parts.answers)}
    recent = [one for one in rest if one.memory.id not in rank]
    answers = sorted(
        (one for one in rest if one.memory.id in rank), key=lambda one: rank[one.memory.id]
    )
    told = [*_steady(musts), *_steady(lasting), *_steady(recent), *answers]
    omitted = max(0, total - len(told))
    lines = [one.line(budget) for one in told]
    text = block(lines, nonce(lines)) if told else ""
    ids = tuple(one.memory.id for one in told)
    cost = count_tokens(block(lines, _ANY)) if told else 0
    return Briefing(text=text, tokens=cost, ids=ids, omitted=omitted)


def _steady(topics: list[Topic]) -> list[Topic]:
    """Return memories sorted by age, so that a new memory comes last.

    Memories in one dispute stay together.
    """
    return sorted(topics, key=lambda one: (one.group or "", one.memory.created_at, one.memory.id))


def _newness(one: Topic, other: Topic) -> float:
    """Return the share of a memory's words that the other lacks; 0 if both say the same."""
    shared = len(one.words & other.words)
    if not shared and one.words:
        return 1.0
    if _twins(one, other):
        return 0.0
    return 1 - SAID * shared / max(1, len(one.words))


def _twins(one: Topic, other: Topic) -> bool:
    """Return whether two memories are so similar that only one of them should be included.

    Memories in one dispute are never twins. Two memories that differ in a number or a negation are
    not twins either.
    """
    if one.group is not None and one.group == other.group:
        return one.memory.id == other.memory.id
    shared, both = one.words & other.words, one.words | other.words
    if len(both) < _ENOUGH:
        return fold(one.memory.titled) == fold(other.memory.titled)
    if len(shared) < TWINS * len(both):
        return False
    apart = frozenset(words(one.memory.titled)) ^ frozenset(words(other.memory.titled))
    return not any(word in _DENYING or not word.isalpha() for word in apart)
