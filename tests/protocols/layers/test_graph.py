"""graph.md: what events say in the documented grammar, and nothing else."""

from __future__ import annotations

import shutil
from itertools import takewhile
from pathlib import Path

import pytest

from tests.protocols.layers.conftest import CONTEXT, GRAPH, LOG
from tests.tables import assert_each

GOLDEN = Path(__file__).parent / "golden"
SECTIONS = [
    "# Knowledge Graph",
    "## Entities",
    "### Skills",
    "### Packs",
    "### Files",
    "## Relations",
    "### Depends On",
    "### Part Of",
    "### References",
]


@pytest.fixture
def shop(site):
    """Give a project whose log is the golden one."""
    shutil.copy(GOLDEN / LOG, site.root / LOG)
    site.again()
    return site


def section(site, title):
    """Return the list lines under a heading of graph.md, as they stand in the file."""
    site.verbs.graph_rebuild()
    _, _, rest = site.read(GRAPH).partition(f"### {title}\n")
    return list(takewhile(lambda line: line.startswith("- "), rest.split("\n")))


def skills(site):
    return section(site, "Skills")


def edges(site):
    """Return all relations as the file lists them."""
    found = (section(site, title) for title in ("Depends On", "Part Of", "References"))
    return [line for lines in found for line in lines]


@pytest.mark.requirement("S1-16", "S1-36")
def test_what_no_event_says_is_in_no_view(shop):
    shop.verbs.rebuild()
    shop.edit(GRAPH, "### Packs\n", "### Packs\n- [[pack-ghost]] — Ghost — 100% — 1\n")
    shop.edit(CONTEXT, "## Blockers/Issues\nnone", "## Blockers/Issues\n- a claim of mine")
    assert [one.id for one in shop.verbs.graph_query(kind="pack")] == ["pack-auth"]
    shop.verbs.rebuild()
    assert "ghost" not in shop.read(GRAPH)
    assert "a claim of mine" not in shop.read(CONTEXT)


@pytest.mark.requirement("S1-21")
def test_the_graph_comes_from_the_log_and_nothing_else(shop, tmp_path):
    shop.verbs.rebuild()
    before = shop.read(GRAPH)
    (shop.root / GRAPH).unlink()
    (shop.root / CONTEXT).unlink()
    shop.close()
    shutil.rmtree(shop.root / ".varves")
    shop.verbs.graph_rebuild()
    assert shop.read(GRAPH) == before


@pytest.mark.requirement("S1-22", "S1-32")
def test_a_question_after_an_append_gets_a_fresh_answer(site):
    site.add("One", what="- [[a]] — A — planned — none")
    assert [one.status for one in site.verbs.graph_query(id="a")] == ["planned"]
    site.add("Two", what="- [[a]] — A — done — none")
    assert "[[a]] — A — done" not in site.read(GRAPH)  # the file still waits for its batch
    assert [one.status for one in site.verbs.graph_query(id="a")] == ["done"]
    assert any("stale (behind)" in note for note in site.notes)
    site.verbs.graph_rebuild()
    assert "[[a]] — A — done" in site.read(GRAPH)


@pytest.mark.requirement("S1-23")
def test_each_entity_is_a_node_and_each_relation_an_edge(shop):
    nodes = {one.id: one.kind for one in shop.verbs.graph_query()}
    assert nodes == {
        "login": "skill",
        "rates": "skill",
        "tokens": "skill",
        "pack-auth": "pack",
        "docs/auth.md": "file",
        "src/auth/login.py": "file",
    }
    around = shop.verbs.graph_neighbours("login", depth=9)
    assert [(one.kind, one.source, one.target) for one in around.relations] == [
        ("Depends On", "login", "tokens"),
        ("Part Of", "login", "pack-auth"),
        ("Part Of", "rates", "pack-auth"),
        ("Part Of", "tokens", "pack-auth"),
    ]


