"""LoCoMo on a conversation small enough to check by hand, and on the real file where there is one."""

from __future__ import annotations

import copy
import json
import os
from collections import Counter
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest

from core_search.errors import BundleError, UsageError
from core_search.ingest import Qrel, Query, read_bundle, read_locomo, write_bundle
from core_search.ingest.locomo_aspects import aspect_of
from core_search.ingest.locomo_evidence import resolve
from core_search.models import Aspect, EntityType

SAMPLE: dict[str, Any] = {
    "sample_id": "conv-1",
    "conversation": {
        "speaker_a": "Ann Lee",
        "speaker_b": "Bo",
        "session_10": [{"speaker": "Bo", "dia_id": "D10:1", "text": "Hi."}],
        "session_10_date_time": "12:09 am on 9 May, 2023",
        "session_2": [
            {"speaker": "Ann Lee", "dia_id": "D2:1", "text": "I adopted a dog.", "blip_caption": "a brown dog"},
            {"speaker": "Bo", "dia_id": "D2:2", "text": "Great!", "img_url": ["https://example.org/a.jpg"]},
        ],
        "session_2_date_time": "1:56 pm on 8 May, 2023",
        "session_11": [],
        "session_12_date_time": "1:56 pm on 8 June, 2023",
    },
    "observation": {
        "session_2_observation": {
            "Ann Lee": [["Ann adopted a dog.", "D2:1"], ["Ann loves dogs.", ["D2:1", "D2:02"]]],
            "Bo": [["Bo is kind.", "D7:7"], ["lonely"]],
        }
    },
    "session_summary": {"session_2_summary": "Ann tells Bo of her dog."},
    "event_summary": {"events_session_2": {}},
    "qa": [
        {"question": "What did Ann adopt?", "answer": "a dog", "evidence": ["D2:1; D2:2"], "category": 4},
        {"question": "When?", "answer": 2023, "evidence": ["D2:1", "D"], "category": 2},
        {"question": "Why?", "answer": "?", "evidence": [], "category": 3},
        {"question": "Whose cat?", "adversarial_answer": "Bo", "evidence": ["D10:1"], "category": 5},
    ],
}
DEV = Path(os.environ.get("LOCOMO_PATH", Path(__file__).parents[3] / "shared" / "data" / "locomo_dev.json"))


@pytest.fixture
def file(tmp_path: Path) -> Callable[..., Path]:
    def write(*samples: Any) -> Path:
        path = tmp_path / "locomo.json"
        path.write_text(json.dumps(samples))
        return path

    return write


def test_turns_become_episodes_in_the_order_of_sessions(file):
    (bundle,) = read_locomo(file(SAMPLE))

    assert [(episode.uuid, episode.session_id, episode.content) for episode in bundle.memory.episodes] == [
        ("conv-1/D2:1", "conv-1/session_2", "Ann Lee: I adopted a dog. [image: a brown dog]"),
        ("conv-1/D2:2", "conv-1/session_2", "Bo: Great!"),
        ("conv-1/D10:1", "conv-1/session_10", "Bo: Hi."),
    ]


def test_a_turn_is_valid_at_its_session_and_created_in_its_place(file):
    (bundle,) = read_locomo(file(SAMPLE))

    session = datetime(2023, 5, 8, 13, 56, tzinfo=UTC)
    assert [episode.valid_at for episode in bundle.memory.episodes[:2]] == [session, session]
    assert [episode.created_at for episode in bundle.memory.episodes[:2]] == [session, session + timedelta(seconds=1)]


def test_times_are_local_and_the_clock_stands_a_day_after_the_last_session_with_turns(file):
    (bundle,) = read_locomo(file(SAMPLE), timezone="America/New_York")

    assert bundle.memory.episodes[-1].valid_at == datetime(2023, 5, 9, 4, 9, tzinfo=UTC)
    assert bundle.header.clock == datetime(2023, 5, 10, 4, 9, tzinfo=UTC)
    assert bundle.header.timezone == "America/New_York"


