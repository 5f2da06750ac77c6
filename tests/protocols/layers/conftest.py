"""One project with rules, at moments of a test's choice, and what stands in its four files."""

from __future__ import annotations

import subprocess
from hashlib import sha256
from typing import TYPE_CHECKING, Any

import pytest

from tests.protocols.timed import Timed

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

DAWN = "2026-01-05T09:00:00Z"
LOG = "CHANGELOG.md"
GRAPH = ".memory/graph.md"
CONTEXT = ".memory/context.md"
FOUR = ("AGENTS.md", LOG, GRAPH, CONTEXT)
RULES = """\
# Rules

## Do
- Run the tests
- Say why

## Don't
- Guess

## File naming conventions
- Files in kebab-case

## Workflow
1. Boot
2. Work

## Key files
| File | Role |
|---|---|
| CHANGELOG.md | the log |

## Memory System Protocol
Four layers.
"""


class Site(Timed):
    """The protocol over one project; time stands still until it is set."""

    protocol = "layers"
    dawn = DAWN

    @property
    def notes(self) -> list[str]:
        """What the last verb says beside its answer."""
        return list(self.verbs.core.notes)

    # Files

    def read(self, path: str) -> str:
        """Return a file's text, its line ends as they are."""
        return (self.root / path).read_bytes().decode("utf-8")

    def write(self, path: str, text: str) -> None:
        """Write a file as a person would."""
        (self.root / path).parent.mkdir(parents=True, exist_ok=True)
        (self.root / path).write_bytes(text.encode("utf-8"))

    def edit(self, path: str, old: str, new: str) -> None:
        """Change one place of a file as a person would."""
        text = self.read(path)
        assert text.count(old) == 1, text
        self.write(path, text.replace(old, new))

    def hashes(self, *paths: str) -> dict[str, str | None]:
        """Return the digests of files; None where there is none."""
        found = {}
        for path in paths or FOUR:
            place = self.root / path
            found[path] = sha256(place.read_bytes()).hexdigest() if place.exists() else None
        return found

    # Events

    def add(self, title: str, **more: Any) -> str:
        """Append an event and return the memory it is."""
        said = {
            "type": "change",
            "scope": "project",
            "title": title,
            "what": f"{title} happened.",
            "why": "It was asked for.",
            "impact": "Little.",
            "next": f"- Look at {title}",
        }
        [name] = self.verbs.append(**said | more).ids
        return str(name)

    def status(self, name: str) -> str:
        """Return the status of an entry."""
        return str(self.ledger.show(name).status)

    def events(self, kind: str) -> list[Any]:
        """Return the events of a kind."""
        return list(self.ledger.log(kind=(kind,)))

    def rules(self) -> list[tuple[str, str, str]]:
        """Return what validate finds: level, rule and place."""
        return [(one.level, one.rule, one.place) for one in self.verbs.validate()]

    def found(self, rule: str) -> list[Any]:
        """Return the findings of one rule."""
        return [one for one in self.verbs.validate() if one.rule == rule]

    # Git

    def git(self, *words: str, check: bool = True) -> str:
        """Run git here and return what it says."""
        self.close()
        done = subprocess.run(
            ["git", *words], cwd=self.root, capture_output=True, encoding="utf-8", check=False
        )
        assert not check or done.returncode == 0, done.stdout + done.stderr
        return done.stdout

    def commit(self, message: str = "work") -> None:
        """Commit everything there is."""
        self.git("add", "--all")
        self.git("commit", "--quiet", "--allow-empty", "--message", message)


@pytest.fixture
def bare(project: Path) -> Iterator[Site]:
    """Give the protocol over a fresh project with nothing in it."""
    made = Site(project)
    yield made
    made.close()


@pytest.fixture
def site(bare: Site) -> Site:
    """Give a project that has its rules, and begun its log."""
    bare.write("AGENTS.md", RULES)
    bare.verbs.init()
    return bare


def block(time: str, title: str, *, why: str = "Because.", kind: str = "change") -> str:
    """Return an event as a person writes it into the file."""
    return (
        f"## {time} — {title}\n\n**Type:** {kind}\n**Scope:** project\n\n"
        f"### What\n{title} happened.\n\n### Why\n{why}\n\n### Impact\nLittle.\n\n"
        f"### Next Steps\n- Oil the hinges\n"
    )
