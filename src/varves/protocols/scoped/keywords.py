"""The keyword options of the verbs, for type checkers; never imported at run time."""

from __future__ import annotations

from typing import TypedDict


class WriteOptions(TypedDict, total=False):
    """Options of `Scoped.write`; type and content are required."""

    type: str
    content: str
    confidence: float | None
    override_global: bool
    overrides: str | None
    force: bool
    again: bool
    allow_secret: bool
