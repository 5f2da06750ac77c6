"""Conversations that others wrote down: what is a message in them, and what is not."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.tables import each_row
from varves.errors import Refused
from varves.protocols.deliberation.transcripts import read

ROOT = Path(__file__).parents[3]
SET = ROOT / "benchmarks/deliberation"
CANVAS = Path(__file__).parent / "samples/canvas.jsonl"


def minutes(text: str) -> dict[str, tuple[str, str]]:
    """Return each message of some minutes: its id, who said it and what."""
    return {one.id: (one.agent_id, one.content) for one in read(text, "minutes.md").messages}


def lines(*records: object) -> str:
    return "\n".join(json.dumps(one) for one in records)


@each_row(
    ("line", "agent"),
    [
        ("ana: we ship", "ana"),
        ("    ana: we ship", "ana"),
        ("* ana: we ship", "ana"),
        ("  - ana: we ship", "ana"),
        ("3. ana: we ship", "ana"),
        ("- [ ] ana: we ship", "ana"),
        ("**ana**: we ship", "ana"),
        ("**ana:** we ship", "ana"),
        ("* **Ana:** we ship", "Ana"),
        ("_ana_: we ship", "ana"),
        ("@ana: we ship", "ana"),
        ("[10:31] ana: we ship", "ana"),
        ("TC [after the meeting]: we ship", "TC"),
        ("ana (by chat): we ship", "ana"),
        ("ana, reluctantly: we ship", "ana"),
        ("ana/ben: we ship", "ana/ben"),
        ("Ana & Ben: we ship", "Ana & Ben"),
        ("Ludwig van Beethoven: we ship", "Ludwig van Beethoven"),
        ("J. Smith: we ship", "J. Smith"),
        ("oli-obk: we ship", "oli-obk"),
        ("Łukasz: we ship", "Łukasz"),
        ("李雷: we ship", "李雷"),
        ("O'Neil: we ship", "O'Neil"),
        ("user_2: we ship", "user_2"),
        ("[ana]: we ship", "ana"),
        ("[agent-2]: we ship", "agent-2"),
        ("- **[Ana Lima]**: we ship", "Ana Lima"),
        ("**[ana]:** we ship", "ana"),
        ("[10:31] [ana]: we ship", "ana"),
        ("[@ana]: we ship", "ana"),
    ],
)
def test_a_name_before_a_colon_is_the_speaker(line: str, agent: str):
    assert minutes(f"{line}\n") == {"line-1": (agent, "we ship")}


@each_row(
    "line",
    [
        "Link: the other page",
        "**Link:** https://example.org/96",
        "title: Triage",
        "TODO: a table",
        "Team members: Ana, Ben",
        "Note-taker: ana",
        "Action items: none",
        "Next steps: write it down",
        "Extra thought: split it",
        "2021-08-31: a Tuesday",
        "12:30 in the small room",
        "https://example.org: is down",
        "compiles: https://example.org/x",
        "implication: a rewrite",
        "ana's idea: both",
        "ana asks whether we ship",
        "> ana: quoted from elsewhere",
        "main.rs: does not build",
        "std::iter is nice",
        "In this example, we can see that: it works",
        "[RFC 1]: https://example.org/1",
        "[guide]: docs/guide.md",
        '[guide]: ../guide.md "The guide"',
        "[top]: #the-top",
        "[Note]: the door is open",
        "| ana: | in a table |",
    ],
)
def test_other_words_before_a_colon_are_no_speaker(line: str):
    assert minutes(f"## One\n\n{line}\n\n## Two\n\nben: hello\n") == {"line-7": ("ben", "hello")}


def test_what_a_shape_leaves_open_is_settled_by_who_else_speaks():
    text = "niko: see below\n\n---\n\nniko:\n* keep both\n\n---\n\nniko: https://example.org/x\n"
    assert minutes(text) == {
        "line-1": ("niko", "see below"),
        "line-5": ("niko", "* keep both"),
        "line-10": ("niko", "https://example.org/x"),
    }


def test_the_form_of_the_published_prompt_is_read():
    """The prompt of a summary lists messages as `[name]: text`, with a blank line between them."""
    said = [("data engineer", "I propose nightly copies"), ("critic", "I agree.\nBut test them.")]
    said += [("data engineer", "Done."), ("ops-1", "Where are they kept?")]
    text = "\n\n".join(f"[{name}]: {content}" for name, content in said)
    assert list(minutes(text).values()) == said


def test_who_is_listed_as_present_may_have_any_name():
    text = "Attendees: Ana, carol lee and Action\n\n# Talk\n\ncarol lee: yes\n\nAction: no\n"
    assert minutes(text) == {"line-5": ("carol lee", "yes"), "line-7": ("Action", "no")}
    under = "## Attendance\n\n* carol lee\n\n## Talk\n\ncarol lee: yes\n"
    assert minutes(under) == {"line-7": ("carol lee", "yes")}


def test_the_continuation_ends_at_the_next_message_a_heading_or_a_rule():
    text = """\
