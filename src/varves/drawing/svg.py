"""The parts of a drawing, as the text of an SVG: no style attribute, no script, no colour.

A part has a class; the style sheet of the page, or of the drawing itself, gives it a colour. Every
text is escaped, and characters that cannot be printed are replaced.
"""

from __future__ import annotations

from unicodedata import east_asian_width
from xml.sax.saxutils import escape, quoteattr

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable

    Point = tuple[float, float]

_WIDE = "WF"  # of an East Asian letter: as wide as two others


def printable(text: str) -> str:
    """Return a text with unprintable characters replaced."""
    return "".join(sign if sign.isprintable() else "\ufffd" for sign in text)


def escaped(text: str) -> str:
    """Return a text for the content of an element."""
    return escape(printable(text))


def wide(text: str) -> int:
    """Return the width of a text in letters; a wide letter counts twice."""
    return sum(2 if east_asian_width(sign) in _WIDE else 1 for sign in text)


def cut(text: str, most: int, *, front: bool = False) -> str:
    """Cut a text to a number of letters, wide ones counting twice; of a path, keep the end."""
    text = printable(text)
    room = most
    kept = 0
    for sign in reversed(text) if front else text:
        room -= wide(sign)
        if room < 0:
            break
        kept += 1
    if kept == len(text):
        return text
    return f"…{text[len(text) - kept + 1 :]}" if front else f"{text[: kept - 1]}…"


def wrapped(text: str, wide_as: int, most: int) -> list[str]:
    """Return a text in at most `most` lines of a number of letters; the last may be cut."""
    lines, line = list[str](), ""
    for word in printable(text).split():
        joined = f"{line} {word}".strip()
        if wide(joined) > wide_as and line:
            lines.append(line)
            line = word
        else:
            line = joined
    lines.append(line)
    kept = [*lines[: most - 1], " ".join(lines[most - 1 :])]
    return [cut(one, wide_as) for one in kept if one]


def words(x: float, y: float, text: str, look: str) -> str:
    """Return a text at a place."""
    return f'<text class="{look}" x="{x:.1f}" y="{y:.1f}">{escaped(text)}</text>'


def label(x: str, y: float, text: str, *, look: str = "", anchor: str = "") -> str:
    """Return a text at a place that may be a share of the width, such as `12.5%`."""
    end = f' text-anchor="{anchor}"' if anchor else ""
    return f'<text{_class(look)} x="{x}" y="{y:.1f}"{end}>{escaped(text)}</text>'


def bar(x: float, y: float, width: float, look: str) -> str:
    """Return a thin horizontal bar."""
    return f'<rect class="{look}" x="{x:.1f}" y="{y:.1f}" width="{width:.1f}" height="3" rx="1.5"/>'


def curve(start: Point, end: Point) -> str:
    """Return the path of a smooth curve between two places, level at both."""
    middle = (start[0] + end[0]) / 2
    return f"C{middle:.1f} {start[1]:.1f} {middle:.1f} {end[1]:.1f} {end[0]:.1f} {end[1]:.1f}"


def line(x: tuple[str, str], y: tuple[float, float], look: str) -> str:
    """Return a straight line; the places from left to right may be shares of the width."""
    ends = f'x1="{x[0]}" x2="{x[1]}" y1="{y[0]:.1f}" y2="{y[1]:.1f}"'
    return f"<line{_class(look)} {ends}/>"


def disc(x: str, y: float, look: str, *, radius: float = 4, title: str = "") -> str:
    """Return a disc; a title is shown when a pointer rests on it."""
    inside = f"<title>{escaped(title)}</title>" if title else ""
    return f'<circle{_class(look)} cx="{x}" cy="{y:.1f}" r="{radius:g}">{inside}</circle>'


def block(x: str, y: float, size: tuple[str, float], look: str, *, title: str = "") -> str:
    """Return a rectangle of (width, height); the width may be a share."""
    inside = f"<title>{escaped(title)}</title>" if title else ""
    outline = f'x="{x}" y="{y:.1f}" width="{size[0]}" height="{size[1]:.1f}"'
    return f"<rect{_class(look)} {outline}>{inside}</rect>"


def path(d: str, look: str, *, more: str = "") -> str:
    """Return a path."""
    return f'<path{_class(look)} d="{d}"{more}/>'


def placed(x: str, y: float, part: str) -> str:
    """Return a part at a place that may be a share of the width."""
    return f'<svg x="{x}" y="{y:.1f}" overflow="visible">{part}</svg>'


def link(address: str | None, part: str) -> str:
    """Return a part as a link; unchanged without an address."""
    return part if address is None else f"<a href={quoteattr(printable(address))}>{part}</a>"


def share(part: float) -> str:
    """Return a part of the width, from 0 to 1, as a share."""
    return f"{100 * min(1.0, max(0.0, part)):.2f}%"


def figure(
    name: str,
    said: tuple[str, str],
    parts: Iterable[str],
    *,
    height: float,
    width: float | None = None,
    look: str = "",
) -> str:
    """Return a whole drawing for a page.

    Args:
        name: a name that no other drawing of the page has.
        said: the title and the description, for those who do not see it.
        parts: the parts.
        height: the height in pixels.
        width: the width in the same unit, if the drawing is scaled as a whole; otherwise it is as
            wide as the page lets it be, and its letters keep their size.
        look: a further class.
    """
    title, about = map(escaped, said)
    inside = "".join(parts)
    room = f'width="100%" height="{height:.0f}"'
    if width is not None:
        room = f'viewBox="0 0 {width:.0f} {height:.0f}" width="{width:.0f}" height="{height:.0f}"'
    role = "group" if "<a " in inside else "img"  # links within an image could not be reached
    names = f'aria-labelledby="{name}-title" aria-describedby="{name}-about"'
    head = f'<title id="{name}-title">{title}</title><desc id="{name}-about">{about}</desc>'
    kind = f"draw {look}".strip()
    return f'<svg class="{kind}" role="{role}" {room} {names}>{head}{inside}</svg>'


def _class(look: str) -> str:
    return f' class="{look}"' if look else ""
