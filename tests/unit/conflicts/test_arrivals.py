"""What was just recorded is judged before the answer, whatever the index has read."""

from __future__ import annotations

from itertools import count

import pytest

import varves
from varves import open as opened
from varves.conflicts import arrivals
from varves.language import judge as language
from varves.values.instants import SystemClock

PORT, OTHER = "The API listens on port 8080", "The API listens on port 9090"
SERVICES = [
    *("billing", "search", "inventory", "gateway", "reporting", "checkout", "catalogue"),
    *("shipping", "invoicing", "scheduling", "messaging", "telemetry", "archive", "ledgering"),
    *("pricing", "loyalty", "identity", "consent", "onboarding", "rendering", "thumbnail"),
    *("transcoding", "geocoding", "routing", "forecasting"),
]


def stated(service, port):
    return f"The {service} service listens on port {port}"


def relations(done):
    return [(one.relation, one.id) for one in done.conflicts]


def test_both_of_a_burst_are_named_with_no_read_between_them(ledger):
    first = [ledger.remember(stated(name, 8000 + n)) for n, name in enumerate(SERVICES)]
    second = [ledger.remember(stated(name, 9000 + n)) for n, name in enumerate(SERVICES)]
    assert [relations(done) for done in first] == [[]] * 25
    assert [relations(done) for done in second] == [[("contradiction", one.id)] for one in first]
    reason = second[0].conflicts[0].reason
    assert "8000" in reason
    assert "9000" in reason


def test_other_processes_are_heard_too(project, varves):
    first = [varves("remember", stated(name, 8000), "--json").json for name in SERVICES]
    second = [varves("remember", stated(name, 9000), "--json").json for name in SERVICES]
    assert [[one["id"] for one in done["conflicts"]] for done in second] == [
        [done["id"]] for done in first
    ]


def test_a_batch_names_what_its_lines_contradict(ledger, varves):
    old = ledger.remember(PORT)
    lines = [stated(name, 8000) for name in SERVICES] + [stated(name, 9000) for name in SERVICES]
    done = ledger.remember_many([{"text": text} for text in [*lines, OTHER]])
    assert [one.line for one in done.conflicts] == list(range(26, 52))
    assert {one.relation for one in done.conflicts} == {"contradiction"}
    assert done.conflicts[-1].id == old.id
    assert ledger.show(done.conflicts[-1].memory).text == OTHER
    text = '{"text": "The API listens on port 7070"}\n'
    told = varves("remember", "--batch", "-", "--json", stdin=f"\n{text}").json
    assert {(one["line"], one["id"]) for one in told["conflicts"]} == {
        (2, old.id),
        (2, done.conflicts[-1].memory),
    }
    text = '{"text": "The API listens on port 6060"}\n'
    said = varves("remember", "--batch", "-", stdin=text).out.splitlines()
    assert said[0] == "1 written, 0 known, 0 refused"
    assert f"contradicts {old.id}: two values for" in said[1] + said[2] + said[3]
    assert said[1].startswith("line 1  mem_")


def test_a_long_batch_says_how_many_more_there_are(ledger, varves):
    ledger.remember_many({"text": f"Shard {n}x is set to {n}"} for n in range(30))
    lines = "".join(f'{{"text": "{stated(f"s{n}x", 8000)}"}}\n' for n in range(40))
    lines += "".join(f'{{"text": "{stated(f"s{n}x", 9000)}"}}\n' for n in range(40))
    said = varves("remember", "--batch", "-", stdin=lines).out.splitlines()
    assert len(said) == 22
    assert said[-1] == "20 more conflicts: varves conflicts"


