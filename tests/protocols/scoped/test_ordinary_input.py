"""Entries as people write them: which of two contradict, how that is shown, and what git does."""

from __future__ import annotations

import json

import pytest

from tests.tables import each_row

SHOP = {"VARVES_PROJECT": "shop", "VARVES_SESSION": "monday"}
START = "2026-11-15T08:00:00Z"
LATER = "2026-11-15T09:00:00Z"
BOTH = ("Use Zod for validation", "Use Yup for validation")

# S2-40: both entries are shown


@pytest.fixture
def shop(varves):
    """Run a verb in the project called shop, in the session called monday."""

    def run(*words):
        return varves(*words, env=SHOP)

    return run


def write_words(text, *more):
    return ("scoped", "write", "project", "--type", "decision", "--content", text, *more)


@pytest.fixture
def contradicted(shop):
    """Write two entries that contradict, with another between them; return the last answer."""
    assert shop(*write_words(BOTH[0])).code == 0
    assert shop(*write_words("Prefer functional components")).code == 0
    return shop(*write_words(BOTH[1]))


@pytest.mark.requirement("S2-40")
def test_two_entries_that_contradict_both_stay_and_are_listed(shop, contradicted):
    assert contradicted.code == 0
    listed = shop("conflicts").out
    assert all(text in listed for text in BOTH)
    entries = shop("scoped", "read", "project", "--json").json["entries"]
    assert [one["id"] for one in entries if one["content"] in BOTH] == ["mem-001", "mem-003"]


@pytest.mark.requirement("S2-40")
def test_a_contradiction_is_printed_at_the_write(contradicted):
    assert contradicted.code == 0
    assert all(text in contradicted.out + contradicted.err for text in BOTH)


@pytest.mark.requirement("S2-40")
def test_a_contradiction_is_in_the_json_of_the_write(shop):
    assert shop(*write_words(BOTH[0])).code == 0
    answer = shop(*write_words(BOTH[1], "--json")).json
    assert all(text in json.dumps(answer) for text in BOTH)


@pytest.mark.requirement("S2-40")
def test_a_contradiction_is_said_when_a_session_starts(shop, contradicted):
    assert contradicted.code == 0
    started = shop("scoped", "session", "start")
    assert all(text in started.out for text in BOTH)
    assert all(name in started.err for name in ("mem-001", "mem-003"))
    assert shop("scoped", "session", "start", "--json").json["notices"] != []


@pytest.mark.requirement("S2-40")
def test_the_protocol_lists_its_own_contradictions(shop, contradicted):
    assert contradicted.code == 0
    listed = shop("scoped", "conflicts")
    assert listed.code == 0
    assert all(text in listed.out for text in BOTH)


@pytest.mark.requirement("S2-40")
def test_a_conflict_is_settled_by_the_number_that_the_file_shows(shop, contradicted):
    assert contradicted.code == 0
    [conflict] = shop("conflicts", "--json").json["conflicts"]
    settled = shop("conflicts", "resolve", conflict["id"], "--keep", "mem-003")
    assert settled.code == 0
    assert shop("conflicts", "--json").json["conflicts"] == []


# S2-42: what contradicts what


def conflicts_between(ledger, older, newer, *, project):
    """Write two entries into a project of their own, and return the conflicts that this makes."""
    kind = "preference" if older.startswith("Prefer") else "convention"
    before = {one.id for one in ledger.conflicts()}
    for text in (older, newer):
        ledger.scoped.write("project", project, type=kind, content=text)
    return [one for one in ledger.conflicts() if one.id not in before]


@pytest.mark.requirement("S2-42")
@each_row(
    ("name", "older", "newer"),
    [
        ("number", "The server runs on port 8080", "The server runs on port 9090"),
        ("amount", "The upload limit is 10 MB", "The upload limit is 25 MB"),
        ("days", "Keep logs for 30 days", "Keep logs for 90 days"),
        ("version", "Python 3.9 is the minimum version", "Python 3.11 is the minimum version"),
        ("turned", "Prefer composition over inheritance", "Prefer inheritance over composition"),
        ("back", "Prefer REST over GraphQL", "Prefer GraphQL over REST"),
        ("tool", "Use Node 18", "Use Node 20"),
        ("dark", "Dark mode is on by default", "Dark mode is off by default"),
        ("strict", "Turn on strict mode", "Turn off strict mode"),
        ("indent", "Indent with tabs", "Indent with spaces"),
        ("tabs", "Use tabs for indentation", "Use spaces for indentation"),
        ("weekday", "Rehearsals are on Tuesday", "Rehearsals are on Thursday"),
        ("due", "Reports are due on Friday", "Reports are due on Monday"),
        ("hour", "Lessons are at 5 pm", "Lessons are at 6 pm"),
    ],
)
def test_another_number_version_or_a_reversed_preference_is_a_conflict(ledger, name, older, newer):
    found = conflicts_between(ledger, older, newer, project=name)
    assert [{one.text for one in conflict.members} for conflict in found] == [{older, newer}]


