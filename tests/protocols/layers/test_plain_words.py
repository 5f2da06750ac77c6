"""Statuses, packs and relations that an event states in plain words reach the graph."""

from __future__ import annotations

import pytest

from tests.protocols.layers.conftest import GRAPH
from tests.tables import assert_each

BEGUN = "- [[x]] — Ex — active — cloth-pack\n- [[y]] — Why — planned — none"

STATED = (
    ("[[x]] is done.", "done"),
    ("Status of [[x]]: blocked.", "blocked"),
    ("[[x]]: done", "done"),
    ("- [[x]] status: in review", "in review"),
    ("- [[x]] — done", "done"),
    ("- [[x]] — Ex — done", "done"),
    ("The work went well, and [[x]] is now marked as done.", "done"),
    ("[[x]] became stable", "stable"),
    ("Deprecated [[x]]", "deprecated"),
    ("We have finished [[x]] and [[y]].", "finished"),
    ("Set the status of [[x]] to on hold.", "on hold"),
    ("The status of [[x]] changed from active to paused.", "paused"),
    ("[[x]] moved from active to in review.", "in review"),
    ("[[x]] is blocked by [[y]].", "blocked"),
    ("[[x]] is not done yet.", "not done"),
    ("[[x]] is no longer blocked.", "not blocked"),
    ("The skill x is complete.", "complete"),
    ("[[x]] is 60% complete.", "60%"),
    ("Reopened [[x]]: the tests fail.", "reopened"),
    ("Released [[x]] to all wards.", "released"),
    ("We deployed [[x]] on Monday.", "deployed"),
    ("In May, [[x]] was released.", "released"),
    ("[[x]] was finished on Monday.", "finished"),
    ("We completed [[x]] last week.", "completed"),
    ("[[x]] was approved by the committee in May.", "approved"),
    ("[[x]] was closed on 2026-01-04.", "closed"),
    ("[[x]] was merged at 17:30.", "merged"),
    ("[[x]] has been cancelled two days ago.", "cancelled"),
    ("- [x] [[x]]", "done"),
    ("Status: [[x]] blocked", "blocked"),
    ("**Status:** [[x]] in review.", "in review"),
    ("[[x]] has been shipped to the first shop.", "shipped"),
)
UNSTATED = (
    "[[x]] is done by hand.",
    "[[x]] will be done.",
    "[[x]] is almost done.",
    "If [[x]] is done, [[y]] begins.",
    "When [[x]] is done, [[y]] begins.",
    "We hope that [[x]] is done.",
    "[[x]] should be marked as done.",
    "Is [[x]] done?",
    "[[x]] was blocked for two days.",
    "[[x]] is blocked by nothing now.",
    "[[x]] is waiting for nobody.",
    "Completed [[x]] tests.",
    "We may have released [[x]] to the wards.",
    "Released [[x]] notes to all wards.",
    "Finish [[x]].",
    "- [[x]] — one remark",
    "The status of [[x]] is shown on the page.",
    "[[x]] can be removed.",
    "`[[x]] is done` is how to write it.",
    "x is done.",
    "- [ ] [[x]]",
    "- [x] Test [[x]]",
    "[[x]] is tested by [[y]].",
    "[[x]] was tested by [[y]].",
    "[[x]] was approved by nobody.",
    "Dropped [[x]] in the second column.",
    "Removed [[x]] in 2 files.",
    "We will have finished [[x]] on Monday.",
)


def status(site, name):
    """Return the status of a skill, as a query gives it."""
    [one] = site.verbs.graph_query(id=name)
    return one.status


@pytest.mark.requirement("S1-55")
def test_a_status_in_plain_words_reaches_the_graph(site):
    def check(row):
        words, expected = row
        site.add("Begun", what=BEGUN)
        site.add("Said", what=words)
        [one] = site.verbs.graph_query(id="x")
        assert (one.status, one.name, one.pack) == (expected, "Ex", "cloth-pack")

    assert_each(STATED, check)
    site.verbs.rebuild()
    assert "- [[x]] — Ex — shipped — cloth-pack" in site.read(GRAPH)
    assert site.rules() == []


@pytest.mark.requirement("S1-30")
def test_plans_doubts_and_other_prose_change_no_status(site):
    site.add("Begun", what=BEGUN)

    def check(words):
        site.add("Said", what=words)
        assert (status(site, "x"), status(site, "y")) == ("active", "planned")

    assert_each(UNSTATED, check)


@pytest.mark.requirement("S1-55", "S1-69")
def test_statuses_of_newer_events_give_the_same_graph_as_reading_all(site):
    site.add("Begun", what=BEGUN, type="milestone")
    site.add("Said", what="[[x]] is done, and [[y]] is blocked until Monday.")
    site.verbs.boot()
    since = site.read(GRAPH)
    site.verbs.rebuild()
    assert site.read(GRAPH) == since
    assert (status(site, "x"), status(site, "y")) == ("done", "blocked")


