"""Inserts an event: after the last one and before any footer, or first if the file states so.

If a footer would be read as part of the event, such as a bare `### Why`, the event is put after it.
Existing text is not changed.
"""

from __future__ import annotations

from varves.errors import Refused
from varves.protocols.layers.parser import parse

TYPE_CHECKING = False
if TYPE_CHECKING:
    from varves.protocols.layers.blocks import Changelog


def place(changelog: Changelog, text: str) -> bytes:
    """Return the log with one or more composed events inserted.

    Raises:
        Refused: the log has conflict markers, or unclosed code that would swallow the event.
    """
    if changelog.markers:
        raise Refused(
            f"line {changelog.markers[0]} of the log is a conflict marker",
            "varves rebuild resolves it",
        )
    fresh = text.replace("\r\n", "\n").strip("\n") + "\n"
    before, after = _around(changelog, fresh)
    chunk = (_gap(before) + fresh).replace("\n", changelog.newline)
    if after.strip("\r\n"):
        chunk += changelog.newline
    content = (before + chunk + after).encode("utf-8")
    if changelog.unclosed is not None:
        _assert_read(changelog, content, fresh)
    return content


def _around(changelog: Changelog, fresh: str) -> tuple[str, str]:
    """Return the text before and after the place of an event."""
    whole = changelog.content.decode("utf-8")
    if changelog.newest_first and changelog.blocks:
        return changelog.preamble, whole[len(changelog.preamble) :]
    if not ends_events(changelog.footer, fresh):
        return whole, ""
    end = len(whole) - len(changelog.footer)
    return whole[:end], changelog.footer


def ends_events(footer: str, fresh: str) -> bool:
    """Return whether a footer after an event is not read as part of the event."""
    alone, followed = (
        [block.digest for block in parse(text.encode("utf-8")).blocks]
        for text in (fresh, f"{fresh}\n{footer}")
    )
    return alone == followed


def _gap(before: str) -> str:
    """Return the line ends that are needed for a blank line at the end of a text."""
    if not before.strip("\ufeff"):
        return ""
    bare = before.replace("\r\n", "\n")
    if bare.endswith("\n\n"):
        return ""
    return "\n" if bare.endswith("\n") else "\n\n"


def _assert_read(changelog: Changelog, content: bytes, fresh: str) -> None:
    """Make sure that the new events can be read back, and the old ones still can."""
    there, added = parse(content), parse(fresh.encode("utf-8"))
    wanted = sorted(block.digest for block in (*changelog.blocks, *added.blocks))
    if sorted(block.digest for block in there.blocks) != wanted:
        raise Refused(
            (
                f"line {changelog.unclosed} of the log opens code or a comment that is never"
                " closed, and would hide the event"
            ),
            "close it, then append again",
        )
