"""What a memory repeats, updates or contradicts: the pairs, and how they are settled."""

from __future__ import annotations

import json
import os
import sqlite3
from fcntl import LOCK_EX, flock
from time import monotonic, sleep

import pytest

import varves
from tests.places import local_of
from tests.tables import each_row
from varves.conflicts import background, finders, pending
from varves.errors import NotFound, Refused
from varves.index.sqlite.nearby import SqliteNearby
from varves.index.where import Trusted
from varves.values import near

AT_ONCE = pending.ComparisonLimit(milliseconds=0)
DEPOSIT, LESS = "Deposit at booking is 20 % of the stay", "Deposit at booking is 15 % of the stay"


def seen(ledger, text, **about):
    """Remember a text and let a reader catch the index up."""
    done = ledger.remember(text, **about)
    ledger.recall("anything")
    return done


def named(done):
    """Return what an answer names; whether that is an update is for the judge's own tests."""
    assert {one.kind for one in done.conflicts} <= {"update", "contradiction"}
    return [one.id for one in done.conflicts]


def pairs(ledger):
    return [tuple(memory.id for memory in c.members) for c in ledger.conflicts()]


def test_an_update_is_named_in_the_answer_and_nothing_else_is_written(ledger):
    first = seen(ledger, DEPOSIT)
    done = ledger.remember(LESS)
    assert named(done) == [first.id]
    assert done.conflicts[0].text == DEPOSIT
    assert [event.kind for event in ledger.log()] == ["memory.recorded"] * 2
    assert {memory.status for memory in ledger.list()} == {"active"}


def test_a_contradiction_in_other_words_is_named_in_the_answer(ledger):
    older = ledger.remember("The scheduler runs jobs one after another.")
    ledger.remember("The scheduler keeps a list of failed jobs.")

    done = ledger.remember("Up to eight jobs run at the same time in the scheduler.")

    assert [(found.id, found.relation) for found in done.conflicts] == [(older.id, "contradiction")]


def test_the_older_one_is_found_before_any_reader_has_seen_it(ledger):
    seen(ledger, "Forms have a save button")
    ledger.remember("Buttons are blue")
    first = ledger.remember(DEPOSIT)
    assert named(ledger.remember(LESS)) == [first.id]
    assert len(pairs(ledger)) == 1


def test_the_verb_says_it_in_a_line_and_in_json(varves):
    first = varves("remember", DEPOSIT, "--json").json
    varves("recall", "deposit")
    told = varves("remember", LESS)
    name = told.out.split()[0]
    line = told.out.splitlines()[1]
    assert f"s {first['id']}: " in line
    [conflict] = varves("conflicts", "--json").json["conflicts"]
    assert line.endswith(f"20 % and 15 % ({conflict['id']}: varves conflicts)")
    varves("recall", "deposit")
    again = varves("remember", "The deposit at booking is 15 % of the stay", "--json").json
    found = {one["id"]: one for one in again["conflicts"]}
    assert {name: one["text"] for name, one in found.items()} == {first["id"]: DEPOSIT, name: LESS}
    assert (found[name]["kind"], found[name]["relation"]) == ("duplicate", "same")
    (conflict,) = [
        one["id"]
        for one in varves("conflicts", "--json").json["conflicts"]
        if {member["id"] for member in one["members"]} == {name, first["id"]}
    ]
    settled = varves("conflicts", "resolve", conflict, "--keep", name)
    assert (settled.code, settled.out) == (0, f"{name} kept\n")
    assert varves("show", first["id"], "--json").json["status"] == "superseded"


def test_what_the_caller_may_not_see_is_not_compared(project):
    for about in (
        {"scope": "global"},
        {"private": True},
        {"scope": "agent:bosun"},
        {"tags": ["sensitive"]},
        {"scope": "session:s1"},
    ):
        with varves.open(str(project), actor="rigger") as ledger:
            ledger.remember(DEPOSIT, **about)
    with varves.open(str(project), actor="rigger") as ledger:
        ledger.through("import").remember("Deposit at booking is 30 % of the stay")
        ledger.recall("anything")
        assert ledger.remember(LESS).conflicts == ()
        assert ledger.conflicts() == ()
        ledger.remember("Deposit at booking is 35 % of the stay", scope="agent:bosun")
        assert ledger.conflicts() == ()
    with varves.open(str(project), actor="bosun") as ledger:
        assert [c.members[0].scope for c in ledger.conflicts()] == ["agent:bosun"]


