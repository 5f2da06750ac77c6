"""The window's words: what a status, an event or a kind is called on a page, and when it was."""

from __future__ import annotations

import re
import time

from varves.values.instants import instant, is_instant

TYPE_CHECKING = False
if TYPE_CHECKING:
    from varves import Memory

STATUSES = {
    "active": "current",
    "superseded": "replaced",
    "flagged": "set aside",
    "forgotten": "forgotten",
    "proposed": "proposed",
    "archived": "put away",
    "expired": "no longer valid",
    "pruned": "put away",
    "quarantined": "not trusted yet",
    "purged": "erased",
}
IN_DISPUTE = "in dispute"  # of a memory that is part of an open conflict, whatever its status
_UUID = re.compile("[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}")
PERSON = "USER"  # the actor of the verbs that a person types
_SESSION = 8  # characters of a session's id that tell it from others
MARKS = {"active": "", "superseded": "old", "flagged": "open", "proposed": "wait"}
MARKS |= {"quarantined": "wait"}
# what somebody did, by the kind of the event with a space for its dot
DONE = {
    "memory recorded": "wrote",
    "memory proposed": "proposed",
    "memory shared": "shared",
    "memory unshared": "stopped sharing",
    "memory reinforced": "said again",
    "memory revised": "changed details",
    "memory decayed": "lowered",
    "memory linked": "linked",
    "memory superseded": "corrected",
    "memory merged": "merged",
    "memory promoted": "accepted",
    "memory forgotten": "forgot",
    "memory rejected": "ruled out",
    "memory flagged": "disputed",
    "memory archived": "put away",
    "memory expired": "let expire",
    "memory pruned": "put away",
    "memory restored": "brought back",
    "memory trusted": "trusted",
    "memory purged": "erased",
    "conflict resolved": "settled",
    "conflict detected": "noticed a conflict",
    "event undone": "undid",
    "context injected": "was shown memories",
    "talk said": "said",
    "message posted": "said",
    "proposal raised": "proposed",
    "proposal reacted": "answered a proposal",
    "proposal resolved": "settled a proposal",
    "log entry": "wrote",
    "session started": "began a session",
    "session ended": "ended a session",
    "task received": "took a task",
    "task completed": "finished a task",
    "task failed": "could not finish a task",
    "participant joined": "joined",
    "participant revised": "changed its part",
    "session continued": "went on with a session",
    "session recovered": "ended a session that was left open",
    "session noted": "took a note",
    "session archived": "put a session away",
    "stance changed": "changed its position",
    "relation observed": "noted who agrees with whom",
    "handoff created": "handed work over",
    "handoff consumed": "took work over",
    "summary created": "summed up",
    "file adopted": "took over an edit by hand",
    "log amended": "corrected",
    "log altered": "found changed by hand",
    "log archived": "put away",
    "finding waived": "let a finding be",
}
CONFLICTS = {
    "siblings": "several corrections of the same memory",
    "returned": "says again what was ruled out",
    "duplicate": "two that say the same",
    "update": "one may replace the other",
    "contradiction": "two that contradict each other",
}
WAITS = {
    "consent": ("setting", "counts once you agree", "settings"),
    "edited": ("edit by hand", "that is not recorded yet", "edits by hand"),
    "conflict": ("contradiction", "only you can say which one holds", "contradictions"),
    "quarantined": ("not trusted", "kept apart until you trust it", "not trusted"),
    "proposed": ("proposed", "counts once you accept it", "proposed"),
    "captured": ("heard in your sessions", "only on this computer until you share it", ""),
}
FATES = {
    "changed": "its code changed",
    "moved": "its code moved",
    "gone": "its code is gone",
    "unchanged": "code unchanged",
}
ORIGINS = {
    "direct": "said directly",
    "agent": "written by an agent",
    "repo": "read from a file of the project",
    "import": "imported",
    "tool": "from a tool",
}
_HOUSEKEEPING = (
    *("segment closed", "memory linked", "memory accessed", "detection run", "consolidation run"),
    *("model asked", "model called", "session revised", "log withheld"),
)
RELATIONS = {
    "agrees_with": "agrees",
    "disagrees_with": "disagrees",
    "complements": "completes",
}
PROPOSALS = {
    "active": "open",
    "accepted": "accepted",
    "rejected": "turned down",
    "modified": "changed into another",
}
FEATURES = {
    "words": "words",
    "peak": "best part",
    "pairs": "words together",
    "phrase": "exact words",
    "meaning": "meaning",
    "theme": "subject",
    "beside": "what stands beside",
    "recency": "recent",
    "confidence": "sure",
    "use": "used",
    "size": "length",
    "number": "a number",
    "scope": "near",
    "trust": "trusted",
    "date": "the date",
    "when": "the time",
    "related": "related words",
    "asks": "asks itself",
    "who": "who said it",
    "critical": "critical",
    "high": "important",
    "low": "less important",
}
_SETTINGS = {
    "capture": "Then what is heard in your sessions is written into the project's log, which git"
    " publishes. Until then it stays on this computer.",
    "hooks.protocols": "Then what agents say in your sessions is written into this protocol's"
    " files, which git publishes.",
    "bridges": "Then decisions of private conversations are shown in files that git publishes.",
    "teams": "Then memories of this team are read and written in this folder of your computer.",
}
_LEFT_OUT = {"superseded": "it was replaced", "quarantined": "it is not trusted yet"}


