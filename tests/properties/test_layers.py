"""Laws of the graph: how it was arrived at does not count, and it can be read back whole."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from varves.protocols.layers.context import context, narrate
from varves.protocols.layers.horizon import staleness
from varves.protocols.layers.options import LayersOptions
from varves.protocols.layers.parser import parse
from varves.protocols.layers.picture import graph_of, materialise, parse_graph, render_body
from varves.protocols.layers.queries import cycles

OPTIONS = LayersOptions()
NAMES = st.one_of(
    st.sampled_from(
        ["a", "b", "pack-1", "pack-2", "src/a.py", "b.md", "none", "a — b", "x, y", "—", "-"]
    ),
    st.text(st.characters(exclude_categories=["Cs"]), min_size=1, max_size=6).filter(
        lambda name: not set(name) & set("[]\r\n")
    ),
)
COLUMNS = st.one_of(
    st.sampled_from(["Name", "done", "Complete", "75%", "4", "none", "pack-1", "[[pack-2]]", "a"]),
    st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\r\n"), max_size=5),
)


@st.composite
def lines(draw):
    one, other = draw(NAMES), draw(NAMES)
    columns = " — ".join(draw(st.lists(COLUMNS, min_size=1, max_size=4)))
    return draw(
        st.sampled_from(
            [
                f"- [[{one}]] → [[{other}]]",
                f"> - [[{one}]] → [[{other}]]",
                f"- [[{one}]] → part of → [[{other}]], [[a]] (why not)",
                f"- ~~[[{one}]] → [[{other}]]~~",
                f"- ~~[[{one}]]~~",
                f"- [[{one}]] — {columns}",
                f"- [[{one}]] - {columns}",
                f"We met [[{one}]] and `src/a.py`, see [this](docs/{other}.md).",
                "Depends On:",
                "**Part Of**",
                "#### References",
                "```",
                f"Blocker: {one}",
                f"Resolved: {other}",
                f"- [x] {one}",
                f"- {other}",
                "<!-- never -->",
            ]
        )
    )


@st.composite
def logs(draw):
    """Draw the texts of a few events."""
    events = []
    for number in range(draw(st.integers(0, 6))):
        body = "\n".join(draw(st.lists(lines(), max_size=6)))
        after = "\n".join(draw(st.lists(lines(), max_size=2)))
        events.append(
            f"## 2026-01-01 10:0{number} — Event {number}\n\n**Type:** change\n**Scope:** project"
            f"\n\n### What\n{body}\n\n### Next Steps\n{after}\n\n"
        )
    return events


def read(events):
    return parse(("# Log\n\n" + "".join(events)).encode())


@given(logs(), st.data())
def test_adding_the_events_since_gives_what_reading_all_of_them_gives(events, draws):
    log = read(events)
    whole = materialise(log, None, OPTIONS)
    text = None
    places = draws.draw(st.lists(st.integers(0, len(events)), max_size=3).map(sorted))
    for place in places:
        text = materialise(read(events[:place]), text, OPTIONS)
        assert staleness(text, read(events[:place]), OPTIONS) is None
    assert materialise(log, text, OPTIONS) == whole
    assert staleness(whole, log, OPTIONS) is None


@given(logs())
def test_a_graph_reads_back_as_it_was_written(events):
    log = read(events)
    graph = graph_of(log, None, OPTIONS)
    again = parse_graph(materialise(log, None, OPTIONS), OPTIONS)
    assert render_body(again) == render_body(graph)
    assert again.entities() == graph.entities()
    assert again.relations() == graph.relations()


@given(logs())
def test_a_graph_is_whole(events):
    graph = graph_of(read(events), None, OPTIONS)
    for relation in graph.relations():
        assert relation.source in graph
        assert relation.target in graph
    for entity in graph.entities():
        assert entity.count is None or entity.count == len(graph.members(entity.id))
        assert all(graph.kind_of(name) in {"skill", "pack"} for name in entity.related)
        assert entity.pack is None or graph.kind_of(entity.pack) == "pack"
    for circle in cycles(graph):
        pairs = zip(circle, (*circle[1:], circle[0]), strict=True)
        assert set(pairs) <= set(graph.edges("Depends On"))


@given(logs())
def test_the_context_tells_of_the_graph_and_the_log_only(events):
    log = read(events)
    graph = graph_of(log, None, OPTIONS)
    told = narrate(log, graph, OPTIONS)
    text = context(log, graph, OPTIONS)
    assert len(told.recent) == len(log.blocks)
    assert all(name in graph for name in told.active)
    assert staleness(text, log, OPTIONS) is None
    assert staleness(text.replace("# Current", "# Other"), log, OPTIONS) == "edited"
    headings = [line for line in text.split("\n") if line.startswith("#")]
    assert headings == [
        "# Current Context",
        "## Session Summary",
        "## Recent Events",
        "## Active Entities",
        "## Blockers/Issues",
        "## Next Actions",
    ]
