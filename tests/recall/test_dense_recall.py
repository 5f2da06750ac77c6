"""Meanings are compared where that is asked for and can be done; else the words answer alone."""

from __future__ import annotations

import os
import sqlite3
import subprocess
import sys
from pathlib import Path

import pytest

from tests.architecture.source import loaded_by
from tests.places import local_of
from tests.tables import each_row
from varves.values.text import words

EXTRA = ("numpy", "wordllama")
MAIN = "import sys; from varves.cli.main import main; sys.exit(main())"
NOTES = [
    "The physician prescribed two tablets each morning",
    "The deploy runs on Fridays after lunch",
    "Invoices are numbered from one each year",
    "Bees swarm behind the shed in May",
    "The printer on the second floor is out of paper",
    "Passwords are hashed with argon2",
]
PARAPHRASE = "capsules from the clinic"


@pytest.fixture
def filled(scene):
    for text in NOTES:
        scene.remember(text)
    return scene


def without(package, tmp_path):
    """Return an environment in which a package of the extra cannot be loaded."""
    folder = tmp_path / "hiding"
    folder.mkdir()
    hiding = f"import sys\nsys.modules[{package!r}] = None\n"
    (folder / "sitecustomize.py").write_text(hiding, encoding="utf-8")
    return {"PYTHONPATH": os.pathsep.join([str(folder), os.environ.get("PYTHONPATH", "")])}


def test_what_shares_no_word_with_the_question_is_found_by_its_meaning(filled):
    assert set(words(PARAPHRASE)) & set(words(NOTES[0])) <= {"the"}
    assert filled.texts(PARAPHRASE, dense=False) == []
    assert filled.texts(PARAPHRASE, dense=True)[0] == NOTES[0]


QUESTIONS = [
    ("when does the deploy run", 1),
    ("how are invoices numbered", 2),
    ("where do bees swarm", 3),
    ("what is wrong with the printer", 4),
    ("argon2", 5),
]


@each_row(("query", "place"), QUESTIONS)
def test_what_the_words_find_stays_at_the_top(filled, query, place):
    for dense in (False, True):
        assert filled.texts(query, dense=dense)[0] == NOTES[place]


def test_a_word_of_no_meaning_to_a_model_is_found_by_its_letters(filled):
    filled.remember("Ticket QX-7731 blocks us")
    assert filled.texts("QX-7731", dense=True)[0] == "Ticket QX-7731 blocks us"


def test_meanings_reach_nothing_that_may_not_be_seen(filled):
    old = filled.remember("The medic handed out pills")
    filled.ledger.correct(old, "The medic handed out syrup")
    secret = filled.remember("The doctor treats Ada", tags=["sensitive"])
    bob = filled.opened(actor="bob")
    note = bob.remember("The doctor is expensive", scope="agent").id
    ada = filled.opened(actor="ada")
    found = ada.recall(f"{PARAPHRASE}, tablets or syrup", dense=True, explain=True)
    told = {hit.memory.id: hit.memory.text for hit in found}
    assert {"The medic handed out syrup", NOTES[0]} <= set(told.values())
    assert not {old, secret, note} & set(told)
    assert note not in str(found.explained)


def test_the_past_can_be_compared_too(filled):
    moment = filled.ledger.log()[-1].id
    filled.clock.ms += 1000
    filled.remember("The doctor gave me a medicine")
    found = filled.ledger.recall(PARAPHRASE, dense=True, as_of=moment, explain=True)
    assert found.hits[0].memory.text == NOTES[0]
    assert found.explained["dense"] == f"{len(NOTES)} embedded"
    assert filled.texts(PARAPHRASE, dense=True)[0] == "The doctor gave me a medicine"


def test_unasked_a_warm_process_compares_unless_it_is_told_not_to(filled, monkeypatch):
    for said, found in (("1", NOTES[:1]), ("0", [])):
        monkeypatch.setenv("VARVES_DENSE", said)
        with filled.opened() as ledger:
            assert [hit.memory.text for hit in ledger.recall(PARAPHRASE, k=1)] == found
    monkeypatch.delenv("VARVES_DENSE")
    place = filled.root / ".varves/settings.toml"
    for said, found in (("true", NOTES[:1]), ("false", [])):
        place.write_text(f"dense = {said}\n", encoding="utf-8")
        with filled.opened() as ledger:
            assert [hit.memory.text for hit in ledger.recall(PARAPHRASE, k=1)] == found
    monkeypatch.setenv("VARVES_DENSE", "1")
    with filled.opened() as ledger:  # the environment has the last word
        assert len(ledger.recall(PARAPHRASE, k=1)) == 1
    monkeypatch.setenv("VARVES_DENSE", "0")
    with filled.opened() as ledger:
        assert len(ledger.recall(PARAPHRASE, k=1, dense=True)) == 1


