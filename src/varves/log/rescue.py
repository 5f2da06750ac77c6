"""Bringing back events that git took from the work tree.

What a branch, tag or other ref still holds is not lost and is left where it is. Anything else the
spool or the index remembers is written to a segment of a fresh name: the old name may come back
through a stash, and two files with the same events do no harm.
"""

from __future__ import annotations

from varves.log.layout import segment_name
from varves.log.segments import read_lines
from varves.log.spool import spooled
from varves.log.verify import segment_files

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from varves.log.git import Git
    from varves.log.places import Places

_REFS = ("--exclude=refs/stash", "--all")


class Eaten:
    """Lines that are in no file and in no ref, by the segment they stood in."""

    def __init__(self) -> None:
        self.segments: dict[str, list[bytes]] = {}
        self.events = 0


def eaten(
    places: Places, present: Callable[[str], bool], indexed: Iterable[tuple[str, str, str]]
) -> Eaten:
    """Find the project's events that only the spool or the index still has.

    Args:
        places: where the logs lie.
        present: tells whether an event is in the files of this checkout.
        indexed: (id, log, line) of events the index remembers from files that are gone.
    """
    found = Eaten()
    missing: dict[str, tuple[str, bytes]] = {}
    spool = places.spool("project")
    for name in spool.names() if spool else ():
        content = spool.read(name) if spool else None
        for event, line in read_lines(name, content or b"", "project").events:
            missing[event.id] = (name, line)
    for identity, log, text in indexed:
        if log == "project":
            missing.setdefault(identity, ("", text.encode("ascii")))
    missing = {identity: kept for identity, kept in missing.items() if not present(identity)}
    held = _held_by_git(places) | _held_by_worktrees(places) if missing else set()
    for identity, (name, line) in missing.items():
        if identity not in held:
            found.segments.setdefault(name, []).append(line)
            found.events += 1
    return found


def _held_by_git(places: Places) -> set[str]:
    """Return the ids of the events in any commit that a ref other than the stash reaches."""
    git = places.git
    if git is None:
        return set()
    prefix = places.folder[len(git.top) + 1 :]
    objects = git.blobs_under(f"{prefix}/log", _REFS)
    named = [(path[len(prefix) + 1 :], one) for path, found in objects.items() for one in found]
    ids: set[str] = set()
    for (name, _), content in zip(named, _contents(git, [one for _, one in named]), strict=True):
        ids |= {event.id for event, _ in read_lines(name, content, "project").events}
    return ids


def _held_by_worktrees(places: Places) -> set[str]:
    """Return the ids of the events in the other checkouts, which share this spool."""
    ids: set[str] = set()
    for store in places.elsewhere():
        for name in segment_files(store):
            ids |= {event.id for event, _ in read_lines(name, store.read(name), "project").events}
    return ids


def _contents(git: Git, objects: list[str]) -> Iterable[bytes]:
    printed = git.run("cat-file", "--batch", stdin="\n".join(objects).encode("ascii") + b"\n")
    at = 0
    for _ in objects:
        start = printed.index(b"\n", at) + 1
        size = int(printed[at:start].split(b" ")[2])
        yield printed[start : start + size]
        at = start + size + 1


def bring_back(places: Places, found: Eaten, *, day: str, word: Callable[[int], str]) -> list[str]:
    """Write the eaten lines into fresh segments and return their names."""
    store = places.store("project")
    made = []
    _bring_back_blobs(places, found)  # first: a reader of an event looks for its blob at once
    for lines in found.segments.values():
        for clone, run in _runs(lines):
            name = segment_name(day, clone, word(10))
            store.replace(name, b"".join(line + b"\n" for line in run))
            made.append(name)
    return made


def prune(places: Places, *, day: str) -> int:
    """Drop spooled segments from before a day that HEAD holds in full; return how many."""
    git, spool = places.git, places.spool("project")
    if git is None or spool is None:
        return 0
    prefix = places.folder[len(git.top) + 1 :]
    listed = git.run("ls-tree", "-r", "-l", "-z", "HEAD", "--", f"{prefix}/log", check=False)
    sizes: dict[str, int] = {}
    for row in listed.decode("utf-8", "surrogateescape").split("\0"):
        head, _, path = row.partition("\t")
        if path:
            sizes[path[len(prefix) + 1 :]] = int(head.split()[3])
    dropped = 0
    for name in spool.names():
        old = name.rsplit("/", 1)[1][:8] < day.replace("-", "")
        if old and sizes.get(name) == len(spool.read(name) or b""):
            spool.drop(name)
            dropped += 1
    return dropped


def _runs(lines: list[bytes]) -> Iterable[tuple[str, list[bytes]]]:
    """Cut lines into runs that each follow one chain: inside a segment a break is damage."""
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
    """Put back the blobs the eaten lines name; others lie where a branch has them."""
    spool, store = places.spool("project"), places.store("project")
    content = b"".join(line for lines in found.segments.values() for line in lines)
    for name in spool.blobs() if spool else ():
        wanted = name.rsplit("/", 1)[1].encode("ascii") in content
        if spool is not None and wanted and store.stat(name) is None:
            store.replace(name, spool.place.read(spooled(name)))
