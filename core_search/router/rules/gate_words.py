"""What needs no memory: small talk, thanks, arithmetic, general knowledge, chores on the text at hand.

A query is closed only when it says nothing else: "thanks! and Ana's birthday?" is searched. A question that
speaks of the owner ("my", "we"), or names someone that the memory knows, is searched whatever it looks like.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

_GREETING = r"""
    h(?:i+|ey+|ello+|iya|owdy|allo)(?:\s+(?:there|again|all|everyone|team|assistant|claude|bot))?
  | yo+|sup|what'?s\s+up|greetings|good\s+(?:morning|afternoon|evening|day|night)|(?:good)?bye(?:\s+bye)?|gn|gm
    |cheers|ciao|hola|salut
  | bonjour|bonsoir|hallo|guten\s+(?:tag|morgen|abend)|buenos\s+d[ií]as|buon\s?giorno|ol[aá]|bom\s+dia|arrivederci
    |ad[ií]os|tsch[uü]ss
  | (?:see|talk|speak|chat|catch)(?:\s+to)?(?=\s+\w)(?:\s+(?:you|ya|u))?(?:\s+(?:later|soon|then|tomorrow|around
    |next\s+\w+|on\s+\w+|tonight))?
    |later|take\s+care|have\s+a\s+(?:nice|good|great|lovely)\s+\w+(?:\s+\w+)?
  | good\s+luck(?:\s+with\s+(?:\w+\s*){1,3})?|congrat(?:s|ulations)
    |enjoy\s+your\s+\w+|have\s+fun|get\s+well\s+soon|(?:the\s+)?same\s+to\s+you|you\s+too
  | (?:happy|merry)\s+(?:new\s+year|christmas|xmas|easter|holidays|weekend|\w+day)
    (?:\s+to\s+(?:you|all))?
  | hasta\s+(?:mañana|luego|pronto)|até\s+(?:amanhã|logo|já)|à\s+(?:demain|bientôt)|bis\s+(?:morgen|bald|später)
    |a\s+(?:domani|presto)|tudo\s+bem|(?:qué|que)\s+tal|ça\s+va|wie\s+geht(?:'s|\s+es\s+dir)|come\s+(?:stai|va)
  | how\s+are\s+(?:you|things)(?:\s+(?:doing|feeling|going))?(?:\s+(?:today|tonight|this\s+\w+))?
    |how(?:'s|\s+is|\s+was)\s+(?:it\s+going|life
    |your\s+(?:day|weekend|week|night)(?:\s+going)?)|nice\s+to\s+meet\s+you
"""
_THANKS = r"""
    (?:many\s+|ok(?:ay)?\s+)?(?:thanks?|thx|ty|tysm|thank\s+(?:you|u)|merci|gracias|grazie|danke(?:\s+(?:sch[oö]n
      |dir|euch|ihnen|sehr|vielmals))?|muchas\s+gracias|grazie\s+mille|merci\s+beaucoup|(?:que\s+tengas|ten|passe
      |buona|bonne|sch[oö]nen)\s+(?:un\s+|une\s+|una\s+)?(?:buen\s+|buena\s+|bonne\s+)?(?:d[ií]a|tarde|noche
      |journée|soirée|giornata|serata|tag|abend)(?:\s+noch)?|obrigad[oa])
      (?:\s+(?:a\s+(?:lot|bunch|million|ton)|so\s+much|very\s+much|again|you|man|mate|everyone|for\s+(?:the|your
        |that|this|all|everything|helping)(?:\s+\w+){0,3}))*
  | (?:much\s+)?appreciated|i\s+appreciate\s+(?:it|that|this|your\s+help)|i(?:'m|\s+am)\s+(?:so\s+|very\s+
    |just\s+)?(?:bored|tired|back|here|good|fine|sad|happy|hungry|sleepy|ok(?:ay)?|done|sorry)|no\s+(?:worries
    |problem)|you'?re\s+welcome|my\s+pleasure|sorry|my\s+bad|oops
"""
_ASSENT = r"""
    o+k+(?:ay)?|k+|kk|alright|all\s+right|sure(?:\s+thing)?|fine|yes+|yep|yeah?|yup|no+|nope|nah|right|correct
      |exactly|agreed|indeed|got\s+it|gotcha|i\s+see|makes\s+sense|understood
  | (?:that(?:'s|\s+is|\s+was)?\s+|you(?:'re|\s+are)\s+|this\s+is\s+|looks?\s+|sounds?\s+)?(?:so\s+|very\s+
    |really\s+|pretty\s+)?(?:great|good|nice|cool|perfect|awesome|amazing|excellent|wonderful|fantastic|brilliant
    |smart|clever|the\s+best|lovely|super|neat|sweet|helpful|funny|interesting|wrong|lgtm)(?:\s+(?:job|work|one
    |to\s+me|idea|stuff|answer|point))?
  | well\s+done|lo+l+|haha+|hehe+|hmm+|uh+|um+|wow|(?:can|could|would)\s+you\s+(?:please\s+)?(?:continue|go\s+on
    |help(?:\s+me)?|elaborate)|please(?:\s+(?:continue|go\s+on|go\s+ahead|do))?|go\s+(?:on|ahead)|continue|next
    |stop|wait|never\s?mind|nvm|forget\s+it|cancel|undo|that'?s\s+all(?:\s+for\s+(?:now|today))?|that\s+will\s+be\s+all|test(?:ing)?|ping|done
    |same|idk|whatever
"""
_SMALL_TALK = re.compile(rf"(?:(?:{_GREETING}|{_THANKS}|{_ASSENT})(?!\w)\W*)+", re.IGNORECASE | re.VERBOSE)

# Questions about the assistant itself, and chores on the answer or on text that is given.
_CHORES = (
    r"(?:who|what)\s+are\s+you|what(?:'s|\s+is)\s+your\s+name|what\s+can\s+you\s+do|do\s+you\s+(?:like|love"
    r"|enjoy|dream|sleep|eat|speak|have\s+(?:feelings|a\s+name|emotions))\b(?!.*\b(?:my|our|me)\b).*"
    r"|are\s+you\s+(?:an?\s+)?(?:ai|bot|human|robot|real|there)\b.*",
    r"(?:please\s+)?tell\s+me\s+(?:a|another|some)\s+(?:joke|story|riddle|fun\s+fact)s?\b.*",
    r"(?:can\s+you\s+|could\s+you\s+|please\s+)*(?:write|compose|generate|create|make\s+up|draw|paint|sing"
    r"|code|implement)\s+(?:me\s+|us\s+)?(?:an?|some|the)\s+(?:\w+[\s-]+){0,3}?(?:poem|haiku|limerick|song"
    r"|story|sonnet|joke|essay|script|function|program|regex|regular\s+expression|query|class|logo|picture(?!\s+of\s+(?:the|our|where|how|what|my)\b)"
    r"|image|rap|tweet|riddle|algorithm|loop|unit\s+test|test\s+case|cover\s+letter|tale)s?\b.*",
    r"(?:can\s+you\s+|could\s+you\s+|please\s+)*(?:rewrite|rephrase|paraphrase|summari[sz]e|shorten|improve"
    r"|polish|format|expand|explain|continue|simplify|translate|proofread)\s+(?:the\s+|this\s+"
    r"|my\s+)?(?:following\s+)?(?:text|sentence|paragraph|message|email|note|code|function|snippet|passage"
    r"|article|story)?\s*:.*",
    r"(?:can\s+you\s+|could\s+you\s+|please\s+)*(?:rewrite|rephrase|reword|paraphrase|proofread|polish|shorten)\b"
    r"[\w\s,]{0,50}:.*",
    r"(?:can\s+you\s+|could\s+you\s+|please\s+)*(?:translate|übersetze|traduce|traduis|traduci)\b.*",
    r"(?:can\s+you\s+|could\s+you\s+|please\s+)*(?:correct|fix|check|proofread|improve)\s+(?:the|this|my"
    r"|these|that)?\s*(?:following\s+)?(?:spelling|grammar|typos?|punctuation|sentence|paragraph"
    r"|wording)s?\b.*",
    r"(?:can\s+you\s+|could\s+you\s+|please\s+)*(?:make|rewrite|rephrase|shorten|reformat|format|expand"
    r"|repeat|simplify|redo|regenerate|paraphrase|polish|convert|turn)\s+(?:it|that|this|these|those|(?:the"
    r"|your|this|that)\s+(?:\w+\s+){0,2}(?:answer|response|reply|message|text|sentence|paragraph|output|code"
    r"|list|json|above|one|table))\b.*",
    r"(?:can\s+you\s+|could\s+you\s+|please\s+)*(?:say|put|write|phrase|explain)\s+(?:that|it"
    r"|this)\s+(?:again|differently|more\s+\w+|less\s+\w+|in\s+(?:other|simpler|plain|fewer)\s+\w+"
    r"|another\s+way|simpler|shorter)(?:\s+please)?|(?:(?:try\s+again|again|now|the\s+same)(?:\s+(?:but|please))*\s+)?(?:try\s+again|start\s+over|shorter|longer"
    r"|in\s+(?:english|german|french|spanish|portuguese|danish|italian)|as\s+(?:an?\s+)?(?:list|table|bullet\s+points|bullets)"
    r"|more\s+(?:detail|details|formal|casual)(?:\s+please)?)",
    r"(?:set|start|stop)\s+(?:a|an|the)\s+(?:timer|alarm|stopwatch)\b.*|(?:play|put\s+on)\s+(?:some|a"
    r"|the)\s+\w+|sing(?:\s+me)?\s+.*|turn\s+(?:on|off)\s+the\s+\w+|(?:flip|toss)\s+a\s+coin|roll\s+(?:a"
    r"|the)\s+di(?:c)?e",
    r"what\s+(?:does|do)\s+(?:the\s+)?(?:acronym\s+|abbreviation\s+|letters\s+)?[A-Za-z]{2,6}\s+stand\s+for",
    r"(?:please\s+)?(?:count\s+(?:to|from)\b|spell\s+(?:the\s+word\s+)?"
    r"|(?:give\s+me\s+)?(?:a\s+)?synonyms?\s+(?:for|of)\b|rhymes?\s+with\b|what\s+rhymes\s+with\b).*",
)
_LANGUAGES_TEXT = """
go golang python java javascript typescript rust c++ c# ruby php sql bash shell perl swift kotlin scala haskell
css html excel vim git regex pandas numpy react word latex docker kubernetes k8s postgres postgresql linux
"""
_LANGUAGES = frozenset(_LANGUAGES_TEXT.split())
_PROGRAMS = (
    r"(?:how\s+(?:do|can|would|could|should)\s+(?:i|you|we|one)|how\s+to)\b.*\b(?:in|with|using)\s+(?:"
    + "|".join(map(re.escape, sorted(_LANGUAGES)))
    + r")",
    r"(?:how\s+(?:do|can)\s+(?:i|you|we|one)|how\s+to)\s+(?:tie\s+a\s+tie|boil\s+(?:an?\s+)?eggs?|exit\s+vim"
    r"|center\s+a\s+div|reverse\s+a\s+(?:linked\s+list|string)|undo\s+(?:a|the\s+last)\s+commit)\b.*",
)
_WORLD_QUESTIONS = (
    r"(?:what(?:'s|\s+is|\s+are|\s+was)|whats|wats|tell\s+me|name|which\s+is|find"
    r"|give\s+me)\s+(?:the\s+)?(?:capital|population|currency|president|prime\s+minister|king|queen"
    r"|official\s+language|(?:boiling|melting|freezing)\s+point|chemical\s+\w+|atomic\s+\w+|square\s+root"
    r"|cube\s+root|derivative|integral|circumference|time\s+zone|flag|national\s+\w+|gdp|plural|past\s+tense"
    r"|opposite|synonym|antonym|etymology|definition|exchange\s+rate|stock\s+price|speed|mass|weight|height"
    r"|depth|diameter|length|age|distance|temperature)\s+(?:for\s+|of\s+|from\s+|between\s+|in\s+|on\s+)(?!my"
    r"|our|the\s+(?:\w+\s+)?(?:team|project|service|office|company))\w.*",
    r"(?:what(?:'s|\s+is|\s+are|\s+was)|whats|which\s+(?:is|was)|name)\s+the\s+(?:largest|smallest|tallest"
    r"|longest|highest|deepest|biggest|fastest|oldest|richest|hottest|coldest|closest|nearest|heaviest"
    r"|second\s+\w+est)\s+(?:\w+\s+){1,2}(?:in|of|on|to|ever)\s+.*",
    r"(?:what(?:'s|\s+is)|how(?:'s|\s+is)|whats|tell\s+me)\s+the\s+(?:weather|forecast|news"
    r"|meaning\s+of\s+life)\b.*|what\s+will\s+the\s+weather\s+.*|(?:weather|forecast)(?:\s+(?:in|for|today"
    r"|tomorrow)\b.*)?|(?:latest|today'?s)\s+(?:news|headlines)",
    r"(?:what|which)\s+(?:time|day|date|year|month)\s+is\s+(?:it|today)(?:\s+now|\s+today"
    r"|\s+in\s+\w+(?:\s+\w+)?)?|what(?:'s|\s+is)\s+(?:the\s+(?:time|date|day)|today'?s\s+date)(?:\s+(?:now"
    r"|today|in\s+\w+(?:\s+\w+)?))?",
    r"how\s+many\s+(?:seconds|minutes|hours|days|weeks|months)\s+(?:are\s+)?(?:there\s+)?(?:are\s+)?in\s+.*"
    r"|(?:what(?:'s|\s+is)\s+the\s+)?difference\s+between\s+an?\s+\w+\s+and\s+an?\s+\w+",
    r"how\s+many\s+\w+\s+(?:are\s+)?(?:there\s+)?(?:are\s+)?(?:in|make|does)\s+(?:an?|one|the)\s+\w+(?:\s+\w+)?",
    r"how\s+(?:far|tall|high|deep|big|large|old|long|heavy|hot|fast|wide)\s+(?:is|are|was)\s+(?:the\s+(?:moon"
    r"|sun|earth|universe|world|everest|eiffel\s+tower|sky|nile|amazon|pacific|atlantic|speed\s+of\s+light)"
    r"|mount\s+\w+|jupiter|mars|venus|light)\b.*",
    r"what\s+does\s+(?!(?:the|my|our|this|that)\b)(?:\w+\s+){1,3}mean",
    r"(?:is|are)\s+(?:an?\s+)?\w+\s+(?:an?\s+)(?:fruit|vegetable|mammal|fish|bird|planet|insect|metal|country"
    r"|reptile|animal|prime|verb|noun)s?",
    r"(?:what|which)\s+year\s+(?:did|was|were)\s+(?:the|ww|world)\b.*|(?:distance"
    r"|how\s+far)\s+(?:is\s+it\s+)?(?:from|between)\s+.*|who\s+(?:was|is)\s+(?:the\s+)?(?:first|last|current"
    r"|second|\d+\w\w)\s+(?:man|woman|person|president|king|queen|emperor|pope|prime\s+minister)\b.*",
    r"who\s+(?:(?:wrote|painted|composed|directed|sang|founded|played|starred\s+in)\s+(?!(?:the|this|that|our"
    r"|my|a|it|about|on|in)\b(?!\s+(?-i:[A-Z])|\s+(?:bible|iliad|odyssey|mona|lord|hobbit|godfather|beatles"
    r"|great))).*|(?:invented|discovered)\s+.*|won\s+the\s+(?:world|nobel|oscar|super|euro|champions"
    r"|premier)[\w\s]*|was\s+the\s+first|built\s+the|is\s+the\s+(?:president|king|queen|prime\s+minister"
    r"|pope))\b.*",
    r"(?:when|where|why)\s+(?:did|was|were|is|are|do|does)\s+(?:the\s+)?(?:(?:first|second)\s+world\s+war"
    r"|world\s+war|french\s+revolution|roman|berlin\s+wall|titanic|moon|sky|sun|earth|ocean|sea|water|grass"
    r"|cats|dogs|birds|dinosaurs|world\s+cup|olympics)\b.*",
    r"(?:what\s+does|what's)\s+(?:the\s+word\s+)?['\"]?\w+['\"]?\s+mean(?:\s+in\s+\w+)?"
    r"|define\s+(?:the\s+(?:word|term)\s+)?['\"]?\w+['\"]?|what\s+is\s+(?:a|an)\s+(?:monad|closure|semaphore"
    r"|mutex|pointer|prime\s+number|verb|noun|black\s+hole|neural\s+network|binary\s+(?:tree|search)|lambda"
    r"|decorator|generator|goroutine|promise|interface|enum|struct|hash\s+(?:map|table)|linked\s+list"
    r"|blockchain|transformer|derivative|atom|molecule|electron)(?:\s+in\s+[\w+#]+)?",
    r"(?:explain|describe)\s+(?:to\s+me\s+)?(?:the\s+theory\s+of\s+relativity|relativity|quantum\s+\w+"
    r"|photosynthesis|gravity|evolution|recursion|how\s+(?:a|an|the)\s+\w+\s+works?)\b.*",
    r"(?:will|is)\s+it\s+(?:going\s+to\s+)?(?:rain|snow|be\s+(?:sunny|cold|warm|hot)|raining|snowing)\b.*",
    r"(?:convert|how\s+much\s+is)\s+[\d.,]+\s*\w+(?:\s+\w+)?\s+(?:in|to|into)\s+\w+(?:\s+\w+)?",
)


def _any(parts: Sequence[str]) -> re.Pattern[str]:
    return re.compile("|".join(f"(?:{part})" for part in parts), re.IGNORECASE | re.DOTALL)


_CHORE, _WORLD, _PROGRAMMING = _any(_CHORES), _any(_WORLD_QUESTIONS), _any(_PROGRAMS)
# A text for somebody whom the memory does not know.
_WRITING = _any(
    (
        r"(?:can\s+you\s+|could\s+you\s+|please\s+)*(?:write|compose|draft|generate|create|invent|make\s+up"
        r"|give\s+me|suggest|recommend)(?:\s+me)?\s+(?:an?|some)\s+"
        r"(?:\w+\s+){0,2}?(?:email|letter|message|text|tweet|post|speech|toast|slogan|caption|number|password"
        r"|username|name|recipe|meal|movie|film|book|song|workout|quote|list)s?\b.*",
    )
)
# Of a place or a word that the memory knows, these are still the world's.
_WEATHER = _any(
    (
        r"what\s+(?:does|do)\s+(?:the\s+)?(?:acronym\s+|abbreviation\s+|letters\s+)?[A-Za-z]{2,6}\s+stand\s+for",
        r"(?:what(?:'s|\s+is|\s+will)|how(?:'s|\s+is|\s+will)|whats|tell\s+me)\s+the\s+(?:weather|forecast)\b.*",
        r"(?:weather|forecast)(?:\s+(?:in|for)\b.*)?",
        r"(?:will|is)\s+it\s+(?:going\s+to\s+)?(?:rain|snow|be\s+(?:sunny|cold|warm|hot)|raining|snowing)\b.*",
        r"(?:what(?:'s|\s+is)|whats)\s+the\s+(?:capital|population|currency|time\s+zone)\s+of\s+[\w\s]+",
    )
)
# A text that is given is worked on whatever it says.
_ON_TEXT = re.compile(
    r"(?:can\s+you\s+|could\s+you\s+|please\s+)*(?:translate|correct|fix|proofread|[\w\s]*:"
    r"|(?:polish|rephrase|reword|rewrite|paraphrase)\s+(?:this|the\s+following)\b)",
    re.IGNORECASE,
)
_ARITHMETIC = re.compile(
    r"(?:(?:what(?:'s|\s+is)|whats|calculate|compute|how\s+much\s+is|solve|evaluate)\s+)?"
    r"(?=\D*\d)(?:[\d\s.,()+*/^=x×÷%-]|plus|minus|times|divided\s+by|of|sqrt|sin|cos|tan|squared|cubed|mod"
    r"|to\s+the\s+power\s+of|the\s+square\s+root)+",
    re.IGNORECASE,
)
_OPERATOR = re.compile(
    r"(?<![\d-])\d+\s*-\s*\d+(?![\d-])|\d\s*(?:[+*/^x×÷%=]|plus|minus|times|divided|percent|squared|cubed"
    r"|mod)|sqrt|sin\(",
    re.IGNORECASE,
)
# Words of the owner's own life: then it is a question to the memory, not to the world.
_OWN = re.compile(
    r"\b(?:my|mine|our|ours|we|us|i'(?:ve|d|m)|did\s+i|have\s+i|was\s+i|am\s+i|told\s+you|remember)\b", re.IGNORECASE
)
# Longer texts bring material or a task of an agent; they are searched.
LONGEST_CLOSED = 300
# "How do I …" is what anybody asks of the world; any other "I" is the owner.
_I = re.compile(r"(?<!do\s)(?<!can\s)(?<!would\s)(?<!could\s)(?<!should\s)(?<!am\s)(?<![\w'])i\b(?!')", re.IGNORECASE)
_PREAMBLE = re.compile(
    r"^(?:(?:hi|hey|hello|ok(?:ay)?|so|well|please|pls|thanks|quick\s+question|can\s+you|could\s+you"
    r"|tell\s+me)\b[\s,.!:-]*)+",
    re.IGNORECASE,
)


_FOR_A_CHILD = re.compile(r"\s+(?:to\s+me\s+)?like\s+i'?m\s+(?:a\s+)?\w+(?:\s+years?\s+old)?$", re.IGNORECASE)


def closed_reason(text: str, names: Sequence[str]) -> str | None:
    """Why `text` needs no memory, None when it may need one. `names` are those of the memory that stand in it."""
    text = text.replace("’", "'").strip()
    if not re.search(r"\w", text):
        return "nothing to search for"
    if len(text) > LONGEST_CLOSED:
        return None
    if _SMALL_TALK.fullmatch(text):
        return "small talk"
    bare = re.sub(r"[?!.\s]+$", "", text)
    if _ARITHMETIC.fullmatch(bare) and _OPERATOR.search(bare):
        return "arithmetic"
    if _is_gibberish(bare):
        return "not a question"
    bare = _FOR_A_CHILD.sub("", bare)
    for candidate in (bare, _PREAMBLE.sub("", bare)):
        if _CHORE.fullmatch(candidate) and (_ON_TEXT.match(candidate) or not _OWN.search(_unquoted(candidate))):
            return "a chore that needs no memory"
        if _OWN.search(candidate):
            continue
        if _WRITING.fullmatch(candidate) and not names:
            return "a chore that needs no memory"
        if _PROGRAMMING.fullmatch(candidate) and all(name.casefold() in _LANGUAGES for name in names):
            return "programming in general"
        if (_WORLD.fullmatch(candidate) and not names) or _WEATHER.fullmatch(candidate):
            return "general knowledge"
    return None


def speaks_of_owner(text: str) -> bool:
    """Whether "my", "we" and the like show that it is about the owner's own life."""
    return bool(_OWN.search(text) or _I.search(text))


def _unquoted(text: str) -> str:
    return re.sub(r"(['\"]).*?\1", "", text)


def _is_gibberish(text: str) -> bool:
    """One run of consonants or of one character, as keys that were hit by chance."""
    letters = text.lower()
    return bool(
        re.fullmatch(r"(\S)\1{3,}", letters)
        or (re.fullmatch(r"[bcdfghjklmnpqrstvwxz]{6,}", letters))
        or re.fullmatch(r"(?:asdf|qwer|zxcv|jkl)[a-z;]*", letters)
    )
