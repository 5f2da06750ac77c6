"""Law: putting us in and taking us out again is the identity, whatever the file looked like."""

from __future__ import annotations

import json
import tomllib

import tomlkit
import yaml
from hypothesis import given
from hypothesis import strategies as st

from tests.install.scene import parse, without_us
from varves.errors import VarvesError
from varves.hosts.install.parts import Hooks, JsonServer
from varves.hosts.install.tomltext import TomlServer
from varves.hosts.install.yamltext import YamlServer

ENTRY = {"command": "/usr/bin/varves", "args": ["mcp"]}
EXTENSION = {"enabled": True, "cmd": "/usr/bin/varves", "args": ["mcp"], "timeout": 60}
GROUP = {"hooks": [{"type": "command", "command": "/usr/bin/varves hook Stop --client claude"}]}

WORDS = st.text(st.characters(codec="utf-8", exclude_categories=("Cc", "Cs")), max_size=8)
KEYS = st.one_of(st.sampled_from(["hooks", "mcpServers", "extensions", "a b", "//", "/*"]), WORDS)
SCALARS = st.one_of(st.none(), st.booleans(), st.integers(-(10**9), 10**9), WORDS)
VALUES = st.recursive(
    SCALARS,
    lambda inner: st.one_of(st.lists(inner, max_size=3), st.dictionaries(KEYS, inner, max_size=3)),
    max_leaves=8,
)
OTHERS = st.dictionaries(
    KEYS.filter(lambda key: key not in ("hooks", "mcpServers")), VALUES, max_size=4
)
HOOKS = st.dictionaries(
    st.sampled_from(["Stop", "Start"]), st.lists(st.just({"hooks": []}), max_size=2), max_size=2
)
SERVERS = st.dictionaries(
    WORDS.filter(lambda name: name != "varves"), st.just({"a": 1}), max_size=3
)
PARTS = (
    Hooks(path=("hooks",), groups={"Stop": GROUP}),
    JsonServer(path=("mcpServers",), value=ENTRY),
)


@st.composite
def json_texts(draw) -> str:
    """Draw a JSON text in one of the ways people and programs write it."""
    value = draw(OTHERS)
    if draw(st.booleans()):
        value["hooks"] = draw(HOOKS)
    if draw(st.booleans()):
        value["mcpServers"] = draw(SERVERS)
    keys = draw(st.permutations(list(value)))
    value = {key: value[key] for key in keys}
    style = draw(st.sampled_from(["  ", "    ", "\t", None, ""]))
    tight = (",", ":") if style == "" else None
    text = json.dumps(
        value, indent=style or None, ensure_ascii=draw(st.booleans()), separators=tight
    )
    if style:
        text = draw(_commented(text))
    return (
        draw(st.sampled_from(["", "\n", "\ufeff"[:0]])) + text + draw(st.sampled_from(["", "\n"]))
    )


@st.composite
def _commented(draw, text: str) -> str:
    """Put comments at the ends of some lines, between them, and commas behind last ones."""
    kept = []
    lines = text.split("\n")
    for line, following in zip(lines, [*lines[1:], ""], strict=True):
        closing = following.strip()[:1] in ("}", "]") and line.strip()[-1:] not in ("{", "[", ",")
        put = line + ("," if closing and draw(st.booleans()) else "")
        put += draw(st.sampled_from(["", "", " // said, {}", " /* [so] */"]))
        kept.append(put)
        if following and draw(st.integers(0, 3)) == 0:
            kept.append("  // a line of its own")
    line = draw(st.sampled_from(["\n", "\n", "\r\n"]))
    return line.join(kept)


@given(json_texts())
def test_json_comes_back_to_the_byte(text):
    was = parse(text, ".json")
    put, containers = text, []
    for part in PARTS:
        put, made = part.put(put, "x")
        containers += made
    held = parse(put, ".json")
    assert held["mcpServers"]["varves"] == ENTRY
    assert held["hooks"]["Stop"][-1] == GROUP
    assert without_us(held) == without_us(was)
    assert [part.found(put, "x") for part in PARTS] == [{"Stop": [GROUP]}, ENTRY]
    back = put
    for part in reversed(PARTS):
        back = part.without(back, "x", containers)
    assert parse(back, ".json") == was
    assert _closed(back) == _closed(text)


