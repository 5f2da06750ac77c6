"""The text form of an event: one canonical line of ASCII JSON.

The envelope's keys have a fixed order, and the keys of `data` are sorted. So the bytes that each of
the two digests covers can be cut out of a line without parsing it. The specification is
`docs/format.md`.
"""

from __future__ import annotations

import json
from binascii import unhexlify
from hashlib import sha256
from json.encoder import encode_basestring_ascii as _quoted
from math import isfinite

from varves.errors import Refused
from varves.events.event import Event
from varves.events.upcast import upcast

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any

    from varves.events.event import Draft

VERSION = 1
HEAD_KEYS = (
    "v",
    "id",
    "hlc",
    "time",
    "writer",
    "seq",
    "prev",
    "seen",
    "protocol",
    "session",
    "actor",
    "cause",
    "origin",
    "trust",
    "kind",
)
MAX_DEPTH = 64
MAX_INT = 2**53

_DATA_MARK, _SALT_MARK, _PURGED_MARK = b',"data":', b',"salt":"', b',"purged":true'
_C_MARK, _H_MARK = b',"c":"', b'","h":"'
_SALT_LEN = len(_SALT_MARK) + 32 + 1
_C_LEN = len(_C_MARK) + 64 + 1
_TAIL_LEN = len(_C_MARK) + 64 + len(_H_MARK) + 64 + 2

_ordered = json.JSONEncoder(separators=(",", ":"), allow_nan=False).encode
_sorted = json.JSONEncoder(separators=(",", ":"), allow_nan=False, sort_keys=True).encode


class BadLine(ValueError):
    """A stored line that is not a complete, unchanged event; the message gives the reason."""


def _no_constant(word: str) -> None:
    raise BadLine(f"{word} is not allowed")


def _finite(word: str) -> float:
    value = float(word)
    if not isfinite(value):
        raise BadLine(f"{word} is out of range")
    return value


_json_decode = json.JSONDecoder(parse_constant=_no_constant, parse_float=_finite).decode


def canonical(value: Any) -> bytes:
    """Return the canonical bytes of a JSON value."""
    return _sorted(value).encode("ascii")


def lawful(value: Any, depth: int = 1) -> None:
    """Refuse a JSON value with deep nesting, huge integers, NaN, or keys that are not text."""
    if value is None or isinstance(value, (str, bool)):
        return
    if depth > MAX_DEPTH:
        raise Refused("nested too deep", f"keep it within {MAX_DEPTH} levels")
    if isinstance(value, int):
        if abs(value) > MAX_INT:
            raise Refused("an integer is too large", "write it as text")
    elif isinstance(value, float):
        if not isfinite(value):
            raise Refused("not a finite number", "leave it out")
    elif isinstance(value, dict):
        for key, part in value.items():
            if not isinstance(key, str):
                raise Refused(f"key {key!r} is not text", "use text keys")
            lawful(part, depth + 1)
    elif isinstance(value, (list, tuple)):
        for part in value:
            lawful(part, depth + 1)
    else:
        raise Refused(f"{type(value).__name__} cannot be recorded", "use JSON values")


def encode(fields: dict[str, Any]) -> bytes:
    """Encode an event's fields as a line with a newline.

    This also sets both digests, `c` and `h`.
    """
    body = canonical(fields["data"])
    fields["c"] = sha256(bytes.fromhex(fields["salt"]) + body).hexdigest()
    head = _head(fields).encode("ascii")
    c_part = _C_MARK + fields["c"].encode("ascii") + b'"'
    fields["h"] = sha256(head + c_part + b"}").hexdigest()
    salt_part = _SALT_MARK + fields["salt"].encode("ascii") + b'"'
    return b"".join(
        (head, _DATA_MARK, body, salt_part, c_part, b',"h":"', fields["h"].encode("ascii"), b'"}\n')
    )


def stamped(draft: Draft, log: str, stamp: Mapping[str, Any]) -> tuple[Event, bytes]:
    """Create an event from a draft; return the event, and its line with the newline.

    Args:
        draft: the draft to record.
        log: the log it is recorded in.
        stamp: its place in that log: id, hlc, time, writer, seq, prev, seen and salt.
    """
    fields: dict[str, Any] = {
        "v": VERSION,
        "id": stamp["id"],
        "hlc": stamp["hlc"],
        "time": stamp["time"],
        "writer": stamp["writer"],
        "seq": stamp["seq"],
        "prev": stamp["prev"],
        "seen": list(stamp["seen"]),
        "protocol": draft.protocol,
        "session": draft.session,
        "actor": draft.actor,
        "cause": list(draft.cause),
        "origin": draft.origin,
        "trust": draft.trust,
        "kind": draft.kind,
        "data": draft.data,
        "salt": stamp["salt"],
    }
    return Event(fields, log), encode(fields)


