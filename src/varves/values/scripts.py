"""Scripts without spaces between words: Chinese, Japanese, Thai and others.

A full-text index splits a text at spaces, so it would store a whole sentence of such a script as
one word. This module replaces the sentence by its overlapping pairs of characters. A search then
finds each word of two or more characters anywhere in the sentence. Korean is treated in the same
way, because its particles are attached to words.
"""

from __future__ import annotations

from varves.values.text import words

_FIRST = "\u0e00"
_RANGES = (
    ("\u0e00", "\u0eff"),  # Thai, Lao
    ("\u1000", "\u109f"),  # Burmese
    ("\u1780", "\u17ff"),  # Khmer
    ("\u1100", "\u11ff"),  # parts of Korean syllables
    ("\u2e80", "\u2fdf"),  # parts of Chinese characters
    ("\u3005", "\u3007"),
    ("\u3031", "\u318f"),  # Japanese syllables, Bopomofo
    ("\u31a0", "\u31ff"),
    ("\u3400", "\u4dbf"),
    ("\u4e00", "\u9fff"),  # Chinese characters
    ("\uac00", "\ud7ff"),  # Korean syllables
    ("\uf900", "\ufaff"),
    ("\U00020000", "\U0003ffff"),  # rare Chinese characters
)


def is_unspaced(word: str) -> bool:
    """Return whether a word begins with a character of a script without spaces."""
    return word[:1] >= _FIRST and any(first <= word[0] <= last for first, last in _RANGES)


def parted(text: str) -> str:
    """Put spaces around runs of scripts without spaces, and remove their combining marks.

    Texts without such scripts are returned unchanged.
    """
    if text.isascii():
        return text
    from unicodedata import category, normalize

    signs = set(text)
    if not any(map(is_unspaced, signs)) and not any("\uff01" <= sign <= "\uffdc" for sign in signs):
        return text
    text = normalize("NFKC", text)
    ours = {sign for sign in set(text) if is_unspaced(sign)}
    marks = {sign for sign in ours if category(sign)[0] == "M"}
    found: list[str] = []
    inside = False
    for sign in text:
        if sign in marks:
            continue
        if (sign in ours) is not inside:
            found.append(" ")
            inside = not inside
        found.append(sign)
    return "".join(found)


def search_words(text: str) -> list[str]:
    """Return a text's words in lower case.

    Words of scripts without spaces are replaced by pairs of characters.
    """
    found: list[str] = []
    for word in words(parted(text)):
        if is_unspaced(word):
            found += _pairs(word) or [word]
        else:
            found.append(word)
    return found


def grams(text: str) -> list[str]:
    """Return the word parts that an index needs for unspaced scripts; empty for most texts.

    These are the pairs and the single characters of scripts without spaces, and other words that
    are attached to them, as in `使用PostgreSQL`.
    """
    if text.isascii():
        return []
    apart = words(parted(text))
    if not any(map(is_unspaced, apart)):
        return []
    known = set(words(text))
    found: dict[str, None] = {}
    for word in apart:
        if is_unspaced(word):
            found |= dict.fromkeys((*_pairs(word), *word))
        elif word not in known:
            found[word] = None
    return list(found)


def _pairs(word: str) -> list[str]:
    return [word[place : place + 2] for place in range(len(word) - 1)]
