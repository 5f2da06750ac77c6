"""Judges whether a newer statement replaces an older one, and whether that is certain.

The judge decides whether two statements update or contradict each other. A person who reads a
conflict sees both statements. A caller that replaces the older one automatically needs more
certainty, because a value that is replaced by mistake is lost. A replacement is certain only if
nothing suggests that the statements are about two different things. Signs of two things are:

    a word is written in another case      newCart and NewCart
    there is an aside                      the port is 8080 (EU)
    one of several clauses differs         the flag A is on, the flag B is off
    the subject is one of several          a reviewer is Omar
    the verb often has several objects     returns 404 errors (english/several.py), unless the newer
                                           statement tells of a change: now returns 403 errors
    a person has two names or offices      Ada is Lead, Ada is Founder
    the thing that ended belongs elsewhere release 1.5 dropped Python 3.9
    the newer is about a limited time      today the port is 8081
    a pronoun has no name in the text      keep version 3.1 on it
    a name says which of several things    Lukas reviews the Go services
    an action may have another object      Dana likes Vim, unless the newer tells of a change

If the judge has no opinion, the rule of likeness is applied; its result is never certain. Two
things that were chosen for one purpose, or two tools to which or from which something goes, are
never certain either, because the judge may not know that the two are of one kind.
"""

from __future__ import annotations

import re
from functools import lru_cache

from varves.language.differences import THEMES, FrameDifference
from varves.language.english.several import SEVERAL
from varves.language.english.verbs import WEAK
from varves.language.frames import CHOOSING, MEASURES, Statement, is_tool
from varves.language.instead import instead, unbounded
from varves.language.judge import CONTRADICTION, DIFFERENT, SAME, UPDATE, Judgement, judge
from varves.language.judge import statement as parsed
from varves.language.passing import is_passing
from varves.language.references import refers_outside
from varves.language.tokens import canonical

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from varves.language.frames import Frame, Mention

PREPARED = 2048  # the number of statements that a process caches
_SEVERAL = frozenset(canonical(verb) for verb, *_ in SEVERAL)
_HAVE = canonical("have")
_INDEFINITE = frozenset(("a", "an", "one", "another", "some", "there"))
_STORING = frozenset(map(canonical, ("live", "store", "keep", "host", "reside", "save")))
_SHORT = 5  # the most words of a short text
_WORD = re.compile(r"\w+(?:[.'\u2019-]\w+)*")

prepared = lru_cache(maxsize=PREPARED)(parsed)


class Replacement:
    """How a newer statement replaces an older one: kind, reason, and whether it is certain."""

    __slots__ = ("certain", "kind", "reason")

    def __init__(self, kind: str, reason: str, *, certain: bool) -> None:
        self.kind = kind
        """update or contradiction"""
        self.reason = reason
        self.certain = certain


def opinion(older: str, newer: str) -> Judgement | None:
    """Return the judge's opinion.

    Two rules are added: a thing is stored in one place, and one value takes the place of another
    if the newer text says so ("on Sundays instead").
    """
    old, late = prepared(older), prepared(newer)
    verdict = judge(old, late)
    if verdict is not None and verdict.kind == DIFFERENT and _is_stored_elsewhere(old, late):
        reason = FrameDifference(old.frames[0], late.frames[0]).reason()
        return Judgement(CONTRADICTION, reason)
    if verdict is None or verdict.kind == DIFFERENT:
        placed = instead(old, prepared(unbounded(newer)), newer)
        if placed is not None:
            return Judgement(UPDATE, placed[0])
    return verdict


def may_relate(older: str, newer: str) -> bool:
    """Return whether two texts have words in common by which statements are found.

    These are a pair of words or, if one text has only a few words, any word. The judge hardly ever
    relates other texts; this is much faster than asking the judge.
    """
    here, there = _keys(older), _keys(newer)
    if not here.pairs.isdisjoint(there.pairs):
        return True
    return (here.short or there.short) and not here.words.isdisjoint(there.words)


