"""The words of the synthetic memory. Real words carry the topics, so that a real query lies near what it asks for."""

from __future__ import annotations


def _words(text: str) -> tuple[str, ...]:
    return tuple(text.split())


# Each domain is a label; its words, two and two, are the topics. The first word names the domain.
DOMAINS: tuple[tuple[str, ...], ...] = tuple(
    _words(line)
    for line in """
    health doctor appointment blood pressure medicine allergy physiotherapy dentist sleep headache vaccine insurance
    running marathon training interval shoes pace heartbeat trail stretching injury coach finish warmup kilometre
    cooking recipe dinner oven garlic soup bread spices vegetables dessert knife roast pasta baking
    travel flight hotel passport luggage train itinerary visa museum beach airport booking suitcase island
    finance budget savings mortgage invoice tax pension salary expense bank investment loan receipt interest
    engineering deployment refactoring compiler latency database backend testing release bug container cache queue
    review pull-request reviewer approval comments branch merge diff checklist linting pairing feedback style
    incident outage alert pager rollback postmortem monitoring dashboard recovery escalation downtime trigger log
    design prototype typography layout colour sketch wireframe usability icon illustration grid mockup contrast
    marketing campaign newsletter audience brand slogan advert conversion landing analytics sponsor launch press
    sales customer contract prospect pricing discount renewal demo pipeline quota negotiation partner lead
    hiring interview candidate resume offer onboarding referral recruiter vacancy probation team panel notice
    family birthday wedding daughter grandmother cousin school nursery anniversary uncle picnic holiday baby
    garden tomato compost pruning seedling lawn greenhouse tulip hedge watering soil mulch orchard
    music guitar concert piano melody rehearsal album vinyl choir chord rhythm orchestra festival
    reading novel library chapter author essay biography poetry bookshop translation paperback critic series
    cinema film director screening documentary actor script trailer subtitle comedy thriller premiere scene
    house renovation kitchen plumber paint roof window heating carpenter furniture rent boiler tiles
    cycling bicycle helmet pedal gravel route puncture chain saddle commute hill brake tour
    photography camera lens portrait exposure tripod darkroom shutter landscape print flash negative frame
    language vocabulary grammar pronunciation lesson dictionary accent fluency verb tutor idiom listening exam
    science experiment microscope hypothesis laboratory sample telescope particle journal measurement theory gene
    legal lawyer clause court licence trademark privacy compliance lawsuit notary patent consent regulation
    pets puppy veterinarian leash kitten aquarium feeding shelter grooming collar hamster vaccination walk
    """.strip().splitlines()
)

# What stands between the topic words of any text, the most frequent first.
COMMON = _words(
    """
    the to and of a in that we it is was for on with he she they this be at have not as but from by or an had which
    there been more when will what about would who can all if out up said one so then them into some could my than
    other after also made over just back only now new time because any these two may first our us how work did its
    good day most way even again long before last between next year need still should through where much well week
    never another too while around until morning evening today tomorrow always often later quick small early late
    decided asked told wrote called planned agreed changed tried started finished moved bought found kept sent took
    wants likes prefers thinks believes hopes worries remembers forgot mentioned noticed explained suggested promised
    meeting plan idea problem question answer reason change result detail note call message list part place thing
    people friend colleague group office city street room table phone number month hour minute weekend summer winter
    better easier cheaper faster slower harder important possible ready open clear sure different same whole half
    """
)

FIRST_NAMES = _words(
    """
    Anna Boris Chen Daria Emil Fatima Goran Hana Ivan Jana Karim Leila Marek Nadia Omar Petra Quentin Rosa Samir Tara
    Umar Vera Wim Ximena Yusuf Zora Amir Beata Cyril Doris Edgar Freya Gita Hugo Iris Jakob Kira Lars Mina Nils Olga
    Pavel Rania Stefan Thea Uma Viktor Wanda Yara Zeno
    """
)
NAME_STARTS = _words("Bar Cal Dor Fen Gal Hol Kes Lor Mar Nov Orl Pel Ros Sel Tar Ul Var Wes Yor Zan")
NAME_MIDDLES = _words("a an e el i in o or u ur am en is ot")
NAME_ENDS = _words("berg din field gard ham kov land mann nik ova rin sen son stad ton vic wick yan")

PREDICATES = _words(
    """
    works-at knows lives-in manages uses prefers attended owns wrote fixed planned visited recommended reported-to
    teaches bought sold met called leads joined left built reviewed
    """
)

# Rare words of the long tail (names, jargon, typing errors) are made of these.
SYLLABLES = _words(
    """
    ba be bi bo da de di do fa fi ga ge go ha he ja ka ke ki ko la le li lo ma me mi mo na ne ni no pa pe po ra re ri
    ro sa se si so ta te ti to va ve vi vo wa za zu
    """
)
