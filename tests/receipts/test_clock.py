"""Time and its one spelling."""

from contextlib import suppress
from datetime import UTC, datetime, timedelta, timezone

import pytest
from hypothesis import given
from hypothesis import strategies as st

from receipts.clock import format_time, parse_time, system_clock
from receipts.errors import MalformedError


def test_a_moment_is_spelled_in_utc_with_milliseconds():
    moment = datetime(2026, 11, 29, 11, 0, 0, 999_999, tzinfo=timezone(timedelta(hours=1)))
    assert format_time(moment) == "2026-11-29T10:00:00.999Z"


def test_the_system_clock_is_in_utc():
    assert system_clock().utcoffset() == timedelta(0)


@given(st.datetimes(timezones=st.just(UTC)))
def test_what_is_spelled_is_read_back_to_the_millisecond(moment):
    read = parse_time(format_time(moment))
    assert timedelta(0) <= moment - read < timedelta(milliseconds=1)


@pytest.mark.parametrize(
    "text",
    [
        "2026-11-29",
        "2026-11-29T10:00:00Z",
        "2026-11-29T10:00:00.000",
        "2026-11-29T10:00:00.000+00:00",
        "2026-11-29T11:00:00.000+01:00",
        "2026-11-29 10:00:00.000Z",
        "2026-11-29T10:00:00.000z",
        "2026-11-29T10:00:00.000000Z",
        "2026-13-29T10:00:00.000Z",
        "2026-02-30T10:00:00.000Z",
        "2026-11-29T10:00:00.000Z\n",
        "２０26-11-29T10:00:00.000Z",
        "9999-12-31T23:59:59.999-01:00",
        "0001-01-01T00:00:00.000+01:00",
        "now",
        "",
    ],
)
def test_another_spelling_is_refused(text):
    with pytest.raises(MalformedError):
        parse_time(text)


@given(st.text())
def test_only_malformed_leaves_the_parser(text):
    with suppress(MalformedError):
        assert format_time(parse_time(text)) == text
