"""A door: an opened ledger with one caller's origin, actor and session.

A door also runs the updates that follow a write. All doors of a ledger share its logs, index and
lock.
"""

from __future__ import annotations

from varves.context.guard import VerbGuard
from varves.errors import VarvesError
from varves.index.where import Where

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

    from varves.context.context import Context
    from varves.context.follow_up import FollowUp
    from varves.files.protocols import Protocols
    from varves.protocols.protocol import Registry

    Key = tuple[str, str, str | None, int | None, bool]


class Door:
    """An opened ledger for one caller: its context, the guard that runs verbs, the protocols."""

    def __init__(
        self,
        context: Context,
        follow_up: FollowUp,
        registry: Callable[[], Registry],
        *,
        send: Callable[[Context], None] = lambda _: None,
        most_behind: int | None = None,
        doors: dict[Key, Door] | None = None,
    ) -> None:
        self.context = context
        self.guard = VerbGuard(
            context,
            follow_up,
            keep_in_step=self._keep_in_step,
            clean_up=self._clean_up,
            after_write=self._after_write,
            most_behind=most_behind,
        )
        self._to_remotes = send
        self._sent = context.logs.stirred
        self.registry = registry
        """A function that returns the registry of protocols.

        Only verbs that use protocols call it.
        """
        self._follow_up = follow_up
        self._protocols: Protocols | None = None
        self._doors = {self._key(): self} if doors is None else doors
        """Every door of this ledger, by what `through` can change."""

    def _key(self) -> Key:
        here, settings = self.context, self.context.settings
        most_behind = self.guard.most_behind
        return here.origin, settings.actor, settings.session, most_behind, settings.usage

    def through(
        self,
        *,
        origin: str | None = None,
        actor: str | None = None,
        session: str | None = None,
        most_behind: int | None = None,
        usage: bool | None = None,
    ) -> Door:
        """Return another door to the same ledger; equal arguments return the same door.

        Args:
            origin: the origin that is recorded with everything written through the door.
            actor: who acts through the door, in `session`.
            session: the session to which writes belong.
            most_behind: the most bytes of the logs that may be missing from the index; by default
                the value of this door.
            usage: whether the memories that are returned are recorded as shown.
        """
        here = self.context
        settings = here.settings
        if actor is not None and (settings.actor, settings.session) != (actor, session):
            settings = settings.replace(actor=actor, session=session)
        if usage is not None and settings.usage != usage:
            settings = settings.replace(usage=usage)
        behind = self.guard.most_behind if most_behind is None else most_behind
        actor, session = settings.actor, settings.session
        key = (origin or here.origin, actor, session, behind, settings.usage)
        if key not in self._doors:
            self._doors[key] = Door(
                here.replace(origin=key[0], settings=settings),
                self._follow_up,
                self.registry,
                send=self._to_remotes,
                most_behind=behind,
                doors=self._doors,
            )
        return self._doors[key]

    @property
    def protocols(self) -> Protocols:
        """The protocols; their records have this door's origin, actor and session."""
        if self._protocols is None:
            from varves.files.protocols import Protocols

            self._protocols = Protocols(self.guard, self.registry())
        return self._protocols

    def _keep_in_step(self) -> None:
        """Update the files and views of everything that a verb has changed."""
        follow_up = self._follow_up
        names, follow_up.changed = follow_up.changed, set()
        touched = names | follow_up.unbridged
        try:
            if names:
                self.protocols.render_after(names)
        except (VarvesError, OSError):
            pass  # the change is recorded already; the protocol's next verb renders the files
        if not follow_up.bridging and self._is_bridged():
            from varves.bridges import follow

            follow(self.context, self.protocols, follow_up, touched)

    def _is_bridged(self) -> bool:
        """Return whether the settings have bridges, or views of former bridges exist."""
        if self.context.settings.bridges or self.context.index.get().exists(Where(is_view=True)):
            return True
        self._follow_up.unbridged.clear()
        return False

    def _clean_up(self) -> None:
        """Erase purged content that git has restored in this clone."""
        from varves.purge.returned import clean

        clean(self.context, self.protocols)

    def _after_write(self) -> None:
        """Compare the memories that a git merge or pull brought, and send the write to remotes."""
        from varves.conflicts.merged import after_write

        line = after_write(self.context)
        if line:
            self._follow_up.notes.append(line)
        stirred = self.context.logs.stirred
        if stirred != self._sent:
            self._sent = stirred
            self._to_remotes(self.context)

    def close(self) -> None:
        """Close the protocols' files of every door."""
        for door in self._doors.values():
            door.close_files()

    def close_files(self) -> None:
        """Close the protocols' files of this door."""
        if self._protocols is not None:
            self._protocols.close()
