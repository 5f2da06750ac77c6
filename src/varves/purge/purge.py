"""The verb `purge`: erases a memory, its protocol's files and its views in other protocols.

`erasure.py` erases it from the logs.
"""

from __future__ import annotations

from varves.commands.purge import Purge
from varves.index.where import Where
from varves.purge.erasure import purge

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable

    from varves.context.context import Context
    from varves.files.protocols import Protocols
    from varves.index.port import Index
    from varves.purge.erasure import Erasure
    from varves.values.answers import Purged
    from varves.values.memory import Memory


def purge_whole(context: Context, protocols: Protocols, name: str, *, reason: str) -> Purged:
    """Erase the text of a memory and of its views; return one result for them together."""
    parts = _purge(context, protocols, name, reason=reason)
    names = {each for _, gone in parts for each in gone.names}
    said = {text for _, gone in parts for text in gone.said}
    git = context.logs.tracked().remains(names, said=said, published=protocols.published())
    prompts = protocols.prompts_left(said)
    return _joined([done for done, _ in parts]).replace(git=git, prompts=prompts)


def _purge(
    context: Context, protocols: Protocols, name: str, *, reason: str
) -> list[tuple[Purged, Erasure]]:
    index = context.fresh().index
    held, views = index.memory(name), index.memories(Where(view_of=name))
    done, own = purge(context, Purge(memory=name, reason=reason))
    if held is not None and held.protocol != "core":
        done = protocols.render_purged(held, done)
    return [(done, own), *_purge_views(context, protocols, views, reason=reason)]


def purge_views(
    context: Context, protocols: Protocols, views: Iterable[Memory], *, reason: str
) -> None:
    """Erase views of a purged memory, and the events that withdrew these views."""
    _purge_views(context, protocols, views, reason=reason)


def _purge_views(
    context: Context, protocols: Protocols, views: Iterable[Memory], *, reason: str
) -> list[tuple[Purged, Erasure]]:
    done = []
    for view in views:
        index = context.fresh().index
        for name in (view.id, *_withdrawing(index, view.id)):
            done += _purge(context, protocols, name, reason=reason)
    return done


def _withdrawing(index: Index, name: str) -> list[str]:
    """Return the ids of the drafts that withdraw a view.

    These drafts must be erased too, because they quote the view's text.
    """
    found = index.memories(Where(withdraws=name), order="id")
    return [one.id for one in found]


def _joined(parts: list[Purged]) -> Purged:
    """Return one result for a memory and its views."""
    first, *others = parts
    if not others:
        return first
    names = {one.id for one in parts}
    told = {
        field: tuple(dict.fromkeys(each for one in parts for each in getattr(one, field)))
        for field in ("files", "worktrees", "sources")
    }
    same = (each for one in parts for each in one.same if each not in names)
    return first.replace(**told, same=tuple(dict.fromkeys(same)))
