"""Facts, episodes, handoffs and documents as people write them are dealt with as published."""

from __future__ import annotations

import json

import pytest

from tests.tables import each_row

START = "2026-01-01T08:00:00Z"
LATER = "2026-01-01T09:00:00Z"
TOMORROW = "2026-01-02T09:00:00Z"
SCOPE = "project:shop"
FOLDER = "projects/shop"
UPDATES = {
    "Sessions live in Redis": "Sessions live in Postgres",
    "The API port is 8080": "The API port is 9090",
    "The session cache is on": "The session cache is off",
    "Backups run on Friday": "Backups run on Sunday",
}

# S3-48, 49, 91, 92: contradictions, by every way in


def by_write(hive, content, agent):
    hive.verbs.write(
        content, type="factual", subtype="store", scope=SCOPE, tags=["sessions"], agent=agent
    )


def by_label(hive, text, agent):
    hive.verbs.done(f"Fact: {text}.", agent=agent, project="shop")


def by_sentence(hive, text, agent):
    hive.verbs.done(f"It turns out that {text[0].lower()}{text[1:]}.", agent=agent, project="shop")


def by_report(hive, text, agent):
    fact = {"text": text, "subtype": "store", "tags": ["sessions"]}
    hive.verbs.done(report={"facts": [fact]}, agent=agent, project="shop")


def by_session_end(hive, text, agent):
    hive.verbs.write(
        text, type="working", scope=SCOPE, tags=["sessions"], confidence=0.9, agent=agent
    )
    hive.verbs.session_end()


def by_import(hive, text, agent):
    folder = hive.root.parent / "elsewhere" / agent / text.split()[-1]
    folder.mkdir(parents=True)
    memory = {
        "id": f"mem_{text.split()[-1].lower():0<12}",
        "type": "factual",
        "subtype": "store",
        "scope": SCOPE,
        "tags": ["sessions"],
        "content": {"text": text},
        "created_by": agent,
    }
    (folder / "fact.json").write_text(json.dumps(memory), encoding="utf-8")
    hive.ledger.import_("hivemind", str(folder), trust=True)


def outcome(hive, way, older, newer, *, agent):
    """Let one agent say the older and this one the newer; return what is current, and conflicts."""
    hive.verbs.session_start(project="shop", agent="DEV-001")
    way(hive, older, "DEV-001")
    hive.at(LATER)
    way(hive, newer, agent)
    said = [one.text for one in hive.ledger.list() if one.scope == SCOPE and one.type == "factual"]
    current = [text for text in (older, newer) if any(said_of(text, one) for one in said)]
    return current, len(list(hive.ledger.conflicts()))


def said_of(text, found):
    return text.lower() in found.lower()


COMPLETED = [by_label, by_sentence, by_report]
OTHERS = [by_write, by_session_end, by_import]


@pytest.mark.full_size(sample=2)
@pytest.mark.requirement("S3-48", "S3-49", "S3-91")
@pytest.mark.parametrize("way", COMPLETED)
@pytest.mark.parametrize("older", UPDATES)
def test_what_the_same_agent_learns_later_supersedes(hive, way, older):
    newer = UPDATES[older]
    assert outcome(hive, way, older, newer, agent="DEV-001") == ([newer], 0)


@pytest.mark.full_size(sample=2)
@pytest.mark.requirement("S3-48", "S3-49", "S3-92")
@pytest.mark.parametrize("way", COMPLETED)
@pytest.mark.parametrize("older", UPDATES)
def test_what_another_agent_learns_is_listed_and_both_stay(hive, way, older):
    newer = UPDATES[older]
    assert outcome(hive, way, older, newer, agent="QA-002") == ([older, newer], 1)


@pytest.mark.full_size(sample=1)
@pytest.mark.requirement("S3-48", "S3-49", "S3-91")
@pytest.mark.parametrize("way", OTHERS)
def test_by_every_other_way_in_the_later_fact_supersedes_too(hive, way):
    [(older, newer), *_] = UPDATES.items()
    assert outcome(hive, way, older, newer, agent="DEV-001") == ([newer], 0)


@pytest.mark.full_size(sample=1)
@pytest.mark.requirement("S3-48", "S3-49", "S3-92")
@pytest.mark.parametrize("way", OTHERS)
def test_by_every_other_way_in_another_agents_fact_is_listed_too(hive, way):
    [(older, newer), *_] = UPDATES.items()
    assert outcome(hive, way, older, newer, agent="QA-002") == ([older, newer], 1)


