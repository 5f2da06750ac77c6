"""Reads the sentences of an event that state a relation or a pack's completion.

"[[login]] depends on [[tokens]]", "login now uses tokens", "pack-auth is 60% complete". Both ends
of a relation must be names: in double brackets, with the prefix `skill-` or `pack-`, or known to
the graph already. Questions, conditions and intentions state nothing.
"""

from __future__ import annotations

import re

from varves.values.value import Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

DEPENDS, PART, REFERENCES = "Depends On", "Part Of", "References"


class SentenceFact(Value):
    """A statement of a sentence about names, which are given as written."""

    what: str
    """`relation`, `cut` (the relation is no longer true) or `share`."""
    name: str
    target: str = ""
    relation: str | None = None
    share: str = ""
    """The completion in per cent."""


_VERBS = {
    DEPENDS: r"depends? (?:up)?on|requires?|needs?|relies on|rely on|uses?|builds? on"
    r"|(?:is|are) (?:built|based) on|runs? on(?: top of)?",
    PART: r"(?:is|are) (?:a |now )?(?:part|member|parts|members) of|belongs? to",
    REFERENCES: r"references?|refers? to|links? to|points? to|documents?",
}
_STOPPED = {DEPENDS: r"depending (?:up)?on|requiring|needing|relying on|using"}
_NAMED = r"\[\[[^\[\]]+\]\]"
_WORD = r"[A-Za-z0-9][\w./-]*\w|[A-Za-z0-9]"
_KIND = r"(?: (?:skills?|packs?|modules?|files?|services?|components?))?"
_ONE = (
    r"(?:(?:the|our|its|an?|both) )?(?:(?:skills?|packs?|modules?|services?) )?"
    rf"(?:{_NAMED}|{_WORD}){_KIND}"
)
_START = (
    r"(?:^|(?<=[,:;(\u2014] )"
    r"|(?<=\band )|(?<=\bthat )|(?<=\bbecause )|(?<=\bso )|(?<=\bnow )|(?<=\bsince ))"
)
_HOW = r"(?:(?:now|also|still|currently|directly|only|always|therefore) )?"
_NO = r"(?P<no>no longer |(?:does|do|did) not |(?:doesn|don|didn)['\u2019]t |never |stopped )?"
# a further end of a relation is not the subject of the next clause
_NEXT = (
    r"(?![\w/-]|\.\w)(?! (?:(?:is|are|was|were|has|will|now|also|still|no|does|can) "
    rf"|(?:{'|'.join((*_VERBS.values(), *_STOPPED.values()))})\b))"
)
_MORE = rf"(?:,| and|, and| as well as) {_ONE}"
_SOURCES = rf"{_ONE}(?:{_MORE}){{0,7}}"
_TARGETS = rf"{_ONE}(?:{_MORE}{_NEXT}){{0,7}}"
_OF_KIND = "|".join(
    f"(?P<{name}>{verbs})"
    for name, verbs in zip(("depends", "part", "references"), _VERBS.values(), strict=True)
)
_RELATION = re.compile(
    rf"{_START}(?P<sources>{_SOURCES}) {_HOW}{_NO}{_HOW}"
    rf"(?:{_OF_KIND}|(?P<stopped>{_STOPPED[DEPENDS]})) (?P<targets>{_TARGETS})",
    re.IGNORECASE,
)
_AT_ONCE = re.compile("|".join((*_VERBS.values(), *_STOPPED.values(), "%")), re.IGNORECASE)
_SHARE = re.compile(
    rf"{_START}(?P<name>{_ONE}) (?:is|stands) (?:now |still |currently |about )?(?:at )?"
    r"(?P<share>\d{1,3}(?:\.\d+)?) ?%(?: (?:complete|completed|done|finished|ready))?",
    re.IGNORECASE,
)
_UNSURE = re.compile(
    r"\b(?:if|whether|unless|suppose|would|could|should|might|may|maybe|perhaps|plan(?:s|ned)? to"
    r"|until|once|not true|nothing|no one|nobody)\b",
    re.IGNORECASE,
)
_EACH = re.compile(rf"{_NAMED}|{_WORD}")
_PLAIN = frozenset(
    (
        *("the", "our", "its", "a", "an", "both", "and", "as", "well"),
        *("skill", "skills", "pack", "packs", "module", "modules", "file", "files"),
        *("service", "services", "component", "components"),
    )
)
_SENTENCE = re.compile(r"(?<=[.!?;])\s+")
_MARK = re.compile(r"^(?:[>\s]*(?:[-*+]|\d+[.)])\s+)?(?:#+\s+\d{4}-\S+ \S+ [\u2014\u2013-] )?")


def said_in(text: str) -> Iterator[SentenceFact]:
    """Yield the statements of the sentences of a paragraph."""
    if not _AT_ONCE.search(text):
        return
    for sentence in _SENTENCE.split(_MARK.sub("", text).replace("**", "").replace("__", "")):
        if sentence.rstrip().endswith("?"):
            continue
        for found in _RELATION.finditer(sentence):
            if not _UNSURE.search(sentence, 0, found.start()):
                yield from _relations(found)
        for found in _SHARE.finditer(sentence):
            names = _names(found["name"])
            if len(names) == 1 and not _UNSURE.search(sentence, 0, found.start()):
                yield SentenceFact(what="share", name=names[0], share=found["share"])


def _relations(found: re.Match[str]) -> Iterator[SentenceFact]:
    kind = PART if found["part"] else REFERENCES if found["references"] else DEPENDS
    stopped = (found["no"] or "").casefold().startswith("stopped")
    if stopped != bool(found["stopped"]):
        return
    what = "cut" if found["no"] else "relation"
    for name in _names(found["sources"]):
        for target in _names(found["targets"]):
            if name != target:
                yield SentenceFact(what=what, name=name, target=target, relation=kind)


def _names(text: str) -> list[str]:
    return [name for name in _EACH.findall(text) if name.casefold() not in _PLAIN]
