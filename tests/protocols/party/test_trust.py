"""What nobody vouches for, and what another clone brought that settings do not list."""

from __future__ import annotations

import pytest

import varves as package
from varves.errors import Refused

BLUE = "The vault is painted blue"
ACTS = {
    "start": lambda party: party.start(agents=["eve"]),
    "say": lambda party: party.say("ada", f"Fact: {BLUE}."),
    "remember": lambda party: party.remember("ada", type="context", content=BLUE, confidence=1.0),
    "decide": lambda party: party.decide(BLUE),
    "end": lambda party: party.end(),
}


@pytest.mark.full_size(sample=2)
@pytest.mark.parametrize("act", ACTS)
def test_what_a_tool_brings_takes_no_part_in_a_party(room, act):
    room.verbs.start(agents=["ada"])
    room.verbs.say("ada", "I prefer tabs.")
    before = len(room.ledger.log())
    with package.open(str(room.root), origin="tool") as tool, pytest.raises(Refused):
        ACTS[act](tool.party)
    assert len(room.ledger.log()) == before
    room.verbs.end()
    assert room.kept() == [("preference", "I prefer tabs", 1.0)]


def test_memories_of_a_clone_that_settings_do_not_list_are_in_no_block(clone):
    here = clone()
    party = here.at("2026-01-01T09:00:00Z").party
    party.start(agents=["ada"])
    party.say("ada", f"Fact: {BLUE}.")
    party.end()
    here.commit()
    there = clone("there", of=here)
    assert BLUE in there.at("2026-01-02T09:00:00Z").party.start(agents=["ada"]).text
    there.close()

    settings = there.root / ".varves" / "settings.toml"
    settings.write_text("strict = true\n", encoding="utf-8")
    party = there.at("2026-01-03T09:00:00Z").party
    assert BLUE not in party.start(agents=["ada"]).text
    assert party.prompt("ada", topic="the blue vault").text == ""
    party.end()
    sidecar = there.root / "_mdan/state/sidecars/ada.sidecar.json"
    assert BLUE not in sidecar.read_text(encoding="utf-8")
