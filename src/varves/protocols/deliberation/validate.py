"""Validation of the saved states against the published rules; each breach is a finding."""

from __future__ import annotations

from varves.protocols.deliberation.saved_state import (
    AGENTS,
    DECISIONS,
    PROPOSALS,
    RULES,
    SUMMARIES,
    faults,
    parsed,
)
from varves.protocols.jsonfile import MEND, read_or_report
from varves.protocols.sessions import PRIVATE
from varves.values.answers import Finding

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from typing import Any

    from varves.protocols.deliberation.codec import DeliberationCodec
    from varves.protocols.deliberation.conversations import Conversation
    from varves.protocols.port import Core

KEYS = {
    SUMMARIES: (RULES[SUMMARIES], ("timestamp", "messageRange", "content")),
    DECISIONS: (RULES[DECISIONS], ("id", "timestamp", "topic", "outcome", "supportingAgents")),
    PROPOSALS: (
        RULES[PROPOSALS],
        ("id", "timestamp", "proposer", "content", "status", "reactions"),
    ),
    AGENTS: (RULES[AGENTS], ("lastPosition", "keyContributions", "messageCount")),
}
"""For each part of a state, its rule and its required keys."""
_EDIT = "edit the file; the next command records the edit"
_REBUILD = "varves rebuild"
# Git ignores the file, so that it cannot be restored from git.
_MEND = "fix the JSON by hand, or delete the file and run `varves rebuild`"


def validate(
    core: Core, codec: DeliberationCodec, known: Mapping[str, Conversation]
) -> tuple[Finding, ...]:
    """Return the breaches in the saved states.

    Summaries that two clones made of one shared conversation may overlap after a merge.
    """
    found: list[Finding] = []
    files = core.files()
    shared = {codec.path_of(name) for name, one in known.items() if one.log != PRIVATE}
    for path in sorted(files):
        found += _file(path, files[path], may_overlap=path in shared)
    for name in known:
        path = codec.path_of(name)
        if path not in files:
            message = "the saved state is missing"
            found.append(Finding(rule="S4-52", place=path, message=message, fix=_REBUILD))
    return tuple(found)


def _file(path: str, raw: bytes, *, may_overlap: bool) -> Iterator[Finding]:
    document = read_or_report(path, raw, "S4-51", parsed)
    if isinstance(document, Finding):
        yield document if document.fix != MEND else document.replace(fix=_MEND)
        return
    missing = [key for key in KEYS if key not in document]
    if missing:
        message = f"without {', '.join(missing)}"
        yield Finding(rule="S4-04", place=path, message=message, fix=_EDIT)
    for key, (rule, wanted) in KEYS.items():
        part = document.get(key) or {}
        pairs = part.items() if isinstance(part, dict) else enumerate(part)
        for name, one in pairs:
            where = f"{path}: {key}[{name}]"
            missing = [name for name in wanted if name not in one] if isinstance(one, dict) else []
            found = dict.fromkeys(faults(key, one))
            if missing:  # this includes that it says nothing
                found = {each: None for each in found if not each[1].startswith("without ")}
                found[rule, f"without {', '.join(missing)}"] = None
            for broken, message in found:
                yield Finding(rule=broken, place=where, message=message, fix=_EDIT)
    yield from _ids(path, document)
    yield from _ranges(path, document.get(SUMMARIES) or [], may_overlap=may_overlap)


def _ids(path: str, document: dict[str, Any]) -> Iterator[Finding]:
    """Report ids that occur twice."""
    for key, rule in ((DECISIONS, "S4-07"), (PROPOSALS, "S4-08")):
        names = [one.get("id") for one in document.get(key) or () if isinstance(one, dict)]
        twice = sorted({str(name) for name in names if names.count(name) > 1})
        if twice:
            message = f"two records have the id {twice[0]}"
            yield Finding(rule=rule, place=f"{path}: {key}", message=message, fix=_EDIT)


def _ranges(path: str, summaries: list[Any], *, may_overlap: bool) -> Iterator[Finding]:
    """Report ranges that skip messages or cover them twice."""
    spans: list[Any] = [one.get("messageRange") for one in summaries if isinstance(one, dict)]
    last = None
    for place, span in enumerate(spans):
        fits = isinstance(span, list) and len(span) > 1 and all(type(one) is int for one in span)
        follows = not fits or last is None or span[0] == last + 1
        if not fits or not (follows or (may_overlap and span[0] <= last)):
            message = f"messageRange {span} does not follow {last}" if fits else "no range"
            where = f"{path}: {SUMMARIES}[{place}]"
            yield Finding(rule="S4-06", place=where, message=message, fix=_EDIT)
        last = max(span[1], last or 0) if fits else last
