"""A clone whose `.varves/local` is a link or a file: the cause is named, and the index is kept."""

from __future__ import annotations

import pytest

from tests.places import local_of


def by_a_link(local, elsewhere):
    local.symlink_to(elsewhere)


def by_a_link_to_nothing(local, elsewhere):
    local.symlink_to(elsewhere / "nothing")


def by_a_file(local, elsewhere):
    local.write_text("theirs", encoding="utf-8")


@pytest.mark.full_size(sample=1)
@pytest.mark.parametrize("spoil", [by_a_link, by_a_link_to_nothing, by_a_file])
def test_what_is_in_the_way_is_named(varves, project, tmp_path, spoil):
    elsewhere = tmp_path / "elsewhere"
    elsewhere.mkdir()
    (project / ".varves").mkdir()
    local = project / ".varves/local"
    spoil(local, elsewhere)
    answer = varves("remember", "The project's own")
    assert answer.code == 5
    assert f"{local} is " in answer.err
    assert "move it elsewhere" in answer.err
    assert answer.err.count("\n") == 1
    assert varves("remember", "Mine alone", "--private").code == 0
    assert "Mine alone" in varves("recall", "alone").out
    standing = varves("status", "--json").json
    assert standing["index"] == str(local_of(project) / "index.sqlite"), "it needs no room there"
    assert [one for one in standing["limits"] if str(local) in one]
    found = varves("doctor", "--json").json["findings"]
    assert [one["place"] for one in found if one["rule"] == "in-the-way"] == [str(local)]
    assert not [one for one in found if one["rule"] == "no-index"]
    assert list(elsewhere.iterdir()) == []
    local.unlink()
    assert varves("remember", "The project's own").code == 0
    assert varves("status", "--json").json["limits"] == []
