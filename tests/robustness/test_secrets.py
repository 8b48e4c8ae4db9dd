"""Point 8: a key that was pasted anywhere is in no error, trace, run or export."""

from __future__ import annotations

import json

import pytest

from core_search import SearchEngine, SearchRequest, Settings
from core_search.cli import main
from core_search.errors import CoreSearchError
from core_search.ingest import write_bundle
from core_search.options import SearchOptions
from core_search.records import Records
from tests.small import route

IN_USE = "sk-live-4f9a8b7c6d5e4f3a2b1c0d9e"
PASTED = "sk-proj-Zz98Yy76Xx54Ww32Vv10Uu98"
PLAIN = "just-some-words-of-a-key-server"  # nothing tells that this is one, but it is in use


@pytest.fixture
def engine(copied):
    settings = Settings(home=copied, openai_api_key=IN_USE, cohere_api_key=PLAIN)
    settings = settings.model_copy(update={"router": "local", "embeddings": "local", "reranker": "local"})
    with SearchEngine(settings) as engine:
        yield engine


@pytest.mark.parametrize("name", list(SearchOptions.model_fields))
@pytest.mark.parametrize("key", [IN_USE, PASTED, PLAIN])
def test_pasted_into_a_setting(engine, name, key):
    request = SearchRequest(query="soup", workspace="small", router_output=route("exploratory"), set={name: key})
    try:
        said = engine.search(request).model_dump_json()
    except CoreSearchError as error:
        said = f"{error} {getattr(error, 'trace', '')!r}"
    assert key not in said


def test_pasted_into_the_query_or_the_route(engine, copied):
    records = Records(engine.settings)
    for key in (IN_USE, PLAIN):
        output = route("entity_lookup", entityHints=[key], selectedLabels=[key], attributeHint=key)
        for request in (
            SearchRequest(query=f"soup {key}", workspace="small"),
            SearchRequest(query="soup", workspace="small", router_output=output),
        ):
            result = engine.search(request)
            assert key not in result.model_dump_json()
            assert key not in records.export(records.save(result))
    assert all(key not in (copied / "records.db").read_bytes().decode("latin-1") for key in (IN_USE, PLAIN))
    records.database.close()


def test_pasted_into_the_command_line(copied, monkeypatch, capsys):
    monkeypatch.setenv("CORE_SEARCH_HOME", str(copied))
    monkeypatch.setenv("OPENAI_API_KEY", IN_USE)
    for part in ("ROUTER", "EMBEDDINGS", "RERANKER"):
        monkeypatch.setenv(f"CORE_SEARCH_{part}", "local")
    for setting in (
        f"label_ids={PASTED}",
        f"limit={PASTED}",
        f"{PASTED}=1",
        PASTED,
        f"start={IN_USE}",
        f"sort={IN_USE}",
    ):
        main(["search", "soup", "--workspace", "small", "--json", "--set", setting])
    main(["search", f"soup {IN_USE}", "--workspace", "small", "--json"])
    main(["doctor", "--json"])
    said = "".join(capsys.readouterr())
    assert PASTED not in said
    assert IN_USE not in said
    assert '"episodes"' in said


def test_an_export_of_the_memory_has_no_key(engine, tmp_path):
    folder = write_bundle(engine.export("small"), tmp_path / "export")
    texts = b"".join(path.read_bytes() for path in folder.iterdir()).decode()
    assert all(key not in texts for key in (IN_USE, PLAIN))
    assert json.loads((folder / "workspace.json").read_text())["name"] == "small"
