"""All formats, and seeded samples of each in the places where secrets are met.

`OPEN` and `HELD` split the formats by the hash of their names: rules were tuned while looking at
the open half only, and the held half was measured once after that. Its misses were mended too, so
a third part, `FRESH`, was drawn after that and measured once in its turn.
"""

from __future__ import annotations

import hashlib
import random
from typing import NamedTuple
from urllib.parse import quote

from tests.security.secret_formats import keys, lines
from tests.security.secret_formats.contexts import ANYWHERE, BY_NAME
from tests.security.secret_formats.drawing import draw
from tests.security.secret_formats.making import MAKERS
from tests.security.secret_formats.named import FRESH as FRESH_NAMED
from tests.security.secret_formats.named import NAMED
from tests.security.secret_formats.tokens import FRESH as FRESH_TOKENS
from tests.security.secret_formats.tokens import TOKENS

WINDOW = 12  # so many characters of a secret in a row count as the secret having got through
NAMES = (
    *("SERVICE_TOKEN", "DEPLOY_KEY", "API_TOKEN", "CI_CREDENTIAL"),
    *("CLIENT_VALUE", "APP_SETTING", "UPSTREAM"),
)


class Sample(NamedTuple):
    """One text with a secret in it."""

    format: str
    text: str
    secrets: tuple[str, ...]

    def leaks_into(self, text: str) -> bool:
        """Say whether a telling part of a secret stands in the text."""
        return any(piece in text for piece in self.pieces())

    def pieces(self) -> list[str]:
        """Return the parts of the secrets of which none may be found again."""
        cut = []
        for secret in self.secrets:
            last = max(1, len(secret) - WINDOW + 1)
            cut += [secret[at : at + WINDOW] for at in range(last)]
        return cut


def _tokens(table: str) -> dict[str, str]:
    return dict(line.split(maxsplit=1) for line in table.strip().splitlines() if line)


def _named(table: str) -> dict[str, tuple[str, list[str], str]]:
    found = {}
    for line in table.strip().splitlines():
        head, spoken = line.split(" | ")
        name, template, *names = head.split()
        found[f"named-{name}"] = (template, names, spoken)
    return found


_MARKED = _tokens(TOKENS + FRESH_TOKENS)
_BY_NAME = _named(NAMED.rstrip() + FRESH_NAMED)
assert {keys.__name__, lines.__name__}  # imported for the makers they register
FORMATS = tuple(sorted([*_MARKED, *_BY_NAME, *MAKERS]))
FRESH = tuple(sorted([*_tokens(FRESH_TOKENS), *_named(FRESH_NAMED)]))


def _odd(name: str) -> bool:
    return hashlib.sha256(name.encode()).digest()[0] % 2 == 1


OPEN = tuple(name for name in FORMATS if name not in FRESH and not _odd(name))
HELD = tuple(name for name in FORMATS if name not in FRESH and _odd(name))


def samples(name: str, count: int) -> list[Sample]:
    """Return so many samples of a format, always the same ones."""
    rng = random.Random(f"varves {name}")
    if name in MAKERS:
        return [
            Sample(name, text, tuple(parts))
            for text, parts in (MAKERS[name](rng) for _ in range(count))
        ]
    if name in _MARKED:
        frames = _shuffled(rng, ANYWHERE)
        marked = _MARKED[name]
        return [_framed(rng, name, marked, frames[at % len(frames)], "") for at in range(count)]
    template, names, spoken = _BY_NAME[name]
    frames = _shuffled(rng, BY_NAME)
    return [
        _framed(rng, name, template, frames[at % len(frames)], spoken, rng.choice(names))
        for at in range(count)
    ]


def _shuffled(rng: random.Random, frames: tuple[str, ...]) -> list[str]:
    return rng.sample(frames, len(frames))


def _framed(
    rng: random.Random,
    name: str,
    template: str,
    frame: str,
    spoken: str,
    variable: str | None = None,
) -> Sample:
    variable = variable or rng.choice(NAMES)
    words = variable.lower().split("_")
    public = template.split("{", maxsplit=1)[0]
    secret = draw(rng, template)
    filled = {
        "{V}": variable,
        "{v}": words[0] + "".join(word.capitalize() for word in words[1:]),
        "{y}": variable.lower(),
        "{s}": spoken,
        "{u}": quote(secret, safe=""),
        "{t}": secret,
    }
    for mark, value in filled.items():
        frame = frame.replace(mark, value)
    shown = secret if secret in frame else quote(secret, safe="")
    return Sample(name, frame, (shown.removeprefix(public).removeprefix(quote(public, safe="")),))
