from __future__ import annotations

from types import SimpleNamespace

from tests.unit.commands.rows import event
from varves.protocols.sessions import Session, abandoned, current, draft, fold, is_idle

NOON = 1_767_268_800_000  # 2026-01-01T12:00:00Z


def happened(number, kind, name="s1", *, actor="ada", checkout="main", **content):
    made = event(f"evt_{number}", kind, log="private", checkout=checkout, **content)
    made.fields |= {"session": name, "actor": actor, "time": f"2026-01-01T{number:02}:00:00.000Z"}
    return made


def ledger(*gone, session=None, actor="ada"):
    """Return what the functions ask of a ledger whose checkout is `main`."""
    return SimpleNamespace(
        checkout="main",
        now=NOON,
        session=session,
        act=lambda: SimpleNamespace(actor=actor),
        is_there=lambda checkout: checkout not in gone,
    )


def test_a_session_runs_from_its_start_until_an_event_ends_it():
    started = happened(1, "session.started")
    (running,) = fold(Session, [started, happened(2, "task.received", actor="bob")])
    assert (running.name, running.start, running.checkout) == ("s1", "evt_1", "main")
    assert (running.running, running.actor, running.version) == (True, "bob", "evt_2")
    assert (running.began, running.active) == (started.time, "2026-01-01T02:00:00.000Z")
    for how in ("ended", "recovered"):
        (over,) = fold(Session, [started, happened(2, f"session.{how}", actor="bob")])
        assert (over.running, over.state, over.actor) == (False, how, "ada")


def test_what_no_event_started_is_no_session():
    assert fold(Session, [happened(1, "task.received"), happened(2, "session.ended")]) == []
    assert fold(Session, [happened(1, "session.started", None)]) == []


def test_a_protocol_may_let_a_closed_session_run_again():
    class Lasting(Session):
        _restarts = ("session.started",)

    events = [happened(1, "session.started"), happened(2, "session.ended")]
    events.append(happened(3, "session.started"))
    assert [one.running for one in fold(Lasting, events)] == [True]
    assert [one.running for one in fold(Session, events)] == [False]


def test_the_current_session_is_the_named_one_or_the_last_that_runs_here():
    found = fold(
        Session,
        [
            happened(1, "session.started", "a"),
            happened(2, "session.started", "b", actor="bob"),
            happened(3, "session.started", "c", checkout="other"),
            happened(4, "session.started", "d"),
            happened(5, "session.ended", "d"),
        ],
    )

    def name(**given):
        one = current(found, "main", **given)
        return None if one is None else one.name

    assert (name(), name(actor="ada"), name(actor="eve")) == ("b", "a", None)
    assert (name(named="d"), name(named="c"), name(named="a", actor="bob")) == ("d", None, "a")


def test_a_session_is_abandoned_if_it_was_replaced_or_idle_or_its_checkout_is_gone():
    found = fold(
        Session,
        [
            happened(1, "session.started", "long ago"),
            happened(10, "session.started", "lately"),
            happened(10, "session.started", "mine", actor="eve"),
            happened(1, "session.started", "elsewhere", checkout="there"),
            happened(10, "session.started", "lost", checkout="gone"),
            happened(1, "session.started", "ended"),
            happened(2, "session.ended", "ended"),
        ],
    )
    left = abandoned(
        found,
        ledger("gone"),
        4,
        replaced=lambda one: one.actor == "eve",
        last=lambda one: one.active,
    )
    assert [one.name for one in left] == ["long ago", "mine", "lost"]


def test_a_session_is_idle_from_the_full_hours_on():
    last = "2026-01-01T08:00:00.000Z"
    assert is_idle(last, NOON, 4)
    assert not is_idle(last, NOON - 1, 4)


def test_the_event_of_a_session_names_its_checkout_unless_it_is_about_another_one():
    act = SimpleNamespace(draft=lambda kind, content, *cause: (kind, content, cause))
    assert draft(ledger(), act, "session.ended", {"start": "e1"}, "e1") == (
        "session.ended",
        {"checkout": "main", "start": "e1"},
        ("e1",),
    )
    assert draft(ledger(), act, "k", {"checkout": "gone"})[1] == {"checkout": "gone"}
