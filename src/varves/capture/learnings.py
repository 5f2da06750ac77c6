"""Finds the learnings in a session's messages: sentences that a later session should know."""

from __future__ import annotations

from varves.capture.accounts import accounts
from varves.capture.choices import offers, standing, stated
from varves.capture.fixes import fixes
from varves.capture.lasting_words import lasting_words
from varves.capture.learning import Learning
from varves.capture.weighing import Occasion
from varves.values.text import fold

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from varves.values.signals import SessionMessage


def learnings(messages: Sequence[SessionMessage], *, turn_start: int = 0) -> list[Learning]:
    """Return, in order, the sentences of a session's messages that should be remembered.

    Args:
        messages: the messages in order, including tools' answers.
        turn_start: the index of the first new message; earlier messages are only context.
    """
    heard = [
        *_by_user(messages, turn_start),
        *fixes(messages),
        *accounts(messages),
        *stated(messages),
    ]
    found: dict[str, Learning] = {}
    for one in sorted(standing(heard, messages), key=lambda one: one.message_index):
        found.setdefault(fold(one.text), one)
    return [one for one in found.values() if one.settled >= turn_start]


def _by_user(messages: Sequence[SessionMessage], turn_start: int) -> list[Learning]:
    found = []
    for at in range(turn_start, len(messages)):
        message = messages[at]
        if message.role == "user":
            found += [
                Learning(
                    kind=one.kind,
                    text=one.text,
                    by="user",
                    message_index=at,
                    settled=at,
                    key=message.key,
                    files=_files_after(messages, at),
                    why=one.why,
                )
                for one in lasting_words(message.text, _occasion(messages, at))
            ]
    return found


def _occasion(messages: Sequence[SessionMessage], at: int) -> Occasion:
    """Return the situation in which a user's message was written."""
    before = next((n for n in range(at - 1, -1, -1) if messages[n].role == "assistant"), None)
    if before is None:
        return Occasion(first=True)
    said = messages[before].text.rstrip()
    return Occasion(asked=said.endswith("?"), offered=offers(said))


def _files_after(messages: Sequence[SessionMessage], at: int) -> tuple[str, ...]:
    """Return the files written between a user's message and the next one."""
    names: dict[str, None] = {}
    for place in range(at + 1, len(messages)):
        if messages[place].role == "user":
            break
        names.update(dict.fromkeys(messages[place].files))
    return tuple(names)
