"""Trust: a person accepts a memory of untrusted origin, so that default recall includes it."""

from __future__ import annotations

from varves.commands.port import Act, Decision, existing
from varves.errors import Refused
from varves.events.kinds import TRUSTED
from varves.values.memory import TRUSTWORTHY
from varves.values.value import Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from varves.commands.port import Rows


class Trust(Value):
    """The request to trust one memory."""

    memory: str


def decide(rows: Rows, command: Trust, act: Act) -> Decision:
    """Trust a memory; other memories with the same text are not affected."""
    memory = existing(rows, command.memory)
    if act.trust < TRUSTWORTHY:
        raise Refused("an untrusted entry point cannot trust a memory", "a person must do it")
    if rows.free(memory.id):
        raise Refused(f"{memory.id} is trusted already", "there is nothing to do")
    draft = act.draft(TRUSTED, {"memory": memory.id}, memory.version)
    return Decision(log=memory.kept, drafts=(draft,), memory=memory.id)
