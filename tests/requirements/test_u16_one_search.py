"""One question is put to every log and scope at once, and each hit says where it comes from."""

from __future__ import annotations

import subprocess

import pytest

import varves as package
from tests.consenting import write_settings

WORD = "lighthouse"


def team_settings(project, tmp_path):
    (tmp_path / "pilots").mkdir()
    write_settings(project, f'[teams.pilots]\nroot = "{tmp_path / "pilots"}"\n')


@pytest.mark.requirement("U-16")
def test_one_search_covers_every_scope_and_log(project, tmp_path):
    team_settings(project, tmp_path)
    options = {"actor": "ada", "session": "s-1"}
    with package.open(project, **options) as ledger:
        kept = {
            "project": ledger.remember(f"the {WORD} blinks twice").id,
            "private": ledger.remember(f"the {WORD} key hangs left", private=True).id,
            "agent:ada": ledger.remember(f"check the {WORD} list", scope="agent").id,
            "session:s-1": ledger.remember(f"we paint the {WORD} now", scope="session").id,
            "team:pilots": ledger.remember(f"pilots steer by the {WORD}", scope="team:pilots").id,
            "global": ledger.remember(f"every {WORD} has a number", scope="global").id,
        }
        found = {hit.memory.id: hit for hit in ledger.recall(WORD)}
    assert found.keys() == set(kept.values())
    for place, name in kept.items():
        memory = found[name].memory
        log = {"agent:ada": "project", "session:s-1": "private"}.get(place, place)
        assert (memory.kept, memory.scope) == (log, "project" if place == "private" else place)


@pytest.mark.requirement("U-16")
def test_what_another_checkout_of_the_project_holds_is_found_and_named(project, varves, tmp_path):
    varves("remember", f"the {WORD} stands on the mole")
    subprocess.run(["git", "add", "-A"], cwd=project, check=True)
    subprocess.run(["git", "commit", "-qm", "one"], cwd=project, check=True)
    other = tmp_path / "other"
    subprocess.run(["git", "worktree", "add", "-qb", "side", other], cwd=project, check=True)
    varves("remember", f"the {WORD} is white", cwd=other)
    hits = varves("recall", WORD, "--json").json["hits"]
    assert {hit["text"]: hit["branch"] for hit in hits} == {
        f"the {WORD} stands on the mole": None,
        f"the {WORD} is white": "side",
    }


@pytest.mark.requirement("U-16")
def test_every_hit_says_where_it_comes_from(varves):
    said = [
        "remember", f"the {WORD} blinks twice", "--type", "fact", "--speaker", "Ingrid",
        "--source", "https://example.org/pilot-book", "--at", "2025-03-01T10:00:00Z",
    ]  # fmt: skip
    name = varves("--actor", "ada", "--session", "s-1", *said, "--json").json["id"]
    (hit,) = varves("recall", WORD, "--json").json["hits"]
    assert hit.items() >= {
        "id": name, "protocol": "core", "scope": "project", "type": "fact", "origin": "direct",
        "kept": "project", "source": "https://example.org/pilot-book", "speaker": "Ingrid",
        "session": "s-1", "at": "2025-03-01T10:00:00.000Z", "status": "active",
    }.items()  # fmt: skip
    (event,) = varves("history", name, "--json").json["events"]
    assert (event["actor"], event["kind"]) == ("ada", "memory.recorded")


@pytest.mark.requirement("U-16")
def test_one_search_covers_what_the_log_remembers_of_the_past(ledger):
    """What is no longer current is found where it is asked for, and says what became of it."""
    old = ledger.remember(f"the {WORD} is manned").id
    now = ledger.correct(old, f"the {WORD} is automatic").id
    gone = ledger.remember(f"the {WORD} keeper is Olav").id
    ledger.forget(gone, reason="he retired")
    assert [hit.memory.id for hit in ledger.recall(WORD)] == [now]
    every = ledger.recall(WORD, include=["superseded", "forgotten"])
    assert {hit.memory.id: hit.memory.status for hit in every} == {
        now: "active",
        old: "superseded",
        gone: "forgotten",
    }


