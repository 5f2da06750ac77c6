"""Maps the keys of a shelf (a collection of documents) to the memories that contain them.

Each such memory has an id that is a digest of the shelf's location, its name and the key, so the id
is the same in every clone. A purge bars an id but not the key: the next document with that key gets
another id. A private document and its id belong to this clone. If the document is shared, other
clones get the memory, but not as a document on their shelf.
"""

from __future__ import annotations

from varves.commands.intake import statement
from varves.commands.shelve import TYPE, Shelve, standing_for, stands, version_of
from varves.errors import Refused, UsageError
from varves.events.blobs import inflate
from varves.fold.documents import DOCUMENT, HEADS, part
from varves.index.where import EventWhere, Where
from varves.log.blobs import find_blob
from varves.values.answers import Document, Shelved
from varves.values.ids import memory_of
from varves.values.names import safe_name
from varves.values.scope import scope as read_scope
from varves.values.text import quoted

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping
    from typing import Any

    from varves.commands.port import Act, Decision
    from varves.commands.shelve import ShelfRows
    from varves.context.context import Context
    from varves.context.live_index import View
    from varves.events.event import Event
    from varves.index.port import Index
    from varves.index.where import Trusted
    from varves.values.memory import Memory

    Made = tuple[Shelve, Decision, Shelved]

LONGEST = 1024  # the most characters of a key
JSON = "json"


class ShelfView:
    """A shelf (a collection of documents) as it is at one instant."""

    def __init__(
        self, places: ShelfPlaces, view: View, *, rows: ShelfRows, act: Act, writing: bool = False
    ) -> None:
        self.view = view
        self.rows = rows
        self.act = act
        self._places = places
        self._homes = places.homes(view, writing=writing)

    def named(self, key: str) -> str:
        """Return the id of the memory that contains a document, or the id for a new document."""
        checked(key)
        names = [self._place_in_line(home, key) for home in self._homes]
        held = [name for name in names if self.view.index.memory(name) is not None]
        return (*held, *names, "")[0]

    def _place_in_line(self, home: str, key: str) -> str:
        """Return the first possible id for a key whose memory was not purged."""
        turn = 0
        while True:
            name = self._places.id_of(home, key, turn)
            if self.view.index.memory(name) is not None or not self.view.index.purges().barred(
                name
            ):
                return name
            turn += 1

    def find(self, key: str) -> Memory | None:
        """Return the memory that contains a document, if the actor may see it."""
        memory = standing_for(self.rows, self.named(key))
        return memory if memory is not None and stands(self.rows, memory, self.act) else None

    def under(self, prefix: str, *, lean: bool = False) -> dict[str, Memory]:
        """Return the documents whose keys begin with a prefix, by key."""
        if not prefix.isprintable():  # no key begins with this prefix, and SQLite may not accept it
            return {}
        source = self._places.source(prefix)
        wanted = Where(type=TYPE, source=source, statuses=("active",))
        matching = self.view.index.memories(wanted, lean=lean)
        held = [memory for memory in matching if self.holds(memory)]
        return {memory.extra[DOCUMENT]["key"]: memory for memory in held}

    def holds(self, memory: Memory) -> bool:
        """Return whether a memory is a document of this shelf that the actor may see."""
        key = self._places.key_of(memory)
        if key and [memory.id] == [self._places.id_of(home, key, 0) for home in self._homes]:
            return stands(self.rows, memory, self.act)
        found = self.find(key) if key else None
        return found is not None and found.id == memory.id


