"""Recognises texts about a weakness that an attacker could use: "open to SQL injection".

Each row is a pattern, a sentence that it matches, and a near miss.
"""

from __future__ import annotations

import re

ROWS = (
    (
        r"\b(?:sql|code|command|script|html|header|log) injections?\b",
        "The search form is open to SQL injection",
        "The service gets its clock by injection",
    ),
    (
        r"\bvulnerab(?:le|ility|ilities)\b(?! (?:scan|report|policy|program))",
        "lodash 4.17.15 is vulnerable",
        "The vulnerability scan runs at night",
    ),
    (r"\bcve-\d{4}-\d+", "The image contains CVE-2024-3094", "CVEs are read on Mondays"),
    (r"\b(?:xss|csrf|ssrf|rce|idor)\b", "The comment field allows XSS", "The RCA is due"),
    (
        (
            r"\b(?:check|login|auth\w*|filter|limit|validation|signature|token|session|cookie|id)s?"
            r" (?:can|could) be (?:bypassed|forged|spoofed|guessed|exploited)\b"
        ),
        "The admin check can be bypassed",
        "The night route can be bypassed by bus",
    ),
    (
        (
            r"\b(?:leak(?:s|ed)?|expos(?:es?|ed)|commit(?:s|ted)|logs?|logged|stor(?:es?|ed))\b.{0,40}"
            r"\b(?:passwords?|secrets?|tokens?|credentials?|api keys?|private keys?)\b.{0,20}"
            r"\b(?:in plain ?text|in clear(?: ?text)?|unencrypted|to the logs?|to the public)\b"
        ),
        "The server logs every password in plain text",
        "The server stores tokens in Redis",
    ),
    (
        (
            r"\b(?:passwords?|secrets?|tokens?|credentials?|keys?)\b.{0,40}"
            r"\b(?:leaked|exposed|hard-?coded|committed|in plain ?text|in clear|unencrypted)\b"
        ),
        "The signing key is hardcoded in app.py",
        "The keys of the map are sorted",
    ),
    (
        r"\b(?:without|no|missing) (?:authentication|authorisation|authorization)\b",
        "The /metrics page answers without authentication",
        "The authentication takes 2 s",
    ),
    (
        r"\b(?:data|security) breach\b|\bpath traversal\b|\bprivilege escalation\b",
        "Path traversal in the download route",
        "The wall was breached in 1453",
    ),
)
_ANY = re.compile("|".join(pattern for pattern, _, _ in ROWS), re.IGNORECASE)
_DENIED = re.compile(r"\b(?:not|never|no longer|isn't|fixed|safe)\b", re.IGNORECASE)
_LOOKED_AT = 1000  # the most characters of a text that are searched


def tells_risk(text: str) -> bool:
    """Return whether a text describes a security weakness that exists now."""
    said = text[:_LOOKED_AT]
    return _ANY.search(said) is not None and _DENIED.search(said) is None
