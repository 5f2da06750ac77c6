"""Removes secrets from a text before any of it is written.

The log is append-only and in git, so a secret that is written stays there. Every text from a caller
therefore passes through this module first. To keep this cheap for texts without secrets, it
searches for a few letters of each format before it tries any pattern: the words of the text, cut to
their first four characters, are looked up in an index of the anchors of the rule tables
(secrets.py, named_secrets.py). Only rules with an anchor in the text are compiled, once, and run.
"""

from __future__ import annotations

import re

from varves.events import proofs
from varves.events.named_secrets import FAMILIES, HELD, HINTS, RULES, TESTS
from varves.events.secrets import BLOCKS, TOKENS
from varves.values.unseen import IGNORABLE

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

# A token begins where no letter or digit comes before it, but the letters of an escape (`\n`,
# `%3D`) do not count. The second form is used after a literal character, which the regex engine can
# search for.
_EDGE = r"(?:(?<![A-Za-z0-9])|(?<=\\[nrt])|(?<=%[0-9A-Fa-f]{2}))"
_EDGE_BEHIND = r"(?:(?<![A-Za-z0-9].)|(?<=\\[nrt].)|(?<=%[0-9A-Fa-f]{2}.))"
_EDGED = range(len(BLOCKS), len(BLOCKS) + len(TOKENS))
# Invisible characters between two visible ones, and the characters that may surround a line break.
_HIDDEN = "".join(f"{chr(first)}-{chr(last)}" for first, last in IGNORABLE)
_UNSEEN = f"(?<=[!-~])[{_HIDDEN}]+(?=[!-~])"
_PART = r"[A-Za-z0-9_.:/+=%~!|-]*"
_BREAK = rf"((?:\r?\n|(?:\\r)?\\n)[ \t>|]{{0,8}})(?=[A-Za-z0-9_./+-])({_PART})"
_LINES = 8  # the most line breaks that a token may contain
_ROUNDS = 8  # redacting one secret may expose another; only a hostile text needs more rounds
# if a test rejects a value of at most this length, the value is searched for other secrets
_RESUME = 256

_SPACED = bytes(byte if chr(byte).isalnum() and byte < 128 else 32 for byte in range(256))

_SHORT, _MOST = 32, 5_000  # characters of a text, and texts, whose result is kept
_known: set[str] = set()  # short texts without secrets; scopes, types and tags occur often
_compiled: dict[int, re.Pattern[str]] = {}
_by_head: dict[bytes, list[tuple[str, str, int]]] = {}
_heads: set[bytes] = set()
_by_long_head: dict[bytes, list[int]] = {}
_by_size: dict[int, list[int]] = {}
_from_size: list[tuple[int, int]] = []
_long: list[tuple[str, int]] = []
_loose: list[tuple[str, str, int]] = []
_marks: dict[int, list[str]] = {}
_by_holder: dict[str, list[int]] = {}
_test_of: dict[str, Callable[[str, str, int, int], bool]] = {}


def scrub(text: str) -> tuple[str, tuple[str, ...]]:
    """Return the text with each secret replaced by its rule's name, and the names of the rules."""
    if text in _known:
        return text, ()
    clean, names = _scrubbed(text)
    if not names and len(text) <= _SHORT and len(_known) < _MOST:
        _known.add(text)
    return clean, names


def _scrubbed(text: str) -> tuple[str, tuple[str, ...]]:
    if not text.isascii() and (bare := re.sub(_UNSEEN, "", text)) != text:
        clean, hits = scrub(bare)
        if hits:
            return clean, hits
    names: set[str] = set()
    for _ in range(_ROUNDS):
        before = text
        suspects = _suspects(text)
        if "\n" in text or "\\n" in text:
            text = _mend(suspects, text, names)
        for rule in suspects:
            text = _apply(rule, text, names)
        if text is before:
            break
    return text, tuple(sorted(names)) if names else ()


