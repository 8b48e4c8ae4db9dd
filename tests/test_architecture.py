"""The direction of imports (DESIGN): read from the source, so that a shortcut is seen when it is taken."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest

import core_search

PACKAGE = Path(core_search.__file__).parent
ROOT = PACKAGE.parent
SOURCES = sorted(PACKAGE.rglob("*.py"))

# An outside library and the files that alone may import it when the program runs.
HOMES = {
    "kuzu": {"stores/kuzu_connection.py"},
    "ladybug": {"stores/kuzu_connection.py"},
    "chromadb": {"stores/chroma_client.py"},
    "bm25s": {"stores/bm25_lexical.py"},
    "openai": {"providers/openai_provider.py"},
    "cohere": {"providers/cohere_provider.py"},
    "tiktoken": {"providers/tokens.py"},
    "onnxruntime": {"providers/local_embeddings.py"},
    "threadpoolctl": {"one_thread.py"},
}

# What the inner rooms must not know. The first match of a file decides.
FORBIDDEN = {
    "models.py": ("core_search.",),
    "errors.py": ("core_search.",),
    "trace.py": ("core_search.engine", "core_search.pipeline", "core_search.stores", "core_search.providers"),
    "stores/": (
        "core_search.engine",
        "core_search.pipeline",
        "core_search.handlers",
        "core_search.ui",
        "core_search.cli",
    ),
    "providers/": ("core_search.engine", "core_search.pipeline", "core_search.handlers", "core_search.ui"),
    "handlers/": ("core_search.engine", "core_search.pipeline", "core_search.ui", "core_search.cli"),
    "ranking/": ("core_search.engine", "core_search.pipeline", "core_search.ui", "core_search.cli"),
    "router/": ("core_search.engine", "core_search.pipeline", "core_search.ui", "core_search.cli"),
    "ingest/": ("core_search.engine", "core_search.stores", "core_search.ui", "core_search.cli"),
    "pipeline.py": ("core_search.engine", "core_search.ui", "core_search.cli"),
    "generation.py": ("core_search.library", "core_search.engine", "core_search.ui", "core_search.cli"),
    "library.py": ("core_search.engine", "core_search.pipeline", "core_search.ui", "core_search.cli"),
    "engine.py": ("core_search.ui", "core_search.cli"),
    "evaluation/": ("core_search.ui",),
}

# Where concrete stores are built.
BUILDERS = {"generation.py", "stores/", "bench/"}
CONCRETE = ("core_search.stores.kuzu_graph", "core_search.stores.chroma_vectors", "core_search.stores.bm25_lexical")


def place(path: Path) -> str:
    return path.relative_to(PACKAGE).as_posix()


def imports(path: Path) -> set[str]:
    """Modules that a file imports when it runs; imports for type checkers do not count."""
    tree = ast.parse(path.read_text("utf-8"))
    typing_only: set[ast.AST] = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.If) and ast.unparse(node.test) == "TYPE_CHECKING":
            typing_only.update(child for statement in node.body for child in ast.walk(statement))
    found: set[str] = set()
    for node in ast.walk(tree):
        if node in typing_only:
            continue
        if isinstance(node, ast.Import):
            found.update(alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module:
            found.add(node.module)
            found.update(f"{node.module}.{alias.name}" for alias in node.names)
    return found


@pytest.mark.parametrize("path", SOURCES, ids=place)
def test_outside_libraries_have_one_home(path):
    for name in imports(path):
        library = name.split(".")[0]
        if library in HOMES:
            assert place(path) in HOMES[library], f"{library} is imported in {place(path)}"
        if library == "streamlit":
            assert place(path).startswith("ui/"), f"streamlit is imported in {place(path)}"


@pytest.mark.parametrize("path", SOURCES, ids=place)
def test_imports_point_inwards(path):
    where = place(path)
    forbidden = next((names for prefix, names in FORBIDDEN.items() if where.startswith(prefix)), ())
    for name in imports(path):
        assert not name.startswith(tuple(forbidden)) or not forbidden, f"{where} imports {name}"


@pytest.mark.parametrize("path", SOURCES, ids=place)
def test_only_the_engine_builds_stores(path):
    where = place(path)
    if not any(where.startswith(builder) for builder in BUILDERS):
        assert not {name for name in imports(path) if name.startswith(CONCRETE)}


def test_only_settings_reads_the_environment():
    # tokens.py points tiktoken's own variable to the seeded folder while it loads, there is no other way in.
    allowed = {"settings.py", "providers/tokens.py"}
    readers = {
        place(path)
        for path in SOURCES
        if "os.environ" in path.read_text("utf-8") or "getenv" in path.read_text("utf-8")
    }
    assert readers <= allowed


def test_pages_are_thin():
    pages = [ROOT / "app.py", *sorted((ROOT / "pages").glob("*.py"))]
    for page in pages:
        lines = [line for line in page.read_text("utf-8").splitlines() if line.strip()]
        assert len(lines) <= 40, f"{page.name} has {len(lines)} lines: move them to core_search/ui"


def test_the_public_names():
    assert core_search.__all__ == [
        "CoreSearchError",
        "SearchEngine",
        "SearchRequest",
        "SearchResult",
        "Settings",
        "Trace",
        "open_workspace",
    ]


def test_every_query_type_has_a_handler():
    from core_search.handlers import HANDLERS
    from core_search.models import QueryType
    from core_search.pipeline import PIPELINE
    from core_search.trace import STAGES

    assert set(HANDLERS) == set(QueryType)
    assert tuple(PIPELINE) == STAGES