@pytest.mark.requirement("S1-24")
def test_every_kind_of_question_is_answered(site):
    site.add(
        "Map",
        what="""\
- [[a]] — A — done — pack-1
- [[b]] — B — Planned — pack-1
- [[c]] — C — planned — pack-2
- [[d]] — D — planned — none

Depends On:
- [[a]] → [[b]]
- [[b]] → [[c]]
- [[c]] → [[b]]

References:
- [[docs/x.md]] → [[a]]
- [[docs/y.md]] → [[a]]
- [[docs/y.md]] → [[docs/x.md]]""",
    )
    verbs = site.verbs

    def ids(found):
        return [one.id for one in found]

    assert ids(verbs.graph_query(id="a")) == ["a"]
    assert ids(verbs.graph_query(kind="file")) == ["docs/x.md", "docs/y.md"]
    assert ids(verbs.graph_query(status="planned")) == ["b", "c", "d"]
    assert ids(verbs.graph_query(pack="pack-1")) == ["a", "b"]
    assert ids(verbs.graph_query(pack="pack-1", status="done")) == ["a"]
    assert ids(verbs.graph_query(references="a")) == ["docs/x.md", "docs/y.md"]
    assert ids(verbs.graph_depends("a")) == ["b", "c"]
    near = verbs.graph_neighbours("c").neighbours
    assert [one.entity.id for one in near] == ["b", "pack-2"]
    out = verbs.graph_neighbours("a", depth=2, relation="depends on", direction="out").neighbours
    assert [(one.entity.id, one.distance) for one in out] == [("b", 1), ("c", 2)]
    assert verbs.graph_path("docs/y.md", "c").path == ("docs/y.md", "a", "b", "c")
    assert verbs.graph_cycles() == (("b", "c"),)


@pytest.mark.requirement("S1-25", "S1-26", "S1-28", "S1-29", "S1-39")
def test_both_views_are_as_published_to_the_byte(shop):
    shop.verbs.rebuild()
    assert shop.read(GRAPH) == (GOLDEN / "graph.md").read_text(encoding="utf-8")
    assert shop.read(CONTEXT) == (GOLDEN / "context.md").read_text(encoding="utf-8")
    lines = shop.read(GRAPH).split("\n")
    assert [line for line in lines if line.startswith("#")] == SECTIONS
    assert "- [[login]] — Login form — complete — pack-auth" in lines
    assert "- [[src/auth/login.py]] — py — login, pack-auth" in lines
    assert "- [[login]] → [[tokens]]" in lines


@pytest.mark.requirement("S1-25")
def test_a_log_without_events_has_the_same_sections(site):
    lines = site.read(GRAPH).split("\n")
    assert [line for line in lines if line.startswith("#")] == SECTIONS
    assert skills(site) == edges(site) == []


@pytest.mark.requirement("S1-27")
def test_a_pack_shows_the_share_of_complete_members_and_their_number(site):
    members = [("a", "complete"), ("b", "Done"), ("c", "completed"), ("d", "open")]
    site.add("Pack", what="\n".join(f"- [[{n}]] — {n} — {s} — pack-x" for n, s in members))
    assert section(site, "Packs") == ["- [[pack-x]] — pack-x — 75% — 4"]
    site.add("Named", what="- [[pack-x]] — Ten — 10% — 99\n- [[notes.md]] → part of → [[pack-x]]")
    assert section(site, "Packs") == ["- [[pack-x]] — Ten — 10% — 99"]


