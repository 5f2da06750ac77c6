"""Names and paths: what could lead out of a folder on any file system is refused."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.tables import each_row
from varves.errors import UnsafeName
from varves.values.names import MAX_NAME, safe_name, safe_path

BAD_NAMES = [
    *("", ".", "..", "...", ".hidden", "../evil", "a/b", "/etc", "a\\b", "\\\\host\\share", "C:"),
    *("a:b", "a*", "a?", 'a"', "a<b", "a>b", "a|b", "a\0b", "a\nb", "a\tb", "a\x7fb", "a\x1bb"),
    *("CON", "con", "Nul", "AUX.txt", "com1", "LPT9.log", "prn.tar.gz", "con .txt"),
    *("trailing.", "trailing ", "a" * (MAX_NAME + 1), "a" * 300),
    *("a\u202eb", "a\u200bb", "a\ufeffb", "a\ud800b", "a\u2028b", "a\u00a0b"),
]


@each_row("name", BAD_NAMES)
def test_an_unsafe_name_is_refused_and_named(name):
    with pytest.raises(UnsafeName, match="unsafe scope id") as told:
        safe_name(name, "scope id")
    assert told.value.exit == 3
    assert told.value.message.isascii()


@each_row(
    "name",
    ["alice", "agent-7", "a.b", "a_b", "Ada Lovelace", "ada@example.org", "zoë", "日本", "console"],
)
def test_a_plain_name_comes_back_as_it_is(name):
    assert safe_name(name, "actor") == name


@given(st.text(max_size=20))
def test_a_name_that_passes_is_one_component_that_stays_in_its_folder(name):
    try:
        assert safe_name(name, "name") == name
    except UnsafeName:
        return
    assert name not in {"", ".", ".."}
    assert not {"/", "\\", "\0", ":"} & set(name)


@each_row(
    "path",
    [
        *("", ".", "./.", "./", "/etc/passwd"),
        *("../evil", "a/../b", "a/..", "..", "~/x", "~root/x", "C:/x", "C:x"),
        *("\\\\host\\x", "\\x", "a\\..\\b", "a//b", "a/", "a\0b", "a/b\nc", "a/con", "nul.txt/b"),
        *("a/COM1.log", "a/\u202eb", "a/\ud800"),
    ],
)
def test_a_path_that_leaves_the_project_is_refused(path):
    with pytest.raises(UnsafeName, match="unsafe evidence"):
        safe_path(path, "evidence")


@each_row(
    ("path", "kept"),
    [
        ("README.md", "README.md"),
        ("src/varves/log/files/lane.py", "src/varves/log/files/lane.py"),
        ("./docs/a.md", "docs/a.md"),
        ("docs\\a.md", "docs/a.md"),
        ("a/.../b", "a/.../b"),
        (".github/x", ".github/x"),
    ],
)
def test_a_path_inside_is_kept_with_forward_slashes(path, kept):
    assert safe_path(path, "evidence") == kept
