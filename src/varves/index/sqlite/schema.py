"""The tables of the index, all derived from the logs: a damaged file is simply rebuilt."""

from __future__ import annotations

from varves.log.sources import OWN_PURGES
from varves.values.memory import FIELDS as ROWS
from varves.values.memory import TRUSTWORTHY

# The columns of the table `memory` that store a Memory's fields, in the order of selection. For
# `branch`, the key of the source is stored, because the checked-out branch may change at any time.
FIELDS = tuple(ROWS)
COLUMNS = (*FIELDS, "flag", "hlc", "key", "away", "place", "entities", "cited", "grams", "view")
_WEIGHTS = {name: row.searched for name, row in ROWS.items() if row.searched}
_WEIGHTS |= {"entities": 0.5, "cited": 0.3, "grams": 1.0}
SEARCHED = tuple(sorted(_WEIGHTS, key=lambda name: -_WEIGHTS[name]))
# the weights of the counts of a word, by column
WEIGHTS = ", ".join(str(_WEIGHTS[name]) for name in SEARCHED)
# Increase this number if the content of a column changes. A change of the set of columns needs no
# new number.
VERSION = f"25 {' '.join((*COLUMNS, *SEARCHED))}"
ERASED = "not instr(line, ',\"data\":')"  # selects events whose content was purged
SAID_AGAIN = "instr(line, '\"instead\":')"  # selects events that stand in for a purged event
# Selects the events of the source that contains this clone's own purges.
KEPT = f"select l.event from part p join place l on l.part = p.n where p.source = '{OWN_PURGES}'"
OUT = "(held or away <> '' or not present)"  # selects events that do not count in this checkout
# For counting: as expressions, because SQLite would take an index of the columns themselves for
# queries with a better one.
STATUS, PROTOCOL = "coalesce(status, '')", "coalesce(protocol, '')"
# selects memories that no rule trusts; a query must use the same words for SQLite to use the index
QUARANTINED = f"not (trust >= {TRUSTWORTHY})"
TOLD = "told t join event e on e.id = t.event where e.present and not e.held"
ANY_VIEW = "select 1 from memory where view is not null limit 1"
TOKENS = "tokenize = 'porter unicode61'"

TABLES = f"""
create table meta (name text primary key, value text) without rowid;
create table source (key text primary key, mark blob) without rowid;
create table part (n integer primary key, source text, name text, mark blob, bytes int, closed int,
    events int, unique (source, name));
create index part_open on part (source) where not closed;
create index part_closed on part (source, n) where closed;
create table event (id text primary key, hlc text, writer text, time text, kind text, actor text,
    session text, log text, seq int, h text, line text, present int, held int,
    away text, protocol text) without rowid;
create index event_order on event (hlc, writer, id);
create index event_held on event (hlc) where held;
create index event_kind on event (kind, hlc);
create index event_talk on event (session, protocol, kind, hlc, present, held, away)
    where session is not null;
create index event_erased on event (protocol) where {ERASED};
create index event_apart on event (kind, hlc) where held or away <> '' or not present;
create table kind (name text primary key, count int, last text) without rowid;
create table talk (session text, protocol text, kind text, count int,
    primary key (session, protocol, kind)) without rowid;
create table place (part int, event text, mark text,
    primary key (part, event, mark)) without rowid;
create index place_event on place (event);
create table touch (memory text, event text, primary key (memory, event)) without rowid;
create index touch_event on touch (event);
create table head (log text, writer text, seq int, hlc text, h text,
    primary key (log, writer)) without rowid;
create table rejection (event text, key blob, memory text,
    primary key (event, key, memory)) without rowid;
create index rejection_key on rejection (key);
create index rejection_memory on rejection (memory);
create table lift (target text, event text, primary key (target, event)) without rowid;
create index lift_event on lift (event);
create table missing (source text, digest text, memory text,
    primary key (source, digest, memory)) without rowid;
create table fate (pointer text primary key, seen text, state text, path text, line int, why text,
    there text) without rowid;
create table told (memory text, event text, agent text, count int, last text,
    primary key (memory, event, agent)) without rowid;
create index told_event on told (event);
create table accessed (memory text, event text, count int, last text,
    primary key (memory, event)) without rowid;
create index accessed_event on accessed (event);
create table use (memory text primary key, count int, last text) without rowid;
create table arrival (n integer primary key, event text);
create table bad (part int, start int, stop int, reason text);
create table memory (n integer primary key, {", ".join(COLUMNS)});
create unique index memory_id on memory (id);
create index memory_key on memory (key);
create index memory_tally on memory ({STATUS}, hlc);
create index memory_expiring on memory (expires_at) where expires_at is not null;
create index memory_quarantined on memory (status) where {QUARANTINED};
create index memory_protocol on memory ({PROTOCOL});
create index memory_flag on memory (flag) where flag <> '';
create index memory_recent on memory (hlc);
create index memory_priority on memory (priority) where priority is not null;
create index memory_document on memory (source) where type = 'document';
create index memory_private on memory (hlc) where kept = 'private';
create index memory_scope on memory (scope) where scope <> 'project';
create index memory_lasting on memory (hlc)
    where nature in ('procedural', 'semantic') or category = 'preference';
create index memory_place on memory (session, place) where session is not null;
create index memory_view on memory (view) where view is not null;
create index memory_talk on memory (session, type, hlc) where session is not null;
create table pending (n integer primary key, keyed int);
create index pending_unkeyed on pending (n) where not keyed;
create table said (n int, key int, primary key (n, key)) without rowid;
create index said_key on said (key, n);
create table alike (newer text, older text, primary key (newer, older)) without rowid;
create index alike_older on alike (older);
create virtual table words using fts5({", ".join(SEARCHED)},
    content='memory', content_rowid='n', {TOKENS});
create virtual table vocabulary using fts5vocab(words, row);
create table vector (n integer primary key, seal blob, row blob);
"""
MADE = f"insert into meta values ('version', '{VERSION}');"  # without it, an index is not complete
MAKING = [f"{statement};" for statement in TABLES.strip().rstrip(";").split(";\n")]
_SMALL = "create index part_"  # the indexes of parts are small, and every reader needs them
# An index that is filled in bulk gets its indexes late: they are sorted once and written in order.
LATE = tuple(
    one
    for one in MAKING
    if one.startswith(("create index", "create unique index")) and not one.startswith(_SMALL)
)
EARLY = "".join(one for one in MAKING if one not in LATE)
