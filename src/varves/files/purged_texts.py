"""Recognises texts that this clone purged, if a file contains them without the memory's id.

A stash, the reflog or a copy can put an earlier version of a published file into the work tree. Its
entries may have no id and look like new ones.

Only digests of purged texts are stored, keyed with a secret that never leaves this clone. They
identify a restored text, but no text can be recovered from them.
"""

from __future__ import annotations

import os

from varves.errors import NotDurable, VarvesError
from varves.files.prompts import NOTED
from varves.places.locks import waited
from varves.protocols.excerpt import shortened
from varves.values.text import fold

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable
    from typing import Any

    from varves.context.context import Context
    from varves.files.ground import FilesCore
    from varves.places.port import FileStore
    from varves.protocols.protocol import PublishedProtocol
    from varves.values.ids import IdSource

FINISH = "varves doctor --fix finishes the purge"
_KNOWN = "texts"  # the name of the file, which is stored with this clone's purges
_LOCK = "purges.lock"
_SECRET = 32  # the length of the secret in bytes
_DIGEST = 16


class _Texts:
    """The file of purged texts: a random key, and a digest of each text that was purged here."""

    def __init__(self, place: FileStore) -> None:
        self.place = place
        self._lines: list[bytes] | None = None

    def add(self, texts: Iterable[str], ids: IdSource) -> None:
        """Add the digests of some texts; the first call creates the secret."""
        wanted = [text for text in texts if fold(text)]
        if all(map(self.knows, wanted)):
            return
        lock = waited(self.place, _LOCK)
        try:
            self._lines = self._read() or [ids.entropy(_SECRET).hex().encode("ascii")]
            lines = dict.fromkeys([*self._lines, *map(self._digest, wanted)])
            self.place.replace(_KNOWN, b"".join(line + b"\n" for line in lines))
            self._lines = list(lines)
        finally:
            if lock is not None:
                self.place.close(lock)

    def knows(self, text: str) -> bool:
        """Return whether a text was purged here.

        Spacing, case and final punctuation are ignored.
        """
        if self._lines is None:
            self._lines = self._read()
        return bool(self._lines) and self._digest(text) in self._lines[1:]

    def _read(self) -> list[bytes]:
        try:
            return self.place.read(_KNOWN).splitlines()
        except FileNotFoundError:
            return []

    def _digest(self, text: str) -> bytes:
        from hashlib import blake2b

        said = fold(text).encode("utf-8", "surrogatepass")
        secret = (self._lines or [b""])[0]
        return blake2b(said, key=secret, digest_size=_DIGEST).hexdigest().encode("ascii")


def learn(context: Context, said: Iterable[str]) -> None:
    """Store digests of texts that are about to be erased, in the form in which files show texts.

    Raises:
        NotDurable: the digests could not be written.
    """
    forms = {form for text in said for form in (text, shortened(text))}
    place = context.places.purges
    if place is None or not forms:
        return
    try:
        _Texts(place).add(forms, context.ids)
    except OSError as fault:
        reason = f"cannot store the purge in {place.root}: {fault.strerror or fault}"
        raise NotDurable(reason, FINISH) from None


class Recogniser:
    """The texts that this clone purged, recognised by their digests."""

    def __init__(self, context: Context, said: Iterable[str] = ()) -> None:
        place = context.places.purges
        self._known = None if place is None else _Texts(place)
        self._said = {fold(text) for text in said}

    def knows(self, entry: dict[str, Any] | None, ours: Iterable[dict[str, Any]]) -> bool:
        """Return whether an entry contains a purged text that the log does not contain now.

        If the log has the text, a verb has recorded it again since the purge.
        """
        said = (entry or {}).get("content")
        if not isinstance(said, str):
            return False
        if fold(said) not in self._said and not (self._known and self._known.knows(said)):
            return False
        others = (one.get("content") for one in ours)
        return all(not isinstance(one, str) or fold(one) != fold(said) for one in others)


def prompts_of(core: FilesCore, protocol: PublishedProtocol) -> list[str]:
    """Return the project's prompt files that contain a block of memories, per notes and git."""
    git, found = core.context.places.git, set(core.views.mark(NOTED).splitlines())
    if git is not None:
        below = core.root[len(git.top) + 1 :]
        asked = ("grep", "-l", "-z", "-I", "--untracked", "--full-name", "-F", "-e")
        listed = git.run(
            "--literal-pathspecs", *asked, protocol.prompt_mark, "--", below or ".", check=False
        )
        paths = (path for path in os.fsdecode(listed).split("\0") if path)
        found |= {path.removeprefix(f"{below}/" if below else "") for path in paths}
    return sorted(found)


def prompts_telling(
    core: FilesCore, protocol: PublishedProtocol, said: Iterable[str] = ()
) -> list[str]:
    """Return the prompt files that show a purged text which no current memory has.

    Args:
        core: the protocol's core.
        protocol: a protocol that may write blocks into prompt files.
        said: purged texts; their digests need not be stored.
    """
    if not protocol.prompt_mark or not core.barred():
        return []
    known, found = Recogniser(core.context, said), []
    ours = [{"content": one.text} for one in core.memories()]
    for path in prompts_of(core, protocol):
        try:
            told = protocol.told_in(core.read_prompt(path)[1])
        except VarvesError:
            continue  # the file is gone, or is not a prompt file any more
        if any(known.knows({"content": said}, ours) for said in told):
            found.append(path)
    return found
