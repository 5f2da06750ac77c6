"""The public sets as their authors publish them, in hand-made files of the same shape."""

from __future__ import annotations

import gzip
import json

import pytest

from benchmarks import published
from benchmarks.published import Statement

LOCOMO = [
    {
        "sample_id": "conv-1",
        "conversation": {
            "speaker_a": "Ana",
            "speaker_b": "Ben",
            "session_1_date_time": "1:56 pm on 8 May, 2023",
            "session_1": [
                {"speaker": "Ana", "dia_id": "D1:1", "text": "I moved to Oslo."},
                {
                    "speaker": "Ben",
                    "dia_id": "D1:2",
                    "text": "Look!",
                    "img_url": ["x"],
                    "blip_caption": "a photo of a boat",
                    "query": "boat",
                },
            ],
            "session_2_date_time": "12:05 am on 10 May, 2023",
            "session_2": [{"speaker": "Ana", "dia_id": "D2:1", "text": "I sold it."}],
            "session_10_date_time": "9:00 am on 1 June, 2023",
            "session_10": [{"speaker": "Ben", "dia_id": "D10:1", "text": "Bye."}],
            "session_11_date_time": "9:00 am on 2 June, 2023",
        },
        "qa": [
            {"question": "Where?", "answer": "Oslo", "evidence": ["D1:1"], "category": 4},
            {"question": "All?", "answer": 2, "evidence": ["D1:2; D2:01", "D:10:1"], "category": 1},
            {"question": "Nothing?", "answer": "no", "evidence": [], "category": 3},
            {"question": "Torn?", "answer": "no", "evidence": ["D", "D9:9"], "category": 3},
            {
                "question": "Never?",
                "adversarial_answer": "x",
                "evidence": ["D2:1"],
                "category": 5,
            },
        ],
    }
]


def longmemeval(question: str, *, sessions: dict[str, list[dict]], answers: list[str]) -> dict:
    return {
        "question_id": question,
        "question_type": "multi-session",
        "question": f"What about {question}?",
        "answer": "?",
        "question_date": "2023/05/30 (Tue) 23:40",
        "haystack_session_ids": list(sessions),
        "haystack_dates": ["2023/05/20 (Sat) 02:21"] * len(sessions),
        "haystack_sessions": list(sessions.values()),
        "answer_session_ids": answers,
    }


def said(*contents: str, answer: int | None = None) -> list[dict]:
    roles = ("user", "assistant")
    return [
        {"role": roles[n % 2], "content": content} | ({"has_answer": True} if n == answer else {})
        for n, content in enumerate(contents)
    ]


HAYSTACKS = [
    longmemeval(
        "q1",
        sessions={"s1": said("My cat is Mo.", "Nice!", answer=0), "s2": said("Rain again.", "")},
        answers=["s1"],
    ),
    longmemeval(
        "q2_abs", sessions={"s1": said("My cat is Mo.", "Nice!", answer=1)}, answers=["s1"]
    ),
]


def write(path, content) -> str:
    path.write_text(json.dumps(content), encoding="utf-8")
    return str(path)


@pytest.fixture
def locomo(tmp_path) -> str:
    return write(tmp_path / "locomo10.json", LOCOMO)


def test_locomo_turns(locomo):
    (store,) = published.locomo(locomo)
    assert store.statements == [
        Statement(
            "conv-1/D1:1",
            "I moved to Oslo.",
            "2023-05-08T13:56",
            {"speaker": "Ana", "session": "conv-1/S1"},
        ),
        Statement(
            "conv-1/D1:2",
            "Look! [image: a photo of a boat]",
            "2023-05-08T13:56",
            {"speaker": "Ben", "session": "conv-1/S1"},
        ),
        Statement(
            "conv-1/D2:1",
            "I sold it.",
            "2023-05-10T00:05",
            {"speaker": "Ana", "session": "conv-1/S2"},
        ),
        Statement(
            "conv-1/D10:1",
            "Bye.",
            "2023-06-01T09:00",
            {"speaker": "Ben", "session": "conv-1/S10"},
        ),
    ]


def test_locomo_questions_without_evidence_are_left_out_and_careless_citations_read(locomo):
    (store,) = published.locomo(locomo)
    assert [(one.text, one.kind, set(one.gold)) for one in store.questions] == [
        ("Where?", "single-hop", {"conv-1/D1:1"}),
        ("All?", "multi-hop", {"conv-1/D1:2", "conv-1/D2:1", "conv-1/D10:1"}),
        ("Never?", "adversarial", {"conv-1/D2:1"}),
    ]


def test_locomo_sessions_are_one_memory_each(locomo):
    (store,) = published.locomo(locomo, sessions=True)
    first = store.statements[0]
    assert [one.id for one in store.statements] == ["conv-1/S1", "conv-1/S2", "conv-1/S10"]
    assert first.text == "Ana: I moved to Oslo.\nBen: Look! [image: a photo of a boat]"
    assert first.about == {"speaker": "", "session": "conv-1/S1"}
    assert store.questions[1].gold == {"conv-1/S1", "conv-1/S2", "conv-1/S10"}


def test_longmemeval_has_a_store_for_each_question(tmp_path):
    path = write(tmp_path / "longmemeval_s_cleaned.json", HAYSTACKS)
    first, second = published.longmemeval(path, pooled=False)
    assert [(one.id, one.text) for one in first.statements] == [
        ("s1#0", "My cat is Mo."),
        ("s1#1", "Nice!"),
        ("s2#0", "Rain again."),
    ]
    assert first.statements[0].at == "2023-05-20T02:21"
    assert first.statements[1].about == {"speaker": "assistant", "session": "s1"}
    (asked,) = first.questions
    assert (asked.gold, asked.kind, asked.at) == ({"s1#0"}, "multi-session", "2023-05-30T23:40")
    assert [one.kind for one in second.questions] == ["abstention"]


