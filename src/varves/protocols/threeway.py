"""Merges three versions of a published file: the common base, ours and theirs.

Git calls this before the other side's log is in the work tree, so the three versions are all there
is. A form says which part of a file a protocol owns. Merging makes this part equal in all three
versions; git then merges the rest of the file as text. If the protocol owns the whole file, nothing
is left to merge.

A rule merges the values of one key. If only one side changed a value, the changed value is taken.
If both sides changed it, the value of the record with the later stamp is taken. All rules give the
same value in either direction.
"""

from __future__ import annotations

from varves.values.value import Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence
    from typing import Any

    Rule = Callable[[Any, Any, Any, int], Any]
    """Merges base, ours and theirs; the last argument is 1 if ours is later, -1 if theirs is."""
    Key = Callable[[Any], Any]
    Check = Callable[[dict[str, Any]], object]
    """Raises `Unreadable` if an object does not have the form."""

ABSENT: Any = type("Absent", (), {"__slots__": (), "__repr__": lambda _: "ABSENT"})()
"""The value of a key or record that a version does not have."""


class Versions(Value):
    """Three versions of a file."""

    origin: bytes
    """The common version; empty if there is none."""
    ours: bytes
    theirs: bytes


class Form(Value):
    """One form of published file."""

    patterns: tuple[str, ...]
    """Its paths, as git's attributes name them, below the project's root."""
    fits: Callable[[str], bool]
    """Whether a path below the root has this form."""
    settled: Callable[[Versions], Versions]
    """Makes the protocol's part equal in all versions.

    Raises:
        Unreadable: a version does not have this form; git merges the file as text.
    """


def whole(content: bytes) -> Versions:
    """Return versions that leave git nothing to merge."""
    return Versions(origin=content, ours=content, theirs=content)


def parsed(content: bytes, check: Check) -> dict[str, Any]:
    """Return the object in one version; a missing version is an empty object.

    Raises:
        Unreadable: it is not strict JSON, or does not have the form.
    """
    from varves.protocols.jsonfile import read_object

    if not content:
        return {}
    found = read_object(content)
    check(found)
    return found


def settled_object(
    versions: Versions,
    rule: Rule,
    *,
    check: Check,
    finish: Callable[[dict[str, Any], Sequence[dict[str, Any]]], dict[str, Any]] | None = None,
) -> Versions:
    """Merge a file that is one JSON object.

    Args:
        versions: the three versions.
        rule: the rule of the object.
        check: raises `Unreadable` if an object does not have the form.
        finish: changes the merged object, given all three.

    Raises:
        Unreadable: a version cannot be read, or the merged file could not be.
    """
    from varves.protocols.jsonfile import read_object, written

    found = [parsed(one, check) for one in (versions.origin, versions.ours, versions.theirs)]
    origin, ours, theirs = found
    made = rule(origin, ours, theirs, 0)
    content = written(finish(made, found) if finish is not None else made)
    read_object(content)
    return whole(content)


def keep_ours(versions: Versions) -> Versions:
    """Keep our version of a generated file, because the next verb that writes renders it."""
    return whole(versions.ours)


# Rules


def chosen(origin: Any, ours: Any, theirs: Any, later: int) -> Any:
    """Take the changed value; if both sides changed it, a removal, or else the later value."""
    if _same(ours, theirs) or _same(theirs, origin):
        return ours
    if _same(ours, origin):
        return theirs
    if ABSENT in (ours, theirs) and origin is not ABSENT:
        return ABSENT
    if not later or ABSENT in (ours, theirs):
        later = 1 if _text(ours) > _text(theirs) else -1
    return ours if later > 0 else theirs


def counted(origin: Any, ours: Any, theirs: Any, later: int) -> Any:
    """Return the count of the base plus the increments of both sides."""
    if not (_is_count(ours) and _is_count(theirs)):
        return chosen(origin, ours, theirs, later)
    return max(0, ours + theirs - (origin if _is_count(origin) else 0))


def latest(origin: Any, ours: Any, theirs: Any, later: int) -> Any:
    """Take the later time."""
    if not (isinstance(ours, str) and isinstance(theirs, str)):
        return chosen(origin, ours, theirs, later)
    return max(ours, theirs)


