"""How an answer looks: the result first, terse, and never a byte that steers a terminal.

A verb returns an `Answer`: a document for `--json` and lines for people. A line is text, or a tuple
of texts some of which carry ink. Nothing in it is escaped or coloured yet; both happen in
`painted`, once, so no verb can forget it.
"""

from __future__ import annotations

from varves.values.value import Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from typing import Any

    from varves import Event, Memory

    Line = str | tuple[str, ...]

_HIDDEN = (
    (0x00, 0x1F),  # C0
    (0x7F, 0x9F),  # DEL and C1
    (0x061C, 0x061C),  # Arabic letter mark
    (0x200B, 0x200B),  # zero-width space
    (0x200E, 0x200F),  # direction marks
    (0x2028, 0x202E),  # line and paragraph separators, embeddings and overrides
    (0x2060, 0x206F),  # word joiner, invisible operators, isolates
    (0xD800, 0xDFFF),  # half a surrogate pair
    (0xFEFF, 0xFEFF),  # byte order mark
    (0xFFF9, 0xFFFB),  # annotations
    (0xE0000, 0xE007F),  # tags
)
_SHORT = {"\n": "\\n", "\r": "\\r", "\t": "\\t"}
_GIST = 72


class Ink(str):
    """Text in a style, plain where colours are off."""

    __slots__ = ()
    code = "0"


class Dim(Ink):
    """What is read second."""

    __slots__ = ()
    code = "2"


class Strong(Ink):
    """What is read first."""

    __slots__ = ()
    code = "1"


class Alarm(Ink):
    """What is wrong."""

    __slots__ = ()
    code = "31"


class Answer(Value):
    """What a verb has to say, to programs and to people."""

    document: Any
    lines: Iterable[Line] = ()
    exit: int = 0
    stream: bool = False
    """The document is an iterator that may never end, and each of its parts is a line."""


def safe(text: str) -> str:
    """Escape every character that could move the cursor, hide or turn round what is shown."""
    if text.isprintable():
        return text
    return "".join(_SHORT.get(c) or (_escape(ord(c)) if _is_hidden(ord(c)) else c) for c in text)


def painted(line: Line, *, colored: bool) -> str:
    """Return a line as it is written out: escaped, then coloured."""
    parts = (line,) if isinstance(line, str) else line
    if not colored:
        return "".join(safe(part) for part in parts).rstrip(" ")
    return "".join(
        f"\x1b[{part.code}m{safe(part)}\x1b[0m" if isinstance(part, Ink) else safe(part)
        for part in parts
    )


def document(value: Any) -> str:
    """Return a value as one line of ASCII JSON.

    The standard encoder's import costs as much as the rest of a recall, its string quoting is in C
    and costs nothing; around that quoting there is not much left to write.
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
    """Yield a memory: its id and text, then dimmed where it stands."""
    first, *more = memory.text.split("\n")
    ranked = "" if score is None else f"{score:.2f}  "
    yield (Strong(memory.id), f"  {ranked}{first}")
    for line in more:
        yield f"  {line}"
    about = [memory.scope, memory.type, memory.at[:10], memory.speaker or memory.created_by]
    about += [f"#{tag}" for tag in memory.tags]
    if memory.status != "active":
        about.append(memory.status)
    if memory.trust < 2:
        about.append(f"from {memory.origin}, not trusted")
    if stale:
        about.append(f"stale: {stale}")
    if memory.branch:
        about.append(f"on {memory.branch}")
    yield (Dim("  " + " · ".join(part for part in about if part)),)


def outcome(done: Any, word: str) -> Line:
    """Return what became of a memory, and what was masked on the way."""
    line = f"{done.id} {word}"
    if done.redacted:
        line += f" (redacted: {', '.join(done.redacted)})"
    conflicts = getattr(done, "conflicts", ())
    if conflicts:
        line += f" (conflicts: {', '.join(getattr(one, 'id', str(one)) for one in conflicts)})"
    return line


def counted(number: int, what: str) -> str:
    """Return how many of a thing there are, in words."""
    return f"{number} {what}" if number == 1 else f"{number} {what}s"


def event_line(event: Event) -> Line:
    """Return an event on one line: when, what, who, its id and the gist."""
    said = event.data.get("text") or event.data.get("reason") or ""
    gist = said if isinstance(said, str) else ""
    if len(gist) > _GIST:
        gist = gist[: _GIST - 3] + "..."
    on = Dim(f"  on {event.branch}" if event.branch else "")
    what = f"  {event.kind:<17}  {event.actor}  "
    return (Dim(event.time), what, Dim(event.id), f"  {gist}", on)


def field_lines(fields: Iterable[tuple[str, Any]]) -> Iterator[Line]:
    """Yield names and values in two columns, leaving out what is empty."""
    shown = [(name, _words(value)) for name, value in fields if value not in (None, "", (), [], {})]
    width = max((len(name) for name, _ in shown), default=0)
    for name, text in shown:
        first, *more = text.split("\n")
        yield (Dim(f"{name:<{width}}"), f"  {first}")
        for line in more:
            yield f"{'':<{width}}  {line}"


def reason_line(reasons: dict[str, Any]) -> Line:
    """Return why a hit stands where it stands."""
    return (Dim("  " + "  ".join(f"{name} {_words(why)}" for name, why in reasons.items())),)


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


def _is_hidden(code: int) -> bool:
    return any(first <= code <= last for first, last in _HIDDEN)


def _escape(code: int) -> str:
    if code <= 0xFF:
        return f"\\x{code:02x}"
    return f"\\u{code:04x}" if code <= 0xFFFF else f"\\U{code:08x}"
