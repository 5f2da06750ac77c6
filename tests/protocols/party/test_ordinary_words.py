"""What a party keeps of dialogue in everyday words, and whom an answer without a name means."""

from __future__ import annotations

import pytest

from tests.tables import assert_each

FOUR = ("ada", "ben", "noa", "kim")

CONSTRAINTS = (
    "The vendor's API doesn't allow more than 100 requests per minute",
    "Our bank does not allow refunds after 90 days",
    "Apple won't let us use external payments",
    "We must support Internet Explorer 11",
    "The export must support CSV and PDF",
    "The rate limit is 10 requests a second per key",
    "The deadline is March 31",
    "We can't change the public API before June",
    "The database can't be moved out of the EU",
    "Uploads are capped at 25 MB",
    "Turns out we may not store birthdays",
    "Turns out we're not allowed to email users",
    "The pool allows no more than 50 connections",
    "Customers can't have more than five projects",
    "Passwords must be at least 12 characters long",
    "Legal says we may not store birthdays",
    "Regulations forbid storing health data abroad",
    "We have no access to the production database",
    "Our hosting doesn't support websockets",
    "Shopify limits us to two calls per second",
    "Deployments are only possible between 2 and 4 am",
    "The kiosk has no internet connection",
    "Nothing may leave the building network",
    "We must never store card numbers on our own servers",
    "The supplier API now only allows 30 requests per minute",
    "Passwords must be hashed with argon2",
    "Every invoice has to be signed by two managers",
    "Scanners are not allowed in the cold store",
    "Helmets are mandatory on site",
    "We must keep the logs for a year",
    "Deployments are limited to business hours",
    "There is no staging environment",
    "The tablets don't have GPS",
    "GDPR means we have to delete inactive accounts after two years",
    "The union agreement forbids night shifts",
    "Only admins may delete orders",
    "The hall may not be used after 10 pm",
    "No deployments on Fridays",
    "The gateway rejects files over 5 MB",
    "Our lease with the city forbids open fire",
    "We don't have permission to the harbour's cameras",
    "The school's proxy blocks video calls",
    "It has to run without the network",
    "There is only one service lift",
    "The freezer can only store 60 trays",
    "The thermometer only shows whole degrees",
    "Night trains only stop at the main station",
    "The greenhouse takes orders by phone only",
    "The bridge is only passable at low tide",
    "The van fits eight crates",
    "The queue worker runs on a single machine",
    "The two kitchens share one dishwasher",
    "Refunds need approval from the treasurer",
    "The ledger tool imports files without headers",
    "The old catalogue stores names in capital letters",
    "The museum closes at five on Sundays",
    "The radio cuts out below the waterline",
    "The ministry wants the report by September",
    "We can only use the yard on Sundays",
    "We may only use the stage until nine at night",
    "The police require a lane of three metres",
    "The fire brigade demands two exits",
    "There's just one tap in the yard",
    "There are only three keys in the house",
    "The kiln tops out at 1200 degrees",
)
NO_CONSTRAINTS = (
    "We can't agree on that",
    "The build can't be that slow",
    "We may not need a cache",
    "We must be careful",
    "No more than a guess",
    "The rate limit is a problem",
    "That doesn't allow for growth",
    "Our calendar doesn't allow it",
    "What is the rate limit?",
    "It is a myth that we can't change the public API",
    "We must never lose sight of the goal",
    "Something must be done",
    "The numbers must be checked",
    "He is not allowed to drive",
    "We have to talk for a minute",
    "My knowledge is limited to Python",
    "There is no reason to wait",
    "The tablets don't have to be new",
    "The delay means we have to hurry",
    "Only time will tell",
    "Prices may not be final yet",
    "No errors in the log",
    "The gateway rejects that",
    "Our lease with the city is in the drawer",
    "The museum blocks the view",
    "It has to work out somehow",
    "We can't hear the others, because a microphone is off",
    "There is only one way to find out",
    "The only question is who pays",
    "The story only gets better",
    "The cake only lasted an hour",
    "The idea only works on paper",
    "The answer is only known to Ben",
    "The new chairs fit us perfectly",
    "The children share a room and fight a lot",
    "The two plans share one goal",
    "The trip needs planning",
    "The picture shows dogs in hats",
    "The paint drops fell near the door",
    "The movie closes with a song",
    "The team wants a break",
    "We only have five minutes left for this point",
    "We can only guess on Sundays",
    "There are only two weeks in my calendar",
    "There are only two people in the room who agree",
    "The discussion tops out at nonsense",
    "The job requires patience",
    "The story demands two heroes",
    "We may only wait until Monday",
)
PREFERENCES = (
    "I like small pull requests",
    "I really like feature flags",
    "I'm a big fan of TypeScript",
    "Not a fan of ORMs",
    "My go-to is pytest",
    "I don't like long meetings",
    "I can't stand flaky tests",
    "I'd rather not add another dependency",
    "I'd sooner keep the monolith",
    "Personally I value readability",
    "I always want tests before code",
    "I insist on typed interfaces",
    "My favourite is Helix",
    "I really like how Kotlin handles nulls",
    "I'd go for a light theme",
    "I lean towards a single repository",
    "I'm leaning towards Kotlin",
    "I'd opt for weekly meetings",
)
NO_PREFERENCES = (
    "I like your idea",
    "I like what you said",
    "I don't like that",
    "I'd like a break",
    "I'd rather not",
    "I'm a fan of it",
    "I like the third one",
    "I don't like repeating myself",
    "Do you like Postgres?",
    "I always want to know why",
    "I insist on that",
    "It looks like rain",
    "My favourite is that one",
    "I like how you said that",
    "I prefer to speak last",
    "I'd go for a walk",
    "I'd go with that",
    "I lean towards the window",
    "I lean towards your view",
)
DECISIONS = (
    "Let's go with Postgres for billing",
    "We'll go with weekly releases",
    "We will use TypeScript from now on",
    "From now on we squash every merge",
    "Frankfurt it is!",
    "We chose Kafka over RabbitMQ",
    "We're not going to support IE11",
    "We won't use Redis",
    "We have consensus: gRPC between services",
    "The decision is a smaller harbour",
    "Our decision is Friday for the parade",
    "Our team decided to use Flutter",
    "Decision on the hall: we rent it",
    "We decided to postpone the launch until May",
    "We agreed to stop selling tickets at the door",
    "We decided to wait for the grant",
)
NO_DECISIONS = (
    "Let's go with that",
    "Let's go with the flow",
    "Let's not go with Postgres yet",
    "Should we go with Postgres?",
    "We'll go with Postgres if it is cheap",
    "Maybe we'll go with Postgres",
    "I don't know how slow it is",
    "Last year we chose Oracle",
    "We will lose money",
    "We chose our words carefully",
    "Let's go with the first item on the agenda",
    "The Mobile team decided to use Swift",
    "Marketing has agreed to pay for the ads",
    "Our supplier decided to raise prices",
    "On the Mobile team we decided to use Swift",
    "At my last job we agreed to use Swift",
    "I heard the team decided to move to Swift",
    "The decision is yours",
    "The decision is a hard one",
    "The decision is still open",
    "The decision is up to the board",
    "The final call is at noon",
    "Final call for drinks!",
    "We decided to discuss it later",
    "We agreed to wait",
)


