"""Writes a bundle back as a folder or zip that reads as the same bundle."""

from __future__ import annotations

import os
import tempfile
import zipfile
from collections.abc import Iterable, Iterator, Mapping
from datetime import UTC, datetime, timedelta
from pathlib import Path

from core_search.errors import UsageError
from core_search.ingest.bundle import QRELS, QUERIES, WORKSPACE, read_bundle
from core_search.ingest.references import DOCUMENTS, ENTITIES, EPISODES, LABELS, STATEMENTS
from core_search.ingest.values import Bundle
from core_search.models import Value


def write_bundle(bundle: Bundle, target: Path) -> Path:
    """Write `bundle` to `target`, a zip when its name ends in `.zip`, else a folder; give back `target`.

    It is written aside, read back and only then renamed: what cannot be read again is a `BundleError` and leaves
    nothing. An existing target is refused. `bundle.notes` is not written.
    """
    if target.exists() and not (target.is_dir() and not any(target.iterdir())):
        raise UsageError(f"{str(target)!r} exists already; choose another name or remove it first")
    packed = target.suffix.lower() == ".zip"
    try:
        target.parent.mkdir(parents=True, exist_ok=True)
        # Beside the target, so that the rename stays on one disk and is atomic.
        with tempfile.TemporaryDirectory(prefix=f".{target.name}.", dir=target.parent) as aside_name:
            aside = Path(aside_name) / target.name
            (_write_zip if packed else _write_folder)(aside, bundle)
            read_bundle(aside)
            os.replace(aside, target)
    except OSError as error:
        raise UsageError(f"cannot write {str(target)!r}: {error.strerror or error}") from error
    return target


def _write_folder(path: Path, bundle: Bundle) -> None:
    path.mkdir()
    for name, lines in _files(bundle).items():
        with (path / name).open("wb") as stream:
            stream.writelines(lines)


def _write_zip(path: Path, bundle: Bundle) -> None:
    with zipfile.ZipFile(path, "w") as archive:
        for name, lines in _files(bundle).items():
            # A fixed date (zip's first one): equal bundles give equal bytes.
            member = zipfile.ZipInfo(name, (1980, 1, 1, 0, 0, 0))
            member.compress_type = zipfile.ZIP_DEFLATED
            member.external_attr = 0o644 << 16
            with archive.open(member, "w", force_zip64=True) as stream:
                stream.writelines(lines)


def _files(bundle: Bundle) -> Mapping[str, Iterable[bytes]]:
    memory = bundle.memory
    header = _writable(bundle.header).model_dump_json(by_alias=True, exclude_none=True, indent=2)
    files: dict[str, Iterable[bytes]] = {
        WORKSPACE: [header.encode(), b"\n"],
        LABELS: _json_lines(memory.labels),
        EPISODES: _json_lines(memory.episodes),
        ENTITIES: _json_lines(memory.entities),
        STATEMENTS: _json_lines(memory.statements),
        DOCUMENTS: _json_lines(memory.documents),
    }
    if bundle.queries:
        files[QUERIES] = _json_lines(bundle.queries)
    if bundle.qrels:
        files[QRELS] = (f"{qrel.query_id} 0 {qrel.doc_id} {qrel.grade}\n".encode() for qrel in bundle.qrels)
    return files


def _json_lines(values: Iterable[Value]) -> Iterator[bytes]:
    for value in values:
        yield _writable(value).model_dump_json(by_alias=True, exclude_none=True).encode() + b"\n"


def _writable(value: Value) -> Value:
    """`value` with instants that JSON can hold: an offset with seconds (old local times) would lose them."""
    instants = {name: getattr(value, name) for name in type(value).model_fields}
    changed = {name: i.astimezone(UTC) for name, i in instants.items() if isinstance(i, datetime) and _odd_offset(i)}
    return value.model_copy(update=changed) if changed else value


def _odd_offset(instant: datetime) -> bool:
    offset = instant.utcoffset()
    return offset is not None and offset % timedelta(minutes=1) != timedelta(0)
