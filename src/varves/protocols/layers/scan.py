"""Scans the Markdown of a log for headings, rules and bold fields, outside code and comments.

Unclosed code would hide every event after it, so an opening mark that is never closed counts as
plain text, and its line is reported.
"""

from __future__ import annotations

import re
from typing import NamedTuple

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence


_HEAD = re.compile(r" {0,3}(#{1,6})(?:[ \t]+(.*?))?(?:[ \t]+#+)?[ \t\r]*$")
_RULE = re.compile(r" {0,3}([-*_])[ \t]*(?:\1[ \t]*){2,}\r?$")
_FIELD = re.compile(r"\*\*([^*\n]{1,60}?)(?::\*\*|\*\*[ \t]*:)[ \t]*(.*)")
_FENCE = re.compile(r"( {0,3}(?:(?:[-*+]|\d{1,9}[.)])[ \t]+)*)(`{3,}(?!.*`)|~{3,})")
_MARK = re.compile(r"(<{7}|\|{7}|>{7})(?: .*)?\r?$|={7}\r?$")
_TIGHT = re.compile(r" {0,3}#{1,6}(?:\d{4}-\d\d-\d\d|evt-)")
_UNDERLINE = re.compile(r"=+[ \t\r]*$")
_DATED = re.compile(r"\d{4}-\d\d-\d\d")
_STARTS = frozenset("#-*_`~<|>= 0123456789+")
_FENCES = frozenset("`~-*+0123456789")
_PLAIN = frozenset("#-*_<|>=")


class Head(NamedTuple):
    """A heading: its line from 0, its level, its text."""

    at: int
    level: int
    text: str


class Field(NamedTuple):
    """A bold name at the start of a line, and the text after it."""

    at: int
    name: str
    text: str


class Mark(NamedTuple):
    """A possible conflict marker of git; `inside` is the line that opens the code around it."""

    at: int
    sign: str
    inside: int | None


class Scan:
    """The result of one scan; line numbers are from 0."""

    def __init__(self) -> None:
        self.heads: list[Head] = []
        self.rules: list[int] = []
        self.fields: list[Field] = []
        self.hidden: list[tuple[int, int]] = []
        """Ranges of lines that are code or comment, including their marks: start and end."""
        self.comments: list[tuple[int, int]] = []
        """The ranges that are comments."""
        self.marks: list[Mark] = []
        self.unclosed: list[tuple[int, str]] = []
        self.odd: list[tuple[int, str]] = []
        """Lines with a date that were meant as headings but are not."""

    def shown(self, lines: Sequence[str]) -> str:
        """Return the text without hidden lines."""
        kept: list[str] = []
        start = 0
        for begin, end in self.hidden:
            kept += lines[start:begin]
            start = end
        return "\n".join((*kept, *lines[start:]))


def scan(lines: Sequence[str]) -> Scan:
    """Scan lines once."""
    found = Scan()
    hopeless: dict[str, int] = {}
    at, count = 0, len(lines)
    while at < count:
        line = lines[at]
        sign = line[:1]
        if sign not in _STARTS:
            at += 1
            continue
        if sign == " ":
            sign = line[:4].lstrip(" ")[:1]
        if (
            ("```" in line or "~~~" in line)
            and sign in _FENCES
            and (fence := _FENCE.match(line)) is not None
        ):
            at = _fenced(found, lines, at, fence=fence, hopeless=hopeless)
        elif sign == "<" and line.lstrip(" ").startswith("<!--"):
            at = _comment(found, lines, at, hopeless=hopeless)
        else:
            if sign in _PLAIN:
                _plain(found, lines, at, sign=sign)
            at += 1
    return found


