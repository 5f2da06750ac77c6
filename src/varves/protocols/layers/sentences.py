"""Reads the sentences of an event that state a relation, a pack's completion, or a status.

"[[login]] depends on [[tokens]]", "login now uses tokens", "pack-auth is 60% complete"; for
statuses see `statuses`. Both ends
of a relation must be names: in double brackets, with the prefix `skill-` or `pack-`, or known to
the graph already. Questions, conditions and intentions state nothing.
"""

from __future__ import annotations

import re

from varves.protocols.layers.statuses import (
    MORE,
    NAMED,
    NAMES,
    ONE,
    START,
    names_of,
    packs_in,
    statuses_in,
)
from varves.values.value import Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

DEPENDS, PART, REFERENCES = "Depends On", "Part Of", "References"


class SentenceFact(Value):
    """A statement of a sentence about names, which are given as written."""

    what: str
    """What it states.

    `relation`, `member` (a relation if its target is a pack), `cut` (the relation is no longer
    true), `share`, `status`, `removed` (the entity), or `pack` (the entity is one).
    """
    name: str
    target: str = ""
    relation: str | None = None
    share: str = ""
    """The completion in per cent."""
    count: str = ""
    """The number of a pack's skills."""
    status: str = ""


_VERBS = {
    DEPENDS: r"depends? (?:up)?on|requires?|needs?|relies on|rely on|uses?|builds? on"
    r"|(?:is|are) (?:built|based|dependent) on|runs? on(?: top of)?"
    r"|(?:has|have) a dependency on",
    PART: r"(?:is|are) (?:a |now )?(?:part|member|parts|members) of|belongs? to"
    r"|(?:is|are) (?:now )?in(?= (?:the pack|(?:the )?\[\[[^\[\]]+\]\] pack))",
    REFERENCES: r"references?|refers? to|links? to|points? to|documents?",
}
_STOPPED = {DEPENDS: r"depending (?:up)?on|requiring|needing|relying on|using"}
_HOW = r"(?:(?:now|also|still|currently|directly|only|always|therefore) )?"
_NO = r"(?P<no>no longer |(?:does|do|did) not |(?:doesn|don|didn)['\u2019]t |never |stopped )?"
# a further end of a relation is not the subject of the next clause
_NEXT = (
    r"(?![\w/-]|\.\w)(?! (?:(?:is|are|was|were|has|will|now|also|still|no|does|can) "
    rf"|(?:{'|'.join((*_VERBS.values(), *_STOPPED.values()))})\b))"
)
_ENDED = (
    r"(?!(?:,| and|, and| as well as) (?:(?:it|they|now|also|still|no longer|never|is|are|was|has"
    rf"|does|stopped) |(?:{'|'.join((*_VERBS.values(), *_STOPPED.values()))})\b))"
)
_TARGETS = rf"{ONE}(?:{_ENDED}{MORE}{_NEXT}){{0,7}}"
_OF_KIND = "|".join(
    f"(?P<{name}>{verbs})"
    for name, verbs in zip(("depends", "part", "references"), _VERBS.values(), strict=True)
)
_DOES = (
    rf"{_HOW}{_NO}{_HOW}"
    rf"(?:{_OF_KIND}|(?P<stopped>{_STOPPED[DEPENDS]})) (?P<targets>{_TARGETS})"
)
_RELATION = re.compile(rf"{START}(?P<sources>{NAMES}) {_DOES}", re.IGNORECASE)
_SUBJECT = re.compile(
    rf"{START}(?P<sources>{NAMED}) (?:is|was|has been) (?:[\w%-]+ ){{1,4}}?(?=and )", re.IGNORECASE
)
_FURTHER = re.compile(rf"(?:,? (?:and|but)|,) (?:(?:it|they) )?{_DOES}", re.IGNORECASE)
"""A second statement about the same subject: "[[a]] is part of [[p]] and uses [[b]]"."""
_MOVED = (
    r"(?:we |i |they )?(?:have |has )?(?:now |just |also )?"
    r"(?P<verb>added|moved|assigned|put|joined|included|removed|took|taken|dropped|detached)"
)
_MEMBERS = (
    re.compile(
        rf"{START}{_MOVED} (?P<sources>{_TARGETS}) (?P<way>to|into|in|out of|from|under)"
        rf" (?P<targets>{ONE})(?![\w/-])",
        re.IGNORECASE,
    ),
    re.compile(
        rf"{START}(?P<sources>{NAMES}) {_HOW}(?:(?:is|are|was|were|has been|have been) )?{_HOW}"
        r"(?P<verb>added|moved|assigned|put|joined|included|joins?|moves?|left|leaves?|removed"
        rf"|taken|dropped) ?(?P<way>to|into|in|out of|from|under|) (?P<targets>{ONE})(?![\w/-])",
        re.IGNORECASE,
    ),
)
_HOLDS = re.compile(
    rf"{START}(?P<targets>{ONE}) {_HOW}"
    r"(?:contains?|includes?|consists? of|comprises?|holds?|groups|bundles|is made up of"
    rf"|is made of) (?P<sources>{_TARGETS})",
    re.IGNORECASE,
)
_LINK = re.compile(
    rf"{START}{_MOVED} (?:the|a|an|its) (?:dependency|dependence) (?:of|from) (?P<sources>{ONE})"
    rf" (?:on|upon|to) (?P<targets>{_TARGETS})",
    re.IGNORECASE,
)
_ALONE = re.compile(r"join|left|leave", re.IGNORECASE)  # verbs that need no preposition
_LEAVING = frozenset(("removed", "took", "taken", "dropped", "detached", "left", "leave", "leaves"))
_CHANGING = (
    "pack|added|move|join|removed|left|leave|took|taken|put|assign|drop|detach|dependenc"
    "|contain|includ|consist|compris|hold|group|bundle|made of|made up"
)
_AT_ONCE = re.compile(
    rf"%|\b(?:{'|'.join((*_VERBS.values(), *_STOPPED.values()))}|{_CHANGING})", re.IGNORECASE
)
_SHARE = re.compile(
    rf"{START}(?P<name>{ONE}) (?:is|stands) (?:now |still |currently |about )?(?:at )?"
    r"(?P<share>\d{1,3}(?:\.\d+)?) ?%(?: (?:complete|completed|done|finished|ready))?"
    r"(?:,? ?(?:\(|(?:with|and (?:now )?(?:has|holds|contains|includes)|of) (?:its |all )?)"
    r"(?P<count>\d{1,6}) (?:skills?|members?))?",
    re.IGNORECASE,
)
_UNSURE = re.compile(
    r"\b(?:if|whether|unless|suppose|would|could|should|might|may|maybe|perhaps|plan(?:s|ned)? to"
    r"|until|once|not true|nothing|no one|nobody)\b",
    re.IGNORECASE,
)
_SENTENCE = re.compile(r"(?<=[.!?;])\s+")
_MARK = re.compile(r"^(?:[>\s]*(?:[-*+]|\d+[.)])\s+)?(?:#+\s+\d{4}-\S+ \S+ [\u2014\u2013-] )?")