def earliest(origin: Any, ours: Any, theirs: Any, later: int) -> Any:
    """Take the changed time; if both sides changed it, the earlier of the two."""
    if isinstance(ours, str) and isinstance(theirs, str) and origin not in (ours, theirs):
        return min(ours, theirs)
    return chosen(origin, ours, theirs, later)


def joined(origin: Any, ours: Any, theirs: Any, later: int) -> Any:
    """Merge a list of values: keep what either side added, drop what either side removed."""
    if not (isinstance(ours, list) and isinstance(theirs, list)):
        return chosen(origin, ours, theirs, later)
    was = {_text(one): one for one in origin} if isinstance(origin, list) else {}
    one, other = ({_text(part): part for part in side} for side in (ours, theirs))
    kept = {key: part for key, part in was.items() if key in one and key in other}
    more = {key: part for key, part in {**one, **other}.items() if key not in was}
    return [*kept.values(), *(more[key] for key in sorted(more))]


def fields(rules: Mapping[str, Rule], *, stamp: str = "", other: Rule = chosen) -> Rule:
    """Return the rule of an object: each key by its own rule, all others by one.

    Args:
        rules: the rules by key.
        stamp: the key with the time of the object's last change.
        other: the rule of all other keys.
    """

    def merge(origin: Any, ours: Any, theirs: Any, later: int) -> Any:
        if not (isinstance(ours, dict) and isinstance(theirs, dict)):
            return chosen(origin, ours, theirs, later)
        was = origin if isinstance(origin, dict) else {}
        later = _later(ours.get(stamp), theirs.get(stamp)) or later
        parts = {
            key: rules.get(key, other)(
                was.get(key, ABSENT), ours.get(key, ABSENT), theirs.get(key, ABSENT), later
            )
            for key in _keys(ours, theirs)
        }
        return {key: part for key, part in parts.items() if part is not ABSENT}

    return merge


def records(key: Key, rule: Rule, *, order: Key, fresh: Key | None = None) -> Rule:
    """Return the rule of a list of records; it puts records of the base first, then added ones.

    Args:
        key: the identity of a record.
        rule: the rule of each record.
        order: the order of added records; among equals, each side keeps its own.
        fresh: the identity of an added record, if `key` does not distinguish added records.
    """

    def merge(origin: Any, ours: Any, theirs: Any, later: int) -> Any:
        if not (isinstance(ours, list) and isinstance(theirs, list)):
            return chosen(origin, ours, theirs, later)
        was, one, two = (_by(key, side) for side in (origin, ours, theirs))
        kept = [
            rule(was[name], one[name], two[name], later)
            for name in was
            if name in one and name in two
        ]
        places: dict[Any, Any] = {}
        sides = []
        for side in (one, two):
            added = [part for name, part in side.items() if name not in was]
            sides.append(_by(fresh or key, added))
            for place, (name, part) in enumerate(sides[-1].items()):
                at = order(part), place, _text(part)
                places[name] = min(at, places.get(name, at))
        more = [
            rule(ABSENT, sides[0][name], sides[1][name], later)
            if name in sides[0] and name in sides[1]
            else sides[0].get(name, sides[1].get(name))
            for name in sorted(places, key=places.__getitem__)
        ]
        return [*kept, *more]

    return merge


def _by(key: Key, side: Any) -> dict[Any, Any]:
    """Return the records of a list by key; records with equal keys are numbered."""
    found: dict[Any, Any] = {}
    seen: dict[Any, int] = {}
    for one in side if isinstance(side, list) else ():
        name = key(one)
        seen[name] = seen.get(name, -1) + 1
        found[name, seen[name]] = one
    return found


def _keys(ours: dict[str, Any], theirs: dict[str, Any]) -> list[str]:
    """Return the keys of both objects, in the same order in either direction."""
    if list(ours) == list(theirs):
        return list(ours)
    first, second = sorted((ours, theirs), key=lambda one: (-len(one), list(one)))
    return list({**first, **second})


def _later(ours: Any, theirs: Any) -> int:
    if not (isinstance(ours, str) and isinstance(theirs, str)) or ours == theirs:
        return 0
    return 1 if ours > theirs else -1


def _is_count(part: Any) -> bool:
    return isinstance(part, int) and not isinstance(part, bool)


def _same(one: Any, other: Any) -> bool:
    return one is other or (type(one) is type(other) and bool(one == other))


def _text(part: Any) -> str:
    from json import dumps

    return "" if part is ABSENT else dumps(part, sort_keys=True)
