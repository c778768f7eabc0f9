"""Every coercion gives the right value or a problem that names the value and its path: never a guess."""

# ruff: noqa: DTZ001  a text without an offset is a naive moment

import base64
import json
import math
from datetime import date, datetime, time, timedelta, timezone
from decimal import Decimal
from enum import Enum, IntEnum
from pathlib import Path
from typing import Annotated, Any, Literal, NewType, Optional
from uuid import UUID

import pendulum
import pytest
from attrs import define

import nucleo_schema as ns


class Status(Enum):
    PLACED = "placed"
    IN_TRANSIT = "in transit"
    LOST = "LOST"


class Level(IntEnum):
    LOW = 1
    HIGH = 10


class Mixed(Enum):
    ONE = 1
    HALF = 0.5
    PAIR = (1, 2)
    WORD = "word"
    NOTHING = None
    YES = True


class Twins(Enum):
    UPPER = "AB"
    LOWER = "ab"


class Crossed(Enum):
    A = "B"
    B = "A"


class Text(str, Enum):
    RED = "red"
    BLUE = "blue"


@define
class Point:
    x: int
    y: int = 0


Count = NewType("Count", int)

READERS = {
    "quick": ns.parse,
    "messy": lambda raw, target: ns.parse("/* messy */ " + raw, target),
    "reply": lambda raw, target: ns.parse_llm_response(f'Well: {{"v": {raw}}} ok', dict[str, target])["v"],
    "convert": lambda raw, target: ns.convert(ns.read_tree(raw), target),
    "in a list": lambda raw, target: ns.parse(f"[{raw}]", list[target])[0],
    "in a map": lambda raw, target: ns.parse(f'{{"k": {raw}}}', dict[str, target])["k"],
    "in a tuple": lambda raw, target: ns.parse(f"[{raw}]", tuple[target])[0],
}

every_reader = pytest.mark.parametrize("read", READERS.values(), ids=READERS)


def field_reader(target):
    """Return what reads a value as the field of a class, which has hooks of its own."""

    @define
    class Holder:
        v: target

    def read(raw):
        return ns.parse(f'{{"v": {raw}}}', Holder).v

    return read


