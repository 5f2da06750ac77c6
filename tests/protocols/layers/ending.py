"""What tests of a session's end share: a project with rules, and events in the published form."""

from __future__ import annotations

import subprocess
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from pathlib import Path

AGENTS = """\
# Rules

## Do
- Run the tests

## Don't
- Guess

## Naming
- Files in kebab-case

## Workflow
- Boot, work, shut down

## Key files
- CHANGELOG.md is the log
"""
VIEWS = (".memory/graph.md", ".memory/context.md")


def event(title: str, *, kind: str = "change", files: str = "", more: str = "") -> str:
    """Return an event in Markdown, as an agent hands it over."""
    linked = f"\nFiles: [{files}]({files})\n" if files else "\n"
    return (
        f"## {title}\n\n**Type:** {kind}\n**Scope:** file\n\n"
        f"### What\n{title} was done. {more}\n\n### Why\nIt was asked for.\n\n"
        f"### Impact\nNothing else.{linked}\n### Next Steps\n- Look at {title} again\n"
    )


def said(title: str, **more: Any) -> dict[str, Any]:
    """Return the parts of an event, as keyword arguments of append."""
    return {
        "type": "change",
        "scope": "file",
        "title": title,
        "what": f"{title} was done.",
        "why": "It was asked for.",
        "impact": "Nothing else.",
        "next": f"- Look at {title} again",
        **more,
    }


def write(root: Path, path: str, text: str) -> None:
    """Write a file as a person does."""
    (root / path).parent.mkdir(parents=True, exist_ok=True)
    (root / path).write_text(text, encoding="utf-8")


def begin(root: Path) -> None:
    """Lay rules, a source file and its commit into a repository."""
    write(root, "AGENTS.md", AGENTS)
    write(root, "src/app.py", "one = 1\n")
    in_git(root, "add", "--all")
    in_git(root, "commit", "--quiet", "--message", "begin")


def in_git(root: Path, *words: str) -> str:
    """Run git and return what it printed."""
    done = subprocess.run(
        ["git", *words], cwd=root, capture_output=True, encoding="utf-8", check=False
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


def titles(root: Path) -> list[str]:
    """Return the titles of the log's events, by a reader of its own."""
    lines = (root / "CHANGELOG.md").read_text(encoding="utf-8").splitlines()
    return [line.partition(" — ")[2] for line in lines if line.startswith("## 2")]


def snapshot(root: Path) -> dict[str, bytes]:
    """Return every file of the work tree and of the private log, but no bookkeeping."""
    found = {}
    for folder in (root, root / ".git/varves"):
        for path in sorted(folder.rglob("*")):
            name = str(path.relative_to(root))
            if name.startswith((".varves/local", ".git/")) and "private/log" not in name:
                continue
            if path.is_file():
                found[name] = path.read_bytes()
    return found
