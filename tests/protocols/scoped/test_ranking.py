"""The formula, its terms, and the order they give."""

from __future__ import annotations

import pytest

from tests.protocols.scoped.conftest import DAY


def read_times(ledger, times):
    for _ in range(times):
        ledger.scoped.read("project", "shop")


@pytest.mark.requirement("S2-36")
def test_the_score_is_the_published_sum(ledger, clock, write):
    # confidence, age in days, accesses -> by hand
    table = {
        "Use Zod for validation": (0.95, 45, 5),
        "Prefer functional components": (0.85, 15, 2),
        "Ship on Tuesdays": (0.0, 0, 0),
    }
    write("Use Zod for validation", confidence=0.95)
    read_times(ledger, 3)
    clock.ms += 30 * DAY
    write("Prefer functional components", confidence=0.85)
    read_times(ledger, 2)
    clock.ms += 15 * DAY
    write("Ship on Tuesdays", confidence=0.0)
    ranked = ledger.scoped.rank("project", "shop")
    assert len(ranked) == len(table)
    for one in ranked:
        sure, age, count = table[one.content]
        wanted = sure * 0.4 + 0.5 ** (age / 30) * 0.3 + count / (count + 10) * 0.3
        assert one.score == pytest.approx(wanted, abs=1e-9)
        assert sum(one.terms.values()) == pytest.approx(one.score, abs=1e-12)


@pytest.mark.requirement("S2-36")
def test_scores_computed_by_hand(ledger, clock, write):
    write("Use Zod for validation", confidence=0.95)
    assert ledger.scoped.rank("project", "shop")[0].score == pytest.approx(0.68, abs=1e-9)
    clock.ms += 30 * DAY
    assert ledger.scoped.rank("project", "shop")[0].score == pytest.approx(0.53, abs=1e-9)
    read_times(ledger, 10)
    assert ledger.scoped.rank("project", "shop")[0].score == pytest.approx(0.68, abs=1e-9)


@pytest.mark.full_size(sample=1)
@pytest.mark.requirement("S2-37")
@pytest.mark.parametrize(("age", "recency"), [(0, 1.0), (30, 0.5), (60, 0.25), (15, 0.5**0.5)])
def test_recency_halves_every_thirty_days(age, recency, ledger, clock, write):
    write("Use Zod for validation")
    clock.ms += age * DAY
    [only] = ledger.scoped.rank("project", "shop")
    assert only.terms["recency"] == pytest.approx(0.3 * recency, abs=1e-9)


@pytest.mark.requirement("S2-37")
@pytest.mark.parametrize(("count", "frequency"), [(0, 0.0), (10, 0.5), (30, 0.75)])
def test_frequency_is_n_by_n_plus_ten(count, frequency, ledger, write):
    write("Use Zod for validation")
    read_times(ledger, count)
    [only] = ledger.scoped.rank("project", "shop")
    assert only.accessed_count == count
    assert only.terms["frequency"] == pytest.approx(0.3 * frequency, abs=1e-9)


@pytest.mark.requirement("S2-37")
def test_both_are_settings(project, varves):
    (project / ".varves").mkdir()
    (project / ".varves/settings.toml").write_text(
        "[scoped]\nhalf_life_days = 10\nfrequency_half = 1\n", encoding="utf-8"
    )
    at = {"VARVES_NOW": "2026-11-15T06:20:00Z"}
    varves(
        *("scoped", "write", "project", "shop", "--type", "pattern", "--content", "Test first"),
        env=at,
    )
    varves("scoped", "read", "project", "shop", env=at)
    later = {"VARVES_NOW": "2026-11-25T06:20:00Z"}
    [only] = varves("scoped", "rank", "project", "shop", "--json", env=later).json["entries"]
    assert only["terms"]["recency"] == pytest.approx(0.15, abs=1e-9)
    assert only["terms"]["frequency"] == pytest.approx(0.15, abs=1e-9)


@pytest.mark.requirement("S2-26")
def test_ranking_prints_the_best_first_with_its_terms(ledger, project, varves, clock, write):
    write("Use Zod for validation", confidence=0.5)
    write("Prefer functional components", confidence=0.9)
    write("Reviews need two people", "team", "core", confidence=0.7)
    ranked = ledger.scoped.rank()
    assert [one.confidence for one in ranked] == [0.9, 0.7, 0.5]
    assert [one.score for one in ranked] == sorted((one.score for one in ranked), reverse=True)
    said = varves("scoped", "rank", "project", "shop", env={"VARVES_NOW": "2026-11-15T06:20:00Z"})
    lines = said.out.splitlines()
    assert lines[0].startswith("mem-002  0.6600  Prefer functional")
    assert lines[1].strip().endswith("confidence 0.3600 + recency 0.3000 + frequency 0.0000")
    assert lines[2].startswith("mem-001  0.5000")


def test_of_equals_the_surer_then_the_newer_comes_first(ledger, clock, write):
    write("Use Zod for validation", confidence=0.5)
    clock.ms += 1000
    write("Ship on Tuesdays", confidence=0.5)
    clock.ms -= 1000  # too little to tell in the score
    order = [one.content for one in ledger.scoped.rank("project", "shop")]
    assert order == ["Ship on Tuesdays", "Use Zod for validation"]


@pytest.mark.requirement("S2-55")
def test_the_worked_example_of_a_session_start(ledger, write):
    write("Prefer functional components", confidence=0.85, type="preference")
    write("Use Zod for validation", confidence=0.95)
    told = ledger.scoped.session_start(id="s1", project="shop")
    assert [(one.content, one.confidence) for one in told.entries] == [
        ("Use Zod for validation", 0.95),
        ("Prefer functional components", 0.85),
    ]
    assert told.block.index("Use Zod") < told.block.index("Prefer functional")


@pytest.mark.requirement("S2-29", "S2-38")
def test_of_fourteen_entries_the_ten_best_are_told_in_their_order(ledger, write):
    for number in range(14):
        write(f"Topic{number} follows rule{number}", confidence=(number * 5 % 14) / 20)
    told = ledger.scoped.session_start(id="s1", project="shop")
    best = sorted(((number * 5 % 14) / 20 for number in range(14)), reverse=True)[:10]
    assert [one.confidence for one in told.entries] == best
    places = [told.block.index(f'"{one.content}"') for one in told.entries]
    assert places == sorted(places)
    assert sum(f"Topic{number} " in told.block for number in range(14)) == 10
