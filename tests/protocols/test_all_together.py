"""All protocols in one project: each keeps to its own files, and the core serves them all."""

from __future__ import annotations

import json

import pytest

from tests.places import forget_local
from tests.protocols import layout
from tests.protocols.layers.conftest import CONTEXT, GRAPH, LOG, RULES, block
from tests.protocols.layout import owner
from tests.tables import each_row
from varves.errors import VarvesError

DAWN = "2026-11-15T08:00:00Z"
NOON = "2026-11-15T12:00:00Z"
DUSK = "2026-11-15T18:00:00Z"
EVENT = {"type": "change", "scope": "project", "what": "It was done.", "why": "Asked."}
EVENT |= {"impact": "None."}
SIDECAR = layout.sidecar("ada")
STATE = layout.STATE
NAMES = layout.FIVE


def files(clone):
    """Return the files of all protocols by path, ignore files left out."""
    return layout.files(clone.root)


def others(clone, protocol):
    return {path: content for path, content in files(clone).items() if owner(path) != protocol}


def use(ledger, protocol, word):
    """Go through a session of a protocol that leaves one record."""
    if protocol == "scoped":
        ledger.scoped.session_start()
        ledger.scoped.write("project", "p", type="pattern", content=f"Scoped says {word}")
        ledger.scoped.session_end()
    elif protocol == "hivemind":
        said = {"text": f"Hivemind says {word}"}
        ledger.hivemind.session_start(project="p")
        ledger.hivemind.write(type="factual", content=said, scope="project:p")
        ledger.hivemind.session_end()
    elif protocol == "party":
        ledger.party.start(agents=["ada", "ben"])
        content = f"Party says {word}"
        ledger.party.remember("ada", type="context", content=content, confidence=0.9)
        ledger.party.end()
    elif protocol == "deliberation":
        ledger.deliberation.begin(f"about-{word}", agents=["ada", "ben"])
        ledger.deliberation.say("ada", f"We agreed on the {word} for the deliberation.")
        ledger.deliberation.say("ben", "The build took a while today.")
    else:
        ledger.layers.boot()
        ledger.layers.append(**EVENT, title=f"Layers says {word}", next="- Rest")
        ledger.layers.shutdown(commit=False)


def named(ledger, protocol):
    """Return the one record of a protocol."""
    [found] = [one for one in ledger.list(status="all") if one.protocol == protocol]
    return found


@pytest.fixture
def bare(clone):
    """Give a project with rules and nothing else."""
    made = clone()
    (made.root / "AGENTS.md").write_text(RULES, encoding="utf-8")
    return made


@pytest.fixture
def here(bare):
    """Give a project in which every protocol left a record, committed."""
    ledger = bare.at(DAWN)
    for protocol in NAMES:
        use(ledger, protocol, "quokka")
    bare.commit("begin")
    return bare


@pytest.mark.full_size(sample=1)
@pytest.mark.requirement("U-03")
@pytest.mark.parametrize("protocol", NAMES)
def test_each_alone_makes_no_file_of_another(bare, protocol):
    ledger = bare.at(DAWN)
    use(ledger, protocol, "quokka")
    ledger.rebuild()
    ledger.doctor()
    assert {owner(path) for path in files(bare)} == {protocol}


@pytest.mark.requirement("U-03")
def test_a_project_without_protocols_gets_no_file_of_any(bare):
    ledger = bare.at(DAWN)
    ledger.init()
    ledger.remember("Only the core says quokka")
    ledger.rebuild()
    ledger.doctor()
    assert files(bare) == {}


@pytest.mark.requirement("U-03")
def test_an_imported_log_makes_no_views(bare, tmp_path):
    source = tmp_path / "old.md"
    source.write_text(f"# Log\n\n{block('2026-01-01 10:00', 'Imported')}", encoding="utf-8")
    ledger = bare.at(DAWN)
    ledger.init()
    ledger.import_("changelog", str(source), trust=True)
    ledger.rebuild()
    assert [one.protocol for one in ledger.list()] == ["layers"]
    assert files(bare) == {}


