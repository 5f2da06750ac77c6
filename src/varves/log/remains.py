"""What git still holds of purged content, and the command that rewrites it.

A purge changes the files of this checkout. Commits, other branches and the reflog keep the old
bytes until somebody rewrites them on purpose, and every other clone keeps its own.
"""

from __future__ import annotations

from varves.events.blobs import named
from varves.events.purge import holds
from varves.log.layout import BLOBS, LOG, SUFFIX
from varves.log.segments import read_lines

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import Any

    from varves.log.git import Git
    from varves.log.places import Places

_REACHABLE = ("--all", "--reflog", "--indexed-objects")


def in_git(places: Places, barred: set[str]) -> dict[str, Any] | None:
    """Return what git's history holds of these memories; None where it holds nothing."""
    git = places.git
    if git is None:
        return None
    folder = f"{places.folder[len(git.top) + 1 :]}/{LOG}"
    paths: dict[str, None] = {}
    events: dict[str, None] = {}
    blobs: set[str] = set()
    kept: set[str] = set()
    versions = _versions(git, folder)
    for path, content in _segments(git, versions):
        for event, _ in read_lines(path, content, "project").events:
            if holds(event, barred):
                paths[path] = events[event.id] = None
                blobs |= set(named(event.data))
            else:
                kept |= set(named(event.data))
    names = [f"{folder}/{BLOBS}/{digest}" for digest in sorted(blobs - kept)]
    there = [name for name in names if any(path == name for path, _ in versions)]
    paths |= dict.fromkeys(there)
    if not paths:
        return None
    listed = git.run("log", "--format=%h", "--all", "--reflog", "--", *paths, check=False)
    stashed = git.run("stash", "list", "--format=%gd", check=False)
    return {
        "commits": listed.decode("ascii").split(),
        "paths": list(paths),
        "command": command(folder, list(events), there),
        "stashes": len(stashed.split()),  # they are listed by a reflog alone
    }


def _versions(git: Git, folder: str) -> list[tuple[str, str]]:
    """Return (path, object) of every version of a folder's files that git can reach."""
    listed = git.run("rev-list", "--objects", *_REACHABLE, "--", folder, check=False)
    rows = [row.partition(" ") for row in listed.decode("utf-8", "surrogateescape").splitlines()]
    return [(path, oid) for oid, _, path in rows if path.startswith(f"{folder}/")]


def _segments(git: Git, versions: list[tuple[str, str]]) -> Iterator[tuple[str, bytes]]:
    found = [(path, oid) for path, oid in versions if path.endswith(SUFFIX)]
    contents = git.contents([oid for _, oid in found])
    for (path, _), content in zip(found, contents, strict=True):
        yield path, content


def command(folder: str, events: list[str], blobs: list[str]) -> str:
    """Return a shell command, for stock git and sed, that takes the content out of all history."""
    from shlex import quote

    steps = []
    if events:
        lines = f'/^[{{]"v":[0-9]+,"id":"({"|".join(events)})"/'
        change = f'{lines}s/,"data":.*,"salt":"[0-9a-f]{{32}}"/,"purged":true/'
        files = f"find {quote(folder)} -name '*.jsonl'"
        steps.append(f"{files} -exec sed -E -i.bak {quote(change)} {{}} +")
        steps.append(f"find {quote(folder)} -name '*.bak' -delete")
    if blobs:
        steps.append(f"rm -f {' '.join(map(quote, blobs))}")
    script = f"if [ -d {quote(folder)} ]; then {'; '.join(steps)}; fi"
    return (
        f"FILTER_BRANCH_SQUELCH_WARNING=1 git filter-branch --force --tree-filter {quote(script)}"
        " --tag-name-filter cat -- --all"
        " && git for-each-ref --format='delete %(refname)' refs/original | git update-ref --stdin"
        " && git reflog expire --expire=now --all && git gc --quiet --prune=now"
    )
