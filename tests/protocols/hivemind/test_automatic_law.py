"""What rules do by themselves keeps the laws: rebuilt files are the same, here and in a clone."""

from __future__ import annotations

import pytest

LONG = "The payment gateway was down and orders had to be booked by hand. " * 12


def work(tree):
    """Let every automatic rule act once."""
    hive = tree.at("2026-01-01T09:00:00Z", actor="DEV-001").hivemind
    hive.session_start(project="shop")
    hive.task("fix the cache", team="core")
    hive.done(report={"facts": [{"text": "The cache is on", "tags": ["c"], "scope": "global"}]})
    hive.done(report={"facts": [{"text": "The cache is enabled", "tags": ["c"]}], "summary": LONG})
    for text in ("Keys are rotated at midnight", "Keys are rotated at midnight!"):
        hive.write(text, type="factual", scope="agent:DEV-001", ttl="permanent")
    hive.write("Nobody reads this", type="factual", scope="team:core", ttl="permanent")
    hive.write("The build needs two cores", type="working", priority="high")
    for _ in range(3):
        hive.error("Timeout", "it took 31 s")
    ledger = tree.at("2026-01-01T10:00:00Z", actor="DEV-001")
    ledger.hivemind.done(report={"facts": [{"text": "The cache is disabled", "tags": ["c"]}]})
    often = [one.id for one in ledger.list(scope="agent:DEV-001")]
    for name in often * 6:
        ledger.hivemind.show(name)
    ledger.hivemind.session_end()
    ledger = tree.at("2026-01-02T10:00:00Z", actor="SYSTEM")
    part = {"text": "The mirror is disabled", "tags": ["d"], "scope": "global"}
    ledger.hivemind.done(report={"facts": [part]})
    ledger = tree.at("2026-01-03T10:00:00Z", actor="USER")
    part |= {"text": "The mirror is enabled", "scope": "project:shop"}
    done = ledger.hivemind.done(report={"facts": [part]}, project="shop")
    assert [one.rule for one in done.actions] == ["user-over-system"]
    for moment in ("2026-02-15T09:00:00Z", "2026-04-20T09:00:00Z"):
        tree.at(moment, actor="DEV-001").hivemind.session_start(project="shop")
    return tree


@pytest.mark.requirement("U-02")
def test_a_rebuild_changes_no_file(clone):
    tree = work(clone())
    ledger = tree.at("2026-04-20T09:00:00Z")
    done = [one.data.get("done", {}) for one in ledger.log(kind=("consolidation.run",))]
    rules = {rule for each in done for rule in each}
    assert rules == {
        "expired",
        "unaccessed",
        "merge-similar",
        "summarise-episodic",
        "promote-frequent",
    }
    before = tree.files()
    ledger.rebuild()
    assert tree.files() == before


@pytest.mark.requirement("U-02")
def test_another_clone_renders_the_same_tracked_files(clone):
    tree = work(clone())
    tree.commit()
    other = clone("other", of=tree)
    kept = tree.files(tracked=True)
    other.at("2026-05-01T09:00:00Z", actor="DEV-002").rebuild()
    assert other.files(tracked=True) == kept
    assert "global" not in {path.split("/")[1] for path in kept}
