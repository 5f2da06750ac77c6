"""A record of one protocol is shown by others where bridges lead: once, and while it stands."""

from __future__ import annotations

import json

import pytest

from tests.protocols.bridging import (
    DAWN,
    DUSK,
    NOON,
    OTHER,
    PAIRS,
    SHORT,
    TEXT,
    bridge,
    decide,
    expected,
    prepare,
    told,
    views,
)
from tests.protocols.layers.conftest import LOG, RULES
from varves.errors import Damaged


def pairs(test):
    """Run a test for the pairs: at full size for all, else for each source and each target."""
    names = ["-".join(two) for two in PAIRS]
    return pytest.mark.product(
        pytest.mark.parametrize(("source", "target"), PAIRS, ids=names)(test)
    )


def rule(source, target):
    return f"{source}.decision -> {target}"


def agents_of(source, target):
    """Return how many views a decision gets: in a party one for each who stands behind it."""
    return 2 if (source, target) == ("deliberation", "party") else 1


@pytest.mark.full_size(sample=1)
@pairs
@pytest.mark.requirement("U-05")
def test_a_decision_has_one_view_where_a_bridge_leads_and_none_elsewhere(clone, source, target):
    project = clone()
    bridge(project)
    ledger = project.at(DAWN, actor="ada")
    prepare(ledger)
    before = decide(ledger, source, OTHER)
    assert views(ledger, before) == []
    bridge(project, rule(source, target))
    ledger = project.at(NOON, actor="ada")
    record = decide(ledger, source)
    assert [*map(told, views(ledger, record))] == expected(target) * agents_of(source, target)
    assert views(ledger, before) == []  # what was decided before stays where it is
    for view in views(ledger, record):
        assert ledger.show(view.id).links["view_of"] == [record]
        assert [one.says for one in ledger.why(view.id).rules if one.rule == "view"] == [
            f"a view of {record}, of {source}"
        ]
        assert view.id in ledger.show(record).links["views"]
        assert any(view.id in one.says for one in ledger.why(record).rules if one.rule == "views")
    held = len(ledger.log())
    ledger.rebuild()
    ledger.scoped.init()
    assert len(ledger.log()) == held  # a second run writes nothing
    assert ledger.notes == ()


@pytest.mark.full_size(sample=1)
@pytest.mark.requirement("U-05")
@pytest.mark.parametrize("way", ["append", "shutdown"])
def test_a_decision_becomes_one_entry_of_the_log_that_cites_it(clone, way):
    project = clone()
    bridge(project, "hivemind.decision -> layers")
    ledger = project.at(DAWN, actor="ada")
    prepare(ledger)
    record = decide(ledger, "hivemind")
    assert record not in (project.root / LOG).read_text(encoding="utf-8")
    if way == "append":
        done = ledger.layers.append(
            type="change", scope="project", title="Other", what="Done.", why="Asked."
        )
        assert len(done.ids) == 1
    else:
        (project.root / "AGENTS.md").write_text(RULES, encoding="utf-8")
        ledger.layers.boot()
        ledger.layers.shutdown(commit=False)
    text = (project.root / LOG).read_text(encoding="utf-8")
    assert text.count(record) == 1
    assert text.count(TEXT) == 1
    assert ledger.layers.drafts() == ()
    [entry] = views(ledger, record)
    assert (entry.type, entry.status, entry.kept) == ("decision", "active", "project")
    ledger.layers.append(type="change", scope="project", title="More", what="Done.", why="Asked.")
    assert (project.root / LOG).read_text(encoding="utf-8").count(record) == 1


@pytest.mark.full_size(sample=1)
@pairs
@pytest.mark.requirement("U-06")
def test_a_search_finds_a_bridged_record_once(clone, source, target):
    project = clone()
    bridge(project, rule(source, target))
    ledger = project.at(DAWN, actor="ada")
    prepare(ledger)
    record = decide(ledger, source)
    if target == "scoped":
        [waiting] = ledger.scoped.proposals()
        ledger.scoped.approve(waiting.id)
    elif target == "layers":
        ledger.layers.append(
            type="change", scope="project", title="Other", what="Done.", why="Asked."
        )
    assert {one.status for one in views(ledger, record)} == {"active"}
    [hit] = ledger.recall("where are payments stored, PostgreSQL?")
    assert (hit.memory.id, hit.as_dict()["views"]) == (record, (target,))
    assert [one.id for one in ledger.list() if SHORT in one.text] == [record]
    assert ledger.brief(task="store payments").text.count("nowhere else") == 1
    [alone] = ledger.recall("payments PostgreSQL", protocol=target)
    assert alone.memory.protocol == target  # who asks one protocol is answered by it


