"""Makes the museum: a small log with every kind of line, and damaged copies of it.

Run by hand, from the root of the repository, when the format gets something to show that is not in
it yet: `python -m tests.museum.make`. What is there already should then come out byte for byte as
it was, for everything in it is fixed: the clock, the identities, the order of things.
"""

from __future__ import annotations

import json
import random
import shutil
import sys
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING

import varves
from tests.museum.reading import Hand, beside, report, state
from varves.events import blobs
from varves.values.ids import IdSource

if TYPE_CHECKING:
    from collections.abc import Iterator

HERE = Path(__file__).parent
START = 1_794_700_800_000  # 2026-11-15
DAY = 86_400_000
SHORT = 64  # bytes a line may hold, so that a small text already makes a blob


class Fixed(IdSource):
    """Identities that are the same each time."""

    def __init__(self, seed: int) -> None:
        self._random = random.Random(seed)

    def entropy(self, count: int) -> bytes:
        return self._random.randbytes(count)


class Clone:
    """One clone of the project, with a clock that moves a second with each act."""

    def __init__(self, root: Path, seed: int, actor: str) -> None:
        root.mkdir()
        self.root = root
        self.clock = Hand(START + seed)
        self.ledger = varves.open(
            root, home=root / "home", clock=self.clock, ids=Fixed(seed), actor=actor
        )

    def __getattr__(self, verb: str):
        self.clock.ms += 1000
        return getattr(self.ledger, verb)

    def take(self, other: Clone) -> None:
        """Bring in another clone's project log, as a merge does."""
        folder = ".varves/log"
        shutil.copytree(other.root / folder, self.root / folder, dirs_exist_ok=True)


def live(folder: Path) -> Clone:
    """Let two people work on one project until everything has happened once."""
    ada, bob = Clone(folder / "ada", 1, "ada"), Clone(folder / "bob", 2, "bob")
    ada.init()
    first = ada.remember(
        "Use Zod for all input validation",
        tags=["validation"],
        confidence=0.9,
        type="decision",
        speaker="Ada",
        session="s1",
        turn=3,
        source="https://example.org/1",
    ).id
    ada.remember("use zod for all input validation!")
    gone = ada.remember("The staging host is called heron").id
    secret = ada.remember("The key to the office hangs behind the clock").id
    ada.forget(gone, reason="it was renamed")
    ada.clock.ms += DAY  # a new day: a new segment, which closes the one before
    ada.restore(gone)
    ada.edit(gone, tag=["host"], priority="high", ttl="90d")
    blobs.LINE_BYTES = SHORT
    ada.remember("A text too long for its line. " * 4, tags=["long"])
    blobs.LINE_BYTES = 256 << 10
    private = ada.remember("Ada prefers tabs", private=True).id
    ada.share(private)
    shared = ada.remember("Ada drinks tea", private=True).id
    ada.undo(ada.share(shared).events[0])
    ada.undo(ada.remember("Said by mistake").event)

    bob.clock.ms += 2 * DAY
    bob.take(ada)
    ada.clock.ms += DAY
    ada.correct(first, "Use Valibot for all input validation", reason="smaller bundle")
    bob.correct(first, "Use Yup for all input validation")
    bob.remember("Use Zod for all input validation", scope="agent:bob")
    ada.take(bob)
    [conflict] = ada.conflicts()
    ada.resolve(conflict.id, merge="Use Valibot; Yup in the old forms")
    ada.remember("Said on two branches")
    ada.clock.ms += DAY
    ada.remember("The last word")
    purge(ada.root / ".varves", secret)
    pack(ada.root / ".varves")
    ada.close()
    bob.close()
    return ada


def keep_documents(folder: Path) -> Clone:
    """Let two people write the same documents, and a framework keep what was said."""
    ada, bob = Clone(folder / "ada", 3, "ada"), Clone(folder / "bob", 4, "bob")
    ada.init()
    shelf, other = ada.shelf("notes"), bob.shelf("notes")
    shelf.put("plan.md", "Use Zod", operation=("op-1", "mark"))
    shelf.put("plan.md", "Use Yup")
    shelf.put("value", {"of": ["any", "kind"]})
    undone = shelf.put("value", {"of": "another"})
    shelf.put("value", {"of": "a third"})
    ada.undo(undone.event)
    shelf.put("gone.md", "Said once")
    shelf.delete("gone.md", operation="op-2")
    shelf.put("back.md", "Deleted and put again")
    shelf.delete("back.md")
    shelf.put("back.md", "Deleted and put again")
    ada.forget(shelf.put("no.md", "A person forgot this").id, reason="not so")
    ada.correct(shelf.put("fixed.md", "A person corects").id, "A person corrects")
    blobs.LINE_BYTES = SHORT
    shelf.put("long.md", "A text too long for its line. " * 4)
    shelf.put("long.md", "Another text too long for its line. " * 4)
    blobs.LINE_BYTES = 256 << 10
    ada.shelf("notes", private=True).put("mine.md", "For this clone alone")
    bob.take(ada)
    ada.clock.ms += DAY  # a segment of its own, that bob does not have
    for here, said in ((shelf, "Ada's"), (other, "Bob's")):
        ada.clock.ms += 1000
        bob.clock.ms += 2000
        here.put("plan.md", said)  # left in conflict
        here.put("both.md", said)
    bob.forget(other.get("value").id, reason="no longer so")
    shelf.put("value", {"of": "what bob did not see"})
    ada.take(bob)
    settled = next(one for one in ada.conflicts() if "both.md" in str(one.members[0].source))
    ada.resolve(settled.id, keep=settled.current)
    talk = ada.talk("app/1")
    talk.append(["hello", {"role": "user"}, 3], keys=["a", None, "c"], note=lambda was, new: [1])
    talk.pop()
    talk.append(["again"], keys=["c"])
    ada.talk("app/2").append(["cleared"])
    ada.talk("app/2").clear()
    ada.talk("app/3").append(["deleted"])
    ada.talk("app/3").delete()
    ada.close()
    bob.close()
    return ada


