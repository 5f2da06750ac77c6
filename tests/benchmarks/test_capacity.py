"""The model of how far one server goes."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from benchmarks.capacity import Constants, load, main, table


def test_the_page_has_the_table_of_the_model():
    page = Path(__file__).parents[2] / "docs" / "scale.md"
    assert table(Constants()) in page.read_text(encoding="utf-8")


def test_a_limit_is_named_when_it_is_exceeded():
    known = Constants()
    assert load(100, known).limits == ()
    assert load(100, replace(known, connections=1)).limits == ("connections",)
    much = load(100, replace(known, disk_gb=1))
    assert much.limits == ("disk",)
    assert much.servers == 7  # 6.57 GB on disks of 1 GB


def test_constants_are_replaced_by_name(capsys):
    assert main(["events_per_day=500"]) == 0
    assert "| 1,000 | 58 |" in capsys.readouterr().out
    assert main(["events_per_day=many"]) == 2
    assert main(["events=5"]) == 2
    assert capsys.readouterr().err.startswith("not NAME=NUMBER: events_per_day=many; names: ")