@pytest.mark.requirement("U-04", "U-07")
@each_row("protocol", NAMES)
def test_what_one_protocol_does_touches_no_file_of_another(here, protocol):
    before, word = others(here, protocol), f"{protocol}wombat"
    ledger = here.at(NOON)
    use(ledger, protocol, word)
    assert others(here, protocol) == before
    assert any(word.encode() in content for content in files(here).values())
    ledger.rebuild()
    assert others(here, protocol) == before
    for name in NAMES:
        errors = [one for one in getattr(ledger, name).validate() if name != "layers"]
        assert errors == [], name
    assert [one for one in ledger.layers.validate() if one.level == "error"] == []
    assert ledger.doctor() == ()


@pytest.mark.requirement("U-05", "U-16")
def test_a_record_is_in_the_files_of_its_own_protocol_alone(bare):
    ledger = bare.at(DAWN)
    words = dict(zip(NAMES, ("quokka", "wombat", "numbat", "bettong", "dunnart"), strict=True))
    for protocol, word in words.items():
        use(ledger, protocol, word)
    ledger.rebuild()
    for protocol, word in words.items():
        holding = {owner(path) for path, raw in files(bare).items() if word.encode() in raw}
        assert holding == {protocol}
        [hit] = ledger.recall(word).hits
        assert hit.memory.protocol == protocol


@pytest.mark.requirement("U-02")
def test_a_rebuild_from_nothing_is_what_was_there(here):

    before = files(here)
    here.close()
    for path in before:
        if path not in (LOG, STATE):
            (here.root / path).unlink()
    forget_local(here.root)
    ledger = here.at(DUSK)
    ledger.rebuild()
    assert {path: raw for path, raw in files(here).items() if "sessions/" not in path} == {
        path: raw for path, raw in before.items() if "sessions/" not in path
    }
    assert here.git("status", "--porcelain") == ""


@pytest.mark.requirement("U-07")
def test_two_clones_at_one_commit_show_the_same_bytes(here, clone):
    ledger = here.at(NOON)
    for protocol in NAMES:
        use(ledger, protocol, "wombat")
    here.commit("more")
    there = clone("there", here)
    other = there.at(DUSK)
    other.remember("A secret of this clone", private=True)
    other.party.start(agents=["ada"], topic="Nothing of it")
    other.layers.append(**EVENT, title="Not yet", draft=True)
    other.rebuild()
    other.layers.boot()
    tracked = set(there.git("ls-files", "-z").split("\0"))
    assert {path: raw for path, raw in files(there).items() if path in tracked} == {
        path: raw for path, raw in files(here).items() if path in tracked
    }
    assert there.git("status", "--porcelain") == ""


# The core's verbs on the records of protocols


@each_row("protocol", ["party", "layers", "deliberation"])
def test_history_why_and_the_past_tell_of_it(here, protocol):
    ledger = here.at(NOON)
    one = named(ledger, protocol)
    kinds = [event.kind for event in ledger.history(one.id)]
    assert kinds[-1] == ("log.entry" if protocol == "layers" else "memory.recorded")
    told = ledger.why(one.id)
    assert (told.id, told.recalled, [step.kind for step in told.provenance]) == (
        *(one.id, True),
        kinds,
    )
    use(ledger, protocol, "wombat")
    assert named_texts(ledger.list(as_of="2026-11-15T09:00:00Z"), protocol) == ["quokka"]
    if protocol != "deliberation":  # a conversation is private, and in no commit
        assert named_texts(ledger.list(as_of="HEAD"), protocol) == ["quokka"]
    assert sorted(named_texts(ledger.list(), protocol)) == ["quokka", "wombat"]


def named_texts(memories, protocol):
    words = ("quokka", "wombat")
    texts = [one.text for one in memories if one.protocol == protocol]
    return [word for text in texts for word in words if word in text]


def test_undo_takes_a_party_memory_out_of_its_sidecar_and_back(here):
    ledger = here.at(NOON)
    one = named(ledger, "party")
    event = ledger.forget(one.id, reason="no longer so").event
    assert here.read(SIDECAR)["memories"] == []
    assert ledger.party.validate() == ()
    ledger.undo(event)
    assert [each["content"] for each in here.read(SIDECAR)["memories"]] == ["Party says quokka"]
    assert here.read(STATE)["agent_sidecars"]["ada"]["memory_count"] == 1
    ledger.undo(next(e.id for e in ledger.history(one.id) if e.kind == "memory.recorded"))
    assert here.read(SIDECAR)["memories"] == []
    assert ledger.party.validate() == ()


