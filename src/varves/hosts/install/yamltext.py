"""Adds the entry of Varves under a key of a YAML text, and removes it, line by line.

Varves does not depend on a YAML parser, and a parser would lose the comments when the file is
rewritten. So only a simple form is supported: a mapping at the left margin, with entries indented
by spaces. For other forms, the error shows the lines to add by hand.
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

KEY = "extensions"
_KEY = r"""(?:[A-Za-z0-9_.\-/]+|"(?:\\.|[^"\\])*"|'(?:''|[^'])*')\s*:(?:\s|$)"""
_EMPTY = ("", "{}", "null", "~")


class YamlServer(ConfigPart):
    """The entry in a YAML file that describes the server of Varves."""

    value: dict[str, Any]

    @property
    def wanted(self) -> Any:
        """Return the entry that should be in the file."""
        return self.value

    def found(self, text: str, name: str) -> Any:
        """Return the entry of Varves in a text, or None if there is none.

        Raises:
            Refused: an entry has the name of ours but was not added by Varves.
        """
        lines = text.split("\n")
        span = _entry(lines, name)
        if span is None:
            return None
        held = _read(lines[slice(*span)])
        if not server_program(held):
            raise Refused(
                f"{name}: {KEY}.{NAME} was not added by Varves", "rename or remove it first"
            )
        return held

    def programs(self, text: str, name: str) -> list[list[str]]:
        """Return the program that the entry of Varves in a text calls."""
        held = self.found(text, name)
        return [server_program(held)] if held else []

    def put(self, text: str, name: str) -> tuple[str, list[Path]]:
        """Return the text with the entry of Varves after the last entry."""
        end = "\r" if "\r\n" in text else ""
        lines = text.split("\n")
        at = _key(lines, name)
        if at is None:
            put = [f"{KEY}:", *self._lines("  ")]
            gap = "" if not text or text.endswith("\n") else f"{end}\n"
            return text + gap + "".join(f"{line}{end}\n" for line in put), [(KEY,)]
        said = lines[at].split(":", 1)[1].split(" #")[0].strip()
        if said not in _EMPTY:
            raise Refused(
                f"{name}: {KEY} is written in one line",
                "write each entry on separate lines, or add: " + " ".join(self._lines("")),
            )
        last, indent = _block(lines, at)
        made: list[Path] = []
        if said:
            made = [(lines[at],)]
            before, _, behind = lines[at].partition(":")
            lines[at] = f"{before}:{behind.replace(said, '', 1)}".rstrip() + end
        if last == len(lines):
            lines[-1] += end
            end = ""
        lines[last:last] = [f"{line}{end}" for line in self._lines(indent or "  ")]
        return "\n".join(lines), made

    def _lines(self, indent: str) -> list[str]:
        from json import dumps

        def written(value: Any) -> str:
            if isinstance(value, str) and value.isalpha():
                return value
            return dumps(value, ensure_ascii=False)

        inner = indent * 2 or "  "
        return [f"{indent}{NAME}:", *(f"{inner}{k}: {written(v)}" for k, v in self.value.items())]

    def without(self, text: str, name: str, made: Made) -> str:
        """Return the text without the entry of Varves."""
        if self.found(text, name) is None:
            return text
        lines = text.split("\n")
        first, last = _entry(lines, name) or (0, 0)
        del lines[first:last]
        at = _key(lines, name) or 0
        if not _block(lines, at)[1]:
            if made is None or (KEY,) in made:
                del lines[at]
            elif made:
                lines[at] = str(made[0][0])
        return "\n".join(lines)


def _key(lines: list[str], name: str) -> int | None:
    """Return the line of the key that contains the entry of Varves, or None.

    The form of all lines is checked first.
    """
    from re import match

    found: list[int] = []
    body = False
    for number, line in enumerate(lines):
        if line.startswith("\t") or ("\t" in line[: len(line) - len(line.lstrip())]):
            raise Damaged(f"{name}: line {number + 1} is indented by a tab", "use spaces")
        if not line.strip() or line.lstrip().startswith("#"):
            continue
        if line[0] == " " and body:
            continue
        if line.strip() == "---" and not body:
            continue
        if line[0] == "-" and body and not line.startswith("---"):
            continue  # a list under a key may begin at the left margin
        if not match(_KEY, line):
            what = f"{name}: line {number + 1} is not a key of a plain YAML mapping"
            raise Damaged(what, "fix it, or add the entry by hand; it was left unchanged")
        body = True
        if line.split(":", 1)[0].strip().strip("\"'") == KEY:
            found.append(number)
    if len(found) > 1:
        raise Damaged(f"{name} has the key {KEY} twice", "remove one of them")
    return found[0] if found else None


def _block(lines: list[str], at: int) -> tuple[int, str]:
    """Return the line after the entries under a key, and the indentation of those entries."""
    last, indent = at + 1, ""
    for number in range(at + 1, len(lines)):
        line = lines[number]
        if not line.strip() or line.lstrip().startswith("#"):
            continue
        if line[0] != " ":
            break
        indent = indent or line[: len(line) - len(line.lstrip())]
        last = number + 1
    return last, indent


def _entry(lines: list[str], name: str) -> tuple[int, int] | None:
    """Return the first line of the entry of Varves and the line after its last line."""
    at = _key(lines, name)
    if at is None:
        return None
    end, indent = _block(lines, at)
    heads = [
        number
        for number in range(at + 1, end)
        if lines[number].startswith(indent)
        and lines[number][len(indent) : len(indent) + 1] not in ("", " ", "#")
    ]
    for number in heads:
        if lines[number].strip().split(":")[0].strip("\"'") == NAME and indent:
            later = [other for other in heads if other > number]
            last = later[0] if later else end
            while last > number + 1 and (
                not lines[last - 1].strip() or lines[last - 1].lstrip().startswith("#")
            ):
                last -= 1  # comments before the next entry belong to the next entry
            return number, last
    return None


def _read(lines: list[str]) -> dict[str, Any]:
    """Return an entry as values, which are scalars or lists of scalars."""
    held: dict[str, Any] = {}
    key = ""
    for line in lines[1:]:
        said = line.strip()
        if said.startswith("- ") and isinstance(held.get(key), list):
            held[key].append(_scalar(said[2:]))
        elif ":" in said and not said.startswith("#"):
            key, _, value = said.partition(":")
            held[key] = _scalar(value) if value.strip() else []
    return held


def _scalar(said: str) -> Any:
    from json import loads

    said = said.strip()
    try:
        return loads(said)
    except ValueError:
        return said[1:-1].replace("''", "'") if said[:1] == "'" == said[-1:] else said
