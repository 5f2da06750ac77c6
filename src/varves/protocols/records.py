"""The table of a published record's fields: its files are written, read and checked by it.

A protocol lists the keys of a record once, in their order. Each row says which field of the memory
has the value, how the value is read and shown, what breaks the published rules, and how git's merge
driver merges it. Rules of only one protocol are functions next to its table.

A value that breaks a rule is recorded as a person wrote it. A value that cannot be recorded, or
that the file would show differently, is stored in `unknown` with the keys that are not published,
and the file shows it unchanged.
"""

from __future__ import annotations

from varves.errors import VarvesError
from varves.protocols.threeway import ABSENT, chosen, fields
from varves.protocols.unreadable import Unreadable
from varves.values.instants import instant, iso
from varves.values.value import Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from typing import Any

    from varves.protocols.threeway import Rule
    from varves.values.memory import Memory

    Read = Callable[[Any], Any]
    """Returns a file's value as a record stores it; None, or an error, if no record can."""
    Fault = Callable[[Any, Any], str]
    """Returns what is wrong with a value, given the protocol's options; empty if nothing is."""

_LONGEST = 8 << 20  # bytes of a text, as for every memory
_TO_THE_SECOND = 19  # length of an instant up to the seconds
_UNFIT = (VarvesError, AttributeError, TypeError, ValueError, OverflowError, OSError)


class PublishedField(Value):
    """One row of a table: a published key, and the field of the record that has its value."""

    key: str
    name: str = ""
    """The field of the record; empty if the value is derived, so that no edit changes it."""
    read: Read | None = None
    """Reads the value from a file; None if it is stored as found."""
    show: Callable[[Any], Any] | None = None
    """Returns the value for a file; None if it is shown as stored."""
    default: Any = ABSENT
    """Recorded if a file has no value that can be recorded; ABSENT if nothing is."""
    faults: tuple[tuple[str, Fault], ...] = ()
    """The published rules of the value, each with what breaks it; the first broken one counts."""
    merge: Rule | None = None
    """How three versions are merged; None for the version that changed it last."""

    def shown(self, value: Any) -> Any:
        """Return a recorded value as its file shows it."""
        return value if self.show is None else self.show(value)

    def take(self, value: Any) -> Any:
        """Return a file's value as a record stores it; ABSENT if no record can."""
        if self.read is None:
            return value
        try:
            found = self.read(value)
        except _UNFIT:
            return ABSENT
        return ABSENT if found is None else found


class FoundRecord(Value):
    """The content of a file about one record."""

    said: dict[str, Any]
    """The values by field of the record."""
    unknown: dict[str, Any]
    """What a record shows as found: other keys, and published ones with an invalid value."""
    invalid: tuple[str, ...]
    """The keys whose values cannot be recorded."""


class RecordTable:
    """The published keys of one kind of record, in their order.

    Args:
        rows: the fields.
        rule: the published rule that requires all keys.
    """

    def __init__(self, *rows: PublishedField, rule: str = "") -> None:
        self.rows = rows
        self.rule = rule
        self.keys = tuple(row.key for row in rows)
        self.by_key = {row.key: row for row in rows}
        self._known = frozenset(self.keys)

    # Files

    def encode(
        self, memory: Memory, given: dict[str, Any], more: dict[str, Any] | None = None
    ) -> dict[str, Any]:
        """Return a memory as its file shows it.

        Args:
            memory: the memory.
            given: published values that do not follow from the memory alone.
            more: keys that only some records have; they follow the published ones.
        """
        unknown = unknown_of(memory)
        shown = {}
        for row in self.rows:
            key = row.key
            if key in given:
                shown[key] = given[key]
            elif key in unknown:
                shown[key] = unknown[key]
            else:
                shown[key] = row.shown(stored(memory, row.name))
        if more:
            shown |= more
        return shown | self.rest(unknown)

    def decode(self, content: dict[str, Any], **defaults: Any) -> FoundRecord:
        """Return the content of a file about one record; `defaults` are by field of the record."""
        said, unknown, invalid = {}, self.rest(content), []
        for row in self.rows:
            key, name = row.key, row.name
            if not name:
                continue
            value = row.take(content[key]) if key in content else ABSENT
            if key in content and (value is ABSENT or row.shown(value) != content[key]):
                unknown[key] = content[key]
            if key in content and value is ABSENT:
                invalid.append(key)
            if value is ABSENT:
                value = defaults.get(name, row.default)
            if value is not ABSENT:
                said[name] = value
        return FoundRecord(said=said, unknown=unknown, invalid=tuple(invalid))

    def rest(self, content: dict[str, Any]) -> dict[str, Any]:
        """Return the keys of a record that are not published."""
        return {key: part for key, part in content.items() if key not in self._known}

    # Rules

    def faults(self, content: dict[str, Any], options: Any = None) -> Iterator[tuple[str, str]]:
        """Yield the published rules that a file's values break, each with the problem."""
        for row in self.rows:
            if row.key in content:
                told = ((rule, fault(content[row.key], options)) for rule, fault in row.faults)
                yield from [(rule, message) for rule, message in told if message][:1]

    def missing(self, content: Any) -> Iterator[tuple[str, str]]:
        """Yield the rule that requires an object with all keys, and what is missing."""
        if not isinstance(content, dict):
            yield self.rule, "not an object"
        elif missing := [key for key in self.keys if key not in content]:
            yield self.rule, f"without {', '.join(missing)}"

    def merge(self, *, stamp: str = "") -> Rule:
        """Return the rule by which git's merge driver merges three versions of a record."""
        rules = {row.key: row.merge for row in self.rows if row.merge is not None}
        return fields(rules, stamp=stamp, other=chosen)


