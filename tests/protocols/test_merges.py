"""Two branches write through protocols, git merges them as it can, and nothing is lost."""

from __future__ import annotations

import pytest

from tests.places import local_of
from tests.protocols.layers.conftest import RULES

BOTH = ("scoped", "hivemind")


def write(ledger, protocol, text):
    """Write one project entry through a protocol."""
    if protocol == "scoped":
        return ledger.scoped.write("project", "p", type="pattern", content=text).id
    return ledger.hivemind.write(type="factual", content={"text": text}, scope="project:p").id


def texts(clone, protocol):
    """Return what the project's files of one protocol say, sorted."""
    if protocol == "scoped":
        entries = clone.read("memory/projects/p/memory.json")["entries"]
        return sorted(entry["content"] for entry in entries)
    index = clone.read("memory/projects/p/_index.json")
    paths = [entry["file_path"] for entry in index["entries"]]
    found = [clone.read(f"memory/projects/p/{path}")["content"] for path in paths]
    return sorted(one["text"] for one in found if "text" in one)


@pytest.fixture
def pair(clone):
    """Give two clones of one project in which both protocols hold an entry."""
    ours = clone()
    ledger = ours.at("2026-11-15T08:00:00Z")
    ledger.init(protocols=BOTH)
    ledger.hivemind.session_start(project="p")
    for protocol in BOTH:
        write(ledger, protocol, "The build needs make")
    ours.commit("begin")
    theirs = clone("theirs", ours)
    return ours, theirs


def diverge(ours, theirs):
    """Let each side write two entries through both protocols, and commit."""
    for side, clone in (("our", ours), ("their", theirs)):
        ledger = clone.at("2026-11-15T09:00:00Z")
        for protocol in BOTH:
            for what in ("api", "database"):
                write(ledger, protocol, f"On {side} branch the {what} has its own port")
        clone.commit(side)


def test_after_a_merge_with_conflicts_every_record_of_both_sides_is_there_once(pair):
    ours, theirs = pair
    diverge(ours, theirs)

    ours.git("pull", "--quiet", "--no-rebase", "--no-edit", theirs.root, "main", check=False)
    ours.at("2026-11-15T10:00:00Z").rebuild()

    expected = sorted(
        ["The build needs make"]
        + [
            f"On {side} branch the {what} has its own port"
            for side in ("our", "their")
            for what in ("api", "database")
        ]
    )
    for protocol in BOTH:
        assert texts(ours, protocol) == expected
    entries = ours.read("memory/projects/p/memory.json")["entries"]
    numbers = [entry["id"] for entry in entries]
    assert sorted(numbers) == ["mem-001", "mem-002", "mem-003", "mem-004", "mem-005"]
    assert not any(b"<<<<<<<" in content for content in ours.files().values())
    assert [m.status for m in ours.at("2026-11-15T10:00:01Z").list(status="forgotten")] == []


def test_the_earlier_of_two_equal_numbers_keeps_it_and_the_next_write_fixes_the_other(pair):
    ours, theirs = pair
    diverge(ours, theirs)
    ours.git("pull", "--quiet", "--no-rebase", "--no-edit", theirs.root, "main", check=False)
    ours.at("2026-11-15T10:00:00Z").rebuild()
    before = {e["id"]: e["content"] for e in ours.read("memory/projects/p/memory.json")["entries"]}

    ledger = ours.at("2026-11-15T10:00:01Z")
    name = ledger.scoped.write("project", "p", type="pattern", content="A sixth thing").id
    after = {e["id"]: e["content"] for e in ours.read("memory/projects/p/memory.json")["entries"]}

    assert name == "mem-006"
    assert after == before | {"mem-006": "A sixth thing"}
    fixed = [e for e in ledger.log(kind="memory.revised") if "number" in e.data.get("set", {})]
    assert sorted(e.data["set"]["number"] for e in fixed) == [4, 5]


def test_two_clones_at_one_commit_render_the_same_bytes(pair):
    ours, theirs = pair
    diverge(ours, theirs)
    ours.git("pull", "--quiet", "--no-rebase", "--no-edit", theirs.root, "main", check=False)
    ours.at("2026-11-15T10:00:00Z").rebuild()
    ours.commit("merged")
    theirs.git("pull", "--quiet", "--no-edit", ours.root, "main")

    ledger = theirs.at("2026-11-16T10:00:00Z")  # and its private and global ledgers hold more
    ledger.remember("The database port is a secret of mine", private=True)
    ledger.scoped.write("global", type="preference", content="Tabs over spaces", confidence=0.95)
    ledger.hivemind.session_start(project="p")
    ledger.hivemind.task("Open the database port", project="p")
    ledger.rebuild()

    assert theirs.files(tracked=True) == ours.files(tracked=True)
    assert theirs.git("status", "--porcelain") == ""


