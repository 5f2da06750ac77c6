"""Vectors are kept beside the index, made once, and never believed without their seal."""

from __future__ import annotations

import os
import sqlite3
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

import varves as package
from tests.architecture.source import loaded_by
from tests.places import local_of
from tests.rooms import indexed, room
from varves.context.context import Context
from varves.context.similarity import OFF, Semantic
from varves.models import wordllama

TEXTS = [
    "The deploy runs on Fridays",
    "Ada keeps bees behind the shed",
    "Invoices are numbered from one each year",
    "Crêpes at noon, says the calendar 🙂",
]


ENCODER, _ = wordllama.load()


class Counting:
    """An encoder that notes what it was asked for."""

    def __init__(self, encoder):
        self.encoder, self.name, self.width = encoder, encoder.name, encoder.width
        self.asked: list[str] = []

    def encode(self, texts):
        self.asked += texts
        return self.encoder.encode(texts)


def counting(seen: Context, name: str | None = None) -> tuple[Semantic, Counting]:
    """Return a dense side with nothing warm, and what counts its texts."""
    encoder = Counting(ENCODER)
    encoder.name = name or encoder.name
    return Semantic(seen.index.get, allowed=True, encoder=encoder), encoder


def order(seen: Context, semantic: Semantic, query: str = "when do we ship") -> list[str]:
    """Return every memory's text, the most similar first."""
    index = seen.fresh().index
    assert semantic.prepare(index, wanted=True).run
    found = semantic.similar(query, index)
    texts = dict(index.db.execute("select n, text from memory"))
    return [texts[n] for n in found.top]


def kept(ledger: package.Ledger) -> list[tuple[int, bytes, bytes]]:
    return indexed(ledger.root, "select * from vector order by n")


@pytest.fixture
def filled(ledger):
    for text in TEXTS:
        ledger.remember(text)
    return ledger


@pytest.fixture
def seen(filled):
    with room(filled.root) as context:
        yield context


def test_no_text_is_embedded_twice(filled, seen):
    filled.remember(TEXTS[0], speaker="Ada")
    filled.remember(TEXTS[0], speaker="Ada", scope="global")  # the same words of another scope
    semantic, encoder = counting(seen)
    first = order(seen, semantic)
    assert sorted(encoder.asked[:-1]) == sorted(TEXTS)
    assert encoder.asked[-1] == "when do we ship"
    encoder.asked.clear()
    assert order(seen, semantic) == first
    assert encoder.asked == ["when do we ship"]
    semantic, encoder = counting(seen)
    assert order(seen, semantic) == first
    assert encoder.asked == ["when do we ship"], "what was kept is taken as it is"


def test_what_comes_is_taken_up_and_what_goes_is_let_go(filled, seen):
    semantic, encoder = counting(seen)
    order(seen, semantic)
    encoder.asked.clear()
    added = filled.remember("We ship on Thursdays now")
    assert order(seen, semantic)[0] == "We ship on Thursdays now"
    assert encoder.asked == ["We ship on Thursdays now", "when do we ship"]
    filled.purge(added.id, reason="test")
    assert "We ship on Thursdays now" not in order(seen, semantic)
    assert len(kept(filled)) == len(TEXTS)


def test_what_another_process_adds_is_seen(filled, seen):
    semantic, encoder = counting(seen)
    order(seen, semantic)
    encoder.asked.clear()
    with package.open(filled.root) as other:
        other.remember("We ship on Thursdays now")
        assert other.recall("ship").hits  # it brings the index up to date, not we
    assert order(seen, semantic)[0] == "We ship on Thursdays now"
    assert encoder.asked == ["We ship on Thursdays now", "when do we ship"]


