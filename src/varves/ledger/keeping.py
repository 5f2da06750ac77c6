"""What every ledger offers beside memories: its protocols, and its upkeep."""

from __future__ import annotations

from varves.errors import VarvesError
from varves.ledger.steady import steady

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence
    from typing import Any

    from varves.commands.port import Act
    from varves.ledger.attending import Attending
    from varves.ledger.engine import Engine
    from varves.ledger.recorder import Recorder
    from varves.ledger.shelf import Shelf
    from varves.ledger.talk import Talk
    from varves.log.verify import Finding, Verification
    from varves.protocols.deliberation.verbs import Deliberation
    from varves.protocols.hivemind.verbs import Hivemind
    from varves.protocols.layers.verbs import Layers
    from varves.protocols.party.verbs import Party
    from varves.protocols.runner import AgentRunner
    from varves.protocols.scoped.verbs import Scoped
    from varves.values.answers import Captured, Imported, Initialised, Mended, Packed, Rescued
    from varves.values.signals import Message
    from varves.values.talks import Talked


class Keeping:
    """The methods of a ledger that look after it."""

    _engine: Engine
    _protocols: dict[str, Any]
    _doors: dict[tuple[str, int | None], dict[str, Any]]
    origin: str

    def _seen(self, origin: str, most_behind: int | None) -> Any:
        raise NotImplementedError

    def _writing(self) -> Recorder:
        raise NotImplementedError

    def _act(self) -> Act:
        raise NotImplementedError

    def _keep_in_step(self) -> None:
        """Let files and views follow what a verb has changed."""
        from varves.ledger.protocols import render_after

        engine = self._engine
        names, engine.changed = engine.changed, set()
        touched = names | engine.unbridged
        try:
            if names:
                render_after(self, names)
        except (VarvesError, OSError):
            pass  # recorded all the same; the protocol's next verb renders them
        if not engine.bridging and self._is_bridged():
            from varves.ledger.bridges import follow

            follow(self, touched)

    def _clean_up(self) -> None:
        """Erase what git brought back of memories that this clone purged."""
        from varves.ledger.returning import clean

        clean(self)

    def _is_bridged(self) -> bool:
        """Tell whether there are bridges, or views that bridges made while there were."""
        from varves.stores.sqlite.search import has_views

        engine = self._engine
        if engine.settings.bridges or has_views(engine.index()):
            return True
        engine.unbridged.clear()
        return False

    @property
    def notes(self) -> tuple[str, ...]:
        """What is wrong in the settings, and what bridges say of the last verb that wrote."""
        return (*self._engine.settings.odd, *self._engine.notes)

    def _let_go_of_files(self) -> None:
        """Close what the protocols keep of their files, whatever door they were reached through."""
        with self._engine.lock:
            for made in (self._protocols, *self._doors.values()):
                for one in made.values():
                    one.core.views.close()

    @property
    def party(self) -> Party:
        """The protocol of agents that remember from one session to the next."""
        from varves.ledger.protocols import protocol

        made: Party = protocol(self, self._protocols, "party")
        return made

    @property
    def layers(self) -> Layers:
        """The protocol of a log in Markdown, and the graph and the context made of it."""
        from varves.ledger.protocols import protocol

        made: Layers = protocol(self, self._protocols, "layers")
        return made

    @property
    def scoped(self) -> Scoped:
        """The protocol of session, project, global and team memory files."""
        from varves.ledger.protocols import protocol

        made: Scoped = protocol(self, self._protocols, "scoped")
        return made

    @property
    def hivemind(self) -> Hivemind:
        """The protocol of typed entries, indices and automatic operations."""
        from varves.ledger.protocols import protocol

        made: Hivemind = protocol(self, self._protocols, "hivemind")
        return made

    @property
    def deliberation(self) -> Deliberation:
        """The protocol of long discussions: what they agreed, proposed and came to."""
        from varves.ledger.protocols import protocol

        made: Deliberation = protocol(self, self._protocols, "deliberation")
        return made

    def attend(
        self,
        client: str,
        session: str | None,
        *,
        agent: str | None = None,
        most_behind: int | None = None,
    ) -> Attending:
        """Attend a session of a coding agent: tell it what bears on it, and learn from it.

        Args:
            client: what the agent is called; it is who acts.
            session: its own name for the session; without one nothing is noted of it.
            agent: the subagent whose part in the session this is.
            most_behind: bytes of the log that an index may lag behind; where it is more, what
                needs it is refused as busy.
        """
        from varves.ledger.attending import Attending

        ledger = self if most_behind is None else self._seen(self.origin, most_behind)
        return Attending(ledger, client, session, agent=agent)

    @steady
    def capture(
        self,
        messages: Sequence[Message],
        *,
        session: str | None = None,
        client: str | None = None,
        turn_start: int = 0,
    ) -> Captured:
        """Record what lasts of what was said in a session, found by rules without a model.

        Private to this clone, unless the settings say otherwise; read twice, it is recorded once.

        Args:
            messages: in order, tools' answers among them.
            session: the client's name for the session.
            client: the agent that was talked to; it is who acts.
            turn_start: where those begin that were not read before.
        """
        from varves.ledger.capturing import capture

        return capture(self, messages, session=session, client=client, turn_start=turn_start)

    def shelf(self, name: str, *, scope: str = "project", private: bool = False) -> Shelf:
        """Return a shelf: documents by key, each of them one memory that is written again.

        Args:
            name: letters, digits, `-`, `_` and `.`, not a path.
            scope: who gets its documents: as of a memory.
            private: whether they stay in this clone until they are shared.
        """
        from varves.ledger.shelf import Shelf

        return Shelf(self, name, scope=scope, private=private)

    def talk(self, name: str) -> Talk:
        """Return a conversation that somebody else keeps here, in a form of their own.

        Args:
            name: any line of text; who keeps several kinds begins it with their own word.
        """
        from varves.ledger.talk import Talk

        return Talk(self, name)

    def talks(self, prefix: str = "") -> tuple[Talked, ...]:
        """Return the talks whose names begin so, by name."""
        from varves.ledger.talk import talks

        return talks(self, prefix)

    def model(self, *, purpose: str, session: str | None = None) -> AgentRunner | None:
        """Return what asks the model that `[model]` in the settings names; None: they name none.

        Args:
            purpose: what for, in a word; recorded with every call.
            session: the session or conversation it is asked for.

        Raises:
            UsageError: a setting has a wrong value, or the key is missing.
            Refused: the project's file names an endpoint elsewhere, or packages are missing.
        """
        from varves.ledger.modelling import runner_of

        return runner_of(self, purpose=purpose, session=session)

    @property
    def progress(self) -> Callable[[int], None] | None:
        """What is told how many events are done, while many are read; None: nobody."""
        return self._engine.progress

    @progress.setter
    def progress(self, tell: Callable[[int], None] | None) -> None:
        self._engine.progress = tell

    def init(self, *, protocols: Iterable[str] = (), local: bool = False) -> Initialised:
        """Make the ledger and the folders of protocols; a second time changes nothing."""
        from varves.ledger.protocols import named

        wanted = named(protocols)
        done = self._init(local=local)
        created = [path for name in wanted for path in getattr(self, name).init().created]
        self._set_up(wanted)
        return done.replace(created=(*done.created, *created))

    @steady
    def _init(self, *, local: bool) -> Initialised:
        from varves.ledger import upkeep

        return upkeep.init(self._engine, local=local)

    def _set_up(self, protocols: Iterable[str]) -> None:
        """Keep that hooks may drive what this person has just set up here."""
        from varves.ledger.consenting import agree_to_hooks

        agree_to_hooks(self._engine.settings, protocols)

    @property
    def waiting(self) -> tuple[tuple[str, str], ...]:
        """What the project's settings say and this person has not agreed to: name and value."""
        return self._engine.settings.waiting

    @property
    def invalid(self) -> tuple[tuple[str, str], ...]:
        """What the project's settings say that nobody can agree to: name and what is wrong."""
        return self._engine.settings.invalid

    def trust_settings(self) -> tuple[tuple[str, str], ...]:
        """Agree to what the project's settings say; it counts wherever they are opened next."""
        from varves.ledger.consenting import agree_to_all

        return agree_to_all(self._engine.settings)

    def status(self) -> dict[str, Any]:
        """Return where the ledger stands, and what waits in its protocols' files."""
        from varves.ledger.protocols import pending

        return self._status() | pending(self)

    @steady
    def _status(self) -> dict[str, Any]:
        from varves.ledger import upkeep

        return upkeep.status(self._engine)

    @steady
    def verify(self, *, deep: bool = False) -> Verification:
        """Read every log whole and say what is damaged and what is not here."""
        from varves.ledger import upkeep

        return upkeep.verify_all(self._engine, deep=deep)

    def rebuild(self, *, progress: Callable[[int], None] | None = None) -> dict[str, Any]:
        """Throw away everything derived and make it again, the protocols' files included.

        Files that git could not merge are made of both sides, and git is told that they are
        settled.

        Returns how many events and memories there are, which files were settled, and notes on what
        was found.
        """
        from varves.ledger.protocols import render_all

        self._engine.progress = progress
        done = self._rebuild()
        settled, notes = render_all(self)
        return {**done, "settled": settled, "notes": notes}

    @steady
    def _rebuild(self) -> dict[str, int]:
        from varves.ledger import upkeep

        return upkeep.rebuild(self._engine)

    @steady
    def pack(self, *, dry_run: bool = False) -> Packed:
        """Fold closed segments into fewer, larger files; what they say stays the same."""
        from varves.ledger.packing import pack_all

        return pack_all(self._engine, dry_run=dry_run)

    def doctor(self) -> tuple[Finding, ...]:
        """Return what is wrong with this installation and its protocols' files, and each fix."""
        from varves.ledger.protocols import invalid

        return (*self._doctor(), *invalid(self))

    @steady
    def _doctor(self) -> tuple[Finding, ...]:
        from varves.ledger.mending import findings

        return findings(self._engine, self._writing(), self._act())

    @steady
    def restore_eaten(self) -> Rescued:
        """Bring back the events that git took from the work tree."""
        from varves.ledger.mending import restore

        return restore(self._engine, self._writing(), self._act())

    def mend(self, *, dry_run: bool = False) -> Mended:
        """Repair what can be repaired, or only say what that would be."""
        from varves.ledger.mending import ERASE
        from varves.ledger.protocols import misrendered, render_all, render_unpurged

        done = self._mend(dry_run=dry_run)
        if any(says.startswith(ERASE) for says in done.done):
            render_all(self)  # what brought the lines back brought files that show them
        elif not dry_run:
            render_unpurged(self)
        wrong = misrendered(self)
        if not wrong:
            return done
        says = f"render {', '.join(sorted({one.place.partition(':')[0] for one in wrong}))} again"
        if not dry_run:
            render_all(self)
        return done.replace(
            plan=(*done.plan, says), done=(*done.done, *(() if dry_run else (says,)))
        )

    @steady
    def _mend(self, *, dry_run: bool) -> Mended:
        from varves.ledger.mending import mend

        return mend(self._engine, self._writing(), self._act(), dry_run=dry_run)

    @steady
    def export(
        self, *, format: str = "jsonl", scope: str | None = None, private: bool = False
    ) -> tuple[str, ...]:
        """Return the memories' events, or the memories as Markdown, line by line."""
        from varves.ledger.exchange import export

        view = self._engine.fresh()
        return tuple(export(self._engine, view, format=format, scope=scope, private=private))

    @steady
    def import_(
        self,
        format: str,
        path: str,
        *,
        trust: bool = False,
        dry_run: bool = False,
        allow_secret: bool = False,
    ) -> Imported:
        """Take in what another ledger exported, or what another tool's memory files say.

        Args:
            format: jsonl, hivemind for a folder, or changelog for a log of events.
            path: the file or folder.
            trust: of an export take the events themselves, else let what comes in be recalled.
            dry_run: only say what would come of it.
            allow_secret: mask nothing.
        """
        from varves.ledger.importing import take_in
        from varves.ledger.trees import Wish

        wish = Wish(format=format, path=path, trust=trust, dry_run=dry_run, secret=allow_secret)
        return take_in(self, wish)
