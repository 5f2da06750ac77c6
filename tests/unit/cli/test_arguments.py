"""The argument reader is pure: a list in, what was asked for out."""

from __future__ import annotations

import pytest

from tests.tables import each_row
from varves.cli.arguments import asks_for_json, keyword, read
from varves.cli.table import GLOBALS, every_verb
from varves.errors import UsageError

VERBS = every_verb()
READERS = {
    "around",
    "diff",
    "recall",
    "brief",
    "show",
    "history",
    "why",
    "list",
    "conflicts",
    "log",
}
READERS |= {f"deliberation {verb}" for verb in ("context", "brief", "list", "show", "stats")}
READERS |= {"party list"}


def refusal(*argv: str) -> UsageError:
    with pytest.raises(UsageError) as caught:
        read(argv)
    return caught.value


def test_only_what_was_given_is_passed_on():
    given = read(["recall", "how?"])
    assert (given.verb, given.own, given.shared) == ("recall", {"query": "how?"}, {})


@pytest.mark.parametrize(
    "argv",
    [
        ["--root", "here", "--json", "recall", "q"],
        ["recall", "--root", "here", "q", "--json"],
        ["recall", "q", "--json", "--root=here"],
    ],
)
def test_global_options_stand_anywhere(argv):
    given = read(argv)
    assert given.shared == {"root": "here", "json": True}
    assert given.own == {"query": "q"}


def test_options_become_the_ledgers_keywords():
    given = read(["list", "--older-than", "30d", "--unused-for=1y", "--private"])
    assert given.own == {"older_than": "30d", "unused_for": "1y", "private": True}


@pytest.mark.parametrize("argv", [["-k", "5"], ["-k5"], ["-k=5"]])
def test_a_short_option_takes_its_number_either_way(argv):
    assert read(["recall", "q", *argv]).own["k"] == 5


def test_repeated_options_are_gathered_in_order():
    assert read(["remember", "t", "--tag", "a", "--tag=b"]).own["tag"] == ("a", "b")


@pytest.mark.parametrize(
    "argv",
    [
        ["layers", "shutdown", "--files", "a", "b", "--no-commit", "-"],
        ["layers", "shutdown", "-", "--files", "a", "--no-commit", "--files=b"],
        ["layers", "shutdown", "--no-commit", "--files", "a", "b", "-"],
        ["layers", "shutdown", "--no-commit", "--files=a", "-", "--files", "b"],
    ],
)
def test_an_option_of_many_takes_the_words_up_to_the_next_dash(argv):
    assert read(argv).own == {"files": ("a", "b"), "no_commit": True, "text": "-"}


def test_a_value_may_begin_with_one_dash():
    assert read(["edit", "mem_1", "--tag", "-old", "--tag", "+fresh"]).own["tag"] == (
        "-old",
        "+fresh",
    )


def test_a_value_that_looks_like_an_option_must_be_joined():
    assert "--reason=--json" in refusal("forget", "mem_1", "--reason", "--json").hint
    assert read(["forget", "mem_1", "--reason=--json"]).own["reason"] == "--json"


def test_double_dash_ends_options():
    assert read(["remember", "--", "--json"]).own == {"text": "--json"}
    assert read(["--json", "--", "remember", "-x"]).own == {"text": "-x"}


def test_a_single_dash_is_a_word():
    assert read(["remember", "-"]).own == {"text": "-"}
    assert read(["remember", "--batch", "-"]).own == {"batch": "-"}


def test_the_verbs_own_option_wins_after_the_verb():
    given = read(["--actor", "me", "log", "--actor", "them"])
    assert given.shared["actor"] == "me"
    assert given.own["actor"] == "them"


def test_two_words_make_one_verb():
    given = read(["conflicts", "--json", "resolve", "cfl_1", "--merge", "both"])
    assert given.verb == "conflicts resolve"
    assert given.own == {"cid": "cfl_1", "merge": "both"}


@pytest.mark.parametrize(
    "argv",
    [
        ["scoped", "session", "start", "--team", "core"],
        ["scoped", "session", "--json", "start", "--team=core"],
        ["--json", "scoped", "--root", "x", "session", "start", "--team", "core"],
    ],
)
def test_a_protocols_verb_has_two_or_three_words(argv):
    given = read(argv)
    assert (given.verb, given.own) == ("scoped session start", {"team": "core"})


def test_words_after_a_protocols_verb_are_its_own():
    given = read(["scoped", "read", "project", "read", "--type", "decision"])
    assert given.own == {"scope": "project", "id": "read", "type": "decision"}
    assert read(["scoped", "note", "--", "--kind"]).own == {"text": "--kind"}


def test_several_ids_come_as_one_tuple():
    assert read(["share", "mem_1", "mem_2"]).own == {"id": ("mem_1", "mem_2")}


@each_row("verb", sorted(VERBS))
def test_as_of_is_for_read_verbs(verb):
    shape = VERBS[verb]
    words = ["x" for name in shape.positionals if not name.endswith("?")]
    flags = {option[0] for option in shape.options if option[1] == "flag"}
    last = [group[-1] for group in shape.one_of]
    needed = [name if name in flags else f"{name}=1" for name in last]
    argv = [*verb.split(), *words, *needed, "--as-of", "HEAD"]
    if shape.reads:
        assert read(argv).own["as_of"] == "HEAD"
    else:
        assert "--as-of" in refusal(*argv).message
    assert shape.reads == (verb in READERS)


def test_help_asks_for_nothing_else():
    assert read(["scoped", "--help"]).verb == "scoped"
    assert read(["scoped", "session", "-h"]).verb == "scoped session"
    assert read(["forget", "--help"]).shared == {"help": True}
    assert read(["-h"]).shared == {"help": True}
    assert read(["--version"]).shared == {"version": True}


