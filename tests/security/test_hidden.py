"""A purged copy of a line counts before the whole one, so a forged copy hides an event: say so."""

from __future__ import annotations

from varves.events.codec import purged_line


def test_a_purged_copy_of_what_nobody_purged_is_named(project, varves):
    kept = varves("remember", "Deploys need two approvals", "--json").json["id"]
    [segment] = (project / ".varves/log").glob("*/*.jsonl")
    forged = segment.with_name("20261115-aaaaaa-aaaaaaaaaa.jsonl")
    forged.write_bytes(purged_line(segment.read_bytes().rstrip(b"\n")) + b"\n")
    assert varves("recall", "approvals").out == ""
    found = varves("verify", "--json")
    assert found.code == 1
    [damage] = found.json["damage"]
    assert damage["rule"] == "hidden"
    assert damage["place"].endswith(f"{segment.name}:1")
    forged.unlink()
    assert varves("verify").code == 0
    assert kept in varves("recall", "approvals").out


def test_a_real_purge_is_not_taken_for_a_forged_one(project, varves):
    kept = varves("remember", "Deploys need two approvals", "--json").json["id"]
    [segment] = (project / ".varves/log").glob("*/*.jsonl")
    old = segment.read_bytes()
    assert varves("purge", kept, "--reason", "x", "--yes").code == 0
    segment.with_name("20261115-aaaaaa-aaaaaaaaaa.jsonl").write_bytes(old)
    found = varves("verify", "--json")
    assert [one["rule"] for one in found.json["damage"]] == ["unpurged"]
    assert varves("doctor", "--fix").code == 0
    assert varves("verify").code == 0
