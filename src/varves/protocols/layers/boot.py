"""Boot: the rules, the state of the work, and the graph, all read from files.

Only boot reads AGENTS.md and notes its rules for the session. Then it compares the log and computes
both views. It changes no file that git tracks, because git refuses to pull over such a change; a
missing view, or one that git does not track, is written if its bytes differ.
"""

from __future__ import annotations

from collections import Counter

from varves.errors import NotFound
from varves.protocols.layers.adoption import ARCHIVE, LOG, Seen, look, record
from varves.protocols.layers.blocks import START, UPRIGHT
from varves.protocols.layers.composition import opening
from varves.protocols.layers.constraints import AGENTS, NO_RULES, SECTION, Rules, rules
from varves.protocols.layers.current_log import as_merged
from varves.protocols.layers.handoffs import untaken
from varves.protocols.layers.known import parsed
from varves.protocols.layers.last_look import Standing, note_look, standing
from varves.protocols.layers.minutes import put_in_order
from varves.protocols.layers.options import options_of
from varves.protocols.layers.session_note import LEFT, booted, keep_booted
from varves.protocols.layers.times import soonest_wrong
from varves.protocols.layers.views import TOUCHED, VIEWS, draw, redraw, tells
from varves.values.instants import iso
from varves.values.value import Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from varves.protocols.layers.blocks import Changelog
    from varves.protocols.layers.views import Drawn, Redrawn
    from varves.protocols.port import Core
    from varves.protocols.tree import Tree

FOLDER = ".memory"
IGNORE = f"{FOLDER}/.gitignore"
IGNORED = b"handoff.json\n"
_MERGE = "varves rebuild merges the events of both branches"


class LayersFiles(Value):
    """The files of the protocol after `init`."""

    created: tuple[str, ...]
    found: tuple[str, ...]
    missing: tuple[str, ...]
    """Files that only a person writes: AGENTS.md."""


class Booted(Value):
    """The state an agent starts from."""

    session: str
    constraints: dict[str, list[str]]
    """The rules of AGENTS.md: do, dont, naming, workflow, files."""
    other: dict[str, list[str]]
    """The rules of AGENTS.md below other headings, by heading."""
    unread: tuple[str, ...]
    """Paragraphs and code of AGENTS.md from which no rule was read."""
    context: str
    """context.md for the current log."""
    graph: dict[str, int]
    """The number of entities and of relations."""
    stale: tuple[str, ...]
    """The views that did not show the current log, each with the reason."""
    regenerated: tuple[str, ...]
    adopted: tuple[str, ...]
    """The entries of the log that were recorded by this boot."""
    findings: tuple[str, ...]
    warnings: tuple[str, ...]
    drafts: tuple[str, ...]
    """Proposed events for text that was written into a view by hand."""


class RulesShown(Value):
    """What was read from AGENTS.md."""

    constraints: dict[str, list[str]]
    other: dict[str, list[str]]
    unread: tuple[str, ...]


def init(core: Core, *, begin: bool = False) -> LayersFiles:
    """Create the log and the views if they are missing; a second call changes nothing.

    AGENTS.md is written by people, never by this verb. A CHANGELOG.md without events is a
    different kind of file and is not changed.
    """
    core.begin()
    tree = core.tree
    before = _lying(tree)
    seen = look(core, options_of(core), thorough=True)
    if before[LOG] is None and not _was_there(seen, before):
        tree.replace(LOG, opening().encode(), seen=None)
    elif seen.lies is not None and not seen.log.is_log:
        if not seen.lies.strip() or begin:
            tree.replace(LOG, _begun(seen.log), seen=seen.lies)
        else:
            core.notes.append(
                f"{LOG} contains no events and is not changed; --begin starts a log in it"
            )
    _ignore(core)
    seen = look(core, options_of(core), thorough=True)
    drawn = draw(core, seen.log, options_of(core))
    if not seen.log.markers and not _was_there(seen, before):
        redraw(core, drawn, options=options_of(core))
    core.notes += [found.line for found in seen.findings]
    if before[AGENTS] is None:
        core.notes.append(
            f"there is no {AGENTS}: varves layers agents-section prints a section for it"
        )
    there = [path for path, content in _lying(tree).items() if content is not None]
    return LayersFiles(
        created=tuple(path for path in there if before[path] is None),
        found=tuple(path for path in there if before[path] is not None),
        missing=tuple(path for path in before if path not in there),
    )


def boot_reading(core: Core) -> Booted:
    """Return the state to start from in a read-only checkout; nothing is written."""
    told = _rules(core)
    core.notes.append("the checkout is read-only: nothing is recorded or regenerated")
    seen = look(core, options_of(core), thorough=True)
    drawn = draw(core, as_merged(core, seen.log), options_of(core))
    return _ready(core, told, seen, drawn, made=None)


