"""Events that LoCoMo's turns date."""

from __future__ import annotations

from datetime import UTC, datetime
from zoneinfo import ZoneInfo

import pytest

from core_search.ingest.locomo_dates import event_date

SAID = datetime(2023, 5, 4, 19, 0, tzinfo=UTC)


@pytest.mark.parametrize(
    ("text", "day"),
    [
        ("My mom and I made dinner together last night.", datetime(2023, 5, 3, tzinfo=UTC)),
        ("I ran a charity race two days ago", datetime(2023, 5, 2, tzinfo=UTC)),
        ("We went camping last year", datetime(2022, 1, 1, tzinfo=UTC)),
        ("I am going to Rome next month", None),
        ("I have lived here since 2019", None),
        ("It may rain", None),
        ("", None),
    ],
)
def test_the_time_that_is_told(text, day):
    assert event_date([text], SAID, ZoneInfo("UTC")) == day


def test_the_first_text_that_tells_one_counts():
    texts = ["Maria made dinner.", "We had dinner yesterday.", "That was in March."]
    assert event_date(texts, SAID, ZoneInfo("UTC")) == datetime(2023, 5, 3, tzinfo=UTC)


def test_days_begin_in_the_zone_of_the_memory():
    kolkata = ZoneInfo("Asia/Kolkata")  # 00:30 on the 5th there
    assert event_date(["I saw her yesterday"], SAID, kolkata) == datetime(2023, 5, 4, tzinfo=kolkata)