@each_row(
    ("argv", "message", "hint"),
    [
        ([], "no verb given", "see varves --help"),
        (["recal", "x"], "unknown verb recal", "did you mean recall?"),
        (["recall"], "recall needs QUERY", "see varves recall --help"),
        (["recall", "a", "b"], "recall does not take b", "quote"),
        (["recall", "q", "--scop", "x"], "unknown option --scop of recall", "--scope?"),
        (["recall", "q", "--scpoe", "x"], "unknown option --scpoe of recall", "--scope?"),
        (["--scope", "x", "recall", "q"], "unknown option --scope before the verb", "see varves"),
        (["remember", "-5 degrees"], "unknown option -5", "put -- before"),
        (["recall", "q", "-k"], "-k needs a value", "see varves recall --help"),
        (["recall", "q", "-k", "many"], "-k needs a whole number, not many", ""),
        (["recall", "q", "-k", "9" * 5000], "-k needs a whole number", ""),
        (["recall", "q", "-k", "9" * 20], "-k needs a whole number", ""),
        (["remember", "t", "--confidence", "nan"], "--confidence needs a number", ""),
        (["remember", "t", "--confidence", "1e400"], "--confidence needs a number", ""),
        (["remember", "t", "--confidence", "high"], "--confidence needs a number", ""),
        (["recall", "q", "--json=yes"], "--json takes no value", "see varves recall"),
        (["recall", "q", "--color", "red"], "--color takes auto|always|never, not red", ""),
        (["recall", "q", "--root="], "--root needs a value", ""),
        (["share"], "share needs ID", ""),
        (["forget", "mem_1"], "forget needs --reason", "see varves forget --help"),
        (["remember"], "remember needs exactly one of TEXT, --batch", ""),
        (["remember", "t", "--batch", "f"], "remember needs exactly one of", ""),
        (["conflicts", "resolve", "c"], "exactly one of --keep, --merge, --delete", ""),
        (["conflicts", "resolve", "c", "--keep=a", "--delete=b"], "exactly one of", ""),
        (["scoped"], "scoped needs a verb", "see varves scoped --help"),
        (["scoped", "session"], "scoped session needs a verb", "see varves scoped session --help"),
        (["scoped", "raed"], "unknown verb scoped raed", "did you mean scoped read?"),
        (["scoped", "session", "stop"], "unknown verb scoped session stop", "scoped session"),
        (
            ["layers", "graph", "shwo"],
            "graph does not take shwo",
            "did you mean layers graph show?",
        ),
        (["layers", "append", "--files"], "--files needs a value", "layers append --help"),
        (["layers", "append", "--files", "--json"], "--files needs a value, not --json", ""),
        (["layers", "resolve", "m"], "exactly one of --accept, --restore", ""),
        (["hivemnd", "task"], "unknown verb hivemnd", "did you mean hivemind?"),
        (["scoped", "--type", "x", "read"], "unknown option --type of scoped", "scoped --help"),
        (["scoped", "forget", "--id=a", "--scope=b"], "scoped forget needs --reason", ""),
        (["scoped read", "project"], "unknown verb scoped read", "see varves --help"),
        (["scoped", "read"], "scoped read needs SCOPE", "see varves scoped read --help"),
        (["recall", "caf\udce9"], "argument 2 is not valid UTF-8", "UTF-8"),
    ],
)
def test_what_does_not_fit_is_refused_with_a_way_out(argv, message, hint):
    error = refusal(*argv)
    assert message in error.message
    assert hint in error.hint
    assert (error.code, error.exit) == ("usage", 2)


@pytest.mark.parametrize(
    "argv",
    [["remember", "t", "--nope"], ["recall", "q", "--x"], ["scoped", "weigh"], ["nope"]],
)
def test_a_name_that_is_near_to_none_brings_no_suggestion(argv):
    assert "did you mean" not in refusal(*argv).hint


def test_json_is_known_even_of_a_list_that_cannot_be_read():
    assert asks_for_json(["nonsense", "--json"])
    assert not asks_for_json(["remember", "--", "--json"])


@each_row("verb", sorted(VERBS))
def test_every_verb_of_the_table_can_be_loaded_and_is_sound(verb):
    shape = VERBS[verb]
    module, _, name = shape.run.partition(":")
    assert callable(getattr(__import__(module, fromlist=(name,)), name))
    assert shape.example.startswith(f"varves {verb}")
    names = [option[0] for option in shape.options]
    assert len(set(names)) == len(names)
    kinds = {option[1] for option in (*shape.options, *GLOBALS)}
    assert kinds <= {"flag", "value", "int", "float", "choice", "repeat", "many"}
    known = {keyword(known) for known in (*names, *shape.positionals)}
    assert {keyword(need) for group in shape.one_of for need in group} <= known


@each_row("verb", sorted(VERBS))
def test_every_example_can_be_read(verb):
    import shlex

    assert read(shlex.split(VERBS[verb].example)[1:]).verb == verb


def test_a_value_that_looks_like_an_option_is_shown_as_a_shell_reads_it():
    told = refusal("scoped", "write", "project", "--content", "--force is not for CI")
    assert told.hint == "write '--content=--force is not for CI' to pass it as the value"


@each_row(
    ("argv", "quotes"),
    [
        (("scoped", "reject", "mem_a", "mem_b"), False),
        (("conflicts", "resolve", "cfl_1", "cfl_2"), False),
        (("scoped", "note", "Use", "Zod"), True),
        (("remember", "Use", "Zod"), True),
    ],
)
def test_quoting_is_advised_only_where_a_text_is_meant(argv, quotes):
    assert ("quote a text" in refusal(*argv).hint) == quotes
