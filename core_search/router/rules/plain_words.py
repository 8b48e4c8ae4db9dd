"""Words that name nobody, whatever their capital says."""

from __future__ import annotations

# Openers of sentences in five languages, the calendar, common abbreviations, what agents' prompts are made of.
_NO_NAMES = """
i i'm i've i'd i'll a an the this that these those it he she we you they my our your his her their its me us
what what's whats who who's whose whom when where why how which is are was were am be been do does did done has
have had can could should would will shall may might must and or but if so then also not no yes any all some
every each both between since before after until during from in on at for with about of to by as into over under
last next first please pls ok okay hi hey hello thanks thank show tell give list find get look search summarize
summarise summary recap overview brief catch bring remind remember recall explain describe compare count break
pull load gather retrieve return fetch check use using write draft task todo note notes context background
everything anything something someone nobody people topics topic things stats decision decisions rule rules
problem problems preference preferences goal goals tasks habit habits open booking shortest path connection
relationship link info information details birthday phone email monday tuesday wednesday thursday friday
saturday sunday january february march april june july august september october november december mon tue wed
thu fri sat sun jan feb mar apr jun jul aug sep sept oct nov dec today yesterday tomorrow q1 q2 q3 q4 h1 h2 pr
prs ci cd api apis ui ux id ids fyi tldr tl dr asap eta llm ai json csv pdf url http https sql html css readme
adr rfc okr okrs kpi user users assistant agent system human you're don't answer keep group only never always
here's let let's now wer wie wo wann welche welcher welches ich wir mein meine der die das den seit vor im über
hat habe qué que quién cuál cuándo dónde cómo mi mis el la los las un una de sobre resumen qui quoi quel quelle
quels quelles quand où comment qu'est-ce est-ce j'ai je nous ma mes le les fais résume cosa chi quale quali
quando dove come ho abbiamo il lo gli riassumi cos'è english german french spanish italian portuguese danish
again still currently really actually exactly there here themselves together other ever friends kennt
geburtstag telefonnummer adresse christmas easter kennen
hatte hatten war waren ist sind gibt gib zeig fass fasse hazme dame ponme mets donne dimmi fammi aggiornami
c'est e-mail e-mail-adresse mail email-adresse nummer handynummer github gitlab wi-fi wifi new year year's eve
labels notes entries themen thema zusammenfassung
"""
NO_NAMES = frozenset(_NO_NAMES.split())

# Names in some memory and plain words in most sentences; written small they are words.
_WORDS = "go port launch will may mark lead met is builds start end swift rust spring bill art"
PLAIN_WORDS = frozenset(_WORDS.split())
