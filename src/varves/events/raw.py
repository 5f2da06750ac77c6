"""What a stored line tells without being parsed.

A write must know what other processes have just recorded, and parsing all their lines would cost
more than the write. Quotes inside texts are escaped, so a marker with bare quotes can only be part
of the line itself.
"""

from __future__ import annotations

from varves.events.memories import CLOSED, INJECTED, RECORDED, REINFORCED

_HLC_AT = len('{"v":1,"id":"') + 30 + len('","hlc":"')
_BACKSLASH = ord("\\")


def _marker(kind: str) -> bytes:
    return f'"kind":"{kind}","data":'.encode("ascii")


_RECORDED, _REINFORCED, _CLOSED = _marker(RECORDED), _marker(REINFORCED), _marker(CLOSED)
_INJECTED = _marker(INJECTED)
_NOT_PLAIN = (b'"lifts":', b'"expires_at":', b'"document":')  # acts on values, ends, is rewritten


def is_plain(line: bytes) -> bool:
    """Tell whether an event only adds something, for good, and changes nothing about others."""
    if _RECORDED in line:
        return not any(mark in line for mark in _NOT_PLAIN)
    return _REINFORCED in line or _CLOSED in line or _INJECTED in line


def is_closing(line: bytes) -> bool:
    """Tell whether an event closes a segment."""
    return _CLOSED in line


def hlc_of(line: bytes) -> str:
    """Return an event's stamp, or nothing where it does not stand in its place."""
    stamp = line[_HLC_AT : _HLC_AT + 16]
    return "" if stamp.strip(b"0123456789abcdef") else stamp.decode("ascii")


def text_of(line: bytes) -> bytes:
    """Return the text of a record as it stands in its line, escapes and all."""
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
