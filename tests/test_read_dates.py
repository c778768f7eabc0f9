"""Dates, times and durations: what is written exactly, or a refusal that says why."""

# ruff: noqa: DTZ001  a text without an offset is a naive moment, and that is the point here

from __future__ import annotations

from datetime import date, datetime, time, timedelta, timezone

import pendulum
import pytest
from hypothesis import example, given, strategies as st

from nucleo_schema._read.dates import read_date, read_datetime
from nucleo_schema._read.durations import read_timedelta, write_timedelta
from nucleo_schema._read.mismatch import Mismatch
from nucleo_schema._read.times import read_time

UTC = timezone.utc
NEW_YEARS_EVE = date(2024, 12, 31)
QUARTER_PAST_TEN = datetime(2024, 12, 31, 10, 15)
MOMENT = datetime(2024, 12, 31, 10, 15, 30)

READERS = (read_date, read_datetime, read_time, read_timedelta)

DATE_TEXTS = (
    "2024-12-31",
    "20241231",
    "2024/12/31",
    "12/31/24",
    "12/31/2024",
    "31/12/2024",
    "31/12/24",
    "31.12.2024",
    "31.12.24",
    "31-Dec-2024",
    "31-december-2024",
    "Tue, 31 Dec 2024",
    "Tuesday 31 December 2024",
    "TUE, 31 DEC 2024",
    "December 31, 2024",
    "december 31 2024",
    "31 December 2024",
    "31 December, 2024",
    "Dec 31, 2024",
    "Dec. 31, 2024",
    "Dec 31 2024",
    "31st December 2024",
    "December 31st, 2024",
    "Tuesday, December 31, 2024",
    "2024-366",
    "2025-W01-2",
    "2025W012",
)


def offset(hours: int, minutes: int = 0, seconds: int = 0) -> timezone:
    """Return a fixed offset."""
    return timezone(timedelta(hours=hours, minutes=minutes, seconds=seconds))


@pytest.mark.parametrize("text", DATE_TEXTS)
def test_every_shape_of_a_date_is_read_as_its_date(text):
    """The same day, in all the ways that models write it."""
    assert read_date(text) == NEW_YEARS_EVE


@pytest.mark.parametrize("text", DATE_TEXTS)
def test_a_date_alone_is_the_naive_start_of_its_day_for_a_datetime(text):
    """A date says nothing of an offset, so none is added."""
    assert read_datetime(text) == datetime(2024, 12, 31)


@pytest.mark.parametrize("text", DATE_TEXTS)
@pytest.mark.parametrize("clock", [" 10:15:30", ", 10:15:30", " at 10:15:30", " 10.15.30", " 10:15:30 AM"])
def test_every_shape_of_a_date_may_be_followed_by_a_time(text, clock):
    """Date and time combine freely."""
    assert read_datetime(text + clock) == MOMENT


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("2024-12-31T10:15", QUARTER_PAST_TEN),
        ("2024-12-31T10:15:30", MOMENT),
        ("2024-12-31t10:15:30", MOMENT),
        ("2024-12-31 10:15:30", MOMENT),
        ("2024-12-31T101530", MOMENT),
        ("2024-12-31T10", datetime(2024, 12, 31, 10)),
        ("20241231T1015", QUARTER_PAST_TEN),
        ("20241231T101530", MOMENT),
        ("20241231 101530", MOMENT),
        ("20241231101530", MOMENT),
        ("2024-366T10:15:30", MOMENT),
        ("2025-W01-2T10:15:30", MOMENT),
        ("31-Dec-2024 10:15:30", MOMENT),
        ("12/31/24 10:15", QUARTER_PAST_TEN),
        ("2018-1-3", datetime(2018, 1, 3)),
        ("2018-1-3 9:05", datetime(2018, 1, 3, 9, 5)),
    ],
)
def test_a_moment_without_an_offset_is_naive(text, expected):
    """Nothing is added to what is written."""
    moment = read_datetime(text)

    assert moment == expected
    assert moment.tzinfo is None


