"""Published files that git could not merge: made again from both sides, and git is told.

Git's index is touched for nothing else: only files that a protocol publishes, that a merge under
way has put there, and that now are as the log renders them are marked as resolved. In a file of
others where one part is ours, the rest must be beyond doubt too: the same on both sides, or changed
on one.
"""

from __future__ import annotations

from varves.errors import Refused
from varves.places.exposure import ALL, IGNORE
from varves.protocols.marks import cut_apart
from varves.protocols.unreadable import Unreadable

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from varves.files.ground import FilesCore
    from varves.protocols.port import Codec, Stock

_ORIGIN = 1  # git's number of the version that both sides come from


def joined(core: FilesCore, codec: Codec, path: str, *, stock: Stock) -> bytes | None:
    """Return a shared file that is unmerged, with our part in it; None: a person must join it."""
    stages = core.tree.stages(path)
    made: dict[int, bytes | None] = {}
    for stage, content in stages.items():
        try:
            made[stage] = codec.patch(path, content, stock)
        except Unreadable:
            return None
    origin = made.pop(_ORIGIN, None)
    sides = [one for one in made.values() if len(made) == 1 or one != origin] or [origin]
    if any(one != sides[0] for one in sides):
        return None
    lies = core.views.files.content(path)
    if lies is None or lies == sides[0] or lies in stages.values() or cut_apart(lies):
        return sides[0]
    return None  # somebody is at it


def mark_resolved(core: FilesCore, codec: Codec) -> list[str]:
    """Mark the unmerged files of a protocol that are in step now as resolved; return them."""
    unmerged = core.joint.unmerged
    mine = [path for path in (*unmerged, *core.joint.staged) if is_published(codec, path)]
    stock = core.stock()
    rendered = codec.render(stock, None) if mine else {}
    done = []
    for path in mine:
        content = core.views.files.content(path)
        if path in codec.shared and path in unmerged:
            fits = content is not None and content == joined(core, codec, path, stock=stock)
        elif path in codec.shared:
            fits = content is not None and cut_apart(content) is None
        elif path.endswith(f"/{IGNORE}"):
            fits = content == ALL
        else:
            fits = content == rendered.get(path) and path not in core.unreadable
        if fits:
            done.append(path)
        elif path in unmerged and path not in core.unreadable:
            core.notes.append(f"{path} is still unmerged: settle it by hand, then git add {path}")
    return resolve(core, done)


def resolve(core: FilesCore, paths: Sequence[str]) -> list[str]:
    """Tell git that files are settled; where it will not hear, say so."""
    try:
        return core.tree.mark_resolved(paths)
    except Refused as fault:
        core.notes.append(f"{fault.message}; then git add {' '.join(paths)}")
        return []


def is_published(codec: Codec, path: str) -> bool:
    """Tell whether a file is a protocol's, or the one that keeps git out of its folder."""
    if path in codec.shared or codec.is_state(path) or codec.is_derived(path):
        return True
    return path in [f"{folder}/{IGNORE}" for folder in codec.ignores]
