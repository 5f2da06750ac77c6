"""Which memories are found, and in which order: by what they say, around what, by whom and when."""

from __future__ import annotations

import sqlite3
import subprocess
from unicodedata import normalize

import pytest

from tests.tables import assert_each
from varves.errors import UsageError
from varves.index.sqlite import file as index_file

NOISE = [
    "The garden needs water on hot days",
    "Invoices are numbered from one each year",
    "The printer on the second floor is out of paper",
    "Lunch is at noon unless somebody is late",
]


def test_what_holds_more_of_the_words_stands_first(scene):
    for text in NOISE:
        scene.remember(text)
    best = scene.remember("Input is validated with Zod at the gateway")
    some = scene.remember("The gateway runs in Frankfurt")
    assert scene.ids("how does the gateway validate input", all=True) == [best, some]


WORDS = [
    ("PaymentGateway retries twice", "where does the payment gateway retry"),
    ("The payment gateway retries twice", "PaymentGateway"),
    ("My r\u00e9sum\u00e9 lies in the drawer", "resume"),
    ("My resume lies in the drawer", "r\u00e9sum\u00e9"),
    ("My r\u00e9sum\u00e9 lies in the drawer", normalize("NFD", "r\u00e9sum\u00e9")),
    ("The key hangs left of the door", "keys"),
    ("We deployed on Friday", "when do we deploy"),
    ("\u65e5\u672c\u8a9e \u306e \u9375", "\u65e5\u672c\u8a9e"),
    ("\u05d4\u05de\u05e4\u05ea\u05d7 \u05db\u05d0\u05df", "\u05d4\u05de\u05e4\u05ea\u05d7"),
    ("Crash on \U0001f600 input", "\U0001f600 crash"),
    ("what is it", "what is it"),
]


@pytest.mark.parametrize(("text", "query"), WORDS)
def test_a_memory_is_found_by_other_forms_of_its_words(scene, text, query):
    scene.remember("Nothing of the kind")
    scene.remember(text)
    assert scene.texts(query)[:1] == [text]


def test_tags_speakers_and_cited_files_are_searched_too(scene):
    (scene.root / "parser.py").write_text("pass\n", encoding="utf-8")
    tagged = scene.remember("It is slow on Mondays", tags=["billing"])
    spoken = scene.remember("It is fast on Sundays", speaker="Ingrid")
    cited = scene.remember("It is fine on Fridays", evidence=["parser.py"])
    assert [scene.ids(query)[:1] for query in ("billing", "ingrid", "parser")] == [
        [tagged],
        [spoken],
        [cited],
    ]


# Structure


def test_neighbours_bring_the_answering_turn_up(scene):
    """The answer shares no word with the question; what was asked before it does."""
    talk = scene.talk(
        "s-1",
        ("Ada", "Good morning, did you sleep well?"),
        ("Bob", "Yes, thank you, the rain was loud though"),
        ("Ada", "Which colour did you paint the garden shed?"),
        ("Bob", "Bright green, with white corners"),
        ("Ada", "Lovely, see you on Thursday then"),
    )
    for number in range(12):
        scene.remember(f"Invoice {number} was sent to the garden centre")
    found = scene.ids("colour of the painted shed", k=3)
    assert talk[3] in found


def test_without_a_session_neighbours_say_nothing(scene):
    scene.remember("Which colour did you paint the garden shed?", speaker="Ada")
    scene.remember("Bright green, with white corners", speaker="Bob")
    assert scene.texts("colour of the painted shed") == [
        "Which colour did you paint the garden shed?"
    ]


def test_who_is_asked_about_counts(scene):
    for session, (first, second) in {"s-1": ("Ada", "Bob"), "s-2": ("Bob", "Ada")}.items():
        scene.talk(
            session,
            (first, f"I went sailing near {session}"),
            (second, f"the weather was kind and mild in {session}"),
        )
    for who in ("Ada", "Bob"):
        hit = next(iter(scene.ledger.recall(f"Where did {who} go sailing?")))
        assert (hit.memory.speaker, "sailing" in hit.memory.text) == (who, True)
        assert hit.reasons["who"] > 0


