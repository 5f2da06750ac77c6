"""Finds retractions: by name ("forget what I said about Pulsar"), or by reference ("scratch that").

"Scratch that" refers to what was said last, in the same message or in the previous one. "Forget
that rule" refers to the last rule. Weaker words ("not", "without") are handled in `choices.py`.
"""

from __future__ import annotations

from varves.capture.cue import Cue
from varves.values.text import words
from varves.values.value import Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from varves.capture.clauses import MessageSentence

_BEHIND = 4  # the most words after the verb that are searched for a name
_PARTS = frozenset(  # words for parts of the work: a request about them takes no statement back
    {"section", "sections", "mock", "mocks", "test", "tests", "file", "files", "branch", "commit"}
    | {"function", "class", "page", "button", "line", "lines", "comment", "comments", "paragraph"}
    | {"docs", "readme", "import", "imports", "column", "field", "case", "script", "change"}
    | {"is", "are", "was", "were", "has", "does", "work", "works"}
)
KINDS = {
    "rule": ("rule",),
    "policy": ("rule",),
    "convention": ("rule", "correction"),
    "decision": ("decision",),
    "preference": ("preference",),
}
_NO_FORGET = r"(?<!not )(?<!never )"
_UNDECIDED = (
    r"(?:(?:did|have|had) not|never) (?:\w+ly |yet |even )*(?:decided?|agreed?|settled?|chosen)"
)
_NAMING = Cue(
    rf"\b(?:{_NO_FORGET}forget (?:about |(?:what|everything|all) (?:i|we) (?:just |have )?said "
    r"(?:about|on) |the (?:rule|decision|thing|bit|part) (?:about|on|with) )?|"
    r"(?:scrap|ditch|abandon|scratch) |(?:decided|voted) against |"
    rf"{_UNDECIDED} (?:on|for|upon|to (?:use|take|go with)) |"
    r"changed (?:my|our) minds? (?:about|on) |take back (?:what i said about )?)",
    anchors="forget|scrap|ditch|abandon|scratch|against|decide|agree|settle|chosen|mind|take back",
)
_NAME_ENDS = Cue(r"[,.;:!?]| (?:for|in|on|as|because|and|but|we|since|so|then|i|it is|with)\b")
_POINTING = Cue(
    rf"{_NO_FORGET}\b(?:scratch|scrap|forget|strike|disregard|ignore what|forget what)"
    r"(?: about)? (?:that|this|(?:what )?i (?:just )?said|my last (?:message|sentence))"
    r"(?: again| please| then| one)?(?=[,.;:!?)\u2013-]|$)|"
    r"\bi take (?:that|it) back\b|^(?:no,? )?never ?mind(?: that)?(?: then)?[.!]*$|"
    rf"\b{_UNDECIDED}(?: (?:that|this|it|so|anything))?(?: yet| at all| after all| so far)*[.!]*$|"
    r"^(?:no,? )?(?:wait,? )?(?:that|this) is (?:not|un)(?: (?:yet )?|)decided(?: yet)?[.!]*$",
    anchors="scratch|scrap|forget|strike|disregard|ignore|take |mind|decide|agree|settle|chosen",
)
_KIND = Cue(
    rf"{_NO_FORGET}\b(?:forget|drop|scratch|scrap|ignore|cancel|undo|revoke|withdraw|disregard)"
    r"(?: about)? (?:that|this|the|my|our) (?:last |new |previous )?"
    r"(?P<kind>rule|policy|convention|decision|preference)(?: again| please)?(?=[,.;:!?)]|$)",
    anchors="rule|policy|convention|decision|preference",
)
_OPENING = Cue(
    r"(?i)(?:(?:no|wait|actually)[,.]? )*(?:scratch|scrap|forget|strike) (?:that|this)[,;:.] *",
    anchors="that|this",
)
MAYBE = Cue(  # the speaker only thinks about a retraction
    r"\b(?:maybe|perhaps|might|could|would|if|should)\b"
)
_NO_NAMES = frozenset(
    {"a", "about", "again", "all", "an", "and", "any", "as", "idea", "is", "it", "its", "my", "no"}
    | {"not", "of", "our", "said", "some", "that", "the", "them", "then", "these", "they", "thing"}
    | {"this", "those", "to", "use", "used", "using", "was", "what", "which", "whole", "you"}
    | {"your", "test", "tests", "file", "files", "code", "project"}
)


class Retraction(Value):
    """The statements that one sentence takes back."""

    names: frozenset[str] = frozenset()
    """Words: a statement that contains one of them is retracted. () if no statement is named."""
    kinds: tuple[str, ...] = ()
    """Kinds of statements: the last statement of one of them is retracted.

    It is () if no kind is named.
    """
    last: bool = False
    """Whether the statement directly before the retraction is retracted."""


def retraction(clause: MessageSentence) -> Retraction | None:
    """Return the retraction in a sentence; None if there is none."""
    said = clause.plain
    if clause.asks or clause.quoted or not may_retract(said) or MAYBE.search(said):
        return None
    whole = f"{clause.lead} {said}".strip()
    kind = _KIND.search(said)
    if kind is not None:
        return Retraction(kinds=KINDS[kind["kind"]])
    names = _names(said)
    if names:
        return Retraction(names=names)
    found = _POINTING.search(said) or _POINTING.search(whole)
    return None if found is None else Retraction(last=True)


def may_retract(said: str) -> bool:
    """Return whether a text in plain form contains any word that a retraction may have."""
    return any(one.search(said) is not None for one in (_NAMING, _POINTING, _KIND))


def is_mere(clause: MessageSentence) -> bool:
    """Return whether a sentence is only a retraction and states nothing else."""
    found = _KIND.search(clause.plain) or _POINTING.search(clause.plain)
    return found is not None and len(clause.plain[found.end() :].split()) < _BEHIND


def is_work(named: list[str]) -> bool:
    """Return whether the words after "drop" or "not" name a part of the task, or are a sentence."""
    return not _PARTS.isdisjoint(named)


def said_instead(text: str) -> str:
    """Return a statement without the words of retraction before it, such as "scratch that"."""
    found = _OPENING.match(text)
    return text if found is None else text[found.end() :]


def _names(said: str) -> frozenset[str]:
    found: set[str] = set()
    for turn in _NAMING.pattern.finditer(said):
        rest = said[turn.end() :]
        end = _NAME_ENDS.search(rest)
        some = words(rest[: end.start()] if end else rest)[:_BEHIND]
        if is_work(some):
            continue
        found.update(word for word in some if len(word) > 1 and word not in _NO_NAMES)
    return frozenset(found)
