"""Formats an answer for the terminal: short, with the result first, and no control characters.

A verb returns an `Answer`: a document for `--json` and lines for people. A line is a text, or a
tuple of texts, some of them with a style. Only `painted` escapes and colours lines, so a verb
cannot forget to do this.
"""

from __future__ import annotations

from varves.values.value import Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence
    from typing import Any

    from varves import Event, Memory

    Line = str | tuple[str, ...]

_DOT = "·"  # separates the fields of a memory
_GIST = 72
_WIDE = 90
_CONFLICTS = 20  # the most conflicts of a batch that are listed
_TERMS = 20  # the most query terms that are shown
_KINDS = {"people": "people talking", "chat": "a chat", "plain": "statements"}


class Ink(str):
    """Text with a style; plain if colours are off."""

    __slots__ = ()
    code = "0"


class Dim(Ink):
    """Text of secondary importance, printed dimmed."""

    __slots__ = ()
    code = "2"


class Strong(Ink):
    """Emphasized text."""

    __slots__ = ()
    code = "1"


class Alarm(Ink):
    """Text about a problem, printed in a warning colour."""

    __slots__ = ()
    code = "31"


class Answer(Value):
    """The result of a verb, for programs and for people."""

    document: Any
    lines: Iterable[Line] = ()
    exit: int = 0
    notes: Sequence[str] = ()
    """Lines that are printed on stderr."""
    remarks: Sequence[str] = ()
    """Lines for people, printed on stderr before the notes.

    The document has the same facts.
    """
    told: Sequence[str] = ()
    """Notes of the ledger that the answer contains already; they are not repeated on stderr."""
    stream: bool = False
    """Whether the document is an iterator.

    It may be endless; each of its parts is printed as a line when it arrives.
    """


NO_CONFLICTS = "no conflicts"
NO_ENTRIES = "no entries"


class _Signs(dict[int, str]):
    """A table that maps each character to its displayed form, computed at its first use."""

    def __missing__(self, code: int) -> str:
        from varves.values.unseen import shown

        self[code] = sign = shown(code)
        return sign


_SIGNS = _Signs({ord("\n"): "\\n", ord("\r"): "\\r", ord("\t"): "\\t"})


def safe(text: str) -> str:
    """Return a text with all characters escaped that could move the cursor or hide text."""
    is_plain = text.isprintable() and text.replace(_DOT, "").isascii()
    return text if is_plain else text.translate(_SIGNS)


def painted(line: Line, *, colored: bool) -> str:
    """Return a line as it is printed: escaped, then coloured."""
    parts = (line,) if isinstance(line, str) else line
    if not colored:
        return "".join(safe(part) for part in parts).rstrip(" ")
    return "".join(
        f"\x1b[{part.code}m{safe(part)}\x1b[0m" if isinstance(part, Ink) else safe(part)
        for part in parts
    )


def document(value: Any) -> str:
    """Return a value as one line of ASCII JSON.

    To import the standard encoder takes as long as the rest of a recall. Its function for strings
    is in C and quick to import; the other types are encoded here.
    """
    try:
        from _json import encode_basestring_ascii as quote
    except ImportError:
        from json.encoder import encode_basestring_ascii as quote

    def text(part: Any) -> str:
        if isinstance(part, str):
            return quote(part)
        if part is None or isinstance(part, bool):
            return {None: "null", True: "true", False: "false"}[part]
        if isinstance(part, (int, float)):
            return repr(part)
        if isinstance(part, (tuple, list)):
            return f"[{', '.join(map(text, part))}]"
        fields = part if isinstance(part, dict) else part.as_dict()
        return f"{{{', '.join(f'{quote(name)}: {text(one)}' for name, one in fields.items())}}}"

    return text(value)


def memory_lines(
    memory: Memory, score: float | None = None, *, stale: str | None = None
) -> Iterator[Line]:
    """Yield a memory as lines: its id and text, then its other fields, dimmed."""
    first, *more = memory.titled.split("\n")
    ranked = "" if score is None else f"{score:.2f}  "
    yield (Strong(memory.id), f"  {ranked}{first}")
    for line in more:
        yield f"  {line}"
    about = [memory.scope, memory.type, memory.at[:10], memory.speaker or memory.created_by]
    about += [f"#{tag}" for tag in memory.tags]
    if memory.kept == "private":
        about.append(memory.kept)
    if memory.status != "active":
        about.append(memory.status)
    about += [f"replaced by {later}" for later in memory.links.get("replaced_by", ())]
    if memory.trust < 2:
        about.append(f"from {memory.origin}, not trusted")
    if stale:
        about.append(f"stale: {stale}")
    if memory.branch:
        about.append(f"on {memory.branch}")
    yield (Dim("  " + f" {_DOT} ".join(part for part in about if part)),)


def outcome(done: Any, word: str) -> Line:
    """Return a line with what was done to a memory, and which secrets were masked."""
    line = f"{done.id} {word}"
    if done.redacted:
        line += f" (redacted: {', '.join(done.redacted)})"
    return line


def likeness_lines(done: Any) -> Iterator[Line]:
    """Yield a line on each older memory that a new memory repeats, updates or contradicts."""
    for one in done.conflicts:
        yield f"  {one.in_words}"


