"""Finds choices that the agent states after the user picked an option, and choices taken back."""

from __future__ import annotations

from varves.capture.clauses import clauses
from varves.capture.cue import Cue
from varves.capture.learning import Learning
from varves.capture.nearmisses import is_passing, is_unsettled
from varves.capture.own_words import own_words, said_by_agent
from varves.capture.retractions import MAYBE, is_work, may_retract, retraction
from varves.language.sentences import plain
from varves.values.text import words

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from varves.capture.retractions import Retraction
    from varves.values.signals import SessionMessage

SHORTEST = 6  # the fewest words of a choice that is complete on its own
# the most words of a reply that picks a choice by a letter, or by the choice's name
_REPLY, _NAMED = 30, 5
_SHORT = 3  # a word with at most this many letters has little meaning
_CHOSEN = ("decision", "rule", "preference")
_BEHIND = 3  # the number of words after "scrap" that name what is scrapped

_OPTIONS = Cue(
    r"(?is)(?:^|[\s(*])(?:a|1|i|option a|option 1)[).:*]+\s.+?[\s(*](?:b|2|ii|option b|option "
    r"2)[).:*]+\s",
)
_PICKED = Cue(
    r"^(?:ok(?:ay)?,? |yes,? |yeah,? |hm+,? |then )?(?:let us (?:do|take|go with) |go (?:with|"
    r"for) |take |"
    r"i (?:take|choose|pick) |(?:the )?option )?"
    r"(?:[a-d1-4]|(?:the )?(?:first|second|third|former|latter|last)(?: one| option)?)"
    r"(?: please| then|,? thanks| it is)?(?:[.!]?$|[.,;!] (?=(?:the|it|we|that|because|less|more|"
    r"simpler|"
    r"cheaper|no)\b)[^?]{0,120}$)"
)
_STATES = Cue(
    r"^(?:then|so|agreed[:,]|decided[:,]|decision:|going with|settled on|we (?:go|stay|stick) with|"
    r"it is|ok(?:ay)?[:,]|right[:,]|understood[:,]) (?!i\b|i'|let\b|we (?:can|could|should))"
)
_IT_IS = Cue(r"^(?:\S+ ){1,4}it is\b", anchors="it is")
_DOING = Cue(r"\b(?:i will|i am|i have|i've|let me|shall i|should i)\b")
_UNDONE = Cue(
    r"\b(?:scrap|drop|(?<!not )(?<!never )forget(?: about)?|revert|undo|ditch|abandon|no more|"
    r"not(?! forget)|instead of|rather than|"
    r"without|remove|changed my mind|on second thoughts?|scratch|actually no|verwirf|doch nicht|"
    r"doch lieber|laisse tomber|finalement pas|olvida|mejor no)\b"
)


def offers(text: str) -> bool:
    """Return whether a text offers choices."""
    return _OPTIONS.search(text) is not None


def stated(messages: Sequence[SessionMessage]) -> list[Learning]:
    """Return the choices that the agent states after the user answered only "b" or similar."""
    found = []
    for at, message in enumerate(messages):
        reply = plain(own_words(message.text)) if message.role == "user" else ""
        if not reply or len(reply.split()) > _REPLY:
            continue
        before, after = _beside(messages, at)
        if before is None or after is None or not _picks(reply, messages[before].text):
            continue
        said = next(iter(clauses(said_by_agent(messages[after].text))), None)
        if said is None or said.asks or is_unsettled(said.plain) or is_passing(said.plain):
            continue
        opening = f"{said.lead} {said.plain}".strip()
        if not (_STATES.match(opening) or _IT_IS.match(opening)) or _DOING.search(said.plain):
            continue
        if len(said.plain.split()) >= SHORTEST:
            found.append(
                Learning(
                    kind="decision",
                    text=said.text.removeprefix("Then ").removeprefix("So "),
                    by="agent",
                    message_index=after,
                    settled=after,
                    key=messages[after].key,
                )
            )
    return found


def _picks(reply: str, offer: str) -> bool:
    """Return whether a reply picks one of the choices of an offer, by letter or by name."""
    if not offers(offer):
        return False
    if _PICKED.match(reply):
        return True
    if len(reply.split()) > _NAMED or _UNDONE.search(reply) or "?" in reply:
        return False
    return not named(reply).isdisjoint(named(offer))