def test_a_memory_said_again_by_somebody_else_has_another_vector(filled, seen):
    """The text of a number changes under us, as when an earlier record of an id comes in."""
    semantic, encoder = counting(seen)
    order(seen, semantic)
    db = seen.index.get().db
    db.execute("update memory set text = 'We ship on Thursdays now' where text = ?", TEXTS[:1])
    encoder.asked.clear()
    assert order(seen, semantic)[0] == "We ship on Thursdays now"
    assert encoder.asked == ["We ship on Thursdays now", "when do we ship"]
    encoder.asked.clear()
    db.execute("update memory set text = ? where text = 'We ship on Thursdays now'", TEXTS[:1])
    semantic, encoder = counting(seen)
    order(seen, semantic)
    assert encoder.asked[0] == TEXTS[0], "the kept vector is of another text"


def test_a_vector_of_words_that_changed_counts_no_longer(filled, seen):
    semantic, _ = counting(seen)
    order(seen, semantic)
    index = seen.index.get()
    index.db.execute("update memory set text = 'We ship on Thursdays' where text = ?", TEXTS[:1])
    (number,) = index.db.execute("select n from memory where text like 'We ship%'").fetchone()
    found = semantic.similar("when do we ship", index)  # nothing was embedded since
    assert found.cosine(number) is None
    assert number not in found.top
    assert len(found.top) == len(TEXTS) - 1


DAMAGE = {
    "random": "update vector set row = randomblob(length(row))",
    "one bit": "update vector set row = x'ff' || substr(row, 2)",
    "cut": "update vector set row = substr(row, 1, 100)",
    "too wide": "update vector set row = row || row",
    "empty": "update vector set row = x''",
    "null": "update vector set row = null",
    "no seal": "update vector set seal = null",
    "not bytes": "update vector set row = 'text', seal = 7",
    "exchanged": "update vector set row = (select row from vector v where v.n <> vector.n limit 1)",
    "gone": "delete from vector",
    "of nobody": "insert into vector select n + 1000, seal, row from vector",
}


@pytest.mark.parametrize("damage", DAMAGE.values(), ids=DAMAGE)
def test_damaged_vectors_are_made_again(filled, seen, damage):
    semantic, _ = counting(seen)
    expected, before = order(seen, semantic), kept(filled)
    seen.index.get().db.execute(damage)
    semantic, _ = counting(seen)
    assert order(seen, semantic) == expected
    assert kept(filled)[: len(before)] == before


def test_vectors_of_another_model_are_made_again(filled, seen):
    semantic, _ = counting(seen)
    expected = order(seen, semantic)
    other, encoder = counting(seen, "another-model")
    assert order(seen, other) == expected
    assert sorted(encoder.asked[:-1]) == sorted(TEXTS)
    semantic, encoder = counting(seen)
    assert order(seen, semantic) == expected
    assert sorted(encoder.asked[:-1]) == sorted(TEXTS)


def test_an_index_that_is_no_index_any_more_is_made_again_with_its_vectors(filled, seen):
    semantic, _ = counting(seen)
    expected = order(seen, semantic)
    path = seen.index.get().path
    seen.index.close()
    filled.close()
    with open(path, "wb") as file:
        file.write(os.urandom(20_000))
    with room(filled.root) as again:
        semantic, encoder = counting(again)
        assert order(again, semantic) == expected
        assert sorted(encoder.asked[:-1]) == sorted(TEXTS)


def test_a_rebuild_drops_them(filled, seen):
    order(seen, counting(seen)[0])
    filled.rebuild()
    assert kept(filled) == []
    assert filled.status()["dense"]["embedded"] == 0
    assert filled.recall("deploy").hits


def test_vectors_that_cannot_be_kept_serve_all_the_same(filled, seen, monkeypatch):
    expected = order(seen, counting(seen)[0])
    index = seen.index.get()
    index.db.execute("delete from vector")
    index.db.execute("pragma query_only = on")
    semantic, _ = counting(seen)
    view = type("View", (), {"index": index})
    monkeypatch.setattr(seen.index, "fresh", lambda *, every_file=False: view)
    assert order(seen, semantic) == expected
    assert kept(filled) == []
    assert order(seen, semantic) == expected


