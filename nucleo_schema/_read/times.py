"""Times of day: alone, and as they follow a date."""

from __future__ import annotations

import re
from collections.abc import Mapping
from datetime import time, timedelta, timezone

from .mismatch import mismatch

__all__ = [
    "BASIC_CLOCKS",
    "ISO_CLOCKS",
    "WRITTEN_CLOCKS",
    "Clocks",
    "ascii_pattern",
    "normalized",
    "read_clock",
    "read_time",
]

#: The longest text that is looked at: ``Wednesday, September 30th, 2024 at 10:15:30 AM +01:00`` has 53.
_MAX_CHARS = 64

_MIDNIGHT = time()
_HOURS_PER_HALF_DAY = 12


def ascii_pattern(text: str) -> re.Pattern[str]:
    """Return the compiled pattern, whose digits are those of ASCII."""
    return re.compile(text, re.ASCII)


def normalized(text: str) -> str:
    """Return *text* as the patterns want it, or nothing when no pattern could fit."""
    text = text.strip()
    if len(text) > _MAX_CHARS:
        return ""
    text = " ".join(text.split()).lower()
    return text if text.isascii() else ""


# Patterns see text in lower case, with single spaces.

_OFFSET_TAIL = r"(?: ?(?P<offset>z|utc|gmt|[+-][0-9:.]{2,}))?"
_FRACTION = r"(?:[.,](?P<fraction>\d+))?"


_WRITTEN_CLOCK = ascii_pattern(
    r"(?:t|,? (?:at )?)(?P<hour>\d{1,2}):(?P<minute>\d\d)(?::(?P<second>\d\d)" + _FRACTION + r")?"
    r"(?: ?(?P<half>[ap]\.?m\.?))?" + _OFFSET_TAIL
)
_DOTTED_CLOCK = ascii_pattern(r" (?P<hour>\d\d)\.(?P<minute>\d\d)\.(?P<second>\d\d)" + _OFFSET_TAIL)
_BASIC_CLOCK = ascii_pattern(
    r"t(?P<hour>\d\d)(?:(?P<minute>\d\d)(?:(?P<second>\d\d)" + _FRACTION + r")?)?" + _OFFSET_TAIL
)
#: LDAP's generalized time goes on from the date without a break.
_JOINED_CLOCK = ascii_pattern(r" ?(?P<hour>\d\d)(?P<minute>\d\d)(?P<second>\d\d)" + _FRACTION + _OFFSET_TAIL)
_ISO_TIME = ascii_pattern(
    r"(?P<hour>\d\d):(?P<minute>\d\d)(?::(?P<second>\d\d)" + _FRACTION + r")?" + _OFFSET_TAIL
)

Clocks = tuple[re.Pattern[str], ...]

WRITTEN_CLOCKS: Clocks = (_WRITTEN_CLOCK, _DOTTED_CLOCK)
ISO_CLOCKS: Clocks = (*WRITTEN_CLOCKS, _BASIC_CLOCK)
BASIC_CLOCKS: Clocks = (*ISO_CLOCKS, _JOINED_CLOCK)

#: The second separator of an offset is the first one, so that basic and extended do not mix.
_OFFSET = ascii_pattern(r"([+-])(\d\d)(?:(:?)([0-5]\d)(?:\3([0-5]\d)(?:\.(\d{6}))?)?)?")


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


def read_clock(text: str, clocks: Clocks) -> time:
    """Return the time of *text*, which begins with what separates it from the date."""
    if not text:
        return _MIDNIGHT
    for clock in clocks:
        match = clock.fullmatch(text)
        if match is not None:
            return _time_from(match.groupdict())
    raise ValueError(text)


def read_time(value: object) -> time:
    """
    Return *value*, a time or the ISO 8601 text of one, as a time.

    Raises:
        Mismatch: If *value* is anything else, blank text included.
    """
    if isinstance(value, time):
        return value
    if isinstance(value, str):
        match = _ISO_TIME.fullmatch(normalized(value))
        if match is not None:
            try:
                return _time_from(match.groupdict())
            except ValueError:
                raise mismatch(value, "time") from None
    raise mismatch(value, "time")
