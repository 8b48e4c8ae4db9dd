"""Bringing a memory in: a bundle or a LoCoMo file by upload, checked as a whole, then loaded with progress shown."""

from __future__ import annotations

import re
import shutil
import tempfile
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path, PurePosixPath
from typing import Any

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from core_search.errors import BundleError, CoreSearchError, UsageError
from core_search.ingest import read
from core_search.ingest.bundle import FILES, WORKSPACE
from core_search.ingest.values import Bundle
from core_search.stores.base import Progress
from core_search.ui import markup, safe_text
from core_search.ui.frame import Page, show_error
from core_search.ui.memory import address
from core_search.ui.welcome import WORDS

NAME, REPLACE, FILES_KEY, OUTCOME = "load_name", "load_replace", "load_files", "load_outcome"
TYPES = ("zip", "json", "jsonl", "txt")
_ODD = re.compile(r"[^\w .()+-]")
READ_ONLY = "This installation is read-only (CORE_SEARCH_READ_ONLY): nothing can be loaded, renamed or removed."


@dataclass(frozen=True)
class Outcome:
    """What came of the last load, shown when the page is drawn anew."""

    loaded: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()
    error: CoreSearchError | None = None


def draw(page: Page, above: DeltaGenerator) -> None:
    """The form. The progress of a load is drawn in `above`, which stays in sight."""
    st.html(markup.caption("load a memory"))
    if page.read_only:
        st.info(READ_ONLY, icon=":material/lock:")
        return
    with st.form("load", border=True):
        files = st.file_uploader(
            "A bundle, as a zip or as its files, or a LoCoMo JSON",
            type=list(TYPES),
            accept_multiple_files=True,
            key=FILES_KEY,
            help=f"The files of a bundle are {', '.join(FILES)}; {WORKSPACE} and episodes.jsonl must be there.",
        )
        name = st.text_input(
            "Name",
            key=NAME,
            placeholder="the name that it brings along",
            help="LoCoMo makes a memory of each conversation; with a name here they become one.",
        )
        replace = st.checkbox("Replace a memory of that name", key=REPLACE)
        asked = st.form_submit_button("Load", type="primary", icon=":material/upload:")
    st.html(
        markup.dim("Everything is checked first. What has a fault is not loaded at all, and every fault is listed.")
    )
    if asked:
        with above:
            result = _load(page, list(files or ()), str(name or "").strip() or None, bool(replace))
        st.session_state[OUTCOME] = result
        st.rerun()


def outcome() -> None:
    """What came of the last load; shown once."""
    last: Outcome | None = st.session_state.pop(OUTCOME, None)
    if last is None:
        return
    if last.loaded:
        words = ", ".join(safe_text.markdown(name, 70) for name in last.loaded)
        st.success(f"Loaded: {words}.", icon=":material/check:")
    if last.notes:
        with st.expander(f"{len(last.notes):,} notes from reading"):
            st.html(markup.table(("note",), [(note,) for note in last.notes[:200]]))
    if isinstance(last.error, BundleError):
        _problems(last.error)
    elif last.error is not None:
        show_error(last.error)


def _problems(error: BundleError) -> None:
    """Every fault in a row: where, which field, what is wrong."""
    count = len(error.problems) + error.more
    noun = "problem" if count == 1 else "problems"
    st.error(f"{count:,} {noun}. Nothing was loaded.", icon=":material/error:")
    with st.container(height=min(420, 70 + 30 * len(error.problems)), border=True, key="load_problems"):
        st.html(markup.table(("where", "field", "what is wrong"), [_parts(problem) for problem in error.problems]))
    if error.more:
        st.html(markup.dim(f"and {error.more:,} more"))


def _parts(problem: str) -> tuple[str, str, str]:
    """`file:line: field: reason`, apart."""
    where, _, rest = problem.partition(": ")
    field, _, reason = rest.partition(": ")
    return (where, field, reason) if reason else (where, "", rest)


# ---------------------------------------------------------------- the work


def _load(page: Page, files: Sequence[Any], name: str | None, replace: bool) -> Outcome:
    loaded: list[str] = []
    notes: list[str] = []
    with st.status("Reading", expanded=True) as status:
        try:
            bundles = _read(files, name)
            _check_names(page, bundles, replace)
            for place, bundle in enumerate(bundles, 1):
                title = safe_text.markdown(bundle.header.name, 70)
                part = f" ({place} of {len(bundles)})" if len(bundles) > 1 else ""
                status.update(label=f"Loading {title}{part}", expanded=True)
                meta = page.engine.load(bundle, replace=replace, progress=_bar())
                loaded.append(meta.name)
                notes += bundle.notes
        except CoreSearchError as error:
            status.update(label="Not loaded", state="error", expanded=False)
            return Outcome(tuple(loaded), tuple(notes), error)
        status.update(label="Loaded", state="complete", expanded=False)
    if len(loaded) == 1:
        address.switch(loaded[0])
    return Outcome(tuple(loaded), tuple(notes))


def _read(files: Sequence[Any], name: str | None) -> list[Bundle]:
    """The bundles in the uploaded files. They are written to a folder of their own, which is gone afterwards."""
    if not files:
        raise UsageError("no file was chosen; choose a bundle's zip, its files, or a LoCoMo JSON")
    names = [safe_file_name(file.name) for file in files]
    if twice := next((one for one in names if names.count(one) > 1), None):
        raise UsageError(f"the file {twice!r} was given twice; leave one of them out")
    with tempfile.TemporaryDirectory(prefix="core-search-upload-") as folder:
        for file, safe in zip(files, names, strict=True):
            with (Path(folder) / safe).open("wb") as target:
                file.seek(0)
                shutil.copyfileobj(file, target)
        return read(_what_is_it(Path(folder), names), workspace=name)


def _what_is_it(folder: Path, names: Sequence[str]) -> Path:
    """The path to read: one archive or one LoCoMo file by itself, the folder when it holds the files of a bundle."""
    alone = [one for one in names if Path(one).suffix.lower() in (".zip", ".json") and one != WORKSPACE]
    if not alone:
        return folder
    if len(names) > 1:
        raise UsageError(f"{alone[0]!r} is a memory by itself; load it without the other {len(names) - 1}")
    return folder / alone[0]


def safe_file_name(name: str) -> str:
    """The last part of a name that a browser sent, as a file that can lie in a folder of ours."""
    last = PurePosixPath(name.replace("\\", "/")).name
    plain = _ODD.sub("_", last).strip(" .")[-100:].lstrip(" .")
    return plain or "upload"


def _check_names(page: Page, bundles: Sequence[Bundle], replace: bool) -> None:
    """Refuse before anything is loaded."""
    taken = [bundle.header.name for bundle in bundles if page.engine.folder(bundle.header.name).exists()]
    if taken and not replace:
        listed = ", ".join(repr(name) for name in taken[:5])
        raise UsageError(f"there is a memory {listed} already; give another name, or tick that it is to be replaced")


def _bar() -> Progress:
    """A progress bar for each kind of work, one after the other in one place."""
    bar = st.progress(0.0)

    def progress(what: str, done: int, total: int) -> None:
        words = WORDS.get(what, f"Writing {what.lower().replace('_', ' ')}")
        bar.progress(done / total if total else 1.0, text=f"{words}: {done:,} of {total:,}")

    return progress