#: Target, what the model wrote, and what it is.
ACCEPTED = [
    # bool
    *(
        (bool, raw, True)
        for raw in ("true", "True", "1", '"Y"', '"y"', '"YES"', '"yes"', '"Yes"', '"T"', '"t"')
    ),
    *((bool, raw, True) for raw in ('"TRUE"', '"true"', '"tRuE"', '"1"', '" yes "', '"\\tY\\n"')),
    *((bool, raw, False) for raw in ("false", "False", "0", '"N"', '"n"', '"NO"', '"no"', '"F"', '"f"')),
    *((bool, raw, False) for raw in ('"FALSE"', '"false"', '"0"', '" No "', "-0")),
    # int
    *(
        (int, raw, 3)
        for raw in ("3", "3.0", '"3"', '"3.0"', "3.00", "+3", "30e-1", "3e0", '"3.000"', '" 3 "')
    ),
    (int, "-7", -7),
    (int, '"-7"', -7),
    (int, '"+7"', 7),
    (int, "0", 0),
    (int, "-0", 0),
    (int, "-0.0", 0),
    (int, "1e3", 1000),
    (int, "9007199254740992.0", 2**53),
    (int, "9007199254740993", 2**53 + 1),
    (int, '"9007199254740993"', 2**53 + 1),
    (int, "18446744073709551616", 2**64),
    (int, "-18446744073709551617", -(2**64) - 1),
    (int, "123456789012345678901234567890", 123456789012345678901234567890),
    (ns.Int32, "2147483647", 2**31 - 1),
    (ns.Int32, "-2147483648", -(2**31)),
    (ns.Int32, '"2147483647.0"', 2**31 - 1),
    (ns.Int64, "9223372036854775807", 2**63 - 1),
    (ns.Int64, "-9223372036854775808", -(2**63)),
    (ns.Int64, '"9223372036854775807"', 2**63 - 1),
    (Count, '"4"', 4),
    (Annotated[int, "x"], "4.0", 4),
    # float
    (float, "1.5", 1.5),
    (float, "1", 1.0),
    (float, '"1.5"', 1.5),
    (float, '"1"', 1.0),
    (float, '" 1.5 "', 1.5),
    (float, "1e3", 1000.0),
    (float, '"1e3"', 1000.0),
    (float, "-0.0", -0.0),
    (float, '"-1.5e-3"', -0.0015),
    (float, "Infinity", math.inf),
    (float, "-Infinity", -math.inf),
    (float, '"Infinity"', math.inf),
    (float, '"-Infinity"', -math.inf),
    (float, ".5", 0.5),
    (float, "5e-324", 5e-324),
    (float, "0.1", 0.1),
    # str
    (str, '"a"', "a"),
    (str, '""', ""),
    (str, '"  "', "  "),
    (str, "2024", "2024"),
    (str, "1.10", "1.10"),
    (str, "-0", "-0"),
    (str, "1e5", "1e5"),
    (str, "1E+05", "1E+05"),
    (str, "0.0", "0.0"),
    (str, "100000000000000000000000000000001", "100000000000000000000000000000001"),
    (str, "1.00000000000000000000000000000001", "1.00000000000000000000000000000001"),
    (str, "true", "true"),
    (str, "false", "false"),
    (str, '"null"', "null"),
    (str, '"[1]"', "[1]"),
    (str, '"{\\"a\\": 1}"', '{"a": 1}'),
    (str, '"\\u0000"', "\x00"),
    # Decimal
    (Decimal, "1.10", Decimal("1.10")),
    (Decimal, '"1.10"', Decimal("1.10")),
    (Decimal, "1", Decimal(1)),
    (Decimal, "0.1", Decimal("0.1")),
    (Decimal, "1e5", Decimal("1e5")),
    (
        Decimal,
        "123456789012345678901234567890.123456789",
        Decimal("123456789012345678901234567890.123456789"),
    ),
    (Decimal, '"-5"', Decimal(-5)),
    # enum
    *(
        (Status, raw, Status.IN_TRANSIT)
        for raw in ('"in transit"', '"IN_TRANSIT"', '"In Transit"', '"in_transit"')
    ),
    *((Status, raw, Status.IN_TRANSIT) for raw in ('" in transit "', '{"status": "in transit"}')),
    (Status, '{"count": 3, "status": "IN_TRANSIT", "other": "placed"}', Status.IN_TRANSIT),
    (Status, '"lost"', Status.LOST),
    (Level, '"LOW"', Level.LOW),
    (Level, '"low"', Level.LOW),
    (Level, "10", Level.HIGH),
    (Level, "1", Level.LOW),
    (Mixed, "1", Mixed.ONE),
    (Mixed, "0.5", Mixed.HALF),
    (Mixed, '"PAIR"', Mixed.PAIR),
    (Mixed, '"word"', Mixed.WORD),
    (Mixed, '"WORD"', Mixed.WORD),
    (Mixed, '"nothing"', Mixed.NOTHING),
    (Twins, '"AB"', Twins.UPPER),
    (Twins, '"ab"', Twins.LOWER),
    (Twins, '"UPPER"', Twins.UPPER),
    (Crossed, '"A"', Crossed.B),
    (Crossed, '"B"', Crossed.A),
    (Text, '"red"', Text.RED),
    (Text, '"Blue"', Text.BLUE),
    # Literal
    (Literal["fast", "slow"], '"fast"', "fast"),
    (Literal["fast", "slow"], '"FAST"', "fast"),
    (Literal["fast", "slow"], '" slow "', "slow"),
    (Literal["fast", "slow"], '{"speed": "slow"}', "slow"),
    (Literal[1, 2], "2", 2),
    (Literal["1", "2"], '"2"', "2"),
    (Literal[Status.PLACED], '"placed"', Status.PLACED),
    (Literal[True], "true", True),
    (Literal[False], "false", False),
    (Literal[None, "a"], "null", None),
    # list, map, composite
    (list[int], "[1, 2]", [1, 2]),
    (list[int], '"[1, 2]"', [1, 2]),
    (list[int], "[]", []),
    (list[int], '["1", 2.0]', [1, 2]),
    (list[list[int]], '"[[1], []]"', [[1], []]),
    (list[list[int]], '["[1]", "[]"]', [[1], []]),
    (set[int], "[1, 2, 1]", {1, 2}),
    (frozenset[str], '["a"]', frozenset({"a"})),
    (tuple[int, str], '[1, "a"]', (1, "a")),
    (tuple[int, ...], "[1, 2]", (1, 2)),
    (dict[str, int], '{"a": "1"}', {"a": 1}),
    (dict[str, int], '"{\\"a\\": 1}"', {"a": 1}),
    (dict[int, str], '{"1": "a"}', {1: "a"}),
    (dict[Status, int], '{"placed": 1, "LOST": 2}', {Status.PLACED: 1, Status.LOST: 2}),
    (dict[date, int], '{"2024-12-31": 1}', {date(2024, 12, 31): 1}),
    (
        dict[UUID, int],
        '{"12345678-1234-5678-1234-567812345678": 1}',
        {UUID(int=0x12345678123456781234567812345678): 1},
    ),
    (dict[bool, int], '{"true": 1, "false": 0}', {True: 1, False: 0}),
    (dict[Decimal, int], '{"1.10": 1}', {Decimal("1.10"): 1}),
    (dict[float, int], '{"1.5": 1}', {1.5: 1}),
    (Point, '{"x": 1}', Point(1)),
    (Point, '"{\\"x\\": 1}"', Point(1)),
    (Point, '" {\\"x\\": 1} "', Point(1)),
    (list[Point], '"[{\\"x\\": 1}]"', [Point(1)]),
    (list[Point], '["{\\"x\\": 1}"]', [Point(1)]),
    (dict[str, Point], '{"a": "{\\"x\\": \\"1\\"}"}', {"a": Point(1)}),
    # value types
    (UUID, '"12345678-1234-5678-1234-567812345678"', UUID(int=0x12345678123456781234567812345678)),
    (bytes, '"aGk="', b"hi"),
    (bytes, '""', b""),
    (Path, '"a/b.txt"', Path("a/b.txt")),
    (time, '"10:15:30"', time(10, 15, 30)),
    (timedelta, '"PT1H30M"', timedelta(minutes=90)),
    (timedelta, '"P1DT2H"', timedelta(days=1, hours=2)),
    # null
    (Optional[int], "null", None),
    (Optional[int], '""', None),
    (Optional[float], '""', None),
    (Optional[date], '""', None),
    (Optional[datetime], '""', None),
    (Optional[str], '""', ""),
    (Optional[int], "0", 0),
    (Optional[Point], "null", None),
    (list[Optional[int]], "[1, null]", [1, None]),
    (dict[str, Optional[int]], '{"a": null}', {"a": None}),
    (Any, '""', ""),
    (Any, "null", None),
    (object, '{"@id": [1, "2", 3.0, null]}', {"@id": [1, "2", 3.0, None]}),
    (dict[str, Any], '{"@fields": {"a": 1}, "@type": "x"}', {"@fields": {"a": 1}, "@type": "x"}),
    (type(None), "null", None),
]

