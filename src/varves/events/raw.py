"""Reads single fields of an event's stored line without parsing the line.

A write must know what other processes have just recorded, and parsing all their lines would take
longer than the write. Quotes in texts are escaped. So a marker with unescaped quotes is always part
of the line's own JSON, and never of a text.
"""

from __future__ import annotations

from varves.events.kinds import CLOSED, RECORDED, named

_HLC_AT = len('{"v":1,"id":"') + 30 + len('","hlc":"')
_BACKSLASH = ord("\\")


def _marker(kind: str) -> bytes:
    return f'"kind":"{kind}","data":'.encode("ascii")


# An event is plain if its kind is one of these and it has none of the keys below: it only adds
# something, permanently. A record with such a key acts on other values, expires, or may be written
# again.
PLAIN_KINDS = frozenset(named("plain"))
ACTING_KEYS = frozenset(("lifts", "expires_at", "document"))

_RECORDED, _CLOSED = _marker(RECORDED), _marker(CLOSED)
_PLAIN = tuple(_marker(kind) for kind in named("plain"))
_ACTING = tuple(f'"{key}":'.encode("ascii") for key in ACTING_KEYS)


def is_plain(line: bytes) -> bool:
    """Return whether a line's event is plain: it adds something, and changes no other memory."""
    return any(kind in line for kind in _PLAIN) and not any(key in line for key in _ACTING)


def is_closing(line: bytes) -> bool:
    """Return whether a line's event closes its file, so that no more lines are appended to it."""
    return _CLOSED in line


def hlc_of(line: bytes) -> str:
    """Return the field `hlc` of a line's event, or "" if it is not at its usual position."""
    stamp = line[_HLC_AT : _HLC_AT + 16]
    return "" if stamp.strip(b"0123456789abcdef") else stamp.decode("ascii")


def text_of(line: bytes) -> bytes:
    """Return the text of a `memory.recorded` event as its line stores it, with escapes."""
    start = line.find(b'"text":"') + len(b'"text":"')
    if start < len(b'"text":"') or _RECORDED not in line:
        return b""
    end = line.find(b'"', start)
    while end > 0 and line[end - 1] == _BACKSLASH:
        slashes = end - len(line[start:end].rstrip(b"\\")) - start
        if slashes % 2 == 0:
            break
        end = line.find(b'"', end + 1)
    return line[start:end]
