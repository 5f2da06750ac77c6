"""The measuring code, with a clock and subjects made for it; nothing here is timed."""

from __future__ import annotations

import _socket

import pytest

import varves
from benchmarks import corpus, layers, protocols, report, scale, stages, windows
from benchmarks.history import write_history
from benchmarks.measure import Samples, interleave, ratio
from benchmarks.processes import wanted
from benchmarks.row import Row, compared, rated, timed
from tests.tables import each_row


class Clock:
    """Stands still unless a subject lets time pass."""

    def __init__(self) -> None:
        self.now = 0.0

    def __call__(self) -> float:
        return self.now

    def passing(self, seconds: float, order: list[str], name: str):
        def subject() -> None:
            order.append(name)
            self.now += seconds

        return subject


def test_subjects_take_turns_and_none_is_always_first():
    clock, order = Clock(), []
    subjects = {name: clock.passing(1.0, order, name) for name in "abc"}
    interleave(subjects, rounds=3, warmup=0, clock=clock)
    assert "".join(order) == "abcbcacab"


def test_warming_up_is_not_counted():
    clock, order = Clock(), []
    slow_at_first = iter([9.0, 9.0, 1.0, 1.0, 1.0])

    def subject() -> None:
        order.append("a")
        clock.now += next(slow_at_first)

    found = interleave({"a": subject}, rounds=3, warmup=2, clock=clock)
    assert found["a"].values == (1.0, 1.0, 1.0)
    assert len(order) == 5


def test_only_the_subject_is_timed():
    clock = Clock()
    subjects = {"slow": clock.passing(3.0, [], ""), "quick": clock.passing(0.5, [], "")}
    found = interleave(subjects, rounds=4, clock=clock)
    assert found["slow"].median == 3.0
    assert found["quick"].median == 0.5
    assert ratio(found["slow"], found["quick"]) == 6.0


def test_one_wild_run_moves_neither_median_nor_ratio():
    calm, wild = Samples((1.0,) * 9), Samples((1.0,) * 8 + (1000.0,))
    assert ratio(wild, calm) == 1.0
    assert wild.spread[1] > calm.spread[1]


@pytest.mark.parametrize(
    ("values", "median", "spread"),
    [
        ((5.0,), 5.0, (5.0, 5.0)),
        ((2.0, 1.0), 1.5, (1.1, 1.9)),
        (tuple(float(n) for n in range(11)), 5.0, (1.0, 9.0)),
    ],
)
def test_median_and_spread(values, median, spread):
    assert Samples(values).median == pytest.approx(median)
    assert Samples(values).spread == pytest.approx(spread)


def test_a_rate_is_per_second():
    assert Samples((2.0, 4.0)).rate(100).values == (50.0, 25.0)


def test_a_target_is_met_up_to_its_limit_and_missed_beyond():
    one = Samples((1.0,))
    assert compared("x", Samples((1.5,)), one, at_most=1.5).met is True
    assert compared("x", Samples((1.51,)), one, at_most=1.5).met is False
    assert rated("x", Samples((100.0,)), at_least=100).met is True
    assert rated("x", Samples((99.0,)), at_least=100).met is False
    assert timed("x", one).met is None


@each_row(
    ("times", "met"),
    [
        ((1.0, 1.0, 1.0), [True, True, True]),
        ((1.0, 2.0, 20.0), [True, True, True]),
        ((1.0, 10.0, 100.0), [True, True, False]),
        ((1.0, 1.2, 30.0), [True, False, True]),
        ((1.0, 13.0, 14.0), [False, True, True]),
    ],
)
def test_growth_may_be_linear_with_a_small_slope_and_no_worse(times, met):
    sizes = protocols.SIZES
    found = {size: Samples((time,)) for size, time in zip(sizes, times, strict=True)}
    first, *rows = protocols.rows("x", found)
    assert first.met is None
    assert [row.met for row in rows] == met