@pytest.mark.parametrize(
    ("text", "tzinfo"),
    [
        ("2024-12-31T10:15:30+01:00", offset(1)),
        ("2024-12-31T10:15:30+0100", offset(1)),
        ("2024-12-31T10:15:30+01", offset(1)),
        ("2024-12-31T10:15:30-05:30", offset(-5, -30)),
        ("2024-12-31 10:15:30 -0530", offset(-5, -30)),
        ("2024-12-31T10:15:30+23:59", offset(23, 59)),
        ("2024-12-31T10:15:30+01:23:45", offset(1, 23, 45)),
        ("2024-12-31T10:15:30+012345", offset(1, 23, 45)),
        ("20241231101530-0500", offset(-5)),
        ("12/31/2024 10:15:30 AM +01:00", offset(1)),
        ("31.12.2024 10.15.30 +01:00", offset(1)),
    ],
)
def test_an_offset_in_the_text_is_kept(text, tzinfo):
    """The moment is aware, and not converted."""
    moment = read_datetime(text)

    assert moment.replace(tzinfo=None) == MOMENT
    assert moment.utcoffset() == tzinfo.utcoffset(None)


@pytest.mark.parametrize(
    "text",
    [
        "2024-12-31T10:15:30Z",
        "2024-12-31T10:15:30z",
        "2024-12-31T10:15:30 UTC",
        "2024-12-31T10:15:30GMT",
        "2024-12-31T10:15:30+00:00",
        "2024-12-31T10:15:30-00:00",
        "20241231T101530Z",
        "20241231101530Z",
        "20241231101530.0Z",
        "Tue, 31 Dec 2024 10:15:30 +0000",
        "Tue, 31 Dec 2024 10:15:30 GMT",
        "December 31, 2024 at 10:15:30 a.m. utc",
    ],
)
def test_every_name_of_utc_is_the_utc_of_the_standard_library(text):
    """Z, UTC, GMT and an offset of nothing are one thing."""
    moment = read_datetime(text)

    assert moment == MOMENT.replace(tzinfo=UTC)
    assert moment.tzinfo is UTC


@pytest.mark.parametrize(
    ("text", "microsecond"),
    [
        ("2024-12-31T10:15:30.5", 500_000),
        ("2024-12-31T10:15:30,5", 500_000),
        ("2024-12-31T10:15:30.123", 123_000),
        ("2024-12-31T10:15:30.000001", 1),
        ("2024-12-31T10:15:30.9999999", 999_999),
        ("2024-12-31T10:15:30.123456789", 123_456),
        ("20241231101530.25", 250_000),
    ],
)
def test_a_fraction_finer_than_a_microsecond_is_cut(text, microsecond):
    """Cut and never rounded, which could move the second, the day or the year."""
    assert read_datetime(text) == MOMENT.replace(microsecond=microsecond)


@pytest.mark.parametrize(
    ("clock", "hour"),
    [
        ("12:15 AM", 0),
        ("1:15 am", 1),
        ("11:15 a.m.", 11),
        ("12:15 PM", 12),
        ("1:15pm", 13),
        ("11:15 P.M.", 23),
    ],
)
def test_am_and_pm_choose_the_half_of_the_day(clock, hour):
    """Twelve is the first hour of each half."""
    assert read_datetime(f"12/31/2024 {clock}") == datetime(2024, 12, 31, hour, 15)


def test_a_narrow_space_before_pm_is_a_space():
    """JavaScript writes U+202F there."""
    assert read_datetime("12/31/2024, 10:15\u202fPM") == datetime(2024, 12, 31, 22, 15)


@pytest.mark.parametrize("number", range(1, 13))
def test_every_month_has_its_english_names(number):
    """In full and with three letters, whatever the locale is."""
    name = (
        *("January", "February", "March", "April", "May", "June", "July", "August"),
        *("September", "October", "November", "December"),
    )[number - 1]

    assert read_date(f"{name} 5, 2024") == read_date(f"5 {name[:3]} 2024") == date(2024, number, 5)


def test_september_has_a_name_of_four_letters_too():
    """Sept is how English writes it."""
    assert read_date("Sept 3, 2024") == date(2024, 9, 3)


@pytest.mark.parametrize(
    ("day", "suffix"),
    [(1, "st"), (2, "nd"), (3, "rd"), (4, "th"), (11, "th"), (12, "th"), (13, "th"), (21, "st"), (22, "nd")],
)
def test_an_ordinal_is_read_with_its_own_ending(day, suffix):
    """The eleventh ends otherwise than the first."""
    assert read_date(f"{day}{suffix} May 2024") == date(2024, 5, day)


