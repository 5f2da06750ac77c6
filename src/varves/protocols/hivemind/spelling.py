"""Words of tasks and summaries as they are compared: in one spelling and in one form.

`migration`, `migrations` and `Migrations` are one word, and so are `deploy`, `deploys` and
`deployed`; `rest` and `restore` are two. Words of other scripts are compared as they are written.
"""

from __future__ import annotations

from functools import lru_cache

from varves.values.gist import stem
from varves.values.text import words

_REMEMBERED = 20_000  # the most words whose forms are cached
_ALONE = frozenset(("news", "lens"))  # a form of no other word


def composed(text: str) -> str:
    """Return a text in which each letter with an accent is one character."""
    if text.isascii():
        return text
    from unicodedata import normalize

    return normalize("NFC", text)


def is_mark(sign: str) -> bool:
    """Return whether a character is a mark on the letter before it, such as a vowel in Hindi."""
    if sign.isascii():
        return False
    from unicodedata import category

    return category(sign)[0] == "M"


@lru_cache(maxsize=_REMEMBERED)
def form_of(word: str) -> str:
    """Return the form under which a lower-case word is compared with others."""
    return stem(word) if word.isascii() and word.isalpha() and word not in _ALONE else word


@lru_cache(maxsize=_REMEMBERED)
def beginning_of(word: str) -> str:
    """Return the letters with which every other form of a word begins."""
    form = form_of(word)
    if len(form) < 3:
        return form  # "py" has no other form
    return form[:-1] if form != word[: len(form)] or form.endswith("y") else form


def whole_words(text: str) -> list[str]:
    """Return the words of a text in lower case; no word is cut at an accent or a mark."""
    if text.isascii():
        return words(text)
    text = composed(text).lower()
    signs = set(text)
    for sign in signs:
        if not (sign.isalnum() or is_mark(sign)):
            text = text.replace(sign, " ")
    return text.split()
