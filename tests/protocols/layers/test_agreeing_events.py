"""Decisions that agree are not reported as contradictions, in whatever words a change is told."""

from __future__ import annotations

from tests.tables import each_row

AGREEING = (
    ("The shop moved from MySQL to PostgreSQL.", "The shop does not use MySQL."),
    ("The build was migrated from Webpack to Vite.", "Webpack is not used in the build."),
    ("The login was switched from sessions to tokens.", "The login does not use sessions."),
    ("Redis was replaced by Valkey in the cache.", "The cache does not run on Redis."),
    ("The images moved from the server to S3.", "The images are not on the server."),
    ("Support for Python 3.8 was removed.", "Python 3.8 is not supported."),
    ("The feature flag service was removed.", "We do not have a feature flag service."),
    ("We stopped using Docker Compose in CI.", "CI does not use Docker Compose."),
    ("Deploys moved from Friday to Tuesday.", "We do not deploy on Fridays."),
    ("The repository was renamed from shop to store.", "The repository is not called shop."),
    ("Billing moved out of the monolith.", "Billing is not part of the monolith."),
    ("Lodash is gone from the front end.", "The front end does not use Lodash."),
    ("Emails are sent by Postmark now, not by SendGrid.", "SendGrid does not send our emails."),
    ("We deprecated the v1 API in favour of v2.", "Do not use the v1 API."),
    ("The nightly job moved from 02:00 to 04:00.", "The nightly job does not run at 02:00."),
    ("Mobile was rewritten from Java to Kotlin.", "Mobile is not in Java."),
    ("Ownership of billing passed from Ada to Ben.", "Ada does not own billing."),
    ("The desk passed from the firm to our staff.", "The firm does not run the desk."),
    ("We left the US region.", "Nothing runs in the US region."),
    ("The cron container was merged into the worker.", "There is no cron container."),
    ("We split the user table into accounts and profiles.", "There is no user table."),
    ("We chose Postgres over MongoDB for the archive.", "The archive does not use MongoDB."),
    ("Images are built by Kaniko rather than by Docker.", "Docker does not build the images."),
    ("Secrets were moved out of the repository to Vault.", "The repository has no secrets."),
    ("The map uses OpenStreetMap in place of Google Maps.", "Google Maps is not used."),
    ("We withdrew the beta in Norway.", "The beta is not available in Norway."),
    ("Reviews are assigned by rota instead of by the lead.", "The lead assigns no reviews."),
    ("The retry limit is 5.", "The retry limit was raised from 3 to 5."),
    ("Invoices are sent as PDF.", "We stopped sending invoices by fax."),
    ("Design tokens replace the colour constants.", "The colour constants are gone."),
    ("No job runs at 01:00.", "The worker runs the scheduled jobs now."),
    ("Changes are not merged without approval.", "Merges no longer need two approvals."),
)
APART = (
    ("The shop does not use PostgreSQL.", "The shop moved from MySQL to PostgreSQL."),
    ("The login does not use tokens.", "The login was migrated from sessions to tokens."),
    ("The nightly job does not run at 04:00.", "The nightly job moved from 02:00 to 04:00."),
    ("The images are on the server.", "The images moved from the server to S3."),
    ("The shop uses MySQL.", "The shop does not use MySQL."),
    ("The retry limit is 4.", "The retry limit was raised from 3 to 5."),
    ("Invoices are sent by fax.", "We stopped sending invoices by fax."),
    ("The colour constants are in use.", "The colour constants are gone."),
    ("We deploy on Fridays.", "We do not deploy on Fridays."),
)


def decide(site, what):
    """Append a decision and return the statements that it is said to disagree with."""
    said = {"type": "decision", "scope": "project", "why": "It is simpler.", "impact": "None."}
    done = site.verbs.append(title=what, what=what, next="None.", **said)
    return {one.text: one.relation for one in done.conflicts}


def reported(site, older, newer):
    """Append two decisions and return what the second one is said to do to the first."""
    decide(site, older)
    return decide(site, newer).get(older)


@each_row("pair", [*AGREEING])
def test_what_was_left_and_is_denied_agrees(site, pair):
    older, newer = pair
    assert reported(site, older, newer) is None


@each_row("pair", [pair for pair in AGREEING if "not" in pair[1]])
def test_in_the_other_order_it_agrees_too(site, pair):
    newer, older = pair
    assert reported(site, older, newer) is None


@each_row("pair", [*APART])
def test_what_is_begun_or_said_still_differs(site, pair):
    older, newer = pair
    assert reported(site, older, newer) in ("update", "contradiction")


def test_a_name_that_was_left_is_not_taken_for_the_thing_of_that_name(site):
    older = "The shop moved from MySQL to PostgreSQL."
    assert reported(site, older, "The repository was renamed from shop to store.") is None
