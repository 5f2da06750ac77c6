"""Read, write, search, forget, restore, stale: what each says and does."""

from __future__ import annotations

import pytest

import varves
from tests.protocols.scoped.conftest import DAY
from tests.tables import assert_each, each_row
from varves.errors import NotFound, Refused, Rejected, UsageError


def contents(found):
    return [one.content for one in found]


@pytest.mark.requirement("S2-18")
def test_a_read_shows_one_scope_and_one_type(ledger, write):
    write("Use Zod for validation")
    write("Indent by four blanks", type="convention")
    write("Answer in short sentences", "global", type="preference")
    write("Reviews need two people", "team", "core", type="convention")
    read = ledger.scoped.read
    assert contents(read("project", "shop")) == ["Use Zod for validation", "Indent by four blanks"]
    assert contents(read("project", "shop", type="decision")) == ["Use Zod for validation"]
    assert contents(read("project", "shop", type="pattern")) == []
    assert contents(read("global")) == ["Answer in short sentences"]
    assert contents(read("team", "core", type="convention")) == ["Reviews need two people"]
    assert contents(read("team", "core", type="decision")) == []
    with pytest.raises(UsageError, match="not a type"):
        read("project", "shop", type="fact")


@pytest.mark.requirement("S2-18", "S2-19")
def test_the_published_lines_work_on_the_command_line(varves, project, entries):
    done = varves(
        *("scoped", "write", "project", "shop", "--type", "convention"),
        *("--content", "Tabs, not blanks", "--confidence", "0.9"),
    )
    assert (done.code, done.err) == (0, "")
    assert done.out.split()[0] == "mem-001"
    [only] = entries()
    given = (only["type"], only["content"], only["confidence"])
    assert given == ("convention", "Tabs, not blanks", 0.9)
    shown = varves("scoped", "read", "project", "shop", "--type", "convention")
    assert "mem-001" in shown.out
    assert "Tabs, not blanks" in shown.out
    assert "mem-001" not in varves("scoped", "read", "project", "shop", "--type", "decision").out


@pytest.mark.requirement("S2-19")
def test_the_default_confidence_is_the_one_the_help_names(varves, project, entries):
    assert "default 0.9" in varves("scoped", "write", "--help").out
    varves("scoped", "write", "project", "shop", "--type", "pattern", "--content", "Test first")
    assert entries()[0]["confidence"] == 0.9


def test_the_same_entry_twice_is_one(ledger, write, entries):
    first = write("Use Zod for validation", confidence=0.8)
    before, events = entries(), ledger.log()
    again = write("use Zod  for validation.")
    assert (again.id, again.status, again.confidence) == (first.id, "known", 0.8)
    assert again.changes == {}
    assert entries() == before
    revised = [one for one in ledger.log()[len(events) :] if one.kind == "memory.revised"]
    assert revised == []


def test_a_known_entry_takes_the_confidence_and_the_type_that_are_stated(ledger, write, entries):
    first = write("Gates close at dusk", confidence=0.5)
    again = write("Gates close at dusk", confidence=0.95, type="convention")
    assert (again.id, again.memory, again.status) == (first.id, first.memory, "known")
    assert (again.type, again.confidence) == ("convention", 0.95)
    assert again.changes == {"type": ("decision", "convention"), "confidence": (0.5, 0.95)}
    [only] = entries()
    assert (only["type"], only["confidence"]) == ("convention", 0.95)
    revised = [one for one in ledger.history(first.memory) if one.kind == "memory.revised"]
    assert [one.data["set"] for one in revised] == [{"type": "convention", "confidence": 0.95}]


def test_the_answer_names_the_values_that_a_known_entry_took(varves, project):
    write = ("scoped", "write", "project", "shop", "--content", "Gates close at dusk", "--type")
    varves(*write, "decision", "--confidence", "0.5")
    taken = varves(*write, "decision", "--confidence", "0.95")
    assert taken.out == "mem-001 known in project:shop; confidence 0.5 → 0.95\n"
    taken = varves(*write, "convention")
    assert taken.out == "mem-001 known in project:shop; type decision → convention\n"
    assert varves(*write, "convention").out == "mem-001 known in project:shop\n"
    found = varves("scoped", "read", "project", "shop", "--json").json["entries"][0]
    assert (found["type"], found["confidence"]) == ("convention", 0.95)


