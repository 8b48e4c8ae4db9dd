import subprocess
import sys

import pytest

from core_search.errors import MissingKey
from core_search.providers.build import build_providers
from core_search.settings import Settings

KEY = "sk-0123456789abcdef"


def chosen(settings):
    return [(choice.part, choice.chosen) for choice in build_providers(settings).choices]


def test_without_keys_everything_is_local(tmp_path):
    providers = build_providers(Settings(home=tmp_path))
    assert [(choice.part, choice.chosen) for choice in providers.choices] == [
        ("router", "local"),
        ("embeddings", "local"),
        ("reranker", "local"),
        ("tokens", "local"),
    ]
    assert providers.choices[0].why == "CORE_SEARCH_ROUTER is 'auto' and OPENAI_API_KEY is not set"
    assert providers.embedder.model == providers.choices[1].model
    assert not list(tmp_path.iterdir())  # nothing is loaded or written before it is needed


def test_auto_uses_the_keys(tmp_path):
    providers = build_providers(Settings(home=tmp_path, openai_api_key=KEY, cohere_api_key=KEY))
    assert [choice.chosen for choice in providers.choices] == ["openai", "openai", "cohere", "local"]
    assert [choice.model for choice in providers.choices[:3]] == [
        "gpt-4o-mini",
        "text-embedding-3-small",
        "rerank-v3.5",
    ]
    assert [providers.extractor.name, providers.embedder.model] == ["openai", "text-embedding-3-small"]
    assert KEY not in repr(providers)


def test_each_part_can_be_kept_local(tmp_path):
    settings = Settings(home=tmp_path, openai_api_key=KEY, cohere_api_key=KEY, embeddings="local", reranker="local")
    assert chosen(settings)[:3] == [("router", "openai"), ("embeddings", "local"), ("reranker", "local")]


@pytest.mark.parametrize(
    ("part", "value", "variable", "key"),
    [
        ("router", "openai", "CORE_SEARCH_ROUTER", "OPENAI_API_KEY"),
        ("embeddings", "openai", "CORE_SEARCH_EMBEDDINGS", "OPENAI_API_KEY"),
        ("reranker", "cohere", "CORE_SEARCH_RERANKER", "COHERE_API_KEY"),
    ],
)
def test_a_named_provider_without_its_key_is_refused(tmp_path, part, value, variable, key):
    for blank in ({}, {"openai_api_key": " ", "cohere_api_key": ""}):
        with pytest.raises(MissingKey, match=f"{variable} is '{value}', but {key} is not set; set {key}"):
            build_providers(Settings(home=tmp_path, **{part: value}, **blank))


def test_the_server_is_named_without_its_password(tmp_path):
    settings = Settings(
        home=tmp_path, openai_api_key=KEY, openai_base_url="http://me:hidden@models.test:8000/v1?k=hidden"
    )
    assert build_providers(settings).choices[0].why.endswith("; server models.test")
    assert "hidden" not in repr(build_providers(settings).choices)


def test_a_local_installation_imports_no_sdk(tmp_path):
    code = (
        "import sys; from pathlib import Path; from core_search.settings import Settings;"
        "from core_search.providers.build import build_providers;"
        f"build_providers(Settings(home=Path({str(tmp_path)!r})));"
        "print([name for name in ('openai', 'cohere', 'onnxruntime') if name in sys.modules])"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"
