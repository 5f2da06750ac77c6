"""One project, one week, every protocol: what was promised of each holds every evening."""

from __future__ import annotations

import json

import pytest

from tests.figures import full_size
from tests.protocols import week as days
from tests.protocols.laws import assert_same
from tests.protocols.layout import FIVE, files, owner
from tests.protocols.week import DAYS, Week

WITHDRAWN = "Withdrawn: "  # in a log that nothing leaves, of what a bridge brought
PLACES = ("_mdan/", "memory/", ".memory/", ".varves/", "AGENTS.md", "CHANGELOG.md", "README.md")


def state(ledger):
    """Return all that the index tells, in canonical form."""
    told = [one.as_dict() for one in ledger.list(status="all")]
    told += [one.as_dict() for one in ledger.conflicts()]
    return sorted(json.dumps(one, sort_keys=True) for one in told)


def answers(ledger, **options):
    """Return what one broad question finds."""
    return {hit.memory.id: hit.memory.text for hit in ledger.recall("harbour", k=200, **options)}


def assert_rebuild_changes_nothing(week):
    before, ledger = files(week.here.root), week.at(actor="USER")
    kept_up = state(ledger)
    events = [event.id for event in ledger.log()]
    ledger.rebuild()
    assert state(ledger) == kept_up
    assert [event.id for event in ledger.log()] == events
    assert_same(before, files(week.here.root))


def assert_all_is_well(week):
    ledger = week.at(actor="USER")
    assert ledger.doctor() == ()
    for name in FIVE:
        assert [one for one in getattr(ledger, name).validate() if "error" in one.level] == []
    check = ledger.verify()
    assert (check.ok, check.damage, check.gaps) == (True, (), ())
    assert ledger.status()["events"] == len(ledger.log())


def assert_found_once(week):
    """Check that one search finds each planted fact once, and says where it comes from."""
    ledger = week.at(actor="USER")
    for word, fact in week.facts.items():
        hits = [one for one in days.saying(ledger, word) if WITHDRAWN not in one.text]
        assert len(hits) == (word not in week.gone), (word, hits)
        if not hits:
            continue
        [one] = hits
        found = (one.protocol, one.scope, one.kept, one.origin, one.created_by)
        assert found == tuple(fact), (word, found)
    for word, fact in week.facts.items():
        holding = {
            owner(path) for path, raw in files(week.here.root).items() if word.encode() in raw
        }
        assert holding <= week.shows(fact.protocol), (word, holding)


def assert_evenings_stand(week):
    """Check that the question has, as of each evening, that evening's answer."""
    ledger = week.at(actor="USER")
    week.evenings[week.now()] = answers(ledger)
    asked = list(week.evenings.items())
    for moment, answer in asked if week.day == len(DAYS) - 1 else asked[-2:]:
        assert answers(ledger, as_of=moment) == answer, moment


def assert_nothing_private_is_tracked(week, where):
    where.commit("evening")
    assert where.git("status", "--porcelain") == ""
    listed = [path for path in where.git("ls-files", "-z").split("\0") if path]
    assert [path for path in listed if not path.startswith(PLACES)] == []
    tracked = b"".join((where.root / path).read_bytes() for path in listed)
    assert [secret for secret in week.secrets if secret.encode() in tracked] == []


@pytest.mark.full_size
@pytest.mark.requirement("U-02", "U-04", "U-07", "U-16")
@pytest.mark.parametrize("targets", [(), FIVE[:4]] if full_size() else [()])
def test_a_week_of_all_protocols_in_one_project(clone, targets):
    week = Week(clone, targets)
    for number, day in enumerate(DAYS):
        week.day, week.hour = number, 8
        getattr(days, day)(week)
        week.hour = 20
        assert_rebuild_changes_nothing(week)
        assert_all_is_well(week)
        assert_found_once(week)
        assert_evenings_stand(week)
        assert_nothing_private_is_tracked(week, week.here)
    assert len(week.evenings) == 7
