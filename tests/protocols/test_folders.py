"""A project with `memory/` and `.memory/` is told which protocols they belong to."""

from __future__ import annotations

LINE = (
    "memory/ holds the entries of the protocols scoped and hivemind, .memory/ the files of layers"
)


def test_both_folders_are_explained_where_both_exist(project, varves):
    (project / "AGENTS.md").write_text("# Rules\n\n## Do\n- Run the tests\n", encoding="utf-8")
    assert LINE not in varves("init", "--protocol", "scoped").out
    assert LINE not in varves("status").out
    assert LINE in varves("init", "--protocol", "layers").out
    assert LINE in varves("status").out
    assert varves("status", "--json").json["folders"] == [LINE]
