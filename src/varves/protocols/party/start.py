"""The start of a party: its agents and their names, and the block that each of them receives."""

from __future__ import annotations

import csv
import io

from varves.commands.intake import word
from varves.errors import Damaged, Refused, UsageError
from varves.protocols.party.answers import PartyStarted
from varves.protocols.party.blocks import block, told
from varves.protocols.party.fold import JOINED, sheets_of
from varves.protocols.party.sessions import (
    abandoned,
    agent_name,
    free_name,
    meetings,
    refuse_untrusted,
)
from varves.protocols.party.sidecars import STATE, path_of, scope_of
from varves.protocols.party.state_file import unmade
from varves.protocols.sessions import PRIVATE, PROJECT, STARTED, draft
from varves.values.names import safe_name
from varves.values.text import quoted

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from varves.protocols.party.answers import PartyEnded
    from varves.protocols.party.options import PartyOptions
    from varves.protocols.party.talk import Detector
    from varves.protocols.port import Core

MANIFEST = "_mdan/_config/agent-manifest.csv"


def start(
    core: Core,
    options: PartyOptions,
    detect: Detector | None,
    *,
    agents: Sequence[str],
    topic: str | None,
    plain: bool,
) -> PartyStarted:
    """Start a party: recover abandoned ones, then return each agent's memories."""
    names = _names(core, agents)
    about, _ = core.clean(word(topic, "topic"))
    before = sheets_of(core, options)
    _refuse_lookalikes(names, before)
    _refuse_unreadable(core, names)
    if core.session is not None:
        safe_name(core.session, "session")
    recovered = _recovered(core, options, detect)
    before = sheets_of(core, options) if recovered else before
    core.notes += [
        f"{path} is missing, but {STATE} lists it" for path in unmade(core.tree.read(STATE), before)
    ]
    fresh = [name for name in names if name not in before]
    _join(core, fresh)
    sidecars = sheets_of(core, options) if fresh else before
    named = core.session is not None
    session = safe_name(core.session, "session") if core.session is not None else free_name(core)
    content = {
        "agents": [[name, sidecars[name].display_name] for name in names],
        "loaded": {name: len(before[name].memories) for name in names if name in before},
        "topic": about,
        "named": named,
    }
    act = core.act(session=session)
    [event] = core.append(PRIVATE, [draft(core, act, STARTED, content)])
    blocks = []
    for name in names:
        sheet = sidecars[name]
        blocks.append(block(sheet, options, first=name not in before, plain=plain))
        core.told("party start", [one.id for one in told(sheet, options)], agent=name)
    return PartyStarted(
        session=session,
        event=event.id,
        topic=about,
        blocks=tuple(blocks),
        recovered=recovered,
        text="\n\n".join(
            one.text if len(blocks) == 1 else f"{one.agent}:\n{one.text}" for one in blocks
        ),
    )


def _recovered(
    core: Core, options: PartyOptions, detect: Detector | None
) -> tuple[PartyEnded, ...]:
    """End the parties that were abandoned, if there are any; few starts need the modules for it."""
    refuse_untrusted(core)
    if not abandoned(meetings(core), core, options.session_hours):
        return ()
    from varves.protocols.party.end import recover

    return recover(core, options, detect)


def _names(core: Core, agents: Sequence[str]) -> list[str]:
    """Return the participants, each once."""
    if isinstance(agents, str):
        agents = (agents,)
    names = list(dict.fromkeys(agent_name(core, name) for name in agents))
    if not names:
        raise UsageError("a party has no agents", "give them with --agents a,b,c")
    return names


def _refuse_lookalikes(names: Iterable[str], known: Iterable[str]) -> None:
    """Refuse two names that share one file on a case-insensitive file system."""
    seen = {name.casefold(): name for name in known}
    for name in names:
        other = seen.setdefault(name.casefold(), name)
        if other != name:
            message = f"{quoted(name)} and {quoted(other)} differ in case only"
            raise Refused(message, f"write it as {other}")


def _refuse_unreadable(core: Core, names: Iterable[str]) -> None:
    """Refuse to start with agents whose sidecars cannot be read."""
    for path in map(path_of, names):
        reason = core.unreadable.get(path)
        if reason is not None:
            hint = "fix it, or move it so that it is created again"
            raise Damaged(f"{path} cannot be read: {reason}", hint)


def _join(core: Core, names: Sequence[str]) -> None:
    """Record agents that take part for the first time."""
    displays = _manifest(core) if names else {}
    act = core.act()
    drafts = [
        act.draft(
            JOINED,
            {
                "agent": name,
                "scope": scope_of(name),
                "display_name": displays.get(name) or name,
            },
        )
        for name in names
    ]
    core.append(PROJECT, drafts)


def _manifest(core: Core) -> dict[str, str]:
    """Return the display names of the project's roster, if it has one."""
    raw = core.tree.read(MANIFEST)
    if raw is None:
        return {}
    try:
        rows = list(csv.DictReader(io.StringIO(raw.decode("utf-8-sig"), newline="")))
    except (UnicodeDecodeError, csv.Error):
        core.notes.append(f"{MANIFEST} cannot be read: names are shown as given")
        return {}
    pairs = ((row.get("name"), row.get("displayName")) for row in rows)
    found = {name.strip(): shown.strip() for name, shown in pairs if name and shown}
    masked, _ = core.clean(found)
    return {name: " ".join(str(text).split()) for name, text in masked.items()}