REMOVED = (
    "Removed [[x]].",
    "[[x]] was deleted.",
    "[[x]] no longer exists.",
    "Deleted the skill [[x]].",
    "We removed the [[x]] skill on Friday.",
    "Deleted [[x]] from the repo.",
    "The module [[x]] was removed from our code base last week.",
)


@pytest.mark.requirement("S1-57")
@pytest.mark.parametrize(
    "words",
    [
        "Renamed [[x]] to [[z]].",
        "The skill [[x]] was renamed to [[z]].",
        "We renamed the [[x]] skill as [[z]], because the old name misled.",
    ],
)
def test_what_was_renamed_keeps_its_state_and_relations(site, words):
    site.add("Begun", what=BEGUN + "\n- [[y]] → [[x]]\n- [[x]] → [[w]]")
    site.add("Said", what=words)

    found = {one.id: one for one in site.verbs.graph_query(kind="skill")}

    assert "x" not in found
    assert (found["z"].name, found["z"].status, found["z"].pack) == ("Ex", "active", "cloth-pack")
    assert ("Depends On", "y", "z") in relations(site)
    assert ("Depends On", "z", "w") in relations(site)
    since = site.read(GRAPH)
    site.verbs.rebuild()
    assert "[[x]]" not in site.read(GRAPH)
    assert since.count("[[z]]") <= site.read(GRAPH).count("[[z]]")
    assert site.rules() == []


@pytest.mark.requirement("S1-57")
def test_a_renamed_pack_keeps_its_members_and_a_plan_renames_nothing(site):
    site.add("Begun", what=BEGUN)
    site.add("Planned", what="We plan to see [[x]] renamed. If [[x]] is renamed to [[q]], tell us.")
    assert site.verbs.graph_query(id="x")[0].status == "active"
    site.add("Said", what="Renamed the pack [[cloth-pack]] to [[wool-pack]].")
    assert site.verbs.graph_query(id="x")[0].pack == "wool-pack"
    assert [one.id for one in site.verbs.graph_query(kind="pack")] == ["wool-pack"]


@pytest.mark.requirement("S1-57")
def test_what_was_removed_in_plain_words_is_gone_with_its_relations(site):
    def check(words):
        site.add("Begun", what=BEGUN + "\n- [[y]] → [[x]]")
        site.add("Said", what=words, why="Nobody used [[x]].")
        assert [one.id for one in site.verbs.graph_query(kind="skill")] == ["y"]
        assert site.verbs.graph_neighbours("y").relations == ()

    assert_each(REMOVED, check)
    site.add("Moved out", what=BEGUN + "\n\nRemoved [[x]] from the pack [[cloth-pack]].")
    assert site.verbs.graph_query(id="x")[0].pack is None


RELATIONS = (
    ("Added the skill [[a]] to the pack [[p-pack]].", [("Part Of", "a", "p-pack")]),
    ("Moved [[a]] into the [[p]] pack.", [("Part Of", "a", "p")]),
    (
        "The pack [[p]] contains [[a]] and [[b]].",
        [("Part Of", "a", "p"), ("Part Of", "b", "p")],
    ),
    (
        "[[z]] belongs to [[p]] and requires [[a]].",
        [("Depends On", "z", "a"), ("Part Of", "z", "p")],
    ),
    (
        "[[z]] requires [[a]] and belongs to [[p]].",
        [("Depends On", "z", "a"), ("Part Of", "z", "p")],
    ),
    ("[[z]] is done and needs [[a]].", [("Depends On", "z", "a")]),
    ("[[z]] is done. It needs [[a]].", [("Depends On", "z", "a")]),
    ("[[z]] is active; it belongs to the pack [[p]].", [("Part Of", "z", "p")]),
    ("[[z]] and [[y]] are done. It needs [[a]].", []),
    ("[[z]] is done. Nobody cared. It needs [[a]].", []),
    (
        "The pack [[o]] holds [[a]]. Moved [[a]] out of [[o]] into the pack [[p]].",
        [("Part Of", "a", "p")],
    ),
    ("Depends On: [[a]] → [[b]]", [("Depends On", "a", "b")]),
    ("- **References:** [[a]] → [[b]]", [("References", "a", "b")]),
    ("Part Of: [[a]] → [[p]]", [("Part Of", "a", "p")]),
    ("- [[a]] → [[b]] → [[c]]", [("Depends On", "a", "b"), ("Depends On", "b", "c")]),
    ("### Part Of\n- [[felting]] → [[wool-pack]]", [("Part Of", "felting", "wool-pack")]),
    ("### References\n[[a]] → [[b]]\n### Depends On\n[[b]] → [[a]]",
     [("Depends On", "b", "a"), ("References", "a", "b")]),
    ("Added [[a]] to [[b]].", []),
    ("We might add [[a]] to the pack [[p]].", []),
)  # fmt: skip