def test_in_a_place_that_cannot_be_written_they_are_made_in_memory(filled, seen, monkeypatch):
    expected = order(seen, counting(seen)[0])
    filled.close()
    local = str(local_of(filled.root))
    os.rename(local, f"{local}.away")
    os.symlink(f"{local}.away", local)  # an index is never made behind a link
    with room(filled.root) as reader:
        assert reader.fresh().index.path is None
        assert order(reader, counting(reader)[0]) == expected
    shut = sqlite3.connect(f"{local}.away/index.sqlite")
    assert shut.execute("select count(*) from vector").fetchone() == (len(TEXTS),)
    shut.close()


def test_a_writer_in_another_process_does_not_have_to_wait(filled, seen):
    """Embedding takes the index for a moment only, and the log not at all."""
    semantic, encoder = counting(seen)
    plain = encoder.encode

    def encode(texts):
        with package.open(filled.root) as other:
            other.remember(f"written while {len(texts)} were embedded")
            other.log()
        return plain(texts)

    encoder.encode = encode
    assert len(order(seen, semantic)) == len(TEXTS)


EMBED = """
import sys, varves
with varves.open(sys.argv[1]) as ledger:
    found = ledger.recall("when do we ship", dense=True)
    print(found.dense)
    print(*(hit.memory.id for hit in found))
"""


@pytest.mark.full_size
def test_two_processes_at_once_agree(filled, seen):
    for n in range(600):  # more than one batch
        filled.remember(f"Note {n} about number {n * 7 % 600}")
    filled.log()
    command = [sys.executable, "-c", EMBED, filled.root]
    running = [
        subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, encoding="utf-8")
        for _ in range(2)
    ]
    said = [one.communicate(timeout=120) for one in running]
    assert [one.returncode for one in running] == [0, 0], said
    assert said[0] == said[1]
    assert said[0][0].startswith("dense: 604 embedded\n")
    assert len(kept(filled)) == 604
    assert seen.index.get().is_sound()


@pytest.fixture
def unset(home, monkeypatch):
    """Leave it to the settings file; to be asked for before a ledger is opened."""
    monkeypatch.delenv("VARVES_DENSE")


@pytest.mark.usefixtures("unset")
def test_status_says_how_far_they_are(filled, seen):
    assert filled.status()["dense"] == {
        "model": "wordllama-l2-256-27e1822132933d3a",
        "embedded": 0,
        "memories": 4,
    }
    order(seen, counting(seen)[0])
    assert filled.status()["dense"]["embedded"] == 4


def test_status_loads_no_numpy(filled):
    main = "import sys; from varves.cli.main import main; sys.exit(main())"
    assert "numpy" not in loaded_by(main, "status", cwd=Path(filled.root))


@pytest.mark.usefixtures("unset")
def test_status_says_why_not(filled, monkeypatch):
    monkeypatch.setitem(sys.modules, "wordllama", None)
    told = filled.status()["dense"]
    assert told["model"] is None
    assert told["why_not"] == "not installed (pip install 'varves[semantic]')"


@pytest.mark.usefixtures("unset")
def test_a_setting_switches_it_off_unless_asked(project):
    with package.open(str(project)) as ledger:
        ledger.remember(TEXTS[0])
    (project / ".varves/settings.toml").write_text("dense = false\n", encoding="utf-8")
    with package.open(str(project)) as ledger, room(project) as seen:
        semantic, index = seen.index.semantic, seen.fresh().index
        unasked = semantic.prepare(index, wanted=None)
        assert (unasked.run, unasked.says) == (False, f"dense: {OFF}")
        assert semantic.prepare(index, wanted=True).run
        assert ledger.status()["dense"]["why_not"] == OFF


