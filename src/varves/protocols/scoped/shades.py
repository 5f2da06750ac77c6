"""Which entries hide which: those of a nearer scope about the same subject.

Team precedes project and project precedes global. The core's judge, or another rule passed to
`Scoped`, decides whether two entries are about the same subject. An entry may also override a
global one explicitly.
"""

from __future__ import annotations

from functools import lru_cache
from sys import intern

from varves.language.judge import CONTRADICTION, DIFFERENT, UPDATE, judge, statement
from varves.language.tokens import canonical
from varves.protocols.scoped.options import RIVALS
from varves.protocols.scoped.search import telling
from varves.recall.likeness import relation
from varves.recall.scopes import precedence, rank
from varves.values.gist import MAX_CHARS, gist
from varves.values.text import fold

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from varves.language.judge import Statement
    from varves.protocols.scoped.ranking import RelevanceScore
    from varves.values.memory import Memory

    Alike = Callable[[str, str], bool]
    """Returns whether a newer text is about the same subject as an older one."""

ORDER = precedence("scoped")
_START = 3  # letters at the start of a word by which similar texts are found
_TEXTS = 16_384  # the most texts whose words are kept in memory


_gist = lru_cache(maxsize=4096)(gist)


@lru_cache(maxsize=4096)
def _stated(text: str) -> Statement:
    return statement(text[:MAX_CHARS])


@lru_cache(maxsize=4096)
def alike(older: str, newer: str) -> bool:
    """Return whether a newer text repeats, updates or contradicts an older one."""
    if fold(older) == fold(newer):
        return True
    verdict = judge(_stated(older), _stated(newer))
    if verdict is not None:
        return verdict.kind != DIFFERENT
    return relation(_gist(older), _gist(newer)) is not None


def is_opposed(one: Memory, other: Memory, same: Alike) -> bool:
    """Return whether two entries of different scopes cannot both hold: the later changes the other.

    Another rule than the judge only tells what is about the same subject.
    """
    older, newer = (one, other) if one.at <= other.at else (other, one)
    if one.scope == other.scope or fold(one.text) == fold(other.text):
        return False
    if same is not alike:
        return same(older.text, newer.text)
    verdict = judge(_stated(older.text), _stated(newer.text))
    return verdict is not None and verdict.kind in (CONTRADICTION, UPDATE)


class Shade:
    """Finds which entries hide which, among entries of several scopes."""

    def __init__(self, memories: Sequence[Memory], same: Alike) -> None:
        self._same = same
        ranks = {scope: rank(scope, ORDER) for scope in {one.scope for one in memories}}
        general = max((level for level in ranks.values() if level is not None), default=0)
        self._levels = {one.id: ranks[one.scope] for one in memories}
        self._nearer = [one for one in memories if (ranks[one.scope] or 0) < general]
        self._starts: dict[str, list[Memory]] | None = None
        self._overridden = {
            name: one
            for one in memories
            if one.links
            for name in one.links.get("overrides", ())
            if ranks[one.scope] is not None
        }

    def overriding(self, memory: Memory) -> Memory | None:
        """Return the entry that explicitly overrides a memory or one that the memory replaced."""
        names = (memory.id, *memory.links.get("supersedes", ()))
        return next((self._overridden[one] for one in names if one in self._overridden), None)

    def before(self, memory: Memory) -> Memory | None:
        """Return an entry of a nearer scope about the same subject as a memory, if any."""
        level = self._levels.get(memory.id)
        if not level or not self._nearer:
            return None
        if self._starts is None:
            self._starts = {}
            for one in self._nearer:
                for start in _starts(one.text, self._same):
                    self._starts.setdefault(start, []).append(one)
        shared: dict[str, int] = {}
        nearer: dict[str, Memory] = {}
        for start in sorted(_starts(memory.text, self._same)):
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


def nearest(text: str, memories: Iterable[Memory]) -> list[Memory]:
    """Return the memories worth comparing with a text, those with the most shared words first."""
    own = _word_starts(text)
    known = {one.id: one for one in memories}
    shared = {name: len(own & _word_starts(one.text)) for name, one in known.items()}
    return [known[name] for name in _nearest(shared)]


def _nearest(shared: dict[str, int]) -> list[str]:
    """Return the texts worth comparing, those with the most shared words first."""
    worth = [name for name, count in shared.items() if count]
    return sorted(worth, key=lambda name: -shared[name])[:RIVALS]


def _starts(text: str, same: Alike) -> frozenset[str]:
    """Return the keys that find texts worth comparing; the default rule needs a shared word."""
    return _word_starts(text) if same is alike else _ANY


_ANY = frozenset(("",))


@lru_cache(maxsize=_TEXTS)
def _word_starts(text: str) -> frozenset[str]:
    """Return the starts of a text's words, and what represents each and its synonyms."""
    said = telling(text)
    return frozenset(intern(key) for word in said for key in (word[:_START], f"={canonical(word)}"))


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