some text of the agenda
* ana: first
    * a point
        * below it

  a paragraph
    * ben: second
* a bullet of nobody
# Heading
agenda again
ana: third
----
not hers
"""
    assert minutes(text) == {
        "line-2": ("ana", "first\n  * a point\n      * below it\n\na paragraph"),
        "line-7": ("ben", "second\n* a bullet of nobody"),
        "line-11": ("ana", "third"),
    }


def test_an_indented_message_answers_the_one_above_it():
    text = (
        "* ana: a\n    * ben: b\n        * eve: c\n    * ana: d\n* ben: e\n\n# Next\n    * eve: f\n"
    )
    found = read(text, "minutes.md").messages
    answers = [one.reply_to for one in found]
    assert answers == [None, "line-1", "line-2", "line-1", None, None]


def test_code_never_speaks_but_stays_with_its_message():
    text = (
        "ana: like so\n\n```rust\nben: u32,\n# no heading\n```\nben: fine\n~~~\nana: x\n```\n~~~\n"
    )
    assert minutes(text) == {
        "line-1": ("ana", "like so\n```rust\nben: u32,\n# no heading\n```"),
        "line-7": ("ben", "fine\n~~~\nana: x\n```\n~~~"),
    }


def test_entities_are_read_as_what_they_stand_for():
    assert minutes("ana: `Vec&lt;T&gt;` &amp; it&#39;s&#x21; AT&T &nope;\n") == {
        "line-1": ("ana", "`Vec<T>` & it's! AT&T &nope;")
    }


def test_a_page_of_html_is_read_as_it_is_shown():
    page = """\
<!DOCTYPE html>
<html><head>
<title>x</title> ana: in the head
</head><body>
<style>ana: red;
</style><script>ben: 1</script>
<div
 class="x">ana: I&#39;d use Vec&lt;T&gt;</div>
