"""The protocols of a ledger: each is created on first use, with its own core.

This module also has the operations on all protocols, such as rendering files after a merge.
"""

from __future__ import annotations

import os

from varves.errors import UsageError, VarvesError
from varves.files.core import LedgerCore
from varves.files.git_driver import CONFIG, CURRENT, GitDriver
from varves.files.purged_texts import prompts_of, prompts_telling
from varves.files.worktree import WorkTree
from varves.log.doomed import UNPURGED, PublishedPlaces
from varves.log.merge_form import PATTERN
from varves.places.places import CONSTANT, FOLDER
from varves.protocols.marks import REBUILD
from varves.protocols.protocol import NOTE, Breach
from varves.protocols.tree import Joint
from varves.values.answers import Finding
from varves.values.written import PATH, PROTOCOLS

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable
    from typing import TypeVar

    from varves.context.guard import VerbGuard
    from varves.protocols.protocol import PublishedProtocol, Registry
    from varves.values.answers import Purged
    from varves.values.memory import Memory

    P = TypeVar("P", bound=PublishedProtocol)

FOLDERS = (
    "memory/ holds the entries of the protocols scoped and hivemind, .memory/ the files of layers"
)
DRIVER = "merge-driver"
"""The name of the rule that reports problems with git's merge driver."""
_ALL = "all"
_FIX = "varves doctor --fix"


class _Member:
    """A protocol and its core."""

    def __init__(self, core: LedgerCore, make: type[PublishedProtocol]) -> None:
        self.core = core
        self.protocol = make(core)
        self.codec = self.protocol.codec


