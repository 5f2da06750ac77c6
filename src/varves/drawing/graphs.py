"""Drawings of what belongs together: who agrees with whom, and what is around one thing.

Both are laid out by rule, never by simulated forces: the same content gives the same drawing.
"""

from __future__ import annotations

from varves.drawing.svg import curve, cut, disc, escaped, figure, label, link, path, wide, wrapped
from varves.values.value import Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

_HEADS = ("good", "bad", "accent")
_ROW = 64.0
_LETTERS = 20  # the most letters of a name
_LINE = 18.0  # the least distance of two lines of words
_LETTER = 6.6  # the width of a letter of 12 pixels


class BondArc(Value):
    """A relation of one agent to another."""

    source: str
    target: str
    text: str
    look: str
    """good, bad or accent"""


def relations(
    name: str, said: tuple[str, str], agents: Sequence[str], bonds: Sequence[BondArc]
) -> str:
    """Draw who agrees, disagrees and completes whom: names in a column, an arc for each bond."""
    names = 12 + _LETTER * min(_LETTERS, max(map(wide, agents), default=0))
    rows = {agent: 28 + _ROW * place for place, agent in enumerate(agents)}
    arcs, tops = list[str](), list[tuple[float, float, str]]()
    between: dict[frozenset[str], int] = {}
    for bond in sorted(bonds, key=lambda one: abs(rows[one.source] - rows[one.target])):
        pair = frozenset((bond.source, bond.target))
        nth = between[pair] = between.get(pair, -1) + 1
        start, end = rows[bond.source], rows[bond.target]
        reach = names + 40 + abs(end - start) * 0.8 + 36 * nth
        way = f"M{names + 14:.1f} {start:.1f}C{reach:.1f} {start:.1f} {reach:.1f} {end:.1f}"
        way += f" {names + 16:.1f} {end:.1f}"
        head = f' marker-end="url(#head-{bond.look})"'
        arcs.append(path(way, f"bond {bond.look}", more=head))
        # the curve goes three quarters of the way to its two middle points
        tops.append((names + 15 + (reach - names - 15) * 0.75, (start + end) / 2, bond.text))
    right = max((x for x, _, _ in tops), default=names) + 24
    parts = [_heads(), *arcs, *_beside(tops, right)]
    for agent, y in rows.items():
        parts.append(disc(f"{names + 6:.1f}", y, "ink", radius=5))
        text = cut(agent, _LETTERS)
        parts.append(label(f"{names - 6:.1f}", y + 4, text, look="ink", anchor="end"))
    height = max(_ROW * max(1, len(agents)), 28.0 + _LINE * len(bonds))
    long = max((wide(bond.text) for bond in bonds), default=0) * _LETTER
    return figure(name, said, parts, height=height, width=right + long + 12)


def _beside(tops: Sequence[tuple[float, float, str]], right: float) -> Iterator[str]:
    """Yield the words of arcs in a column, each led to the top of its arc; none covers another."""
    low = 0.0
    for x, y, text in sorted(tops, key=lambda top: (top[1], top[0])):
        low = max(y, low + _LINE)
        yield path(f"M{x + 4:.1f} {y:.1f}L{right - 6:.1f} {low:.1f}", "tie dotted")
        yield label(f"{right:.1f}", low + 4, text, look="halo ink")


def _heads() -> str:
    marks = "".join(
        f'<marker id="head-{look}" viewBox="0 0 8 8" refX="6" refY="4" markerWidth="9"'
        ' markerHeight="9" markerUnits="userSpaceOnUse" orient="auto">'
        f'<path class="{look}" d="M0 0L8 4L0 8z"/></marker>'
        for look in _HEADS
    )
    return f"<defs>{marks}</defs>"


class Node(Value):
    """One thing of a graph."""

    key: str
    text: str
    look: str
    """disc, ring, half, or square"""
    about: str
    """What it is, for those who do not see its shape."""
    href: str | None = None
    count: int | None = None


class Tie(Value):
    """A tie between two things of neighbouring columns, or an arrow within the middle one."""

    source: str
    target: str
    look: str = ""
    """dashed, or `later` for the arrow from what was replaced to what replaced it"""


class Columns(Value):
    """One thing, its memories, and what these touch."""

    centre: Node
    memories: tuple[Node, ...]
    things: tuple[Node, ...]
    ties: tuple[Tie, ...]


_WIDTH = 1000.0
_LEFT, _MIDDLE, _END, _RIGHT = 150.0, 232.0, 690.0, 826.0
_MEMORY, _THING = 64, 22  # the most letters of a text in the middle and on the right
_SERIF = 6.6  # the width of a letter of 14 pixels in a serif


