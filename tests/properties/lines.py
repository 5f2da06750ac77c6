"""Lines made by hand: purged ones, and forged ones whose digests are right all the same."""

from __future__ import annotations

from hashlib import sha256
from json import dumps
from typing import Any

from varves.events.codec import HEAD_KEYS, encode

FIELDS: dict[str, Any] = {
    "v": 1,
    "id": "evt_00000000000000000000000000",
    "hlc": "01a0c4f0a4000000",
    "time": "2026-09-21T12:53:20.000Z",
    "writer": "forger.main",
    "seq": 1,
    "prev": None,
    "seen": [],
    "protocol": "core",
    "session": None,
    "actor": "USER",
    "cause": [],
    "origin": "direct",
    "trust": 3,
    "kind": "memory.recorded",
    "data": {},
    "salt": "00" * 16,
}


def line_of(**fields: Any) -> bytes:
    """Write an event's line with right digests, newline left out."""
    return encode(FIELDS | fields)[:-1]


def purged(line: bytes) -> bytes:
    """Erase a line's content as purge does: a constant in place of `data` and `salt`."""
    cut, end = line.index(b',"data":'), line.rindex(b',"c":"')
    return line[:cut] + b',"purged":true' + line[end:]


def forged(body: bytes, **fields: Any) -> bytes:
    """Write a line around content that our encoder would never write."""
    fields = FIELDS | fields
    head = dumps({key: fields[key] for key in HEAD_KEYS}, separators=(",", ":"))[:-1].encode()
    c = sha256(bytes.fromhex(fields["salt"]) + body).hexdigest().encode()
    h = sha256(head + b',"c":"' + c + b'"}').hexdigest().encode()
    salt = fields["salt"].encode()
    tail = b',"salt":"' + salt + b'","c":"' + c + b'","h":"' + h + b'"}'
    return head + b',"data":' + body + tail
