"""Durations, in the form of ISO 8601, both ways."""

from __future__ import annotations

from datetime import timedelta

from .mismatch import mismatch
from .times import ascii_pattern, normalized

__all__ = ["read_timedelta", "write_timedelta"]

_MICROSECOND = timedelta(microseconds=1)

#: A fraction belongs to the last number only.
_NUMBER = r"(\d+(?:[.,]\d+(?=[a-z]\Z))?)"
#: Years and months are left out: their length is not fixed.
_DURATION = ascii_pattern(
    rf"([+-]?)p(?=[\dt])(?:{_NUMBER}w)?(?:{_NUMBER}d)?(?:t(?=\d)(?:{_NUMBER}h)?(?:{_NUMBER}m)?(?:{_NUMBER}s)?)?"
)
_SECOND_US = 1_000_000
_MINUTE_US = 60 * _SECOND_US
_HOUR_US = 60 * _MINUTE_US
_DAY_US = 24 * _HOUR_US
_WEEK_US = 7 * _DAY_US
_UNITS_US = (_WEEK_US, _DAY_US, _HOUR_US, _MINUTE_US, _SECOND_US)


def _duration_us(number: str | None, unit_us: int) -> int:
    """Return *number* units in whole microseconds, by integer arithmetic; what is finer is cut."""
    whole, _, fraction = (number or "0").replace(",", ".").partition(".")
    scale: int = 10 ** len(fraction)
    return int(whole + fraction) * unit_us // scale


def read_timedelta(value: object) -> timedelta:
    """
    Return *value*, a timedelta or an ISO 8601 duration such as ``-P3DT4H5M6.5S``, as a timedelta.

    Raises:
        Mismatch: If *value* is anything else, has years or months, or is out of range.
    """
    if isinstance(value, timedelta):
        return value
    match = _DURATION.fullmatch(normalized(value)) if isinstance(value, str) else None
    if match is None:
        raise mismatch(value, "duration")
    sign, *numbers = match.groups()
    total_us = sum(map(_duration_us, numbers, _UNITS_US))
    try:
        return timedelta(microseconds=-total_us if sign == "-" else total_us)
    except OverflowError:
        raise mismatch(value, "duration") from None


def write_timedelta(value: timedelta) -> str:
    """Return *value* as an ISO 8601 duration, which `read_timedelta` reads back equal."""
    # By the base class: pendulum's durations count their days in their own way.
    total_us = timedelta.__floordiv__(value, _MICROSECOND)
    sign = "-" if total_us < 0 else ""
    days, rest_us = divmod(abs(total_us), _DAY_US)
    hours, rest_us = divmod(rest_us, _HOUR_US)
    minutes, rest_us = divmod(rest_us, _MINUTE_US)
    seconds = f"{rest_us // _SECOND_US}.{rest_us % _SECOND_US:06}".rstrip("0").rstrip(".")
    day = f"{days}D" if days else ""
    clock = f"{hours}H" if hours else ""
    clock += f"{minutes}M" if minutes else ""
    clock += f"{seconds}S" if rest_us or not total_us else ""
    return f"{sign}P{day}T{clock}" if clock else f"{sign}P{day}"
