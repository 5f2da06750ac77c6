"""Pictures of the graph: no id can break one, and the drawn one can be read."""

from __future__ import annotations

import json
import re
import shutil
import subprocess
import sys
from pathlib import Path
from xml.etree import ElementTree as ET

import pytest

from tests.protocols.layers.conftest import LOG
from varves.errors import Refused, UsageError

GOLDEN = Path(__file__).parent / "golden"
SVG = "{http://www.w3.org/2000/svg}"
HOSTILE = [
    'a"b',
    "a --> b",
    "%%{init: {'theme': 'dark'}}%%",
    "<script>alert(1)</script>",
    "back\\slash\\",
    "&quot; #quot; `md`",
    "tab\there",
    "\u202eright to left",
    "end",
]
NAMES = [*HOSTILE, 'x"]; n0 --> n1; y["', "]] --> ((("]
SAID = "\n".join(
    [f"- [[{one}]] → [[z]]" for one in HOSTILE]
    + [f"- [[h{place}]] — {one} — {one} — none" for place, one in enumerate(NAMES)]
)
COUNT = len(HOSTILE) + len(NAMES) + 1
_LABEL = r'"[^"\\<>{%]*(?:<br/>[^"\\<>{%]*)*"'
SHAPES = {  # the lines of a node and of an edge
    "mermaid": (
        rf"  n\d+(?:\({_LABEL}\)|\[\[?{_LABEL}\]?\]):::\w+",
        r"  n\d+ (?:-->|-\.->)(?:\|\"[a-z ]+\"\|)? n\d+",
    ),
    "dot": (
        r'  n\d+ \[label="(?:[^"\\]|\\.)*", shape=\w+(?:, style=filled)?, '
        r'fillcolor="#\w+", color="#\w+"\];',
        r"  n\d+ -> n\d+(?: \[[^\]]*\])?;",
    ),
}
DRAW = """
import sys, varves
with varves.open(sys.argv[1]) as ledger:
    sys.stdout.write(ledger.layers.graph_show(format="svg").text)
"""
BARE = """
import sys
sys.modules["fast_sugiyama"] = None
import varves
with varves.open(sys.argv[1]) as ledger:
    print(ledger.layers.graph_show(format="mermaid").text.count("-->"))
    try:
        ledger.layers.graph_show(format="svg")
    except varves.errors.Refused as refusal:
        print(refusal.exit, refusal.hint)
"""


def show(site, format):
    return site.verbs.graph_show(format=format).text


def drawn(site):
    """Return the picture as a tree of elements."""
    return ET.fromstring(show(site, "svg"))  # noqa: S314 - our own


def nodes(picture):
    return picture.findall(f"{SVG}g")


def arrows(picture):
    return [one for one in picture.findall(f"{SVG}path") if "edge" in one.get("class", "")][:-3]


def box(node):
    """Return the outline of a node: left, top, right, bottom."""
    outline = node.find(f"{SVG}rect")
    if outline is None:
        x, y, width = re.match(r"M(\S+) (\S+) h(\S+) ", node.find(f"{SVG}path").get("d")).groups()
        return float(x), float(y), float(x) + float(width) + 12, float(y) + 46
    x, y, width, height = (float(outline.get(key)) for key in ("x", "y", "width", "height"))
    return x, y, x + width, y + height


@pytest.mark.requirement("S1-23")
@pytest.mark.parametrize(("format", "name"), [("mermaid", "graph.mmd"), ("dot", "graph.dot")])
def test_a_picture_as_text_has_every_node_and_edge(site, format, name):
    shutil.copy(GOLDEN / LOG, site.root / LOG)
    assert show(site, format) == (GOLDEN / name).read_text(encoding="utf-8")


def test_json_lists_entities_and_relations(site):
    site.add("One", what="- [[a]] — A — done — pack-x")
    found = json.loads(show(site, "json"))
    assert [one["id"] for one in found["entities"]] == ["a", "pack-x"]
    assert found["relations"] == [{"kind": "Part Of", "source": "a", "target": "pack-x"}]


@pytest.mark.parametrize("format", ["mermaid", "dot"])
def test_no_id_can_say_something_of_its_own(site, format):
    site.add("Hostile", what=SAID)
    lines = show(site, format).rstrip("\n").split("\n")
    node, edge = SHAPES[format]
    rest = [line for line in lines if not re.fullmatch(node, line) and not re.fullmatch(edge, line)]
    entities = len(site.verbs.graph_query())
    assert entities == COUNT
    assert sum(bool(re.fullmatch(node, line)) for line in lines) == entities
    assert sum(bool(re.fullmatch(edge, line)) for line in lines) == len(HOSTILE)
    fixed = ("flowchart LR", "  classDef ", "digraph ", "  rankdir=", "  node [", "  edge [", "}")
    assert [line for line in rest if not line.startswith(fixed)] == []


def test_hostile_ids_are_only_words_in_the_drawn_picture(site):
    site.add("Hostile", what=SAID)
    picture = drawn(site)
    assert len(nodes(picture)) == COUNT
    assert not picture.findall(f".//{SVG}script")
    titles = "".join(one.text for one in picture.iter(f"{SVG}title"))
    assert "<script>alert(1)</script>" in titles


