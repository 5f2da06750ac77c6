"""The memory tool of Anthropic's API, with its `/memories` folder stored in a ledger.

A file is a document of a shelf (a named collection of documents in the ledger). So what the model
writes has versions, can be recalled, undone and purged, and is shared with the project. Answers and
errors are exactly those of the SDK's own implementation on a file system. A folder exists only
while it contains files, as in git.
"""

from __future__ import annotations

from contextlib import contextmanager
from json import dumps
from typing import TYPE_CHECKING, TypeVar

from anthropic.lib.tools import ToolError
from anthropic.tools.memory import BetaAbstractMemoryTool, BetaAsyncAbstractMemoryTool
from anyio.to_thread import run_sync

from varves.errors import Stale, VarvesError

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from anthropic.types.beta import (
        BetaCacheControlEphemeralParam,
        BetaMemoryTool20250818CreateCommand,
        BetaMemoryTool20250818DeleteCommand,
        BetaMemoryTool20250818InsertCommand,
        BetaMemoryTool20250818RenameCommand,
        BetaMemoryTool20250818StrReplaceCommand,
        BetaMemoryTool20250818ViewCommand,
    )

    from varves import Ledger
    from varves.values.answers import Document

ROOT = "/memories"
SHELF = "memories"
FOLDER_SIZE = "4K"  # the size that most file systems show for a folder
MOST_LINES = 999_999
WIDTH = len(str(MOST_LINES))
DEPTH = 2  # the number of levels that a listing shows
AROUND = 2  # the number of lines that are shown before and after a change
UNITS = "BKMG"
EDITED = (
    "The memory file has been edited. Here is the snippet showing the change (with line numbers):"
)
TRIES = 100  # the most attempts to write a file while other processes write it

Done = TypeVar("Done")


class LedgerMemoryTool(BetaAbstractMemoryTool):
    """The memory tool for `Anthropic`: pass it to `tool_runner` with the other tools."""

    def __init__(
        self,
        ledger: Ledger,
        *,
        shelf: str = SHELF,
        scope: str = "project",
        private: bool = False,
        cache_control: BetaCacheControlEphemeralParam | None = None,
    ) -> None:
        """Create the tool for a folder that is stored in a ledger.

        Args:
            ledger: an open ledger.
            shelf: the folder's name in the ledger; separate users need different names.
            scope: the scope of the documents: who else can recall them.
            private: whether the documents stay in this clone until they are shared.
            cache_control: the option that every tool of the SDK has.
        """
        super().__init__(cache_control=cache_control)
        self._files = ShelfFiles(ledger, shelf, scope=scope, private=private)

    def view(self, command: BetaMemoryTool20250818ViewCommand) -> str:
        """Return a file with numbered lines, or the content of a folder."""
        return self._files.view(command)

    def create(self, command: BetaMemoryTool20250818CreateCommand) -> str:
        """Create a new file."""
        return self._files.create(command)

    def str_replace(self, command: BetaMemoryTool20250818StrReplaceCommand) -> str:
        """Replace a text that occurs once in a file."""
        return self._files.str_replace(command)

    def insert(self, command: BetaMemoryTool20250818InsertCommand) -> str:
        """Insert lines after a line of a file."""
        return self._files.insert(command)

    def delete(self, command: BetaMemoryTool20250818DeleteCommand) -> str:
        """Delete a file, or a folder with its content."""
        return self._files.delete(command)

    def rename(self, command: BetaMemoryTool20250818RenameCommand) -> str:
        """Move a file or a folder."""
        return self._files.rename(command)

    def clear_all_memory(self) -> str:
        """Delete all files; the history of each file stays until it is purged."""
        return self._files.clear()


class AsyncLedgerMemoryTool(BetaAsyncAbstractMemoryTool):
    """The memory tool for `AsyncAnthropic`; the ledger runs in its own thread."""

    def __init__(
        self,
        ledger: Ledger,
        *,
        shelf: str = SHELF,
        scope: str = "project",
        private: bool = False,
        cache_control: BetaCacheControlEphemeralParam | None = None,
    ) -> None:
        """Create the tool for a folder that is stored in a ledger, as `LedgerMemoryTool` does."""
        super().__init__(cache_control=cache_control)
        self._files = ShelfFiles(ledger, shelf, scope=scope, private=private)

    async def view(self, command: BetaMemoryTool20250818ViewCommand) -> str:
        """Return a file with numbered lines, or the content of a folder."""
        return await run_sync(self._files.view, command)

    async def create(self, command: BetaMemoryTool20250818CreateCommand) -> str:
        """Create a new file."""
        return await run_sync(self._files.create, command)

    async def str_replace(self, command: BetaMemoryTool20250818StrReplaceCommand) -> str:
        """Replace a text that occurs once in a file."""
        return await run_sync(self._files.str_replace, command)

    async def insert(self, command: BetaMemoryTool20250818InsertCommand) -> str:
        """Insert lines after a line of a file."""
        return await run_sync(self._files.insert, command)

    async def delete(self, command: BetaMemoryTool20250818DeleteCommand) -> str:
        """Delete a file, or a folder with its content."""
        return await run_sync(self._files.delete, command)

    async def rename(self, command: BetaMemoryTool20250818RenameCommand) -> str:
        """Move a file or a folder."""
        return await run_sync(self._files.rename, command)

    async def clear_all_memory(self) -> str:
        """Delete all files; the history of each file stays until it is purged."""
        return await run_sync(self._files.clear)