REFUSED = [
    # bool
    *(
        (bool, raw)
        for raw in ("2", "-1", "1.0", "0.0", "1.5", '"maybe"', '"on"', '"off"', '"2"', '"1.0"', '"yess"')
    ),
    *(
        (bool, raw)
        for raw in ('""', "null", "[]", "[true]", "{}", '"true false"', "NaN", "1e0", '"ｙ"', '"да"')
    ),
    # int
    *(
        (int, raw)
        for raw in ("3.5", '"3.5"', "true", "false", '"true"', '"three"', '"3 apples"', '"1,000"', "[3]")
    ),
    *(
        (int, raw)
        for raw in ("{}", "null", '""', '" "', "NaN", "Infinity", '"NaN"', "1e400", "1e999999", '"1_000"')
    ),
    *(
        (int, raw)
        for raw in ('"0x10"', '"1e400"', "9007199254740994.0", "9007199254740993.0", "1e17", '"９"', '"٣"')
    ),
    *(
        (int, raw)
        for raw in ('"--3"', '"3-"', '"1 2"', "3.0000000000000000000001", '"3.0000000000000000001"')
    ),
    *(
        (int, raw)
        for raw in ("0.99999999999999999999999", '"2024-12-31"', '"\\u0000 3"', '"1/1"', '"$3"', '"3%"')
    ),
    *(
        (ns.Int32, raw)
        for raw in ("2147483648", "-2147483649", '"2147483648"', "2147483648.0", "1e10", "3.5")
    ),
    *(
        (ns.Int64, raw)
        for raw in ("9223372036854775808", "-9223372036854775809", '"9223372036854775808"', "1e19")
    ),
    # float
    *(
        (float, raw)
        for raw in ('"1.5x"', "true", "false", '"one"', "[1.5]", "{}", "null", '""', '"1,5"', '"1_0.5"')
    ),
    *((float, raw) for raw in ('"0x1p3"', '"１.5"', '"$1.5"', '"1.5.1"', '"true"', '"nan(1)"')),
    # str
    *((str, raw) for raw in ("[]", "{}", '["a"]', '{"a": "b"}', "null")),
    # Decimal
    *((Decimal, raw) for raw in ("true", '"x"', "[]", "{}", "null", '"1,5"', '"1_0"', '"１"', '"0x10"')),
    # enum
    *(
        (Status, raw)
        for raw in ('"shipped"', '"in-transit"', "1", "true", "[]", '["placed"]', "{}", '{"a": 1}')
    ),
    *((Status, raw) for raw in ('{"a": "shipped", "b": "placed"}', '"plac"', '"placed lost"', '""', "null")),
    *((Level, raw) for raw in ("2", "true", "1.5", '"MEDIUM"', "[1]")),
    (Twins, '"Ab"'),
    (Twins, '"aB"'),
    (Mixed, "2"),
    # Literal
    *(
        (Literal["fast", "slow"], raw)
        for raw in ('"quick"', "1", "true", "[]", "{}", "null", '""', '["fast"]')
    ),
    *((Literal[1, 2], raw) for raw in ("3", "1.5", "true", "[]", '"three"')),
    *((Literal[True], raw) for raw in ("false", "2", '"maybe"', '"yes"', '"1"', "1")),
    *((Literal["a", 3, True], raw) for raw in ('"1"', '"yes"', '"3.0"', "3.0", '"03"')),
    *((Literal["a", "A"], raw) for raw in ('"b"',)),
    # list, map, composite
    *(
        (list[int], raw)
        for raw in ("1", '"1"', '"1, 2"', '"1,2"', "{}", '{"a": 1}', '"[1, 2"', '"so [1]"', '"x"', "null")
    ),
    *((list[int], raw) for raw in ("[null]", '[""]', "true", '"{}"', '"[1] [2]"', "[1.5]", '"\\"[1]\\""')),
    *((list[str], raw) for raw in ('"a"', '"a, b"', "[null]", "[[]]", "5")),
    *((set[str], raw) for raw in ('"a"', "{}")),
    *((tuple[int, str], raw) for raw in ("[1]", '[1, "a", 2]', "[]", '["a", 1]', "{}")),
    *(
        (dict[str, int], raw)
        for raw in ("[]", "1", '"a"', '{"a": "x"}', '{"a": null}', '"[]"', "null", '[["a", 1]]')
    ),
    *((dict[int, str], raw) for raw in ('{"a": "b"}', '{"1.5": "b"}', '{"": "b"}')),
    *((dict[Status, int], raw) for raw in ('{"shipped": 1}',)),
    *(
        (Point, raw)
        for raw in ("[]", "1", '"x"', "null", "true", '"[]"', '{"x": [1]}', '"so {\\"x\\": 1}"', '[{"x": 1}]')
    ),
    # value types
    *((UUID, raw) for raw in ('"1234"', "5", "[]", '""', '"12345678-1234-5678-1234-56781234567x"')),
    *((bytes, raw) for raw in ('"a"', '"!!!!"', "5", "[1]", '"aGk"')),
    *((time, raw) for raw in ('"25:00"', '"noon"', "5", "[]", '"2024-12-31"', '""')),
    *((timedelta, raw) for raw in ('"5"', "5", '"an hour"', "[]", '"P"', '"PT"', '""')),
    (type(None), "0"),
    (type(None), '"x"'),
]


