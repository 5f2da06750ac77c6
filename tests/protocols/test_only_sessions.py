"""Sessions that change no content: branches on which they ran merge without a conflict."""

from __future__ import annotations

import json
import re

import pytest

STATE = "_mdan/state/MDAN-STATE.json"
SIDECAR = "_mdan/state/sidecars/ada.sidecar.json"
PROJECT = "memory/projects/p/memory.json"
COUNTED = [STATE, SIDECAR, SIDECAR.replace("ada", "ben"), PROJECT]
"""The files in which sessions are counted: those of parties, and reads in scoped memory."""


@pytest.fixture
def here(clone):
    """Give a project with a record in each protocol that counts, committed on main."""
    made = clone()
    ledger = made.at("2026-11-15T08:00:00Z")
    ledger.scoped.write("project", "p", type="pattern", content="The API has two ports")
    ledger.hivemind.session_start(project="p")
    said = {"text": "The API listens on port 8080"}
    ledger.hivemind.write(type="factual", content=said, scope="project:p")
    ledger.hivemind.session_end()
    ledger.party.start(agents=["ada", "ben"])
    ledger.party.remember("ada", type="context", content="The API is ours", confidence=0.9)
    ledger.party.end()
    made.commit("begin")
    made.git("branch", "-M", "main")
    return made


def run_sessions(here, hour):
    """Run a session of each protocol in which things are read and nothing is said."""
    ledger = here.at(f"2026-11-15T{hour:02}:00:00Z")
    ledger.scoped.session_start(project="p")
    ledger.scoped.read("project", "p")
    ledger.scoped.task("Open the port of the API", project="p")
    ledger.scoped.session_end()
    ledger.hivemind.session_start(project="p")
    ledger.hivemind.task("Open the port of the API", project="p")
    ledger.hivemind.session_end()
    ledger.party.start(agents=["ada", "ben"])
    ledger.party.end()
    return ledger


def changed(here):
    """Return the files that git sees changed, the log aside."""
    rows = here.git("status", "--porcelain", "--untracked-files=all").splitlines()
    return [row[3:] for row in rows if not row[3:].startswith(".varves/log/")]


@pytest.mark.requirement("S2-47", "S2-53")
def test_two_branches_that_only_ran_sessions_merge_without_a_conflict(here):
    here.git("switch", "--quiet", "--create", "theirs")
    run_sessions(here, 9)
    assert changed(here) == COUNTED
    here.commit("theirs")
    here.git("switch", "--quiet", "main")
    run_sessions(here, 10)
    run_sessions(here, 11)
    assert changed(here) == COUNTED
    here.commit("ours")

    here.git("merge", "--quiet", "--no-edit", "theirs")
    ledger = here.at("2026-11-15T12:00:00Z")
    ledger.rebuild()

    assert changed(here) == []
    for path in here.git("ls-files").splitlines():
        if path.endswith(".json"):
            json.loads((here.root / path).read_text(encoding="utf-8"))
    assert ledger.party.show("ada").sessions == 4
    assert here.read(SIDECAR)["sessions_participated"] == 4
    assert here.read(PROJECT)["entries"][0]["accessed_count"] == 3 * 3
    for protocol in (ledger.scoped, ledger.hivemind, ledger.party):
        assert protocol.validate() == ()


def test_a_count_of_reads_is_in_the_file_after_the_session_or_the_next_change(here):
    run_sessions(here, 9)
    assert here.read(PROJECT)["entries"][0]["accessed_count"] == 3

    ledger = here.at("2026-11-15T10:00:00Z")
    ledger.scoped.read("project", "p")
    assert here.read(PROJECT)["entries"][0]["accessed_count"] == 3
    ledger.scoped.write("project", "p", type="pattern", content="And a third one")

    [read, fresh] = here.read(PROJECT)["entries"]
    assert (read["accessed_count"], fresh["accessed_count"]) == (4, 0)


def test_a_clone_ranks_by_the_reads_of_a_session_that_ended_elsewhere(here, clone):
    run_sessions(here, 9)
    here.commit("a session")
    there = clone("there", here).at("2026-11-15T10:00:00Z")
    [entry] = there.scoped.rank("project", "p")
    assert entry.accessed_count == 3


@pytest.mark.requirement("S0-28", "S0-29", "S0-48")
def test_every_party_is_counted_in_the_sidecar_of_each_participant_when_it_ends(here):
    run_sessions(here, 9)
    ledger = here.at("2026-11-15T10:00:00Z")
    ledger.party.start(agents=["ada"])
    ledger.party.end()
    counted = {"ada": (3, "2026-11-15T10:00:00Z"), "ben": (2, "2026-11-15T09:00:00Z")}
    for name, (sessions, at) in counted.items():
        sidecar = here.read(SIDECAR.replace("ada", name))
        assert (sidecar["sessions_participated"], sidecar["last_updated"]) == (sessions, at)
        listed = here.read(STATE)["agent_sidecars"][name]
        assert (listed["sessions"], listed["last_updated"]) == (sessions, at)


RENDERED = [
    (SIDECAR, "sessions_participated", 1),  # a party is counted with the next change of its file
    (PROJECT, "accessed_count", 2),  # the reads of a session are counted later
]


@pytest.mark.parametrize(("path", "key", "count"), RENDERED)
def test_a_count_that_another_version_rendered_is_no_edit(here, clone, path, key, count):
    run_sessions(here, 9)
    text = (here.root / path).read_text(encoding="utf-8")
    text, times = re.subn(rf'("{key}": )\d+', rf"\g<1>{count}", text)
    assert times == 1
    (here.root / path).write_text(text, encoding="utf-8")
    here.commit("as another version rendered it")
    there = clone("there", here)

    ledger = there.at("2026-11-15T12:00:00Z")
    before = len(ledger.log())
    assert ledger.party.show("ada").sessions == 2
    assert ledger.party.core.notes == []
    ledger.scoped.read("project", "p")
    assert ledger.scoped.core.notes == []
    ledger.rebuild()
    assert len(ledger.log()) == before
