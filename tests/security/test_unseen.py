"""Whatever a reader could not see is shown escaped, by every verb that prints what was stored.

The list is Unicode's own: categories of this Python's tables, and the property
Default_Ignorable_Code_Point as DerivedCoreProperties.txt of Unicode 16 has it.
"""

from __future__ import annotations

import sys
import unicodedata

import pytest

IGNORABLE = """
00AD 034F 061C 115F-1160 17B4-17B5 180B-180F 200B-200F 202A-202E 2060-206F 3164 FE00-FE0F FEFF
FFA0 FFF0-FFF8 1BCA0-1BCA3 1D173-1D17A E0000-E0FFF
"""
BLANK = "2800 FFFC 1D159"
KINDS = ("Cf", "Zl", "Zp", "Zs")


def codes(ranges: str) -> set[int]:
    found: set[int] = set()
    for part in ranges.split():
        first, _, last = part.partition("-")
        found |= {*range(int(first, 16), int(last or first, 16) + 1)}
    return found


UNSEEN = codes(IGNORABLE) | codes(BLANK) | codes("80-9F")
UNSEEN |= {n for n in range(sys.maxunicode + 1) if unicodedata.category(chr(n)) in KINDS}
UNSEEN -= {ord(" ")}
FEW = sorted(chr(n) for n in UNSEEN if not 0xE0030 <= n <= 0xE00FF and not n >= 0xE0110)
HIDING = " ".join(f"alpha{one}beta" for one in FEW)


def raw(text: str) -> list[str]:
    return sorted({f"U+{ord(one):04X}" for one in text if ord(one) in UNSEEN})


def do(cli, *verb):
    said = cli(*verb)
    assert said.code == 0, said.err
    return said


def core(cli):
    made = do(cli, "remember", "--tag", f"x{chr(0xE0101)}", "--json", "--", HIDING).json["id"]
    do(cli, "remember", "--", f"{HIDING} too")
    yield from (("recall", "alpha beta"), ("list",), ("log",), ("show", made), ("why", made))
    yield from (("history", made), ("export", "--format", "markdown"), ("brief",), ("conflicts",))
    yield from (("show", HIDING), ("list", "--scope", HIDING), (HIDING,))


def scoped(cli):
    do(cli, "scoped", "write", "project", "--type", "convention", "--content", HIDING)
    yield from (("scoped", "read", "project"), ("scoped", "search", "alpha"), ("scoped", "rank"))
    yield from (("scoped", "task", "alpha beta"), ("scoped", "session", "start"))


def hivemind(cli):
    do(cli, "hivemind", "init")
    do(cli, "hivemind", "write", "--type", "factual", "--content", HIDING)
    yield from (("hivemind", "search", "alpha"), ("hivemind", "task", "alpha beta"))


def party(cli):
    do(cli, "party", "start", "--agents", "ada,ben", "--topic", f"al{chr(0xE0101)}pha")
    for first in range(0, len(HIDING), 100):
        told = ("--type", "context", "--content", HIDING[first:][:100], "--confidence", "1.0")
        do(cli, "party", "remember", "ada", *told)
    yield from (("party", "end"), ("party", "show", "ada"), ("party", "start", "--agents", "ada"))


def layers(cli):
    do(cli, "layers", "init")
    said = ("--type", "change", "--scope", "file", "--title", "Alpha", "--what", HIDING)
    do(cli, "layers", "append", *said, "--why", HIDING, "--next", HIDING)
    yield from (("layers", "find", "alpha"), ("layers", "context"), ("layers", "graph"))
    yield from (("layers", "boot"), ("layers", "validate"))


def deliberation(cli):
    do(cli, "deliberation", "new", "--agents", "ada,ben", "--topic", f"al{chr(0xE0101)}pha")
    do(cli, "deliberation", "say", "ada", f"I propose {HIDING[:400]}")
    do(cli, "deliberation", "decide", "alpha", HIDING, "--agent", "ada")
    yield from (("deliberation", "show"), ("deliberation", "list"), ("deliberation", "context"))
    yield from (("deliberation", "brief"), ("deliberation", "stats"))


@pytest.mark.full_size(sample=1)
@pytest.mark.parametrize("listed", [core, scoped, hivemind, party, layers, deliberation])
def test_every_listing_shows_what_is_invisible(cli, listed):
    shown = ""
    for verb in listed(cli):
        said = cli(*verb)
        assert "Traceback" not in said.err
        assert raw((said.out + said.err).replace("\n", "")) == [], verb
        shown += said.out
    assert "alpha\\u" in shown
    assert "\\U000e0101" in shown


def test_each_of_them_is_shown(cli):
    made = cli("remember", "--json", "--", f"x{''.join(map(chr, sorted(UNSEEN)))}y").json["id"]
    shown = cli("show", made).out
    for code in UNSEEN:
        short, long = f"\\u{code:04x}", f"\\U{code:08x}"
        assert (f"\\x{code:02x}" if code < 0x100 else short if code < 0x10000 else long) in shown


def test_what_can_be_seen_is_left_alone(cli):
    text = (
        "Grüße, naïve عربي שלום हिन्दी ไทย 漢字 かな 한국어 Ω→✓ e\u0301 ½ 😀 👩🔬 \ue0a0 \U0001fae8"
    )
    cli("remember", "--", text)
    assert text in cli("list").out