@pytest.mark.requirement("S3-48", "S3-49", "S3-91")
def test_another_value_of_one_subject_supersedes(hive):
    hive.verbs.session_start(project="shop", agent="DEV-001")
    for value in ("Redis", "Postgres"):
        by_write(hive, {"subject": "session store", "value": value}, "DEV-001")
    said = [one.text for one in hive.ledger.list() if one.scope == SCOPE and "store" in one.text]
    assert [text.split()[-1] for text in said] == ["Postgres"]


# S3-50, S3-106: links on both sides


def links_of(hive):
    """Return by id what each file of the project says of superseding."""
    found = {}
    for path in (hive.root / "memory" / FOLDER).rglob("mem_*.json"):
        document = json.loads(path.read_text(encoding="utf-8"))
        found[document["id"]] = document.get("supersedes"), document.get("superseded_by")
    return found


@pytest.fixture
def superseded(hive):
    """Let a fact supersede another; return the ids, the older first."""
    hive.verbs.session_start(project="shop", agent="DEV-001")
    first, second = (
        hive.verbs.done(f"Fact: {text}.", agent="DEV-001", project="shop").learned[0].id
        for text in ("Sessions live in Redis", "Sessions live in Postgres")
    )
    return first, second


@pytest.mark.requirement("S3-50")
def test_both_files_of_a_superseded_fact_name_each_other(hive, superseded):
    older, newer = superseded
    links = links_of(hive)
    assert (links[newer], links[older]) == ((older, None), (None, newer))


@pytest.mark.requirement("S3-106")
def test_after_a_rollback_the_older_fact_is_current_and_supersedes_the_newer(hive, superseded):
    older, newer = superseded
    hive.verbs.rollback(older)
    assert (hive.ledger.show(older).status, hive.ledger.show(newer).status) == (
        "active",
        "superseded",
    )
    links = links_of(hive)
    assert (links[older][0], links[newer][1]) == (newer, older)


@pytest.mark.requirement("S3-50", "S3-106")
def test_after_a_rollback_the_current_fact_is_superseded_by_none(hive, superseded):
    older, newer = superseded
    hive.verbs.rollback(older)
    links = links_of(hive)
    assert (links[older][1], links[newer][0]) == (None, None)


@pytest.mark.requirement("S3-50")
def test_validate_finds_a_link_that_one_side_lacks(hive, superseded):
    _, newer = superseded
    path = hive.path(f"{FOLDER}/{newer}.json")
    document = json.loads(path.read_text(encoding="utf-8"))
    del document["supersedes"]
    path.write_text(json.dumps(document, indent=2), encoding="utf-8")
    assert any(newer in one.place for one in hive.verbs.validate())


def learn(ledger, text):
    ledger.hivemind.done(f"Fact: {text}.", agent="DEV-001", project="shop")


@pytest.fixture
def merge_of(clone):
    """Say a fact, another on each of two branches, merge them, and return the links by id."""

    def merge(one, two):
        made = clone()
        learn(made.at(START), "Sessions live in Redis")
        made.commit("begin")
        for branch, text in (("one", one), ("two", two)):
            made.git("checkout", "--quiet", "-b", branch, "main")
            learn(made.at(LATER, actor="DEV-001"), text)
            made.commit(branch)
        made.git("merge", "--quiet", "--no-edit", "one", check=False)
        made.at(LATER).rebuild()
        assert made.at(LATER).hivemind.validate() == ()
        return links_of(made)

    return merge


def broken_links(links):
    """Return the links that the other side does not return."""
    forth = {(name, older) for name, (older, _) in links.items() if older}
    back = {(newer, name) for name, (_, newer) in links.items() if newer}
    return forth ^ back


@pytest.mark.requirement("S3-50")
def test_after_a_merge_the_links_of_both_sides_agree(merge_of):
    links = merge_of("Sessions live in Postgres", "Backups run on Friday")
    assert broken_links(links) == set()
    assert [older for older, _ in links.values() if older] != []


@pytest.mark.requirement("S3-50")
def test_after_a_merge_of_two_that_supersede_the_same_fact_the_links_agree(merge_of):
    links = merge_of("Sessions live in Postgres", "Sessions live in SQLite")
    assert broken_links(links) == set()


