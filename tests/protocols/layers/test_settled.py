"""A note saves the look at a whole log, and changes nothing: with it and without, all is the same.

Two projects live through the same story. In one the note is taken away before every step.
"""

from __future__ import annotations

from random import Random
from shutil import rmtree
from typing import TYPE_CHECKING, Any

import pytest

from tests.figures import full_size
from tests.places import local_of
from tests.protocols.layers.conftest import CONTEXT, GRAPH, LOG, RULES, Site, block
from varves.errors import VarvesError

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

NOTE = "notes/layers/settled.json"
STEPS = 40
KINDS = ("log.entry", "log.altered", "log.amended", "log.archived", "memory.restored")


def by_hand(site: Site, draw: Random) -> None:
    site.write(LOG, site.read(LOG) + "\n" + block("2026-01-06 10:00", f"By hand {draw.random()}"))


def altered(site: Site, draw: Random) -> None:
    site.write(LOG, site.read(LOG).replace("asked", draw.choice(("wished", "called")), 1))


def taken_out(site: Site, draw: Random) -> None:
    head, *events = site.read(LOG).split("\n## 2026")
    if len(events) > 2:
        del events[draw.randrange(len(events))]
    site.write(LOG, "\n## 2026".join((head, *events)))


def dressed(site: Site, draw: Random) -> None:
    """Give the file what makes it another to add to."""
    text = site.read(LOG).replace("\r\n", "\n")
    kind = draw.choice(("footer", "windows", "fence", "plain"))
    if kind == "footer":
        text += "\n---\n\nWritten by all of us.\n"
    elif kind == "fence":
        text += "\n```\nopen\n"
    elif kind == "windows":
        text = text.replace("\n", "\r\n")
    else:
        text = text.replace("\n```\nopen\n", "").replace("\n---\n\nWritten by all of us.\n", "")
    site.write(LOG, text)


def spoiled(site: Site, draw: Random) -> None:
    path = draw.choice((GRAPH, CONTEXT))
    if (site.root / path).exists():
        site.write(path, site.read(path) + draw.choice(("- [[by-hand]] — X — done — none\n", "")))


def archived(site: Site, _: Random) -> None:
    head, *events = site.read(LOG).split("\n## 2026")
    if len(events) > 2:
        site.write("CHANGELOG-archive.md", f"# Archive\n\n## 2026{events[0]}\n")
        site.write(LOG, "\n## 2026".join((head, *events[1:])))


def appended(site: Site, draw: Random) -> Any:
    title = draw.choice(("same", f"event {draw.random()}", "[[skill-a]] moves"))
    try:
        done = site.verbs.append(
            type=draw.choice(("change", "change", "milestone")),
            scope="project",
            title=title,
            what=f"- [[skill-{draw.randrange(9)}]] → [[skill-{draw.randrange(9)}]]",
            why="It was asked for.",
            next="- Rest",
        )
    except VarvesError as fault:
        return repr(fault)
    return done.ids, done.stamped, done.graph_rebuilt


def booted(site: Site, _: Random) -> Any:
    found = site.verbs.boot()
    return found.as_dict()


def asked(site: Site, _: Random) -> Any:
    return [one.as_dict() for one in site.verbs.graph_query(kind="skill")]


def resolved(site: Site, draw: Random) -> Any:
    try:
        return site.verbs.resolve(accept=draw.random() < 0.5).ids
    except VarvesError as fault:
        return repr(fault)


def purged(site: Site, draw: Random) -> None:
    names = [one.id for one in site.ledger.list(status="active") if one.protocol == "layers"]
    if names:
        site.ledger.purge(draw.choice(names), reason="a secret")


def committed(site: Site, _: Random) -> None:
    site.commit()


def went_back(site: Site, _: Random) -> None:
    site.git("checkout", "--quiet", "HEAD", "--", LOG, check=False)


USUAL: tuple[Callable[[Site, Random], Any], ...] = (appended,) * 12 + (booted,) * 5 + (asked,) * 2
RARE = (by_hand, altered, taken_out, dressed, spoiled, archived, resolved, purged, committed)
RARE = (*RARE, went_back)


