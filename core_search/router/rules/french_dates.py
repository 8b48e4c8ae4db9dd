"""The French frames of date expressions."""

from __future__ import annotations

from core_search.router.rules import calendar_frames as calendar
from core_search.router.rules import distance_frames as distance
from core_search.router.rules.frames import Frame, frame
from core_search.router.rules.language import language

MONTHS = (
    r"(?:janvier|février|fevrier|mars|avril|mai|juin|juillet|août|aout|septembre|octobre|novembre|décembre"
    r"|decembre)"
)
WEEKDAYS = r"(?:lundi|mardi|mercredi|jeudi|vendredi|samedi|dimanche)"
UNITS = r"(?:minutes?|heures?|jours?|semaines?|mois|trimestres?|an(?:née|nee)?s?)"
COUNT = r"(?:\d{1,6}|une?|deux|trois|quatre|cinq|six|sept|huit|neuf|dix|quinze|trente)"
SEASONS = r"(?:printemps|été|automne|hiver)"
YEAR = r"(?:19|20|21)\d\d"
LAST = r"(?:derni[eè]re?s?|pass[ée]e?s?)"

FRAMES: tuple[Frame, ...] = (
    frame(
        rf"(?:le\s+)?(?P<first>\d\d?)(?:er)?\s*(?:-|–|au"
        rf"|et)\s*(?:le\s+)?(?P<last>\d\d?)\s+(?P<month>{MONTHS})(?:\s+(?P<year>{YEAR}))?",
        calendar.day_range,
    ),
    frame(rf"(?:le\s+)?(?P<day>\d\d?)(?:er)?\s+(?P<month>{MONTHS})(?:\s+(?P<year>{YEAR}))?", calendar.calendar_date),
    frame(rf"(?P<month>{MONTHS})\s+(?P<year>{YEAR})", calendar.month_year),
    frame(rf"(?:(?:les|ces|des)\s+)?(?P<count>{COUNT})\s+{LAST}\s+(?P<unit>{UNITS})", distance.last_count),
    frame(rf"(?:(?:le|ce|du)\s+)?week-?end\s+{LAST}", distance.last_weekend),
    frame(r"ce\s+(?P<unit>week-?end)", distance.this_unit),
    frame(rf"(?:(?:la|le|l')\s*)?(?P<unit>{UNITS})\s+{LAST}", distance.last_unit),
    frame(rf"(?:ce|cet|cette)\s+(?P<unit>{UNITS})(?:-ci)?", distance.this_unit),
    frame(rf"il\s+y\s+a\s+(?:environ\s+)?(?P<count>{COUNT})\s+(?P<unit>{UNITS})", distance.ago),
    frame(r"avant-hier", distance.named_day(-2)),
    frame(r"hier(?:\s+(?:soir|matin))?", distance.named_day(-1)),
    frame(r"aujourd'hui|ce\s+(?:matin|soir)", distance.named_day(0)),
    frame(rf"(?:le\s+)?(?P<weekday>{WEEKDAYS})\s+(?P<which>{LAST})", calendar.weekday),
    frame(rf"(?:le\s+)?(?P<weekday>{WEEKDAYS})", calendar.weekday, "weekday"),
    frame(
        rf"(?:(?:l'|le\s+))?(?P<season>{SEASONS})\s+(?:(?P<which>{LAST})|(?:de\s+)?(?P<year>{YEAR}))",
        calendar.season_of,
    ),
    frame(rf"(?P<month>{MONTHS})(?:\s+(?P<which>{LAST}))?", calendar.month_name, "month"),
    frame(YEAR, calendar.bare_year, "year"),
    frame(rf"(?:(?:la|le|l')\s*)?(?:{UNITS}|week-?end|{WEEKDAYS})\s+prochaine?|demain|après-demain", distance.future),
)

FRENCH = language(
    "fr",
    FRAMES,
    signs=r"comment|se|est|où|quand|qu'est-ce|que|quoi|qui|quels?|quelles?|j'ai|avons|nous|je|sur|depuis"
    r"|avant-hier|aujourd'hui|semaine"
    r"|derni[eè]re?s?|mois|année|cette|ce|les?|la|des|du|en|et|entre|après|résumé|fais-moi|mes|mon|ma"
    r"|il\s+y\s+a|pass[ée]|janvier",
    since=r"depuis|à\s+partir\s+d[eu]",
    after=r"après",
    before=r"avant",
    until=r"jusqu'(?:en|à|au)",
    small=r"en|au|pendant|durant|de|du|d'|des|au\s+cours\s+d[eu]|dans|lors\s+d[eu]|pour",
    date=r"et|ce",
    opener=r"entre|du|de",
    joint=r"au|à|jusqu'(?:en|à|au)|-|–",
    opened=r"et",
    article=r"le|la|les|l'|mois\s+de",
)