def stored(memory: Memory, name: str) -> Any:
    """Return a field of a record; None if the record does not have it."""
    value = getattr(memory, name, ABSENT)
    return memory.extra.get(name) if value is ABSENT else value


def unknown_of(memory: Memory) -> dict[str, Any]:
    """Return the parts of a memory that its file shows exactly as a person wrote them."""
    return object_of(memory.extra.get("unknown"))


def listed(document: dict[str, Any], key: str, noun: str) -> list[dict[str, Any]]:
    """Return a file's list of records whose `content` is text.

    Raises:
        Unreadable: it is not such a list, or a text is too long to be recorded.
    """
    found = document.get(key)
    if not isinstance(found, list):
        raise Unreadable(f"{key} is not a list")
    for place, one in enumerate(found, 1):
        if not isinstance(one, dict) or not isinstance(one.get("content"), str):
            raise Unreadable(f"{noun} {place} is not an object whose content is text")
        if len(one["content"].encode()) > _LONGEST:
            raise Unreadable(f"the content of {noun} {place} is longer than 8 MiB")
    return found


# Values


def only(fits: Callable[[Any], bool]) -> Read:
    """Return a function that returns a value unchanged if it fits."""
    return lambda value: value if fits(value) else None


def unless(fits: Callable[[Any], bool], message: str) -> Fault:
    """Return a check that returns `message` for a value that does not fit."""
    return lambda value, _: "" if fits(value) else message


def one_of(key: str, words: tuple[str, ...]) -> Fault:
    """Return a check that returns the fault of a value that is not one of some words."""
    return unless(lambda value: value in words, f"{key} is not one of {', '.join(words)}")


def is_word(value: Any) -> bool:
    """Return whether a value is a text that is not blank."""
    return isinstance(value, str) and bool(value.strip())


def is_unit(value: Any) -> bool:
    """Return whether a value is a number from 0 to 1."""
    return isinstance(value, (int, float)) and not isinstance(value, bool) and 0 <= value <= 1


def is_count(value: Any) -> bool:
    """Return whether a value is a whole number of 0 or more."""
    return type(value) is int and value >= 0


def unit(value: Any) -> float | None:
    """Read a number from 0 to 1; return None for any other value."""
    return float(value) if is_unit(value) else None


def text_of(value: Any) -> str:
    """Return a text; empty for any other value."""
    return value if isinstance(value, str) else ""


def texts(value: Any) -> tuple[str, ...]:
    """Return the texts of a list; empty for any other value."""
    return tuple(one for one in value if isinstance(one, str)) if isinstance(value, list) else ()


def object_of(value: Any) -> dict[str, Any]:
    """Return an object; empty for any other value."""
    return value if isinstance(value, dict) else {}


def moment(value: Any) -> str | None:
    """Read an instant into the core's form; return None for any other value."""
    try:
        found = iso(instant(value)) if isinstance(value, str) else None
        if found is not None:
            instant(found)  # in UTC it may be outside the range of dates
        return found
    except _UNFIT:
        return None


def seconds(time: str) -> str:
    """Return an instant of the core without milliseconds, as most published files show it."""
    return f"{time[:_TO_THE_SECOND]}Z"
