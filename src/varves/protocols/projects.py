"""The current project: one rule for every verb that needs a project.

It is the first of these that exists:

1. the project that an option or VARVES_PROJECT names;
2. the project of the session that runs in this checkout;
3. the project of this checkout: the one named like the folder, if it has records, or else the only
   one that has any, because a clone may have any folder name.

If none of them exists, a verb that must have a project uses the project that had records first, so
that a checkout stays in its project when someone writes for another one. If no project has records,
the folder's name is used; in scoped memory, a project that `init` prepared comes before it.
"""

from __future__ import annotations

from varves.values.value import Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Collection

    from varves.protocols.port import Core

_LEVEL = "project:"


class CurrentProject(Value):
    """The project that a verb uses if it needs one."""

    id: str
    exists: bool
    """Whether one of the three applies; otherwise `id` is for verbs that must have a project."""


def current_project(
    core: Core,
    given: str | None = None,
    *,
    session: Callable[[], str | None],
    scopes: Callable[[], Collection[str]],
) -> CurrentProject:
    """Return the current project; the caller checks that its id is allowed as a name.

    Args:
        core: the ledger.
        given: the project that an option of the verb names.
        session: returns the project of the running session.
        scopes: returns the scopes that have records, of any level, the oldest first.
    """
    folder, named = core.project
    stated = given or (folder if named else None) or session()
    if stated:
        return CurrentProject(id=stated, exists=True)
    known = [one.removeprefix(_LEVEL) for one in scopes() if one.startswith(_LEVEL)]
    own = folder if folder in known or not known else known[0]
    return CurrentProject(id=own, exists=folder in known or len(known) == 1)
