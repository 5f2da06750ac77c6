"""Errors: what each leaves behind, and what one teaches that comes back."""

from __future__ import annotations

import pytest

from varves.errors import UsageError

KEYS = ["error_type", "error_message", "context", "resolution", "prevention"]


def fails(hive, message="GET /users took 31 s", **options):
    given = {"agent": "DEV-001", "context": "loading users"} | options
    return hive.verbs.error(given.pop("type", "TimeoutError"), message, **given)


def entry(hive, name, scope="projects/project"):
    return hive.read(f"{scope}/{name}.json")


@pytest.mark.requirement("S3-64")
def test_every_error_leaves_an_episodic_memory(hive):
    document = entry(hive, fails(hive).id)
    assert (document["type"], document["subtype"]) == ("episodic", "error")


@pytest.mark.requirement("S3-64")
def test_an_exception_in_a_task_is_recorded_and_goes_on(hive):
    task = hive.verbs.task("load the users", agent="DEV-001")
    with pytest.raises(KeyError), hive.verbs.attempt(agent="DEV-001"):
        {}["users"]
    listed = hive.read("projects/project/_index.json")["entries"]
    [found] = [entry(hive, one["id"]) for one in listed if one["subtype"] == "error"]
    assert found["content"]["error_type"] == "KeyError"
    assert found["content"]["context"] == "load the users"
    document = hive.read("sessions/current.json")["working_memory"]
    assert document["current_task"] is None
    line = document["task_history"][-1]
    assert (line["id"], line["status"]) == (task.task, "failed")


@pytest.mark.requirement("S3-65")
def test_its_content_has_the_five_published_keys(hive):
    noted = fails(hive, resolution="added an index", prevention="index what is looked up")
    assert entry(hive, noted.id)["content"] == {
        "error_type": "TimeoutError",
        "error_message": "GET /users took 31 s",
        "context": "loading users",
        "resolution": "added an index",
        "prevention": "index what is looked up",
    }
    assert list(entry(hive, noted.id)["content"]) == KEYS
    bare = hive.verbs.error("crash", "it broke", agent="DEV-001")
    assert entry(hive, bare.id)["content"] == {
        "error_type": "crash",
        "error_message": "it broke",
        "context": None,
        "resolution": None,
        "prevention": None,
    }


@pytest.mark.requirement("S3-66")
def test_its_tags_are_error_the_type_and_the_context(hive):
    assert entry(hive, fails(hive).id)["tags"] == ["error", "timeout-error", "loading", "users"]
    given = fails(hive, "another thing", tags=["Api"], type="DNS failure")
    assert entry(hive, given.id)["tags"] == ["error", "dns-failure", "api"]


@pytest.mark.requirement("S3-67")
def test_similar_past_errors_are_found_and_linked(hive):
    first = fails(hive, "GET /users took 31 s")
    other = fails(hive, "The certificate is out of date")
    second = fails(hive, "GET /orders took 45 s")
    assert second.similar == (first.id,)
    assert other.similar == ()
    linked = {"type": "memory", "id": first.id, "relationship": "references"}
    assert linked in entry(hive, second.id)["references"]


@pytest.mark.requirement("S3-68")
def test_procedures_with_a_fix_are_linked(hive):
    report = {"errors": [{"error": "GET /users took 90 s", "solution": "Add an index"}]}
    fix = hive.verbs.done(report=report, agent="DEV-001").learned[0].id
    tagged = hive.verbs.write(
        "Raise the limit", type="procedural", scope="global", tags=["error", "timeout-error"]
    ).id
    hive.verbs.write("Wash the car", type="procedural", scope="global", tags=["car"])
    noted = fails(hive)
    assert {*noted.fixes} == {fix, tagged}
    linked = {one["id"] for one in entry(hive, noted.id)["references"]}
    assert linked == {fix, tagged}


@pytest.mark.requirement("S3-69")
def test_the_third_time_an_error_is_recurring(hive):
    messages = [
        "GET /users took 31 s",
        "get /users  took 45 s",
        "GET /users took 7 s",
    ]
    noted = [fails(hive, message) for message in messages]
    assert [one.recurring for one in noted] == [False, False, True]
    assert [one.times for one in noted] == [1, 2, 3]
    assert "recurring" not in entry(hive, noted[1].id)["tags"]
    assert "recurring" in entry(hive, noted[2].id)["tags"]


@pytest.mark.requirement("S3-69")
def test_the_same_error_at_other_places_in_files_is_recurring(hive):
    places = (
        "'x' of undefined at a.js:12",
        "'y' of undefined at b.js:40",
        "'z' of undefined at c.js:9",
    )
    noted = [fails(hive, f"cannot read property {place}", type="TypeError") for place in places]
    assert [one.times for one in noted] == [1, 2, 3]
    assert noted[2].prevention


@pytest.mark.requirement("S3-69")
@pytest.mark.parametrize(
    "other",
    [
        pytest.param({"type": "IOError"}, id="another-type"),
        pytest.param({"message": "POST /users was refused"}, id="another-message"),
    ],
)
def test_another_error_does_not_count(hive, other):
    fails(hive)
    fails(hive)
    assert not fails(hive, **other).recurring
    assert fails(hive).recurring


