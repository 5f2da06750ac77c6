"""Renders published files that git could not merge from both sides, and marks them as resolved.

Varves changes git's index for no other purpose. A file is marked only if a protocol publishes it,
the current merge wrote it, and it now equals the log's rendering. If only a part of the file is
rendered, the rest must be the same on both sides, or changed on only one side.
"""

from __future__ import annotations

from varves.errors import Refused
from varves.places.exposure import IGNORE, hides_all
from varves.protocols.marks import cut_apart
from varves.protocols.unreadable import Unreadable

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from varves.files.ground import FilesCore
    from varves.protocols.port import Codec, Stock

_ORIGIN = 1  # git's stage number of the common ancestor


def joined(core: FilesCore, codec: Codec, path: str, *, stock: Stock) -> bytes | None:
    """Return an unmerged file that other tools write too, with the part of Varves updated.

    None if a person must merge the rest.
    """
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
    return None  # a person is editing the file


def mark_resolved(core: FilesCore, codec: Codec) -> list[str]:
    """Mark the protocol's unmerged files that are up to date as resolved; return their paths."""
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
            fits = content is not None and hides_all(content)
        else:
            fits = content == rendered.get(path) and path not in core.unreadable
        if fits:
            done.append(path)
        elif path in unmerged and path not in core.unreadable:
            core.notes.append(f"{path} is still unmerged: resolve it by hand, then git add {path}")
    return resolve(core, done)


def resolve(core: FilesCore, paths: Sequence[str]) -> list[str]:
    """Mark files as resolved in git; if git refuses, add a note. Return the marked files."""
    try:
        return core.tree.mark_resolved(paths)
    except Refused as fault:
        core.notes.append(f"{fault.message}; then git add {' '.join(paths)}")
        return []


def is_published(codec: Codec, path: str) -> bool:
    """Return whether a file belongs to a protocol, or is the `.gitignore` of its folder."""
    if path in codec.shared or codec.is_state(path) or codec.is_derived(path):
        return True
    return path in [f"{folder}/{IGNORE}" for folder in codec.ignores]
