"""By which door a foreign tree comes in, what is refused of it, and what it cannot touch."""

from __future__ import annotations

import json
import shutil
import subprocess
from datetime import UTC, datetime
from itertools import product
from typing import TYPE_CHECKING

import pytest

import varves as package
from tests.protocols.hivemind.foreign import SAMPLES, TREE, laid, one, told

if TYPE_CHECKING:
    from pathlib import Path

NOW = {"VARVES_NOW": "2026-11-15T06:20:00Z"}


def test_what_comes_from_elsewhere_waits_in_quarantine_unless_trusted(ledger, project):
    done = ledger.import_("hivemind", str(SAMPLES / "at-35d290a"))
    assert done.written == 1
    memory = ledger.show("mem_1ae6a4e3f77b")
    assert (memory.origin, memory.trust) == ("import", 1)
    assert ledger.recall("test memory").hits == ()
    assert not list((project / "memory").rglob("mem_*.json"))
    ledger.trust("mem_1ae6a4e3f77b")
    assert [hit.memory.id for hit in ledger.recall("test memory")] == ["mem_1ae6a4e3f77b"]


def test_trusted_on_import_it_is_recalled_and_in_the_files(ledger, project):
    ledger.import_("hivemind", str(SAMPLES / "at-35d290a"), trust=True)
    memory = ledger.show("mem_1ae6a4e3f77b")
    assert (memory.origin, memory.trust) == ("import", 2)
    assert [hit.memory.id for hit in ledger.recall("test memory")] == ["mem_1ae6a4e3f77b"]
    assert len(list((project / "memory").rglob("mem_1ae6a4e3f77b.json"))) == 1


def test_a_tracked_file_speaks_for_its_author_and_an_untracked_one_beside_it_does_not(
    ledger, project
):
    tree = laid(project / "old", {"memory/projects/shop/a.json": one(content={"text": "Tracked"})})
    git(project, "add", "old")
    git(project, "commit", "-q", "-m", "old memories")
    untracked = one(id="mem_bbbbbbbbbbbb", content={"text": "Untracked"})
    laid(tree, {"memory/projects/shop/b.json": untracked})
    ledger.import_("hivemind", str(tree))
    first, second = ledger.show("mem_aaaaaaaaaaaa"), ledger.show("mem_bbbbbbbbbbbb")
    assert (first.origin, first.trust) == ("repo", 2)
    assert ledger.history(first.id)[0].actor == "Ada Example"
    assert (second.origin, second.trust) == ("import", 1)


def git(root: Path, *words: str) -> None:
    subprocess.run(["git", *words], cwd=root, check=True)


def test_a_dry_run_says_the_same_and_writes_nothing(varves, project):
    before = sorted(project.rglob("*"))
    dry = varves("import", "hivemind", str(SAMPLES), "--dry-run", "--trust", "--json", env=NOW)
    assert dry.code == 0
    assert sorted(project.rglob("*")) == before
    wet = varves("import", "hivemind", str(SAMPLES), "--trust", "--json", env=NOW)
    assert wet.json["written"] == dry.json["written"] > 0
    assert wet.json["mappings"] == dry.json["mappings"]


def test_an_id_that_means_something_else_here_makes_way(tmp_path, ledger):
    tree = laid(tmp_path / "tree", {"memory/projects/shop/a.json": one()})
    ledger.remember("Something else", id="mem_aaaaaaaaaaaa")
    done = ledger.import_("hivemind", str(tree), trust=True)
    assert done.written == 1
    assert ledger.show("mem_aaaaaaaaaaaa").text == "Something else"
    [line] = [line for line in done.mappings if "has another content here -> mem_" in line]
    assert ledger.show(line.rpartition(" ")[2]).text == "Tabs are not used"
    again = ledger.import_("hivemind", str(tree), trust=True)
    assert (again.written, again.known) == (0, 1)


def test_a_profile_that_said_nothing_is_filled_and_one_that_did_is_not_touched(tmp_path, ledger):
    profile = one(
        id="mem_userprofile0",
        subtype="user-profile",
        scope="global",
        scope_id=None,
        priority="critical",
        content={"name": "Ada"},
    )
    tree = laid(tmp_path / "tree", {"memory/global/user-profile.json": profile})
    ledger.hivemind.init()
    assert ledger.hivemind.show("mem_userprofile0")["content"] == {}
    assert ledger.import_("hivemind", str(tree), trust=True).written == 1
    assert ledger.hivemind.show("mem_userprofile0")["content"] == {"name": "Ada"}
    assert ledger.import_("hivemind", str(tree), trust=True).written == 0
    other = laid(
        tmp_path / "other",
        {"memory/global/user-profile.json": profile | {"content": {"name": "Grace"}}},
    )
    done = ledger.import_("hivemind", str(other), trust=True)
    assert ledger.hivemind.show("mem_userprofile0")["content"] == {"name": "Ada"}
    assert "mem_userprofile0 has another content here" in "\n".join(done.mappings)


