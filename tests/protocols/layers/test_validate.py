"""Validate names every breach with its file, line and rule, and mends nothing."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from tests.protocols.layers.conftest import CONTEXT, GRAPH, LOG, RULES, block

SAMPLES = Path(__file__).parent / "samples"


def logged(site, *blocks):
    """Write a log by hand."""
    site.write(LOG, "# Log\n\n" + "\n".join(blocks))


def found(site, rule):
    return [(one.level, one.place) for one in site.found(rule)]


def test_a_healthy_project_has_no_findings(site):
    (site.root / "src").mkdir()
    site.write("src/app.py", "")
    site.add("One", what="- [[skill-a]] — A — done — pack-x", files=["src/app.py"])
    site.verbs.boot()
    before = site.hashes()
    assert site.verbs.validate() == ()
    assert site.hashes() == before


@pytest.mark.requirement("S1-80")
def test_events_out_of_order_are_named_both(site):
    logged(site, block("2026-01-05 08:30", "Late"), block("2026-01-05 08:00", "Early"))
    [one] = site.found("S1-80")
    assert (one.level, one.place) == ("error", f"{LOG}:20")
    assert "2026-01-05 08:30 Late" in one.message
    assert "2026-01-05 08:00 Early" in one.message


@pytest.mark.requirement("S1-80")
def test_a_log_that_stands_newest_first_and_does_not_say_so_is_told_how(site):
    shutil.copy(SAMPLES / "templatesSB" / "CHANGELOG-seed-format.md", site.root / LOG)
    assert [one.fix.endswith("<!-- varves: newest first -->") for one in site.found("S1-80")] == [
        True,
        True,
    ]
    assert any("newest first" in line for line in site.verbs.boot().warnings)
    site.write(LOG, "<!-- varves: newest first -->\n" + site.read(LOG))
    assert site.found("S1-80") == site.found("S1-81") == []
    booted = site.verbs.boot()
    assert not any("newest first" in line for line in booted.warnings)
    assert booted.context.index("02:00 — Implement") < booted.context.index("01:00 — Create")


@pytest.mark.requirement("S1-80")
def test_equal_times_and_a_bare_date_of_the_same_day_are_in_order(site):
    logged(
        site,
        block("2026-01-05 08:30", "One"),
        block("2026-01-05 08:30", "Two"),
        block("2026-01-05", "Three"),
    )
    assert site.found("S1-80") == []


@pytest.mark.requirement("S1-80")
def test_backward_times_that_a_merge_explains_are_a_note(site):
    logged(site, block("2026-01-05 08:00", "Begin"))
    site.commit()
    site.git("checkout", "--quiet", "-b", "side")
    site.write(LOG, site.read(LOG) + "\n" + block("2026-01-05 08:10", "Side"))
    site.commit("side")
    site.git("checkout", "--quiet", "main")
    site.write(LOG, site.read(LOG) + "\n" + block("2026-01-05 08:20", "Main"))
    site.commit("main")
    site.git("merge", "--quiet", "side", check=False)
    logged(
        site,
        block("2026-01-05 08:00", "Begin"),
        block("2026-01-05 08:20", "Main"),
        block("2026-01-05 08:10", "Side"),
    )
    site.commit("by hand")
    assert [level for level, _ in found(site, "S1-80")] == ["note"]


@pytest.mark.requirement("S1-81")
@pytest.mark.parametrize("where", ["recorded", "committed"])
def test_one_character_of_an_old_event_is_an_error_that_names_it(site, where):
    if where == "recorded":
        name = site.add("One")
        site.add("Two")
    else:
        logged(site, block("2026-01-05 08:00", "One"), block("2026-01-05 08:30", "Two"))
        site.git("add", LOG)
        site.git("commit", "--quiet", "--message", "log")
        name = ""
    site.edit(LOG, "One happened.", "One happened!")
    [one] = site.found("S1-81")
    assert one.level == "error"
    assert name in one.message
    assert "One happened." in one.message
    assert one.place == (f"{LOG}:7" if where == "recorded" else f"{LOG}:3")


@pytest.mark.requirement("S1-82")
@pytest.mark.parametrize(
    "heading",
    ["## An event without a date", "## 2026-13-05 08:00 — Thirteenth", "## 2026/01/05 — S"],
)
def test_a_heading_without_a_time_is_an_error(site, heading):
    logged(site, block("2026-01-05 08:00", "One"), heading + block("x", "x")[4:].lstrip("x —"))
    assert found(site, "S1-82") == [("error", f"{LOG}:20")]


@pytest.mark.requirement("S1-83")
def test_an_event_without_a_type_is_an_error(site):
    logged(site, block("2026-01-05 08:00", "One").replace("**Type:** change\n", ""))
    assert found(site, "S1-83") == [("error", f"{LOG}:3")]


@pytest.mark.requirement("S1-83")
def test_words_outside_the_published_lists_and_missing_parts_are_warnings(site):
    text = block("2026-01-05 08:00", "One", kind="idea").replace("** project", "** galaxy")
    logged(site, text.replace("### Why\nBecause.\n\n", ""))
    levels = {one.rule: one.level for one in site.verbs.validate() if one.place.startswith(LOG)}
    assert levels == {"S1-12": "warning", "S1-13": "warning", "S1-19": "warning"}


@pytest.mark.requirement("S1-84")
def test_a_link_to_a_file_that_never_was_is_an_error_and_one_that_was_a_warning(site):
    for name in ("here.py", "once.py"):
        site.write(name, "x\n")
    site.commit()
    (site.root / "once.py").unlink()
    site.commit("gone")
    text = block("2026-01-05 08:00", "One").replace(
        "Little.", "[a](here.py), [b](once.py#L3), `never.py`, [d](docs/), [c](https://x.org/y.md)"
    )
    (site.root / "docs").mkdir()
    logged(site, text)
    said = [(one.level, one.message.partition(": ")[2]) for one in site.found("S1-84")]
    assert said == [("warning", "once.py no longer exists"), ("error", "never.py does not exist")]


def viewed(site):
    """Give a project with a graph and a context that are up to date."""
    site.write(
        LOG,
        "# Log\n\n"
        + block("2026-01-05 08:00", "One").replace(
            "One happened.",
            "- [[skill-a]] — A — done — pack-x\n- [[skill-b]] — B — draft — pack-x\n\n"
            "**Depends On**\n- [[skill-b]] → [[skill-a]]\n- [[skill-c]] → [[skill-a]]",
        )
        + "\n"
        + block("2026-01-05 08:30", "Two").replace("Two happened.", "- ~~[[skill-c]]~~"),
    )
    site.verbs.boot()
    assert site.verbs.validate() == ()


@pytest.mark.requirement("S1-85")
def test_a_node_that_no_event_names_is_an_error(site):
    viewed(site)
    site.edit(GRAPH, "### Packs", "- [[skill-z]] — Z — done — none\n\n### Packs")
    line = site.read(GRAPH).split("\n").index("- [[skill-z]] — Z — done — none") + 1
    assert found(site, "S1-85") == [("error", f"{GRAPH}:{line}")]


@pytest.mark.full_size(sample=1)
@pytest.mark.requirement("S1-86")
@pytest.mark.parametrize(
    ("edge", "said"),
    [
        ("- [[skill-b]] → [[skill-q]]", "no line defines skill-q"),
        ("- [[skill-a]] → [[skill-b]]", "not stated by any event"),
        ("\n### Admires\n- [[skill-b]] → [[skill-a]]", "no known kind"),
    ],
    ids=["dangling", "unsaid", "unknown-kind"],
)
def test_a_relation_that_is_not_valid_is_an_error(site, edge, said):
    viewed(site)
    site.edit(GRAPH, "### Part Of\n", f"{edge}\n\n### Part Of\n")
    [one] = site.found("S1-86")
    assert (one.level, one.place.partition(":")[0]) == ("error", GRAPH)
    assert said in one.message


@pytest.mark.requirement("S1-87")
def test_a_node_that_no_event_supports_any_more_is_an_error(site):
    viewed(site)
    site.edit(GRAPH, "### Packs", "- [[skill-c]] — C — done — none\n\n### Packs")
    [one] = site.found("S1-87")
    assert one.level == "error"
    assert "skill-c is no longer supported by an event" in one.message


@pytest.mark.requirement("S1-87", "S1-85")
def test_orphans_of_a_graph_that_others_wrote_are_found(site):
    shutil.copy(SAMPLES / "templatesSB" / "CHANGELOG-seed-format.md", site.root / LOG)
    shutil.copy(SAMPLES / "templatesSB" / "graph-e8388c4.md", site.root / GRAPH)
    said = [one.message for one in site.found("S1-87")]
    assert any(line.startswith("skill-101 ") for line in said)
    assert any(line.startswith("skill-102 ") for line in said)
    assert len(site.found("S1-85")) >= 18
    before = site.hashes()
    site.verbs.validate()
    assert site.hashes() == before


@pytest.mark.requirement("S1-88")
def test_a_status_that_is_not_the_logs_is_an_error(site):
    viewed(site)
    site.edit(GRAPH, "— B — draft —", "— B — done —")
    [one] = site.found("S1-88")
    assert one.level == "error"
    assert one.message.startswith("skill-b is done here")


@pytest.mark.requirement("S1-89")
def test_a_context_with_an_old_horizon_is_an_error(site):
    viewed(site)
    old = site.read(CONTEXT)
    site.add("Three")
    site.write(CONTEXT, old)
    assert found(site, "S1-89") == [("error", CONTEXT)]
    assert [one.rule for one in site.verbs.validate() if one.level == "error"] == ["S1-89"]
    site.verbs.boot()
    assert site.verbs.validate() == ()


@pytest.mark.full_size(sample=1)
@pytest.mark.requirement("S1-90")
@pytest.mark.parametrize("how", ["altered", "left out", "swapped"])
def test_recent_events_that_are_not_the_logs_are_an_error(site, how):
    viewed(site)
    first, second = (
        f"- 2026-01-05 08:{m} — {t} (change, project)" for m, t in (("30", "Two"), ("00", "One"))
    )
    if how == "altered":
        site.edit(CONTEXT, first, first.replace("Two", "Too"))
    elif how == "left out":
        site.edit(CONTEXT, f"{second}\n", "")
    else:
        site.edit(CONTEXT, f"{first}\n{second}", f"{second}\n{first}")
    [one] = site.found("S1-90")
    assert one.level == "error"
    assert one.place.startswith(CONTEXT)


@pytest.mark.requirement("S1-90")
def test_an_event_that_is_in_the_log_is_not_said_to_be_in_none(site):
    site.add("One")
    site.add("Two")
    site.add("Three")
    whole = site.read(LOG)
    two, three = (whole.index(f"## 2026-01-05 09:00 — {t}") for t in ("Two", "Three"))
    site.write(LOG, whole[:two] + whole[three:])
    site.verbs.boot()
    site.write(LOG, whole)
    assert [one.message for one in site.found("S1-90")] == [
        "the recent events are not the last of the log"
    ]


@pytest.mark.requirement("S1-91")
def test_an_active_entity_that_the_graph_has_not_is_an_error(site):
    viewed(site)
    site.edit(
        CONTEXT, "## Active Entities\n", "## Active Entities\n- [[skill-z]] — Z — done — none\n"
    )
    [one] = site.found("S1-91")
    assert one.level == "error"
    assert one.message == "skill-z is not in the graph"


@pytest.mark.full_size(sample=1)
@pytest.mark.requirement("S1-92")
@pytest.mark.parametrize("step", ["", "- TODO", "- TBD.", "- ...", "- <next step>", "none"])
def test_next_actions_that_say_nothing_are_a_warning(site, step):
    text = block("2026-01-05 08:00", "One").replace("- Oil the hinges\n", f"{step}\n")
    logged(site, text)
    site.verbs.boot()
    assert [level for level, _ in found(site, "S1-92")] == ["warning"]


@pytest.mark.requirement("S1-92")
def test_the_next_actions_that_are_not_clear_are_named(site):
    vague = ("stuff", "Maybe", "continue", "Do it", "Ask", "More work", "Keep going", "tbc later")
    vague += ("things", "Carry on", "Perhaps later", "work on it", "Fix this", "Same as before")
    clear = ("Ask Mira", "Deploy", "Deploy 2.1", "Call Bo", "Fix login", "Do the dishes", "Lunch")
    clear += ("Continue with the second chapter", "Maybe paint the fence blue", "続ける", "Rest")
    steps = "\n".join(f"- {step}" for step in (*vague, *clear))
    site.settings("actions = 50")
    site.add("Plan", next=steps)
    told = [one.message for one in site.found("S1-92")]
    assert told == [f"the next action is not clear: {step}" for step in vague]


@pytest.mark.requirement("S1-92")
def test_a_clear_next_action_is_none(site):
    logged(
        site,
        block("2026-01-05 08:00", "One").replace("- Oil the hinges", "- TODO: write the parser"),
    )
    site.verbs.boot()
    assert site.found("S1-92") == []


@pytest.mark.requirement("S1-93")
def test_one_command_says_where_we_are(site):
    site.add("One", type="decision")
    (site.root / CONTEXT).write_text("lost\n", encoding="utf-8")
    told = site.verbs.context()
    assert told.stale == "foreign"
    assert "2026-01-05 09:00 — One (decision, project)" in told.text
    assert site.read(CONTEXT) == told.text
    assert site.verbs.context().stale is None


@pytest.mark.requirement("S1-94")
def test_one_command_says_whether_the_graph_is_stale_and_makes_it_again(site):
    site.add("One", what="- [[skill-a]] — A — done — none")
    done = site.verbs.graph_rebuild()
    assert (done.stale, done.regenerated) == ({GRAPH: "behind"}, (GRAPH,))
    assert "[[skill-a]]" in site.read(GRAPH)
    done = site.verbs.graph_rebuild()
    assert (done.stale, done.regenerated) == ({}, ())


@pytest.mark.requirement("S1-95")
def test_one_command_finds_in_the_graph_then_in_the_log(site):
    site.add("Parser", what="- [[skill-parse]] — Reader of tokens — done — none")
    site.add("Lexer", what="Only the log speaks of zebras.")
    found = [(one.source, one.id) for one in site.verbs.find("TOKENS").hits]
    assert found[0] == ("graph", "skill-parse")
    assert [source for source, _ in found] == ["graph", "log"]
    [hit] = site.verbs.find("zebras log").hits
    assert hit.source == "log"
    line = int(hit.place.partition(":")[2])
    assert hit.place.startswith(LOG)
    assert "zebras" in site.read(LOG).split("\n")[line - 1] == hit.line
    assert site.verbs.find("unicorn").hits == ()


@pytest.mark.requirement("S1-96")
def test_of_two_agents_the_later_event_wins_and_both_stay(site):
    site.again(actor="ada").append(
        type="change", scope="skill", title="Ada", what="- [[skill-a]] — A — done — none", why="y"
    )
    site.again(actor="bob").append(
        type="change", scope="skill", title="Bob", what="- [[skill-a]] — A — broken — none", why="y"
    )
    assert site.verbs.graph_query(id="skill-a")[0].status == "broken"
    hits = [one.title for one in site.verbs.find("skill-a").hits if one.source == "log"]
    assert hits == ["2026-01-05 09:00 Bob", "2026-01-05 09:00 Ada"]
    assert [one.actor for one in site.events("log.entry")] == ["ada", "bob"]


@pytest.mark.requirement("S1-97")
def test_one_command_makes_both_views_again(site):
    viewed(site)
    before = site.hashes()
    site.write(GRAPH, "# Knowledge Graph\n<<<<<<< HEAD\n")
    (site.root / CONTEXT).write_bytes(b"\xff\xfe")
    done = site.verbs.rebuild()
    assert set(done.regenerated) == {GRAPH, CONTEXT}
    assert site.hashes() == before
    assert site.verbs.validate() == ()


@pytest.mark.requirement("S1-98")
def test_the_section_for_the_rules_is_printed_and_its_lack_is_a_warning(site):
    text = site.verbs.agents_section()
    assert text.startswith("## Memory System Protocol\n")
    for path in ("AGENTS.md", LOG, GRAPH, CONTEXT):
        assert path in text
    site.write("AGENTS.md", RULES.partition("## Memory")[0])
    before = site.hashes("AGENTS.md")
    assert found(site, "S1-98") == [("warning", "AGENTS.md")]
    site.verbs.agents_section()
    assert site.hashes("AGENTS.md") == before
    site.write("AGENTS.md", RULES.partition("## Memory")[0] + text)
    assert site.found("S1-98") == []


@pytest.mark.full_size(sample=1)
@pytest.mark.parametrize("name", ["CHANGELOG-seed-format.md", "CHANGELOG-evt-section-0a56d75.md"])
def test_logs_that_others_wrote_are_judged_and_left_as_they_are(site, name):
    shutil.copy(SAMPLES / "templatesSB" / name, site.root / LOG)
    before = site.hashes(LOG)
    site.verbs.boot()
    assert site.verbs.validate()
    assert site.hashes(LOG) == before
    counted = {"CHANGELOG-seed-format.md": 3, "CHANGELOG-evt-section-0a56d75.md": 13}[name]
    assert len(site.events("log.entry")) == counted
    if counted == 3:
        assert len(site.found("S1-80")) == 2
