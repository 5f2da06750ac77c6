"""Compare a new statement with its nearest older ones when it is recorded.

The comparison uses the index as the last reader left it. The statement is durable by then, so
nothing here may fail: without an index the result is empty.
"""

from __future__ import annotations

from varves.recall.likeness import relation
from varves.recall.stopwords import STOPWORDS
from varves.values.gist import MAX_CHARS, gist
from varves.values.instants import iso
from varves.values.scope import may_see
from varves.values.text import words

TYPE_CHECKING = False
if TYPE_CHECKING:
    from varves.commands.port import Act
    from varves.commands.remember import Remember
    from varves.context.context import Context
    from varves.recall.likeness import Relation
    from varves.values.answers import Likeness
    from varves.values.gist import Gist
    from varves.values.near import Near

TRUSTED = 2


def likenesses(context: Context, command: Remember, act: Act, *, name: str) -> tuple[Likeness, ...]:
    """Return what a recorded statement resembles; empty if that cannot be determined."""
    index = context.index.opened
    if index is None or act.trust < TRUSTED or not seen_by(context, command.scope):
        return ()
    now = iso(act.now)
    said = gist(command.text)
    try:
        near = index.nearby(now, context.trusted).nearest(
            terms(command.text), scope=command.scope, kept=command.log, other_than=name
        )
    except (context.index.faults, OSError, UnicodeError):
        return ()
    linked = {one for names in command.links.values() for one in names}
    at, speaker = command.about.get("at") or now, command.about.get("speaker")
    found = []
    for old in near:
        if old.id in linked or old.at > at:
            continue
        verdict = compared(gist(old.text), said, speakers=(old.speaker, speaker))
        if verdict is not None:
            found.append((verdict.kind, old))
    return tuple(_named(kind, old, name) for kind, old in found)


def _named(kind: str, old: Near, name: str) -> Likeness:
    from varves.fold.conflicts import pair_id
    from varves.values.answers import Likeness

    return Likeness(kind=kind, id=old.id, text=old.text, conflict=pair_id(old.id, name))


def compared(
    older: Gist, newer: Gist, *, speakers: tuple[str | None, str | None]
) -> Relation | None:
    """Compare two statements, unless two people speak about themselves."""
    if all(speakers) and speakers[0] != speakers[1] and (older.personal or newer.personal):
        return None
    return relation(older, newer)


def terms(text: str) -> list[str]:
    """Return the words used to search for a text's nearest memories."""
    return [word for word in dict.fromkeys(words(text[:MAX_CHARS])) if word not in STOPWORDS]


def seen_by(context: Context, scope: str) -> bool:
    """Return whether the caller may see a scope."""
    return may_see(scope, actor=context.settings.actor, session=context.settings.session)
