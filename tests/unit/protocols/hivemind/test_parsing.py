from __future__ import annotations

from tests.tables import each_row
from varves.protocols.hivemind.parsing import parse


def named(text):
    return [(one.name, one.kind) for one in parse(text).entities]


def test_keywords_are_the_words_that_carry_meaning_in_order_and_once():
    parsed = parse("Please fix the login timeout: the Login page of the shop times out")
    assert parsed.keywords == ("login", "timeout", "page", "shop", "times")


def test_a_name_written_as_one_word_gives_its_parts_too():
    assert parse("PaymentGateway").keywords == ("paymentgateway", "payment", "gateway")
    assert parse("error-handling").keywords == ("error-handling", "error", "handling")


@each_row(
    ("text", "keywords"),
    [
        ("Überprüfe Größe", ("überprüfe", "größe")),
        ("naïve café résumé", ("naïve", "café", "résumé")),
        ("cafe\u0301 menü", ("café", "menü")),
        ("Ångström-Skala", ("ångström-skala", "ångström", "skala")),
        ("GrößeÄndern", ("größeändern", "größe", "ändern")),
        ("ÉcoleAPI2", ("écoleapi2", "école", "api")),
        ("Проверь импортДанных", ("проверь", "импортданных", "импорт", "данных")),
        ("हिन्दी पाठ", ("हिन्दी", "पाठ")),
        ("żółw", ("żółw",)),
    ],
)
def test_a_word_of_another_language_is_never_cut_at_an_accent(text, keywords):
    assert parse(text).keywords == keywords


def test_only_the_word_that_says_the_intent_is_no_keyword():
    assert parse("Fix the release build").keywords == ("release", "build")


@each_row(
    ("text", "found"),
    [
        ("see src/a.py", [("src/a.py", "file")]),
        ("see ./lib/x-y.test.ts, please", [("./lib/x-y.test.ts", "file")]),
        ("the Makefile", [("Makefile", "file")]),
        ("call parse() twice", [("parse()", "function")]),
        (
            "call Store.load() and std::move()",
            [("Store.load()", "function"), ("std::move()", "function")],
        ),
        ("GET /users fails", [("GET /users", "api")]),
        ("POST  /orders/{id}?x=1", [("POST /orders/{id}?x=1", "api")]),
        ("the route /orders/{id} fails", [("/orders/{id}", "api")]),
        ("see https://example.org/a.", [("https://example.org/a", "api")]),
        ("e.g. version 1.2 of it, i.e. 3.5b", []),
    ],
)
def test_entities_are_files_functions_and_interfaces(text, found):
    assert named(text) == found


@each_row(
    ("text", "intent"),
    [
        ("Implement the cart", "create"),
        ("fixing the cart", "fix"),
        ("The cart, audited", "review"),
        ("Releasing the cart", "deploy"),
        ("Add a test, then fix it", "create"),
        ("How does the cart work?", None),
        ("", None),
    ],
)
def test_the_first_word_of_a_list_says_the_intent(text, intent):
    assert parse(text).intent == intent


@each_row("part", ["a-", "a.", "a/", "/a", "a::", "GET ", "a@b."])
def test_a_hostile_text_is_read_in_one_pass(part):
    assert parse(part * 4000) == parse(part * 4000)
