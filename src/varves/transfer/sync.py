"""Sends the logs of a ledger to its remotes, and gets what other clones sent there.

A push and a pull give one copy of a log the lines that it lacks; both may be repeated and
interrupted at any point. A pull is like a merge in git: what another clone purged is erased here
too, and files of protocols are rendered by the next verb that writes.
"""

from __future__ import annotations

import os
from time import sleep

from varves.context.identity import identity
from varves.errors import Busy, NotDurable, NotFound, Refused, VarvesError
from varves.log.copies import carry
from varves.purge.erasure import barred_by, finish
from varves.remotes import adapter, known
from varves.remotes.known import KnownRemote
from varves.state.checks import Check, forget, note
from varves.transfer.background import begin
from varves.values.ids import is_event_id
from varves.values.instants import iso
from varves.values.text import counted, listed
from varves.values.value import Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from varves.context.context import Context
    from varves.remotes.port import Adapter, Remote

PERSONAL = ("private", "global")
_OPEN_PLACES = ("git", "file")
_NAMES = 20  # the most names of ledgers that are listed
_PATIENCE = 60.0  # seconds that one question for news may take
_SHORTEST, _LONGEST = 1.0, 30.0  # seconds until a remote that cannot be reached is tried again


class Synced(Value):
    """The result of a push, pull or sync with one remote."""

    remote: str
    pushed: int = 0
    """Lines that the remote did not have."""
    pulled: int = 0
    """Lines that this clone did not have."""
    behind: int = 0
    """Lines that the remote has and this clone still lacks."""
    purged: int = 0
    """Lines and texts that were erased on the remote."""
    damaged: tuple[str, ...] = ()
    """The places on the remote of lines that are no events; they were not taken."""
    remains: str = ""
    """Where the remote may still have the text that was erased."""
    others: tuple[str, ...] = ()
    """The ledgers on the remote, if it had none with the name that this checkout uses."""
    uncommitted: bool = False
    """Whether lines were received that git does not know; it merges them only once they are
    committed."""


def add(
    context: Context, name: str, url: str, *, logs: tuple[str, ...], when: str, agreed: bool
) -> KnownRemote:
    """Add a remote to this checkout; nothing is sent yet.

    Args:
        context: the ledger.
        name: the name of the remote.
        url: its address.
        logs: the logs to keep there; by default the project's and the teams'.
        when: when hooks and writes use it.
        agreed: whether the person knows who can read private or global memories there.

    Raises:
        UsageError: a part is not valid.
        Refused: the name is taken, or private memories would go to a place that others may read.
    """
    address, ledger = known.parted(url)
    remote = known.checked(
        KnownRemote(
            name=name,
            url=address,
            logs=tuple(dict.fromkeys(logs or known.DEFAULT_LOGS)),
            when=when,
            ledger=ledger or os.path.basename(context.settings.root) or "ledger",
            owner=_owner(context),
        )
    )
    personal = [log for log in remote.logs if log in PERSONAL]
    if personal and remote.scheme in _OPEN_PLACES and not agreed:
        raise Refused(
            f"everybody who can read {remote.shown} could read your {' and '.join(personal)}"
            " memories",
            "pass --yes if only you, or people you trust with them, can read it",
        )
    known.add(context.settings.root, context.settings.home, remote)
    return remote


def _owner(context: Context) -> str:
    """Return a name for this person, the same on all of their machines if git knows them."""
    git = context.places.git
    mail = git.run("config", "user.email", check=False).decode("utf-8", "replace") if git else ""
    return "".join(c if c.isalnum() or c in "._-@" else "-" for c in mail.strip()) or "owner"


def chosen(context: Context, name: str | None) -> list[KnownRemote]:
    """Return the named remote, or every remote of this checkout.

    Raises:
        NotFound: there is no such remote, or none at all.
    """
    root, home = context.settings.root, context.settings.home
    if name is not None:
        return [known.named(root, home, name)]
    found = known.remotes_of(root, home)
    if not found:
        raise NotFound("no remote is known here", "varves remote add NAME URL adds one")
    return found


def sync(context: Context, remote: KnownRemote, *, push: bool = True, pull: bool = True) -> Synced:
    """Send what the remote lacks and get what this clone lacks; both are durable on return.

    How it ended is noted, because nobody sees what a process in the background says.

    Raises:
        Refused: the remote has the ledger of another project.
        Busy: the remote cannot be reached.
    """
    try:
        done = _exchange(context, remote, push=push, pull=pull)
    except VarvesError as fault:
        _note(context, remote, ok=False, says=fault.message)
        raise
    says = f"{done.pushed} sent, {done.pulled} received"
    if done.damaged:
        says = f"{counted(len(done.damaged), 'line')} there not valid and not taken; {says}"
    if done.others:
        says += f"; other ledgers there: {listed(done.others, most=_NAMES)}"
    _note(context, remote, ok=not done.damaged, says=says)
    return done


def _note(context: Context, remote: KnownRemote, *, ok: bool, says: str) -> None:
    at = iso(context.clock.now())
    note(context.places, Check(name=check_of(remote.name), at=at, ok=ok, says=says))


def check_of(name: str) -> str:
    """Return the name under which the last exchange with a remote is noted."""
    return f"remote {name}"


def sync_all(
    context: Context, remotes: list[KnownRemote], *, push: bool = True, pull: bool = True
) -> tuple[Synced, ...]:
    """Sync with each remote; an error is raised when all have been served."""
    done: list[Synced] = []
    faults: list[VarvesError] = []
    for remote in remotes:
        try:
            done.append(sync(context, remote, push=push, pull=pull))
        except VarvesError as fault:
            faults.append(fault)
    if faults:
        raise faults[0]
    return tuple(done)


