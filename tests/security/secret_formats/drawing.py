"""Templates such as `ghp_{crc:36}` become one token each, drawn with the given random source."""

from __future__ import annotations

import base64
import re
import string
import zlib

TYPE_CHECKING = False
if TYPE_CHECKING:
    import random

BASE62 = string.digits + string.ascii_uppercase + string.ascii_lowercase
ALPHABETS = {
    "d": string.digits,
    "a": string.ascii_lowercase,
    "A": string.ascii_uppercase,
    "l": string.ascii_letters,
    "an": string.ascii_lowercase + string.digits,
    "AN": string.ascii_uppercase + string.digits,
    "hex": "0123456789abcdef",
    "HEX": "0123456789ABCDEF",
    "b32": string.ascii_uppercase + "234567",
    "b62": BASE62,
    "b64": BASE62 + "+/",
    "url": BASE62 + "-_",
    "w": BASE62 + "_",
    "azure": BASE62 + "-_~.",
    "bech": "QPZRY9X8GF2TVDW0S3JN54KHCE6MUA7L",
    "crock": "0123456789abcdefghjkmnpqrstvwxyz",
    "b32low": string.ascii_lowercase + "234567",
    "django": string.ascii_lowercase + string.digits + "!@#$%^&*(-_=+)",
    "print": BASE62 + "!#$%&*+-.^_~",
}
_SPOT = re.compile(r"\{(uuid4?|discord|human|\w+(?=:\d))(?::(\d+)(?:-(\d+))?)?\}")


def draw(rng: random.Random, template: str) -> str:
    """Return the template with each `{…}` replaced by a fresh random part."""
    return _SPOT.sub(lambda spot: _part(rng, *spot.groups()), template)


def _part(rng: random.Random, kind: str, least: str | None, most: str | None) -> str:
    if kind == "uuid":
        return _uuid(rng, "0123456789abcdef")
    if kind == "uuid4":
        return _uuid(rng, "4")
    if kind == "discord":
        snowflake = str(rng.randrange(10**17, 10**18 * 2)).encode()
        return base64.urlsafe_b64encode(snowflake).decode().rstrip("=")
    if kind == "human":
        return _human(rng)
    low = int(least or 0)
    length = rng.randint(low, int(most or low))
    if kind == "crc":
        return _checked(rng, length)
    return "".join(rng.choices(ALPHABETS[kind], k=length))


def _human(rng: random.Random) -> str:
    """Draw a password as people make them up."""
    words = ("Sommer", "Berlin", "Dragon", "hunter", "Welcome", "Winter", "Monkey", "Falcon")
    ends = ("{d:2}!", "{d:4}!", "{d:3}#", "{d:4}$", "!{d:2}x", "@{d:4}", "{d:1}!{l:3}{d:2}")
    return rng.choice(words) + draw(rng, rng.choice(ends))


def _uuid(rng: random.Random, version: str) -> str:
    digits = "".join(rng.choices("0123456789abcdef", k=32))
    digits = digits[:12] + rng.choice(version) + digits[13:]
    return "-".join((digits[:8], digits[8:12], digits[12:16], digits[16:20], digits[20:]))


def _checked(rng: random.Random, length: int) -> str:
    """Draw a base62 text that ends, as GitHub's and npm's tokens do, with its own CRC-32."""
    entropy = "".join(rng.choices(BASE62, k=length - 6))
    left, check = zlib.crc32(entropy.encode()), ""
    for _ in range(6):
        left, digit = divmod(left, 62)
        check = BASE62[digit] + check
    return entropy + check
