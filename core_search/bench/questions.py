"""The questions of the benchmark: some of each query type and of V1, no two alike, so that each is embedded anew.

Each comes with the answer of a router, so that its type is fixed, or without one, so that the rules read it.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from datetime import timedelta
from typing import Any

import numpy as np
from numpy.random import Generator

from core_search.bench.synthetic import CLOCK
from core_search.bench.words import FIRST_NAMES
from core_search.bench.world import SEED, Topic, World, zipf
from core_search.models import QueryType
from core_search.results import SearchRequest

V1 = "v1"
KINDS = (*(kind.value for kind in QueryType), V1)
_DAYS = (7, 30, 90)

Router = dict[str, Any]
# What a route says when a question does not say otherwise.
_ROUTE: Router = {
    "aspects": [],
    "temporal": {"type": "all", "days": None, "startDate": None, "endDate": None},
    "shouldSearch": True,
    "entityHints": [],
    "selectedLabels": [],
    "lookupMode": "broad",
    "attributeHint": None,
    "facets": [],
    "confidence": 0.9,
}


@dataclass(frozen=True)
class BenchQuestion:
    """`kind` is a query type, or `v1`. Without a router's answer the rules route it."""

    kind: str
    text: str
    router_output: Mapping[str, Any] | None = None
    set: Mapping[str, Any] = field(default_factory=dict)

    def request(self, workspace: str) -> SearchRequest:
        return SearchRequest(query=self.text, workspace=workspace, router_output=self.router_output, set=dict(self.set))


def questions(world: World, each: int, series: int = 0) -> list[BenchQuestion]:
    """`each` of every kind with a router's answer, and as many of every query type without one, well mixed.

    Another `series` has other questions.
    """
    random = np.random.default_rng((SEED, 5, series))
    made: list[BenchQuestion] = []
    for kind, ask in _ASKED.items():
        topics = random.choice(len(world.topics), size=2 * each, replace=2 * each > len(world.topics)).tolist()
        for number, topic in enumerate(topics):
            if number >= each and kind == V1:
                break  # the rules cannot ask for a fallback
            text, router, options = ask(world, random, number, world.topics[topic])
            router = {**_ROUTE, **router}
            made.append(BenchQuestion(kind, text, router if number < each else None, options))
    return [made[place] for place in random.permutation(len(made)).tolist()]


Asked = tuple[str, Router, Mapping[str, Any]]


def _aspect_query(world: World, random: Generator, number: int, topic: Topic) -> Asked:
    text = f"what is my view on {topic.words[0]} and {topic.words[1]}"
    router: Router = {"queryType": "aspect_query", "aspects": ["Preference", "Belief"]}
    if number % 2:
        router["selectedLabels"] = [world.labels[topic.label].name]
    if number % 4 == 0:
        name = _name(world, random)
        text, router["entityHints"] = f"{text} with {name}", [name]
    return text, router, {}


def _entity_lookup(world: World, random: Generator, number: int, topic: Topic) -> Asked:
    name = _name(world, random, first_name=number % 5 == 4)
    if number % 2:
        router: Router = {"lookupMode": "attribute", "attributeHint": "birthday"}
        text = f"what is the birthday of {name}"
    else:
        router, text = {"lookupMode": "broad"}, f"what do I know about {name} and {topic.words[0]}"
    return text, {"queryType": "entity_lookup", "entityHints": [name], **router}, {}


def _temporal(world: World, random: Generator, number: int, topic: Topic) -> Asked:
    days = _DAYS[number % 3]
    text = f"what happened with {topic.words[0]} {topic.words[1]} in the last {days} days"
    router: Router = {"queryType": "temporal", "temporal": {"type": "recent", "days": days}}
    if number % 3 == 2:
        start = CLOCK.date() - timedelta(days=int(random.integers(40, 900)))
        end = start + timedelta(days=30)
        router["temporal"] = {"type": "range", "startDate": start.isoformat(), "endDate": end.isoformat()}
        text = f"what happened with {topic.words[0]} {topic.words[1]} between {start} and {end}"
    if number % 4 == 0:
        name = _name(world, random)
        text, router["entityHints"] = f"{text} with {name}", [name]
    return text, router, {}


def _temporal_facets(world: World, random: Generator, number: int, topic: Topic) -> Asked:
    days = (7, 30, 30, 90)[number % 4]
    text = f"which topics did I discuss in the last {days} days, {topic.words[0]} {topic.words[1]} or others"
    return text, {"queryType": "temporal_facets", "temporal": {"type": "recent", "days": days}}, {}


def _exploratory(world: World, random: Generator, number: int, topic: Topic) -> Asked:
    text = f"summarize everything about {topic.words[0]} and {topic.words[1]}"
    router: Router = {"queryType": "exploratory"}
    if number % 2:
        router["selectedLabels"] = [world.labels[topic.label].name]
    if number % 4 == 0:
        name = _name(world, random)
        text, router["entityHints"] = f"{text} for {name}", [name]
    return text, router, {}


def _relationship(world: World, random: Generator, number: int, topic: Topic) -> Asked:
    """With the owner, who is linked to very many, or between two others, often by a chain through the owner."""
    names = [world.entities[0].name, _name(world, random)] if number % 2 else [_name(world, random) for _ in "ab"]
    text = f"how are {names[0]} and {names[1]} connected, is it {topic.words[0]} or {topic.words[1]}"
    return text, {"queryType": "relationship", "entityHints": names}, {}


def _v1(world: World, random: Generator, number: int, topic: Topic) -> Asked:
    """A label that nothing has leaves V2 without an answer."""
    text = f"anything on {topic.words[0]} or {topic.words[1]} for {_name(world, random)}"
    return text, {"queryType": "exploratory"}, {"label_ids": "no-such-label", "backstop": False}


_ASKED: Mapping[str, Callable[[World, Generator, int, Topic], Asked]] = {
    "aspect_query": _aspect_query,
    "entity_lookup": _entity_lookup,
    "temporal": _temporal,
    "temporal_facets": _temporal_facets,
    "exploratory": _exploratory,
    "relationship": _relationship,
    V1: _v1,
}


def _name(world: World, random: Generator, first_name: bool = False) -> str:
    """A name of the memory, those that are spoken of most before others; or one that only vectors can find."""
    if first_name:
        return FIRST_NAMES[int(random.integers(len(FIRST_NAMES)))]
    return world.entities[int(random.choice(len(world.entities), p=zipf(len(world.entities))))].name