# S3-99: merging what says the same


def consolidated(hive, one, two):
    """Write two facts, a minute apart, and consolidate; return the texts left and what changed."""
    for moment, text in (("08:00", one), ("08:01", two)):
        hive.at(f"2026-01-01T{moment}:00Z").write(
            text, type="factual", scope=SCOPE, ttl="permanent", agent="DEV-001"
        )
    changed = hive.at("2026-01-02T00:00:00Z").maintain(force=True).changes
    return [one.text for one in hive.ledger.list() if one.scope == SCOPE], changed


@pytest.mark.requirement("S3-99")
@pytest.mark.parametrize(
    ("one", "two"),
    [
        ("Keys are rotated every night", "Keys are rotated every night."),
        ("The API returns JSON", "the API returns JSON"),
        ("Run the tests before you push.", "Please run the tests before you push"),
    ],
)
def test_facts_that_say_the_same_are_merged_into_the_newest_and_both_are_named(hive, one, two):
    left, [changed] = consolidated(hive, one, two)
    assert left == [two]
    assert (changed.text, changed.by_text) == (one, two)


DISTINCT = (
    ("The staging database runs on port 5432", "The staging database runs on port 5433"),
    ("The import job runs every Monday at 06:00", "The export job runs every Monday at 06:00"),
    ("Customers in Germany pay 19 percent VAT", "Customers in Austria pay 20 percent VAT"),
    ("The nightly backup of orders is kept a month", "The nightly backup of users is kept a month"),
    ("Admins can delete an order", "Admins cannot delete an order"),
    ("The mobile app supports offline mode", "The web app supports offline mode"),
)


@pytest.mark.requirement("S3-99")
def test_distinct_facts_of_similar_wording_are_never_merged(hive):
    texts = [text for pair in DISTINCT for text in pair]
    for text in texts:
        hive.verbs.write(text, type="factual", scope=SCOPE, ttl="permanent", agent="DEV-001")
    assert hive.at("2026-01-02T00:00:00Z").maintain(force=True).changes == ()
    assert {one.text for one in hive.ledger.list() if one.scope == SCOPE} == {*texts}


# S3-100: summaries of long episodes

EPISODE = (
    "We looked into the checkout timeouts for most of the morning. The dashboards showed nothing"
    " unusual at first, and the load balancer was fine. Ben restarted two pods, which changed"
    " nothing. We read the logs of the payment service, page after page, and compared them with"
    " those of last week. It turned out that the connection pool was exhausted because every retry"
    " opened a new connection. We decided to reuse connections through one shared pool. The fix was"
    " to set pool_size to 20 and to close connections after each request. After that the error rate"
    " went back to zero. Lunch was late. We also talked about the colour of the new buttons and"
    " about the offsite in May, and Noa showed photos of her dog."
)


@pytest.fixture
def summarised(hive):
    """Write a long episode and consolidate six weeks later; return its id and its summary."""
    written = hive.verbs.write(
        EPISODE, type="episodic", scope=SCOPE, ttl="permanent", agent="DEV-001"
    ).id
    hive.at("2026-02-15T00:00:00Z").maintain(force=True)
    [summary] = [one.text for one in hive.ledger.list() if one.scope == SCOPE]
    return written, summary


@pytest.mark.requirement("S3-100")
def test_a_long_episode_is_summarised_and_its_original_kept(hive, summarised):
    written, summary = summarised
    assert len(summary) < len(EPISODE)
    assert hive.ledger.show(written).text == EPISODE


@pytest.mark.requirement("S3-100")
@pytest.mark.parametrize(
    "part", ["exhausted", "one shared pool", "pool_size to 20"], ids=["cause", "decision", "fix"]
)
def test_a_summary_holds_decision_cause_and_fix(summarised, part):
    _, summary = summarised
    assert part in summary


@pytest.mark.requirement("S3-100")
@pytest.mark.parametrize("query", ["exhausted connection pool", "offsite in May"])
def test_the_original_of_a_summary_is_found_by_search(hive, summarised, query):
    written, _ = summarised
    assert written in [one.entry["id"] for one in hive.verbs.search(query).memories]


# S3-52, S3-56: what a handoff carries

WORKING = ("The login test fails on line 12", "Half of the forms are done")