def _plain(found: Scan, lines: Sequence[str], at: int, *, sign: str) -> None:
    line = lines[at]
    if sign == "#":
        if (head := _HEAD.match(line)) is not None:
            found.heads.append(Head(at, len(head[1]), (head[2] or "").strip()))
        elif _TIGHT.match(line):
            found.odd.append((at, "no blank after #"))
    elif sign == "*" and (field := _FIELD.match(line)) is not None:
        found.fields.append(Field(at, field[1].strip(), field[2].strip()))
    elif (sign in "-*_" and _RULE.match(line)) or (sign == "=" and _UNDERLINE.match(line)):
        if at and sign in "-=" and _DATED.match(lines[at - 1]):
            found.odd.append((at - 1, "underlined, not marked with ##"))
        if sign != "=":
            found.rules.append(at)
    if sign in "<|>=" and (mark := _MARK.match(line)) is not None:
        found.marks.append(Mark(at, (mark[1] or "=")[0], None))


def _fenced(
    found: Scan, lines: Sequence[str], at: int, *, fence: re.Match[str], hopeless: dict[str, int]
) -> int:
    """Skip code from the line that opens it; return the next line to scan."""
    prefix, sign = fence.groups()
    char, length = sign[0], len(sign)
    listed = prefix.strip(" ") != ""
    end = None
    if listed or length < hopeless.get(char, 1 << 30):
        end = _closing(lines, at, char=char, length=length, inset=len(prefix) if listed else 0)
    if end is None:
        hopeless[char] = min(length, hopeless.get(char, length))
        found.unclosed.append((at, "opens a code fence that is never closed"))
        return at + 1
    _hide(found, lines, at, end)
    return end


def _closing(lines: Sequence[str], at: int, *, char: str, length: int, inset: int) -> int | None:
    """Return the line after the end of code; code in a list ends with the list."""
    fence = char * length
    for index in range(at + 1, len(lines)):
        line = lines[index]
        bare = line.strip()
        if bare.startswith(fence) and not bare.strip(char):
            if inset or len(line) - len(line.lstrip(" ")) <= 3:
                return index + 1
        elif inset and bare and len(line) - len(line.lstrip(" \t")) < min(inset, 2):
            return index
    return len(lines) if inset else None


def _comment(found: Scan, lines: Sequence[str], at: int, *, hopeless: dict[str, int]) -> int:
    if "-->" in lines[at].partition("<!--")[2]:
        end = at + 1
    elif "<" in hopeless:
        end = None
    else:
        closing = (index for index in range(at + 1, len(lines)) if "-->" in lines[index])
        end = next((index + 1 for index in closing), None)
    if end is None:
        hopeless["<"] = 1
        found.unclosed.append((at, "opens a comment that is never closed"))
        return at + 1
    _hide(found, lines, at, end)
    found.comments.append((at, end))
    return end


def _hide(found: Scan, lines: Sequence[str], at: int, end: int) -> None:
    found.hidden.append((at, end))
    for index in range(at + 1, end):
        line = lines[index]
        if line[:1] in "<|>=" and line and (mark := _MARK.match(line)) is not None:
            found.marks.append(Mark(index, (mark[1] or "=")[0], at))


def markers(found: Scan) -> list[int]:
    """Return the lines of conflict markers; a complete conflict shown as code is not counted."""
    lines: list[int] = []
    group: list[Mark] = []
    for mark in found.marks:
        if mark.sign == "<":
            lines += _stray(group)
            group = [mark]
        elif group:
            group.append(mark)
            if mark.sign == ">":
                if not _shown_as_code(group):
                    lines += [each.at for each in group]
                group = []
        elif mark.sign in "|>" and mark.inside is None:
            lines.append(mark.at)
    return sorted(lines + _stray(group))


def _stray(group: list[Mark]) -> list[int]:
    """Return the lines of unfinished markers; `=======` alone is an underline."""
    return [mark.at for mark in group if mark.inside is None and mark.sign != "="]


def _shown_as_code(group: list[Mark]) -> bool:
    return all(mark.inside is not None for mark in group)


