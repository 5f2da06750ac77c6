"""What rules made of a memory that is purged: nothing of it is left, and no other one changes."""

from __future__ import annotations

import pytest

FOLDER = "agents/DEV-001"


def made(hive, text, **options):
    given = {"type": "factual", "scope": "agent:DEV-001", "ttl": "permanent", "agent": "DEV-001"}
    return hive.verbs.write(text, **(given | options)).id


def files(hive):
    return b"".join(
        path.read_bytes()
        for folder in (".varves/log", ".varves/private", "memory")
        for path in (hive.root / folder).rglob("*")
        if path.is_file()
    )


@pytest.mark.requirement("S3-99")
def test_what_a_memory_gained_by_a_merge_it_keeps_when_the_other_is_purged(hive):
    first = made(hive, "Keys are rotated at midnight!!!", tags=["time"])
    hive.at("2026-01-01T01:00:00Z")
    second = made(hive, "The keys are rotated at midnight", tags=["keys"])
    hive.verbs.maintain(force=True)
    before = hive.read(f"{FOLDER}/{second}.json")
    assert before["tags"] == ["keys", "time"]
    hive.ledger.purge(first, reason="it must go")
    hive.verbs.init()
    before.pop("supersedes")  # it is not there any more
    assert hive.read(f"{FOLDER}/{second}.json") == before
    assert not hive.path(f"{FOLDER}/archive/{first}.json").exists()
    assert b"midnight!!!" not in files(hive)


@pytest.mark.full_size(sample=1)
@pytest.mark.requirement("S3-101")
@pytest.mark.parametrize("purged", ["original", "copy"])
def test_of_a_promoted_memory_and_its_copy_each_can_be_purged_alone(hive, purged):
    name = made(hive, "Keys are rotated at midnight")
    for _ in range(5):
        hive.verbs.show(name)
    [[_, copy]] = hive.verbs.maintain(force=True).done["promote-frequent"]
    gone, left = (name, copy) if purged == "original" else (copy, name)
    hive.ledger.purge(gone, reason="it must go")
    hive.verbs.init()
    assert hive.verbs.show(left)["content"] == {"text": "Keys are rotated at midnight"}
    paths = {one.name for one in hive.path("").rglob("mem_*.json")}
    assert f"{left}.json" in paths
    assert f"{gone}.json" not in paths
    assert hive.verbs.maintain(force=True).done["promote-frequent"] == []
    hive.ledger.rebuild()
    assert hive.verbs.show(left)["content"] == {"text": "Keys are rotated at midnight"}