#: Numbers that a float does not hold as they are written.
SPELLED = {
    *("-0", "1.10", "1e5", "1E+05", "0.0", "1.00000000000000000000000000000001", "9007199254740993.0"),
    *("123456789012345678901234567890.123456789", "3.0000000000000000000001", "0.99999999999999999999999"),
}


def _same(value, expected):
    assert type(value) is type(expected)
    assert repr(value) == repr(expected) or value == expected
    if isinstance(expected, (float, Decimal)):
        assert str(value) == str(expected)


@every_reader
@pytest.mark.parametrize(("target", "raw", "expected"), ACCEPTED, ids=lambda value: str(value)[:40])
def test_a_coercion_gives_the_value(read, target, raw, expected):
    """What the table of coercions names is read, wherever the value stands."""
    if read is READERS["convert"] and raw in SPELLED:
        return  # a float that is read already has no spelling any more
    _same(read(raw, target), expected)


@pytest.mark.parametrize(("target", "raw", "expected"), ACCEPTED, ids=lambda value: str(value)[:40])
def test_a_coercion_gives_the_value_of_a_field(target, raw, expected):
    """A field reads as a value by itself does."""
    _same(field_reader(target)(raw), expected)


@every_reader
@pytest.mark.parametrize(("target", "raw"), REFUSED, ids=lambda value: str(value)[:40])
def test_what_a_coercion_cannot_read_is_refused(read, target, raw):
    """A mapping failure, never a guess."""
    if read is READERS["convert"] and raw in SPELLED:
        return  # a float that is read already has no spelling any more
    with pytest.raises(ns.MappingError) as caught:
        read(raw, target)

    assert len(caught.value.problems) >= 1


