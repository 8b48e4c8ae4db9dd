"""From files to values: memories with their queries, read, validated and written. No stores here.

`read` is the way in for every format; a new format is a reader and a line in `FORMATS`.
"""

from __future__ import annotations

import zipfile
from collections.abc import Callable, Mapping
from datetime import datetime
from pathlib import Path
from typing import Any

from pydantic import ValidationError

from core_search.errors import UsageError
from core_search.ingest.bundle import read_bundle
from core_search.ingest.export import write_bundle
from core_search.ingest.locomo import read_locomo
from core_search.ingest.values import Bundle, Header, Qrel, Query

__all__ = ["FORMATS", "Bundle", "Header", "Qrel", "Query", "read", "read_bundle", "read_locomo", "write_bundle"]


Reader = Callable[[Path, str | None, str | None], list[Bundle]]  # path, one workspace for all, time zone

FORMATS: Mapping[str, Reader] = {
    "bundle": lambda path, workspace, timezone: [read_bundle(path)],
    "locomo": lambda path, workspace, timezone: read_locomo(path, workspace, timezone or "UTC"),
}


def read(
    path: Path,
    format: str | None = None,
    *,
    workspace: str | None = None,
    timezone: str | None = None,
    clock: datetime | None = None,
) -> list[Bundle]:
    """The bundles at `path`, one for each workspace to make.

    Without a `format`, a folder or zip is a bundle and a `.json` file is LoCoMo. `workspace` names the workspace
    (and joins the conversations of LoCoMo in it); `timezone` and `clock` (an instant with offset) go before what
    the files say. `UsageError` for a path or format that does not exist, `BundleError` for content that is not valid.
    """
    reader = FORMATS.get(_format_of(path) if format is None else format)
    if reader is None:
        raise UsageError(f"unknown format {format!r}; known are {', '.join(FORMATS)}")
    given = {"name": workspace, "timezone": timezone, "clock": clock}
    return [_with_header(bundle, given) for bundle in reader(path, workspace, timezone)]


def _format_of(path: Path) -> str:
    if not path.exists():
        raise UsageError(f"there is no file or folder {str(path)!r}; give a bundle's folder or zip, or a LoCoMo .json")
    suffix = path.suffix.lower()
    if path.is_dir() or suffix == ".zip":
        return "bundle"
    if suffix == ".json":
        return "locomo"
    if path.is_file() and zipfile.is_zipfile(path):
        return "bundle"
    raise UsageError(f"cannot tell the format of {str(path)!r}; say which of {', '.join(FORMATS)} it is")


def _with_header(bundle: Bundle, given: Mapping[str, Any]) -> Bundle:
    """`bundle` with what was given in place of what its header says."""
    changes = {name: value for name, value in given.items() if value is not None}
    if not changes:
        return bundle
    try:
        header = Header.model_validate({**bundle.header.model_dump(), **changes})
    except ValidationError as error:
        fault = error.errors(include_url=False)[0]
        raise UsageError(f"{fault['loc'][0]} {fault['input']!r}: {fault['msg']}") from None
    return bundle.model_copy(update={"header": header})