def kept_of_each(room, texts):
    """Hold one party in which each text has a speaker of its own; return what each keeps."""
    room.settings("per_session = 99")
    speakers = [f"guest{number}" for number in range(len(texts))]
    room.hold(*zip(speakers, texts, strict=True), agents=speakers)
    return {text: room.kept(name) for text, name in zip(texts, speakers, strict=True)}


@pytest.mark.requirement("S0-12")
def test_a_constraint_in_everyday_words_becomes_context(room):
    kept = kept_of_each(room, CONSTRAINTS)
    assert kept == {text: [("context", text, 1.0)] for text in CONSTRAINTS}


@pytest.mark.requirement("S0-13")
def test_what_somebody_likes_or_dislikes_becomes_a_preference(room):
    kept = kept_of_each(room, PREFERENCES)
    assert kept == {text: [("preference", text, 1.0)] for text in PREFERENCES}


@pytest.mark.requirement("S0-14", "S0-36")
def test_a_choice_to_which_nobody_objects_is_a_decision_of_all(room):
    kept = kept_of_each(room, DECISIONS)
    assert kept == {text: [("decision", one, 1.0) for one in DECISIONS] for text in DECISIONS}
    assert len(room.sidecar("guest0")["decision_history"]) == len(DECISIONS)


@pytest.mark.requirement("S0-12", "S0-13", "S0-14")
def test_what_only_looks_like_one_of_them_is_nothing(room):
    texts = NO_CONSTRAINTS + NO_PREFERENCES + NO_DECISIONS
    assert {text: kept for text, kept in kept_of_each(room, texts).items() if kept} == {}


