"""When a newer statement takes the place of an older one, and when that is certain."""

from __future__ import annotations

from tests.tables import each_row
from varves.language.english.several import SEVERAL
from varves.language.replacing import replacement


def found(older, newer):
    made = replacement(older, newer)
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