def test_the_command_line_compares_only_where_it_is_told_to(filled, varves):
    filled.ledger.close()
    for said in ("0", "1"):
        env = {"VARVES_DENSE": said}
        assert varves("recall", PARAPHRASE, "--json", env=env).json["hits"] == []
        told = varves("recall", PARAPHRASE, "--dense", "--json", env=env)
        assert (told.code, told.err) == (0, "")
        assert told.json["hits"][0]["text"] == NOTES[0]


def test_without_the_option_the_command_line_loads_no_numpy(filled, monkeypatch):
    filled.ledger.close()
    monkeypatch.setenv("VARVES_DENSE", "1")
    root = Path(filled.root)
    for args in (("recall", "deploy"), ("recall", "deploy", "--explain", "--json")):
        assert not {"numpy", "wordllama"} & set(loaded_by(MAIN, *args, cwd=root))
    assert "numpy" in loaded_by(MAIN, "recall", "deploy", "--dense", cwd=root)


@pytest.mark.full_size(sample=1)
@pytest.mark.parametrize("package", EXTRA)
def test_without_the_extra_the_words_answer_and_one_line_says_so(
    filled, varves_process, tmp_path, package
):
    filled.ledger.close()
    env = without(package, tmp_path)
    plain = varves_process("recall", "when does the deploy run", "--json", env=env)
    told = varves_process("recall", "when does the deploy run", "--dense", "--json", env=env)
    assert (plain.code, told.code, plain.err) == (0, 0, "")
    assert told.err.count("\n") == 1
    assert told.err == "varves: dense: not installed (pip install 'varves[semantic]')\n"
    assert [hit["text"] for hit in told.json["hits"]] == [NOTES[1]]
    explained = varves_process("recall", "deploy", "--dense", "--explain", "--json", env=env).json
    assert "varves[semantic]" in explained["explained"]["dense"]


def test_without_the_extra_a_warm_process_answers_by_words(filled, monkeypatch):
    monkeypatch.setenv("VARVES_DENSE", "1")
    monkeypatch.setitem(sys.modules, "numpy", None)
    with filled.opened() as ledger:
        for dense in (None, True):
            found = ledger.recall("when does the deploy run", dense=dense, explain=True)
            assert [hit.memory.text for hit in found] == [NOTES[1]]
            assert "varves[semantic]" in found.dense
            assert not any("meaning" in row for row in found.explained["weights"].values())


DAMAGE = [
    "update vector set row = randomblob(length(row))",
    "update vector set row = x'00'",
    "update vector set row = null",
    "delete from vector where n % 2",
    "drop table vector",
]


@pytest.mark.full_size(sample=1)
@pytest.mark.parametrize("damage", DAMAGE)
def test_damaged_vectors_change_no_answer(filled, varves, damage):
    filled.ledger.close()
    asked = ("recall", PARAPHRASE, "--dense", "--json")
    first = varves(*asked).json["hits"]
    db = sqlite3.connect(local_of(filled.root) / "index.sqlite")
    with db:
        db.execute(damage)
    db.close()
    again = varves(*asked)
    assert again.code == 0
    assert [hit["id"] for hit in again.json["hits"]] == [hit["id"] for hit in first]
    assert [hit["text"] for hit in varves("recall", "deploy", "--json").json["hits"]] == [NOTES[1]]


def test_a_rebuilt_index_compares_as_before(filled):
    def answer():
        return [(hit.memory.id, hit.score) for hit in filled.ledger.recall(PARAPHRASE, dense=True)]

    first = answer()
    filled.ledger.rebuild()
    assert answer() == first


ASK = """
import sys, varves
with varves.open(sys.argv[1]) as ledger:
    for hit in ledger.recall(sys.argv[2], dense=True):
        print(hit.memory.id, hit.score)
"""


def test_another_process_compares_alike(filled):
    expected = filled.ledger.recall(PARAPHRASE, dense=True)
    filled.ledger.close()
    done = subprocess.run(
        [sys.executable, "-c", ASK, filled.root, PARAPHRASE],
        env={**os.environ, "VARVES_NOW": expected.as_of},
        capture_output=True,
        encoding="utf-8",
        check=True,
    )
    assert done.stdout.splitlines() == [f"{hit.memory.id} {hit.score}" for hit in expected]


def test_an_empty_ledger_has_nothing_to_compare(scene, varves):
    found = scene.ledger.recall("anything", dense=True, explain=True)
    assert (found.hits, found.omitted) == ((), 0)
    told = varves("recall", "anything", "--dense", "--json")
    assert (told.code, told.json["hits"]) == (0, [])


def test_whatever_is_asked_can_be_compared(filled):
    for query in ("\U0001f600", "\u65e5\u672c", "\0", "\ud800", "a" * 100_000, "?" * 1000, '"*^'):
        found = filled.ledger.recall(query, dense=True)
        assert len(found) <= 10
