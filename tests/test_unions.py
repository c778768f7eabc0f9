"""Unions: which member a value is for."""

import datetime as dt
from collections import deque
from decimal import Decimal
from pathlib import Path
from typing import Union
from uuid import UUID

import pytest
from attrs import define

from nucleo_schema import MappingError, convert, make_converter, parse, register_leaf, write

at = dt.datetime.fromisoformat
DAY = dt.date(2024, 12, 31)
UID = "12345678-1234-5678-1234-567812345678"


@pytest.mark.parametrize(
    ("form", "value", "expected"),
    [
        (list[int] | list[str], [1, 2], [1, 2]),
        (list[int] | list[str], ["1", "2"], ["1", "2"]),
        (list[str] | list[int], [1, 2], [1, 2]),
        (list[int] | list[float], [1, 2], [1, 2]),
        (list[int] | list[float], [1.0], [1.0]),
        (list[list[int]] | list[list[str]], [[1], []], [[1], []]),
        (dict[str, int] | dict[str, str], {"a": 1}, {"a": 1}),
        (dict[str, list[int]] | dict[str, list[str]], {"a": ["1"]}, {"a": ["1"]}),
        (dt.date | dt.datetime, "2024-12-31", DAY),
        (dt.datetime | dt.date, "2024-12-31T00:00:00", at("2024-12-31")),
        (dt.date | dt.datetime, "2024-12-31 10:15", at("2024-12-31T10:15")),
        (dt.date | dt.datetime, "2024-12-31T00:00:00Z", at("2024-12-31T00:00:00+00:00")),
        (dt.time | dt.timedelta, "10:15:00", dt.time(10, 15)),
        (Decimal | float, "1.10", Decimal("1.10")),
        (UUID | Decimal, UID, UUID(UID)),
        (list[dt.date] | list[dt.datetime], ["2024-12-31"], [DAY]),
    ],
)
def test_of_several_members_that_read_a_value_the_one_that_takes_it_as_it_stands_is_meant(
    form, value, expected
):
    """It is what would be written as that value."""
    read = convert(value, form)

    assert read == expected
    assert repr(read) == repr(expected)


class Basketful:
    """A host's own container."""

    def __init__(self, items):
        self.items = items


def test_what_a_host_makes_of_an_array_is_not_taken_for_the_array():
    """Nothing is asked of it that a host's type may not have."""
    register_leaf(Basketful, "basketful", {"type": "array"})
    converter = make_converter()
    converter.register_structure_hook(Basketful, lambda value, _: Basketful(value))

    assert converter.structure([1, 2], Union[Basketful, list[int]]) == [1, 2]


@pytest.mark.parametrize(
    ("form", "value"),
    [
        (list[int] | tuple[int, int], [1, 2]),
        (list[int] | set[int], [1, 2]),
        (list[int] | deque[int], [1, 2]),
        (dt.date | dt.datetime, "December 31, 2024"),
        (int | float, "5"),
        (Path | UUID, UID),
        (Decimal | str, 1.5),
    ],
)
def test_members_that_take_a_value_alike_are_refused_with_their_names(form, value):
    """Nothing tells which one is meant."""
    with pytest.raises(MappingError, match="it could be"):
        convert(value, form)


@pytest.mark.parametrize("value", [DAY, at("2024-12-31"), at("2024-12-31T10:15:00.000005")])
def test_a_date_or_datetime_is_read_as_what_was_written(value):
    """A day is no midnight, and a midnight is no day."""
    form = list[dt.date | dt.datetime]

    read = parse(write([value]), form)

    assert read == [value]
    assert type(read[0]) is type(value)


@define
class Apple:
    weight: int


@define
class Pear:
    length: int


@define
class Basket:
    first: Apple | Pear
    second: Apple | Pear


@define
class Crate:
    first: Apple | Pear
    second: Apple | Pear
    label: str


def test_one_value_in_two_places_becomes_two_instances():
    """Also where a union around both places was read."""
    apple = {"weight": 150}

    read = convert({"first": apple, "second": apple}, Union[Basket, Crate])

    assert read == Basket(Apple(150), Apple(150))
    assert read.first is not read.second


def test_one_value_in_two_places_has_its_problem_in_both():
    """What is remembered of a problem has no place in it."""
    wrong = {"weight": "heavy"}

    with pytest.raises(MappingError) as raised:
        convert({"first": wrong, "second": wrong}, Union[Basket, Crate])

    assert [problem.path for problem in raised.value.problems] == ["first.weight", "second.weight"]
