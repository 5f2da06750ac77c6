from __future__ import annotations

from tests.tables import each_row
from varves.protocols.hivemind.task_words import parse


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
    ("text", "keywords"),
    [
        ("Audit the payroll export", ("payroll", "export")),
        ("Please audit the payroll export", ("payroll", "export")),
        ("We should launch the forum", ("forum",)),
        # as a noun, the word is a keyword
        ("Print the results of the audit", ("print", "results", "audit")),
        ("Plan the launch of the forum", ("plan", "launch", "forum")),
        ("The nightly build is red", ("nightly", "build", "red")),
        ("Who asked for a security patch", ("asked", "security", "patch")),
    ],
)
def test_the_intent_as_a_noun_is_a_keyword(text, keywords):
    assert parse(text).keywords == keywords


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
    ("text", "functions"),
    [
        ("Fix calculateTotal in the basket", ["calculateTotal"]),
        ("isValid calls toString, then setState", ["isValid", "toString", "setState"]),
        ("fetch_rates and get_user_by_id are slow", ["fetch_rates", "get_user_by_id"]),
        ("Fix the function parse_date in utils", ["parse_date"]),
        ("the orderTotal function, or the method nextPage", ["orderTotal", "nextPage"]),
        ("the `charge` method of the class", ["charge"]),
        ("Basket.total rounds, order.items does not", ["Basket.total", "order.items"]),
        ("PaymentGateway.chargeCustomer", ["PaymentGateway.chargeCustomer"]),
        ("rename user_id to account_id", []),
        ("update_time and list_price are columns; load_balancer; read_only", []),
        ("MAX_RETRIES is a constant, on_call a rota", []),
        ("the login function is slow; what does this function do", []),
        ("macOS, iPhone, eBay, gRPC, jQuery, mySQL, GitHub, javaScript", []),
        ("Node.js, Vue.js, v1.beta, 2.x, U.S. and example.com", []),
        ("It is done.Then go on", []),
        ("parse the date and fetch the rates", []),
        ("src/parse_date.py and parseDate.ts", []),
    ],
)
def test_a_function_is_known_by_its_name_or_by_the_word_beside_it(text, functions):
    assert [name for name, kind in named(text) if kind == "function"] == functions


@each_row(
    ("text", "interfaces"),
    [
        ("call the Stripe API", ["Stripe API"]),
        ("Add the OAuth API and the payments api", ["OAuth API", "payments api"]),
        ("Stripe's API, the Google Maps REST API", ["Stripe API", "Google Maps REST API"]),
        ("Fix the refund endpoint", ["refund endpoint"]),
        ("Review the billing-events webhook", ["billing-events webhook"]),
        ("api.stripe.com is down", ["api.stripe.com"]),
        ("Use the API. Call APIs. Public API only", []),
        ("The REST API is slow, and the old endpoint too", []),
        ("Update the API docs for a new API", []),
        ("Design an API; which API?", []),
    ],
)
def test_an_interface_is_known_by_the_name_before_the_word(text, interfaces):
    assert [name for name, kind in named(text) if kind == "api"] == interfaces


@each_row(
    ("text", "intent"),
    [
        ("Implement the cart", "create"),
        ("fixing the cart", "fix"),
        ("The cart, audited", "review"),
        ("Releasing the cart", "deploy"),
        ("Add a test, then fix it", "create"),
        ("How does the cart work?", None),
        ("Can you have a look at the draft of the letter?", "review"),
        ("Proofread the newsletter", "review"),
        ("Set up a phone chain", "create"),
        ("We need a new form for sick leave", "create"),
        ("Prepare the handout", "create"),
        ("There is a leak in the login cache", "fix"),
        ("The upload crashes when the file is empty", "fix"),
        ("The deploy is broken", "fix"),
        ("Put the new price list online", "deploy"),
        ("Push the new build to production", "deploy"),
        ("Prepare the release", "deploy"),
        ("Check why the import fails for umlauts", "review"),
        ("Where is the draft of the budget?", None),
        ("Explain the set of rules", None),
        ("The new gate looks good", None),
        ("", None),
    ],
)
def test_the_first_word_of_a_list_says_the_intent(text, intent):
    assert parse(text).intent == intent


@each_row(
    "part", ["a-", "a.", "a/", "/a", "a::", "GET ", "a@b.", "a_", "aB", "a API ", "function "]
)
def test_a_hostile_text_is_read_in_one_pass(part):
    assert parse(part * 4000) == parse(part * 4000)
