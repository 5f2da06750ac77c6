"""Who may use the window: whoever opened the address that was printed, in one browser.

The address has a token that works once and becomes a cookie that no script and no other site can
use. An act needs more: a header of ours, which no form of another site can send, or a key in the
form that only a page of this window knows. Both keys are made anew at each start.
"""

from __future__ import annotations

from varves.loopback.gate import is_same

TYPE_CHECKING = False
if TYPE_CHECKING:
    from varves.loopback.gate import Headers, Part
    from varves.values.ids import IdSource

OPENING = "/open"
HEADER = "x-varves"
FIELD = "key"  # of a form
_BYTES = 24


class Visitor:
    """The secrets of one run of the window, and what they open.

    Args:
        ids: the source of randomness.
        port: the port, part of the cookie's name: browsers send a cookie to every port of a host.
    """

    def __init__(self, ids: IdSource, port: int) -> None:
        self.token: str = ids.entropy(_BYTES).hex()
        """What the printed address contains; empty once it was used."""
        self.form_key = ids.entropy(_BYTES).hex()
        """What a form of this window contains."""
        self.cookie = f"varves-{port}"
        self._secret = ids.entropy(_BYTES).hex()

    def __call__(self, scope: Part, headers: Headers) -> int | None:
        """Return the status with which to refuse a request, or None."""
        if scope["path"] == OPENING or self.is_known(headers):
            return None
        return 401

    def is_known(self, headers: Headers) -> bool:
        """Return whether a request has the cookie."""
        cookies = [part for line in headers.get(b"cookie", ()) for part in line.split(";")]
        values = [value for name, _, value in map(_parted, cookies) if name == self.cookie]
        return len(values) == 1 and is_same(values[0], self._secret)

    def opened(self, token: str) -> str | None:
        """Return the cookie to set for a token that was not used before; None for any other."""
        if not self.token or not is_same(token, self.token):
            return None
        self.token = ""
        return f"{self.cookie}={self._secret}; Path=/; HttpOnly; SameSite=Strict"

    def may_act(self, headers: Headers, key: str | None) -> bool:
        """Return whether a request that acts comes from a page of this window."""
        if key is not None:
            return is_same(key, self.form_key)
        return headers.get(HEADER.encode()) == ["1"]


def _parted(cookie: str) -> tuple[str, str, str]:
    return cookie.strip().partition("=")
