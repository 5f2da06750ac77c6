"""The memory record: one derived, citable statement, and the table of its fields.

The body of `Memory` is the table: a row is a field's name, type and default, and what else there is
to know of it. Events' records, the fold, the columns of an index, the options of `remember`, what
`share`, `correct` and an import take over, and the JSON of a hit are made from the rows. How to add
a field is in docs/architecture.md.
"""

from __future__ import annotations

from varves.values.value import Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, dataclass_transform
else:
    from varves.values.value import dataclass_transform

STATUSES = (
    "proposed",
    "active",
    "flagged",
    "superseded",
    "archived",
    "forgotten",
    "expired",
    "pruned",
)
PRIORITIES = ("critical", "high", "medium", "low")
TRUST = {"direct": 3, "agent": 2, "repo": 2, "import": 1, "tool": 0}  # how far, by origin
TRUSTWORTHY = 2  # below this an event is kept and shown, and out of default recall
SPLIT = "\x1f"  # between tags in a row

# Forms of a value in an event, judged by `varves.events.shapes`
STRING = "string"
TEXT = "text"  # a string or null
NUMBER = "number"
WHOLE = "whole"  # a whole number
WORDS = "words"
OBJECTS = "objects"
LINKS = "links"

# Columns of an index
PLAIN = "plain"
LIST = "list"  # words, joined by SPLIT
JSON = "json"

# What takes a memory's fields over into a new record
SHARE = "share"
CORRECT = "correct"  # also a merged text that settles a conflict
BESIDE = "beside"  # the version of the log, kept beside the one a person wrote into a file
IMPORT = "import"

_NEEDED: Any = object()
_BY_HAND = "by hand"


class FieldRow:
    """A row of the table, beside name and type; every start of a process makes them all."""

    default: Any = _NEEDED
    stored: str = ""
    """Its form in a record; empty where the fold works it out."""
    key: str = ""
    """Its name in a record, where that is another."""
    inherited: bool = False
    """What a record does not say of it, the event or the default does."""
    revised: str = ""
    """Its form in `set` of a revision; empty where nothing changes it."""
    given: str = ""
    """An option of `remember`: its check in `varves.commands.intake`, or that it is read there."""
    edited: bool = False
    """An option of `edit`, with the same check."""
    taken_by: tuple[str, ...] = ()
    """What takes it over into another record."""
    column: str = PLAIN
    """How an index stores it."""
    searched: float = 0
    """How much a word in it counts in a search; 0: it is not searched."""
    free: bool = False
    """Somebody's own words, which may hold a secret."""
    hit: int = 0
    """Its place in the JSON of a hit; 0: it is not there."""

    def __init__(self, about: dict[str, Any]) -> None:
        self.__dict__ = about


FIELDS: dict[str, FieldRow] = {}


def field(**about: Any) -> Any:
    """Return a row of the table."""
    return FieldRow(about)


@dataclass_transform(kw_only_default=True, frozen_default=True, field_specifiers=(field,))
class _Table(Value):
    """Takes the rows out of a class body, and leaves the defaults there."""

    def __init_subclass__(cls, **kwargs: object) -> None:
        for name in cls.__annotations__:
            row = FIELDS[name] = cls.__dict__[name]
            if row.default is _NEEDED:
                delattr(cls, name)
            else:
                setattr(cls, name, row.default)
        super().__init_subclass__(**kwargs)


