"""Keywords, entities and intent of a task, found by fixed rules and without a model.

- **Entities** are recognised by their form: paths and file names with an extension (`src/a.py`,
  `Makefile`); functions (`parse()`, `Store.load()`, `Basket.total`, a name that begins with a verb
  such as `calculateTotal` or `fetch_rates`, any name of code beside the word "function" or
  "method"); and interfaces: a method with a path (`GET /users`), a path that begins with a slash,
  a URL, a named API or endpoint ("the Stripe API"). The tables are in naming.py.
- **Keywords** are the words that carry meaning, in any script, in lower case, in order, without
  repetitions.
  Stop words, everyday verbs, single letters and the word that expresses the intent are left out.
  A compound name gives the word and its parts: `PaymentGateway` also gives `payment` and
  `gateway`. The words in the names of files and functions count too.
- **Intent** is the first word, in any of its forms, that is in one of the four lists below; a
  text without such a word has no intent.

The parser can be replaced by any callable from a text to `Parsed`.
"""

from __future__ import annotations

import re

from varves.protocols.hivemind.naming import (
    ACTIONS,
    ASKING,
    CALLED,
    EXTENSIONS,
    GENERIC,
    HOSTS,
    NOT_DONE,
    NOUNS,
    PRODUCTS,
    STYLES,
)
from varves.protocols.hivemind.spelling import composed, is_mark
from varves.recall.stopwords import STOPWORDS
from varves.values.value import Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

INTENTS = {
    "create": "create add build implement write make generate develop introduce design draft",
    "fix": "fix repair resolve debug correct solve patch mend troubleshoot hotfix",
    "review": "review check audit inspect examine assess verify analyse analyze evaluate",
    "deploy": "deploy release ship publish rollout roll launch promote",
}
_INTENT_OF = {word: intent for intent, words in INTENTS.items() for word in words.split()}
_EVERYDAY = {
    *("use", "using", "get", "need", "want", "please", "ensure", "try", "let", "help", "should"),
    *("http", "https"),
}
_URL = r"https?://[^\s<>\"')\]]+"
_API = r"\b(?:GET|POST|PUT|PATCH|DELETE|HEAD|OPTIONS)\s+/[\w\-./{}:?=&%]*"
_CALL = r"(?<![\w.:])[A-Za-z_][\w.]*(?:::\w+)*\(\)"
_FILE = r"(?<![\w/.@\-])(?:\.{0,2}/)?(?:[\w\-.@]+/)*[\w\-@.]+\.[A-Za-z][A-Za-z0-9]{0,7}\b(?!\()"
_ROUTE = r"(?<![\w/.])/[\w\-{}:.]+(?:/[\w\-{}:.]*)*"
_BARE = r"\b(?:Makefile|Dockerfile|README|LICENSE|Jenkinsfile|Procfile)\b(?!\.)"
_ENTITY = re.compile("|".join(f"({one})" for one in (_URL, _API, _CALL, _FILE, _ROUTE, _BARE)))
_KINDS = ("api", "api", "function", "file", "api", "file")
_NAME = re.compile(r"(?<![\w/.@$\-])[A-Za-z_$]\w*(?:\.\w+)*(?![\w/(@\-])")
_DOTTED = re.compile(r"[A-Za-z_]\w*(?:\.[A-Za-z_]\w*)+")
_VERSION = re.compile(r"[vV]?\d")
_INTERFACE = re.compile(r"\b(?:APIs?|apis?|endpoints?|webhooks?)\b(?![/.]\w)")
_CUE_BEFORE = re.compile(rf"\b{CALLED}\s+([`'\"]?)$", re.IGNORECASE)
_CUE_AFTER = re.compile(rf"([`'\"]?)\s+{CALLED}\b", re.IGNORECASE)
_NEAR = 60  # the number of characters around a name that are read
_NAMING = 3  # the most words that name an interface
_WORD = re.compile(r"[^\W_]+(?:[-_'\u2019][^\W_]+)*(?:\+\+|#)?")
_PART = re.compile(r"A+(?!a)|A?a+|0+")
_LONGEST = 10_000  # the maximum number of characters of a task that are read
_INFLECTED = ("ing", "ed", "es", "s")


class TaskEntity(Value):
    """An entity that a task names, and its kind: `file`, `function` or `api`."""

    name: str
    kind: str


class Parsed(Value):
    """A parsed task."""

    keywords: tuple[str, ...]
    entities: tuple[TaskEntity, ...]
    intent: str | None


def parse(text: str) -> Parsed:
    """Parse a task; the same text always gives the same result."""
    text = composed(text[:_LONGEST])
    found: dict[str, str] = {}
    for _, name, kind in sorted((*_written_out(text), *_code(text), *_interfaces(text))):
        found.setdefault(name, kind)
    entities = tuple(TaskEntity(name=name, kind=kind) for name, kind in found.items())
    said, intent = _intent(text)
    keywords = tuple(word for word in _keywords(text) if word != said)
    return Parsed(keywords=keywords, entities=entities, intent=intent)


def _written_out(text: str) -> Iterator[tuple[int, str, str]]:
    """Yield position, name and kind of the entities that have signs of their own."""
    for match in _ENTITY.finditer(text):
        name, kind = " ".join(match[0].split()).rstrip(".,;:"), _KINDS[(match.lastindex or 1) - 1]
        if kind == "file" and "." in name:
            kind = _kind_of_dotted(name)
        if kind:
            yield match.start(), name, kind


