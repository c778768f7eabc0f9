"""What is written loses nothing, reads back equal, and fails with an error that is short and about the object."""

# ruff: noqa: DTZ001  a text without an offset is a naive moment

import contextlib
import dataclasses
import itertools
import json
import logging
import math
import pickle
import threading
import tracemalloc
from collections import OrderedDict, defaultdict, deque
from collections.abc import Mapping, Sequence
from datetime import date, datetime, time, timedelta, timezone
from decimal import Decimal
from enum import Enum, IntEnum
from pathlib import Path, PurePosixPath
from typing import Any, Generic, Literal, NewType, Optional, TypeVar
from uuid import UUID, uuid4
from zoneinfo import ZoneInfo

import attrs
import orjson
import pendulum
import pytest
from attrs import define, field, frozen

import nucleo_schema as ns
from nucleo_schema import Summarizable, SummarySize, meta
from nucleo_schema._declare import leaves

T = TypeVar("T")

WRITERS = {
    "pretty": ns.write,
    "compact": ns.write_compact,
    "summarized": ns.write_summarized,
    "summarized compact": ns.write_summarized_compact,
    "with references": lambda value: ns.write_summarized_with_refs(value, ns.ArtifactRegistry()),
}

every_writer = pytest.mark.parametrize("write", WRITERS.values(), ids=WRITERS)
plain_writer = pytest.mark.parametrize("write", [ns.write, ns.write_compact], ids=["pretty", "compact"])


class Status(Enum):
    PLACED = "placed"
    IN_TRANSIT = "in transit"


class Level(IntEnum):
    LOW = 1
    HIGH = 10


class Mixed(Enum):
    PAIR = (1, 2)
    HALF = 0.5
    WORD = "w"


class Text(str, Enum):
    RED = "red"


@define
class Point:
    x: int = 0
    y: float | None = None


@define
class Named(Point):
    name: str = ""
    tags: list[str] = field(factory=list)


@define
class Shapes:
    points: list[Point] = field(factory=list)
    main: Point | None = None
    by_name: dict[str, Point] = field(factory=dict)
    pair: tuple[Point, ...] = ()
    anything: Any = None


@define
class Node:
    name: str = ""
    child: Optional["Node"] = None
    children: list["Node"] = field(factory=list)
    by_name: dict[str, Any] = field(factory=dict)


@frozen
class Key:
    a: int
    b: str = ""


@define
class Box(Generic[T]):
    item: T
    more: list[T] = field(factory=list)


def holder(annotation, **arguments):
    """Return a class with one field, v."""
    return attrs.make_class("Holder", {"v": attrs.field(type=annotation, **arguments)})


# --- the form of the text -----------------------------------------------------------------------------------


def test_pretty_text_is_indented_by_two():
    """The pretty form is what json.dumps prints with an indent of two."""
    value = {"a": [1, {"b": None}], "c": {}, "d": [], "é": "ü\n\u2028"}

    assert ns.write(value) == json.dumps(value, indent=2, ensure_ascii=False)
    assert ns.write(Point(1, 2.5)) == '{\n  "x": 1,\n  "y": 2.5\n}'


def test_compact_text_has_no_formatting_whitespace():
    """The compact form has none but that inside strings."""
    value = {"a b": [1, {"b": None}], "c": {}, "d": []}

    assert ns.write_compact(value) == json.dumps(value, separators=(",", ":"))
    assert ns.write_summarized_compact(value) == json.dumps(value, separators=(",", ":"))


PLAIN = [
    *(
        None,
        True,
        False,
        0,
        -1,
        2**53,
        -(2**63),
        1.5,
        -0.0,
        1e300,
        5e-324,
        0.1,
        "",
        "a",
        "é",
        "😀",
        "\x00\x1f\x7f",
    ),
    *(
        '"\\/',
        "\u2028\u2029",
        "</script>",
        [],
        {},
        [None],
        {"a": None},
        {"": ""},
        [[[]]],
        {"a": {"b": [1, "2", 3.0]}},
    ),
]


@every_writer
@pytest.mark.parametrize("value", PLAIN, ids=ascii)
def test_plain_data_is_written_as_other_writers_write_it(write, value):
    """What orjson writes and we write is one value."""
    assert json.loads(write(value)) == json.loads(orjson.dumps(value))
    assert repr(ns.parse(write(value), Any)) == repr(value)


BIG = [2**63, 2**64, -(2**63) - 1, 10**100, -(10**4_000)]


@every_writer
@pytest.mark.parametrize("number", BIG, ids=lambda number: hex(number)[:8])
def test_integers_of_any_size_are_exact(write, number):
    """Typed, untyped, at the root and in containers."""
    for value in (
        number,
        [number],
        {"a": number},
        holder(int)(number),
        holder(Any)(number),
        Box(number),
        (number,),
    ):
        assert str(number) in write(value)


@plain_writer
@pytest.mark.parametrize("number", BIG, ids=lambda number: hex(number)[:8])
def test_an_integer_of_any_size_reads_back(write, number):
    """As a field and as an element, typed and untyped."""
    cls = holder(int)

    assert ns.parse(write(cls(number)), cls).v == number
    assert ns.parse(write([number]), list[int]) == [number]
    assert ns.parse(write([number]), Any) == [number]
    assert ns.parse(write({number: number}), dict[int, int]) == {number: number}


@every_writer
def test_an_integer_that_python_does_not_print_is_exact_or_refused(write):
    """Beyond the digits that Python converts, the library's error is short."""
    for value in (10**6_000, holder(int)(10**6_000), {"a": [10**6_000]}, {10**6_000: 1}):
        try:
            assert "0" * 6_000 in write(value)
        except ns.SerializationError as error:
            assert len(str(error)) < 1_000


# --- None ---------------------------------------------------------------------------------------------------


@every_writer
def test_none_attributes_are_left_out_and_none_data_stays(write):
    """An attribute that is None says nothing; entries and elements that are None are data."""
    assert json.loads(write(Point(1, None))) == {"x": 1}
    assert json.loads(write(Shapes())) == {"points": [], "by_name": {}, "pair": []}
    assert json.loads(write([None, {"a": None}, (None,)])) == [None, {"a": None}, [None]]
    assert json.loads(write(holder(list[Optional[int]])([1, None]))) == {"v": [1, None]}
    assert json.loads(write(holder(dict[str, Optional[Point]])({"a": None}))) == {"v": {"a": None}}
    assert json.loads(write(holder(Any)({"a": [None]}))) == {"v": {"a": [None]}}


@every_writer
def test_an_instance_with_nothing_to_say_is_an_empty_object(write):
    """No member at all."""
    assert write(holder(Optional[int])(None)) == "{}"
    assert write(attrs.make_class("Empty", {})()) == "{}"
    assert json.loads(write([holder(Optional[int])(None)])) == [{}]


@every_writer
@pytest.mark.parametrize("default", [5, 0, "x", "", False])
def test_none_is_written_where_its_absence_reads_as_something_else(write, default):
    """An Optional field with another default is null on the wire, so that it reads back as None."""
    cls = holder(Optional[type(default)], default=default)

    assert json.loads(write(cls(None))) == {"v": None}
    assert ns.parse(write(cls(None)), cls) == cls(None)


@plain_writer
@pytest.mark.parametrize(
    "cls",
    [
        holder(Optional[list[int]], factory=list),
        holder(Any, default=5),
        holder(Optional[int], default=attrs.Factory(lambda _: 5, takes_self=True)),
        dataclasses.make_dataclass("Data", [("v", Optional[int], dataclasses.field(default=5))]),
        dataclasses.make_dataclass(
            "Data", [("v", Optional[list[int]], dataclasses.field(default_factory=list))]
        ),
    ],
    ids=["factory", "any", "factory of the instance", "dataclass", "dataclass factory"],
)
def test_none_beside_any_kind_of_default_reads_back(write, cls):
    """Factories and dataclasses count as well."""
    assert ns.parse(write(cls(None)), cls) == cls(None)


@plain_writer
@pytest.mark.parametrize("annotation", [int, float, bool, str, list[int]])
def test_none_in_a_field_that_is_not_required_reads_back_or_is_refused(write, annotation):
    """None where the zero of the type would be read is not turned into that zero in silence."""
    cls = holder(annotation, metadata=meta(required=False))
    text = write(cls(None))

    if annotation in (str, list[int]):
        assert ns.parse(text, cls) == cls(None)


# --- floats -------------------------------------------------------------------------------------------------

SPECIAL = {"NaN": math.nan, "Infinity": math.inf, "-Infinity": -math.inf}


@every_writer
@pytest.mark.parametrize(("text", "value"), SPECIAL.items(), ids=SPECIAL)
def test_what_is_no_number_travels_as_its_string(write, text, value):
    """In a field, a list, a map, an Optional, a union, untyped data, at the root: never null."""
    assert json.loads(write(holder(float)(value))) == {"v": text}
    assert json.loads(write(holder(list[float])([1.0, value]))) == {"v": [1.0, text]}
    assert json.loads(write(holder(dict[str, float])({"a": value}))) == {"v": {"a": text}}
    assert json.loads(write(holder(Optional[float])(value))) == {"v": text}
    assert json.loads(write(holder(tuple[float, int])((value, 1)))) == {"v": [text, 1]}
    assert json.loads(write(holder(Any)({"a": [value]}))) == {"v": {"a": [text]}}
    assert json.loads(write(value)) == text
    assert json.loads(write([[value]])) == [[text]]
    assert json.loads(write(Point(1, value))) == {"x": 1, "y": text}


