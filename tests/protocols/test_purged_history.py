"""What git holds of a purged record in the protocols' files is named and can be erased."""

from __future__ import annotations

import subprocess

import pytest

from tests.protocols.edits.scene import Hivemind, Scoped
from tests.protocols.test_purged_branches import PROTOCOLS, layers
from tests.protocols.test_purged_branches import WORD as FRUIT
from tests.security.erasing import TEXT, WORD, hits, in_objects

WHY = "asked to be forgotten"


@pytest.mark.full_size(sample=1)
@pytest.mark.parametrize("make", PROTOCOLS, ids=lambda make: make.__name__)
def test_published_files_are_searched_and_taken_out_of_history(clone, make):
    here = make(clone)
    here.commit("begin")
    here.git("tag", "v1")
    ledger = here.at("2026-11-15T09:00:00Z")
    held = [one for one in ledger.list(status="all") if FRUIT in one.text or "vault" in one.text]
    [name] = [one.id for one in held]
    done = ledger.purge(name, reason=WHY)
    here.commit("purged")
    assert FRUIT not in str(done.as_dict())
    told = here.git("grep", "-l", FRUIT, "v1").split()
    assert {path.partition(":")[2] for path in told} <= set(done.git["paths"])
    before = {one.id for one in here.at("2026-11-15T10:00:00Z").list(status="all")}
    if make is layers:
        assert done.git["by_hand"] == ["CHANGELOG.md"]
        return
    assert done.git["by_hand"] == []
    command = done.git["command"]
    here.close()
    ran = subprocess.run(["sh", "-c", command], cwd=here.root, capture_output=True, check=False)
    assert ran.returncode == 0, ran.stderr
    assert not in_objects(here.root, FRUIT)
    assert here.git("status", "--porcelain") == ""
    ledger = here.at("2026-11-15T11:00:00Z")
    ledger.rebuild()
    assert {one.id for one in ledger.list(status="all")} == before
    assert ledger.purge(name, reason=WHY).git is None
    assert here.git("status", "--porcelain") == ""


def test_a_file_that_another_memory_still_fills_is_no_remnant(clone):
    here = clone()
    for text in (f"{TEXT} one", f"{TEXT} two"):
        Hivemind().write(here.at("2026-11-15T08:00:00Z"), text)
    ledger = here.at("2026-11-15T09:00:00Z")
    one, other = (memory.id for memory in ledger.list())
    ledger.purge(one, reason=WHY)
    here.commit("only the other")
    ledger = here.at("2026-11-15T10:00:00Z")
    found = ledger.purge(one, reason=WHY).git
    assert found is None
    assert ledger.show(other).text.startswith(TEXT)


def test_a_staged_published_file_is_named(clone):
    here = clone()
    Scoped().write(here.at("2026-11-15T08:00:00Z"), TEXT)
    here.git("add", "-A")
    ledger = here.at("2026-11-15T09:00:00Z")
    [name] = [one.id for one in ledger.list()]
    found = ledger.purge(name, reason=WHY).git
    assert any(path.startswith("memory/") for path in found["staged"])
    subprocess.run(["sh", "-c", found["command"]], cwd=here.root, check=True, capture_output=True)
    assert not in_objects(here.root)
    here.close()
    assert hits(here.root, words=[WORD]) == []


def test_a_version_beyond_the_committed_one_is_named_too(clone):
    """It is in no commit yet, and the next one would have it."""
    here = clone()
    Scoped().write(here.at("2026-11-15T08:00:00Z"), TEXT)
    here.commit("begin")
    Scoped().write(here.at("2026-11-15T08:30:00Z"), "Use make")
    here.git("add", "-A")
    ledger = here.at("2026-11-15T09:00:00Z")
    [name] = [one.id for one in ledger.list() if one.text == TEXT]
    found = ledger.purge(name, reason=WHY).git
    assert found["commits"]
    assert [path.partition("/")[0] for path in found["staged"]] == ["memory"]
    here.git("add", "-A")
    assert here.at("2026-11-15T10:00:00Z").purge(name, reason=WHY).git["staged"] == []