@pytest.mark.requirement("S1-27")
def test_what_an_author_states_of_a_pack_holds_until_its_members_say_otherwise(site):
    def packs(title, what):
        site.add(title, what=what)
        lazily = section(site, "Packs")
        site.verbs.rebuild()
        assert section(site, "Packs") == lazily
        return [line.partition(" — ")[2] for line in lazily]

    assert packs("Begun", "- [[pack-x]] — X — 62.5% — 8 skills") == ["X — 62.5% — 8"]
    assert packs("One", "- [[a]] — A — done — pack-x") == ["X — 62.5% — 8"]
    assert packs("Share", "pack-x is now 70% complete.") == ["X — 70% — 8"]
    assert packs("Small", "- [[pack-x]] — X — 50% — 1") == ["X — 50% — 1"]
    assert packs("Two", "- [[b]] — B — open — pack-x") == ["X — 50% — 2"]
    assert packs("Blocked", "- [[b]] — B — blocked — pack-x") == ["X — 50% — 2"]
    assert packs("Own", "- [[pack-x]] — X — 90%") == ["X — 90% — 2"]
    assert packs("Same", "- [[b]] — B — open — pack-x") == ["X — 90% — 2"]
    assert packs("All", "- [[b]] — B — finished — pack-x") == ["X — 100% — 2"]
    assert packs("Unsure", "If pack-x is 10% done, wait. Is pack-x 20% done?") == ["X — 100% — 2"]


@pytest.mark.requirement("S1-28")
def test_a_file_is_related_to_what_is_named_with_it(site):
    site.add(
        "Related",
        what="The page of [[cart]] is in `src/page.py`.\n\n- [[tax]] is in `src/t.py`\n- [[price]]",
        files=("src/tax/rates.py", "notes.md"),
    )
    assert section(site, "Files") == [
        "- [[notes.md]] — md — cart",
        "- [[src/page.py]] — py — cart",
        "- [[src/t.py]] — py — tax",
        "- [[src/tax/rates.py]] — py — tax",
    ]


@pytest.mark.requirement("S1-30")
def test_relations_are_read_without_a_dash_and_in_sentences(site):
    site.add("Known", what="[[cart]] [[price]] [[skill-tax]] [[pack-shop]]")

    def check(row):
        what, relations = row
        before = edges(site)
        site.add("Said", what=what)
        assert [line for line in edges(site) if line not in before] == relations
        cuts = [line.replace("- ", "- ~~") + "~~" for line in edges(site) if line not in before]
        site.add("Unsaid", what="\n".join(cuts) or "Nothing.")
        assert edges(site) == before

    rows = (
        ("[[a]] → [[b]]", ["- [[a]] → [[b]]"]),
        ("Text before.\n[[a]] -> [[b]].\nText after.", ["- [[a]] → [[b]]"]),
        ("[[a]] — A — open — pack-q", ["- [[a]] → [[pack-q]]"]),
        ("[[cart]] depends on [[redis]].", ["- [[cart]] → [[redis]]"]),
        ("Cart uses the price skill.", ["- [[cart]] → [[price]]"]),
        ("We saw that cart now relies on tax.", ["- [[cart]] → [[skill-tax]]"]),
        ("skill-new requires skill-old", ["- [[skill-new]] → [[skill-old]]"]),
        (
            "The cart and [[price]] need [[db]] and tax; the\ncart is part of pack-shop.",
            [
                *("- [[cart]] → [[db]]", "- [[cart]] → [[skill-tax]]", "- [[price]] → [[db]]"),
                *("- [[price]] → [[skill-tax]]", "- [[cart]] → [[pack-shop]]"),
            ],
        ),
        ("[[notes.md]] documents [[cart]].", ["- [[notes.md]] → [[cart]]"]),
        (
            "Cart uses tax and [[notes.md]] references [[a.md]], and price is green.",
            ["- [[cart]] → [[skill-tax]]", "- [[notes.md]] → [[a.md]]"],
        ),
        ("Should cart use price? If cart uses price, wait.", []),
        ("Success depends on luck, and cart depends on luck.", []),
        ("Cart might need price; it would be wrong if cart uses tax.", []),
        ("`[[cart]] uses [[price]]` is how to write it.", []),
    )
    assert_each(rows, check)
    site.add("Yes", what="Cart uses price.")
    assert edges(site) == ["- [[cart]] → [[price]]"]
    site.add("No", what="Cart no longer uses price.")
    assert edges(site) == []


