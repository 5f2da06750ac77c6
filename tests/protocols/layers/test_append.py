"""An event goes into the file whole, keeps the order, and is recorded once, whatever happens."""

from __future__ import annotations

import json
import os
import subprocess
import sys

import pytest

from tests.places import local_of
from tests.protocols.layers.conftest import GRAPH, LOG, block
from tests.tables import each_row
from varves.errors import Damaged, Refused, UsageError

DYING = """
import os, sys
import varves
from tests.places import local_of
ready, written = [], []
def die(name, args):
    if not ready or name not in ("open", "fcntl.flock", "os.rename"):
        return
    if written:  # the next thing it does is to sync the folder, then to take the lock of the log
        os._exit(9)
    if name == "os.rename" and str(args[1]).endswith("CHANGELOG.md"):
        written.append(True)
        if sys.argv[2] == "before":
            os._exit(9)
sys.addaudithook(die)
with varves.open(sys.argv[1], session="s1", actor="ada") as ledger:
    layers = ledger.layers
    layers.append(type="change", scope="file", title="First", what="w", why="y")
    ready.append(True)
    layers.append(type="change", scope="file", title="Second", what="w", why="y", next="- z")
"""


def die(site, when):
    """Let a process die in its second append: before or after it writes to the file."""
    site.close()
    done = subprocess.run(
        [sys.executable, "-c", DYING, str(site.root), when],
        env=os.environ,
        capture_output=True,
        check=False,
    )
    assert done.returncode == 9, done.stderr


def titles(site):
    return [one.data["title"] for one in site.events("log.entry")]


@pytest.mark.requirement("S1-22", "S1-32")
def test_after_an_append_a_query_has_a_fresh_answer(site):
    site.verbs.boot()
    stored = site.hashes(GRAPH)
    site.add("One", what="- [[skill-a]] — A — draft — none")
    assert site.hashes(GRAPH) == stored
    [entity] = site.verbs.graph_query(id="skill-a")
    assert entity.status == "draft"
    assert any("stale (behind)" in note for note in site.notes)
    assert site.hashes(GRAPH) == stored
    assert site.verbs.graph_rebuild().regenerated == (GRAPH,)
    site.verbs.graph_query(id="skill-a")
    assert site.notes == []


@pytest.mark.full_size(sample=1)
@pytest.mark.requirement("S1-32")
@pytest.mark.parametrize("state", ["behind", "missing", "edited", "ahead"])
def test_a_query_never_trusts_a_graph_that_is_not_the_logs(site, state):
    site.add("One", what="- [[skill-a]] — A — done — none")
    first = site.read(LOG)
    site.verbs.boot()
    if state == "behind":
        site.add("Two", what="- [[skill-b]] — B — done — none")
    elif state == "missing":
        (site.root / GRAPH).unlink()
    elif state == "edited":
        site.edit(GRAPH, "— A — done", "— A — lost")
    else:
        site.add("Two", what="- [[skill-b]] — B — done — none")
        site.verbs.boot()
        site.write(LOG, first)
    found = {one.id: one.status for one in site.verbs.graph_query()}
    wanted = {"skill-a": "done"} | ({"skill-b": "done"} if state == "behind" else {})
    assert found == wanted
    assert any(f"stale ({state})" in note for note in site.notes)


def test_the_fifth_event_makes_the_graph_again_and_so_does_a_milestone(site):
    site.verbs.boot()
    rebuilt = [
        site.verbs.append(
            type="change", scope="project", title=str(n), what=f"[[skill-{n}]]", why="y"
        ).graph_rebuilt
        for n in range(7)
    ]
    assert rebuilt == [False, False, False, False, True, False, False]
    done = site.verbs.append(type="milestone", scope="project", title="M", what="w", why="y")
    assert done.graph_rebuilt
    assert "[[skill-6]]" in site.read(GRAPH)


def test_the_batch_can_be_set(site):
    site.settings("batch = 2")
    site.verbs.boot()
    assert [site.add("One"), site.add("Two")]
    assert "2 events" in site.read(GRAPH)


@pytest.mark.full_size(sample=1)
@pytest.mark.parametrize(
    ("at", "stamp", "said"),
    [
        (None, "2026-01-05 09:00", ""),
        ("2026-01-05 08:30", "2026-01-05 08:30", ""),
        ("2026-01-05T08:30:00Z", "2026-01-05 08:30", ""),
        ("2026-01-05T09:30:00+01:00", "2026-01-05 08:30", ""),
        ("2026-01-05 07:00", "2026-01-05 09:00", "before the last event"),
        ("2026-01-05 10:00", "2026-01-05 09:00", "ahead of the clock"),
    ],
)
def test_the_time_keeps_the_order(site, at, stamp, said):
    site.write(LOG, site.read(LOG) + "\n" + block("2026-01-05 08:00", "Before"))
    done = site.verbs.append(type="change", scope="project", title="T", what="w", why="y", at=at)
    assert done.stamped == (stamp,)
    assert f"## {stamp} — T\n" in site.read(LOG)
    assert bool(said) == bool(site.notes)
    assert said in "".join(site.notes)


