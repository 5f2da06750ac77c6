"""When a newer statement takes the place of an older one, and when that is certain."""

from __future__ import annotations

from tests.tables import each_row
from varves.language.english.several import SEVERAL
from varves.language.replacing import replacement


def found(older, newer, **about):
    made = replacement(older, newer, **about)
    return None if made is None else made.certain


@each_row(("verb", "one", "other"), SEVERAL)
def test_a_verb_with_several_objects_is_never_certain(verb, one, other):
    assert verb
    assert not found(one, other)
    assert not found(other, one)


@each_row(
    ("older", "newer", "certain"),
    [
        ("The port is 8080", "The port is 8081", True),
        ("The nightly backup starts at 02:00", "The nightly backup was moved to 04:30", True),
        ("Sessions live in Redis", "Sessions live in Postgres", True),
        ("Sessions live in Redis", "Carts live in Postgres", None),
        ("The flag newCart is on", "The flag NewCart is off", False),
        ("The port is 8080 (EU)", "The port is 8081 (US)", False),
        ("The port is 8080", "Today the port is 8081", False),
        ("Today the port is 8081", "The port is 8080", None),
        ("Release 1.4 dropped Python 3.8", "Release 1.5 dropped Python 3.9", False),
        ("The admin page is slow on Safari", "The admin page is slow on Chrome", None),
        ("Use tabs", "Please use spaces", False),
        ("Use tabs", "Do not use tabs", True),
        ("The port is 8080", "The port is 8080.", None),
        ("The API listens on port 8080", "The API now listens on port 9090", True),
        ("The API listens on port 8080", "The API now also listens on port 9090", None),
        ("The gateway returns 404 for guests", "The gateway now returns 403 for guests", True),
        ("The port is 8080", "The cat sleeps", None),
    ],
)
def test_only_what_hints_at_one_thing_is_certain(older, newer, certain):
    assert found(older, newer) is certain


@each_row(
    ("older", "newer", "certain"),
    [
        ("sell eggs on Saturdays", "sell eggs on Sundays instead", True),
        ("rehearse the songs in the school", "rehearse the songs in the chapel instead", True),
        ("We will keep the goats in the field", "We will keep them in the orchard instead", None),
        (
            "The party will be in the garden",
            "The party will be in the hall, not in the garden",
            True,
        ),
        ("print the flyers in colour", "print the flyers in black and white after all", True),
        ("We will plant leeks in bed 4", "We will plant carrots in bed 4 instead of leeks", True),
        (
            "We chose Mailchimp for the newsletter",
            "We are switching from Mailchimp to Brevo for the newsletter",
            True,
        ),
        # another object may be meant: both may be served
        ("serve soup at the festival", "serve stew at the festival instead", False),
        ("travel by bus", "travel by train instead", False),
        ("hire Marta", "hire Jonas instead", False),
        # something else is replaced, or nothing
        ("We will plant beans in bed 4", "We will plant carrots in bed 4 instead of leeks", None),
        ("We will plant leeks in bed 4", "We will plant carrots in bed 5 instead of leeks", None),
        ("sell eggs on Saturdays", "sell eggs on Sundays too", None),
        ("sell eggs on Saturdays", "sell cheese on Sundays instead", None),
        ("sell eggs on Saturdays", "sell eggs at the market", None),
        ("travel by bus", "travel to Bremen instead", None),
        ("The concert will be in the church", "The rehearsal will be in the gym instead", None),
        (
            "We chose Mailchimp for the newsletter",
            "We are switching from Word to Brevo for the invitations",
            None,
        ),
    ],
)
def test_what_is_said_to_hold_instead_replaces_only_what_is_otherwise_equal(older, newer, certain):
    assert found(older, newer) is certain


@each_row(
    ("older", "newer", "certain"),
    [
        # the text does not name the thing that it is about
        ("Pin Node 20 on it", "Pin Node 22 on it", False),
        ("Give them 3 retries", "Give them 9 retries", False),
        ("Its timeout is 30 seconds", "Its timeout is 60 seconds", False),
        ("This cluster runs Debian 12", "This cluster runs Debian 13", False),
        # but it does here
        ("The proxy keeps its logs for 7 days", "The proxy keeps its logs for 30 days", True),
        (
            "The proxy caches pages and drops them after 5 minutes",
            "The proxy caches pages and drops them after 10 minutes",
            True,
        ),
        # one of several objects of an action
        ("Mira signs the German contracts", "Mira signs the French contracts", False),
        ("The team writes Rust parsers", "The team writes Go parsers", False),
        ("The API returns JSON pages", "The API now returns XML pages", True),
        ("We use Postgres databases", "We use MySQL databases", True),
        ("The wiki is owned by the docs team", "The wiki is owned by the sales team", True),
        # a name in the subject
        ("Guests from Norway pay in cash", "Guests from Sweden pay in cash", None),
        ("Orders over Ebay ship with DHL", "Orders over Etsy ship with DHL", None),
        # the newer tells of a change
        ("Fonts are fetched from Google", "Fonts are now fetched from Cloudflare", True),
        ("Fonts are fetched from Google", "Fonts are now also fetched from Cloudflare", None),
        ("Alarms go to Opsgenie", "Alarms now go to Slack", False),
        # one thing goes to two tools
        ("Alarms go to PagerDuty", "Alarms go to Slack", False),
        ("Traces are sent to Jaeger", "Traces are sent to Datadog", False),
        ("Traces are sent to Jaeger", "Metrics are sent to Datadog", None),
        ("Invoices go to Acme", "Invoices go to Initech", None),
        # two things of two kinds are chosen for one purpose
        ("We picked Swift for the client", "We picked React Native for the client", False),
        ("We use pytest for the API", "We use FastAPI for the API", None),
        ("We picked Swift for the client", "We picked Kotlin for the server", None),
        # the beginning of a sentence
        ("We found the limit is 500 rows", "We found the limit is 900 rows", True),
        ("It turned out the key expires in May", "It turned out the key expires in June", True),
        ("We found the bug in the parser", "We found the bug in the lexer", None),
    ],
)
def test_signs_of_two_things_make_it_uncertain(older, newer, certain):
    assert found(older, newer) is certain


def test_decisions_to_use_two_things_for_one_purpose_are_two_choices():
    pair = "use Memcached for the job queue", "use Kafka for the job queue"
    assert found(*pair) is None
    assert found(*pair, decided=True) is False


def test_a_reason_names_both_periods():
    made = replacement("The scan runs every 20 minutes", "The scan runs every 40 minutes")
    assert made.reason == 'two values for "The scan runs …": every 20 minutes and every 40 minutes'