def test_the_reason_is_said_in_words_and_in_json(varves):
    first = varves("remember", PORT, "--json").json
    told = varves("remember", OTHER).out.splitlines()
    assert told[1].startswith(f"  contradicts {first['id']}: two values for ")
    [conflict] = varves("conflicts", "--json").json["conflicts"]
    assert told[1].endswith(f"8080 and 9090 ({conflict['id']}: varves conflicts)")
    (one, _) = varves("remember", "The API listens on port 7070", "--json").json["conflicts"]
    assert one["kind"] == one["relation"] == "contradiction"
    assert one.keys() == {"kind", "id", "text", "conflict", "relation", "reason"}
    listed = varves("conflicts", "--json").json["conflicts"]
    assert one["conflict"] in {conflict["id"] for conflict in listed}


def test_what_says_the_same_is_a_duplicate(ledger):
    first = ledger.remember("Always use tabs in Makefiles")
    (one,) = ledger.remember("Use tabs in Makefiles, always").conflicts
    assert (one.kind, one.relation, one.id) == ("duplicate", "same", first.id)


def test_labelled_siblings_raise_nothing(ledger):
    done = [ledger.remember(f"Oven {n} is set to {170 + n * 10}") for n in range(1, 6)]
    assert [one.conflicts for one in done] == [()] * 5
    assert ledger.conflicts() == ()


def test_a_rotation_updates_the_latest_and_needs_no_decision(ledger):
    names = ["Lukas", "Ingrid", "Pavel", "Mona"]
    done = [ledger.remember(f"on call this week: {name}") for name in names]
    before = [done[n - 1].id for n in range(1, 4)]
    assert [relations(one) for one in done] == [[], *([("update", name)] for name in before)]
    assert done[1].conflicts[0].conflict == ""
    assert ledger.conflicts() == ()


def test_a_rotation_says_so_without_a_way_to_settle_it(varves):
    varves("remember", "on call this week: Lukas")
    line = varves("remember", "on call this week: Ingrid").out.splitlines()[1]
    assert line.startswith("  updates mem_")
    assert "varves conflicts" not in line


def test_both_are_right_is_remembered_across_a_rebuild(ledger):
    ledger.remember(PORT)
    (one,) = ledger.remember(OTHER).conflicts
    ledger.resolve(one.conflict, keep="all")
    ledger.rebuild()
    assert ledger.conflicts() == ()


def test_after_a_rebuild_few_keys_are_computed_and_the_rest_is_found_by_words(ledger, monkeypatch):
    old = ledger.remember(PORT)
    ledger.remember_many({"text": f"Widget {n}q is painted in colour {n}"} for n in range(300))
    ledger.rebuild()
    parsed = []
    real = language.statement
    monkeypatch.setattr(
        "varves.conflicts.judging.statement", lambda text: parsed.append(text) or real(text)
    )
    arrivals.prepared.cache_clear()
    done = ledger.remember(OTHER)
    assert relations(done) == [("contradiction", old.id)]
    assert len(parsed) <= arrivals.FILLED + 20 + 1


def test_conflicts_computes_the_keys_that_are_missing(ledger):
    ledger.remember_many({"text": f"Widget {n}q is painted in colour {n}"} for n in range(150))
    ledger.rebuild()
    ledger.conflicts()
    nearby = ledger._context.index.get().nearby("2026-01-01T00:00:00.000Z", ledger._context.trusted)
    assert (nearby.unkeyed(10), nearby.unseen()) == ([], 0)


@pytest.mark.parametrize("fault", [ValueError, RecursionError, MemoryError, KeyError])
def test_a_failing_judge_fails_no_write(ledger, monkeypatch, fault):
    ledger.remember(PORT)

    def fail(*_):
        raise fault("broken")

    monkeypatch.setattr("varves.conflicts.judging.judge", fail)
    done = ledger.remember(OTHER)
    assert (done.status, done.conflicts) == ("recorded", ())
    assert ledger.remember_many([{"text": "The API listens on port 70"}]).written == 1
    assert len(ledger.list()) == 3


class Slow(SystemClock):
    """A clock that moves with every look at it."""

    def __init__(self, step):
        self.times = count(SystemClock().now(), step)

    def now(self):
        return next(self.times)


