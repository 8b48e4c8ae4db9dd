"""Point 4: whatever the text or value, an answer or an error of our tree; never anything else.

The pure functions take thousands of cases, whole searches a few hundred: together some 5,500.
"""

from __future__ import annotations

import contextlib
import json
from datetime import UTC, datetime, timedelta, timezone
from zoneinfo import ZoneInfo

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from core_search import SearchEngine, SearchRequest, Settings, Trace
from core_search.entities import EntityNames, normalise
from core_search.errors import BundleError, CoreSearchError, SearchFailed, UsageError, redact
from core_search.ingest import read_bundle
from core_search.ingest.values import Bundle, Header
from core_search.models import (
    Aspect,
    Document,
    Entity,
    EntityType,
    Episode,
    Extraction,
    Label,
    Memory,
    QueryType,
    Statement,
    Temporal,
    TemporalType,
)
from core_search.options import SearchOptions, parse_settings
from core_search.pasted_keys import without_keys
from core_search.providers.base import Question
from core_search.providers.tokens import Tokens
from core_search.ranking.budget import fit
from core_search.router.prompt import messages_for
from core_search.router.repair import UnusableAnswer, extraction_from_mapping, repair
from core_search.router.rules import RulesExtractor
from core_search.router.rules.dates import read_dates
from core_search.timeline import in_words, moment_range, resolve
from core_search.trace import STAGES
from core_search.workspace import checked_name
from tests.robustness.hostile import JSON, NASTY, NUMBERS, TEXTS, mapping
from tests.small import ENTITIES, NOW, bundle, route

ROUTER_KEYS = [field.alias or name for name, field in Extraction.model_fields.items()]
NAMES = EntityNames(ENTITIES)
ZONES = st.sampled_from(["UTC", "America/New_York", "Asia/Kolkata", "Pacific/Apia", "Europe/Lisbon"]).map(ZoneInfo)
MOMENTS = st.datetimes(datetime(2, 1, 1), datetime(9998, 1, 1), timezones=st.just(UTC))


# What a memory can hold: half a character is refused by its values.
STORED = TEXTS.map(lambda text: text.encode("utf-8", "replace").decode())


def cases(count: int):
    """So many cases, offline and without a clock of hypothesis: the machine may be busy."""
    return settings(max_examples=count, deadline=None, database=None, suppress_health_check=list(HealthCheck))


@cases(700)
@given(mapping(ROUTER_KEYS), st.none() | st.sampled_from(list(QueryType)))
def test_router_outputs(output, query_type):
    if query_type:
        output["queryType"] = query_type
    try:
        extraction, notes = extraction_from_mapping(output, None, "the test")
    except UnusableAnswer:
        return
    assert 0 <= extraction.confidence <= 1
    assert all(notes)


@cases(500)
@given(TEXTS | JSON.map(lambda value: json.dumps(value)) | mapping(ROUTER_KEYS).map(lambda value: json.dumps(value)))
def test_texts_of_a_model(text):
    try:
        extraction, _ = repair(text, ())
    except UnusableAnswer:
        return
    assert extraction.selected_labels == ()  # of labels that did not match none may be selected


@cases(400)
@given(TEXTS, MOMENTS, ZONES)
def test_queries_and_clocks(query, now, zone):
    now = now.astimezone(zone)
    answer = RulesExtractor().extract(Question(query, now, zone.key, (), NAMES))
    assert 0 <= answer.extraction.confidence <= 1
    assert isinstance(read_dates(query, now, NAMES.find_in(query)).text_without_dates, str)
    with contextlib.suppress(UsageError):
        assert isinstance(in_words(resolve(answer.extraction.temporal, now, zone), zone), str)


@cases(600)
@given(
    st.dictionaries(st.sampled_from([*SearchOptions.model_fields, "unknown", "\0"]), JSON | NUMBERS, max_size=3),
    st.lists(TEXTS, max_size=2),
)
def test_settings(changes, pairs):
    for attempt in (lambda: SearchOptions().with_changes(changes), lambda: parse_settings(pairs)):
        with contextlib.suppress(UsageError):
            attempt()