@pytest.fixture
def handed(hive):
    """Let an agent note two things and hand over; return the answer."""
    hive.verbs.session_start(project="shop", agent="DEV-001")
    for text in WORKING:
        hive.verbs.write(text, type="working", scope=SCOPE, agent="DEV-001")
    return hive.verbs.handoff("QA-002", summary="go on", agent="DEV-001")


@pytest.mark.requirement("S3-52")
def test_the_snapshot_of_a_handoff_is_the_list_of_working_memories(handed):
    snapshot = handed.handoff_memory["working_memory_snapshot"]
    assert isinstance(snapshot, list)
    assert all(text in json.dumps(snapshot) for text in WORKING)


@pytest.mark.requirement("S3-56")
def test_whoever_accepts_a_handoff_is_given_its_working_memories(hive, handed):
    assert handed.to == "QA-002"
    taken = json.dumps(hive.verbs.accept("QA-002").as_dict())
    assert all(text in taken for text in WORKING)


@pytest.mark.requirement("S3-56")
def test_working_memories_are_handed_over_though_their_session_ended(hive, handed):
    hive.verbs.session_end()
    hive.at(TOMORROW).session_start(agent="QA-002", project="shop")
    taken = hive.verbs.accept("QA-002")
    assert [one["id"] for one in taken.working_memory_snapshot] == [
        one["id"] for one in handed.handoff_memory["working_memory_snapshot"]
    ]
    assert all(text in taken.text for text in WORKING)
    assert taken.notes == ()


@pytest.mark.requirement("S3-56")
def test_a_working_memory_that_was_forgotten_since_is_not_handed_over(hive, handed):
    first, second = handed.handoff_memory["working_memory_snapshot"]
    hive.ledger.forget(first["id"], reason="wrong")
    taken = hive.verbs.accept("QA-002")
    assert [one["id"] for one in taken.working_memory_snapshot] == [second["id"]]
    assert WORKING[0] not in taken.text
    assert taken.notes == (f"{first['id']} is no longer in use",)


def test_working_memory_without_a_session_begins_one_and_is_handed_over(hive):
    written = hive.verbs.write("Half of it is done", type="working", scope=SCOPE, agent="DEV-001")
    package = hive.verbs.handoff("QA-002", summary="go on", agent="DEV-001").handoff_memory
    assert [one["id"] for one in package["working_memory_snapshot"]] == [written.id]


# Documents: older shapes, empty ones and templates


@pytest.mark.requirement("S3-21")
def test_empty_documents_are_not_injected(hive):
    started = hive.verbs.session_start(project="shop", agent="DEV-001")
    assert started.text == ""


EMPTY = {
    "blank values": {
        "id": "mem_userprofile0",
        "type": "factual",
        "subtype": "user-profile",
        "content": {"name": "", "role": "", "preferences": {"style": ""}, "goals": []},
    },
    "only a version": {"version": "1.0.0", "terms": []},
    "empty lists": {"terms": [], "acronyms": []},
    "placeholders": {"name": "{{user_name}}", "role": "<your role>", "goals": []},
}


def brought(hive, document):
    """Import a folder with one document; return the texts that this adds."""
    folder = hive.root.parent / "elsewhere/global"
    folder.mkdir(parents=True)
    (folder / "user-profile.json").write_text(json.dumps(document), encoding="utf-8")
    before = {one.text for one in hive.ledger.list()}
    hive.ledger.import_("hivemind", str(folder.parent), trust=True)
    return {one.text for one in hive.ledger.list()} - before


@pytest.mark.full_size(sample=1)
@pytest.mark.requirement("S3-21")
@pytest.mark.parametrize("kind", EMPTY)
def test_empty_documents_and_templates_create_nothing(hive, kind):
    hive.verbs.session_start(project="shop", agent="DEV-001")
    assert brought(hive, EMPTY[kind]) == set()


@pytest.mark.requirement("S3-21")
@pytest.mark.parametrize("document", [{"entries": []}, {"learnings": []}, []], ids=repr)
def test_a_document_of_one_empty_list_creates_nothing(hive, document):
    hive.verbs.session_start(project="shop", agent="DEV-001")
    assert brought(hive, document) == set()


@pytest.mark.requirement("S3-21")
def test_a_profile_of_blank_values_is_not_injected(hive):
    hive.verbs.session_start(project="shop", agent="DEV-001")
    hive.edit("global/user-profile.json", content=EMPTY["blank values"]["content"])
    hive.again()
    assert hive.verbs.session_start(project="shop", agent="DEV-001").text == ""


