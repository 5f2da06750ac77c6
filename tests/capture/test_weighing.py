"""Statements without a marker: what speaks for them is added up, and is told."""

from __future__ import annotations

from tests.tables import each_row
from varves.capture.lasting_words import lasting_words
from varves.capture.learnings import learnings
from varves.capture.signs import SIGNS
from varves.capture.weighing import Occasion, orders, weighed
from varves.language.sentences import plain
from varves.values.signals import SessionMessage

LASTING = (
    "the warehouse mounts that folder over nfs, so a grep in here proves nothing",
    "nobody restarts the broker by hand, the operator does that and pages you otherwise",
    "refunds go through the ledger service, never straight to the bank",
    "half of our customers are still on old tablets, so no container queries in anything they get",
    "values file. finance closes the books on the fifth, so nothing in billing ships before that",
    "in reviews i like the blockers on top and all the nits in one line",
    "more than five columns is noise to me, i read these on my phone",
    "the nightly job only runs on the replica",
    "we're a pnpm shop, npm breaks the lockfile",
    "Maria's team owns that dir, they want a ping before anyone touches it",
    "tests hit a real redis on 6390, so it has to be up",
    "prod is on 3.9, no match statements",
    "i hate when the diff touches formatting, makes review a pain",
    "i'd rather you ask than guess",
    "can you not reformat files you don't change, it kills git blame",
    "don't bother with docstrings on private helpers, nobody reads them",
    "keep sql out of the handlers, it goes through the repo layer",
    "no print in library code, we have a logger for that",
    "secrets come from vault, never from env files",
    "legal wants every export logged, so that has to go through audit.record",
    "the second one. but with batches of 500, the partner api chokes on more",
    "nope, dates in the api are always utc, the frontend converts",
    "actually we don't use the orm for reports, raw sql in reports/sql",
    "the staging cluster gets rebuilt every sunday so don't leave anything there",
    "our biggest customer is on IE mode, so no es2020 features in the widget",
    "money is always in cents, floats are banned in this codebase",
    "release branches get cut on thursdays, nothing risky lands on wednesday",
    "translations are done by an agency, we only ever edit en.yml",
    "feature flags live in launchdarkly, the config file is just defaults",
    "i read everything on a small laptop, lines over 100 chars wrap and drive me mad",
    "give me the short version first, details only when i ask",
    "I like my commits small, one thing each",
    "for plots use a log axis by default, linear hides everything interesting in our data",
    "we settled on event sourcing for orders, everything else stays crud",
    "let's go with option b, retries belong in the client and not in the gateway",
    "the vendor's sandbox is down every night between 1 and 3, don't trust failures there",
    "ci runners have 4 gb, anything heavier gets oom killed",
    "the dump in fixtures/ is real customer data, it must never leave this machine",
    "half the team is on windows so no bash in package.json scripts",
    "the docs are read by support people, they don't know what an endpoint is",
    "reviewers reject anything without a changelog line",
    "every service has its own db user, nobody gets superuser",
    "we test against postgres 14 because that's what the hosting gives us",
    "the monolith is frozen, new code goes in services/",
    "numbers in reports have to match the ones from controlling to the cent",
    "imports are sorted by hand in that package, isort breaks the plugin order",
    "error messages are shown to customers as they are so no internals in there",
    "the build number comes from jenkins, don't bump it by hand",
    "weekly numbers start on sunday here, iso weeks confuse the sales folks",
    "the queue is at-least-once so every handler has to be idempotent",
    "our ids are ulids, sorting by id is sorting by time",
    "the board only has 64k of flash, so no printf with floats",
    "simulation runs take 9 hours, never start one without asking me",
    "i'm dyslexic, so bullet points rather than long paragraphs please",
    "tabs in this repo, the old guard insists",
    "the german site has its own price list, it does not follow the eu one",
    "cron on that box is in local time, everything else is utc",
)
TALK = (
    "the list still jumps for the old posts",
    "the importer hangs at the first row when i use both files",
    "we are moving the importer from 13 to 16",
    "i sent the file to our accounting people",
    "make every column in all our tables sortable",
    "all the tests in the repo are green now",
    "hard to tell, the wifi in our office is terrible",
    "one commit per step please, then open the pr",
    "the popover in the header is too low on every page",
    "however, the run has the same name for each of our jobs",
    "the tests pass locally but the pipeline is red on main",
    "only the second one fails, the rest is fine",
    "all four of them need the new header, same as in the other file",
    "the total is off by one cent for every row with a discount",
    "nobody noticed because the alert was muted",
    "everything after line 40 can go",
    "looks good, only the margin on mobile is off",
    "we have about three weeks left so keep it simple",
    "the customer called again, they want it by friday",
    "the export takes four minutes for 800 rows, that's too much for anyone",
    "each step should log how long it took",
    "users can't log in when the session is expired, they see a blank page",
    "our demo is tomorrow and the chart is still empty",
    "the api returns 500 for all requests with a plus in the email",
    "half of the rows have no country, drop them",
    "every time i save the file the server restarts twice",
    "the diff is huge because prettier touched everything",
    "this branch has all the changes from staging, so merge that first",
    "the first query is fast, the second one never comes back",
    "it only happens in firefox, never in chrome",
    "i'm on the train so the connection is bad",
    "the third column has the ids and the fourth one the names",
    "the readme in that repo is better than ours",
    "people keep asking me when this is done",
    "the old parser handled nested quotes, the new one doesn't",
    "the log says connection refused on all three nodes",
    "there are two services that call it, billing and mailer",
    "the page needs a filter for region and one for status",
    "so the plan is: first the schema, then the api, then the ui",
    "the numbers are the same in both reports now",
    "your change breaks the import because the header has two rows",
    "the issue is that the token expires after an hour",
    "the function gets called twice on every render",
    "we lose the last event if the process is killed",
    "the config is read once at startup and never again",
    "only you and me can see this one",
    "the queue has 40k messages and nobody is consuming",
    "my manager is asking for the numbers every day",
    "the job failed again last night, same error as on monday",
    "customers on the free plan see the wrong price in the header",
    "the container has no curl so the healthcheck fails",
    "the second option is cleaner but takes longer for all of us",
    "all the mocks return the same user, that hides the bug",
    "the team meeting got moved so i have an hour",
    "not every test needs the database, most don't",
    "the lib has a bug with empty arrays, there's an open issue",
    "the button is only enabled when the form is valid",
    "our staging db is full again",
    "the build takes 20 minutes because it downloads everything each time",
    "wow that was fast, all green on the first try",
    "the script deletes everything in /tmp so careful with that",
    "in the log every request shows up twice",
    "the new column is null for all old orders",
    "the staging deploy is done and all checks are green",
    "it's the same bug in all three services",
    "the response has an extra field that nobody uses",
    "anything else you need from me for the release?",
    "the two endpoints share the same handler, so one fix is enough",
)


