"""The Portuguese frames of date expressions."""

from __future__ import annotations

from core_search.router.rules import calendar_frames as calendar
from core_search.router.rules import distance_frames as distance
from core_search.router.rules.frames import Frame, frame
from core_search.router.rules.language import language

MONTHS = r"(?:janeiro|fevereiro|março|abril|maio|junho|julho|agosto|setembro|outubro|novembro|dezembro)"
WEEKDAYS = r"(?:segunda|terça|quarta|quinta|sexta)-feira|(?:s[áa]bado|domingo)"
UNITS = r"(?:minutos?|horas?|dias?|semanas?|m[eê]s(?:es)?|trimestres?|anos?)"
COUNT = r"(?:\d{1,6}|uma?|dois|duas|tr[eê]s|quatro|cinco|seis|sete|oito|nove|dez|quinze|trinta)"
YEAR = r"(?:19|20|21)\d\d"
LAST = r"(?:passad|[uú]ltim)[oa]"

FRAMES: tuple[Frame, ...] = (
    frame(
        rf"(?P<first>\d\d?)\s*(?:-|–|a|e|até)\s*(?P<last>\d\d?)\s+de\s+(?P<month>{MONTHS})(?:\s+de\s+(?P<year>{YEAR}))?",
        calendar.day_range,
    ),
    frame(rf"(?P<day>\d\d?)\s+de\s+(?P<month>{MONTHS})(?:\s+de\s+(?P<year>{YEAR}))?", calendar.calendar_date),
    frame(rf"(?P<month>{MONTHS})\s+de\s+(?P<year>{YEAR})", calendar.month_year),
    frame(rf"(?:[oa]s\s+)?[uú]ltim[oa]s\s+(?P<count>{COUNT})\s+(?P<unit>{UNITS})", distance.last_count),
    frame(r"(?:o\s+)?(?:fim\s+de\s+semana\s+passado|[uú]ltimo\s+fim\s+de\s+semana)", distance.last_weekend),
    frame(rf"(?:[oa]\s+)?(?:(?P<unit>{UNITS})\s+{LAST}|[uú]ltim[oa]\s+(?P<unit2>{UNITS}))", distance.last_unit),
    frame(rf"(?:n?est[ea])\s+(?P<unit>{UNITS})", distance.this_unit),
    frame(rf"h[áa]\s+(?P<count>{COUNT})\s+(?P<unit>{UNITS})", distance.ago),
    frame(r"anteontem", distance.named_day(-2)),
    frame(r"ontem(?:\s+à\s+noite)?", distance.named_day(-1)),
    frame(r"hoje|esta\s+(?:manhã|tarde|noite)", distance.named_day(0)),
    frame(rf"(?P<month>{MONTHS})(?:\s+(?P<which>passado))?", calendar.month_name, "month"),
    frame(YEAR, calendar.bare_year, "year"),
    frame(rf"(?:[oa]\s+)?(?:pr[oó]xim[oa]\s+(?:{UNITS})|(?:{UNITS})\s+que\s+vem)|amanhã", distance.future),
)

PORTUGUESE = language(
    "pt",
    FRAMES,
    signs=r"como|onde|quando|quem|qual|quais|quant[oa]s|o\s+que|que|sobre|desde|fizemos|aconteceu|tomámos|falámos"
    r"|meus?|minhas?|dos|na|nas|em|ontem|hoje|anteontem|semana|mês|passad[oa]"
    r"|[uú]ltim[oa]s|resumo|temas|assuntos|este|esta|conhecem?|decisões|são|foi|até|não|é",
    since=r"desde|a\s+partir\s+de",
    after=r"depois\s+d[eoa]|após",
    before=r"antes\s+d[eoa]",
    until=r"até",
    small=r"em|n[oa]s?|durante|d[eoa]s?|para|por",
    date=r"este|e",
    opener=r"entre|de",
    joint=r"até|a|-|–",
    opened=r"e",
    article=r"o|a|os|as",
)
