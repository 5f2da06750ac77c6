"""Finds fixes in the agent's own account of what was wrong, what was changed, and that it works.

No run of a program proves such a fix, so the account must have three parts. A sentence names a
cause or, after somebody complained, a fault. A sentence names a change that was made. The agent or
the user's answer says that it works. Guesses, plans and the agent's own mistakes are left out.
"""

from __future__ import annotations

from varves.capture.clauses import clauses
from varves.capture.cue import Cue
from varves.capture.cues import SEEN_CURED
from varves.capture.learning import Learning
from varves.capture.nearmisses import spoils
from varves.capture.own_words import own_words, said_by_agent
from varves.language.english.tongue import ENGLISH
from varves.language.sentences import plain
from varves.values.text import words

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from varves.capture.clauses import MessageSentence
    from varves.values.signals import SessionMessage

FAR = 24  # the most messages from a complaint to its fix
WIDEST = 3  # the most sentences of an account
SHORTEST = 12  # the fewest words of an account
FEWEST = 5  # the fewest words that describe a fault
LONGEST = 600  # the most characters of an account
NAMED = 20  # the most words of a complaint that the text of a fix quotes

_CUES = ENGLISH.acts
_UNSURE = Cue(
    r"\b(?:maybe|perhaps|possibly|probably|presumably|might|may(?! not)|could(?! not)|likely|"
    r"seems?|suspect|"
    r"i (?:think|guess|assume|believe|would|will|am going)|let me|we (?:could|should|can|might)|"
    r"should|would|if (?!not\b)|unless|want me|shall i|looks like|not sure|unclear|to be sure|"
    r"does not explain|hypothes\w+|theory|for now|try|trying|workaround until)\b"
)
_SLIP = Cue(
    r"\b(?:(?:i|we) (?:forgot|missed|mistyped|misread|broke|introduced|overlooked|left out|"
    r"caused)|my (?:mistake|bad|slip|typo|error|change|edit|fault|own)|typo|oversight|oops|"
    r"sorry|apologies)\b"
)
_FAILED_TRY = Cue(
    r"\b(?:no (?:change|effect|luck|difference)|still (?:fail\w*|hang\w*|broken|there|the same|"
    r"red|crash\w*|happen\w*|wrong|slow|see\w*|get\w*|flak\w*)|did not help|was not it|"
    r"same (?:error|result|failure|problem)|does not (?:help|work)|not (?:fixed|gone|it)|"
    r"(?:it|error|bug|crash) (?:came|is) back|again (?:fails|red|broken)|nope)\b"
)
_BECAUSE = Cue(
    r"\b(?:because|since the|caused by|due to|(?:root )?cause was|culprit was)\b",
    anchors="because|since|cause|due|culprit",
)
_LEADING = Cue(r"^(?:\S+ ){0,4}?\S+: (?=\S+ \S+ \S+)", anchors=": ")
_UNNAMED = Cue(  # the words before the cause do not say what it is the cause of
    r"^(?:the|that|this|it|root|a|its) ?(?:(?:root|real|actual|true|only|main|underlying) )*"
    r"(?:cause|culprit|problem|issue|reason|bug|trouble|is|was|turned|came|comes|fix)\b"
)
_POINTING = Cue(r"^(?:it|this|that|these|those|they|he|she|here|there|both|neither)\b")
_UNREADABLE = Cue(  # "this" or "it" without a noun, in contrast to "this cell"
    r"^(?:it|they|he|she|(?:this|that|these|those|here|there|both|neither) (?:is|are|was|were|has|"
    r"have|had|does|did|do|means?|meant|comes?|came|makes?|made|explains?|happens?|happened)\b)"
)
_PRAISE = Cue(
    r"^\W*(?:wonderful|beautiful|perfect|awesome|excellent|works?|confirmed|lovely|\U0001f44d|\U0001f389|yay)",
)


def accounts(messages: Sequence[SessionMessage]) -> list[Learning]:
    """Return the fixes that the agent describes completely in one message."""
    found: list[Learning] = []
    for at, message in enumerate(messages):
        if message.role == "assistant":
            begun = found[-1].message_index + 1 if found else 0
            one = _account(messages, at, max(begun, at - FAR))
            found += [one] if one is not None else []
    return found


def tells_all(said: str) -> bool:
    """Return whether a text in plain form names a cause, then a change, then its outcome."""
    cause = _CUES["speaks_of_a_fix"].search(said)
    if cause is None or any(one.search(said) for one in (_SLIP, _UNSURE, _FAILED_TRY)):
        return False
    change = _CUES["tells_a_change"].search(said, cause.end())
    return change is not None and (
        _CUES["tells_an_outcome"].search(said, change.start()) is not None
    )


