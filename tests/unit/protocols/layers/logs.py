"""Logs to read: written by chance, in all the forms there are."""

from __future__ import annotations

from pathlib import Path

from hypothesis import strategies as st

SAMPLES = Path(__file__).parents[3] / "protocols" / "layers" / "samples"
FILES = sorted(SAMPLES.rglob("*.md"))

_words = st.text(
    st.characters(exclude_categories=("Cs", "Cc"), exclude_characters="#"), min_size=1, max_size=20
)
_times = st.datetimes().map(lambda when: f"{when:%Y}".rjust(4, "0") + f"{when:-%m-%d %H:%M}")
_titles = _words.map(lambda text: " ".join(text.split()) or "x")
_lines = st.sampled_from(
    [
        *(
            "",
            "plain text",
            "- a list line",
            "    indented",
            "> quoted",
            "a `path/to/file.py` here",
        ),
        *("```", "```python", "~~~~", "`````", "- ```", "  ```", "<!-- note -->", "<!--", "-->"),
        *("---", "***", "=======", "<<<<<<< HEAD", ">>>>>>> theirs", "||||||| base"),
        *("## Earlier", "### Why", "#### deeper", "# Top", "##2026-01-01 tight", "\\## escaped"),
        *("## 2026-01-01 09:00 — inside", "### evt-001 | 2026-01-01 | me | fix", "**Type:** x"),
        *(
            "2026-01-01 under\n---",
            "[a](b.md)",
            "trailing  ",
            "\t\u0442\u0435 ✓",
            "\x0b\x0c\u2028odd",
        ),
    ]
)
texts = st.lists(_lines | _words, max_size=8).map("\n".join)
"""Any text somebody may hand in for a section."""

_published = st.builds(
    lambda time, sign, title, body: f"## {time} {sign} {title}\n\n**Type:** change\n\n{body}\n",
    _times,
    st.sampled_from(["—", "\u2013", "-"]),
    _titles,
    texts,
)
_day = st.builds(lambda time, title: f"## {time[:10]} — {title}\nday\n", _times, _titles)
_evt = st.builds(lambda time, body: f"### evt-007 | {time} | me | fix\n\n{body}\n", _times, texts)
_decision = st.builds(
    lambda time, body: f"## Decision: {time.replace(' ', 'T')}:00Z\n**Title:** t\n{body}\n",
    _times,
    texts,
)
pieces = st.lists(_published | _day | _evt | _decision | texts.map(lambda text: text + "\n"))
ends = st.sampled_from(["\n", "\r\n"])
starts = st.sampled_from(["", "\ufeff", "# Log\n\n", "<!-- varves: newest first -->\n\n"])


@st.composite
def logs(draw: st.DrawFn) -> bytes:
    """Give the bytes of a log, well formed or not."""
    text = draw(starts) + "".join(draw(pieces)) + draw(st.sampled_from(["", "no line end", "\n\n"]))
    return text.replace("\n", draw(ends)).encode("utf-8")


entries = st.fixed_dictionaries(
    {
        "time": _times,
        "title": _titles,
        "type": st.sampled_from(["decision", "change", "result", "milestone"]),
        "area": st.sampled_from(["project", "pack", "skill", "file"]),
        "what": texts.filter(str.strip),
        "why": texts.filter(str.strip),
        "impact": texts,
        "next": texts,
        "files": st.lists(
            st.sampled_from(["a.py", "src/b (1).md", "c d.txt", "e#1.md", "[x].md", "50%.csv"]),
            unique=True,
        ).map(tuple),
    }
)
