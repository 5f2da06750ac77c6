"""Patterns for the names in a sentence about the graph, and for where a statement may begin."""

from __future__ import annotations

import re

NAMED = r"\[\[[^\[\]]+\]\]"
_WORD = r"[A-Za-z0-9][\w./-]*\w|[A-Za-z0-9]"
_KIND = r"(?: (?:skills?|packs?|modules?|files?|services?|components?))?"
ONE = (
    r"(?:(?:the|our|its|an?|both) )?(?:new )?(?:(?:skills?|packs?|modules?|services?) )?"
    rf"(?:{NAMED}|{_WORD}){_KIND}"
)
MORE = rf"(?:,| and|, and| as well as) {ONE}"
NAMES = rf"{ONE}(?:{MORE}){{0,7}}"
_TITLED = (
    rf"(?:(?:the|our|its|an?|both) )?(?:new )?(?:(?:packs?|modules?|services?) )?{NAMED}{_KIND}"
)
BRACKETED = rf"{_TITLED}(?:(?:,| and|, and| as well as) {_TITLED}){{0,7}}"
START = (
    r"(?:^|(?<=[,:;(\u2014] )"
    r"|(?<=\band )|(?<=\bthat )|(?<=\bbecause )|(?<=\bso )|(?<=\bnow )|(?<=\bsince )"
    r"|(?<=\bbut )|(?<=\bwhile ))"
)
_EACH = re.compile(rf"{NAMED}|{_WORD}")
_PLAIN = frozenset(
    (
        *("the", "our", "its", "a", "an", "both", "and", "as", "well", "new"),
        *("skill", "skills", "pack", "packs", "module", "modules", "file", "files"),
        *("service", "services", "component", "components"),
    )
)


def names_of(text: str) -> list[str]:
    """Return the names of a list such as "the skill [[a]], b and [[c]]", as written."""
    return [name for name in _EACH.findall(text) if name.casefold() not in _PLAIN]
