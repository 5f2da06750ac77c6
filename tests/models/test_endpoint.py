"""One client for both wire formats: what it asks, how it reads, and what it does in need."""

from __future__ import annotations

import json

import pytest

from tests.loopback import (
    CHAT,
    MESSAGES,
    breaks_off,
    chat,
    drips,
    fails,
    floods,
    hangs_up,
    holds,
    messages,
    says,
    sends,
)
from tests.tables import each_row
from varves.models.endpoint import Endpoint
from varves.models.exchange import Failed, ModelQuestion, Site
from varves.protocols.runner import Evaluation, ModelAnswer, Unanswered

FORM = {"openai": chat, "anthropic": messages}
NOW = 1_800_000_000_000


@pytest.mark.full_size(sample=1)
def test_a_question_is_asked_in_the_providers_own_format(desk, provider, sure):
    runner = desk.runner(provider, max_tokens=99)
    answer = runner.query(prompt="How many?", system_prompt="Be short.")
    assert answer == ModelAnswer(response="Fine.", model="played-1", tokens_in=11, tokens_out=7)
    [asked] = desk.played.asked
    user = {"role": "user", "content": "How many?"}
    if provider == "openai":
        system = {"role": "system", "content": "Be short."}
        expected = {"model": "small", "max_tokens": 99, "messages": [system, user]}
        assert asked["path"] == CHAT
    else:
        expected = {
            "model": "small",
            "max_tokens": 99,
            "messages": [user],
            "system": "Be short.",
        }
        assert asked["path"] == MESSAGES
        assert asked["headers"]["anthropic-version"]
    assert asked["body"] == expected
    sure()


def test_without_a_system_prompt_none_is_sent(desk, provider):
    desk.runner(provider).query(prompt="How many?")
    [asked] = desk.played.asked
    assert "system" not in asked["body"]
    assert len(asked["body"]["messages"]) == 1


@pytest.mark.parametrize(
    ("name", "model"),
    [("haiku", "tiny-3"), ("opus", "small"), (None, "small")],
    ids=["known", "unknown", "none"],
)
def test_a_name_stands_for_a_model_and_an_unknown_one_for_the_configured(desk, name, model):
    desk.runner(aliases={"haiku": "tiny-3"}).query(prompt="?", model=name)
    assert desk.played.asked[0]["body"]["model"] == model


def test_half_a_character_is_sent_as_a_question_mark(desk, provider):
    desk.played.plays(says("ok \ud800 ok"))
    answer = desk.runner(provider).query(prompt="a \ud800 b", system_prompt="\udfff")
    assert answer.response == "ok ? ok"
    assert desk.played.asked[0]["body"]["messages"][-1]["content"] == "a ? b"


def test_an_answer_that_ends_at_the_most_tokens_is_marked(desk, provider):
    desk.played.plays(says("Half of", cut=True))
    answer = desk.runner(provider).query(prompt="?")
    assert (answer.response, answer.truncated) == ("Half of", True)
    assert desk.called["truncated"] is True


@pytest.mark.full_size(sample=1)
def test_a_fault_of_the_other_side_is_tried_again(desk, provider, sure):
    desk.played.plays(fails(500), fails(529), says("At last."))
    assert desk.runner(provider).query(prompt="?").response == "At last."
    assert len(desk.played.asked) == 3
    assert (desk.called["tries"], desk.called["success"]) == (3, True)
    assert "doubt_tokens" not in desk.called
    sure()


def test_too_many_calls_are_tried_again_after_the_pause_they_ask_for(desk, provider):
    desk.played.plays(fails(429, retry_after="0"), says("Now."))
    assert desk.runner(provider).query(prompt="?").response == "Now."
    assert desk.called["tries"] == 2


@pytest.mark.full_size(sample=1)
@pytest.mark.parametrize("act", [breaks_off, hangs_up], ids=["within", "before"])
def test_a_broken_connection_is_tried_again_and_counted_at_its_worst(desk, provider, act):
    desk.played.plays(act, says("Again."))
    runner = desk.runner(provider, max_tokens=1000)
    assert runner.query(prompt="12345").response == "Again."
    assert desk.called["tries"] == 2
    assert desk.called["doubt_tokens"] == 5 + 64 + 1000


