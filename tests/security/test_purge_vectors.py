"""A vector is made from a text, and goes where the text goes."""

from __future__ import annotations

import numpy as np

import varves
from tests.git import conftest as memory
from tests.security import purge_lives
from tests.security.erasing import TEXT, files_below
from tests.security.purge_lives import WHY

tmp_path = memory.tmp_path
scene = purge_lives.scene


def embed(ledger: varves.Ledger) -> None:
    index = ledger._context.fresh().index
    assert ledger._context.index.semantic.prepare(index, wanted=True).run


def vector_of(ledger: varves.Ledger, text: str) -> bytes:
    return ledger._context.index.semantic._encoder.encode([text])[0].astype("<f2").tobytes()


def holding(scene, vector: bytes) -> list[str]:
    """Return the files that hold a good part of a vector."""
    part = vector[:64]
    return [str(path) for path in files_below(*scene.places()) if part in path.read_bytes()]


def test_a_purge_leaves_no_vector_in_any_file(scene):
    name = scene.ledger.remember(TEXT).id
    other = scene.ledger.remember("Bees swarm in May").id
    embed(scene.ledger)
    gone, stays = (vector_of(scene.ledger, text) for text in (TEXT, "Bees swarm in May"))
    assert holding(scene, gone)

    scene.ledger.purge(name, reason=WHY)

    assert holding(scene, gone) == []
    assert holding(scene, stays), f"{other} was not purged"
    semantic = scene.ledger._context.index.semantic
    embed(scene.ledger)
    rows = semantic._vectors.matrix
    assert not (rows == np.frombuffer(gone, "<f2").astype(np.float32)).all(axis=1).any()
    assert holding(scene, gone) == []


def test_a_vector_made_while_its_memory_is_purged_is_not_kept(scene):
    name = scene.ledger.remember(TEXT).id
    index, semantic = scene.ledger._context.fresh().index, scene.ledger._context.index.semantic
    assert semantic.ready()
    encoder = semantic._encoder

    class Slow:
        name, width = encoder.name, encoder.width

        def encode(self, texts):
            with varves.open(scene.ledger.root) as other:
                other.purge(name, reason=WHY)
            return encoder.encode(texts)

    semantic._encoder = Slow()
    semantic.prepare(index, wanted=True)
    gone = encoder.encode([TEXT])[0]
    assert holding(scene, gone.astype("<f2").tobytes()) == []
    semantic.prepare(scene.ledger._context.fresh().index, wanted=True)
    assert not (semantic._vectors.matrix == gone).all(axis=1).any()


def test_a_purge_that_a_merge_brings_erases_the_vector_too(scene):
    """Seen from the ledger that embedded the text, the purge is somebody else's."""
    name = scene.ledger.remember(TEXT).id
    embed(scene.ledger)
    gone = vector_of(scene.ledger, TEXT)
    with varves.open(scene.ledger.root) as other:
        other.purge(name, reason=WHY)
    scene.ledger.log()
    assert holding(scene, gone) == []
