"""The memory store of pydantic-ai-harness, in a ledger.

A file is a document of a shelf (a named collection of documents) and has the shelf's versions. So a
write that is based on an outdated version is refused. It does not matter whether the other writer
was a task, a process, or a clone whose log was merged since. A completed operation is always
recognised by its id. Search counts parts of words, as the harness's own stores do. The ledger's
recall orders files with equal scores and adds further results.
"""

from __future__ import annotations

from json import dumps
from typing import TYPE_CHECKING

from anyio.to_thread import run_sync
from pydantic_ai_harness.memory import (
    MemoryConflictError,
    MemoryFile,
    MemoryMutation,
    MemoryOperationConflictError,
    MemorySearchMatch,
    MemorySearchResult,
)

from varves.errors import Refused, Stale

if TYPE_CHECKING:
    from collections.abc import Callable

    from pydantic_ai_harness.memory import MemoryOperation

    from varves import Ledger
    from varves.values.answers import Document, Shelved

SHELF = "pydantic-ai"
LONGEST = 200  # the most characters of a part of a path
LETTERS = frozenset("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_.-")
IN_THE_NAME = 2  # a word in a path has this weight, if a word in the text has the weight 1
CUT = "..."


class LedgerMemoryStore:
    """A versioned store for the `Memory` capability; the ledger runs in its own thread."""

    def __init__(
        self,
        ledger: Ledger,
        *,
        shelf: str = SHELF,
        scope: str = "project",
        private: bool = False,
    ) -> None:
        """Store memory files in a ledger.

        Args:
            ledger: an open ledger.
            shelf: the store's name in the ledger.
            scope: the scope of the files: who else can recall them.
            private: whether the files stay in this clone until they are shared.
        """
        self._shelf = ledger.through("agent").shelf(shelf, scope=scope, private=private)

    async def read(self, path: str, *, max_chars: int) -> MemoryFile | None:
        """Return the file at a path, cut to `max_chars` characters; None if there is no file."""
        _check_path(path)
        if max_chars <= 0:
            raise ValueError("max_chars must be positive")
        found = await run_sync(self._shelf.get, path)
        if found is None:
            return None
        text = _text(found)
        return MemoryFile(
            content=text[:max_chars],
            version=found.version,
            operation_id=found.operation,
            truncated=len(text) > max_chars,
        )

    async def get_operation(self, operation: MemoryOperation) -> MemoryMutation | None:
        """Return the result of an operation; None if the operation was not carried out."""
        known = (operation.id, operation.fingerprint)
        try:
            found = await run_sync(self._shelf.receipt, known)
        except Refused as fault:
            raise MemoryOperationConflictError(fault.message) from fault
        return None if found is None else _mutation(found)

    async def write(
        self,
        path: str,
        content: str,
        *,
        expected_version: str | None,
        operation: MemoryOperation | None = None,
    ) -> MemoryMutation:
        """Create or replace a file if it has the expected version.

        The expected version None means that the file must not exist.
        """

        def put(expect: str, known: tuple[str, str] | None) -> Shelved:
            return self._shelf.put(path, content, expect=expect, operation=known)

        return await self._changed(path, put, expected_version, operation=operation)

    async def delete(
        self,
        path: str,
        *,
        expected_version: str | None,
        operation: MemoryOperation | None = None,
    ) -> MemoryMutation:
        """Delete a file if it has the expected version."""

        def delete(expect: str, known: tuple[str, str] | None) -> Shelved:
            return self._shelf.delete(path, expect=expect, operation=known)

        return await self._changed(path, delete, expected_version, operation=operation)

    async def _changed(
        self,
        path: str,
        change: Callable[[str, tuple[str, str] | None], Shelved],
        expected: str | None,
        *,
        operation: MemoryOperation | None,
    ) -> MemoryMutation:
        _check_path(path)
        known = (operation.id, operation.fingerprint) if operation is not None else None
        try:
            return _mutation(await run_sync(change, expected or "absent", known))
        except Stale as fault:
            raise MemoryConflictError(fault.message) from fault
        except Refused:
            if operation is not None:
                # raises an error if the id was used for another operation before
                await self.get_operation(operation)
            raise

    async def list_paths(self, prefix: str = "", *, limit: int) -> list[str]:
        """Return the paths that begin with a prefix, in order."""
        _check_prefix(prefix)
        if limit <= 0:
            raise ValueError("limit must be positive")
        return list(await run_sync(self._shelf.keys, prefix))[:limit]

    async def search(
        self,
        prefix: str,
        query: str,
        *,
        limit: int,
        max_files: int,
        max_chars: int,
        max_file_chars: int,
    ) -> MemorySearchResult:
        """Search the files directly below a prefix, best first.

        Args:
            prefix: the folder; files in its subfolders are not searched.
            query: words, or parts of words.
            limit: the maximum number of files returned.
            max_files: the maximum number of files searched.
            max_chars: the maximum length of all paths and snippets together.
            max_file_chars: how many characters of each file are searched.
        """
        _check_prefix(prefix)
        if not query.split() or min(limit, max_files, max_chars, max_file_chars) <= 0:
            return MemorySearchResult(matches=[], scanned=0, truncated=False)
        search = FileSearch(prefix, query)
        files, scores = await run_sync(self._found, search)
        cut = any(len(text) > max_file_chars for text in list(files.values())[:max_files])
        seen = {path: files[path][:max_file_chars] for path in list(files)[:max_files]}
        scores = {path: scores[path] for path in scores if len(files[path]) <= max_file_chars}
        matches, left = search.matches(seen, scores, limit=limit, room=max_chars)
        truncated = left or cut or len(files) > max_files
        return MemorySearchResult(matches=matches, scanned=len(seen), truncated=truncated)

    def _found(self, search: FileSearch) -> tuple[dict[str, str], dict[str, float]]:
        """Return the files directly below a prefix, and the scores of those that recall found."""
        below = self._shelf.list(search.prefix)
        files = {one.key: _text(one) for one in below if "/" not in one.key[len(search.prefix) :]}
        hits = self._shelf.recall(search.query, prefix=search.prefix, k=max(len(files), 1))
        return files, {key: hit.score for hit in hits if (key := hit.document.key) in files}


