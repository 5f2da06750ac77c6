"""A random walk with the four layers: events, edited logs and views, and whatever git does to them.

The log is read by a reader of its own: an event begins at a dated heading, and every event's title
is its own.
"""

from __future__ import annotations

import json
import re
import shutil
from typing import TYPE_CHECKING, Any

import varves
from tests.places import forget_local
from tests.protocols import laws
from tests.protocols.layers.conftest import CONTEXT, GRAPH, LOG, RULES, block
from tests.protocols.wander import ANYWHERE, TAKEN_WELL, Wander
from varves.errors import NotFound, Refused
from varves.events.kinds import touches

if TYPE_CHECKING:
    from tests.protocols.laws import Tree

AGENTS = "AGENTS.md"
EVENT = re.compile(r"^## (?=\d{4}-\d\d-\d\d )", re.MULTILINE)
TITLE = re.compile(r"W\d{3}(?: [0-9a-f]{6}){3}")
HELD = ("active", "flagged")
ALTERED = "S1-81"
EXPLAINED = {ALTERED, "S1-07", "S1-80", "S1-84", "S1-92"}  # by a person, or by git's merges
ENTITIES = (
    *("- [[skill-a]] — Skill A — active — pack-x", "- [[skill-a]] — Skill A — done — pack-x"),
    *("- [[skill-b]] — Skill B — active — pack-y", "- [[skill-a]] → [[skill-b]]"),
    *("- ~~[[skill-a]] → [[skill-b]]~~", "- [[pack-x]] — Pack X — 50% — 1", "- ~~[[skill-b]]~~"),
    *("Blocker: no disk", "Resolved: no disk", "See `src/a.py` and [[skill-c]].", "Just words."),
)


