"""Rejected proposals, decisions that take up a proposal, and decisions that were replaced."""

from __future__ import annotations

import pytest

from tests.consenting import write_settings
from tests.tables import each_row

PHOTOS = "I propose that we keep the photos in the database"


@pytest.fixture
def held(varves):
    """Start a conversation; return what posts a message and gives its findings by kind."""
    assert varves("deliberation", "new", "talk").code == 0

    def say(agent, text, *more):
        answer = varves("deliberation", "say", agent, text, *more, "--json")
        assert answer.code == 0, answer
        return {one["kind"]: one for one in answer.json["found"]}

    return say


@pytest.fixture
def rejected(held):
    """Let a proposal be rejected; return the finding of the proposal."""
    proposal = held("ada", PHOTOS)["proposal"]
    decided = held("ben", "We decided against it, backups get slow.", "--reply-to", "0")
    assert decided["resolution"]["text"] == "rejected"
    return proposal


@pytest.mark.full_size(sample=1)
@pytest.mark.requirement("S4-34")
@pytest.mark.parametrize(
    "again", ["we keep the photos in the database", "Keeping photos in the database"]
)
def test_a_rejected_proposal_is_refused_with_the_reason(varves, rejected, again):
    refused = varves("deliberation", "propose", "noa", again)
    assert (refused.code, refused.out) == (3, "")
    assert rejected["id"] in refused.err
    assert "backups get slow" in refused.err
    assert varves("deliberation", "stats", "--json").json["proposalCount"] == 0
    assert varves("deliberation", "propose", "noa", again, "--again").code == 0
    assert varves("deliberation", "stats", "--json").json["proposalCount"] == 1


@pytest.mark.requirement("S4-34")
def test_a_message_that_proposes_it_again_reopens_nothing(varves, held, rejected):
    again = held("noa", "What if we keep photos in the database?")["proposal"]
    assert again["repeats"] == rejected["id"]
    assert "backups get slow" in again["rejected"]
    assert "Active Proposals" not in varves("deliberation", "context").out
    assert again["id"] not in varves("recall", "photos in the database").out


@pytest.mark.requirement("S4-34")
@each_row(
    ("refused", "again"),
    [
        ("metrics are exported over OTLP", "What if we export metrics over OTLP?"),
        ("rotate the signing keys every month", "I propose to rotate our signing keys monthly"),
        ("we compress old logs with zstd", "My suggestion: compressing the old logs using zstd"),
        ("we delete accounts after two years", "[PROPOSAL] Delete accounts after 2 years"),
        ("run the nightly jobs on spot instances", "I propose nightly jobs run on spot instances"),
    ],
)
def test_nearly_the_same_words_are_refused(varves, held, refused, again):
    held("ada", f"I propose that {refused}")
    held("ben", "We've decided against it, there is no time.", "--reply-to", "0")
    raised = held("noa", again)["proposal"]
    assert "no time" in raised["rejected"]
    assert "Active Proposals" not in varves("deliberation", "brief").out
    text = again.partition(": ")[2] or again.removeprefix("I propose to ")
    assert varves("deliberation", "propose", "eve", text).code == 3


@pytest.mark.requirement("S4-34")
def test_what_is_only_like_a_rejected_proposal_is_kept_and_marked(varves, held, rejected):
    looser = "Photos belong in the database, with a nightly dump"
    raised = held("noa", "My suggestion: photos in the database, as thumbnails")["proposal"]
    assert (raised["repeats"], raised["rejected"]) == (rejected["id"], None)
    assert "backups get slow" in raised["like_rejected"]
    offered = varves("deliberation", "propose", "eve", looser)
    assert offered.code == 0
    assert "rejected: against it, backups get slow" in offered.out
    mark = "(0 reactions) (like one rejected in message 0: against it, backups get slow)"
    for verb in ("brief", "context"):
        assert varves("deliberation", verb).out.count(mark) == 2

    varves("deliberation", "save", "--to", "talk.json")
    varves("deliberation", "restore", "talk.json", "--name", "later")
    assert varves("deliberation", "brief", "--conversation", "later").out.count(mark) == 2


@pytest.mark.requirement("S4-34")
@each_row(
    ("refused", "other"),
    [
        ("we migrate from Redis to Postgres", "we migrate from Postgres to Redis"),
        ("we scale up the worker pool", "we scale down the worker pool"),
        ("only admins may deploy", "admins may deploy"),
        ("we disable the beta flag", "we remove the beta flag"),
        ("we notify all users by mail", "we notify some users by mail"),
        ("cache the search results", "cache the search results for five minutes"),
        ("Ada reviews the work of Ben", "Ben reviews the work of Ada"),
    ],
)
def test_a_word_more_or_another_order_is_not_refused(varves, held, refused, other):
    held("ada", f"I propose that {refused}")
    held("ben", "We've decided against it, there is no time.", "--reply-to", "0")
    assert held("noa", f"I propose that {other}")["proposal"]["rejected"] is None
    assert varves("deliberation", "propose", "eve", f"{other} soon").code == 0


