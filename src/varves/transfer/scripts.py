"""Talks that come from elsewhere: a transcript in a file, and the demonstration's own script."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

    from varves.protocols.deliberation.demo import Played
    from varves.protocols.deliberation.state import Stats
    from varves.protocols.deliberation.transcripts import Transcript
    from varves.protocols.runner import AgentRunner

CONVERSATION = "webhooks"
_DIGITS = 10
_NUMBERED = "id-"  # before an id that a transcript gives as a number


def transcript(text: str, name: str) -> Transcript:
    """Return the messages of a transcript, and the lines that are none.

    A reply to what is not there before it is kept as a message that answers nothing, and named.

    Args:
        text: JSON Lines, or Markdown with `Name: text` lines.
        name: the file's name, by which the two are told apart.
    """
    from varves.protocols.deliberation.transcripts import read

    told = read(text, name)
    numbered = any(one.id.startswith(_NUMBERED) for one in told.messages)
    places: dict[str, int] = {}
    messages, loose = [], []
    for at, one in enumerate(told.messages):
        if one.reply_to is not None:
            bare = one.reply_to.removeprefix(_NUMBERED)
            place = places.get(one.reply_to, at if numbered else _place(bare, at))
            if place >= at:
                loose.append((at, f"answers {bare}, which is not there before it"))
            one = one.replace(reply_to=str(place) if place < at else None)  # noqa: PLW2901
        messages.append(one)
        places.setdefault(one.id, at)
    return told.replace(messages=tuple(messages), loose=tuple(loose))


def _place(word: str, least: int) -> int:
    """Return the place a number names; what is none names no place below the least."""
    return int(word) if word.isascii() and word.isdigit() and len(word) < _DIGITS else least


def demonstrate(
    opened: Callable[..., Any],
    model: AgentRunner | None = None,
    *,
    progress: Callable[[int], None] | None = None,
) -> tuple[Played, Stats]:
    """Play the scripted talk in a ledger of its own, which is gone afterwards.

    Args:
        opened: opens a ledger, as `varves.open` does.
        model: who speaks for the agents; by default they follow the script.
        progress: is told how many messages there are.
    """
    from tempfile import TemporaryDirectory

    from varves.protocols.deliberation.demo import CAST, TOPIC, play

    with (
        TemporaryDirectory(prefix="varves-demo-") as folder,
        opened(folder, home=folder, actor="demo", mode="fast") as ledger,
    ):
        ledger.deliberation.begin(CONVERSATION, agents=tuple(CAST), topic=TOPIC)
        with ledger.deliberation.bus(CONVERSATION, runner=model) as bus:
            played = play(bus, model=model, progress=progress)
            return played, ledger.deliberation.stats(conversation=CONVERSATION)