@cases(700)
@given(TEXTS | MOMENTS, TEXTS | MOMENTS, ZONES, st.sampled_from(list(TemporalType)), st.none() | st.integers())
def test_dates(start, end, zone, kind, days):
    for attempt in (
        lambda: moment_range(start, end, zone),
        lambda: resolve(Temporal(type=kind, days=days, start_date=str(start), end_date=str(end)), NOW, zone),
    ):
        try:
            found = attempt()
        except UsageError:
            continue
        assert found.start is None or found.end is None or found.start.astimezone(UTC) < found.end.astimezone(UTC)


@cases(400)
@given(STORED, STORED, st.dictionaries(STORED, STORED, max_size=2))
def test_names_and_attributes(name, alias, attributes):
    assert normalise(normalise(name)) is not None
    if not name:
        return
    entity = Entity(uuid="n", name=name, aliases=(alias,), type=EntityType.PERSON, attributes=attributes)
    names = EntityNames([entity])
    assert names.exact(name) == (["n"] if normalise(name) or names.exact(name) else [])
    # A writing without spaces is found in its normal form.
    text = f"x {name} y"
    assert all(found in text or found in normalise(text) for found in names.find_in(text))


@cases(1_000)
@given(st.lists(st.integers(0, 10**12), max_size=20), st.integers(0, 10**12))
def test_budgets(tokens, limit):
    stays = fit(tokens, limit)
    assert sum(count for count, stay in zip(tokens, stays, strict=True) if stay) <= limit


@cases(700)
@given(TEXTS, TEXTS, st.text("abcdefghij0123456789", min_size=20, max_size=40))
def test_keys_are_struck_out_of_anything(before, after, tail):
    key = f"sk-1{tail}"
    assert key not in redact(f"{before} {key} {after}")
    request = SearchRequest(query=f"{before} {key}", set={"label_ids": f"{after},{key}"}, router_output={key: [key]})
    assert key not in repr(without_keys(request, (key,)))
    assert key not in repr(without_keys(request, ()).set)


@pytest.fixture(scope="module")
def tokens(tmp_path_factory):
    return Tokens(tmp_path_factory.mktemp("tokens"))


@cases(500)
@given(TEXTS)
def test_prompts_names_of_memories_and_tokens(tokens, text):
    [*_, asked] = messages_for(Question(text, NOW, "UTC", (), NAMES))
    asked["content"].encode()  # can be sent
    assert tokens.count(text) >= 0
    with contextlib.suppress(UsageError):
        assert checked_name(text) == text


FIELDS = ["uuid", "id", "name", "content", "fact", "aspect", "type", "validAt", "createdAt", "attributes", "subject"]


@cases(100)
@given(
    st.dictionaries(
        st.sampled_from(["episodes.jsonl", "entities.jsonl", "statements.jsonl", "workspace.json"]),
        st.lists(mapping(FIELDS).map(json.dumps), max_size=3).map("\n".join),
    )
)
def test_lines_of_bundles(tmp_path_factory, files):
    folder = tmp_path_factory.getbasetemp() / "fuzzed"
    folder.mkdir(exist_ok=True)
    for name, text in {"workspace.json": '{"name": "a"}', "episodes.jsonl": "", **files}.items():
        (folder / name).write_text(text, "utf-8")
    with contextlib.suppress(BundleError):
        read_bundle(folder)
    for path in folder.iterdir():
        path.unlink()


# ---------------------------------------------------------------- whole searches


def storable(text: str) -> str:
    """What a bundle can hold: half a character is refused there."""
    return text.encode("utf-8", "replace").decode()


