"""Bridges between clones and through crashes: no tracked file needs what one clone keeps."""

from __future__ import annotations

import os
import subprocess
import sys

import pytest

from tests.protocols.bridging import (
    AGENTS,
    DAWN,
    DUSK,
    NOON,
    TARGETS,
    TEXT,
    bridge,
    decide,
    expected,
    prepare,
    told,
    views,
)

ALL = tuple(f"deliberation.decision -> {target}" for target in TARGETS)
SAID = "We decided to store payments in PostgreSQL and nowhere else."
EVENT = {"type": "change", "scope": "project", "what": "Done.", "why": "Asked."}
OWN = ("memory/", "_mdan/", ".memory/", "CHANGELOG.md")
TRIED = 12  # more event ids than a decision and its views are given
DYING = """
import os, sys
import varves
from varves.values.ids import IdSource


class Dying(IdSource):
    left = int(sys.argv[2])

    def event(self, ms):
        self.left -= 1
        if self.left < 0:
            os._exit(9)
        return super().event(ms)


with varves.open(sys.argv[1], actor="ada", ids=Dying()) as ledger:
    topic, agents = f"storage {sys.argv[2]}", ("ada", "ben")
    ledger.deliberation.decide(topic, sys.argv[3], agent="ada", support=agents)
"""


def tracked(clone):
    """Return the bytes of the protocols' tracked files."""
    listed = clone.git("ls-files", "-z").split("\0")
    return {path: (clone.root / path).read_bytes() for path in listed if path.startswith(OWN)}


def deciding(clone, *lines):
    """Begin a project with bridges, and return its ledger."""
    bridge(clone, *lines)
    ledger = clone.at(DAWN, actor="ada")
    prepare(ledger)
    ledger.deliberation.begin("talk", agents=AGENTS)
    return ledger


@pytest.mark.requirement("U-05", "U-06")
def test_another_clone_finds_the_views_once_and_renders_the_same_bytes(clone):
    here = clone()
    ledger = deciding(here, *ALL)
    ledger.deliberation.decide("storage", TEXT, agent="ada", support=AGENTS)
    ledger.scoped.approve(ledger.scoped.proposals()[0].id)
    ledger.layers.append(**EVENT, title="Other")
    ledger.rebuild()
    [record] = [one.id for one in ledger.list() if one.protocol == "deliberation"]
    shown = views(ledger, record)
    assert sorted(one.protocol for one in shown) == sorted((*TARGETS, "party"))
    here.commit()
    there = clone("there", of=here)
    ledger = there.at(NOON)
    [hit] = ledger.recall("payments PostgreSQL")
    assert hit.memory.text == f"storage: {TEXT}"
    assert hit.memory.links["view_of"] == [record]
    assert {hit.memory.protocol, *hit.views} == {*TARGETS}
    assert [one.id for one in ledger.list() if "nowhere else" in one.text] == [hit.memory.id]
    [why] = [one.says for one in ledger.why(hit.memory.id).rules if one.rule == "view"]
    assert why == f"a view of {record}, which is not in this clone"
    before = tracked(there)
    ledger = there.at(DUSK)
    ledger.rebuild()
    assert tracked(there) == before == tracked(here)
    ledger = there.at(DUSK)
    ledger.scoped.init()
    assert len(views(ledger, record)) == len(shown)  # nobody puts away what he cannot judge
    assert ledger.layers.drafts() == ()
    assert ledger.scoped.proposals() == ()


@pytest.mark.requirement("U-05")
def test_what_is_taken_back_here_is_gone_there(clone):
    here = clone()
    ledger = deciding(here, "deliberation.decision -> hivemind", "deliberation.decision -> party")
    ledger.deliberation.decide("storage", TEXT, agent="ada", support=AGENTS)
    here.commit()
    there = clone("there", of=here)
    assert len(there.at(NOON).recall("payments PostgreSQL").hits) == 1
    ledger = here.at(NOON, actor="ada")
    assert ledger.undo().id is not None
    here.commit()
    there.git("pull", "--quiet")
    ledger = there.at(DUSK)
    assert ledger.recall("payments PostgreSQL").hits == ()
    assert there.read("_mdan/state/sidecars/ada.sidecar.json")["memories"] == []


@pytest.mark.full_size(sample=1)
@pytest.mark.requirement("U-05")
@pytest.mark.parametrize("target", TARGETS)
def test_a_decision_found_in_talk_is_bridged_as_one_that_is_stated(clone, target):
    project = clone()
    ledger = deciding(project, f"deliberation.decision -> {target}")
    said = ledger.deliberation.say("ada", SAID)
    [record] = [one.id for one in said.found if one.kind == "decision"]
    assert [*map(told, views(ledger, record))] == expected(target)
    ledger.undo()
    assert views(ledger, record) == []


@pytest.mark.requirement("U-06")
def test_whenever_a_process_dies_each_decision_ends_up_with_its_views(clone):
    project = clone()
    lines = ("deliberation.decision -> hivemind", "deliberation.decision -> scoped")
    deciding(project, *lines)
    project.close()
    environ = {**os.environ, "VARVES_NOW": NOON, "VARVES_HOME": str(project.home)}
    codes = []
    for left in range(TRIED):
        text = f"{TEXT}, number {left}"
        done = subprocess.run(
            [sys.executable, "-c", DYING, project.root, str(left), text],
            env=environ,
            capture_output=True,
            encoding="utf-8",
            check=False,
        )
        codes.append(done.returncode)
        assert done.returncode in (0, 9), done.stderr
    assert codes == sorted(codes, reverse=True)
    assert {0, 9} == {*codes}
    ledger = project.at(DUSK, actor="ada")
    ledger.deliberation.say("ben", "Nothing to add.")
    records = [one for one in ledger.list() if one.protocol == "deliberation" and TEXT in one.text]
    assert len(records) > codes.count(0)
    for record in records:
        found = sorted(one.protocol for one in views(ledger, record.id))
        assert found == ["hivemind", "scoped"]


def test_what_another_clone_decided_is_for_that_one_to_carry(clone):
    here = clone()
    bridge(here, "hivemind.decision -> scoped", "hivemind.decision -> layers")
    prepare(here.at(DAWN, actor="ada"))
    here.commit()
    there = clone("there", of=here)
    there.at(DAWN, actor="ben").scoped.write("project", type="pattern", content="Begun there")
    ledger = here.at(NOON, actor="ada")
    record = decide(ledger, "hivemind")
    assert len(views(ledger, record)) == 2
    here.commit()
    there.commit()
    there.git("pull", "--quiet", "--no-rebase", "--no-edit")
    ledger = there.at(DUSK, actor="ben")
    ledger.hivemind.write("Written there", type="factual")
    assert [hit.memory.id for hit in ledger.recall("payments PostgreSQL")] == [record]
    assert (views(ledger, record), ledger.layers.drafts()) == ([], ())


def test_the_command_line_shows_views_and_says_what_bridges_did(clone, varves):
    project = clone()
    bridge(project, "hivemind.decision -> layers")
    prepare(project.at(DAWN))
    record = decide(project.at(NOON), "hivemind")
    project.at(NOON).layers.append(**EVENT, title="Other")
    project.close()
    [hit] = varves("recall", "payments PostgreSQL", "--json").json["hits"]
    assert (hit["id"], hit["views"]) == (record, ["layers"])
    assert "shown by layers too" in varves("recall", "payments PostgreSQL").out
    done = varves("forget", record, "--reason", "wrong", "--json")
    assert (done.code, done.json["id"]) == (0, record)
    assert "CHANGELOG.md keeps mem_" in done.err
    assert "withdraws" in done.err
