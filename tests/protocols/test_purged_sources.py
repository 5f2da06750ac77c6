"""What a purge reaches in the files of parties and layers, and what it can only name."""

from __future__ import annotations

import json
import os

import pytest

from tests.places import forget_local
from tests.protocols.layers.conftest import CONTEXT, GRAPH, LOG, RULES

NOON = "2026-11-15T12:00:00Z"
LATER = "2026-11-15T13:00:00Z"
EVENT = {"type": "change", "scope": "project", "what": "It is tangerine.", "why": "Asked."}
SIDECAR = "_mdan/state/sidecars/ada.sidecar.json"


def holding(root, text="tangerine"):
    """Return the files below a folder that hold a text; of git's folder only what is ours."""
    found = []
    for place, folders, names in [*os.walk(root), *os.walk(f"{root}/.git/varves")]:
        if ".git" in folders:
            folders.remove(".git")
        for name in names:
            path = os.path.join(place, name)
            with open(path, "rb") as file:
                if text.encode() in file.read():
                    found.append(os.path.relpath(path, root))
    return sorted(found)


def everywhere(root, text="tangerine"):
    """Return the files of a project that hold a text, with the private log, not git's objects."""
    private = [f".git/{path}" for path in holding(root / ".git/varves", text)]
    return sorted(holding(root, text) + private)


@pytest.fixture
def here(clone):
    """Give a project with the rules of four layers, and two events, committed."""
    made = clone()
    (made.root / "AGENTS.md").write_text(RULES, encoding="utf-8")
    layers = made.at(NOON).layers
    layers.append(**EVENT | {"what": "It is a beginning."}, title="Begin", next="- Rest")
    layers.append(**EVENT, title="The code of the vault", next="- Change the tangerine")
    layers.append(**EVENT | {"what": "It is an end."}, title="End", next="- Rest")
    layers.boot()
    made.commit("begin")
    return made


def named(ledger, title):
    return next(one.id for one in ledger.list() if title in one.text)


def without(content, title):
    """Return a log without one event, as a person takes it out."""
    start, *events = content.split("\n## ")
    return "\n## ".join([start, *(one for one in events if title not in one)])


@pytest.mark.requirement("U-07")
def test_a_log_that_is_a_source_is_named_and_left_alone(here, varves):
    before = (here.root / LOG).read_bytes()
    ledger = here.at(LATER)
    name = named(ledger, "vault")

    done = ledger.purge(name, reason="it leaked")

    line = before.decode().split("\n").index("## 2026-11-15 12:00 — The code of the vault") + 1
    assert done.sources == (f"{LOG}:{line}", f"{CONTEXT} (made from {LOG})")
    assert (here.root / LOG).read_bytes() == before
    here.close()
    assert set(holding(here.root)) == {LOG, CONTEXT}


def test_the_command_names_the_file_and_what_to_do(here, varves):
    name = named(here.at(LATER), "vault")
    here.close()
    env = {"VARVES_HOME": str(here.home)}

    said = varves("purge", name, "--reason", "it leaked", "--yes", env=env)

    assert f"{LOG}:" in said.out
    assert "remove it there by hand" in said.out
    assert (
        f"{name} was purged, but is still in the file" in varves("layers", "validate", env=env).out
    )


@pytest.mark.full_size(sample=1)
@pytest.mark.requirement("U-07")
@pytest.mark.parametrize("bookkeeping", [True, False], ids=["with local", "without local"])
def test_a_purged_event_is_gone_for_good_once_a_person_takes_it_out(here, bookkeeping):
    ledger = here.at(LATER)
    name = named(ledger, "vault")
    ledger.purge(name, reason="it leaked")
    here.close()
    if not bookkeeping:
        forget_local(here.root)
    text = without((here.root / LOG).read_text(encoding="utf-8"), "vault")
    (here.root / LOG).write_text(text, encoding="utf-8")

    layers = here.at(LATER).layers  # and HEAD still has it
    booted = layers.boot()

    assert (booted.adopted, booted.findings) == ((), ())
    layers.rebuild()  # boot changes no view that git tracks
    assert [one for one in layers.validate() if one.level == "error"] == []
    assert name not in {one.id for one in here.at(LATER).list(status="all")}
    here.close()
    assert holding(here.root) == []
    here.commit("taken out")
    assert here.at(LATER).layers.boot().findings == ()
    assert here.git("status", "--porcelain") == ""


@pytest.mark.requirement("U-07")
def test_a_purged_event_in_the_file_is_never_recorded_again(here, clone):
    ledger = here.at(LATER)
    name = named(ledger, "vault")
    ledger.purge(name, reason="it leaked")
    here.commit("purged")
    there = clone("there", here)

    for one in (here, there):
        layers = one.at(LATER).layers
        booted = layers.boot()
        assert booted.adopted == ()
        assert [name in line for line in booted.findings] == [True]
        layers.append(**EVENT | {"what": "More."}, title="More")
        layers.rebuild()
        one.at(LATER).rebuild()
        events = [event for event in one.at(LATER).log(kind=("log.entry",)) if not event.purged]
        assert name not in {event.data["memory"] for event in events}
        one.close()
        log = [path for path in holding(one.root) if path.startswith(".varves/log")]
        assert log == []


