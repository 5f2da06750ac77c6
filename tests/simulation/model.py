"""What the machine believes, and a reader of files that shares no code with ours."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Any

from varves.fold.base import replay
from varves.fold.memories import Memories
from varves.index.sqlite.schema import FIELDS

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tests.git.scene import Checkout

PROJECTION = Memories()
_OF_WORKTREES = ("branch", "away")


class Family:
    """Memories that stand in each other's place, as the model sees them."""

    def __init__(self) -> None:
        self.events: list[str] = []
        self.touched_by: set[str] = set()
        self.live: list[str] = []  # the newest of them is current
        self.gone: dict[str, str] = {}  # what became of the others
        self.before: tuple[list[str], dict[str, str]] | None = None

    def keep(self) -> None:
        """Remember how things stand, for an undo."""
        self.before = [*self.live], dict(self.gone)

    def lives(self, name: str) -> None:
        """Let a memory be the newest that lives."""
        self.goes(name)
        del self.gone[name]
        self.live.append(name)

    def goes(self, name: str, how: str = "") -> None:
        """Let a memory be no longer in use."""
        if name in self.live:
            self.live.remove(name)
        self.gone[name] = how

    def status(self, name: str) -> str:
        """Return what a memory's status must be where everything is known."""
        if name in self.live:
            return "active" if name == self.live[-1] else "flagged"
        return self.gone[name]


def bytes_of(there: Checkout) -> Iterator[tuple[str, bytes]]:
    """Yield every file of a checkout in which a ledger keeps anything, git's objects left out."""
    beside = Path(there.git("rev-parse", "--git-common-dir"))
    for top in (there.root / ".varves", there.root / beside / "varves"):
        for path in sorted(top.rglob("*")):
            if path.is_file():
                yield str(path), path.read_bytes()


def ids_in(there: Checkout) -> Iterator[str]:
    """Yield the event ids in the files of a checkout; a torn line holds none."""
    for path in sorted((there.root / ".varves" / "log").glob("*/*.jsonl")):
        content = path.read_bytes()
        lines = content[: content.rfind(b"\n") + 1].splitlines()
        for line in lines[1:] if path.name.endswith(".pack.jsonl") else lines:
            yield json.loads(line)["id"]


def assert_index_is_the_fold(there: Checkout) -> None:
    """Check that the index, brought along through everything, is what all events fold to."""
    now = there.time.ms
    rows = PROJECTION.rows(replay(PROJECTION, there.ledger.log()), now)
    found = {memory.id: _plain(memory.as_dict()) for memory in there.ledger.list(status="all")}
    assert found == {name: _plain(row) for name, row in rows.items()}


def _plain(row: dict[str, Any]) -> dict[str, Any]:
    """Leave out what is empty, and what only the index or only a row says."""
    fields = {name: row.get(name) for name in FIELDS if name not in _OF_WORKTREES}
    return json.loads(json.dumps({k: v for k, v in fields.items() if v not in (None, {}, [], ())}))