def said_in(text: str) -> Iterator[SentenceFact]:
    """Yield the statements of the sentences of a paragraph."""
    if not ("[[" in text or "skill" in text.casefold() or _AT_ONCE.search(text)):
        return
    for sentence in _SENTENCE.split(_MARK.sub("", text).replace("**", "").replace("__", "")):
        if not sentence.rstrip().endswith("?"):
            yield from _facts(sentence)


def _facts(sentence: str) -> Iterator[SentenceFact]:
    for name in packs_in(sentence):
        yield SentenceFact(what="pack", name=name)
    for found in _SHARE.finditer(sentence):
        names = names_of(found["name"])
        if len(names) == 1 and not _UNSURE.search(sentence, 0, found.start()):
            yield SentenceFact(
                what="share", name=names[0], share=found["share"], count=found["count"] or ""
            )
    if _AT_ONCE.search(sentence):
        yield from _all_relations(sentence)
    for name, status in statuses_in(sentence):
        yield SentenceFact(what="status" if status else "removed", name=name, status=status)


def _all_relations(sentence: str) -> Iterator[SentenceFact]:
    place = 0
    while found := _RELATION.search(sentence, place):
        place = found.end()
        sure = not _UNSURE.search(sentence, 0, found.start())
        further: re.Match[str] | None = found
        while further:
            place = further.end()
            if sure:
                yield from _relations(further, found["sources"])
            further = _FURTHER.match(sentence, place)
    for found in _SUBJECT.finditer(sentence):
        place = found.end()
        further = _FURTHER.match(sentence, place - 1)
        while further and not _UNSURE.search(sentence, 0, further.start()):
            yield from _relations(further, found["sources"])
            further = _FURTHER.match(sentence, further.end())
    for pattern in (*_MEMBERS, _HOLDS, _LINK):
        for found in pattern.finditer(sentence):
            if not _UNSURE.search(sentence, 0, found.start()):
                yield from _members(found)


def _members(found: re.Match[str]) -> Iterator[SentenceFact]:
    """Yield what an addition to a pack states, or the removal of a dependency."""
    said = found.groupdict()
    way, leaving = (
        (said.get("way") or "").casefold(),
        (said.get("verb") or "").casefold() in _LEAVING,
    )
    if "way" in said and not way and not _ALONE.match(said["verb"]):
        return
    if way in ("out of", "from") and not leaving:
        return  # "moved from A" does not say where to
    kind = "member" if found.re is not _LINK else "relation"
    for name in names_of(found["sources"]):
        for target in names_of(found["targets"]):
            if name != target:
                yield SentenceFact(
                    what="cut" if leaving else kind,
                    name=name,
                    target=target,
                    relation=DEPENDS if found.re is _LINK else PART,
                )


def _relations(found: re.Match[str], sources: str) -> Iterator[SentenceFact]:
    kind = PART if found["part"] else REFERENCES if found["references"] else DEPENDS
    stopped = (found["no"] or "").casefold().startswith("stopped")
    if stopped != bool(found["stopped"]):
        return
    what = "cut" if found["no"] else "relation"
    for name in names_of(sources):
        for target in names_of(found["targets"]):
            if name != target:
                yield SentenceFact(what=what, name=name, target=target, relation=kind)