@pytest.mark.requirement("S0-14")
def test_a_choice_to_which_somebody_objects_is_no_decision(room):
    room.hold(
        ("ada", "Let's go with Postgres."),
        ("ben", "No, that won't work."),
        ("noa", "I agree with Ben."),
        agents=FOUR,
    )
    assert [room.kept(one) for one in FOUR] == [[], [], [], []]


@pytest.mark.requirement("S0-14", "S0-36")
def test_a_choice_that_is_said_twice_is_one_decision(room):
    talk = (
        ("ada", "Let's go with Postgres for billing."),
        ("ben", "+1"),
        ("noa", "Postgres it is."),
    )
    room.hold(*talk, agents=FOUR)
    assert room.kept("kim") == [("decision", "Let's go with Postgres for billing", 1.0)]
    assert len(room.sidecar("kim")["decision_history"]) == 1


# S0-15: whom an answer means

AGREEMENTS = (
    *("+1", "+1 to that.", "Exactly.", "Exactly, Ben.", "Yes, exactly.", "Absolutely.", "I agree."),
    *(
        "Good point.",
        "You're right.",
        "That's true.",
        "Makes sense.",
        "Works for me.",
        "Same here.",
    ),
    *("I'm with you.", "I think so too.", "My thoughts exactly.", "Exactly, and it is cheap."),
    *(
        "Exactly what I was thinking.",
        "You have a point.",
        "I'm on board.",
        "Can't argue with that.",
    ),
    *("That makes total sense to me.", "Well said, I'm with you on this one.", "You nailed it."),
    *("You're right there.", "I see it the same way.", "Fine by me.", "No objection from me."),
    *("I agree with everything you said.", "Totally on board with that.", "Quite right."),
)
DISAGREEMENTS = (
    *("That won't work.", "That won't work, prices change.", "No, that's wrong.", "-1", "No, Ben."),
    *("I don't think so.", "I don't think that works.", "You're wrong.", "I'm not convinced."),
    *("That's a bad idea.", "I beg to differ.", "Absolutely not.", "I'm against that."),
    *(
        "No, it isn't.",
        "That makes no sense.",
        "I have to disagree.",
        "No, that's not how it works.",
    ),
    *("You're wrong there, Ben, leasing costs twice as much.", "I have to push back on that."),
    *("Not a fan of this.", "I'm not sure that's the right place to start.", "I reject that."),
    *("That misses the point.", "I can't get behind that.", "I'm skeptical about that."),
    *("Respectfully, no.", "Hard disagree.", "I think that's a mistake.", "Bad idea."),
    *("You've got that wrong.", "On the contrary, it is slower.", "I wouldn't do that."),
)
NEITHER = (
    *("Exactly two of them failed.", "That won't work on Windows 7.", "No idea.", "Thanks.", "OK."),
    *("Is that right?", "Good point, but no.", "The number is wrong.", "No problem."),
    *("That's true for small files, but I measured otherwise.", "Agreed on a date."),
    *("You're right there in the front row.", "You're wrong here and there.", "It's off."),
    *("I have to push back the meeting.", "I'm not sure that's the right file.", "Same again."),
    *(
        "I like it here.",
        "I don't like mushrooms.",
        "I question the witness tomorrow.",
        "I vote on Friday.",
    ),
)
ANSWERS = [
    *((text, ["agrees_with"]) for text in AGREEMENTS),
    *((text, ["disagrees_with"]) for text in DISAGREEMENTS),
    *((text, []) for text in NEITHER),
]


@pytest.mark.requirement("S0-15")
def test_an_answer_without_a_name_means_the_previous_speaker(room):
    speakers = [f"guest{number}" for number in range(len(ANSWERS))]
    turns = []
    for speaker, (text, _) in zip(speakers, ANSWERS, strict=True):
        turns += [("ben", "We cache the results on the edge."), (speaker, text)]
    done = room.hold(*turns, agents=["ben", *speakers]).agents

    def check(row):
        speaker, (_, relations) = row
        found = [(one["relation"], one["other"]) for one in done[speaker]["relations"]]
        assert found == [(relation, "ben") for relation in relations]

    assert_each(zip(speakers, ANSWERS, strict=True), check)