@pytest.mark.requirement("U-07")
def test_undoing_what_is_private_changes_no_file_that_git_tracks(here, clone):
    ledger = here.at(NOON)
    one = named(ledger, "party")
    before = files(here)
    [proposed] = [event for event in ledger.history(one.id) if event.kind == "memory.proposed"]
    assert proposed.log == "private"
    ledger.undo(proposed.id)
    ledger.rebuild()
    assert files(here) == before
    assert ledger.show(one.id) == one


@pytest.mark.requirement("U-07")
def test_undoing_a_record_shows_the_same_in_a_clone_that_never_saw_it_proposed(here, clone):
    ledger = here.at(NOON)
    history = ledger.history(named(ledger, "party").id)
    ledger.undo(next(event.id for event in history if event.kind == "memory.recorded"))
    here.commit("undone")
    there = clone("there", here)
    there.at(DUSK).rebuild()
    assert there.git("status", "--porcelain") == ""
    for path in (SIDECAR, STATE):
        assert (there.root / path).read_bytes() == (here.root / path).read_bytes()


def test_undo_changes_nothing_in_a_log_that_is_a_source(here):
    before = files(here)
    ledger = here.at(NOON)
    one = named(ledger, "layers")
    event = ledger.forget(one.id, reason="no longer so").event
    assert ledger.show(one.id).status == "forgotten"
    assert ledger.undo(event).undone == event
    assert ledger.show(one.id).status == "active"
    assert files(here) == before
    assert ledger.layers.boot().adopted == ()


def test_a_share_reaches_no_protocols_files(here):
    before = files(here)
    ledger = here.at(NOON)
    private = ledger.remember("A thing of mine", private=True).id
    [draft] = ledger.layers.append(**EVENT, title="Drafted", draft=True).ids
    ledger.share(private)
    for name in (named(ledger, "party").id, draft):
        with pytest.raises(VarvesError):
            ledger.share(name)
    assert files(here) == before
    assert ledger.show(draft).kept == "private"


@pytest.mark.requirement("U-07")
def test_two_edits_of_one_party_memory_are_one_conflict_that_can_be_resolved(here, clone):
    there = clone("there", here)
    for side, text in ((here, "Party says wombat"), (there, "Party says numbat")):
        document = side.read(SIDECAR)
        document["memories"][0]["content"] = text
        (side.root / SIDECAR).write_text(json.dumps(document, indent=2) + "\n", encoding="utf-8")
        side.commit(text)
    here.git("pull", "--quiet", "--no-rebase", "--no-edit", there.root, "main", check=False)
    ledger = here.at(DUSK)
    ledger.rebuild()
    [conflict] = ledger.conflicts()
    texts = {one.text for one in conflict.members}
    assert texts == {"Party says wombat", "Party says numbat"}
    keep = next(one.id for one in conflict.members if "numbat" in one.text)
    ledger.resolve(conflict.id, keep=keep)
    assert ledger.conflicts() == ()
    shown = [one["content"] for one in here.read(SIDECAR)["memories"]]
    assert shown == ["Party says numbat"]


def test_events_go_out_and_come_in_with_their_protocols(here, clone, tmp_path):
    from varves import open as opened

    path = tmp_path / "events.jsonl"
    ledger = here.at(NOON)
    path.write_text("\n".join((*ledger.export(), "")), encoding="utf-8")
    there = tmp_path / "there"
    there.mkdir()
    with opened(there, home=tmp_path / "elsewhere") as other:
        other.init()
        other.import_("jsonl", str(path), trust=True)
        other.rebuild()
        for protocol in ("party", "layers"):
            assert named(other, protocol).text == named(ledger, protocol).text
        assert other.party.show("ada").memories[0]["content"] == "Party says quokka"
        for name in (SIDECAR, STATE):
            assert (there / name).read_bytes() == (here.root / name).read_bytes()
        assert not (there / GRAPH).exists()
        assert not (there / CONTEXT).exists()
        assert [one.rule for one in other.layers.validate()][1] == "S1-64"
        other.layers.resolve(accept=False)
        assert "Layers says quokka" in (there / LOG).read_text(encoding="utf-8")
