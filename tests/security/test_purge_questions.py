"""A purge erases every question that taught or repeats its text, down to the last byte."""

from __future__ import annotations

import pytest

import varves as package
from tests.noted import noted
from tests.security.erasing import WORD, hits
from tests.tables import each_row

FACT = f"The staging database is called {WORD}"
OTHER = "Zod validates the input of every service"
TAUGHT = f"Please remember from now on: our staging DB, on the third floor, it's {WORD}!"
UNRELATED = "Which library validates the input of a service?"


def questions(ledger):
    return [one.question for one in ledger.shown() if one.question]


def ask(ledger, session, *prompts):
    """Let a user ask, each time about a memory that is new in the session."""
    for n, prompt in enumerate(prompts):
        said = ledger.remember(f"Number {n} of {session} validates the input of a service")
        assert said.id in ledger.attend("claude", session).prompt(f"{prompt} {UNRELATED}")


@pytest.fixture
def scene(ledger):
    """Two sessions that saw memories: one taught the fact, the other asks about other things."""
    ledger.remember(OTHER)
    ask(ledger, "teaching", TAUGHT)
    ask(ledger, "other", UNRELATED)
    return ledger


@pytest.mark.parametrize("recorded", [False, True])
def test_the_question_that_taught_it_is_erased_and_others_stay(scene, project, home, recorded):
    with package.open(project, actor="claude", session="teaching") as taught:
        name = taught.remember(FACT, private=True).id
        if recorded:
            taught.remember("the next write of the session")
    assert any(WORD in asked for asked in questions(scene))
    scene.purge(name, reason="asked to be forgotten")
    assert [asked for asked in questions(scene) if WORD in asked] == []
    assert any(UNRELATED in asked for asked in questions(scene))
    scene.close()
    assert hits(project, home) == []


@each_row(
    ("asked", "erased"),
    [
        (f"is it true that the STAGING  database is called {WORD}, as Ada said", True),
        (f"what is called {WORD}, is it the database on staging", True),
        (f"{'so many words ' * 19} the staging database is called {WORD}", True),  # cut off
        ("what is the staging server called", False),
        (UNRELATED, False),
    ],
)
def test_the_text_in_other_words_is_a_repetition(asked, erased):
    from varves.log.doomed import Doomed, needles_of
    from varves.purge.questions import Repeats

    said = frozenset(needles_of(FACT))
    found = Doomed(barred=set(), blobs=set(), known_by=set(), said=said, texts=frozenset([FACT]))
    assert Repeats(found).includes("any", asked[:300]) is erased


def test_a_question_that_repeats_it_in_another_session_is_erased(ledger, project, home):
    name = ledger.remember(FACT).id
    ask(ledger, "other", UNRELATED)
    assert ledger.attend("claude", "third").prompt(
        f"Is {WORD} what the staging database is called?"
    )
    assert len(questions(ledger)) == 2
    ledger.purge(name, reason="asked to be forgotten")
    assert questions(ledger) == [f"{UNRELATED} {UNRELATED}"]
    ledger.close()
    assert hits(project, home) == []


def test_a_question_that_has_expired_leaves_no_byte_either(scene, project, home):
    name = scene.remember(FACT, session="teaching").id
    noted(project, "update shown set at = '2020-01-01T00:00:00.000Z'")
    assert questions(scene) == []
    scene.purge(name, reason="asked to be forgotten")
    scene.close()
    assert hits(project, home) == []


def test_a_purge_that_died_is_finished_for_questions_too(scene, project, home, monkeypatch):
    from varves.purge import erasure

    name = scene.remember(FACT, session="teaching").id

    def die(*_):
        raise KeyboardInterrupt

    with monkeypatch.context() as patched:
        patched.setattr(erasure, "clear_local", die)
        with pytest.raises(KeyboardInterrupt):
            scene.purge(name, reason="asked to be forgotten")
    assert hits(project, home)
    scene.close()
    with package.open(project) as other:
        other.mend()
        assert [asked for asked in questions(other) if WORD in asked] == []
    assert hits(project, home) == []