@pytest.mark.parametrize(("target", "raw"), REFUSED, ids=lambda value: str(value)[:40])
def test_what_a_field_cannot_read_is_a_problem_at_its_name(target, raw):
    """The problem of a field is at or below its wire name, and says what was expected."""
    with pytest.raises(ns.MappingError) as caught:
        field_reader(target)(raw)

    for problem in caught.value.problems:
        assert problem.path.split(".")[0].split("[")[0] == "v"
        assert "expected" in problem.message


DATES = {
    "2024-12-31": date(2024, 12, 31),
    "2024-12-31T23:59:59Z": date(2024, 12, 31),
    "2024-12-31T23:59:59-12:00": date(2024, 12, 31),
    "2024-12-31 23:59": date(2024, 12, 31),
    "20241231": date(2024, 12, 31),
    "12/31/24": date(2024, 12, 31),
    "12/31/2024": date(2024, 12, 31),
    "31/12/2024": date(2024, 12, 31),
    "5/5/2024": date(2024, 5, 5),
    "05/05/99": date(2099, 5, 5),
    "13/01/00": date(2000, 1, 13),
    "31.12.2024": date(2024, 12, 31),
    "3.4.2024": date(2024, 4, 3),
    "03.04.2024": date(2024, 4, 3),
    "31-Dec-2024": date(2024, 12, 31),
    "31-Dec-2024 10:15:30": date(2024, 12, 31),
    "Tue, 31 Dec 2024 10:15:30 +0000": date(2024, 12, 31),
    "20241231101530.0Z": date(2024, 12, 31),
    "2024-12-31 10.15.30": date(2024, 12, 31),
    "December 31, 2024": date(2024, 12, 31),
    "31 December 2024": date(2024, 12, 31),
    "Dec 31, 2024": date(2024, 12, 31),
    "may 5, 2024": date(2024, 5, 5),
    "2024-02-29": date(2024, 2, 29),
    "0001-01-01": date(1, 1, 1),
    "9999-12-31": date(9999, 12, 31),
    " 2024-12-31 ": date(2024, 12, 31),
    "[2024, 12, 31]": date(2024, 12, 31),
    "[2024, 12, 31, 10, 15]": date(2024, 12, 31),
    "[2024, 12, 31, 10, 15, 30]": date(2024, 12, 31),
    "[2024, 12, 31, 10, 15, 30, 500000000]": date(2024, 12, 31),
}