def _closed(text: str) -> str:
    """Take the inside of empty brackets for nothing: what space was there, is forgotten."""
    import re

    return re.sub(r"([{\[])\s+(?=[}\]])", r"\1", text)


TOML_VALUES = st.one_of(
    st.booleans(), st.integers(-(10**9), 10**9), WORDS, st.lists(WORDS, max_size=3)
)
TABLES = st.dictionaries(
    KEYS.filter(bool),
    st.one_of(TOML_VALUES, st.dictionaries(KEYS.filter(bool), TOML_VALUES, max_size=3)),
    max_size=4,
)


@given(TABLES, SERVERS, st.sampled_from(["", "# the end\n", "\n\n"]))
def test_toml_comes_back_to_the_byte(tables, servers, end):
    tables = tables | ({"mcp_servers": servers} if servers else {})
    text = "# the beginning\n" + tomlkit.dumps(tables) + end
    part = TomlServer(value=ENTRY | {"required": True})
    put, _ = part.put(text, "x")
    held = tomllib.loads(put)
    assert held["mcp_servers"].pop("varves") == part.value
    assert {k: v for k, v in held.items() if k != "mcp_servers" or v} == tomllib.loads(text)
    assert part.without(put, "x", []) == text
    later = put + "\n[other]\nx = 1\n"
    if "other" not in held:
        assert part.without(later, "x", []) == text + "\n[other]\nx = 1\n"


NAMES = st.from_regex(r"[a-z_]{1,8}", fullmatch=True).filter(lambda name: name != "varves")
EXTENSIONS = st.dictionaries(
    NAMES, st.dictionaries(NAMES, st.one_of(SCALARS, st.lists(WORDS, max_size=2)), max_size=3)
)


@given(
    st.dictionaries(NAMES.filter(lambda name: name != "extensions"), VALUES, max_size=3),
    st.none() | EXTENSIONS,
    st.sampled_from([2, 4]),
    st.sampled_from(["", "# the end\n", "\n"]),
)
def test_yaml_comes_back_to_the_byte(value, extensions, indent, end):
    if extensions is not None:
        value = value | {"extensions": extensions}
    text = yaml.safe_dump(value, indent=indent, allow_unicode=True) if value else ""
    text = "# the beginning\n" + text + end
    part = YamlServer(value=EXTENSION)
    put, made = part.put(text, "x")
    held = yaml.safe_load(put)
    assert held["extensions"].pop("varves") == EXTENSION
    if not extensions and held["extensions"] == {}:
        del held["extensions"]
        value = {key: part for key, part in value.items() if key != "extensions"}
    assert held == value
    assert part.found(put, "x") == EXTENSION
    assert part.without(put, "x", made) == text


def test_what_follows_on_the_line_is_not_swallowed_by_a_comment():
    server = JsonServer(path=("mcpServers",), value=ENTRY)
    text = '{"mcpServers": {"a": 1, // mine\n "varves": %s, "b": 2}}' % json.dumps(ENTRY)  # noqa: UP031
    assert parse(server.without(text, "x", []), ".json") == {"mcpServers": {"a": 1, "b": 2}}


def test_yaml_that_is_not_plain_is_refused():
    part = YamlServer(value=EXTENSION)
    for text in ("{a: 1}\n", "extensions: {a: {b: 1}}\n", "- a\n", "a: 1\n---\nb: 2\n", "a\n"):
        for act in (part.put, part.found):
            try:
                act(text, "x")
            except VarvesError as fault:
                assert fault.exit in (3, 5)  # noqa: PT017
            else:
                assert act == part.found
                assert text.startswith("extensions")