def test_a_removed_entry_on_one_branch_stays_removed_after_the_merge(pair):
    ours, theirs = pair
    diverge(ours, theirs)
    ledger = theirs.at("2026-11-15T09:30:00Z")
    ledger.scoped.forget("mem-001", scope="project", project="p", reason="Outdated")
    theirs.commit("forget")

    ours.git("pull", "--quiet", "--no-rebase", "--no-edit", theirs.root, "main", check=False)
    ours.at("2026-11-15T10:00:00Z").rebuild()

    assert "The build needs make" not in texts(ours, "scoped")
    assert "The build needs make" in texts(ours, "hivemind")


# Parties and layers

SIDECAR = "_mdan/state/sidecars/ada.sidecar.json"
STATE = "_mdan/state/MDAN-STATE.json"
LOG, GRAPH, CONTEXT = "CHANGELOG.md", ".memory/graph.md", ".memory/context.md"
EVENT = {"type": "change", "scope": "project", "what": "It was done.", "why": "Asked."}


def hold(ledger, content, agents=("ada", "ben")):
    """Hold a party that leaves one memory."""
    ledger.party.start(agents=agents)
    ledger.party.remember("ada", type="context", content=content, confidence=0.9)
    return ledger.party.end()


def append(ledger, title):
    ledger.layers.append(**EVENT, title=title, impact="None.", next="- Rest")
    ledger.layers.boot()


def work(ledger, text):
    """Let both protocols keep something."""
    hold(ledger, text)
    append(ledger, text)


@pytest.fixture
def parted(clone):
    """Give two clones of a project with parties and layers, each with work of its own, merged."""
    ours = clone()
    (ours.root / "AGENTS.md").write_text(RULES, encoding="utf-8")
    work(ours.at("2026-11-15T08:00:00Z"), "Known to both")
    ours.commit("begin")
    theirs = clone("theirs", ours)
    for side, text in ((ours, "From our side"), (theirs, "From their side")):
        work(side.at("2026-11-15T09:00:00Z"), text)
        side.commit(text)
    ours.without_driver()
    ours.git("pull", "--quiet", "--no-rebase", "--no-edit", theirs.root, "main", check=False)
    for path in (SIDECAR, LOG):
        assert b"<<<<<<<" in (ours.root / path).read_bytes()
    return ours, theirs


def settle(ours):
    ledger = ours.at("2026-11-15T10:00:00Z")
    ledger.layers.merge()
    ledger.rebuild()
    return ledger


@pytest.mark.requirement("U-07")
def test_after_a_merge_both_sides_parties_and_events_are_there_once(parted):
    ours, theirs = parted
    settle(ours)
    said = ["From our side", "From their side", "Known to both"]
    sidecar = ours.read(SIDECAR)
    assert sorted(one["content"] for one in sidecar["memories"]) == said
    assert sidecar["sessions_participated"] == 3
    entry = ours.read(STATE)["agent_sidecars"]["ada"]
    assert (entry["memory_count"], entry["sessions"]) == (3, 3)
    text = (ours.root / LOG).read_text(encoding="utf-8")
    assert [text.count(f"— {one}\n") for one in said] == [1, 1, 1]
    assert "<<<<<<<" not in text
    ours.commit("merged")

    theirs.git("pull", "--quiet", "--no-edit", ours.root, "main")
    ledger = theirs.at("2026-11-16T10:00:00Z")
    ledger.rebuild()
    ledger.layers.boot()
    for path in (SIDECAR, STATE, LOG, GRAPH, CONTEXT):
        assert (theirs.root / path).read_bytes() == (ours.root / path).read_bytes(), path
    assert theirs.git("status", "--porcelain") == ""
    assert ledger.party.validate() == ()
    assert ledger.layers.validate() == ()
    for one in (ours, theirs):
        statuses = {each.status for each in one.at("2026-11-16T11:00:00Z").list(status="all")}
        assert statuses == {"active"}


@pytest.mark.requirement("U-07")
def test_a_party_may_begin_where_git_left_its_marks_in_a_sidecar(parted):
    ours, _ = parted
    ledger = ours.at("2026-11-15T10:00:00Z")
    hold(ledger, "After the merge")
    contents = [one["content"] for one in ours.read(SIDECAR)["memories"]]
    assert sorted(contents) == [
        *("After the merge", "From our side", "From their side", "Known to both"),
    ]
    assert ledger.party.validate() == ()


