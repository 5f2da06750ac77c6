"""A session begins: rules, views and the state of the work, all from files."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tests.protocols.layers.conftest import CONTEXT, FOUR, GRAPH, LOG, RULES, block
from varves.errors import NotFound, Refused

SAMPLES = Path(__file__).parent / "samples"

WATCHED = """
import sys
seen = []
sys.addaudithook(lambda name, args: seen.append(str(args[0])) if name == "open" else None)
import varves
with varves.open(sys.argv[1], session="s1") as ledger:
    layers = ledger.layers
    layers.boot()
    layers.append(type="change", scope="file", title="T", what="w", why="y")
    layers.graph_query()
    layers.graph_rebuild()
    layers.context()
    layers.find("T")
    layers.rebuild()
    print(layers.constraints()["do"])
print(sum(path.endswith("AGENTS.md") for path in seen))
"""


@pytest.mark.requirement("S1-01")
def test_init_creates_or_finds_the_four_files(bare):
    bare.write("AGENTS.md", RULES)
    made = bare.verbs.init()
    assert set(made.created) == {LOG, GRAPH, CONTEXT, ".memory/.gitignore"}
    assert made.found == ("AGENTS.md",)
    assert all((bare.root / path).is_file() for path in FOUR)
    before = bare.hashes()
    again = bare.verbs.init()
    assert again.created == ()
    assert set(FOUR) <= set(again.found)
    assert bare.hashes() == before


def test_init_without_rules_says_so_and_writes_none(bare):
    made = bare.verbs.init()
    assert made.missing == ("AGENTS.md",)
    assert not (bare.root / "AGENTS.md").exists()
    assert any("AGENTS.md" in note for note in bare.notes)


@pytest.mark.requirement("S1-02")
def test_the_rules_are_read_once_in_a_session(site):
    site.close()
    done = subprocess.run(
        [sys.executable, "-c", WATCHED, str(site.root)],
        env=os.environ,
        capture_output=True,
        encoding="utf-8",
        check=True,
    )
    assert done.stdout.splitlines() == ["['Run the tests', 'Say why']", "1"]


@pytest.mark.requirement("S1-03", "S1-45")
def test_no_verb_writes_the_rules(site):
    before = site.hashes("AGENTS.md")
    site.verbs.init(begin=True)
    site.verbs.boot()
    name = site.add("One")
    site.verbs.append_text(block("2026-01-05 09:00", "Two"))
    site.verbs.graph_show()
    site.verbs.graph_rebuild()
    site.verbs.context()
    site.verbs.find("One")
    site.verbs.constraints()
    site.verbs.agents_section()
    site.verbs.validate()
    site.verbs.merge()
    site.edit(LOG, "One happened.", "One did not happen.")
    site.verbs.resolve(name, accept=True)
    site.verbs.rebuild()
    site.commit()
    site.verbs.shutdown(text=block("2026-01-05 09:00", "Three"), to="USER")
    site.verbs.accept()
    assert site.hashes("AGENTS.md") == before


@pytest.mark.requirement("S1-04")
def test_a_change_of_the_rules_during_a_session_is_a_finding_that_stops_shutdown(site):
    site.again(session="s1").boot()
    site.add("Work")
    site.edit("AGENTS.md", "- Guess", "- Guess twice")
    assert [(one.level, one.place) for one in site.found("S1-04")] == [("error", "AGENTS.md")]
    before = site.hashes()
    with pytest.raises(Refused) as refused:
        site.verbs.shutdown(commit=False)
    assert "AGENTS.md has changed" in refused.value.message
    assert refused.value.exit != 0
    assert site.hashes() == before


@pytest.mark.requirement("S1-05")
def test_a_change_of_the_rules_between_sessions_is_the_next_rule_set(site):
    site.again(session="s1").boot()
    site.edit("AGENTS.md", "- Guess", "- Guess twice")
    booted = site.again(session="s2").boot()
    assert booted.constraints["dont"] == ["Guess twice"]
    assert booted.findings == ()
    assert site.found("S1-04") == []


@pytest.mark.requirement("S1-06")
def test_the_parts_of_the_rules_are_read_by_heading(site):
    booted = site.verbs.boot()
    assert booted.constraints == {
        "do": ["Run the tests", "Say why"],
        "dont": ["Guess"],
        "naming": ["Files in kebab-case"],
        "workflow": ["Boot", "Work"],
        "files": ["CHANGELOG.md | the log"],
    }
    assert booted.warnings == ()


@pytest.mark.full_size(sample=2)
@pytest.mark.requirement("S1-06")
@pytest.mark.parametrize(
    ("heading", "part"),
    [
        ("### ✅ DO", "do"),
        ("## Do's", "do"),
        ("**Always:**", "do"),
        ("#### Do Not", "dont"),
        ("## DON\u2019TS", "dont"),
        ("Never:", "dont"),
        ("## ❌ Don't do this", "dont"),
        ("## Conventions", "naming"),
        ("## Development Workflow", "workflow"),
        ("## Key File Roles", "files"),
    ],
    ids=lambda value: str(value).encode("ascii", "replace").decode(),
)
def test_the_wording_of_a_heading_does_not_matter(site, heading, part):
    site.write("AGENTS.md", f"# Rules\n\n{heading}\n\n* One thing\n* Another\n\n## More\n- No\n")
    booted = site.verbs.boot()
    assert booted.constraints[part] == ["One thing", "Another"]
    assert [name for name, said in booted.constraints.items() if said] == [part]


@pytest.mark.requirement("S1-06")
def test_rules_without_do_and_dont_are_warnings(site):
    shutil.copy(SAMPLES / "wcp-v3" / "AGENTS.md", site.root / "AGENTS.md")
    booted = site.verbs.boot()
    sentence = "**Always `cd` into the service directory before running commands.**"
    assert booted.constraints["do"] == [sentence]  # in a paragraph below another heading
    assert booted.constraints["dont"] == []
    assert len(booted.constraints["naming"]) == 4
    assert "no Don't rules" in " ".join(booted.warnings)
    text = site.read("AGENTS.md")
    site.write("AGENTS.md", text.replace(sentence, ""))
    assert "no Do rules" in " ".join(site.verbs.boot().warnings)


@pytest.mark.requirement("S1-06")
def test_a_rule_over_several_lines_is_told_whole(site):
    site.write(
        "AGENTS.md",
        "## Do\n- Keep functions short,\n  and never\n  longer than a page\n- Test\n\nProse.\n"
        "## Don't\n1. Guess\n   twice\n",
    )
    told = site.verbs.boot().constraints
    assert told["do"] == ["Keep functions short, and never longer than a page", "Test"]
    assert told["dont"] == ["Guess twice"]


def test_the_rules_may_be_a_link_to_those_of_another_client(site):
    rules = site.root / "AGENTS.md"
    rules.rename(site.root / "CLAUDE.md")
    rules.symlink_to("CLAUDE.md")
    ready = site.verbs.boot()
    assert ready.constraints["do"] != []
    assert rules.is_symlink()


def test_code_in_the_rules_is_no_rule(site):
    site.write("AGENTS.md", "## Do\n- One\n```md\n## Don't\n- Shown\n```\n- Two\n")
    assert site.verbs.boot().constraints["do"] == ["One", "Two"]
    assert site.verbs.boot().constraints["dont"] == []


@pytest.mark.requirement("S1-46")
def test_without_rules_boot_stops_and_writes_nothing(bare):
    with pytest.raises(NotFound) as stopped:
        bare.verbs.boot()
    assert stopped.value.exit == 4
    assert "AGENTS.md" in stopped.value.message
    assert stopped.value.hint
    assert [path.name for path in bare.root.iterdir()] == [".git"]


@pytest.mark.requirement("S1-46")
def test_a_project_that_never_had_rules_boots_right_after_init_and_ends_its_session(bare):
    bare.verbs.init()
    ready = bare.verbs.boot()
    assert "there is no AGENTS.md yet" in " ".join(ready.warnings)
    bare.add("One")
    assert bare.verbs.shutdown().commit
    assert "One" in bare.verbs.boot().context
    bare.write("AGENTS.md", "# Rules\n\n## Do\n- Test\n")
    assert [one.rule for one in bare.verbs.validate() if one.level == "error"] == ["S1-04"]
    assert bare.verbs.boot().constraints["do"] == ["Test"]
    (bare.root / "AGENTS.md").unlink()
    with pytest.raises(NotFound):
        bare.verbs.boot()


@pytest.mark.full_size(sample=1)
@pytest.mark.requirement("S1-48")
@pytest.mark.parametrize("gone", [(CONTEXT,), (GRAPH,), (GRAPH, CONTEXT)], ids="+".join)
def test_a_view_that_is_missing_is_made_again_by_boot(site, gone):
    for number in range(3):
        site.add(f"Event {number}", what=f"[[skill-{number}]] began.")
    site.verbs.boot()
    before = site.hashes()
    for path in gone:
        (site.root / path).unlink()
    booted = site.verbs.boot()
    assert booted.stale == tuple(f"{path}: missing" for path in sorted(gone))
    assert set(booted.regenerated) == set(gone)
    assert site.hashes() == before


@pytest.mark.requirement("S1-48", "S1-33")
def test_stale_views_are_made_again_by_boot(site):
    site.verbs.boot()
    late = block("2026-01-05 09:00", "Late").replace("Late happened.", "[[skill-late]] began.")
    site.write(LOG, f"{site.read(LOG)}\n{late}")
    assert "skill-late" not in site.read(GRAPH) + site.read(CONTEXT)
    booted = site.verbs.boot()
    assert booted.stale == (f"{CONTEXT}: behind", f"{GRAPH}: behind")
    assert "- [[skill-late]] — skill-late — unknown — none" in site.read(GRAPH)
    assert "[[skill-late]]" in site.read(CONTEXT)
    assert site.verbs.boot().regenerated == ()


@pytest.mark.requirement("S1-50")
def test_boot_reports_ready_with_rules_trajectory_and_graph(site):
    site.add("Begin", type="decision", what="- [[skill-a]] → [[skill-b]]")
    booted = site.again(session="s1").boot()
    assert booted.session == "s1"
    assert booted.constraints["do"] == ["Run the tests", "Say why"]
    assert booted.context == site.read(CONTEXT)
    assert "Begin" in booted.context
    assert booted.graph == {"entities": 2, "relations": 1}


@pytest.mark.requirement("S1-50")
def test_an_agent_reads_rules_trajectory_and_graph_from_the_command(site, varves):
    site.add("Begin", type="decision", what="- [[skill-a]] → [[skill-b]]")
    site.close()
    said = varves("--session", "s1", "layers", "boot")
    assert said.code == 0
    rules, _, rest = said.out.partition("# Current Context\n")
    assert rules == (
        "# Constraints\n\n## Do\n- Run the tests\n- Say why\n\n## Don't\n- Guess\n\n"
        "## Naming conventions\n- Files in kebab-case\n\n## Workflow\n- Boot\n- Work\n\n"
        "## Key files\n- CHANGELOG.md | the log\n\n"
    )
    context = site.read(CONTEXT)
    assert said.out.startswith(rules + context)
    assert rest.endswith(
        "\nGraph: 2 entities, 1 relation"
        " (varves layers graph query, path, neighbours, depends; varves layers find)\n"
    )
    assert "session s1 ready" in said.err


@pytest.mark.requirement("S1-51")
def test_constraints_are_listed_without_the_file(site):
    site.again(session="s1").boot()
    (site.root / "AGENTS.md").unlink()
    assert site.verbs.constraints()["dont"] == ["Guess"]
    assert site.again(session="s1").constraints()["dont"] == ["Guess"]


@pytest.mark.requirement("S1-52")
def test_reading_verbs_write_nothing(site):
    site.verbs.boot()
    site.commit()
    site.add("Late", what="- [[skill-a]] → [[skill-b]]")
    site.write(LOG, site.read(LOG) + "\n" + block("2026-01-05 09:00", "By hand"))
    before, status = site.hashes(), site.git("status", "--porcelain")
    verbs = site.verbs
    assert "By hand" in verbs.context(write=False).text
    assert [one.id for one in verbs.graph_query()] == ["skill-a", "skill-b"]
    assert verbs.graph_path("skill-a", "skill-b").path == ("skill-a", "skill-b")
    assert verbs.graph_neighbours("skill-a").neighbours[0].entity.id == "skill-b"
    assert verbs.graph_depends("skill-a")[0].id == "skill-b"
    assert verbs.graph_cycles() == ()
    assert "[[skill-b]]" in verbs.graph_show().text
    assert verbs.find("By hand").hits
    assert verbs.validate()
    assert verbs.constraints()
    assert verbs.agents_section()
    assert site.hashes() == before
    assert site.git("status", "--porcelain") == status


@pytest.mark.full_size(sample=1)
@pytest.mark.requirement("S1-63")
@pytest.mark.parametrize("kept", ["committed", "nowhere"])
def test_without_the_ledger_the_four_files_are_enough(site, kept):
    site.add("One", what="- [[skill-a]] → [[skill-b]]")
    site.add("Two", what="- [[skill-b]] — B — done — pack-x")
    site.verbs.boot()
    if kept == "committed":
        site.commit()
    before = site.hashes()
    site.close()
    shutil.rmtree(site.root / ".varves")
    shutil.rmtree(site.root / ".git" / "varves", ignore_errors=True)
    for path in (GRAPH, CONTEXT):
        (site.root / path).unlink()
    assert [rule for level, rule, _ in site.rules() if level == "error"] == []
    booted = site.verbs.boot()
    assert booted.graph == {"entities": 3, "relations": 2}
    assert site.hashes() == before
    assert [rule for level, rule, _ in site.rules() if level == "error"] == []
    known = len(site.events("log.entry"))
    assert known == (0 if kept == "committed" else 2)


def test_a_log_that_git_still_holds_is_not_begun_anew(site):
    site.add("One")
    site.commit()
    shutil.rmtree(site.root / ".varves")
    site.verbs.boot()
    site.add("Two")
    assert any("git checkout -- .varves" in note for note in site.notes)
    assert site.events("log.entry") == []
    site.git("checkout", "--", ".varves")
    booted = site.verbs.boot()
    assert len(booted.adopted) == 1
    assert [one.data["title"] for one in site.events("log.entry")] == ["One", "Two"]


@pytest.mark.full_size(sample=1)
@pytest.mark.requirement("S1-64")
@pytest.mark.parametrize("committed", [True, False], ids=["in-git", "not-in-git"])
def test_a_log_that_is_gone_is_reported_and_not_made_again(site, committed):
    site.add("One")
    site.add("Two")
    site.verbs.boot()
    if committed:
        site.commit()
    text = site.read(LOG)
    (site.root / LOG).unlink()
    booted = site.verbs.boot()
    assert "the file is missing, but 2 events of it are known" in booted.findings[0]
    assert [one.place for one in site.found("S1-64")] == [LOG]
    with pytest.raises(NotFound):
        site.add("Three")
    with pytest.raises(NotFound):
        site.verbs.rebuild()
    site.verbs.init()
    site.verbs.context()
    assert not (site.root / LOG).exists()
    done = site.verbs.resolve(accept=False)
    assert done.status == "restored"
    assert site.read(LOG) == text
    assert site.rules() == []


@pytest.mark.requirement("S1-64")
def test_without_ledger_and_git_only_the_views_tell_that_a_log_was_there(site):
    site.add("One")
    site.verbs.boot()
    site.close()
    shutil.rmtree(site.root / ".varves")
    shutil.rmtree(site.root / ".git" / "varves", ignore_errors=True)
    (site.root / LOG).unlink()
    before = site.hashes()
    assert any("is missing" in line for line in site.verbs.boot().warnings)
    assert [one.place for one in site.found("S1-64")] == [LOG]
    site.verbs.init()
    assert site.hashes() == before


def test_a_list_of_releases_is_left_alone(site):
    shutil.copy(SAMPLES / "wcp-v3" / "CHANGELOG.md", site.root / LOG)
    before = site.hashes(LOG)
    booted = site.verbs.boot()
    assert any("is not changed" in line for line in booted.warnings)
    site.verbs.init()
    site.verbs.validate()
    with pytest.raises(Refused) as refused:
        site.add("One")
    assert refused.value.exit == 3
    assert "--begin" in refused.value.hint
    assert site.hashes(LOG) == before
    assert site.events("log.entry") == []


def test_a_log_is_begun_in_a_list_of_releases_when_that_is_asked_for(site):
    shutil.copy(SAMPLES / "wcp-v3" / "CHANGELOG.md", site.root / LOG)
    before = site.read(LOG)
    site.verbs.init(begin=True)
    site.add("One")
    assert site.read(LOG).startswith(before)
    assert [one.data["title"] for one in site.events("log.entry")] == ["One"]
    again = site.read(LOG)
    site.verbs.init(begin=True)
    assert site.read(LOG) == again


def closed(root, *, mode):
    for path in (root, *root.rglob("*")):
        if ".git" not in path.parts and not path.is_symlink():
            path.chmod((0o755 if path.is_dir() else 0o644) & mode)


@pytest.mark.full_size(sample=1)
@pytest.mark.requirement("S1-50")
@pytest.mark.parametrize("seen", [True, False])
def test_a_read_only_checkout_boots_and_nothing_is_written(site, seen):
    site.add("One", what="- [[login]] — Login — done — pack-auth")
    if seen:
        site.verbs.boot()
    site.write(LOG, site.read(LOG) + "\n" + block("2026-01-05 09:00", "By hand"))
    site.commit()
    site.close()
    before = site.hashes()
    closed(site.root, mode=0o555)
    try:
        ready = site.verbs.boot()
        assert "By hand" in ready.context
        assert ready.constraints["do"] == ["Run the tests", "Say why"]
        assert ready.graph == {"entities": 2, "relations": 1}
        assert ready.regenerated == ()
        assert "read-only" in " ".join(site.notes)
        assert site.hashes() == before
    finally:
        closed(site.root, mode=0o777)
    assert site.git("status", "--short") == ""
    assert site.verbs.boot().regenerated == ()  # git tracks the views
    assert ".memory/context.md" in site.verbs.rebuild().regenerated
