"""The start of a conversation, from nothing or from a saved state, and saving its state."""

from __future__ import annotations

import json

from varves.commands.intake import word
from varves.errors import Damaged, NotFound, Refused, UsageError
from varves.protocols.deliberation.answers import Begun, Restored, Saved
from varves.protocols.deliberation.conversations import Conversation, scope_of
from varves.protocols.deliberation.options import EXTRACTORS
from varves.protocols.deliberation.restoration import drafts_of
from varves.protocols.deliberation.saved_state import checked, encoded, from_json, parsed, to_json
from varves.protocols.deliberation.state import stats, written
from varves.protocols.sessions import PRIVATE, PROJECT, STARTED, draft, fold
from varves.protocols.unreadable import Unreadable
from varves.values.instants import iso
from varves.values.names import safe_name
from varves.values.text import quoted

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Any

    from varves.events.event import Draft
    from varves.protocols.deliberation.desk import DeliberationDesk
    from varves.protocols.deliberation.state import State

_DATE = 10  # the characters of a date


def begin(
    desk: DeliberationDesk,
    name: str | None = None,
    *,
    agents: Sequence[str] = (),
    topic: str | None = None,
    shared: bool = False,
    extractor: str | None = None,
) -> Begun:
    """Start a conversation."""
    if extractor not in (None, *EXTRACTORS):
        raise UsageError(f"no extractor {quoted(extractor)}", f"use {', '.join(EXTRACTORS)}")
    about, _ = desk.core.clean(word(topic, "topic"))
    named, log = _name(desk, name), PROJECT if shared else PRIVATE
    speakers = _speakers(desk, agents)
    desk.extractor(extractor)  # checks the patterns of the settings first
    started = _started(desk, named, speakers, topic=about, shared=shared, extractor=extractor)
    with desk.core.deciding(log):
        _refuse_known(desk, named)
        made = fold(Conversation, desk.core.append(log, [started]))
    desk.codec.stirred.add(named)
    return _begun(desk, made[0])


def _started(
    desk: DeliberationDesk, name: str, agents: Sequence[str], *, shared: bool, **more: Any
) -> Draft:
    content = {"agents": list(agents), "shared": shared or None, **more}
    return draft(desk.core, desk.core.act(session=name), STARTED, content)


def _begun(desk: DeliberationDesk, made: Conversation) -> Begun:
    return Begun(
        conversation=made.name,
        event=made.start,
        path=desk.codec.path_of(made.name),
        agents=made.agents,
        topic=made.topic,
        shared=made.shared,
        extractor=made.extractor or desk.options.extractor,
    )


def _name(desk: DeliberationDesk, given: Any) -> str:
    """Return the name of a new conversation."""
    given = given if given is not None else desk.core.session
    if given is not None:
        name = safe_name(word(given, "name") or "", "conversation")
        if desk.core.clean(name)[1]:
            raise Refused("a conversation's name looks like a secret", "give it another one")
        return name
    day = iso(desk.core.now)[:_DATE]
    known = {name.casefold() for name in desk.reader.all()}
    number = 2
    name = day
    while name in known:
        name, number = f"{day}-{number}", number + 1
    return name


def _refuse_known(desk: DeliberationDesk, name: str) -> None:
    """Refuse a name that is already used, ignoring case."""
    known = {one.casefold(): one for one in desk.reader.all()}
    held = known.get(name.casefold())
    if held is not None:
        raise Refused(f"there is already a conversation {quoted(held)}", "give it another name")
    if desk.core.memories(scope=scope_of(name)):
        raise Refused(f"{quoted(name)} already has memories", "give it another name")
    path = desk.codec.path_of(name)
    if path in desk.core.unreadable:
        reason = desk.core.unreadable[path]
        raise Damaged(f"{path} cannot be read: {reason}", "fix it, or move it elsewhere")


def _speakers(desk: DeliberationDesk, agents: Sequence[str]) -> tuple[str, ...]:
    given = (agents,) if isinstance(agents, str) else tuple(agents)
    found = []
    for one in given:
        name = word(one, "agent")
        if name is None or desk.core.clean(name)[1]:
            raise Refused("an agent's name looks like a secret", "give it another one")
        found.append(name.strip())
    return tuple(dict.fromkeys(found))


def save(
    desk: DeliberationDesk, *, conversation: str | None = None, to: str | None = None
) -> Saved:
    """Write a conversation's state to its own folder, or to the given file."""
    found = desk.writable(conversation)
    content = encoded(to_json(desk.reader.held(found.name, keep=True).state))
    path = desk.codec.path_of(found.name)
    if to is not None:
        path = str(to)
        before = desk.core.read_paper(path)
        if before is not None:
            _refuse_foreign(path, before)
        desk.core.write_paper(path, content)
    return Saved(conversation=found.name, path=path, bytes=len(content))


def saved_in(desk: DeliberationDesk, source: Any) -> State:
    """Return the state in a file, in its content, or given as a mapping."""
    if not isinstance(source, str | bytes) and hasattr(source, "keys"):
        return checked(json.loads(json.dumps(dict(source), default=written)))
    path = "the text" if isinstance(source, bytes) else str(source)
    content = source if isinstance(source, bytes) else desk.core.read_paper(path)
    if content is None:
        raise NotFound(f"no file {quoted(path)}", "name a saved state")
    try:
        return checked(parsed(content))
    except (Unreadable, UsageError) as reason:
        raise Damaged(f"{path} is not a saved state: {reason}", "it was not changed") from None


def restore(
    desk: DeliberationDesk, state: State, *, name: str | None, agents: Sequence[str], shared: bool
) -> Restored:
    """Continue from a saved state, in a new conversation."""
    masked, _ = desk.core.clean(to_json(state))
    named, log = _name(desk, name), PROJECT if shared else PRIVATE
    started = _started(desk, named, _speakers(desk, agents), shared=shared)
    act = desk.core.act(session=named)
    with desk.core.deciding(log):
        _refuse_known(desk, named)
        drafts = drafts_of(desk.core, named, from_json(masked), act=act)
        # The start comes last, so that an append cut short by a crash makes no conversation.
        events = desk.core.append(log, [*drafts, started])
    desk.codec.stirred.add(named)
    return Restored(
        conversation=named,
        event=events[-1].id,
        path=desk.codec.path_of(named),
        stats=stats(desk.reader.held(named, keep=True).state),
    )


def resume(desk: DeliberationDesk, name: str, state: State) -> None:
    """Load a saved state into a conversation that has no messages yet."""
    conversation = desk.writable(name)
    document, _ = desk.core.clean(to_json(state))
    with desk.core.deciding(conversation.log):
        held = desk.reader.held(name, keep=True)
        if to_json(held.state) == document:
            return
        if held.digest.count:
            hint = "restore the state in a new conversation"
            raise Refused(f"messages were already posted in {name}", hint)
        act = desk.act(conversation)
        drafts = drafts_of(desk.core, name, from_json(document), act=act)
        desk.core.append(conversation.log, drafts)


def _refuse_foreign(path: str, content: bytes) -> None:
    """Refuse to overwrite a file that is not a saved state."""
    try:
        if "summaries" in parsed(content):
            return
    except Unreadable:
        pass
    raise Refused(f"{path} exists and is not a saved state", "name another file")