def test_a_turn_alone_in_its_session_is_not_ranked_below_those_with_company(scene):
    scene.talk("s-1", ("Ada", "I went sailing near the bay"), ("Bob", "the weather was kind"))
    (alone,) = scene.talk("s-2", ("Bob", "I went sailing near the cape"))
    assert scene.ids("Where did Bob go sailing?")[0] == alone


def test_a_speaker_without_a_name_is_never_the_one_asked_about(scene):
    scene.forge(text="I went sailing too", speaker=" ", session="s-9")
    ada, _ = scene.talk("s-1", ("Ada", "I went sailing near the bay"), ("Bob", "Lovely"))
    found = {hit.memory.id: hit.reasons for hit in scene.ledger.recall("Where did Ada sail?")}
    assert [name for name, reasons in found.items() if "who" in reasons] == [ada]


def test_the_one_who_gave_the_answer_is_the_assistant_where_that_is_asked_for(scene):
    user, answer = scene.talk(
        "s-1",
        ("user", "Please name a good museum for model ships"),
        ("assistant", "A good museum for model ships is in Hamburg"),
    )
    assert scene.ids("What museum for model ships did you recommend to me?")[0] == answer
    assert scene.ids("museum for model ships that I asked for, please")[0] == user


DATES = [
    ("What did we release in May?", "2026-05-12"),
    ("What did we release on 3 August 2025?", "2025-08-03"),
    ("What did we release last month?", "2026-10-20"),
    ("What did we release last week?", "2026-11-04"),
    ("What did we release yesterday?", "2026-11-14"),
    ("What did we release 3 days ago?", "2026-11-12"),
    ("What did we release in 2024?", "2024-02-02"),
]


def test_a_time_in_the_question_picks_the_memory_of_that_time(scene):
    for n, (_, day) in enumerate(DATES):
        scene.remember(f"We release the part {'abcdefgh'[n]}", at=f"{day}T10:00:00Z")

    def check(row):
        query, day = row
        first = next(iter(scene.ledger.recall(query)))
        assert first.memory.at[:10] == day
        assert first.reasons["date"] > 0

    assert_each(DATES, check)


def test_of_two_that_say_it_equally_well_the_newer_stands_first(scene):
    old = scene.remember("The gateway is called Nena", ago=400)
    recent = scene.remember("The gateway is called Rosa", ago=2)
    assert scene.ids("what is the gateway called") == [recent, old]


# A question is data

ODD = [
    'Zod AND gateway OR "input" NOT x',
    "NEAR(zod gateway, 2)",
    "(zod",
    "zod)",
    '"zod',
    "zod*",
    "^zod",
    "text:zod",
    "-zod",
    "zod + gateway",
    "zod -- gateway; drop table memory",
    "{text summary}: zod",
    "'zod'",
    "zod\0gateway",
    "zod \U0001f600\u200d\U0001f680",
    "\u202ezod\u202c",
    "zod \u00b2 may",
    "zod \u00b2 days ago",
    "zod % _ \\",
    "zod \ud800",
    "\u05d0\u05d1 zod \u0627\u0628",
    "$zod ${zod} {{zod}} @zod #zod",
]


def test_the_words_of_a_question_are_data(scene):
    name = scene.remember("Input is validated with Zod at the gateway")
    scene.remember(NOISE[3])

    def check(query):
        found = scene.ledger.recall(query, explain=True)
        assert [hit.memory.id for hit in found] == [name]
        assert found.query == query

    assert_each(ODD, check)


NOTHING = ["", " ", "\n\t", "\0", '"', "()", "* ^ : -", "\u200b", "...", "\ud800"]


def test_a_question_without_a_word_is_answered_with_nothing(scene):
    scene.remember(NOISE[0])

    def check(query):
        for dense in (False, None):
            found = scene.ledger.recall(query, explain=True, dense=dense)
            assert (found.hits, found.omitted, found.tokens) == ((), 0, 0)

    assert_each(NOTHING, check)


