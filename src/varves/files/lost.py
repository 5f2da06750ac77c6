"""Checks whether git, or the links next to git's files, still have a log that is missing."""

from __future__ import annotations

from varves.errors import Damaged

TYPE_CHECKING = False
if TYPE_CHECKING:
    from varves.files.ground import FilesCore


def refuse_held_log(core: FilesCore) -> None:
    """Raise an error if the project's log is missing but could be restored."""
    places = core.context.places
    git = places.git
    if git is None:
        return
    folder = f"{places.folder[len(git.top) + 1 :]}/log"
    hint = ""
    if git.run("--literal-pathspecs", "ls-files", "--", folder, check=False):
        hint = "run git checkout -- .varves"
    elif git.run("rev-parse", "--verify", "--quiet", f"HEAD:{folder}", check=False):
        hint = "run git checkout HEAD -- .varves"
    _, kept = core.context.logs.tracked().spooled() or ("", 0)
    if hint or kept:
        said = " or ".join(part for part in (hint, "varves doctor --restore") if part)
        raise Damaged(f"{places.folder}/log is missing, but its segments exist elsewhere", said)
