"""Recognises invisible characters, which could hide a word, split a word or reverse a line.

Unicode names most of them: controls, formats, separators, half surrogate pairs, spaces other than
the space, and its default ignorables. A few more characters are blank by design. A character that
is too new for this Python's tables, such as a new emoji, is left unchanged, unless its code point
is reserved for invisible characters.
"""

from __future__ import annotations

_KINDS = frozenset(("Cc", "Cf", "Cs", "Zl", "Zp", "Zs"))
IGNORABLE = (  # Unicode's Default_Ignorable_Code_Point
    *((0x00AD, 0x00AD), (0x034F, 0x034F), (0x061C, 0x061C), (0x115F, 0x1160), (0x17B4, 0x17B5)),
    *((0x180B, 0x180F), (0x200B, 0x200F), (0x202A, 0x202E), (0x2060, 0x206F), (0x3164, 0x3164)),
    *((0xFE00, 0xFE0F), (0xFEFF, 0xFEFF), (0xFFA0, 0xFFA0), (0xFFF0, 0xFFF8), (0x1BCA0, 0x1BCA3)),
    *((0x1D173, 0x1D17A), (0xE0000, 0xE0FFF)),
)
_BLANK = (
    (0x2800, 0x2800),  # a Braille cell without a dot
    (0xFDD0, 0xFDEF),  # noncharacters: never assigned
    (0xFFFC, 0xFFFC),  # the replacement for an object that is missing
    (0x13430, 0x1343F),  # join hieroglyphs; invisible format characters since Unicode 12 and 15
    (0x1D159, 0x1D159),  # a musical note without a head
)


def shown(code: int) -> str:
    """Return a visible character unchanged, and an invisible character as an escape."""
    if not is_unseen(code):
        return chr(code)
    if code <= 0xFF:
        return f"\\x{code:02x}"
    return f"\\u{code:04x}" if code <= 0xFFFF else f"\\U{code:08x}"


def is_unseen(code: int) -> bool:
    """Return whether a character is invisible or shows only a gap; an ordinary space is not."""
    letter = chr(code)
    if letter.isascii():
        return not letter.isprintable()
    if any(first <= code <= last for first, last in IGNORABLE + _BLANK):
        return True
    if letter.isprintable():
        return False
    from unicodedata import category

    return category(letter) in _KINDS or code & 0xFFFE == 0xFFFE