def test_a_stated_value_reaches_entries_of_every_scope(ledger, write):
    for scope, name in (("team", "core"), ("global", None)):
        write("Signs are laminated", scope, name, confidence=0.9)
        again = write("Signs are laminated", scope, name, confidence=1.0)
        assert (again.status, again.changes) == ("known", {"confidence": (0.9, 1.0)})


def test_an_import_does_not_change_the_values_of_a_trusted_entry(project, write, entries):
    write("Gates close at dusk", confidence=0.5)
    with varves.open(str(project), origin="tool") as tool:
        again = tool.scoped.write(
            "project", "shop", type="pattern", content="Gates close at dusk", confidence=1.0
        )
        assert (again.status, again.type, again.confidence) == ("known", "decision", 0.5)
        assert any("keeps its type and confidence" in one for one in tool.scoped.core.notes)
    assert entries()[0]["confidence"] == 0.5


@pytest.mark.requirement("S2-20")
def test_a_search_keeps_to_its_scope(ledger, project, write):
    write("Validation is done by Zod", "project", "shop")
    write("Validation is done by Yup", "project", "bank")
    write("Validation needs two people", "team", "core")
    write("Validation comes before saving", "global")
    search = ledger.scoped.search
    assert {one.scope for one in search("validation")} == {
        *("project:shop", "project:bank", "team:core", "global")
    }
    assert [one.scope for one in search("validation", scope="global")] == ["global"]
    assert [one.scope for one in search("validation", scope="team")] == ["team:core"]
    assert [one.scope for one in search("validation", project="bank")] == ["project:bank"]
    assert [one.scope for one in search("validation", scope="project")] == ["project:shop"]
    assert len(search("validation", k=3)) == 3


@pytest.mark.requirement("S2-20")
def test_the_current_project_is_the_one_the_environment_names(varves, project, write, ledger):
    write("Validation is done by Zod", "project", "shop")
    write("Validation is done by Yup", "project", "bank")
    found = varves(
        *("scoped", "search", "--query", "validation", "--scope", "project"),
        env={"VARVES_PROJECT": "bank"},
    )
    assert "Yup" in found.out
    assert "Zod" not in found.out


@pytest.mark.requirement("S2-21")
def test_a_search_finds_its_words_in_any_case_and_order(ledger, write):
    write("Use Zod for all input validation")
    write("Ship on Tuesdays")

    def check(query):
        found = ledger.scoped.search(query)
        assert contents(found) == ["Use Zod for all input validation"]

    assert_each(["ZOD validation", "validation", "zod", "Input ALL", "valid"], check)


@pytest.mark.full_size(sample=2)
@pytest.mark.requirement("S2-21")
@pytest.mark.parametrize(
    ("content", "query"),
    [
        ("Die Straße heißt Übergang", "STRASSE ÜBERGANG"),
        ("Cafe\u0301 opens at nine", "caf\u00e9"),
        ("日本語のテストを書く", "テスト"),
        ("日本語のテストを書く", "日本"),
        ("Naming is snake_case, e.g. user_id", "user_id"),
        ('He said "quote\tit"\nand then', "quote then"),
    ],
    ids=["sharp s", "accent", "inside", "start", "underscore", "quotes and lines"],
)
def test_a_search_knows_other_scripts_and_signs(content, query, ledger, write):
    write(content)
    write("Ship on Tuesdays")
    assert contents(ledger.scoped.search(query)) == [content]