_NAMES = {"what": "What", "why": "Why", "impact": "Impact", "next steps": "Next Steps"}
_LINK = re.compile(
    r"\[(?:\\.|[^\[\]\\\n]|\[[^\[\]\n]*\])*\]"
    r"\((?:<([^<>\n]+)>|([^\s()<>]*(?:\([^\s()]*\)[^\s()]*)*))[ \t]*(?:\"[^\"\n]*\")?\)"
)
_DEFINED = re.compile(
    r"^ {0,3}(\[(?!\^)[^\[\]\n]+\]):[ \t]+(?:<([^<>\n]+)>|(\S+))[ \t]*"
    r"(?:[\"'(][^\n]*[\"')])?[ \t]*$",
    re.MULTILINE,
)
"""The target of links such as `[text][label]` or `[label]`, on a line of its own."""
_TICKED = re.compile(r"(?<!`)`([^`\s]+)`(?!`)")
_PATH = re.compile(r"[\w.@+~-]+(?:/[\w.@+~-]+)*/?")
_SCHEME = re.compile(r"[A-Za-z][A-Za-z0-9+.-]*:")
_SAFE = re.compile(r"[\w./@+~-]+")
_CODED = {"%": "%25", "<": "%3C", ">": "%3E", "#": "%23", "?": "%3F"}
_HIDDEN = re.compile(r"\.[A-Za-z][\w-]{5,}")  # a shorter one, such as `.py`, is an extension
_EXTENDED = re.compile(
    r"[\w@+~.-]*[\w@+~-]\.(?:"
    r"[ch]|astro|bash|bat|bib|bmp|cc|cfg|cjs|cmake|conf|cpp|cs|css|csv|cts|cxx|db|diff|docx?"
    r"|erl|exs?|fish|gif|go|gradle|graphql|groovy|gz|hcl|hpp|hs|html?|ico|ini|ipynb|java|jpe?g"
    r"|jsx?|json[5cl]?|kts?|less|lock|lua|mdx?|mdc|mjs|mk|mts|nix|onnx|parquet|patch|pdf|php|pkl"
    r"|plist|png|prisma|proto|ps1|pth?|pyi?|pyx|rb|rs|rst|s[ac]ss|scala|sh|sql|sqlite|svelte|svg"
    r"|swift|tar|tex|tf|tgz|tiff?|toml|tsx?|tsv|ttf|txt|vue|wasm|wav|webm|webp|whl|woff2?"
    r"|xlsx?|xml|ya?ml|zig|zip|zsh)",
    re.IGNORECASE,
)

_HOST = re.compile(
    r"(?:[\w-]+\.)+(?:com|org|net|io|dev|ai|app|edu|gov|co|uk|de|fr|sh|rs)", re.IGNORECASE
)
_ATTRIBUTE = re.compile(r"(?:self|this|cls)\.")
_PRODUCTS = frozenset(
    f"{name}.js"
    for name in [
        "node",
        "vue",
        "next",
        "nuxt",
        "react",
        "d3",
        "three",
        "express",
        "ember",
        "backbone",
        "discord",
        "chart",
    ]
)
_MEDIA = frozenset(
    ["application", "audio", "font", "image", "message", "model", "multipart", "text", "video"]
)
_ANY_EXTENSION = re.compile(r"(?!v?\d+\.)[\w@+~-][\w@+~.-]*\.[A-Za-z]\w{0,7}")  # not `2.x`
_FOLDERS = frozenset(
    ["src", "lib", "app", "apps", "packages", "scripts", "internal", "node_modules"]
)
_BARE = frozenset(
    [
        "Makefile",
        "Dockerfile",
        "LICENSE",
        "README",
        "Gemfile",
        "Rakefile",
        "Procfile",
        "Jenkinsfile",
    ]
)


class Page:
    """A text in lines, scanned once."""

    def __init__(self, text: str) -> None:
        self.lines: list[str] = text.split("\n")
        self.seen: Scan = scan(self.lines)


def sections(page: Page) -> dict[str, str]:
    """Return the sections of an event by name, in order; sections of the same name are joined."""
    lines, heads = page.lines, page.seen.heads
    first, *rest = heads
    heads = [head for head in rest if head.level == first.level + 1]
    found: dict[str, str] = {}
    for head, after in zip(heads, [*heads[1:], None], strict=False):
        body = lines[head.at + 1 : None if after is None else after.at]
        name = _NAMES.get(" ".join(head.text.split()).casefold(), head.text)
        said = _trim(body)
        found[name] = f"{found[name]}\n\n{said}" if found.get(name) else said
    return found