@pytest.mark.requirement("S0-15", "S0-32")
def test_an_answer_counts_for_nobody_else(room):
    room.hold(
        ("ben", "We cache the results on the edge."),
        ("noa", "Is it Monday?"),
        ("ada", "Exactly."),  # a question is nothing to agree with
        ("kim", "Ben's point about Noa is right."),
        ("kim", "Ben, that was a good summary. I agree."),
        agents=FOUR,
    )
    relations = {one: room.sidecar(one)["relationships"]["agrees_with"] for one in FOUR}
    assert relations == {"ada": [], "ben": [], "noa": [], "kim": ["ben"]}


@pytest.mark.requirement("S0-15", "S0-32")
def test_an_answer_after_a_bare_agreement_means_the_first_statement(room):
    ended = room.hold(
        ("ben", "We cache the results on the edge."),
        ("noa", "+1"),
        ("kim", "+1"),
        ("noa", "That won't work."),
        ("ada", "I agree."),
        agents=FOUR,
    )
    found = {
        name: [(one["relation"], one["other"]) for one in done["relations"]]
        for name, done in ended.agents.items()
    }
    assert found == {
        "ada": [("agrees_with", "noa")],
        "ben": [],
        "noa": [("agrees_with", "ben"), ("disagrees_with", "ben")],
        "kim": [("agrees_with", "ben")],
    }


@pytest.mark.requirement("S0-12", "S0-13", "S0-14")
def test_a_memory_is_stored_without_opening_words_and_marks(room):
    room.hold(("ada", "I don't like mocks; right, Vue it is then."), agents=FOUR)
    assert {text for _, text, _ in room.kept("ada")} == {"I don't like mocks", "Vue it is then"}


@pytest.mark.requirement("S0-34")
@pytest.mark.parametrize(
    "said",
    [
        "Your database knowledge and my frontend skills fit together well.",
        "Your SQL knowledge complements my design work.",
        "Ada and Ben complement each other.",
        "Ben brings the SQL knowledge that I lack.",
        "Ben's queries fill the gaps in my design.",
        "Ben's research and my prototypes complement each other.",
        "Ben, I know the tools, so our skills complement each other.",
        "Right, your SQL expertise fills the gap in mine.",
        "Building on Ben's query analysis, I can add the design side.",
        "We make a good team, Ben.",
        "My design experience rounds out your SQL knowledge.",
        "I lack the SQL knowledge that you have.",
        "Ben and I complement one another.",
        "Where I'm weak on budgets, Ben is strong.",
        "What I lack in patience, Ben makes up for.",
        "Ben fills in what I don't know about wood.",
        "Ben's knowledge of moss rounds off my knowledge of ferns.",
        "I'm good with dough and Ben is good with people, we're a great team.",
    ],
)
def test_agents_that_complement_each_other_are_listed_in_both_sidecars(room, said):
    room.hold(("ben", "I tuned the queries."), ("ada", said), agents=FOUR)
    complements = {one: room.sidecar(one)["relationships"]["complements"] for one in FOUR}
    assert complements == {"ada": ["ben"], "ben": ["ada"], "noa": [], "kim": []}


@pytest.mark.requirement("S0-34")
@pytest.mark.parametrize(
    "said",
    [
        "Maybe our skills complement each other.",
        "Our services complement each other.",
        "We make a good coffee, Ben.",
        "Building on your idea, I propose Redis.",
        "Your SQL fills the disk.",
        "Where I live, Ben is well known.",
        "What I lack is time, Ben.",
        "Ben fills in for me on Monday.",
        "Ben makes up stories that I don't like.",
        "I'm weak today and Ben is strong.",
        "If Ben is strong where I am weak, we win.",
    ],
)
def test_what_only_sounds_like_complementing_is_nothing(room, said):
    room.hold(("ben", "I tuned the queries."), ("ada", said), agents=FOUR)
    assert room.sidecar("ada")["relationships"]["complements"] == []


# S0-11, S0-23: arguments

