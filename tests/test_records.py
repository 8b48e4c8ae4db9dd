from __future__ import annotations

import json
import threading
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

from core_search.errors import SearchFailed, StoreError, UnknownItem, UsageError
from core_search.models import RouterOutput
from core_search.options import SearchOptions
from core_search.presets import Presets
from core_search.records import Records
from core_search.results import BudgetResult, GateDecision, SearchRequest, SearchResult
from core_search.settings import Settings
from core_search.trace import Recorder

NOW = datetime(2026, 3, 1, 18, tzinfo=UTC)


def result(query: str = "tea", **changes: Any) -> SearchResult:
    recorder = Recorder()
    with recorder.stage("route") as stage, stage.step("extract") as step:
        step.detail["prompt"] = "a prompt"
    values: dict[str, Any] = {
        "query": query,
        "workspace": "w",
        "now": NOW,
        "router": RouterOutput(),
        "gate": GateDecision(open=True, reason="", confidence=1, threshold=0.2),
        "budget": BudgetResult(limit=10, used=0, kept=0, dropped=0),
        "options": SearchOptions(start="2026-01-01"),
        "fingerprint": "f" * 16,
        "providers": {"embedder": "m"},
        "trace": recorder.trace(),
    }
    return SearchResult(**{**values, **changes})


def failed(query: str = "tea") -> tuple[SearchRequest, SearchFailed]:
    recorder = Recorder()
    with pytest.raises(ValueError, match="nothing works"), recorder.stage("route"):
        raise ValueError("nothing works")
    return SearchRequest(query=query, workspace="w"), SearchFailed("nothing works", recorder.trace())


@pytest.fixture
def records(tmp_path: Path) -> Records:
    return Records(Settings(home=tmp_path))


def test_a_kept_run_is_the_result_again(records: Records) -> None:
    kept = result()
    run = records.load(records.save(kept))
    assert run.result == kept
    assert run.failure is None
    assert (run.head.status, run.head.query, run.head.workspace) == ("ok", "tea", "w")
    assert (run.trace, run.options, run.fingerprint) == (kept.trace, kept.options, kept.fingerprint)


def test_ids_are_short_and_can_be_read_out(records: Records) -> None:
    run_id = records.save(result())
    assert len(run_id) == 8
    assert not set(run_id) & set("ilou")


def test_a_failed_search_is_kept_with_its_trace(records: Records) -> None:
    request, error = failed()
    run = records.load(records.save_failed(request, error, options=SearchOptions(limit=3)))
    assert run.result is None
    assert run.trace == error.trace
    assert (run.head.status, run.head.error, run.options.limit) == ("failed", "nothing works", 3)


def test_an_unknown_id_is_named(records: Records) -> None:
    for call in (records.load, records.delete, records.pin, records.export):
        with pytest.raises(UnknownItem, match="'zzzzzzzz'"):
            call("zzzzzzzz")


def test_recent_has_pinned_runs_first_then_the_newest(records: Records) -> None:
    ids = [records.save(result(f"q{number}")) for number in range(4)]
    records.pin(ids[1])
    assert [run.id for run in records.recent()] == [ids[1], ids[3], ids[2], ids[0]]
    assert [run.id for run in records.recent(2)] == [ids[1], ids[3]]
    assert records.recent(workspace="another") == []


def test_a_name_stands_for_the_query_until_it_is_empty(records: Records) -> None:
    run_id = records.save(result())
    records.rename(run_id, "  my\n tea ")
    assert records.recent()[0].title == "my tea"
    records.rename(run_id, "")
    assert records.recent()[0].title == "tea"


def test_a_removed_run_is_gone(records: Records) -> None:
    run_id = records.save(result())
    records.delete(run_id)
    assert records.recent() == []


def test_the_oldest_unpinned_run_makes_room(tmp_path: Path) -> None:
    records = Records(Settings(home=tmp_path), max_runs=2)
    first, second = records.save(result("a")), records.save(result("b"))
    records.pin(first)
    third = records.save(result("c"))
    assert {run.id for run in records.recent()} == {first, third}
    assert second not in {first, third}


def test_the_store_is_limited_in_bytes_but_keeps_the_newest(tmp_path: Path) -> None:
    records = Records(Settings(home=tmp_path), max_bytes=1)
    records.save(result("a"))
    newest = records.save(result("b"))
    assert [run.id for run in records.recent()] == [newest]