def test_a_clock_behind_the_last_event_does_not_break_the_order(site):
    site.add("One")
    site.at("2026-01-05T08:00:00Z")
    done = site.verbs.append(type="change", scope="project", title="Two", what="w", why="y")
    assert done.stamped == ("2026-01-05 09:00",)
    assert "later than now (2026-01-05 08:00)" in site.notes[0]


def test_headings_are_written_in_the_zone_that_is_set(site):
    site.add("One")
    site.settings('zone = "+02:00"')
    site.add("Two")
    assert "## 2026-01-05 09:00 — One\n" in site.read(LOG)
    assert "## 2026-01-05 11:00 — Two\n" in site.read(LOG)
    assert site.events("log.entry")[1].data["at"] == "2026-01-05T09:00:00.000Z"
    site.settings("")
    site.add("Three")
    assert site.found("S1-80") == []
    assert site.found("S1-81") == []
    site.settings('zone = "Nowhere/At-all"')
    with pytest.raises(Damaged) as refused:
        site.add("Four")
    assert "zone" in refused.value.message


@each_row(
    ("wrong", "exit"),
    [
        ({"why": ""}, 3),
        ({"title": ""}, 3),
        ({"what": ""}, 3),
        ({"type": "note"}, 3),
        ({"scope": "galaxy"}, 3),
        ({"at": "yesterday"}, 2),
        ({"files": "one.py"}, 2),
        ({"colour": "red"}, 2),
    ],
)
def test_an_event_that_breaks_a_rule_leaves_nothing(site, wrong, exit):
    before = site.hashes()
    with pytest.raises((Refused, UsageError)) as refused:
        site.verbs.append(
            **{"type": "change", "scope": "file", "title": "T", "what": "w", "why": "y"} | wrong
        )
    assert refused.value.exit == exit
    assert refused.value.hint
    assert site.hashes() == before
    assert site.events("log.entry") == []


def test_two_units_in_one_text_are_two_events(site):
    text = block("2026-01-05 08:00", "One") + "\n## Two\n" + block("x", "x").partition("\n")[2]
    done = site.verbs.append_text(text)
    assert done.stamped == ("2026-01-05 08:00", "2026-01-05 09:00")
    assert titles(site) == ["One", "Two"]


def test_an_event_goes_before_the_footer(site):
    site.add("One")
    site.write(LOG, site.read(LOG) + "\n---\n\n*Append-only*\n")
    site.add("Two")
    assert site.read(LOG).endswith("- Look at Two\n\n---\n\n*Append-only*\n")
    assert site.verbs.boot().findings == ()
    assert titles(site) == ["One", "Two"]


def test_an_event_that_stood_in_the_file_before_the_crash_is_recorded_under_its_id(site):
    die(site, "after")
    assert site.read(LOG).count("## 2") == 2
    [note] = local_of(site.root).glob("notes/layers/pending.json")
    noted = json.loads(note.read_text(encoding="utf-8"))
    assert site.verbs.boot().findings == ()
    assert titles(site) == ["First", "Second"]
    event = site.events("log.entry")[1]
    assert (event.id, event.actor, event.session) == (noted["event"], "ada", "s1")
    assert not note.exists()
    site.verbs.boot()
    assert titles(site) == ["First", "Second"]


def test_an_event_that_did_not_reach_the_file_did_not_happen(site):
    die(site, "before")
    assert site.read(LOG).count("## 2") == 1
    assert site.verbs.boot().findings == ()
    assert titles(site) == ["First"]


@pytest.mark.full_size(sample=1)
@pytest.mark.requirement("S1-68")
@pytest.mark.parametrize("end", ["**Ty", "**Scope:** pro", "### Wh", "Because", "### Impa"])
def test_an_event_that_another_program_cut_short_is_set_aside(site, end):
    site.add("First")
    whole = site.read(LOG)
    text = block("2026-01-05 09:00", "Second")
    piece = text[: text.index(end) + len(end)]
    site.write(LOG, f"{whole}\n{piece}")
    booted = site.verbs.boot()
    assert "not written completely" in booted.findings[0]
    assert site.read(LOG).rstrip() == whole.rstrip()
    assert titles(site) == ["First"]
    [kept] = (local_of(site.root) / "aside").iterdir()
    assert kept.read_text(encoding="utf-8").strip() == piece
    site.add("Third")
    assert titles(site) == ["First", "Third"]


def test_a_cut_event_is_known_by_its_form_where_the_note_is_lost(site):
    site.add("One")
    whole = site.read(LOG)
    site.write(LOG, whole + "\n" + block("2026-01-05 09:00", "Two").partition("### Impact")[0][:-1])
    site.write(LOG, site.read(LOG).rstrip("\n"))
    before = site.read(LOG)
    assert next(one[1] for one in site.rules() if one[0] == "error") == "S1-68"
    assert site.read(LOG) == before
    site.add("Three")
    assert titles(site) == ["One", "Three"]
    assert "Two" not in site.read(LOG)