WON = {
    "Prices come from a separate call, so cached pages never show stale ones": (
        ("ada", "We should cache product pages at the edge."),
        ("ben", "That won't work, prices change every minute."),
        ("ada", "Prices come from a separate call, so cached pages never show stale ones."),
        ("ben", "Good point. You're right."),
    ),
    "We run one machine and Kafka needs three brokers": (
        ("ben", "Let's use Kafka for events."),
        ("ada", "I disagree. We run one machine and Kafka needs three brokers."),
        ("ben", "OK, you've convinced me."),
    ),
    "A single broker is enough for 10 messages a day": (
        ("ada", "Let's go with Kafka for events."),
        ("ben", "I disagree, it has to be run by somebody."),
        ("ada", "A single broker is enough for 10 messages a day."),
        ("ben", "OK then, Kafka it is."),
    ),
    "They do, but phones start most purchases, so we lose them first": (
        ("ada", "In my view mobile should come first."),
        ("ben", "Desktop users buy more though."),
        ("ada", "They do, but phones start most purchases, so we lose them first."),
        ("ben", "Ok, point taken."),
    ),
    "Ads can be moved for free until Friday": (
        ("ada", "We could postpone the launch."),
        ("ben", "That doesn't work, marketing has booked the ads."),
        ("ada", "Ads can be moved for free until Friday."),
        ("ben", "I didn't know that. You're right, let's postpone the launch."),
    ),
    "Our last daily release broke twice because QA was skipped": (
        ("ada", "I suggest weekly releases."),
        ("ben", "I'd rather release daily."),
        ("ada", "Our last daily release broke twice because QA was skipped."),
        ("ben", "True, let's do weekly releases then."),
    ),
}


@pytest.mark.requirement("S0-11", "S0-23")
@pytest.mark.parametrize("argument", WON)
def test_a_debate_in_everyday_words_is_won(room, argument):
    room.hold(*WON[argument], agents=FOUR)
    assert ("observation", argument, 0.8) in room.kept("ada")
    assert not any("observation" in {kind for kind, _, _ in room.kept(one)} for one in FOUR[1:])


@pytest.mark.requirement("S0-23")
@pytest.mark.parametrize(
    "answer", ["Exactly.", "I'm fine with that.", "By the way, lunch is ready."]
)
def test_an_argument_to_which_nobody_objects_is_an_observation(room, answer):
    argument = "The app should call GraphQL because one request is enough"
    room.hold(("ada", f"{argument}."), ("ben", answer), agents=FOUR)
    assert room.kept("ada") == [("observation", argument, 0.8)]


@pytest.mark.requirement("S0-23")
@pytest.mark.parametrize(
    "turns",
    [
        pytest.param([("ben", "That won't work, our proxy blocks POST.")], id="challenged"),
        pytest.param([("noa", "Hm."), ("ben", "I disagree with Ada.")], id="later"),
        pytest.param([("ben", "You're wrong there, Ada, it needs two.")], id="in-other-words"),
        pytest.param([("ben", "Have you considered the proxy?")], id="asked"),
        pytest.param([("ben", "Isn't REST simpler?", {"type": "question"})], id="typed-question"),
        pytest.param([], id="unheard"),
    ],
)
def test_an_argument_that_was_challenged_or_that_nobody_heard_is_none(room, turns):
    argument = ("ada", "The app should call GraphQL because one request is enough.")
    room.hold(argument, *turns, agents=FOUR)
    assert room.kept("ada") == []


WHOLE = (
    "I prefer plan No. 4 \u2014 it leaves the legal page alone",
    "I prefer oak -- it lasts longer",
    "I prefer the trains vs. the buses, e.g. for the spring trip",
    "We cannot use cloud storage \u2014 the contract forbids it \u2014 until Dec. 31",
    "Our lease forbids open fire \u2014 see p. 12 of the annex",
    "I noticed that the export fails on Mondays \u2014 the backup locks the table",
    "Decision: invoices go out on Jan. 5 \u2014 not before",
)


@pytest.mark.requirement("S0-16")
def test_a_memory_keeps_what_follows_a_dash_or_an_abbreviation(room):
    def check(told):
        room.later()
        room.hold(("ada", f"{told}. Then we had tea."), agents=("ada", "ben"))
        kept = [one["content"] for one in room.sidecar("ada")["memories"]]
        assert kept[-1:] == [told.removeprefix("Decision: ")]

    assert_each(WHOLE, check)


@pytest.mark.requirement("S0-15", "S0-16")
def test_what_follows_a_dash_is_remembered_by_itself_if_it_says_something_of_its_own(room):
    room.hold(
        ("ben", "The paper bills get lost."),
        ("ada", "I agree with ben \u2014 I prefer mail \u2014 no deployments on Fridays."),
    )
    kept = [one["content"] for one in room.sidecar("ada")["memories"]]
    assert kept == ["I prefer mail", "no deployments on Fridays"]