def relations(site):
    """Return all relations, as the neighbours of every entity give them."""
    found = {
        (edge.kind, edge.source, edge.target)
        for one in site.verbs.graph_query()
        for edge in site.verbs.graph_neighbours(one.id).relations
    }
    return sorted(found)


@pytest.mark.requirement("S1-30", "S1-56")
def test_relations_in_plain_words_and_below_published_headings_reach_the_graph(site):
    def check(row):
        words, expected = row
        site.add("Said", what=words)
        assert relations(site) == expected
        packs = {target for kind, _, target in expected if kind == "Part Of"}
        assert packs <= {one.id for one in site.verbs.graph_query(kind="pack")}
        gone = "\n".join(f"- ~~[[{one.id}]]~~" for one in site.verbs.graph_query())
        site.add("Unsaid", what=gone or "Nothing.")

    assert_each(RELATIONS, check)


LINKED = (
    ("`src/a.py` depends on `src/b.py`.", ("Depends On", "src/a.py", "src/b.py")),
    ("- `src/a.py` → `src/b.py`", ("References", "src/a.py", "src/b.py")),
    ("Depends On: [a](src/a.py) -> [b](src/b.py)", ("Depends On", "src/a.py", "src/b.py")),
    ("[[x]] now references [the notes](docs/notes.md).", ("References", "x", "docs/notes.md")),
    ("[new](docs/b.md) replaces [old](docs/a.md).", ("References", "docs/b.md", "docs/a.md")),
    ("The runner `bin/run.sh` no longer works, so [[x]] needs `bin/go.sh`.",
     ("Depends On", "x", "bin/go.sh")),
    ("[[x]] requires [the makefile](Makefile).", ("Depends On", "x", "Makefile")),
    ("`lib/core.rs` belongs to [[pack-cloth]].", ("Part Of", "lib/core.rs", "pack-cloth")),
    ("[[pack-cloth]] contains `lib/core.rs`.", ("Part Of", "lib/core.rs", "pack-cloth")),
)  # fmt: skip
UNLINKED = (
    "`npm install` depends on `src/a.py`.",
    "`[a](src/a.py) depends on [b](src/b.py)` is how to write it.",
    "[site](https://x.org/a.md) references `src/a.py`.",
    "`src/a.py` might depend on `src/b.py`.",
    "Does `src/a.py` depend on `src/b.py`?",
    "We moved `src/a.py` beside `src/b.py`.",
)


@pytest.mark.requirement("S1-30")
def test_a_path_in_backticks_or_a_link_is_an_end_of_a_relation(site):
    def check(row):
        words, expected = row
        site.add("Said", what=words)
        assert relations(site) == expected
        gone = "\n".join(f"- ~~[[{one.id}]]~~" for one in site.verbs.graph_query())
        site.add("Unsaid", what=gone or "Nothing.")

    assert_each([(words, [end]) for words, end in LINKED], check)
    assert_each([(words, []) for words in UNLINKED], check)


def test_links_and_paths_state_only_relations_and_name_files(site):
    site.add("Begin", what=BEGUN)
    site.add("Said", what="`src/a.py` is done. Removed [b](src/b.py). [[x]] needs [m](Makefile).")
    assert {"src/a.py", "src/b.py", "Makefile"} <= {
        one.id for one in site.verbs.graph_query(kind="file")
    }
    site.add("Over", what="[[x]] no longer needs [m](Makefile).")
    assert site.verbs.graph_neighbours("Makefile").relations == ()


@pytest.mark.requirement("S1-27")
def test_what_a_sentence_says_of_a_pack_is_its_completion_and_count(site):
    site.add("Pack", what="The pack [[p]] is 60% complete with 3 skills.")
    [pack] = site.verbs.graph_query(id="p")
    assert (pack.kind, pack.completion, pack.count) == ("pack", 60, 3)


@pytest.mark.requirement("S1-26")
def test_none_in_any_case_is_no_pack(site):
    site.add("Skill", what="- [[a]] — A — done — None")
    assert site.verbs.graph_query(kind="pack") == ()
    assert "- [[a]] — A — done — none" in site.verbs.graph_show().text


@pytest.mark.requirement("S1-30")
def test_a_hand_edit_of_the_graph_is_offered_with_the_heading_of_its_relation(site):
    site.add("One", what="[[a]] [[b]]", type="milestone")
    site.edit(GRAPH, "### References\n", "### References\n- [[a]] → [[b]]\n")
    [draft] = site.verbs.rebuild().drafts
    site.verbs.append_text(draft)
    assert relations(site) == [("References", "a", "b")]