@pytest.mark.requirement("S1-27")
def test_what_counts_as_complete_can_be_set(site):
    site.add("Pack", what="- [[a]] — A — shipped — pack-x\n- [[b]] — B — done — pack-x")
    assert section(site, "Packs") == ["- [[pack-x]] — pack-x — 50% — 2"]
    site.settings('complete = ["Shipped", "done"]')
    assert site.verbs.graph_show().stale == "behind"
    assert section(site, "Packs") == ["- [[pack-x]] — pack-x — 100% — 2"]


@pytest.mark.requirement("S1-30")
def test_prose_adds_no_node_but_the_files_it_links(site):
    site.add(
        "Prose",
        what="The skill login depends on tokens, part of pack-auth → done. "
        "See [the form](src/form.py) and `docs/login.md`, not [a page](https://example.org/x.md).",
    )
    assert [one.id for one in site.verbs.graph_query()] == ["docs/login.md", "src/form.py"]
    assert edges(site) == []


@pytest.mark.full_size(sample=2)
@pytest.mark.requirement("S1-30")
@pytest.mark.parametrize(
    ("what", "nodes", "relations"),
    [
        pytest.param("a [[b]] c", {"b": "skill"}, [], id="mention"),
        pytest.param("[[pack-b]] [[x/y]] [[z.md]]", {"pack-b": "pack", "x/y": "file", "z.md": "file"}, [], id="kinds-by-name"),  # noqa: E501
        pytest.param("```\n- [[a]] → [[b]]\n```\n~~~\n[[c]]\n~~~", {}, [], id="fence"),
        pytest.param("<!-- [[a]] -->\nx <!-- [[b]] --> y", {}, [], id="comment"),
        pytest.param("the form `[[a]]` is code", {}, [], id="code"),
        pytest.param("> - [[a]] → [[b]]", {"a": "skill", "b": "skill"}, ["- [[a]] → [[b]]"], id="quoted"),  # noqa: E501
        pytest.param("a [[b]] → [[c]] in prose", {"b": "skill", "c": "skill"}, [], id="no-list-line"),  # noqa: E501
        pytest.param("- [[a]] — one remark", {"a": "skill"}, [], id="remark"),
        pytest.param("- ~~[[a]]~~", {}, [], id="struck-unknown"),
        pytest.param("we dropped ~~[[a]]~~ before", {}, [], id="struck-prose"),
    ],
)  # fmt: skip
def test_the_grammar_is_what_the_page_says(site, what, nodes, relations):
    site.add("Said", what=what)
    assert {one.id: one.kind for one in site.verbs.graph_query()} == nodes
    assert edges(site) == relations


@pytest.mark.full_size(sample=2)
@pytest.mark.requirement("S1-30")
@pytest.mark.parametrize(
    ("what", "kind"),
    [
        pytest.param("- [[a]] → [[b]]", "Depends On", id="skills"),
        pytest.param("- [[a]] → [[pack-b]]", "Part Of", id="to-a-pack"),
        pytest.param("- [[pack-a]] → [[pack-b]]", "Depends On", id="packs"),
        pytest.param("- [[a.md]] → [[b]]", "References", id="file"),
        pytest.param("#### References\n- [[a]] → [[b]]", "References", id="heading"),
        pytest.param("**Part Of:**\n\n- [[a]] → [[b]]", "Part Of", id="bold"),
        pytest.param("references:\n- [[a]] → [[b]]", "References", id="colon"),
        pytest.param("References\n- x\n- [[a]] → [[b]]", "References", id="nearest-above"),
        pytest.param("References\n#### More\n- [[a]] → [[b]]", "Depends On", id="heading-ends-it"),
        pytest.param("- [[a]] → documents → [[b]]", "References", id="on-the-line"),
    ],
)
def test_the_kind_of_a_relation(site, what, kind):
    site.add("Said", what=what)
    (name, *_) = site.verbs.graph_neighbours(what.partition("[[")[2].partition("]]")[0]).relations
    assert name.kind == kind