@pytest.mark.requirement("S2-42")
@pytest.mark.parametrize(
    ("older", "newer"),
    [
        ("Enable caching", "Disable caching"),
    ],
)
def test_a_command_and_its_opposite_are_a_conflict(ledger, older, newer):
    found = conflicts_between(ledger, older, newer, project="shop")
    assert [{one.text for one in conflict.members} for conflict in found] == [{older, newer}]


@pytest.mark.requirement("S2-42")
@each_row(
    ("name", "older", "newer"),
    [
        ("tools", "Use Zod for validation", "Use Jest for testing"),
        ("tabs", "Use tabs in Makefiles", "Use spaces in Python files"),
        ("waits", "The API times out after 30 seconds", "The front end times out after 60 seconds"),
        ("stores", "Prefer Postgres for orders", "Prefer Redis for sessions"),
        ("ports", "Staging listens on port 8080", "Production listens on port 443"),
        ("days", "Deploy on Mondays", "Review on Fridays"),
        ("weekdays", "Rehearsals are on Tuesday", "Concerts are on Thursday"),
        ("place", "Rehearsals are on Tuesday", "Rehearsals are in the gym"),
    ],
)
def test_other_subjects_are_no_conflict(ledger, name, older, newer):
    assert conflicts_between(ledger, older, newer, project=name) == []


@pytest.mark.requirement("S2-42")
def test_two_projects_may_say_different_things(ledger):
    for name, text in zip(("shop", "tools"), BOTH, strict=True):
        ledger.scoped.write("project", name, type="decision", content=text)
    assert list(ledger.conflicts()) == []


# S2-47, S2-53: git


def no_json(root):
    """Return the files of the protocol that a reader of JSON refuses."""
    return [one for one in (root / "memory").rglob("*.json") if not is_json(one)]


def is_json(path):
    try:
        json.loads(path.read_text(encoding="utf-8"))
    except ValueError:
        return False
    return True


def branched(clone, work):
    """Begin a project, do some work on each of two branches, and merge them; git's exit is not."""
    made = clone()
    made.at(START).scoped.write("project", "shop", type="decision", content=BOTH[0])
    made.commit("begin")
    for branch in ("one", "two"):
        made.git("checkout", "--quiet", "-b", branch, "main")
        work(made.at(LATER, actor=branch, session=branch).scoped, branch)
        made.commit(branch)
    made.git("merge", "--quiet", "--no-edit", "one", check=False)
    return made


def run_a_session(scoped, name):
    scoped.session_start()
    scoped.task("validate the sign-up form")
    scoped.note(f"{name} looks at the forms")
    scoped.session_end()


@pytest.mark.requirement("S2-47", "S2-53")
def test_branches_that_only_ran_sessions_merge_without_a_conflict(clone):
    made = branched(clone, run_a_session)
    assert made.git("diff", "--name-only", "--diff-filter=U") == ""
    assert made.git("status", "--short") == ""
    assert no_json(made.root) == []


def write_one(scoped, name):
    scoped.write("project", "shop", type="convention", content=f"Branch {name} reviews in pairs")


@pytest.mark.requirement("S2-53")
def test_after_a_merge_that_rebuild_settled_every_file_is_json(clone):
    made = branched(clone, write_one)
    made.at(LATER).rebuild()
    assert made.git("diff", "--name-only", "--diff-filter=U") == ""
    assert no_json(made.root) == []
    texts = [one["content"] for one in made.read("memory/projects/shop/memory.json")["entries"]]
    assert len(texts) == 3


@pytest.mark.requirement("S2-53")
def test_right_after_a_merge_every_file_is_json(clone):
    made = branched(clone, write_one)
    assert no_json(made.root) == []


# S2-05: what a session did


