"""The output of `varves` without arguments: what Varves is, the ledger found, three next steps."""

from __future__ import annotations

from varves.cli.render import counted
from varves.errors import VarvesError

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from varves import Ledger

_REMEMBER = ('varves remember "Deploys are on Tuesdays"', "record a fact")
_RECALL = ('varves recall "when do we deploy?"', "look it up")
_STATUS = ("varves status", "see the state of the memory")


def greeting() -> Iterator[str]:
    """Yield the five lines of the greeting."""
    import varves

    yield "Varves is memory for AI agents, in plain files in git. All verbs: varves --help"
    try:
        with varves.open() as ledger:
            said, steps = _situation(ledger)
    except (VarvesError, OSError) as fault:
        said = f"The memory here cannot be read: {_reason(fault)}. Next:"
        steps = [
            ("varves doctor", "see what is wrong"),
            ("varves doctor --fix", "fix what can be fixed"),
            _STATUS,
        ]
    yield said
    width = max(len(command) for command, _ in steps)
    for command, why in steps:
        yield f"  {command:<{width}}  {why}"


def _reason(fault: VarvesError | OSError) -> str:
    if isinstance(fault, VarvesError):
        return f"{fault.message}; {fault.hint}" if fault.hint else fault.message
    return str(fault)


def _situation(ledger: Ledger) -> tuple[str, list[tuple[str, str]]]:
    standing = ledger.status()
    if standing["exists"]:
        held = counted(standing["memories"].get("active", 0), "active memory")
        return f"{standing['root']} has a ledger with {held}. Next:", [_REMEMBER, _RECALL, _STATUS]
    begin = "varves init" if standing["git"] else "git init && varves init"
    return f"{standing['root']} has no ledger yet. Next:", [
        (begin, "create one"),
        _REMEMBER,
        _RECALL,
    ]
