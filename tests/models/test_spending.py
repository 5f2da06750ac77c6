"""Every call is recorded, and the caps hold over a day, over processes and through crashes."""

from __future__ import annotations

import os
import subprocess
import sys

import pytest

import varves as package
from tests.loopback import fails, holds, says
from tests.rooms import room
from varves.errors import Refused
from varves.protocols.runner import Unanswered
from varves.values.instants import FixedClock, instant

NOON = instant("2026-11-15T12:00:00Z")
DAY = 86_400_000
AROUND = 64

ASK = """
import sys, varves
with varves.open(sys.argv[1]) as ledger:
    try:
        print(ledger.model(purpose="crowd").query(prompt="12345").response)
    except varves.errors.Refused as fault:
        print(fault.message)
        sys.exit(fault.exit)
"""


def at(desk, clock, **options):
    return desk.open(clock=clock).model(purpose="testing", **options)


def test_what_a_call_took_is_recorded_in_the_private_log(desk, provider):
    desk.write(desk.played.settings(provider, price_in=2.0, price_out=10.0))
    desk.played.plays(says("Fine.", tokens=(1000, 300)))
    runner = at(desk, FixedClock(NOON), session="talk-1")
    answer = runner.query(prompt="a prompt nobody keeps", system_prompt="nor this one")
    assert answer.cost == pytest.approx(0.005)
    [event] = desk.events()
    told = dict(event.data)
    assert told.pop("seconds") >= 0
    assert told == {
        "model": "played-1",
        "provider": provider,
        "purpose": "testing",
        "tokens_in": 1000,
        "tokens_out": 300,
        "cost": 0.005,
        "success": True,
        "tries": 1,
    }
    assert (event.log, event.session, event.time) == (
        "private",
        "talk-1",
        "2026-11-15T12:00:00.000Z",
    )
    for word in (b"nobody keeps", b"nor this one", b"Fine."):
        assert word not in desk.files()


def test_nothing_of_a_call_is_in_files_that_git_tracks(desk):
    desk.runner().query(prompt="?")
    log = desk.root / ".varves" / "log"
    assert not [
        path for path in log.rglob("*") if path.is_file() and b"model." in path.read_bytes()
    ]


def test_without_prices_the_cost_is_not_known(desk):
    assert desk.runner().query(prompt="?").cost is None
    assert "cost" not in desk.called


def test_without_caps_nothing_is_set_aside(desk):
    desk.runner(cap_tokens=0).query(prompt="?")
    assert desk.events("model.asked") == []
    assert desk.called["success"] is True


def test_the_cap_in_tokens_counts_what_the_next_call_can_take(desk):
    desk.played.plays(says("Fine.", tokens=(900, 600)))
    most = 5 + AROUND + 400
    runner = desk.runner(cap_tokens=1500 + most, max_tokens=400)
    runner.query(prompt="12345")
    runner.query(prompt="12345")
    with pytest.raises(Refused) as refused:
        runner.query(prompt="12345")
    assert refused.value.exit == 3
    assert "3,000 tokens in the last 24 hours" in refused.value.message
    assert (
        f"may use {most}: together more than the cap_tokens of {1500 + most:,}"
        in refused.value.message
    )
    assert len(desk.played.asked) == len(desk.events()) == 2


def test_the_cap_in_dollars_says_how_much_was_spent(desk):
    desk.played.plays(says("Fine.", tokens=(1_000_000, 200_000)))
    runner = desk.runner(cap=2.01, price_in=1.0, price_out=5.0, cap_tokens=0)
    assert runner.query(prompt="?").cost == pytest.approx(2.0)
    desk.played.plays(says("Fine.", tokens=(1, 1)))
    runner.query(prompt="?")
    with pytest.raises(Refused, match=r"used \$2\.0000 in the last 24 hours.* cap of \$2\.01"):
        runner.query(prompt="x" * 6_000)


def test_the_caps_are_for_the_last_24_hours(desk):
    desk.played.plays(says("Fine.", tokens=(900, 600)))
    desk.write(desk.played.settings(cap_tokens=1600, max_tokens=400))
    clock = FixedClock(NOON)
    runner = at(desk, clock)
    runner.query(prompt="?")
    clock.ms = NOON + DAY
    with pytest.raises(Refused):
        runner.query(prompt="?")
    clock.ms = NOON + DAY + 1
    runner.query(prompt="?")


def test_a_clock_that_was_set_back_forgets_no_call(desk):
    desk.played.plays(says("Fine.", tokens=(900, 600)))
    desk.write(desk.played.settings(cap_tokens=1600, max_tokens=400))
    clock = FixedClock(NOON)
    runner = at(desk, clock)
    runner.query(prompt="?")
    clock.ms = NOON - 3 * DAY
    with pytest.raises(Refused):
        runner.query(prompt="?")


