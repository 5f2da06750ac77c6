"""Several agents work in one checkout: each verb works on its caller's task."""

from __future__ import annotations

import pytest

from varves.errors import Refused

CURRENT = "sessions/current.json"


def history(hive):
    """Return status, agent and text of each line of the task history."""
    lines = hive.read(CURRENT)["working_memory"]["task_history"]
    return [(line["status"], line.get("agent"), line["task"]) for line in lines]


def open_task(hive):
    """Return the text of the task that the file shows as current."""
    task = hive.read(CURRENT)["working_memory"]["current_task"]
    return task and task["task"]


def summaries(hive):
    """Return who made each summary, the task it names, and its text."""
    found = hive.again().list(type="episodic").entries
    told = [
        (one["created_by"], one["content"].get("task"), one["content"]["text"]) for one in found
    ]
    return sorted(told)


@pytest.mark.requirement("S3-51")
@pytest.mark.parametrize("by_actor", [True, False])
def test_each_agent_finishes_its_own_task(hive, by_actor):
    """Regression: the first to finish closed the task that the other had taken last."""

    def by(agent):
        return (hive.again(actor=agent), {}) if by_actor else (hive.verbs, {"agent": agent})

    for agent, text in (("DEV-001", "alpha"), ("DEV-002", "beta")):
        verbs, own = by(agent)
        verbs.task(text, **own)
    verbs, own = by("DEV-001")
    verbs.done("The alpha part is ready", **own)
    assert open_task(hive) == "beta"
    verbs, own = by("DEV-002")
    assert verbs.done("The beta part is ready", **own).task is not None
    assert open_task(hive) is None
    assert history(hive) == [
        ("received", "DEV-001", "alpha"),
        ("received", "DEV-002", "beta"),
        ("completed", "DEV-001", "alpha"),
        ("completed", "DEV-002", "beta"),
    ]
    assert summaries(hive) == [
        ("DEV-001", "alpha", "The alpha part is ready"),
        ("DEV-002", "beta", "The beta part is ready"),
    ]


@pytest.mark.requirement("S3-52")
def test_an_agent_hands_over_its_own_task(hive):
    first = hive.verbs.task("alpha", agent="DEV-001", project="shop")
    hive.verbs.task("beta", agent="DEV-002", project="bank")
    handed = hive.verbs.handoff("QA-002", summary="half of it", agent="DEV-001")
    assert handed.source == "DEV-001"
    taken = hive.verbs.accept("QA-002")
    assert taken.working_memory["current_task"]["id"] == first.task
    hive.verbs.done("All of beta", agent="DEV-002")
    assert open_task(hive) == "alpha"
    done = hive.verbs.done("All of alpha. It turns out alpha needs a key.", agent="QA-002")
    assert done.task == first.task
    assert {one.scope for one in done.learned} == {"project:shop"}
    assert open_task(hive) is None


@pytest.mark.requirement("S3-57")
def test_the_receiver_goes_on_in_its_own_name(hive):
    """Regression: what the receiver learned was recorded as the sender's."""
    verbs = hive.again(actor="DEV-001")
    verbs.task("weld the frame")
    verbs.handoff("QA-002", summary="half", pending=["grind the ridge"])
    verbs = hive.again(actor="QA-002")
    verbs.accept("QA-002")
    working = hive.read(CURRENT)["working_memory"]
    assert working["current_task"]["agent"] == "QA-002"
    assert working["pending_items"] == ["grind the ridge"]
    verbs.done("Learned that welds are hot.")
    assert {one["created_by"] for one in verbs.list(agent="QA-002").entries} == {"QA-002"}
    assert len(verbs.list(agent="QA-002").entries) == 2
    assert open_task(hive) is None


def test_a_person_with_several_open_tasks_must_name_one(hive):
    hive.verbs.task("alpha", agent="DEV-001")
    hive.verbs.task("beta", agent="DEV-002")
    for finish in (
        lambda: hive.verbs.done("We decided on tabs"),
        lambda: hive.verbs.handoff("QA-002", summary="go on"),
        lambda: hive.verbs.error("timeout", "it took 31 s", failed=True),
    ):
        with pytest.raises(Refused, match=r"several tasks are open: DEV-001: .*alpha.*beta"):
            finish()
    assert [line[0] for line in history(hive)] == ["received", "received"]
    assert [one["subtype"] for one in hive.verbs.list(type="semantic").entries] == ["terminology"]
    hive.verbs.error("timeout", "it took 31 s")
    hive.verbs.done("Fine", agent="DEV-002")
    hive.verbs.done("Fine, too")
    assert history(hive)[-1] == ("completed", "DEV-001", "alpha")


def test_an_agent_without_a_task_leaves_the_tasks_of_others_open(hive):
    hive.verbs.task("alpha", agent="DEV-001")
    done = hive.verbs.done("Learned that alpha is slow.", agent="DEV-002")
    assert done.task is None
    assert open_task(hive) == "alpha"
    assert "DEV-002 has no open task; open: DEV-001: 'alpha'" in hive.verbs.core.notes[0]


def test_an_agent_finishes_a_task_that_nobody_in_particular_took(hive):
    taken = hive.verbs.task("alpha")
    assert hive.verbs.done("Fine", agent="DEV-001").task == taken.task
    assert open_task(hive) is None


def test_a_new_task_of_an_agent_replaces_its_earlier_one(hive):
    for text in ("alpha", "beta"):
        hive.verbs.task(text, agent="DEV-001")
    hive.verbs.task("gamma", agent="DEV-002")
    hive.verbs.done("Fine", agent="DEV-002")
    assert open_task(hive) == "beta"
    hive.verbs.done("Fine", agent="DEV-001")
    assert open_task(hive) is None


def test_the_start_of_another_agent_leaves_a_task_in_its_project(hive):
    hive.verbs.task("alpha", agent="DEV-001", project="shop")
    hive.verbs.session_start(agent="DEV-002", project="bank")
    [fact, *_] = hive.verbs.done("It turns out keys expire.", agent="DEV-001").learned
    assert fact.scope == "project:shop"