def scrub_tree(value: Any) -> tuple[Any, tuple[str, ...]]:
    """Return a JSON-like value with secrets masked in all strings and keys, and the rules' names.

    A value without secrets is returned as the same object. A string is searched together with its
    key, so the secret in `{"password": …}` is found like the one in `password = …`.
    """
    names: set[str] = set()
    clean = _walk(value, names)
    return clean, tuple(sorted(names))


def author_name(raw: bytes) -> str:
    """Return an author's name from git, without secrets and terminal control characters."""
    shown = "".join(filter(str.isprintable, raw.decode("utf-8", "replace").strip()))
    return str(scrub_tree(shown)[0])


def _walk(value: Any, names: set[str]) -> Any:
    if isinstance(value, str):
        return _scrub_into(value, names)
    if isinstance(value, (list, tuple)):
        parts = [_walk(part, names) for part in value]
        same = all(part is old for part, old in zip(parts, value, strict=True))
        return value if same else type(value)(parts)
    if isinstance(value, dict):
        return _walk_dict(value, names)
    return value


def _walk_dict(value: dict[Any, Any], names: set[str]) -> dict[Any, Any]:
    clean: dict[Any, Any] = {}
    changed = False
    for key, old in value.items():
        if isinstance(key, str):
            name = _scrub_into(key, names)
            part = _under(key, old, names)
        else:
            name, part = key, _walk(old, names)
        free, count = name, 1
        while name is not key and (free in clean or free in value):
            count += 1
            free = f"{name}#{count}"
        changed = changed or part is not old or name is not key
        clean[free] = part
    return clean if changed else value


def _under(key: str, value: Any, names: set[str]) -> Any:
    """Mask secrets in a value, also if only its key, such as `password`, identifies a secret."""
    if isinstance(value, list) and value and all(isinstance(part, str) for part in value):
        parts = [_under(key, part, names) for part in value]
        same = all(part is old for part, old in zip(parts, value, strict=True))
        return value if same else parts
    if not isinstance(value, str):
        return _walk(value, names)
    clean = _scrub_into(value, names)
    if clean is not value:
        return clean
    quote = '"' if '"' not in value else "'"
    before = f"{key}={quote}"
    probe = before + value + quote
    judged, hits = scrub(probe)
    if not hits or not judged.startswith(before) or not judged.endswith(quote):
        return value
    names.update(hits)
    return judged[len(before) : -1]


def _scrub_into(text: str, names: set[str]) -> str:
    clean, hits = scrub(text)
    names.update(hits)
    return clean


def _suspects(text: str) -> list[int]:
    """Return, in table order, the numbers of the rules whose anchor occurs in the text."""
    if not _heads:
        _index()
    low = text.lower()
    if "\\" in low:
        low = low.replace("\\n", "\\ ").replace("\\r", "\\ ").replace("\\t", "\\ ")
    if "%" in low:
        low += re.sub("%[0-9a-f]{2}", "% ", low)
    words = low.encode("utf-8", "replace").translate(_SPACED).split()
    found: list[int] = []
    for head in _heads.intersection([word[:4] for word in words]):
        found += [rule for a, b, rule in _by_head[head] if a in low and b in low]
    if words and max(map(len, words)) > 14:
        found += [rule for literal, rule in _long if literal in low]
        long = [word for word in words if len(word) > 14]
        for head in {word[:3] for word in long} & _by_long_head.keys():
            found += _by_long_head[head]
        sizes = {*map(len, long)}
        for size in sizes & _by_size.keys():
            found += _by_size[size]
        longest = max(sizes)
        found += [rule for size, rule in _from_size if size <= longest]
    found += [rule for a, b, rule in _loose if a in low and b in low]
    if [hint for hint in HINTS if hint in low]:
        found += _held(low)
    return sorted(set(found)) if found else found


def _held(low: str) -> list[int]:
    """Return the rules for names such as `password` to which a lower-case text gives a value."""
    found: list[int] = []
    for held in re.finditer(HELD, low, re.ASCII):
        if held.lastindex:
            found += _by_holder["said"]
            continue
        for family, hint in FAMILIES:
            if hint in held[0]:
                found += _by_holder[family]
    return found