MOMENTS = {
    "2024-12-31": datetime(2024, 12, 31),
    "2024-12-31T10:15": datetime(2024, 12, 31, 10, 15),
    "2024-12-31T10:15:30": datetime(2024, 12, 31, 10, 15, 30),
    "2024-12-31 10:15:30": datetime(2024, 12, 31, 10, 15, 30),
    "2024-12-31T10:15:30.123456": datetime(2024, 12, 31, 10, 15, 30, 123456),
    "2024-12-31T10:15:30.1234567": datetime(2024, 12, 31, 10, 15, 30, 123456),
    "2024-12-31T10:15:30.123456999": datetime(2024, 12, 31, 10, 15, 30, 123456),
    "2024-12-31T10:15:30.5": datetime(2024, 12, 31, 10, 15, 30, 500000),
    "2024-12-31T10:15:30Z": datetime(2024, 12, 31, 10, 15, 30, tzinfo=timezone.utc),
    "2024-12-31T10:15:30+02:00": datetime(2024, 12, 31, 10, 15, 30, tzinfo=timezone(timedelta(hours=2))),
    "2024-12-31T10:15:30-0530": datetime(
        2024, 12, 31, 10, 15, 30, tzinfo=timezone(-timedelta(hours=5, minutes=30))
    ),
    "2024-12-31T10:15:30 UTC": datetime(2024, 12, 31, 10, 15, 30, tzinfo=timezone.utc),
    "Tue, 31 Dec 2024 10:15:30 GMT": datetime(2024, 12, 31, 10, 15, 30, tzinfo=timezone.utc),
    "Tue, 31 Dec 2024 10:15:30 +0000": datetime(2024, 12, 31, 10, 15, 30, tzinfo=timezone.utc),
    "31-Dec-2024 10:15:30": datetime(2024, 12, 31, 10, 15, 30),
    "20241231101530.0Z": datetime(2024, 12, 31, 10, 15, 30, tzinfo=timezone.utc),
    "2024-12-31 10.15.30": datetime(2024, 12, 31, 10, 15, 30),
    "December 31, 2024": datetime(2024, 12, 31),
    "12/31/24": datetime(2024, 12, 31),
    "[2024, 12, 31]": datetime(2024, 12, 31),
    "[2024, 12, 31, 10, 15]": datetime(2024, 12, 31, 10, 15),
    "[2024, 12, 31, 10, 15, 30]": datetime(2024, 12, 31, 10, 15, 30),
    "[2024, 12, 31, 10, 15, 30, 123456789]": datetime(2024, 12, 31, 10, 15, 30, 123456),
}

NO_DATES = [
    *(
        "2024-02-30",
        "2023-02-29",
        "1900-02-29",
        "2024-13-01",
        "2024-00-10",
        "2024-04-31",
        "2024-1",
        "2024",
        "24-12-31",
    ),
    *(
        "Mon, 31 Dec 2024 10:15:30 +0000",
        "Monday, December 31, 2024",
        "now",
        "today",
        "tomorrow",
        "yesterday",
        "10:15",
    ),
    *(
        "P1D",
        "PT1H",
        "2024-01-01/2024-12-31",
        "2024-01-01/P1D",
        "R5/2024-01-01/P1D",
        "03/04/2024",
        "3/4/24",
        "12/11/2024",
    ),
    *(
        "13/13/2024",
        "32/01/2024",
        "00/00/2024",
        "31/12",
        "12/2024",
        "31 Dezember 2024",
        "31 décembre 2024",
        "Q4 2024",
    ),
    *(
        "2024-12-31 or 2025-01-01",
        "about 2024-12-31",
        "2024-12-31x",
        "x2024-12-31",
        "1735689600",
        "1735689600000",
    ),
    *(
        "2024-12-31T25:00:00",
        "2024-12-31T10:61:00",
        "2024-12-31T10:15:61",
        "2024-12-31T10:15:30 CET",
        "0000-01-01",
    ),
    *(
        "10000-01-01",
        "-2024-12-31",
        "２０２４-12-31",
        "2024-12-3１",
        "December 2024",
        "31 Smarch 2024",
        "12-31-2024",
    ),
    *(
        "03-04-2024",
        "2024-12-31T10:15:30+25:00",
        "2024-12-31T10:15:30 PST",
        "12/31/024",
        "12/31/20245",
        "Dec 32, 2024",
    ),
]

NO_DATE_VALUES = [
    *(
        "20241231",
        "5",
        "0",
        "1735689600",
        "2024.5",
        "true",
        "{}",
        "[]",
        "[2024]",
        "[2024, 12]",
        "[2024, 2, 30]",
    ),
    *(
        '["2024", "12", "31"]',
        "[2024, 12, 31, 10]",
        "[2024, 12, 31, 25, 0]",
        "[2024, 12, 31, 10, 15, 30, 1, 2]",
    ),
    *(
        "[2024.5, 12, 31]",
        "[true, 12, 31]",
        "[2024, 12, null]",
        "[2024, 12, 31, 10, 15, 30, 1000000000]",
        "null",
    ),
    *(
        "[2024, 12, 31, 10, 15, 30, -1]",
        '{"year": 2024}',
        "[24, 12, 31, [10]]",
        "1e999",
        "9" * 5_000,
        "[1e400, 1, 1]",
    ),
]


def _json_of(text):
    return text if text.startswith("[") else json.dumps(text)