@pytest.mark.full_size(sample=1)
def test_tries_come_to_an_end(desk, provider):
    desk.played.plays(fails(503))
    with pytest.raises(Unanswered, match="http 503"):
        desk.runner(provider, retries=3).query(prompt="?")
    assert len(desk.played.asked) == 4
    assert (desk.called["success"], desk.called["error"]) == (False, "http 503")


@pytest.mark.full_size(sample=1)
@each_row("status", [400, 401, 403, 404, 408, 413, 422])
def test_a_refused_request_is_not_retried(desk, provider, status):
    desk.played.asked.clear()
    desk.played.plays(fails(status), says("Too late."))
    with pytest.raises(Unanswered, match=f"http {status}"):
        desk.runner(provider).query(prompt="?")
    assert len(desk.played.asked) == 1
    assert desk.events()[-1].data["error"] == f"http {status}"


def test_nobody_there_is_a_clear_word(desk, provider):
    runner = desk.runner(provider, retries=1)
    desk.played.shutdown()
    desk.played.server_close()
    with pytest.raises(Unanswered, match="no connection"):
        runner.query(prompt="?")
    assert desk.called["tries"] == 2
    assert "doubt_tokens" not in desk.called


@pytest.mark.product
@pytest.mark.parametrize("act", [holds, drips], ids=["silent", "a-byte-at-a-time"])
def test_a_slow_answer_ends_at_the_time_limit(desk, provider, act):
    desk.played.plays(act)
    with pytest.raises(Unanswered, match="timeout"):
        desk.runner(provider, timeout=1.5, max_tokens=10).query(prompt="12345")
    assert len(desk.played.asked) == 1
    assert desk.called["doubt_tokens"] == 5 + 64 + 10


def test_an_answer_is_read_up_to_a_limit_and_no_further(desk, provider):
    desk.played.plays(floods)
    with pytest.raises(Unanswered, match="too long"):
        desk.runner(provider, max_bytes=100_000).query(prompt="?")
    assert len(desk.played.asked) == 1


def test_an_error_is_read_up_to_a_limit_too(desk, provider):
    desk.played.plays(sends(b"x" * 200_000, status=500))
    with pytest.raises(Unanswered, match="too long"):
        desk.runner(provider, max_bytes=100_000).query(prompt="?")


def test_a_packed_answer_is_not_unpacked(desk, provider):
    desk.played.plays(sends(b"\x1f\x8b", content_encoding="gzip"))
    with pytest.raises(Unanswered, match="unreadable"):
        desk.runner(provider).query(prompt="?")


def garbage(provider, **changes):
    return json.dumps(FORM[provider]("Fine.") | changes).encode()


@pytest.mark.full_size(sample=1)
@each_row(
    ("content", "word"),
    [
        (b"", "no JSON"),
        (b"<html>busy</html>", "no JSON"),
        (b'{"choices": [', "no JSON"),
        (b"\xff\xfe\x00", "no JSON"),
        (b"[" * 20_000, "no JSON"),
        (b"null", "an answer of an unexpected form"),
        (b"[1, 2]", "an answer of an unexpected form"),
        (b"{}", "an answer of an unexpected form"),
        (b'{"choices": [], "content": 7}', "an answer of an unexpected form"),
        (b'{"choices": [null], "content": null}', "an answer of an unexpected form"),
        (b'{"choices": [{"message": 5}], "content": "x"}', "an answer of an unexpected form"),
        (b'{"choices": [{"message": {"content": " "}}], "content": [{"type": "x"}]}', "no text"),
        (b'{"choices": [{"message": {"content": []}}], "content": [5, {}]}', "no text"),
    ],
)
def test_an_unreadable_reply_is_a_clear_error(desk, provider, content, word):
    desk.played.asked.clear()
    desk.played.plays(sends(content))
    with pytest.raises(Unanswered, match=word):
        desk.runner(provider).query(prompt="?")
    assert desk.events()[-1].data["error"] == word
    assert len(desk.played.asked) == 1


def test_an_empty_answer_is_counted_as_it_says(desk, provider):
    desk.played.plays(says(None, tokens=(40, 2)))
    with pytest.raises(Unanswered, match="no text"):
        desk.runner(provider).query(prompt="?")
    assert (desk.called["tokens_in"], desk.called["tokens_out"]) == (40, 2)
    assert "doubt_tokens" not in desk.called