def _rules(core: Core) -> Rules:
    """Return the rules; none if the project has a log and never had an AGENTS.md."""
    content = core.tree.consult(AGENTS)
    if content is not None:
        return rules(content)
    noted = (booted(core) or {}).get("digest", NO_RULES)
    never = noted == NO_RULES and core.tree.whereabouts([AGENTS])[AGENTS] == "never"
    if not never or core.tree.read(LOG) is None:
        hint = "write it; varves layers agents-section prints a part of it"
        if never:
            hint += ". varves layers init begins without one"
        raise NotFound(f"there is no {AGENTS}, which contains the rules for agents", hint)
    warning = f"there is no {AGENTS} yet: this session has no rules"
    return rules(b"").replace(warnings=(warning,))


def boot_writing(core: Core) -> Booted:
    """Note the rules, record what is new, update both views, and return the state."""
    told = _rules(core)
    core.begin()
    _note(core, told)
    there = standing(core, options_of(core))
    if there is not None and not core.tree.stages(LOG):
        _ignore(core)
        return _as_it_stands(core, told, there)
    kept = core.tree.tracked((LOG, *VIEWS))
    if LOG not in kept:
        put_in_order(core, options_of(core))
    seen = look(core, options_of(core), thorough=True)
    drawn = draw(core, as_merged(core, seen.log), options_of(core))
    made: Redrawn | None = None
    if not seen.log.markers:
        record(core, seen, cut=LOG not in kept)
        if not _is_gone(seen, drawn):
            _ignore(core)
            ours = [path for path in VIEWS if path not in kept or drawn.lies[path] is None]
            made = redraw(core, drawn, options=options_of(core), paths=ours)
    return _ready(core, told, seen, drawn, made=made)


def _as_it_stands(core: Core, told: Rules, there: Standing) -> Booted:
    """Return the state to start from if no file has changed since the last verb."""
    return Booted(
        session=core.session or core.actor,
        constraints=told.constraints,
        other=told.other,
        unread=told.unread,
        context=there.context,
        graph=there.graph,
        stale=(),
        regenerated=(),
        adopted=(),
        findings=(),
        warnings=(*told.warnings, *_calls(core, told), *_too_long(core, there.events)),
        drafts=(),
    )


def _ready(core: Core, told: Rules, seen: Seen, drawn: Drawn, *, made: Redrawn | None) -> Booted:
    found = [*seen.findings, *(made.findings if made else ())]
    amiss = _amiss(core, seen, drawn)
    if seen.is_calm and made is not None and not found and not amiss:
        wrote = Counter(draft.kind for draft in seen.drafts)
        note_look(core, seen.ground(), options=options_of(core), wrote=wrote, shown=drawn)
    left = _left(core, drawn, made) if made is not None else []
    said = (*_calls(core, told), *amiss, *left, *_too_long(core, len(seen.log.blocks)))
    return Booted(
        session=core.session or core.actor,
        constraints=told.constraints,
        other=told.other,
        unread=told.unread,
        context=drawn.texts[VIEWS[1]],
        graph=drawn.graph.size(),
        stale=tuple(f"{path}: {why}" for path, why in sorted(drawn.stale.items())),
        regenerated=made.regenerated if made else (),
        adopted=() if seen.held else seen.adopted,
        findings=tuple(one.line for one in found),
        warnings=(*told.warnings, *said),
        drafts=made.drafts if made else (),
    )


def _calls(core: Core, told: Rules) -> list[str]:
    """Return warnings about missing sections and waiting handoffs."""
    said = []
    if not told.protocol:
        said.append(f"{AGENTS} has no section {SECTION}: varves layers agents-section prints it")
    waiting = untaken(core)
    if waiting is not None:
        said.append(f"a handoff to {waiting} waits (varves layers accept)")
    return said


def _amiss(core: Core, seen: Seen, drawn: Drawn) -> list[str]:
    """Return warnings about problems of the log as a whole."""
    said = []
    if seen.log.is_log and (seen.log.markers or core.tree.stages(LOG)):
        said.append(f"{LOG} is not merged: {_MERGE}")
    elif _is_gone(seen, drawn) and not seen.known:
        said.append(f"{LOG} is missing, but the views show events")
    elif seen.lies is None and not seen.known:
        said.append(f"there is no {LOG} yet (varves layers init)")
    elif seen.content.strip() and not seen.log.is_log:
        said.append(f"{LOG} contains no events and is not changed (varves layers init --begin)")
    ahead = soonest_wrong(core.now, options_of(core).zone)
    if seen.log.upside_down(ahead) and not seen.log.markers:
        said.append(f"the times in {LOG} only decrease: {UPRIGHT}")
    return said


def _left(core: Core, drawn: Drawn, made: Redrawn) -> list[str]:
    """Return a warning about the views that differ from what boot shows and were not written.

    They are noted for the session's next event.
    """
    left = [path for path in VIEWS if path in drawn.stale and path not in made.regenerated]
    if not left:
        return []
    keep_booted(core, {**(booted(core) or {}), LEFT: left})
    edited = [path for path in left if drawn.stale[path] in TOUCHED]
    why = "edited by hand" if edited == left else "older than the log"
    named = f"{' and '.join(left)} {'is' if len(left) == 1 else 'are'} {why}"
    return [
        f"{named}; this is the current state (the next event or varves layers rebuild writes it)"
    ]