class ShelfPlaces:
    """The name, scope and log of a shelf, from which the ids of its documents are computed."""

    def __init__(self, context: Context, name: str, *, scope: str, private: bool) -> None:
        self._context = context
        settings = context.settings
        self.name = safe_name(name, "shelf")
        self.scope = read_scope(scope, session=settings.session, actor=settings.actor)
        self.log = context.log_of(self.scope, private=private)

    def source(self, key: str) -> str:
        """Return the `source` that is recorded for a document's memory."""
        return f"shelf:{self.name}/{key}"

    def key_of(self, memory: Memory) -> str | None:
        """Return the key of a document from its memory; None for other memories."""
        about = memory.extra.get(DOCUMENT)
        if not isinstance(about, dict) or about.get("shelf") != self.name:
            return None
        key = about.get("key")
        if not isinstance(key, str) or memory.source != self.source(key):
            return None
        return key if is_key(key) else None

    def homes(self, view: View, *, writing: bool) -> list[str]:
        """Return the locations that this shelf's documents may have; new documents get the first.

        A location is a log. Private documents belong to this clone, under each id that the clone
        has had.
        """
        if self.log != "private":
            return [self.log]
        known = sorted({writer.partition(".")[0] for writer, *_ in view.index.heads("private")})
        if writing:
            known.insert(0, self._context.places.clone("private", self._context.ids))
        return [f"private:{clone}" for clone in dict.fromkeys(known)]

    def id_of(self, home: str, key: str, turn: int) -> str:
        """Return the id of a document's memory.

        `turn` is the number of earlier memories of the same key that were purged.
        """
        return self._digest(home, key, str(turn))

    def _digest(self, *parts: str) -> str:
        from hashlib import blake2b

        said = "\0".join(("shelf", self.scope, self.name, *parts))
        return memory_of(blake2b(said.encode("utf-8"), digest_size=16).digest())

    def at(self, as_of: str | None) -> ShelfView:
        """Return the shelf as it is now, or as it was in the past."""
        view = self._context.view(as_of)
        rows = ShelfIndex(view.index, self._context.trusted)
        return ShelfView(self, view, rows=rows, act=self._act(view))

    def writing(self, rows: ShelfRows) -> ShelfView:
        """Return the shelf for a write that has just read the memories `rows`."""
        view = self._context.fresh()
        return ShelfView(self, view, rows=rows, act=self._act(view), writing=True)

    def _act(self, view: View) -> Act:
        return self._context.act().replace(now=view.now)

    # Reading

    def document(self, memory: Memory) -> Document:
        """Return a memory as a document, with its siblings."""
        about = memory.extra.get(DOCUMENT, {})
        heads = memory.extra.get(HEADS) or ()
        siblings = [self._sibling(memory, name) for name in heads[:-1]]
        return _document(memory, about, siblings=tuple(one for one in siblings if one is not None))

    def _sibling(self, memory: Memory, name: str) -> Document | None:
        event = self._context.index.get().event(name)
        if event is None:
            return None
        text, about = self._said(event), part(event) or {}
        then = {"updated_at": event.time, "updated_by": event.actor, "extra": {HEADS: [name]}}
        return _document(memory.replace(text=text, **then), about)

    def _said(self, event: Event) -> str:
        """Return the text that an event wrote; a long text is read from its separate file."""
        content = {**event.data, "set": dict(event.data.get("set", {}))}
        sources = self._context.index.sources
        inflate(content, lambda digest: find_blob(sources(), event.log, digest))
        text = content["set"].get("text", content.get("text", ""))
        return text if isinstance(text, str) else ""

    # Writing

    def logs(self, keys: Iterable[str]) -> list[str]:
        """Return the logs to which changes of these documents are written, in locking order."""
        looking = self.at(None)
        held = (looking.view.index.memory(looking.named(key)) for key in keys)
        return sorted({self.log, *(memory.kept for memory in held if memory is not None)})

    def clean(self, key: str, content: Any, options: Mapping[str, Any]) -> dict[str, Any]:
        """Return the content as text with secrets masked.

        Raise an error if the key has a secret.
        """
        allow = bool(options.get("allow_secret"))
        if self._context.clean(checked(key), allow_secret=allow)[1]:
            raise Refused("the key contains a secret", "choose another key")
        if content is None:
            return {"text": None}
        if isinstance(content, str):
            fitting(content)  # to search a text far above the limit for secrets would take a second
        said, names = self._context.clean([content], allow_secret=allow)
        if isinstance(content, str):
            return {"text": said[0], "redacted": names}
        return {"text": fitting(written(said[0])), "form": JSON, "redacted": names}

    def wish(
        self, key: str, said: Mapping[str, Any], options: Mapping[str, Any], *, looking: ShelfView
    ) -> Shelve:
        """Return the command to change a document."""
        operation = operated(options.get("operation"))
        return Shelve(
            memory=looking.named(key) if key else "",
            shelf=self.name,
            key=key,
            log=self.log,
            scope=self.scope,
            source=self.source(key),
            expect=options.get("expect"),
            again=bool(options.get("again")),
            operation=operation,
            receipt=self.receipt(operation["id"]) if operation else None,
            **said,
        )

    def receipt(self, operation: str) -> str:
        """Return the id under which the result of an operation of this shelf is found again."""
        return self._digest("operation", operation)

    def append(self, made: list[Made]) -> tuple[Shelved, ...]:
        """Append the decided events, with one write for each log, and return the results."""
        by_log: dict[str, list[Made]] = {}
        for one in made:
            by_log.setdefault(one[1].log, []).append(one)
        answers: dict[str, Shelved] = {}
        for same in by_log.values():
            drafts = tuple(draft for _, decision, _ in same for draft in decision.drafts)
            _, events = self._context.append(same[0][1].replace(drafts=drafts))
            waiting = iter(events)
            for wish, decision, answer in same:
                told = answer
                if decision.drafts:
                    event = next(waiting).id
                    version = None if wish.text is None else event
                    told = answer.replace(event=event, version=version)
                answers[wish.key] = told
        return tuple(answers[wish.key] for wish, _, _ in made)