def strange() -> Bundle:
    """A memory every name, id and text of which is hostile."""
    texts = [storable(text) for text in NASTY]
    day = timedelta(days=1)
    entities = tuple(
        Entity(uuid=f"n{text}", name=text or "n", aliases=(text,), type=EntityType.PERSON, attributes={text: text})
        for text in texts
    )
    return Bundle(
        header=Header(name="strange", version="V2", clock=NOW, owner=entities[3].uuid),
        memory=Memory(
            labels=tuple(Label(id=f"l{text}", name=text or "l", description=text) for text in texts),
            entities=entities,
            episodes=(
                *(
                    Episode(
                        uuid=f"e{text}",
                        content=text,
                        session_id=text,
                        end_user_id=text,
                        created_at=NOW,
                        valid_at=NOW - i * day,
                        label_ids=(f"l{text}",),
                    )
                    for i, text in enumerate(texts)
                ),
                Episode(uuid="big", content="soup ' \" {} \U0001f600 " * 60_000, created_at=NOW, valid_at=NOW),
            ),
            statements=tuple(
                Statement(
                    uuid=f"s{text}",
                    fact=text or "f",
                    aspect=list(Aspect)[i % 12],
                    valid_at=NOW - i * day,
                    subject=f"n{text}",
                    object=f"n{texts[(i + 1) % len(texts)]}",
                    episode_uuids=(f"e{text}",),
                )
                for i, text in enumerate(texts)
            ),
            documents=tuple(
                Document(id=f"d{text}", session_id=text, title=text, content=text, created_at=NOW, updated_at=NOW)
                for text in texts
            ),
        ),
    )


@pytest.fixture(scope="module")
def engine(tmp_path_factory):
    with SearchEngine(Settings(home=tmp_path_factory.mktemp("strange"))) as engine:
        engine.load(strange())
        engine.load(bundle())
        yield engine


def check(engine: SearchEngine, request: SearchRequest) -> None:
    """A result or an error of ours, both with a whole trace in which nothing is lost."""
    try:
        result = engine.search(request)
    except SearchFailed as failed:
        if not isinstance(failed.__cause__, CoreSearchError):
            raise
        trace = failed.trace
    except CoreSearchError:
        return
    else:
        trace = result.trace
        json.dumps(result.wire()).encode()
    assert [stage.name for stage in trace.stages] == list(STAGES)
    assert all(stage.in_ == stage.out + stage.dropped == len(stage.ledger) for stage in trace.stages)
    assert Trace.model_validate(json.loads(json.dumps(trace.wire()))) == trace


@cases(120)
@given(TEXTS, st.sampled_from(["strange", "small"]), st.none() | mapping(ROUTER_KEYS), st.sampled_from(list(QueryType)))
def test_searches(engine, query, workspace, output, query_type):
    if output is not None:
        output = {**output, "queryType": query_type, "shouldSearch": True, "confidence": 1}
    check(engine, SearchRequest(query=query, workspace=workspace, router_output=output))


@cases(100)
@given(
    st.sampled_from(list(QueryType)),
    st.lists(st.sampled_from(NASTY), min_size=2, max_size=3),
    st.dictionaries(st.sampled_from(list(SearchOptions.model_fields)), JSON | NUMBERS, max_size=2),
)
def test_searches_with_hostile_hints_and_settings(engine, query_type, words, changes):
    output = route(query_type, entityHints=words, selectedLabels=words, attributeHint=words[0], lookupMode="attribute")
    check(engine, SearchRequest(query=words[0], workspace="strange", router_output=output, set=changes))


@pytest.mark.parametrize("text", [*NASTY, "soup " * 200_000, "\U0001f600" * 250_000, "'\"{}\0" * 200_000])
def test_every_hostile_text_and_a_megabyte_of_it(engine, text):
    check(engine, SearchRequest(query=text, workspace="strange"))


def test_injected_cypher_deletes_nothing(engine):
    with engine.memory("strange") as memory:
        counts = memory.stores.graph.counts()
    for text in NASTY:
        check(engine, SearchRequest(query=text, workspace="strange", set={"label_ids": [text], "end_user_ids": [text]}))
    with engine.memory("strange") as memory:
        assert memory.stores.graph.counts() == counts
    assert engine.export("strange").memory == engine.export("strange").memory


def test_offsets_of_seconds_are_instants_too(engine):
    odd = timezone(timedelta(hours=5, minutes=53, seconds=28))  # Kolkata before 1906
    check(engine, SearchRequest(query="soup", workspace="small", now=NOW.astimezone(odd)))
