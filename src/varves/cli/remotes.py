"""The verbs that keep a ledger's logs in other places too."""

from __future__ import annotations

import os
import shutil
import sys

from varves.cli.progress import Progress
from varves.cli.render import Answer, Dim
from varves.errors import Busy, NotFound, Refused, UsageError, VarvesError
from varves.streams import tell
from varves.values.text import counted, listed

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from varves import Ledger
    from varves.cli.arguments import Given
    from varves.cli.render import Line
    from varves.remotes.known import KnownRemote
    from varves.remotes.postgres.team import TeamStatus
    from varves.state.checks import Check
    from varves.transfer.sync import Synced

_NAMES = 20  # the most names of ledgers that are listed
_NAMED_BY_FOLDER = "the ledger there is {}, the name of this folder; #NAME names another one"
_DAMAGED = 3  # the most places of damaged lines that are listed


def add(ledger: Ledger, given: Given) -> Answer:
    """Add a remote."""
    from varves.cli.consent import ask

    own = given.own
    try:
        made = ledger.add_remote(**own)
    except Refused as fault:
        if "pass --yes" not in fault.hint or sys.stdin is None or not sys.stdin.isatty():
            raise
        ask(f"{fault.message}; add it")
        made = ledger.add_remote(**{**own, "yes": True})
    return Answer(
        document=_record(made),
        lines=[
            f"{made.name} added: {_described(made)}",
            *([] if "#" in own["url"] else [_NAMED_BY_FOLDER.format(made.ledger)]),
            "varves sync sends and gets memories",
        ],
        remarks=_driven(ledger),
    )


def _driven(ledger: Ledger) -> list[str]:
    """Let git merge files of the log, because a pull and a commit may bring the same one."""
    try:
        changed = ledger.connect_git(begun=False)
    except (Busy, Refused) as fault:
        return [f"git does not merge published files with varves: {fault.message}"]
    return [f"git merges published files with varves: {', '.join(changed)}"] if changed else []


def _record(remote: KnownRemote) -> dict[str, object]:
    return {
        "name": remote.name,
        "url": remote.shown,
        "logs": remote.logs,
        "when": remote.when,
        "ledger": remote.ledger,
    }


def _described(remote: KnownRemote) -> str:
    return f"{', '.join(remote.logs)} on {remote.shown}, ledger {remote.ledger}, {remote.when}"


def listing(ledger: Ledger, given: Given) -> Answer:
    """List the remotes of this checkout."""
    del given
    lines: list[Line] = []
    records = []
    for one, last in last_uses(ledger):
        used = "never used" if last is None else said_of(last)
        lines.append((one.name, Dim(f"  {_described(one)}; {used}")))
        records.append({**_record(one), "last": last and last.as_dict()})
    return Answer(document={"remotes": records}, lines=lines or ["no remotes"])


def last_uses(ledger: Ledger) -> list[tuple[KnownRemote, Check | None]]:
    """Return each remote of this checkout, with how its last use ended."""
    found = ledger.remotes()
    checks = {one.name: one for one in ledger.checks()} if found else {}
    return [(one, checks.get(f"remote {one.name}")) for one in found]


def said_of(last: Check) -> str:
    """Return in words how the last use of a remote ended."""
    if last.ok:
        return f"last used {_minute(last.at)}: {last.says}"
    since = f" (it has failed since {_minute(last.since)})" if last.since < last.at else ""
    return f"last use failed {_minute(last.at)}{since}: {last.says}"


def _minute(at: str) -> str:
    return f"{at[:16].replace('T', ' ')} UTC"


def remove(ledger: Ledger, given: Given) -> Answer:
    """Remove a remote from this checkout."""
    gone = ledger.remove_remote(given.own["name"])
    return Answer(
        document=_record(gone),
        lines=[f"{gone.name} removed; the place keeps what it has, and no later purge reaches it"],
    )


def push(ledger: Ledger, given: Given) -> Answer:
    """Send to remotes what they lack."""
    return _synced(ledger, ledger.push, given)


def pull(ledger: Ledger, given: Given) -> Answer:
    """Get from remotes what this clone lacks."""
    if given.own.get("follow"):
        return _followed(ledger, given)
    return _synced(ledger, ledger.pull, given)