class LayersWalk(Wander):
    """One history of one project with the four layers."""

    folders = (".memory", LOG)
    protocols = ("layers",)
    verbs = (
        *("append", "append", "append", "append", "append_two", "append_draft", "boot", "shutdown"),
        *("shutdown", "hand_on", "look_again", "resolve", "resolve", "merge"),
        *("core_forget", "core_correct", "core_undo"),
    )
    ways = {"verb": 30, "lose_core": 2, "edit_log": 18, "edit_view": 6, **ANYWHERE}  # noqa: RUF012 - constant

    cut_up = False  # whether somebody took conflict markers out by hand, through events

    def begin(self, tree: Tree) -> None:
        """Make a project with rules and two events."""
        (tree.root / AGENTS).write_text(RULES, encoding="utf-8")
        tree.ledger.init(protocols=("layers",))
        self.write_some(tree)
        self.append(tree, tree.ledger)
        tree.ledger.layers.boot()

    def text(self) -> str:
        """Return something nobody has said yet, as a title."""
        return super().text().partition(" for ")[0]

    def event(self) -> dict[str, Any]:
        """Return an event that nobody has recorded yet."""
        some = self.random.sample(ENTITIES, self.random.randint(0, 3))
        return {
            "type": self.random.choice(("decision", "change", "change", "result", "milestone")),
            "scope": "project",
            "title": self.text(),
            "what": "\n".join(("It was done.", *some)),
            "why": "It was asked for.",
            "impact": "Little.",
            "next": f"- Go on with {self.random.choice(('a', 'b', 'c'))}",
            "files": (AGENTS,) if self.random.random() < 0.3 else (),
        }

    def write_some(self, tree: Tree) -> None:
        """Append, after a merge if need be."""
        try:
            self.append(tree, tree.ledger)
        except TAKEN_WELL:
            self.settle(tree)
            self.append(tree, tree.ledger)

    def said_in(self, path: str, content: bytes) -> list[str]:
        """Return the titles of the events in the log."""
        return titles(content) if path == LOG else []

    def keep_private(self, tree: Tree) -> None:
        """Keep a draft for later."""
        super().keep_private(tree)
        tree.ledger.layers.append(**self.event(), draft=True)

    # Verbs

    def append(self, tree: Tree, ledger: Any) -> None:
        """Append, and look that it is there, behind all that was."""
        before, event = tree.files().get(LOG, b""), self.event()
        done = ledger.layers.append(**event)
        after = tree.files()[LOG]
        assert after.startswith(before), (before, after)
        assert titles(after[len(before) :]) == [event["title"]]
        assert ledger.show(done.ids[0]).status == "active"

    def append_two(self, tree: Tree, ledger: Any) -> None:
        """Append two units of work at once."""
        moment = laws.moment(tree)[:16].replace("T", " ")
        names = [self.text(), self.text()]
        ledger.layers.append_text("\n".join(block(moment, name) for name in names))
        assert titles(tree.files()[LOG])[-2:] == names

    def append_draft(self, tree: Tree, ledger: Any) -> None:
        self.unchanged(tree, lambda: ledger.layers.append(**self.event(), draft=True))

    def boot(self, tree: Tree, ledger: Any) -> None:
        self.unchanged(tree, ledger.layers.boot)

    def look_again(self, tree: Tree, ledger: Any) -> None:
        """Make a view again."""
        layers = ledger.layers
        made = self.random.choice((layers.rebuild, layers.graph_rebuild, layers.context))
        self.unchanged(tree, made)

    def unchanged(self, tree: Tree, verb: Any) -> None:
        """Check that a verb leaves the log as it is."""
        before = tree.files().get(LOG)
        verb()
        assert tree.files().get(LOG) == before

    def shutdown(self, tree: Tree, ledger: Any) -> None:
        """End a session, with or without a commit; its drafts go into the log."""
        drafts = {TITLE.search(one.text)[0] for one in waiting(tree)}
        commit = self.random.random() < 0.5
        ledger.layers.shutdown(commit=commit)
        if commit:
            self.moved(tree)
        assert drafts <= set(titles(tree.files()[LOG])), drafts

    def hand_on(self, tree: Tree, ledger: Any) -> None:
        """Hand on, and go on."""
        moment = laws.moment(tree)[:16].replace("T", " ")
        ledger.layers.shutdown(text=block(moment, self.text()), to="DEV-001")
        self.moved(tree)
        ledger.layers.accept()

    def resolve(self, tree: Tree, ledger: Any) -> None:
        """Decide about entries that were altered."""
        accept = self.random.random() < 0.5
        before = tree.files().get(LOG, b"")
        done = ledger.layers.resolve(accept=accept)
        if accept:
            self.gone.update(done.ids)
            assert tree.files().get(LOG, b"") == before
        else:
            assert set(titles(before)) <= set(titles(tree.files()[LOG])), done
        tree.expected.clear()
        found = [one for one in ledger.layers.validate() if one.rule == ALTERED]
        assert not found, found

    def merge(self, tree: Tree, ledger: Any) -> None:
        ledger.layers.merge()

    def core_forget(self, tree: Tree, ledger: Any) -> None:
        one = self.some(tree, "layers")
        self.gone.add(one.id)
        self.unchanged(tree, lambda: ledger.forget(one.id, reason="no longer so"))

    def core_correct(self, tree: Tree, ledger: Any) -> None:
        one = self.some(tree, "layers")
        self.gone.add(one.id)
        self.unchanged(tree, lambda: ledger.correct(one.id, self.text()))

    def core_undo(self, tree: Tree, ledger: Any) -> None:
        one = self.some(tree, "layers", status=None)
        event = self.random.choice(ledger.history(one.id))
        self.gone.update({one.id, *touches(event)})
        self.unchanged(tree, lambda: ledger.undo(event.id))

    def look_without(self, tree: Tree) -> None:
        """Check that the four files are enough, and nothing is recorded beside git's log."""
        before = tree.files().get(LOG)
        booted = tree.ledger.layers.boot()
        tree.ledger.layers.validate()
        assert booted.adopted == ()
        assert tree.files().get(LOG) == before
        assert not list((tree.root / ".varves").rglob("*.jsonl"))

    # Editors

    def edit_log(self, tree: Tree) -> bool | None:
        """Change the log by hand."""
        raw = tree.files().get(LOG)
        if raw is None or laws.MARKS in raw or not titles(raw):
            return False
        start, *events = pieces(raw)
        how = self.random.choice(
            ("end", "end", "middle", "change", "remove", "blanks", "preamble", "again", "swap")
        )
        print(f"      {how}")  # noqa: T201 - shown on failure
        place = self.random.randrange(len(events))
        moment = laws.moment(tree)[:16].replace("T", " ")
        if how == "end":
            events.append("\n" + block(moment, self.text()))
        elif how == "middle":
            stamp = events[place][3:19]
            events.insert(place, block(stamp, self.text()) + "\n")
        elif how == "change":
            self.altered(tree, events[place])
            events[place] = events[place].replace("### Why\n", f"### Why\n{self.text()[5:]} ")
        elif how == "remove":
            self.altered(tree, events[place])
            del events[place]
        elif how == "blanks":
            events[place] = events[place].replace("\n\n", " \n\n")
        elif how == "preamble":
            start += "Some words before the first event.\n\n"
        elif how == "again":
            events.append("\n" + events[place].rstrip("\n") + "\n")
        else:
            events[0], events[-1] = events[-1].rstrip("\n") + "\n\n", events[0].rstrip("\n") + "\n"
        (tree.root / LOG).write_bytes("".join((start, *events)).encode())
        return None

    def altered(self, tree: Tree, event: str) -> None:
        """Expect that the alteration of an event is named."""
        found = TITLE.search(event)
        if found and titles(tree.files()[LOG]).count(found[0]) > 1:
            return  # of two copies that nobody has recorded yet, one is enough
        if found and tree.settled and sum(found[0] in one.text for one in entries(tree)) == 1:
            tree.expected[LOG, found[0]] = True

    def edit_view(self, tree: Tree) -> bool | None:
        """Write into a view, which is nobody's to write."""
        path = self.random.choice((GRAPH, CONTEXT))
        raw = tree.files().get(path)
        if raw is None:
            return False
        line = "- [[skill-z]] — Made up — done — none\n"
        (tree.root / path).write_bytes(raw + line.encode())
        return None

    # What must hold

    def settle(self, tree: Tree) -> None:
        """Put back a log that is gone, settle conflicts, and boot."""
        layers = tree.ledger.layers
        if LOG not in tree.files():
            if self.random.random() < 0.5:
                tree.git("checkout", "--", LOG, check=False)
            if LOG not in tree.files():
                self.put_back(tree)
        try:
            layers.merge()
        except Refused as fault:  # conflicts within conflicts are a person's
            print(f"      {fault}")  # noqa: T201 - shown on failure
            rows = tree.files()[LOG].decode().splitlines(keepends=True)
            kept = [row for row in rows if not row.startswith(("<<<<<<<", "=======", ">>>>>>>"))]
            (tree.root / LOG).write_bytes("".join(kept).encode())
            tree.git("add", LOG)
            self.cut_up = True
            layers.merge()
        layers.boot()

    def put_back(self, tree: Tree) -> None:
        """Make a log again that git has not got."""
        try:
            tree.ledger.layers.resolve(accept=False)
        except NotFound:
            for path in (GRAPH, CONTEXT):
                (tree.root / path).unlink(missing_ok=True)
            tree.ledger.layers.init()
        if LOG not in tree.files():  # it was accepted that all of it is gone
            tree.git("checkout", "--", LOG)

    def look(self, tree: Tree) -> None:
        """Boot, and look whether all laws hold."""
        expected = dict(tree.expected)
        tree.expected.clear()
        self.settle(tree)
        tree.settled = True
        found = tree.ledger.layers.validate()
        self.assert_log_is_known(tree, found)
        for _, title in expected:
            [name] = [one.id for one in entries(tree) if title in one.text]
            named = [one for one in found if one.rule == ALTERED and name in one.message]
            assert named or title not in tree.files()[LOG].decode() or name in self.gone, title
        explained = EXPLAINED | ({"S1-14", "S1-19"} if self.cut_up else set())
        wrong = [one for one in found if one.rule not in explained]
        assert not wrong, wrong
        assert (tree.root / AGENTS).read_text(encoding="utf-8") == RULES
        assert_booted_once(tree)
        assert_reading_writes_nothing(tree)

    def assert_log_is_known(self, tree: Tree, found: Any) -> None:
        """Check that every event of the file is recorded, and what is recorded there or named."""
        content = tree.files()[LOG]
        here, rows = titles(content), content.decode().splitlines()
        known = "\n".join(one.text for one in tree.memories("layers"))
        altered = {one.place: one.message for one in found if one.rule == ALTERED}
        changed = [rows[int(place.partition(":")[2]) - 1] for place in altered if ":" in place]
        fresh = [title for title in here if title not in known]
        assert not [title for title in fresh if title not in "\n".join(changed)], fresh
        named = " ".join(one.message for one in found if one.rule == ALTERED)
        for one in entries(tree):
            if one.status in HELD and one.id not in self.gone:
                title = TITLE.search(one.text)
                assert title is None or title[0] in here or one.id in named, one
            if one.status in ("forgotten", "superseded", "archived"):
                assert one.id in self.gone, (one.id, one.status, one.reason)

    def assert_stable(self, tree: Tree) -> None:
        """Check that the views are made from the log's text alone."""
        before, events = tree.files(), tree.events()
        tree.ledger.rebuild()
        laws.assert_same(before, tree.files())
        tree.close()
        for path in (GRAPH, CONTEXT):
            (tree.root / path).unlink()
        forget_local(tree.root)
        tree.ledger.layers.boot()
        laws.assert_same(before, tree.files())
        assert tree.events() == events
        alone = self.folder / "alone"
        alone.mkdir()
        for path in (AGENTS, LOG):
            shutil.copy(tree.root / path, alone / path)
        with varves.open(alone, home=self.folder / "home-alone") as ledger:
            ledger.layers.boot()
        for path in (GRAPH, CONTEXT, LOG):
            assert (alone / path).read_bytes() == before[path], path
        shutil.rmtree(alone)


