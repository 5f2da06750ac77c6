"""The rules of AGENTS.md are read from the forms in which people write them."""

from __future__ import annotations

import pytest

from tests.tables import each_row


def read(bare, text):
    """Boot from these rules."""
    bare.write("AGENTS.md", text)
    return bare.verbs.boot()


def told(bare, text):
    """Return what one is to do, and what not."""
    ready = read(bare, text)
    return ready.constraints["do"], ready.constraints["dont"]


BOTH = (
    *("## Do's and Don'ts", "## Do\u2019s & Don\u2019ts", "## DOs and DON'Ts", "## Dos / Don'ts"),
    *("## 3. Do's and Don'ts", "## Project do's and don'ts for agents", "## Do vs. Don't"),
    *("## Don'ts and Do's", "## ✅ Do and ❌ Do not", "## Always / Never", "Do's and Don'ts\n---"),
    *("## Coding standards", "## Best practices", "## Development Guidelines"),
)


@pytest.mark.requirement("S1-06")
@each_row("heading", [*BOTH])
def test_a_heading_for_both_leaves_it_to_the_wording_or_to_the_labels_below(bare, heading):
    text = f"# Bakery\n\n{heading}\n\n- Compress images\n- No inline styles\n- Never guess\n"
    assert told(bare, text) == (["Compress images"], ["No inline styles", "Never guess"])
    parted = f"# Bakery\n\n{heading}\n\n**Do:**\n- Compress\n\n**Don't:**\n- jQuery\n- GIFs\n"
    assert told(bare, parted) == (["Compress"], ["jQuery", "GIFs"])


@pytest.mark.requirement("S1-06")
@pytest.mark.parametrize("numbers", [("1. ", "2. "), ("Rule 1: ", "Rule 2: "), ("", "")])
def test_a_label_may_be_numbered_signed_or_underlined(bare, numbers):
    one, two = numbers
    text = f"# Bakery\n\n## {one}Do\n* Write alt texts\n\n## {two}Don't\n* Tables for layout\n"
    assert told(bare, text) == (["Write alt texts"], ["Tables for layout"])
    signed = "# Bakery\n\n✔️ Do\n\n* Write alt texts\n\n❌ Don't\n\n* Tables for layout\n"
    assert told(bare, signed) == (["Write alt texts"], ["Tables for layout"])


@pytest.mark.requirement("S1-06")
@each_row(
    "header",
    [
        "| Do | Don't |",
        "| ✅ DO | ❌ DON'T |",
        "| **Do** | **Do not** |",
        "| Good | Bad |",
        "| Right | Wrong |",
        "| Always | Never |",
        "| ✅ | ❌ |",
    ],
)
def test_a_table_with_a_column_for_each_is_read_by_its_columns(bare, header):
    text = (
        f"# Bakery\n\n## Pages\n\n{header}\n|:--|--|\n| Use `rem` | Use pixels |\n"
        "| Keep pages under 200 kB | — |\n| | Block paste \\| copy |\n"
    )
    ready = read(bare, text)
    assert ready.constraints["do"] == ["Use `rem`", "Keep pages under 200 kB"]
    assert ready.constraints["dont"] == ["Use pixels", "Block paste | copy"]
    assert ready.other == {}


@pytest.mark.requirement("S1-06")
def test_another_column_says_what_the_rules_of_a_row_are_about(bare):
    text = (
        "# Bakery\n\n## Areas\n\n| Area | Do | Don't | Why |\n|--|--|--|--|\n"
        "| Forms | Validate on blur | Block paste | Old phones |\n\n"
        "| Element | Use |\n|--|--|\n| Logo | `logo.svg` |\n\n"
        "| Browser | ✅ |\n|--|--|\n| Firefox | 128 |\n"
    )
    ready = read(bare, text)
    assert ready.constraints["do"] == ["Forms: Old phones: Validate on blur"]
    assert ready.constraints["dont"] == ["Forms: Old phones: Block paste"]
    assert ready.other == {"Areas": ["Logo | `logo.svg`", "Firefox | 128"]}


SIGNS = (
    ("✅ Use WebP", "❌ Use GIF"),
    ("👍 Lazy load below the fold", "👎 Base64 in CSS"),
    ('Good: "Fix the opening hours"', 'Bad: "fix stuff"'),
    ("Do: one change in each commit", "Don't: mix formatting and content"),
    ("**Prefer:** small pages", "**Avoid:** carousels"),
    ("✔️ Write alt texts", "🚫 Tables for layout"),
    ("Right: `opening-hours`", "Wrong: `openingHours2`"),
    ("**Always:** run the link checker", "**Never:** edit `dist/`"),
)