def _followed(ledger: Ledger, given: Given) -> Answer:
    name = given.own.get("name")
    if name is None:
        raise UsageError("--follow needs the name of a remote", "varves remote list shows them")
    news = ledger.follow_remote(name, told=lambda fault: _waits(name, fault))
    return Answer(
        document=(one.as_dict() for one in news),
        lines=(line for one in news for line in _lines(one)),
        stream=True,
    )


def _waits(name: str, fault: VarvesError) -> None:
    tell(f"varves: {_said(name, fault)}; waiting for it\n")


def clone(ledger: Ledger, given: Given) -> Answer:
    """Make a new ledger from a remote."""
    url, place = given.own["url"], os.path.abspath(given.own["dir"])
    if url.startswith("file:"):
        url = f"file:{os.path.join(ledger.root, os.path.expanduser(url[5:]))}"
    if os.path.lexists(place) and (not os.path.isdir(place) or os.listdir(place)):
        return _cloned_before(given, place, url)
    made = not os.path.isdir(place)
    try:
        os.makedirs(place, exist_ok=True)
    except OSError as fault:
        reason = f"the folder {given.own['dir']} cannot be made: {fault.strerror}"
        raise Refused(reason, "name another folder") from None
    try:
        done = _cloned(url, place, made=made)
    except VarvesError:
        if made:
            shutil.rmtree(place, ignore_errors=True)
        raise
    return _clone_answer(place, done)


def _cloned_before(given: Given, place: str, url: str) -> Answer:
    """Go on with a clone that was interrupted.

    Raises:
        Refused: the folder is something else, or the clone is complete.
    """
    named = given.own["dir"]
    if os.path.isdir(f"{place}/.varves"):
        import varves

        with varves.open(place) as begun:
            known = [one for one in begun.remotes() if one.name == "origin"]
            if known and known[0].url == url.partition("#")[0]:
                _driven(begun)
                done = _filled(begun)
                if done.pulled:
                    return _clone_answer(place, done)
                raise Refused(
                    f"{named} is not an empty folder, but a complete clone of this remote",
                    f"varves sync --root {named} gets what is new",
                )
        if not os.path.isdir(f"{place}/.varves/log") and os.listdir(place) == [".varves"]:
            return _clone_answer(place, _cloned(url, place, made=True))
    raise Refused(f"{named} exists and is not an empty folder", "name another folder")


def _clone_answer(place: str, done: Synced) -> Answer:
    lines = [f"{place}: {counted(done.pulled, 'event')} from {done.remote}"]
    return Answer(
        document={"root": place, "events": done.pulled},
        lines=lines,
        remarks=[*_remarks(done)],
        exit=1 if done.damaged else 0,
    )


def _cloned(url: str, place: str, *, made: bool) -> Synced:
    """Make a ledger in an empty folder, and fill it from a remote.

    The remotes of a folder that was just made are those of a deleted one at the same path.
    """
    import varves

    with varves.open(place) as fresh:
        for one in fresh.remotes():
            if made or one.name == "origin":
                fresh.remove_remote(one.name)
        fresh.add_remote("origin", url)
        try:
            found, wanted = fresh.ledgers_on("origin"), url.partition("#")[2]
            if wanted not in found and (wanted or len(found) != 1):
                names = listed(found, most=_NAMES) or "none"
                raise NotFound(
                    f"no ledger {wanted!r} there"
                    if wanted
                    else "the address does not name a ledger",
                    f"the remote has {names}; add #NAME to the address",
                )
            if not wanted:
                fresh.remove_remote("origin")
                fresh.add_remote("origin", f"{url}#{found[0]}")
            _driven(fresh)
            return _filled(fresh)
        except VarvesError:
            fresh.remove_remote("origin")
            raise


def _filled(clone: Ledger) -> Synced:
    """Get all lines of a clone, and make its index; both go on where they were interrupted."""
    with Progress("lines") as progress:
        clone.progress = progress
        (done,) = clone.pull("origin")
    with Progress("events") as progress:
        clone.progress = progress
        clone.list(limit=1)
    clone.progress = None
    return done


def sync(ledger: Ledger, given: Given) -> Answer:
    """Pull and push."""
    return _synced(ledger, ledger.sync, given)