def _beside(messages: Sequence[SessionMessage], at: int) -> tuple[int | None, int | None]:
    """Return the indices of the agent's messages directly before and after a user's message."""
    before = next((n for n in range(at - 1, -1, -1) if messages[n].role != "tool"), None)
    after = next((n for n in range(at + 1, len(messages)) if messages[n].role != "tool"), None)
    return tuple(  # type: ignore[return-value]
        n if n is not None and messages[n].role == "assistant" else None for n in (before, after)
    )


def standing(learnings: list[Learning], messages: Sequence[SessionMessage]) -> list[Learning]:
    """Return the statements to record, without those that the user later takes back."""
    first = min((one.settled for one in learnings), default=len(messages))
    later = [
        (at, over)
        for at, message in enumerate(messages)
        if at > first and message.role == "user" and (over := _undone_in(message))
    ]
    kept = [one for one in learnings if one.kind not in _CHOSEN or not _taken_back(one, later)]
    for at in range(first + 1, len(messages)):
        for back in retractions(messages[at]):
            meant = _meant(back, kept, at, said_before(messages, at))
            kept = [one for one in kept if one not in meant]
    return kept


def _meant(
    back: Retraction, learnings: list[Learning], at: int, before: int | None
) -> list[Learning]:
    """Return the statements that a retraction takes back.

    `at` is the position of the retraction in the session.
    """
    earlier = [one for one in learnings if one.settled < at and one.kind != "error_fix"]
    if back.names:
        return [one for one in earlier if not back.names.isdisjoint(words(one.text))]
    if back.kinds:
        return [one for one in earlier if one.kind in back.kinds][-1:]
    return [one for one in earlier if before is not None and one.message_index >= before]


def retractions(message: SessionMessage) -> list[Retraction]:
    """Return the retractions of a user's message that concern earlier messages.

    A retraction of a sentence in the same message is handled when that message is read.
    """
    said = own_words(message.text) if message.role == "user" else ""
    # without this check, most texts would be split in vain
    if not said or not may_retract(plain(said)):
        return []
    found, opens = [], True
    for clause in clauses(said):
        back = retraction(clause)
        if back is not None and (opens or not back.last):
            found.append(back)
        opens = opens and len(clause.plain.split()) < _NAMED
    return found


def said_before(messages: Sequence[SessionMessage], at: int) -> int | None:
    """Return the index of the user's previous message, or None."""
    return next((n for n in range(at - 1, -1, -1) if messages[n].role == "user"), None)


def undone(messages: Sequence[SessionMessage]) -> set[str]:
    """Return the words that name what the user takes back."""
    return {word for message in messages if message.role == "user" for word in _undone_in(message)}


def _taken_back(one: Learning, later: list[tuple[int, set[str]]]) -> bool:
    about = named(one.text)
    return any(at > one.settled and not about.isdisjoint(over) for at, over in later)


def _undone_in(message: SessionMessage) -> set[str]:
    found: set[str] = set()
    said = own_words(message.text)
    if not _UNDONE.search(plain(said)):  # without this check, most texts would be split in vain
        return found
    for clause in clauses(said):
        turn = _UNDONE.search(clause.plain)
        if turn is not None and not clause.asks and not MAYBE.search(clause.plain):
            behind = words(clause.plain[turn.end() :])[:_BEHIND]
            found |= set() if is_work(behind) else named(" ".join(behind))
    return found


def named(text: str) -> set[str]:
    """Return the words of a text that name something, such as nouns and names."""
    return {word for word in words(text) if len(word) > _SHORT} - _EVERYDAY


_EVERYDAY = frozenset(
    [
        "about",
        "after",
        "also",
        "always",
        "because",
        "before",
        "data",
        "decide",
        "decided",
        "decision",
        "every",
        "everything",
        "file",
        "files",
        "from",
        "have",
        "instead",
        "into",
        "just",
        "more",
        "must",
        "never",
        "only",
        "other",
        "over",
        "project",
        "said",
        "should",
        "some",
        "test",
        "tests",
        "than",
        "that",
        "their",
        "them",
        "then",
        "there",
        "these",
        "they",
        "this",
        "those",
        "through",
        "user",
        "users",
        "using",
        "what",
        "when",
        "where",
        "which",
        "while",
        "will",
        "with",
        "without",
        "your",
        "code",
    ]
)
