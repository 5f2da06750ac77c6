"""A day and a hundred and twenty of them, driven by the automatic operations alone."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest

LONG = "The payment gateway was down and orders had to be booked by hand. " * 12


def moment(days, hours=0):
    return (datetime(2026, 1, 1, 9, tzinfo=UTC) + timedelta(days=days, hours=hours)).isoformat()


def counted(hive):
    """Compare every index with the files beside it; return how many entries each has."""
    found = {}
    for path in hive.path("").rglob("_index.json"):
        folder = path.parent.relative_to(hive.path("")).as_posix()
        if folder == "sessions":
            continue
        index = hive.read(f"{folder}/_index.json")
        files = {one.name for one in path.parent.glob("*.json") if not one.name.startswith("_")}
        assert {one["file_path"] for one in index["entries"]} == files
        assert index["entry_count"] == len(files)
        found[folder] = len(files)
    return found


@pytest.mark.requirement("S3-01")
def test_a_day_of_automatic_operations_leaves_a_correct_store(hive):
    hive.at(moment(0)).session_start(project="shop", agent="DEV-001")
    hive.verbs.task("Fix the timeout of the payment gateway in src/pay.py", agent="DEV-001")
    fact = "The payment gateway limits calls to 50 a minute"
    hive.at(moment(0, 1)).done(f"Learned that {fact}. We decided to queue calls in Redis.")
    hive.at(moment(0, 2)).error("Timeout", "the gateway took 31 s", context="paying")
    told = hive.at(moment(0, 3)).task("Review the payment gateway queue", project="shop")
    texts = [one.entry["content"].get("text", "") for one in told.memories]
    assert any(fact in text for text in texts)
    hive.verbs.handoff("QA-002", summary="gateway fixed", pending=["load test"])
    taken = hive.at(moment(0, 4)).accept("QA-002")
    assert taken.pending == ("load test",)
    hive.at(moment(0, 5)).done(report={"procedures": ["Run the load test with 60 calls"]})
    ended = hive.at(moment(0, 6)).session_end()
    assert counted(hive) == {"global": 3, "projects/shop": 7}
    archived = hive.read(f"sessions/archive/{ended.session}.json")
    history = [line["status"] for line in archived["working_memory"]["task_history"]]
    assert history == ["received", "completed", "received", "handoff", "accepted", "completed"]
    assert hive.read("sessions/current.json")["session_id"] == ended.fresh
    assert hive.verbs.validate() == ()
    hive.again()
    assert hive.verbs.session_start(project="shop").session == ended.fresh


@pytest.mark.requirement("S3-04")
def test_a_hundred_and_twenty_days_clean_up_after_themselves(hive):
    """Only sessions and tasks happen: nobody calls for upkeep."""
    hive.at(moment(0)).session_start(project="shop", agent="DEV-001")
    hive.verbs.done(
        report={
            "facts": [
                {"text": "The shop sells tea in tins", "priority": "high", "tags": ["tea"]},
                {"text": "Nobody asks for this", "priority": "high", "tags": ["dust"]},
                {"text": "Oolong is out of stock", "priority": "low", "tags": ["oolong"]},
            ],
            "summary": LONG,
        },
        agent="DEV-001",
    )
    hive.verbs.session_end()
    seen = {}
    for week in range(1, 18):
        hive.at(moment(7 * week)).session_start(project="shop")
        hive.verbs.task("count the tea", agent="DEV-001")
        report = {"procedures": [f"Count the tins twice{'!' * week}"]}
        hive.verbs.done(report=report)
        hive.verbs.session_end()
        seen[7 * week] = counted(hive)
    hive.at(moment(120)).session_start(project="shop")
    hive.verbs.session_end()
    seen[120] = counted(hive)
    index = hive.read("projects/shop/_index.json")["entries"]
    archive = hive.read("projects/shop/archive/_index.json")["entries"]
    live = {one["summary"]: one for one in index}
    gone = {one["summary"]: one for one in archive}
    assert "The shop sells tea in tins" in live
    assert "Nobody asks for this" in gone
    assert "Oolong is out of stock" in gone
    assert len([one for one in live if one.startswith("Count the tins")]) == 1
    whole = [
        entry["content"].get("text", "")
        for one in archive
        if (entry := hive.read(f"projects/shop/archive/{one['file_path']}"))
    ]
    assert LONG in whole
    triggers = [one.data["trigger"] for one in hive.events("consolidation.run")]
    assert {"session-end", "weekly"} <= {*triggers}
    rules = {rule for one in hive.events("consolidation.run") for rule in one.data.get("done", {})}
    assert rules >= {"expired", "unaccessed", "merge-similar", "summarise-episodic"}
    assert seen[7]["projects/shop"] < 10
    assert max(each["projects/shop"] for each in seen.values()) < 25
    assert hive.verbs.validate() == ()