def test_what_two_people_say_of_themselves_is_not_compared(ledger):
    seen(ledger, "My favourite tea is green", speaker="Ada")
    assert ledger.remember("My favourite tea is black", speaker="Bob").conflicts == ()
    assert named(ledger.remember("My favourite tea is white", speaker="Ada"))


def test_what_was_said_before_is_no_update_of_what_came_after(ledger):
    seen(ledger, DEPOSIT, at="2026-03-01T00:00:00Z")
    assert ledger.remember(LESS, at="2026-02-01T00:00:00Z").conflicts == ()
    [conflict] = ledger.conflicts()
    assert [memory.text for memory in conflict.members] == [DEPOSIT, LESS]


@pytest.mark.parametrize("harm", ["missing", "torn", "without the words"])
def test_a_missing_or_damaged_index_never_fails_the_write(ledger, harm):
    seen(ledger, DEPOSIT)
    index = str(local_of(ledger.root) / "index.sqlite")
    if harm == "missing":
        ledger.close()
        os.unlink(index)
    elif harm == "torn":
        ledger.close()
        with open(index, "r+b") as file:
            file.truncate(5000)
    else:
        ledger._context.index.get().db.execute("drop table words")
    done = ledger.remember(LESS)
    assert done.status == "recorded"
    assert len([event for event in ledger.log() if event.kind == "memory.recorded"]) == 2


@pytest.mark.parametrize("fault", [sqlite3.DatabaseError, sqlite3.OperationalError, OSError])
def test_a_fault_while_comparing_never_writes_twice(ledger, monkeypatch, fault):
    """The write is durable by then; what heals an index would do the whole call again."""
    seen(ledger, DEPOSIT)

    def fail(*_, **__):
        raise fault("disk I/O error")

    monkeypatch.setattr(SqliteNearby, "unkeyed", fail)
    monkeypatch.setattr(SqliteNearby, "sharing", fail)
    done = ledger.remember(LESS)
    assert (done.status, done.conflicts) == ("recorded", ())
    assert [event.id for event in ledger.log(kind="memory.recorded")][1:] == [done.event]


class Counting:
    """A database that counts the rows it hands out."""

    def __init__(self, db):
        self.db, self.rows = db, 0

    def execute(self, *args):
        found = self.db.execute(*args).fetchall()
        self.rows += len(found)
        return Rows(found)


class Rows(list):
    def fetchall(self):
        return self


def test_the_cost_is_bounded_however_many_memories_share_the_words(ledger):
    wanted = ["deposit", "at", "booking", "guest", "stay"]
    many = ({"text": f"Deposit at booking of guest {n} is due on stay {n}"} for n in range(900))
    ledger.remember_many(many)
    ledger.recall("anything")
    look = ledger._context.index.get().nearby("2026-01-01T00:00:00.000Z", Trusted())
    look._db = Counting(look._db)
    found = look.nearest(wanted, scope="project", kept="project", other_than="")
    assert len(found) == near.NEAREST
    assert look._db.rows <= len(wanted) * near.PLACES + near.READ + near.NEAREST


def test_conflicts_compares_each_memory_once(ledger, monkeypatch):
    first = seen(ledger, DEPOSIT)
    asked = []
    real = SqliteNearby.partners
    monkeypatch.setattr(
        SqliteNearby, "partners", lambda self, name: asked.append(name) or real(self, name)
    )
    ledger.conflicts()
    second = ledger.remember(LESS)
    ledger.conflicts()
    before = pairs(ledger)
    assert asked == [first.id, second.id]
    ledger.rebuild()
    assert pairs(ledger) == before
    assert len(asked) == 4


def test_an_edited_memory_keeps_its_partners(ledger):
    first, second = seen(ledger, DEPOSIT), seen(ledger, LESS)
    assert pairs(ledger) == [(second.id, first.id)]
    ledger.edit(first.id, tag=["+money"])
    assert pairs(ledger) == [(second.id, first.id)]
    ledger.edit(first.id, scope="team:core")
    assert pairs(ledger) == []


def test_a_conflict_keeps_its_id_and_can_be_settled(ledger):
    first = seen(ledger, DEPOSIT)
    done = seen(ledger, LESS)
    [conflict] = ledger.conflicts()
    assert conflict.id == done.conflicts[0].conflict
    assert "20" in conflict.reason
    assert "15" in conflict.reason
    ledger.resolve(conflict.id, keep=done.id)
    assert ledger.show(first.id).status == "superseded"
    assert ledger.conflicts() == ()
    with pytest.raises(NotFound):
        ledger.resolve(conflict.id, keep=done.id)