@pytest.mark.requirement("U-06")
def test_where_the_record_is_not_its_views_are_found_once(clone):
    here = clone()
    bridge(here, "hivemind.decision -> scoped", "hivemind.decision -> party")
    ledger = here.at(DAWN, actor="ada")
    prepare(ledger)
    record = decide(ledger, "hivemind")
    ledger.scoped.approve(ledger.scoped.proposals()[0].id)
    shown = views(ledger, record)
    assert [one.protocol for one in shown] == ["party", "scoped"]
    ledger.edit(record, tag=["+sensitive"])
    assert views(ledger, record) == []
    ledger.edit(record, tag=["-sensitive"])
    assert [one.id for one in views(ledger, record)] == [one.id for one in shown]
    [hit] = ledger.recall("payments PostgreSQL", scope="agent")
    assert (hit.memory.protocol, hit.views) == ("party", ("scoped",))


@pytest.mark.full_size(sample=1)
@pairs
@pytest.mark.requirement("U-06")
def test_one_undo_takes_back_a_decision_and_its_views(clone, source, target):
    project = clone()
    bridge(project, rule(source, target))
    ledger = project.at(DAWN, actor="ada")
    prepare(ledger)
    before = project.files()
    record = decide(ledger, source)
    shown = views(ledger, record)
    assert shown
    undone = ledger.undo()
    assert undone.id == record
    assert ledger.show(record).status != "active"
    assert views(ledger, record) == []
    for view in views(ledger, record, standing=False):
        assert (view.status, record in view.reason) == ("archived", True)
        [why] = [one for one in ledger.why(view.id).rules if one.rule == "archived"]
        assert "by the rule bridge" in why.says
    assert ledger.recall("payments PostgreSQL").hits == ()
    if target in ("scoped", "hivemind") and source == "deliberation":
        away = ("_index", "/archive/")
        shows = [path for path in project.files() if not any(part in path for part in away)]
        assert shows == [path for path in before if not any(part in path for part in away)]
    ledger.undo(undone.event)
    assert [one.id for one in views(ledger, record)] == [one.id for one in shown]
    assert [*map(told, views(ledger, record))] == [*map(told, shown)]


@pytest.mark.full_size(sample=1)
@pairs
def test_a_view_follows_its_record(clone, source, target):
    project = clone()
    bridge(project, rule(source, target))
    ledger = project.at(DAWN, actor="ada")
    prepare(ledger)
    record = decide(ledger, source)
    first = views(ledger, record)
    ledger.forget(record, reason="it was wrong: zebra")
    assert views(ledger, record) == []
    logged = [event.as_dict() for event in ledger.log() if event.log == "project"]
    if source == "deliberation":
        assert "zebra" not in json.dumps(logged)  # why it was wrong is that clone's own
    ledger.restore(record)
    assert [one.id for one in views(ledger, record)] == [one.id for one in first]
    after = ledger.correct(record, OTHER)
    assert views(ledger, record) == []
    assert [one.text for one in views(ledger, after.id)] or target == "party"
    ledger.undo(after.event)
    assert [one.id for one in views(ledger, record)] == [one.id for one in first]
    assert views(ledger, after.id) == []


@pytest.mark.full_size(sample=1)
@pairs
def test_purging_a_record_purges_its_views(clone, source, target):
    project = clone()
    bridge(project, rule(source, target))
    ledger = project.at(DAWN, actor="ada")
    prepare(ledger)
    record = decide(ledger, source)
    names = [one.id for one in views(ledger, record)]
    purged = ledger.purge(record, reason="asked to")
    assert purged.same == ()
    assert not {record, *names} & {one.id for one in ledger.list(status="all")}
    assert [*map(ledger.history, names)]
    for name in names:
        assert [one.rule for one in ledger.why(name).rules] == ["purged"]
    ledger.close()
    places = [
        path
        for path in project.root.rglob("*")
        if path.is_file() and path.name not in (LOG, "context.md")
    ]
    held = [path for path in places if b"nowhere else" in path.read_bytes()]
    assert held == []


def test_an_entry_that_is_written_stays_and_is_withdrawn_by_another(clone):
    project = clone()
    bridge(project, "hivemind.decision -> layers")
    ledger = project.at(DAWN, actor="ada")
    prepare(ledger)
    record = decide(ledger, "hivemind")
    said = {"type": "change", "scope": "project", "what": "Done.", "why": "Asked."}
    ledger.layers.append(**said, title="First")
    [entry] = views(ledger, record)
    text = (project.root / LOG).read_text(encoding="utf-8")
    ledger.forget(record, reason="wrong")
    assert (project.root / LOG).read_text(encoding="utf-8") == text
    assert (ledger.show(entry.id).status, len(ledger.layers.drafts())) == ("archived", 1)
    assert any(entry.id in note and "withdraws" in note for note in ledger.notes) is False
    ledger.restore(record)
    assert (ledger.show(entry.id).status, ledger.layers.drafts()) == ("active", ())
    ledger.forget(record, reason="wrong indeed")
    [note] = [note for note in ledger.notes if entry.id in note]
    assert "CHANGELOG.md keeps" in note
    ledger.layers.append(**said, title="Second")
    after = (project.root / LOG).read_text(encoding="utf-8")
    assert after.startswith(text)
    assert after.count("Withdrawn: ") == 1
    assert f"It withdraws {entry.id}." in after
    purged = ledger.purge(record, reason="asked to")
    assert any(one.startswith(f"{LOG}:") for one in purged.sources)


