"""The keyword options of the verbs, for type checkers; never imported at run time."""

from __future__ import annotations

from typing import TYPE_CHECKING, TypedDict

if TYPE_CHECKING:
    from collections.abc import Sequence


class AppendOptions(TypedDict, total=False):
    """Options of `Layers.append`; type, scope, title, what and why are required."""

    type: str
    scope: str
    title: str
    what: str
    why: str
    impact: str
    next: str
    files: Sequence[str]
    at: str | None
    draft: bool
    check_files: bool
    allow_secret: bool


class CommitOptions(TypedDict, total=False):
    """Options of `Layers.shutdown` for its commit."""

    files: Sequence[str]
    message: str | None
    share: bool