class ShelfIndex:
    """The queries that `Shelve` needs, answered by an index."""

    def __init__(self, index: Index, trusted: Trusted) -> None:
        self._index = index
        self._trusted = trusted

    def memory(self, name: str) -> Memory | None:
        """Return a memory by id."""
        return self._index.memory(name)

    def free(self, name: str) -> bool:
        """Return whether a memory is not quarantined."""
        memory = self._index.memory(name)
        return memory is not None and self._trusted.includes(memory)

    def history(self, memory: str) -> list[Event]:
        """Return every event that acts on a memory, in order."""
        return self._index.events(EventWhere(about=(memory,)))


def checked(key: Any) -> str:
    """Return a key if it is valid: one line of printable characters; otherwise raise an error."""
    if not isinstance(key, str) or not is_key(key):
        reason = f"not a key: {quoted(key)}"
        raise UsageError(reason, "give one line of at most 1,024 printable characters")
    return key


def is_key(key: str) -> bool:
    """Return whether a text can be a key."""
    return 0 < len(key) <= LONGEST and key.isprintable()


def fitting(text: str) -> str:
    """Return a text if it can be stored in a document; unlike a statement, it may be empty."""
    return statement(text) if text.strip() else text


def written(value: Any) -> str:
    """Return a value as JSON text."""
    from json import dumps

    try:
        return dumps(value, ensure_ascii=False, allow_nan=False)
    except (TypeError, ValueError, RecursionError):
        raise UsageError(
            "JSON cannot represent this", "use strings, numbers, lists and objects"
        ) from None


def operated(operation: Any) -> dict[str, str]:
    """Return an operation's id, and the digest of its content if one was given."""
    if operation is None:
        return {}
    name, mark = (operation, "") if isinstance(operation, str) else operation
    if not (isinstance(name, str) and name and isinstance(mark, str)):
        raise UsageError("not an operation", "pass an id, or an id and a mark")
    return {"id": name, "mark": mark} if mark else {"id": name}


def _document(
    memory: Memory, about: dict[str, Any], *, siblings: tuple[Document, ...] = ()
) -> Document:
    from json import loads

    operation = about.get("operation")
    return Document(
        key=str(about.get("key")),
        content=loads(memory.text) if about.get("form") == JSON else memory.text,
        version=version_of(memory),
        id=memory.id,
        created_at=memory.created_at,
        created_by=memory.created_by,
        updated_at=memory.updated_at,
        updated_by=memory.updated_by,
        operation=operation.get("id") if isinstance(operation, dict) else None,
        siblings=siblings,
    )