class FileSearch:
    """One query against the files below a prefix."""

    def __init__(self, prefix: str, query: str) -> None:
        self.prefix = prefix
        self.query = query
        self._words = query.lower().split()

    def matches(
        self, files: dict[str, str], recalled: dict[str, float], *, limit: int, room: int
    ) -> tuple[list[MemorySearchMatch], bool]:
        """Return the best files, each with a snippet, and whether matching files were left out."""
        liked = {path: score / (1 + score) for path, score in recalled.items() if path in files}
        scores = {path: self._count(path, files[path]) + liked.get(path, 0.0) for path in files}
        best = sorted((path for path in files if scores[path]), key=lambda p: (-scores[p], p))
        found: list[MemorySearchMatch] = []
        for path in best[:limit]:
            room -= len(path) - len(self.prefix)
            if room <= 0:
                break
            part = self._part(files[path], room)
            found.append(MemorySearchMatch(path=path, snippet=part, score=scores[path]))
            room -= len(part)
        return found, len(found) < len(best)

    def _count(self, path: str, text: str) -> float:
        """Count the query's words in a file's text and, with more weight, in its path."""
        name, said = path[len(self.prefix) :].lower(), text.lower()
        return float(sum(said.count(w) + IN_THE_NAME * name.count(w) for w in self._words))

    def _part(self, text: str, room: int) -> str:
        """Return the part of a text around the first word that matches."""
        places = [at for at in map(text.lower().find, self._words) if at >= 0]
        start = max(0, min(places, default=0) - room // 3)
        end = min(len(text), start + room)
        start = max(0, end - room)
        before = CUT if start else ""
        after = CUT if end < len(text) else ""
        if len(before) + len(after) > end - start:
            return text[start:end]
        return f"{before}{text[start + len(before) : end - len(after)]}{after}"


def _text(file: Document) -> str:
    return file.content if isinstance(file.content, str) else dumps(file.content)


def _mutation(done: Shelved) -> MemoryMutation:
    return MemoryMutation(version=done.version, replayed=done.replayed, existed=done.existed)


def _check_path(path: str) -> None:
    """Raise an error if a path could lead out of the store, as the harness's stores do."""
    for part in path.split("/"):
        if not 0 < len(part) <= LONGEST or not LETTERS.issuperset(part):
            raise ValueError(f"invalid memory path: {path!r}")
        if ".." in part or part == ".":
            raise ValueError(f"invalid memory path: {path!r}")


def _check_prefix(prefix: str) -> None:
    if prefix:
        _check_path(prefix.removesuffix("/"))
