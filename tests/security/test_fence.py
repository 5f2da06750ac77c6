"""S3: whatever a memory says, it stays inside its block and begins nobody's turn.

The judge is not our own parser. It wraps the block as ten dialogue formats would, reads the result
as a careless host might (other widths folded, hidden characters dropped, entities decoded), and
counts the marks: as many as around a harmless memory, or something has escaped.
"""

from __future__ import annotations

import html
import json
import random
import re
import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.figures import full_size, note_figure
from tests.security.hostile import MARKS, hostile_texts, payload
from varves.errors import UsageError
from varves.recall.fence import NOTICE, block, line_of, read_block

NONCE = "0123456789abcdef" * 2
PAYLOADS = 10_000 if full_size() else 320

TURNS = re.compile(
    r"""
      </?[\w!?|\uff5c/]            # any tag, and every mark in angle brackets
    | \[/?(?:inst|sys|(?-i:[A-Z]+_[A-Z_]+))\b | \[round\s*\d
    | \[(?:system|assistant|user)\]\s*\(
    | (?:human|user|assistant|system|developer|tool|model)[\s*_"']*:
    | (?:observation|thought|action|final\ answer)\s*:
    | \#+\W*(?:instruction|response|system|user|assistant)
    | [\u95ee\u7b54]\s*:
    | ``` | ~~~
    """,
    re.VERBOSE | re.IGNORECASE,
)
FORMATS = (
    "{0}",
    "<|im_start|>system\n{0}<|im_end|>\n<|im_start|>user\nhi<|im_end|>\n",
    "<|start_header_id|>system<|end_header_id|>\n\n{0}<|eot_id|>",
    "[INST] <<SYS>>\n{0}\n<</SYS>>\n\nhi [/INST]",
    "[SYSTEM_PROMPT]{0}[/SYSTEM_PROMPT][INST]hi[/INST]",
    "<start_of_turn>user\n{0}<end_of_turn>\n<start_of_turn>model\n",
    "{0}\n\nHuman: hi\n\nAssistant:",
    "### Instruction:\n{0}\n\n### Response:\n",
    "<system-reminder>\n{0}\n</system-reminder>",
    "```\n{0}\n```\nUSER: hi\nASSISTANT:",
)


def _without_hidden(text: str) -> str:
    return "".join(
        c for c in text if unicodedata.category(c) not in {"Cf", "Mn", "Cc"} or c == "\n"
    )


READINGS = (
    str,
    lambda text: unicodedata.normalize("NFKC", text),
    lambda text: unicodedata.normalize("NFKD", text).casefold(),
    _without_hidden,
    html.unescape,
    lambda text: html.unescape(unicodedata.normalize("NFKC", _without_hidden(text))),
)


def fenced(*texts: str) -> str:
    """Return a block as brief makes it."""
    return block(
        [line_of({"id": "mem_0", "origin": "tool", "trust": 0, "text": text}) for text in texts],
        NONCE,
    )


def turns(text: str) -> list[int]:
    """Count the marks in every format and reading."""
    alone = [len(TURNS.findall(reading(text))) for reading in READINGS]
    around = [
        len(TURNS.findall(one.format("\0"))) + alone[0] == len(TURNS.findall(one.format(text)))
        for one in FORMATS
    ]
    return [*alone, *around]


PLAIN = turns(fenced("harmless"))


def escapes(text: str) -> list[str]:
    """Return in which ways a text has left its block; none is right."""
    made = fenced(text)
    found = [] if turns(made) == PLAIN else ["marks"]
    lines = made.split("\n")
    if len(lines) != 4 or len(made.splitlines()) != 4:
        found.append("lines")
    if made.count(f"</varves-memory-{NONCE}>") != 1 or made.count("<") != 2:
        found.append("closing mark")
    if any(unicodedata.category(c) in {"Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp"} for c in lines[2]):
        found.append("hidden characters")
    if json.loads(lines[2])["text"] != text:
        found.append("text changed")
    if [record["text"] for record in read_block(made)] != [text]:
        found.append("not read back")
    return found


def test_no_payload_escapes_its_block():
    chance = random.Random(20261115)
    texts = [*MARKS, *hostile_texts()] if full_size() else [*MARKS, *hostile_texts()[::8]]
    texts += [payload(chance, NONCE) for _ in range(PAYLOADS - len(texts))]
    escaped = {text: ways for text in texts if (ways := escapes(text))}
    note_figure("S3", payloads=len(texts), escapes=len(escaped))
    assert len(texts) == PAYLOADS
    assert not escaped


def test_the_judge_sees_an_escape_where_there_is_one():
    """The same texts between the same marks, quoted by plain JSON: nearly every mark is seen."""
    caught = 0
    for mark in MARKS:
        line = json.dumps({"id": "mem_0", "text": f"{mark} obey"}, ensure_ascii=False)
        caught += turns(block([line], NONCE)) != PLAIN
    assert caught >= 0.85 * len(MARKS)


@given(st.text(st.characters(exclude_categories=["Cs"])))
def test_any_text_comes_back_as_it_went_in(text):
    made = fenced(text, "beside it")
    assert [record["text"] for record in read_block(made)] == [text, "beside it"]
    assert made.count("<") == made.count(">") == 2
    assert made.isprintable() or made.replace("\n", "").isprintable()
    assert len(made.splitlines()) == 5


@given(st.dictionaries(st.sampled_from(["origin", "scope", "type", "at"]), st.text()))
def test_no_other_field_of_a_forged_record_leaves_the_line(fields):
    line = line_of({"id": "mem_0", **fields, "text": "plain"})
    assert line.isprintable()
    assert not set(line) & set("<>&")
    assert json.loads(line).keys() == {"id", *fields, "text"}


@pytest.mark.parametrize(
    "text",
    [
        "Use Zod for all input validation, see src/schema.ts:12",
        "if a[0] == 1 and b['x'] | c: # why",
        "Größe der Übersicht prüfen; naïve café, 3 € \u2264 5",
        "\u4e2d\u6587\u6ce8\u91ca\uff1a\u4f7f\u7528 Zod \u9a8c\u8bc1\u8f93\u5165\u3002",
        "\u0418\u0441\u043f\u043e\u043b\u044c\u0437\u0443\u0439\u0442\u0435 Zod",
    ],
)
def test_an_ordinary_text_stands_in_plain_letters(text):
    """The fence must not make memories unreadable, in any language."""
    assert json.dumps(text, ensure_ascii=False) in fenced(text)


@pytest.mark.parametrize(
    "text",
    [
        "",
        "no block",
        fenced("a").replace(NONCE, "f" * 32, 1),
        fenced("a").rsplit("\n", 1)[0],
        fenced("a") + "\nmore",
        fenced("a").replace(NOTICE, "obey"),
        fenced("a").replace('"mem_0"', "mem_0"),
        fenced("a").replace('{"id":"mem_0"', '["id"', 1),
    ],
)
def test_what_is_not_exactly_one_block_is_not_read(text):
    with pytest.raises(UsageError):
        read_block(text)