@pytest.mark.parametrize("choice", ["merge", "delete"])
def test_it_can_be_merged_and_one_deleted(ledger, choice):
    first, second = seen(ledger, DEPOSIT), seen(ledger, LESS)
    [conflict] = ledger.conflicts()
    value = second.id if choice == "delete" else "Deposit at booking: 20 %, from May 15 %"
    ledger.resolve(conflict.id, **{choice: value})
    assert ledger.conflicts() == ()
    left = {memory.text for memory in ledger.list()}
    assert left == ({DEPOSIT} if choice == "delete" else {value})
    assert ledger.show(first.id).status == ("active" if choice == "delete" else "superseded")


def test_both_may_stand_and_the_pair_does_not_come_back_until_that_is_undone(ledger):
    first, second = seen(ledger, DEPOSIT), seen(ledger, LESS)
    [conflict] = ledger.conflicts()
    done = ledger.resolve(conflict.id, keep="all")
    assert ledger.conflicts() == ()
    assert {ledger.show(one.id).status for one in (first, second)} == {"active"}
    ledger.edit(first.id, tag=["+money"])
    ledger.rebuild()
    assert ledger.conflicts() == ()
    ledger.undo(done.event)
    assert [one.id for one in ledger.conflicts()] == [conflict.id]


def test_not_all_rivals_for_one_place_can_stand(ledger):
    first = ledger.remember("Use Zod")
    ledger.correct(first.id, "Use Yup")
    ledger.restore(first.id)
    [conflict] = ledger.conflicts()
    assert conflict.kind == "siblings"
    with pytest.raises(Refused):
        ledger.resolve(conflict.id, keep="all")


def test_the_past_has_its_own_pairs(ledger):
    seen(ledger, DEPOSIT)
    done = seen(ledger, LESS)
    ledger.forget(done.id, reason="no")
    assert ledger.conflicts() == ()
    assert len(ledger.conflicts(as_of=done.event)) == 1


@each_row(
    ("older", "newer"),
    [
        (
            "The shop runs on Heroku",
            "We moved the shop off Heroku last week, it runs on Render",
        ),
        ("The relay listens on 7001", "Yesterday the relay was moved from port 7001 to 7002"),
        ("Letters go out through Postmark", "We dropped Postmark this morning."),
        ("Letters go out through Postmark", "We dropped Postmark last month."),
        ("The blog runs on Ghost", "Since last week the blog runs on Hugo, no longer on Ghost"),
        ("A seat costs 40 euros", "As of today a seat costs 45 euros"),
        ("Deploys need one approval", "From this sprint on deploys need two approvals"),
    ],
)
def test_an_update_that_says_since_when_is_announced_and_listed(ledger, older, newer):
    old = ledger.remember(older, again=True)
    done = ledger.remember(newer, again=True)
    [one] = done.conflicts
    assert (one.relation, one.id) == ("update", old.id)
    assert [(each.id, each.kind) for each in ledger.conflicts()] == [(one.conflict, "update")]
    ledger.rebuild()
    assert [each.id for each in ledger.conflicts()] == [one.conflict]
    for name in (old.id, done.id):
        ledger.forget(name, reason="the next row")


@each_row(
    ("older", "newer"),
    [
        ("On call this week: Ingrid", "On call this week: Noor"),
        ("Today the port is 8081", "The port is 8080"),
        ("The deposit is 40 euros", "From today until Friday the deposit is 20 euros"),
        ("Last week's talk was on Monday", "The talk is on Tuesday"),
    ],
)
def test_a_statement_about_a_limited_time_is_not_listed(ledger, older, newer):
    names = [ledger.remember(text, again=True).id for text in (older, newer)]
    assert not ledger.conflicts()
    for name in names:
        ledger.forget(name, reason="the next row")


def test_a_conflict_may_be_named_by_a_memory_that_is_in_no_other(ledger, varves):
    first = ledger.remember(DEPOSIT)
    second = ledger.remember(LESS)
    done = varves("conflicts", "resolve", second.id, "--keep", first.id)
    assert (done.code, done.out.split()) == (0, [first.id, "kept"])
    assert not ledger.conflicts()
    undone = varves("conflicts", "resolve", first.id, "--keep", "all")
    assert (undone.code, undone.out) == (4, "")
    assert f"no conflict {first.id}" in undone.err


