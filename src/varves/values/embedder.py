"""The port of embedding models: texts become unit vectors, compared by their product."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Any, Protocol

    class Embedder(Protocol):
        """A model that tells how alike texts are in meaning."""

        name: str  # model and digest of its weights: vectors of two names are never compared
        width: int

        def encode(self, texts: Sequence[str]) -> Any:
            """Return one unit vector for each text, as rows of a float32 matrix."""
            ...
