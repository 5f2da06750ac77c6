"""Selects the best entries that no entry of a nearer scope hides, and formats them as one block.

If two entries are about the same subject, team precedes project and project precedes global. The
core's judge, or another rule passed to `Scoped`, decides whether two entries are about the same
subject. An entry that explicitly overrides a global one hides it without a notice; in all other
cases a notice names both entries. The block fences stored text as data.
"""

from __future__ import annotations

from functools import lru_cache

from varves.language.judge import DIFFERENT, judge, statement
from varves.protocols.records import seconds
from varves.protocols.scoped.entries import confidence
from varves.protocols.scoped.places import GLOBAL
from varves.protocols.scoped.search import telling
from varves.recall.fence import NONCE_LENGTH, block, line_of
from varves.recall.likeness import relation
from varves.recall.scopes import precedence, rank
from varves.values.gist import MAX_CHARS, gist
from varves.values.text import count_tokens, fold
from varves.values.value import Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence
    from typing import Any

    from varves.language.judge import Statement
    from varves.protocols.scoped.search import RelevanceScore
    from varves.values.memory import Memory

    Alike = Callable[[str, str], bool]
    """Returns whether a newer text is about the same subject as an older one."""

ORDER = precedence("scoped")
_ANY = "a0" * (NONCE_LENGTH // 2)  # no nonce has more tokens
COMPARED = 40  # the most entries of nearer scopes that one entry is compared with
_START = 3  # letters at the start of a word by which similar texts are found
_DAY = 10  # length of the date in an instant


_gist = lru_cache(maxsize=4096)(gist)


@lru_cache(maxsize=4096)
def _stated(text: str) -> Statement:
    return statement(text[:MAX_CHARS])


def alike(older: str, newer: str) -> bool:
    """Return whether a newer text repeats, updates or contradicts an older one."""
    if fold(older) == fold(newer):
        return True
    verdict = judge(_stated(older), _stated(newer))
    if verdict is not None:
        return verdict.kind != DIFFERENT
    return relation(_gist(older), _gist(newer)) is not None


class Shade:
    """Finds which entries hide which, among entries of several scopes."""

    def __init__(self, memories: Sequence[Memory], same: Alike) -> None:
        self._same = same
        self._levels = {one.id: rank(one.scope, ORDER) for one in memories}
        self._overridden = {
            name: one
            for one in memories
            for name in one.links.get("overrides", ())
            if self._levels[one.id] is not None
        }
        self._starts: dict[str, list[Memory]] = {}
        several = len(set(self._levels.values())) > 1
        general = max((level for level in self._levels.values() if level is not None), default=0)
        for one in memories if several else ():
            if (self._levels[one.id] or 0) < general:
                for start in _starts(one.text, same):
                    self._starts.setdefault(start, []).append(one)

    def overriding(self, memory: Memory) -> Memory | None:
        """Return the entry that explicitly overrides a memory or one that the memory replaced."""
        names = (memory.id, *memory.links.get("supersedes", ()))
        return next((self._overridden[one] for one in names if one in self._overridden), None)

    def before(self, memory: Memory) -> Memory | None:
        """Return an entry of a nearer scope about the same subject as a memory, if any."""
        level = self._levels.get(memory.id)
        if level is None or not self._starts:
            return None
        own = _starts(memory.text, self._same)
        shared: dict[str, int] = {}
        nearer: dict[str, Memory] = {}
        for start in own:
            for one in self._starts.get(start, ()):
                theirs = self._levels[one.id]
                if theirs is not None and theirs < level and one.trust >= memory.trust:
                    shared[one.id] = shared.get(one.id, 0) + 1
                    nearer[one.id] = one
        for name in _nearest(shared):
            if self._speak(nearer[name], memory):
                return nearer[name]
        return None

    def _speak(self, one: Memory, other: Memory) -> bool:
        older, newer = (one, other) if one.at <= other.at else (other, one)
        return self._same(older.text, newer.text)


def speaking_of(text: str, memories: Iterable[Memory], same: Alike) -> list[Memory]:
    """Return the memories about the same subject as a text that is recorded now."""
    own = _starts(text, same)
    known = {one.id: one for one in memories}
    shared = {name: len(own & _starts(one.text, same)) for name, one in known.items()}
    return [known[name] for name in _nearest(shared) if same(known[name].text, text)]


def _nearest(shared: dict[str, int]) -> list[str]:
    """Return the texts worth comparing, those with the most shared words first."""
    worth = [name for name, count in shared.items() if count]
    return sorted(worth, key=lambda name: -shared[name])[:COMPARED]


def _starts(text: str, same: Alike) -> set[str]:
    """Return the keys that find texts worth comparing; the default rule needs a shared word."""
    if same is not alike:
        return {""}
    return {word[:_START] for word in telling(text)}


class Chosen(Value):
    """Scores of the entries to show and of those that did not fit, and notices of hidden ones."""

    told: tuple[RelevanceScore, ...]
    skipped: tuple[RelevanceScore, ...]
    lines: tuple[str, ...]
    notices: tuple[str, ...]
    tokens: int


def parted(
    scores: Iterable[RelevanceScore], shade: Shade, *, most: int
) -> tuple[list[RelevanceScore], list[tuple[RelevanceScore, Memory]]]:
    """Return the first entries that are not hidden, at most `most`, and the hidden ones among them.

    Each hidden one comes with the entry that hides it.
    """
    best: list[RelevanceScore] = []
    hidden = []
    for one in scores:
        if len(best) == most:
            break
        nearer = shade.overriding(one.memory) or shade.before(one.memory)
        if nearer is None:
            best.append(one)
        else:
            hidden.append((one, nearer))
    return best, hidden


def choose(
    scores: Iterable[RelevanceScore],
    shade: Shade,
    name: Callable[[Memory], str],
    *,
    top: int,
    budget: int,
    disputed: Mapping[str, str] | None = None,
) -> Chosen:
    """Choose the best entries that are not hidden, as many as fit into a budget.

    Global entries only get the room that the others leave. The entries chosen are shown in the
    order of their ranks.

    Args:
        scores: the entries that may be shown, in the order in which they are wanted.
        shade: finds the hidden ones.
        name: returns an entry's number.
        top: the most entries.
        budget: the most tokens of the whole block, including its marks.
        disputed: by memory, the numbers of the entries that it is in conflict with.
    """
    nearest = sorted(scores, key=lambda one: one.memory.scope == GLOBAL)
    best, notices = _standing(nearest, shade, name, top=top)
    room = budget - count_tokens(block((), _ANY) + "\n")
    told, skipped, shown = [], [], {}
    for one in best:
        said = _shown(one, name(one.memory), (disputed or {}).get(one.memory.id))
        line = line_of(said)
        cost = count_tokens(line + "\n")
        if cost > room:
            skipped.append(one)
            continue
        room -= cost
        told.append(one)
        shown[one.memory.id] = line
    told.sort(key=lambda one: one.rank)
    lines = [shown[one.memory.id] for one in told]
    return Chosen(
        told=tuple(told),
        skipped=tuple(skipped),
        lines=tuple(lines),
        notices=tuple(notices),
        tokens=count_tokens(block(lines, _ANY)) if lines else 0,
    )


def _standing(
    scores: Iterable[RelevanceScore], shade: Shade, name: Callable[[Memory], str], *, top: int
) -> tuple[list[RelevanceScore], list[str]]:
    best, hidden = parted(scores, shade, most=top)
    notices = [
        f"{name(nearer)} of {nearer.scope} takes precedence over"
        f" {name(one.memory)} of {one.memory.scope}"
        for one, nearer in hidden
        if shade.overriding(one.memory) is None
    ]
    return best, notices


def _shown(one: RelevanceScore, label: str, against: str | None) -> dict[str, Any]:
    """Return the fields of an entry for an agent, its source before its text."""
    memory = one.memory
    said = {
        "id": label,
        "scope": memory.scope,
        "type": memory.type,
        "confidence": f"{confidence(memory):g}",
        "at": seconds(memory.created_at)[:_DAY],
    }
    if memory.origin != "direct":
        said["origin"] = memory.origin
    if against is not None:
        said["conflicts_with"] = against
    return {**said, "text": memory.text}