def test_a_slow_judge_is_cut_off(project, monkeypatch):
    asked = []
    monkeypatch.setattr("varves.conflicts.judging.judge", lambda *_: asked.append(1))
    with varves.open(str(project)) as ledger:
        ledger.remember_many({"text": f"The API listens on port {n}"} for n in range(40))
    for step, most in ((0, 100), (30, arrivals.SURE)):
        with varves.open(str(project), clock=Slow(step)) as ledger:
            ledger.rebuild()
            asked.clear()
            assert ledger.remember(f"The API listens on port {900 + step}").status == "recorded"
            assert arrivals.MOST <= len(asked) <= most
            assert step or len(asked) > arrivals.SURE


def test_a_purge_removes_keys_and_pairs(ledger):
    first, second = ledger.remember(PORT), ledger.remember(OTHER)
    assert len(ledger.conflicts()) == 1
    db = ledger._context.index.get().db
    assert db.execute("select count(*) from said").fetchone()[0]
    ledger.purge(first.id, reason="test")
    ledger.purge(second.id, reason="test")
    ledger.conflicts()
    db = ledger._context.index.get().db
    left = "select n from said union all select newer from alike union all select n from pending"
    assert db.execute(left).fetchall() == []
    assert ledger.remember("The API listens on port 7070").conflicts == ()


def test_the_list_is_paged_newest_first(ledger, varves):
    for name in SERVICES[:6]:
        ledger.remember(stated(name, 8000))
    for name in SERVICES[:6]:
        ledger.remember(stated(name, 9000))
    whole = ledger.conflicts()
    assert [one.members[0].text for one in whole] == [
        stated(name, 9000) for name in reversed(SERVICES[:6])
    ]
    first = ledger.conflicts(limit=4)
    assert (list(first), first.more) == (list(whole[:4]), 2)
    rest = ledger.conflicts(limit=4, before=first[-1].id)
    assert (list(rest), rest.more) == (list(whole[4:]), 0)
    told = varves("conflicts", "--limit", "2", "--before", whole[0].id)
    assert told.out.splitlines()[-1] == f"3 more: varves conflicts --before {whole[2].id}"
    document = varves("conflicts", "--json").json
    assert (len(document["conflicts"]), document["more"]) == (6, 0)
    assert varves("conflicts", "--limit", "2", "--json").json["more"] == 4
    assert varves("conflicts", "--before", "cfl_000000000000").code == 4
    assert varves("conflicts", "--limit", "0").code == 2


@pytest.mark.full_size(sample=1)
@pytest.mark.parametrize("choice", ["keep", "delete", "merge", "all"])
def test_a_page_follows_a_conflict_that_was_settled_meanwhile(ledger, choice):
    for name in SERVICES[:6]:
        ledger.remember(stated(name, 8000))
    for name in SERVICES[:6]:
        ledger.remember(stated(name, 9000))
    first, rest = ledger.conflicts(limit=3), ledger.conflicts()[3:]
    way = {"keep": "all"} if choice == "all" else {choice: first[-1].members[0].id}
    if choice == "merge":
        way = {"merge": "Ports are assigned by the platform"}
    ledger.resolve(first[-1].id, **way)
    page = ledger.conflicts(limit=2, before=first[-1].id)
    assert ([one.id for one in page], page.more) == ([one.id for one in rest[:2]], 1)


def test_a_listing_for_people_is_cut_at_fifty(ledger, varves):
    ledger.remember_many({"text": stated(f"s{n}x", 8000)} for n in range(60))
    ledger.remember_many({"text": stated(f"s{n}x", 9000)} for n in range(60))
    said = varves("conflicts").out.splitlines()
    assert sum(line.startswith("cfl_") for line in said) == 50
    assert said[-1].startswith("10 more: varves conflicts --before cfl_")
    assert len(varves("conflicts", "--json").json["conflicts"]) == 60