@pytest.mark.full_size(sample=1)
@each_row(
    "usage",
    [None, 7, {}, {"prompt_tokens": -5, "completion_tokens": 1, "input_tokens": -5}],
)
def test_an_answer_without_usage_is_counted_at_the_upper_bound(desk, provider, usage):
    desk.played.plays(sends(garbage(provider, usage=usage, model=["x"])))
    answer = desk.runner(provider, max_tokens=10).query(prompt="12345")
    assert (answer.response, answer.tokens_in, answer.model) == ("Fine.", None, "small")
    assert desk.events()[-1].data["doubt_tokens"] == 5 + 64 + 10


def test_what_is_kept_elsewhere_counts_as_asked(desk):
    usage = {"input_tokens": 1, "output_tokens": 2, "cache_read_input_tokens": 40}
    desk.played.plays(sends(garbage("anthropic", usage=usage)))
    assert desk.runner("anthropic").query(prompt="?").tokens_in == 41


def test_nobody_is_sent_elsewhere(desk, provider, sure):
    desk.played.plays(fails(307, location="http://127.0.0.2:9/v1/elsewhere"))
    with pytest.raises(Unanswered, match="http 307"):
        desk.runner(provider).query(prompt="?")
    assert len(desk.played.asked) == 1
    sure()


@pytest.mark.full_size(sample=1)
@each_row(
    ("said", "verdict"),
    [
        ('{"respond": true, "reason": "asked by name"}', (True, "asked by name")),
        ('{"respond": false}', (False, "")),
        ('```json\n{"respond": true}\n```', (True, "")),
        ('{"respond": "yes"}', (False, "the answer cannot be read")),
        ("Yes, certainly.", (False, "the answer cannot be read")),
        ("[true]", (False, "the answer cannot be read")),
        ('{"respond": tr', (False, "the answer cannot be read")),
    ],
)
def test_only_an_answer_that_reads_as_yes_means_respond(desk, provider, said, verdict):
    desk.played.asked.clear()
    desk.played.plays(says(said))
    respond, reason = verdict
    found = desk.runner(provider).evaluate(eval_prompt="Should Ada respond?")
    assert found == Evaluation(respond=respond, reason=reason)
    assert desk.played.asked[0]["body"]["messages"][-1]["content"] == "Should Ada respond?"


def test_whoever_cannot_be_asked_whether_to_speak_says_no(desk, provider):
    desk.played.plays(fails(401))
    found = desk.runner(provider).evaluate(eval_prompt="?")
    assert found == Evaluation(respond=False, reason="the model gave no answer: http 401")


def endpoint(played, pauses, *, chance=lambda: 1.0, **site):
    made = Site(provider="openai", base_url=played.address("openai"), **site)
    return Endpoint(made, key=None, chance=chance, now=lambda: NOW, sleep=pauses.append)


ASKED = ModelQuestion(prompt="?", model="small")


@pytest.mark.full_size(sample=1)
@pytest.mark.parametrize(
    ("chance", "expected"),
    [(1.0, [2, 4, 8, 16, 30]), (0.0, [1, 2, 4, 8, 15])],
    ids=["most", "least"],
)
def test_pauses_double_up_to_a_limit_with_some_chance_in_them(loopback, chance, expected):
    loopback.plays(fails(500))
    pauses = []
    with pytest.raises(Failed, match="http 500"):
        endpoint(loopback, pauses, chance=lambda: chance, backoff=2.0, retries=5).ask(ASKED)
    assert pauses == expected


@each_row(
    ("header", "pause"),
    [
        ("7", 7.0),
        ("Fri, 15 Jan 2027 08:00:11 GMT", 11.0),
        ("Fri, 15 Jan 2027 07:00:00 GMT", 0.0),
        ("soon", 0.5),
        ("-3", 0.5),
    ],
)
def test_the_pause_is_the_one_asked_for(loopback, header, pause):
    loopback.plays(fails(429, retry_after=header), says("Now."))
    pauses = []
    assert endpoint(loopback, pauses).ask(ASKED).text == "Now."
    assert pauses == [pause]


def test_a_pause_beyond_the_time_limit_is_not_begun(loopback):
    loopback.plays(fails(429, retry_after="61"), says("Never."))
    pauses = []
    with pytest.raises(Failed, match="http 429"):
        endpoint(loopback, pauses, timeout=60.0).ask(ASKED)
    assert (pauses, len(loopback.asked)) == ([], 1)
