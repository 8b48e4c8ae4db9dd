"""The Spanish frames of date expressions."""

from __future__ import annotations

from core_search.router.rules import calendar_frames as calendar
from core_search.router.rules import distance_frames as distance
from core_search.router.rules.frames import Frame, frame
from core_search.router.rules.language import language

MONTHS = r"(?:enero|febrero|marzo|abril|mayo|junio|julio|agosto|septiembre|setiembre|octubre|noviembre|diciembre)"
WEEKDAYS = r"(?:lunes|martes|mi[eé]rcoles|jueves|viernes|s[aá]bado|domingo)"
UNITS = r"(?:minutos?|horas?|d[ií]as?|semanas?|mes(?:es)?|trimestres?|a[ñn]os?)"
COUNT = r"(?:\d{1,6}|una?|dos|tres|cuatro|cinco|seis|siete|ocho|nueve|diez|quince|treinta)"
SEASONS = r"(?:primavera|verano|oto[ñn]o|invierno)"
YEAR = r"(?:19|20|21)\d\d"

FRAMES: tuple[Frame, ...] = (
    frame(
        rf"(?:el\s+)?(?P<first>\d\d?)\s*(?:-|–|al?|y"
        rf"|hasta)\s*(?:el\s+)?(?P<last>\d\d?)\s+de\s+(?P<month>{MONTHS})(?:\s+del?\s+(?P<year>{YEAR}))?",
        calendar.day_range,
    ),
    frame(
        rf"(?:el\s+)?(?P<day>\d\d?)\s+de\s+(?P<month>{MONTHS})(?:\s+del?\s+(?P<year>{YEAR}))?", calendar.calendar_date
    ),
    frame(rf"(?P<month>{MONTHS})\s+del?\s+(?P<year>{YEAR})", calendar.month_year),
    frame(rf"(?:l[oa]s\s+)?(?:[uú]ltim|pasad)[oa]s\s+(?P<count>{COUNT})\s+(?P<unit>{UNITS})", distance.last_count),
    frame(rf"(?:l[oa]s\s+)?(?P<count>{COUNT})\s+[uú]ltim[oa]s\s+(?P<unit>{UNITS})", distance.last_count),
    frame(
        r"(?:el\s+)?(?:pasado|[uú]ltimo)\s+(?P<unit>fin\s+de\s+semana)|(?:el\s+)?fin\s+de\s+semana\s+pasado",
        distance.last_weekend,
    ),
    frame(r"este\s+(?P<unit>fin\s+de\s+semana)", distance.this_unit),
    frame(
        rf"(?:la|el)?\s*(?P<unit>{UNITS})\s+pasad[oa]|(?:la|el)\s+(?:[uú]ltim|pasad)[oa]\s+(?P<unit2>{UNITS})",
        distance.last_unit,
    ),
    frame(rf"(?:en\s+lo\s+que\s+va\s+de\s+)?est[ea]\s+(?P<unit>{UNITS})", distance.this_unit),
    frame(rf"hace\s+(?:un[oa]s\s+)?(?P<count>{COUNT})\s+(?P<unit>{UNITS})", distance.ago),
    frame(r"anteayer|antes\s+de\s+ayer|antier", distance.named_day(-2)),
    frame(r"ayer|anoche", distance.named_day(-1)),
    frame(r"hoy|esta\s+(?:mañana|tarde|noche)", distance.named_day(0)),
    frame(
        rf"(?:el\s+)?(?P<weekday>{WEEKDAYS})\s+(?P<which>pasado)|(?:el\s+)?(?P<last>pasado"
        rf"|[uú]ltimo)\s+(?P<weekday2>{WEEKDAYS})",
        calendar.weekday,
    ),
    frame(rf"(?:el\s+)?(?P<weekday>{WEEKDAYS})", calendar.weekday, "weekday"),
    frame(
        rf"(?:el\s+|la\s+)?(?P<season>{SEASONS})\s+(?:(?P<which>pasad[oa])|del?\s+(?P<year>{YEAR}))", calendar.season_of
    ),
    frame(rf"(?P<month>{MONTHS})(?:\s+(?P<which>pasado))?", calendar.month_name, "month"),
    frame(YEAR, calendar.bare_year, "year"),
    frame(
        rf"(?:la|el)\s+pr[oó]xim[oa]\s+(?:{UNITS}|fin\s+de\s+semana)|(?:la|el)\s+{UNITS}\s+que\s+viene|pasado\s+mañana",
        distance.future,
    ),
)

SPANISH = language(
    "es",
    FRAMES,
    signs=r"c[oó]mo|se|y|d[oó]nde|cu[aá]ndo|qui[eé]nes|conozco|qu[eé]|cu[aá]l(?:es)?|qui[eé]n|sobre|desde|hice"
    r"|hicimos|pas[oó]|decidimos|mis?|las?|los|el|ayer|hoy|anteayer"
    r"|hace|semana|mes|pasad[oa]|[uú]ltim[oa]s|resumen|temas|este|esta|en|del?|entre|antes|despu[eé]s|enero"
    r"|febrero|con",
    since=r"desde|a\s+partir\s+de",
    after=r"despu[eé]s\s+del?|tras",
    before=r"antes\s+del?",
    until=r"hasta",
    small=r"en|durante|del?|para|por",
    date=r"este|y",
    opener=r"entre|del?|desde",
    joint=r"hasta|al?|-|–",
    opened=r"y|e",
    article=r"el|la|los|las",
)