@pytest.mark.requirement("U-02")
def test_the_state_file_does_not_tell_who_came_first(clone):
    made = {}
    for name, order in (("one", ("noa", "ada")), ("other", ("ada", "noa"))):
        here = clone() if name == "one" else clone("other", made["one"])
        if name == "other":
            here.git("rm", "-r", "--quiet", "_mdan", ".varves")
        ledger = here.at("2026-11-15T08:00:00Z")
        for agent in order:
            ledger.party.start(agents=[agent])
            ledger.party.end()
        here.commit(name)
        made[name] = here
    listed = [list(here.read(STATE)["agent_sidecars"]) for here in made.values()]
    assert listed == [["ada", "noa"], ["ada", "noa"]]


def test_an_entry_that_git_put_there_twice_is_there_once(clone):
    here = clone()
    hold(here.at("2026-11-15T08:00:00Z"), "Known")
    before = (here.root / STATE).read_text(encoding="utf-8")
    start, end = before.index('    "ben"'), before.index("\n  }\n}")
    entry = before[start:end]
    doubled = f"{before[:start]}{entry},\n{entry}{before[end:]}"
    (here.root / STATE).write_text(doubled, encoding="utf-8")
    ledger = here.at("2026-11-15T09:00:00Z")
    assert [one.rule for one in ledger.party.validate()] == ["S0-47"]
    ledger.rebuild()
    assert (here.root / STATE).read_text(encoding="utf-8") == before


@pytest.mark.requirement("U-02")
def test_the_state_file_keeps_an_entry_whose_sidecar_did_not_come_with_the_merge(clone):
    here = clone()
    hold(here.at("2026-11-15T08:00:00Z"), "Known to both")
    here.commit("begin")
    hold(here.at("2026-11-15T09:00:00Z"), "Of a third", agents=("ada", "noa"))
    here.git("commit", "--quiet", "--all", "--message", "known files alone")
    there = clone("there", here)
    ledger = there.at("2026-11-15T10:00:00Z")
    ledger.rebuild()
    listed = there.read(STATE)["agent_sidecars"]
    assert set(listed) == {"ada", "ben", "noa"}
    assert [one["content"] for one in there.read(SIDECAR)["memories"]] == [
        *("Known to both", "Of a third"),
    ]
    [missing] = ledger.party.validate()
    assert missing.place.endswith("/noa.sidecar.json")


@pytest.mark.full_size(sample=1)
@pytest.mark.requirement("S1-96")
@pytest.mark.parametrize("committed", [True, False], ids=["by the log", "not recorded yet"])
def test_events_of_one_minute_give_the_same_state_whichever_way_they_are_merged(clone, committed):
    ours = clone()
    (ours.root / "AGENTS.md").write_text(RULES, encoding="utf-8")
    append(ours.at("2026-11-15T08:00:00Z"), "Known to both")
    ours.commit("begin")
    theirs = clone("theirs", ours)
    for side, seconds, words in (
        (ours, (10, 40), ("uses", "retired")),
        (theirs, (20, 30), ("retired", "uses")),
    ):
        for second, word in zip(seconds, words, strict=True):
            ledger = side.at(f"2026-11-15T09:00:{second}Z")
            what = f"- [[login]] status: {word}"
            said = {**EVENT, "what": what, "title": f"At second {second}"}
            ledger.layers.append(**said, impact="None.", next="- Rest")
        ledger.layers.boot()
        if not committed:
            side.git("checkout", "--quiet", "HEAD", "--", ".varves")
            side.git("clean", "-fdxq", ".varves/log")
        side.commit("work")
        side.without_driver()  # it knows headings only, which tell the minute
    third = clone("third", theirs)  # and merges the other way round
    theirs.git("pull", "--quiet", "--no-rebase", "--no-edit", ours.root, "main", check=False)
    ours.git("pull", "--quiet", "--no-rebase", "--no-edit", third.root, "main", check=False)

    found = []
    for side in (ours, theirs):
        side.at("2026-11-15T10:00:00Z").rebuild()
        found.append([(side.root / path).read_text("utf-8") for path in (LOG, GRAPH, CONTEXT)])

    assert found[0] == found[1]
    titles = [row[-2:] for row in found[0][0].splitlines() if row.startswith("## 2026-11-15 09:00")]
    assert sorted(titles) == ["10", "20", "30", "40"]
    if committed:
        assert titles == ["10", "20", "30", "40"]


# What a person did to the log, and takes back


