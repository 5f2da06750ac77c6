"""Drawings are text that a browser can show under a strict policy, and that can be heard."""

from __future__ import annotations

import re
from xml.etree import ElementTree as ET

import pytest

from varves.drawing.charts import (
    Course,
    DayBar,
    Layer,
    Point,
    TalkLane,
    TalkMark,
    TimeMark,
    courses,
    histogram,
    lanes,
    life,
)
from varves.drawing.graphs import BondArc, Columns, Node, Tie, columns, relations
from varves.drawing.svg import cut, wrapped

HOSTILE = [
    "plain",
    '<script>alert(1)</script>"',
    "a & b </text></svg> <image href='x'/>",
    "\u202eright to left\x00\x1b[31m\u2028",
    "漢字" * 40,
    "",
    "x" * 5000,
]


def shapes(said: str) -> list[str]:
    """Draw one of each with the same words in every place where somebody's words can be."""
    node = Node(key="a", text=said, look="disc", about=said, href=f"/memory/{said}")
    return [
        histogram("h", said, [DayBar(text=said, count=n, href=said) for n in (0, 1, 40)]),
        life(
            "l",
            (said, said),
            [
                Layer(start=0.1, end=0.5, text=said),
                Layer(start=0.5, end=1, text=said, current=True),
            ],
            days=[TimeMark(at=0.2, text=said)],
            shown=[TimeMark(at=0.9, text=said)],
            evidence=[TimeMark(at=0.3, text=said)],
        ),
        courses(
            "c",
            (said, said),
            [
                Course(
                    text=said,
                    points=(
                        Point(session=1, confidence=0.9, why="recorded"),
                        Point(session=3, confidence=0.5, why="used"),
                    ),
                    last=4,
                    ended=True,
                )
            ],
            sessions=5,
            floor=0.2,
        ),
        lanes(
            "t",
            (said, said),
            [TalkLane(name=said, marks=(TalkMark(at=1, look="decides", text=said),))],
            ends=(said, said),
        ),
        relations(
            "r",
            (said, said),
            [said, "ben"],
            [BondArc(source=said, target="ben", text=said, look="good")],
        ),
        columns(
            "g",
            (said, said),
            Columns(
                centre=node,
                memories=(node, node.replace(key="b", look="ring"), node.replace(key="c")),
                things=(node.replace(key="t", look="square", count=2),),
                ties=(
                    Tie(source="", target="a"),
                    Tie(source="a", target="t"),
                    Tie(source="b", target="a", look="later"),
                ),
            ),
        ),
    ]


@pytest.mark.parametrize("said", HOSTILE)
def test_whatever_is_said_a_drawing_is_a_drawing(said):
    for text in shapes(said):
        whole = ET.fromstring(text)  # noqa: S314 - our own
        assert all(letter.isprintable() for letter in text)
        for one in whole.iter():
            assert one.tag in {
                *("svg", "title", "desc", "text", "rect", "line", "circle", "path", "a"),
                *("defs", "marker", "g"),
            }
            assert not {"style", "onload", "fill", "stroke", "onclick"} & set(one.attrib)
            assert set(one.attrib) <= {
                *("class", "x", "y", "x1", "x2", "y1", "y2", "cx", "cy", "r", "d", "width"),
                *("height", "viewBox", "role", "id", "href", "text-anchor", "marker-end"),
                *("refX", "refY", "markerWidth", "markerHeight", "markerUnits", "orient"),
                *("aria-labelledby", "aria-describedby", "overflow"),
            }


def test_every_drawing_has_a_title_and_a_description():
    for text in shapes("Orders are paid in euros"):
        whole = ET.fromstring(text)  # noqa: S314 - our own
        by_id = {one.get("id"): one for one in whole.iter()}
        for name in ("aria-labelledby", "aria-describedby"):
            assert by_id[whole.attrib[name]].text
        assert whole.attrib["role"] in ("img", "group")
        has_links = any(one.tag == "a" for one in whole.iter())
        assert whole.attrib["role"] == ("group" if has_links else "img")


def test_places_lie_within_the_width():
    for text in shapes("x"):
        for share in re.findall(r'(?:x|cx|x1|x2|width)="([\d.]+)%"', text):
            assert 0 <= float(share) <= 100


def test_the_higher_day_has_the_higher_bar_and_an_empty_one_has_none():
    days = [DayBar(text=f"day {n}", count=count) for n, count in enumerate((4, 0, 100, 25))]
    whole = ET.fromstring(histogram("h", "Events", days))  # noqa: S314 - our own
    bars = {one[0].text: float(one.attrib["height"]) for one in whole.iter("rect")}
    assert bars == {
        "day 0: 4 events": pytest.approx(14.4),
        "day 2: 100 events": pytest.approx(72),
        "day 3: 25 events": pytest.approx(36),
    }
    assert "129 events on 4 days" in whole[1].text


def test_nothing_at_all_can_be_drawn():
    assert "no event on any day" in histogram("h", "Events", [])
    assert ET.fromstring(relations("r", ("a", "b"), [], [])).tag == "svg"  # noqa: S314


def test_texts_of_relations_do_not_cover_each_other():
    agents = [f"agent-{n}" for n in range(6)]
    bonds = [
        BondArc(source=one, target=other, text=f"agrees {place} times", look="good")
        for place, (one, other) in enumerate((a, b) for a in agents for b in agents if a != b)
    ]
    whole = ET.fromstring(relations("r", ("a", "b"), agents, bonds))  # noqa: S314 - our own
    said = [one for one in whole.iter("text") if "agrees" in (one.text or "")]
    boxes = [(float(one.attrib["x"]), float(one.attrib["y"]), len(one.text)) for one in said]
    for place, (x, y, long) in enumerate(boxes):
        for other_x, other_y, other_long in boxes[:place]:
            apart = (
                abs(y - other_y) >= 14
                or x >= other_x + 6.6 * other_long
                or (other_x >= x + 6.6 * long)
            )
            assert apart


def test_a_long_text_is_cut_by_its_width():
    assert cut("abcdef", 4) == "abc…"
    assert cut("漢字漢字", 5) == "漢…"
    assert cut("src/varves/ledger.py", 10, front=True) == "…ledger.py"
    assert wrapped("one two three four", 8, 2) == ["one two", "three f…"]