@pytest.fixture
def other(tmp_path):
    """Return the export of another ledger."""
    root = tmp_path / "other"
    root.mkdir()
    with varves.open(str(root), home=str(tmp_path / "elsewhere")) as ledger:
        for name in SERVICES[:3]:
            ledger.remember(stated(name, 9000))
        exported = "\n".join(ledger.export())
    path = tmp_path / "exported.jsonl"
    path.write_text(exported, encoding="utf-8")
    return path


def test_a_trusted_import_names_what_its_lines_contradict(ledger, other, varves):
    old = [ledger.remember(stated(name, 8000)).id for name in SERVICES[:3]]
    done = varves("import", "jsonl", str(other), "--trust", "--json").json
    assert [(one["relation"], one["id"]) for one in done["conflicts"]] == [
        ("contradiction", name) for name in old
    ]
    assert len({one["line"] for one in done["conflicts"]}) == 3
    assert len(ledger.conflicts()) == 3


def test_what_waits_in_quarantine_is_not_judged(ledger, other):
    for name in SERVICES[:3]:
        ledger.remember(stated(name, 8000))
    done = ledger.import_("jsonl", str(other))
    assert (done.written, done.quarantined, done.conflicts) == (3, 3, ())
    assert ledger.conflicts() == ()


def test_a_protocol_says_what_an_entry_contradicts(ledger, varves):
    assert varves("scoped", "init").code == 0
    varves("scoped", "write", "project", "--type", "decision", "--content", PORT)
    told = varves("scoped", "write", "project", "--type", "decision", "--content", OTHER)
    assert "mem-002 contradicts mem-001" in told.err
    [conflict] = varves("conflicts", "--json").json["conflicts"]
    assert f"8080 and 9090 ({conflict['id']}: varves conflicts)" in told.err


def test_an_entry_of_a_protocol_names_its_conflicts_in_json(ledger, varves):
    assert varves("scoped", "init").code == 0
    varves("scoped", "write", "project", "--type", "decision", "--content", PORT)
    done = varves("scoped", "write", "project", "--type", "decision", "--content", OTHER, "--json")
    (named,) = done.json["conflicts"]
    assert (named["relation"], ledger.show(named["id"]).text) == ("contradiction", PORT)
    assert named["conflict"] == ledger.conflicts()[0].id


def test_a_correction_names_what_the_new_text_contradicts(ledger, varves):
    old = ledger.remember(PORT)
    wrong = ledger.remember("The API listens on the main interface")
    done = varves("correct", wrong.id, OTHER, "--json").json
    assert [(one["relation"], one["id"]) for one in done["conflicts"]] == [
        ("contradiction", old.id)
    ]
    assert done["conflicts"][0]["conflict"] == ledger.conflicts()[0].id


def test_a_correction_of_the_value_itself_contradicts_nothing(ledger, varves):
    old = ledger.remember(PORT)
    done = varves("correct", old.id, OTHER)
    assert done.out.splitlines() == [f"{done.out.split()[0]} supersedes {old.id}"]
    assert ledger.correct(done.out.split()[0], "The API listens on port 7070").conflicts == ()


def test_an_imported_line_that_is_older_is_updated_not_updating(tmp_path, ledger, varves):
    root = tmp_path / "older"
    root.mkdir()
    with opened(str(root), home=str(tmp_path / "elsewhere")) as old:
        old.remember("We deploy with Jenkins")
        exported = "\n".join(old.export())
    path = tmp_path / "older.jsonl"
    path.write_text(exported, encoding="utf-8")
    new = ledger.remember("We now deploy with Buildkite instead of Jenkins")
    (named,) = varves("import", "jsonl", str(path), "--trust", "--json").json["conflicts"]
    assert (named["relation"], named["memory"]) == ("update", new.id)
    assert ledger.show(named["id"]).text == "We deploy with Jenkins"
