"""Finds the command by which other programs start this installation, also after an upgrade."""

from __future__ import annotations

import os
import sys

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Collection, Sequence

_PASSING = ("/uv/archive-v", "/.cache/uv/", "/pipx/.cache/", "/pip-ephemeral")


def own() -> tuple[str, ...]:
    """Return the command that runs this installation from any folder."""
    from shutil import which

    beside = os.path.join(os.path.dirname(os.path.abspath(sys.executable)), "varves")
    called = sys.argv[0] if os.path.basename(sys.argv[0]) == "varves" else ""
    ours = next((os.path.abspath(path) for path in (called, beside) if _runs(path)), None)
    if ours is None:
        # Without -P, Python would import modules from the project first, and its files may be
        # hostile.
        return (os.path.abspath(sys.executable), "-P", "-m", "varves")
    on_path = which("varves")
    if on_path and os.path.samefile(on_path, ours):
        # an upgrade moves the program to which ~/.local/bin/varves is a link, but not the link
        return (os.path.abspath(on_path),)
    return (ours,)


def _runs(path: str) -> bool:
    return bool(path) and os.path.isfile(path) and os.access(path, os.X_OK)


def by_name() -> tuple[str, ...] | None:
    """Return the program's name without a path, if a shell finds this installation by it."""
    from shutil import which

    found, ours = which("varves"), own()
    if found and len(ours) == 1 and os.path.samefile(found, ours[0]):
        return ("varves",)
    return None


def start_apart(
    arguments: Sequence[str], *, root: str, home: str | None = None, keep: Collection[int] = ()
) -> None:
    """Start Python in a process of its own, which nobody waits for or hears from.

    Args:
        arguments: the arguments for Python.
        root: the folder in which it runs; its files may be hostile, and are not imported.
        home: the user's folder of Varves, if it is known.
        keep: open files that the process gets too, with their locks.
    """
    from subprocess import DEVNULL, Popen

    environment = dict(os.environ)  # noqa: TID251 - passed on
    if home is not None:
        environment["VARVES_HOME"] = home
    Popen(
        [sys.executable, "-P", *arguments],
        cwd=root,
        env=environment,
        stdin=DEVNULL,
        stdout=DEVNULL,
        stderr=DEVNULL,
        start_new_session=True,
        pass_fds=tuple(keep),
    )


def is_there(program: Sequence[str]) -> bool:
    """Return whether the program of a command exists on this machine."""
    from shutil import which

    return bool(program) and which(program[0]) is not None


def is_passing(program: Sequence[str]) -> bool:
    """Return whether a program is in a tool's temporary folder, such as uv's."""
    return any(mark in program[0] for mark in _PASSING)
