"""Parses the text of one event: its sections, its bold fields, the files it names."""

from __future__ import annotations

import re

from varves.protocols.layers.scanning import scan

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from varves.protocols.layers.scanning import Scan

_NAMES = {"what": "What", "why": "Why", "impact": "Impact", "next steps": "Next Steps"}
_LINK = re.compile(
    r"\[(?:\\.|[^\[\]\\\n]|\[[^\[\]\n]*\])*\]"
    r"\((?:<([^<>\n]+)>|([^\s()<>]*(?:\([^\s()]*\)[^\s()]*)*))[ \t]*(?:\"[^\"\n]*\")?\)"
)
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
