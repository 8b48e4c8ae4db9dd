"""The doctor command: what is installed, what is in use and why, and what to do."""

from __future__ import annotations

import argparse
import importlib.metadata
import platform
from typing import Any

from core_search.cli.output import print_json
from core_search.engine import SearchEngine
from core_search.errors import CoreSearchError
from core_search.workspace import list_workspaces

PACKAGES = ("core-search", "kuzu", "ladybug", "chromadb", "openai", "cohere", "tiktoken", "streamlit", "bm25s")


def _arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--json", action="store_true")


def _doctor(given: argparse.Namespace) -> int:
    with SearchEngine() as engine:
        report = examine(engine)
    if given.json:
        print_json(report)
    else:
        _print(report)
    return 1 if report["problems"] else 0


def examine(engine: SearchEngine) -> dict[str, Any]:
    """Everything that decides how searches behave here; keys only as set or not set."""
    settings, problems = engine.settings, []
    providers: list[dict[str, str]] = []
    try:
        providers = [
            {"part": c.part, "chosen": c.chosen, "model": c.model, "why": c.why} for c in engine.providers.choices
        ]
    except CoreSearchError as error:
        problems.append(str(error))
    workspaces: list[dict[str, Any]] = []
    for folder in list_workspaces(settings.home):
        try:
            with engine.memory(folder.name) as memory:
                counts = memory.stores.graph.counts()
                workspaces.append(
                    {"name": folder.name, "ok": True, "counts": counts, "embedding": memory.meta.embedding_model}
                )
        except CoreSearchError as error:
            problems.append(str(error))
            workspaces.append({"name": folder.name, "ok": False, "problem": str(error)})
    return {
        "python": platform.python_version(),
        "packages": {name: _version(name) for name in PACKAGES},
        "home": str(settings.home),
        "graph": settings.graph,
        "keys": {"OPENAI_API_KEY": bool(settings.openai_api_key), "COHERE_API_KEY": bool(settings.cohere_api_key)},
        "readOnly": settings.read_only,
        "providers": providers,
        "workspaces": workspaces,
        "problems": problems,
    }


def _version(package: str) -> str | None:
    try:
        return importlib.metadata.version(package)
    except importlib.metadata.PackageNotFoundError:
        return None


def _print(report: dict[str, Any]) -> None:
    print(f"Python {report['python']}; home {report['home']}; graph engine {report['graph']}")
    packages = (f"{name} {version or 'not installed'}" for name, version in report["packages"].items())
    print(f"packages: {', '.join(packages)}")
    print("keys: " + ", ".join(f"{name} {'set' if there else 'not set'}" for name, there in report["keys"].items()))
    for provider in report["providers"]:
        print(f"{provider['part']}: {provider['chosen']} ({provider['model']}), because {provider['why']}")
    for workspace in report["workspaces"]:
        state = "ok" if workspace["ok"] else f"PROBLEM: {workspace['problem']}"
        print(f"workspace {workspace['name']}: {state}")
    print("\n".join(f"to do: {problem}" for problem in report["problems"]) or "nothing to do")


COMMANDS = (("doctor", "check the installation and say what to do", _arguments, _doctor),)