def _account(messages: Sequence[SessionMessage], at: int, begun: int) -> Learning | None:
    """Return the fix that a message describes; None if there is none.

    The fault must have been mentioned first in the message `begun` or in a later one.
    """
    said = said_by_agent(messages[at].text)
    whole = plain(said)
    if len(whole.split()) < SHORTEST:
        return None
    complaint = _complaint(messages[begun:at])
    if complaint is None and not _CUES["speaks_of_a_fix"].search(whole):
        return None  # without this check, most texts would be split in vain
    if not _CUES["tells_a_change"].search(whole):
        return None
    if _FAILED_TRY.search(whole) or _SLIP.search(whole):
        return None
    parts = [one for one in clauses(said) if not one.asks and not one.quoted]
    window = _window(parts, complained=complaint is not None)
    if window is None:
        return None
    start, end = window
    text = _text(parts[start:end], complaint)
    settled = at if _works(parts[start:]) else _confirmed(messages, at)
    if settled is None or _denied(messages, at) or text is None:
        return None
    return Learning(
        kind="error_fix",
        text=text,
        by="agent",
        message_index=at,
        settled=settled,
        key=messages[at].key,
    )


def _window(parts: list[MessageSentence], *, complained: bool) -> tuple[int, int] | None:
    """Return (start, end) of the shortest run of sentences that tells a fault, then a change."""
    sure = [_UNSURE.search(one.plain) is None for one in parts]
    for width in range(1, WIDEST + 1):
        for start in range(len(parts) - width + 1):
            if all(sure[start : start + width]) and _mends(
                [one.plain for one in parts[start : start + width]], complained=complained
            ):
                return start, start + width
    return None


def _mends(said: list[str], *, complained: bool) -> bool:
    """Return whether sentences say what was wrong, and then what was changed."""
    whole = ". ".join(said)
    change = _CUES["tells_a_change"].search(whole)
    if change is None or len(whole.split()) < SHORTEST or len(whole) > LONGEST:
        return False
    before = whole[: change.start()]
    if len(before.split()) < FEWEST:  # the cause may also come after the change
        return _BECAUSE.search(whole, change.end()) is not None
    if _CUES["speaks_of_a_fix"].search(whole):
        return True
    return complained and _CUES["tells_a_fault"].search(before) is not None


def _works(parts: list[MessageSentence]) -> bool:
    return any(
        _CUES["tells_an_outcome"].search(one.plain) and not _UNSURE.search(one.plain)
        for one in parts
    )


def _complaint(messages: Sequence[SessionMessage]) -> str | None:
    """Return the user's last complaint that something does not work.

    None if nobody complained; "" if the words cannot be understood alone.
    """
    found = "" if any(one.role == "tool" and one.ok is False for one in messages) else None
    for message in reversed(messages):
        if message.role != "user":
            continue
        for one in clauses(own_words(message.text)):
            if _CUES["complains"].search(one.plain):
                if _POINTING.match(one.plain) is None and not spoils(message.text):
                    return one.text
                found = ""
    return found


def _confirmed(messages: Sequence[SessionMessage], at: int) -> int | None:
    """Return the index of the user's answer if the answer says that the fix works."""
    after = at + 1
    if after >= len(messages) or messages[after].role != "user":
        return None
    said = plain(own_words(messages[after].text))
    if _FAILED_TRY.search(said):
        return None
    return after if _PRAISE.match(said) or SEEN_CURED.search(said) else None


def _denied(messages: Sequence[SessionMessage], at: int) -> bool:
    """Return whether the user's answer says that the fix does not work."""
    answer = next((one for one in messages[at + 1 :] if one.role == "user"), None)
    return answer is not None and _FAILED_TRY.search(plain(own_words(answer.text))) is not None


def _text(parts: list[MessageSentence], complaint: str | None) -> str | None:
    """Return the account of a fix as a text that can be understood alone; None if impossible."""
    kept = [_whole(one.text) for one in parts]
    lead = _LEADING.match(kept[0])
    if lead is not None:
        kept[0] = kept[0][lead.end() :]
    text = " ".join(kept)
    first = plain(kept[0])
    if not (_UNNAMED.match(first) or _POINTING.match(first)):
        return text
    if complaint and len(complaint.split()) <= NAMED and len(words(complaint)) > 1:
        return f"{complaint.rstrip('.!?:; ')}: {text}"
    return None if _UNREADABLE.match(first) else text


def _whole(text: str) -> str:
    return text if text[-1:] in ".!?;" else f"{text}."