def pieces(raw: bytes) -> list[str]:
    """Return what stands before the first event, and each event."""
    text = raw.decode()
    starts = [found.start() for found in EVENT.finditer(text)]
    return [
        text[: starts[0]],
        *(text[a:b] for a, b in zip(starts, [*starts[1:], None], strict=True)),
    ]


def titles(raw: bytes) -> list[str]:
    """Return the titles of the events in a log, in order; a person's second copy counts too."""
    lines = [line for line in raw.decode().splitlines() if EVENT.match(line)]
    return [found[0] for line in lines if (found := TITLE.search(line))]


def entries(tree: Tree) -> list[Any]:
    """Return the memories that are entries of the log."""
    return [one for one in tree.memories("layers") if one.extra.get("log") == LOG]


def waiting(tree: Tree) -> list[Any]:
    """Return the drafts of this checkout's session."""
    return [one for one in tree.memories("layers") if one.status == "proposed"]


def assert_booted_once(tree: Tree) -> None:
    """Check that a second boot finds nothing to do."""
    files, events, changes = tree.files(), tree.events(), tree.changes()
    again = tree.ledger.layers.boot()
    assert (again.regenerated, again.adopted, again.stale) == ((), (), ())
    laws.assert_same(files, tree.files())
    assert tree.events() == events
    assert tree.changes() == changes


def assert_reading_writes_nothing(tree: Tree) -> None:
    """Check the law of read verbs: no event, and nothing that git can see."""
    changes, events, files = tree.changes(), tree.events(), tree.files()
    ledger = tree.ledger
    layers = ledger.layers
    for form in ("text", "json", "mermaid", "dot"):
        layers.graph_show(format=form)
    some = layers.graph_query()
    for one in some[:2]:
        layers.graph_neighbours(one.id, depth=2)
        layers.graph_depends(one.id)
        layers.graph_path(one.id, one.id)
    layers.graph_cycles()
    layers.context(write=False)
    layers.find("skill")
    layers.constraints()
    layers.validate()
    ledger.recall("what was done?")
    ledger.conflicts()
    ledger.doctor()
    json.dumps([one.as_dict() for one in some])
    assert tree.files() == files
    assert tree.changes() == changes
    assert tree.events() == events