def _too_long(core: Core, count: int) -> list[str]:
    most = options_of(core).archive_above
    if not most or count <= max(most, options_of(core).archive_keep):
        return []
    older = count - options_of(core).archive_keep
    moved = f"the oldest {older} may be moved to {ARCHIVE} (varves layers archive)"
    return [f"{LOG} has {count} events: {moved}"]


def _note(core: Core, told: Rules) -> None:
    """Store the rules in the session's note; a second boot keeps the note's other parts.

    A session without a name lasts until its shutdown, or until all its events are committed.
    """
    before = booted(core) or {}
    if core.session is None and not _is_open(core, before):
        before = {}
    note = {
        "digest": told.digest,
        "constraints": told.constraints,
        "other": told.other,
        "unread": [*told.unread],
        "warnings": [*told.warnings],
        "protocol": told.protocol,
        "head": before.get("head", core.tree.head()),
        "at": before.get("at", iso(core.now)),
        "appended": before.get("appended", []),
    }
    if (booted(core) or {}) != note:
        keep_booted(core, note)


def _is_open(core: Core, note: dict[str, Any]) -> bool:
    """Return whether a session has events that are not committed."""
    if not note.get("appended"):
        return False
    head = parsed(core.tree.committed(LOG))
    return not {*note["appended"]} <= {block.name for block in (head.blocks if head else ())}


def _ignore(core: Core) -> None:
    """Keep the handoff out of git."""
    if core.tree.read(IGNORE) is None:
        core.tree.replace(IGNORE, IGNORED, seen=None)


def constraints(core: Core) -> dict[str, list[str]]:
    """Return the rules from this session's boot; before a boot, those of the file.

    Raises:
        NotFound: there was no boot, and there is no AGENTS.md.
    """
    return rules_shown(core).constraints


def rules_shown(core: Core) -> RulesShown:
    """Return all that this session's boot read from AGENTS.md; before a boot, from the file.

    Raises:
        NotFound: there was no boot, and there is no AGENTS.md.
    """
    noted = booted(core) or {}
    if isinstance(noted.get("constraints"), dict):
        return RulesShown(
            constraints=noted["constraints"],
            other=noted.get("other", {}),
            unread=tuple(noted.get("unread", ())),
        )
    content = core.tree.consult(AGENTS)
    if content is None:
        raise NotFound(
            f"there is no {AGENTS}, and this session has not booted", "varves layers boot"
        )
    told = rules(content)
    return RulesShown(constraints=told.constraints, other=told.other, unread=told.unread)


def agents_section() -> str:
    """Return the section about this memory for a person to paste into AGENTS.md."""
    return _SECTION


def _begun(log: Changelog) -> bytes:
    """Return a file with the start of a log after its existing text."""
    text = log.content.decode("utf-8")
    if not text.strip():
        return opening().encode()
    gap = "" if text.endswith("\n") else log.newline
    return f"{text}{gap}{log.newline}{START}{log.newline}".encode()


def _lying(tree: Tree) -> dict[str, bytes | None]:
    """Return the protocol's current files."""
    found = {AGENTS: tree.consult(AGENTS)}
    return found | {path: tree.read(path) for path in (LOG, *VIEWS, IGNORE)}


def _was_there(seen: Seen, before: dict[str, bytes | None]) -> bool:
    """Return whether the log is missing although the ledger, git or a view has its events."""
    if seen.lies is not None:
        return False
    return bool(seen.known) or any(tells(before[path]) for path in VIEWS)


def _is_gone(seen: Seen, drawn: Drawn) -> bool:
    return _was_there(seen, drawn.lies)


_SECTION = f"""\
## {SECTION}

Four layers hold what this project remembers. Data flows one way, from the first two to the others.

| Layer | File | Role |
|---|---|---|
| L0 | AGENTS.md | rules; read once at boot, changed only by people |
| L1 | CHANGELOG.md | events; the source of truth, appended and never edited |
| L2 | .memory/graph.md | entities and relations, made from L1 |
| L3 | .memory/context.md | the state of the work, made from L1 and L2 |

### Do
- Boot first: `varves layers boot`. Work within its constraints and from its context.
- Record each decision, change, result and milestone as one event, with its reasons:
  `varves layers append --type decision --scope project --title … --what … --why … --impact …
  --next …`
- Say in events what the graph shows: `- [[id]] — Name — Status — Pack`, `[[id]] is done`,
  `- [[a]] → [[b]]`, `[[a]] depends on [[b]]`. Strike out what is over: `- ~~[[id]]~~`.
- Ask the graph (`varves layers graph query`) or search (`varves layers find`) before you assume.
- End with `varves layers shutdown`: it appends, regenerates, commits and hands over.

### Don't
- Don't edit or remove an event. Correct mistakes by a later event.
- Don't edit graph.md or context.md: they are rebuilt from the log.
- Don't change AGENTS.md during a session.
"""