@pytest.mark.requirement("S2-21")
@each_row(
    ("content", "query"),
    [
        ("Handle errors at the boundary", "error handling"),
        ("Error handling is central", "handle errors"),
        ("Cache responses for an hour", "caching"),
        ("Caching is done by the proxy", "cached proxy"),
        ("Validate every input", "input validation"),
        ("Validation of inputs comes first", "validating"),
        ("Run migrations before a deploy", "migrate deployments"),
    ],
)
def test_a_search_finds_other_forms_of_its_words(content, query, ledger):
    ledger.scoped.write("project", "shop", type="decision", content=content)
    assert content in contents(ledger.scoped.search(query))


@pytest.mark.requirement("S2-21")
def test_a_search_asks_for_all_of_its_words(ledger, write):
    write("Use Zod for all input validation")
    assert ledger.scoped.search("zod tuesdays") == ()
    with pytest.raises(UsageError):
        ledger.scoped.search("  ")


@pytest.mark.requirement("S2-22")
def test_a_number_of_two_projects_is_refused_until_one_is_named(ledger, write, entries):
    write("Use Zod for validation", "project", "shop")
    write("Use Yup for validation", "project", "bank")
    with pytest.raises(Refused) as refused:
        ledger.scoped.forget("mem-001", scope="project", reason="Outdated")
    assert "bank, shop" in refused.value.message
    assert "--project" in refused.value.hint
    done = ledger.scoped.forget("mem-001", scope="project", reason="Outdated", project="bank")
    assert (done.id, done.scope) == ("mem-001", "project:bank")
    assert len(entries()) == 1
    assert entries("projects/bank/memory.json") == []


@pytest.mark.requirement("S2-22")
def test_a_number_that_only_another_project_has_is_not_taken_from_there(ledger, write, entries):
    """The current project is called project, after its folder."""
    for text in ("Use Zod for validation", "Ship on Tuesdays"):
        write(text, "project", "shop")
    done = write("Reviews need two people", "project", "project")
    for verb, options in ((ledger.scoped.forget, {"reason": "x"}), (ledger.scoped.restore, {})):
        with pytest.raises(Refused, match="mem-002 belongs to project:shop"):
            verb("mem-002", scope="project", **options)
    assert len(entries()) == 2
    ledger.scoped.forget("mem-002", scope="project", project="shop", reason="Outdated")
    assert len(entries()) == 1
    own = ledger.scoped.forget(done.memory, scope="project", reason="Outdated")
    assert (own.id, own.scope) == ("mem-001", "project:project")


def test_a_number_of_another_project_is_refused_in_a_session_whose_project_has_none(
    varves, project
):
    write = ("scoped", "write", "project", "shop", "--type", "decision", "--content")
    varves(*write, "Stalls open at seven")
    varves("scoped", "session", "start", "--project", "annex")
    forget = ("scoped", "forget", "--id", "mem-001", "--scope", "project", "--reason", "slip")
    refused = varves(*forget)
    assert refused.code == 3
    assert (
        "mem-001 belongs to project:shop, but the current project is project:annex" in refused.err
    )
    assert varves(*forget, "--project", "shop").code == 0
    restore = ("scoped", "restore", "--id", "mem-001", "--scope", "project")
    assert varves(*restore).code == 3
    assert varves(*restore, "--project", "shop").code == 0


@pytest.mark.requirement("S2-22")
def test_the_published_forget_works_on_the_command_line(varves, project, entries):
    varves("scoped", "write", "project", "shop", "--type", "decision", "--content", "Use Zod")
    done = varves(
        *("scoped", "forget", "--id", "mem-001", "--scope", "project", "--reason", "Outdated")
    )
    assert done.code == 0
    assert done.out.startswith("mem-001")
    assert entries() == []


