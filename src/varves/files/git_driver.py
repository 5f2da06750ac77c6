"""Installs the merge driver in a clone's git settings: which files it merges, and its command.

Both are in git's common folder: shared by all worktrees and in no commit. The file
`info/attributes` lists the files to merge, and `config` has the command. In both files, the lines
of Varves are between two marks; all other bytes are left unchanged. If the command cannot start
varves, `git merge-file` merges the whole file as text.
"""

from __future__ import annotations

import os
import re
import stat
from shlex import quote, split

from varves.errors import Busy, Refused
from varves.program import is_there, own

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from varves.git import Git

CONFIG, ATTRIBUTES = "config", "info/attributes"
ABSENT, STALE, CURRENT = "absent", "stale", "current"
_BEGIN, _END = b"# varves: begin\n", b"# varves: end\n"
# if the line before has no newline: removing our lines restores it
_GLUED = b"# varves: begin, after a line without an end\n"
_AS = " merge=varves"
_SETTLE = "merge-file %O %A %B %P"
_MERGE = "git merge-file --marker-size=%L -L ours -L base -L theirs %A %O %B || exit 1"
_PLAIN = {"n": "\n", "t": "\t"}  # characters that git's config writes as a backslash and a letter
_LARGEST = 8 << 20
_LOCK = os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC


class GitDriver:
    """The driver's entries in the repository around a project.

    Args:
        git: the repository.
        root: the project's folder.
        patterns: the paths of the files that it merges, below the project's folder.
    """

    def __init__(self, git: Git, root: str, patterns: Iterable[str]) -> None:
        self._folder = git.commondir
        below = os.path.relpath(os.path.realpath(root), os.path.realpath(git.top))
        prefix = "" if below == "." else f"{literal(below)}/"
        self._lines = [_attribute(f"/{prefix}{one}") for one in patterns]

    @property
    def seal(self) -> str:
        """A value that changes if the list of files that the driver merges changes."""
        from hashlib import sha256

        return sha256(b"".join(self._lines)).hexdigest()

    def state(self) -> str:
        """Return the state of the driver's entries: absent, current, or stale if they are wrong."""
        try:
            config, named = self._ours(CONFIG), self._ours(ATTRIBUTES)
        except OSError:
            return ABSENT
        if not config or not named:
            return ABSENT
        program = _program_in(config)
        fits = config == _section(program) and is_there(program)
        return CURRENT if fits and not {*self._lines} - {*named} else STALE

    def install(self) -> list[str]:
        """Write the driver's entries that are missing or stale; return the files that changed.

        Raises:
            Refused: a file cannot be written.
            Busy: git is changing its settings.
        """
        program = _program_in(self._read_ours(CONFIG))
        fits = is_there(program) and self._read_ours(CONFIG) == _section(program)
        section = _section(program if fits else own())
        return self._write({CONFIG: section, ATTRIBUTES: self._with_lines()})

    def remove(self, *, dry_run: bool = False) -> list[str]:
        """Remove the lines of Varves from git's files; return the files that change.

        Raises:
            Refused: a file cannot be written.
            Busy: git is changing its settings.
        """
        return self._write({CONFIG: [], ATTRIBUTES: []}, dry_run=dry_run)

    def _with_lines(self) -> list[bytes]:
        held = self._read_ours(ATTRIBUTES)
        return [*held, *(line for line in self._lines if line not in held)]

    def _read_ours(self, name: str) -> list[bytes]:
        try:
            return self._ours(name)
        except OSError:
            return []

    def _ours(self, name: str) -> list[bytes]:
        return _cut(self._read(name))[1]

    def _read(self, name: str) -> bytes:
        place = f"{self._folder}/{name}"
        try:
            found = os.lstat(place)
        except FileNotFoundError:
            return b""
        if not stat.S_ISREG(found.st_mode) or found.st_size > _LARGEST:
            raise OSError(f"{place} is not a plain file")
        with open(place, "rb") as file:
            return file.read()

    def _write(self, wanted: dict[str, list[bytes]], *, dry_run: bool = False) -> list[str]:
        """Replace the lines of Varves while holding the lock of git's config.

        Return the files that changed.
        """
        try:
            made = self._made(wanted)
            if dry_run or not made:
                return self._places(made)
            with _Locked(f"{self._folder}/{CONFIG}"):
                made = self._made(wanted)
                for name, content in made.items():
                    self._replace(name, content)
        except FileExistsError:
            raise Busy(
                f"git is changing {self._folder}/{CONFIG}",
                f"try again; if no git is running, remove {self._folder}/{CONFIG}.lock",
            ) from None
        except OSError as fault:
            reason = f"{self._folder} cannot be changed: {fault.strerror or fault}"
            raise Refused(
                reason, "until it can be changed, varves rebuild resolves merged files"
            ) from None
        return self._places(made)

    def _places(self, names: Iterable[str]) -> list[str]:
        return [f"{self._folder}/{name}" for name in names]

    def _made(self, wanted: dict[str, list[bytes]]) -> dict[str, bytes]:
        """Return the new content of each file that must change."""
        found = {}
        for name, lines in wanted.items():
            before = self._read(name)
            after = _with(before, lines)
            if after != before:
                found[name] = after
        return found

    def _replace(self, name: str, content: bytes) -> None:
        from varves.disk import replace_file

        place = f"{self._folder}/{name}"
        if not content and name == ATTRIBUTES:
            os.unlink(place)
            return
        os.makedirs(os.path.dirname(place), exist_ok=True)
        mode = stat.S_IMODE(os.stat(place).st_mode) if os.path.exists(place) else 0o644
        replace_file(place, content, mode=mode, exact=True)


