"""A plain rule that gives LoCoMo's observations an aspect, which the data set does not have.

The first row of `RULES` with one of its words in the fact decides; a fact with none of them is Knowledge. It is no
classifier: it only makes the aspects of a LoCoMo memory differ enough for `aspect_query` to have something to select.
"""

from __future__ import annotations

import re

from core_search.models import Aspect

# Stance comes first ("plans to", "loves"), then what happened, which nearly every fact could be.
RULES: tuple[tuple[Aspect, str], ...] = (
    (
        Aspect.GOAL,
        r"plan(?:s|ning)?|hop(?:es|ing)|wants?|aim(?:s|ing)|goals?|dreams?|aspir\w+|intends?|looking forward",
    ),
    (Aspect.DECISION, r"decid(?:ed|es)|decision|cho(?:se|ice|osing)|chosen"),
    (Aspect.PREFERENCE, r"lov(?:es?|ed|ing)|enjoy\w*|favou?rites?|prefers?|likes?|fan of|passion\w*|hates?|dislikes?"),
    (Aspect.BELIEF, r"believ\w+|thinks?|feels?|values?|considers?|sees|opinion|finds?|appreciat\w+|important to"),
    (Aspect.HABIT, r"usually|often|regular(?:ly)?|routine|every (?:day|week|month|year)|daily|weekly|tradition|habit"),
    (Aspect.TASK, r"(?:needs?|has) to"),
    (Aspect.PROBLEM, r"struggl\w+|difficult\w*|problems?|overwhelm\w*|stress\w*|injur\w+|challeng\w+|lost|worr\w+"),
    (Aspect.RELATIONSHIP, r"friends?|friendship|husband|wife|married|engaged|mother|father|mom|dad|sister|brother"),
    (Aspect.IDENTITY, r"works as|member of|identif\w+|born|originally|grew up|career|job"),
    (
        Aspect.EVENT,
        r"recently|yesterday|ago|last \w+|attended|went|visited|won|started|joined|bought|received|participated|met"
        r"|took|finished|completed|hosted|organized|made|got|had|painted|tried|signed|moved|adopted|launched|created",
    ),
)
_COMPILED = tuple((aspect, re.compile(rf"\b(?:{words})\b", re.IGNORECASE)) for aspect, words in RULES)


def aspect_of(fact: str) -> Aspect:
    """The aspect of an observation by the words in it."""
    return next((aspect for aspect, words in _COMPILED if words.search(fact)), Aspect.KNOWLEDGE)
