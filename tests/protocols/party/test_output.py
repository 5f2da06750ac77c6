"""What the commands say: the outcome first, few words, and nothing that carries nothing."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

import varves as package
from tests.house.speech import EMOJI, FILLER, HEADERS, POLITE

SOURCE = Path(package.__file__).parent
NOW = {"VARVES_NOW": "2026-11-15T09:00:00Z"}
HELD = ("--type", "context", "--content", "Ops run Redis", "--confidence", "1.0")
DIALOGUE: list[tuple[tuple[str, ...], str]] = [
    # What is typed after `varves party`, and all it prints on stdout.
    (("init",), "ROOT ready\n  created _mdan/state/sidecars\n"),
    (("init",), "ROOT ready\n"),
    (
        ("start", "--agents", "ada,noa", "--topic", "caches"),
        "ada:\nFirst session for this agent — no prior memories\n\n"
        "noa:\nFirst session for this agent — no prior memories\n",
    ),
    (("say", "ada", "I prefer one store. I agree with noa."), "turn 1\n"),
    (("say", "ada", "Noa is right."), "turn 2\n"),
    (("remember", "ada", *HELD), "mem_1 held until the party ends\n"),
    (
        ("decide", "Use Redis", "--pro", "noa", "--contra", "ada"),
        "DR-001 accepted: ada lost, noa won\n",
    ),
    (
        ("end",),
        "session 2026-11-15-party ended\n"
        "ada  3 added, agrees_with noa 2, 1 decision\n"
        "noa  1 added, 1 decision\n",
    ),
    (("end",), "session 2026-11-15-party had ended\n"),
    (
        ("start", "--agents", "ada"),
        "📝 Your memories from previous sessions:\n"
        "- [preference] I prefer one store (confidence: 1.0)\n"
        "- [context] Ops run Redis (confidence: 1.0)\n"
        "- [decision] Use Redis (confidence: 1.0)\n"
        "🤝 Relationship notes:\n"
        "agrees_with: noa\n",
    ),
    (("reference", "ada", "mem_1"), "mem_1 referenced by ada\n"),
    (
        ("prompt", "ada", "--topic", "a store"),
        "ada, based on your experience from previous sessions...\nmem_2  I prefer one store\n",
    ),
    (("prompt", "ada", "--topic", "the colour of the door"), ""),
    (("end",), "session 2026-11-15-party-2 ended\nada  1 boosted\n"),
    (
        ("show", "ada"),
        "ada  2 sessions  _mdan/state/sidecars/ada.sidecar.json\n"
        "mem_2  [preference] I prefer one store\n  confidence 1.0 · 2026-11-15\n"
        "mem_1  [context] Ops run Redis\n  confidence 1.0 · 2026-11-15\n"
        "mem_3  [decision] Use Redis\n  confidence 1.0 · 2026-11-15\n"
        "agrees_with  noa\n"
        "DR-001  opponent  against  lost\n",
    ),
    (
        ("list",),
        "ada  2 sessions, 3 memories\n  agrees_with noa (2 times)\nnoa  1 session, 1 memory\n",
    ),
    (("recover",), ""),
    (("validate",), "ok\n"),
]
WORDS = {
    # The most words a command may take to say it.
    "init": 5,
    "say": 2,
    "remember": 6,
    "decide": 6,
    "reference": 4,
    "prompt": 13,
    "end": 18,
    "recover": 18,
    "validate": 1,
}
LINES = {"say": 1, "remember": 1, "decide": 1, "reference": 1, "validate": 1}


class Told:
    """What the commands of the dialogue said, with ids and the place in plain words."""

    def __init__(self, varves, root):
        self.names = {}
        self.root = str(root)
        self.lines = []
        for typed, expected in DIALOGUE:
            real = {plain: name for name, plain in self.names.items()}
            answer = varves("party", *(real.get(word, word) for word in typed), env=NOW)
            assert answer.code == 0, answer.err
            self.lines.append((typed, self.plain(answer.out), expected, answer.err))

    def plain(self, text):
        text = text.replace(self.root, "ROOT")
        return re.sub(r"mem_[0-9a-z]{12}", self.name, text)

    def name(self, found):
        return self.names.setdefault(found[0], f"mem_{len(self.names) + 1}")


@pytest.mark.requirement("S0-51", "S0-54", "S0-55", "S0-57", "S0-59")
def test_every_command_says_what_it_did_in_few_words_and_no_more(varves, project):
    told = Told(varves, project).lines
    assert {typed[0] for typed, *_ in told} == verbs()
    for typed, out, expected, err in told:
        assert out == expected, typed
        lines = out.splitlines()
        assert all(line.strip() for line in lines if typed[0] != "start"), typed
        assert len(out.split()) <= WORDS.get(typed[0], 99), typed
        assert len(lines) <= LINES.get(typed[0], 99), typed
        for line in [*lines, *err.splitlines()]:
            assert line in HEADERS or not EMOJI.search(line), line
            assert not FILLER.search(line), line
            assert not POLITE.search(line), line


def verbs():
    """Return the protocol's commands."""
    from varves.cli.table import every_verb

    return {name.split()[1] for name in every_verb() if name.startswith("party ")}