def test_a_slashed_date_whose_numbers_are_the_same_is_not_ambiguous():
    """Both readings are the fifth of May."""
    assert read_date("05/05/2024") == date(2024, 5, 5)


@pytest.mark.parametrize("text", ["03/04/2024", "3/4/24", "03/04/2024 10:15"])
def test_a_slashed_date_with_two_readings_is_refused_with_both(text):
    """The message is what a model needs to write it again."""
    message = r"expected date \(ambiguous: .*; write ISO 8601, 2024-04-03 or 2024-03-04\)$"

    with pytest.raises(Mismatch, match=message):
        read_date(text)


def test_year_first_slashes_are_not_ambiguous():
    """Nobody writes year, day, month."""
    assert read_date("2024/03/04") == date(2024, 3, 4)


def test_dots_are_day_first():
    """Where dots are written, the day comes first."""
    assert read_date("3.4.24") == date(2024, 4, 3)


@pytest.mark.parametrize(("text", "year"), [("31.12.00", 2000), ("12/31/99", 2099)])
def test_two_digits_of_a_year_are_of_this_century(text, year):
    """From 2000 to 2099."""
    assert read_date(text) == date(year, 12, 31)


@pytest.mark.parametrize("text", ["", " ", "\t\n ", " " * 1000])
def test_blank_text_is_no_date(text):
    """Models write an empty text for an absent date."""
    assert read_date(text) is None
    assert read_datetime(text) is None


@pytest.mark.parametrize(
    "text", [" 2024-12-31\n", " 2024-12-31", "\t31  Dec 2024 ", " " * 100 + "2024-12-31"]
)
def test_spaces_around_are_ignored(text):
    """And several inside are one."""
    assert read_date(text) == NEW_YEARS_EVE


def test_a_space_before_a_short_date_is_no_part_of_its_shape():
    """Ten characters with their dashes in place are not always YYYY-MM-DD."""
    assert read_date("2024-12-3 ") == date(2024, 12, 3)


def test_a_datetime_text_gives_its_date_part_as_it_is_written():
    """The offset does not move the day."""
    assert read_date("2024-12-31T23:59:59-11:00") == NEW_YEARS_EVE


@pytest.mark.parametrize(
    ("array", "expected"),
    [
        ([2024, 12, 31], datetime(2024, 12, 31)),
        ((2024, 12, 31), datetime(2024, 12, 31)),
        ([2024, 12, 31, 10, 15], QUARTER_PAST_TEN),
        ([2024, 12, 31, 10, 15, 30], MOMENT),
        ([2024, 12, 31, 10, 15, 30, 123_456_789], MOMENT.replace(microsecond=123_456)),
        ([2024, 12, 31, 10, 15, 30, 999], MOMENT),
    ],
)
def test_a_numeric_array_is_read_from_the_year_down_to_nanoseconds(array, expected):
    """Nanoseconds are cut to microseconds."""
    assert read_datetime(array) == expected
    assert read_date(array) == NEW_YEARS_EVE


@pytest.mark.parametrize(
    "array",
    [
        [],
        [2024],
        [2024, 12],
        [2024, 12, 31, 10],
        [2024, 12, 31, 10, 15, 30, 0, 0],
        [2024.0, 12, 31],
        [2024, 12, True],
        ["2024", "12", "31"],
        [2024, 2, 30],
        [0, 1, 1],
        [10_000, 1, 1],
        [2024, 12, 31, 24, 0],
        [2024, 12, 31, 10, 15, 60],
        [2024, 12, 31, 10, 15, 30, -1],
        [2024, 12, 31, 10, 15, 30, 1_000_000_000],
        [10**5000, 1, 1],
        [2024, [12], None],
        [float("nan")] * 3,
        {2024, 12, 31},
    ],
)
@pytest.mark.parametrize("read", [read_date, read_datetime])
def test_any_other_array_is_refused(read, array):
    """Wrong lengths, numbers that are no integers, dates that do not exist."""
    with pytest.raises(Mismatch):
        read(array)