def status(memory: Memory, *, waits: bool = False) -> str:
    """Return the word for a memory's state."""
    return STATUSES["quarantined" if waits else memory.status]


def mark(word: str) -> str:
    """Return the class of the mark before a memory with this status."""
    return MARKS.get(word, "gone")


def is_housekeeping(kind: str) -> bool:
    """Return whether an event only keeps the record in order, so that no person has to see it."""
    return kind.replace(".", " ") in _HOUSEKEEPING


def done(kind: str) -> str:
    """Return what somebody did, in one or two words, for the kind of an event."""
    said = kind.replace(".", " ").replace("_", " ")
    return DONE.get(said, said)


def named(name: str) -> str:
    """Return the name of a writer or reader; the person of this window is "you"."""
    return "you" if name == PERSON else name


def discussion(name: str) -> str:
    """Return the title of a discussion that has no topic; that of an agent's session is its id."""
    return f"Session {name[:_SESSION]}" if _UUID.fullmatch(name) else name


def kept(where: str) -> str:
    """Return where a memory is kept, or the scope it is for."""
    level, _, name = where.partition(":")
    if level == "session":
        return f"session {name[:_SESSION]}"
    known = {"project": "whole project", "private": "only on this computer"}
    known["unshared"] = "not shared any more; the project's log has its text"
    return known.get(where) or ("all your projects" if where == "global" else where)


def seconds(text: str) -> float:
    """Return an ISO instant as seconds since 1970."""
    return instant(text) / 1000


def when(text: str, now: int) -> str:
    """Return an instant as a person says it: today 08:30, or Thu 12 Nov 14:10.

    Args:
        text: the ISO instant.
        now: the present, in milliseconds.
    """
    if not is_instant(text):
        return text
    then, here = time.localtime(seconds(text)), time.localtime(now / 1000)
    clock = time.strftime("%H:%M", then)
    if then[:3] == here[:3]:
        return f"today {clock}"
    year = "" if then.tm_year == here.tm_year else f" {then.tm_year}"
    return f"{day(then)}{year} {clock}"


def day(then: time.struct_time, *, long: bool = False) -> str:
    """Return a day: Thu 12 Nov, or in full Thursday 12 November."""
    return time.strftime(f"%A {then.tm_mday} %B" if long else f"%a {then.tm_mday} %b", then)


def short_day(then: time.struct_time, *, far: bool) -> str:
    """Return a day in few letters: Mon 9, or 9 Nov where several months are on the page."""
    return time.strftime(f"{then.tm_mday} %b" if far else f"%a {then.tm_mday}", then)


def clock(text: str) -> str:
    """Return the hour and minute of an instant."""
    return time.strftime("%H:%M", time.localtime(seconds(text)))


def counted(number: int, what: str) -> str:
    """Return a number with its noun: 1 memory, 1,200 memories."""
    many = what if number == 1 else f"{what[:-1]}ies" if what.endswith("ry") else f"{what}s"
    return f"{number:,} {many}"


def size(count: int) -> str:
    """Return a number of bytes as a person says it."""
    return f"{count:,} bytes" if count < 1000 else f"{count / 1000:,.0f} kB"


def feature(name: str) -> str:
    """Return the word for one part of a score."""
    return FEATURES.get(name, name)


def left_out(why: str) -> str:
    """Return why a memory is not in an answer."""
    if why in _LEFT_OUT:
        return _LEFT_OUT[why]
    return f"it is {STATUSES[why]}" if why in STATUSES else why


def setting(name: str) -> str:
    """Return what a setting of the project changes for the person who agrees to it."""
    key = {"hooks.capture": "capture"}.get(name, name)
    return _SETTINGS["teams" if name.startswith("teams.") else key]


def relation(kind: str, count: int | None = None) -> str:
    """Return how one agent relates to another, and how often that was seen."""
    says = RELATIONS.get(kind, kind.replace("_", " "))
    if count is None:
        return says
    return f"{says} {'once' if count == 1 else f'{count} times'}"
