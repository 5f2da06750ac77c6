"""How every public method runs: one thread at a time, over an index that heals itself."""

from __future__ import annotations

from varves.errors import Damaged, UsageError, VarvesError
from varves.index.where import WAITING_PURGES
from varves.log.files.log import FileLog

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from typing import Any, TypeVar

    from varves.context.engine import Engine
    from varves.index.sqlite.index import Index

    Method = TypeVar("Method", bound=Callable[..., Any])


_JUDGING = ("verify", "_doctor", "_status")  # they say how things stand, and leave them so


def steady(method: Method) -> Method:
    """Hold the ledger's lock for the call, and make a damaged index again instead of failing."""

    def steadied(ledger: Any, *args: Any, **kwargs: Any) -> Any:
        engine = ledger._engine  # noqa: SLF001 - the ledger's own wrapper
        with engine.lock:
            engine.depth += 1
            if engine.notes and not engine.bridging:
                engine.notes.clear()
            before = engine.most_behind
            try:
                engine.most_behind = getattr(ledger, "_most_behind", None)  # a shelf can wait
                if engine.wrote and method.__name__ not in _JUDGING:
                    _settle(ledger)
                answer = _healed(engine, lambda: method(ledger, *args, **kwargs))
                if engine.changed or (engine.unbridged and not engine.bridging):
                    ledger._keep_in_step()  # noqa: SLF001 - the ledger's own wrapper
                if engine.wrote and engine.depth == 1:
                    clean_up(ledger)
                return answer
            except VarvesError as fault:
                raise masked_error(fault) from None
            except UnicodeEncodeError:
                raise UsageError(
                    "an id or option is not valid Unicode", "remove the lone surrogates"
                ) from None
            except OSError as fault:
                where = fault.filename or ledger.root
                reason = f"cannot use {where}: {fault.strerror or fault}"
                raise Damaged(reason, "check that it is a plain file or folder of yours") from None
            finally:
                engine.depth -= 1
                engine.most_behind = before

    steadied.__name__, steadied.__doc__ = method.__name__, method.__doc__
    return steadied  # type: ignore[return-value]


def clean_up(ledger: Any) -> None:
    """After a write, take away what git brought back of purged memories; mostly nothing."""
    engine = ledger._engine  # noqa: SLF001 - the ledger's own wrapper
    try:
        index = engine.opened
        if engine.cleaning or index is None:
            return
        if index.has_note(WAITING_PURGES) or _have_come(engine, index):
            ledger._clean_up()  # noqa: SLF001
    except engine.index_faults:
        return  # whoever reads next finds out


def _have_come(engine: Engine, index: Index) -> bool:
    """Tell whether this clone has purged, in another worktree, since the index was caught up.

    A write looks at its own log alone; the file of the purges only grows.
    """
    kept = (FileLog(key, place) for key, place in engine.places.own_purges())
    return any(log.follow(index.known(log.key)).waiting() for log in kept)


def _healed(engine: Engine, call: Callable[[], Any]) -> Any:
    try:
        return call()
    except engine.index_faults as fault:
        # Commands read the index only before they append, so nothing is written twice; whoever
        # looks into it afterwards keeps its faults to himself.
        engine.heal(fault)
        return call()


def telling(method: Method) -> Method:
    """Do as `steady` does for a method that tells memories, and note them, to whom and when."""

    def told(ledger: Any, *args: Any, **options: Any) -> Any:
        answer = method(ledger, *args, **options)
        engine = ledger._engine  # noqa: SLF001 - the ledger's own wrapper
        if engine.settings.usage and engine.places.exists():
            _note(engine, method.__name__, answer, agent=options.get("agent"))
        return answer

    told.__name__, told.__doc__ = method.__name__, method.__doc__
    return steady(told)  # type: ignore[return-value]


def _note(engine: Engine, verb: str, answer: Any, *, agent: str | None) -> None:
    names = _TOLD[verb](answer)
    if names:
        from varves.state.usage import reading, usage_of
        from varves.values.instants import iso

        who = engine.settings.actor, engine.settings.session, agent
        line = reading(who, iso(engine.clock.now()), verb=verb, names=names)
        usage_of(engine.places).note(line)


_TOLD: dict[str, Callable[[Any], Sequence[str]]] = {
    "recall": lambda answer: [hit.memory.id for hit in answer.hits],
    "brief": lambda answer: answer.ids,
    "show": lambda answer: [answer.id],
}


def _settle(ledger: Any) -> None:
    """Say what was told in the sessions that wrote, now that their writes are acknowledged."""
    from varves.context.usage import settle

    settle(ledger._engine, ledger._writing().writers)  # noqa: SLF001 - the ledger's own wrapper


def masked(text: str) -> str:
    """Return a text with its secrets masked, for messages that quote what a caller gave."""
    from varves.events.redact import scrub

    return scrub(text)[0]


def masked_error(fault: VarvesError) -> VarvesError:
    """Return an error whose message quotes no secret."""
    fault.message, fault.hint = masked(fault.message), masked(fault.hint)
    fault.args = (fault.message,)
    return fault