def test_the_drawn_picture_has_every_node_apart_from_the_others(site):
    shutil.copy(GOLDEN / LOG, site.root / LOG)
    picture = drawn(site)
    assert len(nodes(picture)) == 6
    assert len(arrows(picture)) == 5
    boxes = [box(node) for node in nodes(picture)]
    width, height = (float(picture.get(side)) for side in ("width", "height"))
    for place, (left, top, right, bottom) in enumerate(boxes):
        assert left >= 0
        assert top >= 0
        assert right <= width
        assert bottom <= height
        for other in boxes[place + 1 :]:
            apart = right <= other[0] or other[2] <= left or bottom <= other[1] or other[3] <= top
            assert apart
    words = [text.text for text in picture.iter(f"{SVG}text")]
    for said in ("Login form", "login · complete", "src/auth/login.py", "pack-auth · 33% of 3"):
        assert said in words
    for said in ("depends on", "part of", "references", "skill, complete", "pack", "file"):
        assert said in words  # the legend
    assert "prefers-color-scheme: dark" in picture.find(f"{SVG}style").text


def test_circles_loops_and_pairs_are_drawn_as_they_are(site):
    site.add(
        "Circle",
        what="- [[a]] → [[b]]\n- [[b]] → [[c]]\n- [[c]] → [[a]]\n- [[b]] → [[a]]\n- [[d]] → [[d]]\n"
        "- [[a]] → references → [[b]]",
    )
    picture = drawn(site)
    assert len(nodes(picture)) == 4
    assert len(arrows(picture)) == 6


@pytest.mark.full_size(sample=1)
@pytest.mark.parametrize("count", [0, 1, 60])
def test_a_graph_of_any_size_is_drawn(site, count):
    lines = [f"- [[s{n:02}]] → [[s{(n * 7 + 1) % count:02}]]" for n in range(1, count)]
    site.add("Many", what="\n".join(lines or ["[[s00]]"] * count) or "Nothing.")
    picture = drawn(site)
    assert len(nodes(picture)) == count
    assert len({box(node) for node in nodes(picture)}) == count


def test_a_long_name_is_cut_and_its_whole_is_told(site):
    long = "A very long name that no box of this width could ever hold in one line"
    site.add("Long", what=f"- [[a]] — {long} — done — none")
    picture = drawn(site)
    words = [text.text for text in picture.iter(f"{SVG}text")]
    assert "A very long name that …" in words
    assert any(long in (title.text or "") for title in picture.iter(f"{SVG}title"))


def test_the_same_graph_is_the_same_picture(site):
    shutil.copy(GOLDEN / LOG, site.root / LOG)
    first = show(site, "svg")
    site.close()
    told = subprocess.run(
        [sys.executable, "-c", DRAW, site.root], capture_output=True, encoding="utf-8", check=True
    )
    assert told.stdout == first


def test_too_large_a_graph_is_refused(site):
    site.settings("drawn_most = 2")
    site.add("Three", what="[[a]] [[b]] [[c]]")
    with pytest.raises(Refused, match="3 entities and 0 relations are too many"):
        show(site, "svg")


def test_a_format_that_is_none_is_refused(site):
    with pytest.raises(UsageError):
        show(site, "gif")


def test_without_the_extra_the_refusal_says_what_to_install(site):
    site.add("One", what="- [[a]] → [[b]]")
    site.close()
    done = subprocess.run(
        [sys.executable, "-c", BARE, site.root], capture_output=True, encoding="utf-8", check=False
    )
    assert done.stdout.split("\n")[:2] == [
        "1",
        "3 pip install 'varves[draw]'; --format mermaid and dot need nothing",
    ], done.stderr


def test_a_part_of_a_large_graph_is_drawn_around_an_entity(site, varves):
    site.settings("drawn_most = 4")
    ring = [f"- [[s{place}]] → [[s{(place + 1) % 8}]]" for place in range(8)]
    members = [f"- [[s{place}]] — S{place} — done — pack-x" for place in (0, 4)]
    site.add("Ring", what="\n".join([*ring, *members]))
    with pytest.raises(Refused, match="too many") as refused:
        site.verbs.graph_show(format="svg")
    assert "--around" in refused.value.hint
    part = json.loads(site.verbs.graph_show(format="json", around="s2").text)
    assert [one["id"] for one in part["entities"]] == ["s1", "s2", "s3"]
    assert [(one["source"], one["target"]) for one in part["relations"]] == [
        ("s1", "s2"),
        ("s2", "s3"),
    ]
    near = json.loads(site.verbs.graph_show(format="json", around="s2", depth=2).text)
    assert [one["id"] for one in near["entities"]] == ["s0", "s1", "s2", "s3", "s4"]
    [pack] = json.loads(site.verbs.graph_show(format="json", around="pack-x").text)["entities"][2:]
    assert (pack["completion"], pack["count"]) == (100, 2)
    [outer] = [one for one in near["entities"] if one["id"] == "s4"]
    assert outer["pack"] == "pack-x"
    assert not any("pack-x" in (one["source"], one["target"]) for one in near["relations"])
    shown = varves("layers", "graph", "show", "--around", "s0", "--depth", "1")
    assert "[[s7]] → [[s0]]" in shown.out
    assert "s4" not in shown.out
    beyond = varves("layers", "graph", "show", "--around", "s1", "--depth", "1")
    assert "- [[s0]] — S0 — done — pack-x\n" in beyond.out
    assert "[[pack-x]]" not in beyond.out
    assert varves("layers", "graph", "show", "--around", "nobody").code == 4
