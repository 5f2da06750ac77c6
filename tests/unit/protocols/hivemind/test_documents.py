"""How documents are written."""

from __future__ import annotations

import json

from hypothesis import given
from hypothesis import strategies as st

from tests.unit.protocols.hivemind.records import memory
from varves.protocols.hivemind.documents import encoded, entry
from varves.protocols.hivemind.options import HivemindOptions

LEAVES = st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text()
PARTS = st.recursive(
    LEAVES, lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner), max_leaves=20
)


@given(PARTS)
def test_a_document_has_two_spaces_and_says_what_was_given(document):
    assert encoded(document).decode() == json.dumps(document, ensure_ascii=False, indent=2) + "\n"


def test_half_a_character_is_written_as_an_escape():
    assert encoded({"a": ["\ud800"]}) == b'{\n  "a": [\n    "\\ud800"\n  ]\n}\n'


def test_an_errors_content_has_the_published_order_and_others_keep_theirs():
    stored = {"agent": "DEV-001", "error": "it broke"}  # as the log sorts it
    for subtype, keys in (("error", ["error", "agent"]), ("fact", ["agent", "error"])):
        one = memory(extra={"subtype": subtype, "body": stored})
        assert [*entry(one, {}, HivemindOptions(), find=lambda _: None)["content"]] == keys
