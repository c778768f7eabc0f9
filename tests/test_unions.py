"""Unions: which member a value is for."""

import datetime as dt
import json
from collections import deque
from decimal import Decimal
from pathlib import Path
from typing import Any, Literal, Union
from uuid import UUID

import pytest
from attrs import define, field

from nucleo_schema import (
    MappingError,
    convert,
    make_converter,
    parse,
    parse_llm_response,
    register_leaf,
    write,
)

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


def test_the_members_are_named_apart_from_their_parts():
    """What stands between two members does not stand inside one."""
    with pytest.raises(MappingError, match=r"expected tuple\[int, int\] or tuple\[int, int, int\]$"):
        parse("[1]", tuple[int, int] | tuple[int, int, int])


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
    with pytest.raises(MappingError, match="which could be"):
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


@define
class Note:
    a: str | None = None


@define
class Noted:
    e: dict[str, int] | Note | None = None


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        ({"a": 1, "b": 2}, {"a": 1, "b": 2}),
        ({"b": 2}, {"b": 2}),
        ({"a": "x"}, Note("x")),
        ({}, Note()),
    ],
)
def test_a_map_declares_every_member_of_an_object(value, expected):
    """A class beside it is meant where it declares them all as well."""
    read = parse(write({"e": value}), Noted)

    assert read == Noted(expected)
    assert parse(write(read), Noted) == read


@define
class Full:
    x: int
    y: int = 0


@define
class Empty:
    z: int = 0


@pytest.mark.parametrize("form", [Full | Empty, Empty | Full, dict[str, int] | Empty])
def test_a_class_that_declares_nothing_of_a_value_is_not_meant_where_another_does(form):
    """The answer with a fault does not become an empty one."""
    with pytest.raises(MappingError, match='x: found string "bad", expected integer'):
        convert({"x": "bad", "y": 2}, form)


def test_a_value_that_is_like_no_class_is_the_only_one_that_reads_it():
    """Unknown members are passed over, as everywhere."""
    assert convert({"other": 1}, Full | Empty) == Empty()


@define
class Cat:
    kind: Literal["cat"]
    name: str


@define
class Dog:
    kind: Literal["dog"]
    name: str


def test_a_missing_tag_is_reported_with_all_tags():
    """The model that corrects its answer from it is not led to one of them."""
    with pytest.raises(MappingError) as raised:
        convert({"pet": {"name": "Rex"}}, dict[str, Cat | Dog])

    assert str(raised.value.problems[0]) == "pet.kind: missing, expected one of cat, dog"


@define
class Loose:
    data: dict[str, Any]


@define
class Other:
    data: dict[str, Any]
    more: int


@pytest.mark.parametrize("read", [parse, parse_llm_response])
def test_a_text_encoded_twice_gives_each_place_data_of_its_own(read):
    """Also where a union decoded it once for all its members."""
    text = json.dumps([json.dumps({"data": {"k": 1}})] * 2)

    first, second = read(text, list[Loose | Other])

    assert first == second == Loose({"k": 1})
    assert first.data is not second.data


@pytest.mark.parametrize("form", [Loose, Loose | Other])
def test_a_text_encoded_twice_gives_plain_numbers(form):
    """How they were written is no matter in untyped data."""
    read = parse(json.dumps('{"data": {"k": [+3, -0, 1.50]}}'), form)

    assert [type(number) for number in read.data["k"]] == [int, int, float]


def test_a_set_is_as_written_only_with_equal_items():
    """A set of texts is not what an array of numbers stands for."""
    assert convert([1, 2], list[int] | set[str]) == [1, 2]
    assert convert(["1"], list[int] | set[str]) == {"1"}


def test_a_value_that_fails_is_converted_once_by_each_way():
    """A host's converter may have effects."""
    calls = []

    @define
    class Counted:
        number: int = field(converter=lambda value: calls.append(value) or value)
        other: int

    with pytest.raises(MappingError):
        parse('{"number": 1, "other": "x"}', Counted)

    assert len(calls) <= 2


@pytest.mark.parametrize("form", [tuple[int, ...] | list[str], dict[str, int] | list[str]])
def test_the_words_for_a_union_keep_the_names_of_its_members(form):
    """A comma inside of one is not where it ends."""
    with pytest.raises(MappingError) as raised:
        convert(1.5, form)

    assert "[str or int]" not in str(raised.value)
    assert "[int or ...]" not in str(raised.value)
