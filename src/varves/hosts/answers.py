"""Formats an answer exactly as a coding agent expects it.

The JSON must have no extra keys, because Codex ignores an answer with extra keys.
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from varves.hosts.clients import Client


def answer(client: Client, text: str, *, event: str, moment: str) -> str:
    """Return the text for stdout; "" if there is nothing to say, or the agent accepts no text."""
    if not text or moment not in client.told:
        return ""
    if client.form == "plain":
        return text + "\n"
    if client.form == "none":
        return ""
    said = _quoted(text)
    if client.form == "flat":
        return f'{{"additionalContext":{said}}}\n'
    if client.form == "snake":
        return f'{{"additional_context":{said}}}\n'
    name = _quoted(event)
    return f'{{"hookSpecificOutput":{{"hookEventName":{name},"additionalContext":{said}}}}}\n'


def _quoted(text: str) -> str:
    """Return a text as an ASCII JSON string.

    To import `json` would take longer than all the rest of the answer.
    """
    try:
        from _json import encode_basestring_ascii as quote
    except ImportError:
        from json.encoder import encode_basestring_ascii as quote
    quoted: str = quote(text)
    return quoted
