"""The page of a memory shows the code that it points to: as it was written about, and as it is."""

from __future__ import annotations

import re
import subprocess

import pytest

WAIT = "def wait(n):\n    first = 200\n    return first * n\n"
FILE = f"import time\n\n\n{WAIT}\n\nRETRIES = 3\n"
THEN, NOW = "As it was when this was written", "As it is now"


@pytest.fixture
def code(project):
    """A committed file; returns what writes and commits it again."""

    def write(text, *, commit=True, path="pay.py"):
        (project / path).parent.mkdir(parents=True, exist_ok=True)
        (project / path).write_text(text, encoding="utf-8")
        if commit:
            git(project, "add", "-A")
            git(project, "commit", "-qm", "pay")

    write(FILE)
    return write


def git(root, *words):
    subprocess.run(["git", *words], cwd=root, check=True, capture_output=True)


def seen(browser, name, query=""):
    """Return the blocks of code on a memory's page by their captions, without numbers' padding."""
    text = browser.get(f"/memory/{name}{query}").text
    found = re.findall(
        r"<figcaption[^>]*>(.*?)</figcaption>\s*<pre[^>]*>(.*?)</pre>", text, re.DOTALL
    )
    return {
        caption: [
            re.sub(r"\s+", " ", re.sub(r"</?span[^>]*>", "", line)).strip()
            for line in block.split("</span><span")
        ]
        for caption, block in found
    }, text


def test_unchanged_code_is_shown_once(browser, ledger, code):
    one = ledger.remember("The first wait is 200 ms", evidence=["pay.py:5"])
    blocks, text = seen(browser, one.id)
    assert list(blocks) == ["Now, and when this was written"]
    assert any("5 first = 200" in line for line in blocks["Now, and when this was written"])
    assert "<del>" not in text


@pytest.mark.parametrize("commit", [True, False])
def test_changed_code_is_shown_beside_what_it_was(browser, ledger, code, commit):
    one = ledger.remember("The first wait is 200 ms", evidence=["pay.py:5"])
    code("# new\n" + FILE.replace("200", "100"), commit=commit)
    blocks, _ = seen(browser, one.id)
    assert list(blocks) == [THEN, NOW]
    assert any(re.search(r"5 - first = <del>200</del>", line) for line in blocks[THEN])
    assert any(re.search(r"6 \+ first = <ins>100</ins>", line) for line in blocks[NOW])
    assert len(blocks[THEN]) == len(blocks[NOW])
    assert not any("import time" in line for line in blocks[NOW])


def test_what_it_was_is_found_though_it_was_committed_only_later(browser, ledger, code):
    code(FILE.replace("200", "150"), commit=False)
    one = ledger.remember("The first wait is 150 ms", evidence=["pay.py:5"])
    code(FILE.replace("200", "150"))
    code(FILE.replace("200", "90"))
    blocks, _ = seen(browser, one.id)
    assert any("<del>150</del>" in line for line in blocks[THEN])
    assert any("<ins>90</ins>" in line for line in blocks[NOW])


def test_what_no_commit_has_is_said(browser, ledger, code):
    code(FILE.replace("200", "150"), commit=False)
    one = ledger.remember("The first wait is 150 ms", evidence=["pay.py:5"])
    code(FILE.replace("200", "90"))
    blocks, text = seen(browser, one.id)
    assert list(blocks) == [NOW]
    assert "No commit has the code as it was when this was written." in text


def test_code_that_is_gone_is_shown_as_it_was(browser, ledger, project, code):
    one = ledger.remember("The first wait is 200 ms", evidence=["pay.py:5"])
    (project / "pay.py").unlink()
    blocks, text = seen(browser, one.id)
    assert list(blocks) == [THEN]
    assert any("first = 200" in line for line in blocks[THEN])
    assert "pay.py is not here any more." in text


def test_code_that_moved_unchanged_is_shown_once_at_its_new_place(browser, ledger, code):
    one = ledger.remember("The first wait is 200 ms", evidence=["pay.py:5"])
    code("# one\n# two\n" + FILE)
    blocks, _ = seen(browser, one.id)
    (lines,) = blocks.values()
    assert any("7 first = 200" in line for line in lines)


def test_a_definition_is_shown_whole_and_compared(browser, ledger, code):
    one = ledger.remember("wait multiplies", evidence=["pay.py::wait"])
    blocks, _ = seen(browser, one.id)
    (lines,) = blocks.values()
    assert any("def wait(n):" in line for line in lines)
    assert any("return first * n" in line for line in lines)
    code(FILE.replace("first * n", "first ** n"))
    blocks, text = seen(browser, one.id)
    assert "pay.py, wait" in text
    assert any("<del>*</del>" in line for line in blocks[THEN])
    assert any("<ins>**</ins>" in line for line in blocks[NOW])


def test_of_a_whole_file_only_the_changes_are_shown(browser, ledger, code):
    lines = [f"line {n}" for n in range(300)]
    code("\n".join(lines), path="notes.txt")
    one = ledger.remember("The notes have 300 lines", evidence=["notes.txt"])
    lines[150] = "line of another kind"
    code("\n".join(lines), path="notes.txt")
    blocks, _ = seen(browser, one.id)
    assert any("<ins>of another kind</ins>" in line for line in blocks[NOW])
    assert len(blocks[NOW]) < 12
    assert "…" in blocks[NOW][0]


def test_a_moment_of_the_past_shows_the_code_of_then(browser, ledger, code):
    one = ledger.remember("The first wait is 200 ms", evidence=["pay.py:5"])
    event = ledger.log()[-1].id
    code(FILE.replace("200", "100"))
    blocks, text = seen(browser, one.id, f"?as-of={event}")
    assert list(blocks) == [THEN]
    assert any("first = 200" in line for line in blocks[THEN])
    assert "first = 100" not in text


def test_code_is_text_on_the_page(browser, ledger, code):
    one = ledger.remember("A tag is built there", evidence=["pay.py:1-3"])
    code(FILE.replace("import time", "x = '<script>alert(1)</script>' # \u202e"))
    _, text = seen(browser, one.id)
    assert "&lt;script&gt;" in text
    assert "<script>alert" not in text
    assert "U+202E" in text


def test_a_line_of_windows_is_the_same_line(browser, ledger, project, code):
    git(project, "config", "core.autocrlf", "true")
    (project / "pay.py").write_bytes(FILE.replace("\n", "\r\n").encode())
    one = ledger.remember("The first wait is 200 ms", evidence=["pay.py:5"])
    (project / "pay.py").write_bytes(FILE.replace("200", "100").replace("\n", "\r\n").encode())
    blocks, _ = seen(browser, one.id)
    assert any("<del>200</del>" in line for line in blocks[THEN])
