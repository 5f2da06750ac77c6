"""A name in the settings that nobody reads is said, with the one that may have been meant."""

from __future__ import annotations

import json

import pytest

PATH = ".varves/settings.toml"


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ('captur = "off"', ["'captur' is unknown and has no effect; did you mean capture?"]),
        ("[team.core]\nroot = 'x'", ["'team' is unknown and has no effect; did you mean teams?"]),
        ("[Hooks]\n", ["'Hooks' is unknown and has no effect; did you mean hooks?"]),
        (
            "[hooks]\nprotocol = []",
            ["'hooks.protocol' is unknown and has no effect; did you mean hooks.protocols?"],
        ),
        (
            "[teams.core]\nrot = 'x'",
            [
                "invalid and without effect: team 'core' has no folder: root is not set (write",
                "'teams.core.rot' is unknown and has no effect; did you mean teams.core.root?",
            ],
        ),
        ("[future]\nanswer = 42", ["'future' is unknown and has no effect"]),
    ],
)
def test_it_is_said_once_on_stderr_and_by_the_doctor(project, varves, text, said):
    assert varves("init").code == 0
    (project / PATH).write_text(f"{text}\n", encoding="utf-8")
    done = varves("remember", "Deploys are on Friday")
    (line,) = done.err.splitlines()
    assert (done.code, line[: len(PATH) + 10]) == (0, f"varves: {PATH}: ")
    assert all(wanted in line for wanted in said)
    told = varves("doctor", "--json")
    invalid = [one["message"] for one in told.json["findings"] if one["rule"] == "settings"]
    assert (told.code, told.err) == (1 if invalid else 0, "")
    assert all(reason in line for reason in invalid)
    noted = [one.removeprefix(f"{PATH}: ") for one in told.json["notes"] if one.startswith(PATH)]
    assert len(invalid) + len(noted) == len(said)
    assert line.endswith("; ".join(noted))


@pytest.mark.parametrize("json_too", [(), ("--json",)], ids=["text", "json"])
def test_several_unknown_names_are_one_line(project, varves, json_too):
    assert varves("init").code == 0
    (project / PATH).write_text("format = 1\nversion = 2\n", encoding="utf-8")
    done = varves("list", *json_too)
    assert done.code == 0
    said = [f"'{name}' is unknown and has no effect" for name in ("format", "version")]
    assert done.err == f"varves: {PATH}: {'; '.join(said)}\n"


def test_hooks_and_known_names_are_silent(project, varves):
    assert varves("init").code == 0
    (project / PATH).write_text("captur = 1\n", encoding="utf-8")
    sent = json.dumps({"session_id": "s", "prompt": "Friday?", "cwd": str(project)})
    said = varves("hook", "UserPromptSubmit", "--client", "claude", stdin=sent)
    assert (said.code, said.err) == (0, "")
    (project / PATH).write_text(
        "mode = 'durable'\nstrict = false\nshare = 'branch'\nusage = true\ndense = false\n"
        "capture = 'off'\nbridges = []\n[hooks]\ncapture = 'off'\nprotocols = []\n[model]\n"
        "[party]\n[layers]\n[scoped]\n[hivemind]\n[deliberation]\n",
        encoding="utf-8",
    )
    assert varves("remember", "Deploys are on Friday").err == ""