<!-- ben: hidden
--> ben: agreed
"""
    assert minutes(page) == {"line-8": ("ana", "I'd use Vec<T>"), "line-10": ("ben", "agreed")}


def test_the_front_of_a_file_and_a_templates_placeholder_say_nothing():
    text = "---\nana: x\n---\n### How do I ask?\nferris: How do I ask?\n### Real\nferris: so?\n"
    found = read(text, "minutes.md")
    assert [(one.id, one.content) for one in found.messages] == [("line-7", "so?")]
    assert found.skipped == ((5, "`ferris:` repeats its heading"),)


def test_each_line_in_the_form_of_a_message_that_is_none_is_named():
    text = "Link: x\nana: hi\nana:\n\n# Q\nQ: why?\nA: because\n"
    assert read(text, "minutes.md").skipped == (
        (1, "`Link:` a field, not a speaker"),
        (3, "`ana:` has no text"),
        (6, "`Q:` not a speaker"),
        (7, "`A:` not a speaker"),
    )


@pytest.mark.parametrize(
    ("file", "labels", "count"),
    [("2021-08-31", "2021-08-31", 62), ("2023-05-31-TAIT-stabilization", "2023-05-31", 23)],
)
def test_in_real_minutes_every_message_is_found_and_none_is_invented(
    file: str, labels: str, count: int
):
    """The lines of a reader who looked at each; the third meeting is kept for the last figure."""
    text = (SET / f"minutes/{file}.md").read_text(encoding="utf-8")
    labelled = (SET / f"labels/{labels}.jsonl").read_text(encoding="utf-8").splitlines()
    known = [(f"line-{one['line']}", one["name"]) for one in map(json.loads, labelled)]
    found = [(one.id, one.agent_id) for one in read(text, f"{file}.md").messages]
    assert found == known
    assert len(found) == count


@each_row("agent", ["agent", "agentId", "agent_id", "name", "speaker", "author"])
@each_row("content", ["content", "text", "message"])
def test_json_lines_may_name_their_fields_in_several_ways(agent: str, content: str):
    (one,) = read(lines({agent: "ana", content: "we ship"}), "talk.jsonl").messages
    assert (one.agent_id, one.content, one.id, one.type) == ("ana", "we ship", "line-1", "message")


def test_json_lines_keep_ids_times_replies_and_types():
    text = lines(
        {"agent": "ana", "text": "a", "id": "m1", "ts": "2026-02-10T11:00:00+01:00"},
        {"agent": "ben", "text": "b", "replyTo": "m1", "time": 1_770_717_600, "type": "system"},
        {"agent": "ben", "text": "c", "id": 7, "reply_to": "3", "at": 1_770_717_600_001},
        {"agent": "ana", "text": "d", "id": "3", "reply_to": 7, "type": "note"},
    )
    first, second, third, fourth = read(f"\ufeff{text}\r\n\r\n", "talk.jsonl").messages
    assert (first.id, first.timestamp) == ("m1", "2026-02-10T10:00:00.000Z")
    assert (second.reply_to, second.type) == ("m1", "system")
    assert second.timestamp == "2026-02-10T10:00:00.000Z"
    assert (third.id, third.reply_to) == ("id-7", "id-3")  # a bare number is a place in a talk
    assert third.timestamp == "2026-02-10T10:00:00.001Z"
    assert (fourth.id, fourth.reply_to, fourth.type) == ("id-3", "id-7", "message")


def test_the_ending_of_the_name_tells_the_form_else_the_first_character():
    text = lines({"agent": "ana", "text": "hi"})
    assert read(text, "talk").messages == read(text, "talk.jsonl").messages
    assert read("ana: hi\n", "talk").messages[0].content == "hi"
    with pytest.raises(Refused, match="line 1: not JSON"):
        read("ana: hi\n", "talk.jsonl")


def test_records_in_which_nobody_speaks_are_named_and_an_id_counts_once():
    text = lines(
        {"text": "a"}, {"agent": "ana", "text": " "}, *[{"agent": "b", "text": "x", "id": "m"}] * 2
    )
    found = read(text, "talk.jsonl")
    assert [one.id for one in found.messages] == ["m"]
    assert [line for line, _ in found.skipped] == [1, 2, 4]
    assert "'m' is that of line 3" in found.skipped[2][1]


def test_a_canvas_of_others_gives_its_three_notes():
    found = read(CANVAS.read_text(encoding="utf-8"), "canvas.jsonl")
    assert [(one.id, one.agent_id) for one in found.messages] == [
        ("line-7", "forge-architect"),
        ("line-12", "forge-fe"),
        ("line-13", "forge-architect"),
    ]
    assert found.messages[2].content.startswith("CSS Grid — agreed.")
    assert found.messages[2].timestamp == "2026-02-10T10:06:30.000Z"
    assert len(found.skipped) == 11


@each_row(
    ("record", "why"),
    [
        ('{"agent": "ana"', "not JSON"),
        ("[1]", "not an object"),
        ("[" * 100_000, "not JSON"),
        ('{"agent": 1, "text": "x"}', "agent is not text"),
        ('{"agent": "a", "text": ["x"]}', "text is not text"),
        ('{"agent": "a", "text": "x", "ts": "soon"}', "not an instant"),
        ('{"agent": "a", "text": "x", "ts": NaN}', "ts is not a valid time"),
        ('{"agent": "a", "text": "x", "ts": 1e300}', "ts is not a valid time"),
        ('{"agent": "a", "text": "x", "ts": true}', "ts is not a valid time"),
        ('{"agent": "a", "text": "x", "id": {}}', "id is not text"),
    ],
)
def test_a_line_that_cannot_be_read_refuses_the_file_and_is_named(record: str, why: str):
    with pytest.raises(Refused) as told:
        read(f'{{"agent": "ana", "text": "hi"}}\n{record}\n', "talk.jsonl")
    assert told.value.exit == 3
    assert told.value.message.startswith("talk.jsonl: line 2: ")
    assert why in told.value.message


@pytest.mark.parametrize("name", ["talk.jsonl", "talk.md"])
@pytest.mark.parametrize("text", ["", "\n\n"])
def test_a_file_without_a_message_is_refused(name: str, text: str):
    with pytest.raises(Refused, match="it contains no message"):
        read(text, name)


def test_half_a_character_is_refused():
    with pytest.raises(Refused, match="line-1: incomplete Unicode"):
        read('{"agent": "ana", "text": "\\ud800"}', "talk.jsonl")


LEFT_OUT = """Lena: We agreed to mend the roof
Note: the tiles come on Monday
Omar: I agree

