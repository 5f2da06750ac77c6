"""Pictures of the figures: plain SVG, drawn here, that reads on a light and on a dark page."""

from __future__ import annotations

from dataclasses import dataclass
from math import ceil, floor, log10
from typing import TYPE_CHECKING
from xml.sax.saxutils import escape

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

COLOURS = ("#2f81d6", "#d2691e", "#2a9d6f", "#9467d4", "#808892", "#d1495b", "#a8811a", "#3a9fb0")
SHADES = {  # what ours is compared with stays grey
    "grep": "#b0b7be",
    "FTS5": "#8c959f",
    "BM25": "#6e7781",
    "dense alone": "#9467d4",
}
DASHES = ("", "", "", "", "6 4", "2 4", "8 3 2 3", "4 2")
LETTER = 7.6  # how wide one is, about
STYLE = """
.ground { fill: #ffffff } .ink { fill: #1f2328 } .faint { fill: #59636e }
.grid { stroke: #d5dbe1; stroke-width: 1 } .axis { stroke: #59636e; stroke-width: 1 }
.mark { stroke: #1f2328; stroke-width: 2 }
text { font: 13px system-ui, -apple-system, "Segoe UI", Helvetica, Arial, sans-serif }
.title { font-size: 16px; font-weight: 600 } .small { font-size: 11px }
@media (prefers-color-scheme: dark) {
.ground { fill: #0d1117 } .ink { fill: #e6edf3 } .faint { fill: #9198a1 }
.grid { stroke: #2d333b } .axis { stroke: #9198a1 } .mark { stroke: #e6edf3 }
}
"""


@dataclass(frozen=True)
class Box:
    """The part of a picture in which values are drawn."""

    left: float
    top: float
    right: float
    bottom: float


class Drawing:
    """An SVG being drawn."""

    def __init__(self, width: int, height: int, title: str) -> None:
        self._size = (width, height)
        self._title = title
        self._parts: list[str] = []
        self.text(20, 28, title, look="ink title")

    def text(
        self,
        x: float,
        y: float,
        words: str,
        *,
        look: str = "ink",
        end: str = "start",
        turn: int = 0,
    ) -> None:
        """Write some words."""
        turned = f' transform="rotate({turn} {x:.1f} {y:.1f})"' if turn else ""
        self._parts.append(
            f'<text x="{x:.1f}" y="{y:.1f}" class="{look}" text-anchor="{end}"{turned}>'
            f"{escape(words)}</text>"
        )

    def line(self, start: tuple[float, float], end: tuple[float, float], look: str) -> None:
        """Draw a straight line."""
        (x1, y1), (x2, y2) = start, end
        place = f'x1="{x1:.1f}" y1="{y1:.1f}" x2="{x2:.1f}" y2="{y2:.1f}"'
        self._parts.append(f'<line {place} class="{look}"/>')

    def bar(self, corner: tuple[float, float], size: tuple[float, float], colour: str) -> None:
        """Draw a filled rectangle."""
        (x, y), (width, height) = corner, size
        place = f'x="{x:.1f}" y="{y:.1f}" width="{width:.1f}" height="{max(0, height):.1f}"'
        self._parts.append(f'<rect {place} fill="{colour}"/>')

    def path(self, points: Sequence[tuple[float, float]], number: int) -> None:
        """Draw a series as a line with a dot at each of its points."""
        colour = COLOURS[number % len(COLOURS)]
        dash = DASHES[number % len(DASHES)]
        dashed = f' stroke-dasharray="{dash}"' if dash else ""
        places = " ".join(f"{x:.1f},{y:.1f}" for x, y in points)
        self._parts.append(
            f'<polyline points="{places}" fill="none" stroke="{colour}" stroke-width="2.5"'
            f"{dashed}/>"
        )
        for x, y in points:
            self._parts.append(f'<circle cx="{x:.1f}" cy="{y:.1f}" r="3.5" fill="{colour}"/>')

    def done(self) -> str:
        """Return the whole picture."""
        width, height = self._size
        size = f'viewBox="0 0 {width} {height}" width="{width}" height="{height}"'
        return "\n".join(
            (
                f'<svg xmlns="http://www.w3.org/2000/svg" {size} role="img">',
                f"<title>{escape(self._title)}</title>",
                f"<style>{STYLE}</style>",
                f'<rect class="ground" width="{width}" height="{height}"/>',
                *self._parts,
                "</svg>\n",
            )
        )


