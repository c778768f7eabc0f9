"""What a refused value is told, kind by kind, and values at the very edge of what is read."""

import datetime as dt
import decimal
import pathlib
import uuid
from enum import Enum
from typing import Any, Literal

import pendulum
import pytest

from nucleo_schema import Int32, MappingError, convert, converter, parse, read_tree


class Color(Enum):
    RED = "red"
    GREEN = "green"


class Level(Enum):
    LOW = 1
    HIGH = 2


class Twins(Enum):
    UPPER = "AB"
    LOWER = "ab"


INEXACT = "integer (a number with a fraction or an exponent is exact up to 2**53 only)"
TOO_LARGE = "number that a 64-bit float can hold"


@pytest.mark.parametrize(
    ("target", "text", "message"),
    [
        (str, "{}", "found object (0 members), expected string"),
        (bool, "2", "found integer 2, expected boolean"),
        (bool, '"maybe"', 'found string "maybe", expected boolean'),
        (bool, "1.5", "found number 1.5, expected boolean"),
        (int, "true", "found boolean true, expected integer"),
        (int, "{}", "found object (0 members), expected integer"),
        (int, "1.5", "found number 1.5, expected integer, without a fraction"),
        (int, "1e300", f"found number 1e300, expected {INEXACT}"),
        (int, "9007199254740993.0", f"found number 9007199254740993.0, expected {INEXACT}"),
        (int, '"1.5"', 'found string "1.5", expected integer'),
        (int, '"a"', 'found string "a", expected integer'),
        (Int32, "3000000000", "found integer 3000000000, expected integer from -2147483648 to 2147483647"),
        (float, "{}", "found object (0 members), expected number"),
        (float, "true", "found boolean true, expected number"),
        (float, '"a"', 'found string "a", expected number'),
        (float, '"1e999"', f'found string "1e999", expected {TOO_LARGE}'),
        (float, "1e999", f"found number 1e999, expected {TOO_LARGE}"),
        (decimal.Decimal, "{}", "found object (0 members), expected decimal number"),
        (decimal.Decimal, "true", "found boolean true, expected decimal number"),
        (decimal.Decimal, '"a"', 'found string "a", expected decimal number'),
        (Color, '"blue"', 'found string "blue", expected one of red, green'),
        (Color, "{}", "found object (0 members), expected one of red, green"),
        (Color, "1", "found integer 1, expected one of red, green"),
        (Color, "[]", "found array (0 items), expected one of red, green"),
        (Level, "3", "found integer 3, expected one of LOW, HIGH"),
        (Literal["a", 1], '"b"', 'found string "b", expected one of a, 1'),
        (Literal[True, "x"], '"yes"', 'found string "yes", expected one of true, x'),
        (Twins, '"Ab"', 'found string "Ab", which fits UPPER and LOWER alike, expected one of AB, ab'),
        (
            Literal["AB", "ab"],
            '"Ab"',
            'found string "Ab", which fits AB and ab alike, expected one of AB, ab',
        ),
        (decimal.Decimal, '"0x1f"', 'found string "0x1f", expected decimal number'),
        (dt.date, '[2024, "1", 2]', "found array (3 items), expected date (an array of integers only)"),
        (dt.date, "[2024, 1]", "found array (2 items), expected date"),
        (
            dt.datetime,
            "[2024, 1.5, 2]",
            "found array (3 items), expected date-time (an array of integers only)",
        ),
        (dt.time, '"25:00"', 'found string "25:00", expected time'),
        (dt.timedelta, '"1h"', 'found string "1h", expected duration'),
        (uuid.UUID, '"a"', 'found string "a", expected UUID'),
        (uuid.UUID, "1", "found integer 1, expected UUID"),
        (bytes, '"?"', 'found string "?", expected base64 text'),
        (bytes, "1", "found integer 1, expected base64 text"),
        (pathlib.Path, "1", "found integer 1, expected path"),
        (type(None), "1", "found integer 1, expected null"),
    ],
    ids=str,
)
def test_a_refused_value_is_told_what_it_is_and_what_was_expected(target, text, message):
    """One problem, at the root, in these words."""
    with pytest.raises(MappingError) as refused:
        parse(text, target)

    assert [(problem.path, problem.message) for problem in refused.value.problems] == [("", message)]


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (float("nan"), "NaN"),
        (float("inf"), "Infinity"),
        (float("-inf"), "-Infinity"),
        (10**400, "1" + "0" * 400),
    ],
    ids=["NaN", "Infinity", "-Infinity", "400 digits"],
)
def test_a_number_that_json_has_no_text_for_is_a_text(value, text):
    """A text is what the number would be written as, for cattrs as well."""
    assert convert(value, str) == text
    assert converter.structure(value, str) == text