def test_the_last_event_of_a_log_that_is_seen_first_is_not_taken_for_a_cut_one(site):
    text = "# Log\n\n## 2026-01-05 08:00 — Old\n\n**Type:** change\n\n### What\nIt was."
    site.write(LOG, text)
    assert len(site.verbs.boot().adopted) == 1
    assert site.read(LOG) == text


@pytest.mark.requirement("S1-69")
def test_after_every_verb_the_views_fit_the_log_or_are_called_stale(site):
    verbs = [
        site.verbs.boot,
        lambda: site.add("One", what="- [[skill-a]] → [[skill-b]]"),
        site.verbs.graph_query,
        site.verbs.graph_rebuild,
        site.verbs.context,
        lambda: site.add("Two", type="milestone"),
        site.verbs.rebuild,
        lambda: site.write(LOG, site.read(LOG) + "\n" + block("2026-01-05 09:00", "By hand")),
        lambda: site.verbs.find("One"),
        site.verbs.boot,
    ]
    for verb in verbs:
        verb()
        found = site.verbs.validate()
        stale = {one.place for one in found if one.rule in ("S1-22", "S1-89")}
        wrong = [one for one in found if one.level == "error" and one.rule != "S1-89"]
        assert wrong == []
        for path in (".memory/graph.md", ".memory/context.md"):
            view = site.read(path)
            shown = site.verbs.graph_show() if path == GRAPH else site.verbs.context(write=False)
            assert (view == shown.text) == (path not in stale)


@each_row("part", ["title", "what", "why", "impact", "next"])
def test_an_event_with_a_nul_is_refused_since_git_would_take_the_log_for_no_text(site, part):
    before = site.hashes()
    with pytest.raises(Refused) as refused:
        site.add(**{"title": "One", part: "a\0b"})
    assert "NUL" in refused.value.message
    assert site.hashes() == before


@pytest.mark.parametrize(
    "ask",
    [
        lambda verbs: verbs.find(None),
        lambda verbs: verbs.graph_neighbours("a", depth="far"),
        lambda verbs: verbs.append(
            type="change", scope="file", title="t", what="w", why="y", files=5
        ),
    ],
    ids=["find", "depth", "files"],
)
def test_what_is_of_another_kind_is_a_mistake_of_usage(site, ask):
    with pytest.raises(UsageError):
        ask(site.verbs)


CUT = {
    "old": lambda before, after: before,
    "empty": lambda before, after: b"",
    "zeros": lambda before, after: bytes(len(after)),
    "half": lambda before, after: after[: len(after) // 2],
    "gone": lambda before, after: None,
}


@pytest.mark.requirement("S1-71")
@pytest.mark.parametrize("cut", CUT)
@pytest.mark.parametrize("count", [1, 3])
def test_what_an_append_does_not_sync_may_be_lost_in_a_power_cut(site, cut, count):
    """The log and the ledger's log are synced; views and notes are not, and nothing needs them."""
    site.again(session="s1", actor="ada").boot()
    site.add("First")
    kept = {*site.root.glob(".memory/*.md"), *local_of(site.root).glob("notes/layers/*.json")}
    before = {place: place.read_bytes() for place in kept}
    text = "\n".join(block("2026-01-05 09:00", f"Event {number}") for number in range(count))
    names = site.verbs.append_text(text).ids
    log = site.read(LOG)
    site.close()
    kept |= {*local_of(site.root).glob("notes/layers/*.json")}
    for place in sorted(kept):
        after = place.read_bytes() if place.exists() else b""
        left = CUT[cut](before.get(place), after)
        if left is None:
            place.unlink(missing_ok=True)
        else:
            place.write_bytes(left)
        booted = site.again(session="s1", actor="ada").boot()
        assert site.read(LOG) == log
        assert [one.data["memory"] for one in site.events("log.entry")][1:] == [*names]
        assert [one for one in booted.findings if cut != "half"] == [], place
        assert not [one for one in site.verbs.validate() if one.level == "error"]
        site.close()


@pytest.mark.requirement("S1-17", "S1-68")
def test_events_given_together_are_written_at_once_in_their_order(site):
    site.write(LOG, "# Log\n\n<!-- varves: newest first -->\n")
    text = "\n".join(block("2026-01-05 09:00", name) for name in ("One", "Two", "Two", "Three"))
    ids = site.verbs.append_text(text).ids
    assert len({*ids}) == 4
    found = [line for line in site.read(LOG).split("\n") if line.startswith("## ")]
    assert [line[22:] for line in found] == ["Three", "Two", "Two", "One"]
    assert [one.data["memory"] for one in site.events("log.entry")] == [*ids]
    assert site.verbs.boot().findings == ()
    assert [one for one in site.rules() if one[0] == "error"] == []
