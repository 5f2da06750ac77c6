"""Syncs with remotes in a process of its own, so that nobody waits for the network."""

from __future__ import annotations

import sys

from varves.errors import VarvesError
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
    for name in found:
        _start(settings, "push" if push_only else "sync", name)


def _start(settings: Settings, verb: str, name: str) -> None:
    import os
    from subprocess import DEVNULL, Popen

    environment = {**os.environ, "VARVES_HOME": settings.home}  # noqa: TID251 - passed on
    Popen(
        [sys.executable, "-m", "varves", verb, name, "--root", settings.root],
        cwd=settings.root,
        env=environment,
        stdin=DEVNULL,
        stdout=DEVNULL,
        stderr=DEVNULL,
        start_new_session=True,
    )