@plain_writer
@pytest.mark.parametrize("value", SPECIAL.values(), ids=SPECIAL)
@pytest.mark.parametrize(
    ("form", "wrap"),
    [
        (float, lambda value: value),
        (Optional[float], lambda value: value),
        (list[float], lambda value: [value, 1.5]),
        (dict[str, float], lambda value: {"a": value}),
        (tuple[float, ...], lambda value: (value,)),
        (list[Optional[float]], lambda value: [None, value]),
        (dict[str, list[float]], lambda value: {"a": [value]}),
        (float | int, lambda value: value),
        (Box[float], lambda value: Box(value, [value])),
        (Decimal, lambda value: Decimal(str(value))),
    ],
    ids=str,
)
def test_what_is_no_number_reads_back(write, value, form, wrap):
    """Typed floats that JSON has no word for read back as they were."""
    cls = holder(form)
    for written, target in ((wrap(value), form), (cls(wrap(value)), cls)):
        assert repr(ns.parse(write(written), target)) == repr(written)


STRAY = [
    (list[int], lambda value: [1, value]),
    (dict[str, int], lambda value: {"a": value}),
    (tuple[int, int], lambda value: (value, 1)),
    (list[str], lambda value: [value]),
    (Optional[list[int]], lambda value: [value]),
    (int | str, lambda value: value),
    (list[int | str], lambda value: [value]),
    (list[Point], lambda value: [value]),
    (dict[str, Point], lambda value: {"a": value}),
    (Point, lambda value: value),
    (int, lambda value: value),
    (str, lambda value: value),
    (UUID, lambda value: value),
    (date, lambda value: value),
    (Literal[1, 2], lambda value: value),
    (list[bool], lambda value: [value]),
    (list[date], lambda value: [value]),
]


@every_writer
@pytest.mark.parametrize(("form", "wrap"), STRAY, ids=[str(form)[:30] for form, _ in STRAY])
def test_what_is_no_number_is_never_null_where_something_else_was_declared(write, form, wrap):
    """The class does not check what it holds, and a missing number among integers is not lost as null."""
    for text, value in SPECIAL.items():
        assert json.loads(write(holder(form)(wrap(value)))) == {"v": json.loads(json.dumps(wrap(text)))}


# --- values -------------------------------------------------------------------------------------------------

UTC = timezone.utc
VALUES = [
    (int, 5),
    (bool, True),
    (str, "a\x00\u2028é😀"),
    (float, 1e22),
    (float, 1.0),
    (float, -0.0),
    (float, 0.1 + 0.2),
    (Decimal, Decimal("1.10")),
    (Decimal, Decimal("1E+10")),
    (Decimal, Decimal("-0")),
    (Decimal, Decimal("123456789012345678901234567890.12345")),
    (date, date(2024, 12, 31)),
    (date, date(1, 1, 1)),
    (datetime, datetime(2024, 12, 31, 10, 15, 30)),
    (datetime, datetime(2024, 12, 31, 10, 15, 30, 5)),
    (datetime, datetime(1, 1, 1)),
    (datetime, datetime(9999, 12, 31, 23, 59, 59, 999999)),
    (datetime, datetime(2024, 12, 31, 10, 15, tzinfo=UTC)),
    (datetime, datetime(2024, 12, 31, 10, 15, tzinfo=timezone(timedelta(hours=5, minutes=30)))),
    (datetime, datetime(2024, 12, 31, 10, 15, tzinfo=timezone(-timedelta(hours=3, minutes=30)))),
    (datetime, datetime(2024, 12, 31, 10, 15, tzinfo=timezone(timedelta(seconds=3723)))),
    (datetime, datetime(2024, 7, 1, 10, 15, tzinfo=ZoneInfo("Europe/Berlin"))),
    (time, time(10, 15, 30, 5)),
    (time, time(0, 0)),
    (time, time(10, 15, tzinfo=UTC)),
    (timedelta, timedelta(days=1, hours=2, microseconds=5)),
    (timedelta, timedelta(0)),
    (timedelta, -timedelta(hours=1, microseconds=1)),
    (timedelta, timedelta.max),
    (timedelta, timedelta.min),
    (UUID, UUID(int=5)),
    (bytes, b""),
    (bytes, b"\x00\xff\xfe~"),
    (Path, Path("a/b c.txt")),
    (Path, Path("/")),
    (PurePosixPath, PurePosixPath("x/y")),
    (Status, Status.IN_TRANSIT),
    (Level, Level.HIGH),
    (Mixed, Mixed.PAIR),
    (Mixed, Mixed.HALF),
    (Text, Text.RED),
    (Literal["a", 1, True], 1),
    (Literal[Status.PLACED], Status.PLACED),
    (list[int], [1, 2]),
    (list[list[Point]], [[Point(1)], []]),
    (set[int], {3, 1, 2}),
    (set[str], {"b", "a"}),
    (frozenset[Status], frozenset(Status)),
    (set[Optional[int]], {None, 1}),
    (set[Key], {Key(2), Key(1)}),
    (set[tuple[int, str]], {(1, "b"), (1, "a")}),
    (tuple[int, str], (1, "a")),
    (tuple[int, ...], ()),
    (Sequence[int], [1]),
    (dict[str, int], {"a": 1, "": 2}),
    (Mapping[str, int], {"a": 1}),
    (dict[int, str], {1: "a", -(10**30): "b"}),
    (dict[bool, str], {True: "a", False: "b"}),
    (dict[float, str], {1.5: "a", math.inf: "b"}),
    (dict[Status, int], {Status.IN_TRANSIT: 1}),
    (dict[Level, int], {Level.LOW: 1}),
    (dict[date, int], {date(2024, 12, 31): 1}),
    (dict[datetime, int], {datetime(2024, 12, 31, 10, tzinfo=UTC): 1}),
    (dict[UUID, int], {UUID(int=5): 1}),
    (dict[Decimal, int], {Decimal("1.10"): 1}),
    (dict[str, list[Point]], {"a": [Point(1, 2.0)]}),
    (Optional[Point], Point(1)),
    (Point, Point(1, math.inf)),
    (Box[Point], Box(Point(1), [Point(2)])),
    (Box[date], Box(date(2024, 1, 1), [date(2024, 1, 2)])),
    (Point | str, "x"),
    (Point | str, Point(1)),
    (int | str, 5),
    (int | str, "5"),
    (int | float, 5.0),
    (list[int | str], [1, "1"]),
    (Node, Node("a", Node("b"), [Node("c", children=[Node()])])),
    (Any, {"a": [1, None, {"@id": 2}]}),
]


@plain_writer
@pytest.mark.parametrize(("form", "value"), VALUES, ids=lambda value: str(value)[:40])
def test_everything_typed_reads_back_equal(write, form, value):
    """As a target of its own and as the field of a class, as an Optional and inside containers."""
    for target, written in (
        (form, value),
        (holder(form), None),
        (holder(Optional[form]), None),
        (list[form], [value, value]),
        (dict[str, form], {"k": value}),
        (Box[form], Box(value, [value])),
        (tuple[form, int], (value, 1)),
    ):
        original = target(value) if written is None and form is not None else written
        read = ns.parse(write(original), target)
        assert read == original
        inner = read.v if hasattr(read, "v") else read
        if target is form or hasattr(read, "v"):
            assert type(inner) is type(value)


@every_writer
@pytest.mark.parametrize(("form", "value"), VALUES, ids=lambda value: str(value)[:40])
def test_what_is_written_is_the_same_wherever_it_stands(write, form, value):
    """A value in a field, in untyped data, in a list and at the root has one form."""
    alone = json.loads(write(value))

    assert json.loads(write([value])) == [alone]
    assert json.loads(write({"k": value})) == {"k": alone}
    assert json.loads(write(holder(form)(value))) == {"v": alone}
    assert json.loads(write(holder(Any)(value))) == {"v": alone}
    assert json.loads(write(holder(object)({"k": [value]}))) == {"v": {"k": [alone]}}
    assert json.loads(write(holder(list[form])([value]))) == {"v": [alone]}
    assert json.loads(write(holder(dict[str, Any])({"k": value}))) == {"v": {"k": alone}}
    assert ns.value_to_tree(value) == alone or isinstance(alone, float)


WIRE = [
    (Status.IN_TRANSIT, "in transit"),
    (Level.HIGH, "HIGH"),
    (Mixed.PAIR, "PAIR"),
    (Mixed.WORD, "w"),
    (Text.RED, "red"),
    (date(2024, 12, 31), "2024-12-31"),
    (datetime(2024, 12, 31, 10, 15, 30), "2024-12-31T10:15:30"),
    (UUID(int=5), "00000000-0000-0000-0000-000000000005"),
    (b"hi", "aGk="),
    (Path("a/b"), "a/b"),
    (time(10, 15, 30), "10:15:30"),
    ({Status.PLACED: 1}, {"placed": 1}),
    ({Level.LOW: 1}, {"LOW": 1}),
    ({5: 1}, {"5": 1}),
    ({date(2024, 12, 31): 1}, {"2024-12-31": 1}),
    ({UUID(int=5): 1}, {"00000000-0000-0000-0000-000000000005": 1}),
    ({True: 1}, {"true": 1}),
    ((1, (2,)), [1, [2]]),
    (OrderedDict(b=1, a=2), {"b": 1, "a": 2}),
    (defaultdict(list, {"a": [1]}), {"a": [1]}),
]


