"""The settings of `[hivemind]` change every place that uses their numbers."""

from __future__ import annotations

import pytest

SETTINGS = ".varves/settings.toml"


def set_in(hive, line):
    path = hive.root / SETTINGS
    path.parent.mkdir(exist_ok=True)
    path.write_text(f"[hivemind]\n{line}\n", encoding="utf-8")
    hive.again()


def score(hive):
    [hit] = hive.ledger.recall("nightly", profile="hivemind")
    return hit.score


def test_the_weight_of_a_tag_reaches_a_recall_with_this_profile(hive):
    scope = "project:shop"
    hive.verbs.write("Use the door", type="factual", scope=scope, tags=["nightly"], agent="DEV-001")
    published = score(hive)
    set_in(hive, "tag_weight = 9")
    assert score(hive) == pytest.approx(published + 6)


def test_the_lifetime_of_working_memory_is_a_setting(hive):
    set_in(hive, 'working_ttl = "PT1H"')
    written = hive.verbs.write("Half done", type="working", scope="project:shop", agent="DEV-001")
    assert hive.entry(written)["ttl"] == "PT1H"


@pytest.mark.parametrize("ttl", ['"30d"', '""', "4", '"P"'])
def test_a_lifetime_that_is_none_stops_the_verbs_with_the_name_of_the_setting(project, varves, ttl):
    varves("init")
    (project / SETTINGS).write_text(f"[hivemind]\nworking_ttl = {ttl}\n", encoding="utf-8")
    ran = varves("hivemind", "task", "fix it", "--agent", "DEV-001")
    assert ran.code == 5
    assert "working_ttl" in ran.err