@every_reader
@pytest.mark.parametrize(("text", "expected"), DATES.items(), ids=DATES)
def test_a_date_is_read_in_every_shape_of_the_contract(read, text, expected):
    """A date, or the date part of a moment as it is written."""
    _same(read(_json_of(text), date), expected)


@every_reader
@pytest.mark.parametrize(("text", "expected"), MOMENTS.items(), ids=MOMENTS)
def test_a_moment_is_read_in_every_shape_of_the_contract(read, text, expected):
    """An offset is kept, and where there is none the result is naive."""
    value = read(_json_of(text), datetime)

    assert value == expected
    assert value.utcoffset() == expected.utcoffset()


@every_reader
@pytest.mark.parametrize(
    "target", [date, datetime, pendulum.Date, pendulum.DateTime], ids=lambda cls: cls.__name__
)
@pytest.mark.parametrize("text", NO_DATES)
def test_what_is_no_date_is_refused(read, target, text):
    """No such day, an ambiguous one, a contradiction, a word, a duration or an interval."""
    with pytest.raises(ns.MappingError):
        read(json.dumps(text), target)


@every_reader
@pytest.mark.parametrize(
    "target", [date, datetime, pendulum.Date, pendulum.DateTime], ids=lambda cls: cls.__name__
)
@pytest.mark.parametrize("raw", NO_DATE_VALUES, ids=lambda raw: raw[:30])
def test_a_value_that_is_no_date_is_refused(read, target, raw):
    """A bare number is no date, and an array is one only when it is whole."""
    with pytest.raises(ns.NucleoError):
        read(raw, target)


def test_pendulum_values_are_read_where_they_are_declared():
    """The class that is declared comes out, naive where the text is."""
    moment = ns.parse('"2024-12-31T10:15:30"', pendulum.DateTime)
    day = ns.parse('"2024-12-31"', pendulum.Date)

    assert type(moment) is pendulum.DateTime
    assert moment.tzinfo is None
    assert type(day) is pendulum.Date
    assert type(ns.parse('"10:15:30"', pendulum.Time)) is pendulum.Time
    assert ns.parse('"2024-12-31T10:15:30+02:00"', pendulum.DateTime).utcoffset() == timedelta(hours=2)


def test_a_plain_datetime_is_no_pendulum_value():
    """A field declared as the standard class holds the standard class."""
    assert type(ns.parse('"2024-12-31T10:15:30Z"', datetime)) is datetime
    assert type(ns.parse('"2024-12-31"', date)) is date
    assert type(ns.parse('"2024-12-31T10:15:30Z"', date)) is date


@every_reader
@pytest.mark.parametrize("raw", ["NaN", '"NaN"'])
def test_not_a_number_is_read_as_a_float(read, raw):
    """NaN as a word or as text."""
    assert math.isnan(read(raw, float))


HUGE = ["9" * 5_000, "-" + "9" * 5_000, "1e999999", "-1e999999", "1e-999999", "0." + "3" * 5_000, "1" * 4_301]
FIELD_TYPES = [
    *(bool, int, ns.Int32, ns.Int64, float, str, Decimal, date, datetime, time, timedelta, UUID, bytes, Path),
    *(
        Status,
        Level,
        Mixed,
        Literal["a"],
        Literal[1],
        list[int],
        dict[str, int],
        Point,
        Any,
        int | str,
        int | float,
    ),
    *(
        Point | None,
        list[int] | dict[str, int],
        Optional[int],
        set[float],
        tuple[int, int],
        dict[int, int],
        object,
    ),
]


@pytest.mark.parametrize("target", FIELD_TYPES, ids=str)
@pytest.mark.parametrize("number", HUGE, ids=lambda number: number[:8])
@pytest.mark.parametrize("quoted", [False, True], ids=["number", "text"])
def test_a_huge_number_is_read_or_refused_in_every_type(target, number, quoted):
    """Nothing of ours fails over a number, and no message repeats it."""
    raw = json.dumps(number) if quoted else number
    for text in (f'{{"v": {raw}}}', f"{{v: {raw},}}", f'{{"v": [{raw}]}}', f'{{"v": {{"x": {raw}}}}}'):
        try:
            value = field_reader_cache(target)(text)
        except ns.NucleoError as error:
            assert len(str(error)) < 1_000
        else:
            _check_huge(value, number)