def test_an_empty_question_is_refused_on_the_command_line(varves):
    varves("remember", NOISE[0])
    told = varves("recall", " ")
    assert (told.code, told.out) == (2, "")
    assert told.err == "varves: the query is empty; ask in plain words\n"
    assert varves("recall", "...", "--json").json["hits"] == []


def test_a_question_that_is_no_text_is_refused(scene):
    with pytest.raises(UsageError, match="not a string"):
        scene.ledger.recall(None)


class Counting(sqlite3.Connection):
    """Count the steps that SQLite takes, by the thousand."""

    steps = 0

    def __init__(self, *args, **named):
        super().__init__(*args, **named)
        self.set_progress_handler(self._count, 1000)

    @classmethod
    def _count(cls):
        cls.steps += 1
        return 0


def test_a_very_long_question_costs_bounded_work(scene, monkeypatch):
    for number in range(200):
        scene.remember(f"Note {number} about word{number} and word{number + 1}")
    scene.remember("The zebra statement")
    real, counted = sqlite3.connect, []
    scene.ledger.close()
    monkeypatch.setattr(
        index_file.sqlite3, "connect", lambda *args, **named: real(*args, factory=Counting, **named)
    )
    scene.ledger.list()
    for length in (400, 20_000):
        said = ["zebra", *(f"word{n}" for n in range(length))]
        before = Counting.steps
        found = scene.ledger.recall(" ".join(said), explain=True)
        counted.append(Counting.steps - before)
        assert len(found) == 10
        assert len(found.explained["terms"]) <= 400
    assert 0 < counted[1] <= 2 * counted[0]
    assert len(" ".join(said)) > 100_000


def test_a_very_long_question_is_answered_on_the_command_line(varves):
    varves("remember", "The zebra statement")
    told = varves("recall", "zebra " + "x" * 100_000, "--json")
    assert [hit["text"] for hit in told.json["hits"]] == ["The zebra statement"]


REFUSED = [
    (("-k", "0"), "k is not a positive number"),
    (("-k", "-1"), "k is not a positive number"),
    (("-k", "many"), "-k"),
    (("--scope", "moon"), "unknown scope"),
    (("--profile", "moon"), "unknown profile"),
    (("--include", "moon"), "unknown status"),
    (("--budget", "some"), "--budget"),
    (("--budget", "-1"), "the budget is below 0"),
]


def test_what_is_not_understood_is_refused_in_one_line(varves):
    varves("remember", NOISE[0])

    def check(row):
        options, message = row
        answer = varves("recall", "garden", *options)
        assert (answer.code, answer.out) == (2, "")
        assert answer.err.count("\n") == 1
        assert message in answer.err

    assert_each(REFUSED, check)


# What a forged line may say


FORGED = [
    {"priority": "words"},
    {"priority": "recency"},
    {"confidence": 2**53},
    {"confidence": -(2**53)},
    {"speaker": " ", "session": "s-1"},
    {"speaker": "", "session": ""},
    {"at": "soon"},
    {"at": ""},
    {"at": "9999-99-99T99:99:99.999Z"},
    {"at": "20\u00b2\u00b2-01-01T00:00:00.000Z"},
    {"tags": ["\u0000", " ", "-"]},
    {"turn": 2**53, "session": "s-1", "speaker": "user"},
    {"summary": "\u0000"},
]


@pytest.mark.parametrize("record", FORGED, ids=str)
def test_a_line_that_no_door_would_take_neither_breaks_a_recall_nor_wins_it(scene, record):
    forged = scene.forge(text="The gateway is somewhere", **record)
    honest = scene.remember("The gateway validates input with Zod", ago=90, confidence=0.1)
    found = scene.ledger.recall(
        "does the gateway validate input, last week?", explain=True, all=True
    )
    assert [hit.memory.id for hit in found] == [honest, forged]
    assert all(-5 < hit.score < 5 for hit in found)
    for profile in ("scoped", "hivemind"):
        assert {hit.memory.id for hit in scene.ledger.recall("gateway", profile=profile)} == {
            honest,
            forged,
        }