@pytest.mark.requirement("S2-23")
def test_what_is_forgotten_leaves_five_places_and_comes_back_equal(ledger, write, entries):
    write("Use Zod for validation")
    write("Ship on Tuesdays")
    before = ledger.scoped.rank("project", "shop")
    file = entries()

    def places():
        return {
            "read": "mem-001" in [one.id for one in ledger.scoped.read("project", "shop")],
            "search": bool(ledger.scoped.search("zod")),
            "rank": "mem-001" in [one.id for one in ledger.scoped.rank("project", "shop")],
            "inject": "Zod" in ledger.scoped.session_start(id="s1", project="shop").block,
            "file": "mem-001" in [one["id"] for one in entries()],
        }

    done = ledger.scoped.forget("mem-001", scope="project", project="shop", reason="Outdated")
    assert (done.status, done.reason) == ("forgotten", "Outdated")
    assert set(places().values()) == {False}
    back = ledger.scoped.restore("mem-001", scope="project", project="shop")
    assert (back.id, back.status, back.reason) == ("mem-001", "active", "Outdated")
    assert set(places().values()) == {True}
    kept = {"id", "memory", "type", "content", "confidence", "created_at"}
    [again] = [one for one in ledger.scoped.rank("project", "shop") if one.id == "mem-001"]
    [old] = [one for one in before if one.id == "mem-001"]
    assert {key: getattr(again, key) for key in kept} == {key: getattr(old, key) for key in kept}
    assert {**entries()[0], "accessed_count": 0} == file[0]


@pytest.mark.requirement("S2-24")
@pytest.mark.parametrize("reason", [None, "", "  "], ids=["none", "empty", "blank"])
def test_forgetting_needs_a_reason(reason, ledger, write, entries):
    done = write("Use Zod for validation")
    with pytest.raises(UsageError, match="reason"):
        ledger.scoped.forget("mem-001", scope="project", project="shop", reason=reason)
    assert len(entries()) == 1
    ledger.scoped.forget("mem-001", scope="project", project="shop", reason="Outdated")
    assert ledger.show(done.memory).reason == "Outdated"


@pytest.mark.requirement("S2-24")
def test_forgetting_without_a_reason_is_refused_on_the_command_line(varves, project, write):
    write("Use Zod for validation")
    assert varves("scoped", "forget", "--id", "mem-001", "--scope", "project").code == 2


def test_forgetting_and_restoring_twice_are_refused_by_number(ledger, write):
    write("Use Zod for validation")
    about = {"scope": "project", "project": "shop"}
    with pytest.raises(Refused, match="mem-001 of project:shop is not forgotten"):
        ledger.scoped.restore("mem-001", **about)
    ledger.scoped.forget("mem-001", reason="Outdated", **about)
    assert ledger.scoped.restore("mem-001", **about).reason == "Outdated"
    ledger.scoped.forget("mem-001", reason="Outdated", **about)
    with pytest.raises(Refused, match="mem-001 of project:shop is already forgotten"):
        ledger.scoped.forget("mem-001", reason="Outdated", **about)


def test_what_was_forgotten_is_written_again_only_on_purpose(ledger, write):
    write("Use Zod for validation")
    ledger.scoped.forget("mem-001", scope="project", project="shop", reason="Outdated")
    with pytest.raises(Rejected):
        write("Use Zod for validation")
    assert write("Use Zod for validation", again=True).id == "mem-002"


def test_what_is_not_there_is_not_found(ledger, write):
    write("Use Zod for validation")
    for name in ("mem-002", "mem_000000000000"):
        with pytest.raises(NotFound):
            ledger.scoped.forget(name, scope="project", project="shop", reason="Outdated")
    with pytest.raises(UsageError):
        ledger.scoped.forget("../mem-001", scope="project", project="shop", reason="x")


def test_the_cores_id_names_an_entry_too(ledger, write, entries):
    done = write("Use Zod for validation")
    ledger.scoped.forget(done.memory, scope="project", project="shop", reason="Outdated")
    assert entries() == []


