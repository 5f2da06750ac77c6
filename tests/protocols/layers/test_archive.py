"""The oldest events move to the archive, and everything derived from the log stays as it was."""

from __future__ import annotations

import pytest

from tests.protocols.layers.conftest import CONTEXT, GRAPH, LOG
from varves.errors import Refused, UsageError

ARCHIVE = "CHANGELOG-archive.md"


@pytest.fixture
def grown(site):
    """Give a log of four events that say something about the graph and the work."""
    site.add("One", what="- [[login]] — Login — draft — pack-auth\n\nBuckets in Dublin are cheap.")
    site.add("Two", what="- [[login]] → [[store]]", impact="Blocker: the second host is slow")
    site.add("Three", type="decision", what="- [[login]] — Login — done — pack-auth")
    site.add("Four")
    site.verbs.rebuild()
    return site


def errors(site):
    return [one for one in site.verbs.validate() if one.level == "error"]


@pytest.mark.requirement("S1-95")
def test_archived_events_stay_in_graph_context_and_search(grown, varves):
    before, log = grown.hashes(GRAPH, CONTEXT), grown.read(LOG)
    done = varves("layers", "archive", "--keep", "2", "--json")
    assert (done.code, len(done.json["ids"]), done.json["left"]) == (0, 2, 2)
    assert "One" not in grown.read(LOG)
    assert "Buckets in Dublin" in grown.read(ARCHIVE)
    for block in log.split("\n## ")[1:]:
        assert block.strip() in grown.read(LOG) + grown.read(ARCHIVE)
    assert grown.hashes(GRAPH, CONTEXT) == before
    assert errors(grown) == []
    assert grown.verbs.graph_query(status="done")[0].id == "login"
    assert grown.verbs.find("Buckets in Dublin").hits[-1].place.startswith(ARCHIVE)
    assert grown.verbs.find("Buckets in Dublin").hits[-1].id == done.json["ids"][0]
    grown.verbs.rebuild()
    assert grown.hashes(GRAPH, CONTEXT) == before
    assert grown.status(done.json["ids"][0]) == "archived"


@pytest.mark.requirement("S1-95")
def test_the_log_goes_on_after_an_archive_and_is_archived_again(grown):
    grown.verbs.archive(keep=3)
    grown.add("Five", what="- [[login]] — Login — broken — pack-auth")
    assert grown.verbs.archive(keep=1).left == 1
    grown.verbs.boot()
    assert [line[-4:] for line in grown.read(ARCHIVE).split("\n") if line[:3] == "## "] == [
        " One",
        " Two",
        "hree",
        "Four",
    ]
    assert "the second host is slow" in grown.read(CONTEXT)
    assert grown.verbs.graph_query(id="login")[0].status == "broken"
    assert grown.verbs.boot().regenerated == ()
    assert errors(grown) == []


def test_an_archive_that_stopped_half_way_is_as_if_it_had_not_begun(grown):
    log = grown.read(LOG)
    (grown.root / LOG).chmod(0o444)
    with pytest.raises(Refused, match="read-only"):
        grown.verbs.archive(keep=1)
    (grown.root / LOG).chmod(0o644)
    assert grown.read(LOG) == log
    assert errors(grown) == []
    grown.add("Five")
    assert not (grown.root / ARCHIVE).exists()
    assert len(grown.verbs.archive(keep=2).ids) == 3
    assert errors(grown) == []


def test_an_altered_event_is_settled_before_it_is_archived(grown):
    grown.edit(LOG, "Buckets in Dublin", "Buckets in Cork")
    with pytest.raises(Refused, match="altered"):
        grown.verbs.archive(keep=1)
    assert not (grown.root / ARCHIVE).exists()


def test_one_event_always_stays(grown, varves):
    with pytest.raises(UsageError):
        grown.verbs.archive(keep=0)
    assert varves("layers", "archive", "--before", "2030-01-01").code == 0
    assert grown.read(LOG).count("\n## ") == 1
    assert "nothing to archive" in varves("layers", "archive").err
