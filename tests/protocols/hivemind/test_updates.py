"""An update supersedes what it updates; facts about different things stand beside each other."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.protocols.hivemind.updates import DIFFERENT_THINGS, KEPT, SEEN, UPDATES

REPORT = (
    "It turns out feature flag NewCart is on. It turns out feature flag OldCart is on. "
    "We found that the admin page is slow on Safari. "
    "We found that the admin page is slow on Chrome. "
    "Note that port 8080 is open. Note that port 8081 is open. "
    "Learned that Ada has the key of the Berlin office. "
    "Learned that Ben has the key of the Berlin office."
)
NEW, OLD = "Feature flag NewCart is on", "Feature flag NewCart is off"


def learned(hive, *facts, **options):
    """Report facts, each a text and its tag; return the ids and what was done."""
    parts = [{"text": text, "tags": [tag]} for text, tag in facts]
    done = hive.verbs.done(report={"facts": parts}, agent="DEV-001", **options)
    return [one.id for one in done.learned if one.kind == "facts"], done.actions


def told(hive, pairs):
    """Report the first halves, then the second ones; return the fate of each pair."""
    tagged = [(pair, f"pair{place}") for place, pair in enumerate(pairs)]
    hive.at("2026-01-01T08:00:00Z")
    older, _ = learned(hive, *((pair[0], tag) for pair, tag in tagged))
    hive.at("2026-01-01T09:00:00Z")
    _, actions = learned(hive, *((pair[1], tag) for pair, tag in tagged))
    fates = {one.gives_way: one.action for one in actions}
    return [fates.get(name, "both stay") for name in older]


def test_facts_of_one_free_text_never_supersede_each_other(hive):
    done = hive.verbs.done(REPORT, agent="DEV-001", project="shop")
    facts = [one for one in done.learned if one.kind == "facts"]
    assert len(facts) == 8
    assert done.actions == ()
    assert {hive.ledger.show(one.id).status for one in facts} == {"active"}


def test_of_one_report_that_says_both_neither_gives_way(hive):
    names, actions = learned(hive, (OLD, "cart"), (NEW, "cart"))
    assert [(one.rule, one.action) for one in actions] == [("uncertain", "review")]
    assert {hive.ledger.show(name).status for name in names} == {"active"}
    [conflict] = [one for one in hive.ledger.conflicts() if one.kind == "detected"]
    assert {one.id for one in conflict.members} == {*names}


def test_facts_about_different_things_are_never_superseded(hive):
    assert "supersede" not in told(hive, DIFFERENT_THINGS)


@pytest.mark.full_size(sample=1)
@pytest.mark.parametrize(("half", "superseded"), [(SEEN, 13), (KEPT, 14)])
def test_most_updates_supersede_as_the_page_says(hive, half, superseded):
    found = told(hive, UPDATES[half])
    assert found.count("supersede") == superseded
    page = Path(__file__).parents[3].joinpath("docs/protocols/hivemind.md").read_text("utf-8")
    assert f"{superseded} of the {len(found)} " in page


@pytest.mark.full_size(sample=1)
@pytest.mark.requirement("U-13")
@pytest.mark.parametrize(
    "again",
    ["The feature flag NewCart is on", "We found that the feature flag NewCart is on."],
)
def test_an_undone_supersede_does_not_come_back_by_a_memory_that_says_the_same(hive, again):
    [older], _ = learned(hive, (OLD, "cart"))
    hive.at("2026-01-01T09:00:00Z")
    _, [action] = learned(hive, (NEW, "cart"))
    assert action.gives_way == older
    undone = hive.ledger.undo(action.event)
    hive.at("2026-01-01T10:00:00Z")
    _, actions = learned(hive, (again, "cart"))
    assert [(one.rule, one.gives_way) for one in actions] == [("uncertain", older)]
    assert hive.ledger.show(older).status == "active"
    hive.ledger.undo(undone.event)  # the decision counts again, and so does the rule
    assert hive.ledger.show(older).status == "superseded"


def test_nor_does_it_come_back_between_two_that_say_the_same_as_the_pair(hive):
    learned(hive, (OLD, "cart"))
    hive.at("2026-01-01T09:00:00Z")
    _, [action] = learned(hive, (NEW, "cart"))
    hive.ledger.undo(action.event)
    for hour, text in (
        (10, "The feature flag NewCart is off"),
        (11, "The feature flag NewCart is on"),
    ):
        hive.at(f"2026-01-01T{hour}:00:00Z")
        _, actions = learned(hive, (text, "cart"))
        assert {one.action for one in actions} <= {"review"}
    assert not hive.ledger.list(status="superseded")


def test_a_restored_memory_is_not_superseded_by_the_same_words_again(hive):
    [older], _ = learned(hive, (OLD, "cart"))
    hive.at("2026-01-01T09:00:00Z")
    learned(hive, (NEW, "cart"))
    hive.ledger.restore(older)
    hive.at("2026-01-01T10:00:00Z")
    learned(hive, ("The feature flag NewCart is on", "cart"))
    assert hive.ledger.show(older).status == "active"


def test_another_claim_still_supersedes_after_an_undo(hive):
    [older], _ = learned(hive, ("The API port is 8080", "api"))
    hive.at("2026-01-01T09:00:00Z")
    _, [action] = learned(hive, ("The API port is 8081", "api"))
    hive.ledger.undo(action.event)
    hive.at("2026-01-01T10:00:00Z")
    _, actions = learned(hive, ("The API port is 9000", "api"))
    assert {one.action for one in actions} == {"supersede"}
    assert older in {one.gives_way for one in actions}


def test_the_answer_says_in_plain_words_what_was_done(varves_process, project):
    def done(text, **about):
        report = json.dumps({"facts": [{"text": text, "tags": ["api"], **about}]})
        command = ("hivemind", "done", "--agent", "DEV-001", "--project", "shop", "--report")
        answer = varves_process(*command, "/dev/stdin", stdin=report)
        assert answer.code == 0
        return answer.out

    done("Sessions live in Redis", scope="global")
    assert " is shown instead of mem_" in done("Sessions live in Postgres")
    done("The linter is flake8")
    assert "(same-creator: two values for the linter: flake8 and ruff)" in done(
        "The linter is ruff"
    )
    done("The gateway listens on port 80")
    assert '(uncertain: two values for "The gateway listens' in done(
        "The gateway listens on port 443"
    )
