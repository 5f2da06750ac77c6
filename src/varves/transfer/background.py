"""Syncs with remotes in a process of its own, so that nobody waits for the network."""

from __future__ import annotations

from varves.errors import VarvesError
from varves.program import start_apart
from varves.remotes.known import remotes_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Container

    from varves.settings import Settings


def begin(settings: Settings, *, when: Container[str], push_only: bool = False) -> None:
    """Start a process for each remote of this checkout that is used at these times.

    A process that fails says so nowhere; the next one sends and gets the same lines.
    """
    try:
        found = [one.name for one in remotes_of(settings.root, settings.home) if one.when in when]
    except VarvesError:
        return  # verbs report the damaged file
    verb = "push" if push_only else "sync"
    for name in found:
        arguments = ("-m", "varves", verb, name, "--root", settings.root)
        start_apart(arguments, root=settings.root, home=settings.home)
