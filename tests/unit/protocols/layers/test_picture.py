"""graph.md of others: tables, words on the arrows, several targets; nothing is dropped silently."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.tables import each_row
from varves.protocols.layers.context import context
from varves.protocols.layers.horizon import behind, horizon, staleness
from varves.protocols.layers.options import LayersOptions
from varves.protocols.layers.parser import parse
from varves.protocols.layers.picture import graph_of, materialise, parse_graph, read_picture

SAMPLES = Path(__file__).parents[3] / "protocols/layers/samples/templatesSB"


def text(name):
    return (SAMPLES / name).read_text(encoding="utf-8")


def log(*bodies):
    events = (
        f"## 2026-01-0{place} 10:00 — E{place}\n\n### What\n{body}\n\n"
        for place, body in enumerate(bodies, 1)
    )
    return parse("".join(events).encode())


def test_tables_and_words_on_arrows_are_read():
    nodes, edges = read_picture(text("graph-e8388c4.md"))
    kinds = [kind for _, kind, _, _ in nodes]
    assert [kinds.count(kind) for kind in ("skill", "pack", "file")] == [15, 3, 6]
    assert (16, "pack", "pack-003", ("3-testing-mastery", "0%", "12")) in nodes
    assert (
        30,
        "skill",
        "skill-001",
        ("algorithms", "Complete", "pack-001"),
    ) in nodes
    relations = [kind for _, kind, _, _ in edges]
    assert [relations.count(kind) for kind in ("Depends On", "Part Of", "References")] == [4, 12, 6]
    assert edges[-1][1:] == ("References", "ref-004", "skill-001")


def test_what_only_a_column_names_is_not_among_the_entities():
    nodes, _ = read_picture(text("graph-e8388c4.md"))
    defined = {name for _, _, name, _ in nodes}
    named = {other for *_, columns in nodes for other in columns[-1].split(", ")}
    assert {"skill-101", "skill-102"} == {name for name in named - defined if name[:6] == "skill-"}


def test_a_table_of_nodes_and_edges_is_read():
    nodes, edges = read_picture(text("graph-2e212cd.md"))
    assert len(nodes) == len(edges) == 10
    assert nodes[0][2] == "_templatesSB"
    assert {relation for _, relation, _, _ in edges} == {None}  # none of our words
    assert len(parse_graph(text("graph-2e212cd.md"))) == 10


def test_a_view_of_another_log_is_placed_by_its_numbers():
    numbered = parse((SAMPLES / "CHANGELOG-evt-section-0a56d75.md").read_bytes())
    assert staleness(text("graph-2e212cd.md"), numbered) == "ahead"
    assert staleness(text("context-0a56d75.md"), numbered) == "foreign"
    assert staleness(text("graph-e8388c4.md"), numbered) == "foreign"
    assert staleness(text("graph-2e212cd.md"), log("x")) == "foreign"
    assert staleness(None, numbered) == "missing"


def test_a_horizon_counts_the_events_and_knows_its_text():
    whole = log("[[a]]", "[[b]]", "[[c]]")
    short = log("[[a]]", "[[b]]")
    view = materialise(short, None, LayersOptions())
    seen = horizon(view)
    assert seen is not None
    assert (seen.events, seen.last, seen.whole) == (2, "2026-01-02 10:00", True)
    assert staleness(view, short) is None
    assert staleness(view, whole) == "behind"
    assert staleness(view, log("[[a]]")) == "ahead"
    assert staleness(view, log("[[a]]", "[[x]]", "[[c]]")) == "behind"
    assert [behind(view, one) for one in (short, whole, log("[[z]]", "y"))] == [0, 1, 2]


def test_a_log_that_lost_an_event_of_the_same_minute_leaves_the_view_ahead():
    one = "## 2026-01-01 10:00 — One\n\n### What\n[[a]]\n\n"
    view = materialise(parse(f"{one}{one}".encode()), None, LayersOptions())
    assert staleness(view, parse(one.encode())) == "ahead"


def test_line_ends_of_a_checkout_are_no_edit():
    short = log("[[a]]")
    view = materialise(short, None, LayersOptions())
    assert staleness(view.replace("\n", "\r\n"), short) is None
    assert materialise(
        log("[[a]]", "[[b]]"), view.replace("\n", "\r\n"), LayersOptions()
    ) == materialise(log("[[a]]", "[[b]]"), None, LayersOptions())


def test_a_line_added_before_or_after_the_horizon_is_an_edit():
    short = log("[[a]]")
    view = materialise(short, None, LayersOptions())
    assert staleness(f"{view}more\n", short) == "edited"
    assert staleness(view.replace("### Packs\n", "### Packs\n- [[p]]\n"), short) == "edited"


def test_only_the_events_since_the_horizon_are_read():
    """Own choice: a view that fits is trusted, so what it says is not read again."""
    view = materialise(log("- [[a]] — A — done — none"), None, LayersOptions())
    changed = log("- [[a]] — A — done — none", "- [[a]] → [[b]]")
    assert "- [[a]] → [[b]]" in materialise(changed, view, LayersOptions())
    assert materialise(changed, view, LayersOptions()) == materialise(
        changed, None, LayersOptions()
    )


@each_row(
    "line",
    [
        pytest.param("- [[a]] →" + " " * 20_000 + "x [[b]]", id="blanks"),
        pytest.param("- [[a]] → " + "w " * 10_000 + "[[b]]", id="words"),
        pytest.param("- [[a]] → [[b]]" + ", [[b]]" * 5_000 + " x", id="targets"),
        pytest.param("<!-- [[a]] " * 5_000, id="comments"),
        pytest.param("`" * 20_000 + "[[a]]", id="one-run-of-ticks"),
        pytest.param("` " * 10_000 + "[[a]]", id="ticks"),
        pytest.param("> " * 10_000 + "- [[a]] → [[b]]", id="quotes"),
        pytest.param("Blocker:" + " " * 20_000 + "x" + " " * 20_000 + "y", id="blocker"),
    ],
)
def test_no_line_takes_ever_longer_to_read(line):
    """Regression: a line of blanks took minutes; this ends only if each pattern is linear."""
    event = f"## 2026-01-01 10:00 — E\n\n### What\n{line}\n\n### Next Steps\n{line}\n"
    read = parse(event.encode())
    graph = graph_of(read, None, LayersOptions())
    assert len(graph) <= 2
    assert staleness(context(read, graph, LayersOptions()), read) is None
