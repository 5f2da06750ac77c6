"""The verbs that need a person's consent: trusting a memory, and purging one.

On a terminal, the verbs ask the person. Without a terminal they require `--yes`, and the recorded
origin is `agent`, because the program cannot know who passed the option.
"""

from __future__ import annotations

import sys

from varves.cli.render import Answer, Dim, counted
from varves.errors import Refused
from varves.streams import tell

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from varves import Ledger
    from varves.cli.arguments import Given
    from varves.cli.render import Line
    from varves.values.answers import Purged

# what can be done with a remaining event or memory, by the prefix of its id
_WAYS = {"mem_": "purge it too", "evt_": "a purge cannot erase it"}
_WITH_IT = "(session.ended)"
_STAYS = "a purge cannot erase it: delete it in the sidecar by hand; its line in the log stays"


def trust(ledger: Ledger, given: Given) -> Answer:
    """Include memories of untrusted origin in default recall, or accept the project's settings."""
    if "settings" in given.own:
        return _trust_settings(ledger, yes="yes" in given.own)
    names = given.own["id"]
    for name in names:
        memory = ledger.show(name)
        _say(f"{name}  {memory.origin}, written by {memory.writer}: {memory.titled}")
    by = _agreed(ledger, f"trust {' '.join(names)}", yes="yes" in given.own)
    done = by.trust(*names)
    lines = [f"{name} trusted" for name in done.ids]
    return Answer(document={"ids": done.ids, "events": done.events}, lines=lines)


def _trust_settings(ledger: Ledger, *, yes: bool) -> Answer:
    """Accept the settings that the project requests; each value is shown to the person first."""
    shown = ledger.waiting_settings
    listed = [f"{key} = {value}" for key, value in shown]
    if listed and not ledger.invalid:  # an invalid value is refused later in any case
        _agreed(ledger, f"let {', '.join(listed)} take effect", yes=yes)
    agreed = [{"setting": key, "value": value} for key, value in ledger.trust_settings(shown)]
    lines = [f"{one['setting']} = {one['value']}  agreed" for one in agreed]
    return Answer(document={"agreed": agreed}, lines=lines or ["no settings need your consent"])


def purge(ledger: Ledger, given: Given) -> Answer:
    """Erase a memory's text permanently."""
    name = given.own["id"]
    ledger.history(name)  # raises an error for an unknown id, before the person is asked
    by = _agreed(ledger, f"erase {name} for good", yes="yes" in given.own)
    done = by.purge(name, reason=given.own["reason"])
    document = {"id": done.id, "files": done.files, "git": done.git}
    document |= {"same": done.same, "worktrees": done.worktrees, "sources": done.sources}
    document |= {"prompts": done.prompts}
    return Answer(document=document, lines=_purged(done))


def _purged(done: Purged) -> Iterator[Line]:
    yield f"{done.id} purged from {counted(len(done.files), 'file')} of this checkout"
    for name in done.files:
        yield (Dim(f"  {name}"),)
    for other in done.same:
        yield f"{other} has the same text and is kept; purge it too if it must be erased"
    for place in done.sources:
        if place.endswith(_WITH_IT):
            yield f"{place} was recorded with it; {_STAYS}"
        else:
            yield f"{place} still contains it: {_WAYS.get(place[:4], 'remove it there by hand')}"
    for path in done.prompts:
        yield f"{path} still contains it: varves scoped inject {path} rewrites its block"
    for place in done.worktrees:
        yield f"{place} contains it too; run varves doctor --fix there"
    yield from _in_git(done)


def _in_git(done: Purged) -> Iterator[Line]:
    """Yield lines about purged text that git still has, with the commands that remove the text."""
    held = done.git
    if held is None:
        yield "no file that Varves writes contains it in git; other files were not searched"
    elif isinstance(held, str):
        yield "git may still contain it: git does not answer here; varves doctor shows why"
        yield f"when git answers, run again: varves purge {done.id} --reason again --yes"
    elif held["stashed"] or not held["commits"]:
        if held["staged"]:
            yield f"git's index still contains it, in {counted(len(held['staged']), 'file')}"
        if held["stashed"]:
            yield f"git's stash still contains it, in {', '.join(held['stashed'])}"
        yield f"to remove it{', and everything else in that stash,' * bool(held['stashed'])} run:"
        yield f"  {held['command']}"
    else:
        if held["staged"]:
            yield "git's index contains it too: run git add -A, or the next commit adds it again"
            yield from ((Dim(f"  {path}"),) for path in held["staged"])
        commits = counted(len(held["commits"]), "commit")
        yield f"git's history still contains it, in {commits} here and in every clone that has them"
        if held["command"]:
            ways = "every other clone must do the same or be cloned again"
            yield f"commit this purge, then rewrite history; {ways}:"
            yield f"  {held['command']}"
        if held["command"] and held["stashes"]:
            yield "this deletes the reflogs and with them all stashes: apply your stashes first"
    for path in held["by_hand"] if isinstance(held, dict) else ():
        yield f"{path} is written by people: remove it from the file's history by hand"


def _agreed(ledger: Ledger, what: str, *, yes: bool) -> Ledger:
    """Ask for agreement; return the ledger with the origin of the person or agent who agreed."""
    person = sys.stdin is not None and sys.stdin.isatty()
    if not yes:
        if not person:
            raise Refused(f"cannot ask whether to {what}: there is no terminal", "pass --yes")
        ask(what)
    return ledger if person else ledger.through("agent")


def ask(what: str) -> None:
    """Ask the person at the terminal.

    Raises:
        Refused: they do not agree.
    """
    _say(f"{what}? [y/N] ", end="")
    if sys.stdin.readline().strip().lower() not in ("y", "yes"):
        raise Refused("not confirmed", "nothing was changed")


def _say(text: str, *, end: str = "\n") -> None:
    """Show a person, on stderr, what they are about to accept or erase."""
    if sys.stdin is not None and sys.stdin.isatty():
        from varves.cli.render import safe

        tell(safe(text) + end)
