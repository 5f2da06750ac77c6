"""A random walk with every protocol in one project, each by its own verbs, edits and laws.

What a protocol alone must keep is asked of it here too, and beside that: no verb of one changes a
file of another, and whatever was kept up step by step is what a rebuild makes.
"""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from tests.protocols import laws
from tests.protocols.deliberation.walk import TalkWalk
from tests.protocols.laws import Tree
from tests.protocols.layers.conftest import LOG
from tests.protocols.layers.walk import LayersWalk
from tests.protocols.party.walk import PartyWalk
from tests.protocols.walk import Walk
from tests.protocols.wander import ANYWHERE, Wander

if TYPE_CHECKING:
    from pathlib import Path

    import varves

PARTS: tuple[type[Wander], ...] = (Walk, PartyWalk, LayersWalk, TalkWalk)
TRACKED = ("memory", "_mdan", ".memory", LOG)


class Facet(Tree):
    """A work tree as the walk of one protocol sees it: the same ledger, its own files."""

    def __init__(self, whole: Tree, kind: type[Wander]) -> None:
        super().__init__(whole.root, time=whole.time, off=whole.off, seed=whole.seed)
        self.whole = whole
        self.folders, self.protocols = kind.folders, kind.protocols

    @property
    def ledger(self) -> varves.Ledger:
        """The ledger of the whole tree."""
        return self.whole.ledger

    def opened(self, **options: Any) -> varves.Ledger:
        """Open the ledger of the whole tree anew."""
        return self.whole.opened(**options)

    def close(self) -> None:
        """Let go of the ledger of the whole tree."""
        self.whole.close()


class Everything(Tree):
    """A work tree with a facet for each part of the walk."""

    def __init__(self, root: Path, **options: Any) -> None:
        super().__init__(root, **options)
        self.facets = [Facet(self, kind) for kind in PARTS]


def part_of(whole: FiveWalk, kind: type[Wander]) -> Wander:
    """Return the walk of one protocol as a part of the whole: it shares all that the whole has."""

    class Part(kind):  # type: ignore[valid-type,misc]
        def disturbed(self, tree: Facet) -> None:
            whole.disturbed(tree.whole)

        def moved(self, tree: Facet) -> None:
            whole.moved(tree.whole)

    part: Wander = object.__new__(Part)
    part.__dict__ = whole.__dict__
    return part


class FiveWalk(Wander):
    """One history of one project with all protocols."""

    folders = tuple(dict.fromkeys(folder for kind in PARTS for folder in kind.folders))
    tracked = TRACKED
    protocols = tuple(name for kind in PARTS for name in kind.protocols)
    ways = {"verb": 30, "edit": 30, "lose_core": 2, **ANYWHERE}  # noqa: RUF012 - constant

    def __init__(self, folder: Path, seed: int) -> None:
        self.parts = [part_of(self, kind) for kind in PARTS]
        super().__init__(folder, seed)

    def tree(self, name: str, off: int = 0) -> Tree:
        """Return a work tree of this walk."""
        made = Everything(self.folder / name, time=self.time, off=off, seed=str(self.seed))
        made.folders, made.protocols = self.folders, self.protocols
        return made

    def faces(self, tree: Any) -> list[tuple[Wander, Facet]]:
        """Return each part, and the tree as it sees it."""
        return list(zip(self.parts, tree.facets, strict=True))

    def begin(self, tree: Tree) -> None:
        """Make a project with all protocols."""
        for part, facet in self.faces(tree):
            part.begin(facet)

    def write_some(self, tree: Tree) -> None:
        """Write through all protocols."""
        for part, facet in self.faces(tree):
            part.write_some(facet)

    def settle(self, tree: Tree) -> None:
        """Let each protocol settle what git could not."""
        for part, facet in self.faces(tree):
            part.settle(facet)

    def said_in(self, path: str, content: bytes) -> list[str]:
        """Return what a file says, by the walk whose folder it is in."""
        whose = [part for part in self.parts if path.startswith(part.folders)]
        return [text for part in whose for text in part.said_in(path, content)]

    def keep_private(self, tree: Tree) -> None:
        """Do what must not show in any file that git tracks, through every protocol."""
        for part, facet in self.faces(tree):
            part.keep_private(facet)

    def look_without(self, tree: Tree) -> None:
        """Check what each protocol does where the ledger is gone."""
        for part, facet in self.faces(tree):
            part.look_without(facet)

    def disturbed(self, tree: Any) -> None:
        """Expect nothing any more of edits that no verb has seen yet."""
        for facet in tree.facets:
            super().disturbed(facet)

    def moved(self, tree: Any) -> None:
        """Take note that git moved files about."""
        self.disturbed(tree)
        for facet in tree.facets:
            facet.numbers.clear()

    # What people and agents do

    def verb(self, tree: Tree) -> None:
        """Run a verb of some protocol, and look that it kept its hands off the others' files."""
        part, facet = self.random.choice(self.faces(tree))
        whose = {
            name: one.files()
            for other, one in self.faces(tree)
            if other is not part
            for name in (one.protocols[0],)
        }
        part.verb(facet)
        for other, one in self.faces(tree):
            if other is not part:
                laws.assert_same(whose[one.protocols[0]], one.files())

    def edit(self, tree: Tree) -> bool | None:
        """Change some protocol's file by hand."""
        part, facet = self.random.choice(self.faces(tree))
        own = {name: often for name, often in part.ways.items() if name not in self.ways}
        [name] = self.random.choices(list(own), list(own.values()))
        print(f"      {name}")  # noqa: T201 - shown on failure
        done: bool | None = getattr(part, name)(facet)
        return done

    # What must hold

    def look(self, tree: Tree) -> None:
        """Look whether the laws of each protocol hold, and those of the whole."""
        for part, facet in self.faces(tree):
            part.look(facet)
        before, events = self.dump(tree), tree.events()
        tree.ledger.rebuild()
        assert self.dump(tree) == before
        assert tree.events() == events
        assert tree.ledger.verify().ok
        self.assert_laid_out(tree)

    def dump(self, tree: Tree) -> tuple[list[str], dict[str, bytes]]:
        """Return all that the index holds of memories, and every file."""
        rows = [json.dumps(one.as_dict(), sort_keys=True) for one in tree.ledger.list(status="all")]
        return sorted(rows), tree.files()

    def assert_laid_out(self, tree: Tree) -> None:
        """Check that git sees no file but those of the published layout."""
        places = (*TRACKED, "AGENTS.md", ".varves/", ".gitattributes")
        seen = tree.git("ls-files", "-z", "--cached", "--others", "--exclude-standard")
        odd = [path for path in seen.split("\0") if path and not path.startswith(places)]
        assert not odd, odd

    def assert_stable(self, tree: Tree) -> None:
        """Check that rendering again, also from nothing, changes no byte and records nothing."""
        part, facet = self.random.choice(self.faces(tree))
        before = tree.files()
        part.assert_stable(facet)
        laws.assert_same(before, tree.files())
