"""A random walk with scoped and hivemind: what people and agents do to their files.

Every now and then everything is rebuilt and the laws are checked.
"""

from __future__ import annotations

from typing import Any

from tests.protocols import laws
from tests.protocols.laws import Tree, hive_folder, said_by, scoped_file
from tests.protocols.wander import ANYWHERE, SUBJECTS, NothingThere, Wander
from varves.events.kinds import touches

SCOPED = ("project:p", "project:p", "project:p", "team:t", "global")
HIVE = ("project:p", "project:p", "project:p", "team:t", "agent:DEV-001", "global")


class Walk(Wander):
    """One history of one project with both."""

    folders = ("memory",)
    protocols = ("scoped", "hivemind")
    verbs = (
        *("scoped_write", "scoped_write", "scoped_write", "scoped_forget", "scoped_restore"),
        *("scoped_approve", "scoped_session", "hivemind_write", "hivemind_write", "hivemind_write"),
        *("hivemind_task", "hivemind_error", "hivemind_maintain", "hivemind_session"),
        *("hivemind_rollback", "core_forget", "core_correct", "core_undo", "core_resolve"),
    )
    ways = {"verb": 30, "edit_scoped": 14, "edit_hive": 12, **ANYWHERE}  # noqa: RUF012 - constant

    def begin(self, tree: Tree) -> None:
        """Make a project with both protocols."""
        tree.ledger.init(protocols=("scoped", "hivemind"))
        tree.ledger.hivemind.session_start(project="p")
        self.write_some(tree)

    def write_some(self, tree: Tree) -> None:
        """Write through both."""
        tree.ledger.scoped.write("project:p", type="pattern", content=self.text())
        tree.ledger.hivemind.write(type="factual", content={"text": self.text()}, scope="project:p")

    def said_in(self, path: str, content: bytes) -> list[str]:
        """Return the texts of the records in a file."""
        return said_by(path, content) if path.endswith(".json") else []

    def keep_private(self, tree: Tree) -> None:
        """Do what must not show in any file that git tracks."""
        super().keep_private(tree)
        tree.ledger.scoped.write(
            "global", type="preference", content="Prefers tabs", confidence=0.99
        )

    # Verbs

    def ran(self, tree: Tree, name: str) -> None:
        """Check, after a verb, that what people did before was adopted."""
        protocols = ("scoped", "hivemind")
        if name.startswith(protocols):
            protocols = (name.partition("_")[0],)
        elif name.startswith("core"):  # it may undo what was edited
            tree.expected = {key: there for key, there in tree.expected.items() if there}
            return
        self.adopted(tree, *protocols)

    def adopted(self, tree: Tree, *protocols: str) -> None:
        """Check what the edits since the last verb said."""
        for (path, text), there in list(tree.expected.items()):
            protocol = "scoped" if path.endswith("/memory.json") else "hivemind"
            if protocol in protocols:
                del tree.expected[path, text]
                if there:
                    assert tree.has_said(text), (path, text)
                else:
                    active = [one.text for one in tree.memories(protocol) if one.status == "active"]
                    assert text not in active, (path, text)
        if "scoped" in protocols:
            tree.removed = 0

    def scoped_write(self, tree: Tree, ledger: Any) -> None:
        scope = self.random.choice(SCOPED)
        ledger.scoped.write(scope, type="pattern", content=self.text(), confidence=0.97)

    def scoped_forget(self, tree: Tree, ledger: Any) -> None:
        one = self.some(tree, "scoped")
        number = self.random.random() < 0.5 and tree.numbers.get(one.scope, {}).get(one.id)
        name = f"mem-{number:03}" if number else one.id
        done = ledger.scoped.forget(name, scope=one.scope, reason="no longer so")
        self.gone.add(done.memory)

    def scoped_restore(self, tree: Tree, ledger: Any) -> None:
        one = self.some(tree, "scoped", status="forgotten")
        ledger.scoped.restore(one.id, scope=one.scope)

    def scoped_approve(self, tree: Tree, ledger: Any) -> None:
        text = f"Decision: {self.text()}"
        made = ledger.scoped.done(text=text, scope="project", id="p")
        for one in made:
            if self.random.random() < 0.7:
                ledger.scoped.approve(one.id)
            else:
                self.gone.add(one.id)
                ledger.scoped.reject(one.id)

    def scoped_session(self, tree: Tree, ledger: Any) -> None:
        ledger.scoped.session_start(project="p")
        ledger.scoped.note(self.text(), kind="decision")
        ledger.scoped.task("the fact for storage", project="p")
        if self.random.random() < 0.6:
            ledger.scoped.session_end()

    def hivemind_write(self, tree: Tree, ledger: Any) -> None:
        kind = self.random.choice(("factual", "procedural", "episodic", "semantic"))
        scope = self.random.choice(HIVE)
        ledger.hivemind.write(type=kind, content={"text": self.text()}, scope=scope)

    def hivemind_task(self, tree: Tree, ledger: Any) -> None:
        ledger.hivemind.session_start(project="p")
        ledger.hivemind.task("Fix the fact for storage", project="p")
        if self.random.random() < 0.6:
            ledger.hivemind.done(f"Decided to use {self.text()}", project="p")

    def hivemind_error(self, tree: Tree, ledger: Any) -> None:
        message = f"Timed out waiting for {self.random.choice(SUBJECTS)}"
        ledger.hivemind.error("timeout", message, context=self.text(), prevention="Retry twice")

    def hivemind_maintain(self, tree: Tree, ledger: Any) -> None:
        ledger.hivemind.maintain(force=True)

    def hivemind_session(self, tree: Tree, ledger: Any) -> None:
        ledger.hivemind.session_start(project="p")
        content = {"text": self.text()}
        ledger.hivemind.write(type="working", content=content, scope="session")
        if self.random.random() < 0.6:
            ledger.hivemind.session_end()

    def hivemind_rollback(self, tree: Tree, ledger: Any) -> None:
        ledger.hivemind.rollback(self.some(tree, "hivemind", status="superseded").id)

    def core_forget(self, tree: Tree, ledger: Any) -> None:
        one = self.some(tree)
        self.gone.add(one.id)
        ledger.forget(one.id, reason="no longer so")

    def core_correct(self, tree: Tree, ledger: Any) -> None:
        one = self.some(tree)
        self.gone.add(one.id)
        ledger.correct(one.id, self.text())

    def core_undo(self, tree: Tree, ledger: Any) -> None:
        one = self.some(tree, status=None)
        event = self.random.choice(ledger.history(one.id))
        self.gone.update({one.id, *touches(event)})
        ledger.undo(event.id)

    def core_resolve(self, tree: Tree, ledger: Any) -> None:
        conflicts = ledger.conflicts()
        if not conflicts:
            raise NothingThere
        conflict = self.random.choice(conflicts)
        names = [one.id for one in conflict.members]
        member = self.random.choice(names)
        self.gone.update(names)
        how = self.random.choice(({"keep": member}, {"merge": self.text()}, {"delete": member}))
        ledger.resolve(conflict.id, **how)

    # Editors

    def edit_scoped(self, tree: Tree) -> bool | None:
        """Change memory.json by hand: an entry added, changed or taken out."""
        scope = self.random.choice(SCOPED)
        path = scoped_file(scope)
        document = tree.document(path)
        if document is None or not document["entries"]:
            return False
        how = self.random.choice(("add", "change", "change", "confidence", "remove", "many"))
        print(f"      {how} {path}")  # noqa: T201 - shown on failure
        entries = document["entries"]
        one = self.random.choice(entries)
        if how == "add":
            self.add_entry(tree, path, entries)
        elif how == "change":
            said = self.text()
            self.expect(tree, path, one["content"], there=False)
            self.expect(tree, path, said, there=True)
            one["content"] = said
        elif how == "confidence":
            one["confidence"] = self.random.choice((0.5, 0.61, 0.87))
        elif how == "remove":
            self.take_out(tree, path, entries, [one])
        else:
            self.take_out(tree, path, entries, entries[: self.random.randint(2, 9)])
        tree.write(path, document)
        return None

    def add_entry(self, tree: Tree, path: str, entries: list[Any]) -> None:
        """Write an entry by hand, with a number as people choose it, or none."""
        said = self.text()
        numbers = [int(one["id"][4:]) for one in entries if one.get("id", "").startswith("mem-")]
        number = self.random.choice((max(numbers, default=0) + 1, max(numbers, default=0) + 1, 1))
        entry = {
            "id": f"mem-{number:03}",
            "type": "decision",
            "content": said,
            "confidence": 0.8,
            "created_at": laws.moment(tree),
            "accessed_count": 0,
        }
        if self.random.random() < 0.2:
            del entry["id"]
        entries.append(entry)
        self.expect(tree, path, said, there=True)

    def take_out(self, tree: Tree, path: str, entries: list[Any], some: list[Any]) -> None:
        """Take entries out of a file; more than five are an accident."""
        texts = {one["content"] for one in some}
        entries[:] = [one for one in entries if one["content"] not in texts]
        tree.removed += len(texts)
        named = [one.id for one in tree.memories("scoped") if one.text in texts]
        if tree.removed <= 5:
            self.gone.update([*named, *texts])  # or one that is to be adopted first
        if entries and self.random.random() < 0.6:  # else it may be as it was rendered before
            entries[0]["confidence"] = self.random.randint(100, 999) / 1000
            for text in texts:
                self.expect(tree, path, text, there=tree.removed > 5)

    def expect(self, tree: Tree, path: str, text: str, *, there: bool) -> None:
        """Expect an edit to be so after the next verb, if git does nothing in between."""
        if tree.settled:
            tree.expected[path, text] = there

    def edit_hive(self, tree: Tree) -> bool | None:
        """Change the file of a memory by hand, add one, or take one away."""
        folder = hive_folder(self.random.choice(HIVE))
        paths = sorted(
            path
            for path, content in tree.files().items()
            if path.startswith(f"{folder}/mem_") and said_by(path, content)
        )
        if not paths:
            return False
        path = self.random.choice(paths)
        document = tree.document(path)
        how = self.random.choice(("add", "change", "change", "tags", "confidence", "remove"))
        print(f"      {how} {path}")  # noqa: T201 - shown on failure
        if how == "remove":
            (tree.root / path).unlink()
            return None
        if how == "add":
            name = f"mem_{self.random.randrange(10**12):012}"
            path, said = f"{folder}/{name}.json", self.text()
            document = {**document, "id": name, "content": {"text": said}, "tags": ["by-hand"]}
            for key in ("supersedes", "superseded_by"):
                document.pop(key, None)
            document["references"] = []
            self.expect(tree, path, said, there=True)
        elif how == "change":
            said = self.text()
            self.expect(tree, path, document["content"]["text"], there=False)
            self.expect(tree, path, said, there=True)
            document["content"] = {"text": said}
        elif how == "tags":
            document["tags"] = sorted({*document["tags"], self.random.choice(("hot", "cold"))})
        else:
            document["confidence"] = self.random.choice((0.5, 0.61, 0.87))
        tree.write(path, document)
        return None

    # What must hold

    def look(self, tree: Tree) -> None:
        """Rebuild, and look whether all laws hold."""
        quiet = tree.settled
        tree.ledger.rebuild()
        self.adopted(tree, "scoped", "hivemind")
        tree.settled = True
        laws.assert_files_are_the_log(tree)
        laws.assert_nothing_vanished(tree, self.gone)
        laws.assert_once(tree)
        laws.assert_numbers_stand(tree, quiet=quiet)
        laws.assert_valid(tree)
        laws.assert_reading_writes_nothing(tree)

    def assert_stable(self, tree: Tree) -> None:
        """Check that rendering again, also from nothing, changes no byte and records nothing."""
        laws.assert_stable(tree)
