"""A vector is made from a text, and goes where the text goes."""

from __future__ import annotations

import varves
from tests.git import conftest as memory
from tests.rooms import indexed, room
from tests.security import purge_lives
from tests.security.erasing import TEXT, files_below
from tests.security.purge_lives import WHY
from varves.context.similarity import Semantic
from varves.models import wordllama

ENCODER, _ = wordllama.load()
tmp_path = memory.tmp_path
scene = purge_lives.scene


def embed(ledger: varves.Ledger) -> None:
    assert ledger.recall("what is there", dense=True).dense


def vector_of(text: str) -> bytes:
    return ENCODER.encode([text])[0].astype("<f2").tobytes()


def vectors_in(scene) -> list[bytes]:
    return [row for (row,) in indexed(scene.project, "select row from vector")]


def holding(scene, vector: bytes) -> list[str]:
    """Return the files that hold a good part of a vector."""
    part = vector[:64]
    return [str(path) for path in files_below(*scene.places()) if part in path.read_bytes()]


def test_a_purge_leaves_no_vector_in_any_file(scene):
    name = scene.ledger.remember(TEXT).id
    other = scene.ledger.remember("Bees swarm in May").id
    embed(scene.ledger)
    gone, stays = (vector_of(text) for text in (TEXT, "Bees swarm in May"))
    assert holding(scene, gone)

    scene.ledger.purge(name, reason=WHY)

    assert holding(scene, gone) == []
    assert holding(scene, stays), f"{other} was not purged"
    embed(scene.ledger)
    assert gone not in vectors_in(scene)
    assert holding(scene, gone) == []


def test_a_vector_made_while_its_memory_is_purged_is_not_kept(scene):
    name = scene.ledger.remember(TEXT).id

    class Slow:
        name, width = ENCODER.name, ENCODER.width

        def encode(self, texts):
            with varves.open(scene.ledger.root) as other:
                other.purge(name, reason=WHY)
            return ENCODER.encode(texts)

    gone = vector_of(TEXT)
    with room(scene.project) as seen:
        semantic = Semantic(seen.index.get, allowed=True, encoder=Slow())
        semantic.prepare(seen.fresh().index, wanted=True)
        assert holding(scene, gone) == []
        index = seen.fresh().index
        semantic.prepare(index, wanted=True)
        assert len(semantic.similar(TEXT, index).top) == len(scene.stays)
    assert gone not in vectors_in(scene)


def test_a_purge_that_a_merge_brings_erases_the_vector_too(scene):
    """Seen from the ledger that embedded the text, the purge is somebody else's."""
    name = scene.ledger.remember(TEXT).id
    embed(scene.ledger)
    gone = vector_of(TEXT)
    with varves.open(scene.ledger.root) as other:
        other.purge(name, reason=WHY)
    scene.ledger.log()
    assert holding(scene, gone) == []
