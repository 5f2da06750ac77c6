from __future__ import annotations

import pytest

from varves.values.value import Value


class Point(Value):
    """A value to try things on."""

    x: int
    y: int = 0
    inner: object = None


def test_fields_are_given_by_name_and_have_defaults():
    assert Point(x=1).y == 0
    assert Point(x=1, y=2) == Point(y=2, x=1)


def test_a_missing_or_unknown_field_is_told_apart():
    with pytest.raises(TypeError, match="needs x"):
        Point(y=1)
    with pytest.raises(TypeError, match="has no z"):
        Point(x=1, z=2)


def test_nothing_can_be_changed_afterwards():
    point = Point(x=1)
    with pytest.raises(AttributeError):
        point.x = 2
    with pytest.raises(AttributeError):
        del point.x
    assert point.replace(x=2) == Point(x=2)
    assert point.x == 1


def test_a_value_and_all_in_it_becomes_plain_json():
    nested = Point(x=1, inner=(Point(x=2), {"a": (Point(x=3),)}))
    assert nested.as_dict() == {
        "x": 1,
        "y": 0,
        "inner": [{"x": 2, "y": 0, "inner": None}, {"a": [{"x": 3, "y": 0, "inner": None}]}],
    }


def test_equal_values_are_one_in_a_set_and_other_classes_are_not_equal():
    class Other(Value):
        x: int
        y: int = 0
        inner: object = None

    assert len({Point(x=1), Point(x=1), Point(x=2)}) == 2
    assert Point(x=1) != Other(x=1)
