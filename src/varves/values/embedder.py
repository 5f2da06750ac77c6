"""The interface of embedding models, which turn texts into unit vectors."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Any, Protocol

    class Embedder(Protocol):
        """A model that measures how similar texts are in meaning."""

        name: str  # model and digest of its weights: only vectors with the same name are compared
        width: int

        def encode(self, texts: Sequence[str]) -> Any:
            """Return one unit vector for each text, as rows of a float32 matrix."""
            ...
