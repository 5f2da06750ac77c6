"""Reads what an event says about blockers: what prevents progress, and what was resolved.

A tagged line (`Blocker: no certificate`, `Resolved: …`), a list below such a tag, or a sentence in
plain words ("We are blocked by …", "waiting for …", "cannot proceed until …", "… has arrived").
"""

from __future__ import annotations

import re

from varves.protocols.layers.grammar import groups, tidy
from varves.recall.stopwords import STOPWORDS
from varves.values.gist import stem
from varves.values.text import fold

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

BLOCKER, RESOLVED, DONE = "blocker", "resolved", "done"

_TAGS = {
    BLOCKER: r"blockers?(?:/issues)?|blocked(?: by| on)?|blocking(?: issues?)?|waiting (?:for|on)"
    r"|(?:(?:known|open) )?issues?|problems?|impediments?",
    RESOLVED: r"resolved|unblocked|solved|fixed|blockers? (?:resolved|removed|cleared|lifted)",
    DONE: r"done|completed|finished",
}
_TAGGED = re.compile(
    r"(?:" + "|".join(f"(?P<{name}>{words})" for name, words in _TAGS.items()) + r")\s*:\s*(.*)",
    re.IGNORECASE,
)
_LABEL = re.compile(rf"(?:{_TAGS[BLOCKER]})", re.IGNORECASE)
_KEPT = re.compile(r"(?:blocked|waiting) (?:by|on|for)", re.IGNORECASE)
_LEAD = re.compile(r"^(?:\s*>)*\s*(?:(?:[-*+]|\d+[.)])\s+)?(?:\[( |x|X)\]\s+)?")
_TITLE = re.compile(r"^#+ (?:\d{4}-\d\d-\d\d\S*(?: \d\d:\d\d)? [\u2014\u2013-] )?")
_BULLETED = re.compile(r"(?:\s*>)*\s*(?:[-*+]|\d+[.)])\s")
_SENTENCE = re.compile(r"(?<=[.!?;])\s+")
_CANNOT = r"(?:cannot|can['\u2019]t|can not|(?:is|are|am|be) unable to|not able to)"
_STATES = re.compile(
    r"\b(?:(?:is|are|am|be|remains?|stays?|\w+['\u2019](?:re|m|s)|still|currently|now)"
    r" (?:\w+ )?|^)(?:blocked|stuck|held up|on hold|waiting)"
    r" (?:by|on|for|until|because|at)\b"
    rf"|\b{_CANNOT} (?:[\w-]+ ){{1,5}}?(?:until|unless|without|before|as long as|because)\b"
    r"|\b(?:blocks|is blocking|are blocking|prevents|is preventing) ",
    re.IGNORECASE,
)
_CAUSING = ("blocks", "blocking", "prevents", "preventing")
_NOT = re.compile(
    r"\b(?:no longer|nothing|not (?:blocked|blocking|waiting|stuck)|isn['\u2019]t|aren['\u2019]t"
    r"|if|whether|would|was|were|had|until now|never)\b",
    re.IGNORECASE,
)
_ENDS = re.compile(
    r"\bno longer (?:blocked|waiting|stuck|held up|on hold)(?: by| for| on| at)?\b"
    r"|\b(?:is|are|was|were|been|got|now) (?:now |finally |all )?(?:resolved|unblocked|cleared"
    r"|solved|fixed|lifted|gone|available|approved|delivered|granted|signed(?: off)?)\b"
    r"|\b(?:arrived|came through|came in|has landed)\b",
    re.IGNORECASE,
)
_OPEN = re.compile(
    r"\b(?:not|never|until|once|if|when|unless|before|will|should|would|must|nearly|almost"
    r"|\w+n['\u2019]t)\b",
    re.IGNORECASE,
)
_MAYBE = re.compile("|".join((*_TAGS.values(), _STATES.pattern, _ENDS.pattern)), re.IGNORECASE)
_WORD = re.compile(r"[^\W_]+")
_EMPTY = frozenset(
    stem(word).rstrip("e")
    for word in (
        *("blocked", "blocker", "blocking", "waiting", "stuck", "hold", "cannot", "unable"),
        *("arrives", "arrived", "comes", "approved", "still", "currently", "missing", "finally"),
    )
)