def bars(
    title: str,
    groups: Sequence[str],
    series: Mapping[str, Sequence[float | None]],
    *,
    marks: Mapping[str, Sequence[float | None]] | None = None,
) -> str:
    """Draw percentages side by side: a group for each set, a bar for each system.

    Args:
        title: what is shown.
        groups: the names under the groups; a line break in one is drawn as such.
        series: by name, one percentage for each group, or None.
        marks: by a series' name, the level it should reach in each group.
    """
    wide, gap = 20.0, 26.0
    longest = max(len(words) for name in groups for words in name.split("\n"))
    group = max(wide * len(series) + gap, LETTER * longest + gap / 2)
    box = Box(60, 84, 60 + group * len(groups), 364)
    page = Drawing(int(max(box.right + 30, 640)), 430, title)
    _legend(page, list(series), top=56, marked=bool(set(marks or ()) & set(series)))
    tall = box.bottom - box.top
    for level in range(0, 101, 20):
        y = box.bottom - tall * level / 100
        page.line((box.left, y), (box.right, y), "grid")
        page.text(box.left - 8, y + 4, str(level), look="faint", end="end")
    page.text(18, (box.top + box.bottom) / 2, "percent", look="faint", end="middle", turn=-90)
    for place, name in enumerate(groups):
        left = box.left + place * group + (group - wide * len(series)) / 2
        for number, (label, values) in enumerate(series.items()):
            value, x = values[place], left + number * wide
            if value is not None:
                high = tall * value / 100
                page.bar((x, box.bottom - high), (wide - 3, high), _shade(label, number))
                middle = x + (wide - 3) / 2
                page.text(
                    middle, box.bottom - high - 4, f"{value:.0f}", look="faint small", end="middle"
                )
            wanted = (marks or {}).get(label, [None] * len(groups))[place]
            if wanted is not None:
                y = box.bottom - tall * wanted / 100
                page.line((x - 2, y), (x + wide - 1, y), "mark")
        for row, words in enumerate(name.split("\n")):
            middle = box.left + (place + 0.5) * group
            page.text(middle, box.bottom + 20 + 16 * row, words, look="ink", end="middle")
    page.line((box.left, box.bottom), (box.right, box.bottom), "axis")
    return page.done()


def _shade(name: str, number: int) -> str:
    return SHADES.get(name) or COLOURS[(number - len(SHADES)) % len(COLOURS)]


def _legend(page: Drawing, names: Sequence[str], *, top: float, marked: bool) -> None:
    x = 60.0
    for number, name in enumerate(names):
        page.bar((x, top - 10), (12, 12), _shade(name, number))
        page.text(x + 17, top, name)
        x += 17 + LETTER * len(name) + 18
    if marked:
        page.line((x, top - 4), (x + 14, top - 4), "mark")
        page.text(x + 19, top, "target")


def curves(
    title: str,
    series: Mapping[str, Sequence[tuple[float, float]]],
    *,
    across: str,
    upward: str,
) -> str:
    """Draw lines on two logarithmic axes, each named where it ends.

    Args:
        title: what is shown.
        series: by name, its points, both values above nought.
        across: what the horizontal axis counts.
        upward: what the vertical axis counts.
    """
    drawn = {name: sorted(points) for name, points in series.items() if points}
    box = Box(80, 60, 600, 440)
    page = Drawing(860, 510, title)
    xs = [x for points in drawn.values() for x, _ in points]
    ys = [y for points in drawn.values() for _, y in points]
    low_x, high_x = floor(log10(min(xs))), max(ceil(log10(max(xs))), floor(log10(min(xs))) + 1)
    low_y, high_y = floor(log10(min(ys))), max(ceil(log10(max(ys))), floor(log10(min(ys))) + 1)

    def place(point: tuple[float, float]) -> tuple[float, float]:
        x = (log10(point[0]) - low_x) / (high_x - low_x)
        y = (log10(point[1]) - low_y) / (high_y - low_y)
        wide, tall = box.right - box.left, box.bottom - box.top
        return box.left + wide * x, box.bottom - tall * y

    for power in range(low_x, high_x + 1):
        x, _ = place((10.0**power, 10.0**low_y))
        page.line((x, box.top), (x, box.bottom), "grid")
        page.text(x, box.bottom + 20, f"{10**power:,}", look="faint", end="middle")
    for power in range(low_y, high_y + 1):
        _, y = place((10.0**low_x, 10.0**power))
        page.line((box.left, y), (box.right, y), "grid")
        page.text(box.left - 8, y + 4, f"{10.0**power:,g}", look="faint", end="end")
    page.line((box.left, box.bottom), (box.right, box.bottom), "axis")
    page.line((box.left, box.top), (box.left, box.bottom), "axis")
    page.text((box.left + box.right) / 2, box.bottom + 48, across, end="middle")
    page.text(22, (box.top + box.bottom) / 2, upward, end="middle", turn=-90)
    ends: list[tuple[float, float, str]] = []
    for number, (name, points) in enumerate(drawn.items()):
        placed = [place(point) for point in points]
        page.path(placed, number)
        ends.append((*placed[-1], name))
    _name_ends(page, ends, list(drawn), box)
    return page.done()


def _name_ends(
    page: Drawing, ends: list[tuple[float, float, str]], names: list[str], box: Box
) -> None:
    """Write each name beside its line's end, moved apart where they would touch."""
    space, x = 18.0, box.right + 26
    ordered = sorted(ends, key=lambda end: end[1])
    heights: list[float] = []
    for _, y, _ in ordered:
        heights.append(max(y, heights[-1] + space) if heights else y)
    over = heights[-1] - box.bottom if heights else 0
    heights = [y - max(0.0, over) for y in heights]
    for (end_x, end_y, name), y in zip(ordered, heights, strict=True):
        page.line((end_x + 6, end_y), (x - 4, y), "grid")
        page.bar((x, y - 5), (10, 10), COLOURS[names.index(name) % len(COLOURS)])
        page.text(x + 16, y + 4, name)