def test_a_proposal_of_what_was_decided_is_marked(varves, held):
    held("ada", "We agreed to use Postgres for the orders.")
    assert held("ben", "I propose we use Postgres for the orders")["proposal"]["decided"]
    held("eve", "I propose we use Postgres for the invoices")
    told = varves("deliberation", "brief").out
    assert 'Postgres for the orders" (0 reactions) (already decided)\n' in told
    assert 'Postgres for the invoices" (0 reactions)\n' in told
    varves("deliberation", "decide", "the orders", "SQLite for the orders", "--agent", "noa")
    assert "already decided" not in varves("deliberation", "brief").out


@pytest.mark.requirement("S4-34")
def test_another_proposal_than_the_rejected_one_is_recorded(held, rejected):
    other = held("noa", "I propose that we keep the photos in a bucket")["proposal"]
    assert (other["repeats"], other["rejected"]) == (None, None)
    assert other["id"] != rejected["id"]


def test_a_proposal_that_was_accepted_already_is_marked_in_a_context(varves, held):
    held("ada", "I propose we pin the base image digest in every Dockerfile")
    held("ben", "We agreed to pin the base image digest in every Dockerfile.")
    held("noa", "What if we pinned the base image digest in all Dockerfiles?")
    held("eve", "What if we rebuilt the base image every week?")
    held("ann", "I propose the base image digest is pinned in the Dockerfile of each service")
    held("cem", "I propose that a bot scans each Dockerfile for secrets before the merge")
    for verb in ("brief", "context"):
        told = varves("deliberation", verb).out
        assert 'all Dockerfiles" (0 reactions) (already decided)\n' in told
        assert 'base image every week" (0 reactions)\n' in told
        assert 'each service" (0 reactions) (like one accepted in message 0)\n' in told
        assert 'before the merge" (0 reactions)\n' in told
        assert told.count("(like one") == 1


@pytest.mark.requirement("S4-34")
@each_row(
    ("refused", "other"),
    [
        ("errors are logged as JSON", "errors are sent to Sentry"),
        ("sessions live in Redis", "sessions expire after a day"),
        ("images are stored in S3", "images are served by the CDN"),
        ("the API returns problem details", "the API is versioned in the path"),
        ("releases happen every six weeks", "we freeze the code six weeks before each release"),
        ("invoices are printed on paper", "invoices are printed on recycled paper in colour"),
        ("the build uses the old runners", "the build uses the new runners"),
    ],
)
def test_a_rejection_does_not_carry_over_to_another_idea(varves, held, refused, other):
    held("ada", f"I propose that {refused}")
    held("ben", "We've decided against it, there is no time.", "--reply-to", "0")
    raised = held("noa", f"I propose that {other}")["proposal"]
    assert raised["rejected"] is None
    assert other.removeprefix("we ") in varves("deliberation", "brief").out
    assert varves("deliberation", "propose", "ada", other).code == 0


@pytest.mark.requirement("S4-34")
@each_row(
    ("proposed", "decided", "status"),
    [
        ("I propose to use Kafka for the order events", "Let's go with Kafka for order events", 1),
        ("I propose a freeze on Thursdays", "We've agreed: a freeze every Thursday", 1),
        (
            "I propose to use Kafka for the order events",
            "We decided not to use Kafka for events",
            0,
        ),
        (
            "I propose we round VAT per invoice",
            "We've decided: invoices are numbered per year",
            None,
        ),
        ("I propose to hire a designer", "Let's go with Kafka for order events", None),
    ],
)
def test_a_decision_closes_the_proposal_that_it_takes_up(proposed, decided, status):
    import varves as package

    memory = package.ConversationMemory()
    memory.process_message(package.Message("ada", proposed))
    memory.process_message(package.Message("ben", decided))
    expected = {1: "accepted", 0: "rejected", None: "active"}[status]
    assert [one.status for one in memory.proposals] == [expected]