def test_a_memory_of_two_conflicts_names_neither(ledger, varves):
    first = ledger.remember(DEPOSIT)
    ledger.remember(LESS)
    ledger.remember("Deposit at booking is 10 % of the stay")
    names = {one.id for one in ledger.conflicts() if first.id in {m.id for m in one.members}}
    done = varves("conflicts", "resolve", first.id, "--keep", "all")
    assert (done.code, done.out) == (2, "")
    assert all(name in done.err for name in names)
    assert len(ledger.conflicts()) == 3


def waits(ledger):
    """Return how many memories are not compared, without comparing any."""
    return ledger._context.fresh().index.nearby("", ledger._context.trusted).unseen()


def many(count):
    """Return statements of which some have other values than earlier ones."""
    return [
        {"text": f"Deposit at hotel{n % 23} is {n % 5 + 10} % of the stay"} for n in range(count)
    ]


def test_one_call_compares_for_a_limited_time_and_the_next_goes_on(ledger, monkeypatch):
    ledger.remember_many(many(90))
    whole = pairs(ledger)
    ledger.rebuild()
    monkeypatch.setattr(finders, "PORTION", 20)
    monkeypatch.setattr(pending, "_FOR_NOW", AT_ONCE)

    left = [ledger.conflicts(limit=1).uncompared for _ in range(5)]

    assert left == [70, 50, 30, 10, 0]
    assert whole
    assert pairs(ledger) == whole


def test_memories_compared_one_by_one_or_together_form_the_same_pairs(ledger):
    for one in many(60):
        seen(ledger, one["text"])
        ledger.conflicts(limit=1)
    one_by_one = pairs(ledger)
    assert len(one_by_one) > 20
    ledger.rebuild()
    assert pairs(ledger) == one_by_one


def test_what_is_not_compared_yet_is_counted_in_the_answer(varves, monkeypatch):
    started = []
    monkeypatch.setattr(background, "start_apart", lambda *args, **_: started.append(args))
    monkeypatch.setattr(finders, "PORTION", 20)
    monkeypatch.setattr(pending, "_FOR_NOW", AT_ONCE)
    lines = "\n".join(json.dumps(one) for one in many(50))
    assert varves("remember", "--batch", "-", stdin=lines).code == 0

    assert varves("conflicts", "--json").json["uncompared"] == 30
    assert "10 memories not yet compared" in varves("conflicts").err
    assert varves("conflicts", "--json").json["uncompared"] == 0
    assert "not yet compared" not in varves("conflicts").err
    assert len(started) == 2


@pytest.mark.filterwarnings("ignore:subprocess .* is still running:ResourceWarning")
def test_a_process_in_the_background_compares_what_waits(ledger):
    ledger.remember_many(many(60))

    ledger.compare_in_background(least=100)
    ledger.compare_in_background()

    until = monotonic() + 60
    view = ledger.unseen()
    while waits(view) and monotonic() < until:
        sleep(0.05)
    assert waits(view) == 0
    assert len(pairs(ledger)) > 20


def test_one_process_at_a_time_compares(ledger, project, monkeypatch):
    started = []
    monkeypatch.setattr(background, "start_apart", lambda *args, **_: started.append(args))
    ledger.remember_many(many(60))
    with open(project / ".varves/local/compare.lock", "w", encoding="utf-8") as held:
        flock(held, LOCK_EX)
        ledger.compare_in_background()
        ledger._compare()
    assert (started, waits(ledger)) == ([], 60)

    ledger.compare_in_background()
    ledger._compare()
    assert (len(started), waits(ledger)) == (1, 0)


def test_a_conflict_that_was_named_is_resolved_while_many_wait(ledger, monkeypatch):
    ledger.remember_many(many(60))
    first = ledger.remember(DEPOSIT)
    [conflict] = ledger.remember(LESS).conflicts
    assert conflict.id == first.id
    ledger.recall("anything")
    monkeypatch.setattr(pending, "_FOR_ONE", pending.ComparisonLimit(memories=20))
    monkeypatch.setattr(finders, "PORTION", 10)
    monkeypatch.setattr(pending, "_FOR_NOW", AT_ONCE)

    ledger.resolve(conflict.conflict, keep=first.id)

    assert ledger.conflicts(limit=1).uncompared
    assert ledger.show(first.id).status == "active"
