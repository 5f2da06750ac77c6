"""Which files an event names: links that lead into the project, and paths in backticks."""

from __future__ import annotations

from tests.tables import each_row
from varves.protocols.layers.parser import parse


def files(text: str) -> tuple[str, ...]:
    [block] = parse(f"## 2026-01-01 10:00 — T\n\n### What\n{text}\n".encode()).blocks
    return block.files


@each_row(
    "word", ["a.py", "src/a", "src/", "README.md", "a.b.tsx", ".gitignore", "x-1/y_2.z", "A.PNG"]
)
def test_a_path_in_backticks_names_a_file(word):
    assert files(f"see `{word}` there") == (word,)


@each_row(
    "word",
    [
        *("os.path", "math.log", "example.org", ".py", "a", "v1.2", "1.5", "--flag", "x()"),
        *("a b.py", "..", "/"),
        *("$HOME/x", "a:b.py", "<x>.md", "*.py", "https://example.org/a.py", "/etc/passwd"),
    ],
)
def test_other_words_in_backticks_name_none(word):
    assert files(f"see `{word}` there") == ()


@each_row(
    ("link", "found"),
    [
        ("[x](a.py)", ("a.py",)),
        ("[x](./a.py)", ("a.py",)),
        ("[x](docs/a%20b.md#part)", ("docs/a b.md",)),
        ("[x](<a b.md>)", ("a b.md",)),
        ('[x](a.py "title")', ("a.py",)),
        ("![x](shot.png)", ("shot.png",)),
        ("[`a.py`](src/a.py)", ("src/a.py", "a.py")),
        ("[a](a) and [b](b), again [a](a)", ("a", "b")),
        ("[x](https://example.org/a.py)", ()),
        ("[x](mailto:a@example.org)", ()),
        ("[x](#part)", ()),
        ("[x](//example.org)", ()),
        ("[x]()", ()),
        ("[[skill]] (a.py)", ()),
    ],
)
def test_a_link_names_a_file_unless_it_leads_elsewhere(link, found):
    assert sorted(files(f"see {link} there")) == sorted(found)


def test_code_names_none():
    assert files("```\n`a.py` [x](b.py)\n```\n<!--\n`c.py`\n-->") == ()
