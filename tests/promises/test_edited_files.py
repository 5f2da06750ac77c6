"""What the README promises of published files that people edit."""

from __future__ import annotations

import json

import pytest

from tests.promises.conftest import said


def promises(sentence):
    return pytest.mark.promise("README.md", sentence)


@promises(
    "Until then, the protocol's reading verbs, `status` and `doctor` report the edit, but `recall`,"
    " `list` and `brief` still answer from the log."
)
def test_an_edit_that_waits_is_named_and_not_recalled(cli, project):
    words = ("scoped", "write", "project", "shop", "--type", "convention", "--confidence", "0.95")
    said(cli(*words, "--content", "Use Zod", "--json"))
    file = project / "memory/projects/shop/memory.json"
    file.write_text(file.read_text(encoding="utf-8").replace("Zod", "Valibot"), encoding="utf-8")
    line = "1 hand edit; the next write records it"
    assert line in cli("scoped", "read", "project", "shop").err
    assert line in cli("status").out
    assert line in cli("doctor").out
    for verb in (("recall", "Zod"), ("list",), ("brief",)):
        answer = cli(*verb)
        assert "Use Zod" in answer.out
        assert line not in answer.err


@promises("the protocol's next write records the edit.")
def test_the_newest_entry_taken_out_by_hand_stays_out(cli, project):
    words = ("scoped", "write", "project", "shop", "--type", "convention", "--confidence", "0.95")
    for text in ("Use Zod", "Dates are UTC"):
        said(cli(*words, "--content", text, "--json"))
    file = project / "memory/projects/shop/memory.json"
    document = json.loads(file.read_text(encoding="utf-8"))
    document["entries"].pop()
    file.write_text(json.dumps(document, indent=2) + "\n", encoding="utf-8")
    said(cli(*words, "--content", "Prices are in cents", "--json"))
    texts = [one["text"] for one in said(cli("list", "--json"))["memories"]]
    assert sorted(texts) == ["Prices are in cents", "Use Zod"]
