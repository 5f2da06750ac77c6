"""Power cuts beneath agents that append to one CHANGELOG.md; see `tests.durability.power`.

Run as a program, like that one.
"""

from __future__ import annotations

import os
import random
import sys
import traceback
from typing import TYPE_CHECKING

import varves
from tests.durability import power
from tests.durability.reader import read_log
from tests.protocols.layers.killing import start, whole_event
from tests.protocols.layers.whole import blocks, torn
from varves.errors import VarvesError

if TYPE_CHECKING:
    from pathlib import Path

TOGETHER = 0.2  # how often several events are given at once


def published(title: str) -> str:
    """Return an event in the published form."""
    said = whole_event(title)
    parts = (("What", "what"), ("Why", "why"), ("Impact", "impact"), ("Next Steps", "next"))
    sections = "\n".join(f"### {name}\n{said[part]}\n" for name, part in parts)
    return f"## {title}\n\n**Type:** {said['type']}\n**Scope:** {said['scope']}\n\n{sections}"


def append_for_ever(root: Path, name: str, pipe: int) -> None:
    """Append one event or several at once, and tell each that was acknowledged."""
    chance = random.Random(name)
    number = 0
    while True:
        with varves.open(root, actor="ada", session=f"{name}-{number}") as ledger:
            ledger.layers.boot()
            for _ in range(chance.randrange(1, 9)):
                titles = [f"{name}.{number + more}" for more in range(chance.randrange(2, 5))]
                if chance.random() < TOGETHER:
                    done = ledger.layers.append_text("\n".join(map(published, titles)))
                else:
                    titles = titles[:1]
                    done = ledger.layers.append(**whole_event(titles[0]))
                number += len(titles)
                for each, title in zip(done.events, titles, strict=True):
                    os.write(pipe, f"event {each} {title}\n".encode())


class LayersCuts(power.Cuts):
    """Agents on one mounted image, each of which appends."""

    def lay(self, root: Path) -> None:
        """Make a project whose log is committed."""
        start(root)

    def write(self, root: Path, name: str, pipe: int, *, slot: int, lying: bool) -> None:
        """Be an agent that appends; never return."""
        try:
            if lying:
                os.fsync = os.fdatasync = lambda _: None
                os.sync = lambda: None
            append_for_ever(root, name, pipe)
        except BaseException:  # noqa: BLE001 - whatever it was, nothing more is acknowledged
            traceback.print_exc()
        finally:
            os._exit(70)

    def compare(self, root: Path, events: set[str], texts: set[str]) -> None:
        """Read the log and the ledger, boot, and let the next agent append."""
        log = root / "CHANGELOG.md"
        text = log.read_text(encoding="utf-8", errors="replace")
        titles = [title for title, _ in blocks(text)]
        recorded = {each["id"] for segment in read_log(root) for each in segment.events}
        self.found["acknowledged"] += len(texts)
        self.found["lost"] += len(texts - {*titles})
        self.found["unrecorded"] += len(events - recorded)
        self.found["beyond"] += len({*titles} - texts)
        self.found["doubled"] += len(titles) - len({*titles})
        self.found["torn"] += len([title for title in torn(text) if title in texts])
        try:
            with varves.open(root, actor="eve", session=f"cut {self.found['cuts']}") as ledger:
                ledger.layers.boot()
                ledger.layers.append(**whole_event(f"After cut {self.found['cuts']}"))
                ids = [one.data["memory"] for one in ledger.log(kind=("log.entry",))]
                errors = [one for one in ledger.layers.validate() if one.level == "error"]
                damage = ledger.verify(deep=True).damage
        except VarvesError as fault:
            sys.stderr.write(f"{self.kind}: {fault}\n")
            self.found["no boot"] += 1
            return
        for one in (*errors[:3], *damage[:3]):
            sys.stderr.write(f"{self.kind}: {one}\n")
        after = [title for title, _ in blocks(log.read_text(encoding="utf-8"))]
        self.found["lost"] += len({*titles} - {*after})
        self.found["doubled"] += len(after) - len({*after})
        self.found["recorded twice"] += len(ids) - len({*ids})
        self.found["findings"] += len(errors)
        self.found["damage"] += len(damage)


def warm_up(root: Path) -> None:
    """Import what agents need before they are forked."""
    start(root)
    with varves.open(root, actor="ada", session="warm") as ledger:
        ledger.layers.boot()
        ledger.layers.append(**whole_event("Warm"))


if __name__ == "__main__":
    power.main(LayersCuts, warm_up)