class _Keys:
    """The words of a text, and the keys by which it is found."""

    __slots__ = ("pairs", "short", "words")

    def __init__(self, text: str) -> None:
        made = prepared(text)
        self.pairs = frozenset(made.keys)
        self.words = frozenset(key for frame in made.frames for key in (*frame.terms, frame.verb))
        self.short = len(self.words) <= _SHORT


_keys = lru_cache(maxsize=PREPARED)(_Keys)


def replacement(older: str, newer: str, *, decided: bool = False) -> Replacement | None:
    """Return how the newer text replaces the older text; None if it does not replace it.

    Args:
        older: the older text.
        newer: the newer text.
        decided: whether both texts are decisions, so that "use X for Y" chooses X for Y.
    """
    return replaced_by(opinion(older, newer), older, newer, decided=decided)


def replaced_by(
    verdict: Judgement | None, older: str, newer: str, *, decided: bool = False
) -> Replacement | None:
    """Return how the newer text replaces the older text, given the opinion about them."""
    if verdict is None:
        return _chosen(prepared(older), prepared(newer))
    if verdict.kind == DIFFERENT:
        return _preferred(prepared(older), prepared(newer), decided=decided)
    if verdict.kind == SAME or is_passing(older, prepared(older)):
        return None
    pairs = list(_deciding(prepared(older), prepared(newer)))
    if pairs and all(map(_is_case, pairs)):
        return None
    hinted = (
        _recased(older, newer) or _is_indefinite(older, newer) or is_passing(newer, prepared(newer))
    )
    hinted = hinted or refers_outside(older) or refers_outside(newer)
    placed = None if pairs else instead(prepared(older), prepared(unbounded(newer)), newer)
    if placed is not None:
        return Replacement(verdict.kind, verdict.reason, certain=placed[1] and not hinted)
    if pairs:
        plain = all(_is_plain(pair, verdict.kind) for pair in pairs)
    else:
        plain = _names(prepared(older)) <= _names(prepared(newer))
    return Replacement(verdict.kind, verdict.reason, certain=plain and not hinted)


def _chosen(older: Statement, newer: Statement) -> Replacement | None:
    """Return a replacement if two statements share a verb and choose two different values."""
    if len(older.frames) != 1 or len(newer.frames) != 1:
        return None
    [old], [late] = older.frames, newer.frames
    if old.verbs != late.verbs or not old.verbs or old.negated != late.negated or late.also:
        return None
    found = FrameDifference(old, late)
    if len(found.pairs) != 1 or found.gone or found.come or not (old.states and late.states):
        return None
    [(kind, one, other)] = found.pairs
    if kind in MEASURES or one.role in THEMES or other.role in THEMES:
        return None
    return Replacement(CONTRADICTION, f"two choices: {one.raw} and {other.raw}", certain=False)


def _preferred(older: Statement, newer: Statement, *, decided: bool) -> Replacement | None:
    """Return a replacement if two statements name two things that the judge takes for unlike ones.

    That is so if both were chosen for one purpose, as in "we chose Kotlin for the app", or if one
    thing goes to two tools or comes from them, as in "errors go to Sentry".
    """
    if len(older.frames) != 1 or len(newer.frames) != 1:
        return None
    [old], [late] = older.frames, newer.frames
    if old.verbs != late.verbs or old.negated or late.negated or late.also:
        return None
    if not (old.states and late.states) or old.conditions != late.conditions:
        return None
    found = FrameDifference(old, late)
    if found.pairs or found.passed or found.bounded or len(found.gone) != 1 or len(found.come) != 1:
        return None
    [one], [other] = found.gone, found.come
    if (
        one.role != other.role
        or {one.kind, other.kind} <= {""}
        or {one.kind, other.kind} & MEASURES
    ):
        return None
    chosen = one.role == "object" and found.one_purpose and (decided or old.verb in CHOOSING)
    about = any(old.terms[key].role in THEMES for key in found.core)
    sent = one.role in ("to", "from") and about and (is_tool(one.kind) or is_tool(other.kind))
    if not (chosen or sent):
        return None
    return Replacement(CONTRADICTION, found.reason(), certain=False)


def _alone(frame: Frame) -> Statement:
    made = Statement()
    made.frames.append(frame)
    return made