NOT_DATES = (
    # no such date
    *("2024-02-30", "30 February 2024", "2023-02-29", "2024-13-01", "13/13/2024", "0/5/2024", "31.04.2024"),
    *("2023-366", "2024-000", "9999-999", "2024-W53-1", "2024-W01-0", "0000-01-01", "10000-01-01"),
    # contradictions
    *("Mon, 31 Dec 2024", "Mon, 31 Dec 2024 10:15:30 +0000", "31th December 2024", "1nd May 2024"),
    # no such time
    *("2024-12-31T24:00", "2024-12-31T24:00:00", "2024-12-31T25:00:00", "2024-12-31T10:60"),
    "2024-12-31 24:00",
    *("2024-12-31T10:15:60", "12/31/2024 13:15 PM", "12/31/2024 0:15 AM"),
    # offsets and zones
    *("2024-12-31T10:15:30+24:00", "2024-12-31T10:15+01:60", "2024-12-31T10:15:30+1", "2024-12-31T10:15+1:"),
    *("2024-12-31T10:15 EST", "2024-12-31T10:15[Europe/Berlin]", "2024-12-31T10:15:30+01:2345"),
    "2024-12-31Z",
    # parts of a date, numbers
    *("2024", "2024-12", "13", "1735603200", "1735603200000", "2024123", "2024123199", "202412311015"),
    "+20241231",
    *("0", "-1", "1e3", "2024.0", "12312024", "20241301"),
    # no date at all
    *("now", "today", "tomorrow", "10:15", "T10:15", "P3D", "2025-03-10/P3D", "2025-03-10/2025-03-12"),
    *("null", "next spring", "December", "Dec 2024", "31 Foo 2024", "31-Dec-24", "31-12-2024", "2024.12.31"),
    # text after it
    *("2024-12-31 x", "2024-12-31T", "2024-12-31 10", "2024-12-31T10:15:30Z!", "2024-12-31T10:15:Z\x00"),
    *("2024-12-31T10:15:30Z\x00", "2024-12-31,", "2024-12-31 2024-12-31", "2024-12-31T10:15:30."),
    "2024-12-3 1",
    # characters that are not ASCII
    *("\uff12\uff10\uff12\uff14-12-31", "\u0662\u0660\u0662\u0664-\u0661\u0662-\u0663\u0661"),
    *("2024-12-31T10:15:3\u0663", "2024-12-3\u0661", "2024\u221212\u221231", "\ud800", "2024-12-\ud8001"),
    # long
    *("2024-12-31" + " " * 100 + "x", "9" * 100_000, "2024-12-31T10:15:30." + "1" * 100, "Dec " * 10_000),
)


@pytest.mark.parametrize("text", NOT_DATES, ids=lambda text: ascii(text[:40]))
@pytest.mark.parametrize("read", [read_date, read_datetime])
def test_a_text_that_is_no_date_is_refused(read, text):
    """What cannot be read is a refusal, never a guess."""
    with pytest.raises(Mismatch):
        read(text)


@pytest.mark.parametrize(
    "value",
    [
        0,
        20241231,
        1735603200,
        1.5,
        float("nan"),
        float("inf"),
        True,
        None,
        {},
        object(),
        b"2024-12-31",
        10**9999,
    ],
    ids=lambda value: type(value).__name__,
)
@pytest.mark.parametrize("read", READERS)
def test_a_value_of_another_kind_is_refused_everywhere(read, value):
    """A bare number is no date: it may count days, seconds or milliseconds."""
    with pytest.raises(Mismatch):
        read(value)


def test_a_wrong_weekday_is_refused_with_the_right_one():
    """The date may be wrong, or the weekday: the model knows."""
    with pytest.raises(Mismatch, match=r'^found string "Mon, 31 Dec 2024", .* \(2024-12-31 is a Tuesday\)$'):
        read_datetime("Mon, 31 Dec 2024")


@pytest.mark.parametrize("read", READERS)
def test_the_message_stays_short_for_a_long_text(read):
    """The text is cut, and nothing is searched in it."""
    with pytest.raises(Mismatch) as caught:
        read("2024-12-31 " * 100_000)

    assert len(str(caught.value)) < 200


