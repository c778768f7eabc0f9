"""
The coercions of scalars: all there are, and nothing else is coerced.

Each takes a value and the mode and returns what it reads. An empty text for a number or a date gives None,
for whoever asked to treat as null. What cannot be read is a Mismatch.
"""

from __future__ import annotations

import base64
import binascii
import datetime as dt
import decimal
import math
import pathlib
import re
import uuid
from collections.abc import Callable, Iterable
from typing import Any

from .._declare.forms import ScalarForm
from .._declare.metadata import Width
from .dates import read_date, read_datetime
from .durations import read_timedelta
from .mismatch import mismatch
from .modes import NumberTextNeeded, ReadMode
from .numbers import WrittenFloat, WrittenInt
from .times import read_time

__all__ = [
    "MAX_EXACT_FLOAT",
    "ScalarReader",
    "read_bool",
    "read_float",
    "read_int",
    "read_str",
    "read_untyped",
    "scalar_reader",
]

ScalarReader = Callable[[Any, ReadMode], Any]

#: Beyond this magnitude a float no longer tells one integer from the next (IEEE 754 binary64).
MAX_EXACT_FLOAT = 2**53
#: The power of ten of that magnitude and more; a text beyond it is not worked out, however large it is.
_MAX_EXPONENT = 16
#: How many digits of a text Python converts to an integer, unless it is told otherwise.
_MAX_DIGITS = 4300

_TRUE = frozenset(("Y", "YES", "T", "TRUE", "1"))
_FALSE = frozenset(("N", "NO", "F", "FALSE", "0"))
_NUMBER = re.compile(r"[-+]?(?:(?:0|[1-9][0-9]*)(?:\.[0-9]+)?|\.[0-9]+)(?:[eE][-+]?[0-9]+)?")
_INTEGER = re.compile(r"[-+]?(?:0|[1-9][0-9]*)")
_UUID = re.compile(r"[0-9a-fA-F]{8}(?:-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}")
#: A decimal that is no number may have a sign, may signal, and may carry a diagnostic.
_DECIMAL_NAN = re.compile(r"-?s?NaN[0-9]*")
_NON_FINITE = {"NaN": math.nan, "Infinity": math.inf, "+Infinity": math.inf, "-Infinity": -math.inf}


def _text_of(value: float, mode: ReadMode) -> str:
    """Return the text of a number as it was written, or as JSON writes it where there is none."""
    text: str | None = getattr(value, "text", None)
    if text is not None:
        return text
    if mode.loose and not (mode.json_integers and value and isinstance(value, int)):
        raise NumberTextNeeded
    if isinstance(value, float) and not math.isfinite(value):
        return "NaN" if math.isnan(value) else "Infinity" if value > 0 else "-Infinity"
    return repr(value)


def read_str(value: Any, mode: ReadMode) -> str:
    """Return text as it is, and a number or boolean as its JSON text."""
    if isinstance(value, str):
        return value
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, (int, float)):
        try:
            return _text_of(value, mode)
        except ValueError:  # more digits than Python prints
            raise mismatch(value, "string") from None
    raise mismatch(value, "string")


def read_bool(value: Any, _mode: ReadMode) -> bool:
    """Return a boolean, one of its words, or the numbers 0 and 1."""
    if isinstance(value, bool):
        return value
    if isinstance(value, int) and value in (0, 1):
        return bool(value)
    if isinstance(value, str):
        word = value.strip().upper()
        if word in _TRUE:
            return True
        if word in _FALSE:
            return False
    raise mismatch(value, "boolean")


def read_int(value: Any, mode: ReadMode) -> int | None:
    """Return an integer, or the integer that a whole-number float or a text of either is exactly."""
    if isinstance(value, int) and not isinstance(value, bool):
        return int(value) if type(value) is not int else value
    if isinstance(value, float):
        return _int_from_float(value, mode)
    if isinstance(value, str):
        return _int_from_text(value)
    raise mismatch(value, "integer")


def _int_from_float(value: float, mode: ReadMode) -> int:
    if not (math.isfinite(value) or isinstance(value, WrittenFloat)):
        raise mismatch(value, "integer")
    text = _text_of(value, mode)
    whole = _whole(text)
    if whole is None:
        raise mismatch(value, _whole_expected(text))
    return whole


