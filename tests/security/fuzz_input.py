"""The input itself, made from the table of verbs and from what is known to break parsers."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from tests.properties.lines import forged
from varves.cli.batch import KEYS
from varves.cli.table import GLOBALS, every_verb

if TYPE_CHECKING:
    import random

    from varves.cli.table import Option

# ------------------------------------------------------------------------------------------ texts

TEXTS = (
    *("", " ", "-", "--", "---", "--=", "-k", "--json", "--help", "-h", "--text", "\0", "a\0b"),
    *("words", "input validation", "Use Zod", "Ünï¢ödé", "日本語", "👩‍👩‍👧", "\u202eabc", "\ufeff"),
    *("\u2028", "\x1b[31mred", "\x07", "\r\n", "a\nb\nc", "\t", "\x7f", "\x85", "e\u0301" * 40),
    *("\ud800", "\udc80abc", "\U000e0001tag", "%s%n%x", "{0}", "${HOME}", "`id`", "$(id)"),
    *('"', "'", "*", "a*", "NEAR(", "a AND", "OR", "NOT x", "col:x", "(", ")", "^", "{", '"a" "b'),
    *("';--", "x' OR '1'='1", "../../etc/passwd", "/etc/passwd", "con", "a/b", "~", "~root"),
    *("<script>", "null", "true", "[]", "{}", "\\", "\\u0000", "a" * 300, "ß" * 5000, "ab " * 9000),
    *(
        "password = hunter2hunter2X",
        "AKIAIOSFODNN7EXAMPLE",
        "ghp_" + "a1B2" * 9,
    ),  # pragma: allowlist secret
)
NUMBERS = (
    *(
        "0",
        "1",
        "-1",
        "5",
        "10",
        "+5",
        "1_000",
        "\uff11\uff12",
        "٣",
        "0x10",
        "1e3",
        "1e999",
        "-0.0",
        "0.5",
    ),
    *("NaN", "inf", "-inf", "9007199254740993", "9" * 30, "9" * 400, "9" * 5000, "1.", ".5", "1,5"),
    *("4294967296", "2147483648", "-2147483649", " 7 ", "7x", "00000007"),
)
MOMENTS = (
    *("2026-11-01", "2026-11-15T10:00:00Z", "2026-13-45T99:99", "now", "1d", "-1d", "30d", "2w"),
    *("99999999999999d", "0d", "1e9y", "5", "d", "0000-00-00", "9999-12-31", "10000-01-01"),
    *("2026-01-01T00:00:00+99:99", "2026-01-01T00:00:00.123456789Z", "2026-02-30", "-2026-01-01"),
    *("HEAD", "HEAD~99999", "@{-1}", ":/x", "--output=x", "-n1", "refs/../..", "HEAD:.", "^", "@"),
    *("1970-01-01", "0001-01-01", "2026-11-15T25:00", "2026-W10", "20261115", "evt_" + "0" * 26),
)
SCOPES = (
    *("project", "private", "global", "user", "team:x", "session:s1", "agent:ada", "user:", ":"),
    *("a:b:c", "team:../../etc", "project:x", "team:\0", "PROJECT", "session:"),
    "team:" + "x" * 300,
)
NAMES = ("mem_4k2m9x7q1c5d", "mem_", "evt_", "cfl_4k2m9x7q1c5d", "mem_../../x", "MEM_4K2M9X7Q1C5D")
PLACES = (".", "missing", "sub", "given.jsonl", "", ".varves", ".varves/log", "a\0b", "x" * 5000)
FILES = ("given.jsonl", "missing.jsonl", ".", "", "-", ".varves/format.json", "a\0b", "x" * 5000)
TAGS = ("+x", "-x", "x", "+", "-", "", "+security", "-input", "a,b", "+\0")
WORDS = (
    *("active", "all", "forgotten", "superseded", "quarantined", "expired", "flagged", "purged"),
    *("decision", "critical", "high", "low", "jsonl", "markdown", "party", "layers", "core"),
    *("memory.recorded", "memory.*", "segment.closed"),
    *("durable", "group", "fast", "auto", "always"),
)
POOLS: dict[str, tuple[str, ...]] = {
    "N": NUMBERS,
    "TOKENS": NUMBERS,
    "C": NUMBERS,
    "D": MOMENTS,
    "W": MOMENTS,
    "WHEN": MOMENTS,
    "INSTANT": MOMENTS,
    "LEVEL[:ID]": SCOPES,
    "DIR": PLACES,
    "FILE": FILES,
    "PATH": FILES,
    "PATH[:LINE]": (*FILES, "src/a.py:7", "a:b:c", ":9", "a:999999999999"),
    "+TAG|-TAG": TAGS,
    "FORMAT": ("jsonl", "jsonl", "csv", ""),
    "SCOPE": ("project", "project", "global", "session", "team", *SCOPES),
    "TYPE": (*("decision", "convention", "factual", "factual", "working", "episodic"), "timeout"),
    "TTL": ("permanent", "P30D", "PT4H", "P99999Y", "P", "30d", "P1Y1M1W1DT1H1M1S"),
    "AGENT": ("DEV-001", "QA-002", "SYSTEM", "bob", "../x"),
    "TO": ("DEV-001", "QA-002", "SYSTEM", "bob", "../x"),
}
VERBS = {name: row for name, row in every_verb().items() if name != "ui"}
"""All verbs but the window, which serves until it is stopped; `tests/web` tries its requests."""
NAMED = ("ID", "MEM", "EVENT", "CID")
ENDLESS = ("--follow", "--http")


def odd_text(rng: random.Random) -> str:
    """Return a text that is hard on somebody."""
    kind = rng.random()
    if kind < 0.7:
        return rng.choice(TEXTS)
    if kind < 0.8:
        return rng.choice(rng.choice((NUMBERS, MOMENTS, SCOPES, NAMES, WORDS)))
    if kind < 0.97:
        size = rng.choice((1, 3, 20, 200))
        return "".join(
            chr(rng.choice((rng.randrange(128), rng.randrange(0x3000)))) for _ in range(size)
        )
    return rng.choice("aß\n.") * rng.choice((100_000, 300_000))


# --------------------------------------------------------------------------------- argument lists


def argument_list(rng: random.Random, known: list[str]) -> tuple[list[str], bytes]:
    """Return an argument list that mostly fits the table, and what stands on stdin."""
    verb = rng.choice(list(VERBS))
    row = VERBS[verb]
    argv = verb.split(" ")
    for name in row.positionals:
        bare = name.rstrip("?.")
        if name[-1] == "?" and rng.random() < 0.2:
            continue
        for _ in range(rng.randrange(1, 4) if name.endswith("...") else 1):
            argv.append(_value(rng, bare, known))
    for group in row.one_of:
        options = [option for option in row.options if option[0] in group]
        if options and rng.random() < 0.9 and "TEXT" not in group:
            argv += _option(rng, rng.choice(options), known)
    own = [option for option in row.options if option[0] not in ENDLESS]
    for option in rng.sample(own, min(len(own), rng.choice((0, 0, 1, 1, 2, 3)))):
        argv += _option(rng, option, known)
    if rng.random() < 0.3:
        argv += _option(rng, rng.choice(GLOBALS), known)
    if rng.random() < 0.5:
        argv.insert(rng.randrange(len(argv) + 1), "--json")
    if rng.random() < 0.35:
        argv = _shaken(rng, argv)
    stdin = rng.choice((b"", b"a text\n", b"\xff\xfe", b"\0", "Ünï".encode(), b'{"text":"x"}\n'))
    return [part for part in argv if part not in ENDLESS] if kept_in(argv) else verb.split(), stdin


def _option(rng: random.Random, option: Option, known: list[str]) -> list[str]:
    name, kind, metavar, _ = option
    if kind == "flag":
        return [name] if rng.random() < 0.95 else [f"{name}={odd_text(rng)}"]
    if kind == "choice" and rng.random() < 0.8:
        text = rng.choice(metavar.split("|"))
    else:
        text = _value(rng, metavar, known)
    return [f"{name}={text}"] if rng.random() < 0.3 else [name, text]


def _value(rng: random.Random, wanted: str, known: list[str]) -> str:
    """Return a text of the kind that is wanted, or of any other."""
    kind = rng.random()
    if kind < 0.15:
        return odd_text(rng)
    if wanted in NAMED:
        return rng.choice(known) if known and kind < 0.85 else rng.choice(NAMES)
    if wanted in POOLS:
        return rng.choice(POOLS[wanted])
    return rng.choice(WORDS) if kind < 0.5 else rng.choice(TEXTS)


def _shaken(rng: random.Random, argv: list[str]) -> list[str]:
    """Drop, double, swap, cut or add an argument."""
    argv = list(argv)
    for _ in range(rng.randrange(1, 3)):
        at = rng.randrange(len(argv)) if argv else 0
        kind = rng.randrange(6)
        if not argv or kind == 0:
            argv.insert(at, odd_text(rng))
        elif kind == 1:
            del argv[at]
        elif kind == 2:
            argv.insert(at, argv[at])
        elif kind == 3:
            other = rng.randrange(len(argv))
            argv[at], argv[other] = argv[other], argv[at]
        elif kind == 4:
            cut = rng.randrange(len(argv[at]) + 1)
            argv[at] = argv[at][:cut] + rng.choice(("", odd_text(rng))) + argv[at][cut:]
        else:
            argv.insert(at, rng.choice(("--", "--json", *GLOBALS[rng.randrange(len(GLOBALS))][:1])))
    return argv


def kept_in(argv: list[str]) -> bool:
    """Whether a list stays within its world: no ledger is begun anywhere else."""
    after = dict(zip(argv[1:], argv, strict=False))
    roots = [part.partition("=")[2] for part in argv if part.startswith("--root=")]
    roots += [part for part, before in after.items() if before == "--root"]
    return all(root in PLACES for root in roots)


# ------------------------------------------------------------------------------------------- JSON

SHAPES = (
    *(b"", b" ", b"[", b"]", b"{", b"}", b"[1,]", b'{"a":1,}', b"nul", b"tru", b"NaN", b"Infinity"),
    *(b"-", b"-0", b"0x1", b"01", b"1.", b".5", b"1e", b"1e400", b"-1e400", b"1E+2", b"9" * 30),
    *(
        b"9" * 5000,
        b"1" + b"0" * 400,
        b'"',
        b'"\\ud800"',
        b'"\\udc00\\ud800"',
        b'"\\u00"',
        b'"\\x"',
    ),
    *(
        b'"\x00"',
        b'"\t"',
        b'"\xff"',
        b'"\xed\xa0\x80"',
        b"'a'",
        b"{a:1}",
        b'{"a"}',
        b'{"a":}',
        b"{}{}",
    ),
    *(b"[" * 30_000, b'{"a":' * 5_000, b"[" * 100 + b"]" * 100, b'{"a":1,"a":2}', b"// x", b"null"),
    *(
        b"[1 2]",
        b"\xef\xbb\xbf{}",
        b"\xff\xfe{\x00}\x00",
        b"true",
        b'"a"',
        b"[[[]]]",
        b'{"":{"":{}}}',
    ),
    *(
        b"[1,2,3]",
        b'"\\u0000"',
        b"1.7976931348623157e309",
        b"123456789012345678901234567890.5",
        b"\x00",
    ),
    *(b'["a",1,null,{"b":[]}]', b'{"__proto__":1}', b'{"$ref":"#"}', b"!!python/object", b"&a *a"),
)
VALUES: tuple[Any, ...] = (
    *(None, True, False, 0, -1, 1.5, 2**53, 2**53 + 1, 2**63, -(2**63) - 1, 10**30, 1e308, ""),
    *("x", "\0", "\ud800", "project", "team:../x", "2026-11-01", "30d", [], {}, [[]], [None]),
    *(["a", "a"], ["a", 1], {"a": 1}, {"": None}, "a" * 1000, "../../etc", "mem_hostile00001"),
    *({"sha256": "0" * 64, "bytes": 5}, {"sha256": "../../x", "bytes": -1}, [{"path": "x"}]),
)


def odd_value(rng: random.Random, depth: int = 0) -> Any:
    """Return a JSON value that is seldom what was wanted."""
    kind = rng.random()
    if kind < 0.7 or depth > 3:
        return rng.choice(VALUES)
    if kind < 0.8:
        return odd_text(rng)[:2000]
    if kind < 0.9:
        return [odd_value(rng, depth + 1) for _ in range(rng.randrange(4))]
    return {odd_text(rng)[:20]: odd_value(rng, depth + 1) for _ in range(rng.randrange(4))}


def deep(levels: int) -> Any:
    """Return lists within lists."""
    value: Any = []
    for _ in range(levels):
        value = [value]
    return value


def twisted(rng: random.Random, value: Any) -> Any:
    """Change one place of a JSON value: another type, one more, one less, another name."""
    if isinstance(value, dict) and value and rng.random() < 0.85:
        key = rng.choice(list(value))
        kind = rng.random()
        if kind < 0.15:
            return {name: part for name, part in value.items() if name != key}
        if kind < 0.25:
            return value | {odd_text(rng)[:30]: odd_value(rng)}
        if kind < 0.3:
            return {(odd_text(rng)[:9] if name == key else name): p for name, p in value.items()}
        return value | {key: twisted(rng, value[key])}
    if isinstance(value, list) and value and rng.random() < 0.7:
        at = rng.randrange(len(value))
        return [*value[:at], twisted(rng, value[at]), *value[at + rng.randrange(2) :]]
    return deep(rng.choice((62, 66, 400))) if rng.random() < 0.03 else odd_value(rng)


def batch(rng: random.Random) -> bytes:
    """Return a file for `remember --batch`."""
    return b"".join(_batch_line(rng) + _end(rng) for _ in range(rng.choice((1, 1, 2, 3, 8))))


def _batch_line(rng: random.Random) -> bytes:
    kind = rng.random()
    if kind < 0.2:
        return rng.choice(SHAPES)
    if kind < 0.35:
        key = rng.choice(sorted(KEYS)).encode()
        return b'{"text":"words","' + key + b'":' + rng.choice(SHAPES) + b"}"
    memory: dict[str, Any] = {"text": rng.choice(TEXTS)}
    for key in rng.sample(sorted(KEYS), rng.randrange(4)):
        memory[key] = odd_value(rng)
    if kind > 0.9:
        memory = twisted(rng, memory)
    line = json.dumps(memory, ensure_ascii=rng.random() < 0.7).encode("utf-8", "surrogatepass")
    return bitten(rng, line) if kind > 0.8 else line


def _end(rng: random.Random) -> bytes:
    return rng.choice((b"\n", b"\n", b"\n", b"\r\n", b"", b"\r", b"\n\n"))


# ------------------------------------------------------------------------------------------ bytes


def bitten(rng: random.Random, content: bytes) -> bytes:
    """Hurt bytes without knowing what they mean."""
    found = bytearray(content or b"x")
    for _ in range(rng.choice((1, 1, 1, 2, 5))):
        at = rng.randrange(len(found)) if found else 0
        size = rng.choice((1, 2, 8, 60, 400))
        kind = rng.randrange(9)
        if not found or kind == 0:
            found[at:at] = rng.randbytes(size)
        elif kind == 1:
            found[at] ^= 1 << rng.randrange(8)
        elif kind == 2:
            del found[at : at + size]
        elif kind == 3:
            found[at : at + size] = bytes(size)
        elif kind == 4:
            found[at:at] = found[at : at + size]
        elif kind == 5:
            del found[at:]
        elif kind == 6:
            found[at:at] = rng.choice((b"\n", b"\r\n", b"\0", b"{", b"}", b'"', b"\\", b"\xff"))
        elif kind == 7:
            lines = bytes(found).split(b"\n")
            rng.shuffle(lines)
            found = bytearray(b"\n".join(lines))
        else:
            found[at : at + size] = rng.choice(SHAPES)[:4000]
    return bytes(found)


def settings_file(rng: random.Random) -> bytes:
    """Return a settings file, or what stands in its place."""
    names = ("mode", "strict", "share", "teams", "teams.x", "format", "version", "v")
    lines = [
        rng.choice(names).encode() + b" = " + rng.choice((*SHAPES, b'"fast"', b'{x={root="."}}'))
        for _ in range(rng.randrange(3))
    ]
    text = b"\n".join(lines) + b"\n"
    return bitten(rng, text) if rng.random() < 0.3 else text


def forged_file(rng: random.Random, lines: bytes, *, pack: bool = False) -> bytes:
    """Return lines that say anything at all, under right digests; some of a real log between."""
    real = [line for line in lines.split(b"\n") if line]
    found = [_forged_line(rng, real) for _ in range(rng.choice((1, 2, 4, 8)))]
    if pack or rng.random() < 0.05:
        found.insert(0, _pack_head(rng, found))
    text = b"\n".join(found) + rng.choice((b"\n", b"\n", b"", b"\r\n"))
    return bitten(rng, text) if rng.random() < 0.1 else text


def _forged_line(rng: random.Random, real: list[bytes]) -> bytes:
    if rng.random() < 0.1:
        return rng.choice((*real, *SHAPES))
    try:
        fields = json.loads(rng.choice(real))
    except ValueError:
        fields = {}
    if not isinstance(fields, dict) or "salt" not in fields:  # no event of ours, or a purged one
        return json.dumps(twisted(rng, fields)).encode()
    body = fields.pop("data")
    for _ in range(rng.choice((1, 1, 2))):
        body = twisted(rng, body)
    if rng.random() < 0.4:
        name = rng.choice(list(fields))
        fields[name] = odd_value(rng) if name not in ("salt", "v") else fields[name]
    if rng.random() < 0.5:
        fields["id"] = f"evt_{rng.randrange(10**9):026}"
    if rng.random() < 0.1:
        fields["kind"] = rng.choice(("memory.purged", "segment.closed", "event.undone", "x", ""))
    raw = json.dumps(body, separators=(",", ":")).encode()
    if rng.random() < 0.05:
        raw = rng.choice(SHAPES)
    return forged(raw, **fields)


def _pack_head(rng: random.Random, lines: list[bytes]) -> bytes:
    size = sum(len(line) + 1 for line in lines)
    name = "log/2026-11/20261115-hostil-0000000000.jsonl"
    head: Any = {"pack": 1, "segments": [[name, len(lines), size, "0" * 64]]}
    return json.dumps(twisted(rng, head) if rng.random() < 0.8 else head).encode()
