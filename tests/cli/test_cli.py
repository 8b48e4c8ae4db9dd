from __future__ import annotations

import json

import pytest

from core_search.cli import build_parser, main
from core_search.ingest import write_bundle
from core_search.ingest.values import Query
from tests.small import bundle

KEYS_OF_SPEC = {
    "query": None,
    "workspace": None,
    "now": None,
    "router": {
        "matchedLabels", "aspects", "queryType", "temporal", "shouldSearch", "entityHints", "selectedLabels",
        "lookupMode", "attributeHint", "facets", "confidence", "routingTimeMs",
    },
    "gate": {"open", "reason", "confidence", "threshold"},
    "episodes": None,
    "entity": None,
    "statements": None,
    "voiceStatements": None,
    "facets": None,
    "invalidatedFacts": None,
    "budget": {"limit", "used", "kept", "dropped"},
    "degraded": None,
    "trace": {"version", "id", "startedAt", "durationMs", "stages"},
}  # fmt: skip
EPISODE_KEYS = {
    "uuid", "kind", "content", "createdAt", "validAt", "sessionId", "labelIds", "labels", "score", "scoreName",
    "sources", "tokens",
}  # fmt: skip


@pytest.fixture(scope="module")
def home(tmp_path_factory):
    folder = tmp_path_factory.mktemp("cli")
    write_bundle(bundle(), folder / "small")
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("CORE_SEARCH_HOME", str(folder / "home"))
        assert main(["load", str(folder / "small")]) == 0
        yield folder


@pytest.fixture
def run(home, capsys):
    def call(*arguments):
        code = main([str(argument) for argument in arguments])
        captured = capsys.readouterr()
        return code, captured.out, captured.err

    return call


@pytest.fixture
def run_json(run):
    def call(*arguments):
        code, out, err = run(*arguments, "--json")
        assert code == 0, err
        return json.loads(out)

    return call


def test_search_has_every_key_of_the_wire_format(run_json):
    result = run_json("search", "what is my view on code review", "--workspace", "small")
    for key, inner in KEYS_OF_SPEC.items():
        assert key in result
        if inner is not None:
            assert inner <= set(result[key])
    assert set(result["router"]) == KEYS_OF_SPEC["router"]
    assert set(result["trace"]["stages"][0]) == {
        "name", "status", "note", "startMs", "durationMs", "in", "out", "dropped", "steps", "ledger",
    }  # fmt: skip
    for episode in result["episodes"]:
        assert set(episode) >= EPISODE_KEYS


@pytest.mark.parametrize(("confidence", "is_open"), [(0.19, False), (0.20, True)])
def test_router_output_stands_in_for_the_extraction(run_json, home, confidence, is_open):
    path = home / "router.json"
    path.write_text(json.dumps({"queryType": "aspect_query", "aspects": ["opinions"], "confidence": confidence}))
    result = run_json("search", "code review", "--workspace", "small", "--router-output", path)
    assert result["gate"]["open"] is is_open
    assert bool(result["episodes"]) is is_open
    assert result["router"]["aspects"] == ["Belief"]


def test_settings_change_the_search_and_the_budget_holds(run, run_json):
    result = run_json("search", "code review", "--workspace", "small", "--set", "token_budget=20")
    assert result["budget"]["used"] <= 20
    assert result["budget"]["dropped"] >= 1
    ledger = next(stage for stage in result["trace"]["stages"] if stage["name"] == "budget")["ledger"]
    assert {e["code"] for e in ledger} == {None, "over_budget"}
    assert all(e["detail"]["tokens"] > 0 for e in ledger)
    nothing = run_json("search", "code review", "--workspace", "small", "--set", "token_budget=0")
    assert nothing["episodes"] == []
    assert nothing["budget"]["kept"] == 0
    for wrong in ("token_budget=-1", "colour=red", "limit"):
        code, out, err = run("search", "code review", "--workspace", "small", "--set", wrong)
        assert (code, out) == (1, "")
        assert len(err.strip().splitlines()) == 1


def test_an_unknown_workspace_is_one_line_on_stderr(run):
    code, out, err = run("search", "x", "--workspace", "nowhere")
    assert (code, out) == (1, "")
    assert "nowhere" in err
    assert "Traceback" not in err


def test_wrong_usage_ends_with_2():
    with pytest.raises(SystemExit) as ended:
        main(["search"])
    assert ended.value.code == 2


def test_debug_shows_the_error_itself():
    from core_search import CoreSearchError

    with pytest.raises(CoreSearchError):
        main(["search", "x", "--workspace", "nowhere", "--debug"])