def test_an_untrusted_import_fills_nothing_and_waits_beside_it(tmp_path, ledger):
    profile = one(id="mem_userprofile0", scope="global", scope_id=None, content={"name": "Eve"})
    tree = laid(tmp_path / "tree", {"memory/global/user-profile.json": profile})
    ledger.hivemind.init()
    done = ledger.import_("hivemind", str(tree))
    assert ledger.hivemind.show("mem_userprofile0")["content"] == {}
    [line] = [line for line in done.mappings if "has another content here -> mem_" in line]
    waiting = ledger.show(line.rpartition(" ")[2])
    assert (waiting.extra["body"], waiting.trust) == ({"name": "Eve"}, 1)


def test_archived_and_superseded_memories_come_in_as_such(tmp_path, ledger, project):
    files = {
        "memory/projects/shop/archive/a.json": one(),
        "memory/projects/shop/b.json": one(
            id="mem_bbbbbbbbbbbb", content="Use Yup", superseded_by="mem_cccccccccccc"
        ),
        "memory/projects/shop/c.json": one(
            id="mem_cccccccccccc", content="Use Zod", supersedes="mem_bbbbbbbbbbbb"
        ),
    }
    ledger.import_("hivemind", str(laid(tmp_path / "tree", files)), trust=True)
    assert ledger.show("mem_aaaaaaaaaaaa").status == "archived"
    old, current = ledger.hivemind.show("mem_bbbbbbbbbbbb"), ledger.show("mem_cccccccccccc")
    assert old["superseded_by"] == "mem_cccccccccccc"
    assert ledger.show("mem_bbbbbbbbbbbb").status == "superseded"
    assert current.status == "active"
    assert current.links["supersedes"] == ["mem_bbbbbbbbbbbb"]


def test_our_own_files_come_in_elsewhere_as_they_are_long_ones_whole(
    tmp_path, ledger, project, home
):
    import varves as package

    long = {"text": "word " * 4000, "list": list(range(50))}
    name = ledger.hivemind.write(long, type="factual", tags=["big"]).id
    short = ledger.hivemind.write("Short one", type="procedural", scope="team:qa").id
    other = tmp_path / "other"
    other.mkdir()
    with package.open(str(other), home=str(tmp_path / "elsewhere")) as second:
        done = second.import_("hivemind", str(project / "memory"), trust=True)
        assert done.refused == ()
        assert second.show(name).extra["body"] == long
        assert second.hivemind.show(short)["content"] == {"text": "Short one"}
        assert second.hivemind.show(short)["scope_id"] == "qa"


@pytest.mark.parametrize(
    ("name", "content", "message"),
    [
        ("bad.json", '{"id": ', "not JSON"),
        ("deep.json", '{"a":' * 70 + "1" + "}" * 70, "nested too deep"),
        ("very-deep.json", "[" * 100_000, "nested too deep"),
        ("nan.json", '{"a": NaN}', "not a finite number"),
        ("half.json", '{"a": "\\ud800"}', "not UTF-8 text"),
    ],
    ids=lambda value: value if str(value).endswith(".json") else "",
)
def test_a_file_that_cannot_be_read_is_named_and_stops_no_other(
    tmp_path, varves, name, content, message
):
    files = {f"memory/projects/shop/{name}": content, "memory/projects/shop/a.json": one()}
    tree = laid(tmp_path / "tree", files)
    done = varves("import", "hivemind", str(tree), "--json")
    assert done.code == 3
    assert done.json["written"] == 1
    [refused] = done.json["refused"]
    assert refused["message"] == f"memory/projects/shop/{name}: {message}"
    assert (tree / f"memory/projects/shop/{name}").read_text(encoding="utf-8") == content


def test_what_is_no_plain_json_file_is_left_out_and_told(tmp_path, ledger):
    outside = laid(tmp_path / "outside", {"secret.json": one(id="mem_cccccccccccc")})
    tree = laid(tmp_path / "tree", {"memory/projects/shop/a.json": one(), "memory/NOTES.md": "hi"})
    (tree / "memory/projects/shop/link.json").symlink_to(outside / "secret.json")
    (tree / "memory/teams").symlink_to(outside)
    done = ledger.import_("hivemind", str(tree), trust=True)
    assert done.written == 1
    assert {
        "memory/NOTES.md: left out, not JSON",
        "memory/projects/shop/link.json: left out, not a plain file",
        "memory/teams: left out, not a plain file",
    } <= set(done.mappings)


