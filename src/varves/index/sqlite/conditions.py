"""Translates conditions into SQL over the tables `memory m` and `event`."""

from __future__ import annotations

from varves.index.sqlite.schema import ERASED, KEPT, SAID_AGAIN
from varves.values.memory import SPLIT, TRUSTWORTHY

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from varves.index.where import Beside, EventWhere, Trusted, Where

    Condition = tuple[str, list[Any]]

TAGGED = "instr(char(31) || m.tags || char(31), ?)"
HOLDS = "(m.expires_at is null or m.expires_at > ?)"
_CLONE = "substr({0}, 1, instr({0}, '.') - 1)"
_LAST_TOLD = "coalesce((select u.last from use u where u.memory = m.id), '')"
_ALIASES = (
    """instr(m.extra, '"aliases"')"""
    " and exists (select 1 from json_each(m.extra, '$.aliases') where value = ?)"
)
# the condition on the stamp is repeated, so that SQLite can use an index
_STAMP = "(select hlc from memory where id = ?)"
_FOLLOWS = f"m.hlc <= {_STAMP} and (m.hlc < {_STAMP} or m.id > ?)"
_MENTIONED = "lower(coalesce(m.summary, '') || char(31) || coalesce(m.tags, ''))"
# one parameter holds all words, because SQLite limits the depth of an expression
_MENTIONS = (
    f"exists (select 1 from (select {_MENTIONED} as said), json_each(?) where instr(said, value))"
)
# each of these columns must have one given value
_PLAIN = ("scope", "protocol", "type", "category", "session", "kept")
_NOTED = """instr(line, '"note":"')"""  # quotes within a text are escaped
_EVENT = ("actor", "session", "protocol", "log")


def is_trusted(rule: Trusted) -> Condition:
    """Return the SQL condition under which a memory is not quarantined."""
    where = f"m.trust >= {TRUSTWORTHY}"
    if rule.clones is None:
        return where, []
    known = marks(rule.clones)
    own = _CLONE.format("m.writer")
    vouched = _CLONE.format("coalesce(m.trusted, '.')")
    return f"{where} and ({own} in ({known}) or {vouched} in ({known}))", [*rule.clones] * 2


def of_memory(wish: Where) -> Condition:
    """Return the SQL condition over `m` for a query of memories."""
    found = _Condition()
    for name in _PLAIN:
        found.equal(f"m.{name}", getattr(wish, name))
    if wish.scope not in (None, "project"):
        found.where.append("m.scope <> 'project'")  # so that SQLite can use an index
    found.among("m.id", wish.ids)
    found.among("m.status", wish.statuses)
    found.add("m.id <> ?", wish.but)
    found.add(_FOLLOWS, *[wish.follows] * 3)
    if wish.within is not None:
        below = f"{wish.within}:"
        found.add("(m.scope = ? or substr(m.scope, 1, ?) = ?)", wish.within, len(below), below)
    for tag, form in ((wish.tag, TAGGED), (wish.without_tag, f"not {TAGGED}")):
        found.add(form, None if tag is None else tagged(tag))
    if wish.private is not None:
        found.where.append("m.kept = 'private'" if wish.private else "m.kept <> 'private'")
    found.add(HOLDS, wish.holds_at)
    _add_times(found, wish)
    _add_origin(found, wish)
    # SQLite folds the case of ASCII letters only.
    if wish.mentioning is not None and all(map(str.isascii, wish.mentioning)):
        from json import dumps

        words = dumps([word.lower() for word in wish.mentioning])
        found.take(f"(m.priority = ? or {_MENTIONS})", ["critical", words])
    found.add(_ALIASES, wish.alias)
    found.add("instr(folded(m.text), ?)", wish.saying)
    for link, form in ((wish.linked, "{0}"), (wish.without_link, "not ifnull({0}, 0)")):
        found.add(form.format("instr(m.links, ?)"), link and f'"{link}"')
    found.add("instr(m.extra, ?)", wish.withdraws and f'"withdraws": "{wish.withdraws}"')
    found.add("m.view = ?", wish.view_of)
    if wish.is_view:
        found.where.append("m.view is not null")
    if wish.beside is not None:
        found.take(*_beside(wish.beside))
    where, values = found.whole()
    return once(where, values) if wish.once else (where, values)


def _add_origin(found: _Condition, wish: Where) -> None:
    """Add what a query of memories says of where they came from, and whether that is trusted."""
    for rule, form in ((wish.trusted, "({})"), (wish.untrusted, "not ({})")):
        if rule is not None:
            where, values = is_trusted(rule)
            found.take(form.format(where), values)
    found.add("(m.created_by = ? or m.speaker = ?)", *[wish.by] * 2)
    found.add("instr(m.evidence, ?)", wish.cites and f'"path": {_json(wish.cites)}')
    found.add("(not m.away) = ?", wish.here)
    if wish.source is not None:
        after = wish.source[:-1] + chr(ord(wish.source[-1]) + 1)
        found.add("m.source >= ? and m.source < ?", wish.source, after)


