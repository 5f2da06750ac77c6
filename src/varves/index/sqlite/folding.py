"""Folding what the index holds: the families that new or vanished events touched, and no others."""

from __future__ import annotations

from varves.events.blobs import inflate
from varves.events.kinds import touches
from varves.fold.family import Family, fold_family
from varves.fold.rivals import settle
from varves.index.sqlite.away import Guests
from varves.index.sqlite.blobs import note_missing, take_found
from varves.index.sqlite.index import from_line
from varves.index.sqlite.rows import save_rows
from varves.index.sqlite.told import save_uses
from varves.log.sources import log_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping

    from varves.events.event import Event
    from varves.index.sqlite.index import Index
    from varves.log.port import Blobs


class Folding:
    """The memories to fold again, and the events read for them so far."""

    def __init__(self, index: Index, logs: Mapping[str, Blobs]) -> None:
        self.index = index
        self.db = index.db
        self.logs = logs
        self.fresh: dict[str, Event] = {}
        self.touched: dict[str, None] = {}
        self.freed: set[bytes] = set()
        self.used: set[str] = set()  # memories that were told, or no longer count as told
        self.guests = Guests()

    def fold(self) -> None:
        """Fold every touched family, then those whose values are newly rejected or freed."""
        visited: set[str] = set()
        families: list[tuple[set[str], Family]] = []
        changed = set(self.freed)
        any_rejected = self._any_rejected()
        self.touched |= dict.fromkeys(take_found(self.db, self.logs))
        for name in self.touched:
            if name not in visited:
                members, family = self._family(name, visited)
                families.append((members, family))
                if any_rejected or family.rejections or family.lifts:
                    any_rejected = True
                    changed |= self._save_rejections(members, family)
        for key in changed:
            same = self.db.execute("select id from memory where key = ?", (key,)).fetchall()
            for (name,) in same:
                if name not in visited:
                    families.append(self._family(name, visited))
        for members, family in families:
            rows = settle(family, self._rejecting if any_rejected else None)
            self.guests.label(rows)
            save_rows(self.db, members, rows)
        save_uses(self.db, self.used)

    def _any_rejected(self) -> bool:
        """Tell whether there is anything to judge values by; a lift may outlast what it lifted."""
        found = self.db.execute("select 1 from rejection union all select 1 from lift limit 1")
        return found.fetchone() is not None

    def _rejecting(self, key: bytes) -> str | None:
        return next(iter(self.index.rejecting(key)), None)

    def _family(self, start: str, visited: set[str]) -> tuple[set[str], Family]:
        """Gather all events that tie memories to this one, and fold them."""
        members: set[str] = set()
        events: dict[str, Event] = {}
        elsewhere: dict[str, str] = {}
        waiting = [start]
        while waiting:
            name = waiting.pop()
            if name in members:
                continue
            members.add(name)
            found = self.db.execute(
                "select e.id, e.log, e.line, e.away from touch t join event e on e.id = t.event"
                " where t.memory = ? and e.present and not e.held",
                (name,),
            )
            for identity, log, line, where in found.fetchall():
                if where:
                    elsewhere[identity] = where
                if identity not in events:
                    event = self.fresh.get(identity) or from_line(line, log)
                    events[identity] = self._with_blobs(event)
                    waiting.extend(touches(event))
        visited |= members
        if elsewhere:
            self.guests.note(events.values(), elsewhere)
        return members, fold_family(list(events.values()))

    def _with_blobs(self, event: Event) -> Event:
        """Put the texts of blobs where the fold looks for them."""

        def get(digest: str) -> bytes | None:
            places = [key for key in self.logs if log_of(key) == event.log]
            for key in places:
                content = self.logs[key].blob(digest)
                if content is not None:
                    return content
            for key in places:
                note_missing(self.db, (key, digest), touches(event))
            return None

        inflate(event.data, get)
        return event

    def _save_rejections(self, members: set[str], family: Family) -> set[bytes]:
        """Replace what a family rejects and lifts; return the values whose standing may differ."""
        before = set()
        freed: list[str] = []
        own = "select event from touch where memory = ?"
        rejecting = f"from rejection where memory = ? or event in ({own})"
        for name in members:
            found = self.db.execute(f"select event, key, memory {rejecting}", (name, name))
            before |= set(found)
            lifted = f"select target from lift where event in ({own})"
            freed += [target for (target,) in self.db.execute(lifted, (name,))]
        keys = self.keys_of(freed)  # before the family's own rejections are taken out
        for name in members:
            self.db.execute(f"delete {rejecting}", (name, name))
            self.db.execute(f"delete from lift where event in ({own})", (name,))
        after = set(family.rejections)
        self.db.executemany("insert or ignore into rejection values (?, ?, ?)", after)
        self.db.executemany("insert or ignore into lift values (?, ?)", family.lifts)
        keys |= self.keys_of([target for target, _ in family.lifts])
        return keys | {key for _, key, _ in before ^ after}

    def keys_of(self, events: list[str]) -> set[bytes]:
        """Return the values some events reject."""
        keys = set()
        for event in events:
            found = self.db.execute("select key from rejection where event = ?", (event,))
            keys |= {key for (key,) in found}
        return keys