def _check_huge(value, number):
    """Check that a value which was read is not a wrong one."""
    if isinstance(value, (list, tuple, set)):
        for element in value:
            _check_huge(element, number)
    elif isinstance(value, dict):
        for key, element in value.items():
            if key != "x":
                _check_huge(key, number)
            _check_huge(element, number)
    elif isinstance(value, Point):
        _check_huge(value.x, number)
    elif isinstance(value, str):
        assert value == number
    elif isinstance(value, Path):
        assert str(value) == number
    elif isinstance(value, int) and not isinstance(value, bool):
        assert number.lstrip("-").isdigit()
        assert (value < 0) == number.startswith("-")
        assert abs(value) % 10**9 == int(number[-9:])
    elif isinstance(value, float):
        assert not math.isnan(value)
        assert (value < 0) == number.startswith("-")
    elif isinstance(value, Decimal):
        assert str(value).replace("E+", "E").replace("E", "e") == number


_FIELD_READERS: dict[str, Any] = {}


def field_reader_cache(target):
    """Return what reads a class with one field; one class per type."""
    key = str(target)
    if key not in _FIELD_READERS:

        @define
        class Holder:
            v: target

        _FIELD_READERS[key] = Holder
    return lambda text: ns.parse(text, _FIELD_READERS[key]).v


@pytest.mark.parametrize(
    "target", [date, datetime, time, timedelta, UUID, bytes, Status, int, float, bool, Point, list[int]]
)
def test_a_message_names_the_value_and_cuts_it(target):
    """Values longer than 100 characters are cut."""
    with pytest.raises(ns.MappingError) as short:
        ns.parse('["what is this"]', list[target])
    with pytest.raises(ns.MappingError) as long:
        ns.parse(json.dumps(["?" + "z" * 10_000_000]), list[target])

    assert "what is this" in str(short.value)
    assert "[0]" in str(short.value)
    assert "z" * 101 not in str(long.value)
    assert len(str(long.value)) < 1_000


def test_base64_of_the_written_kind_is_read():
    """Bytes read back whatever they are."""
    for size in range(20):
        data = bytes(range(250, 250 + size)) if size < 6 else bytes(range(size))
        assert ns.parse(json.dumps(base64.b64encode(data).decode()), bytes) == data


@pytest.mark.parametrize("form", [list[Point], dict[str, Point], Point, list[list[int]], set[int]])
def test_text_fields_are_never_decoded(form):
    """JSON inside a text is that text."""

    @define
    class Doc:
        body: str
        also: form | str | None = None

    doc = ns.parse('{"body": "[1, 2]", "also": null}', Doc)
    assert doc.body == "[1, 2]"
    assert ns.parse('{"body": "{\\"x\\": 1}"}', Doc).body == '{"x": 1}'


def test_text_beside_a_list_stays_text():
    """Where text is declared, a text is exactly that kind, and nothing is decoded."""
    assert ns.parse('"[1, 2]"', list[int] | str) == "[1, 2]"
    assert ns.parse('"{\\"x\\": 1}"', Point | str) == '{"x": 1}'
    assert ns.parse('"null"', str | None) == "null"
    assert ns.parse('["[1]"]', list[str]) == ["[1]"]
    assert ns.parse('["[1]"]', list[Any]) == ["[1]"]


def test_text_of_messy_json_is_not_exactly_json():
    """Twice encoded means the text of one JSON value, and nothing around it."""
    for raw in ('"so [1]"', '"[1] ok"', '"[1"', '"```json\\n[1]\\n```"'):
        with pytest.raises(ns.MappingError):
            ns.parse(raw, list[int])


def test_decoded_text_is_read_by_the_same_coercions():
    """The values inside are coerced and their problems are at their own paths."""
    with pytest.raises(ns.MappingError) as caught:
        ns.parse('{"a": "{\\"x\\": \\"one\\"}"}', dict[str, Point])

    assert [problem.path for problem in caught.value.problems] == ["a.x"]


def test_numbers_inside_decoded_text_keep_their_spelling():
    """A number for a text field is as the model wrote it, one level down as well."""
    assert ns.parse('"[1.10, 2024]"', list[str]) == ["1.10", "2024"]
    assert ns.parse('"[1.10]"', list[Decimal]) == [Decimal("1.10")]
    assert ns.parse('"[123456789012345678901234567890]"', list[int]) == [123456789012345678901234567890]
