"""Restores the events of files that git removed from the work tree.

Events that a branch, tag or other ref still contains are not lost and stay where they are. All
other events in the spool or the index are written to a segment with a new name, because a stash may
restore the old name, and two files with the same events do no harm. If git tracks a file that is
missing from the work tree, the file is restored under its own name. Git would see another name as a
rename.
"""

from __future__ import annotations

import os

from varves.log.eaten import Eaten
from varves.log.files.layout import MAX_LINES, SUFFIX, is_pack, segment_name
from varves.log.files.segments import read_lines
from varves.log.files.spool import spool_of, spooled
from varves.log.files.verify import stored

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from varves.git import Git
    from varves.log.files.spool import Spool
    from varves.places.places import Places
    from varves.places.port import FileStore

_FILE = "100"  # the first digits of a plain file's mode
_SHA256 = 64  # hex digits of an object's name in a SHA-256 repository
SPOOL_MS = 30 * 86_400_000  # for this time, a reset can still remove a commit; in milliseconds


def remembered(
    places: Places, indexed: Iterable[tuple[str, str, str]]
) -> tuple[dict[str, tuple[str, bytes]], dict[str, tuple[str, bytes]]]:
    """Return the project's events stored outside the log's files, as id → (file, line).

    The first dictionary has the events of the spool and the index. The second one has the events of
    files that git's index lists. Files that equal their copy in the spool or in git are not read.

    Args:
        places: where the logs are.
        indexed: (id, log, line) of events the index remembers from files that are gone.
    """
    kept: dict[str, tuple[str, bytes]] = {}
    spool, store = spool_of(places, "project"), places.store("project")
    for name in spool.names() if spool else ():
        if spool is None or spool.is_link(store, name):
            continue
        for event, line in read_lines(name, spool.read(name) or b"", "project").events:
            kept[event.id] = (name, line)
    for identity, log, text in indexed:
        if log == "project":
            kept.setdefault(identity, ("", text.encode("ascii")))
    return kept, _tracked(places)


def eaten(
    places: Places,
    known: tuple[dict[str, tuple[str, bytes]], dict[str, tuple[str, bytes]]],
    present: Callable[[str], bool],
) -> Eaten:
    """Find the project's events that only the spool, the index or git's index still contains.

    Args:
        places: where the logs are.
        known: the remembered events; collected before `present` is called, so that a concurrent
            write is not reported as lost.
        present: returns whether an event is in the files of this checkout.
    """
    found, (kept, tracked) = Eaten(), known
    missing = {one: where for one, where in (kept | tracked).items() if not present(one)}
    held = _held_by_git(places) | _held_by_worktrees(places) if missing else set()
    held -= set(tracked)
    for identity, (name, line) in missing.items():
        if identity not in held:
            found.segments.setdefault(name, []).append(line)
            found.events += 1
    names = [name for name, _ in tracked.values() if not is_pack(name)]
    found.tracked = {n for n in names if len(found.segments.get(n, ())) == names.count(n)}
    return found


def _tracked(places: Places) -> dict[str, tuple[str, bytes]]:
    """Return the events of tracked files that differ from git's version or are missing.

    If they were not restored, the next commit would drop the missing events from the branch. They
    go missing if `clean -fd` removes an uncommitted pack whose segments are already deleted.
    """
    git, found = places.git, dict[str, tuple[str, bytes]]()
    if git is None:
        return found
    prefix, store = places.folder[len(git.top) + 1 :], places.store("project")
    asked = ("ls-files", "--stage", "-z", "--", f"{prefix}/log")
    rows = os.fsdecode(git.run("--literal-pathspecs", *asked, check=False)).split("\0")
    cut = [row.partition("\t") for row in rows if row.startswith(_FILE) and row.endswith(SUFFIX)]
    named = [(path[len(prefix) + 1 :], head.split(" ")[1]) for head, _, path in cut]
    other = [(name, blob) for name, blob in named if not _is_as_git_has_it(store, name, blob)]
    for (name, _), content in zip(other, git.contents([blob for _, blob in other]), strict=True):
        for event, line in read_lines(name, content, "project").events:
            found[event.id] = (name, line)
    return found


def _is_as_git_has_it(store: FileStore, name: str, blob: str) -> bool:
    """Return whether a file's bytes equal the version of the file that git's index lists."""
    import hashlib

    try:
        content = store.read(name)
    except OSError:
        return False
    made = hashlib.new("sha256" if len(blob) == _SHA256 else "sha1", usedforsecurity=False)
    made.update(b"blob %d\0" % len(content) + content)
    return made.hexdigest() == blob


def _held_by_git(places: Places, *, within: bytes = b"") -> set[str]:
    """Return the ids of the events in all refs except the stash, or in the refs below `within`."""
    git = places.git
    if git is None:
        return set()
    prefix = places.folder[len(git.top) + 1 :]
    named = _segments_at_tips(git, f"{prefix}/log", within=within)
    ids: set[str] = set()
    for (name, _), content in zip(named, git.contents([one for _, one in named]), strict=True):
        ids |= {event.id for event, _ in read_lines(name, content, "project").events}
    return ids