def test_the_keys_in_use_never_get_in(tmp_path: Path) -> None:
    secret = "sk-live-0123456789abcdef"
    records = Records(Settings(home=tmp_path, openai_api_key=secret))  # type: ignore[arg-type]
    run_id = records.save(result(f"what is {secret}"))
    request, error = failed(f"again {secret}")
    failed_id = records.save_failed(request, SearchFailed(f"refused {secret}", error.trace), options=SearchOptions())
    for kept in (run_id, failed_id):
        assert secret not in records.export(kept)
        assert secret not in str(records.load(kept))
    records.database.close()
    assert secret.encode() not in (tmp_path / "records.db").read_bytes()


def test_a_placeholder_for_a_key_leaves_texts_alone(tmp_path: Path) -> None:
    records = Records(Settings(home=tmp_path, openai_api_key="e"))  # type: ignore[arg-type]
    assert records.load(records.save(result("green tea"))).head.query == "green tea"


def test_a_run_is_carried_to_another_installation(records: Records, tmp_path: Path) -> None:
    run_id = records.save(result())
    records.rename(run_id, "named")
    elsewhere = Records(Settings(home=tmp_path / "elsewhere"))
    arrived = elsewhere.import_run(records.export(run_id))
    there, here = elsewhere.load(arrived), records.load(run_id)
    assert arrived == run_id
    assert there.result == here.result
    assert (there.head.name, there.head.created_at) == ("named", here.head.created_at)


def test_a_failed_run_is_carried_too(records: Records, tmp_path: Path) -> None:
    request, error = failed()
    text = records.export(records.save_failed(request, error, options=SearchOptions()))
    elsewhere = Records(Settings(home=tmp_path / "elsewhere"))
    assert elsewhere.load(elsewhere.import_run(text)).head.error == "nothing works"


def test_the_same_run_twice_is_one_and_a_taken_id_gives_way(records: Records) -> None:
    run_id = records.save(result())
    text = records.export(run_id)
    assert records.import_run(text) == run_id
    changed = json.loads(text)
    changed["body"]["result"]["query"] = "coffee"
    other = records.import_run(json.dumps(changed))
    assert other != run_id
    assert len(records.recent()) == 2


@pytest.mark.parametrize(
    "text", ["", "[]", "{}", "not json", '{"format":"core-search run","version":9}', b"\xff\xfe"], ids=repr
)
def test_what_is_no_run_is_refused(records: Records, text: str | bytes) -> None:
    with pytest.raises(UsageError, match="not an exported run"):
        records.import_run(text)


def test_a_run_without_a_body_is_refused(records: Records) -> None:
    file = json.loads(records.export(records.save(result())))
    file["body"] = {}
    with pytest.raises(UsageError, match="a result or a failure"):
        records.import_run(json.dumps(file))


def test_an_equal_search_is_found_again(records: Records) -> None:
    kept = result()
    run_id = records.save(kept)
    setup = records.load(run_id).head.setup
    assert records.find("tea", "w", setup) == run_id
    assert records.find("tea", "w", "another setup") is None


def test_many_threads_write_at_once(tmp_path: Path) -> None:
    failures: list[Exception] = []

    def write(number: int) -> None:
        try:
            Records(Settings(home=tmp_path)).save(result(f"q{number}"))
        except Exception as error:  # collected: a thread's error would vanish
            failures.append(error)

    threads = [threading.Thread(target=write, args=(number,)) for number in range(12)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert failures == []
    assert len(Records(Settings(home=tmp_path)).recent()) == 12


def test_a_database_that_cannot_be_used_says_so(tmp_path: Path) -> None:
    records = Records(Settings(home=tmp_path, database_url=f"sqlite:///{tmp_path / 'nowhere' / 'records.db'}"))
    with pytest.raises(StoreError, match="DATABASE_URL"):
        records.recent()


def test_presets_are_kept_checked_and_removed(records: Records) -> None:
    presets = Presets(records.database)
    presets.save(" small  one ", {"limit": "5", "token_budget": 400})
    presets.save("small one", {"limit": 6})
    assert presets.names() == ["small one"]
    assert presets.load("small one") == {"limit": 6}
    presets.delete("small one")
    with pytest.raises(UnknownItem, match="'small one'"):
        presets.load("small one")


def test_a_preset_has_a_name_and_known_settings(records: Records) -> None:
    presets = Presets(records.database)
    with pytest.raises(UsageError, match="1 to 60"):
        presets.save("  ", {})
    with pytest.raises(UsageError, match="unknown setting"):
        presets.save("x", {"colour": 1})