def test_a_file_above_8_mib_is_refused_with_code_3_and_nothing_is_written(
    tmp_path, varves, project
):
    big = one(content={"text": "x" * (11 << 20)})
    tree = laid(tmp_path / "tree", {"memory/projects/shop/a.json": big})
    done = varves("import", "hivemind", str(tree))
    assert done.code == 3
    assert done.err == "varves: refused: memory/projects/shop/a.json: more than 8 MiB\n"
    assert varves("log", "--json").json["events"] == []


@pytest.mark.parametrize("scope_id", ["../evil", "a/b", "..", "con"])
def test_a_scope_id_that_leads_out_of_its_folder_is_not_followed(
    tmp_path, ledger, project, scope_id
):
    tree = laid(tmp_path / "tree", {"memory/x.json": one(scope_id=scope_id)})
    done = ledger.import_("hivemind", str(tree), trust=True)
    assert done.written == 1
    memory = ledger.show("mem_aaaaaaaaaaaa")
    assert memory.scope == f"project:{project.name}"
    assert memory.extra["was"]["scope_id"] == scope_id
    assert not (project / "evil").exists()


def test_a_secret_in_a_foreign_file_is_masked_and_told(tmp_path, ledger):
    key = "AKIA" + "IOSFODNN7EXAMPLQ"
    tree = laid(tmp_path / "tree", {"memory/projects/shop/a.json": one(content=f"key {key}")})
    done = ledger.import_("hivemind", str(tree), trust=True)
    assert key not in ledger.show("mem_aaaaaaaaaaaa").text
    assert "secrets masked" in told(done, "memory/projects/shop/a.json")


def test_a_purged_id_does_not_come_back(tmp_path, ledger):
    tree = laid(tmp_path / "tree", {"memory/projects/shop/a.json": one()})
    ledger.import_("hivemind", str(tree), trust=True)
    ledger.purge("mem_aaaaaaaaaaaa", reason="gone for good")
    done = ledger.import_("hivemind", str(tree), trust=True)
    assert done.written == 0
    assert "was purged" in done.refused[0].message


def test_a_folder_that_is_not_there_is_a_usage_error(varves):
    done = varves("import", "hivemind", "nowhere")
    assert done.code == 2
    assert done.err == "varves: no folder nowhere; give the folder that contains the memory files\n"


def test_a_tree_where_our_own_files_go_is_taken_over_once(ledger, project):
    shutil.copytree(TREE, project / "memory")
    first = ledger.import_("hivemind", str(project / "memory"), trust=True)
    assert first.written > 0
    events = len(ledger.log())
    again = ledger.import_("hivemind", str(project / "memory"), trust=True)
    assert again.written == 0
    assert len(ledger.log()) == events
    kept = json.loads((project / "memory/teams/qa/known-bugs.json").read_text(encoding="utf-8"))
    assert kept["id"] == "mem_077aca7a89c5"
    assert not (project / "memory/teams/qa/mem_077aca7a89c5.json").exists()


AGENT = {
    "agent_id": "DEV-001",
    "summary": "Designs the ovens",
    "priority": "high",
    "memory_profile": {
        "created_at": "2025-05-01T00:00:00Z",
        "last_updated": "2025-06-01T00:00:00Z",
    },
}


@pytest.mark.requirement("U-18")
def test_an_agents_profile_keeps_its_summary_dates_and_priority(tmp_path, ledger, project):
    tree = laid(tmp_path / "tree", {"memory/agents/DEV-001/_memory.json": AGENT})
    ledger.import_("hivemind", str(tree), trust=True)
    [line] = json.loads(
        (project / "memory/agents/DEV-001/_index.json").read_text(encoding="utf-8")
    )["entries"]
    assert (line["summary"], line["priority"]) == ("Designs the ovens", "high")
    entry = ledger.hivemind.show(line["id"])
    times = (entry["created_at"], entry["updated_at"])
    assert times == ("2025-05-01T00:00:00Z", "2025-06-01T00:00:00Z")


def own_tree(project, **more):
    """Lay an older tree into the checkout itself."""
    files = {
        "memory/projects/shop/mem_aaaaaaaaaaaa.json": one(content={"text": "Bread rises"}),
        "memory/projects/shop/learnings.json": {"learnings": [{"id": "L1", "content": "Rye"}]},
        "memory/agents/DEV-001/_memory.json": AGENT,
    }
    laid(project, files | more)
    return str(project / "memory")


def log_of(project):
    return [path.read_bytes() for path in sorted((project / ".varves").rglob("*.jsonl"))]


