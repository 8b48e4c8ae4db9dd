"""The English frames of date expressions: a pattern that finds one, and a function that frames its span."""

from __future__ import annotations

from core_search.router.rules.calendar_frames import (
    bare_year,
    calendar_date,
    day_range,
    feast,
    half_year,
    iso_instant,
    iso_month,
    iso_range,
    month_name,
    month_year,
    numeric_date,
    ordinal_day,
    quarter_of,
    season_of,
    week_number,
    weekday,
    year_named,
)
from core_search.router.rules.distance_frames import (
    ago,
    before_last,
    future,
    last_count,
    last_unit,
    last_weekend,
    named_day,
    this_unit,
    to_date,
)
from core_search.router.rules.frames import Frame, frame
from core_search.router.rules.language import language
from core_search.router.rules.part_frames import part_of, week_of

MONTHS = (
    r"(?:january|february|march|april|may|june|july|august|september|october|november|december"
    r"|janurary|febuary|jan|feb|mar|apr|jun|jul|aug|sept|sep|oct|nov|dec)\.?"
)
WEEKDAYS = (
    r"(?:monday|tuesday|wednesday|thursday|friday|saturday|sunday|mon|tues|tue|weds|wed|thurs|thur|thu|fri|sat|sun)"
)
UNITS = r"(?:minutes?|mins?|hours?|hrs?|days?|weekends?|weeks?|wks?|fortnights?|months?|quarters?|years?|yrs?)"
COUNT = (
    r"(?:\d{1,9}|(?:a\s+)?couple(?:\s+of)?|(?:a\s+)?few|an?|one|two|three|four|five|six|seven|eight|nine|ten|eleven"
    r"|twelve|thirteen|fourteen|fifteen|twenty|thirty|sixty|ninety)"
)
SEASONS = r"(?:spring|summer|autumn|fall|winter)"
YEAR = r"(?:19|20|21)\d\d"
DAY = r"(?:3[01]|[12]\d|0?[1-9])"
NTH = r"(?:st|nd|rd|th)"
LAST = r"(?:last|past|previous|prior|preceding)"

