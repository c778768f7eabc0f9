"""The wire forms of values that JSON has no word for, by their type."""

from __future__ import annotations

import base64
import datetime as dt
import decimal
import enum
import math
import pathlib
import uuid
from collections.abc import Callable
from typing import Any

from .._declare.forms import enum_wire_form
from .._read.durations import write_timedelta
from .failure import UnwritableError

__all__ = ["find_leaf_writer", "key_text", "non_finite", "wire_float"]


def non_finite(value: float) -> str:
    """Return the text that stands for a float JSON has no number for."""
    return "NaN" if math.isnan(value) else "Infinity" if value > 0 else "-Infinity"


def wire_float(value: float) -> float | str:
    """Return a float as JSON can carry it."""
    return float(value) if math.isfinite(value) else non_finite(value)


def _iso(value: Any) -> str:
    return str(value.isoformat())


def _iso_date(value: dt.date) -> str:
    return f"{value.year:04}-{value.month:02}-{value.day:02}"


def _iso_datetime(value: dt.datetime) -> str:
    return dt.datetime.isoformat(value)


def _iso_duration(value: dt.timedelta) -> str:
    """Return an ISO 8601 duration; one of pendulum's between two days has a length, whatever its months."""
    if (getattr(value, "years", 0) or getattr(value, "months", 0)) and not hasattr(value, "start"):
        msg = "found a duration of years or months, expected one of a fixed length"
        raise UnwritableError(msg)
    return write_timedelta(value)


def _base64(value: bytes) -> str:
    return base64.b64encode(value).decode("ascii")


def _plain_str(value: str) -> str:
    return str.__str__(value)


#: In the order in which a subclass looks for its base.
_WRITERS: tuple[tuple[type[Any], Callable[[Any], Any]], ...] = (
    (enum.Enum, enum_wire_form),
    (str, _plain_str),
    (bool, bool),
    (int, int),
    (float, wire_float),
    (dt.datetime, _iso_datetime),
    (dt.date, _iso_date),
    (dt.time, _iso),
    (dt.timedelta, _iso_duration),
    (uuid.UUID, str),
    (decimal.Decimal, str),
    (bytes, _base64),
    (bytearray, _base64),
    (pathlib.PurePath, str),
)


def find_leaf_writer(cls: type[Any]) -> Callable[[Any], Any] | None:
    """Return what gives the wire form of a leaf's values, or None when *cls* is no leaf of ours."""
    return next((writer for base, writer in _WRITERS if issubclass(cls, base)), None)


def key_text(wire: Any) -> str | None:
    """Return the member name for a key in wire form; None when it has none."""
    if isinstance(wire, str):
        return wire
    if isinstance(wire, bool):
        return "true" if wire else "false"
    return repr(wire) if isinstance(wire, (int, float)) else None