class ShelfFiles:
    """A folder of files that are documents of a shelf."""

    def __init__(self, ledger: Ledger, shelf: str, *, scope: str, private: bool) -> None:
        self._shelf = ledger.through("agent").shelf(shelf, scope=scope, private=private)

    def view(self, command: BetaMemoryTool20250818ViewCommand) -> str:
        """Return a file with numbered lines, or the content of a folder."""
        path = place(command.path)
        with refusals_shown(command.path):
            file = self._file(path)
            below = self._shelf.list(_inside(path)) if file is None else ()
        if file is not None:
            return _numbered(command, _text(file))
        if path and not below:
            raise _missing(command.path)
        sizes = {one.key[len(_inside(path)) :]: len(_text(one).encode("utf-8")) for one in below}
        header = f"Here're the files and directories up to {DEPTH} levels deep in {command.path}"
        lines = [f"{header}, excluding hidden items:", f"{FOLDER_SIZE}\t{command.path}"]
        lines += [f"{size}\t{command.path}/{name}" for size, name in _listed(sizes, DEPTH)]
        return "\n".join(lines)

    def create(self, command: BetaMemoryTool20250818CreateCommand) -> str:
        """Create a new file."""
        path = place(command.path)
        with refusals_shown(command.path):
            self._check_way(path, command.path)
            if self._is_folder(path):
                raise ToolError(f"File {command.path} already exists")
            try:
                self._shelf.put(path, command.file_text, expect="absent")
            except Stale:
                raise ToolError(f"File {command.path} already exists") from None
        return f"File created successfully at: {command.path}"

    def str_replace(self, command: BetaMemoryTool20250818StrReplaceCommand) -> str:
        """Replace a text that occurs once in a file."""
        old = command.old_str

        def replaced(text: str) -> str:
            count = text.count(old)
            if count == 0:
                reason = f"old_str `{old}` did not appear verbatim in {command.path}."
                raise ToolError(f"No replacement was performed, {reason}")
            if count > 1:
                lines = ", ".join(str(line) for line in _lines_of(old, text))
                reason = f"Multiple occurrences of old_str `{old}` in lines: {lines}."
                raise ToolError(
                    f"No replacement was performed. {reason} Please ensure it is unique"
                )
            return text.replace(old, command.new_str)

        before, after = self._edit(command.path, replaced)
        changed, lines = before.count("\n", 0, before.find(old)), after.split("\n")
        shown = range(max(0, changed - AROUND), min(len(lines), changed + AROUND + 1))
        return "\n".join((EDITED, *(_line(number + 1, lines[number]) for number in shown)))

    def insert(self, command: BetaMemoryTool20250818InsertCommand) -> str:
        """Insert lines after a line of a file."""

        def inserted(text: str) -> str:
            lines = text.split("\n")
            if not lines[-1]:
                lines.pop()
            if not 0 <= command.insert_line <= len(lines):
                raise ToolError(
                    f"Invalid `insert_line` parameter: {command.insert_line}. "
                    f"It should be within the range [0, {len(lines)}]."
                )
            lines.insert(command.insert_line, command.insert_text.rstrip("\n"))
            made = "\n".join(lines)
            return made if made.endswith("\n") else f"{made}\n"

        self._edit(command.path, inserted)
        return f"The file {command.path} has been edited."

    def delete(self, command: BetaMemoryTool20250818DeleteCommand) -> str:
        """Delete a file, or a folder with its content."""
        path = place(command.path)
        if not path:
            raise ToolError(f"Cannot delete the {ROOT} directory itself")
        with refusals_shown(command.path):
            gone = [path] if self._file(path) is not None else self._shelf.keys(_inside(path))
            if not gone:
                raise ToolError(f"The path {command.path} does not exist")
            self._shelf.change(dict.fromkeys(gone))
        return f"Successfully deleted {command.path}"

    def rename(self, command: BetaMemoryTool20250818RenameCommand) -> str:
        """Move a file or a folder."""
        here, there = place(command.old_path), place(command.new_path)
        if not here:
            raise ToolError(f"Cannot rename the {ROOT} directory itself")

        def move() -> None:
            if self._file(there) is not None or self._is_folder(there):
                raise ToolError(f"The destination {command.new_path} already exists")
            file = self._file(here)
            moved = [file] if file is not None else self._shelf.list(_inside(here))
            if not moved:
                raise ToolError(f"The path {command.old_path} does not exist")
            self._check_way(there, command.new_path)
            if there.startswith(_inside(here)):
                raise ToolError(f"Cannot rename {command.old_path} into itself")
            names = {one.key: there + one.key[len(here) :] for one in moved}
            changes = {names[one.key]: one.content for one in moved} | dict.fromkeys(names)
            seen = {one.key: one.version for one in moved}
            self._shelf.change(changes, expect=seen | dict.fromkeys(names.values(), "absent"))

        _patiently(command.old_path, move)
        return f"Successfully renamed {command.old_path} to {command.new_path}"

    def clear(self) -> str:
        """Delete all files."""
        with refusals_shown(ROOT):
            self._shelf.change(dict.fromkeys(self._shelf.keys()))
        return "All memory cleared"

    def _edit(self, named: str, change: Callable[[str], str]) -> tuple[str, str]:
        """Change a file's current content; return its text before and after the change."""
        path = place(named)

        def edit() -> tuple[str, str]:
            file = self._file(path)
            if file is None and self._is_folder(path):
                raise ToolError(f"The path {named} is not a file.")
            if file is None:
                raise _missing(named)
            before = _text(file)
            after = change(before)
            self._shelf.put(path, after, expect=file.version)
            return before, after

        return _patiently(named, edit)

    def _file(self, path: str) -> Document | None:
        return self._shelf.get(path) if path else None

    def _is_folder(self, path: str) -> bool:
        return not path or bool(self._shelf.keys(_inside(path)))

    def _check_way(self, path: str, named: str) -> None:
        """Raise an error if a path leads through a file."""
        parts = path.split("/")
        for count in range(1, len(parts)):
            if self._file("/".join(parts[:count])) is not None:
                raise ToolError(f"{named} is inside a file, not a directory")


