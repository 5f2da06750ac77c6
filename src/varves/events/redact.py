"""Secrets are taken out of a text before its first byte is written.

The log is append-only and lies in git, so a secret that gets in stays in. Every text a caller
hands over therefore passes here first. The cost is kept off the honest majority of texts by looking
for a few letters of each format before any pattern is tried: the words of the text, cut to
their first four characters, are met with an index made from the anchors of the rule table
(secrets.py). Only rules with an anchor in the text are compiled, once, and run.
"""

from __future__ import annotations

import re

from varves.events.secrets import BLOCKS, HELD, HINTS, RULES, TESTS, TOKENS

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

# A token begins where no letter or digit stands before it; the letters of an escape (`\n`, `%3D`)
# do not count. The second form is put behind a first literal, which the regex engine then skips to.
_EDGE = r"(?:(?<![A-Za-z0-9])|(?<=\\[nrt])|(?<=%[0-9A-Fa-f]{2}))"
_EDGE_BEHIND = r"(?:(?<![A-Za-z0-9].)|(?<=\\[nrt].)|(?<=%[0-9A-Fa-f]{2}.))"
_EDGED = range(len(BLOCKS), len(BLOCKS) + len(TOKENS))
_ROUNDS = 8  # a redaction may uncover another; texts made to need more than this are not honest
_RESUME = 256  # a value up to this long that proves innocent is searched again for what it holds

_SPACED = bytes(byte if chr(byte).isalnum() and byte < 128 else 32 for byte in range(256))

_compiled: dict[int, re.Pattern[str]] = {}
_by_head: dict[bytes, list[tuple[str, str, int]]] = {}
_heads: set[bytes] = set()
_by_long_head: dict[bytes, list[int]] = {}
_long: list[tuple[str, int]] = []
_loose: list[tuple[str, str, int]] = []
_by_holder: dict[str, list[int]] = {}
_test_of: dict[str, Callable[[str, str, int, int], bool]] = {}


def scrub(text: str) -> tuple[str, tuple[str, ...]]:
    """Return the text with each secret replaced by its rule's name, and the names that hit."""
    names: set[str] = set()
    for _ in range(_ROUNDS):
        before = text
        for rule in _suspects(text):
            text = _apply(rule, text, names)
        if text is before:
            break
    return text, tuple(sorted(names)) if names else ()


def scrub_tree(value: Any) -> tuple[Any, tuple[str, ...]]:
    """Return a JSON-like value with every string in it scrubbed, keys too, and the names that hit.

    A clean value comes back as the same object. A string under a key is judged with that key, so
    `{"password": …}` is found like `password = …`.
    """
    names: set[str] = set()
    clean = _walk(value, names)
    return clean, tuple(sorted(names))


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
    """Scrub what stands under a key, with the key as its context."""
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
    """Return the rules that have an anchor in the text, in table order."""
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
        for head in {word[:3] for word in words if len(word) > 14} & _by_long_head.keys():
            found += _by_long_head[head]
    found += [rule for a, b, rule in _loose if a in low and b in low]
    if [hint for hint in HINTS if hint in low]:
        for held in re.finditer(HELD, low, re.ASCII):
            found += _by_holder["said" if held.lastindex else held[0][0]]
    return sorted(set(found)) if found else found


def _index() -> None:
    """Sort the anchors of the table into the ways they are looked up."""
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
            elif kind == "=":
                _by_holder.setdefault(bare if bare == "said" else bare[0], []).append(rule)
            else:
                head = literal.encode().translate(_SPACED).split()[0][:4]
                _by_head.setdefault(head, []).append((literal, other, rule))
    for test, names in TESTS.items():
        _test_of.update(dict.fromkeys(names.split(), _TESTS[test]))
    _heads.update(_by_head)  # last: another thread takes a filled set to mean that all is there


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


def _apply(rule: int, text: str, names: set[str]) -> str:
    """Replace what one rule finds and its test confirms."""
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


# The tests below see the value, the text it stands in, and where.