def test_longmemeval_sessions(tmp_path):
    path = write(tmp_path / "longmemeval_s.json", HAYSTACKS)
    first, _ = published.longmemeval(path, pooled=False, sessions=True)
    assert [one.id for one in first.statements] == ["s1", "s2"]
    assert first.statements[0].text == "user: My cat is Mo.\nassistant: Nice!"
    assert first.questions[0].gold == {"s1"}


def test_the_oracle_file_is_pooled_and_a_session_of_two_questions_is_there_once(tmp_path):
    path = write(tmp_path / "longmemeval_oracle.json", HAYSTACKS)
    (store,) = published.longmemeval(path, pooled=True)
    assert [one.id for one in store.statements] == ["s1#0", "s1#1", "s2#0"]
    assert [set(one.gold) for one in store.questions] == [{"s1#0"}, {"s1#1"}]


def shared(path, *rows: dict) -> str:
    with gzip.open(path, "wt", encoding="utf-8") as file:
        file.writelines(json.dumps(row) + "\n" for row in rows)
    return str(path)


def memory(name: str, session: str, *, store: str = "a", text: str = "hello") -> dict:
    return {
        "k": "m",
        "id": name,
        "store": store,
        "session": session,
        "ts": "2024-01-01T10:00",
        "speaker": "Ana",
        "text": text,
    }


def question(gold: list[str], **more) -> dict:
    about = {"k": "q", "qid": "q", "store": "a", "text": "hello?", "cat": "x", "gold": gold}
    return {**about, "gold_s": [], "ts": None, **more}


def test_the_shared_format(tmp_path):
    path = shared(
        tmp_path / "x.jsonl.gz",
        {"k": "meta", "unit": "turn"},
        memory("m1", "s1"),
        memory("m2", "s1") | {"caption": "a cat", "speaker": None},
        question(["m2"], gold_s=["s1"], before=1, ts="2024-02-01"),
        question([], abstain=True),
    )
    (store,) = published.lines(path)
    assert store.statements[1] == Statement(
        "m2", "hello [image: a cat]", "2024-01-01T10:00", {"speaker": "", "session": "s1"}
    )
    (asked,) = store.questions
    assert (asked.gold, asked.before, asked.at) == ({"m2"}, 1, "2024-02-01")
    (folded,) = published.lines(path, sessions=True)
    assert [one.id for one in folded.statements] == ["s1"]
    assert folded.questions[0].gold == {"s1"}


def test_a_pool_with_haystacks_gives_each_store_its_members_and_their_dates(tmp_path):
    path = shared(
        tmp_path / "x.jsonl.gz",
        {"k": "meta", "unit": "session"},
        memory("s1", "s1", store="*", text="one"),
        memory("s2", "s2", store="*", text="two"),
        {"k": "s", "store": "a", "members": ["s2"], "ts": ["2025-05-05"]},
        question(["s2"]),
        {"k": "s", "store": "b", "members": ["s2", "s1"]},
        question(["s1"], store="b", abstain=True),
    )
    first, second = published.lines(path, sessions=True)
    assert [(one.id, one.at) for one in first.statements] == [("s2", "2025-05-05")]
    assert [one.id for one in second.statements] == ["s2", "s1"]
    assert second.questions[0].kind == "abstention"


def test_a_pool_without_haystacks_is_one_store(tmp_path):
    path = shared(
        tmp_path / "x.jsonl.gz",
        {"k": "meta", "unit": "turn"},
        memory("s1#0", "s1", store="*"),
        memory("s2#0", "s2", store="*"),
        question(["s2#0"], store="*"),
    )
    (store,) = published.lines(path)
    assert [one.id for one in store.statements] == ["s1#0", "s2#0"]


def test_what_lies_in_a_folder_is_found(tmp_path, locomo):
    write(tmp_path / "longmemeval_oracle.json", HAYSTACKS)
    write(tmp_path / "longmemeval_s_cleaned.json", HAYSTACKS)
    shared(tmp_path / "qmsum.jsonl.gz", {"k": "meta", "unit": "turn"})
    shared(tmp_path / "locomo.jsonl.gz", {"k": "meta", "unit": "turn"})
    shared(tmp_path / "another.jsonl.gz", {"k": "meta", "unit": "turn"})
    shared(tmp_path / "pairs.jsonl.gz", {"set": "x", "a": "one", "b": "other"})
    (tmp_path / "other.json").write_text("[]", encoding="utf-8")
    found = published.found(str(tmp_path))
    assert list(found) == [
        "locomo",
        "locomo-sessions",
        "qmsum",
        "another",
        "locomo10",
        "locomo10-sessions",
        "longmemeval_oracle",
        "longmemeval_oracle-sessions",
        "longmemeval_s_cleaned",
        "longmemeval_s_cleaned-sessions",
    ]
    assert len(found["longmemeval_oracle"]()) == 1
    assert len(found["longmemeval_s_cleaned"]()) == 2
    assert found["locomo10-sessions"]()[0].statements[0].id == "conv-1/S1"


def test_every_wanted_set_is_named_with_its_place_and_licence():
    text = published.wanted()
    for source in published.WANTED:
        assert all(part in text for part in (source.name, source.where, source.licence))
    assert "VARVES_BENCH_DATA" in text