def _whole_expected(text: str) -> str:
    """Return what is expected instead of the number that *text* spells and no integer is exactly."""
    if _INTEGER.fullmatch(text):
        return f"integer of at most {_MAX_DIGITS} digits"
    number = _decimal(text)
    if number is not None and number != number.to_integral_value():
        return "integer, without a fraction"
    return "integer (a number with a fraction or an exponent is exact up to 2**53 only)"


def _whole(text: str) -> int | None:
    """Return the integer that a number's text is exactly; None for a fraction or beyond exactness."""
    if _INTEGER.fullmatch(text):
        return int(text) if len(text) <= _MAX_DIGITS else None
    number = _decimal(text)
    if number is None or number.adjusted() > _MAX_EXPONENT or abs(number) > MAX_EXACT_FLOAT:
        return None
    return int(number) if number == number.to_integral_value() else None


def _decimal(text: str) -> decimal.Decimal | None:
    """Return the number that *text* spells, unless its exponent is beyond what is worked out."""
    try:
        return decimal.Decimal(text)
    except decimal.InvalidOperation:
        return None


def _int_from_text(value: str) -> int | None:
    text = value.strip()
    if not text:
        return None
    whole = _whole(text) if _NUMBER.fullmatch(text) else None
    if whole is None:
        raise mismatch(value, "integer")
    return whole


def read_float(value: Any, _mode: ReadMode) -> float | None:
    """Return a number, the number a text spells, or one of the words for what JSON has no number for."""
    if isinstance(value, (int, float)) and not isinstance(value, bool):
        try:
            number = float(value)
        except OverflowError:
            number = math.inf
        if math.isinf(number) and (not isinstance(value, float) or isinstance(value, WrittenFloat)):
            raise mismatch(value, "number that a 64-bit float can hold")
        return number
    if isinstance(value, str):
        return _float_from_text(value)
    raise mismatch(value, "number")


def _float_from_text(value: str) -> float | None:
    text = value.strip()
    if not text:
        return None
    if text in _NON_FINITE:
        return _NON_FINITE[text]
    if not _NUMBER.fullmatch(text):
        raise mismatch(value, "number")
    number = float(text)
    if math.isinf(number):
        raise mismatch(value, "number that a 64-bit float can hold")
    return number


def read_decimal(value: Any, mode: ReadMode) -> decimal.Decimal | None:
    """Return the decimal of a number exactly as it was written, or of a text of one."""
    if isinstance(value, decimal.Decimal):
        return value
    if isinstance(value, str):
        text = value.strip()
        if not text:
            return None
        if not (_NUMBER.fullmatch(text) or text in _NON_FINITE or _DECIMAL_NAN.fullmatch(text)):
            raise mismatch(value, "decimal number")
    elif isinstance(value, (int, float)) and not isinstance(value, bool):
        if type(value) is int:
            return decimal.Decimal(value)
        text = _text_of(value, mode)
    else:
        raise mismatch(value, "decimal number")
    try:
        return decimal.Decimal(int(value) if isinstance(value, int) and "x" in text.lower() else text)
    except (decimal.InvalidOperation, ValueError):
        raise mismatch(value, "decimal number") from None


def read_uuid(value: Any, _mode: ReadMode) -> uuid.UUID:
    """Return the UUID of its canonical text."""
    if isinstance(value, uuid.UUID):
        return value
    if isinstance(value, str) and _UUID.fullmatch(value.strip()):
        return uuid.UUID(value.strip())
    raise mismatch(value, "UUID")


def read_bytes(value: Any, _mode: ReadMode) -> bytes:
    """Return the bytes of a base64 text."""
    if isinstance(value, (bytes, bytearray)):
        return bytes(value)
    if isinstance(value, str):
        try:
            return base64.b64decode(value.encode("ascii"), validate=True)
        except (binascii.Error, UnicodeEncodeError):
            pass
    raise mismatch(value, "base64 text")


def read_none(value: Any, _mode: ReadMode) -> None:
    """Return None for null."""
    if value is not None:
        raise mismatch(value, "null")