FRAMES: tuple[Frame, ...] = (
    # 2026-07-25/26, 2026-07-25/2026-08-02, 2026-07-25..2026-07-28
    frame(rf"({YEAR}-\d\d-\d\d)(?:/|\.\.|--)((?:{YEAR}-)?(?:\d\d-)?\d\d)(?![\d-])", iso_range),
    frame(rf"({YEAR}-\d\d-\d\d)[t ]\d\d:\d\d(?::\d\d(?:\.\d+)?)?(?:z|[+-]\d\d:?\d\d)?", iso_instant),
    frame(rf"({YEAR})[-/.](\d\d?)[-/.](\d\d?)(?![\d-])", numeric_date),
    frame(rf"(?<![\d-])({YEAR})-(0[1-9]|1[0-2])(?![\d-])", iso_month),
    frame(r"(?<![\d./-])(\d\d?)([/.-])(\d\d?)\2((?:19|20)\d\d)(?![\d/-])", numeric_date),
    # March 3-5, 2026; 3 to 5 March 2026
    frame(
        rf"(?P<month>{MONTHS})\s+(?P<first>{DAY}){NTH}?\s*(?:-|–|to|through|until)\s*(?P<last>{DAY}){NTH}?"
        rf"(?:,?\s+(?P<year>{YEAR}))?(?!\s*{MONTHS}\b)",
        day_range,
    ),
    frame(
        rf"(?:the\s+)?(?P<first>{DAY}){NTH}?\s*(?:-|–|to|through|until|and)\s*(?:the\s+)?(?P<last>{DAY}){NTH}?"
        rf"(?:\s+of)?\s+(?P<month>{MONTHS})(?:,?\s+(?P<year>{YEAR}))?",
        day_range,
    ),
    # March 3rd 2026, the 3rd of March
    frame(
        rf"(?:{WEEKDAYS},?\s+)?(?P<month>{MONTHS})\s+(?:the\s+)?(?P<day>\d\d?)(?:{NTH})?(?:,?\s+"
        rf"(?P<year>{YEAR}))?(?![\d:.]\d)",
        calendar_date,
    ),
    frame(
        rf"(?:{WEEKDAYS},?\s+)?(?:the\s+)?(?<![\d.:])(?P<day>\d\d?)(?:{NTH})?(?:\s+of)?\s+"
        rf"(?P<month>{MONTHS})(?:,?\s+(?P<year>{YEAR}))?",
        calendar_date,
    ),
    # parts: first week of February, second half of 2025, early January, end of last month
    frame(
        rf"(?:the\s+)?(?P<part>(?:first|second|third|fourth|1st|2nd|3rd|4th|last|final)\s+(?:{COUNT}\s+)?"
        rf"(?:week|weekend|half|day|days|weeks|quarter|month|months))\s+(?:of"
        rf"|in)\s+(?:the\s+)?(?P<whole>(?:(?:this|last|past|previous)\s+)?"
        rf"(?:month|year|quarter|{MONTHS}(?:\s+(?:of\s+)?{YEAR})?|{YEAR}))",
        part_of,
    ),
    frame(
        rf"(?:the\s+)?(?P<part>early|mid|middle|late|beginning|start|end)(?:[\s-]+(?:of|in))?[\s-]+(?:the\s+)?"
        rf"(?P<whole>(?:(?:this|last|past|previous)\s+)?(?:month|year|{MONTHS}(?:\s+(?:of\s+)?{YEAR})?)|{YEAR})",
        part_of,
    ),
    frame(
        rf"(?:the\s+)?(?P<unit>week|weekend)\s+(?:of|starting|beginning)\s+(?:on\s+)?(?:the\s+)?(?P<month>{MONTHS})\s+"
        rf"(?P<day>\d\d?){NTH}?(?:,?\s+(?P<year>{YEAR}))?",
        week_of,
    ),
    frame(
        rf"(?:the\s+)?(?P<unit>week|weekend)\s+(?:of|starting"
        rf"|beginning)\s+(?:on\s+)?(?:the\s+)?(?P<day>\d\d?){NTH}?(?:\s+of)?\s+"
        rf"(?P<month>{MONTHS})(?:,?\s+(?P<year>{YEAR}))?",
        week_of,
    ),
    # quarters and halves
    frame(rf"(?P<year>{YEAR})[\s-]?q(?P<number>[1-4])", quarter_of),
    frame(rf"q(?P<number>[1-4])(?:[\s'’-]*(?:of\s+)?(?P<year>{YEAR}))?(?:\s+(?P<which>this|last)\s+year)?", quarter_of),
    frame(
        rf"(?:the\s+)?(?P<number>first|second|third|fourth|last|1st|2nd|3rd"
        rf"|4th)\s+quarter(?:\s+of)?\s+(?:(?P<year>{YEAR})|(?P<which>this|last)\s+year)",
        quarter_of,
    ),
    frame(rf"h(?P<number>[12])\s*(?:of\s+)?(?P<year>{YEAR})", half_year),
    # rolling and calendar units
    frame(rf"(?:the\s+)?{UNITS}\s+before\s+last", before_last),
    frame(rf"(?:the\s+)?(?:{LAST}|trailing)\s+(?P<count>{COUNT})\s*(?P<unit>{UNITS})", last_count),
    frame(r"(?:the\s+)?(?:last|past|trailing)\s+(?P<count>\d{1,6})\s?(?P<unit>h|d|w|mo|m|y)", last_count),
    frame(rf"(?:the\s+)?(?P<which>{LAST})\s+(?P<unit>{UNITS})(?!\s+of\b)", last_unit),
    frame(
        rf"(?:earlier\s+|later\s+|so\s+far\s+)?(?P<which>this|the\s+current"
        rf"|current)\s+(?P<unit>{UNITS})(?:\s+so\s+far)?",
        this_unit,
    ),
    frame(r"(?:the|my|our)\s+(?P<unit>week|month|quarter|year)\s+so\s+far", this_unit),
    frame(r"(?P<unit>week|month|quarter|year)[\s-]to[\s-]date", to_date),
    frame(r"(?P<unit>[wmqy])td", to_date),
    frame(
        rf"(?:about\s+|around\s+|roughly\s+|over\s+)?(?P<count>{COUNT})\s+(?P<unit>{UNITS})\s+(?:ago|back"
        rf"|earlier)",
        ago,
    ),
    frame(r"(?P<count>\d{1,6})\s?(?P<unit>h|d|w|mo|y)\s+ago", ago),
    # named days
    frame(r"(?:the\s+)?day\s+before\s+yesterday", named_day(-2)),
    frame(
        r"yesterday(?:['’]?s)?(?:\s+(?:morning|afternoon|evening|night))?|yest(?:er|ur)?day|last\s+night", named_day(-1)
    ),
    frame(r"today(?:['’]?s)?|tonight|this\s+(?:morning|afternoon|evening)|earlier\s+today", named_day(0)),
    # seasons, weekdays, months
    frame(r"the\s+weekend", last_weekend, "weekend"),
    frame(
        rf"(?:the\s+)?(?:(?P<which>{LAST}|this)\s+)?(?P<season>{SEASONS})(?:(?:\s+of)?\s+(?:(?P<year>{YEAR})"
        rf"|(?P<that>this|last)\s+year))?",
        season_of,
        "season",
    ),
    frame(rf"(?P<which>{LAST}|this)\s+(?P<weekday>{WEEKDAYS})(?:\s+(?:morning|afternoon|evening|night))?", weekday),
    frame(rf"(?P<weekday>{WEEKDAYS})(?P<that>['’]s|s['’])", weekday, "weekday"),
    frame(rf"(?P<weekday>{WEEKDAYS})(?:\s+(?:morning|afternoon|evening|night))?", weekday, "weekday"),
    frame(rf"(?P<month>{MONTHS})(?:\s+of|,)?\s+(?:(?P<year>{YEAR})|(?P<that>this|last)\s+year)", month_year),
    frame(rf"(?P<month>{MONTHS})\s+['’](?P<short>\d\d)", month_year),
    frame(rf"(?P<which>{LAST}|this)\s+(?P<month>{MONTHS})", month_name),
    frame(rf"(?P<month>{MONTHS})", month_name, "month"),
    frame(rf"(?:the\s+)(?P<day>{DAY}){NTH}(?:\s+(?:of\s+)?(?P<which>this|last)\s+month)?", ordinal_day, "day"),
    frame(rf"(?<![\d.,:/$€£-]){YEAR}(?![\d.,:/%-]\d)", bare_year, "year"),
    frame(
        rf"(?:calendar\s+)?week\s+(?:no\.?\s*|number\s+)?(?P<week>\d\d?)(?:(?:\s+of|\s+in|,)?\s+(?P<year>{YEAR}))?",
        week_number,
    ),
    frame(rf"(?P<year>{YEAR})-?w(?P<week>\d\d)", week_number),
    frame(rf"(?:the\s+)?(?:(?:full|whole|entire)\s+)?year\s+(?P<year>{YEAR})", year_named),
    frame(
        rf"(?P<feast>christmas(?:\s+(?:day|eve))?|boxing\s+day|new\s+year(?:['’]?s)?\s+(?:day|eve))"
        rf"(?:\s+(?P<year>{YEAR}))?",
        feast,
    ),
    # the future has no memory
    frame(
        rf"(?:the\s+)?(?:next|coming|upcoming|following)\s+(?:(?:{COUNT})\s+)?(?:{UNITS}|{SEASONS}|{WEEKDAYS}"
        rf"|{MONTHS})",
        future,
    ),
    frame(
        rf"in\s+(?:{COUNT})\s+{UNITS}(?:\s+time)?|{COUNT}\s+{UNITS}\s+from\s+now|tomorrow(?:'s|’s)?"
        rf"|(?:the\s+)?day\s+after\s+tomorrow",
        future,
    ),
)