@pytest.fixture
def logged(clone):
    """Give a project with three events, committed."""
    here = clone()
    (here.root / "AGENTS.md").write_text(RULES, encoding="utf-8")
    ledger = here.at("2026-11-15T08:00:00Z")
    for title in ("First", "Second", "Third"):
        append(ledger, title)
    here.commit("begin")
    return here


def alter(here, old, new):
    text = (here.root / LOG).read_text(encoding="utf-8")
    assert old in text
    (here.root / LOG).write_text(text.replace(old, new, 1), encoding="utf-8")


@pytest.mark.full_size(sample=1)
@pytest.mark.requirement("U-07")
@pytest.mark.parametrize("seen", [True, False], ids=["seen before the commit", "committed unseen"])
def test_an_alteration_that_was_committed_can_be_taken_back(logged, seen):
    before = (logged.root / LOG).read_bytes()
    alter(logged, "Asked.", "Nobody asked.")
    if seen:
        logged.at("2026-11-15T09:00:00Z").layers.boot()
    logged.commit("altered")

    ledger = logged.at("2026-11-15T10:00:00Z")
    [name] = ledger.layers.resolve(accept=False).ids

    assert (logged.root / LOG).read_bytes() == before
    assert ledger.layers.boot().findings == ()  # though HEAD has it otherwise
    assert ledger.layers.boot().adopted == ()
    assert ledger.show(name).status == "active"
    assert len(ledger.list(status="all")) == 3
    aside = local_of(logged.root) / "aside"
    assert any(b"Nobody asked." in path.read_bytes() for path in aside.iterdir())
    logged.commit("as it was")
    assert [one.rule for one in logged.at("2026-11-15T11:00:00Z").layers.validate()] == []


@pytest.mark.requirement("U-07")
def test_an_event_of_the_same_minute_is_not_taken_for_one_that_is_gone(logged):
    text = (logged.root / LOG).read_text(encoding="utf-8")
    start = text.index("## 2026-11-15 08:00 — Third")
    fresh = "A wholly different matter with other words altogether, about money and boats."
    by_hand = f"## 2026-11-15 08:00 — Fourth\n\n**Type:** result\n\n### What\n{fresh}\n"
    (logged.root / LOG).write_text(text[:start] + by_hand, encoding="utf-8")

    ledger = logged.at("2026-11-15T09:00:00Z")
    booted = ledger.layers.boot()

    assert len(booted.adopted) == 1
    assert "Fourth" in ledger.show(booted.adopted[0]).text
    assert [line.endswith("--accept or --restore)") for line in booted.findings] == [True]
    ledger.layers.resolve(accept=False)
    now = (logged.root / LOG).read_text(encoding="utf-8")
    assert [now.count(f"— {title}\n") for title in ("Third", "Fourth")] == [1, 1]


# Conversations that all share


def talk(ledger, *said):
    for text in said:
        ledger.deliberation.say("ada", text, conversation="shared")


@pytest.mark.requirement("U-07")
def test_a_shared_conversation_that_goes_on_in_two_clones_is_one_after_the_merge(clone):
    ours = clone()
    ours.at("2026-11-15T08:00:00Z").deliberation.begin("shared", shared=True)
    ours.at("2026-11-15T08:00:00Z").deliberation.begin("private")
    talk(ours.at("2026-11-15T08:00:00Z"), "[DECISION] Known to both.")
    ours.commit("begin")
    theirs = clone("theirs", ours)
    talk(ours.at("2026-11-15T09:00:00Z"), "[DECISION] From our side.", "I propose a bell.")
    talk(theirs.at("2026-11-15T09:30:00Z"), "[DECISION] From their side.")
    for side in (ours, theirs):
        side.commit("more")
    ours.git("pull", "--quiet", "--no-rebase", "--no-edit", theirs.root, "main")
    ours.at("2026-11-15T10:00:00Z").rebuild()
    theirs.git("pull", "--quiet", "--no-edit", ours.root, "main")
    theirs.at("2026-11-15T10:00:00Z").rebuild()

    path = "deliberations/shared/memory.json"
    state = ours.read(path)
    decided = [one["outcome"] for one in state["decisions"]]
    assert decided == ["Known to both", "From our side", "From their side"]
    assert [one["content"] for one in state["proposals"]] == ["a bell"]
    assert state["processedMessageCount"] == 4
    assert state["agentStates"]["ada"]["messageCount"] == 4
    assert (ours.root / path).read_bytes() == (theirs.root / path).read_bytes()
    assert not (theirs.root / "deliberations/private").exists()
    for side in (ours, theirs):
        assert side.git("status", "--porcelain") == ""
        assert {one.status for one in side.at("2026-11-15T11:00:00Z").list(status="all")} == {
            "active"
        }
