"""Keywords, entities and intent of a task, found by fixed rules and without a model.

- **Entities** are recognised by their form: paths and file names with an extension (`src/a.py`,
  `Makefile`), functions (`parse()`, `Store.load()`), and interfaces: a method with a path
  (`GET /users`), a path that begins with a slash, or a URL.
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
    for match in _ENTITY.finditer(text):
        name, kind = " ".join(match[0].split()).rstrip(".,;:"), _KINDS[(match.lastindex or 1) - 1]
        if kind != "file" or _is_file(name):
            found.setdefault(name, kind)
    entities = tuple(TaskEntity(name=name, kind=kind) for name, kind in found.items())
    said, intent = _intent(text)
    keywords = tuple(word for word in _keywords(text) if word != said)
    return Parsed(keywords=keywords, entities=entities, intent=intent)


def _is_file(name: str) -> bool:
    """Return whether a name is a file, not an abbreviation or a number with a unit."""
    stem = name.rpartition(".")[0]
    short = name.lower() in ("e.g", "i.e", "a.k.a", "p.s", "u.s")
    return not short and (not stem or stem[0] in "./" or any(map(str.isalpha, stem)))


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
