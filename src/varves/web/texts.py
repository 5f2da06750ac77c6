"""Text on a page: escaped, with hidden characters shown, cut at a length, or compared by words."""

from __future__ import annotations

import re
from difflib import SequenceMatcher
from itertools import groupby

from markupsafe import Markup, escape

from varves.values.unseen import is_unseen

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    Run = tuple[bool, Sequence[str], Sequence[str]]
_WORD = re.compile(r"(?<=\s)(?=\S)")
_LONG = 700  # the most characters of a memory in a list
_BOX = Markup('<span class="ctl">U+{:04X}</span>')
_JOIN = 3  # fewer equal words between two changes belong to the change
_MOST = 4000  # words; longer texts are compared by lines


def plain(text: str) -> Markup:
    """Return a text for a page: nothing in it is markup, and no character in it is hidden."""
    if text.isprintable() and text.isascii():
        return escape(text)
    parts = groupby(text, key=_is_hidden)
    return Markup("").join(
        Markup("").join(_BOX.format(ord(one)) for one in letters)
        if hidden
        else escape("".join(letters))
        for hidden, letters in parts
    )


def _is_hidden(letter: str) -> bool:
    return letter not in "\n\t" and is_unseen(ord(letter))


def cut(text: str, most: int = _LONG) -> str:
    """Return a text, or its beginning and an ellipsis."""
    return text if len(text) <= most else f"{text[:most].rstrip()}…"


def differing(earlier: str, later: str, *, taken: bool = True) -> Markup:
    """Return both texts as one: what was taken out as <del>, what was put in as <ins>.

    Args:
        earlier: the text before.
        later: the text after.
        taken: whether what was taken out is shown.
    """
    parts = [
        plain("".join(into)) if same else _changed(out if taken else (), into)
        for same, out, into in _runs(_parted(earlier), _parted(later))
    ]
    return Markup("").join(parts)


def _parted(text: str) -> list[str]:
    """Return a text in words, each with the blanks and line ends behind it."""
    words = _WORD.split(text)
    return text.splitlines(keepends=True) if len(words) > _MOST else words


def sides(earlier: str, later: str) -> tuple[Markup, Markup]:
    """Return both texts, the earlier one with <del>, the later one with <ins>."""
    runs = list(_runs(_words(earlier), _words(later)))
    parts = [plain("".join(out)) if same else _changed(out, ()) for same, out, _ in runs]
    others = [plain("".join(into)) if same else _changed((), into) for same, _, into in runs]
    return Markup("").join(parts), Markup("").join(others)


def _words(text: str) -> list[str]:
    """Return a text in parts that joined are the text: words with the space behind them."""
    words = text.split(" ")
    if len(words) > _MOST:
        return text.splitlines(keepends=True)
    return [f"{word} " for word in words[:-1]] + words[-1:]


def _runs(earlier: Sequence[str], later: Sequence[str]) -> Iterator[Run]:
    """Yield (whether they are equal, words of the earlier text, words of the later text)."""
    out, into = list[str](), list[str]()
    matcher = SequenceMatcher(
        None, [one.rstrip() for one in earlier], [one.rstrip() for one in later], autojunk=False
    )
    codes = matcher.get_opcodes()
    for place, (what, a, b, c, d) in enumerate(codes):
        inner = 0 < place < len(codes) - 1
        if what == "equal" and not (inner and b - a < _JOIN):
            yield False, out, into
            out, into = [], []
            yield True, earlier[a:b], later[c:d]
        else:
            out += earlier[a:b]
            into += later[c:d]
    yield False, out, into


def _changed(out: Sequence[str], into: Sequence[str]) -> Markup:
    parts = []
    for words, tag in ((out, "del"), (into, "ins")):
        text = "".join(words)
        if text.strip():
            shown = plain(text.rstrip())
            is_last = words is into or not "".join(into).strip()
            behind = text[len(text.rstrip()) :] if is_last and text.endswith("\n") else " "
            made = Markup("<{0}>{1}</{0}>{2}")
            parts.append(made.format(Markup(tag), shown, behind))  # noqa: S704 - our tag
        elif text:
            parts.append(plain(text))
    return Markup("").join(parts)
