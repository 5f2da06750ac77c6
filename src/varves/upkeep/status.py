"""Creates a ledger, reports its state, and rebuilds what is derived."""

from __future__ import annotations

import os

from varves.context.identity import identity
from varves.context.live_index import check_format
from varves.index.where import EventWhere, Where
from varves.settings import LOSSY, waiting_now
from varves.upkeep.limits import limits
from varves.upkeep.pack import count_waiting, pack_if_many
from varves.values.answers import Initialised
from varves.values.text import counted

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from varves.context.context import Context


def init(context: Context, *, local: bool) -> Initialised:
    """Create the ledger's folder and its constant files; a second call changes nothing."""
    places, notes = context.places, []
    check_format(context.places.folder)
    created = context.begin()
    git = places.git
    if git is not None and local:
        created += _exclude(
            f"{git.commondir}/info/exclude", os.path.relpath(places.folder, git.top)
        )
    elif git is not None and not git.run("config", "--get", "core.fsync", check=False).strip():
        # By default, git does not sync its objects, so after a power cut a new commit may be
        # unreadable.
        try:
            git.run("config", "core.fsync", "all")
            notes.append("git config core.fsync all")
        except OSError as fault:
            reason = str(fault).partition("\n")[0]
            notes.append(f"git config core.fsync all could not be set: {reason}")
    done = pack_if_many(context)
    if done.segments:
        notes.append(
            f"packed {counted(done.segments, 'segment')}; commit the packs and the removed segments"
        )
    return Initialised(root=places.root, created=tuple(created), notes=tuple(notes))


def _exclude(path: str, folder: str) -> list[str]:
    line = f"/{folder}/\n"
    before = ""
    if os.path.exists(path):
        with open(path, encoding="utf-8", errors="surrogateescape") as file:
            before = file.read()
    if line in before:
        return []
    os.makedirs(os.path.dirname(path), exist_ok=True)
    with open(path, "a", encoding="utf-8", errors="surrogateescape") as file:
        file.write(line if before.endswith("\n") or not before else "\n" + line)
    return [".git/info/exclude"]


def status(context: Context) -> dict[str, Any]:
    """Return the state of the ledger."""
    from varves.conflicts.finders import at_once, uncompared
    from varves.conflicts.pending import count
    from varves.context.similarity import standing
    from varves.context.usage import last_told
    from varves.questions.moment import by_status

    view = context.fresh(every_file=True)
    index, places = view.index, context.places
    spool = context.logs.tracked().spooled()
    return {
        "root": places.root,
        "ledger": identity(context),
        "exists": places.exists(),
        "memories": by_status(view),
        "quarantined": context.quarantined(),
        "conflicts": count(context, view, most=at_once(context, view)),
        "uncompared": uncompared(context, view),
        "events": index.count(EventWhere()),
        "held": index.count(EventWhere(held=True)),
        "bad_lines": len(index.logs().bad_lines()),
        "logs": {
            log.key: _log_status(context, log.key, log.root)
            for log in (*context.logs.maintained(), *context.logs.shared())
            if os.path.isdir(log.root)
        },
        "git": None if places.git is None else places.git.top,
        "spool": None if spool is None else {"path": spool[0], "segments": spool[1]},
        "index": index.path,
        "dense": standing(index, allowed=context.settings.dense),
        "told": last_told(context),
        "mode": context.settings.mode,
        "waiting": [f"{key} = {value}" for key, value in waiting_now(context.settings)],
        "invalid": [f"{key}: {reason}" for key, reason in context.settings.invalid],
        "limits": [
            *([LOSSY] if context.settings.mode == "fast" else []),
            *(one.message for one in limits(context)),
        ],
    }


def _log_status(context: Context, key: str, path: str) -> dict[str, Any]:
    files, events = context.index.get().logs().extent(key)
    standing = {"path": path, "segments": files, "events": events}
    if key.startswith("project@"):
        return standing | {"branch": context.logs.branch(key)}
    return standing | {"to_pack": count_waiting(context, key)}


def rebuild(context: Context) -> dict[str, int]:
    """Delete all derived data and compute it again from the logs."""
    context.index.rebuild()
    index = context.fresh().index
    return {"events": index.count(EventWhere()), "memories": index.count(Where())}
