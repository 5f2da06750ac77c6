"""Golden dialogues: what the command line says, word for word. VARVES_UPDATE=1 writes them anew."""

from __future__ import annotations

import os
import re
from pathlib import Path

import pytest

from tests.transcripts.dialogue import Dialogue
from varves.cli.table import PROTOCOLS, every_verb, is_begun

HERE = Path(__file__).parent
UPDATE = bool(os.environ.get("VARVES_UPDATE"))
DIALOGUES = sorted(path for path in HERE.glob("*.txt") if path.stem != "help")
NUMBER = re.compile(
    r"\b\d+\.\d\d\b(?=  \S)|(?<=\"score\": )[\d.]+|(?<=score\":)[\d.]+|(?<=score\\\\\":)[\d.]+"
    r"|[+-]\d+\.\d\d(?: \(-?\d+\.\d\d\*-?\d+\.\d\d\))?|(?<=\w )-?\d+\.\d\d(?=,|$)"
    # of a briefing, and of all that is shown at a moment: random ids cost more or less
    r"|(?<=\"tokens\": )[\d]+(?=, \"ids\")|(?<=\"\], \"tokens\": )[\d]+|(?<=1 memory, )[\d]+",
    re.MULTILINE,
)
REASONS = re.compile(r'"reasons": \{[^}]*\}')


def without_scores(text: str) -> str:
    """Leave out scores and what they are made of: no promise, and they differ between SQLites."""
    text = REASONS.sub(lambda found: re.sub(r"-?\d+\.\d+", "N", found[0]), text)
    return NUMBER.sub("N", text)


def check_golden(path: Path, told: str) -> None:
    """Hold a text against its file, or write the file where that was asked for."""
    if UPDATE:
        path.write_text(told, encoding="utf-8")
    assert told == path.read_text(encoding="utf-8"), "VARVES_UPDATE=1 pytest tests/transcripts"


@pytest.mark.parametrize("path", DIALOGUES, ids=lambda path: path.stem)
def test_the_dialogue_goes_as_written(project, cli, monkeypatch, path):
    monkeypatch.setenv("VARVES_NOW", "2026-11-15T06:20:00Z")
    told = Dialogue(project, cli).play(path.read_text(encoding="utf-8"))
    check_golden(path, without_scores(told))


def test_every_verb_explains_itself(project, cli):
    sessions = [begun for name in PROTOCOLS if is_begun(begun := f"{name} session")]
    verbs = [*every_verb(), *PROTOCOLS, *sessions]
    pages = [["--help"], *([*verb.split(), "--help"] for verb in verbs)]
    told = []
    for argv in pages:
        answer = cli(*argv)
        assert (answer.code, answer.err) == (0, "")
        told.append(f"$ varves {' '.join(argv)}\n{answer.out}")
    check_golden(HERE / "help.txt", "\n".join(told))


def test_every_verb_and_every_option_has_its_place_in_a_dialogue():
    """What nobody wrote down, nobody would miss."""
    typed = [
        line
        for path in DIALOGUES
        for line in path.read_text(encoding="utf-8").splitlines()
        if line.startswith("$ varves ")
    ]
    missing = []
    for verb, shape in every_verb().items():
        lines = [line for line in typed if f" {verb}" in line]
        missing += [] if lines else [verb]
        unused = {option[0] for option in shape.options if not any(option[0] in x for x in lines)}
        missing += sorted(f"{verb} {option}" for option in unused - SHOWN_ELSEWHERE)
    assert not missing


SHOWN_ELSEWHERE = {
    "--allow-secret",  # security/test_secrets.py
    "--source",  # security/test_strings.py
    "--follow",  # never ends
    "--local",  # requirements/test_u20_files.py
}