def _synced(
    ledger: Ledger, call: Callable[[str | None], tuple[Synced, ...]], given: Given
) -> Answer:
    name = given.own.get("name")
    several = [one.name for one in ledger.remotes()] if name is None else []
    done: list[Synced] = []
    records: list[dict[str, object]] = []
    faults: list[tuple[str, VarvesError]] = []
    with Progress("lines") as progress:
        ledger.progress = progress
        for one in several if len(several) > 1 else [name]:
            try:
                done += call(one)
                records.append(done[-1].as_dict())
            except VarvesError as fault:
                if one is None or one == name:
                    raise
                faults.append((one, fault))
                error = {"code": fault.code, "message": fault.message, "hint": fault.hint}
                records.append({"remote": one, "error": error})
    exits = [fault.exit for _, fault in faults]
    return Answer(
        document=records[0] if len(records) == 1 else {"remotes": records},
        lines=[line for one in done for line in _lines(one)],
        remarks=[line for one in done for line in _remarks(one)],
        notes=[_said(one, fault) for one, fault in faults],
        exit=max(exits, default=1 if any(one.damaged for one in done) else 0),
    )


def _said(remote: str, fault: VarvesError) -> str:
    """Return an error on one line that begins with the name of the remote."""
    message = fault.message
    named = message if message.startswith(f"{remote} ") else f"{remote}: {message}"
    return f"{named}; {fault.hint}" if fault.hint else named


def _lines(done: Synced) -> Iterator[str]:
    parts = [f"{done.pushed} sent", f"{done.pulled} received"]
    parts += [f"{done.purged} erased there"] if done.purged else []
    parts += [f"{done.behind} more there"] if done.behind else []
    yield f"{done.remote}: {', '.join(parts)}"


def _remarks(done: Synced) -> Iterator[str]:
    if done.remains:
        yield f"{done.remote}: {done.remains}"
    if done.others:
        names = listed(done.others, most=_NAMES)
        yield (
            f"{done.remote}: no ledger of this name was there, only {names}; to use such a one:"
            f" varves remote remove {done.remote}, and add it again with #NAME after the address"
        )
    if done.uncommitted:
        yield f"{done.remote}: commit .varves before git pull, which refuses files it does not know"
    if done.damaged:
        places = ", ".join(done.damaged[:_DAMAGED])
        count = len(done.damaged)
        are = (
            "that is not a valid event and was"
            if count == 1
            else "that are not valid events and were"
        )
        yield f"{done.remote} has {counted(count, 'line')} {are} not taken: {places}"


def team_init(ledger: Ledger, given: Given) -> Answer:
    """Make the tables and a ledger in a database."""
    done = ledger.team(given.own["url"]).init()
    state = "created" if done.created else "exists already"
    tables = f"; schema version {max(done.applied)}" if done.applied else ""
    return Answer(document=done.as_dict(), lines=[f"ledger {done.ledger} {state}{tables}"])


def team_add(ledger: Ledger, given: Given) -> Answer:
    """Let a person read a ledger, or also write it."""
    done = ledger.team(given.own["url"]).add(given.own["member"], write="write" in given.own)
    rights = "read and write" if done.writes else "read"
    lines = [f"{done.name} may {rights} {done.ledger}"]
    if done.writes and "write" not in given.own:
        lines.append(f"to take the right to write: varves team remove URL {done.name}, then add")
    if done.password is not None:
        lines.append(f"password: {done.password} (shown once; give it to {done.name} alone)")
    return Answer(document=done.as_dict(), lines=lines)


def team_remove(ledger: Ledger, given: Given) -> Answer:
    """Take a person's rights to a ledger."""
    done = ledger.team(given.own["url"]).remove(given.own["member"])
    said = f"{done.name} may no longer read or write {done.ledger}"
    return Answer(
        document=done.as_dict(), lines=[f"{said}; clones made before keep what they have"]
    )


def team_upgrade(ledger: Ledger, given: Given) -> Answer:
    """Bring the tables in a database to this version."""
    return _state(ledger.team(given.own["url"]).upgrade())


def team_status(ledger: Ledger, given: Given) -> Answer:
    """Show the state of a database."""
    return _state(ledger.team(given.own["url"]).status())


def _state(found: TeamStatus) -> Answer:
    step = f"schema version {found.version}"
    step += "" if found.version == found.newest else f" (this program has {found.newest})"
    lines: list[Line] = [f"{found.user}: {counted(len(found.ledgers), 'ledger')}, {step}"]
    for one in found.ledgers:
        rights = "read and write" if one["writes"] else "read"
        lines.append((one["name"], Dim(f"  {counted(one['lines'], 'line')}, {rights}")))
    return Answer(document=found.as_dict(), lines=lines)
