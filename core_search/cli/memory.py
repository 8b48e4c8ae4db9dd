"""Commands about memories: load, workspaces, export, rebuild, reembed."""

from __future__ import annotations

import argparse
import sys
from datetime import datetime
from pathlib import Path

from core_search.cli.output import print_json
from core_search.cli.progress import progress_bar
from core_search.engine import SAMPLE, SearchEngine
from core_search.errors import UsageError
from core_search.ingest import read, write_bundle
from core_search.ingest.values import Bundle
from core_search.workspace import WorkspaceMeta


def _load_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("path", type=Path, help="a bundle folder or zip, or a LoCoMo JSON file")
    parser.add_argument("--workspace", help="the name to load it under; for LoCoMo: all conversations into this one")
    parser.add_argument("--format", choices=("bundle", "locomo"), help="default: by what the path is")
    parser.add_argument("--clock", help="the memory's own now, ISO 8601 with offset")
    parser.add_argument("--timezone", help="IANA name, such as Europe/Lisbon")
    parser.add_argument("--replace", action="store_true", help="load over a workspace of that name")


def _load(given: argparse.Namespace) -> None:
    clock = instant(given.clock) if given.clock else None
    bundles = read(given.path, given.format, workspace=given.workspace, timezone=given.timezone, clock=clock)
    with SearchEngine() as engine:
        for bundle in bundles:
            with progress_bar(bundle.header.name) as progress:
                meta = engine.load(bundle, replace=given.replace, progress=progress)
            print(_line(meta))
            for note in bundle.notes:
                print(f"note: {note}", file=sys.stderr)


def instant(text: str) -> datetime:
    try:
        parsed = datetime.fromisoformat(text)
    except ValueError:
        raise UsageError(f"{text!r} is not an instant; write it as 2026-03-01T18:00:00+00:00") from None
    if parsed.tzinfo is None:
        raise UsageError(f"{text!r} has no offset; write it as 2026-03-01T18:00:00+00:00")
    return parsed


def _line(meta: WorkspaceMeta) -> str:
    counts = ", ".join(f"{count:,} {what}" for what, count in meta.counts.items())
    clock = meta.header.clock.isoformat() if meta.header.clock else "the wall clock"
    return f"{meta.name}: {counts}; {meta.header.version}; now is {clock}; {meta.embedding_model}"


def _workspaces_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--json", action="store_true")


def _workspaces(given: argparse.Namespace) -> None:
    with SearchEngine() as engine:
        found, unreadable = engine.workspaces(), engine.unreadable()
    for problem in unreadable:
        print(f"core-search: {problem}", file=sys.stderr)
    if given.json:
        print_json([{"name": meta.name, **meta.wire()} for meta in found])
        return
    for meta in found:
        print(_line(meta))
    if not found and not unreadable:
        print("no workspace yet; `core-search load PATH` makes one, any search makes the sample")


def _export_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("target", type=Path, help="a new folder, or a file that ends in .zip")
    parser.add_argument("--workspace", default=SAMPLE)


def _export(given: argparse.Namespace) -> None:
    with SearchEngine() as engine:
        bundle: Bundle = engine.export(given.workspace)
    print(write_bundle(bundle, given.target))


def _workspace_argument(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--workspace", default=SAMPLE)


def _rebuild(given: argparse.Namespace) -> None:
    with SearchEngine() as engine, progress_bar(given.workspace) as progress:
        meta = engine.rebuild(given.workspace, progress=progress)
    print(_line(meta))


COMMANDS = (
    ("load", "load a memory into a workspace, all or nothing", _load_arguments, _load),
    ("workspaces", "list the workspaces", _workspaces_arguments, _workspaces),
    ("export", "write a workspace as a bundle", _export_arguments, _export),
    ("rebuild", "make vectors and indexes anew from the graph", _workspace_argument, _rebuild),
    ("reembed", "make vectors anew with the embedding model in use now", _workspace_argument, _rebuild),
)
