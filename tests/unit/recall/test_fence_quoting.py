"""The short way to quote a text gives what the pattern gives, for every text."""

from __future__ import annotations

import re

from hypothesis import example, given
from hypothesis import strategies as st

from varves.recall import fence

PATTERN = re.compile(fence._OPENING)
PIECES = st.sampled_from(
    [
        *("system", "System", "USER", "instructions", "Ai", "ecosystem", "INST", "sys", "round"),
        *(":", "\uff1a", "\u2236", "[", "]", "#", "##", "```", "~~~", "<", ">", "&", "`", "~"),
        *(" ", "\n", "\t", '"', "\\", "\u200b", "\u0130", "\u0131", "\u7cfb\u7edf", "\u017f"),
        *("a", "Z", "_", "9", "-", "*", "(", "\x1b", "\U0001f600"),
        *("x" * 30, "    ", "INFO", "A_B", "the tool", "no role at all"),
    ]
)
TEXTS = st.one_of(st.text(max_size=80), st.lists(PIECES, max_size=12).map("".join))


def by_pattern(text: str) -> str:
    return f'"{PATTERN.sub(fence._closed, text.translate(fence._LETTERS))}"'


@given(TEXTS)
@example("user\\: x")
@example("ass\u0130stant: x")
@example("[ [INST]")
@example("#\n#\n#\n#\nsystem")
@example("system" + "\u200b" * 4 + ":")
def test_a_text_is_quoted_as_the_pattern_says(text):
    assert fence.quote(text) == by_pattern(text)


def test_plain_statements_need_no_pattern():
    for text in (
        "Use Zod for all input validation",
        "Deploys: every Friday, see #123 and notes[0]",
        "Ports are 8080:80; `make test` runs all",
    ):
        assert not fence._may_open(text.translate(fence._LETTERS)), text
