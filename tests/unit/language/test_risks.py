"""Each row of the table of weaknesses matches its sentence and no near miss."""

from __future__ import annotations

import re

from tests.tables import each_row
from varves.language.risks import ROWS, tells_risk


@each_row(("pattern", "sentence", "miss"), ROWS)
def test_a_row_matches_its_sentence_and_not_its_near_miss(pattern, sentence, miss):
    assert re.search(pattern, sentence, re.IGNORECASE)
    assert tells_risk(sentence)
    assert not tells_risk(miss)


@each_row(
    "text",
    [
        "The form is not open to SQL injection",
        "CVE-2024-3094 was fixed in 5.6.2",
        "Tokens are rotated every hour",
    ],
)
def test_a_weakness_that_is_denied_or_gone_is_none(text):
    assert not tells_risk(text)