@pytest.fixture
def pair(tmp_path: Path, home: Path) -> Iterator[tuple[Site, Site]]:
    sites = []
    for name in ("noted", "bare"):
        (tmp_path / name).mkdir()
        site = Site(tmp_path / name)
        site.write("AGENTS.md", RULES)
        site.git("init", "-q", "-b", "main")
        site.verbs.init()
        sites.append(site)
    yield sites[0], sites[1]
    for site in sites:
        site.close()


def told(site: Site) -> Any:
    """Return all that a project shows: its files, and what its log says."""
    files = {path: (site.root / path).exists() and site.read(path) for path in (LOG, GRAPH)}
    said = [
        {key: value for key, value in event.data.items() if key != "event"}
        for kind in KINDS
        for event in site.events(kind)
    ]
    return files, said


@pytest.mark.parametrize("seed", range(3 if full_size() else 1))
def test_a_project_is_the_same_with_the_note_and_without(pair, seed):
    noted, bare = pair
    used = 0
    for step in range(STEPS):
        choice = Random(f"{seed} {step}")
        act = choice.choice((*USUAL, *RARE))
        moment = f"2026-01-07T{step // 60:02}:{step % 60 // 3:02}:00Z"
        (local_of(bare.root) / NOTE).unlink(missing_ok=True)
        used += (local_of(noted.root) / NOTE).exists()
        answers = []
        for site in (noted, bare):
            site.at(moment)
            answers.append(act(site, Random(f"{seed} {step} x")))
        assert answers[0] == answers[1], (step, act.__name__)
        assert told(noted) == told(bare), (step, act.__name__)
    assert used


@pytest.fixture
def calm(site: Site) -> Site:
    """Give a project with three events, of which everything is known and shown."""
    for number in range(3):
        site.at(f"2026-01-05T1{number}:00:00Z")
        site.add(f"Event {number}", what=f"- [[a{number}]] → [[b]]")
    site.verbs.boot()
    assert (local_of(site.root) / NOTE).exists()
    return site


def test_a_log_of_events_that_is_gone_is_seen(calm):
    calm.close()
    rmtree(calm.root / ".varves/log")
    assert len(calm.verbs.boot().adopted) == 3
    assert len(calm.events("log.entry")) == 3


def test_an_archive_that_came_is_seen(calm):
    calm.write("CHANGELOG-archive.md", block("2026-01-01 10:00", "Long ago"))
    calm.add("Event 3")
    assert len(calm.events("log.archived")) == 1


def test_an_event_that_only_git_holds_is_seen(calm):
    calm.commit()
    here = calm.read(LOG)
    assert calm.verbs.boot().findings == ()
    calm.write(LOG, f"{here}\n{block('2026-01-05 13:00', 'Elsewhere')}")
    calm.commit()
    calm.write(LOG, here)
    [finding] = calm.verbs.boot().findings
    assert "Elsewhere" in finding


@pytest.mark.full_size(sample=1)
@pytest.mark.parametrize("path", [GRAPH, CONTEXT])
def test_a_view_that_was_edited_is_seen(calm, path):
    shown = calm.read(path)
    calm.write(path, f"{shown}more\n")
    assert [one.id for one in calm.verbs.graph_query(kind="skill")] == ["a0", "a1", "a2", "b"]
    [finding] = calm.verbs.boot().findings
    assert path in finding
    assert calm.read(path) == shown


def test_an_event_equal_to_one_far_back_is_another_one(calm):
    told = calm.read(LOG)
    again = told[told.index("## 2026-01-05 10:00") : told.index("## 2026-01-05 11:00")]
    calm.write(LOG, f"{told}\n{again}")
    calm.verbs.boot()
    calm.at("2026-01-05T12:00:00Z")
    calm.add("Event 2", what="- [[a2]] → [[b]]")
    entries = calm.events("log.entry")
    assert [one.data["ordinal"] for one in entries] == [0, 0, 0, 1, 1]
    assert len({one.data["memory"] for one in entries}) == 5