class _Locked:
    """Holds git's own lock on a file during a `with` block."""

    def __init__(self, path: str) -> None:
        self._path = f"{path}.lock"

    def __enter__(self) -> None:
        os.close(os.open(self._path, _LOCK))

    def __exit__(self, *_: object) -> None:
        os.unlink(self._path)


def _cut(content: bytes) -> tuple[bytes, list[bytes], bytes]:
    """Return a file as the text before the lines of Varves, these lines, and the text after."""
    stop = content.rfind(_END)
    start, begin = max((content.rfind(one, 0, max(stop, 0)), one) for one in (_BEGIN, _GLUED))
    if stop < 0 or start < 0:
        return content, [], b""
    before, inside = content[:start], content[start + len(begin) : stop]
    if begin == _GLUED:
        before = before[:-1]
    return before, inside.splitlines(keepends=True), content[stop + len(_END) :]


def _with(content: bytes, lines: Sequence[bytes]) -> bytes:
    """Return a file with the lines of Varves replaced, or added at its end."""
    before, held, after = _cut(content)
    if lines == held or (not lines and not held):
        return content
    if not lines:
        return before + after
    glued = before and not before.endswith(b"\n")
    begin = b"\n" + _GLUED if glued else _BEGIN
    return before + begin + b"".join(lines) + _END + after


def _section(program: Sequence[str]) -> list[bytes]:
    """Return the lines for git's config that define the driver."""
    words = " ".join(quote(word) for word in program).replace("%", "%%")
    value = f"{words} {_SETTLE}; {_MERGE}"
    for sign, escaped in (("\\", "\\\\"), ('"', '\\"'), ("\n", "\\n"), ("\t", "\\t")):
        value = value.replace(sign, escaped)
    rows = (
        '[merge "varves"]',
        "\tname = varves: published files, record by record",
        f'\tdriver = "{value}"',
    )
    return [os.fsencode(f"{row}\n") for row in rows]


def _program_in(section: Sequence[bytes]) -> tuple[str, ...]:
    """Return the program that the driver's command runs; () if there is none."""
    row = next((os.fsdecode(one) for one in section if one.startswith(b"\tdriver = ")), "")
    value = row.partition('"')[2].partition(f" {_SETTLE}")[0]
    value = re.sub(r"\\(.)", lambda found: _PLAIN.get(found[1], found[1]), value)
    try:
        return tuple(split(value.replace("%%", "%")))
    except ValueError:
        return ()


def _attribute(pattern: str) -> bytes:
    """Return a line of git's attributes."""
    if any(sign in pattern for sign in ' \t"\\\n'):
        from json import dumps

        # git reads a quoted pattern like a string in C
        pattern = dumps(pattern, ensure_ascii=False)
    return os.fsencode(f"{pattern}{_AS}\n")


def literal(path: str) -> str:
    """Return a pattern that matches only this path."""
    return "".join(f"\\{sign}" if sign in "*?[\\" else sign for sign in path)