def line_conflicts(done: Any, line_of: Callable[[int], int]) -> tuple[list[Any], list[Line]]:
    """Return the conflicts of a batch or an import in two forms: for JSON, and as lines of text.

    Args:
        done: the answer, with its `conflicts` and how many `more` there are.
        line_of: returns the number of a line in the file.
    """
    found = [{**one.as_dict(), "line": line_of(one.line)} for one in done.conflicts]
    lines: list[Line] = [
        f"line {row['line']}  {one.memory}  {one.in_words}"
        for one, row in zip(done.conflicts[:_CONFLICTS], found, strict=False)
    ]
    if left := max(0, len(found) - _CONFLICTS) + done.more:
        lines.append(f"{counted(left, 'more conflict')}: varves conflicts")
    return found, lines


def counted(number: int, what: str) -> str:
    """Return a number with its noun, in the singular or plural."""
    from varves.values import text

    return text.counted(number, what)


def event_line(event: Event) -> Line:
    """Return an event as one line: time, kind, actor, id and the beginning of its text."""
    said = event.data.get("text") or event.data.get("reason") or _told(event)
    gist = beginning(said, _GIST) if isinstance(said, str) else ""
    on = Dim(f"  on {event.branch}" if event.branch else "")
    what = f"  {event.kind:<17}  {event.actor}  "
    return (Dim(event.time), what, Dim(event.id), f"  {gist}", on)


def beginning(text: str, most: int) -> str:
    """Return a text, or its beginning and three dots if it has more characters than `most`."""
    return text if len(text) <= most else text[: most - 3] + "..."


def _told(event: Event) -> str:
    """Return the ids of the memories that were shown according to an event, without duplicates."""
    told = event.data.get("told")
    parts = [part for part in told if isinstance(part, dict)] if isinstance(told, list) else []
    named = [part["memories"] for part in parts if isinstance(part.get("memories"), dict)]
    return " ".join(dict.fromkeys(name for names in named for name in names))


def field_lines(fields: Iterable[tuple[str, Any]]) -> Iterator[Line]:
    """Yield names and values in two columns; empty values are left out."""
    shown = [(name, _words(value)) for name, value in fields if value not in (None, "", (), [], {})]
    width = max((len(name) for name, _ in shown), default=0)
    for name, text in shown:
        first, *more = text.split("\n")
        yield (Dim(f"{name:<{width}}"), f"  {first}")
        for line in more:
            yield f"{'':<{width}}  {line}"


def reason_lines(name: str, reasons: dict[str, Any], explained: dict[str, Any]) -> Iterator[Line]:
    """Yield lines on the parts of a hit's score, each a feature's value times its weight."""
    values = explained["features"].get(name, {})
    weights = explained["weights"].get(explained["kinds"].get(name), {})
    added = {part: why for part, why in reasons.items() if isinstance(why, (int, float))}
    parts = []
    for part in sorted(added, key=lambda part: -added[part]):
        made = f" ({values[part]:.2f}*{weights[part]:.2f})" if part in weights else ""
        parts.append(f"{part} {added[part]:+.2f}{made}")
    yield from _rows(parts, "  ", between="  ", even=True)
    yield from _rows(explained["matched"].get(name, ()), "  matched: ")
    if same := reasons.get("same"):
        yield from _rows(same, "  says the same as ")
    if evidence := reasons.get("evidence"):
        yield (Dim(f"  evidence {evidence}"),)


def explained_lines(explained: dict[str, Any]) -> Iterator[Line]:
    """Yield lines on how the results were ranked, and which memories nearly became results."""
    yield (Dim(f"profile: {explained['profile']}; dense: {explained['dense']}"),)
    terms = [f"{word} {weight:.2f}" for word, weight in explained["terms"].items()]
    if len(terms) > _TERMS:
        terms[_TERMS:] = [f"{len(terms) - _TERMS} more"]
    yield from _rows(terms or ["no memory contains any of its words"], "searched for: ")
    related = [f"{word} ({', '.join(of)})" for word, of in explained.get("related", {}).items()]
    yield from _rows(related, "related words: ")
    yield from _rows(explained["too_frequent"], "too frequent to search for: ")
    yield from _rows(explained["in_no_memory"], "in no memory: ")
    for kind, weights in explained["weights"].items():
        listed = [f"{name} {weight:.2f}" for name, weight in weights.items()]
        yield from _rows(listed, f"weights, {_KINDS[kind]}: ")
    if explained["near_misses"]:
        yield (Dim("left out:"),)
    for miss in explained["near_misses"]:
        score = f"{miss['score']:.2f}" if miss["score"] is not None else ""
        yield (Dim(f"  {miss['id']}  {score:>4}  {miss['why']}"),)


def _rows(
    parts: Sequence[str], lead: str, *, between: str = ", ", even: bool = False
) -> Iterator[Line]:
    """Yield lines of readable width, each with as many parts as fit; no part is split."""
    width = max(map(len, parts), default=0) if even else 0
    line = lead
    for part in parts:
        if line != lead and len(line) + max(len(part), width) > _WIDE:
            yield (Dim(line.rstrip()),)
            line = "  "
        line += f"{part:<{width}}{between}"
    if parts:
        yield (Dim(line.removesuffix(between).rstrip()),)


def _words(value: Any) -> str:
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, float):
        return f"{value:.4g}"
    if isinstance(value, dict):
        return ", ".join(f"{name} {_words(part)}" for name, part in value.items())
    if isinstance(value, (tuple, list)):
        return ", ".join(_words(part) for part in value)
    return str(value)
