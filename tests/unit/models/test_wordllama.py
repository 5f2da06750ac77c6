from __future__ import annotations

import shutil
import sys
from pathlib import Path

import numpy as np
import pytest

from tests.tables import each_row
from varves.models import wordllama

ODD = ["", " \n\t", "x" * 100_000, "word " * 20_000, "Crêperie 日本語 🙂", "\ud800 alone", "\x00"]


@pytest.fixture(scope="module")
def encoder() -> wordllama.WordLlama:
    found, why_not = wordllama.load()
    assert found is not None, why_not
    return found


def test_a_name_tells_the_model_and_its_weights(encoder):
    assert encoder.name.startswith("wordllama-")
    assert encoder.name.endswith(wordllama.DIGEST)


@each_row("text", ODD)
def test_whatever_the_text_its_vector_has_length_one(encoder, text):
    (row,) = encoder.encode([text])
    assert row.shape == (encoder.width,)
    assert row.dtype == np.float32
    assert abs(float(np.linalg.norm(row)) - 1) < 1e-3


def test_no_texts_make_an_empty_matrix(encoder):
    assert encoder.encode([]).shape == (0, encoder.width)


def test_a_text_has_one_vector_whoever_makes_it_and_beside_whatever_others(encoder):
    texts = [*ODD, "The deploy runs on Fridays", "Ada: we ship on Friday"]
    other, _ = wordllama.load()
    together = encoder.encode(texts)
    assert (together == np.vstack([other.encode([text]) for text in reversed(texts)])[::-1]).all()


def test_a_vector_is_rounded_as_it_is_kept(encoder):
    rows = encoder.encode(["The deploy runs on Fridays"])
    assert (rows.astype("<f2").astype(np.float32) == rows).all()


def test_meanings_count_not_words(encoder):
    car, like, unlike = encoder.encode(
        ["She bought a new car", "An automobile was purchased", "The soup needs more salt"]
    )
    assert car @ like > car @ unlike + 0.1


def test_words_fall_into_the_pieces_that_were_learnt(encoder):
    named = {number: piece for piece, number in encoder._ids.items()}
    pieces = [named[number] for number in encoder.pieces("tokenization of Ünïcode 🙂")]
    assert pieces == [
        *("▁token", "ization", "▁of", "▁Ü", "n", "ï", "code"),
        *("▁", "<0xF0>", "<0x9F>", "<0x99>", "<0x82>"),
    ]


def test_what_is_remembered_of_words_does_not_grow_for_ever(encoder, monkeypatch):
    monkeypatch.setattr(wordllama, "_REMEMBERED", 10)
    for n in range(50):
        encoder.pieces(f"word{n}")
    assert len(encoder._known) <= 10


@pytest.mark.parametrize("package", ["numpy", "wordllama"])
def test_without_a_package_there_is_no_encoder_and_a_word_why(monkeypatch, package):
    monkeypatch.setitem(sys.modules, package, None)
    said = "not installed (pip install 'varves[semantic]')"
    assert wordllama.load() == (None, said)
    assert wordllama.absence() == said


def test_looking_for_it_loads_neither_package(monkeypatch):
    for name in [name for name in sys.modules if name.split(".")[0] == "wordllama"]:
        monkeypatch.delitem(sys.modules, name)
    assert wordllama.absence() == ""
    assert wordllama.load()[0] is not None
    assert "wordllama" not in sys.modules


@pytest.fixture
def copied(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Put a copy of the package where it is found first."""
    folder = Path(wordllama._place() or "")
    for name in (wordllama.PIECES, wordllama.WEIGHTS):
        (tmp_path / "wordllama" / name).parent.mkdir(parents=True)
        shutil.copy(folder / name, tmp_path / "wordllama" / name)
    (tmp_path / "wordllama" / "__init__.py").write_text("", encoding="utf-8")
    monkeypatch.syspath_prepend(tmp_path)
    assert wordllama.load()[0] is not None
    return tmp_path / "wordllama"


def flip(path: Path) -> None:
    content = bytearray(path.read_bytes())
    content[len(content) // 2] ^= 1
    path.write_bytes(content)


@pytest.mark.full_size(sample=2)
@pytest.mark.parametrize("name", [wordllama.PIECES, wordllama.WEIGHTS])
@pytest.mark.parametrize(
    "harm",
    [
        flip,
        Path.unlink,
        lambda path: path.write_bytes(b""),
        lambda path: path.write_bytes(path.read_bytes()[:-1]),
        lambda path: path.write_bytes(b"\x00" * 1000),
    ],
    ids=["flipped", "gone", "empty", "cut", "zeros"],
)
def test_another_version_of_the_package_is_refused_in_one_line(copied, name, harm):
    harm(copied / name)
    found, why_not = wordllama.load()
    assert found is None
    assert why_not.startswith("wordllama is not the version that varves requires (")
    assert "\n" not in why_not
