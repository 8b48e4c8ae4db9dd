"""Other words for the values of an extraction. Models and people write what they mean; the meaning is often plain."""

from __future__ import annotations

import re
from collections.abc import Mapping
from enum import StrEnum
from typing import TypeVar

from core_search.models import Aspect, Facet, LookupMode, QueryType, TemporalType

Name = TypeVar("Name", bound=StrEnum)

QUERY_TYPE_WORDS: Mapping[str, QueryType] = {
    "aspect": QueryType.ASPECT_QUERY,
    "aspects": QueryType.ASPECT_QUERY,
    "aspect_search": QueryType.ASPECT_QUERY,
    "topic": QueryType.ASPECT_QUERY,
    "entity": QueryType.ENTITY_LOOKUP,
    "entities": QueryType.ENTITY_LOOKUP,
    "entity_query": QueryType.ENTITY_LOOKUP,
    "entity_search": QueryType.ENTITY_LOOKUP,
    "lookup": QueryType.ENTITY_LOOKUP,
    "time": QueryType.TEMPORAL,
    "temporal_query": QueryType.TEMPORAL,
    "timeline": QueryType.TEMPORAL,
    "facet": QueryType.TEMPORAL_FACETS,
    "facets": QueryType.TEMPORAL_FACETS,
    "temporal_facet": QueryType.TEMPORAL_FACETS,
    "explore": QueryType.EXPLORATORY,
    "exploration": QueryType.EXPLORATORY,
    "exploratory_query": QueryType.EXPLORATORY,
    "broad": QueryType.EXPLORATORY,
    "summary": QueryType.EXPLORATORY,
    "relation": QueryType.RELATIONSHIP,
    "relationships": QueryType.RELATIONSHIP,
    "relationship_query": QueryType.RELATIONSHIP,
    "connection": QueryType.RELATIONSHIP,
}

_ASPECT_WORDS: Mapping[Aspect, str] = {
    Aspect.DIRECTIVE: "directives rule rules instruction instructions guideline guidelines policy policies constraints",
    Aspect.PREFERENCE: "preferences like likes dislike dislikes favorite favorites favourite favourites taste tastes",
    Aspect.HABIT: "habits routine routines practice practices behavior behaviors behaviour behaviours",
    Aspect.BELIEF: "beliefs opinion opinions view views viewpoint viewpoints attitude attitudes values stance thoughts",
    Aspect.GOAL: "goals objective objectives aim aims ambition ambitions aspiration aspirations intention intentions",
    Aspect.TASK: "tasks todo todos to_do to_dos action_item action_items assignment assignments",
    Aspect.IDENTITY: "identities biography bio profile personal_info personal_information demographics background",
    Aspect.KNOWLEDGE: "fact facts information skill skills expertise definition definitions",
    Aspect.DECISION: "decisions choice choices",
    Aspect.EVENT: "events meeting meetings experience experiences incident incidents milestone milestones",
    Aspect.PROBLEM: "problems issue issues challenge challenges bug bugs blocker blockers difficulty difficulties",
    Aspect.RELATIONSHIP: "relationships relation relations connection connections family friends",
}
ASPECT_WORDS: Mapping[str, tuple[Aspect, ...]] = {
    **{word: (aspect,) for aspect, words in _ASPECT_WORDS.items() for word in words.split()},
    # What somebody does is both what they do regularly and what happened once.
    "activity": (Aspect.HABIT, Aspect.EVENT),
    "activities": (Aspect.HABIT, Aspect.EVENT),
    # A plan is something to reach and something to be done.
    "plan": (Aspect.GOAL, Aspect.TASK),
    "plans": (Aspect.GOAL, Aspect.TASK),
}

TEMPORAL_WORDS: Mapping[str, TemporalType] = {
    "relative": TemporalType.RECENT,
    "rolling": TemporalType.RECENT,
    "last": TemporalType.RECENT,
    "past": TemporalType.RECENT,
    "absolute": TemporalType.RANGE,
    "between": TemporalType.RANGE,
    "date_range": TemporalType.RANGE,
    "until": TemporalType.BEFORE,
    "since": TemporalType.AFTER,
    "from": TemporalType.AFTER,
    "none": TemporalType.ALL,
    "null": TemporalType.ALL,
    "any": TemporalType.ALL,
    "anytime": TemporalType.ALL,
    "all_time": TemporalType.ALL,
}

LOOKUP_MODE_WORDS: Mapping[str, LookupMode] = {
    "attr": LookupMode.ATTRIBUTE,
    "attributes": LookupMode.ATTRIBUTE,
    "property": LookupMode.ATTRIBUTE,
    "specific": LookupMode.ATTRIBUTE,
    "general": LookupMode.BROAD,
    "all": LookupMode.BROAD,
    "full": LookupMode.BROAD,
    "none": LookupMode.BROAD,
}

FACET_WORDS: Mapping[str, Facet] = {
    "topic": Facet.TOPICS,
    "label": Facet.TOPICS,
    "labels": Facet.TOPICS,
    "entity": Facet.ENTITIES,
    "people": Facet.ENTITIES,
    "aspect": Facet.ASPECTS,
}


def plain(word: str) -> str:
    """`Action Items` and `actionItems` to `action_items`: how the words of this file are written."""
    spaced = re.sub(r"(?<=[a-z0-9])(?=[A-Z])", "_", word.strip())
    return re.sub(r"\W+", "_", spaced).strip("_").casefold()


def member(names: type[Name], words: Mapping[str, Name], word: str) -> Name | None:
    """The value that `word` means: one of `names` in any spelling, or by one of the other words."""
    key = plain(word)
    return next((name for name in names if plain(name.value) == key), words.get(key))
