"""Erases purged content from a local folder: saved texts, notes and the hook log."""

from __future__ import annotations

from varves.log.doomed import said_of
from varves.places.local import ASIDE, ATTENDANCE, DATABASES, NOTES, SET_ASIDE
from varves.places.store import files_below

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from varves.log.doomed import Doomed
    from varves.places.port import FileStore

_TEXTS = (ASIDE, SET_ASIDE, ATTENDANCE, NOTES)  # the folders that contain texts


def clear_local(local: FileStore, found: Doomed) -> list[str]:
    """Remove the files of a local folder that contain purged text; return their names."""
    removed = []
    below = [name for folder in _TEXTS for name in files_below(local, folder)]
    for name in [*_loose(local), *below]:
        try:
            if said_of(local.read(name), found):
                local.remove(name)
                removed.append(name)
        except OSError:
            continue
    return removed


def _loose(local: FileStore) -> Iterator[str]:
    """Yield the files directly in the folder.

    Databases are left out, because they are cleaned separately.
    """
    for name, is_folder, _ in local.entries(""):
        if not is_folder and not name.startswith(DATABASES):
            yield name