def said(*lines: str) -> list[SessionMessage]:
    roles = {"U": "user", "A": "assistant"}
    return [SessionMessage(role=roles[line[0]], text=line[2:]) for line in lines]


@each_row("sign", SIGNS)
def test_a_signal_is_in_its_example_and_not_in_its_near_miss(sign):
    for text, expected in ((sign.example, True), (sign.near, False)):
        form = plain(text)
        assert sign.is_in(form, {word.strip(",.") for word in form.split()}) is expected


@each_row("text", LASTING)
def test_what_is_so_in_general_is_kept_without_a_marker(text):
    assert len(lasting_words(text)) == 1


@each_row("text", TALK)
def test_talk_of_the_task_is_not_kept(text):
    assert lasting_words(text) == []


def test_the_signals_say_why():
    (one,) = lasting_words(LASTING[1])
    assert {"general", "we do not", "consequence"} <= set(one.why)
    assert weighed(plain(LASTING[1]), Occasion()).weight > 0


def test_the_first_message_sets_the_task_and_states_only_what_somebody_likes():
    fact, liking = LASTING[2], LASTING[5]
    assert [one.text for one in learnings(said(f"U {fact}"))] == []
    assert len(learnings(said(f"U {liking}"))) == 1
    assert len(learnings(said("U hi", "A Done, straight to the bank.", f"U {fact}"))) == 1


def test_sentences_that_go_on_are_one_statement():
    (one,) = lasting_words(
        "the status column is junk, sales sets it by hand for every customer."
        " a customer has churned when no invoice was paid for 60 days."
    )
    assert one.text.startswith("the status column")
    assert one.text.endswith("60 days.")


def test_a_preference_beside_a_request_is_kept_without_the_request():
    (one,) = lasting_words(
        "plot it, and for figures i like serif, pdf not png, same as in all my papers"
    )
    assert one.text.startswith("for figures i like")


def test_a_long_message_describes_a_task():
    assert (
        lasting_words(f"{LASTING[2]}. {'the next step of the import is the second one. ' * 12}")
        == []
    )


def test_an_order_begins_with_its_verb():
    assert orders("please just rename it")
    assert not orders("the rename is done")
    assert not orders("test is a noun here")
