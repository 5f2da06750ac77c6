"""What agents held in a decision is no memory: a purge names it, and says what can be done."""

from __future__ import annotations

import json

from tests.git import conftest as memory
from tests.security.erasing import WORD

tmp_path = memory.tmp_path

SIDECAR = "_mdan/state/sidecars/ben.sidecar.json"
PLACE = "the position of ben on DR-001 (session.ended)"


def decided(cli, *position):
    cli("party", "start", "--agents", "ada,ben")
    cli("party", "decide", "Sessions live in Redis", "--pro", "ada", "--contra", "ben", *position)
    cli("party", "end")
    return cli("list", "--json").json["memories"][0]["id"]


def test_a_position_recorded_with_a_purged_decision_is_named(cli, project):
    name = decided(cli, "--position", f"ben={WORD} is enough")
    done = cli("purge", name, "--reason", "it leaked", "--yes")
    assert f"{PLACE} was recorded with it; a purge cannot erase it" in done.out
    assert cli("purge", name, "--reason", "it leaked", "--yes", "--json").code == 0


def test_emptied_by_hand_it_is_shown_no_more(cli, project):
    name = decided(cli, "--position", f"ben={WORD} is enough")
    cli("purge", name, "--reason", "it leaked", "--yes")
    path = project / SIDECAR
    said = json.loads(path.read_text(encoding="utf-8"))
    assert WORD in cli("party", "show", "ben").out + path.read_text(encoding="utf-8")
    said["decision_history"][0]["position"] = ""
    path.write_text(json.dumps(said), encoding="utf-8")
    cli("rebuild")
    assert WORD not in cli("party", "show", "ben", "--json").out
    assert WORD not in path.read_text(encoding="utf-8")


def test_a_side_that_nobody_put_in_words_is_not_named(cli, project):
    name = decided(cli)
    done = cli("purge", name, "--reason", "it leaked", "--yes", "--json").json
    assert done["sources"] == []
