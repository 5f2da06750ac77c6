"""The keyword options of the public methods, for type checkers; never imported at run time."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TypedDict


class RememberOptions(TypedDict, total=False):
    """Options of `Ledger.remember`."""

    scope: str
    private: bool
    type: str | None
    tags: Iterable[str]
    priority: str | None
    ttl: str | None
    confidence: float | None
    evidence: Iterable[str]
    source: str | None
    speaker: str | None
    session: str | None
    at: str | None
    turn: int | None
    id: str | None
    derived_from: Iterable[str]
    again: bool
    allow_secret: bool


class CorrectOptions(TypedDict, total=False):
    """Options of `Ledger.correct`."""

    reason: str | None
    evidence: Iterable[str] | None
    again: bool
    expect: str | None
    allow_secret: bool


class PutOptions(TypedDict, total=False):
    """Options of `Shelf.put`."""

    expect: str | None
    operation: str | tuple[str, str] | None
    again: bool
    allow_secret: bool


class EditOptions(TypedDict, total=False):
    """Options of `Ledger.edit`."""

    priority: str | None
    ttl: str | None
    scope: str | None
    confidence: float | None
    expect: str | None


class RecallOptions(TypedDict, total=False):
    """Options of `Ledger.recall`."""

    scope: str | None
    type: str | None
    tag: str | None
    source: str | None
    session: str | None
    protocol: str | None
    profile: str | None
    budget: int | None
    dense: bool | None
    explain: bool
    all: bool
    include: Iterable[str]


class BriefOptions(TypedDict, total=False):
    """Options of `Ledger.brief`."""

    task: str | None
    agent: str | None
    budget: int | None


class ListFilters(TypedDict, total=False):
    """Filters of `Ledger.list`."""

    scope: str | None
    type: str | None
    tag: str | None
    status: str | None
    older_than: str | None
    unused_for: str | None
    private: bool


class LogFilters(TypedDict, total=False):
    """Filters of `Ledger.log` and `Ledger.follow`."""

    since: str | None
    until: str | None
    kind: Iterable[str]
    actor: str | None