@every_writer
@pytest.mark.parametrize(("value", "tree"), WIRE, ids=lambda value: str(value)[:30])
def test_a_value_has_its_wire_form(write, value, tree):
    """Enums, dates, keys, tuples and maps of every kind."""
    assert json.loads(write(value)) == tree


@every_writer
def test_offsets_are_kept(write):
    """An aware moment keeps its offset, and a naive one gets none."""
    assert "+05:30" in write(datetime(2024, 12, 31, 10, 15, tzinfo=timezone(timedelta(hours=5, minutes=30))))
    assert not write(datetime(2024, 12, 31, 10, 15)).strip('"').endswith(("Z", "+00:00"))


@every_writer
def test_members_keep_the_order_of_the_class_and_of_the_dict(write):
    """Nothing is sorted that has an order."""
    assert list(json.loads(write(Named(1, 2.0, "n", ["t"])))) == ["x", "y", "name", "tags"]
    assert list(json.loads(write({"b": 1, "a": 2, "c": 3}))) == ["b", "a", "c"]


@every_writer
@pytest.mark.parametrize(
    "values",
    [
        ["b", "a", "c", "z", "y"],
        [3, 1, 2, 10, -5],
        [1, "1", None, 2.5],
        [Status.PLACED, Status.IN_TRANSIT],
        [Key(2), Key(1), Key(1, "a")],
        [(2, 1), (1, 2), (1, 1)],
        [frozenset({1}), frozenset({2, 3})],
        [date(2024, 1, 2), date(2024, 1, 1)],
    ],
    ids=str,
)
def test_sets_are_written_in_a_stable_order(write, values):
    """Equal sets have equal text, however they came to be and whatever the hash seed is."""
    forward, backward = set(values), set()
    backward.update(reversed(values))
    backward.add("grow")
    backward.discard("grow")

    for wrap in (
        lambda value: value,
        lambda value: [value],
        holder(set),
        holder(Any),
        lambda value: {"a": frozenset(value)},
    ):
        assert write(wrap(forward)) == write(wrap(backward))


def test_the_order_of_a_set_does_not_depend_on_the_hash_seed():
    """Text whose hash differs from process to process is written in one order."""
    assert ns.write_compact({"b", "a", "c", "aa"}) == ns.write_compact(["a", "aa", "b", "c"])


def places_of(kind, value):
    """Return forms that hold *kind*, each with *value* in it and where that stands in the tree."""
    return [
        (kind, value, lambda wire: wire),
        (kind | None, value, lambda wire: wire),
        (list[kind], [value], lambda wire: [wire]),
        (Sequence[kind], (value,), lambda wire: [wire]),
        (tuple[kind, ...], (value,), lambda wire: [wire]),
        (tuple[kind, bool], (value, True), lambda wire: [wire, True]),
        (list[kind | None], [None, value], lambda wire: [None, wire]),
        (dict[str, kind], {"a": value}, lambda wire: {"a": wire}),
        (list[list[kind]], [[], [value]], lambda wire: [[], [wire]]),
        (dict[str, list[kind]], {"a": [value]}, lambda wire: {"a": [wire]}),
        (list[dict[str, kind]], [{"a": value}], lambda wire: [{"a": wire}]),
        (list[tuple[kind, ...]], [(value,)], lambda wire: [[wire]]),
        (kind | list[kind], value, lambda wire: wire),
        (kind | list[kind], [value], lambda wire: [wire]),
        (list[Any], [value], lambda wire: [wire]),
    ]


class OtherStatus(Enum):
    GONE = "gone for good"


#: What is declared, a member that stands there all the same, and its wire form.
MISPLACED = {
    "int": (int, Level.LOW, "LOW"),
    "float": (float, Level.HIGH, "HIGH"),
    "bool": (bool, Level.LOW, "LOW"),
    "str": (str, Text.RED, "red"),
    "str, and a plain enumeration": (str, Status.IN_TRANSIT, "in transit"),
    "str, and one whose values are no text": (str, Mixed.PAIR, "PAIR"),
    "date": (date, Level.LOW, "LOW"),
    "datetime": (datetime, Mixed.HALF, "HALF"),
    "UUID": (UUID, Mixed.PAIR, "PAIR"),
    "enumeration": (Status, OtherStatus.GONE, "gone for good"),
    "enumeration, and one of numbers": (Status, Level.LOW, "LOW"),
    "literal": (Literal["LOW"], Level.LOW, "LOW"),
    "composite": (Point, Level.LOW, "LOW"),
    "untyped": (Any, Level.LOW, "LOW"),
}


@every_writer
@pytest.mark.parametrize(("declared", "member", "wire"), MISPLACED.values(), ids=MISPLACED)
def test_an_enum_is_in_wire_form_where_something_else_was_declared(write, declared, member, wire):
    """Its text or else its name, never another value of its own, at any depth."""
    for form, value, place in places_of(declared, member):
        obj = holder(form)(value)
        assert json.loads(write(obj)) == {"v": place(wire)}, form
        assert json.loads(write([Box(obj)])) == [{"item": {"v": place(wire)}, "more": []}]
        assert ns.converter.unstructure(obj) == {"v": place(wire)}
    for keyed in (holder(dict[declared, int])({member: 1}), holder(dict[str, declared])({member: member})):
        assert list(json.loads(write(keyed))["v"]) == [wire]


# --- subclasses ---------------------------------------------------------------------------------------------


class HostText(str):
    __slots__ = ()


class HostNumber(int):
    pass


class HostList(list):
    pass


class HostDict(dict):
    pass


class HostMoment(datetime):
    pass


class HostLevel(IntEnum):
    LOW = 1


class HostWord(str, Enum):
    RED = "red"


class HostPoint(Point):
    pass


@pytest.fixture(scope="module")
def _hooks_of_a_host():
    for kind in (HostText, HostNumber, HostList, HostDict, HostMoment, HostLevel, HostWord, HostPoint):
        ns.converter.register_unstructure_hook(kind, lambda value: {"host": type(value).__name__})


#: What is declared, and a value of a host's own kind that stands there.
HOSTS_OWN = {
    "text": (str, HostText("a")),
    "number": (int, HostNumber(1)),
    "number for a float": (float, HostNumber(1)),
    "enumeration of numbers": (int, HostLevel.LOW),
    "enumeration of texts": (str, HostWord.RED),
    "list of texts": (list[str], HostList(["a"])),
    "list of lists": (list[list[int]], HostList([[1]])),
    "list of composites": (list[Point], HostList([Point()])),
    "tuple": (tuple[int, ...], HostList([1])),
    "map of numbers": (dict[str, int], HostDict(a=1)),
    "map of untyped data": (dict[str, Any], HostDict(a=1)),
    "map of composites": (dict[str, Point], HostDict(a=Point())),
    "moment": (datetime, HostMoment(2024, 12, 31)),
    "moment for a day": (date, HostMoment(2024, 12, 31)),
    "composite": (Point, HostPoint()),
    "untyped": (Any, HostText("a")),
}


@pytest.mark.usefixtures("_hooks_of_a_host")
@every_writer
@pytest.mark.parametrize(("declared", "value"), HOSTS_OWN.values(), ids=HOSTS_OWN)
def test_a_hook_for_a_host_s_own_kind_of_text_or_list_is_honoured_where_its_base_is_declared(
    write, declared, value
):
    """What orjson would write by itself goes by its own class too, at any depth."""
    wire = {"host": type(value).__name__}
    for form, held, place in places_of(declared, value):
        obj = holder(form)(held)
        assert json.loads(write(obj)) == {"v": place(wire)}, form
        assert json.loads(write([Box(obj)])) == [{"item": {"v": place(wire)}, "more": []}]
        assert ns.converter.unstructure(obj) == {"v": place(wire)}


@every_writer
def test_an_object_is_written_by_its_own_class(write):
    """A subclass loses nothing where its base is declared."""
    named = Named(1, 2.0, "n", ["t"])
    tree = {"x": 1, "y": 2.0, "name": "n", "tags": ["t"]}
    shapes = Shapes([named, Point(1)], named, {"k": named}, (named,), [named])

    assert json.loads(write(shapes)) == {
        "points": [tree, {"x": 1}],
        "main": tree,
        "by_name": {"k": tree},
        "pair": [tree],
        "anything": [tree],
    }
    assert json.loads(write(holder(Optional[list[Optional[Point]]])([None, named]))) == {"v": [None, tree]}
    assert json.loads(write(holder(Point | str)(named))) == {"v": tree}
    assert json.loads(write(Box(named))) == {"item": tree, "more": []}


@define(slots=False)
class Kinds:
    _private: int = 1
    by_name: str = field(default="k", kw_only=True)
    computed: str = field(default="stored", init=False, metadata=meta(ignore=False))
    ready: "Kinds | None" = None
    write_Kinds: list["Kinds"] = field(factory=list)  # noqa: N815  as generated code names things
    v0: int | None = None
    obj: dict[str, "Kinds"] = field(factory=dict)


@define(slots=False)
class MoreKinds(Kinds):
    last: date | None = None


@every_writer
def test_attributes_of_every_kind_are_written(write):
    """Private, by keyword only, off the constructor, inherited, in a dict, and called like anything."""
    inner = MoreKinds(2, by_name="m", last=date(2024, 12, 31))
    inner.v0, inner.ready = 5, Kinds()
    kinds = Kinds(write_Kinds=[inner, Kinds()], obj={"session": inner})
    tree = json.loads(write(kinds))
    alone = {"private": 1, "by_name": "k", "computed": "stored", "write_kinds": [], "obj": {}}
    more = {**alone, "private": 2, "by_name": "m", "last": "2024-12-31", "v0": 5, "ready": alone}

    assert tree == {**alone, "write_kinds": [more, alone], "obj": {"session": more}}
    assert list(tree) == ["private", "by_name", "computed", "write_kinds", "obj"]