CACHED = ("ben", "We cache the results on the edge.")
CHAINS = {
    "agreement-with-a-comment": (("noa", "Good idea. It saves us a server."), "I agree.", "ben"),
    "agreement-with-a-proposal": (
        ("noa", "I agree, and we should drop the old proxy."),
        "I agree.",
        "noa",
    ),
    "yes": (("noa", "Yes."), "I agree.", "ben"),
    "hm": (("noa", "Hmm."), "+1", "ben"),
    "thinking": (("noa", "Let me think about it."), "Agreed.", "ben"),
    "against-too": (("noa", "I disagree."), "I disagree.", "ben"),
    "with-the-opponent": (("noa", "I disagree."), "I agree.", "noa"),
    "another-statement": (("noa", "The edge loses our headers."), "I agree.", "noa"),
}


@pytest.mark.requirement("S0-15")
def test_a_second_answer_means_the_statement_and_not_who_answered_it_first(room):
    def check(row):
        between, text, whom = row
        room.later()
        done = room.hold(CACHED, between, ("kim", text), agents=FOUR).agents
        assert [one["other"] for one in done["kim"]["relations"]] == [whom]

    assert_each(CHAINS.values(), check)


@pytest.mark.requirement("S0-15", "S0-33")
def test_an_answer_after_a_mention_means_who_is_mentioned(room):
    room.hold(
        CACHED,
        ("noa", "The logo is too dark."),
        ("kim", "@ben I don't think so"),
        ("kim", "@ben no, that's wrong."),
        ("ada", "@ben +1"),
        ("ada", "@ben exactly"),
        agents=FOUR,
    )
    assert room.sidecar("kim")["relationships"]["disagrees_with"] == ["ben"]
    assert room.sidecar("ada")["relationships"]["agrees_with"] == ["ben"]


LABELLED = ("Final call: ", "Final answer: ", "Verdict: ", "Decision \u2014 ", "[DECISION] ")


@pytest.mark.requirement("S0-14")
def test_a_decision_is_kept_without_the_words_that_only_announce_it(room):
    told = [f"the {thing} stays shut" for thing in ("barn", "shed", "mill", "gate", "quay")]
    texts = [f"{label}{text}" for label, text in zip(LABELLED, told, strict=True)]
    kept = kept_of_each(room, texts)
    assert [text for _, text, _ in kept[texts[0]]] == told


@pytest.mark.requirement("S0-14")
def test_a_decision_to_keep_supersedes_the_one_to_drop(room):
    room.hold(("ada", "We decided to drop the XML export."), agents=FOUR)
    room.later()
    room.hold(("ben", "We decided to keep the XML export after all."), agents=("ben", "noa"))
    kept = [("decision", "We decided to keep the XML export after all", 1.0)]
    assert [room.kept(one) for one in ("ben", "noa")] == [kept, kept]
    assert room.kept("ada") == []


@pytest.mark.requirement("S0-14")
def test_a_change_of_mind_supersedes_the_decision(room):
    room.hold(("ada", "We decided to meet on Tuesdays."), agents=("ada", "ben"))
    room.later()
    room.hold(("ben", "We changed our mind: we meet on Wednesdays."), agents=("ada", "ben"))
    assert room.kept() == [("decision", "We changed our mind: we meet on Wednesdays", 1.0)]


@pytest.mark.requirement("S0-14")
def test_a_proposal_that_somebody_concludes_in_its_words_is_decided(room):
    room.hold(
        ("ben", "That is tight. I suggest we skip the lanterns."),
        ("noa", "Makes sense."),
        ("kim", "Good, then we skip the lanterns."),
        agents=FOUR,
    )
    assert room.kept("ada") == [("decision", "We skip the lanterns", 1.0)]


@pytest.mark.requirement("S0-34")
def test_who_is_mentioned_complements_the_speaker(room):
    room.hold(("ada", "@ben your API work and my UI work fit together well."), agents=FOUR)
    assert room.sidecar("ben")["relationships"]["complements"] == ["ada"]


def test_a_memory_leaves_out_words_that_only_count(room):
    room.hold(("ada", "One more thing: the budget is capped at 4000 euros."))
    assert room.kept() == [("context", "the budget is capped at 4000 euros", 1.0)]
