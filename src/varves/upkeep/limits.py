"""Finds the features that do not work at a ledger's location.

`status` lists them, `doctor` also gives a fix.
"""

from __future__ import annotations

import os

from varves.places import locks
from varves.places.local import GIVE_WAY, NOWHERE, in_the_way
from varves.places.places import writable
from varves.values.answers import Finding

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from varves.context.context import Context

FULL = 64 << 10  # with less free space than this, in bytes, a memory may be refused


def limits(context: Context) -> list[Finding]:
    """Return findings about features that do not work here for this user."""
    return [*_logs(context), *_git(context), *_index(context), *_locks(context)]


def _logs(context: Context) -> Iterator[Finding]:
    """Check every folder that memories are written to."""
    places = context.places
    names = {"project": "project", "private": "private", "global": "global"}
    names |= {f"team:{name}": f"team {name}" for name in places.teams}
    for log, name in names.items():
        root = places.store(log).root
        parts = [root, f"{root}/log", f"{root}/local"]
        for path in [path for path in parts if os.path.lexists(path)] or [root]:
            reason = _hindrance(path)
            if reason:
                message = f"{name} memories cannot be recorded: {path} {reason[0]}"
                yield Finding(rule=reason[1], place=path, message=message, fix=reason[2])
                break


def _hindrance(path: str) -> tuple[str, str, str] | None:
    """Return (reason, rule, fix) if a folder cannot be written to, otherwise None."""
    while not os.path.lexists(path):
        path = os.path.dirname(path)
    if what := in_the_way(path):
        return what, "in-the-way", GIVE_WAY
    room = os.statvfs(path)
    if room.f_flag & os.ST_RDONLY:
        return "is on a read-only file system", "read-only", "mount it for writing"
    if not writable(path):
        owner = os.stat(path).st_uid
        words = f"may not be written by this user (uid {os.geteuid()}; it belongs to uid {owner})"
        return words, "unwritable", f"chown or chmod {path}, or run as uid {owner}"
    free = (room.f_bfree if os.geteuid() == 0 else room.f_bavail) * room.f_frsize
    if free < FULL and room.f_blocks:
        return f"has {free >> 10} KiB left", "full-disk", "free some space"
    return None


def _git(context: Context) -> Iterator[Finding]:
    places, git = context.places, context.places.git
    spool = places.spool
    if git is None or spool is None:
        return
    trouble = git.trouble()
    if trouble:
        known = "dubious ownership" in trouble
        allow = f"git config --global --add safe.directory {git.top}"
        message = f"git does not answer ({trouble}): events that git removed cannot be detected"
        fix = allow if known else "put git on the PATH and check that it works here"
        yield Finding(rule="git", place=git.top, message=message, fix=fix)
    beside = f"{git.commondir}/varves"
    private = places.store("private").root
    if not private.startswith(f"{beside}/"):
        message = f"{beside} cannot be written: private memories are kept in {private}"
        fix = f"make {git.commondir} writable; both places are read"
        yield Finding(rule="private-elsewhere", place=beside, message=message, fix=fix)
    if not writable(spool.root):
        message = "there is no place for a spool: events that git removes cannot be restored"
        fix = f"make {git.commondir} or VARVES_HOME writable"
        yield Finding(rule="no-spool", place=spool.root, message=message, fix=fix)


def _index(context: Context) -> Iterator[Finding]:
    if context.places.exists() and context.index.get().path is None:
        local = context.places.local.root
        message = "no index can be stored: every call reads the whole log"
        fix = f"make {local} a writable folder of yours"
        if local == NOWHERE:
            fix = "make git's folder or VARVES_HOME writable"
        if locks.noted(context.places.store("project")):
            fix = "see the finding about locks"
        yield Finding(rule="no-index", place=local, message=message, fix=fix)


def _locks(context: Context) -> Iterator[Finding]:
    store = context.places.store("project")
    if locks.noted(store):
        message = (
            "locks do not work here: each process writes its own segment, and --expect is refused"
        )
        fix = "keep the ledger on a local file system; then run varves doctor"
        yield Finding(rule="no-locks", place=store.root, message=message, fix=fix)
