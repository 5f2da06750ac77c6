"""Judge whether two statements say the same, update or contradict each other.

Two frames are compared word by word. What is shared is the subject; what differs decides. If the
only difference is a value, an excluding word or a denial, they contradict each other. If anything
else differs they are different, or there is no opinion: in doubt nothing is reported.
"""

from __future__ import annotations

from varves.language.english.nouns import AGENTS, ATTRIBUTES, EXCLUSIVE, KINDS, SINGLE
from varves.language.english.verbs import CHANGE_VERBS, WEAK
from varves.language.frames import Frame, Statement, is_soft, statement
from varves.language.tokens import canonical

__all__ = ["DIFFERENT", "Statement", "Verdict", "judge", "statement"]

DIFFERENT = "different"
_NUMBERS = frozenset(("number", "version"))
_NOT_VALUES = frozenset(("name",))
_TIMES = frozenset(("day", "time", "frequency", "date", "month"))
_MANY = frozenset(("support", "include", "contain", "return", "accept", "consume", "offer"))
_PLACED = frozenset(("office", "headquarters", "server", "lead", "team"))


class Verdict:
    """How a newer statement relates to an older one, and why."""

    __slots__ = ("kind", "reason")

    def __init__(self, kind: str, reason: str) -> None:
        self.kind = kind
        """same, update, contradiction or different"""
        self.reason = reason

    def __repr__(self) -> str:
        return f"{self.kind}: {self.reason}"


def _excluding() -> dict[str, set[str]]:
    found: dict[str, set[str]] = {}
    for row in EXCLUSIVE:
        words = row.split()
        for word in words:
            for key in {word, canonical(word)}:
                others = found.setdefault(key, set())
                for other in words:
                    if other != word and canonical(other) != canonical(word):
                        others |= {other, canonical(other)}
    return found


EXCLUDING = _excluding()


def judge(older: Statement, newer: Statement) -> Verdict | None:
    """Return how the newer statement relates to the older one; None: no opinion."""
    if older.asks or newer.asks:
        return None
    same = 0
    different = False
    for late in newer.frames:
        for old in older.frames:
            verdict = _compared(old, late)
            if verdict is None:
                continue
            if verdict.kind == DIFFERENT:
                different = True
            elif verdict.kind == "same":
                same += 1
            else:
                if verdict.kind == "contradiction" and newer.changed:
                    verdict.kind = "update"
                return verdict
    lost = _displaced(older, newer)
    if lost is not None:
        return lost
    if same and same >= len(older.frames) and same >= len(newer.frames):
        return Verdict("same", "says the same")
    if different and len(older.frames) == len(newer.frames) == 1:
        return Verdict(DIFFERENT, "about different things")
    return None


def _compared(old: Frame, late: Frame) -> Verdict | None:
    """Compare two frames."""
    shared = old.theme & late.theme
    common = _shared_values(old, late)
    if not shared and not common:
        return None
    if old.hedged or late.hedged or late.also or old.past:
        return None
    if old.conditional != late.conditional:
        return Verdict(DIFFERENT, "") if old.conditional and late.conditional else None
    pair = _Pair(old, late, shared)
    if not pair.weight:
        return None
    if old.against and late.against and old.negated == late.negated:
        return _swapped(old, late)
    if old.negated != late.negated:
        return _denied(pair)
    if late.changed and late.verb in CHANGE_VERBS:
        return _changed(pair)
    if old.only != late.only:
        return _narrowed(pair)
    if pair.bounded:
        return _bounded(pair)
    if pair.open:
        return None
    if not pair.gone and not pair.come:
        return _valued(pair)
    if pair.diffs:
        return Verdict(DIFFERENT, "") if pair.gone and pair.come else None
    return _replaced(pair)