def read_untyped(value: Any, mode: ReadMode) -> Any:
    """Return untyped data as it is: its numbers plain and its integers exact."""
    kind = type(value)
    if kind is dict or kind is list:
        if mode.loose:
            _require_exact(value.values() if kind is dict else value, mode)
            return value
        if kind is dict:
            return {key: read_untyped(item, mode) for key, item in value.items()}
        return [read_untyped(item, mode) for item in value]
    if kind is float and mode.loose:
        _require_exact((value,), mode)
    if kind is WrittenFloat:
        return read_float(value, mode)
    return int(value) if kind is WrittenInt else value


def _require_exact(values: Iterable[Any], mode: ReadMode) -> None:
    """Ask for the numbers' text where one may be an integer beyond 64 bits: orjson gives a float for it."""
    for value in values:
        kind = type(value)
        if kind is float:
            if abs(value) >= MAX_EXACT_FLOAT and value.is_integer():
                raise NumberTextNeeded
        elif kind is dict:
            _require_exact(value.values(), mode)
        elif kind is list:
            _require_exact(value, mode)


def _temporal(read: Callable[[Any], Any]) -> ScalarReader:
    def read_temporal(value: Any, _mode: ReadMode) -> Any:
        return read(value)

    return read_temporal


def _path(cls: type[pathlib.PurePath]) -> ScalarReader:
    def read_path(value: Any, _mode: ReadMode) -> pathlib.PurePath:
        if isinstance(value, cls):
            return value
        if isinstance(value, str):
            return cls(value)
        raise mismatch(value, "path")

    return read_path


#: The reader of each shipped leaf; those of pendulum's classes are made on demand.
_READERS: dict[type[Any], ScalarReader] = {
    str: read_str,
    int: read_int,
    float: read_float,
    bool: read_bool,
    type(None): read_none,
    dt.date: _temporal(read_date),
    dt.datetime: _temporal(read_datetime),
    dt.time: _temporal(read_time),
    dt.timedelta: _temporal(read_timedelta),
    uuid.UUID: read_uuid,
    decimal.Decimal: read_decimal,
    bytes: read_bytes,
    **{
        cls: _path(cls)
        for cls in (pathlib.Path, pathlib.PurePath, pathlib.PurePosixPath, pathlib.PureWindowsPath)
    },
}


def scalar_reader(form: ScalarForm) -> ScalarReader:
    """Return the coercion of a shipped leaf."""
    if form.width is not None:
        return _within(form.width)
    reader = _READERS.get(form.leaf.type)
    return reader if reader is not None else _pendulum_reader(form.leaf.type)


def _within(width: Width) -> ScalarReader:
    def read_width(value: Any, mode: ReadMode) -> int | None:
        number = read_int(value, mode)
        if number is not None and not width.minimum <= number <= width.maximum:
            raise mismatch(value, f"integer from {width.minimum} to {width.maximum}")
        return number

    return read_width


def _pendulum_reader(cls: type[Any]) -> ScalarReader:
    """Return the coercion that gives one of pendulum's classes, without pendulum's guesses."""
    pairs: dict[str, tuple[Callable[[Any], Any], Callable[[Any, Any], Any]]] = {
        "Date": (read_date, _pendulum_date),
        "DateTime": (read_datetime, _pendulum_datetime),
        "Time": (read_time, _pendulum_time),
        "Duration": (read_timedelta, _pendulum_duration),
    }
    read, build = pairs[cls.__name__]

    def read_pendulum(value: Any, _mode: ReadMode) -> Any:
        if isinstance(value, cls):
            return value
        plain = read(value)
        return None if plain is None else build(cls, plain)

    return read_pendulum


def _pendulum_date(cls: Any, value: dt.date) -> Any:
    return cls(value.year, value.month, value.day)


def _pendulum_datetime(cls: Any, value: dt.datetime) -> Any:
    import pendulum  # noqa: PLC0415  loaded by those alone who declare its types

    if value.tzinfo is not None:
        return pendulum.instance(value)
    time = value.time()
    return cls(value.year, value.month, value.day, time.hour, time.minute, time.second, time.microsecond)


def _pendulum_time(cls: Any, value: dt.time) -> Any:
    return cls(value.hour, value.minute, value.second, value.microsecond, tzinfo=value.tzinfo)


def _pendulum_duration(cls: Any, value: dt.timedelta) -> Any:
    return cls(days=value.days, seconds=value.seconds, microseconds=value.microseconds)