@pytest.mark.requirement("X-37")
def test_a_sidecar_shows_a_shortened_decision_and_its_record_keeps_it_whole(clone):
    project = clone()
    bridge(project, "hivemind.decision -> party")
    ledger = project.at(DAWN, actor="ada")
    prepare(ledger)
    record = decide(ledger, "hivemind")
    [view] = views(ledger, record)
    [line] = project.read("_mdan/state/sidecars/ada.sidecar.json")["memories"]
    assert len(TEXT) > 100 >= len(line["content"])
    assert line["content"].endswith("…")
    assert (line["type"], line["confidence"], view.text) == ("decision", 1.0, TEXT)
    assert project.read("_mdan/state/sidecars/ben.sidecar.json")["memories"] == []


def test_what_somebody_did_to_a_view_stands(clone):
    project = clone()
    bridge(project, "hivemind.decision -> scoped")
    ledger = project.at(DAWN, actor="ada")
    prepare(ledger)
    record = decide(ledger, "hivemind")
    [view] = views(ledger, record)
    ledger.scoped.reject(view.id, "not for us")
    ledger.edit(record, tag=["+kept"])
    assert views(ledger, record) == []
    said = ledger.hivemind.write(TEXT + ".", type="semantic", subtype="decision", again=True)
    assert [one.protocol for one in views(ledger, said.id)] == ["scoped"]


def test_a_record_that_says_something_else_gets_another_view(clone):
    project = clone()
    bridge(project, "hivemind.decision -> scoped")
    ledger = project.at(DAWN, actor="ada")
    prepare(ledger)
    record = decide(ledger, "hivemind")
    [path] = [project.root / path for path in project.files() if path.endswith(f"{record}.json")]
    document = json.loads(path.read_text(encoding="utf-8"))
    document["content"] = {"text": OTHER}
    path.write_text(json.dumps(document), encoding="utf-8")
    ledger.hivemind.write("Else", type="factual")
    assert [(one.text, one.status) for one in views(ledger, record)] == [(OTHER, "proposed")]


def test_views_are_followed_when_the_bridge_is_gone_and_none_is_added(clone):
    project = clone()
    bridge(project, "hivemind.decision -> scoped")
    ledger = project.at(DAWN, actor="ada")
    prepare(ledger)
    record = decide(ledger, "hivemind")
    bridge(project)
    ledger = project.at(NOON, actor="ada")
    ledger.forget(record, reason="wrong")
    assert views(ledger, record) == []
    ledger.restore(record)
    assert len(views(ledger, record)) == 1
    assert views(ledger, decide(ledger, "hivemind", OTHER)) == []


def test_a_target_that_cannot_write_fails_no_verb_and_is_caught_up(clone):
    project = clone()
    bridge(project, "hivemind.decision -> party")
    ledger = project.at(DAWN, actor="ada")
    prepare(ledger)
    sidecar = project.root / "_mdan/state/sidecars/ada.sidecar.json"
    sidecars = sidecar.parent
    sidecars.rename(sidecars.with_name("elsewhere"))
    sidecars.write_text("in the way", encoding="utf-8")
    record = ledger.hivemind.write(TEXT, type="semantic", subtype="decision").id
    assert [note.partition(":")[0] for note in ledger.notes] == [
        f"not bridged yet, {record} -> party"
    ]
    assert views(ledger, record) == []
    sidecars.unlink()
    sidecars.with_name("elsewhere").rename(sidecars)
    ledger.hivemind.write("Else", type="factual")
    ledger.party.init()
    assert [*map(told, views(ledger, record))] == expected("party")
    assert len(project.read(f"_mdan/state/sidecars/{sidecar.name}")["memories"]) == 1


def test_a_bad_line_is_named_and_nobody_can_agree_to_it(clone, varves):
    for line, reason in (
        ("hivemind.decision layers", "not a bridge"),
        ("hivemind -> layers", "not a bridge"),
        ("hivemind.decision -> hivemind", "unknown bridge"),
        ("hivemind.milestone -> scoped", "unknown bridge"),
        ("nobody.decision -> scoped", "unknown bridge"),
        ("scoped.decision -> deliberation", "unknown bridge"),
    ):
        project = clone()
        with pytest.raises(Damaged, match=reason) as caught:
            bridge(project, line)
        assert line in caught.value.message
        done = varves("list")
        assert (done.code, line in done.err) == (0, True)
    (project.root / ".varves/settings.toml").write_text("bridges = 3\n", encoding="utf-8")
    assert "not a list of lines" in project.at(DUSK).notes[0]
    assert "deliberation.summary|decision|proposal -> hivemind" in done.err