def _head(fields: dict[str, Any]) -> str:
    """Return the fields up to `kind` as canonical JSON, without the closing brace."""
    prev, session = fields["prev"], fields["session"]
    return (
        f'{{"v":{fields["v"]},"id":{_quoted(fields["id"])},"hlc":"{fields["hlc"]}"'
        f',"time":{_quoted(fields["time"])},"writer":{_quoted(fields["writer"])}'
        f',"seq":{fields["seq"]},"prev":{"null" if prev is None else _quoted(prev)}'
        f',"seen":{_ordered(fields["seen"]) if fields["seen"] else "[]"}'
        f',"protocol":{_quoted(fields["protocol"])}'
        f',"session":{"null" if session is None else _quoted(session)}'
        f',"actor":{_quoted(fields["actor"])}'
        f',"cause":{_ordered(fields["cause"]) if fields["cause"] else "[]"}'
        f',"origin":{_quoted(fields["origin"])},"trust":{fields["trust"]}'
        f',"kind":{_quoted(fields["kind"])}'
    )


def check(line: bytes) -> None:
    """Check both digests of a stored line against its bytes; the line has no newline."""
    end = len(line) - _TAIL_LEN
    cut = line.find(_DATA_MARK)
    if cut < 0:
        cut = line.find(_PURGED_MARK)
        if cut < 0 or end < 0 or line[cut:end] != _PURGED_MARK:
            raise BadLine("not an event line")
    else:
        salt = end - _SALT_LEN
        if salt < cut or not line.startswith(_SALT_MARK, salt):
            raise BadLine("no salt")
        try:
            grains = unhexlify(line[end - 33 : end - 1])
        except ValueError:
            raise BadLine("bad salt") from None
        # the digits of the digest are in upper case
        if not line.startswith(grains.hex().encode("ascii"), end - 33):
            raise BadLine("bad salt")
        c = sha256(grains + line[cut + len(_DATA_MARK) : salt]).hexdigest()
        if line[end + len(_C_MARK) : end + _C_LEN - 1] != c.encode("ascii"):
            raise BadLine("content does not match its digest c")
    h = sha256(line[:cut] + line[end : end + _C_LEN] + b"}").hexdigest()
    if line[end + _C_LEN - 1 :] != b'%b%b"}' % (_H_MARK, h.encode("ascii")) or not line.startswith(
        _C_MARK, end
    ):
        raise BadLine("line does not match its digest h")


def decode(line: bytes, log: str) -> Event:
    """Check a stored line and decode it; convert an event of an older version of the format."""
    check(line)
    try:
        fields = _json_decode(line.decode("ascii"))
        if line.count(b"[") + line.count(b"{") > MAX_DEPTH:
            lawful(fields)
    except (ValueError, RecursionError, Refused) as fault:
        raise BadLine(f"not JSON of this format: {fault}") from None
    if not _enveloped(fields):
        raise BadLine("not an event's envelope")
    if b"\\ud" in line or b"\\uD" in line:
        fields = _mended(fields)
    return Event(upcast(fields), log)


def _mended(value: Any) -> Any:
    """Replace lone surrogates in all strings, because JSON allows them but other stores do not."""
    if isinstance(value, str):
        return value.encode("utf-16", "surrogatepass").decode("utf-16", "replace")
    if isinstance(value, dict):
        return {_mended(key): _mended(part) for key, part in value.items()}
    return [_mended(part) for part in value] if isinstance(value, list) else value


def _enveloped(fields: Any) -> bool:
    """Return whether all fields other than `data` exist and have the right types."""
    try:
        return (
            len(fields["hlc"]) == 16
            and not fields["hlc"].strip("0123456789abcdef")
            and type(fields["v"]) is type(fields["seq"]) is type(fields["trust"]) is int
            and fields["v"] > 0
            and 0 <= fields["seq"] <= MAX_INT
            and 0 <= fields["trust"] <= MAX_INT
            and type(fields["seen"]) is type(fields["cause"]) is list
            and all(type(name) is str for name in (*fields["seen"], *fields["cause"]))
            and type(fields["id"]) is type(fields["writer"]) is type(fields["kind"]) is str
            and type(fields["time"]) is type(fields["actor"]) is type(fields["protocol"]) is str
            and type(fields["origin"]) is str
            and isinstance(fields["prev"], (str, type(None)))
            and isinstance(fields["session"], (str, type(None)))
            and isinstance(fields.get("data", {}), dict)
        )
    except (AttributeError, KeyError, TypeError):
        return False


def parse(line: str, log: str) -> Event:
    """Decode a line without checking it; the caller has checked it before."""
    fields = _json_decode(line)
    if "\\ud" in line or "\\uD" in line:
        fields = _mended(fields)
    return Event(upcast(fields), log)


def assert_canonical(line: bytes, event: Event) -> None:
    """Raise BadLine unless encoding the event again gives exactly the stored bytes."""
    fields = event.fields
    keys = (
        (*HEAD_KEYS, "purged", "c", "h") if event.purged else (*HEAD_KEYS, "data", "salt", "c", "h")
    )
    if tuple(fields) != keys:
        raise BadLine("the envelope's keys are not those of the format")
    again = _ordered(fields).encode("ascii") if event.purged else encode(dict(fields))[:-1]
    if again != line:
        raise BadLine("not in canonical form")


def purged_line(line: bytes) -> bytes:
    """Return a stored line without its content; the bytes are the same in every clone."""
    cut = line.find(_DATA_MARK)
    return line if cut < 0 else line[:cut] + _PURGED_MARK + line[len(line) - _TAIL_LEN :]