@pytest.mark.requirement("S2-05")
@each_row(
    ("text", "kind"),
    [
        ("Edited src/form.py", "edit"),
        ("I renamed src/a.py to src/b.py", "edit"),
        ("Added a test to tests/test_form.py", "edit"),
        ("Ran the test suite, two failures", "tool"),
        ("Used the search tool to find the callers", "tool"),
        ("Use Zod for every form", "decision"),
        ("Changed the default port to 8080", "decision"),
        ("Ran the load test and decided to keep Postgres", "decision"),
        ("We ran out of memory, so batches are halved", "decision"),
        ("Going with Postgres for the session store", "decision"),
        ("Reset links expire after an hour", "decision"),
        ("npm run build", "tool"),
        ("Used ripgrep to find the callers", "tool"),
        ("src/form.ts changed", "edit"),
        ("Looked at the login page", "note"),
        ("I am looking into the memory leak", "note"),
        ("The tests are slow today", "note"),
        ("Should we use Redis?", "note"),
        ("Maybe we should use Redis", "note"),
        ("I think the cache is stale", "note"),
        ("TODO: update the docs", "note"),
        ("Fixed the flaky test by seeding the RNG", "note"),
    ],
)
def test_a_note_is_recorded_as_the_tool_the_edit_or_the_decision_that_it_tells(ledger, text, kind):
    ledger.scoped.session_start(id="monday", project="shop")
    ledger.scoped.note(text)
    [entry] = [one for one in ledger.scoped.read("session") if one.content == text]
    assert entry.kind == kind


@pytest.mark.requirement("S2-05")
@each_row(
    ("text", "kind"),
    [
        ("Used kubectl top to see which pod is full", "tool"),
        ("sh: make clean", "tool"),
        ("Grep(deprecated, src)", "tool"),
        ("Hit the search endpoint with httpie", "tool"),
        ("grep -rn deprecated lib", "tool"),
        ("git worktree list", "tool"),
        ("sed -i 's/the old/the new/' lib/form.ts", "tool"),
        ("curl localhost:9000/ready", "tool"),
        ("make lint", "tool"),
        ("LOG=debug ./bin/serve staging", "tool"),
        ("ps aux | grep worker", "tool"),
        ("rm -rf build && npm ci", "tool"),
        ("psql -c 'select count(*) from orders'", "tool"),
        ("terraform plan", "tool"),
        ("cat config/app.toml", "tool"),
        ("$ tree lib", "tool"),
        ("git push --force is forbidden", "decision"),
        ("make every target idempotent and documented", "decision"),
        ("ssh keys expire yearly", "decision"),
        ("latency stays < 200 ms", "decision"),
        ("Find customers by email", "decision"),
        ("Use rg -n for searching", "decision"),
        ("prefer pnpm install --frozen-lockfile", "decision"),
        ("cat pictures are banned in slides", "decision"),
        ("Wrong assumption: pages are counted from 0, not 1", "note"),
        ("TODO add an example to the guide", "note"),
        ("The consumer crashes after every rebalance", "note"),
        ("grepped for the deprecated flag", "tool"),
        ("I used jq to compare both responses", "tool"),
        ("zsh: ls -la build", "tool"),
        ('Grep("retry_after", path="src")', "tool"),
        ("checked the pods using kubectl", "tool"),
        ("Used the Chrome profiler to measure the first paint", "tool"),
        ("used git bisect to locate the commit", "tool"),
        ("Read(src/form.py)", "tool"),
        ("WebFetch(https://example.org/docs)", "tool"),
        ("Edit(src/form.py)", "edit"),
        ("Write: src/form.py", "edit"),
        ("applied the patch to values.yaml", "edit"),
        ("Appended the new rule to .eslintrc.json", "edit"),
        ("Replaced the timeout in config/app.toml", "edit"),
        ("deleted src/legacy/cart.py", "edit"),
        ("todo ask Mara about the quota", "note"),
        ("FIXME handle empty carts", "note"),
        ("Our staging cluster runs out of memory at night", "note"),
        ("The import job hangs on large files", "note"),
        ("CI is flaky on Windows", "note"),
        ("The build takes 12 minutes", "note"),
        ("Login keeps timing out", "note"),
        ("The nightly backup fails with a permission error", "note"),
        ("TODO comments need an issue number", "decision"),
        ("Todos are tracked in Linear", "decision"),
        ("TODO list items live in the tracker", "decision"),
        ("Used Redis to cache sessions", "decision"),
        ("We use Terraform for all buckets", "decision"),
        ("Replaced npm with pnpm", "decision"),
        ("Sessions live in Redis", "decision"),
        ("Reset links expire after an hour", "decision"),
        ("Backups run at night", "decision"),
        ("Bash scripts are checked with shellcheck", "decision"),
        ("Shell: use zsh everywhere", "decision"),
        ("The worker restarts must be announced", "decision"),
        ("We restart the worker every night", "decision"),
        ("Uploads larger than 10 MB are rejected", "decision"),
        ("The client retries three times", "decision"),
        ("Chose Vector over Fluent Bit", "decision"),
        ("Write: short sentences, in English", "decision"),
        ("Retries (three at most) use a backoff", "decision"),
        ("The API returns 404 for unknown ids", "decision"),
        ("Calls time out after 30 seconds", "decision"),
        ("Prefer curl over wget", "decision"),
    ],
)
def test_what_was_run_changed_or_seen_is_no_decision_and_what_holds_is_one(ledger, text, kind):
    ledger.scoped.session_start(id="monday", project="shop")
    ledger.scoped.note(text)
    [entry] = [one for one in ledger.scoped.read("session") if one.content == text]
    assert entry.kind == kind