# Any index, the same answer


def fill(scene):
    texts = [f"The gateway {verb} part {n}" for n in range(20) for verb in ("checks", "drops")]
    names = [scene.remember(text, ago=n) for n, text in enumerate(texts)]
    talk = [("Ada", f"Is part {n} at the gateway?") for n in range(5)]
    scene.talk("s-1", *talk, ("Bob", "All of them are"))
    scene.ledger.correct(names[3], "The gateway keeps part 3")
    scene.ledger.forget(names[4], reason="wrong")
    scene.ledger.edit(names[5], priority="high")
    return names


QUESTIONS = ["what does the gateway check", "gateway part 7", "Is Ada at the gateway?", "drops"]


def answers(ledger):
    return [
        [(hit.memory.id, hit.score, hit.reasons) for hit in ledger.recall(query, k=50)]
        for query in QUESTIONS
    ]


def test_a_rebuilt_index_answers_the_same(scene):
    fill(scene)
    first = answers(scene.ledger)
    assert all(first)
    assert answers(scene.ledger) == first
    with scene.opened(actor="USER") as other:
        assert answers(other) == first
    scene.ledger.rebuild()
    assert answers(scene.ledger) == first


def test_after_a_purge_a_rebuilt_index_answers_in_the_same_order(scene):
    names = fill(scene)
    scene.ledger.purge(names[6], reason="private")
    first = answers(scene.ledger)
    scene.ledger.rebuild()
    again = answers(scene.ledger)
    assert [[name for name, *_ in one] for one in again] == [
        [name for name, *_ in one] for one in first
    ]


def test_the_past_is_ranked_as_it_was(scene):
    first = scene.remember("The gateway runs in Frankfurt")
    moment = scene.ledger.history(first)[-1].id
    scene.clock.ms += 1000
    second = scene.ledger.correct(first, "The gateway runs in Paris").id
    scene.remember("The gateway is fast")
    found = scene.ledger.recall("where does the gateway run", as_of=moment, explain=True)
    assert [hit.memory.id for hit in found] == [first]
    assert found.as_of < scene.ledger.recall("gateway").as_of
    assert second not in str(found.explained)
    before = scene.ledger.recall("gateway", as_of="2020-01-01")
    assert (before.hits, before.omitted) == ((), 0)


def test_a_git_revision_can_be_asked(scene, varves):
    scene.remember("The gateway runs in Frankfurt")
    scene.ledger.close()
    for args in (("add", "-A"), ("commit", "-qm", "one")):
        subprocess.run(["git", *args], cwd=scene.root, check=True)
    scene.remember("The gateway is fast")
    scene.ledger.close()
    told = varves("recall", "gateway", "--as-of", "HEAD", "--json")
    assert [hit["text"] for hit in told.json["hits"]] == ["The gateway runs in Frankfurt"]


SPOKEN = [
    ("The warehouse closes at six on Fridays", "Farah", 66),
    ("Farah leads the warehouse team", None, 1),
    ("Farah wants shorter meetings", None, 1),
    ("The forklift needs a new battery", "Marek", 220),
    ("The forklift was repaired in April", "Ines", 3),
    ("We buy pallets from Riga", "Ines", 3),
]
SAID = [
    ("What did Farah say?", "The warehouse closes at six on Fridays"),
    ("What did Farah say about the warehouse?", "The warehouse closes at six on Fridays"),
    ("What did Farah say on 10 September 2026?", "The warehouse closes at six on Fridays"),
    ("What did Marek say in April?", "The forklift needs a new battery"),
    ("Who leads the team, Farah?", "Farah leads the warehouse team"),
]


def test_what_somebody_said_stands_before_what_others_said_of_them(scene):
    for text, speaker, ago in SPOKEN:
        scene.remember(text, speaker=speaker, ago=ago)

    def check(row):
        question, said = row
        found = scene.ledger.recall(question)
        assert [hit.memory.text for hit in found][:1] == [said]
        assert not found.weak

    assert_each(SAID, check)
