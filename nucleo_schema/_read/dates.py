"""
Texts and numbers to dates, times and durations: exactly what was written, or a `Mismatch`.

A text is read by the first shape of a closed table that fits all of it. Every pattern is anchored, takes
ASCII only and is linear, and long texts never reach one. Nothing is left to `fromisoformat` that Python
versions read differently.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from datetime import date, datetime, time, timedelta, timezone
from typing import cast

from .mismatch import mismatch

__all__ = ["read_date", "read_datetime", "read_time", "read_timedelta", "write_timedelta"]

#: The longest text that is looked at: ``Wednesday, September 30th, 2024 at 10:15:30 AM +01:00`` has 53.
_MAX_CHARS = 64

_DATE = "date"
_DATETIME = "date-time"
_TIME = "time"
_TIMEDELTA = "duration"

_MIDNIGHT = time()
_MICROSECOND = timedelta(microseconds=1)
_MONTHS_PER_YEAR = 12
_HOURS_PER_HALF_DAY = 12

#: Where two digits of a year start counting.
_CENTURY = 2000

#: Lengths of the numeric arrays; the last of seven numbers is nanoseconds.
_ARRAY_LENGTHS = frozenset({3, 5, 6, 7})
_LENGTH_WITH_NANOSECONDS = 7

# Names are our own: those of `calendar` follow the locale.
_MONTH_NAMES = (
    *("january", "february", "march", "april", "may", "june", "july"),
    *("august", "september", "october", "november", "december"),
)
_MONTHS = {
    **{name: number for number, name in enumerate(_MONTH_NAMES, start=1)},
    **{name[:3]: number for number, name in enumerate(_MONTH_NAMES, start=1)},
    "sept": 9,
}
_WEEKDAY_NAMES = ("monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday")
_WEEKDAYS = {
    **{name: number for number, name in enumerate(_WEEKDAY_NAMES)},
    **{name[:3]: number for number, name in enumerate(_WEEKDAY_NAMES)},
}


class _UnreadableError(ValueError):
    """A text has a known shape and still cannot be read; the words say why."""


# --- Times of day, as they follow a date ----------------------------------------------------------------
# Patterns see text in lower case, with single spaces.

_OFFSET_TAIL = r"(?: ?(?P<offset>z|utc|gmt|[+-][0-9:.]{2,}))?"
_FRACTION = r"(?:[.,](?P<fraction>\d+))?"


def _pattern(text: str) -> re.Pattern[str]:
    return re.compile(text, re.ASCII)


_WRITTEN_CLOCK = _pattern(
    r"(?:t|,? (?:at )?)(?P<hour>\d{1,2}):(?P<minute>\d\d)(?::(?P<second>\d\d)" + _FRACTION + r")?"
    r"(?: ?(?P<half>[ap]\.?m\.?))?" + _OFFSET_TAIL
)
_DOTTED_CLOCK = _pattern(r" (?P<hour>\d\d)\.(?P<minute>\d\d)\.(?P<second>\d\d)" + _OFFSET_TAIL)
_BASIC_CLOCK = _pattern(
    r"t(?P<hour>\d\d)(?:(?P<minute>\d\d)(?:(?P<second>\d\d)" + _FRACTION + r")?)?" + _OFFSET_TAIL
)
#: LDAP's generalized time goes on from the date without a break.
_JOINED_CLOCK = _pattern(r" ?(?P<hour>\d\d)(?P<minute>\d\d)(?P<second>\d\d)" + _FRACTION + _OFFSET_TAIL)
_ISO_TIME = _pattern(
    r"(?P<hour>\d\d):(?P<minute>\d\d)(?::(?P<second>\d\d)" + _FRACTION + r")?" + _OFFSET_TAIL
)

_Clocks = tuple[re.Pattern[str], ...]

_WRITTEN_CLOCKS: _Clocks = (_WRITTEN_CLOCK, _DOTTED_CLOCK)
_ISO_CLOCKS: _Clocks = (*_WRITTEN_CLOCKS, _BASIC_CLOCK)
_BASIC_CLOCKS: _Clocks = (*_ISO_CLOCKS, _JOINED_CLOCK)

#: The second separator of an offset is the first one, so that basic and extended do not mix.
_OFFSET = _pattern(r"([+-])(\d\d)(?:(:?)([0-5]\d)(?:\3([0-5]\d)(?:\.(\d{6}))?)?)?")


def _read_offset(text: str | None) -> timezone | None:
    if text is None:
        return None
    if text in {"z", "utc", "gmt"}:
        return timezone.utc
    match = _OFFSET.fullmatch(text)
    if match is None:
        raise ValueError(text)
    sign, hours, _, minutes, seconds, microseconds = match.groups(default="0")
    offset = timedelta(
        hours=int(hours), minutes=int(minutes), seconds=int(seconds), microseconds=int(microseconds)
    )
    # Refuses 24 hours and more; an offset of nothing is timezone.utc itself.
    return timezone(-offset if sign == "-" else offset) if offset else timezone.utc


def _read_hour(hour: int, half: str | None) -> int:
    """Return the hour of the day for an *hour* that AM or PM may follow."""
    if half is None:
        return hour
    if not 1 <= hour <= _HOURS_PER_HALF_DAY:
        raise ValueError(hour)
    return hour % _HOURS_PER_HALF_DAY + (_HOURS_PER_HALF_DAY if half[0] == "p" else 0)


def _time_from(parts: Mapping[str, str | None]) -> time:
    """Return the time of the groups of any clock pattern; finer than a microsecond is cut."""
    return time(
        _read_hour(int(parts["hour"] or 0), parts.get("half")),
        int(parts["minute"] or 0),
        int(parts["second"] or 0),
        int(((parts.get("fraction") or "") + "000000")[:6]),
        _read_offset(parts["offset"]),
    )


def _read_clock(text: str, clocks: _Clocks) -> time:
    """Return the time of *text*, which begins with what separates it from the date."""
    if not text:
        return _MIDNIGHT
    for clock in clocks:
        match = clock.fullmatch(text)
        if match is not None:
            return _time_from(match.groupdict())
    raise ValueError(text)


# --- Dates ----------------------------------------------------------------------------------------------
# A builder returns the date of its match, or raises ValueError when there is none.


def _read_year(text: str) -> int:
    return int(text) + (_CENTURY if len(text) == len("24") else 0)


def _numbered_date(match: re.Match[str]) -> date:
    return date(_read_year(match["year"]), int(match["month"]), int(match["day"]))


def _slashed_date(match: re.Match[str]) -> date:
    """Return the date when only one number can be the month, or when both say the same."""
    year, first, second = _read_year(match["year"]), int(match["first"]), int(match["second"])
    if second > _MONTHS_PER_YEAR:
        return date(year, first, second)
    day_first = date(year, second, first)
    if first > _MONTHS_PER_YEAR or first == second:
        return day_first
    reason = "ambiguous: day and month cannot be told apart; write ISO 8601,"
    raise _UnreadableError(f"{reason} {day_first} or {date(year, first, second)}")


def _week_date(match: re.Match[str]) -> date:
    return date.fromisocalendar(int(match["year"]), int(match["week"]), int(match["weekday"]))


def _ordinal_date(match: re.Match[str]) -> date:
    year, day_of_year = int(match["year"]), int(match["day"])
    day = date(year, 1, 1) + timedelta(days=day_of_year - 1)
    if day.year != year:  # day 000, or 366 of a common year
        raise ValueError(day_of_year)
    return day


def _ordinal_suffix(day: int) -> str:
    """Return what follows *day* in English: 1st, 2nd, 3rd, 4th, 11th, 21st."""
    return "th" if day in {11, 12, 13} else {1: "st", 2: "nd", 3: "rd"}.get(day % 10, "th")


def _named_date(match: re.Match[str]) -> date:
    """Return the date with a month in words; a wrong ordinal or weekday is a contradiction."""
    day = date(int(match["year"]), _MONTHS[match["month"]], int(match["day"]))
    if match["suffix"] not in {None, _ordinal_suffix(day.day)}:
        raise ValueError(match["suffix"])
    if match["weekday"] is not None and _WEEKDAYS[match["weekday"]] != day.weekday():
        raise _UnreadableError(f"{day} is a {_WEEKDAY_NAMES[day.weekday()].capitalize()}")
    return day


_Builder = Callable[[re.Match[str]], date]

#: What follows a date begins like a time of day, so that no digit, dot or slash is taken from the date.
_REST = r"(?P<clock>(?:[t ,].*)?)"
_YEAR = r"(?P<year>\d{4})"
_LAST_YEAR = r"(?P<year>\d{4}|\d\d)"
_MONTH = r"(?P<month>\d{1,2})"
_DAY = r"(?P<day>\d{1,2})"
_MONTH_WORD = rf"(?P<month>{'|'.join(_MONTHS)})"
_DAY_WORD = _DAY + r"(?P<suffix>st|nd|rd|th)?"
_WEEKDAY = rf"(?:(?P<weekday>{'|'.join(_WEEKDAYS)}),? )?"

#: Every shape of a date, the common ones first: its pattern, its builder, the clocks that may follow.
_SHAPES: tuple[tuple[re.Pattern[str], _Builder, _Clocks], ...] = (
    # 2024-12-31, 2018-1-3
    (_pattern(rf"{_YEAR}-{_MONTH}-{_DAY}{_REST}"), _numbered_date, _ISO_CLOCKS),
    # 20241231, 20241231T101530, 20241231101530.0Z
    (_pattern(rf"{_YEAR}(?P<month>\d\d)(?P<day>\d\d)(?P<clock>.*)"), _numbered_date, _BASIC_CLOCKS),
    # 2024/12/31
    (_pattern(rf"{_YEAR}/{_MONTH}/{_DAY}{_REST}"), _numbered_date, _WRITTEN_CLOCKS),
    # 12/31/2024, 31/12/24
    (
        _pattern(rf"(?P<first>\d{{1,2}})/(?P<second>\d{{1,2}})/{_LAST_YEAR}{_REST}"),
        _slashed_date,
        _WRITTEN_CLOCKS,
    ),
    # 31.12.2024
    (_pattern(rf"{_DAY}\.{_MONTH}\.{_LAST_YEAR}{_REST}"), _numbered_date, _WRITTEN_CLOCKS),
    # December 31, 2024; Tue Dec 31st 2024
    (_pattern(rf"{_WEEKDAY}{_MONTH_WORD}\.? {_DAY_WORD},? {_YEAR}{_REST}"), _named_date, _WRITTEN_CLOCKS),
    # 31 December 2024; Tue, 31 Dec 2024
    (_pattern(rf"{_WEEKDAY}{_DAY_WORD} {_MONTH_WORD}\.?,? {_YEAR}{_REST}"), _named_date, _WRITTEN_CLOCKS),
    # 31-Dec-2024
    (_pattern(rf"{_WEEKDAY}{_DAY_WORD}-{_MONTH_WORD}-{_YEAR}{_REST}"), _named_date, _WRITTEN_CLOCKS),
    # 2024-W53-2, 2024W532
    (
        _pattern(rf"{_YEAR}(?P<dash>-?)w(?P<week>\d\d)(?P=dash)(?P<weekday>\d){_REST}"),
        _week_date,
        _ISO_CLOCKS,
    ),
    # 2024-366
    (_pattern(rf"{_YEAR}-(?P<day>\d{{3}}){_REST}"), _ordinal_date, _ISO_CLOCKS),
)


def _normalized(text: str) -> str:
    """Return *text* as the patterns want it, or nothing when no pattern could fit."""
    text = text.strip()
    if len(text) > _MAX_CHARS:
        return ""
    text = " ".join(text.split()).lower()
    return text if text.isascii() else ""


def _moment_from(text: str) -> datetime:
    text = _normalized(text)
    for pattern, build, clocks in _SHAPES:
        match = pattern.fullmatch(text)
        if match is not None:
            return datetime.combine(build(match), _read_clock(match["clock"], clocks))
    raise ValueError(text)


def _read_moment(text: str, expected: str) -> datetime | None:
    """Return the moment that *text* names, at the start of the day for a date; None for blank text."""
    if not text or text.isspace():
        return None
    try:
        return _moment_from(text)
    except _UnreadableError as error:
        raise mismatch(text, f"{expected} ({error})") from None
    except (ValueError, OverflowError):
        raise mismatch(text, expected) from None


#: What every `datetime.fromisoformat` reads alike. It checks little itself (some versions take an hour of
#: 24, minutes of an offset above 59, a zero byte after Z), so the pattern does.
_COMMON_MOMENT = _pattern(
    r"\d{4}-\d\d-\d\dT(?!24)\d\d:\d\d:\d\d(?:\.\d{3}(?:\d{3})?)?(?:[+-]\d\d:[0-5]\d|(?P<utc>Z))?"
)


def _common_moment(text: str) -> datetime | None:
    """Return the moment of a text like ``2024-12-31T10:15:30Z`` the fast way, None for other texts."""
    match = _COMMON_MOMENT.fullmatch(text)
    if match is None:
        return None
    try:
        return datetime.fromisoformat(f"{text[:-1]}+00:00" if match["utc"] else text)
    except ValueError:
        return None


def _moment_from_array(value: object, expected: str) -> datetime:
    """Return the moment of an array of integers: year, month, day, hour, minute, second, nanosecond."""
    if not isinstance(value, (list, tuple)):
        raise mismatch(value, expected)
    items = cast("Sequence[object]", value)
    if len(items) not in _ARRAY_LENGTHS:
        raise mismatch(items, expected)
    parts = [int(item) for item in items if isinstance(item, int) and not isinstance(item, bool)]
    if len(parts) < len(items):
        raise mismatch(items, f"{expected} (an array of integers only)")
    if len(parts) == _LENGTH_WITH_NANOSECONDS:
        parts[-1] //= 1000
    try:
        return datetime(*parts)  # type: ignore[arg-type]  # noqa: DTZ001  as written: naive
    except (ValueError, OverflowError):
        raise mismatch(value, expected) from None


def read_date(value: object) -> date | None:
    """
    Return *value* as a date; None for blank text.

    Args:
        value: A date or datetime, a text in one of the known shapes, or an array of integers.

    Returns:
        The date as it is written: the date part of a moment, without converting its offset.

    Raises:
        Mismatch: If *value* is anything else, does not exist, contradicts itself or is ambiguous.
    """
    if isinstance(value, str):
        # The dashes must stand: since Python 3.11 fromisoformat takes the ten digits of 2024123199 too.
        if len(value) == len("2024-12-31") and value[4] == value[7] == "-":
            try:
                return date.fromisoformat(value)
            except ValueError:
                pass  # ten characters of another shape, like "2018-10-3 "
        moment = _read_moment(value, _DATE)
        return None if moment is None else moment.date()
    if isinstance(value, datetime):
        return date(value.year, value.month, value.day)  # a subclass's date() returns its own kind
    if isinstance(value, date):
        return value
    return _moment_from_array(value, _DATE).date()


def read_datetime(value: object) -> datetime | None:
    """
    Return *value* as a datetime; None for blank text.

    Args:
        value: A datetime or date, a text in one of the known shapes, or an array of integers.

    Returns:
        The moment, aware exactly when the text has an offset; the start of the day for a date.

    Raises:
        Mismatch: If *value* is anything else, does not exist, contradicts itself or is ambiguous.
    """
    if isinstance(value, str):
        return _common_moment(value) or _read_moment(value, _DATETIME)
    if isinstance(value, datetime):
        return value
    if isinstance(value, date):
        return datetime(value.year, value.month, value.day)  # noqa: DTZ001  a date has no offset
    return _moment_from_array(value, _DATETIME)


def read_time(value: object) -> time:
    """
    Return *value*, a time or the ISO 8601 text of one, as a time.

    Raises:
        Mismatch: If *value* is anything else, blank text included.
    """
    if isinstance(value, time):
        return value
    if isinstance(value, str):
        match = _ISO_TIME.fullmatch(_normalized(value))
        if match is not None:
            try:
                return _time_from(match.groupdict())
            except ValueError:
                raise mismatch(value, _TIME) from None
    raise mismatch(value, _TIME)


# --- Durations ------------------------------------------------------------------------------------------

#: A fraction belongs to the last number only.
_NUMBER = r"(\d+(?:[.,]\d+(?=[a-z]\Z))?)"
#: Years and months are left out: their length is not fixed.
_DURATION = _pattern(
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
    match = _DURATION.fullmatch(_normalized(value)) if isinstance(value, str) else None
    if match is None:
        raise mismatch(value, _TIMEDELTA)
    sign, *numbers = match.groups()
    total_us = sum(map(_duration_us, numbers, _UNITS_US))
    try:
        return timedelta(microseconds=-total_us if sign == "-" else total_us)
    except OverflowError:
        raise mismatch(value, _TIMEDELTA) from None


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