def test_what_the_constructor_cannot_see_is_written_as_it_is_found():
    """A property of a subclass over a member of its base is read as any attribute is."""

    class Computed(Point):
        @property
        def x(self):
            return 7

        @x.setter
        def x(self, value):
            pass

    assert json.loads(ns.write(holder(list[Point])([Computed()]))) == {"v": [{"x": 7}]}


@pytest.mark.parametrize(
    "name", ["Same", "x", "v0", "out", "session", "str", "ready", "cls_x", "Größe²", "ﬁ"]
)
def test_two_classes_of_one_name_are_written_each_by_its_own_members(name):
    """Generated code tells them apart, from each other and from its own names."""
    classes = [define(type(name, (), {"__annotations__": {member: str}})) for member in ("a", "b", "c")]
    holding = attrs.make_class(
        "Holder", {f"v{i}": attrs.field(type=list[cls]) for i, cls in enumerate(classes)}
    )
    obj = holding(*([cls(cls.__attrs_attrs__[0].name)] for cls in classes))

    assert json.loads(ns.write(obj)) == {"v0": [{"a": "a"}], "v1": [{"b": "b"}], "v2": [{"c": "c"}]}


MOMENTS = [
    datetime(2024, 12, 31),
    datetime(1, 1, 1, 1, 1, 1, 1, tzinfo=timezone.utc),
    datetime(2024, 12, 31, 10, 15, 30, 5, tzinfo=timezone(timedelta(0))),
    datetime(2024, 12, 31, 10, 15, tzinfo=timezone(timedelta(hours=-3, minutes=-30))),
    datetime(1890, 1, 1, tzinfo=ZoneInfo("Europe/Amsterdam")),
    datetime(2024, 7, 1, 10, tzinfo=ZoneInfo("UTC")),
]


@every_writer
@pytest.mark.parametrize("moment", MOMENTS, ids=str)
def test_a_moment_is_written_as_isoformat_has_it(write, moment):
    """Whether orjson writes it or we do, in a field and in containers."""
    for form, value, place in places_of(datetime, moment):
        assert json.loads(write(holder(form)(value))) == {"v": place(moment.isoformat())}


@dataclasses.dataclass
class Data:
    a: int = 1


@dataclasses.dataclass
class MoreData(Data):
    b: int | None = None
    c: list[Data] = dataclasses.field(default_factory=list)


@every_writer
def test_a_dataclass_is_written_by_its_own_class(write):
    """Dataclasses too, in untyped data as well."""
    assert json.loads(write([MoreData(1, 2, [MoreData()])])) == [{"a": 1, "b": 2, "c": [{"a": 1, "c": []}]}]
    assert json.loads(write(holder(list[Data])([MoreData(b=3)]))) == {"v": [{"a": 1, "b": 3, "c": []}]}


class SubStr(str):
    __slots__ = ()


class SubInt(int):
    pass


class SubFloat(float):
    pass


class SubList(list):
    pass


class SubDict(dict):
    pass


class SubDate(date):
    pass


@every_writer
def test_subclasses_of_leaves_are_written_as_their_leaves(write):
    """A host's own str is a str."""
    assert json.loads(
        write([SubStr("a"), SubInt(1), SubList([1]), SubDict(a=SubStr("b")), SubDate(2024, 1, 2)])
    ) == [
        *("a", 1, [1], {"a": "b"}, "2024-01-02"),
    ]
    assert json.loads(write(holder(str)(SubStr("a")))) == {"v": "a"}
    assert json.loads(write(holder(float)(SubFloat("nan")))) == {"v": "NaN"}
    assert json.loads(write({SubStr("k"): 1})) == {"k": 1}


@every_writer
def test_a_value_that_is_not_of_the_declared_type_is_written_as_what_it_is(write):
    """The class is not asked what the value is."""
    assert json.loads(write(holder(int)("text"))) == {"v": "text"}
    assert json.loads(write(holder(str)(5))) == {"v": 5}
    assert json.loads(write(holder(list[int])(None))) in ({}, {"v": None})
    assert json.loads(write(holder(float)(5))) == {"v": 5}
    assert json.loads(write(holder(list[Point])((Point(1),)))) == {"v": [{"x": 1}]}
    assert json.loads(write(holder(Status)("lost"))) == {"v": "lost"}
    assert json.loads(write(holder(date)(datetime(2024, 1, 2, 3)))) == {"v": "2024-01-02T03:00:00"}


# --- pendulum -----------------------------------------------------------------------------------------------


@every_writer
@pytest.mark.parametrize("annotation", [pendulum.DateTime, datetime, Any])
def test_pendulum_moments_are_iso_text(write, annotation):
    """Declared or not, the text is ISO 8601 with the moment's offset."""
    moment = pendulum.datetime(2024, 7, 1, 10, 15, 30, tz="Europe/Berlin")
    naive = pendulum.naive(2024, 7, 1, 10, 15, 30)
    cls = holder(annotation)

    assert json.loads(write(cls(moment)))["v"] == "2024-07-01T10:15:30+02:00"
    assert json.loads(write(cls(naive)))["v"] == "2024-07-01T10:15:30"
    if annotation is not Any:
        assert ns.parse(write(cls(moment)), cls) == cls(moment)


@every_writer
def test_other_pendulum_values_are_iso_text(write):
    """Days, times and durations as well."""
    for value, target in (
        (pendulum.date(2024, 7, 1), pendulum.Date),
        (pendulum.time(10, 15, 30), pendulum.Time),
        (pendulum.date(2024, 7, 1), date),
        (pendulum.duration(days=1, hours=2), timedelta),
    ):
        cls = holder(target)
        assert ns.parse(write(cls(value)), cls) == cls(value)
        assert write([value]) == write(holder(list[Any])([value]).v)


# --- fields off the wire ------------------------------------------------------------------------------------


@every_writer
def test_fields_off_the_wire_are_not_written(write):
    """ignore=True and init=False stay with the instance."""

    @define
    class Hidden:
        shown: int = 1
        secret: str = field(default="s", metadata=meta(ignore=True))
        computed: int = field(default=2, init=False)
        stated: int = field(default=3, init=False, metadata=meta(ignore=False))
        _private: int = 4
        named: int = field(default=5, metadata=meta(name="Named"))

    assert json.loads(write(Hidden())) == {"shown": 1, "stated": 3, "private": 4, "Named": 5}


@define
class Traced:
    text: str = "x"
    trace: str | None = field(default="t", metadata=meta(context_ignore=True))
    inner: Optional["Traced"] = None


@pytest.mark.parametrize(
    "write", [ns.write, ns.write_compact, ns.write_summarized, ns.write_summarized_compact]
)
def test_context_ignored_fields_are_written_outside_the_prompt(write):
    """Every mode but one keeps them."""
    assert json.loads(write(Traced(inner=Traced())))["inner"]["trace"] == "t"


def test_context_ignored_fields_are_left_out_of_the_prompt():
    """At every depth."""
    text = ns.write_summarized_with_refs([Traced(inner=Traced()), {"a": Traced()}], ns.ArtifactRegistry())

    assert json.loads(text) == [{"text": "x", "inner": {"text": "x"}}, {"a": {"text": "x"}}]


# --- cycles, depth, errors ----------------------------------------------------------------------------------


def _deep(depth):
    node = Node("bottom")
    for _ in range(depth - 1):
        node = Node(child=node)
    return node


def _deep_lists(depth):
    tree: Any = 1
    for _ in range(depth):
        tree = [tree]
    return tree


def _deep_dicts(depth):
    tree: Any = 1
    for _ in range(depth):
        tree = {"a": tree}
    return tree


