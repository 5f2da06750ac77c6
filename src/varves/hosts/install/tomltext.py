"""Adds the table of Varves at the end of a TOML text, and removes it.

Nothing else is rewritten. The table is appended below a comment that names Varves. It is removed
line by line, up to the header of the next table. A comment that marks the end of the table would
not help, because programs that edit such files insert their own tables before a final comment.
"""

from __future__ import annotations

from varves.errors import Damaged, Refused
from varves.hosts.install.parts import ConfigPart
from varves.hosts.install.words import NAME, server_program

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from varves.hosts.install.jsontext import Path
    from varves.hosts.install.parts import Made

REMARK = "# Written by `varves install`; `varves uninstall` takes it out."
_TABLE = "mcp_servers"


class TomlServer(ConfigPart):
    """The table in a TOML file that describes the server of Varves."""

    value: dict[str, Any]

    @property
    def wanted(self) -> Any:
        """Return the table that should be in the file."""
        return self.value

    def found(self, text: str, name: str) -> Any:
        """Return the table of Varves in a text, or None if there is none.

        Raises:
            Refused: a table has the name of ours but was not added by Varves.
        """
        tables = _read(text, name).get(_TABLE, {})
        if not isinstance(tables, dict):
            raise Damaged(f"{name}: {_TABLE} is not a table", "fix it")
        held = tables.get(NAME)
        if held is not None and not server_program(held):
            raise Refused(
                f"{name}: [{_TABLE}.{NAME}] was not added by Varves", "rename or remove it first"
            )
        return held

    def programs(self, text: str, name: str) -> list[list[str]]:
        """Return the program that the table of Varves in a text calls."""
        held = self.found(text, name)
        return [server_program(held)] if held else []

    def put(self, text: str, name: str) -> tuple[str, list[Path]]:
        """Return the text with the table of Varves at its end."""
        line = "\r\n" if "\r\n" in text else "\n"
        lines = [REMARK, f"[{_TABLE}.{NAME}]"]
        lines += [f"{key} = {_literal(value)}" for key, value in self.value.items()]
        gap = "" if not text else line if text.endswith("\n") else line + line
        put = text + gap + line.join(lines) + line
        try:
            held = _read(put, name).get(_TABLE, {}).get(NAME)
        except Damaged:
            held = None
        if held != self.value:
            what = f"{name}: {_TABLE} is an inline table, which cannot be extended"
            raise Refused(what, f"write [{_TABLE}.…] tables instead")
        return put, []

    def without(self, text: str, name: str, made: Made) -> str:
        """Return the text without the table of Varves."""
        del made
        if self.found(text, name) is None:
            return text
        lines = text.split("\n")
        first, last = _lines_of_ours(lines, name)
        while first and lines[first - 1].strip() == REMARK:
            first -= 1
        if first and not lines[first - 1].strip():
            first -= 1
        rest = "\n".join(lines[:first] + lines[last:])
        kept = _read(text, name)
        del kept[_TABLE][NAME]
        if not kept[_TABLE] and _TABLE not in _read(rest, name):
            del kept[_TABLE]
        if _read(rest, name) != kept:
            raise Refused(f"{name}: [{_TABLE}.{NAME}] was moved", "remove it by hand")
        return rest


def _lines_of_ours(lines: list[str], name: str) -> tuple[int, int]:
    """Return the first line of the table of Varves and the line after its last."""
    heads = [number for number, line in enumerate(lines) if _is_head(line)]
    first = next(
        (n for n in heads if lines[n].partition("#")[0].strip() == f"[{_TABLE}.{NAME}]"), None
    )
    if first is None:
        raise Refused(f"{name}: {_TABLE}.{NAME} is not written as a table", "remove it by hand")
    after = [n for n in heads if n > first and not lines[n].startswith(f"[{_TABLE}.{NAME}.")]
    last = after[0] if after else len(lines)
    while last > first + 1 and (not lines[last - 1].strip() or lines[last - 1][0] == "#"):
        last -= 1  # comments just before the next header belong to the next table
    return first, last


def _is_head(line: str) -> bool:
    return line.startswith("[") and line.partition("#")[0].rstrip().endswith("]")


def _read(text: str, name: str) -> dict[str, Any]:
    import tomllib

    try:
        return tomllib.loads(text.replace("\r\n", "\n"))
    except (ValueError, RecursionError) as fault:
        what = f"{name} is not TOML: {fault}"
        raise Damaged(what, "fix it; it was left unchanged") from None


def _literal(value: Any) -> str:
    """Return a value as TOML; strings, lists, numbers and booleans are written as in JSON."""
    from json import dumps

    return dumps(value, ensure_ascii=False).replace("\x7f", "\\u007f")
