"""The Italian frames of date expressions."""

from __future__ import annotations

from core_search.router.rules import calendar_frames as calendar
from core_search.router.rules import distance_frames as distance
from core_search.router.rules.frames import Frame, frame
from core_search.router.rules.language import language

MONTHS = r"(?:gennaio|febbraio|marzo|aprile|maggio|giugno|luglio|agosto|settembre|ottobre|novembre|dicembre)"
WEEKDAYS = r"(?:luned[iì]|marted[iì]|mercoled[iì]|gioved[iì]|venerd[iì]|sabato|domenica)"
UNITS = r"(?:minut[oi]|or[ae]|giorn[oi]|settiman[ae]|mes[ei]|trimestr[ei]|ann[oi])"
COUNT = r"(?:\d{1,6}|una?|uno|due|tre|quattro|cinque|sei|sette|otto|nove|dieci|quindici|trenta)"
SEASONS = r"(?:primavera|estate|autunno|inverno)"
YEAR = r"(?:19|20|21)\d\d"
LAST = r"(?:scors[oaei]|passat[oaei]|precedente)"

FRAMES: tuple[Frame, ...] = (
    frame(
        rf"(?:il\s+)?(?P<first>\d\d?)\s*(?:-|–|al?"
        rf"|e)\s*(?:il\s+)?(?P<last>\d\d?)\s+(?P<month>{MONTHS})(?:\s+(?:del\s+)?(?P<year>{YEAR}))?",
        calendar.day_range,
    ),
    frame(
        rf"(?:il\s+|l')?(?P<day>\d\d?)º?\s+(?P<month>{MONTHS})(?:\s+(?:del\s+)?(?P<year>{YEAR}))?",
        calendar.calendar_date,
    ),
    frame(rf"(?P<month>{MONTHS})\s+(?:del\s+)?(?P<year>{YEAR})", calendar.month_year),
    frame(rf"(?:(?:gli|le|negli|nelle|i)\s+)?ultim[ie]\s+(?P<count>{COUNT})\s+(?P<unit>{UNITS})", distance.last_count),
    frame(
        rf"(?:(?:il|lo|nello)\s+)?(?:(?:fine\s+settimana|weekend)\s+{LAST}|{LAST}\s+(?:fine\s+settimana"
        rf"|weekend))",
        distance.last_weekend,
    ),
    frame(r"questo\s+(?P<unit>fine\s+settimana|weekend)", distance.this_unit),
    frame(rf"(?:(?:la|il|l'|lo)\s*)?(?:(?P<unit>{UNITS})\s+{LAST}|{LAST}\s+(?P<unit2>{UNITS}))", distance.last_unit),
    frame(rf"quest(?:[oa]\s+|')(?P<unit>{UNITS})", distance.this_unit),
    frame(rf"(?P<count>{COUNT})\s+(?P<unit>{UNITS})\s+fa", distance.ago),
    frame(r"l'altro\s+ieri|altroieri|ieri\s+l'altro", distance.named_day(-2)),
    frame(r"ieri(?:\s+(?:sera|mattina|notte))?", distance.named_day(-1)),
    frame(r"oggi|stamattina|stasera", distance.named_day(0)),
    frame(
        rf"(?P<weekday>{WEEKDAYS})\s+(?P<which>{LAST})|(?P<last>{LAST})\s+(?P<weekday2>{WEEKDAYS})", calendar.weekday
    ),
    frame(rf"(?P<weekday>{WEEKDAYS})", calendar.weekday, "weekday"),
    frame(
        rf"(?:l'|la\s+)?(?P<season>{SEASONS})\s+(?:(?P<which>{LAST})|(?:del\s+)?(?P<year>{YEAR}))", calendar.season_of
    ),
    frame(rf"(?P<month>{MONTHS})(?:\s+(?P<which>{LAST}))?", calendar.month_name, "month"),
    frame(YEAR, calendar.bare_year, "year"),
    frame(
        rf"(?:(?:la|il|l')\s*)?(?:prossim[oa]\s+(?:{UNITS}|{WEEKDAYS})|{UNITS}\s+prossim[oa])|domani|dopodomani",
        distance.future,
    ),
)

ITALIAN = language(
    "it",
    FRAMES,
    signs=r"come|si|dove|cosa|che|chi|quali|quando|abbiamo|deciso|ho|fatto|sono|di|il|gli|della|del|settimana"
    r"|scors[oa]|ieri|oggi|fa"
    r"|mese|questo|questa|ultim[ie]|da|dal|tra|prima|dopo|riassunto|riassumi|argomenti|mio|mia|su|nel|è|successo",
    since=r"da|dal(?:l[ao'])?|a\s+partire\s+da(?:l)?",
    after=r"dopo",
    before=r"prima\s+d(?:i|el|ella)",
    until=r"fino\s+a(?:l)?",
    small=r"in|a|nel(?:l[ao'])?|durante|di|del(?:l[ao'])?|per|d'",
    date=r"e|scorso",
    opener=r"tra|fra|dal?",
    joint=r"al?|fino\s+a(?:l)?|-|–",
    opened=r"e",
    article=r"il|la|lo|l'|gli|le|mese\s+di",
)
