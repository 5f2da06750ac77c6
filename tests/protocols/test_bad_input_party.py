"""Bad input to a party: one clear line, a fixed exit code, and every byte as it was."""

from __future__ import annotations

import json
import os
import shutil
import subprocess

import pytest

from tests.protocols.test_bad_input import LARGE, assert_refused, seal
from tests.protocols.test_bad_input_layers import assert_told_both_ways, everything

__all__ = ["seal"]

SIDECARS = "_mdan/state/sidecars"
STATE = "_mdan/state/MDAN-STATE.json"
ADA = f"{SIDECARS}/ada.sidecar.json"
BEN = f"{SIDECARS}/ben.sidecar.json"
START = ("party", "start", "--agents", "ada,ben")
REMEMBER = ("party", "remember", "ada", "--type", "context")
SURE = ("--confidence", "0.9")


def remember(content: str, kind: str = "context", confidence: str = "0.9") -> tuple[str, ...]:
    """Return the words of one explicit memory."""
    return (
        *("party", "remember", "ada", "--type", kind),
        *("--content", content, f"--confidence={confidence}"),
    )


@pytest.fixture
def store(project, home, cli):
    """Give a project after one party, with a second one going on."""
    assert cli(*START).code == 0
    assert cli(*remember("Redis is run by ops")).code == 0
    assert cli("party", "end").code == 0
    assert cli(*START).code == 0
    assert cli("party", "say", "ada", "Sessions could live in Redis").code == 0
    before = everything(project, home)
    assert {"ada.sidecar.json", "ben.sidecar.json", "MDAN-STATE.json"} <= {
        os.path.basename(name) for name in before
    }
    return before


NAMES = {
    f"{verb[1]} {name}": (*verb, name, *more)
    for name in ("../../x", "CON", "a/b", ".", "")
    for verb, more in (
        (("party", "start", "--agents"), ()),
        (("party", "say"), ("hello",)),
        (("party", "remember"), ("--type", "context", "--content", "x", *SURE)),
        (("party", "reference"), ("mem_4k2m9x7q1c5d",)),
        (("party", "prompt"), ("--topic", "x")),
        (("party", "show"), ()),
        (("party", "decide", "x", "--pro"), ()),
    )
}
RULES = {
    "names that differ in case": ("party", "start", "--agents", "ada,Ada"),
    "session that is a path": ("--session", "../evil", "party", "start", "--agents", "noa"),
    "no agents": ("party", "start", "--agents", ",,"),
    "one name unsafe": ("party", "start", "--agents", "ada,../../evil"),
    "one name reserved": ("party", "start", "--agents", "ada,CON"),
    "blank turn": ("party", "say", "ada", " "),
    "somebody else speaks": ("party", "say", "noa", "I was not asked"),
    "to somebody else": ("party", "say", "ada", "hello", "--to", "noa"),
    "unknown turn": ("party", "say", "ada", "hello", "--type", "song"),
    "101 characters": remember("x" * 101),
    "blank memory": remember(" "),
    "unknown type": remember("x", kind="idea"),
    "too unsure": remember("x", confidence="0.49"),
    "too sure": remember("x", confidence="1.01"),
    "not a number": remember("x", confidence="nan"),
    "a word": remember("x", confidence="high"),
    "for somebody else": (*("party", "remember", "noa"), *remember("x")[3:]),
    "blank decision": ("party", "decide", " "),
    "unknown outcome": ("party", "decide", "x", "--outcome", "maybe"),
    "proponent from outside": ("party", "decide", "x", "--pro", "noa"),
    "opponent from outside": ("party", "decide", "x", "--contra", "noa"),
    "for and against": ("party", "decide", "x", "--pro", "ada", "--contra", "ada"),
    "position of nobody": ("party", "decide", "x", "--position", "noa=never"),
    "position without text": ("party", "decide", "x", "--position", "ada="),
    "position without agent": ("party", "decide", "x", "--position", "one store"),
    "number that is a path": ("party", "decide", "x", "--id", "../DR-001"),
    "blank topic": ("party", "prompt", "ada", "--topic", " "),
}
MISSING = {
    "memory": ("party", "reference", "ada", "mem_4k2m9x7q1c5d"),
    "agent": ("party", "show", "noa"),
}


@pytest.mark.full_size(sample=1)
@pytest.mark.parametrize("cases", [RULES, NAMES], ids=["rules", "names"])
def test_what_breaks_a_rule_is_refused_and_nothing_is_written(cases, store, cli, project, home):
    for case, argv in cases.items():
        assert_told_both_ways(cli, argv, (2, 3))
        assert everything(project, home) == store, case
    assert not list(project.parent.rglob("*evil*"))