def _index() -> None:
    """Fill the tables that find a rule by its anchor (a string that every match contains)."""
    for rule, (_, anchors, _) in enumerate(RULES):
        for anchor in anchors.split():
            kind, bare = anchor[0], anchor[1:]
            literal, _, other = anchor.lstrip("*").partition("&")
            if kind == "*":
                _loose.append((literal, other, rule))
            elif kind == "+":
                _long.append((bare, rule))
            elif kind == "^":
                _by_long_head.setdefault(bare.encode(), []).append(rule)
                _marks.setdefault(rule, []).append(re.escape(bare))
            elif anchor[-1] == "+" and kind == "#":
                _from_size.append((int(bare[:-1]), rule))
            elif kind == "#":
                _by_size.setdefault(int(bare), []).append(rule)
            elif kind == "=":
                _by_holder.setdefault(bare, []).append(rule)
            else:
                if rule in _EDGED:
                    _marks.setdefault(rule, []).append(re.escape(literal))
                head = literal.encode().translate(_SPACED).split()[0][:4]
                _by_head.setdefault(head, []).append((literal, other, rule))
    for test, names in TESTS.items():
        _test_of.update(dict.fromkeys(names.split(), proofs.TESTS[test]))
    _heads.update(_by_head)  # last: other threads use the tables as soon as this set is filled


def _pattern(rule: int) -> re.Pattern[str]:
    pattern = _compiled.get(rule)
    if pattern is None:
        source = RULES[rule][2]
        if rule in _EDGED:
            if source[0].isalnum() and source[1] not in "{*+?":
                source = source[0] + _EDGE_BEHIND + source[1:]
            else:
                source = _EDGE + source
        pattern = _compiled[rule] = re.compile(source, re.ASCII)
    return pattern


def _mend(rules: list[int], text: str, names: set[str]) -> str:
    """Mask tokens that begin in one line and continue in the next."""
    for rule in rules:
        if rule not in _marks:
            continue
        search, at = re.compile("|".join(_marks[rule]), re.IGNORECASE | re.ASCII).search, 0
        while found := search(text, at):
            at = found.end()
            if (span := _over_lines(rule, text, found.start())) is not None:
                mask = f"[redacted:{RULES[rule][0]}]"
                names.add(RULES[rule][0])
                text = text[: span[0]] + mask + text[span[1] :]
                at = span[0] + len(mask)
    return text


def _over_lines(rule: int, text: str, begin: int) -> tuple[int, int] | None:
    """Return the start and end of a token that begins at `begin`, if it ends in a later line."""
    before = text[max(0, begin - 3) : begin]
    first = re.compile(_PART).match(text, begin)
    whole, at = before + (first[0] if first else ""), first.end() if first else begin
    match, test = _pattern(rule).match, _test_of.get(RULES[rule][0])
    alone, span = match(whole, len(before)), None
    for _ in range(_LINES):
        more = re.compile(_BREAK).match(text, at)
        if more is None:
            break
        seam, whole, at = len(whole), whole + more[2], more.end()
        found = match(whole, len(before))
        if found is None:
            continue
        start, end = found.span(found.lastindex or 0)
        if not proofs.goes_on(whole[seam:end], least=8 if alone or span else 2):
            break
        if test is None or test(whole[start:end], whole, start, end):
            span = begin + start - len(before), more.start(2) + end - seam
    return span


def _apply(rule: int, text: str, names: set[str]) -> str:
    """Mask every match of a rule that also passes the rule's test."""
    name = RULES[rule][0]
    test = _test_of.get(name)
    search = _pattern(rule).search
    parts: list[str] = []
    kept = at = 0
    while match := search(text, at):
        start, end = match.span(match.lastindex or 0)
        if test is not None and not test(match[match.lastindex or 0], text, start, end):
            again = start > match.start() and end - start <= _RESUME
            at = start if again else max(end, match.start() + 1)
            continue
        parts += (text[kept:start], "[redacted:", name, "]")
        kept = at = end
    if not parts:
        return text
    names.add(name)
    parts.append(text[kept:])
    return "".join(parts)
