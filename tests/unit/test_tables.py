from __future__ import annotations

import pytest

from tests.tables import assert_each, each_row


def test_every_row_is_tried_and_each_that_fails_is_named():
    tried = []

    @each_row(("number", "even"), [(1, True), (2, True), pytest.param(3, True, id="odd")])
    def parity(number, even):
        tried.append(number)
        assert (number % 2 == 0) == even

    with pytest.raises(AssertionError) as failed:
        parity()
    assert tried == [1, 2, 3]
    first, *others = str(failed.value).splitlines()
    one, three = (line for line in others if ": line " in line)
    assert first == "2 of 3 rows failed"
    assert one.startswith("(1, True): line ")
    assert "id='odd'" in three


@pytest.mark.parametrize("fault", [ValueError, KeyError])
def test_an_unexpected_error_of_a_row_is_a_failure(fault):
    def check(row):
        raise fault(row)

    with pytest.raises(AssertionError, match=rf"'a': line \d+: {fault.__name__}"):
        assert_each(["a"], check)


def test_an_expected_error_that_does_not_come_is_a_failure():
    @each_row("row", ["a"])
    def check(row):
        with pytest.raises(ValueError, match="b"):
            str(row)

    with pytest.raises(AssertionError, match="DID NOT RAISE"):
        check()


def test_an_empty_table_is_a_failure():
    with pytest.raises(AssertionError, match="empty"):
        assert_each([], print)


@each_row("one", [1, 2])
@each_row("other", [3, 4])
def test_tables_multiply_and_fixtures_are_passed_on(tmp_path, one, other):
    made = tmp_path / f"{one}{other}"
    made.touch()
    assert max(path.name for path in tmp_path.iterdir()) == made.name