class _Pair:
    """Two frames, and how they differ."""

    __slots__ = (
        *("bounded", "come", "core", "diffs", "gone", "late", "left", "old", "open", "right"),
        "weight",
    )

    def __init__(self, old: Frame, late: Frame, shared: set[str]) -> None:
        self.old, self.late = old, late
        self.gone = {word for word in old.theme - shared if not is_soft(word)}
        """Content words that only the older frame has."""
        self.come = {word for word in late.theme - shared if not is_soft(word)}
        self.core = {word for word in shared if not is_soft(word)}
        self.diffs: list[tuple[str, str, str]] = []
        """Values that differ: kind, older and newer text."""
        self.left: list[str] = []
        self.right: list[str] = []
        """Values of a kind that only one frame has."""
        self._compare_values()
        self.open = bool(self.left or self.right)
        self.weight = len(self.core) + len(_shared_values(old, late))
        self.bounded = old.bounds != late.bounds

    def _compare_values(self) -> None:
        ours, theirs = _by_kind(self.old), _by_kind(self.late)
        for kind in sorted(ours.keys() | theirs.keys()):
            mine, yours = ours.get(kind, {}), theirs.get(kind, {})
            left = [raw for size, raw in mine.items() if size not in yours]
            right = [raw for size, raw in yours.items() if size not in mine]
            if left and right:
                self.diffs.append((kind, left[0], right[0]))
            elif kind in KINDS:  # a tool against something that is not known as a tool
                self.gone |= {canonical(raw.casefold()) for raw in left}
                self.come |= {canonical(raw.casefold()) for raw in right}
            else:
                self.left += left
                self.right += right

    def role_of(self, frame: Frame, word: str) -> str:
        """Return the role of a content word or a tool."""
        found = frame.roles.get(word)
        if found is not None:
            return found
        return next((role for _, size, _, role in frame.values if size == word), "")

    def roles(self) -> tuple[set[str], set[str]]:
        """Return the roles of what only one frame has."""
        return (
            {self.role_of(self.old, word) for word in self.gone},
            {self.role_of(self.late, word) for word in self.come},
        )

    def reason(self) -> str:
        """Say what both are about, and how they differ."""
        about = " ".join(sorted((self.old.said.get(w, w) for w in self.core), key=str.lower)[:4])
        if self.diffs:
            return f"both say {about}: {self.diffs[0][1]}, {self.diffs[0][2]}"
        before = " ".join(sorted(_said(self.old, word) for word in self.gone))
        after = " ".join(sorted(_said(self.late, word) for word in self.come))
        return f"both say {about}: {before}, {after}" if before and after else f"both say {about}"


def _said(frame: Frame, word: str) -> str:
    return frame.said.get(word, word)


def _by_kind(frame: Frame) -> dict[str, dict[object, str]]:
    found: dict[str, dict[object, str]] = {}
    for kind, size, raw, _ in frame.values:
        found.setdefault("number" if kind in _NUMBERS else kind, {})[size] = raw
    return found


def _shared_values(old: Frame, late: Frame) -> set[tuple[str, object]]:
    return {(kind, size) for kind, size, *_ in old.values} & {
        (kind, size) for kind, size, *_ in late.values
    }


def _swapped(old: Frame, late: Frame) -> Verdict | None:
    """Compare two preferences: "tabs over spaces"."""
    if old.against & late.theme and late.against & old.theme:
        return Verdict("contradiction", "each prefers what the other rejects")
    if old.against == late.against and old.theme == late.theme:
        return Verdict("same", "says the same")
    return None


def _denied(pair: _Pair) -> Verdict | None:
    """Compare a statement with a denied one."""
    if pair.diffs or pair.bounded:
        return None
    denied, extra, more, less = (
        (pair.late, pair.come, pair.gone, pair.left)
        if pair.late.negated
        else (pair.old, pair.gone, pair.come, pair.right)
    )
    stated = pair.old if denied is pair.late else pair.late
    beyond = pair.right if denied is pair.late else pair.left
    if not extra and not beyond:
        if not more and not less:
            return Verdict("contradiction", "one says it, the other denies it")
        if len(pair.core) >= 2 and len(more) <= 2:  # what is denied in general, one case of it
            return Verdict("contradiction", "one says it, the other denies it")
        return None
    if stated.universal and not more and len(pair.core) >= 2 and not less:
        return Verdict("contradiction", "one says it of all, the other denies it of some")
    one, other = next(iter(pair.gone), ""), next(iter(pair.come), "")
    if len(pair.gone) == len(pair.come) == 1 and _exclude(one, other) and len(pair.core) > 1:
        before, after = pair.roles()
        if before == after == {"is"}:
            return Verdict("same", "says the same")
    return None


def _narrowed(pair: _Pair) -> Verdict | None:
    """Compare a statement with one that says "only"."""
    if pair.open or pair.bounded:
        return None
    plain = pair.late if pair.old.only else pair.old
    before, after = pair.roles()
    if len(pair.core) < 2 or len(before | after) > 1:
        return None
    if pair.gone and pair.come or (plain.universal and (pair.gone or pair.come)):
        return Verdict("contradiction", pair.reason())
    if pair.diffs:
        return Verdict("contradiction", pair.reason())
    return None


def _bounded(pair: _Pair) -> Verdict | None:
    """Compare two statements with different bounds: before and after, at least and at most."""
    if pair.gone or pair.come or pair.open or pair.diffs or len(pair.core) < 2:
        return None
    for one, other in (("before", "after"), ("least", "most"), ("over", "under")):
        bounds = pair.old.bounds ^ pair.late.bounds
        if bounds == {one, other}:
            return Verdict("contradiction", f"both say {pair.reason()[9:]}: {one}, {other}")
    return None


def _valued(pair: _Pair) -> Verdict | None:
    """Compare two frames about the same subject by their values."""
    old, late = pair.old, pair.late
    if not pair.diffs:
        if old.against != late.against or _roles_swapped(old, late):
            return None
        return Verdict("same", "says the same")
    if len(pair.diffs) > 1 and not {kind for kind, *_ in pair.diffs} <= _TIMES:
        return None
    kind = pair.diffs[0][0]
    if kind in _NOT_VALUES or _is_many(pair):
        return Verdict(DIFFERENT, "")
    return Verdict("contradiction", pair.reason())


