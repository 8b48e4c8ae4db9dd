"""The German frames of date expressions."""

from __future__ import annotations

from core_search.router.rules import calendar_frames as calendar
from core_search.router.rules import distance_frames as distance
from core_search.router.rules.frames import Frame, frame
from core_search.router.rules.language import language

MONTHS = r"(?:januar|jänner|februar|märz|maerz|april|mai|juni|juli|august|september|oktober|november|dezember)"
WEEKDAYS = r"(?:montag|dienstag|mittwoch|donnerstag|freitag|samstag|sonnabend|sonntag)"
UNITS = r"(?:minuten?|stunden?|tage?n?|wochen?|monate?n?|quartale?n?|jahre?n?|wochenenden?)"
COUNT = r"(?:\d{1,6}|eine[nmr]?|ein|zwei|drei|vier|fünf|sechs|sieben|acht|neun|zehn|dreißig)"
SEASONS = r"(?:frühling|frühjahr|sommer|herbst|winter)"
YEAR = r"(?:19|20|21)\d\d"
LAST = r"(?:letzte[nmrs]?|vergangene[nmrs]?|vorige[nmrs]?)"

FRAMES: tuple[Frame, ...] = (
    frame(
        rf"(?:dem\s+)?(?P<first>\d\d?)\.?\s*(?:-|–|bis(?:\s+zum)?"
        rf"|und(?:\s+dem)?)\s*(?P<last>\d\d?)\.?\s+(?P<month>{MONTHS})(?:\s+(?P<year>{YEAR}))?",
        calendar.day_range,
    ),
    frame(
        rf"(?:den\s+|dem\s+)?(?P<day>\d\d?)\.?\s+(?P<month>{MONTHS})(?:\s+(?P<year>{YEAR}))?", calendar.calendar_date
    ),
    frame(rf"(?P<month>{MONTHS})\s+(?P<year>{YEAR})", calendar.month_year),
    frame(rf"(?:die|den|der)?\s*{LAST}\s+(?P<count>{COUNT})\s+(?P<unit>{UNITS})", distance.last_count),
    frame(r"(?:am\s+|das\s+)?(?:letzte[ns]?|vergangene[ns]?|vorige[ns]?)\s+wochenende", distance.last_weekend),
    frame(r"(?:am|übers)\s+wochenende", distance.last_weekend),
    frame(rf"(?:die|den|das|der|im|in\s+der)?\s*{LAST}\s+(?P<unit>{UNITS})", distance.last_unit),
    frame(rf"(?:in\s+)?diese[nmrs]?\s+(?P<unit>{UNITS})", distance.this_unit),
    frame(rf"vor\s+(?P<count>{COUNT})\s+(?P<unit>{UNITS})", distance.ago),
    frame(r"vorgestern", distance.named_day(-2)),
    frame(r"gestern(?:\s+(?:abend|morgen|früh|nacht))?", distance.named_day(-1)),
    frame(r"heute(?:\s+(?:abend|morgen|früh))?", distance.named_day(0)),
    frame(rf"(?P<which>{LAST})\s+(?P<weekday>{WEEKDAYS})", calendar.weekday),
    frame(rf"(?P<weekday>{WEEKDAYS})", calendar.weekday, "weekday"),
    frame(
        rf"(?:(?P<which>{LAST})\s+(?P<season>{SEASONS})|(?P<season2>{SEASONS})\s+(?P<year>{YEAR}))", calendar.season_of
    ),
    frame(rf"(?P<which>{LAST})\s+(?P<month>{MONTHS})", calendar.month_name),
    frame(rf"(?P<month>{MONTHS})", calendar.month_name, "month"),
    frame(YEAR, calendar.bare_year, "year"),
    frame(
        rf"(?:die|den|das|am|im)?\s*(?:nächste|kommende)[nmrs]?\s+(?:{UNITS}|{WEEKDAYS}|{MONTHS})|übermorgen",
        distance.future,
    ),
)

GERMAN = language(
    "de",
    FRAMES,
    signs=r"sich|kennen|kennt|denkt|was|wer|welche[nrms]?|wann|wie|wo|habe|haben|hatten|ich|wir|ist|sind|war"
    r"|waren|über|seit|gestern|heute"
    r"|vorgestern|letzte[nmrs]?|woche|monat|jahr|diese[nmrs]?|vor|im|am|zwischen|und|mein(?:e[nmrs]?)?|themen"
    r"|mit|der|die|das"
    r"|bis|den|zusammenfassung|fasse",
    since=r"seit(?:\s+de[mr])?|ab",
    after=r"nach(?:\s+dem)?",
    before=r"vor(?:\s+dem)?",
    until=r"bis(?:\s+zum)?",
    small=r"im|am|in|von|vom|während|für|aus",
    date=r"und|letzten",
    opener=r"zwischen|von|vom",
    joint=r"bis(?:\s+zum)?|-|–",
    opened=r"und",
    article=r"der|die|das|dem|den",
)