def test_an_integer_in_a_text_has_as_many_digits_as_python_converts():
    """One digit more is refused."""
    assert parse(f'"{"9" * 4300}"', int) == 10**4300 - 1
    with pytest.raises(MappingError, match="expected integer"):
        parse(f'"{"9" * 4301}"', int)


@pytest.mark.parametrize("spaces", [54, 55])
def test_a_date_is_looked_for_in_64_characters(spaces):
    """A longer text is refused, whatever is in it."""
    text = f"31 Dec{' ' * spaces}2024"
    if len(text) <= 64:
        assert convert(text, dt.date) == dt.date(2024, 12, 31)
    else:
        with pytest.raises(MappingError):
            convert(text, dt.date)


def test_hexadecimal_numbers_may_be_spelled_in_capitals():
    """As in the syntax that allows them, and beside a number whose digits count."""
    assert read_tree("{a: 0XFF, b: 0xff}") == {"a": 255, "b": 255}
    assert parse("[0XFF, 0x1f, 1.50]", list[decimal.Decimal]) == [255, 31, decimal.Decimal("1.5")]


@pytest.mark.parametrize("last", [1, 123456789012345678901234567890])
def test_untyped_numbers_are_plain_at_every_depth(last):
    """No number remembers how it was written once nothing can ask, and none has lost a digit."""
    read = parse(f"{{a: [+5, -0, 1.50, [1e2, {{b: +7}}]], c: {last}}}", Any)

    assert read == {"a": [5, 0, 1.5, [100.0, {"b": 7}]], "c": last}
    assert [type(one) for one in (*read["a"][:3], *read["a"][3])] == [int, int, float, float, dict]
    assert type(read["a"][3][1]["b"]) is type(read["c"]) is int


@pytest.mark.parametrize(("text", "value"), [("TRUE", True), (" true ", True), ("x", "x")])
def test_the_text_of_a_boolean_stands_for_a_literal_that_is_one(text, value):
    """As a boolean spelled as text does elsewhere."""
    assert parse(f'"{text}"', Literal[True, "x"]) is value


@pytest.mark.parametrize(
    ("value", "target"),
    [
        (decimal.Decimal("1.50"), decimal.Decimal),
        (uuid.UUID(int=5), uuid.UUID),
        (b"ab", bytes),
        (pathlib.PurePosixPath("a"), pathlib.PurePosixPath),
        (pendulum.duration(days=3), pendulum.Duration),
        (Twins.LOWER, Twins),
    ],
    ids=str,
)
def test_a_value_that_is_of_the_type_is_read_as_it_is(value, target):
    """As cattrs asks for it, without a text in between."""
    assert converter.structure(value, target) == value


@pytest.mark.parametrize(
    ("value", "target", "message"),
    [
        (10**5000, str, "found integer of 16610 bits, expected string"),
        (10**400, float, f"found integer of 1329 bits, expected {TOO_LARGE}"),
        (Color.RED, Twins, "found an instance of Color, expected one of AB, ab"),
    ],
    ids=["digits", "magnitude", "other enum"],
)
def test_a_value_of_python_is_refused_in_the_same_words(value, target, message):
    """Its size is told where its digits cannot be."""
    with pytest.raises(ValueError, match=f"^{message}$"):
        converter.structure(value, target)


@pytest.mark.parametrize("text", ["Infinity", "-Infinity"])
def test_a_decimal_knows_the_words_for_what_json_has_no_number_for(text):
    """As a float does."""
    assert parse(f'"{text}"', decimal.Decimal) == decimal.Decimal(text)


def test_a_duration_of_pendulum_is_one():
    """It is read from the same texts as a plain one."""
    assert type(parse('"P3D"', pendulum.Duration)) is pendulum.Duration