@contextmanager
def refusals_shown(named: str) -> Iterator[None]:
    """Turn errors of the ledger into messages to the model."""
    try:
        yield
    except Stale:
        raise
    except VarvesError as fault:
        raise ToolError(f"{named}: {fault.message}; {fault.hint}") from fault


def _patiently(named: str, act: Callable[[], Done]) -> Done:
    """Call `act`, and call it again if another process changed the file in the meantime."""
    for _ in range(TRIES):
        try:
            with refusals_shown(named):
                return act()
        except Stale:
            continue
    raise ToolError(f"The file {named} is being written by other processes; try again.")


def place(path: str) -> str:
    """Return the key of the document at a path; "" for the memory folder itself."""
    if not path.startswith(ROOT):
        raise ToolError(f"Path must start with {ROOT}, got: {path}")
    way, outside = [ROOT[1:]], False
    for part in path[len(ROOT) :].split("/"):
        if part == "..":
            outside = outside or not way
            del way[-1:]
        elif part not in ("", "."):
            way.append(part)
    if outside or way[:1] != [ROOT[1:]]:
        raise ToolError(f"Path {path} would escape {ROOT} directory")
    return "/".join(way[1:])


def _inside(path: str) -> str:
    return f"{path}/" if path else ""


def _text(file: Document) -> str:
    return file.content if isinstance(file.content, str) else dumps(file.content)


def _missing(named: str) -> ToolError:
    return ToolError(f"The path {named} does not exist. Please provide a valid path.")


def _numbered(command: BetaMemoryTool20250818ViewCommand, text: str) -> str:
    """Return the lines of a text that a command requests, each with its number."""
    lines, first = text.split("\n"), 0
    if len(lines) > MOST_LINES:
        raise ToolError(f"File {command.path} exceeds maximum line limit of 999,999 lines.")
    if command.view_range and len(command.view_range) == 2:
        start, last = command.view_range
        first = max(1, start) - 1
        lines = lines[first : len(lines) if last == -1 else last]
    shown = [_line(number, line) for number, line in enumerate(lines, first + 1)]
    return f"Here's the content of {command.path} with line numbers:\n" + "\n".join(shown)


def _line(number: int, line: str) -> str:
    return f"{number:>{WIDTH}}\t{line}"


def _lines_of(part: str, text: str) -> Iterator[int]:
    """Yield the line numbers at which a text occurs in another text."""
    at = text.find(part)
    while at >= 0:
        yield text.count("\n", 0, at) + 1
        at = text.find(part, at + 1)


def _listed(sizes: dict[str, int], depth: int) -> Iterator[tuple[str, str]]:
    """Yield (size, path) of the content of a folder, sorted by name, without hidden items."""
    inside: dict[str, dict[str, int]] = {}
    for path, size in sizes.items():
        name, _, rest = path.partition("/")
        inside.setdefault(name, {})[rest] = size
    for name in sorted(inside):
        if name.startswith("."):
            continue
        if "" in inside[name]:
            yield _size(inside[name].pop("")), name
        if inside[name]:
            yield FOLDER_SIZE, f"{name}/"
            below = _listed(inside[name], depth - 1) if depth > 1 else ()
            yield from ((size, f"{name}/{path}") for size, path in below)


def _size(count: int) -> str:
    """Return a number of bytes in a readable form, such as 1.5K."""
    unit = min(max(count.bit_length() - 1, 0) // 10, len(UNITS) - 1)
    size = count / 1024**unit
    return f"{int(size)}{UNITS[unit]}" if size == int(size) else f"{size:.1f}{UNITS[unit]}"
