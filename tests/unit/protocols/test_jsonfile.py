"""The bytes of published JSON files: those of `json.dumps`, whatever the document contains."""

from __future__ import annotations

import json

from hypothesis import given
from hypothesis import strategies as st

from tests.tables import each_row
from varves.protocols.jsonfile import written

TEXTS = st.text(st.characters(exclude_categories=["Cs"])) | st.sampled_from(
    ["},\n      {", "\n", '"', "\\", "\u2028", "[{", "}]"]
)
PLAIN = st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | TEXTS
RECORDS = st.lists(st.dictionaries(TEXTS, PLAIN, max_size=4), max_size=4)
NESTED = st.recursive(
    PLAIN,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(TEXTS, inner, max_size=3),
    max_leaves=12,
)


def plainly(document):
    return f"{json.dumps(document, ensure_ascii=False, indent=2)}\n".encode()


@given(st.dictionaries(TEXTS, NESTED | RECORDS, max_size=4))
def test_a_document_has_the_bytes_that_json_gives_it(document):
    assert written(document) == plainly(document)


@each_row(
    "document",
    [
        {},
        {"entries": []},
        {"entries": [{}]},
        {"entries": [{}, {"id": "a"}]},
        {"entries": [{"id": "a", "n": 1.5, "on": True, "off": None}, {"id": "},\n      {"}]},
        {"entries": [{"id": "a", "more": {"b": [1]}}, {"id": "b"}]},
        {"entries": [{"id": "a", "more": ()}], "after": {"x": "\n"}},
        {"entries": ({"id": "a"},)},
    ],
)
def test_records_beside_nested_values_keep_their_form(document):
    assert written(document) == plainly(document)
