"""What was purged is in no file any more, nor in what is kept of earlier versions of files."""

from __future__ import annotations

import os
import sqlite3
import zlib
from contextlib import closing

import pytest

from tests.places import local_of
from tests.protocols.edits.conftest import LATER, NEXT
from tests.protocols.edits.scene import Hivemind

HIVEMIND = Hivemind()
TEXT = "The vault code is tangerine"


def holding(root, text):
    """Return the files below a folder, git's own left out, that hold a text."""
    found = []
    for place, folders, names in os.walk(root):
        if ".git" in folders:
            folders.remove(".git")
        for name in names:
            with open(os.path.join(place, name), "rb") as file:
                if text.encode() in file.read():
                    found.append(os.path.relpath(os.path.join(place, name), root))
    return found


def kept_versions(root):
    """Return the versions of files that are kept to tell edits by."""
    with closing(sqlite3.connect(local_of(root) / "state.sqlite")) as db:
        return [zlib.decompress(row[0]) for row in db.execute("select content from version")]


def test_a_purged_record_does_not_come_back_with_its_file(project_of):
    here = project_of(HIVEMIND, "Use make", TEXT)
    path = here.root / HIVEMIND.path_of(here.root, TEXT)
    content = path.read_bytes()
    ledger = here.at(NEXT)
    ledger.purge(path.stem, reason="it leaked")
    path.write_bytes(content)

    ledger = here.at(LATER)
    HIVEMIND.write(ledger, "More")

    assert HIVEMIND.texts(here.root) == ["More", "Use make"]
    assert sorted(one.text for one in ledger.list()) == ["More", "Use make"]
    here.close()
    assert holding(here.root, "tangerine") == []


@pytest.mark.full_size(sample=1)
@pytest.mark.parametrize("others", [(), ("Use make",)], ids=["the only record", "one of two"])
def test_no_byte_of_a_purged_record_is_left_in_files_or_bookkeeping(project_of, protocol, others):
    here = project_of(protocol, *others, TEXT)
    ledger = here.at(NEXT)
    name = next(one.id for one in ledger.list() if one.text == TEXT)
    path = here.root / protocol.path_of(here.root, TEXT)
    path.write_bytes(path.read_bytes().replace(b"tangerine", b"tangerine, still"))
    protocol.write(ledger, "Something else")
    here.close()
    assert holding(here.root, "tangerine")
    assert any(b"tangerine" in version for version in kept_versions(here.root))

    ledger = here.at(NEXT)
    ledger.purge(name, reason="it leaked")
    assert getattr(ledger, protocol.name).core.notes == []

    here.close()
    assert holding(here.root, "tangerine") == []
    assert not any(b"tangerine" in version for version in kept_versions(here.root))
    ledger = here.at(LATER)
    ledger.rebuild()
    protocol.write(ledger, "And more")
    assert protocol.texts(here.root) == sorted([*others, "And more", "Something else"])
    assert holding(here.root, "tangerine") == []
    assert name not in {one.id for one in ledger.list()}