@pytest.mark.parametrize(("said", "off"), [("0", True), ("1", False), ("", True)])
def test_the_environment_has_the_last_word(project, monkeypatch, said, off):
    (project / ".varves").mkdir()
    written = "true" if said == "0" else "false"
    (project / ".varves/settings.toml").write_text(f"dense = {written}\n", encoding="utf-8")
    monkeypatch.setenv("VARVES_DENSE", said)
    with package.open(str(project)) as ledger:
        assert (ledger.status()["dense"].get("why_not") == OFF) is off


def test_an_environment_that_says_neither_is_refused(varves):
    told = varves("status", env={"VARVES_DENSE": "yes"})
    assert (told.code, told.out) == (2, "")
    assert told.err == "varves: VARVES_DENSE is not 0 or 1: 'yes'; set it to 0 or 1, or unset it\n"


def test_a_setting_that_is_neither_is_refused(project, varves):
    (project / ".varves").mkdir()
    (project / ".varves/settings.toml").write_text('dense = "no"\n', encoding="utf-8")
    told = varves("status")
    assert told.code == 5
    assert "write dense = true or dense = false" in told.err


def test_without_the_extra_a_wish_is_answered_in_one_line(filled, seen, monkeypatch):
    monkeypatch.setitem(sys.modules, "numpy", None)
    semantic, index = Semantic(seen.index.get, allowed=True), seen.fresh().index
    assert not semantic.ready()
    choice = semantic.prepare(index, wanted=True)
    assert not choice.run
    assert choice.says == "dense: not installed (pip install 'varves[semantic]')"


def test_progress_is_told_as_they_are_made(filled, seen):
    told: list[int] = []
    semantic, _ = counting(seen)
    semantic.prepare(seen.fresh().index, wanted=True, progress=told.append)
    assert told == [len(TEXTS)]


def test_neighbours_and_the_best_of_a_session_count(ledger):
    said = ["Where is the key?", "Under the blue pot", "Thanks a lot"]
    for turn, text in enumerate(said):
        ledger.remember(text, session="one", turn=turn)
    ledger.remember("Nothing to do with it")
    with room(ledger.root) as seen:
        index, semantic = seen.fresh().index, seen.index.semantic
        check_neighbours(said, index, semantic)


def check_neighbours(said, index, semantic):
    semantic.prepare(index, wanted=True)
    found = semantic.similar("where is the key", index)
    numbers = {text: n for n, text in index.db.execute("select n, text from memory")}
    scores = found.scores(numbers.values())
    rows, query = ENCODER.encode(said), ENCODER.encode(["where is the key"])[0]
    first, pot, alone = (scores[numbers[text]] for text in (*said[:2], "Nothing to do with it"))

    def cosine(*near: int) -> float:
        total = rows[list(near)].sum(axis=0)
        return float(total @ query / np.linalg.norm(total))

    assert found.cosine(numbers[said[1]]) == pytest.approx(cosine(1), abs=1e-5)
    by_itself = found.cosine(numbers["Nothing to do with it"])
    whole, part = cosine(0, 1, 2), cosine(0, 1)  # those before and after it count with it
    expected = (whole - by_itself) / (whole - part)
    assert (pot[1] - alone[1]) / (pot[1] - first[1]) == pytest.approx(expected, abs=1e-3)
    assert pot[2] == first[0], "the best of its session"
    assert alone[0] == alone[2], "it has no session"
    assert found.top[0] == numbers["Where is the key?"]


def test_candidates_are_looked_for_among_what_may_be_seen(ledger):
    for n in range(300):
        ledger.remember(f"The key number {n} is under the pot")
    hidden = ledger.remember("Bees swarm in May").id
    with room(ledger.root) as seen:
        index, semantic = seen.fresh().index, seen.index.semantic
        semantic.prepare(index, wanted=True)
        (number,) = index.db.execute("select n from memory where id = ?", (hidden,)).fetchone()
        found = semantic.similar("where is the key", index, allowed=lambda _: {number}, top=5)
        assert found.top == (number,)
        assert len(semantic.similar("where is the key", index, top=5).top) == 5
