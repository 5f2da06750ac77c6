"""A protocol's table in the settings: what is wrong in it stops that protocol's verbs alone."""

from __future__ import annotations

import json
from functools import partial

import pytest

PATH = ".varves/settings.toml"
FIRST = {
    "party": ("party", "validate"),
    "layers": ("layers", "drafts"),
    "scoped": ("scoped", "proposals"),
    "hivemind": ("hivemind", "search", "deploys"),
    "deliberation": ("deliberation", "list"),
}
LARGE = 10**22
BAD = {
    f"[hivemind]\ntop = {LARGE}": "[hivemind] top is not below 1000000000",
    "[hivemind]\nsession_hours = 1e308": "[hivemind] session_hours is not below 1000000000",
    "[hivemind]\nconsolidate_days = inf": "[hivemind] consolidate_days is not below 1000000000",
    "[hivemind]\ntop = 0": "[hivemind] top is not more than 0",
    "[party]\nfloor = 2": "[party] floor is not from 0 to 1",
    "[layers]\nzone = 'Mars/Olympus'": "[layers] zone is not a zone such as UTC",
    "[scoped]\nbudget = 999": "[scoped] budget is not from 1000 to 5000",
    "[scoped]\nteams = ['../x']": "'../x'",
    "[deliberation]\nfolder = 5": "[deliberation] folder is not a text",
    "[deliberation]\ndecision_patterns = ['(']": "decision_patterns, number 1",
}


@pytest.fixture
def varves(varves):
    """Give the command line without Python's own remark about the package `regex`."""
    return partial(varves, env={"PYTHONWARNDEFAULTENCODING": ""})


@pytest.fixture
def cloned(project, varves):
    """Give a project that speaks two protocols, in which somebody else writes the settings."""
    assert varves("init").code == 0
    assert varves("remember", "Deploys are on Friday").code == 0
    wrote = ("scoped", "write", "project", "--type", "decision", "--content", "We use Valkey")
    assert varves(*wrote).code == 0
    return lambda text: (project / PATH).write_text(f"{text}\n", encoding="utf-8")


@pytest.mark.full_size(sample=1)
@pytest.mark.parametrize("text", BAD)
def test_a_bad_value_stops_the_verbs_of_its_protocol_alone(cloned, varves, project, text):
    cloned(text)
    own = text[1:].partition("]")[0]
    refused = varves(*FIRST[own])
    assert (refused.code, refused.out) == (5, "")
    assert BAD[text] in refused.err
    assert refused.err.startswith(f"varves: {PATH}: ")
    assert refused.err.count("\n") == 1
    for verb in (("status",), ("remember", "Tea is at four"), ("recall", "deploys"), ("rebuild",)):
        done = varves(*verb)
        assert (done.code, done.err) == (0, ""), verb
    for name, verb in FIRST.items():
        assert name == own or varves(*verb).code in (0, 1), verb
    told = varves("doctor", "--json")
    assert told.code == 1
    [finding] = [one for one in told.json["findings"] if one["rule"] == "settings"]
    assert finding["place"] == PATH
    assert BAD[text] in finding["message"]


@pytest.mark.full_size(sample=1)
@pytest.mark.parametrize("name", FIRST)
def test_an_unknown_name_is_said_and_has_no_effect(cloned, varves, project, name):
    cloned(f"[{name}]\nwrite_throug = 1\nx = 1")
    unknown = [
        f"{PATH}: '{name}.write_throug' is unknown and has no effect",
        f"{PATH}: '{name}.x' is unknown and has no effect",
    ]
    for verb in (("status",), FIRST[name], ("remember", "Tea is at four")):
        done = varves(*verb)
        assert done.code == 0
        (line,) = done.err.splitlines()
        assert line.startswith(f"varves: {unknown[0]}"), verb
        assert unknown[1].removeprefix(f"{PATH}: ") in line, verb
    told = varves("doctor", "--json")
    assert (told.code, told.err) == (0, "")
    notes = [one for one in told.json["notes"] if one.startswith(PATH)]
    assert [note[: len(line)] for note, line in zip(notes, unknown, strict=True)] == unknown


def test_what_is_sound_in_a_table_counts_beside_what_is_not(cloned, varves, project):
    """A purge must know where a protocol keeps its files, whatever else stands in its table."""
    cloned("[deliberation]\nfolder = 'talks'")
    assert varves("deliberation", "new", "talk", "--agents", "ada,ben").code == 0
    decided = ("deliberation", "decide", "cache", "We use Valkey", "--agent", "ada", "--json")
    assert varves(*decided).code == 0
    kept = project / "talks/talk/memory.json"
    assert "Valkey" in kept.read_text(encoding="utf-8")
    [found] = [
        one["id"]
        for one in varves("list", "--private", "--json").json["memories"]
        if "Valkey" in one["text"] and one["id"].startswith("mem_")
    ][:1]
    cloned("[deliberation]\nfolder = 'talks'\nsummary_interval = 0")
    assert varves("purge", found, "--reason", "wrong", "--yes").code == 0
    assert "Valkey" not in kept.read_text(encoding="utf-8")


def test_hooks_go_on_beside_a_bad_value(cloned, varves, project):
    cloned("[hivemind]\ntop = 0\n[hooks]\nprotocols = ['hivemind']")
    assert varves("trust", "--settings", "--yes").code == 0
    sent = {"session_id": "s", "hook_event_name": "SessionStart", "source": "startup"}
    payload = json.dumps(sent | {"cwd": str(project)})
    said = varves("hook", "SessionStart", "--client", "claude", stdin=payload)
    assert (said.code, said.err) == (0, "")
    assert "Friday" in said.out