def columns(name: str, said: tuple[str, str], found: Columns) -> str:
    """Draw what is around one thing, from left to right.

    Supersession is the one arrow. The text of every node is a link.
    """
    memories, things, centre = found.memories, _untangled(found), found.centre
    tall = max(_step(memories) * len(memories), 26.0 * len(things), 80.0)
    middle, right = _spread(memories, tall), _spread(things, tall)
    y = tall / 2 + 16
    parts = [_heads()]
    for tie in found.ties:
        parts += _tie(tie, middle, right, y)
    for node in memories:
        parts += _memory(node, middle[node.key])
    for node in things:
        parts += _thing(node, right[node.key])
    lines = wrapped(centre.text, 20, 4)
    parts.append(disc(f"{_LEFT:.1f}", y, "accent", radius=9))
    texts = [
        label(f"{_LEFT - 16:.1f}", y + 5 + 17 * (place - (len(lines) - 1) / 2), one, look="centre")
        for place, one in enumerate(lines)
    ]
    parts.append(link(centre.href, "".join(texts)))
    return figure(name, said, parts, height=tall + 32, width=_WIDTH)


def _untangled(found: Columns) -> list[Node]:
    """Return the things in the order of the middle of their memories, so that few lines cross."""
    rows = {node.key: place for place, node in enumerate(found.memories)}
    places: dict[str, list[int]] = {}
    for tie in found.ties:
        if tie.source in rows:
            places.setdefault(tie.target, []).append(rows[tie.source])

    def middle(node: Node) -> float:
        at = places.get(node.key, [0])
        return sum(at) / len(at)

    return sorted(found.things, key=middle)


def _step(memories: Sequence[Node]) -> float:
    return 40.0 if len(memories) <= 12 else 28.0


def _spread(nodes: Sequence[Node], tall: float) -> dict[str, float]:
    """Return the height of each node; the nodes are spread over the whole height."""
    step = tall / max(1, len(nodes))
    return {node.key: 16 + step * (place + 0.5) for place, node in enumerate(nodes)}


def _tie(
    tie: Tie, middle: Mapping[str, float], right: Mapping[str, float], centre: float
) -> Iterator[str]:
    source, target = middle.get(tie.source), right.get(tie.target, middle.get(tie.target))
    if target is None:
        return
    if tie.look == "later" and source is not None:
        way = f"M{_MIDDLE - 8:.1f} {source:.1f}C{_MIDDLE - 28:.1f} {source:.1f}"
        way += f" {_MIDDLE - 28:.1f} {target:.1f} {_MIDDLE - 8:.1f} {target:.1f}"
        yield path(way, "bond accent", more=' marker-end="url(#head-accent)"')
    elif source is not None:
        way = f"M{_END:.1f} {source:.1f}{curve((_END, source), (_RIGHT - 8, target))}"
        yield path(way, "tie thin")
    else:
        start = (_LEFT + 9, centre)
        yield path(
            f"M{start[0]:.1f} {start[1]:.1f}{curve(start, (_MIDDLE - 8, target))}",
            f"tie {tie.look}".strip(),
        )


def _memory(node: Node, y: float) -> Iterator[str]:
    text = cut(" ".join(node.text.split()), _MEMORY)
    end = min(_END - 10, _MIDDLE + 18 + wide(text) * _SERIF)
    yield path(f"M{end:.1f} {y:.1f}H{_END:.1f}", "tie dotted")
    yield _shape(node, _MIDDLE, y)
    soft = " soft" if node.look == "ring" else ""
    yield link(node.href, label(f"{_MIDDLE + 12:.1f}", y + 5, text, look=f"record halo{soft}"))


def _thing(node: Node, y: float) -> Iterator[str]:
    yield _shape(node, _RIGHT, y)
    text = cut(node.text, _THING, front="/" in node.text)
    yield link(node.href, label(f"{_RIGHT + 14:.1f}", y + 4, text, look="ink halo"))
    if node.count is not None:
        yield label(f"{_WIDTH - 6:.1f}", y + 4, str(node.count), anchor="end")


def _shape(node: Node, x: float, y: float) -> str:
    title = f"<title>{escaped(node.about)}</title>"
    if node.look == "square":
        return (
            f'<rect class="edge" x="{x - 5:.1f}" y="{y - 5:.1f}" width="10" height="10">'
            f"{title}</rect>"
        )
    if node.look == "half":
        half = path(f"M{x:.1f} {y - 5:.1f}a5 5 0 0 0 0 10z", "warn")
        return f"{disc(f'{x:.1f}', y, 'half', radius=5, title=node.about)}{half}"
    look = {"disc": "ink", "ring": "ring", "person": "edge"}[node.look]
    return disc(f"{x:.1f}", y, look, radius=5, title=node.about)