def purge(ledger: Path, memory: str) -> None:
    """Erase the content of a memory's lines, as the format says."""
    for path in sorted(ledger.glob("log/*/*.jsonl")):
        lines = path.read_bytes().split(b"\n")
        for place, line in enumerate(lines):
            if memory.encode() in line:
                cut, end = line.index(b',"data":'), line.rindex(b',"c":"')
                lines[place] = line[:cut] + b',"purged":true' + line[end:]
        path.write_bytes(b"\n".join(lines))


def pack(ledger: Path) -> None:
    """Put the segments of the second and fourth day whole into one pack."""
    days = ("20261116", "20261118")
    chosen = [p for p in sorted(ledger.glob("log/*/*.jsonl")) if p.name.startswith(days)]
    entries, content = [], b""
    for path in chosen:
        lines = path.read_bytes()
        last = json.loads(lines.split(b"\n")[-2])["h"]
        name = path.relative_to(ledger).as_posix()
        entries.append([name, lines.count(b"\n"), len(lines), last])
        content += lines
        path.unlink()
    head = json.dumps({"pack": 1, "segments": entries}, separators=(",", ":")).encode()
    target = chosen[0].with_name("20261119-museum-0000000000.pack.jsonl")
    target.write_bytes(head + b"\n" + content)


def damages(ledger: Path) -> Iterator[tuple[str, Path, bytes]]:
    """Yield the name of each damage, the file it is done to, and the bytes it leaves."""
    segment = max(
        (p for p in ledger.glob("log/*/*.jsonl") if not p.name.endswith(".pack.jsonl")),
        key=lambda path: (path.read_bytes().count(b"\n"), path.name),
    )
    lines = segment.read_bytes().split(b"\n")[:-1]

    def joined(kept: list[bytes]) -> bytes:
        return b"".join(line + b"\n" for line in kept)

    flipped = bytearray(lines[1])
    flipped[len(flipped) // 2] ^= 1
    yield "flipped-byte", segment, joined([lines[0], bytes(flipped), *lines[2:]])
    yield "dropped-line", segment, joined([lines[0], *lines[2:]])
    yield "doubled-line", segment, joined([*lines[:2], *lines[1:]])
    yield "swapped-lines", segment, joined([lines[0], lines[2], lines[1], *lines[3:]])
    yield "cut-segment", segment, joined(lines[:-1])
    yield "torn-tail", segment, joined(lines)[:-40]
    [packed] = ledger.glob("log/*/*.pack.jsonl")
    content = packed.read_bytes()
    yield "cut-pack", packed, content[: content.rindex(b"\n", 0, -1) + 1]
    yield "pack-without-head", packed, b"x" + content
    [blob] = ledger.glob("log/blobs/*")
    yield "changed-blob", blob, blob.read_bytes().upper()


def main() -> None:
    """Make everything anew."""
    with tempfile.TemporaryDirectory() as place:
        made = live(Path(place)).root / ".varves"
        whole = HERE / "whole"
        for old in (whole, HERE / "damaged"):
            shutil.rmtree(old, ignore_errors=True)
        shutil.copytree(made, whole, ignore=shutil.ignore_patterns("local", ".git*", "clone"))
        reports = {"whole": report(whole)}
        for name, path, content in damages(whole):
            target = HERE / "damaged" / name / path.relative_to(whole)
            target.parent.mkdir(parents=True)
            target.write_bytes(content)
            reports[name] = report(whole, target.parent.parent.parent)
        (HERE / "reports.json").write_text(json.dumps(reports, indent=1) + "\n", encoding="utf-8")
        text = "".join(json.dumps(row, sort_keys=True) + "\n" for row in state(whole))
        (HERE / "state.jsonl").write_text(text, encoding="utf-8")
    with tempfile.TemporaryDirectory() as place:
        made = keep_documents(Path(place)).root / ".varves"
        shelved = HERE / "shelved"
        shutil.rmtree(shelved, ignore_errors=True)
        shutil.copytree(made, shelved, ignore=shutil.ignore_patterns("local", ".git*", "clone"))
        text = json.dumps({"memories": state(shelved), **beside(shelved)}, indent=1, sort_keys=True)
        (HERE / "shelved.json").write_text(text + "\n", encoding="utf-8")
    sys.stdout.write(f"made {len(reports) + 1} showcases\n")


if __name__ == "__main__":
    main()