def test_what_was_set_aside_of_a_view_goes_with_the_memory(here):
    (here.root / GRAPH).write_text("- [[tangerine]] — Vault — done — none\n", encoding="utf-8")
    (here.root / CONTEXT).write_text("The code of the vault is tangerine\n", encoding="utf-8")
    ledger = here.at(LATER)
    ledger.layers.rebuild()
    assert [path for path in holding(here.root) if "aside" in path]

    ledger.purge(named(ledger, "vault"), reason="it leaked")

    here.close()
    assert [path for path in holding(here.root) if path.startswith(".varves")] == []


def test_a_draft_and_a_shutdown_leave_no_copy_behind(here):
    ledger = here.at(LATER)
    ledger.layers.boot()
    said = {**EVENT, "what": "The other code is clementine."}
    ledger.layers.append(**said, title="Another code", draft=True)
    done = ledger.layers.shutdown(commit=False)
    [name] = done.appended

    ledger = here.at(LATER)
    place, _, draft = ledger.purge(name, reason="it leaked").sources

    assert place.startswith(f"{LOG}:")
    name, _, what = draft.partition(" ")
    assert what == "(its draft, private log)"
    assert ledger.purge(name, reason="it leaked").sources == ()
    here.close()
    left = [path for path in holding(here.root, "clementine") if path.startswith(".varves")]
    assert left == []


@pytest.fixture
def party(clone):
    """Give a project in which a party left what was said, and what was given."""
    made = clone()
    ledger = made.at(NOON)
    ledger.party.start(agents=["ada", "ben"])
    ledger.party.say("ada", "I prefer the tangerine code.")
    ledger.party.remember("ada", type="context", content="Clementine is next", confidence=0.9)
    ledger.party.end()
    made.commit("begin")
    return made


@pytest.mark.requirement("U-07")
def test_a_purged_sidecar_memory_takes_the_talk_it_came_from_with_it(party):
    ledger = party.at(LATER)
    [said] = ledger.log(kind=("message.posted",))
    name = named(ledger, "tangerine")

    done = ledger.purge(name, reason="it leaked")

    assert SIDECAR in done.files
    assert done.sources == ()
    [left] = ledger.log(kind=("message.posted",))
    assert (left.id, left.purged, left.data) == (said.id, True, {})
    assert ledger.purge(named(ledger, "Clementine"), reason="too").sources == ()
    assert ledger.verify(deep=True).ok
    party.close()
    assert everywhere(party.root) == []
    assert everywhere(party.root, "Clementine") == []
    assert party.at(LATER).party.validate() == ()


@pytest.mark.requirement("U-07")
def test_a_purged_sidecar_memory_is_never_adopted_again(party):
    path = party.root / SIDECAR
    document = party.read(SIDECAR)
    by_hand = {"type": "context", "content": "Satsuma", "source_session": "2026-11-15"}
    document["memories"].append({**by_hand, "confidence": 0.8})
    edited = json.dumps(document, indent=4)
    path.write_text(edited, encoding="utf-8")
    ledger = party.at(LATER)
    ledger.party.recover()
    rendered = path.read_text(encoding="utf-8")
    ledger.purge(named(ledger, "Satsuma"), reason="it leaked")

    for content in (edited, rendered):  # as an editor had it open, and as it was rendered
        path.write_text(content, encoding="utf-8")
        ledger = party.at(LATER)
        ledger.party.recover()
        assert any("purged" in note for note in ledger.party.core.notes)
        ledger.rebuild()
        assert "Satsuma" not in path.read_text(encoding="utf-8")
        assert "Satsuma" not in {one.text for one in ledger.list(status="all")}


@pytest.mark.full_size(sample=1)
@pytest.mark.requirement("U-07")
@pytest.mark.parametrize("how", ["checkout", "edited", "another branch"])
def test_a_purged_sidecar_memory_does_not_come_back_with_what_git_has(party, how):
    ledger = party.at(LATER)
    content = (party.root / SIDECAR).read_text(encoding="utf-8")
    party.git("branch", "before")
    ledger = party.at(LATER)
    ledger.purge(named(ledger, "tangerine"), reason="it leaked")
    if how == "checkout":
        party.git("checkout", "--", SIDECAR)
    elif how == "edited":
        changed = content.replace('"displayName": "ada"', '"displayName": "Ada"')
        (party.root / SIDECAR).write_text(changed, encoding="utf-8")
    else:
        party.commit("purged")
        party.git("checkout", "before", "--", SIDECAR)
    assert "tangerine" in (party.root / SIDECAR).read_text(encoding="utf-8")

    party.at(LATER).rebuild()

    assert [one["content"] for one in party.read(SIDECAR)["memories"]] == ["Clementine is next"]
    assert [one.text for one in party.at(LATER).list(status="all")] == ["Clementine is next"]
    assert party.read(SIDECAR)["displayName"] == ("Ada" if how == "edited" else "ada")
