"""Samples from the tables of said.py and broken.py, and the lines of unsaid.py, always the same."""

from __future__ import annotations

import hashlib
import random
import re

from tests.security.secret_formats import broken, said, unsaid
from tests.security.secret_formats.drawing import ALPHABETS, BASE62, draw
from tests.security.secret_formats.making import b64
from tests.security.secret_formats.samples import Sample

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

PARTS = ("even", "odd", "fresh", "ordinary")
BREAKS = {
    "nl": "\n",
    "crlf": "\r\n",
    "zw": "\u200b",
    "zwj": "\u200d",
    "bom": "\ufeff",
    "shy": "\u00ad",
    "wj": "\u2060",
}
ALPHABETS["c"] = BASE62 + "./"
_WORDS = (
    *("Sommer", "Berlin", "Dragon", "hunter", "Welcome", "Soleil", "Verano", "Falcon"),
    *("maria", "Roma"),
)
_ENDS = (
    *("{d:2}!", "{d:4}!", "{d:3}#", "{d:4}$", "!{d:2}x", "@{d:4}", "{d:4}", "{d:1}"),
    *("-{d:4}-{l:4}", "_{d:2}"),
)
_MADE = (
    *("{A}!{d:4}", "{a}{d:4}", "{A}-{b}-{d:2}", "{A}_{B}_{d:4}", "{L}{B}", "{b}{d:2}{A}"),
    *(
        "k{A}{d:2}-{b}",
        "{A}.{B}.{d:2}",
        "{L}_{d:2}",
        "{A}{d:1}{B}!",
        "{a}#{B}{d:2}",
        "{a}{d:1}_{B}",
    ),
)
_LEET = str.maketrans("eiao", "3140")
_VALUES = {
    "{p}": ("{b62:12-20}", "{print:12-20}", "{url:14-22}"),
    "{t}": ("{hex:32}", "{b62:24-40}", "{url:32}", "{uuid}"),
}


def _lines(table: str) -> list[str]:
    return [line for line in table.splitlines() if line]


def _part(frame: str) -> str:
    return PARTS[hashlib.sha256(frame.encode()).digest()[0] % 2]


def _framed(first: str, fresh: str) -> Iterator[tuple[str, str]]:
    """Yield the frames of two tables, each with the part it belongs to."""
    yield from ((_part(frame), frame) for frame in _lines(first))
    yield from (("fresh", frame) for frame in _lines(fresh))


def told() -> Iterator[tuple[str, Sample]]:
    """Yield every sample with the part it belongs to."""
    for tongue, table in said.SAID.items():
        for part, frame in _framed(table, said.FRESH_SAID[tongue]):
            yield from ((part, _said(tongue, frame, number)) for number in range(3))
        for frame in _lines(said.ORDINARY_SAID[tongue]):
            yield from (("ordinary", _said(tongue, frame, number)) for number in range(4))
    for part, frame in _framed(broken.CRYPT, broken.FRESH_CRYPT):
        yield from ((part, _hashed(frame, number)) for number in range(2))
    for part, frame in _framed(broken.WRAPPED, broken.FRESH_WRAPPED):
        yield part, _wrapped(frame)
    for part, frame in _framed(broken.BROKEN, broken.FRESH_BROKEN):
        yield from ((part, _broken(frame, number)) for number in range(2))


def _said(tongue: str, frame: str, number: int) -> Sample:
    rng = random.Random(f"{frame}{number}")
    if "{w}" in frame:
        value = _made(rng)
    elif "{h}" in frame:
        value = rng.choice(_WORDS) + draw(rng, rng.choice(_ENDS))
    else:
        value = draw(rng, rng.choice(_VALUES["{p}" if "{p}" in frame else "{t}"]))
    return Sample(f"said-{tongue}", re.sub(r"\{[hptw]\}", lambda _: value, frame), (value,))


def _made(rng: random.Random) -> str:
    one, other = rng.sample(said.WORDS, 2)
    words = {"{A}": one.capitalize(), "{a}": one, "{B}": other.capitalize(), "{b}": other}
    words["{L}"] = one[0].upper() + one[1:].translate(_LEET)
    template = rng.choice(_MADE)
    for mark, word in words.items():
        template = template.replace(mark, word)
    return draw(rng, template)


def _hashed(frame: str, number: int) -> Sample:
    text = draw(random.Random(f"{frame}{number}"), frame)
    return Sample("hash", text, (max(re.findall("[A-Za-z0-9./+]{20,}", text), key=len),))


def _wrapped(line: str) -> Sample:
    kind, columns, frame = line.split("|", 2)
    body = b64(random.Random(line).randbytes(600))
    rows = "\n".join(body[at : at + 64] for at in range(0, len(body), 64))
    whole = b64(f"-----BEGIN {kind}-----\n{rows}\n-----END {kind}-----\n")
    size = int(columns) or len(whole)
    cut = [whole[at : at + size] for at in range(0, len(whole), size)]
    text = frame.replace("\\n", "\n").replace("{w}", "\n".join(cut))
    return Sample("wrapped", text, (cut[0][40:], *cut[1:]))


def _broken(line: str, number: int) -> Sample:
    template, tenths, by = line.split("|")
    rng = random.Random(f"{line}{number}")
    frame, token = rng.choice(broken.FRAMES), draw(rng, template)
    public = len(template.split("{", maxsplit=1)[0])
    at = min(max(public + 3, len(token) * int(tenths) // 10), len(token) - 5)
    end = len(token) - len(template.rsplit("}", maxsplit=1)[1])
    text = frame.replace("{t}", token[:at] + BREAKS[by] + token[at:])
    return Sample("broken", text, (token[public:at], token[at:end]))


def untold() -> Iterator[tuple[str, str]]:
    """Yield every harmless line with the part it belongs to."""
    for tongue, table in unsaid.BENIGN.items():
        for part, frame in _framed(table, unsaid.FRESH_BENIGN[tongue]):
            subjects = unsaid.SUBJECTS[tongue] if "{S}" in frame else ("",)
            yield from ((part, frame.replace("{S}", subject)) for subject in subjects)
        yield from (("ordinary", line) for line in _lines(unsaid.ORDINARY_BENIGN[tongue]))
    for line in _lines(unsaid.PLAIN):
        yield _part(line), draw(random.Random(line), line.replace("\\n", "\n"))