def test_where_nothing_is_yet_a_refusal_makes_nothing(cli, project, home):
    silent = {"blank topic"}
    for case, argv in {**RULES, **NAMES, **MISSING}.items():
        if case in silent:
            continue
        assert_refused(cli(*argv), (2, 3, 4))
        assert everything(project, home) == {}, case
        assert [path.name for path in project.iterdir()] == [".git"], case


def test_what_is_not_there_is_not_found(store, cli, project, home):
    for case, argv in MISSING.items():
        assert_told_both_ways(cli, argv, (4,))
        assert everything(project, home) == store, case


def test_a_memory_of_another_agent_is_not_to_be_referenced(store, cli, project, home):
    (memory,) = (one["id"] for one in cli("list", "--json").json["memories"])
    assert_refused(cli("party", "reference", "ben", memory), (3, 4))
    assert everything(project, home) == store


@pytest.mark.parametrize(
    "argv",
    [("party", "say", "ada", "x"), remember("x"), ("party", "decide", "x"), ("party", "end")],
    ids=lambda argv: argv[1],
)
def test_without_a_party_there_is_nothing_to_do(argv, cli, project, home):
    assert_refused(cli(*argv), (3, 4))
    assert everything(project, home) == {}


def test_101_characters_are_refused_with_their_number(store, cli):
    said = cli(*remember("x" * 101))
    assert (said.code, "101" in said.err) == (3, True)
    assert cli(*remember("y" * 100)).code == 0


@pytest.mark.full_size(sample=1)
@pytest.mark.parametrize(
    "argv",
    [("party", "say", "ada", "-"), (*REMEMBER, "--content", "-", *SURE), ("party", "decide", "-")],
    ids=lambda argv: argv[1],
)
def test_stdin_that_is_not_utf8_or_too_long_is_refused(argv, store, cli, project, home):
    assert_refused(cli(*argv, stdin=b"caf\xe9"), (2,))
    assert_refused(cli(*argv, stdin=LARGE), (3,))
    assert everything(project, home) == store


# Files that are not what they should be


BROKEN = {
    "not JSON": b"{",
    "empty": b"",
    "a list": b"[]",
    "not UTF-8": b'{"agent": "caf\xe9"}',
    "deep": b"[" * 50_000,
    "conflict": b"<<<<<<< HEAD\n{}\n=======\n{}\n>>>>>>> other\n",
    "memories of text": b'{"agent": "ada", "memories": "none"}',
}


def test_a_sidecar_that_cannot_be_read_is_never_written_over(store, cli, project, home):
    for case, content in BROKEN.items():
        (project / ADA).write_bytes(content)
        before = everything(project, home)
        assert ADA in assert_told_both_ways(cli, START, (5,)), case
        assert everything(project, home) == before, case
        found = cli("party", "validate", "--json")
        assert (found.code, ADA in found.out) == (1, True), case
    (project / ADA).write_bytes(store[str(project / ADA)])
    assert cli(*START).code == 0


def told_in(path) -> list[str]:
    """Return what the memories of a sidecar say."""
    return [one["content"] for one in json.loads(path.read_bytes())["memories"]]


def leave(path) -> None:
    """Leave the mended file as it is."""


def add_by_hand(path) -> None:
    """Add a memory of one's own to the mended file."""
    document = json.loads(path.read_bytes())
    own = {"type": "context", "source_session": "2026-01-01", "confidence": 0.8}
    document["memories"].append({**own, "content": "Written by hand"})
    path.write_text(json.dumps(document), encoding="utf-8")


BETWEEN = {"nothing": ("status",), "a rebuild": ("rebuild",), "another end": (*START[:3], "ben")}


@pytest.mark.full_size(sample=1)
@pytest.mark.requirement("U-14")
@pytest.mark.parametrize("case", BROKEN)
def test_a_party_ends_for_all_others_beside_such_a_sidecar(case, store, cli, project):
    assert cli(*remember("Ports are scarce")).code == 0
    assert cli("party", "remember", "ben", *remember("Disks are slow")[3:]).code == 0
    (project / ADA).write_bytes(BROKEN[case])
    said = cli("party", "end")
    assert (said.code, f"{ADA} cannot be read" in said.err) == (0, True), said
    assert "Traceback" not in said.err
    assert (project / ADA).read_bytes() == BROKEN[case]
    assert told_in(project / BEN) == ["Disks are slow"]
    recorded = [one["text"] for one in cli("list", "--json").json["memories"]]
    assert recorded.count("Ports are scarce") == 1
    again = cli("party", "end")
    assert (again.code, "had ended" in again.out) == (0, True), again
    (project / ADA).write_bytes(store[str(project / ADA)])
    assert cli("rebuild").code == 0
    assert told_in(project / ADA) == ["Redis is run by ops", "Ports are scarce"]
    assert cli("party", "validate").code == 0


