from __future__ import annotations

import pytest

from varves.files.committed import cut_apart
from varves.files.differences import compared, is_contested, nearest
from varves.protocols.port import Change, FileRecord

OLD = {"id": "1", "content": "old", "type": "a", "count": 0}


def entries(*contents):
    """Make a file's records."""
    return [FileRecord(key=one["id"], content=one) for one in contents]


def test_what_equals_the_base_or_the_log_is_no_change():
    now = OLD | {"content": "log"}

    assert compared("p", {"1": OLD}, entries(OLD), ours={"1": now}) == ([], [])
    assert compared("p", {"1": OLD}, entries(now), ours={"1": now}) == ([], [])


def test_a_change_keeps_what_the_log_changed_elsewhere():
    now = OLD | {"count": 7, "more": True}
    after = {"id": "1", "content": "mine", "count": 0}

    [change], _ = compared("p", {"1": OLD}, entries(after), ours={"1": now})

    assert change.after == {"id": "1", "content": "mine", "count": 7, "more": True}
    assert (change.before, change.ours) == (OLD, now)


def test_an_edit_that_the_log_has_already_is_none():
    now = OLD | {"content": "mine", "count": 7}

    assert compared("p", {"1": OLD}, entries(OLD | {"content": "mine"}), ours={"1": now}) == (
        [],
        [],
    )


def test_what_is_gone_from_the_log_as_well_is_not_removed_again():
    assert compared("p", {"1": OLD}, [], ours={}) == ([], [])
    _, [gone] = compared("p", {"1": OLD}, [], ours={"1": OLD})
    assert (gone.key, gone.after) == ("1", None)


def test_what_came_to_the_log_meanwhile_is_not_missing():
    assert compared("p", {}, [], ours={"1": OLD}) == ([], [])


@pytest.mark.parametrize(
    ("after", "ours", "expected"),
    [
        ({"content": "mine"}, {"content": "log"}, True),
        ({"content": "mine"}, {"count": 9}, False),
        ({"content": "same"}, {"content": "same"}, False),
        ({}, {"content": "log"}, False),
    ],
    ids=["both differently", "different parts", "both alike", "the log alone"],
)
def test_only_what_both_changed_differently_is_contested(after, ours, expected):
    change = Change(path="p", key="1", before=OLD, after=OLD | after, ours=OLD | ours)

    assert is_contested(change) is expected


def test_the_nearest_version_is_the_one_that_differs_in_the_fewest_places():
    first, second = {"1": OLD}, {"1": OLD | {"content": "log", "count": 3}}

    assert nearest([second, first], entries(OLD | {"content": "mine"})) is first
    assert nearest([second, first], entries(OLD | {"content": "mine", "count": 3})) is second


def test_git_marks_are_cut_into_both_sides():
    text = b"a\n<<<<<<< HEAD\nx\n||||||| base\no\n=======\ny\n>>>>>>> b\nc\n"
    text += b"<<<<<<< HEAD\n=======\nz\n>>>>>>> b\n"

    assert cut_apart(text) == (b"a\nx\nc\n", b"a\ny\nc\nz\n")


@pytest.mark.parametrize("text", [b"", b"a\n=======\nb\n", b"<<<<<<< only\nhalf\n"])
def test_without_a_whole_pair_of_marks_there_are_no_sides(text):
    assert cut_apart(text) is None