def _deciding(older: Statement, newer: Statement) -> Iterator[FrameDifference]:
    """Yield the pairs of clauses by which the newer text updates or contradicts the older one."""
    for old in older.frames:
        for late in newer.frames:
            verdict = judge(_alone(old), _alone(late))
            if verdict is not None and verdict.kind in (UPDATE, CONTRADICTION):
                yield FrameDifference(old, late)
    if len(older.frames) == len(newer.frames) == 1 and _is_stored_elsewhere(older, newer):
        yield FrameDifference(older.frames[0], newer.frames[0])


def _is_plain(found: FrameDifference, kind: str) -> bool:
    """Return whether two clauses differ only in the value of one thing."""
    old, late = found.old, found.late
    if found.passed or (kind == CONTRADICTION and max(old.company, late.company) > 1):
        return False
    if not _numbered(old) <= _numbered(late):
        return False
    values = [pair for pair in found.pairs if pair[0] in MEASURES]
    several = found.verbs & _SEVERAL
    if several and found.pairs and kind != UPDATE and not (several == {_HAVE} and values):
        return False
    about = [old.terms[key] for key in found.core]
    if kind != UPDATE and not found.agents and any(_is_one_object(found, *p) for p in found.pairs):
        return False
    people = old.verb == "be" == late.verb and found.both_names and (found.gone or found.come)
    return not (people and all(term.kind in ("person", "name") for term in about))


def _is_one_object(found: FrameDifference, kind: str, one: Mention, other: Mention) -> bool:
    """Return whether two values may be two objects of one action: "signs German contracts".

    A verb such as "use" or "run" only connects a thing with its value.
    """
    if kind in MEASURES or one.role != "object" or other.role != "object":
        return False
    return found.old.verb not in WEAK and found.late.verb not in WEAK


def _is_case(found: FrameDifference) -> bool:
    """Return whether two statements are about two cases, as in "slow on Safari" and "on Chrome"."""
    if found.old.verb != "be" or found.late.verb != "be" or found.pairs:
        return False
    differing = (*found.gone, *found.come)
    told = any(found.old.terms[key].role == "is" for key in found.core)
    return told and bool(differing) and all(term.role == "in" for term in differing)


def _is_stored_elsewhere(older: Statement, newer: Statement) -> bool:
    """Return whether two texts name two tools that store one thing, even tools of two kinds."""
    if len(older.frames) != 1 or len(newer.frames) != 1 or older.partly or newer.partly:
        return False
    [old], [late] = older.frames, newer.frames
    if old.verbs != late.verbs or not old.verbs & _STORING or not (old.states and late.states):
        return False
    if old.negated or late.negated or old.conditions != late.conditions or late.also:
        return False
    found = FrameDifference(old, late)
    if found.pairs or found.passed or not found.core or found.bounded:
        return False
    if not any(old.terms[key].role in THEMES for key in found.core):
        return False
    differing = (*found.gone, *found.come)
    tools = all(term.role == "in" and is_tool(term.kind) for term in differing)
    return tools and len(found.gone) == len(found.come) == 1


def _numbered(frame: Frame) -> set[str]:
    """Return the names with a number in a clause's subject, such as release 1.4 or ticket 12."""
    return {
        term.key
        for term in frame.terms.values()
        if term.role in THEMES and term.kind not in MEASURES and any(map(str.isdigit, term.raw))
    }


def _names(statement: Statement) -> set[str]:
    return {name for frame in statement.frames for name in _numbered(frame)}


def _recased(one: str, other: str) -> bool:
    """Return whether a word other than the first has another case in the other text."""
    here, there = (_cases(text) for text in (one, other))
    return any(here[word].isdisjoint(there[word]) for word in here.keys() & there.keys())


def _cases(text: str) -> dict[str, set[str]]:
    found: dict[str, set[str]] = {}
    for word in _WORD.findall(text)[1:]:
        found.setdefault(word.lower(), set()).add(word)
    return found


def _is_indefinite(*texts: str) -> bool:
    """Return whether a text is about one thing of several, as in "a reviewer is Omar"."""
    first = (next(iter(_WORD.findall(text)), "").lower() for text in texts)
    return any(word in _INDEFINITE for word in first)