def test_speakers_observations_and_summaries(file):
    (bundle,) = read_locomo(file(SAMPLE))
    memory = bundle.memory

    assert [(entity.uuid, entity.name, entity.type) for entity in memory.entities] == [
        ("conv-1/ann-lee", "Ann Lee", EntityType.PERSON),
        ("conv-1/bo", "Bo", EntityType.PERSON),
    ]
    assert [(fact.uuid, fact.aspect, fact.subject, fact.episode_uuids) for fact in memory.statements] == [
        ("conv-1/session_2/obs1", Aspect.EVENT, "conv-1/ann-lee", ("conv-1/D2:1",)),
        ("conv-1/session_2/obs2", Aspect.PREFERENCE, "conv-1/ann-lee", ("conv-1/D2:1", "conv-1/D2:2")),
        ("conv-1/session_2/obs3", Aspect.KNOWLEDGE, "conv-1/bo", ()),
    ]
    assert [(document.id, document.session_id, document.content) for document in memory.documents] == [
        ("conv-1/session_2", "conv-1/session_2", "Ann tells Bo of her dog.")
    ]


def test_questions_become_queries_with_judgments(file):
    (bundle,) = read_locomo(file(SAMPLE))

    assert bundle.queries == (
        Query(id="conv-1/q1", query="What did Ann adopt?", tags=("category-4",), need="Answer: a dog"),
        Query(id="conv-1/q2", query="When?", tags=("category-2",), need="Answer: 2023"),
        Query(id="conv-1/q4", query="Whose cat?", tags=("category-5",)),
    )
    assert bundle.qrels == (
        Qrel(query_id="conv-1/q1", doc_id="conv-1/D2:1", grade=1),
        Qrel(query_id="conv-1/q1", doc_id="conv-1/D2:2", grade=1),
        Qrel(query_id="conv-1/q2", doc_id="conv-1/D2:1", grade=1),
        Qrel(query_id="conv-1/q4", doc_id="conv-1/D10:1", grade=1),
    )


def test_every_repair_and_leave_out_is_noted(file):
    (bundle,) = read_locomo(file(SAMPLE))

    assert bundle.notes == (
        "conv-1/session_2/obs2: evidence 'D2:02' read as D2:2",
        "conv-1/session_2/obs3: evidence 'D7:7' left out: there is no turn D7:7",
        "conv-1/session_2/obs4: observation left out: not a fact of a speaker with its evidence",
        "conv-1/q1: evidence 'D2:1; D2:2' read as D2:1, D2:2",
        "conv-1/q2: evidence 'D' left out: it names no turn",
        "conv-1/q3: question left out: without evidence it cannot be judged",
    )


def test_conversations_joined_in_one_workspace_stay_apart_and_keep_their_clocks(file, tmp_path: Path):
    later = copy.deepcopy(SAMPLE)
    later["sample_id"] = "conv-2"
    later["conversation"]["session_10_date_time"] = "9:00 am on 1 July, 2023"

    (bundle,) = read_locomo(file(SAMPLE, later), single_workspace="both")

    assert bundle.header.name == "both"
    assert bundle.header.clock == datetime(2023, 7, 2, 9, tzinfo=UTC)
    assert {query.now for query in bundle.queries if query.id.startswith("conv-1/")} == {
        datetime(2023, 5, 10, 0, 9, tzinfo=UTC)
    }
    assert len(bundle.memory.episodes) == 6
    assert read_bundle(write_bundle(bundle, tmp_path / "both")) == bundle.model_copy(update={"notes": ()})


def test_speakers_whose_names_give_one_slug_stay_two(file):
    sample = copy.deepcopy(SAMPLE)
    sample["conversation"]["speaker_b"] = "ANN-LEE"

    (bundle,) = read_locomo(file(sample))

    assert [entity.uuid for entity in bundle.memory.entities] == ["conv-1/ann-lee", "conv-1/ann-lee-2", "conv-1/bo"]


@pytest.mark.parametrize(
    ("evidence", "turns"),
    [
        ("D1:3", ["D1:3"]),
        (["D1:3", "D1:3"], ["D1:3"]),
        ("D1:3; D2:4", ["D1:3", "D2:4"]),
        ("D1:3 D2:4", ["D1:3", "D2:4"]),
        ("D1:3, D2:4", ["D1:3", "D2:4"]),
        (["D1:03"], ["D1:3"]),
        (["D:1:3"], ["D1:3"]),
        (["d1-3", "(D2:4)"], ["D1:3", "D2:4"]),
        (["D9:9", "D2:4"], ["D2:4"]),
        (["D", 7, None, ["D1:3"]], ["D1:3"]),
        ([], []),
        (None, []),
    ],
)
def test_evidence_is_repaired_where_it_can_be(evidence, turns):
    assert resolve(evidence, {"D1:3", "D2:4"})[0] == turns


