"""A shelf: a named collection of documents. Each document has a key, and is stored as one memory.

Programs can store files, notes or values on a shelf. A shelf offers versions, compare-and-swap and
idempotent operations. It also offers what every memory has: history, undo, past states, recall,
merging with other clones, and purging. See docs/frameworks.md.
"""

from __future__ import annotations

from varves.context.guard import guarded
from varves.documents.keys import ShelfPlaces
from varves.errors import UsageError
from varves.index.where import EventWhere
from varves.values.answers import Found

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from typing import Any, Unpack

    from varves.context.guard import VerbGuard
    from varves.events.event import Event
    from varves.recall.recall import Recall
    from varves.values.answers import Document, Shelved
    from varves.values.options import PutOptions

    Operation = str | tuple[str, str] | None


class Shelf:
    """A named collection of documents, each under a key; `Ledger.shelf` returns it."""

    def __init__(
        self,
        guard: VerbGuard,
        name: str,
        *,
        scope: str = "project",
        private: bool = False,
        recall: Callable[..., Recall],
    ) -> None:
        self._guard = guard
        self._context = guard.context
        self._recall = recall
        self._places = ShelfPlaces(self._context, name, scope=scope, private=private)
        self.root = self._context.settings.root
        self.name = name
        self.scope = self._places.scope
        self.private = private

    # Reading

    @guarded
    def get(self, key: str, *, as_of: str | None = None) -> Document | None:
        """Return a document, or None if it does not exist.

        Args:
            key: the document's name on this shelf.
            as_of: an instant, an event or a git revision, to read the past.
        """
        memory = self._places.at(as_of).find(key)
        return None if memory is None else self._places.document(memory)

    @guarded
    def keys(self, prefix: str = "", *, as_of: str | None = None) -> tuple[str, ...]:
        """Return the keys that begin with a prefix, sorted."""
        return tuple(sorted(self._places.at(as_of).under(prefix, lean=True)))

    @guarded
    def list(self, prefix: str = "", *, as_of: str | None = None) -> tuple[Document, ...]:
        """Return the documents whose keys begin with a prefix, sorted by key."""
        found = self._places.at(as_of).under(prefix)
        return tuple(self._places.document(found[key]) for key in sorted(found))

    @guarded
    def recall(self, query: str, *, prefix: str = "", k: int = 10) -> tuple[Found, ...]:
        """Return the documents that answer a question, best first.

        Args:
            query: the question, in plain words.
            prefix: only documents whose keys have this prefix.
            k: the maximum number of documents.
        """
        places = self._places
        if not prefix.isprintable():
            return ()
        source = places.source(prefix)
        found = self._recall(query, k=k, type="document", source=source, all=True)
        looking = places.at(None)
        return tuple(
            Found(document=places.document(hit.memory), score=hit.score)
            for hit in found.hits
            if looking.holds(hit.memory)
        )

    @guarded
    def history(self, key: str, *, as_of: str | None = None) -> tuple[Event, ...]:
        """Return every event of a document, in order; empty if the document never existed."""
        from varves.context.history import lived

        looking = self._places.at(as_of)
        name = looking.named(key)
        return (
            lived(looking.view, name) if looking.view.index.count(EventWhere(about=(name,))) else ()
        )

    @guarded
    def receipt(self, operation: str | tuple[str, str]) -> Shelved | None:
        """Return the result of an operation, or None if it was not carried out."""
        from varves.commands.shelve import done

        looking = self._places.at(None)
        options = {"operation": operation}
        return done(looking.rows, self._places.wish("", {"text": None}, options, looking=looking))

    # Writing

    def put(self, key: str, content: Any, **options: Unpack[PutOptions]) -> Shelved:
        """Write a document; it is durable when this method returns.

        Args:
            key: the document's name on this shelf: one line, at most 1,024 characters.
            content: a text, or a JSON value.
            **options: expect (the version that must be current, or `absent`), operation (an id,
                alone or with a digest of the content; an operation with the same id is carried out
                only once), again (write a rejected text), allow_secret.

        Raises:
            Stale: another version is current, or the document does not exist.
            Rejected: a person rejected this exact text and `again` is not set.
        """
        if content is None:
            raise UsageError("there is no content", "use delete to remove a document")
        return self._changed({key: content}, {key: options})[0]

    def delete(
        self, key: str, *, expect: str | None = None, operation: Operation = None
    ) -> Shelved:
        """Delete a document; its versions stay in its history, and it may be written again."""
        return self._changed({key: None}, {key: {"expect": expect, "operation": operation}})[0]

    def change(
        self, changes: Mapping[str, Any], *, expect: Mapping[str, str] | None = None
    ) -> tuple[Shelved, ...]:
        """Write and delete several documents; if one of them fails, none is changed.

        Args:
            changes: the new content by key, or None to delete.
            expect: by key, the version that must be current, or `absent`.
        """
        wanted = {key: {"expect": version} for key, version in (expect or {}).items()}
        if not wanted.keys() <= changes.keys():
            raise UsageError(
                "expect contains a key that is not in the changes", "add it to the changes"
            )
        return self._changed(changes, wanted)

    @guarded
    def _changed(
        self, changes: Mapping[str, Any], options: Mapping[str, Any]
    ) -> tuple[Shelved, ...]:
        """Decide all changes under one lock, and append them at once."""
        from contextlib import ExitStack

        from varves.commands.shelve import decide

        places, context = self._places, self._context
        said = {key: places.clean(key, changes[key], options.get(key, {})) for key in changes}
        context.begin(places.log)
        proven = any(given.get("expect") is not None for given in options.values())
        with ExitStack() as locks:
            for log in places.logs(changes):
                locks.enter_context(context.deciding(log, proven=proven))
            rows = context.current()
            looking = places.writing(rows)
            made = []
            for key, what in said.items():
                wish = places.wish(key, what, options.get(key, {}), looking=looking)
                made.append((wish, *decide(rows, wish, looking.act)))
            return places.append(made)