@pytest.mark.requirement("S2-05")
@each_row(
    ("text", "kind"),
    [
        ("Used the label printer to print 40 seed tags", "tool"),
        ("used ffmpeg to cut the interview", "tool"),
        ("used the bread machine to knead Sunday's dough", "tool"),
        ("Used DeepL to translate the menu", "tool"),
        ("I used the drill press for the brackets", "tool"),
        ("just used the pressure washer on the terrace", "tool"),
        ("Used the metal detector", "tool"),
        ("called the weather API for Saturday's forecast", "tool"),
        ("called the exchange-rate service three times", "tool"),
        ("opened the floor plan with FreeCAD", "tool"),
        ("printed the wristbands using the thermal printer", "tool"),
        ("Fixed the typo in README.md", "edit"),
        ("changed the price list in prices.csv", "edit"),
        ("changed the order of the chapters in outline.txt", "edit"),
        ("Corrected two names in guests.csv", "edit"),
        ("I am unsure about the orange door", "note"),
        ("Unsure whether the van fits", "note"),
        ("We are undecided on the venue", "note"),
        ("I used to think the pump was broken", "note"),
        ("Used oak instead of pine for the shelves", "decision"),
        ("Used linen for the curtains", "decision"),
        ("Used the same font throughout", "decision"),
        ("Used UUIDs as keys for the bookings", "decision"),
        ("Used MQTT to connect the sensors", "decision"),
        ("Used books are sold at the back", "decision"),
        ("We use the blue bins for glass", "decision"),
        ("Use a damp cloth to clean the screens", "decision"),
        ("Changed the delivery day to Tuesday", "decision"),
    ],
)
def test_whatever_was_used_is_a_tool_unless_it_was_chosen(ledger, text, kind):
    ledger.scoped.session_start(id="monday", project="shop")
    ledger.scoped.note(text)
    [entry] = [one for one in ledger.scoped.read("session") if one.content == text]
    assert entry.kind == kind


@pytest.mark.requirement("S2-05", "S2-52")
def test_a_session_proposes_what_was_decided_and_not_what_was_done(ledger, entries):
    ledger.scoped.session_start(id="monday", project="shop")
    for text in ("Edited src/form.py", "Ran the tests", "Reset links expire after an hour"):
        ledger.scoped.note(text)
    shown = [(one["content"], one.get("kind")) for one in entries("sessions/monday.json")]
    assert shown[:2] == [("Edited src/form.py", "edit"), ("Ran the tests", "tool")]
    assert shown[2] == ("Reset links expire after an hour", None)
    proposed = [one.content for one in ledger.scoped.session_end().proposals]
    assert proposed == ["Reset links expire after an hour"]


@pytest.mark.requirement("S2-05", "S2-52")
def test_only_the_learnings_of_plain_notes_are_proposed(ledger):
    ledger.scoped.session_start(id="monday", project="shop")
    for text in ("Looked at the login page", "Learned: the sandbox resets at midnight"):
        ledger.scoped.note(text)
    ended = ledger.scoped.session_end()
    assert [(one.content, one.type) for one in ended.proposals] == [
        ("The sandbox resets at midnight", "pattern")
    ]


