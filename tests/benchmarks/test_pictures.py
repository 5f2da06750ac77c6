from __future__ import annotations

from itertools import pairwise
from xml.etree import ElementTree as ET

import pytest

from benchmarks import pictures

SVG = "{http://www.w3.org/2000/svg}"
LINES = {
    "warm & <quick>": [(1000.0, 0.9), (10_000.0, 4.0), (100_000.0, 30.0)],
    "cold": [(100_000.0, 80.0), (1000.0, 50.0)],
    "alone": [(1000.0, 18.0)],
}


def parsed(picture: str):
    return ET.fromstring(picture)  # noqa: S314 - drawn a line above


def texts(root) -> list[str]:
    return [one.text for one in root.iter(f"{SVG}text")]


@pytest.fixture
def growth():
    drawn = pictures.curves("Growth", LINES, across="memories", upward="milliseconds")
    return parsed(drawn)


def test_every_line_is_drawn_and_named(growth):
    assert set(LINES) <= set(texts(growth))
    points = [len(one.get("points").split()) for one in growth.iter(f"{SVG}polyline")]
    assert points == [3, 2, 1]
    assert {"memories", "milliseconds", "1,000", "100,000", "100", "1"} <= set(texts(growth))


def test_both_axes_are_logarithmic(growth):
    first = next(growth.iter(f"{SVG}polyline")).get("points").split()
    xs = [float(point.split(",")[0]) for point in first]
    assert xs[1] - xs[0] == pytest.approx(xs[2] - xs[1], abs=0.2)
    alone = [one.get("points") for one in growth.iter(f"{SVG}polyline")][2]
    assert float(alone.split(",")[1]) < float(first[0].split(",")[1]), "more lies higher"


def test_names_do_not_touch():
    near = {f"line {n}": [(1000.0, 10.0 + n), (10_000.0, 10.0 + n / 10)] for n in range(7)}
    root = parsed(pictures.curves("Near", near, across="x", upward="y"))
    heights = sorted(
        float(one.get("y")) for one in root.iter(f"{SVG}text") if one.text.startswith("line")
    )
    assert len(heights) == 7
    assert all(later - sooner >= 17 for sooner, later in pairwise(heights))


def test_bars_are_as_high_as_their_values_and_none_is_drawn_for_nothing():
    series = {"grep": [50.0, None], "ours": [100.0, 25.0]}
    marks = {"ours": [80.0, None]}
    drawn = pictures.bars("Found", ["LoCoMo\nR@10", "QMSum\nR@10"], series, marks=marks)
    root = parsed(drawn)
    assert {"grep", "ours", "target", "LoCoMo", "QMSum", "R@10"} <= set(texts(root))
    heights = [float(one.get("height")) for one in root.iter(f"{SVG}rect") if one.get("x")]
    assert heights[2:] == [140.0, 280.0, 70.0]  # two stand in the legend
    assert len([one for one in root.iter(f"{SVG}line") if one.get("class") == "mark"]) == 2


def test_a_picture_has_colours_for_a_dark_page():
    drawn = pictures.curves("Growth", LINES, across="x", upward="y")
    assert "prefers-color-scheme: dark" in drawn