@pytest.mark.requirement("S2-49")
def test_stale_entries_are_found_by_age_and_by_their_last_use(ledger, clock, write):
    write("Use Zod for validation")
    clock.ms += 40 * DAY
    write("Ship on Tuesdays")
    clock.ms += 51 * DAY
    stale = ledger.scoped.stale
    assert contents(stale(older_than="50d")) == ["Use Zod for validation", "Ship on Tuesdays"]
    assert contents(stale(older_than="60d")) == ["Use Zod for validation"]
    assert contents(stale()) == ["Use Zod for validation"], "90 days where nothing is said"
    ledger.scoped.task("validate the form")
    assert contents(stale(unused_for="30d")) == ["Ship on Tuesdays"]
    clock.ms += 31 * DAY
    aged = stale(unused_for="30d")
    assert {one.content: one.last_accessed for one in aged} == {
        "Use Zod for validation": "2027-02-14T06:20:00Z",
        "Ship on Tuesdays": None,
    }


@pytest.mark.requirement("S2-50")
def test_entries_can_be_reviewed_merged_forgotten_and_restored(ledger, write, entries):
    write("Use Zod for validation")
    write("Use Yup for validation")
    assert len(ledger.scoped.read("project", "shop")) == 2
    [conflict] = ledger.conflicts()
    ledger.resolve(conflict.id, merge="Use Zod for validation, Yup only in the old forms")
    [merged] = entries()
    assert merged["content"] == "Use Zod for validation, Yup only in the old forms"
    assert merged["id"] == "mem-003"
    ledger.scoped.forget("mem-003", scope="project", project="shop", reason="Outdated")
    assert entries() == []
    ledger.scoped.restore("mem-003", scope="project", project="shop")
    assert [one["id"] for one in entries()] == ["mem-003"]


def test_secrets_are_masked_before_they_are_written(project, write, entries):
    token = "ghp_" + "a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8"
    done = write(f"The deploy token is {token}")
    assert done.redacted
    assert token not in entries()[0]["content"]
    assert token not in done.content


def test_what_is_sensitive_or_in_quarantine_is_shown_nowhere(ledger, project, write, entries):
    done = write("The vault opens with a blue key")
    ledger.edit(done.memory, tag=("+sensitive",))
    with varves.open(str(project), origin="tool") as tool:
        tool.scoped.write("project", "shop", type="pattern", content="The vault is painted blue")
    assert ledger.scoped.search("blue") == ()
    assert contents(ledger.scoped.read("project", "shop")) == []
    assert ledger.scoped.task("open the blue vault").block == ""
    assert ledger.scoped.session_start(id="s1", project="shop").entries == ()
    write("Ship on Tuesdays")
    assert [one["content"] for one in entries()] == ["Ship on Tuesdays"]


def test_what_waits_in_quarantine_is_known_to_whoever_wrote_it(ledger, write, entries):
    tool = ledger.through("tool").scoped

    def say(text):
        return tool.write("project", "shop", type="pattern", content=text)

    first = say("The vault is painted blue")
    again = say("the vault is painted  blue")
    assert (again.id, again.memory, again.status) == (first.id, first.memory, "known")
    assert again.content == "The vault is painted blue"
    assert write("Ship on Tuesdays").status == "recorded"
    assert say("The vault is painted blue").memory == first.memory
    assert [one["content"] for one in entries()] == ["Ship on Tuesdays"]
    assert ledger.verify(deep=True).ok


def test_a_corrected_value_in_quarantine_is_known_by_its_id(ledger):
    tool = ledger.through("tool")
    first = tool.scoped.write("project", "shop", type="pattern", content="The vault is blue")
    better = tool.correct(first.memory, "The vault is green")
    known = tool.scoped.write("project", "shop", type="pattern", content="The vault is green")
    assert (known.memory, known.status) == (better.id, "known")
    assert known.id == better.id


def test_what_has_expired_is_not_told(ledger, clock, write):
    done = write("Use Zod for validation")
    ledger.edit(done.memory, ttl="1d")
    assert len(ledger.scoped.task("validation").entries) == 1
    clock.ms += DAY
    assert ledger.scoped.task("validation").entries == ()
    assert ledger.scoped.session_start(id="s1", project="shop").entries == ()
    ledger.scoped.restore("mem-001", scope="project", project="shop")
    assert len(ledger.scoped.task("validation", project="shop").entries) == 1