def test_typed_values_are_kept():
    """What is already read is not read again."""
    assert read_date(NEW_YEARS_EVE) is NEW_YEARS_EVE
    assert read_datetime(MOMENT) is MOMENT
    assert read_time(time(10, 15)) == time(10, 15)
    assert read_timedelta(timedelta(1)) == timedelta(1)


def test_a_datetime_and_a_date_stand_in_for_each_other():
    """The date part of one, the naive start of the day of the other."""
    assert read_date(MOMENT) == NEW_YEARS_EVE
    assert read_datetime(NEW_YEARS_EVE) == datetime(2024, 12, 31)


def test_a_pendulum_value_is_kept_or_becomes_a_plain_one():
    """Its own kind of a date is a date; the date of its moment is a plain one."""
    moment = pendulum.datetime(2024, 12, 31, 10, 15)

    assert read_datetime(moment) is moment
    assert type(read_date(moment)) is date
    assert type(read_date(moment.date())) is pendulum.Date
    assert type(read_datetime(moment.date())) is datetime


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("10:15", time(10, 15)),
        (" 10:15:30 ", time(10, 15, 30)),
        ("10:15:30.1234567", time(10, 15, 30, 123_456)),
        ("10:15:30,5", time(10, 15, 30, 500_000)),
        ("10:15Z", time(10, 15, tzinfo=UTC)),
        ("10:15 UTC", time(10, 15, tzinfo=UTC)),
        ("10:15:30-05:30", time(10, 15, 30, tzinfo=offset(-5, -30))),
    ],
)
def test_an_iso_time_is_read(text, expected):
    """With seconds, a fraction and an offset when there are some."""
    assert read_time(text) == expected


@pytest.mark.parametrize(
    "text",
    [
        "",
        " ",
        "10",
        "1015",
        "9:05",
        "24:00",
        "10:60",
        "10:15:60",
        "10:15 PM",
        "10:15+24:00",
        "T10:15",
        "10:15x",
        "now",
    ],
)
def test_a_text_that_is_no_iso_time_is_refused(text):
    """Blank text too: a time has no null."""
    with pytest.raises(Mismatch, match=r"expected time$"):
        read_time(text)


def test_a_moment_is_no_time():
    """Dropping the date would lose what the model wrote."""
    with pytest.raises(Mismatch):
        read_time(MOMENT)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("PT0S", timedelta(0)),
        ("P3DT4H5M6.5S", timedelta(days=3, hours=4, minutes=5, seconds=6, microseconds=500_000)),
        ("-P1D", timedelta(days=-1)),
        ("+PT1M", timedelta(minutes=1)),
        ("P2W", timedelta(weeks=2)),
        ("P1W2D", timedelta(days=9)),
        ("pt36h", timedelta(hours=36)),
        ("PT0,1S", timedelta(microseconds=100_000)),
        ("PT1.5H", timedelta(minutes=90)),
        ("P0.5D", timedelta(hours=12)),
        ("PT0.0000019S", timedelta(microseconds=1)),
        ("-PT0.0000019S", timedelta(microseconds=-1)),
        ("P999999999DT86399.999999S", timedelta.max),
        ("PT9007199254740.993S", timedelta(seconds=9_007_199_254_740, microseconds=993_000)),
    ],
)
def test_an_iso_duration_is_read_exactly(text, expected):
    """Integers all the way, and what is finer than a microsecond is cut."""
    assert read_timedelta(text) == expected


@pytest.mark.parametrize(
    "text",
    [
        *("", " ", "P", "PT", "P1DT", "P1Y", "P1M", "P1Y2M3D", "P-1D", "1D", "P1", "PT1", "P1H", "PT1D"),
        "P1D2W",
        *("PT1.5H5M", "P.5D", "PT1.S", "PT1S ago", "1:30:00", "90", "P1000000000D", "P" + "9" * 50 + "W"),
        "P\u0663D",
        "PT" + "1" * 100_000 + "S",
    ],
    ids=lambda text: ascii(text[:20]),
)
def test_a_text_that_is_no_duration_of_fixed_length_is_refused(text):
    """Years and months differ in length; a fraction belongs to the last number."""
    with pytest.raises(Mismatch, match=r"expected duration$"):
        read_timedelta(text)


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        (timedelta(0), "PT0S"),
        (timedelta(days=1), "P1D"),
        (timedelta(days=3, hours=4, minutes=5, seconds=6.5), "P3DT4H5M6.5S"),
        (timedelta(hours=10), "PT10H"),
        (timedelta(seconds=10), "PT10S"),
        (timedelta(microseconds=-1), "-PT0.000001S"),
        (pendulum.duration(days=-1, seconds=-30), "-P1DT30S"),
        (timedelta.max, "P999999999DT23H59M59.999999S"),
        (timedelta.min, "-P999999999D"),
    ],
)
def test_a_duration_is_written_in_iso_form(value, expected):
    """The shortest form, with the sign in front."""
    assert write_timedelta(value) == expected


