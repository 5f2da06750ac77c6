"""Creates the folders and first files of a protocol once; whatever exists is not changed."""

from __future__ import annotations

import os

from varves.errors import Refused
from varves.places.exposure import ALL, IGNORE

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping


def make(
    root: str, folders: tuple[str, ...], ignored: tuple[str, ...], files: Mapping[str, bytes]
) -> list[str]:
    """Create folders (some of them ignored by git) and files; return the new paths.

    Raises:
        Refused: a folder cannot be created, or a link or a file has its name.
    """
    made = []
    try:
        for folder in folders:
            _refuse_links(root, folder)
            if not os.path.isdir(f"{root}/{folder}"):
                os.makedirs(f"{root}/{folder}")
                made.append(folder)
        for path, content in {**{f"{one}/{IGNORE}": ALL for one in ignored}, **files}.items():
            if not os.path.lexists(f"{root}/{path}"):
                with open(f"{root}/{path}", "xb") as file:
                    file.write(content)
                made.append(path)
    except FileExistsError as fault:
        raise Refused(f"{fault.filename} exists and is not a folder", "move it") from None
    except OSError as fault:
        raise Refused(
            f"memory/ cannot be created: {fault.strerror}", "check its permissions"
        ) from None
    return made


def _refuse_links(root: str, folder: str) -> None:
    place = root
    for part in folder.split("/"):
        place = f"{place}/{part}"
        if os.path.islink(place) or (os.path.lexists(place) and not os.path.isdir(place)):
            raise Refused(f"{place[len(root) + 1 :]} is not a plain folder", "move it")