@pytest.mark.requirement("U-16")
def test_a_filter_narrows_the_one_search_to_a_scope_or_protocol(ledger):
    mine = ledger.remember(f"the {WORD} blinks twice").id
    all_of_us = ledger.remember(f"every {WORD} has a number", scope="global").id

    def found(**options):
        return {hit.memory.id for hit in ledger.recall(WORD, **options)}

    assert found() == found(protocol="core") == {mine, all_of_us}
    assert found(scope="project") == {mine}
    assert found(scope="global") == {all_of_us}
    assert found(protocol="party") == set()


SESSION = "the-light"


def write_in_all(ledger):
    """Let every protocol, and the core, keep one thing about it; return where each belongs."""
    ledger.init()
    ledger.remember(f"The {WORD} blinks twice")
    ledger.remember(f"The key of the {WORD} hangs left", private=True)
    ledger.remember(f"Every {WORD} has a number", scope="global")
    ledger.scoped.write("project", "p", type="convention", content=f"Paint the {WORD} white")
    said = f"Each {WORD} wants a keeper"
    ledger.scoped.write("global", type="preference", content=said, confidence=0.95)
    said = {"text": f"Ships steer by the {WORD}"}
    ledger.hivemind.write(type="factual", content=said, scope="team:pilots")
    ledger.party.start(agents=["ben"])
    ledger.party.remember("ben", type="context", content=f"The {WORD} is old", confidence=0.9)
    ledger.party.end()
    ledger.layers.init(begin=True)
    told = {"type": "change", "scope": "project", "what": "Done.", "why": "Asked."}
    ledger.layers.append(**told, title=f"Oiled the lamp of the {WORD}")
    ledger.deliberation.begin(SESSION, agents=["ada", "ben"])
    ledger.deliberation.say("ada", f"[DECISION] The {WORD} gets a new bell.")
    ledger.deliberation.say("ben", f"I propose a {WORD} on the mole.")
    return {  # protocol, scope, log, origin, speaker
        ("core", "project", "project", "direct", None),
        ("core", "project", "private", "direct", None),
        ("core", "global", "global", "direct", None),
        ("scoped", "project:p", "project", "direct", None),
        ("scoped", "global", "global", "direct", None),
        ("hivemind", "team:pilots", "project", "direct", None),
        ("party", "agent:ben", "project", "direct", "ben"),
        ("layers", "project", "project", "direct", None),
        ("deliberation", f"session:{SESSION}", "private", "agent", "ada"),
        ("deliberation", f"session:{SESSION}", "private", "agent", "ben"),
    }


@pytest.mark.requirement("U-16")
def test_one_search_finds_what_every_protocol_keeps_and_says_where_it_comes_from(ledger):
    expected = write_in_all(ledger)
    hits = [hit.memory for hit in ledger.recall(WORD, k=50)]
    found = [(one.protocol, one.scope, one.kept, one.origin, one.speaker) for one in hits]
    assert len(found) == len(expected)
    assert set(found) == expected
    for one in hits:
        [born] = [step for step in ledger.why(one.id).provenance if step.event == one.version]
        assert (born.actor, born.log, born.origin) == (one.created_by, one.kept, one.origin)
    before = [one.id for one in hits]
    ledger.rebuild()
    assert [hit.memory.id for hit in ledger.recall(WORD, k=50)] == before


@pytest.mark.requirement("U-16")
def test_who_asks_one_protocol_is_answered_by_it_alone(ledger):
    expected = write_in_all(ledger)
    for protocol in ("core", "scoped", "hivemind", "party", "layers", "deliberation"):
        hits = [hit.memory for hit in ledger.recall(WORD, k=50, protocol=protocol)]
        assert sorted((one.protocol, one.scope, one.kept) for one in hits) == sorted(
            one[:3] for one in expected if one[0] == protocol
        )
    assert [one.content for one in ledger.scoped.search(WORD, scope="project", project="p")] == [
        f"Paint the {WORD} white"
    ]
    found = ledger.hivemind.search(WORD, team="pilots").memories
    assert [one.entry["content"] for one in found] == [{"text": f"Ships steer by the {WORD}"}]
    assert ledger.party.prompt("ben", topic=WORD).memories[0]["content"] == f"The {WORD} is old"
    told = ledger.deliberation.brief().text
    assert f": The {WORD} gets a new bell\n" in told
    assert f'ben: "a {WORD} on the mole"' in told