@pytest.mark.requirement("S3-69")
def test_errors_that_were_merged_or_archived_still_count(hive):
    hive.at("2026-01-01T00:00:00Z")
    fails(hive, "it broke")
    fails(hive, "it broke")
    done = hive.verbs.session_end()
    assert len(done.consolidated["merge-similar"]) == 1
    hive.at("2026-05-01T00:00:00Z").maintain(force=True)
    assert fails(hive, "it broke").times == 3


@pytest.mark.requirement("S3-70")
def test_a_recurring_error_makes_one_memory_for_its_prevention(hive):
    fails(hive, prevention="index what is looked up")
    assert fails(hive).prevention is None
    third, fourth = fails(hive), fails(hive)
    made = entry(hive, third.prevention)
    assert (made["type"], made["subtype"]) == ("procedural", "prevention")
    assert made["content"]["text"] == "index what is looked up"
    assert fourth.prevention == third.prevention
    listed = hive.read("projects/project/_index.json")["entries"]
    assert len([one for one in listed if one["subtype"] == "prevention"]) == 1
    hive.ledger.forget(third.prevention, reason="we know")
    fails(hive)
    assert hive.ledger.show(third.prevention).status == "forgotten"


def test_a_bad_error_is_refused_and_nothing_is_written(hive):
    hive.verbs.session_start()
    before = len(hive.ledger.log())
    with pytest.raises(UsageError):
        hive.verbs.error("crash", " ")
    with pytest.raises(UsageError):
        hive.verbs.error("crash", "it broke", mood="bad")
    assert len(hive.ledger.log()) == before


def test_secrets_in_an_error_are_masked(hive):
    key = "AKIA" + "IOSFODNN7EXAMPLQ"
    for _ in range(3):
        fails(hive, f"refused {key}", context=f"with {key}", tags=[key], failed=True)
    found = [path for path in hive.root.rglob("*") if path.is_file()]
    assert not [path for path in found if key.encode() in path.read_bytes()]


def related(hive, name):
    return {one["id"] for one in entry(hive, name)["references"]}


@pytest.mark.full_size(sample=1)
@pytest.mark.requirement("S3-68")
@pytest.mark.parametrize(
    ("error", "told"),
    [
        (("timeout", "GET /login took 31 s"), "Fixed the timeout by adding an index."),
        (("crash", "The import worker crashes at start"), "Fixed the import worker by a lock."),
        (("KeyError", "'users'"), "Error: 'users'. Fix: load them first."),
        (("failure", "npm ci failed"), "Error: npm ci failed. Solution: use Node 22."),
    ],
)
def test_a_fix_that_is_learned_later_and_its_error_name_each_other(hive, error, told):
    noted = fails(hive, error[1], type=error[0])
    fails(hive, "The disk is full", type="disk")
    [fix, *_] = hive.verbs.done(told, agent="DEV-001").learned
    assert (fix.kind, related(hive, fix.id)) == ("errors", {noted.id})
    assert fix.id in related(hive, noted.id)


@pytest.mark.requirement("S3-68")
def test_the_fix_of_another_error_is_not_linked(hive):
    noted = fails(hive, "The disk is full", type="error")
    [fix, *_] = hive.verbs.done("Fixed the login error by a restart.", agent="DEV-001").learned
    assert (related(hive, fix.id), related(hive, noted.id)) == (set(), set())


FIXED = (
    (
        ("timeout", "the payment webhook timed out after 10 s"),
        "When the payment webhook times out, raise the gateway timeout to 30 seconds",
    ),
    (
        ("connection", "connect ECONNREFUSED 127.0.0.1:5432"),
        "On ECONNREFUSED start postgres with docker compose up db",
    ),
    (
        ("build", "make release failed: missing signing key"),
        "If the signing key is missing, run make keys first",
    ),
    (("KeyError", "'users'"), "A KeyError in the importer means that the fixtures were not loaded"),
    (
        ("import", "Cannot read the column price in march.csv"),
        "To avoid unreadable price columns, save the csv as UTF-8",
    ),
)
"""An error, and a procedure that a person would look up for it."""
UNRELATED = (
    (("build", "make release failed: missing signing key"), "Deploy with make release"),
    (("deploy", "smoke tests failed after the deploy"), "When a deploy is done, run smoke tests"),
    (("timeout", "the payment webhook timed out"), "If the search index is broken, rebuild it"),
    (("disk", "The disk is full"), "To fix the login page, restart the worker"),
    (("KeyError", "'users'"), "A ValueError in the importer means an empty file"),
)


@pytest.mark.requirement("S3-68")
@pytest.mark.parametrize("first", ["procedure", "error"])
def test_a_procedure_needs_no_mark_to_be_linked_to_the_error_it_fixes(hive, first):
    for place, ((kind, message), text) in enumerate((*FIXED, *UNRELATED)):
        steps = {
            "procedure": lambda text=text: (
                hive.verbs.write(text, type="procedural", agent="DEV-001").id
            ),
            "error": lambda kind=kind, message=message: fails(hive, message, type=kind).id,
        }
        names = {step: steps[step]() for step in sorted(steps, key=lambda one: one != first)}
        wanted = place < len(FIXED)
        linked = names["procedure"] in related(hive, names["error"])
        assert (linked, names["error"] in related(hive, names["procedure"])) == (wanted, wanted), (
            text
        )