@pytest.mark.requirement("S1-06")
@each_row("pair", [*SIGNS])
def test_a_line_that_begins_with_a_sign_is_a_rule_below_any_heading(bare, pair):
    good, bad = pair
    for form in ("{}\n{}", "- {}\n- {}", "> {}\n> {}", "1. {}\n2. {}"):
        text = f"# Bakery\n\n## Pages\n\nThey are static.\n\n{form.format(good, bad)}\n"
        assert told(bare, text) == ([good], [bad]), form


@pytest.mark.requirement("S1-06")
def test_a_tick_before_what_was_done_is_no_rule(bare):
    text = (
        "# Bakery\n\n## Status\n- ✅ Menu page\n- ❌ Booking page\n\n"
        "## Pages\n- ✅ Added the map\n- Lund, Malmö\n"
    )
    ready = read(bare, text)
    assert ready.constraints["do"] == ready.constraints["dont"] == []
    assert ready.other == {
        "Status": ["✅ Menu page", "❌ Booking page"],
        "Pages": ["✅ Added the map", "Lund, Malmö"],
    }


@pytest.mark.requirement("S1-06")
def test_list_lines_that_plainly_are_rules_are_among_them_and_the_others_stay(bare):
    text = (
        "# Bakery\n\n## Testing\n- Never skip the link checker\n- Playwright, three browsers\n"
        "- Every page must have a title\n- You may not edit `dist/`\n- Do keep tests short\n"
    )
    ready = read(bare, text)
    assert ready.constraints["dont"] == ["Never skip the link checker", "You may not edit `dist/`"]
    assert ready.constraints["do"] == ["Every page must have a title", "Do keep tests short"]
    assert ready.other == {"Testing": ["Playwright, three browsers"]}


@pytest.mark.requirement("S1-06")
def test_a_label_that_begins_a_sentence_is_told_with_each_of_its_ends(bare):
    text = (
        "# Bakery\n\n**Never commit:**\n- customer names\n- `.env` files\n\n**Ask first:**\n"
        "- new dependencies\n\n**Always:**\n- run the link checker\n- Never push on Friday\n\n"
        "**Tools**\n- Eleventy\n\n## Logs\n- Do not log:\n  - phone numbers\n  - addresses\n"
        "- Shops:\n  - Lund\n"
    )
    ready = read(bare, text)
    assert ready.constraints["dont"] == [
        "Never commit: customer names",
        "Never commit: `.env` files",
        "Do not log: phone numbers",
        "Do not log: addresses",
    ]
    assert ready.constraints["do"] == [
        "Ask first: new dependencies",
        "run the link checker",
        "Never push on Friday",
    ]
    assert ready.other == {"Bakery": ["Eleventy"], "Logs": ["Shops:", "Lund"]}


@pytest.mark.requirement("S1-06")
def test_practices_below_conventions_are_rules(bare):
    text = (
        "# Clinic\n\n## Conventions\n- Names in English\n\n### Good practices\n"
        "- Short shifts after nights\n\n### Bad habits\n- Double shifts\n"
    )
    assert told(bare, text) == (["Short shifts after nights"], ["Double shifts"])


@pytest.mark.requirement("S1-06")
def test_what_somebody_should_do_is_a_rule_and_what_may_be_so_is_none(bare):
    text = (
        "# Clinic\n\n## Wards\nYou should greet everyone. Rosters should always name a deputy.\n"
        "A nurse should not work alone. This should be enough. Why should they? It should rain.\n"
        "\nEach ward should have:\n\n- A deputy\n"
    )
    assert told(bare, text) == (
        ["You should greet everyone.", "Rosters should always name a deputy."],
        ["A nurse should not work alone."],
    )


@pytest.mark.requirement("S1-06")
def test_examples_of_names_stay_with_the_names(bare):
    text = (
        "# Bakery\n\n## Naming conventions\n- Pages in kebab-case\n\nGood:\n- `opening-hours`\n\n"
        "Bad:\n- `openingHours`\n\n| Good | Bad |\n|--|--|\n| `cakes` | `Cakes` |\n"
    )
    ready = read(bare, text)
    assert ready.constraints["do"] == ready.constraints["dont"] == []
    assert ready.constraints["naming"] == [
        "Pages in kebab-case",
        "`opening-hours`",
        "`openingHours`",
        "`cakes` | `Cakes`",
    ]


@pytest.mark.requirement("S1-06")
def test_rulers_are_not_text(bare):
    text = "# Bakery\n\n## Key files\n\n---\n\n`menu.md` is the menu.\n\n***\n\nA shop.\n\n___\n"
    ready = read(bare, text)
    assert ready.constraints["files"] == ["`menu.md` is the menu.", "A shop."]
    assert ready.unread == ()