def test_work_over_a_log_may_grow_with_its_length_and_no_faster():
    lengths = {count: Samples((time,)) for count, time in zip((1, 5, 25), (1, 6, 40), strict=True)}
    assert [row.met for row in layers.grown("x", lengths)] == [None, True, False]


def test_a_ceiling_in_seconds_is_met_or_missed():
    assert layers.capped("x", Samples((0.4,)), most=1.0).met is True
    assert layers.capped("x", Samples((1.2,)), most=1.0).met is False


def test_eight_processes_owe_more_where_there_are_more_cores():
    assert (wanted(2), wanted(4), wanted(64)) == (1.8, 2.5, 2.5)


def test_the_report_names_what_was_missed_and_nothing_else():
    rows = [
        Row("good", "1 ms", ratio="1.00", target="<= 2 x", met=True),
        Row("bad", "9 ms", ratio="9.00", target="<= 2 x", met=False),
        Row("for comparison", "3 ms"),
    ]
    assert report.missed(rows) == ["bad: 9.00, target <= 2 x"]
    page = report.page(rows, {"cores": "2"})
    assert "| bad | 9 ms |  |  | 9.00 | <= 2 x | MISSED |" in page
    assert "| good | 1 ms |  |  | 1.00 | <= 2 x | ok |" in page
    assert "| cores | 2 |" in page


def test_the_corpus_is_distinct_and_repeatable():
    texts = list(corpus.Writer(7).texts(500))
    assert len(set(texts)) == 500
    assert texts == list(corpus.Writer(7).texts(500))
    assert texts != list(corpus.Writer(8).texts(500))


def test_the_prompts_have_the_length_the_target_speaks_of():
    lengths = [len(prompt.split()) for prompt in corpus.prompts()]
    assert len(lengths) == 20
    assert min(lengths) >= 60
    assert max(lengths) <= 120


def test_a_history_of_every_kind_of_event_can_be_written(tmp_path):
    write_history(str(tmp_path / "made"), 600, files=2)
    with varves.open(str(tmp_path / "made")) as ledger:
        assert ledger.verify(deep=True).ok
        assert len(ledger.log()) >= 600


@each_row(
    ("points", "slope"),
    [
        ([(10_000, 2.0), (100_000, 20.0), (1_000_000, 200.0)], 1.0),
        ([(1_000, 50.0), (10_000, 3.0), (100_000, 3.0)], 0.0),
        ([(10_000, 1.0), (1_000_000, 10_000.0)], 2.0),
        ([(1_000, 1.0)], 0.0),
        ([(1_000, 1.0), (10_000, 10.0)], 1.0),
    ],
)
def test_growth_is_the_slope_on_logarithmic_axes(points, slope):
    """Small sizes, at which every call costs the same, do not count if there are larger ones."""
    assert scale.exponent(points) == pytest.approx(slope)


def test_a_stage_finds_what_the_stage_before_it_has_left(project, monkeypatch, home):
    """Every stage of the ledger, and those of the other stores that are installed."""
    monkeypatch.setattr(stages, "ROUNDS", 1)
    found = {name: stages.STAGES[name](str(project), 50) for name in (*scale.OURS, "fts5")}
    assert {step for name in scale.OURS for step in found[name]} == set(scale.GROWTH)
    assert all(value > 0 for took in found.values() for value in took.values())
    with varves.open(str(project)) as ledger:
        assert len(ledger.list()) > 50


def test_another_site_reads_nothing_from_the_window_as_the_benchmark_tries_it(
    tmp_path, home, monkeypatch
):
    def connect(self, address):
        assert address[0] == "127.0.0.1"
        _socket.socket.connect(self, address)

    monkeypatch.setattr("socket.socket.connect", connect)
    said = windows.texts(30)
    assert sum(windows.SOUGHT in text for text in said) == 1
    windows.prepare(str(tmp_path / "all"), said)
    one = next(windows.viewers(str(tmp_path / "all"), "nowhere"))
    try:
        one.opened()
        assert said[-2].encode() in one.ask(one.search)[2]
        assert windows.reads(one) == "none"
    finally:
        one.close()