class Protocols:
    """The protocols of a ledger for one caller.

    Args:
        guard: the guard that runs the protocols' verbs.
        registry: finds a protocol by its name.
    """

    def __init__(self, guard: VerbGuard, registry: Registry) -> None:
        self._guard = guard
        self._context = guard.context
        self._registry = registry
        self._root = guard.context.settings.root
        self._members: dict[str, _Member] = {}

    def verbs(self, kind: type[P]) -> P:
        """Return the protocol of this class, always the same object.

        Raises:
            Damaged: a value in its settings table cannot be read.
        """
        found = self.named(kind.name)
        if not isinstance(found, kind):
            raise TypeError(f"{kind.name} is registered as {type(found).__name__}")
        return found

    def named(self, name: str) -> PublishedProtocol:
        """Return the protocol with this name, always the same object.

        Raises:
            Damaged: a value in its settings table cannot be read.
        """
        return self._sound(name).protocol

    def _sound(self, name: str) -> _Member:
        one = self._one(name)
        for fault in one.core.faults:
            raise fault
        return one

    def label_of(self, memory: Memory) -> str | None:
        """Return the name that a memory has in the files of its protocol; None if it is the id."""
        return (
            self.named(memory.protocol).label_of(memory) if memory.protocol in PROTOCOLS else None
        )

    def _one(self, name: str) -> _Member:
        """Return a protocol and its core for the ledger's own work, without a caller.

        Invalid settings of the protocol are ignored.
        """
        if name not in self._members:
            core = LedgerCore(self._guard, name)
            self._members[name] = _Member(core, self._registry.find_protocol(name))
        return self._members[name]

    @property
    def running(self) -> bool:
        """Whether a verb of any protocol is running."""
        return any(one.core.running for one in self._members.values())

    def close(self) -> None:
        """Close the protocols' files and notes."""
        for one in self._members.values():
            one.core.views.close()

    def in_use(self) -> list[str]:
        """Return the protocols that have events in this ledger or files in the project."""
        if not self._context.places.exists():
            return []
        spoken = self.recorded()
        return [name for name in PROTOCOLS if name in spoken or self._has_files(name)]

    def _has_files(self, name: str) -> bool:
        """Return whether the project has a file of a protocol; most protocols are not imported."""
        top = self._registry.find_top(name)
        may = top is not None and os.path.isdir(f"{self._root}/{top}")
        told = name in self._context.settings.tables  # its settings may name another folder
        return (may or told) and _has_files(self._one(name))

    def recorded(self) -> set[str]:
        """Return the protocols that have events in this ledger."""
        return self._guard.run(self._recorded, judges=True)

    def _recorded(self) -> set[str]:
        return self._context.fresh().index.protocols()

    def invalid(self) -> list[Finding]:
        """Return the findings about protocols: from `validate`, unmerged files and settings."""
        settings = self._context.settings
        tables, mend = settings.tables, "fix or remove it; until then it has no effect"
        found = [
            Finding(rule="settings", place=PATH, message=reason, fix=mend)
            for _, reason in settings.invalid
        ]
        found += [
            Finding(
                rule="settings", place=PATH, message=message, fix=f"fix or remove it; {fault.hint}"
            )
            for name in tables
            for fault in self._one(name).core.faults
            for message in [fault.message.removeprefix(f"{PATH}: ")]
        ]
        for name in self.in_use():
            one = self._one(name)
            try:
                found += [*one.protocol.validate(), *_unpurged(one)]
            except VarvesError as fault:  # for example, a link in place of a folder
                message = f"its files cannot be checked: {fault.message}"
                found.append(Finding(rule="U-14", place=name, message=message, fix=fault.hint))
        told = {(one.place, one.message) for one in found}
        found += [one for one in self.unrecorded() if (one.place, one.message) not in told]
        named = {one.place.partition(":")[0] for one in found if "varves rebuild" in one.fix}
        message = "git could not merge it"
        return found + [
            Finding(rule="unmerged", place=path, message=message, fix=REBUILD)
            for path in self.unmerged()
            if path not in named
        ]

    def unrecorded(self) -> list[Breach]:
        """Return people's edits of the protocols' files that are not recorded yet."""
        found: list[Breach] = []
        for name in self.in_use():
            try:
                found += self._one(name).protocol.unrecorded()
            except VarvesError:
                continue  # `validate` reports why the files of this protocol cannot be checked
        return found

    # Git's merge driver

    def drive(self, *, begun: bool = True) -> list[str]:
        """Set up git so that it merges published files with the merge driver.

        Return the files of git that changed. With `begun`, nothing is done where there is no ledger
        yet.

        Raises:
            Refused: a file of git cannot be written.
            Busy: git is changing its settings.
        """
        git = self._context.places.own_git
        if git is None or (begun and not self._context.places.exists()):
            return []
        forms = [form for name in PROTOCOLS for form in self._registry.find_forms(name)]
        patterns = [PATTERN, *(one for form in forms for one in form.patterns)]
        return GitDriver(git, self._root, patterns).install()

    def undrive(self, *, dry_run: bool) -> list[str]:
        """Remove the merge driver from git's files; return the files that changed.

        Raises:
            Refused: a file of git cannot be written.
            Busy: git is changing its settings.
        """
        git = self._context.places.own_git
        return [] if git is None else GitDriver(git, self._root, ()).remove(dry_run=dry_run)

    def undriven(self) -> list[Finding]:
        """Return a finding if git does not merge the published files with the merge driver."""
        git = self._context.places.own_git
        if git is None:
            return []
        using = [self._one(name) for name in self.in_use()]
        patterns = [path for one in using for path in one.core.merged_patterns(one.codec)]
        state = GitDriver(git, self._root, patterns).state()
        if state == CURRENT or not patterns:
            return []
        message = f"git's merge driver for published files is {state}: git merges them as text"
        place = f"{git.commondir}/{CONFIG}"
        return [Breach(rule=DRIVER, place=place, message=message, fix=_FIX, level=NOTE)]

    def pending(self) -> dict[str, list[str]]:
        """Return files that `varves rebuild` must resolve, and edits that are not recorded."""
        edits = [one.line for one in self.unrecorded()]
        return {"unmerged": self.unmerged(), "edits": edits, "folders": self.folders()}

    def folders(self) -> list[str]:
        """Return a line that explains `memory/` and `.memory/`, if the project has both.

        If it does not have both, the list is empty.
        """
        root = self._context.settings.root
        both = os.path.isdir(f"{root}/memory") and os.path.isdir(f"{root}/.memory")
        return [FOLDERS] if both else []

    def misrendered(self) -> list[Finding]:
        """Return findings about files that differ from the log and must be rendered again."""
        return [
            finding
            for finding in self.invalid()
            if (finding.rule, finding.fix) == (UNPURGED, _FIX) or "varves rebuild" in finding.fix
        ]

    def unmerged(self) -> list[str]:
        """Return the published files that git could not merge; `varves rebuild` resolves them."""
        from varves.files.unmerged import is_published

        places = self._context.places
        waiting = WorkTree(places, "").unmerged() if places.exists() else []
        if not waiting:
            return []
        speaking = [self._one(name) for name in self.in_use()]
        return [
            path
            for path in waiting
            if any(
                is_published(one.codec, path) or path in one.protocol.sources() for one in speaking
            )
        ]

    def render_all(self) -> tuple[list[str], list[str]]:
        """Record people's edits of the files of every protocol in use, and render all files.

        Return the unmerged files that are resolved by this, and notes.
        """
        settled: list[str] = []
        notes: list[str] = []
        places = self._context.places
        tree = WorkTree(places, "")
        joint = Joint(unmerged=tuple(tree.unmerged()), staged=tuple(tree.staged()))
        for name in self.in_use():
            one = self._one(name)
            settled += one.protocol.remake(joint)
            notes += one.core.notes
            # Rendering cannot restore the lines that a merge removed from a source file.
            notes += [found.line for found in one.protocol.altered()]
        return settled, [*notes, *map(_by_hand, filter(_is_core, joint.unmerged))]

    def record_edits(self) -> list[str]:
        """Record people's edits of the files of every protocol in use; return notes."""
        notes: list[str] = []
        for name in self.in_use():
            one = self._one(name)
            one.core.during(one.codec, lambda: None, writes=True)
            notes += one.core.notes
        return notes

    def render_after(self, memories: set[str]) -> None:
        """Update the files of protocols, after a verb of the core changed memories of protocols."""
        context = self._context
        index = context.fresh().index
        concerned: dict[str, set[str]] = {}
        for name in memories:
            memory = index.memory(name)
            if memory is not None and memory.protocol in PROTOCOLS:
                concerned.setdefault(memory.protocol, set()).add(name)
        for name, touched in concerned.items():
            one = self._one(name)
            one.core.render_after(one.codec, touched)

    def render_purged(self, memory: Memory, done: Purged) -> Purged:
        """Remove purged content from a protocol's files and from their stored earlier versions.

        Return `done` with two additions: the changed files, and the files that still show the
        content.
        """
        one = self._one(memory.protocol)
        before = _digests(one)
        one.protocol.remake(Joint())
        one.core.views.files.drop_aside()
        after = _digests(one)
        files = sorted(path for path in before if before[path] != after.get(path))
        left = one.protocol.still_says(memory)
        return done.replace(files=(*done.files, *files), sources=(*done.sources, *left))

    def render_unpurged(self) -> None:
        """Render those files again that may show content which another clone has purged since."""
        from varves.files.render import lags_behind

        for name in self.in_use():
            one = self._one(name)
            if one.codec.folders and lags_behind(one.core):
                one.protocol.remake(Joint())

    def published(self) -> PublishedPlaces:
        """Return the paths of the protocols' files in a project."""
        each = [self._one(name).protocol.published() for name in PROTOCOLS]
        prompts = [path for one in self._prompting() for path in prompts_of(one.core, one.protocol)]
        return PublishedPlaces(
            rendered=tuple(place for one in each for place in one.rendered),
            views=tuple(place for one in each for place in one.views),
            written=(*(place for one in each for place in one.written), *prompts),
        )

    def hidden(self) -> tuple[str, ...]:
        """Return the folders of the protocols that git must ignore."""
        if not self._context.places.exists():
            return ()
        codecs = [self._one(name).codec for name in PROTOCOLS]
        return tuple(dict.fromkeys(path for one in codecs for path in sorted(one.ignores)))

    def prompts_left(self, said: Iterable[str]) -> tuple[str, ...]:
        """Return people's prompt files that still show purged content."""
        texts = list(said)
        return tuple(
            path
            for one in self._prompting()
            for path in prompts_telling(one.core, one.protocol, texts)
        )

    def _prompting(self) -> list[_Member]:
        """Return the protocols that write memories into prompt files such as CLAUDE.md."""
        return [self._sound(name) for name in PROTOCOLS if self._one(name).protocol.prompt_mark]