@pytest.mark.requirement("S4-25")
@each_row(
    ("first", "second"),
    [
        ("We agreed: signed cookies for guests", "Let's go with signed cookies"),
        ("We've decided to rotate API keys every month", "We agreed API keys are rotated monthly."),
        ("We decided that errors are logged as JSON", "Final decision: log errors as JSON."),
        ("We decided to move standup to Mondays", "We've agreed: standup moves to Mondays."),
    ],
)
def test_one_agreement_in_other_words_is_one_decision(held, first, second):
    made = held("ann", first)["decision"]
    joined = held("ben", second)
    assert joined["support"]["id"] == made["id"]
    assert "decision" not in joined


@pytest.mark.requirement("S4-25")
@each_row(
    ("first", "second"),
    [
        ("We agreed to log errors as JSON", "We agreed to send errors to Sentry"),
        ("We agreed on lunch: pizza", "We agreed on dinner: pizza"),
        ("We agreed to move the docs to the wiki", "We agreed to translate the docs"),
        ("We decided to delete the logs after a year", "We decided to delete the logs"),
    ],
)
def test_two_agreements_on_one_subject_are_two_decisions(held, first, second):
    held("ann", first)
    assert held("ben", second)["decision"]["replaces"] is None


@pytest.mark.requirement("S4-25")
def test_a_decision_that_says_more_replaces_the_shorter_one(held):
    first = held("ann", "We agreed to put the checksum in the header")["decision"]
    more = held("ben", "We agreed: checksum in the header, signature in the trailer.")["decision"]
    assert more["replaces"] == first["id"]


@pytest.mark.requirement("S4-25")
def test_what_a_message_and_the_verb_both_decide_is_one_decision(varves, held):
    said = held("ann", "We agreed to use Postgres for the orders.")["decision"]
    words = ("orders", "use Postgres for the orders", "--agent", "ben")
    made = varves("deliberation", "decide", *words, "--json").json
    assert (made["id"], made["known"], made["supporters"]) == (said["id"], True, ["ann", "ben"])
    assert "decided before: orders" in varves("deliberation", "decide", *words).out
    assert varves("deliberation", "brief").out.count("Postgres") == 1

    varves("deliberation", "decide", "image format", "Use WebP", "--agent", "ann")
    assert "support" in held("eve", "We agreed to use WebP for the image format.")
    assert varves("deliberation", "brief").out.count("WebP") == 1


@pytest.mark.requirement("S4-25")
def test_what_decides_less_or_otherwise_is_recorded(varves, held):
    held("ann", "We agreed on hosting: the Frankfurt region with failover")
    less = varves("deliberation", "decide", "hosting", "the Frankfurt region", "--json").json
    assert (less["known"], less["replaces"] is not None) == (False, True)
    held("ann", "We agreed to notify all users by mail.")
    some = ("notices", "notify some users by mail")
    assert varves("deliberation", "decide", *some, "--json").json["known"] is False


@pytest.fixture
def replaced(varves, held):
    """Decide one thing, then another; return the ids of both decisions."""
    held("ada", "Good morning.")
    first = varves("deliberation", "decide", "release cadence", "every second Tuesday", "--json")
    other = varves("deliberation", "decide", "release cadence", "every month", "--json")
    return first.json["id"], other.json["id"]


@pytest.mark.requirement("S4-25")
def test_a_replaced_decision_is_marked_wherever_it_is_shown(varves, replaced):
    old, new = replaced
    assert "every second Tuesday (replaced)" in varves("deliberation", "context").out
    for words in (("deliberation", "show"), ("recall", "release cadence"), ("list",)):
        assert f"replaced by {new}" in varves(*words).out, words
    assert varves("show", old, "--json").json["links"]["replaced_by"] == [new]
    hits = [one["id"] for one in varves("recall", "release cadence", "--json").json["hits"]]
    assert hits == [new, old]
    assert old not in varves("brief").out
    assert new in varves("brief").out


@pytest.mark.requirement("S4-25")
def test_a_decision_is_current_again_when_its_replacement_is_forgotten(varves, replaced):
    old, new = replaced
    assert varves("forget", new, "--reason", "a mistake").code == 0
    assert "replaced" not in varves("recall", "release cadence").out
    assert old in varves("brief").out


@pytest.mark.requirement("U-06")
def test_a_bridge_shows_the_decision_that_replaced_another(project, home, varves):
    write_settings(project, 'bridges = ["deliberation.decision -> hivemind"]\n', home / "varves")
    varves("deliberation", "new", "talk")
    for outcome in ("every second Tuesday", "every month"):
        assert varves("deliberation", "decide", "release cadence", outcome).code == 0
    files = [path.read_text("utf-8") for path in project.glob("memory/projects/project/mem_*.json")]
    assert ["release cadence: every month" in text for text in files] == [True]
