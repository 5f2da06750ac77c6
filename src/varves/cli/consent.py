"""The verbs that need a person's word: letting a memory in, and erasing one for good.

On a terminal they ask. Without one they need `--yes`, and are recorded as the agent's act: nobody
can tell who typed it.
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

_WAYS = {"mem_": "purge it too", "evt_": "no purge reaches that"}  # by how its name begins
_WITH_IT = "(session.ended)"
_STAYS = "no purge reaches that: empty it in the sidecar by hand, its line in the log stays"


def trust(ledger: Ledger, given: Given) -> Answer:
    """Let memories of untrusted origin into default recall, or settings take effect."""
    if "settings" in given.own:
        return _trust_settings(ledger, yes="yes" in given.own)
    names = given.own["id"]
    for name in names:
        memory = ledger.show(name)
        _say(f"{name}  {memory.origin}, written by {memory.writer}: {memory.text}")
    by = _agreed(ledger, f"trust {' '.join(names)}", yes="yes" in given.own)
    done = by.trust(*names)
    lines = [f"{name} trusted" for name in done.ids]
    return Answer(document={"ids": done.ids, "events": done.events}, lines=lines)


def _trust_settings(ledger: Ledger, *, yes: bool) -> Answer:
    """Agree to what the project's settings ask for; the person is shown each value before."""
    listed = [f"{key} = {value}" for key, value in ledger.waiting]
    if listed and not ledger.invalid:  # else it is refused, whoever agrees
        _agreed(ledger, f"let {', '.join(listed)} take effect", yes=yes)
    agreed = [{"setting": key, "value": value} for key, value in ledger.trust_settings()]
    lines = [f"{one['setting']} = {one['value']}  agreed" for one in agreed]
    return Answer(document={"agreed": agreed}, lines=lines or ["nothing waits for your consent"])


def purge(ledger: Ledger, given: Given) -> Answer:
    """Erase a memory's content for good."""
    name = given.own["id"]
    ledger.history(name)  # an unknown one is said so before anything is asked
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
        yield f"{other} says the same and stays; purge it too if it must go"
    for place in done.sources:
        if place.endswith(_WITH_IT):
            yield f"{place} was recorded with it; {_STAYS}"
        else:
            yield f"{place} still says it: {_WAYS.get(place[:4], 'take it out there by hand')}"
    for path in done.prompts:
        yield f"{path} still tells it: varves scoped inject {path} makes its block anew"
    for place in done.worktrees:
        yield f"{place} holds it too; run varves doctor --fix there"
    yield from _in_git(done)


def _in_git(done: Purged) -> Iterator[Line]:
    """Say what git holds of it, and what to run."""
    held = done.git
    if held is None:
        yield "git does not hold it in any file that Varves writes; other files were not searched"
    elif isinstance(held, str):
        yield "what git holds of it is unknown: git does not answer here, varves doctor says why"
        yield f"when it does, ask again: varves purge {done.id} --reason again --yes"
    elif held["stashed"] or not held["commits"]:
        if held["staged"]:
            yield f"git's index still holds it, in {counted(len(held['staged']), 'file')}"
        if held["stashed"]:
            yield f"git's stash still holds it, in {', '.join(held['stashed'])}"
        yield f"to let go of it{', and of all else in that stash,' * bool(held['stashed'])} run:"
        yield f"  {held['command']}"
    else:
        if held["staged"]:
            yield "git's index holds it too: git add -A, or the next commit has it again"
            yield from ((Dim(f"  {path}"),) for path in held["staged"])
        commits = counted(len(held["commits"]), "commit")
        yield f"git's history still holds it, in {commits} here and in every clone that has them"
        if held["command"]:
            ways = "every other clone must do so or be made anew"
            yield f"commit this purge, then rewrite history; {ways}:"
            yield f"  {held['command']}"
        if held["command"] and held["stashes"]:
            yield "it empties the reflogs, and the list of stashes with them: apply those first"
    for path in held["by_hand"] if isinstance(held, dict) else ():
        yield f"{path} is written by people: take it out of its history by hand"


def _agreed(ledger: Ledger, what: str, *, yes: bool) -> Ledger:
    """Return the ledger as seen through the door of whoever agreed."""
    person = sys.stdin is not None and sys.stdin.isatty()
    if not yes:
        if not person:
            raise Refused(f"cannot ask whether to {what}: there is no terminal", "pass --yes")
        _say(f"{what}? [y/N] ", end="")
        if sys.stdin.readline().strip().lower() not in ("y", "yes"):
            raise Refused("not agreed to", "nothing was changed")
    return ledger if person else ledger.through("agent")


def _say(text: str, *, end: str = "\n") -> None:
    """Show a person what they are asked about, apart from the answer."""
    if sys.stdin is not None and sys.stdin.isatty():
        from varves.cli.render import safe

        tell(safe(text) + end)
