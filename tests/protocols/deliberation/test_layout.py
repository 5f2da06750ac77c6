"""The bytes of a state file: plain indented JSON, also where parts of it are known from before."""

from __future__ import annotations

import json

from hypothesis import given
from hypothesis import strategies as st

from varves.protocols.deliberation.saved_state import encoded

SCALARS = st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text()
PARTS = st.recursive(
    SCALARS,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(), inner, max_size=3),
    max_leaves=12,
)


def plain(document: dict[str, object]) -> bytes:
    text = json.dumps(document, ensure_ascii=False, indent=2)
    return f"{text}\n".encode("utf-8", "surrogatepass")


@given(document=st.dictionaries(st.text(), PARTS, max_size=4))
def test_a_state_is_written_as_indented_json(document):
    assert encoded(document) == plain(document)
    assert encoded(document) == plain(document)  # now each record is known


def test_a_record_that_changed_is_written_anew():
    record = {"id": "d1", "supportingAgents": ["ana"]}
    first = encoded({"decisions": [record]})
    record["supportingAgents"].append("ben")
    second = encoded({"decisions": [record, {"id": "x" * 20_000}]})
    assert first != second
    assert second == plain({"decisions": [record, {"id": "x" * 20_000}]})
