"""The findings of `doctor` about private files that git could track."""

from __future__ import annotations

import os

from varves.places.exposure import IGNORE, hides_all, ignores, left_alone
from varves.places.places import CONSTANT, FOLDER
from varves.values.answers import Finding

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from varves.context.context import Context

_SHOWN = 3


def exposures(context: Context, hidden: Iterable[str]) -> Iterator[Finding]:
    """Find private files that git tracks, and `.gitignore` files that do not cover them.

    Args:
        context: the ledger's context.
        hidden: the folders of protocols that git must ignore.
    """
    places = context.places
    for part, text in (("global", "global memories"), ("local", "private text")):
        folder = f"{places.home}/{part}"
        reason, fix = places.exposed_home(part) if os.path.isdir(folder) else ("", "")
        if reason:
            message = f"it contains {text}, and {reason}: nothing is written there"
            yield Finding(rule="tracked", place=folder, message=message, fix=fix)
    if not places.exists():
        return
    yield from _local(context)
    found: dict[tuple[str, str], list[str]] = {}
    for folder in (f"{FOLDER}/private", *hidden):
        found.setdefault(places.exposed(folder), []).append(folder)
    for (reason, fix), folders in found.items():
        if reason:
            message = left_alone(folders, reason)
            yield Finding(rule="tracked", place=folders[0], message=message, fix=fix)


def _local(context: Context) -> Iterator[Finding]:
    places, folder = context.places, f"{FOLDER}/local"
    repositories = places.repositories(folder)
    tracked = [name for git in repositories for name in git.tracked(f"{places.root}/{folder}")]
    if tracked:
        more = f" and {len(tracked) - _SHOWN} more" if len(tracked) > _SHOWN else ""
        message = (
            f"git tracks {', '.join(tracked[:_SHOWN])}{more}: these files are not read or written"
        )
        fix = f"git rm --cached -r {folder}"
        yield Finding(rule="tracked", place=folder, message=message, fix=fix)
    elif not hides_all(ignores(f"{places.root}/{folder}/{IGNORE}")):
        message, fix = "it does not make git ignore the folder", "remove it: it is created again"
        yield Finding(rule="ignore", place=f"{folder}/{IGNORE}", message=message, fix=fix)
    path = f"{FOLDER}/{IGNORE}"
    wanted = CONSTANT[IGNORE].split()
    found = ignores(f"{places.root}/{path}")
    if found is not None and not {*wanted} <= {*found.split()}:
        lines = " and ".join(line.decode() for line in wanted)
        message, fix = f"it does not ignore {lines}", f"add the lines {lines}"
        yield Finding(rule="ignore", place=path, message=message, fix=fix)
