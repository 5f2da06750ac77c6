"""Renders: updates a protocol's files from the log after a verb.

Only the files that show what the verb changed are rendered. If the log has also changed in another
way since the last rendering, all files are rendered, and the files that differ are written. If a
person changes a file after this process has read it, the file is not written, and the next verb
adopts the change.
"""

from __future__ import annotations

import os

from varves.errors import Damaged, VarvesError
from varves.events.kinds import ACCESSED, BIRTHS, INJECTED, touches
from varves.files import deleted
from varves.index.where import EventWhere
from varves.places.exposure import ALL, IGNORE, left_alone
from varves.protocols.port import Touched
from varves.protocols.unreadable import Unreadable
from varves.values.ids import is_memory_id
from varves.values.text import counted

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Collection, Mapping

    from varves.events.event import Event
    from varves.files.ground import FilesCore
    from varves.index.port import Index
    from varves.protocols.port import Codec, Stock

LOG, PURGES = "log", "purges"
TEAMS = "memory/teams/"
# if the log lacks more files than this, no file is removed, because the log may be incomplete
_FEW = 5


def mark(core: FilesCore, index: Index) -> str:
    """Return a value that changes if the logs change or a file is rendered."""
    from hashlib import sha256

    settings = core.context.settings
    # Each verb records in the private log what was shown, but no file shows these events.
    read = [*index.logs().published_parts(), *index.counts().kinds(INJECTED)]
    rules = (sorted(core.table.items()), settings.strict, sorted(settings.teams.items()))
    return sha256(repr((read, index.count(EventWhere(held=True)), rules)).encode()).hexdigest()


def render(
    core: FilesCore,
    codec: Codec,
    touched: Touched | None,
    *,
    stale: Collection[str],
    unreadable: Mapping[str, str],
) -> None:
    """Write the files that show changed memories, and the outdated files.

    If `touched` is None, all files are written.
    """
    if not core.context.places.exists() or not (codec.folders or codec.shared):
        return
    views, index = core.views, core.context.fresh().index
    fresh = index.events(EventWhere(after=views.hlc, held=False, here=True))
    if touched is not None and views.whole:
        stale = ()
    if touched is None or views.moved:
        files = _rendered(core, codec, None)
        files |= dict.fromkeys(_unheld(core, codec, files, within=views.listed))
        views.whole = True
    else:
        files = _rendered(core, codec, _with(core, codec, touched, fresh=fresh))
        if stale:
            everything = codec.render(core.stock(), None)
            files |= {path: everything[path] for path in stale if path in everything}
            files |= dict.fromkeys(_unheld(core, codec, everything, within=stale))
    files = {path: files[path] for path in files if not is_waiting(core, codec, path)}
    unwritten = {path: files.pop(path) for path in unreadable if path in files}
    wrote = _write(core, codec, files)
    views.owe({path: content for path, content in unwritten.items() if content is not None})
    if codec.shared and (wrote or views.whole or (touched is not None and touched.events)):
        _patch(core, codec)
    if views.whole:
        _forget_purged(core, files, index)
    views.set_mark(LOG, mark(core, index))
    if fresh and views.adopting:
        views.set_adopted(views.adopting, fresh[0].id)
    views.moved, views.adopting, views.hlc = False, {}, index.latest_hlc()


def is_waiting(core: FilesCore, codec: Codec, path: str) -> bool:
    """Return whether a file belongs to a team to whose folder no person has consented yet."""
    settings = core.context.settings
    if not settings.is_asking():
        return False
    try:
        level, _, name = codec.scope_of(path).partition(":")
    except VarvesError:
        return False
    return level == "team" and settings.is_waiting(name)


def _rendered(core: FilesCore, codec: Codec, touched: Touched | None) -> dict[str, bytes | None]:
    if touched is not None and not (touched.memories or touched.scopes or touched.events):
        return {}
    return dict(codec.render(core.stock(touched), touched))


def _with(core: FilesCore, codec: Codec, touched: Touched, *, fresh: list[Event]) -> Touched:
    """Return the changed scopes, including those that other processes changed in the meantime."""
    names, kinds = set(touched.memories), touched.events
    acted, born, read = set[str](), set[str](), set[str]()
    for event in fresh:
        if event.kind == INJECTED:
            # no file shows this event, and the event may name hundreds of memories
            continue
        acted.update(touches(event))
        if event.kind in BIRTHS:
            born.update(touches(event))
        if event.kind == ACCESSED:
            read.update(event.data.get("accessed", ()))
        kinds = kinds or event.kind in codec.kinds
    names |= acted | read
    scopes = {memory.scope for name in names - touched.memories if (memory := core.memory(name))}
    return Touched(
        memories=frozenset(names),
        scopes=touched.scopes | scopes,
        events=kinds,
        born=frozenset(born),
        read=frozenset(read - acted),
    )