_SHAPES = {
    "algorithm": r"(?is).*(?:sha-?\d|md5|argon|pbkdf|[bs]crypt|base-?(?:64|32)"
    r"|utf-?(?:8|16)|[hrep]s256|ed25519|x25519|oauth2|aes-?\d|rsa-?\d|varchar|int32|int64).*",
    "blank": r"(?is)[$%#@]?\{.*|\$[a-z_(].*|%[a-z_(].*|<.*|\[.*|(.)\1*|\*.*|\.\..*|.*\.\.\."
    r"|.*x{4}.*|.*\*{3}.*|pass|passwd|password|pwd|secret|token|changeme"
    r"|user|username|none|null|true|false",
    "ours": r"(?s)[a-z]{3}_[0-9a-hjkmnp-tv-z]{12,}|sha\d+[-:].*",
    "code": r"[A-Za-z_][A-Za-z0-9_]*(?:\??\.[A-Za-z_][A-Za-z0-9_]*)+[!?]?",
    "name": r"[A-Za-z]+[0-9]{0,2}(?:[_-](?:[A-Za-z]+[0-9]{0,2}|[0-9]{1,4}))+",
    "path": r"(?s)(?:\.{0,2}|~|[A-Za-z]:)[/\\].*|(?:.*/)?[a-z_.-]{3,}/.*|.*://.*",
    "file": r"[A-Za-z0-9_./-]+\.[a-z]{2,5}",
}


def _like(shape: str, value: str) -> bool:
    return re.fullmatch(_SHAPES[shape], value, re.ASCII) is not None


def _random(value: str, _text: str = "", _start: int = 0, _end: int = 0) -> bool:
    """Say whether a value looks drawn by a machine, not made of words."""
    digits = sum(map(str.isdigit, value))
    if not digits:
        return False
    chunks = re.findall("[A-Z]?[a-z]+|[A-Z]+", value)
    letters = sum(map(len, chunks))
    return digits > 3 or (letters > 0 and letters / len(chunks) < 3.5)


def _written(value: str, _text: str, _start: int, _end: int) -> bool:
    """Say whether a value is written out, where a blank or a variable could stand."""
    return not _like("blank", value)


def _value(value: str, text: str, start: int, end: int) -> bool:
    """Say whether what is assigned to a token or key is the thing itself."""
    if len(value) < 10 or not _random(value) or not any(map(str.isalpha, value)):
        return False
    return _plain(value, text, start, end) and not _like("name", value) and not _like("file", value)


def _password(value: str, text: str, start: int, end: int) -> bool:
    """Say whether what is assigned to a password is a password."""
    digits = sum(map(str.isdigit, value))
    signs = any(sign in "!@#$%^&*?~+" for sign in value[:-1])
    if len(value) < 6 or not (digits or signs) or not _plain(value, text, start, end):
        return False
    if "passw" in value.lower() and digits < 3:
        return False
    return signs or text[start - 1] in "\"'`" or not _like("name", value)


def _strong(value: str, text: str, start: int, end: int) -> bool:
    """Say whether a word in a sentence can only be a password."""
    value = value.rstrip(".:!?")
    if len(value) < 6 or not any(map(str.isdigit, value)):
        return False
    kinds = (str.islower, str.isupper, str.isdigit, "!@#$%^&*?~+=".__contains__)
    if sum(any(map(kind, value)) for kind in kinds) < 3:
        return False
    shapes = ("name", "algorithm")
    return _plain(value, text, start, end) and not any(_like(shape, value) for shape in shapes)


def _plain(value: str, text: str, start: int, end: int) -> bool:
    """Say whether a value is a literal: no blank, code, path, id of ours or name of a method."""
    after = text[end : end + 1]
    quoted = text[start - 1] in "\"'`"
    if (after in "([" and after) or (quoted and after.isspace()):
        return False
    if not quoted and _like("code", value):
        return False
    if _like("blank", value) or _like("ours", value) or _like("path", value):
        return False
    return len(value) > 20 or not _like("algorithm", value)


def _credentials(value: str, _text: str, _start: int, _end: int) -> bool:
    """Say whether base64 text holds `user:password`."""
    import binascii

    try:
        return b":" in binascii.a2b_base64(value + "=" * (-len(value) % 4))
    except binascii.Error:
        return False


_TESTS = {
    "random": _random,
    "written": _written,
    "value": _value,
    "password": _password,
    "strong": _strong,
    "credentials": _credentials,
}