class Memory(_Table):
    """A memory as folded from its events; what is unknown is None or empty."""

    id: str = field(stored=STRING, key="memory", given=_BY_HAND, taken_by=(SHARE, IMPORT), hit=1)
    text: str = field(
        stored=STRING,
        revised=STRING,
        given=_BY_HAND,
        taken_by=(SHARE, BESIDE, IMPORT),
        searched=1.0,
        free=True,
        hit=2,
    )
    summary: str | None = field(
        default=None,
        stored=TEXT,
        revised=TEXT,
        taken_by=(SHARE, BESIDE),
        searched=0.8,
        free=True,
        hit=3,
    )
    scope: str = field(
        default="project",
        stored=STRING,
        revised=STRING,
        given=_BY_HAND,
        edited=True,
        taken_by=(SHARE, CORRECT, BESIDE, IMPORT),
        hit=4,
    )
    protocol: str = field(
        default="core", stored=TEXT, inherited=True, taken_by=(SHARE, CORRECT), hit=5
    )
    type: str = field(
        default="note",
        stored=TEXT,
        inherited=True,
        revised=STRING,
        given="word",
        taken_by=(SHARE, CORRECT, BESIDE, IMPORT),
        hit=6,
    )
    nature: str = field(default="factual")
    category: str = field(default="note")
    tags: tuple[str, ...] = field(
        default=(),
        stored=WORDS,
        given="tags",
        taken_by=(SHARE, CORRECT, BESIDE, IMPORT),
        column=LIST,
        searched=0.6,
        free=True,
        hit=7,
    )
    priority: str | None = field(
        default=None,
        stored=TEXT,
        revised=TEXT,
        given="priority",
        edited=True,
        taken_by=(SHARE, CORRECT, BESIDE, IMPORT),
    )
    confidence: float | None = field(
        default=None,
        stored=NUMBER,
        revised=NUMBER,
        given="confidence",
        edited=True,
        taken_by=(SHARE, CORRECT, BESIDE, IMPORT),
        hit=8,
    )
    ttl: str | None = field(
        default=None,
        stored=TEXT,
        revised=TEXT,
        given="ttl",
        edited=True,
        taken_by=(SHARE, CORRECT, BESIDE),
    )
    expires_at: str | None = field(
        default=None, stored=TEXT, revised=TEXT, taken_by=(SHARE, BESIDE)
    )
    created_at: str = field(
        stored=TEXT, inherited=True, revised=STRING, taken_by=(SHARE, BESIDE), hit=9
    )
    created_by: str = field(stored=TEXT, inherited=True, revised=TEXT, taken_by=(SHARE, BESIDE))
    updated_at: str = field(stored=TEXT, inherited=True)
    updated_by: str = field()
    at: str = field(
        stored=TEXT,
        inherited=True,
        revised=STRING,
        given="moment",
        taken_by=(SHARE, IMPORT),
        hit=10,
    )
    speaker: str | None = field(
        default=None,
        stored=TEXT,
        given="word",
        taken_by=(SHARE, BESIDE, IMPORT),
        searched=0.3,
        free=True,
        hit=13,
    )
    session: str | None = field(
        default=None,
        stored=TEXT,
        inherited=True,
        given=_BY_HAND,
        taken_by=(SHARE, IMPORT),
        free=True,
        hit=14,
    )
    turn: int | None = field(default=None, stored=WHOLE, given="turn", taken_by=(SHARE, IMPORT))
    source: str | None = field(
        default=None, stored=TEXT, given="word", taken_by=(SHARE, BESIDE, IMPORT), free=True, hit=12
    )
    evidence: tuple[dict[str, Any], ...] = field(
        default=(), stored=OBJECTS, given=_BY_HAND, taken_by=(SHARE, BESIDE), column=JSON, free=True
    )
    links: dict[str, Any] = field(default={}, stored=LINKS, column=JSON)
    status: str = field(default="active", hit=11)
    reason: str | None = field(default=None, free=True)
    kept: str = field(default="project", hit=16)
    origin: str = field(default="direct", hit=15)
    trust: int = field(default=3)
    trusted: str | None = field(default=None)
    writer: str = field(default="")
    version: str = field(default="")
    reinforced: int = field(default=0)
    extra: dict[str, Any] = field(default={}, column=JSON, free=True)
    branch: str | None = field(default=None, hit=17)
    """Out in the other worktree this comes from; None for what this checkout holds."""

    def has_expired(self, now: str) -> bool:
        """Tell whether the time for which it holds is over, whatever else became of it."""
        return is_over(self.expires_at, now)

    def is_current(self, now: str) -> bool:
        """Tell whether it is active, and still holds."""
        return self.status == "active" and not self.has_expired(now)

    def taken(self, by: str) -> dict[str, Any]:
        """Return what is taken over of it into a record: by `share`, `correct` or another."""
        return {
            row.key or name: list(part) if isinstance(part := getattr(self, name), tuple) else part
            for name, row in FIELDS.items()
            if by in row.taken_by
        }


def is_over(expires_at: str | None, now: str) -> bool:
    """Tell whether an instant at which something ends has come; what has none does not end."""
    return expires_at is not None and expires_at <= now
