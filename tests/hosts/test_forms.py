"""Each client's own JSON in, exactly its own form out: golden files, one for each client.

A file holds a conversation: what the client sends at each moment, with the variables it sets, and
what it is answered, byte for byte but for ids and nonces. VARVES_UPDATE=1 writes the answers anew.
"""

from __future__ import annotations

import json
import os
import re
from pathlib import Path

import pytest

from tests.places import local_of

GOLDEN = sorted((Path(__file__).parent / "golden").glob("*.json"))
UPDATE = bool(os.environ.get("VARVES_UPDATE"))
NONCE = re.compile(r"(?<=varves-memory-)[0-9a-f]{32}")
MEMORY = re.compile(r"mem_[0-9a-z]{12}")
STRICT = {"claude", "codex", "gemini"}  # read by one form; Codex refuses an answer with other keys


def plain(text: str, known: dict[str, str]) -> str:
    text = MEMORY.sub(lambda found: known.setdefault(found[0], f"mem_{len(known) + 1}"), text)
    return NONCE.sub("NONCE", text)


@pytest.mark.full_size(sample=2)
@pytest.mark.parametrize("path", GOLDEN, ids=lambda path: path.stem)
def test_a_client_is_answered_in_its_own_form(project, cli, monkeypatch, path):
    monkeypatch.setenv("VARVES_NOW", "2026-11-15T06:20:00Z")
    assert cli("init").code == 0
    assert cli("remember", "Use Zod for all input validation", "--priority", "high").code == 0
    assert cli("remember", "The staging database is called heron").code == 0
    golden = json.loads(path.read_text(encoding="utf-8"))
    for name, value in golden["environment"].items():
        monkeypatch.setenv(name, value.replace("PROJECT", str(project)))
    known: dict[str, str] = {}
    for exchange in golden["exchanges"]:
        sent = json.dumps(exchange["sent"]).replace("PROJECT", str(project)).encode()
        said = cli("hook", *exchange["words"], stdin=sent)
        assert (said.code, said.err) == (0, ""), exchange["words"]
        if path.stem in STRICT and said.out:
            form = json.loads(said.out)
            assert list(form) == ["hookSpecificOutput"]
            assert list(form["hookSpecificOutput"]) == ["hookEventName", "additionalContext"]
        answered = plain(said.out, known).replace(str(project), "PROJECT")
        if UPDATE:
            exchange["answer"] = answered
        assert answered == exchange["answer"], exchange["words"]
    if UPDATE:
        told = json.dumps(golden, indent=2, ensure_ascii=False)
        path.write_text(f"{told}\n", encoding="utf-8")
    log = local_of(project) / "hooks.log"
    assert not log.exists(), log.read_text(encoding="utf-8")