def _kind_of_dotted(name: str) -> str:
    """Return the kind of a name with dots; "" for abbreviations, products and versions."""
    stem, _, ending = name.rpartition(".")
    low, last = name.lower(), ending.lower()
    if "/" in name or name.startswith("."):
        return "file"
    if low in ("e.g", "i.e", "a.k.a", "p.s", "u.s") or low in PRODUCTS or _VERSION.match(stem):
        return ""
    if last in EXTENSIONS:
        return "file" if any(map(str.isalpha, stem)) else ""
    if last in HOSTS:
        return "api" if low.startswith("api.") else ""
    if _DOTTED.fullmatch(name):
        return "" if last in STOPWORDS else "function"
    return "file" if any(map(str.isalpha, stem)) else ""


def _code(text: str) -> Iterator[tuple[int, str, str]]:
    """Yield position, name and kind of the functions that are named without brackets."""
    for match in _NAME.finditer(text):
        name, (start, end) = match[0], match.span()
        if "." in name:
            if _kind_of_dotted(name) == "function":
                yield start, name, "function"
            continue
        before = _CUE_BEFORE.search(text, max(0, start - _NEAR), start)
        after = _CUE_AFTER.match(text, end, end + _NEAR)
        quoted = bool((before and before[1]) or (after and after[1]))
        if _is_function(name, called=bool(before or after), quoted=quoted):
            yield start, name, "function"


def _is_function(name: str, *, called: bool, quoted: bool) -> bool:
    """Return whether a name without dots and brackets is that of a function.

    Args:
        name: the name.
        called: whether the word "function" or the like is beside it.
        quoted: whether it stands in quotation marks beside that word.
    """
    snake, camel = "_" in name.strip("_"), not name.islower() and not name[0].isupper()
    if name.lower() in PRODUCTS or name.isupper():
        return False
    if called and (snake or camel or quoted or _PART.fullmatch("".join(map(_form, name))) is None):
        return True
    parts = [one.lower() for one in (name.split("_") if snake else _parts(name)) if one]
    if len(parts) < 2 or not (snake or camel):
        return False
    verb = parts[0] in ACTIONS or (camel and parts[0] in ASKING)
    return verb and not (parts[0] in NOUNS and parts[-1] in NOT_DONE)


def _interfaces(text: str) -> Iterator[tuple[int, str, str]]:
    """Yield position, name and kind of the interfaces that a word names: "the Stripe API"."""
    for match in _INTERFACE.finditer(text):
        line = text[max(0, match.start() - _NEAR) : match.start()].rpartition("\n")[2]
        names: list[str] = []
        for word in reversed(line.split()[-_NAMING:]):
            bare = word.removesuffix("'s").removesuffix("\u2019s").strip("`'\"*_")
            kind = bare.lower() in STYLES
            if not kind and (_is_generic(bare) or (names and _is_other(bare, names[0]))):
                break
            names.insert(0, bare)
        while names and names[0].lower() in STYLES:
            del names[0]
        if names and line.endswith((" ", "\t")):
            yield match.start(), f"{' '.join(names)} {match[0]}", "api"


def _is_generic(word: str) -> bool:
    low = word.lower()
    known = low in GENERIC or low in STOPWORDS or low in _EVERYDAY or low in ACTIONS
    return (
        known
        or not word.replace("-", "").isalnum()
        or any(form in _INTENT_OF for form in (low, *_stems(low)))
    )


def _is_other(word: str, name: str) -> bool:
    """Return whether a word is not part of a name, because only one of them has a capital."""
    return name.lower() not in STYLES and word[0].isupper() is not name[0].isupper()


def _keywords(text: str) -> list[str]:
    found: dict[str, None] = {}
    for word in _words(text):
        for candidate in (word, *_parts(word)):
            bare = candidate.lower().removesuffix("'s").removesuffix("\u2019s")
            if len(bare) > 1 and bare not in STOPWORDS and bare not in _EVERYDAY:
                found[bare] = None
    return list(found)


def _words(text: str) -> Iterator[str]:
    """Yield the words of a text; a combining mark belongs to the letter before it."""
    shape = text if text.isascii() else "".join("a" if is_mark(sign) else sign for sign in text)
    for match in _WORD.finditer(shape):
        yield text[match.start() : match.end()]


def _parts(word: str) -> list[str]:
    """Return the parts of a compound; an upper-case letter, a digit or a sign begins one."""
    spans = [match.span() for match in _PART.finditer("".join(map(_form, word)))]
    return [word[start:end] for start, end in spans] if len(spans) > 1 else []


def _form(sign: str) -> str:
    if sign.isdigit():
        return "0"
    if sign.isupper():
        return "A"
    return "a" if sign.isalpha() or is_mark(sign) else " "


def _intent(text: str) -> tuple[str, str | None]:
    """Return the word that expresses the intent of a task, and the intent."""
    for word in map(str.lower, _words(text)):
        for form in (word, *_stems(word)):
            if form in _INTENT_OF:
                return word, _INTENT_OF[form]
    return "", None


def _stems(word: str) -> list[str]:
    """Return the possible base forms of a word: fix for `fixing`, release for `released`."""
    found = []
    for ending in _INFLECTED:
        stem = word.removesuffix(ending)
        if stem != word and len(stem) > 2:
            found += [stem, f"{stem}e"]
            if len(stem) > 3 and stem[-1] == stem[-2]:
                found.append(stem[:-1])
    return found