def headers(page: Page) -> dict[str, str]:
    """Return the text after each bold name at the start of a line, before the first section."""
    lines, seen = page.lines, page.seen
    end = seen.heads[1].at if len(seen.heads) > 1 else len(lines)
    marks = [field for field in seen.fields if field.at < end]
    found: dict[str, str] = {}
    for mark, after in zip(marks, [*marks[1:], None], strict=False):
        body = [mark.text, *lines[mark.at + 1 : end if after is None else after.at]]
        said = _trim(body)
        if mark.name not in found:
            found[mark.name] = said
    return found


def linked_files(page: Page) -> tuple[str, ...]:
    """Return the paths that a text links, or has in backticks, outside of fenced code."""
    shown = page.seen.shown(page.lines)
    found: dict[str, int] = {}
    for match in _LINK.finditer(shown):
        path = _target(match[1] or match[2] or "")
        if path:
            found.setdefault(path, match.start())
    for match in _DEFINED.finditer(shown) if "]:" in shown else ():
        path = _target(match[2] or match[3])
        if path and shown.casefold().count(match[1].casefold()) > 1:
            found.setdefault(path, match.start())
    for match in _TICKED.finditer(shown):
        if is_path(match[1]):
            found.setdefault(match[1], match.start())
    return tuple(sorted(found, key=lambda path: found[path]))


def is_path(word: str) -> bool:
    """Return whether a word in backticks names a file or folder of the project.

    It has a usual extension, ends in a slash, or begins with a dot or a usual folder of sources. A
    slash alone is not enough: branches, media types, packages, fractions and address ranges also
    contain a slash.
    """
    if word.startswith(("-", "@")) or not word.strip("./~-") or not _PATH.fullmatch(word):
        return False
    first, slash, _ = word.partition("/")
    last = word.rstrip("/").rpartition("/")[2]
    if _HOST.fullmatch(first) if slash else _ATTRIBUTE.match(word):
        return False
    if last.lower() in _PRODUCTS or (slash and first in _MEDIA):
        return False
    if _HIDDEN.fullmatch(last) or _EXTENDED.fullmatch(last):
        return True
    if not slash:
        return False
    if _ANY_EXTENSION.fullmatch(last):
        return True
    return word.endswith("/") or first.startswith(".") or first in _FOLDERS or last in _BARE


def links_named(text: str) -> str:
    """Return a text whose links to files are names in double brackets."""
    if "](" not in text:
        return text
    return _LINK.sub(
        lambda found: in_brackets(_target(found[1] or found[2] or "")) or found[0], text
    )


def in_brackets(path: str) -> str:
    """Return a path as a name in double brackets; empty if it cannot be one."""
    fits = path and path.isprintable() and not set("[]|").intersection(path)
    return f"[[{path}]]" if fits else ""


def _target(said: str) -> str:
    """Return the file that a link points to; empty if it points elsewhere."""
    if _SCHEME.match(said) or said.startswith(("#", "//")):
        return ""
    path = said.partition("#")[0].partition("?")[0]
    if "%" in path:
        from urllib.parse import unquote

        path = unquote(path)
    return path.removeprefix("./")


def _trim(lines: list[str]) -> str:
    """Return lines as one text, without the blank lines around it."""
    return "\n".join(line.rstrip() for line in lines).strip("\n")


def link_line(paths: Sequence[str]) -> str:
    """Return the line that links an event's files."""
    return "Files: " + ", ".join(f"[{_shown(path)}]({_linked(path)})" for path in paths)


def without_links(impact: str) -> tuple[str, tuple[str, ...]]:
    """Split a section into its text and the files of its last line, if that is a link line."""
    text, _, last = impact.rpartition("\n")
    if last.startswith("Files: "):
        paths = linked_files(Page(last))
        if link_line(paths) == last:
            return text.rstrip(), paths
    return impact, ()


def _shown(path: str) -> str:
    return path.replace("\\", "\\\\").replace("[", "\\[").replace("]", "\\]")


def _linked(path: str) -> str:
    """Return a path as a link's target."""
    if _SAFE.fullmatch(path):
        return path
    return f"<{''.join(_CODED.get(letter, letter) for letter in path)}>"
