"""A promise is a sentence of a page, and the test that carries it quotes it word for word."""

from __future__ import annotations

import re
import subprocess
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

if TYPE_CHECKING:
    from collections.abc import Callable


ROOT = Path(__file__).parents[2]


def words(text: str) -> str:
    """Return a text with every run of white space as one blank."""
    return re.sub(r"\s+", " ", text)


@pytest.fixture(autouse=True)
def promise(request: pytest.FixtureRequest) -> None:
    """Check that the page still says what the test quotes."""
    mark = request.node.get_closest_marker("promise")
    assert mark is not None, "a test here names the page and quotes its sentence"
    page, sentence = mark.args
    text = (ROOT / page).read_text(encoding="utf-8")
    assert words(sentence) in words(text), f"{page} no longer says: {sentence}"


@pytest.fixture
def git(project: Path) -> Callable[..., str]:
    """Run git in the project; a refusal fails the test."""

    def run(*args: str, cwd: Any = None) -> str:
        done = subprocess.run(
            ["git", *args],
            cwd=cwd or project,
            capture_output=True,
            encoding="utf-8",
            errors="replace",
            check=False,
        )
        assert done.returncode == 0, f"git {' '.join(args)}: {done.stdout}{done.stderr}"
        return done.stdout

    return run


@pytest.fixture
def commit(git: Callable[..., str]) -> Callable[[str], None]:
    """Commit all that git sees."""

    def run(message: str) -> None:
        git("add", "-A")
        git("commit", "--quiet", "--allow-empty", "-m", message)

    return run


def everything(folder: Path) -> dict[str, bytes]:
    """Return the bytes of every file below a folder, git's own files among them."""
    return {
        str(path.relative_to(folder)): path.read_bytes()
        for path in sorted(folder.rglob("*"))
        if path.is_file() and not path.is_symlink()
    }


def objects(folder: Path) -> bytes:
    """Return the content of every object git holds, reachable or not."""
    asked = ["git", "cat-file", "--batch-all-objects", "--batch", "--unordered"]
    return subprocess.run(asked, cwd=folder, capture_output=True, check=True).stdout


def said(answer: Any) -> Any:
    """Return what a verb answered as JSON, once it is seen to have worked."""
    assert answer.code == 0, answer.err
    return answer.json