@pytest.mark.requirement("S1-31")
def test_the_fifth_event_or_a_milestone_draws_the_graph_anew(site):
    for number in range(1, 5):
        site.add(f"E{number}", what=f"[[s{number}]]")
        assert "[[s1]]" not in site.read(GRAPH)
    site.add("E5", what="[[s5]]")
    assert "[[s1]]" in site.read(GRAPH)
    assert "[[s5]]" in site.read(GRAPH)
    site.add("E6", what="[[s6]]")
    assert "[[s6]]" not in site.read(GRAPH)
    site.add("E7", what="[[s7]]", type="milestone")
    assert "[[s6]]" in site.read(GRAPH)


@pytest.mark.requirement("S1-31")
def test_the_batch_can_be_set(site):
    site.settings("batch = 2")
    site.add("E1", what="[[s1]]")
    assert "[[s1]]" not in site.read(GRAPH)
    site.add("E2")
    assert "[[s1]]" in site.read(GRAPH)


@pytest.mark.requirement("S1-54")
def test_scanning_the_events_since_gives_what_scanning_all_gives(shop):
    shop.verbs.rebuild()
    shop.at("2026-01-08T09:00:00Z")
    shop.add("More", what="- [[tokens]] — Tokens — done — pack-2\n- [[login]] → [[audit]]")
    shop.add("Less", what="- ~~[[rates]]~~\n- [[audit]] → [[pack-2]]")
    shop.verbs.boot()  # goes on from the file
    since = shop.read(GRAPH)
    shop.verbs.rebuild()  # reads every event
    assert shop.read(GRAPH) == since
    assert "- [[pack-2]] — pack-2 — 50% — 2" in since


@pytest.mark.requirement("S1-55", "S1-96")
def test_the_later_event_decides_a_status(site):
    site.add("First", what="- [[a]] — A — planned — none")
    site.add("Second", what="- [[a]] — A — done — none")
    assert skills(site) == ["- [[a]] — A — done — none"]
    log = site.read(LOG)
    assert log.index("A — planned") < log.index("A — done")  # both stay


@pytest.mark.requirement("S1-56")
def test_a_relation_of_a_later_event_is_added(site):
    site.add("First", what="- [[a]] → [[b]]")
    assert edges(site) == ["- [[a]] → [[b]]"]
    site.add("Second", what="- [[a]] → [[c]]")
    assert edges(site) == ["- [[a]] → [[b]]", "- [[a]] → [[c]]"]


@pytest.mark.requirement("S1-57")
def test_a_relation_that_a_later_event_takes_back_is_gone(site):
    site.add("First", what="- [[a]] → [[b]]\n- [[a]] → [[pack-x]]\n- [[b.md]] → [[a]]")
    site.add("Second", what="- ~~[[a]] → [[b]]~~")
    assert edges(site) == ["- [[a]] → [[pack-x]]", "- [[b.md]] → [[a]]"]
    site.add("Third", what="- ~~[[a]]~~")
    assert edges(site) == []
    assert [one.id for one in site.verbs.graph_query()] == ["b", "pack-x", "b.md"]


@pytest.mark.requirement("S1-57")
def test_a_skill_has_the_pack_that_was_said_last(site):
    site.add("First", what="- [[a]] — A — done — pack-1")
    site.add("Second", what="- [[a]] → [[pack-2]]")
    assert skills(site) == ["- [[a]] — A — done — pack-2"]
    assert section(site, "Packs") == [
        "- [[pack-1]] — pack-1 — 0% — 0",
        "- [[pack-2]] — pack-2 — 100% — 1",
    ]
    assert edges(site) == ["- [[a]] → [[pack-2]]"]
    site.add("Third", what="- [[a]] — A — done — none")
    assert edges(site) == []
