"""What two statements agree on is no contradiction, in whichever order they were recorded."""

from __future__ import annotations

from tests.tables import each_row

SAME, NOT_SAME = {"same"}, {""}
EITHER = {"same", ""}


def relations(ledger, older, newer):
    """Return how the newer statement relates to the older one, in both orders of recording."""
    found = set()
    for first, second in ((older, newer), (newer, older)):
        held = ledger.remember(first, again=True)
        done = ledger.remember(second, again=True)
        found |= {one.relation for one in done.conflicts} or {""}
        listed = {one.kind for one in ledger.conflicts()}
        assert listed == {one.kind for one in done.conflicts}
        for name in (held.id, done.id):
            ledger.forget(name, reason="the next row")
    return found


@each_row(
    ("older", "newer", "expected"),
    [
        # a verb with "off" that denies nothing
        ("The crawl starts at 04:00", "The crawl kicks off at 4 am", SAME),
        ("The regatta begins in May", "The regatta kicks off in May", SAME),
        ("The lamp is off at night", "The lamp is switched off at night", SAME),
        # two forms of one denial
        ("Never truncate a shared table", "Truncating shared tables is forbidden", SAME),
        ("Never publish without a test", "Publishing without a test is prohibited", EITHER),
        ("Do not cache prices", "Caching prices is prohibited", SAME),
        ("No raw HTML in comments", "Raw HTML in comments is not allowed", SAME),
        ("We never ship orders by air", "Shipping orders by air is banned", SAME),
        ("Pushes to the release branch are forbidden", "Never push to the release branch", SAME),
        (
            "Direct writes to the ledger table are forbidden",
            "Don't write directly to the ledger table",
            EITHER,
        ),
        # what is not used is ruled out
        ("The test runner is Vitest and Jest isn't used", "We use Vitest, not Jest", EITHER),
        (
            "The wiki is Outline, and Confluence is not used",
            "We use Outline, not Confluence",
            EITHER,
        ),
        ("We host on Linode, not Heroku", "Hosting is on Linode and Heroku isn't used", EITHER),
        # a denial that only waits, a span told from both ends, what was ruled out already
        ("Changes need one review", "A change can't be merged until it got one review", EITHER),
        ("Traces are deleted after a week", "Traces are kept for 7 days, then removed", EITHER),
        ("Quote with single quotes, not double ones", "Double quotes are out", EITHER),
        # a statement, and the same with "only"
        ("Tokens are kept in the keychain, nowhere else", "Keep tokens in the keychain", EITHER),
        ("Only the treasurer signs contracts", "The treasurer signs contracts", EITHER),
        ("Traces go to Tempo and nothing else", "Traces go to Tempo", EITHER),
        (
            "The shop can be reached from the intranet only",
            "Reach the shop from the intranet",
            EITHER,
        ),
        ("Write all tickets in Dutch, no other language", "Tickets must be in Dutch", EITHER),
        ("Only Wanda can approve a refund", "Guests can't approve a refund", EITHER),
    ],
)
def test_agreement_in_other_words_is_no_contradiction(ledger, older, newer, expected):
    assert relations(ledger, older, newer) <= expected


@each_row(
    ("older", "newer"),
    [
        ("The crawl starts at 04:00", "The crawl kicks off at 6 am"),
        ("The lamp is on at night", "The lamp is off at night"),
        ("Never truncate a shared table", "Truncating shared tables is allowed"),
        ("Pushes to the release branch are forbidden", "Pushes to the release branch are fine"),
        ("We never ship orders by air", "We ship orders by air"),
        ("Only the treasurer signs contracts", "Everybody signs contracts"),
        ("Traces are deleted after a week", "Traces are kept for 30 days"),
        ("Access keys go in the keychain, nowhere else", "Access keys go in a text file"),
        ("We run tests with Vitest, not Jest", "We run tests with Jest"),
    ],
)
def test_the_opposite_in_the_same_words_still_is_one(ledger, older, newer):
    assert relations(ledger, older, newer) == {"contradiction"}


@each_row(
    ("older", "newer"),
    [
        ("v1 of the protocol was removed in May, only v2 is left", "Protocol errors are logged"),
        ("The old relay was shut down, only the new one remains", "The meter relay has no battery"),
        ("We do not support Opera", "On Sundays support answers by phone only"),
        ("Parcels go out through the depot", "On Sundays the office answers parcels by phone only"),
        ("Nobody but the release captain may tag", "Release 3.1 ships on June 3"),
        ("We pay the cleaners by bank transfer only", "The cleaners come on Mondays"),
        ("Only the treasurer may sign", "The treasurer did not come in August"),
        ("The gateway has no cache", "The gateway is the only program that talks to the meters"),
    ],
)
def test_only_and_no_about_different_things_are_no_contradiction(ledger, older, newer):
    assert relations(ledger, older, newer) == NOT_SAME
