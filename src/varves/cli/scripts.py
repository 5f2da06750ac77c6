"""The published scripts, `scripts/memory-*.sh`: each forwards its arguments to `varves`.

Either all scripts are written or none. A file of the same name is replaced only if Varves wrote it.
"""

from __future__ import annotations

import os

from varves.disk import replace_file
from varves.errors import Refused

FOLDER = "scripts"
VERBS = ("read", "write", "search", "forget", "restore", "init", "rank", "validate")
_MARK = "# Laid down by varves scoped init --scripts, which writes it again."
_SCRIPT = f"""\
#!/bin/sh
{_MARK}
if command -v varves >/dev/null 2>&1; then
  exec varves scoped VERB "$@"
fi
if python3 -c "import varves" 2>/dev/null; then
  exec python3 -m varves scoped VERB "$@"
fi
echo "$0: varves is not installed, or not on the PATH: pip install varves" >&2
exit 127
"""


def lay(root: str) -> list[str]:
    """Write the scripts into a project and return the paths of those that changed.

    Raises:
        Refused: there is a file or folder with one of these names that Varves did not write.
    """
    _refuse_unless(_is_folder(f"{root}/{FOLDER}"), FOLDER)
    wanted = {f"{FOLDER}/memory-{verb}.sh": _SCRIPT.replace("VERB", verb) for verb in VERBS}
    found = {path: _found(f"{root}/{path}") for path in wanted}
    for path, content in found.items():
        _refuse_unless(content is None or _MARK in content, path)
    changed = [path for path, content in wanted.items() if found[path] != content]
    try:
        os.makedirs(f"{root}/{FOLDER}", exist_ok=True)
        for path in changed:
            replace_file(f"{root}/{path}", wanted[path].encode(), mode=0o777)
    except OSError as error:
        raise Refused(
            f"{FOLDER} cannot be written: {error.strerror}", "make it writable, or omit --scripts"
        ) from None
    return changed


def _refuse_unless(ours: bool, path: str) -> None:  # noqa: FBT001 - reads as a sentence
    if not ours:
        raise Refused(f"{path} was not written by varves", "move it, or leave --scripts out")


def _is_folder(path: str) -> bool:
    return not os.path.lexists(path) or (os.path.isdir(path) and not os.path.islink(path))


def _found(path: str) -> str | None:
    """Return a file's text; None if there is no file, "" if the path is not a plain file."""
    if not os.path.lexists(path):
        return None
    try:
        with os.fdopen(os.open(path, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK), "rb") as file:
            content = file.read().decode(errors="replace")
            return content if os.fstat(file.fileno()).st_mode & 0o100 else f"{content}\n"
    except OSError:
        return ""