def _unheld(
    core: FilesCore,
    codec: Codec,
    everything: Mapping[str, bytes | None],
    *,
    within: Collection[str],
) -> list[str]:
    """Return the files that this clone rendered and that the log does not render any more.

    Files that git made from other files, and files that show only purged content, are included.
    """
    views, barred = core.views, core.context.fresh().index.purges().barred()
    left = [path for path in within if path not in everything]
    purged = [path for path in left if path in views.purged or stem(path) in barred]
    left = [path for path in left if path not in purged]
    left = [path for path in left if path in views.astray or views.renders(path)]
    if len(left) <= _FEW:
        for path in left:
            content = views.files.content(path)
            if content is not None and codec.is_state(path):
                name = views.files.set_aside(path, content)
                core.notes.append(f"{path} is not in the log: moved to {name}")
        return left + purged
    core.notes.append(
        f"{counted(len(left), 'file')} left unchanged because the log does not have them,"
        f" {min(left)} first; varves doctor lists what is missing"
    )
    return purged


def _forget_purged(core: FilesCore, files: Mapping[str, bytes | None], index: Index) -> None:
    """After a purge, delete all stored earlier versions, and store the current versions again."""
    views, purges = core.views, _purges(index)
    if views.mark(PURGES) != purges:
        views.forget()
        shown = {path: content for path, content in files.items() if content is not None}
        views.note({path: shown[path] for path in shown if views.is_shown(path, shown[path])})
        views.set_mark(PURGES, purges)


def lags_behind(core: FilesCore) -> bool:
    """Return whether files that were rendered here may show content that was purged since."""
    noted = core.views.mark(LOG)
    return bool(noted) and core.views.mark(PURGES) != _purges(core.context.fresh().index)


def _purges(index: Index) -> str:
    """Return a value that changes if memories are purged."""
    from hashlib import sha256

    barred = sorted(index.purges().barred())
    return sha256(repr(barred).encode()).hexdigest() if barred else ""


def _write(core: FilesCore, codec: Codec, files: dict[str, bytes | None]) -> bool:
    """Write the files that differ and remove obsolete files; return whether any file changed."""
    views = core.views
    writing: dict[str, bytes] = {}
    removing: list[str] = []
    done: dict[str, bytes | None] = {}
    in_sight = _in_sight(core, codec, files)
    for path, content in sorted(files.items()):
        if content is not None and path in in_sight:
            if in_sight[path] not in core.notes:
                core.notes.append(in_sight[path])
            continue
        shown = views.digests.get(path)
        if content is None and shown is None:
            if path in views.missing:
                done[path] = None
        elif content is not None and views.is_shown(path, content):
            done[path] = content
        elif not views.unchanged(path):
            core.notes.append(
                f"{path} was changed in the meantime; the next verb adopts the change"
            )
        elif content is None:
            removing.append(path)
        else:
            writing[path] = content
    for path in [*writing, *removing]:
        _keep_edited(core, codec, path)
    views.files.sweep()
    _ignore(core, codec, writing)
    if writing:
        views.expect(writing)
        views.files.put_all(writing)
    for path in removing:
        views.files.take_away(path, keep=codec.folders)
    gone = [path for path in writing if path in views.missing and codec.is_state(path)]
    gone = [path for path in gone if path not in core.joint.unmerged]
    notes = deleted.deletion_notes(gone, again=True, endings=codec.endings)
    core.notes += [f"{path}: {words}" for path, words in notes]
    views.note(done | writing | dict.fromkeys(removing))
    return bool(writing or removing)


def _patch(core: FilesCore, codec: Codec) -> None:
    """Update this protocol's part of the files that other tools write too."""
    views, stock = core.views, core.stock()
    for path in codec.shared:
        views.files.refuse_links(path)
        content = views.files.content(path)
        try:
            wanted = _joined(core, codec, path, stock) or codec.patch(path, content, stock)
        except Unreadable as reason:
            core.notes.append(f"{path} cannot be read: {reason}; it is left unchanged")
            continue
        if wanted is not None and wanted != content:
            views.files.refuse_closed(path)
            if views.files.content(path) == content:
                views.files.put_all({path: wanted})


def _joined(core: FilesCore, codec: Codec, path: str, stock: Stock) -> bytes | None:
    """Return a file that other tools write too, merged from both sides; None if ambiguous."""
    if path not in core.joint.unmerged:
        return None
    from varves.files.unmerged import joined

    return joined(core, codec, path, stock=stock)


def _in_sight(core: FilesCore, codec: Codec, files: Collection[str]) -> dict[str, str]:
    """Return the files with private content that git could commit, each with a message.

    A `.gitignore` does not affect files that git already tracks.
    """
    found: dict[str, str] = {}
    for folder in codec.ignores:
        own = [path for path in files if path.startswith(f"{folder}/")]
        why = in_sight(core, folder) if own else ""
        found |= dict.fromkeys(own, why) if why else {}
    return found