@pytest.mark.requirement("S0-59")
def test_the_plain_block_has_no_emoji(varves):
    varves("party", "start", "--agents", "ada")
    varves("party", "end")
    answer = varves("party", "start", "--agents", "ada", "--plain")
    assert answer.out == "Your memories from previous sessions:\nRelationship notes:\n"
    assert not EMOJI.search(answer.out + answer.err)


@pytest.mark.requirement("S0-52", "S0-56")
def test_no_help_is_filler_or_politeness(varves):
    """What the source says otherwise is for `tests/house/speech.py` to see."""
    for verb in sorted(verbs()):
        page = varves("party", verb, "--help").out
        assert page
        assert not FILLER.search(page), verb
        assert not POLITE.search(page), verb


@pytest.mark.requirement("S0-53", "S0-54")
def test_a_command_that_is_refused_says_nothing_on_stdout(varves):
    varves("party", "start", "--agents", "ada")
    answer = varves("party", "say", "eve", "I prefer tabs")
    assert (answer.code, answer.out) == (3, "")
    assert len(answer.err.splitlines()) == 1


@pytest.mark.requirement("S0-53")
def test_a_command_speaks_after_it_has_acted(varves, project):
    varves("party", "start", "--agents", "ada")
    varves("party", "say", "ada", "I prefer tabs")
    reader, writer = os.pipe()
    os.close(reader)  # nobody listens: the first word it says is its last
    with os.fdopen(writer, "wb") as nobody:
        command = [sys.executable, "-m", "varves", "party", "end"]
        subprocess.run(command, cwd=project, stdout=nobody, stderr=subprocess.DEVNULL, check=False)
    sidecar = project / "_mdan" / "state" / "sidecars" / "ada.sidecar.json"
    assert "I prefer tabs" in sidecar.read_text(encoding="utf-8")
    assert varves("party", "end").out.endswith("had ended\n")


@pytest.mark.requirement("S0-58")
def test_details_come_only_when_they_are_asked_for(varves):
    varves("party", "start", "--agents", "ada", env=NOW)
    varves("party", "say", "ada", "I prefer tabs", env=NOW)
    told = varves("party", "say", "ada", "I noticed that it rains", "--json", env=NOW)
    assert {"session", "event", "turn", "agent", "type"} <= told.json.keys()
    ended = varves("party", "end", env=NOW)
    assert ended.out == "session 2026-11-15-party ended\nada  2 added\n"
    shown = varves("party", "show", "ada")
    assert "I prefer tabs" in shown.out
    assert "confidence 0.6" in shown.out