def _is_many(pair: _Pair) -> bool:
    """Return whether a thing may have several of the values: "supports", "use … for"."""
    verbs = pair.old.verbs | pair.late.verbs
    if verbs & _MANY and not pair.old.only:
        return True
    kind = pair.diffs[0][0]
    roles = {role for frame in (pair.old, pair.late) for k, *_, role in frame.values if k == kind}
    return kind in KINDS and (roles == {"for"} or "subject" in roles)


def _roles_swapped(old: Frame, late: Frame) -> bool:
    """Return whether two words have exchanged the roles of subject and object."""
    if old.verb == "be" or late.verb == "be" or old.passive != late.passive:
        return False
    mine = {word for word, role in old.roles.items() if role == "subject"}
    yours = {word for word, role in late.roles.items() if role == "subject"}
    return bool(mine and yours and not mine & yours)


def _exclude(one: str, other: str) -> bool:
    return other in EXCLUDING.get(one, ())


def _replaced(pair: _Pair) -> Verdict | None:
    """Compare two frames that differ in words."""
    if not pair.gone or not pair.come:
        return None
    before, after = pair.roles()
    if len(pair.gone) == 1 and len(pair.come) == 1 and pair.core:
        one, other = next(iter(pair.gone)), next(iter(pair.come))
        if _exclude(one, other) and "subject" not in before & after:
            return Verdict("contradiction", pair.reason())
    if _agents(pair, before | after):
        return Verdict("contradiction", pair.reason())
    if len(before) != 1 or before != after:
        return Verdict(DIFFERENT, "")
    if _is_single(pair, next(iter(before))) and len(pair.gone) <= 4 and len(pair.come) <= 4:
        return Verdict("contradiction", pair.reason())
    return Verdict(DIFFERENT, "")


def _agents(pair: _Pair, roles: set[str]) -> bool:
    """Return whether two statements name two people for what one person has."""
    if not pair.core & AGENTS or len(pair.core) < 2:
        return False
    if len(pair.gone) > 2 or len(pair.come) > 2:
        return False
    return roles <= {"subject", "is", "by", "with"}


def _is_single(pair: _Pair, role: str) -> bool:
    """Return whether a place in both frames holds one value at a time."""
    old, late = pair.old, pair.late
    if old.verb == "be" == late.verb:
        return (role == "is" and bool(pair.core & ATTRIBUTES)) or (
            role == "in" and bool(pair.core & _PLACED)
        )
    verbs = old.verbs & late.verbs
    if not verbs and old.verb in WEAK and late.verb in WEAK:
        verbs = old.verbs | late.verbs
    return any((verb, role) in SINGLE for verb in verbs)


def _changed(pair: _Pair) -> Verdict | None:
    """Compare a statement with one that says that a thing got another value."""
    old, late = pair.old, pair.late
    about = {word for word, role in old.roles.items() if role in ("subject", "object", "verb")}
    about = {word for word in about if not is_soft(word)}
    missing = about - late.theme
    if len(missing) > len(about) // 3 or not pair.core:
        return None
    extra = {word for word in pair.come if late.roles.get(word) not in ("to", "from", "with")}
    if len(extra) > 1:
        return None
    if pair.diffs:
        return Verdict("update", pair.reason())
    to = {word for word in pair.come if late.roles.get(word) == "to"}
    if to and pair.gone:
        return Verdict("update", pair.reason())
    return None


def _displaced(older: Statement, newer: Statement) -> Verdict | None:
    """Find something of the older statement that the newer one says is gone."""
    if not newer.changed:
        return None
    words: set[str] = set()
    values: set[object] = set()
    for frame in newer.frames:
        words |= frame.theme
        values |= {size for _, size, *_ in frame.values}
    for old in older.frames:
        if old.negated or old.hedged:
            continue
        mine = {word for word in old.theme if not is_soft(word)}
        held = {size for _, size, *_ in old.values if isinstance(size, str)}
        shared = (mine & words) | (held & values)
        for late in newer.frames:
            what = _lost(late) & (mine | held)
            if what and len(shared) >= 2 and len(shared) * 2 >= len(mine) + len(held):
                return Verdict("update", f"{_said(old, min(what))} is gone")
    return None


def _lost(frame: Frame) -> set[str]:
    """Return the words that a frame says are gone."""
    if not frame.gone and not (frame.negated and frame.changed):
        return {word for word, role in frame.roles.items() if role == "from" and frame.changed}
    lost = {word for word, role in frame.roles.items() if role in ("object", "from", "subject")}
    return lost | {str(size) for _, size, _, role in frame.values if role in ("object", "from")}