def in_sight(core: FilesCore, folder: str) -> str:
    """Return a message that a folder is not written because git could commit it, or ""."""
    reason, remedy = core.context.places.exposed(folder)
    return f"{left_alone([folder], reason)}; {remedy}" if reason else ""


def _keep_edited(core: FilesCore, codec: Codec, path: str) -> None:
    """Store a copy of a derived file that a person edited, because such edits are not recorded."""
    views = core.views
    if path in views.edited and codec.is_derived(path) and path not in views.purged:
        content = views.files.content(path)
        if content is not None:
            name = views.files.set_aside(path, content)
            core.notes.append(
                f"{path} is rendered again from the log; the edited file is in {name}"
            )


def _ignore(core: FilesCore, codec: Codec, writing: Mapping[str, bytes]) -> None:
    """Make git ignore the folders whose files show content of other logs than the project's."""
    views = core.views
    for folder in codec.ignores:
        if any(path.startswith(f"{folder}/") for path in writing):
            views.files.refuse_links(folder)
            if not os.path.lexists(f"{views.files.root}/{folder}/{IGNORE}"):
                views.files.put_all({f"{folder}/{IGNORE}": ALL})


def ready(
    core: FilesCore,
    codec: Codec,
    scopes: Collection[str],
    *,
    log: str = "project",
    memories: Collection[str] = (),
    unread: bool = False,
) -> None:
    """Check, before anything is recorded, that the files of some scopes can be written.

    Args:
        core: the ledger.
        codec: the protocol that owns the files.
        scopes: the scopes in which something is recorded.
        log: the log to which it is written; everybody may see the project's log.
        memories: the memories that change.
        unread: ignore files that cannot be read. They are not changed now, and are rendered after
            they were repaired.

    Raises:
        Refused: a file or folder is read-only, locked by another program, or behind a link.
        Damaged: a file that cannot be read would have to be written.
    """
    views = core.views
    if not unread:
        _refuse_unreadable(core, codec, set(scopes), memories=set(memories))
    wanted = {*scopes, *memories} or {"session:"}
    for folder in codec.ignores if log != "project" else ():
        if _is_private(folder, wanted):
            core.context.places.refuse_exposed(folder)
    asked = wanted - views.fit
    if not asked:
        return
    files = [
        path
        for path in _written_with(views.listed, asked)
        if _is_asked(codec.scope_of(path), {*scopes, *asked})
    ]
    folders = {os.path.dirname(path) for path in files}
    folders |= {place for scope in asked for place in _places_of(codec, scope)}
    for folder in sorted(folders):
        views.files.refuse_closed_folder(folder)
    for path in files:
        views.files.refuse_closed(path)
    views.fit |= asked


def _is_private(folder: str, asked: Collection[str]) -> bool:
    """Return whether a folder that git ignores contains files of one of these scopes.

    Scopes of teams are left out.
    """
    if folder.endswith("/global"):
        return "global" in asked
    return not folder.startswith(TEAMS) and any(one.startswith("session:") for one in asked)


def _written_with(paths: Collection[str], memories: Collection[str]) -> list[str]:
    """Return the files to which a change of some memories may write.

    Files of other memories are left out.
    """
    return [path for path in paths if (name := stem(path)) in memories or not is_memory_id(name)]


def stem(path: str) -> str:
    """Return a file's name up to its first dot, which is often the id of a memory."""
    return path.rpartition("/")[2].partition(".")[0]


def _is_asked(scope: str, asked: set[str]) -> bool:
    return scope in asked or ("session:" in asked and scope.startswith("session:"))


def _places_of(codec: Codec, scope: str) -> list[str]:
    """Return the paths that the files of a scope have, or would have."""
    kind, _, name = scope.partition(":")
    return [
        f"{folder}/{name}".rstrip("/")
        for folder in codec.folders
        if folder.rpartition("/")[2] in (kind, f"{kind}s")
    ]


def _refuse_unreadable(
    core: FilesCore, codec: Codec, scopes: set[str], *, memories: set[str]
) -> None:
    for path, reason in core.unreadable.items():
        if codec.scope_of(path) not in scopes:
            continue
        own = _own_record(core, codec, path)
        if own is None or own in memories:
            blocked({path: reason}, [path])


def _own_record(core: FilesCore, codec: Codec, path: str) -> str | None:
    """Return the id of the memory that a file is about, if it is about exactly one.

    None for a file about several memories.
    """
    if is_memory_id(stem(path)):
        return stem(path)
    for content in core.views.versions(path)[:1]:
        try:
            keys = [entry.key for entry in codec.parse(path, content)]
        except Unreadable:
            return None
        if len(keys) == 1 and is_memory_id(keys[0]):
            return keys[0]
    return None


def blocked(unreadable: Mapping[str, str], paths: Collection[str]) -> None:
    """Raise an error if one of the paths must be written but cannot be read."""
    for path in paths:
        if path in unreadable:
            raise Damaged(
                f"{path} cannot be read: {unreadable[path]}",
                "fix it, or move it so that it is rendered again",
            )
