"""Splits texts into words for full-text search: stems, without case and accents.

Uses the first steps of Porter's stemmer: plurals, past and present participles, and a final y.
"""

from __future__ import annotations

from itertools import pairwise

from varves.values.text import words

_VOWELS = frozenset("aeiou")
_DOUBLED = frozenset("bdfgmnprt")


def index_words(text: str) -> list[str]:
    """Return the stems of a text's words, in order."""
    if not text.isascii():
        from unicodedata import combining, normalize

        text = "".join(sign for sign in normalize("NFKD", text) if not combining(sign))
    return [stem(word) for word in words(text)]


def stem(word: str) -> str:
    """Return the stem of a word; most forms of a word have the same stem."""
    if len(word) < 3 or not word.isascii():
        return word
    if word.endswith(("sses", "ies")):
        word = word[:-2]
    elif word.endswith("s") and not word.endswith("ss"):
        word = word[:-1]
    if word.endswith("eed"):
        word = word[:-1] if _syllables(word[:-3]) else word
    else:
        for ending in ("ed", "ing"):
            rest = word[: -len(ending)]
            if word.endswith(ending) and _has_vowel(rest):
                word = _mended(rest)
                break
    if word.endswith("y") and _has_vowel(word[:-1]):
        word = f"{word[:-1]}i"
    return word


def _mended(word: str) -> str:
    """Return a stem with a missing e added ("making") or a doubled letter removed ("running")."""
    if word.endswith(("at", "bl", "iz")):
        return f"{word}e"
    if word[-1:] in _DOUBLED and word[-2:-1] == word[-1]:
        return word[:-1]
    short = len(word) > 2 and word[-1] not in "aeiouwxy" and word[-2] in _VOWELS
    if short and word[-3] not in _VOWELS and _syllables(word) == 1:
        return f"{word}e"
    return word


def _has_vowel(word: str) -> bool:
    return any(sign in _VOWELS for sign in word) or "y" in word[1:]


def _syllables(word: str) -> int:
    """Return how many times a consonant follows a vowel."""
    vowels = [sign in _VOWELS for sign in word]
    return sum(before and not after for before, after in pairwise(vowels))
