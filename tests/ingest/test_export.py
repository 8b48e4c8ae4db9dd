"""What is written reads as what it was: for any memory, as a folder and as a zip."""

from __future__ import annotations

import shutil
import tempfile
from datetime import UTC, datetime, timedelta, timezone
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from core_search.errors import BundleError, UsageError
from core_search.ingest import Bundle, Header, Qrel, Query, read_bundle, write_bundle
from core_search.models import Aspect, Document, Entity, EntityType, Episode, EpisodeType, Label, Memory, Statement

TEXT = st.text(st.characters(exclude_categories=["Cs"]), max_size=20)
NAME = TEXT.filter(bool)
IDS = st.lists(st.text("abc/:_é", min_size=1, max_size=3), unique=True, min_size=1, max_size=4)
# Offsets with seconds are those of local times before time zones; fractions must survive too.
ZONES = st.sampled_from([UTC, timezone(timedelta(hours=5, minutes=30)), timezone(timedelta(seconds=-3208))])
INSTANTS = st.datetimes(datetime(1, 1, 3), datetime(9999, 12, 28), timezones=ZONES)
ATTRIBUTES = st.dictionaries(TEXT, TEXT, max_size=2)


@st.composite
def bundles(draw: st.DrawFn) -> Bundle:
    labels, episodes, entities, statements, documents, queries = (draw(IDS) for _ in range(6))
    some = lambda ids: tuple(draw(st.lists(st.sampled_from(ids), unique=True)))  # noqa: E731
    maybe = lambda ids: draw(st.none() | st.sampled_from(ids))  # noqa: E731
    moment = lambda: draw(INSTANTS)  # noqa: E731
    facts = []
    for index, uuid in enumerate(statements):
        valid_at = moment()
        facts.append(
            Statement(
                uuid=uuid,
                fact=draw(NAME),
                aspect=draw(st.sampled_from(Aspect)),
                valid_at=valid_at,
                invalid_at=draw(st.none() | st.just(valid_at)),
                invalidated_by=maybe(statements[:index]) if index else None,
                event_date=draw(st.none() | INSTANTS),
                attributes=draw(ATTRIBUTES),
                subject=maybe(entities),
                predicate=maybe(entities),
                object=maybe(entities),
                episode_uuids=some(episodes),
            )
        )
    memory = Memory(
        labels=tuple(Label(id=id_, name=draw(NAME), description=draw(TEXT), color=draw(TEXT)) for id_ in labels),
        episodes=tuple(
            Episode(
                uuid=uuid,
                content=draw(TEXT),
                source=draw(TEXT),
                type=draw(st.sampled_from(EpisodeType)),
                session_id=draw(TEXT),
                created_at=moment(),
                valid_at=moment(),
                label_ids=some(labels),
            )
            for uuid in episodes
        ),
        entities=tuple(
            Entity(
                uuid=uuid,
                name=draw(NAME),
                aliases=tuple(draw(st.lists(TEXT, max_size=2))),
                type=draw(st.sampled_from(EntityType)),
                attributes=draw(ATTRIBUTES),
            )
            for uuid in entities
        ),
        statements=tuple(facts),
        documents=tuple(
            Document(
                id=id_,
                session_id=draw(TEXT),
                title=draw(TEXT),
                content=draw(TEXT),
                label_ids=some(labels),
                created_at=moment(),
                updated_at=moment(),
            )
            for id_ in documents
        ),
    )
    pairs = draw(st.lists(st.tuples(st.sampled_from(queries), st.sampled_from(episodes)), unique=True, max_size=3))
    return Bundle(
        header=Header(
            name=draw(NAME),
            version=draw(NAME),
            timezone=draw(st.sampled_from(["UTC", "Asia/Kolkata"])),
            clock=draw(st.none() | INSTANTS),
            owner=maybe(entities),
            description=draw(TEXT),
        ),
        memory=memory,
        queries=tuple(
            Query(id=id_, query=draw(NAME), now=draw(st.none() | INSTANTS), tags=("a",), type=draw(st.none() | TEXT))
            for id_ in queries
        ),
        qrels=tuple(Qrel(query_id=q, doc_id=e, grade=draw(st.integers(-3, 3))) for q, e in pairs),
    )


@settings(max_examples=60, deadline=None)
@given(bundle=bundles(), name=st.sampled_from(["memory", "memory.zip"]))
def test_writing_and_reading_gives_the_same_bundle(bundle, name):
    with tempfile.TemporaryDirectory() as folder:
        assert read_bundle(write_bundle(bundle, Path(folder) / name)) == bundle


@pytest.fixture
def bundle(write_files) -> Bundle:
    return read_bundle(write_files())


def test_equal_bundles_give_equal_zips(bundle, tmp_path: Path):
    first, second = write_bundle(bundle, tmp_path / "a.zip"), write_bundle(bundle, tmp_path / "b.zip")

    assert first.read_bytes() == second.read_bytes()


def test_a_written_zip_unpacks_to_a_bundle_folder(bundle, tmp_path: Path):
    shutil.unpack_archive(write_bundle(bundle, tmp_path / "a.zip"), tmp_path / "b")

    assert read_bundle(tmp_path / "b") == bundle


@pytest.mark.parametrize("name", ["memory", "out.zip"])
def test_an_existing_target_is_left_alone(bundle, tmp_path: Path, name):
    (tmp_path / "out.zip").write_text("mine")

    with pytest.raises(UsageError, match="exists already"):
        write_bundle(bundle, tmp_path / name)
    assert (tmp_path / "out.zip").read_text() == "mine"


def test_an_empty_folder_and_a_new_parent_will_do(bundle, tmp_path: Path):
    (tmp_path / "empty").mkdir()

    for target in (tmp_path / "empty", tmp_path / "new" / "deep"):
        assert read_bundle(write_bundle(bundle, target)) == bundle


@pytest.mark.parametrize("name", ["out", "out.zip"])
def test_a_bundle_that_would_not_read_back_leaves_nothing(bundle, tmp_path: Path, name):
    broken = bundle.model_copy(update={"memory": bundle.memory.model_copy(update={"entities": ()})})

    with pytest.raises(BundleError, match=r"'ann' is not in entities\.jsonl"):
        write_bundle(broken, tmp_path / name)
    assert [path.name for path in tmp_path.iterdir()] == ["memory"]


def test_a_target_that_cannot_be_written_is_a_usage_error(bundle, tmp_path: Path):
    (tmp_path / "file").write_text("")

    with pytest.raises(UsageError, match="cannot write"):
        write_bundle(bundle, tmp_path / "file" / "out")