@pytest.mark.full_size(sample=1)
@pytest.mark.product
@pytest.mark.parametrize("committed", [True, False], ids=["committed", "not committed"])
@pytest.mark.parametrize("mend", [leave, add_by_hand])
@pytest.mark.parametrize("between", BETWEEN)
def test_a_mended_sidecar_shows_what_was_learned_meanwhile(
    between, mend, committed, store, cli, project
):
    if committed:
        for words in (("add", "--all"), ("commit", "--quiet", "--message", "all")):
            subprocess.run(["git", *words], cwd=project, check=True)
    assert cli(*remember("Ports are scarce")).code == 0
    good = (project / ADA).read_bytes()
    (project / ADA).write_bytes(b"{")
    assert cli("party", "end").code == 0
    assert cli(*BETWEEN[between]).code == 0
    if between == "another end":
        assert cli("party", "end").code == 0
    (project / ADA).write_bytes(good)
    mend(project / ADA)
    assert cli(*START).code == 0
    learned = ["Redis is run by ops", "Ports are scarce"]
    own = ["Written by hand"] if mend is add_by_hand else []
    assert sorted(told_in(project / ADA)) == sorted(learned + own)
    assert cli("party", "validate").code == 0
    assert cli("verify", "--deep").code == 0


def test_a_sidecar_that_is_taken_away_instead_is_made_again(store, cli, project):
    assert cli(*remember("Ports are scarce")).code == 0
    (project / ADA).write_bytes(b"{")
    assert cli("party", "end").code == 0
    (project / ADA).unlink()
    assert cli(*START).code == 0
    assert told_in(project / ADA) == ["Redis is run by ops", "Ports are scarce"]


def test_a_party_of_others_begins_in_spite_of_such_a_sidecar_and_says_so(store, cli, project):
    for case, content in BROKEN.items():
        (project / ADA).write_bytes(content)
        said = cli("party", "start", "--agents", "noa")
        assert (said.code, f"{ADA} cannot be read" in said.err) == (0, True), case
        assert "Traceback" not in said.err, case
        assert (project / ADA).read_bytes() == content, case


@pytest.mark.full_size(sample=1)
@pytest.mark.parametrize("content", [b"{", b"[]", b"\xff"], ids=["not JSON", "list", "not UTF-8"])
def test_a_state_file_that_cannot_be_read_is_never_written_over(content, store, cli, project):
    (project / STATE).write_bytes(content)
    said = cli("party", "end")
    assert "Traceback" not in said.err
    assert STATE in said.err
    assert (project / STATE).read_bytes() == content


def test_a_sidecar_that_may_not_be_written_is_refused(store, cli, project, home):
    (project / ADA).chmod(0o444)
    assert_refused(cli("party", "end"), (3,))
    assert everything(project, home) == store
    (project / ADA).chmod(0o644)
    assert cli("party", "end").code == 0


def test_a_read_only_folder_is_refused(store, cli, project, home, seal):
    seal(project / SIDECARS)
    assert_refused(cli("party", "end"), (3,))
    assert everything(project, home) == store


def test_a_link_is_not_written_through(store, cli, project, home, tmp_path):
    outside = tmp_path / "outside.json"
    shutil.move(project / ADA, outside)
    (project / ADA).symlink_to(outside)
    kept = outside.read_bytes()
    said = cli("party", "end")
    assert "Traceback" not in said.err
    assert outside.read_bytes() == kept


def test_a_folder_that_is_a_link_is_not_written_through(cli, project, home, tmp_path):
    outside = tmp_path / "outside"
    outside.mkdir()
    (project / "_mdan").symlink_to(outside)
    assert_refused(cli(*START), (3,))
    assert list(outside.iterdir()) == []


# Settings


@pytest.mark.full_size(sample=1)
@pytest.mark.parametrize(
    "line", ["cap = 0", 'cap = "many"', "cap = true", "floor = 2", "floor = -0.1"]
)
def test_a_setting_that_makes_no_sense_is_named(line, store, cli, project, home):
    (project / ".varves/settings.toml").write_text(f"[party]\n{line}\n", encoding="utf-8")
    before = everything(project, home)
    for argv in (("party", "end"), START, ("party", "validate")):
        assert line.split()[0] in assert_told_both_ways(cli, argv, (5,))
        assert everything(project, home) == before


def test_after_a_refusal_the_party_goes_on(store, cli):
    assert cli(*remember("x" * 101)).code == 3
    assert cli(*remember("Ports are scarce")).code == 0
    assert cli("party", "end").code == 0
    assert json.loads(cli("party", "validate", "--json").out)["ok"]
    assert cli("verify", "--deep").code == 0