def _segments_at_tips(git: Git, folder: str, *, within: bytes = b"") -> list[tuple[str, str]]:
    """Return (path, object id) of the segments of a folder at HEAD and at all refs.

    The stash is left out. Segments that are only in older commits are left out. If `within` is
    given, only refs whose names begin with it are read.
    """
    listed = git.run("for-each-ref", "--format=%(objectname) %(refname)", check=False)
    refs = [row.split(b" ", 1) for row in listed.splitlines()]
    tips = {oid for oid, name in refs if name != b"refs/stash" and name.startswith(within)}
    tips |= set() if within else {b"HEAD"}
    asked = b"".join(b"%b:%b\n" % (tip, os.fsencode(folder)) for tip in tips)
    kinds = git.run("cat-file", "--batch-check=%(objecttype) %(objectname)", stdin=asked)
    trees = {row[5:] + b"\n" for row in kinds.splitlines() if row.startswith(b"tree ")}
    if not trees:
        return []
    named = git.run("rev-list", "--objects", "--stdin", stdin=b"".join(trees))
    rows = [row.partition(" ") for row in os.fsdecode(named).split("\n")]
    return [(f"{folder}/{path}", oid) for oid, _, path in rows if path.endswith(SUFFIX)]


def _held_by_worktrees(places: Places) -> set[str]:
    """Return the ids of the events in the repository's other checkouts."""
    ids: set[str] = set()
    for _, store in places.elsewhere():
        for name, content in stored(store):
            ids |= {event.id for event, _ in read_lines(name, content, "project").events}
    return ids


def bring_back(places: Places, found: Eaten, *, day: str, word: Callable[[int], str]) -> list[str]:
    """Write the removed lines to new segments or back to tracked ones.

    Return the segments' names.
    """
    # blobs first, because a reader of an event needs its blob immediately
    _bring_back_blobs(places, found)
    store = places.store("project")
    made = []
    for name, lines in found.segments.items():
        runs = [run for _, run in _runs(lines)] if name in found.tracked else []
        if len(runs) == 1 and store.stat(name) is None:
            store.replace(name, b"".join(line + b"\n" for line in runs[0]))
            made.append(name)
        else:
            made += write_runs(store, lines, day=day, word=word, spool=None)
    return made


def write_runs(
    store: FileStore,
    lines: list[bytes],
    *,
    day: str,
    word: Callable[[int], str],
    spool: Spool | None,
) -> list[str]:
    """Write lines from another source into new segments; return their names."""
    made = []
    for writer, run in _runs(lines):
        for first in range(0, len(run), MAX_LINES):
            name = segment_name(day, writer, word(10))
            store.replace(name, b"".join(line + b"\n" for line in run[first : first + MAX_LINES]))
            if spool is not None:
                spool.keep(store, name)
            made.append(name)
    return made


def prune(places: Places, *, now: int) -> int:
    """Delete spooled links to files whose events git can no longer remove; return how many.

    A link is deleted if a remote-tracking ref contains the file's events. It is also deleted if the
    file was committed long ago and a ref still contains it.

    Args:
        places: where the logs are.
        now: the current time, in milliseconds.
    """
    git, spool = places.git, spool_of(places, "project")
    names = spool.names() if spool is not None else []
    if git is None or spool is None or not names:
        return 0
    pushed, held = _held_by_git(places, within=b"refs/remotes/"), _held_by_git(places)
    added, long_ago = _added(places, git), (now - SPOOL_MS) // 1000
    dropped = 0
    for name in names:
        events = read_lines(name, spool.read(name) or b"", "project").events
        ids = {event.id for event, _ in events}
        old = added.get(name, now) <= long_ago
        if ids and (ids <= pushed or (old and ids <= held)):
            spool.drop(name)
            dropped += 1
    return dropped


def _added(places: Places, git: Git) -> dict[str, int]:
    """Return the time, in seconds since 1970, of the first commit of each segment.

    The history of every ref is searched.
    """
    prefix = places.folder[len(git.top) + 1 :]
    asked = ("log", "--exclude=refs/stash", "--all", "--reverse", "--diff-filter=A", "--no-renames")
    printed = git.run(
        "--literal-pathspecs", *asked, "--format=%ct", "--name-only", "-z", "--", f"{prefix}/log"
    )
    found: dict[str, int] = {}
    moment = 0
    for part in os.fsdecode(printed).replace("\n", "\0").split("\0"):
        if part.isdecimal():
            moment = int(part)
        elif part:
            found.setdefault(part[len(prefix) + 1 :], moment)
    return found


def _runs(lines: list[bytes]) -> Iterable[tuple[str, list[bytes]]]:
    """Split lines into runs of successive events of one chain, so that no file has a gap."""
    read = [(event, line) for line in lines for event, _ in read_lines("", line + b"\n", "").events]
    read.sort(key=lambda pair: (pair[0].writer, pair[0].seq))
    run: list[bytes] = []
    last = None
    for event, line in read:
        if last is not None and event.fields["prev"] != last.fields["h"]:
            yield last.writer, run
            run = []
        run.append(line)
        last = event
    if last is not None:
        yield last.writer, run


def _bring_back_blobs(places: Places, found: Eaten) -> None:
    """Restore from the spool the long texts (blobs) that the removed lines name."""
    spool, store = spool_of(places, "project"), places.store("project")
    content = b"".join(line for lines in found.segments.values() for line in lines)
    for name in spool.blobs() if spool else ():
        wanted = name.rsplit("/", 1)[1].encode("ascii") in content
        if spool is not None and wanted and store.stat(name) is None:
            store.replace(name, spool.place.read(spooled(name)))