def remove(context: Context, name: str) -> KnownRemote:
    """Remove a remote from this checkout; nothing on the remote changes."""
    root, home = context.settings.root, context.settings.home
    gone = known.named(root, home, name)
    same = [one for one in known.remotes_of(root, home) if one.url == gone.url]
    if gone.scheme == "git" and len(same) == 1:
        from varves.remotes.git_refs import GitRemote

        GitRemote(gone, root=root, home=home, clone="").forget()
    known.remove(root, home, name)
    forget(context.places, check_of(name))
    return gone


def _exchange(context: Context, remote: KnownRemote, *, push: bool, pull: bool) -> Synced:
    with _adapter(context, remote).open(write=push) as connection:
        others = connection.others() if remote.wants("project") else []
        _check_identity(context, remote, connection)
        done = Synced(remote=remote.name, others=tuple(others))
        logs = _logs(context, remote)
        for log in logs if pull else ():
            done = _pulled(context, log, connection, done)
        if pull:
            _erase_what_came(context)
        for log in logs if push else ():
            done = _pushed(context, log, connection, done)
        remains = connection.remains() if done.purged else ""
    return done.replace(remains=remains)


def _erase_what_came(context: Context) -> None:
    """Erase what others purged, and what they wrote about a memory before they knew its purge.

    It comes before the push, so the remote never keeps what this clone erases.
    """
    barred = barred_by(context)
    if barred and context.fresh().index.purges().has_returned(barred):
        finish(context)


def _adapter(context: Context, remote: KnownRemote) -> Adapter:
    settings, clone = context.settings, context.places.clone("project", context.ids)
    return adapter(remote, root=settings.root, home=settings.home, clone=clone)


def names(context: Context, remote: KnownRemote) -> list[str]:
    """Return the names of the ledgers on a remote that this person may read."""
    return _adapter(context, remote).names()


def follow(
    context: Context,
    remote: KnownRemote,
    pull: Callable[[], tuple[Synced, ...]],
    told: Callable[[VarvesError], None] | None,
) -> Iterator[Synced]:
    """Pull whenever a remote has news, without end; yield each result.

    Raises:
        Busy: the remote could not be reached even once; later it is tried again until it can.
    """
    position, reached, pause = "", False, _SHORTEST
    while True:
        try:
            found = _adapter(context, remote).wait(position, _PATIENCE)
            got = pull() if found != position else ()
        except Busy as fault:
            if not reached:
                raise
            if told is not None and pause == _SHORTEST:
                told(fault)
            sleep(pause)
            pause = min(2 * pause, _LONGEST)
            continue
        position, reached, pause = found, True, _SHORTEST
        yield from got


def after_write(context: Context) -> None:
    """Send what was written to the remotes that ask for this after each write.

    Raises:
        NotDurable: a remote that acknowledges each write could not be reached; the write is
            recorded here.
    """
    for remote in known.remotes_of(context.settings.root, context.settings.home):
        if remote.when == "both":
            try:
                sync(context, remote, pull=False)
            except VarvesError as fault:
                reason = f"recorded here, but not on {remote.name}: {fault.message}"
                later = f"varves push {remote.name} sends it"
                hint = fault.hint if isinstance(fault, Refused) else later
                raise NotDurable(reason, hint) from None
    begin(context.settings, when=("write",), push_only=True)


def _logs(context: Context, remote: KnownRemote) -> list[str]:
    teams = [f"team:{name}" for name in sorted(context.settings.teams)]
    return [log for log in ("project", *teams, *PERSONAL) if remote.wants(log)]


def _pulled(context: Context, log: str, connection: Remote, done: Synced) -> Synced:
    theirs = connection.copy(log)
    context.begin(log)
    here = context.logs.copy(log)
    got = carry(theirs, here, progress=context.index.progress)
    context.recorder.forget()
    unknown = bool(got.lines) and log == "project" and context.places.git is not None
    return done.replace(
        uncommitted=done.uncommitted or unknown,
        pulled=done.pulled + got.lines,
        damaged=(*done.damaged, *theirs.damaged, *here.damaged),
    )


def _pushed(context: Context, log: str, connection: Remote, done: Synced) -> Synced:
    sent = carry(
        context.logs.copy(log),
        connection.copy(log),
        purges=True,
        progress=context.index.progress,
    )
    return done.replace(
        pushed=done.pushed + sent.lines,
        purged=done.purged + sent.purged,
        behind=done.behind + sent.behind,
    )


def _check_identity(context: Context, remote: KnownRemote, connection: Remote) -> None:
    """Refuse the ledger of another project: another repository, and no segment in common."""
    ours = identity(context) or ""
    theirs = connection.identity(ours)
    unborn = context.places.git is not None and is_event_id(ours)  # it has no commit yet
    alone = is_event_id(ours) and not unborn
    if ours == theirs or alone or is_event_id(theirs) or not (ours and theirs):
        return  # without two repositories, the name of the ledger is all that tells
    here = context.logs.copy("project").heads().segments.keys()
    there = connection.copy("project").heads().segments.keys()
    if here and there and not here & there:
        if unborn:
            raise Refused(
                f"{remote.name} keeps the ledger of a repository with other commits under the name"
                f" {remote.ledger}, and this repository has none",
                "add the remote with another name after #; or, if it is the same project, take its"
                " commits first",
            )
        raise Refused(
            f"{remote.name} keeps the ledger of another project under the name {remote.ledger}",
            "add the remote with another name after #, or to the other project's checkout",
        )