# Second part
The wind was strong.
---
Nobody was outside.
"""


def test_each_line_of_minutes_is_in_a_message_or_is_reported():
    found = read("It began late.\n" + LEFT_OUT, "minutes.md")
    assert [one.content for one in found.messages] == [
        "We agreed to mend the roof\nNote: the tiles come on Monday",
        "I agree",
    ]
    assert [number for number, _ in found.left_out] == [1, 6, 7, 9]
    assert [number for number, _ in found.held] == [3]


def test_a_replay_tells_skipped_lines_from_those_it_kept(project, varves):
    (project / "minutes.md").write_text(LEFT_OUT, encoding="utf-8")
    told = varves("deliberation", "replay", "minutes.md", "--name", "roof")
    assert told.out.partition("3 lines skipped\n")[2] == (
        "  line 5: a heading\n"
        "  line 6 and 1 more: after a heading or a rule, without a speaker\n"
        "1 line kept in the message above\n"
        "  line 2: `Note:` a field, not a speaker\n"
    )
    document = varves("deliberation", "replay", "minutes.md", "--name", "two", "--json").json
    assert [one["line"] for one in document["skipped"]] == [5, 6, 8]
    assert [one["line"] for one in document["kept"]] == [2]


def test_a_replayed_conversation_equals_one_that_was_spoken(talk):
    """A replay reads the conversation once for many messages."""
    told = [
        ("ada", "I propose that the roof gets new tiles"),
        ("ben", "I agree, the old ones leak."),
        ("eve", "I disagree, we have no money."),
        ("ada", "What if we asked the city?"),
        ("ben", "We decided to ask the city about the roof"),
        ("eve", "I agree, then it is fine."),
        ("ben", "Final decision on the roof: it gets new tiles"),
    ]
    posts = [(agent, text) for _ in range(9) for agent, text in told]
    talk.hold(*posts)
    text = lines(*({"agent": agent, "text": text} for agent, text in posts))
    talk.verbs.replay(read(text, "talk.jsonl").messages, name="again")

    def shape(name: str) -> object:
        state = talk.verbs.state(conversation=name)
        ids = {one.id: place for place, one in enumerate((*state.decisions, *state.proposals))}
        return (
            [one.message_range for one in state.summaries],
            [
                (one.outcome, one.supporting_agents, ids.get(one.replaces))
                for one in state.decisions
            ],
            [
                (one.content, one.status, one.reactions, ids.get(one.repeats))
                for one in state.proposals
            ],
            {name: one.message_count for name, one in state.agent_states.items()},
        )

    assert shape("again") == shape("talk")
