"""
Texts and numbers to dates and moments: exactly what was written, or a `Mismatch`.

A text is read by the first shape of a closed table that fits all of it. Every pattern is anchored, takes
ASCII only and is linear, and long texts never reach one. Nothing is left to `fromisoformat` that Python
versions read differently.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from datetime import date, datetime, timedelta
from typing import cast

from .mismatch import mismatch
from .times import BASIC_CLOCKS, ISO_CLOCKS, WRITTEN_CLOCKS, Clocks, ascii_pattern, normalized, read_clock

__all__ = ["read_date", "read_datetime"]

_DATE = "date"
_DATETIME = "date-time"

_MONTHS_PER_YEAR = 12

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
_SHAPES: tuple[tuple[re.Pattern[str], _Builder, Clocks], ...] = (
    # 2024-12-31, 2018-1-3
    (ascii_pattern(rf"{_YEAR}-{_MONTH}-{_DAY}{_REST}"), _numbered_date, ISO_CLOCKS),
    # 20241231, 20241231T101530, 20241231101530.0Z
    (ascii_pattern(rf"{_YEAR}(?P<month>\d\d)(?P<day>\d\d)(?P<clock>.*)"), _numbered_date, BASIC_CLOCKS),
    # 2024/12/31
    (ascii_pattern(rf"{_YEAR}/{_MONTH}/{_DAY}{_REST}"), _numbered_date, WRITTEN_CLOCKS),
    # 12/31/2024, 31/12/24
    (
        ascii_pattern(rf"(?P<first>\d{{1,2}})/(?P<second>\d{{1,2}})/{_LAST_YEAR}{_REST}"),
        _slashed_date,
        WRITTEN_CLOCKS,
    ),
    # 31.12.2024
    (ascii_pattern(rf"{_DAY}\.{_MONTH}\.{_LAST_YEAR}{_REST}"), _numbered_date, WRITTEN_CLOCKS),
    # December 31, 2024; Tue Dec 31st 2024
    (ascii_pattern(rf"{_WEEKDAY}{_MONTH_WORD}\.? {_DAY_WORD},? {_YEAR}{_REST}"), _named_date, WRITTEN_CLOCKS),
    # 31 December 2024; Tue, 31 Dec 2024
    (ascii_pattern(rf"{_WEEKDAY}{_DAY_WORD} {_MONTH_WORD}\.?,? {_YEAR}{_REST}"), _named_date, WRITTEN_CLOCKS),
    # 31-Dec-2024
    (ascii_pattern(rf"{_WEEKDAY}{_DAY_WORD}-{_MONTH_WORD}-{_YEAR}{_REST}"), _named_date, WRITTEN_CLOCKS),
    # 2024-W53-2, 2024W532
    (
        ascii_pattern(rf"{_YEAR}(?P<dash>-?)w(?P<week>\d\d)(?P=dash)(?P<weekday>\d){_REST}"),
        _week_date,
        ISO_CLOCKS,
    ),
    # 2024-366
    (ascii_pattern(rf"{_YEAR}-(?P<day>\d{{3}}){_REST}"), _ordinal_date, ISO_CLOCKS),
)


def _moment_from(text: str) -> datetime:
    text = normalized(text)
    for pattern, build, clocks in _SHAPES:
        match = pattern.fullmatch(text)
        if match is not None:
            return datetime.combine(build(match), read_clock(match["clock"], clocks))
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
_COMMON_MOMENT = ascii_pattern(
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