OFFSETS = st.timedeltas(timedelta(hours=-24, microseconds=1), timedelta(hours=24, microseconds=-1)).map(
    timezone
)
ZONES = st.none() | st.just(UTC) | OFFSETS


@given(st.dates())
def test_a_date_reads_back_equal(value):
    """From the text it is written as."""
    assert read_date(value.isoformat()) == value


@given(st.datetimes(timezones=ZONES))
@example(datetime(2024, 12, 31, 10, 15, 30, tzinfo=offset(1, 23, 45)))
@example(datetime(1, 1, 1, tzinfo=offset(23, 59)))
def test_a_datetime_reads_back_equal(value):
    """With its offset, to the microsecond."""
    read = read_datetime(value.isoformat())

    assert read == value
    assert read.utcoffset() == value.utcoffset()
    assert read_date(value.isoformat()) == value.date()


@given(st.times(timezones=ZONES))
def test_a_time_reads_back_equal(value):
    """With its offset, to the microsecond."""
    read = read_time(value.isoformat())

    assert read == value
    assert read.utcoffset() == value.utcoffset()


@given(st.timedeltas())
@example(timedelta.min)
@example(timedelta.max)
def test_a_duration_reads_back_equal(value):
    """Negative ones and the longest ones too."""
    assert read_timedelta(write_timedelta(value)) == value


@given(
    st.dates(min_value=date(2000, 1, 1), max_value=date(2099, 12, 31)), st.sampled_from(["%m/%d", "%d/%m"])
)
def test_a_slashed_date_is_the_day_that_was_meant_or_a_refusal(day, order):
    """No order of day and month ever leads to another day."""
    text = day.strftime(f"{order}/%y")

    if day.day <= 12 and day.day != day.month:
        with pytest.raises(Mismatch, match="ambiguous"):
            read_date(text)
    else:
        assert read_date(text) == day


def outcome(read, value):
    """Return what *read* makes of *value*, or the message of its refusal."""
    try:
        return read(value)
    except Mismatch as error:
        return str(error)


ALMOST_DATES = st.lists(
    st.sampled_from(
        [
            *("2024", "12", "31", "3", "04", "24", "0", "10:15", "10:15:30", "101530", ".5", "+01:00"),
            *("-", "-", "/"),
            *(".", ",", " ", "T", "Z", "UTC", "Dec", "December", "May", "Tue", "Monday", "W01", "st"),
            *("PM", "366"),
        ]
    ),
    max_size=9,
).map("".join)
JUNK = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(st.characters()) | st.binary(),
    lambda inner: st.lists(inner, max_size=8) | st.dictionaries(st.text(), inner, max_size=3),
    max_leaves=10,
)


@given(ALMOST_DATES | st.text(st.characters()) | JUNK | st.lists(st.integers(), min_size=3, max_size=7))
@example("2024-12-31T10:15:3\ud800")
@example("2024-12-3\ud800")
def test_nothing_but_a_mismatch_is_ever_raised(value):
    """Whatever the value is."""
    for read in READERS:
        outcome(read, value)


@given(ALMOST_DATES)
@example("Tuesday, December 31st, 2024, 10:15 PM +01:00")
def test_a_text_that_is_read_reads_the_same_from_its_iso_form(text):
    """Every shape leads to a date that exists, and both readers agree on it."""
    moment = outcome(read_datetime, text)

    if isinstance(moment, datetime):
        assert read_datetime(moment.isoformat()) == moment
        assert read_date(text) == read_date(moment.isoformat()) == moment.date()
    else:
        assert not isinstance(outcome(read_date, text), date)
