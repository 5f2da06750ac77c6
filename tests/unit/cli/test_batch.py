from __future__ import annotations

import pytest

from tests.tables import each_row
from varves.cli.batch import parsed
from varves.errors import UsageError


def test_a_line_holds_one_memory():
    assert parsed(b'{"text": "t", "tags": ["a"], "private": true}\n') == {
        "text": "t",
        "tags": ["a"],
        "private": True,
    }


@each_row(
    ("line", "message"),
    [
        (b"[1]", "not a JSON object"),
        (b"{", "not JSON"),
        (b'{"txt": "t"}', "unknown key txt"),
        (b'{"scope": "project"}', "no text"),
        (b'{"text": "a", "text": "b"}', "a key appears twice"),
        (b'{"text": "a", "confidence": NaN}', "NaN is not a number"),
        (b'{"text": "a", "confidence": Infinity}', "Infinity is not a number"),
        (b'{"text": "\xff"}', "not valid UTF-8"),
        (b'{"text": ' + b"[" * 100_000, "nested too deep"),
        (b'{"text": "a", "confidence": ' + b"9" * 5000 + b"}", "not JSON"),
    ],
)
def test_a_line_that_cannot_be_a_memory_says_why(line, message):
    with pytest.raises(UsageError, match=message):
        parsed(line)
