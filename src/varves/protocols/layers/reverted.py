"""Finds events that git's history of the log has, and neither the log nor the ledger.

A commit contains an event in CHANGELOG.md and in the ledger's log, so `git revert` takes it out of
both. Changes of an entry that were committed before any verb read it are found in the same way.
"""

from __future__ import annotations

from varves.events.kinds import LOG_ALTERED, LOG_AMENDED, LOGGED
from varves.protocols.layers.known import LOG, known_entries, parsed
from varves.protocols.protocol import ERROR, WARNING, Breach
from varves.values.text import fold

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from varves.protocols.layers.adoption import Seen
    from varves.protocols.layers.blocks import Block
    from varves.protocols.port import Core

_COMMITS = 100  # the most commits of the log that are compared


def reverted(core: Core, seen: Seen) -> Iterator[Breach]:
    """Yield the events that a commit took out of the log, or changed, unknown to the ledger."""
    commits = core.tree.shortening(LOG, _COMMITS)
    if not commits:
        return
    here = [*seen.log.blocks, *seen.archive.blocks]
    met = {block.digest for block in here} | _told(core)
    barred = core.barred()
    headings = {_heading(block): block for block in here}
    for commit in commits:
        after = parsed(core.tree.committed(LOG, commit))
        before = parsed(core.tree.committed(LOG, f"{commit}^"))
        if before is None or not before.is_log:
            continue
        kept = {block.digest for block in after.blocks} if after else set()
        for block in before.ordered:
            if block.digest in met or block.digest in kept or block.name in barred:
                continue
            met.add(block.digest)
            yield _finding(block, commit, headings.get(_heading(block)))


def _finding(block: Block, commit: str, now: Block | None) -> Breach:
    what = f"{block.time} {block.title}".strip()
    fix = f"restore it (git show {commit[:12]}^:{LOG}), or varves layers waive"
    if now is not None:
        message = f"commit {commit[:12]} changed an event: {what}"
        return Breach(
            rule="S1-07", place=f"{LOG}:{now.line}", message=message, fix=fix, level=WARNING
        )
    message = f"commit {commit[:12]} removed an event: {what}"
    return Breach(rule="S1-07", place=LOG, message=message, fix=fix, level=ERROR)


def _told(core: Core) -> set[str]:
    """Return the digests that the ledger has or had for an entry: it judges these itself."""
    found = {one.digest for one in known_entries(core, lean=True)}
    for event in core.events(LOGGED, LOG_AMENDED, LOG_ALTERED):
        said = event.data.get("set", event.data)
        found.update(filter(None, (said.get("digest"), said.get("found"))))
    return found


def _heading(block: Block) -> tuple[str, str]:
    return block.time, fold(block.title)