@pytest.mark.requirement("S3-68")
def test_a_procedure_of_a_report_is_linked_to_the_error_it_fixes(hive):
    noted = fails(hive, "the payment webhook timed out after 10 s", type="timeout")
    told = {"procedures": ["If the payment webhook times out, raise the timeout of the gateway"]}
    [one] = hive.verbs.done(report=told, agent="DEV-001").learned
    assert related(hive, one.id) == {noted.id}


SAID = "no space left on device: /var/lib/images"


def prevention(hive):
    [found] = hive.verbs.list(subtype="prevention").entries
    return found["content"]


def fail(hive, **about):
    return hive.verbs.error("DiskFull", SAID, agent="DEV-001", **about)


def test_a_later_resolution_reaches_the_prevention(hive):
    for _ in range(3):
        fail(hive)
    assert prevention(hive)["resolution"] is None
    fail(hive, resolution="prune the images every night")
    told = prevention(hive)
    assert told["text"] == told["resolution"] == "prune the images every night"
    assert told["times"] == 4
    fail(hive)
    assert prevention(hive) == {**told, "times": 5}


def test_so_does_a_fix_that_is_learned_later(hive):
    for _ in range(3):
        fail(hive)
    solved = {"error": SAID, "solution": "move the images to a larger disk"}
    hive.verbs.done(report={"errors": [solved]}, agent="DEV-001")
    assert prevention(hive)["resolution"] == "move the images to a larger disk"


def test_a_fix_that_was_known_before_is_in_the_prevention_at_once(hive):
    fail(hive)
    solved = {"error": SAID, "solution": "move the images to a larger disk"}
    hive.verbs.done(report={"errors": [solved]}, agent="DEV-001")
    fail(hive)
    fail(hive)
    assert prevention(hive)["text"] == "move the images to a larger disk"


def test_a_persons_text_of_a_prevention_stays(hive):
    for _ in range(3):
        noted = fail(hive)
    path = next(hive.path("").rglob(f"{noted.prevention}.json"))
    name = str(path.relative_to(hive.path("")))
    hive.edit(name, content={**hive.read(name)["content"], "text": "Ask Ada for more disk"})
    fail(hive, resolution="prune the images every night")
    told = prevention(hive)
    assert told["text"] == "Ask Ada for more disk"
    assert told["resolution"] == "prune the images every night"


@pytest.mark.requirement("S3-68")
@pytest.mark.parametrize("tag", ["KeyError", "keyerror", "key-error", "Key_Error"])
@pytest.mark.parametrize("fix_first", [True, False])
def test_a_fix_may_have_the_type_of_an_error_as_a_tag_in_any_spelling(hive, tag, fix_first):
    def fix():
        wish = {"type": "procedural", "subtype": "fix", "tags": [tag], "agent": "DEV-001"}
        return hive.verbs.write("Use dict.get with a default", **wish).id

    first = fix() if fix_first else None
    noted = hive.verbs.error("KeyError", "'sku' in cart", agent="DEV-001")
    assert noted.fixes == ((first,) if fix_first else ())
    name = first or fix()
    assert noted.id in hive.ledger.show(name).links["related_to"]
    assert hive.verbs.error("KeyError", "'sku' in cart", agent="DEV-001").fixes == (name,)


@pytest.mark.requirement("S3-68")
@pytest.mark.parametrize(
    ("kind", "message", "done"),
    [
        (
            "DatabaseTimeout",
            "query on orders took 31 s",
            "Fixed the DatabaseTimeout on orders by adding an index on created_at.",
        ),
        (
            "StaleElement",
            "the row 4 is gone",
            "Resolved StaleElement by waiting for the table.",
        ),
        ("rate_limit", "429 from the gateway", "Fixed rate_limit by caching the rates."),
    ],
)
def test_a_fix_that_names_the_type_of_an_error_is_linked_to_it(hive, kind, message, done):
    first = hive.verbs.error(kind, message, agent="DEV-001")
    hive.verbs.task("Look at it", agent="DEV-001")
    [fix, _] = hive.verbs.done(done, agent="DEV-001").learned
    assert fix.type == "procedural"
    assert fix.id in hive.ledger.show(first.id).links["related_to"]
    assert hive.verbs.error(kind, message, agent="DEV-001").fixes == (fix.id,)
    assert hive.verbs.error("ImportFailed", "no module of that name", agent="DEV-001").fixes == ()


@pytest.mark.requirement("S3-68")
def test_a_procedure_for_a_full_disk_is_linked_to_an_error_of_one(hive):
    wish = {"type": "procedural", "subtype": "procedure", "tags": ["docker"], "agent": "DEV-001"}
    fix = hive.verbs.write("When the disk is full, run docker system prune", **wish).id
    noted = hive.verbs.error("DiskFull", "build failed: the disk is full", agent="DEV-001")
    assert noted.fixes == (fix,)
