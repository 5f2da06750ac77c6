"""Updates a file that is the same in all projects of a person in the other checkouts as well.

Each checkout that renders such a file is noted in the user's folder. After a write, a checkout's
file is replaced if it is what that checkout last rendered, or still empty. Otherwise a person has
edited it, and the next verb there adopts the edit and renders it. That verb also updates whatever
could not be written here.
"""

from __future__ import annotations

import os
from json import JSONDecodeError, dumps, loads

from varves.context.context import places_of
from varves.errors import VarvesError
from varves.files.differences import is_empty
from varves.files.published import Folder
from varves.files.renderings import Views

TYPE_CHECKING = False
if TYPE_CHECKING:
    from varves.files.ground import FilesCore
    from varves.places.places import Places
    from varves.protocols.port import Codec

CHECKOUTS = "checkouts"
"""The file in the user's folder with the root of each checkout, one JSON string a line."""
_NOTED = "in the user's folder"  # the mark of a checkout that is noted there


def spread(core: FilesCore, codec: Codec, *, changed: bool) -> None:
    """Note this checkout; if a file has changed, update it in all other checkouts."""
    views, home = core.views, core.context.places.home
    shown = [path for path in codec.everywhere if views.files.signature(path) is not None]
    if not shown:
        return
    if views.mark(_NOTED) != home:
        _note(home, core.root)
        views.set_mark(_NOTED, home)
    if not changed:
        return
    rendered = [path for path in shown if views.renders(path)]
    files = {path: views.files.content(path) for path in rendered}
    for root in _noted(home):
        if root != core.root and os.path.isdir(root):
            try:
                _update(core, codec, places_of(root, home), files)
            except (VarvesError, OSError):
                continue  # the next verb there renders the file
            except core.context.index.faults:
                continue  # its notes are damaged


def _update(core: FilesCore, codec: Codec, places: Places, files: dict[str, bytes | None]) -> None:
    """Replace those files of another checkout that nobody has edited there."""
    lock = Folder(places.root)
    handle = lock.lock("")
    if handle is None:
        return  # a verb is running there
    views = Views(places, core.name)
    try:
        folders = [path.rpartition("/")[0] for path in files]
        sight = views.look(folders, lambda path: path in files)
        writing: dict[str, bytes] = {}
        for path, content in files.items():
            was = sight.unknown.get(path)
            unedited = path in views.listed and path not in sight.older
            if was is not None:
                unedited = is_empty(codec, path, was)
            if content is not None and unedited and not views.is_shown(path, content):
                views.files.refuse_closed(path)
                places.refuse_exposed(path.rpartition("/")[0])
                writing[path] = content
        if writing:
            views.expect(writing)
            views.files.put_all(writing)
            views.note(dict(writing))
    finally:
        views.close()
        places.close()
        lock.close(handle)


def _note(home: str, root: str) -> None:
    from varves.settings.checkout_token import append

    if root not in _noted(home):
        try:
            append(home, CHECKOUTS, f"{dumps(root)}\n".encode("ascii"))
        except OSError:
            return  # the other checkouts then see the change at their next verb


def _noted(home: str) -> list[str]:
    try:
        with open(f"{home}/{CHECKOUTS}", encoding="ascii", errors="replace") as file:
            lines = file.read().splitlines()
    except OSError:
        return []
    found = []
    for line in lines:
        try:
            found.append(str(loads(line)))
        except JSONDecodeError:
            continue  # an unfinished line
    return found
