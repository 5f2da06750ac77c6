from __future__ import annotations

from tests.tables import each_row
from varves.recall.scopes import PRECEDENCE, precedence, rank
from varves.values.scope import may_see

SCOPES = ("session:s-1", "agent:ada", "project", "team:core", "global")


@each_row(
    ("profile", "ranks"),
    [
        ("hivemind", [0, 1, 2, 3, 4]),
        ("scoped", [0, None, 2, 1, 3]),
        ("adr0018", [0, None, 2, 1, 3]),
        (None, [0, 1, 2, 3, 4]),
        ("default", [0, 1, 2, 3, 4]),
    ],
)
def test_a_profile_says_which_scope_is_the_more_specific(profile, ranks):
    assert [rank(scope, precedence(profile)) for scope in SCOPES] == ranks


def test_the_two_published_orders():
    assert PRECEDENCE == {
        "scoped": ("session", "team", "project", "global"),
        "hivemind": ("session", "agent", "project", "team", "global"),
    }


@each_row(
    ("actor", "session", "seen"),
    [
        ("ada", "s-1", SCOPES),
        ("bob", "s-1", ("session:s-1", *SCOPES[2:])),
        ("ada", "s-2", SCOPES[1:]),
        ("ada", None, SCOPES[1:]),
        ("USER", None, SCOPES[1:]),
        ("ad", "s", SCOPES[2:]),
    ],
)
def test_who_may_see_what(actor, session, seen):
    assert tuple(one for one in SCOPES if may_see(one, actor=actor, session=session)) == seen