def _add_times(found: _Condition, wish: Where) -> None:
    """Add what a query of memories says of their times and of their place in a listing."""
    over = "(m.status = 'expired' or (m.status = 'active' and m.expires_at <= ?))"
    # of active memories only; so SQLite can use an index
    found.add("m.expires_at <= ?" if wish.statuses == ("active",) else over, wish.over_at)
    found.add("m.created_at <= ?", wish.created_until)
    found.add("m.hlc <= ? and (m.hlc < ? or m.id > ?)", *_place(wish.listed_after))
    found.add(f"max(m.updated_at, {_LAST_TOLD}) <= ?", wish.used_until)


def _place(listed_after: tuple[str, str] | None) -> tuple[str | None, ...]:
    stamp, name = listed_after or (None, None)
    return stamp, stamp, name


def _json(text: str) -> str:
    """Return a text as it stands in a column of JSON."""
    from json import dumps

    return dumps(text, ensure_ascii=False)


def _beside(wish: Beside) -> Condition:
    of = "select t.scope from memory t where t.id in"
    where = (
        f"(m.session is not null or m.scope in ({marks(wish.scopes)})"
        f" or m.scope in ({of} ({marks(wish.memories)})))"
    )
    return where, [*wish.scopes, *wish.memories]


def once(where: str, values: list[Any]) -> Condition:
    """Return an SQL condition that matches one memory among those that show the same record."""
    before = "r.id = m.view or (r.view = m.view and (r.hlc, r.id) < (m.hlc, m.id))"
    seen = f"exists (select 1 from memory r where ({before}) and {where.replace('m.', 'r.')})"
    return f"{where} and (m.view is null or not {seen})", [*values, *values]


def of_event(wish: EventWhere) -> Condition:
    """Return the SQL condition over the table `event` for a query of events."""
    found = _Condition()
    found.among("id", wish.ids)
    found.among("kind", wish.kinds)
    for name in _EVENT:
        found.equal(name, getattr(wish, name))
    found.add("writer like ?", wish.clone and f"{wish.clone}.%")
    found.add("time >= ?", wish.since)
    found.add("time <= ?", wish.until)
    found.add("hlc > ?", wish.after)
    found.add("hlc < ?", wish.before)
    if wish.but_kinds is not None:
        found.take(f"kind not in ({marks(wish.but_kinds)})", [*wish.but_kinds])
    found.add("log <> ?", wish.but_log)
    for place, sign in (
        (wish.first, ">="),
        (wish.last, "<="),
        (wish.beyond, ">"),
        (wish.short_of, "<"),
    ):
        if place is not None:
            # the condition on the stamp is repeated, so that SQLite can use an index
            where = f"hlc {sign[0]}= ? and (hlc, writer, id) {sign} (?, ?, ?)"
            found.take(where, [place[0], *place])
    if wish.here is not None:
        found.where.append("away = ''" if wish.here else "away <> ''")
    if wish.held is not None:
        found.where.append("held" if wish.held else "not held")
    if wish.about is not None:
        about = f"id in (select event from touch where memory in ({marks(wish.about)}))"
        found.take(about, [*wish.about])
    if wish.arrived is not None:
        numbered = "id in (select event from arrival where n > ? and n <= ?)"
        found.take(numbered, [*wish.arrived])
    for wanted, where in (
        (wish.noted, _NOTED),
        (wish.erased, ERASED),
        (wish.said_again, SAID_AGAIN),
        (wish.kept_purge, f"id in ({KEPT})"),
    ):
        if wanted:
            found.where.append(where)
    return found.whole()


class _Condition:
    """An SQL condition under construction; parts without a value are left out."""

    def __init__(self) -> None:
        self.where: list[str] = []
        self.values: list[Any] = []

    def add(self, where: str, *values: Any) -> None:
        if values[0] is not None:
            self.take(where, [*values])

    def take(self, where: str, values: list[Any]) -> None:
        self.where.append(where)
        self.values += values

    def equal(self, column: str, value: Any) -> None:
        self.add(f"{column} = ?", value)

    def among(self, column: str, values: tuple[str, ...] | None) -> None:
        if values is not None:
            self.take(f"{column} in ({marks(values)})", [*values])

    def whole(self) -> Condition:
        return " and ".join(self.where) or "1", self.values


def tagged(tag: str) -> str:
    """Return the text that finds a tag in the joined tags of a row."""
    return f"{SPLIT}{tag}{SPLIT}"


def marks(values: Any) -> str:
    """Return as many SQL placeholders as there are values."""
    return ", ".join("?" * len(values))