@pytest.mark.requirement("S2-05")
def test_a_plain_note_can_be_made_a_decision(varves):
    start = ("scoped", "session", "start", "--session", "monday")
    assert varves(*start).code == 0
    plain = varves("scoped", "note", "Redis today")
    assert "--kind decision" in plain.err
    assert varves("scoped", "note", "Redis today", "--kind", "decision").out.startswith("mem-001")
    assert "Redis today" in varves("scoped", "session", "end").out


# The verbs that list


def test_list_shows_every_scope_and_counts_nothing(ledger, write):
    write("Use Zod for validation")
    write("Reviews need two people", "team", "core", type="convention")
    write("Answer in short sentences", "global", type="preference")
    ledger.scoped.session_start(id="monday", project="shop")
    ledger.scoped.note("Keep schemas beside the forms")
    before = [one.accessed_count for one in ledger.scoped.list()]
    listed = [(one.scope, one.id) for one in ledger.scoped.list()]
    assert listed == [
        ("session:monday", "mem-001"),
        ("project:shop", "mem-001"),
        ("team:core", "mem-001"),
        ("global", "mem-001"),
    ]
    assert [one.accessed_count for one in ledger.scoped.list()] == before
    assert [one.id for one in ledger.scoped.list("team")] == ["mem-001"]
    assert [one.content for one in ledger.scoped.list(type="convention")] == [
        "Reviews need two people"
    ]


@pytest.mark.requirement("S2-40")
def test_the_conflicts_of_one_scope_are_listed_with_numbers(shop):
    for scope, name in (("project", "shop"), ("team", "core")):
        for text in ("Deploy on Tuesdays", "Deploy on Thursdays"):
            said = ("scoped", "write", scope, name, "--type", "decision", "--content", text)
            assert shop(*said).code == 0
    [found] = shop("scoped", "conflicts", "team", "--json").json["conflicts"]
    assert found["scope"] == "team:core"
    assert {one["id"] for one in found["entries"]} == {"mem-001", "mem-002"}
    assert len(shop("scoped", "conflicts", "--json").json["conflicts"]) == 2
    done = shop("conflicts", "resolve", found["conflict"], "--delete", "mem-001")
    assert done.code == 0
    assert [one["content"] for one in shop("scoped", "list", "team", "--json").json["entries"]] == [
        "Deploy on Thursdays"
    ]


@pytest.mark.requirement("S2-40")
def test_a_number_that_is_not_in_the_conflict_is_refused(shop, contradicted):
    assert contradicted.code == 0
    [conflict] = shop("conflicts", "--json").json["conflicts"]
    settled = shop("conflicts", "resolve", conflict["id"], "--keep", "mem-002")
    assert settled.code == 4
    assert "mem-002 is not a member of" in settled.err


# S2-43: across scopes


@pytest.mark.requirement("S2-43")
@each_row(
    ("name", "wide", "near"),
    [
        ("indent", "Indent with tabs", "Indent with spaces"),
        ("mode", "Prefer dark mode", "Prefer light mode"),
        ("quotes", "Use single quotes", "Use double quotes"),
    ],
)
def test_a_project_hides_the_global_entry_that_says_otherwise(ledger, write, name, wide, near):
    write(wide, "global", type="preference")
    said = write(near, "project", name, type="preference")
    assert any("hidden here" in notice for notice in said.notices)
    block = ledger.scoped.session_start(id=name, project=name).block
    assert near in block
    assert wide not in block


# Undoing after a merge


@pytest.mark.requirement("U-13")
def test_undo_after_a_merge_reverses_what_was_written_and_no_renumbering(clone):
    made = branched(clone, write_one)
    made.at(LATER).rebuild()
    made.commit("merge")
    here = made.at("2026-11-15T10:00:00Z", actor="two")
    written = here.scoped.write("project", "shop", type="convention", content="Tag every release")
    numbers = {one.content: one.id for one in here.scoped.list("project", "shop")}
    assert here.undo().id == written.memory
    del numbers["Tag every release"]
    assert {one.content: one.id for one in here.scoped.list("project", "shop")} == numbers


@pytest.mark.requirement("S2-45")
def test_an_entry_that_is_already_stored_can_be_made_an_override(ledger, write):
    write("Answer in German", "global", type="preference")
    assert write("Answer in English", type="preference").notices != ()
    told = write("Answer in English", type="preference", override_global=True)
    assert (told.status, told.silences) == ("known", ("mem-001 of global",))
    started = ledger.scoped.session_start(id="monday", project="shop")
    assert "Answer in German" not in started.block
    assert started.notices == ()


