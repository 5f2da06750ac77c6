"""Purging a memory with all that shows it: the files of its protocol, and its views in others."""

from __future__ import annotations

from varves.commands.purge import Purge
from varves.index.where import Where
from varves.log.files.remains import in_git
from varves.purge.purge import purge

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable
    from typing import Any

    from varves.index.sqlite.index import Index
    from varves.purge.purge import Gone
    from varves.values.answers import Purged
    from varves.values.memory import Memory


def purge_whole(ledger: Any, name: str, *, reason: str) -> Purged:
    """Erase what a memory says, and what its views say of it; answer for all of it."""
    from varves.files.protocols import prompts_left, published

    parts = _purge(ledger, name, reason=reason)
    names = {each for _, gone in parts for each in gone.names}
    said = {text for _, gone in parts for text in gone.said}
    places = ledger._engine.places  # noqa: SLF001 - a part of the ledger
    git = in_git(places, names, said=said, published=published(ledger))
    prompts = prompts_left(ledger, said)
    return _joined([done for done, _ in parts]).replace(git=git, prompts=prompts)


def _purge(ledger: Any, name: str, *, reason: str) -> list[tuple[Purged, Gone]]:
    engine, recorder = ledger._engine, ledger._writing()  # noqa: SLF001 - a part of the ledger
    index = engine.fresh().index
    held, views = index.memory(name), index.views_of(name)
    act = ledger._act()  # noqa: SLF001
    done, own = purge(engine, recorder, act, wish=Purge(memory=name, reason=reason))
    if held is not None and held.protocol != "core":
        from varves.files.protocols import render_purged

        done = render_purged(ledger, held, done)
    return [(done, own), *_purge_views(ledger, views, reason=reason)]


def purge_views(ledger: Any, views: Iterable[Memory], *, reason: str) -> list[Purged]:
    """Erase views, and what was drafted to withdraw them."""
    return [done for done, _ in _purge_views(ledger, views, reason=reason)]


def _purge_views(ledger: Any, views: Iterable[Memory], *, reason: str) -> list[tuple[Purged, Gone]]:
    done = []
    for view in views:
        index = ledger._engine.fresh().index  # noqa: SLF001 - a part of the ledger
        for name in (view.id, *_withdrawing(index, view.id)):
            done += _purge(ledger, name, reason=reason)
    return done


def _withdrawing(index: Index, name: str) -> list[str]:
    """Return what was drafted to withdraw a view: it names what that said."""
    found = index.memories(Where(withdraws=name), order="id")
    return [one.id for one in found]


def _joined(parts: list[Purged]) -> Purged:
    """Return one answer for a memory and its views."""
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