def test_what_fails_before_it_costs_is_given_back(desk):
    desk.played.plays(fails(401))
    runner = desk.runner(cap_tokens=600, max_tokens=500)
    for _ in range(3):
        with pytest.raises(Unanswered, match="http 401"):
            runner.query(prompt="?")


def test_what_may_have_cost_something_counts_in_full(desk):
    desk.played.plays(holds)
    runner = desk.runner(cap_tokens=600, max_tokens=500, timeout=1.5)
    with pytest.raises(Unanswered, match="timeout"):
        runner.query(prompt="?")
    with pytest.raises(Refused, match="565 tokens"):
        runner.query(prompt="?")


def test_another_try_that_can_cost_again_is_judged_again(desk):
    from tests.loopback import breaks_off

    desk.played.plays(breaks_off, says("Never."))
    runner = desk.runner(cap_tokens=1100, max_tokens=500)
    with pytest.raises(Refused):
        runner.query(prompt="?" * 100)
    assert len(desk.played.asked) == 1
    assert (desk.called["error"], desk.called["doubt_tokens"]) == ("interrupted", 664)


def test_nobody_undoes_what_was_spent(desk):
    desk.played.plays(says("Fine.", tokens=(900, 600)))
    desk.write(desk.played.settings(cap_tokens=1600, max_tokens=400))
    ledger = desk.open()
    runner = ledger.model(purpose="testing")
    runner.query(prompt="?")
    for event in desk.events("model.called", "model.asked"):
        try:
            ledger.undo(event.id)
        except Refused:
            continue
    with pytest.raises(Refused, match="1,500 tokens"):
        runner.query(prompt="?")


def test_calls_of_several_processes_cannot_overdraw_together_nor_by_crashing(desk):
    desk.played.plays(holds)
    desk.write(desk.played.settings(cap_tokens=1000, max_tokens=500))
    start = [sys.executable, "-c", ASK, str(desk.root)]
    crowd = [
        subprocess.Popen(start, stdout=subprocess.PIPE, encoding="utf-8", env=os.environ)
        for _ in range(3)
    ]
    try:
        assert desk.played.arrived.acquire(timeout=120)
        refused = []
        while len(refused) < 2:
            refused = [one for one in crowd if one.poll() is not None]
            desk.played.released.wait(0.02)
        assert [one.returncode for one in refused] == [3, 3]
        assert all("used 569 tokens" in one.stdout.read() for one in refused)
    finally:
        for one in crowd:
            one.kill()
            one.wait()
            one.stdout.close()
    assert len(desk.played.asked) == 1
    assert desk.events() == []
    with pytest.raises(Refused, match="used 569 tokens"):
        desk.open().model(purpose="later").query(prompt="?")


def test_nobody_asks_while_another_process_decides_on_what_is_left(desk):
    from threading import Thread

    from varves.inference.budget import LOCK
    from varves.places.locks import Deciding

    desk.write(desk.played.settings())
    ledger = desk.open()
    runner = ledger.model(purpose="testing")
    told = [runner.query(prompt="?").response]
    assert desk.played.arrived.acquire(timeout=60)
    asking = Thread(target=lambda: told.append(runner.query(prompt="?").response))
    with room(ledger.root) as seen, Deciding(seen.places.store("private"), lambda: None, name=LOCK):
        asking.start()
        assert not desk.played.arrived.acquire(timeout=1.0)
    asking.join(60)
    assert told == ["Fine.", "Fine."]


def test_calls_of_several_threads_are_all_recorded(desk):
    from concurrent.futures import ThreadPoolExecutor

    runner = desk.runner()
    with ThreadPoolExecutor(4) as pool:
        told = list(pool.map(lambda n: runner.query(prompt=f"{n}").response, range(12)))
    assert told == ["Fine."] * 12
    assert len(desk.events()) == len(desk.events("model.asked")) == 12
    settled = {cause for event in desk.events() for cause in event.cause}
    assert settled == {event.id for event in desk.events("model.asked")}


def test_the_ledger_goes_on_while_a_model_is_asked(desk):
    from threading import Thread

    desk.played.plays(holds)
    desk.write(desk.played.settings())
    ledger = desk.open()
    runner = ledger.model(purpose="testing")
    told = []
    asking = Thread(target=lambda: told.append(runner.query(prompt="?").response))
    asking.start()
    assert desk.played.arrived.acquire(timeout=60)
    ledger.remember("Work goes on")
    with package.open(desk.root) as other:
        other.remember("Elsewhere too")
    assert not told
    desk.played.released.set()
    asking.join(60)
    assert told == ["Late."]