def test_a_broken_bundle_changes_nothing(run, run_json, home):
    before = run_json("workspaces")
    folder = home / "broken"
    write_bundle(bundle(), folder)
    lines = (folder / "episodes.jsonl").read_text("utf-8").splitlines()
    (folder / "episodes.jsonl").write_text("\n".join([*lines, "{half", '{"uuid": "x"}']), "utf-8")
    code, _, err = run("load", folder, "--replace")
    assert code == 1
    assert "episodes.jsonl:7" in err
    assert "episodes.jsonl:8" in err
    assert run_json("workspaces") == before


def test_run_writes_a_trec_run(run, home):
    queries = home / "queries.jsonl"
    lines = [
        Query(id=f"q{n}", query=text).model_dump_json(exclude_defaults=True) for n, text in enumerate(("soup", "chess"))
    ]
    queries.write_text("\n".join(lines))
    code, _, err = run("run", queries, "--workspace", "small", "--out", home / "run.txt", "--depth", 3)
    assert code == 0, err
    rows = [line.split() for line in (home / "run.txt").read_text().splitlines()]
    assert {row[0] for row in rows} == {"q0", "q1"}
    for query in ("q0", "q1"):
        mine = [row for row in rows if row[0] == query]
        assert [int(row[3]) for row in mine] == list(range(1, len(mine) + 1))
        assert len(mine) <= 3
        assert [float(row[4]) for row in mine] == sorted((float(row[4]) for row in mine), reverse=True)
        assert all(row[1] == "Q0" and row[5] == "core-search" for row in mine)
    assert rows[0][2] == "e4"


def test_route_prints_a_line_of_json_a_query(run, home):
    queries = home / "route.jsonl"
    queries.write_text('{"id": "a", "query": "who is Ann Lee"}\n{"id": "b", "query": "soup last week"}\n')
    code, out, _ = run("route", queries, "--workspace", "small", "--json")
    answers = [json.loads(line) for line in out.splitlines()]
    assert code == 0
    assert (answers[0]["id"], answers[0]["queryType"]) == ("a", "entity_lookup")
    assert answers[1]["temporal"]["days"] == 7


def test_export_and_load_again(run, run_json, home):
    code, _, err = run("export", home / "out.zip", "--workspace", "small")
    assert code == 0, err
    assert run("load", home / "out.zip", "--workspace", "again")[0] == 0
    counts = {meta["name"]: (meta["counts"], meta["fingerprint"]) for meta in run_json("workspaces")}
    assert counts["again"] == counts["small"]


def test_rebuild_and_reembed_keep_the_memory(run, run_json):
    before = run_json("search", "soup", "--workspace", "small")
    for command in ("rebuild", "reembed"):
        code, _, err = run(command, "--workspace", "small")
        assert code == 0, err
    after = run_json("search", "soup", "--workspace", "small")
    assert [e["uuid"] for e in before["episodes"]] == [e["uuid"] for e in after["episodes"]]


def test_doctor_tells_keys_only_as_set_or_not_set(run_json, monkeypatch):
    monkeypatch.setenv("COHERE_API_KEY", "co-secret-1234567")
    report = run_json("doctor")
    assert report["keys"] == {"OPENAI_API_KEY": False, "COHERE_API_KEY": True}
    assert "secret" not in json.dumps(report)
    assert {p["part"]: p["chosen"] for p in report["providers"]}["reranker"] == "cohere"
    assert report["problems"] == []


def test_a_provider_without_its_key_says_what_to_set(run, monkeypatch):
    monkeypatch.setenv("CORE_SEARCH_ROUTER", "openai")
    code, _, err = run("search", "soup", "--workspace", "small")
    assert code == 1
    assert "OPENAI_API_KEY" in err


def test_every_command_has_help(capsys):
    for action in build_parser()._actions:
        for name in getattr(action, "choices", None) or ():
            with pytest.raises(SystemExit) as ended:
                main([name, "--help"])
            assert ended.value.code == 0


def test_a_kept_run_is_forked_from_a_stage(run, run_json):
    code, _, err = run("search", "code review", "--workspace", "small", "--keep")
    assert code == 0
    run_id = err.strip().split()[-1]
    forked = run_json("search", "--from", run_id, "--set", "token_budget=0")
    assert forked["query"] == "code review"
    assert forked["parent"] == run_id
    assert forked["episodes"] == []
    earlier = run_json("search", "--from", run_id, "--stage", "rerank", "--set", "limit=1")
    assert len(earlier["episodes"]) == 1
    assert run("search", "--from", "nothing")[0] == 1