def is_tagged(line: str) -> bool:
    """Return whether a line is a tag with its text, and not a step of its own."""
    return _TAGGED.fullmatch(_bare(line).strip("~").strip()) is not None


def _bare(line: str) -> str:
    return tidy(_LEAD.sub("", line).replace("**", "").replace("__", ""))


def told(text: str) -> Iterator[tuple[str, str]]:
    """Yield (`blocker`, `resolved` or `done`, text) for the statements of an event, in order."""
    if not _MAYBE.search(text):
        return
    mode: str | None = None
    for part in groups(text):
        rest = []
        if part[0].lstrip(" >").startswith("#"):
            title = _TITLE.sub("", part[0].lstrip(" >")).strip("# ")
            mode = BLOCKER if _LABEL.fullmatch(title.rstrip(":")) else None
            yield from _sentences("" if mode else title)
            continue
        for line in part:
            bare = _bare(line)
            struck = bare.startswith("~~") and bare.endswith("~~")
            found = _TAGGED.fullmatch(bare.strip("~").strip())
            if found is None:
                rest.append(bare)
                continue
            mark = next(name for name in _TAGS if found[name])
            said = tidy(found[4])
            if not said:
                mode = mark
            elif mark == BLOCKER:
                kept = _KEPT.fullmatch(found[1])
                yield RESOLVED if struck else mark, f"{found[1]} {said}" if kept else said
            else:
                yield mark, said
        if not rest:
            continue
        said = tidy(" ".join(rest))
        ticked = _LEAD.match(part[0])
        if mode and _BULLETED.match(part[0]):
            yield RESOLVED if mode == BLOCKER and ticked and ticked[1] in ("x", "X") else mode, said
        else:
            mode = None
            yield from _sentences(said)


def _sentences(text: str) -> Iterator[tuple[str, str]]:
    for sentence in _SENTENCE.split(text):
        if sentence.endswith("?") or not sentence:
            continue
        states = _STATES.search(sentence)
        if states and not _NOT.search(sentence, 0, states.end()):
            yield BLOCKER, sentence
            continue
        ends = _ENDS.search(sentence)
        if ends and not _OPEN.search(sentence, 0, ends.end()):
            freed = ends[0].casefold().startswith("no longer")
            subject = sentence[ends.end() :] if freed else sentence[: ends.start()]
            if words(subject):
                yield f"{RESOLVED} in passing", subject


def stems(text: str) -> frozenset[str]:
    """Return the words of a text without endings and without the most common ones."""
    found = (word for word in _WORD.findall(text.casefold()) if word not in STOPWORDS)
    return frozenset(stem(word).rstrip("e") for word in found)


def words(text: str) -> frozenset[str]:
    """Return the stems of the words that distinguish a text from others."""
    return stems(text) - _EMPTY


def happened(text: str) -> Iterator[frozenset[str]]:
    """Yield the stems of each sentence that reports something, without questions and plans."""
    for part in groups(text):
        for sentence in _SENTENCE.split(tidy(" ".join(part))):
            if not sentence.endswith("?") and not _OPEN.search(sentence):
                yield stems(sentence)


def awaited(blocker: str) -> frozenset[str]:
    """Return the stems of the event that a blocker waits for; empty if it names none."""
    found = _STATES.search(blocker)
    if found is None or not found[0].rstrip().casefold().endswith(("until", "unless", "before")):
        return frozenset()
    event = stems(blocker[found.end() :])
    return event if len(event) > 1 else frozenset()


def resolves(mark: str, said: str, blocker: str) -> bool:
    """Return whether something that is resolved is a blocker, in the same or in fewer words."""
    if fold(said) == fold(blocker):
        return True
    freed, held, cause = words(said), words(blocker), words(_cause(blocker))
    if not freed or not held:
        return False
    if mark == RESOLVED:
        return freed <= held or (bool(cause) and cause <= freed)
    return freed <= held and 2 * len(freed & cause) >= len(cause) > 0


def _cause(blocker: str) -> str:
    """Return what a blocker waits for, if its sentence says so."""
    found = _STATES.search(blocker)
    if found is None:
        return blocker
    ends = found[0].rstrip().casefold().endswith(_CAUSING)
    return blocker[: found.start()] if ends else blocker[found.end() :]