@pytest.mark.requirement("S3-21")
def test_a_profile_of_an_older_shape_is_read(project, varves):
    (project / "memory/global").mkdir(parents=True)
    older = {"version": "1.0", "user": {"name": "Mara", "prefers": "short answers"}}
    path = project / "memory/global/user-profile.json"
    path.write_text(json.dumps(older), encoding="utf-8")
    started = varves("hivemind", "session", "start", "--agent", "DEV-001")
    assert started.code == 0
    assert "short answers" in started.out


@pytest.mark.requirement("S3-21")
def test_of_a_half_filled_template_only_what_was_filled_in_is_injected(hive):
    hive.verbs.session_start(project="shop", agent="DEV-001")
    content = {"name": "Mara", "role": "<your role>", "goals": [], "dark_mode": False}
    hive.edit("global/user-profile.json", content=content)
    hive.again()
    text = hive.verbs.session_start(project="shop", agent="DEV-001").text
    assert "Mara" in text
    assert "dark_mode" in text
    assert "your role" not in text
    assert hive.read("global/user-profile.json")["content"] == content


@pytest.mark.requirement("S3-21")
@pytest.mark.parametrize("document", [{"note": "<b> is bold"}, {"limit": 0}, {"dash": "a-b"}])
def test_a_document_that_says_little_is_still_brought(hive, document):
    hive.verbs.session_start(project="shop", agent="DEV-001")
    assert brought(hive, document) != set()


@pytest.mark.requirement("S3-21")
def test_a_context_of_an_older_shape_is_read_and_rewritten_as_published(project, varves):
    (project / "memory/projects/shop").mkdir(parents=True)
    path = project / "memory/projects/shop/context.json"
    path.write_text('{"name": "Shop", "stack": ["Go", "Vue"]}', encoding="utf-8")
    started = varves("hivemind", "session", "start", "--agent", "DEV-001", "--project", "shop")
    assert "Vue" in started.out
    document = json.loads(path.read_text(encoding="utf-8"))
    assert document["content"] == {"name": "Shop", "stack": ["Go", "Vue"]}
    assert (document["subtype"], document["priority"]) == ("project-context", "high")
    assert varves("hivemind", "validate").code == 0


@pytest.mark.requirement("S3-21")
@each_row(
    ("name", "document", "text"),
    [
        ("one.json", {"type": "fact", "content": "Orders are never deleted"}, "Orders are never"),
        ("two.json", {"rules": [{"id": "r1", "content": "Say why in commits"}]}, "Say why"),
        ("three.json", {"type": "event", "content": "Mail was down", "ttl": "30d"}, "Mail was"),
    ],
)
def test_memories_of_older_shapes_are_read(hive, name, document, text):
    folder = hive.root.parent / f"from-{name}"
    folder.mkdir()
    (folder / name).write_text(json.dumps(document), encoding="utf-8")
    hive.ledger.import_("hivemind", str(folder), trust=True)
    assert any(text in one.text for one in hive.ledger.list())


@pytest.mark.requirement("S3-22")
def test_a_context_with_an_id_of_its_own_is_the_one_that_is_loaded(project, varves):
    (project / "memory/projects/shop").mkdir(parents=True)
    own = {"id": "mem_shopcontext0", "type": "factual", "content": {"goal": "sell bread"}}
    path = project / "memory/projects/shop/context.json"
    path.write_text(json.dumps(own), encoding="utf-8")
    for _ in range(2):
        started = varves("hivemind", "session", "start", "--agent", "DEV-001", "--project", "shop")
        assert "sell bread" in started.out
    assert len(varves("hivemind", "list", "--scope", "project:shop", "--json").json["entries"]) == 1
    shown = varves("hivemind", "document", "context", "--project", "shop", "--json").json
    assert (shown["id"], shown["content"]) == ("mem_shopcontext0", {"goal": "sell bread"})


@pytest.mark.requirement("S3-40")
def test_what_a_task_loaded_shows_that_it_was_read(hive):
    written = hive.verbs.write("Bread rises", type="factual", scope=SCOPE, tags=["bread"])
    hive.verbs.task("bake bread", agent="DEV-001", project="shop")
    shown = hive.verbs.show(written.id)
    assert shown["access_count"] == 1
    assert shown["last_accessed"] is not None
