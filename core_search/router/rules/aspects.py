"""Which aspects a query asks for: the words that people use for rules, views, plans, troubles."""

from __future__ import annotations

import re

from core_search.models import Aspect

_CUES: tuple[tuple[tuple[Aspect, ...], str], ...] = (
    (
        (Aspect.PREFERENCE, Aspect.BELIEF),
        r"(?<!level\s)(?<!over)views?\b(?!\s+count)|opinions?|(?:sceptical|skeptical|keen|wary|enthusiastic)\b|(?:for\s+or\s+against|in\s+favou?r\s+of)|feel(?:s|ing|ings)?\s+about|stance|attitude"
        r"|takes?\s+on|thoughts?\s+on|perspective|meinung(?:en)?|opini[oó]n(?:es)?"
        r"|opin[ao]n?\b|opinião|avis\b|opinioni?|pareri?|point\s+of\s+view",
    ),
    (
        (Aspect.BELIEF, Aspect.PREFERENCE),
        r"(?:do|does|did)\s+[^?.]{1,40}?\s+think|think(?:s)?\s+(?:of|about|that)|believ(?:e|es|ed)|beliefs?"
        r"|convinced|(?:do|did)\s+i\s+think"
        r"|denk(?:e|t|en)\b|hält\b|meinst?\b|piens[oa]n?|penso|pense[sz]?",
    ),
    (
        (Aspect.DIRECTIVE,),
        r"rules?\b|recommendations?|advice\b|forbidden|regras?\b|instructions?|instructed|directives?|guidelines?|polic(?:y|ies)|(?:our|my|the|coding"
        r"|naming|commit|style|code|team)\s+conventions\b|standing\s+order|norms?\b|do'?s\s+and\s+don'?ts"
        r"|constraints?"
        r"|(?:are|am|is)\s+(?:i|we|it|\w+)\s+allowed|allowed\s+to|^(?:may|can|should|must)\s+(?:i|we)\b"
        r"|(?:what|how|when|where)\s+should\s+(?:i|we|you)\b(?!\s+(?:know|expect))|should\s+(?:not\s+"
        r"|never\s+)?be\s+\w+ed\b|avoid(?:ed|s)?\b|supposed\s+to|(?:did|have)\s+i\s+(?:tell|told|ask|asked"
        r"|instruct\w*)\s+you\s+(?:to|not|never|always)"
        r"|told\s+you\s+(?:to|not|never|always)|i\s+(?:want|expect|need|like)\s+you\s+to|must\s+(?:i|we|you|never|not|always)|never\s+(?:do|use|write"
        r"|say|send|merge|deploy|mention)|regeln?\b|reglas?|règles?|regol[ae]|anweisungen|instrucciones"
        r"|consignes",
    ),
    (
        (Aspect.PREFERENCE,),
        r"rather\s+(?!than)\w+|prefer(?:s|red|ences?|ring|e|encias?|enz[ea])?\b|préf[èé]r\w*|(?:(?:do|does|did)(?:n't)?|i|we"
        r"|would)\s+(?:\w+\s+){0,3}?(?<!ing\s)like\b(?!\s+to\s+(?:know|see|ask))|dislikes?|likes\b"
        r"|(?:(?<!is\s)(?<!of\s)(?:hates?|loves?))\b|favou?rites?|enjoys?\b|fond\s+of|can(?:'?t|not)\s+(?:\w+\s+)?stand\b|how\s+(?:do|does)\s+(?:i|we|ʘ)\s+(?:want|take)|prefier\w+"
        r"|tastes?\b|gustan?\b|bevorzug\w*|lieblings\w*|mag\s+ich|favorit[oaie]s?",
    ),
    (
        (Aspect.HABIT,),
        r"usual(?:ly)?|habits?\b|routines?|how\s+many\s+times\s+an?\s+(?:day|week|month|year)|typical(?:ly)?|normally|tends?\s+to|regularly|every\s+(?:day"
        r"|morning|evening|night|week|monday|tuesday|wednesday|thursday|friday|saturday|sunday|month|year)"
        r"|how\s+often\s+(?:\w+\s+)?do\s+(?:i|we)\b|how\s+often\s+(?:do|does)|on\s+(?:mon|tues"
        r"|wednes|thurs|fri|satur|sun)days|gewohnheit(?:en)?|normalerweise|costumbres?|habitudes?|abitudini"
        r"|weekly\s+schedule|daily\s+schedule|rituals?",
    ),
    (
        (Aspect.GOAL,),
        r"goals?\b|aims?\b|aiming|objectives?|ambitions?|aspir\w+|resolutions?|targets?\b|(?:want|hope|hoping"
        r"|plan|planning|intend|trying|wish|dream)(?:ing|s)?\s+to\s+(?!know|see|ask|say)\w+|plans?\s+(?:for"
        r"|with|about|do\b|does\b|have\b)|(?:my|our)\s+plans?|saving\s+(?:up\s+)?for|training\s+for|ziele?\b"
        r"|objetivos?|metas?\b|objectifs?|obiettiv[io]|working\s+towards?|long[\s-]term",
    ),
    (
        (Aspect.TASK,),
        r"tasks?\b|to-?dos?\b|to\s+do\s+list|action\s+(?:items?|points?)|next\s+steps|things\s+to\s+(?:do|buy"
        r"|fix|finish|prepare|bring|pack|send)|promised?|commit(?:ted|ments?|ting)?\s+to|commitments?|(?:need|needs|have|has|had"
        r"|got|still)\s+to\s+(?:\w+\s+)?(?:do|finish|send|write|buy|book|fix|call|deliver|prepare|reply"
        r"|complete|get\s+done|sort\s+out)|need(?:s)?\s+doing|pending|outstanding|unfinished|left\s+to\s+do"
        r"|still\s+open|open\s+(?:points?|questions?|ends)|follow[\s-]?ups?|assigned\s+to|deadlines?|due\b|overdue|owe\b|backlog|open\s+items"
        r"|chores?|errands?|on\s+my\s+plate|aufgaben?|tarefas?|tareas?|pendientes?|tâches?|compiti\b|da\s+fare",
    ),
    (
        (Aspect.DECISION,),
        r"decid(?:e|ed|es|ing)|decisions?|cho(?:ose|se|sen)|choices?|agreed?\s+(?:on|to|that|about|with)"
        r"|agreements?|settled?\s+on|(?:did|have|has)\s+we\s+(?:agree|settle|pick|go\s+with|choose|conclude)"
        r"|reasons?\s+(?:for|behind|why|we|to)\b|made\s+(?:us|me|we|the\s+team|ʘ)\s+(?:\w+\s+){0,2}?(?:pick"
        r"|choose|switch|move|drop|change|go|leave|adopt|replace|stop|start|use|reject|postpone|delay"
        r"|cancel)\b|why\s+(?:was|were|is|are|has|have)\s+.{1,40}?\s(?:been\s+)?(?:moved|changed|delayed"
        r"|postponed|cancell?ed|dropped|replaced|rejected|chosen|picked|removed|introduced|reverted|renamed"
        r"|merged|stopped|switched)|conclusions?|picked|opted|went\s+with|(?:go|going)\s+with"
        r"|why\s+(?:did|do|have|are|were)\s+(?:we|i|they|the\s+team|\w+)\s+(?:\w+\s+){0,2}?(?:drop(?:ped)?"
        r"|switch(?:ed|ing)?|mov(?:e|ed|ing)|cho(?:ose|se)|pick(?:ed)?|go|went|reject(?:ed)?|replac(?:e|ed)"
        r"|leave|left|stop(?:ped)?|cancel(?:l?ed)?|postpon\w+|delay(?:ed)?|adopt|abandon(?:ed)?|use|using|us"
        r"|migrat\w+|keep|kept|hire[d]?|pass|turn|use)\b|entschied(?:en)?|entscheidung(?:en)?|beschlossen"
        r"|decidi(?:mos|do|eron|ó)?|decis(?:ão|ões)|decisi[oó]n(?:es|i)?|décid\w+|décisions?|deciso|scelt[oae]",
    ),
    (
        (Aspect.PROBLEM,),
        r"problems?|problemas?|problèmes?|problem[ie]\b|issues?\b|bugs?\b|troubles?|worr(?:y|ies|ied)"
        r"|concern(?:s|ed)?\b|complain(?:ts?|ed|ing)?|blockers?|blocked|block(?:s|ing)\b|broken?\b"
        r"|breaks\s+down|fail(?:s|ed|ures?|ing)?\b|outages?|incidents?|errors?\b|risks?\b|struggl\w+|go(?:es"
        r"|ne|ing)?\s+(?:wrong|badly)|went\s+(?:wrong|badly)|pains?\b|hurts?|difficult(?:y|ies)|obstacles?|challenges?|allerg(?:y|ies"
        r"|ic)|crash(?:es|ed)?|slow(?:ed)?\s+down|annoy\w*|bother\w*(?!\s+you\b)|irritat\w+|upset\w*|stress(?:e[sd]"
        r"|ing)?\b|frustrat\w+|wrong\s+with|symptoms?|(?:what|which)\s+caus(?:es|ed)\b|caus(?:e|es"
        r"|ed)\s+(?:of|the|my|our)\b|root\s+cause|flaky|vulnerabilit\w+|fehler|schwierigkeiten|preocupa\w*"
        r"|preoccup\w*|guai|sorgen|pannes?",
    ),
    ((Aspect.KNOWLEDGE, Aspect.BELIEF), r"lessons?\s+(?:learn\w*|drawn|taken|from|(?:that\s+)?(?:i|we)\b)"),
    (
        (Aspect.KNOWLEDGE,),
        r"(?:what|anything|things|something)\s+(?:\w+\s+){0,3}?(?:learn(?:t|ed)?)\b|learn(?:t|ed)\s+about"
        r"|how\s+does\s+(?:the\s+|our\s+)?[\w\s.-]{2,30}\s+work|know-how|facts\s+about",
    ),
    (
        (Aspect.IDENTITY,),
        r"who\s+am\s+i\b|what\s+do\s+i\s+do\s+for\s+a\s+living|where\s+do\s+i\s+(?:live|work)|about\s+me\b"
        r"|about\s+myself",
    ),
    ((Aspect.EVENT,), r"(?<!what\s)happened|events?\b(?!\s+store)|milestones?"),
    (
        (Aspect.RELATIONSHIP,),
        r"(?:my|our)\s+(?:friends?|family|relatives|team)\b|who\s+do\s+i\s+(?:report|work)|report(?:s)?\s+to"
        r"|in\s+my\s+family",
    ),
)
_PATTERNS = tuple((aspects, re.compile(rf"(?<![\w-])(?:{pattern})(?!\w)", re.IGNORECASE)) for aspects, pattern in _CUES)


# "When did …" asks for the day of one thing; only what was decided, or is done as a rule, is asked of an aspect.
_WHEN = re.compile(r"^\W*(?:and\s+)?when\s+(?:did|was|were|is|has|have|had|ʘ)\b", re.IGNORECASE)
_WITH_WHEN = frozenset({Aspect.DECISION, Aspect.HABIT, Aspect.TASK, Aspect.GOAL})


def find_aspects(text: str) -> tuple[Aspect, ...]:
    """The aspects whose words occur, in the order of where they stand, each once."""
    asks_when = bool(_WHEN.match(text))
    found: list[tuple[int, tuple[Aspect, ...]]] = []
    for aspects, pattern in _PATTERNS:
        match = pattern.search(text)
        if match and not (asks_when and aspects[0] not in _WITH_WHEN):
            found.append((match.start(), aspects))
    found.sort(key=lambda pair: pair[0])
    return tuple(dict.fromkeys(aspect for _, aspects in found for aspect in aspects))
