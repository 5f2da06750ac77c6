"""The plugin for OpenCode, played with by a script instead of OpenCode."""

from __future__ import annotations

import json
import shutil
import subprocess
from pathlib import Path

import pytest

from varves.hosts.install.agents import KIT

NODE = shutil.which("node")
PLAY = """
const { Varves } = await import(process.argv[2]);
const hooks = await Varves({ directory: process.cwd() });
const system = async (sessionID) => {
  const output = { system: ["base"] };
  await hooks["experimental.chat.system.transform"]({ sessionID }, output);
  return output.system;
};
const event = (type, properties) => hooks.event({ event: { type, properties } });
await event("session.created", { info: { id: "s1" } });
await event("session.created", { info: { id: "sub", parentID: "s1" } });
const parts = [{ id: "p1", type: "text", text: "Use Zod" }];
await hooks["chat.message"]({ sessionID: "s1" }, { message: { id: "m1" }, parts });
await event("message.part.updated", { part: { ...parts[0], sessionID: "s1", messageID: "m1" } });
await event("message.updated", { info: { id: "m2", sessionID: "s1", role: "assistant" } });
const said = { id: "p2", type: "text", text: "Will do", sessionID: "s1", messageID: "m2" };
await event("message.part.updated", { part: said });
const call = { tool: "write", sessionID: "s1", args: { filePath: "a.ts" } };
await hooks["tool.execute.after"](call, { output: "done", metadata: { exit: 0 } });
const first = await system("s1");
await event("session.idle", { sessionID: "s1" });
await event("session.idle", { sessionID: "sub" });
const compacted = { context: [] };
await hooks["experimental.session.compacting"]({ sessionID: "s1" }, compacted);
await event("session.compacted", { sessionID: "s1" });
await event("unheard.of", undefined);
console.log(JSON.stringify([first, compacted.context, await system("s1"), await system("s2")]));
"""


@pytest.fixture
def play(tmp_path):
    if NODE is None:
        pytest.skip("node is not installed")

    def run(script: str) -> tuple[list, list]:
        program = tmp_path / "varves"
        program.write_text(f"#!/bin/sh\n{script}\n", encoding="utf-8")
        program.chmod(0o755)
        source = (Path(KIT) / "opencode/varves.js").read_text(encoding="utf-8")
        plugin = tmp_path / "varves.mjs"
        plugin.write_text(source.replace('["varves"]', json.dumps([str(program)])), "utf-8")
        (tmp_path / "play.mjs").write_text(PLAY, encoding="utf-8")
        done = subprocess.run(
            [NODE, "play.mjs", str(plugin)],
            cwd=tmp_path,
            capture_output=True,
            check=True,
            timeout=60,
            encoding="utf-8",
        )
        log = tmp_path / "log"
        lines = log.read_text(encoding="utf-8").splitlines() if log.exists() else []
        return json.loads(done.stdout), [json.loads(line) for line in lines]

    return run


def test_what_is_told_reaches_the_system_prompt_and_what_is_said_reaches_us(play):
    told, heard = play('cat >> log; echo >> log; echo "told at $2"')
    assert told == [
        ["base", "told at session.created", "told at chat.message"],
        ["told at experimental.session.compacting"],
        ["base", "told at session.compacted"],
        ["base"],
    ]
    assert [one["hook_event_name"] for one in heard] == [
        "session.created",
        "chat.message",
        "tool.execute.after",
        "session.idle",
        "experimental.session.compacting",
        "session.compacted",
    ]
    assert {one["session_id"] for one in heard} == {"s1"}
    assert heard[1]["prompt"] == "Use Zod"
    assert heard[3]["messages"] == [
        {"role": "user", "text": "Use Zod", "key": "m1"},
        {"role": "assistant", "text": "Will do", "key": "m2"},
    ]


def test_a_program_that_fails_is_as_none(play):
    told, _ = play("echo half an answer; exit 3")
    assert told == [["base"], [], ["base"], ["base"]]