@pytest.mark.requirement("S2-40")
def test_the_block_of_a_session_marks_entries_that_contradict(shop, contradicted):
    assert contradicted.code == 0
    lines = shop("scoped", "session", "start").out.splitlines()
    told = {one["id"]: one.get("conflicts_with") for one in map(json.loads, lines[2:-1])}
    assert told == {"mem-001": "mem-003", "mem-002": None, "mem-003": "mem-001"}


@pytest.mark.requirement("S2-32", "S2-40")
def test_the_block_of_a_task_marks_entries_that_contradict(shop, contradicted):
    assert contradicted.code == 0
    lines = shop("scoped", "task", "validate the form").out.splitlines()
    told = {one["id"]: one.get("conflicts_with") for one in map(json.loads, lines[2:-1])}
    assert told == {"mem-001": "mem-003", "mem-003": "mem-001"}


# What is not there


@pytest.mark.requirement("S2-18")
@each_row(
    ("words", "told"),
    [
        (("read", "project", "cartt"), "project cartt has no entries; projects with entries: cart"),
        (("list", "project", "cartt"), "project cartt has no entries; projects with entries: cart"),
        (("rank", "project", "cartt"), "project cartt has no entries; projects with entries: cart"),
        (
            ("search", "--query", "zod", "--project", "cartt"),
            "project cartt has no entries; projects with entries: cart",
        ),
        (("read", "team", "cor"), "team cor has no entries; teams with entries: core"),
        (("read", "project", "cart", "--type", "pattern"), "no entries"),
        (("stale",), "no entries"),
        (("proposals",), "no proposals"),
    ],
)
def test_a_verb_that_finds_nothing_says_so_and_names_what_there_is(varves, words, told):
    said = ("--type", "decision", "--content", BOTH[0])
    varves("scoped", "write", "project", "cart", *said)
    varves("scoped", "write", "team", "core", *said)
    found = varves("scoped", *words)
    assert (found.code, found.out) == (0, "")
    assert told in found.err


def test_a_place_without_git_says_that_it_has_a_ledger_now(varves, tmp_path):
    place = tmp_path / "plain"
    place.mkdir()
    first = varves(*write_words("Use Zod for every form"), cwd=place)
    assert f"{place} has one now" in first.err
    assert "has one now" not in varves(*write_words("Deploy on Mondays"), cwd=place).err


# Words of two scripts


@pytest.mark.requirement("S2-20", "S2-21")
@each_row(
    ("text", "query"),
    [
        ("全文検索はElasticsearchで行う", "elasticsearch"),
        ("全文検索はElasticsearchで行う", "検索"),
        ("用户数据存储在PostgreSQL里", "postgresql"),
        ("用户数据存储在PostgreSQL里", "存储"),
        ("형태소분석은MeCab을쓴다", "mecab"),
        ("ค้นหาด้วยLuceneเสมอ", "lucene"),
        ("ログはDatadogへ90日間保存", "datadog 90"),
    ],
)
def test_a_search_finds_words_of_every_script_in_unspaced_text(ledger, text, query):
    ledger.scoped.write("project", "shop", type="convention", content=text)
    assert text in [one.content for one in ledger.scoped.search(query)]


def test_a_word_is_not_found_inside_a_word_of_its_own_script(ledger):
    ledger.scoped.write(
        "project", "shop", type="convention", content="全文検索はElasticsearchで行う"
    )
    assert ledger.scoped.search("search") == ()


# Names in answers


@pytest.mark.requirement("S2-41")
def test_a_settled_conflict_is_answered_with_the_number_in_the_file(shop, contradicted):
    assert contradicted.code == 0
    [conflict] = shop("conflicts", "--json").json["conflicts"]
    merged = shop("conflicts", "resolve", conflict["id"], "--merge", "Use Zod, and Yup for forms")
    listed = {one["content"]: one["id"] for one in shop("scoped", "list", "--json").json["entries"]}
    assert merged.out == f"{listed['Use Zod, and Yup for forms']} merged\n"


def test_a_note_that_repeats_another_names_it_by_its_number(shop):
    shop("scoped", "session", "start")
    shop("scoped", "note", "Use Zod for validation")
    said = shop("scoped", "note", "We use Zod for validation.")
    assert "mem-002" in said.out
    assert "mem-001" in said.err
    assert "mem_" not in said.err