def named(words: Iterable[str]) -> list[str]:
    """Return the protocols with the given names, without duplicates."""
    given = list(words)
    for word in given:
        if word not in (*PROTOCOLS, _ALL):
            known = ", ".join((*PROTOCOLS, _ALL))
            raise UsageError(f"unknown protocol {word!a}", f"use one of {known}")
    return list(PROTOCOLS if _ALL in given else dict.fromkeys(given))


def _unpurged(one: _Member) -> list[Finding]:
    """Return findings about files in which the last verb found purged content."""
    message = "shows purged content"
    found = [
        Finding(rule=UNPURGED, place=path, message=message, fix=_FIX)
        for path in sorted(one.core.views.purged)
    ]
    for path in prompts_telling(one.core, one.protocol):
        fix = f"varves {one.core.name} inject {path} rewrites its block"
        found.append(Finding(rule=UNPURGED, place=path, message=message, fix=fix))
    return found


def _has_files(one: _Member) -> bool:
    """Return whether the project contains a file of a protocol."""
    root, codec = one.core.root, one.codec
    for folder in codec.folders:
        for place, _, names in os.walk(f"{root}/{folder}"):
            below = os.path.relpath(place, root)
            paths = [f"{below}/{name}" for name in names]
            if any(codec.is_state(path) or codec.is_derived(path) for path in paths):
                return True
    return False


def _is_core(path: str) -> bool:
    return path.startswith(f"{FOLDER}/")


def _by_hand(path: str) -> str:
    """Return advice on resolving an unmerged file that is not rendered from the log."""
    way = "resolve it by hand"
    if path.startswith(f"{FOLDER}/log/"):
        way = "varves doctor --fix resolves it"
    elif path.removeprefix(f"{FOLDER}/") in CONSTANT:
        way = f"delete {path}; varves doctor --fix writes it again"
    return f"{path} is unmerged: {way}; then git add {path}"


def _digests(one: _Member) -> dict[str, int]:
    """Return digests that identify the versions of a protocol's files."""
    found = {}
    for folder in one.codec.folders:
        for place, _, names in os.walk(f"{one.core.root}/{folder}"):
            for name in names:
                path = f"{place}/{name}"
                found[os.path.relpath(path, one.core.root)] = os.lstat(path).st_ino
    return found