ENGLISH = language(
    "en",
    FRAMES,
    signs=r"(?!)",
    since=r"since|starting(?:\s+(?:from|on|in))?|beginning(?:\s+(?:on|in))",
    after=r"after|following|later\s+than|subsequent\s+to",
    before=r"before|prior\s+to|earlier\s+than|previous\s+to",
    until=r"until|till|(?<!get\s)(?<!got\s)(?<!been\s)(?<!was\s)(?<!were\s)(?<!getting\s)up\s+(?:to|until|till)"
    r"|by|up\s+to\s+and\s+including|no\s+later\s+than|on\s+or\s+before",
    small=r"from|through|in|on|during|over|within|throughout|for|of|at|across|as\s+of|back\s+in|around|dated?|sometime",
    date=r"this|last|and|to|early|mid|late",
    day=r"(?:on|since|after|before|until|till|by|from|between|of|to|and|for)",
    opener=r"between|from",
    joint=r"to|until|till|through|thru|up\s+to|-|–|—|['\"]?\s*[,;&]\s*['\"]?(?:end|to|until|till)\w*['\"]?\s*[=:]\s*['\"]?",
    opened=r"and|&",
    article=r"the(?:\s+(?:year|month)(?:\s+of)?)?",
    onward=r"onwards?|and\s+(?:later|after)|or\s+later|on(?=\s*(?:$|[?.!,;]))",
)
