"""How every public method runs: one thread at a time, over an index that heals itself."""

from __future__ import annotations

from varves.errors import Damaged, UsageError, VarvesError

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any, TypeVar

    Method = TypeVar("Method", bound=Callable[..., Any])


def steady(method: Method) -> Method:
    """Hold the ledger's lock for the call, and make a damaged index again instead of failing."""

    def steadied(ledger: Any, *args: Any, **kwargs: Any) -> Any:
        engine = ledger._engine  # noqa: SLF001 - the ledger's own wrapper
        with engine.lock:
            try:
                return method(ledger, *args, **kwargs)
            except engine.index_faults as fault:
                # Commands read the index only before they append, so nothing is written twice.
                engine.heal(fault)
                return method(ledger, *args, **kwargs)
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

    steadied.__name__, steadied.__doc__ = method.__name__, method.__doc__
    return steadied  # type: ignore[return-value]


def masked(text: str) -> str:
    """Return a text with its secrets masked, for messages that quote what a caller gave."""
    from varves.events.redact import scrub

    return scrub(text)[0]


def masked_error(fault: VarvesError) -> VarvesError:
    """Return an error whose message quotes no secret."""
    fault.message, fault.hint = masked(fault.message), masked(fault.hint)
    fault.args = (fault.message,)
    return fault
