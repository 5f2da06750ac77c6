from __future__ import annotations

from tests.tables import each_row
from varves.cli.help import page, usage
from varves.cli.table import GLOBALS, PROTOCOLS, VERBS, every_verb, verbs_under

FILLER = ("happy to", "sure!", "great question", "let me", "please", "thank")


ALL = every_verb()


@each_row("verb", ["", *PROTOCOLS, *sorted(ALL)])
def test_pages_are_narrow_and_say_only_what_is_needed(verb):
    text = page(verb)
    assert all(len(line) <= 100 for line in text.split("\n"))
    assert text.isascii()
    assert not any(word in text.lower() for word in FILLER)


@each_row("verb", sorted(ALL))
def test_a_verbs_page_has_its_usage_options_and_example(verb):
    text = page(verb)
    assert text.startswith(f"varves {verb}")
    assert f"example: {ALL[verb].example}" in text
    for name, _, metavar, meaning in ALL[verb].options:
        assert f"{name} {metavar}".strip() in text
        assert meaning in text


def test_the_front_page_lists_every_verb_and_global_option():
    text = page("")
    for verb in VERBS:
        assert VERBS[verb].summary in text
    for name, *_ in GLOBALS:
        assert name in text


def test_a_protocol_lists_its_verbs_and_so_does_the_beginning_of_one():
    for protocol in PROTOCOLS:
        assert PROTOCOLS[protocol] in page("")
        for verb in verbs_under(protocol):
            assert f"  {verb} " in page(protocol)
            assert ALL[verb].summary in page(protocol)
    assert verbs_under("scoped session") == ["scoped session start", "scoped session end"]
    assert "scoped read" not in page("scoped session")


@each_row(
    ("verb", "line"),
    [
        ("recall", "varves recall QUERY [OPTION]..."),
        ("remember", "varves remember TEXT|--batch FILE [OPTION]..."),
        ("forget", "varves forget ID --reason R [OPTION]..."),
        ("undo", "varves undo [EVENT]"),
        ("scoped read", "varves scoped read SCOPE [ID] [OPTION]..."),
        ("scoped write", "varves scoped write SCOPE [ID] --type TYPE --content TEXT [OPTION]..."),
        ("share", "varves share ID..."),
        ("conflicts resolve", "varves conflicts resolve CID --keep ID|--merge TEXT|--delete ID"),
    ],
)
def test_usage_shows_what_must_be_given(verb, line):
    assert usage(verb) == line


def test_as_of_is_shown_only_where_it_is_taken():
    assert "--as-of" in page("recall")
    assert "--as-of" not in page("remember")