@pytest.mark.full_size(sample=1)
@pytest.mark.parametrize("broken", ["memory/notes/x.json", "memory/projects/shop/b.json"])
def test_of_a_tree_in_the_checkout_nothing_is_imported_if_a_file_cannot_be_read(
    varves, project, broken
):
    path = own_tree(project)
    (project / broken).parent.mkdir(exist_ok=True, parents=True)
    (project / broken).write_text('{"id": ', encoding="utf-8")
    before = {file: file.read_bytes() for file in project.rglob("*.json")}
    ran = varves("import", "hivemind", path, "--trust")
    assert ran.code in (3, 5)
    assert broken.rpartition("/")[2] in ran.err
    assert {file: file.read_bytes() for file in project.rglob("*.json")} == before
    assert log_of(project) == []
    (project / broken).unlink()
    assert varves("import", "hivemind", path, "--trust").code == 0


def test_of_a_tree_in_the_checkout_nothing_is_imported_if_one_log_refuses(varves, project):
    profile = {"memory/global/user-profile.json": {"user": {"name": "Mara"}}}
    path = own_tree(project, **profile)
    git(project, "add", "memory")
    git(project, "commit", "-q", "-m", "older memories")
    for dry in (["--dry-run"], []):
        ran = varves("import", "hivemind", path, "--trust", *dry)
        assert ran.code == 3
        assert "memory/global" in ran.err
        assert log_of(project) == []


def test_the_files_of_the_checkout_are_known_and_not_imported_twice(varves, project):
    path = own_tree(project)
    dry = varves("import", "hivemind", path, "--trust", "--dry-run", "--json").json
    done = varves("import", "hivemind", path, "--trust", "--json").json
    assert (dry["written"], dry["known"]) == (done["written"], done["known"]) == (2, 1)
    listed = varves("hivemind", "list", "--json").json["entries"]
    assert len(listed) == 3
    assert varves("hivemind", "validate").code == 0


def test_entries_with_thousands_of_tags_come_in_and_a_long_task_finds_one(tmp_path, ledger):
    now = datetime.now(UTC).isoformat()
    entries = [
        one(
            id=f"mem_{number:012}",
            tags=[f"ticket-{number}"],
            content={"text": f"Ticket {number} was about invoice {number}"},
            created_at=now,
            updated_at=now,
        )
        for number in range(1_200)
    ]
    laid(tmp_path, {"memory/all.json": {"entries": entries}})
    done = ledger.import_("hivemind", str(tmp_path), trust=True)
    assert (done.written, done.refused) == (1_200, ())
    pasted = " ".join("".join(letters) for letters in product("bdfgklmnprstvz", repeat=3))
    found = ledger.hivemind.task(f"Close ticket-777. {pasted}", agent="DEV-001", project="shop")
    assert found.memories[0].entry["id"] == "mem_000000000777"


class Stopped(Exception):
    """Somebody stopped an import."""


def stops_at(number):
    """Return a function that stops an import at its report with this number."""
    reports = []

    def progress(done):
        reports.append(done)
        if len(reports) == number:
            raise Stopped

    return progress, reports


def test_an_import_reports_how_far_it_came_and_leaves_nothing_if_it_is_stopped(tmp_path, project):
    entries = [one(id=f"mem_{number:012}", content=f"Rule {number}") for number in range(250)]
    laid(tmp_path, {f"memory/{each['id']}.json": each for each in entries})
    with package.open(str(project)) as ledger:
        progress, reports = stops_at(0)
        dry = ledger.import_("hivemind", str(tmp_path), trust=True, dry_run=True, progress=progress)
        assert (dry.written, max(reports)) == (250, 250)
        for number in range(1, len(reports)):
            with pytest.raises(Stopped):
                ledger.import_("hivemind", str(tmp_path), trust=True, progress=stops_at(number)[0])
            assert ledger.hivemind.list(type="factual").entries == ()
            assert not list((project / "memory").rglob("mem_*.json"))


def test_what_an_import_recorded_before_it_was_stopped_is_whole(tmp_path, project):
    """A memory comes with its end and its counters, and the next import changes nothing."""
    old = one(id="mem_aaaaaaaaaaaa", superseded_by="mem_bbbbbbbbbbbb", access_count=3)
    new = one(id="mem_bbbbbbbbbbbb", content="Tabs are used", supersedes="mem_aaaaaaaaaaaa")
    laid(tmp_path, {"memory/all.json": {"entries": [old, new]}})
    with package.open(str(project)) as ledger:
        progress, reports = stops_at(0)
        ledger.import_("hivemind", str(tmp_path), trust=True, dry_run=True, progress=progress)
        with pytest.raises(Stopped):  # all is recorded, and not compared or rendered yet
            ledger.import_(
                "hivemind", str(tmp_path), trust=True, progress=stops_at(len(reports))[0]
            )
        assert ledger.show(old["id"]).status == "superseded"
        assert ledger.hivemind.show(old["id"])["access_count"] == 3
        again = ledger.import_("hivemind", str(tmp_path), trust=True)
        assert (again.written, again.known) == (0, 2)
        assert len(list((project / "memory").rglob("mem_*a.json"))) == 1
        assert ledger.hivemind.validate() == ()