def _deep_untyped(depth):
    tree: Any = "bottom"
    for _ in range(depth // 2):
        tree = {"a": Box(tree)}
    return tree


BUILDERS = {"classes": _deep, "lists": _deep_lists, "dicts": _deep_dicts, "both": _deep_untyped}


@every_writer
@pytest.mark.parametrize("build", BUILDERS.values(), ids=BUILDERS)
def test_two_hundred_levels_are_written(write, build):
    """What is read of 200 levels is written too."""
    text = write(build(200))

    assert text.count("{") + text.count("[") >= 200


@every_writer
@pytest.mark.parametrize("build", BUILDERS.values(), ids=BUILDERS)
@pytest.mark.parametrize("depth", [255, 400, 1_000, 20_000])
def test_deeper_nesting_is_written_or_an_error_of_ours(write, build, depth):
    """Never an error of the interpreter and never a crash."""
    value = build(depth)
    try:
        text = write(value)
    except ns.SerializationError as error:
        assert len(str(error)) < 5_000
    else:
        assert text.count("{") + text.count("[") >= depth
    while isinstance(value, (Node, list, dict, Box)):  # so that freeing it does not go deep either
        value = (
            value.child
            if isinstance(value, Node)
            else value.item
            if isinstance(value, Box)
            else next(iter(value.values() if isinstance(value, dict) else value))
        )


def _two_hundred_levels(build, write, frames):
    """Return what *write* gives of 200 levels, called from *frames* frames down."""
    return write(build(200)) if not frames else _two_hundred_levels(build, write, frames - 1)


@every_writer
@pytest.mark.parametrize("build", BUILDERS.values(), ids=BUILDERS)
def test_two_hundred_levels_are_written_from_deep_inside_a_host(write, build):
    """A host's own frames leave enough of the interpreter's limit."""
    assert _two_hundred_levels(build, write, 400) == write(build(200))


@pytest.mark.parametrize("build", BUILDERS.values(), ids=BUILDERS)
def test_two_hundred_levels_become_a_tree_from_deep_inside_a_host(build):
    """The converter and value_to_tree as well."""
    for verb in (ns.value_to_tree, ns.converter.unstructure):
        assert json.dumps(_two_hundred_levels(build, verb, 400)) == json.dumps(verb(build(200)))


def _self_node():
    node = Node("me")
    node.child = node
    return node


def _long_cycle():
    first = node = Node("first")
    for index in range(50):
        node.children.append(Node(str(index)))
        node = node.children[0]
    node.children.append(first)
    return first


def _self_list():
    items: list[Any] = [1]
    items.append(items)
    return items


def _self_dict():
    entries: dict[str, Any] = {}
    entries["me"] = entries
    return entries


def _mixed_cycle():
    node = Node("a")
    node.by_name["list"] = [{"back": node}]
    return node


CYCLES = {
    "an object": _self_node,
    "objects": _long_cycle,
    "a list": _self_list,
    "a dict": _self_dict,
    "untyped data": _mixed_cycle,
    "inside": lambda: {"a": [_self_node()]},
    "wide": lambda: [[_self_node()] * 1_000] * 100,
}


@every_writer
@pytest.mark.parametrize("build", CYCLES.values(), ids=CYCLES)
def test_a_cycle_is_an_error_of_ours(write, build):
    """What holds itself cannot be written, and saying so takes little."""
    value = build()
    with pytest.raises(ns.SerializationError) as caught:
        write(value)

    assert len(str(caught.value)) < 5_000


@every_writer
def test_one_object_in_two_places_is_no_cycle(write):
    """Sharing is not holding oneself."""
    point, items = Point(1), [1]

    assert json.loads(write([point, point, items, items])) == [{"x": 1}, {"x": 1}, [1], [1]]
    assert json.loads(write(Shapes([point, point], point, {"a": point})))["by_name"] == {"a": {"x": 1}}


def test_sharing_is_written_in_time_in_proportion_to_the_text_or_refused():
    """Doubling sixty times over ends in an error of ours and not in the end of memory."""
    node = Node("x")
    for _ in range(18):
        node = Node(children=[node, node])

    assert ns.write_compact(node).count('"x"') == 2**18


class Opaque:
    """A class that nobody can write."""


class Hostile:
    """A class whose every word is an error."""

    def __repr__(self):
        raise RuntimeError("no repr")

    __str__ = __repr__

    @property
    def anything(self):
        """Raise."""
        raise RuntimeError("no property")

    def __getattr__(self, name):
        raise RuntimeError(name)


class Loud(list):
    """A list that tells when it is printed."""

    printed = 0

    def __repr__(self):
        type(self).printed += 1
        return "loud"


class LoudElement:
    printed = 0

    def __repr__(self):
        type(self).printed += 1
        return "loud"


@define
class Failing:
    name: str
    numbers: list[Any]
    entries: dict[str, Any]
    bad: Any
    other: Any = None


def _failure(write, value):
    with pytest.raises(ns.SerializationError) as caught:
        write(value)
    return str(caught.value)


@every_writer
@pytest.mark.parametrize(
    "bad", [Opaque(), object(), lambda: None, iter([]), complex(1, 2), type, ..., Opaque, len]
)
def test_what_nobody_can_write_is_an_error_of_ours(write, bad):
    """At the root, in a field, in a container, as a key, in untyped data."""
    for value in (
        bad,
        [bad],
        {"a": bad},
        Node(bad),
        holder(Any)({"a": [bad]}),
        {bad: 1},
        (bad,),
        holder(list[int])([bad]),
    ):
        message = _failure(write, value)
        assert len(message) < 5_000


@every_writer
def test_the_error_names_the_class_and_describes_its_fields_by_size(write):
    """A collection by its count, a string by its length and a bounded prefix."""
    message = _failure(
        write, Failing("n" * 70_000, list(range(5_000)), dict.fromkeys(map(str, range(321)), 0), Opaque())
    )

    assert "Failing" in message
    assert "5000" in message.replace(",", "").replace("_", "")
    assert "321" in message
    assert "70000" in message.replace(",", "").replace("_", "")
    assert "n" * 50 in message
    assert "n" * 201 not in message
    assert "4998, 4999" not in message
    assert len(message) < 5_000


@every_writer
def test_the_error_prints_on_one_line(write):
    """What a text holds is escaped where it does not print, so that every terminal takes the message."""
    broken = Failing("line\n\udcff\x1b[0m", [], {}, Opaque())

    for value in (broken, {"a\nb" * 100: broken}, {1: broken, "1": "\n"}):
        message = _failure(write, value)
        assert message.isprintable()
        message.encode()
        assert len(message) < 1_000


@plain_writer
def test_the_error_tells_nothing_of_what_is_off_the_wire(write):
    """It was not to be written, as the cache of an artifact is not."""

    @ns.type_alias("writing:off-wire")
    @define
    class Cached(ns.Artifact):
        text: str = "t"
        secret: str = field(default="s3cret", metadata=meta(ignore=True))
        value: Any = None

    message = _failure(write, Cached(value=Opaque()))

    assert 'text: string of 1 character "t"' in message
    assert "_summaries" not in message
    assert "s3cret" not in message


@every_writer
def test_the_error_names_the_class_that_failed(write):
    """The class deep inside that could not be written is named."""
    assert "Opaque" in _failure(write, {"a": [Failing("n", [], {}, Opaque())]})
    assert "Opaque" in _failure(write, Opaque())


@every_writer
def test_the_error_prints_no_collection_and_no_element(write):
    """Repr is never called on a collection, and 5,000 elements cost no repr."""
    Loud.printed = LoudElement.printed = 0
    elements = [LoudElement() for _ in range(5_000)]
    _failure(write, Failing("n", Loud([1]), {"a": Loud()}, Loud([Opaque()]), elements))

    assert Loud.printed == 0
    assert LoudElement.printed <= 2


@every_writer
def test_the_error_is_not_masked_by_what_the_object_raises(write):
    """A repr or a property that raises does not hide what was wrong."""
    for value in (
        Hostile(),
        Failing("n", [], {}, Hostile()),
        [Hostile()],
        Failing("n", [Hostile()], {"a": Hostile()}, Hostile()),
    ):
        assert "Hostile" in _failure(write, value)


@define(slots=False)
class Propertied:
    x: Any

    @property
    def y(self):
        """Raise."""
        raise RuntimeError("never asked")


@every_writer
def test_properties_are_not_asked(write):
    """What is no field is neither written nor described."""
    assert json.loads(write(Propertied(1))) == {"x": 1}
    assert "never asked" not in _failure(write, Propertied(Opaque()))


class HostileStr(str):
    __slots__ = ()

    def __len__(self):
        raise RuntimeError("no length")

    def __repr__(self):
        raise RuntimeError("no repr")


class HostileList(list):
    def __len__(self):
        raise RuntimeError("no length")

    def __repr__(self):
        raise RuntimeError("no repr")


@every_writer
def test_an_object_that_cannot_be_measured_does_not_mask_the_error(write):
    """Even a length that raises ends in the library's error."""
    _failure(write, Failing(HostileStr("x"), HostileList(), {}, Opaque()))


@define
class Missing:
    x: int = field(init=False)
    stated: int = field(init=False, metadata=meta(ignore=False))


@every_writer
def test_an_attribute_that_was_never_set_is_an_error_of_ours_or_nothing(write):
    """A field without a value is no AttributeError."""
    try:
        assert json.loads(write(Missing())) == {}
    except ns.SerializationError as error:
        assert "Missing" in str(error)


@every_writer
def test_an_error_takes_memory_in_proportion_to_its_text(write):
    """A large object that cannot be written costs no second copy of itself in words."""
    value = Failing("n", ["x" * 1_000] * 50_000, {}, "y" * 20_000_000, Opaque())
    tracemalloc.start()
    _failure(write, value)
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()

    assert peak < 60_000_000


def test_a_serialization_error_pickles():
    """Errors cross processes, even those about what cannot be pickled."""
    with pytest.raises(ns.SerializationError) as caught:
        ns.write(Failing("n", [], {}, lambda: None))
    again = pickle.loads(pickle.dumps(caught.value))

    assert str(again) == str(caught.value)
    assert isinstance(again, ns.NucleoError)


@every_writer
@pytest.mark.parametrize(
    "value",
    [
        "\ud800",
        ["a\udfff"],
        {"\ud800": 1},
        Node("\ud800"),
        holder(Any)({"a": ["\udfff"]}),
        holder(set[str])({"\ud800"}),
    ],
    ids=ascii,
)
def test_a_lone_surrogate_is_written_exactly_or_refused(write, value):
    """Half a character is an escape that reads back, or an error of ours; never a replacement."""
    try:
        text = write(value)
    except ns.SerializationError as error:
        str(error).encode("utf-8", "backslashreplace")
        return
    assert json.loads(text) == json.loads(json.dumps(ns.value_to_tree(value)))
    assert "\ufffd" not in text


@every_writer
@pytest.mark.parametrize(
    "value",
    [
        {1: "a", "1": "b"},
        {True: "a", "true": "b"},
        {Status.PLACED: 1, "placed": 2},
        {None: 1, "null": 2},
        {1.0: "a", "1.0": "b"},
    ],
    ids=str,
)
def test_two_keys_that_become_one_are_not_lost_in_silence(write, value):
    """A dict whose keys have one text is refused, or both entries are there."""
    try:
        text = write(value)
    except ns.SerializationError:
        return
    assert len(json.loads(text, object_pairs_hook=list)) == 2


Celsius = NewType("Celsius", float)


def test_the_path_of_what_cannot_be_written_goes_through_a_host_s_hook():
    """A hook for a form stands on the way like anything else."""
    converter = ns.make_converter()
    converter.register_unstructure_hook_func(
        lambda form: form is Celsius, lambda value: {"c": [object()] if value < 0 else value}
    )
    cls = holder(list[Celsius])

    assert converter.unstructure(cls([1.5])) == {"v": [{"c": 1.5}]}
    with pytest.raises(TypeError) as caught:
        converter.unstructure([cls([1.5]), cls([2.5, -1.0])])
    assert caught.value.path == "[1].v.c[0]"


def test_the_converter_tells_the_path_of_what_it_cannot_unstructure():
    """The quick way fails without a word, and the careful way has them."""
    with pytest.raises(TypeError) as caught:
        ns.converter.unstructure(Node("a", None, [Node(), Node(by_name={"k": object()})]))
    assert caught.value.path == "children[1].by_name.k"


@every_writer
@pytest.mark.parametrize("key", [(1, 2), frozenset({1}), Key(1), b"x", object()], ids=str)
def test_a_key_without_a_text_is_an_error_of_ours(write, key):
    """What is no text on the wire cannot name an entry."""
    try:
        text = write({key: 1})
    except ns.SerializationError as error:
        assert len(str(error)) < 2_000
    else:
        assert isinstance(json.loads(text), dict)


@every_writer
@pytest.mark.parametrize(
    "value", [deque([1, 2]), range(3), {"a": 1}.keys(), bytearray(b"x"), memoryview(b"x"), (i for i in [1])]
)
def test_other_iterables_are_written_whole_or_refused(write, value):
    """Nothing is written half."""
    try:
        tree = json.loads(write(value))
    except ns.SerializationError:
        return
    assert tree in ([1, 2], [0, 1, 2], ["a"], "eA==", [1])


def test_writing_changes_nothing():
    """The object is as it was."""
    node = Node("a", Node("b"), [Node("c")], {"k": {"z": {1, 2}}})
    before = repr(node)
    for write in WRITERS.values():
        write(node)

    assert repr(node) == before


# --- summaries ----------------------------------------------------------------------------------------------


@define
class Page:
    title: str = ""
    body: str | None = field(
        default=None,
        metadata=meta("Body", summarizable=Summarizable("page text", size=SummarySize.BRIEF, threshold=300)),
    )
    plain: str = ""
    inner: Optional["Page"] = None


class Recorder:
    """A summarizer that remembers what it was asked."""

    def __init__(self, answer="short"):
        self.calls = []
        self.answer = answer

    def summarize(self, text, annotation):
        """Remember the call."""
        self.calls.append((text, annotation))
        return self.answer


LONG = "one two three four five " * 100


@pytest.mark.parametrize("write", [ns.write_summarized, ns.write_summarized_compact])
def test_a_text_over_its_threshold_is_summarized(write):
    """A longer text is handed to the summarizer with what was declared; others stay."""
    recorder = Recorder()
    page = Page("t", LONG, LONG, Page(body="x" * 301, plain="p"))
    tree = json.loads(write(page, recorder))

    assert tree == {
        "title": "t",
        "body": "short",
        "plain": LONG,
        "inner": {"title": "", "body": "short", "plain": "p"},
    }
    assert [text for text, _ in recorder.calls] == [LONG, "x" * 301]
    assert recorder.calls[0][1] == Summarizable("page text", size=SummarySize.BRIEF, threshold=300)


@define
class Loose:
    anything: Any = field(metadata=meta(required=False))
    either: int | str = field(metadata=meta(required=False))
    stated: Any = field(metadata=meta(required=True))


@plain_writer
def test_untyped_data_that_need_not_be_given_is_left_out_when_it_is_none(write):
    """Its absence reads as None already; where it has to be given, null is what says so."""
    loose = Loose(None, None, None)

    assert json.loads(write(loose)) == {"stated": None}
    assert ns.parse(write(loose), Loose) == loose


@plain_writer
@pytest.mark.parametrize(
    "text", ["NaN", "-NaN", "sNaN", "-sNaN", "NaN123", "-sNaN7", "Infinity", "-0", "1E+9"]
)
def test_any_decimal_reads_back_as_it_was(write, text):
    """Also what is no number, with its sign, its signal and its diagnostic."""
    read = ns.parse(write([Decimal(text)]), list[Decimal])

    assert str(read[0]) == text


@plain_writer
def test_a_duration_of_no_fixed_length_is_refused(write):
    """Months would be lost in days; what lies between two days has its length in days."""
    for duration in (pendulum.duration(years=1), pendulum.duration(months=2, days=-60)):
        assert "expected one of a fixed length" in _failure(write, [duration])
    days = pendulum.duration(weeks=60, hours=1)
    interval = pendulum.datetime(2025, 1, 31) - pendulum.datetime(2023, 12, 1)

    assert ns.parse(write([days]), list[pendulum.Duration]) == [days]
    assert ns.parse(write([interval]), list[timedelta]) == [timedelta(days=427)]


#: What only the exact or the careful way writes, and what nobody does.
AWKWARD = {
    "the word null": "annulled",
    "no value": [None],
    "an integer of any size": 10**40,
    "numbers that JSON lacks": [math.nan, math.inf],
    "deep nesting": _deep_lists(400),
    "no text": "\ud800",
    "no JSON form": Opaque(),
}


class Ticketed:
    """A host's class."""


@pytest.mark.parametrize("awkward", AWKWARD.values(), ids=AWKWARD)
@pytest.mark.parametrize("write", [ns.write_summarized, ns.write_summarized_compact])
def test_a_summarizer_is_asked_once_whatever_else_is_written(write, awkward):
    """It may be a language model: what has to be written in another way is not paid for twice."""
    recorder = Recorder()

    with contextlib.suppress(ns.SerializationError):
        write([Page(body=LONG), awkward], recorder)

    assert len(recorder.calls) == 1


def test_a_summarizer_that_fails_is_asked_once():
    """It would fail again."""

    class Broken(Recorder):
        def summarize(self, text, annotation):
            """Remember the call, and raise."""
            super().summarize(text, annotation)
            raise RuntimeError("no model")

    broken = Broken()

    with pytest.raises(
        ns.SerializationError, match=r"Page\.body: the summarizer raised RuntimeError: no model"
    ):
        ns.write_summarized(Page(body=LONG), broken)
    assert len(broken.calls) == 1


@pytest.mark.parametrize("awkward", [key for key in AWKWARD if key not in ("deep nesting", "no JSON form")])
@every_writer
def test_a_hook_of_the_host_runs_once_whatever_else_is_written(write, awkward):
    """A hook that makes a number anew would otherwise show the second."""
    numbers = itertools.count(1)
    ns.converter.register_unstructure_hook(Ticketed, lambda _value: next(numbers))

    with contextlib.suppress(ns.SerializationError):
        write([Ticketed(), AWKWARD[awkward], date(2024, 12, 31), UUID(int=0)])

    assert next(numbers) == 2


@every_writer
def test_a_hook_of_the_host_that_fails_runs_once(write):
    """Its error is told as it came."""
    numbers = itertools.count()
    ns.converter.register_unstructure_hook(Ticketed, lambda _value: next(numbers) // 0)

    assert "ZeroDivisionError" in _failure(write, [Ticketed()])
    with pytest.raises(ZeroDivisionError):
        ns.converter.unstructure(Carrying(Ticketed()))
    assert next(numbers) == 2


@define
class Carrying:
    what: Any


@plain_writer
def test_days_beside_an_integer_of_any_size_are_written(write):
    """What orjson would have written is written as it does."""
    moment = datetime(2024, 1, 2, 3, 4, 5, 6, tzinfo=timezone.utc)
    row = Dated(date(999, 1, 2), moment, UUID(int=7), 10**40)

    assert json.loads(write(row)) == {
        "day": "0999-01-02",
        "at": "2024-01-02T03:04:05.000006+00:00",
        "id": "00000000-0000-0000-0000-000000000007",
        "number": 10**40,
    }


@define
class Dated:
    day: date
    at: datetime
    id: UUID
    number: int


def test_a_text_at_its_threshold_is_written_whole():
    """Longer than the threshold, not as long as it."""
    recorder = Recorder()

    assert json.loads(ns.write_summarized(Page(body="x" * 300), recorder))["body"] == "x" * 300
    assert recorder.calls == []


@pytest.mark.parametrize(
    "wrap", [lambda page: [page], lambda page: {"a": page}, lambda page: (page,), holder(Any), Box]
)
def test_texts_are_summarized_wherever_the_object_stands(wrap):
    """Containers and untyped data as well."""
    assert '"short"' in ns.write_summarized(wrap(Page(body=LONG)), Recorder())
    assert LONG not in ns.write_summarized(wrap(Page(body=LONG)), Recorder())


def test_plain_writing_asks_no_summarizer():
    """Write is whole."""
    assert json.loads(ns.write(Page(body=LONG)))["body"] == LONG


def test_a_summarizer_that_raises_is_named_with_the_place():
    """The error names class and field, and keeps the cause."""

    class Broken:
        def summarize(self, text, annotation):
            """Raise."""
            raise RuntimeError("no model")

    with pytest.raises(ns.SerializationError, match=r"Page.*body") as caught:
        ns.write_summarized(Page(body=LONG), Broken())

    assert caught.value.__cause__ is not None
    assert LONG not in str(caught.value)


@pytest.mark.parametrize("annotation", [int, list[str], dict[str, str], Any, Optional[Point]])
def test_what_is_no_text_is_left_alone(annotation):
    """A summarizable field that holds something else is written as it is."""
    cls = holder(annotation, metadata=meta(summarizable=Summarizable("hint", threshold=0)))
    value = {int: 5, list[str]: [LONG], dict[str, str]: {"a": LONG}, Any: [LONG]}.get(annotation, Point(1))

    assert json.loads(ns.write_summarized(cls(value), Recorder())) == json.loads(ns.write(cls(value)))


def test_pre_summarized_on_a_class_that_is_no_artifact_is_left_alone():
    """There is no cache to take a summary from."""
    cls = holder(
        dict[str, Any], metadata=meta(summarizable=Summarizable("h", pre_summarized=True, threshold=0))
    )

    assert json.loads(ns.write_summarized(cls({"a": LONG}), Recorder())) == {"v": {"a": LONG}}


# --- the shipped summarizer ---------------------------------------------------------------------------------

BUDGETS = {SummarySize.BRIEF: 200, SummarySize.SHORT: 500, SummarySize.PARAGRAPHS: 1_200}


@pytest.mark.parametrize(("size", "budget"), BUDGETS.items(), ids=str)
def test_a_text_is_cut_at_a_word_near_its_budget(size, budget):
    """The marker with the original length, then whole words, then three points."""
    summary = ns.TruncatingSummarizer().summarize(LONG * 5, Summarizable("h", size=size))
    head, body = summary[: summary.index("]") + 2], summary[summary.index("]") + 2 :]

    assert head == f"[SUMMARY: {len(LONG) * 5} chars] "
    assert body.endswith("...")
    assert budget * 0.8 <= len(body) <= budget * 1.1
    kept = body[:-3].rstrip()
    assert (LONG * 5).startswith(kept)
    assert (LONG * 5)[len(kept)] == " "


def test_a_static_summary_stands_for_the_text():
    """What the author wrote is said instead."""
    summary = ns.TruncatingSummarizer().summarize(LONG, Summarizable("h", static_summary="source code"))

    assert summary == f"[SUMMARY: {len(LONG)} chars] source code"


def test_a_short_text_is_not_cut():
    """Points only after a cut."""
    assert (
        ns.TruncatingSummarizer().summarize("a few words", Summarizable("h"))
        == "[SUMMARY: 11 chars] a few words"
    )


def test_a_text_without_an_annotation_is_cut_too():
    """None is a summary of the usual size."""
    summary = ns.TruncatingSummarizer().summarize(LONG, None)

    assert summary.startswith(f"[SUMMARY: {len(LONG)} chars] ")
    assert len(summary) < 700


GRAPHEMES = {
    "a modifier": "👍🏽",
    "a family": "👨‍👩‍👧‍👦",
    "a flag": "🇩🇪",
    "a combining mark": "e\u0301",
    "two combining marks": "a\u0323\u0302",
    "a variation selector": "❤️",
    "a keycap": "1️⃣",
    "a Hangul syllable": "\u1112\u1161\u11ab",
    "a Devanagari syllable": "क्षि",
    "an astral character": "😀",
    "a tag sequence": "🏴\U000e0067\U000e0062\U000e0065\U000e006e\U000e0067\U000e007f",
    "a line end": "\r\n",
}


@pytest.mark.parametrize("grapheme", GRAPHEMES.values(), ids=GRAPHEMES)
@pytest.mark.parametrize("offset", range(8))
def test_a_cut_never_splits_a_grapheme(grapheme, offset):
    """Without a word boundary in reach, whole graphemes remain."""
    text = "x" * offset + grapheme * 2_000
    summary = ns.TruncatingSummarizer().summarize(text, Summarizable("h", size=SummarySize.BRIEF))
    kept = summary[summary.index("]") + 2 :].removesuffix("...").rstrip()

    assert text.startswith(kept)
    if grapheme != "\r\n":
        assert kept == "x" * offset + grapheme * ((len(kept) - offset) // len(grapheme))
        assert len(kept) > 100


@pytest.mark.parametrize(
    "text",
    [" " * 5_000, "\n" * 5_000, "\u0301" * 5_000, "🇩" * 5_000, "\u200d" * 5_000, "a" + "\u0301" * 5_000],
)
def test_a_text_without_any_boundary_is_cut_all_the_same(text):
    """The budget holds for what has no words and no whole graphemes."""
    summary = ns.TruncatingSummarizer().summarize(text, Summarizable("h", size=SummarySize.BRIEF))

    assert summary.startswith("[SUMMARY: ")
    assert len(summary) < 1_000


@pytest.mark.parametrize("text", ["\ud83d" * 3_000, "\udc00" * 3_001])
def test_lone_surrogates_do_not_disturb_a_summary(text):
    """Nothing raises and the budget holds."""
    assert len(ns.TruncatingSummarizer().summarize(text, Summarizable("h"))) < 1_000


def test_a_summary_of_a_large_text_takes_no_time_in_proportion():
    """Twenty megabytes are cut at their head."""
    for text in ("x" * 20_000_000, " " * 20_000_000, "👍🏽" * 5_000_000):
        assert len(ns.TruncatingSummarizer().summarize(text, Summarizable("h"))) < 1_000


def test_the_shipped_summarizer_is_the_default():
    """No summarizer means the one that truncates."""
    assert json.loads(ns.write_summarized(Page(body=LONG)))["body"].startswith(
        f"[SUMMARY: {len(LONG)} chars] one two"
    )


# --- warnings -----------------------------------------------------------------------------------------------


def test_a_missing_hint_is_warned_about_once(caplog):
    """Once per process and field, through logging, with the name of class and field."""

    @define
    class Hintless:
        first_text: str = field(default=LONG, metadata=meta(summarizable=Summarizable(threshold=10)))
        second_text: str = field(default=LONG, metadata=meta(summarizable=Summarizable(threshold=10)))
        hinted: str = field(default=LONG, metadata=meta(summarizable=Summarizable("h", threshold=10)))

    with caplog.at_level(logging.WARNING):
        for _ in range(3):
            ns.write_summarized(Hintless())
            ns.write_summarized_compact([Hintless()])
            ns.write_summarized_with_refs(Hintless(), ns.ArtifactRegistry())
            ns.write_summarized(Hintless(), Recorder())
    messages = [record.getMessage() for record in caplog.records if "Hintless" in record.getMessage()]

    assert len(messages) == 2
    assert sum("Hintless.first_text" in message for message in messages) == 1
    assert sum("Hintless.second_text" in message for message in messages) == 1


def test_plain_writing_warns_of_nothing(caplog):
    """Nothing about summaries where nothing is summarized."""
    cls = holder(str, metadata=meta(summarizable=Summarizable(threshold=10)))
    with caplog.at_level(logging.DEBUG):
        ns.write(cls(LONG))
        ns.write_compact(cls(LONG))
        ns.parse(ns.write(cls(LONG)), cls)

    assert caplog.records == []


# --- artifacts ----------------------------------------------------------------------------------------------


@ns.type_alias("writing-test")
@define
class Report(ns.Artifact):
    title: str = ""
    body: str | None = field(
        default=None, metadata=meta(summarizable=Summarizable("report text", threshold=20))
    )
    tree: Any = field(
        default=None, metadata=meta(summarizable=Summarizable("tree", pre_summarized=True, threshold=0))
    )
    trace: str | None = field(default=None, metadata=meta(context_ignore=True))
    parts: list[Any] = field(factory=list)


@define
class Shelf:
    main: Report | None = None
    rest: list[Report] = field(factory=list)
    by_name: dict[str, Report] = field(factory=dict)
    pair: tuple[Report, int] | None = None
    anything: Any = None


def test_a_summary_is_computed_once_per_artifact_and_field():
    """The second write asks nobody."""
    recorder = Recorder()
    report = Report(body=LONG)
    for _ in range(3):
        assert json.loads(ns.write_summarized(report, recorder))["body"] == "short"

    assert len(recorder.calls) == 1
    assert report.cached_summary("body") == ns.SummarizedField(full_text=LONG, summary="short")


def test_a_changed_text_is_summarized_again():
    """A cached summary is used while the full text is that text."""
    report = Report(body=LONG)
    ns.write_summarized(report, Recorder("first"))
    report.body = LONG + "more"

    assert json.loads(ns.write_summarized(report, Recorder("second")))["body"] == "second"


def test_the_cache_is_off_the_wire():
    """Nothing of it is written, and equality knows nothing of it."""
    report = Report(body=LONG)
    ns.write_summarized(report)

    assert set(json.loads(ns.write(report))) <= {"title", "body", "parts"}
    assert report == Report(body=LONG)


def test_a_failing_summarizer_leaves_nothing_half_cached():
    """The next one starts anew."""
    report = Report(body=LONG)

    class Broken:
        def summarize(self, text, annotation):
            """Raise."""
            raise RuntimeError("no model")

    with pytest.raises(ns.SerializationError):
        ns.write_summarized(report, Broken())

    assert report.cached_summary("body") is None
    assert json.loads(ns.write_summarized(report, Recorder("good")))["body"] == "good"


def test_threads_agree_on_a_summary_and_ask_once():
    """Two threads that write one artifact at once call the summarizer once."""
    for _ in range(10):
        report, barrier, results = Report(body=LONG), threading.Barrier(8), []

        class Slow(Recorder):
            def summarize(self, text, annotation):
                """Give another answer each time."""
                super().summarize(text, annotation)
                return f"answer {len(self.calls)}"

        slow = Slow()

        def work(report=report, barrier=barrier, results=results, slow=slow):
            barrier.wait()
            results.append(ns.write_summarized(report, slow))

        threads = [threading.Thread(target=work) for _ in range(8)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        assert len(slow.calls) == 1
        assert len(set(results)) == 1


TREE = {"a/b": {"c~d": LONG, "keep": "k"}, "list": [LONG, {"x": LONG}], "": LONG}


@pytest.mark.parametrize(
    ("pointer", "expected"),
    [
        ("", "S"),
        ("/a~1b", {**TREE, "a/b": "S"}),
        ("/a~1b/c~0d", {**TREE, "a/b": {"c~d": "S", "keep": "k"}}),
        ("/list/0", {**TREE, "list": ["S", {"x": LONG}]}),
        ("/list/1/x", {**TREE, "list": [LONG, {"x": "S"}]}),
        ("/", {**TREE, "": "S"}),
        ("/missing", TREE),
    ],
)
def test_a_pre_summarized_tree_is_written_with_its_summaries(pointer, expected):
    """At the root, at an inner node, at a leaf, with escaped names."""
    node = TREE
    for part in pointer.split("/")[1:]:
        name = part.replace("~1", "/").replace("~0", "~")
        node = node[int(name)] if isinstance(node, list) else node.get(name)
    report = Report(tree=TREE)
    report.cache_summary(
        pointer, ns.SummarizedField(full_text=node if isinstance(node, str) else "", summary="S")
    )
    recorder = Recorder()

    assert json.loads(ns.write_summarized(report, recorder))["tree"] == expected
    assert json.loads(ns.write(report))["tree"] == TREE
    assert recorder.calls == []


def test_the_path_of_what_cannot_be_written_goes_through_a_pre_summarized_tree():
    """The member's name leads the way."""
    report = Report(tree={"a": [1, object()]})

    with pytest.raises(ns.SerializationError, match=r"tree\.a\[1\]: found an instance of"):
        ns.write_summarized(report)


def test_every_artifact_becomes_its_reference_in_the_prompt():
    """Field, list, dict value, tuple, untyped data, another object, the root."""
    reports = [Report(str(index)) for index in range(6)]
    shelf = Shelf(
        reports[0],
        [reports[1]],
        {"k": reports[2]},
        (reports[3], 1),
        {"deep": [reports[4], {reports[5].title: reports[5]}]},
    )
    registry = ns.ArtifactRegistry()
    tree = json.loads(ns.write_summarized_with_refs(shelf, registry))
    references = [report.artifact_ref for report in reports]

    assert all(references)
    assert len(set(references)) == 6
    assert tree == {
        "main": {"@ref": references[0]},
        "rest": [{"@ref": references[1]}],
        "by_name": {"k": {"@ref": references[2]}},
        "pair": [{"@ref": references[3]}, 1],
        "anything": {"deep": [{"@ref": references[4]}, {"5": {"@ref": references[5]}}]},
    }
    assert all(registry.get(report.artifact_ref) is report for report in reports)
    assert json.loads(ns.write_summarized_with_refs(reports[0], registry)) == {"@ref": references[0]}


def test_a_prompt_without_a_registry_needs_references():
    """An artifact with neither is a fault whose cause names its class."""
    assert json.loads(
        ns.write_summarized_with_refs([Report(artifact_ref="«artifact:writing-test~abc123»")], None)
    ) == [{"@ref": "«artifact:writing-test~abc123»"}]
    with pytest.raises(ns.SerializationError) as caught:
        ns.write_summarized_with_refs([Report("no reference")], None)

    assert "Report" in str(caught.value.__cause__)


@pytest.mark.parametrize("write", [ns.write, ns.write_summarized])
def test_an_artifact_is_written_in_full_elsewhere(write):
    """Only the prompt has references instead."""
    assert json.loads(write([Report("t", trace="x")]))[0]["title"] == "t"
    assert json.loads(write([Report("t", trace="x")]))[0]["trace"] == "x"


def test_an_artifact_reads_back_equal():
    """Its own alias says which class it is."""
    report = Report("t", "b", {"a": 1}, artifact_ref="«artifact:writing-test~abc123»")
    shelf = Shelf(report, [report], {"k": report}, (report, 1))

    assert ns.parse(ns.write(shelf), Shelf) == shelf


# --- threads ------------------------------------------------------------------------------------------------


def test_threads_write_classes_that_were_never_seen():
    """Many threads that write new classes at once write what one thread writes."""
    for round_number in range(5):
        leaf = attrs.make_class(
            f"Leaf{round_number}", {"a": attrs.field(type=float), "b": attrs.field(type=Optional[str])}
        )
        more = attrs.make_class(f"More{round_number}", {"c": attrs.field(type=int, default=3)}, bases=(leaf,))
        top = attrs.make_class(
            f"Top{round_number}", {"items": attrs.field(type=list[leaf]), "x": attrs.field(type=Any)}
        )
        value = top([leaf(math.nan, None), more(1.5, "b")], {"k": more(2.0, None)})
        expected = '{"items":[{"a":"NaN"},{"a":1.5,"b":"b","c":3}],"x":{"k":{"a":2.0,"c":3}}}'
        results: list[Any] = []
        barrier = threading.Barrier(12)

        def work(barrier=barrier, results=results, value=value):
            barrier.wait()
            try:
                results.append(ns.write_compact(value))
                results.append(ns.write_summarized_compact(value))
            except BaseException as error:  # noqa: BLE001
                results.append(error)

        threads = [threading.Thread(target=work) for _ in range(12)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        assert results == [expected] * 24


def test_a_prompt_is_read_and_written():
    """Content is text or a structure; absent content is null on the wire."""
    assert json.loads(ns.write(ns.Prompt("k", "text"))) == {"key": "k", "content": "text"}
    assert json.loads(ns.write(ns.Prompt("k", {"a": [Point(1)]}))) == {
        "key": "k",
        "content": {"a": [{"x": 1}]},
    }
    assert json.loads(ns.write(ns.Prompt("k", None))) == {"key": "k", "content": None}
    assert ns.parse('{"key": "k"}', ns.Prompt) == ns.Prompt("k", None)
    assert ns.parse('{"key": "k", "content": {"a": 1}}', ns.Prompt) == ns.Prompt("k", {"a": 1})
    for raw in (
        "{}",
        '{"content": "x"}',
        '{"key": null}',
        '{"key": 5}',
        '{"key": true}',
        '{"key": ["k"]}',
        '{"key": {}}',
    ):
        with pytest.raises(ns.MappingError):
            ns.parse(raw, ns.Prompt)


def test_identifiers_of_many_objects_are_written():
    """A list of many objects is written whole."""
    values = [uuid4() for _ in range(10_000)]

    assert ns.parse(ns.write(values), list[UUID]) == values


@pytest.mark.parametrize("wrap", [lambda part: part, lambda part: [part], lambda part: {"a": part}])
def test_parts_of_one_name_are_each_written_by_their_own_class(wrap):
    """A class may hold another that is called the same, and so may its generated functions."""
    inner = attrs.make_class("Part", {"a": attrs.field(type=int)})
    outer = attrs.make_class(
        "Part",
        {
            "b": attrs.field(type={list: list[inner], dict: dict[str, inner]}.get(type(wrap(0)), inner)),
            "c": attrs.field(type=inner),
        },
    )

    written = ns.write_compact(outer(wrap(inner(1)), inner(2)))

    assert json.loads(written) == {"b": wrap({"a": 1}), "c": {"a": 2}}


class Untaught:
    """A host's type that is described, and that no hook writes."""


@define
class Holding:
    it: Any
    its: list[Untaught] = field(factory=list)
    one: Untaught | None = None


@pytest.mark.parametrize(
    ("value", "place"), [({"its": [Untaught()]}, r"its\[0\]"), ({"one": Untaught()}, "one")]
)
def test_a_leaf_that_nobody_taught_to_write_is_refused_at_its_place(monkeypatch, value, place):
    """It has a schema, and no JSON form."""
    monkeypatch.setattr(leaves, "LEAVES", dict(leaves.LEAVES))
    ns.register_leaf(Untaught, "untaught", {"type": "string"})

    with pytest.raises(
        ns.SerializationError, match=rf"Could not write Holding: {place}: found an instance of"
    ):
        ns.write(Holding(1, **value))


class Sku(str):
    """A host's kind of text, which needs no hook to be written."""

    __slots__ = ()


@define
class Stocked:
    skus: list[Any] = field(factory=list)
    sku: Sku | None = None


def test_a_leaf_that_is_a_kind_of_text_is_written_as_its_text(monkeypatch):
    """Its class tells how, though no hook is registered for it."""
    monkeypatch.setattr(leaves, "LEAVES", dict(leaves.LEAVES))
    ns.register_leaf(Sku, "sku", {"type": "string"})

    assert ns.write_compact(Stocked([Sku("a")], Sku("b"))) == '{"skus":["a"],"sku":"b"}'
