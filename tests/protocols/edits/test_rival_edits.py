"""Two branches that each changed one record by hand: the later stands, and both are listed."""

from __future__ import annotations

import pytest

from tests.protocols.edits.conftest import LATER

ONE, OTHER = "The port is 1111", "The port is 2222"


def edited(here, protocol, branch, text, moment):
    """Change the record by hand on a branch, record that, and commit."""
    here.git("switch", "--quiet", branch)
    protocol.change(here.root, "The port is 9090", text=text)
    here.at(moment).rebuild()
    here.commit(branch)


@pytest.fixture
def merged(project_of, protocol):
    """Give a project in which two branches with different edits were merged."""
    here = project_of(protocol, "The port is 9090", commit=True)
    here.git("branch", "-M", "main")
    here.git("branch", "theirs")
    edited(here, protocol, "theirs", ONE, "2026-11-15T09:00:00Z")
    edited(here, protocol, "main", OTHER, "2026-11-15T09:30:00Z")
    here.git("merge", "--quiet", "--no-edit", "theirs", check=False)
    ledger = here.at(LATER)
    ledger.rebuild()
    return here, ledger


def texts(conflict):
    return {one.text for one in conflict.members}


@pytest.mark.full_size(sample=1)
@pytest.mark.requirement("U-07")
def test_two_different_edits_are_a_conflict(merged, protocol):
    here, ledger = merged
    [conflict] = ledger.conflicts()
    assert texts(conflict) == {ONE, OTHER}
    assert ledger.show(conflict.current).text == OTHER
    shown = [OTHER] if protocol.name == "scoped" else [ONE, OTHER]  # a file for what is flagged too
    assert protocol.texts(here.root) == shown
    count = len(ledger.log())
    ledger.rebuild()
    assert (len(ledger.conflicts()), len(ledger.log())) == (1, count)


@pytest.mark.full_size(sample=1)
@pytest.mark.product
@pytest.mark.requirement("U-07")
@pytest.mark.parametrize("wanted", [ONE, OTHER])
def test_either_can_be_kept_and_it_is_not_asked_again(merged, protocol, wanted):
    here, ledger = merged
    [conflict] = ledger.conflicts()
    [keep] = [one.id for one in conflict.members if one.text == wanted]
    ledger.resolve(conflict.id, keep=keep)
    ledger.rebuild()
    assert ledger.conflicts() == ()
    assert protocol.texts(here.root) == [wanted]


@pytest.mark.full_size(sample=1)
@pytest.mark.requirement("U-07")
def test_the_same_edit_twice_and_one_after_the_other_are_none(project_of, protocol):
    here = project_of(protocol, "The port is 9090", commit=True)
    here.git("branch", "-M", "main")
    here.git("branch", "theirs")
    for branch, moment in (("theirs", "2026-11-15T09:00:00Z"), ("main", "2026-11-15T09:30:00Z")):
        edited(here, protocol, branch, ONE, moment)
    here.git("merge", "--quiet", "--no-edit", "theirs", check=False)
    here.at(LATER).rebuild()
    here.commit("merged")
    protocol.change(here.root, ONE, text=OTHER)
    ledger = here.at("2026-11-15T11:00:00Z")
    ledger.rebuild()
    assert ledger.conflicts() == ()
    assert protocol.texts(here.root) == [OTHER]


@pytest.mark.full_size(sample=1)
@pytest.mark.requirement("U-07")
def test_two_clones_that_each_merge_list_it_once(project_of, protocol, clone):
    here = project_of(protocol, "The port is 9090", commit=True)
    here.git("branch", "-M", "main")
    there = clone("there", here)
    edited(here, protocol, "main", ONE, "2026-11-15T09:00:00Z")
    edited(there, protocol, "main", OTHER, "2026-11-15T09:30:00Z")
    there.git("branch", "before")
    here.git("branch", "before")
    for side, other in ((here, there), (there, here)):
        side.git("pull", "--quiet", "--no-rebase", "--no-edit", other.root, "before", check=False)
        side.at(LATER).rebuild()
        side.commit("merged")
    there.git("pull", "--quiet", "--no-rebase", "--no-edit", here.root, "main", check=False)

    ledger = there.at("2026-11-15T11:00:00Z")
    ledger.rebuild()

    [conflict] = ledger.conflicts()
    assert texts(conflict) == {ONE, OTHER}
    shown = [OTHER] if protocol.name == "scoped" else [ONE, OTHER]  # a file for what is flagged too
    assert protocol.texts(there.root) == shown
