"""The memory record: a statement that is derived from events and can be cited.

The body of `Memory` is a table of the fields. A row has a field's name, type and default, and its
other properties. The rows define events' records, the fold, the columns of an index, the options of
`remember`, what `share`, `correct` and an import take over, and the JSON of a hit.
docs/architecture.md describes how to add a field.
"""

from __future__ import annotations

from varves.values.text import fold, keyed
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
# the trust in an event, by its origin
TRUST = {"direct": 3, "agent": 2, "repo": 2, "import": 1, "tool": 0}
TRUSTWORTHY = 2  # an event with less trust is kept and shown, but left out of default recall
SPLIT = "\x1f"  # separates the tags in a row of the index

# The forms of a value in an event; `varves.events.shapes` checks them
STRING = "string"
TEXT = "text"  # a string or null
NUMBER = "number"
WHOLE = "whole"  # a whole number
WORDS = "words"
OBJECTS = "objects"
LINKS = "links"

# How an index stores a field in a column
PLAIN = "plain"
LIST = "list"  # words, joined by SPLIT
JSON = "json"

# Operations that copy a memory's fields into a new record
SHARE = "share"
CORRECT = "correct"  # also used for the merged text that settles a conflict
BESIDE = "beside"  # if a person has edited a file, keeps the log's version as a second memory
IMPORT = "import"

_NEEDED: Any = object()
_BY_HAND = "by hand"


class FieldRow:
    """The properties of a memory's field besides its name and type.

    The rows are built at every start, so building one must be cheap.
    """

    default: Any = _NEEDED
    stored: str = ""
    """The field's form in a record; empty if the fold computes it."""
    key: str = ""
    """The field's name in a record, if it is different."""
    inherited: bool = False
    """Whether a record may omit the field; it then has the event's value or the default."""
    revised: str = ""
    """The field's form in the `set` of a revision; empty if no revision changes the field."""
    given: str = ""
    """The function of `varves.commands.intake` that checks the option of `remember`.

    It is empty if the field is no option.
    """
    edited: bool = False
    """Whether the field is also an option of `edit`, with the same check."""
    taken_by: tuple[str, ...] = ()
    """The operations that copy the field into a new record."""
    column: str = PLAIN
    """How an index stores the field in its column."""
    searched: float = 0
    """The weight of a word in this field in a search; 0 if the field is not searched."""
    free: bool = False
    """Whether the field is free text, which may contain a secret."""
    hit: int = 0
    """The field's position in the JSON of a hit; 0 if the JSON does not contain the field."""

    def __init__(self, about: dict[str, Any]) -> None:
        self.__dict__ = about


FIELDS: dict[str, FieldRow] = {}


def field(**about: Any) -> Any:
    """Return one row of the table of a memory's fields."""
    return FieldRow(about)


@dataclass_transform(kw_only_default=True, frozen_default=True, field_specifiers=(field,))
class _Table(Value):
    """Collects the fields that the class body of `Memory` defines, and their defaults."""

    def __init_subclass__(cls, **kwargs: object) -> None:
        for name in cls.__annotations__:
            row = FIELDS[name] = cls.__dict__[name]
            if row.default is _NEEDED:
                delattr(cls, name)
            else:
                setattr(cls, name, row.default)
        super().__init_subclass__(**kwargs)


class Memory(_Table):
    """A memory as computed from its events; unknown fields are None or empty."""

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
    topic: str | None = field(
        default=None,
        stored=TEXT,
        revised=TEXT,
        taken_by=(SHARE, CORRECT, BESIDE),
        searched=0.8,
        free=True,
        hit=18,
    )
    """What a decision is about, if its text is only the outcome."""
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
    """The branch of the other worktree that has the memory; None for a memory of this checkout."""

    def has_expired(self, now: str) -> bool:
        """Return whether the memory's validity has ended, regardless of its status."""
        return is_over(self.expires_at, now)

    @property
    def is_unfilled(self) -> bool:
        """Whether this is a protocol's document that nobody has filled in yet."""
        if "file" not in self.extra or self.text not in ("{}", self.summary):
            return False
        return _is_blank(self.extra.get("body"))

    @property
    def heading(self) -> str:
        """The topic of the memory, as shown before its text.

        It is empty if there is no topic or the text contains it.
        """
        topic = " ".join((self.topic or "").split())
        return "" if not topic or _names(self.text, topic) else topic

    @property
    def worded(self) -> str:
        """The text of the memory as readers get it: a structured content has its keys."""
        body = self.extra.get("body")
        if not isinstance(body, dict) or body.keys() <= {"text"}:
            return self.text
        return keyed(body, self.text) or self.text

    @property
    def titled(self) -> str:
        """The text of the memory as readers get it, with its topic before it."""
        return f"{self.heading}: {self.worded}" if self.heading else self.worded

    def is_current(self, now: str) -> bool:
        """Return whether the memory is active and has not expired."""
        return self.status == "active" and not self.has_expired(now)

    def taken(self, by: str) -> dict[str, Any]:
        """Return the fields that an operation such as `share` copies into a new record."""
        return {
            row.key or name: list(part) if isinstance(part := getattr(self, name), tuple) else part
            for name, row in FIELDS.items()
            if by in row.taken_by
        }


def _names(text: str, topic: str) -> bool:
    """Return whether a text contains its topic, or begins with the topic's last words.

    If a decision names no topic, the beginning of its message is used. That beginning may overlap
    with the text: "We decided that backups run" and "backups run at night".
    """
    said, about = fold(text), fold(topic)
    if f" {about} " in f" {said} ":
        return True
    held = about.split()
    return any(
        f"{said} ".startswith(f"{' '.join(held[at:])} ") for at in range(1, len(held) - 1)
    ) or about.endswith(f" {said}")


def _is_blank(part: Any) -> bool:
    if isinstance(part, dict):
        return all(map(_is_blank, part.values()))
    if isinstance(part, (list, tuple)):
        return all(map(_is_blank, part))
    return part is None or (isinstance(part, str) and not part.strip())


def is_over(expires_at: str | None, now: str) -> bool:
    """Return whether an expiry time has been reached; False if there is none."""
    return expires_at is not None and expires_at <= now