@pytest.mark.parametrize(
    ("fact", "aspect"),
    [
        ("Bo plans to move.", Aspect.GOAL),
        ("Bo decided to move.", Aspect.DECISION),
        ("Bo enjoys tea.", Aspect.PREFERENCE),
        ("Bo believes in luck.", Aspect.BELIEF),
        ("Bo runs every week.", Aspect.HABIT),
        ("Bo needs to call home.", Aspect.TASK),
        ("Bo struggles with sleep.", Aspect.PROBLEM),
        ("Bo is the brother of Ann.", Aspect.RELATIONSHIP),
        ("Bo works as a nurse.", Aspect.IDENTITY),
        ("Bo won a race.", Aspect.EVENT),
        ("Bo has a car.", Aspect.KNOWLEDGE),
    ],
)
def test_the_first_rule_with_a_word_of_the_fact_gives_the_aspect(fact, aspect):
    assert aspect_of(fact) is aspect


def test_every_problem_of_the_shape_is_told_at_once(file):
    broken = copy.deepcopy(SAMPLE)
    conversation = broken["conversation"]
    conversation["session_2"][0]["dia_id"] = "D2:2"
    conversation["session_10"][0] = {"speaker": "Bo", "text": 3}
    conversation["session_2_date_time"] = "yesterday"
    del conversation["speaker_b"]

    with pytest.raises(BundleError) as caught:
        read_locomo(file(SAMPLE, broken, SAMPLE))

    assert [problem.split(": ")[1] for problem in caught.value.problems] == [
        "[1].sample_id",
        "[1].conversation.session_2",
        "[1].conversation.session_2_date_time",
        "[1].conversation.session_10[0].dia_id",
        "[1].conversation.session_10[0].text",
        "[1].conversation.speaker_b",
        "[1].conversation",
        "[2].sample_id",
    ]


@pytest.mark.parametrize(
    ("content", "field"),
    [
        (b"{}", "file"),
        (b"[]", "file"),
        (b"", "file"),
        (b"\xff", "file"),
        (b"[1]", "[0]"),
        (b'[{"sample_id": "a"}]', "[0].conversation"),
        (b'[{"sample_id": "a b", "conversation": {}}]', "[0].sample_id"),
    ],
)
def test_another_shape_is_a_bundle_error(tmp_path: Path, content, field):
    path = tmp_path / "x.json"
    path.write_bytes(content)

    with pytest.raises(BundleError) as caught:
        read_locomo(path)
    assert caught.value.problems[0].startswith(f"x.json: {field}: ")


def test_an_unknown_time_zone_is_a_usage_error(file):
    with pytest.raises(UsageError, match="unknown time zone 'Mars/Base'"):
        read_locomo(file(SAMPLE), timezone="Mars/Base")


@pytest.mark.skipif(not DEV.exists(), reason="LoCoMo is not here; set LOCOMO_PATH to its file")
class TestRealFile:
    def test_every_judgment_names_an_episode_and_every_fact_has_provenance(self):
        for bundle in read_locomo(DEV):
            episodes = {episode.uuid for episode in bundle.memory.episodes}
            assert {qrel.doc_id for qrel in bundle.qrels} <= episodes
            assert {qrel.query_id for qrel in bundle.qrels} == {query.id for query in bundle.queries}
            assert all(statement.episode_uuids for statement in bundle.memory.statements)
            assert len({episode.session_id for episode in bundle.memory.episodes}) == len(bundle.memory.documents)

    def test_few_questions_are_left_out_and_every_category_is_there(self):
        bundles = read_locomo(DEV)
        asked = sum(len(sample["qa"]) for sample in json.loads(DEV.read_text()))
        kept = Counter(tag for bundle in bundles for query in bundle.queries for tag in query.tags)

        assert set(kept) == {f"category-{number}" for number in range(1, 6)}
        assert 0.99 * asked <= kept.total() <= asked

    def test_all_in_one_workspace_is_a_valid_bundle(self, tmp_path: Path):
        (bundle,) = read_locomo(DEV, single_workspace="locomo")

        assert read_bundle(write_bundle(bundle, tmp_path / "locomo.zip")) == bundle.model_copy(update={"notes": ()})
