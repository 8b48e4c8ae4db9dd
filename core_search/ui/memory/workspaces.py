"""The memories of this installation: look at another one, rename, export and remove the one on the page."""

from __future__ import annotations

import tempfile
from pathlib import Path
from typing import Any

import streamlit as st

from core_search.engine import SAMPLE, SearchEngine
from core_search.errors import CoreSearchError, UsageError
from core_search.ingest import write_bundle
from core_search.ui import markup, safe_text
from core_search.ui.frame import Page
from core_search.ui.memory import address, pieces
from core_search.workspace import WorkspaceFolder, list_workspaces

NEW_NAME, TYPED, PROBLEM, DONE = "new_name", "typed_name", "memory_problem", "memory_done"
COUNTED = ("episodes", "statements")


def names(page: Page) -> list[str]:
    return [folder.name for folder in list_workspaces(page.engine.settings.home)]


def draw(page: Page) -> None:
    if problem := st.session_state.pop(PROBLEM, None):
        st.error(safe_text.markdown(problem, 600), icon=":material/error:")
    if done := st.session_state.pop(DONE, None):
        st.success(safe_text.markdown(done, 300), icon=":material/check:")
    st.html(markup.caption("memories of this installation"))
    folders = list_workspaces(page.engine.settings.home)
    if not folders:
        st.html(markup.dim("There is none yet."))
        return
    _table(folders)
    if page.workspace not in {folder.name for folder in folders}:
        return
    st.html(markup.caption("the memory on this page"))
    with st.container(border=True):
        st.markdown(f"**{page.workspace}**")
        _export(page)
        if not page.read_only:
            _rename(page)
            _remove(page)


def _table(folders: list[WorkspaceFolder]) -> None:
    above = st.container()
    offset = pieces.offset_of_page(len(folders), "memory_pages")
    shown = folders[offset : offset + pieces.ROWS]
    number = st.column_config.NumberColumn(format="localized", width=76)
    columns = {
        "memory": st.column_config.TextColumn(width=150),
        **dict.fromkeys(COUNTED, number),
        "now": st.column_config.TextColumn(width=118),
        "embedded with": st.column_config.TextColumn(width=150),
        "loaded": st.column_config.TextColumn(width=84),
    }
    with above:
        rows = [_row(folder) for folder in shown]
        pieces.table(rows, f"memory_table_{offset}", columns, lambda row: address.switch(shown[row].name))
    st.html(markup.dim("Click a row to look at that memory."))


def _row(folder: WorkspaceFolder) -> dict[str, Any]:
    try:
        meta = folder.meta()
    except CoreSearchError as error:
        return {"memory": folder.name, "state": safe_text.one_line(str(error), 160)}
    clock = meta.header.clock
    return {
        "memory": folder.name,
        **{what: meta.counts.get(what, 0) for what in COUNTED},
        "now": f"{clock:%Y-%m-%d %H:%M}" if clock else "wall clock",
        "embedded with": meta.embedding_model,
        "loaded": f"{meta.created_at:%Y-%m-%d}",
    }


def _export(page: Page) -> None:
    engine, name = page.engine, page.workspace
    st.download_button(
        "Export as a bundle",
        lambda: packed(engine, name),
        file_name=f"{name}.zip",
        mime="application/zip",
        icon=":material/download:",
        key="export_memory",
        on_click="ignore",
        help="A zip with everything in it, queries and judgments too. It loads again here or elsewhere.",
    )


def packed(engine: SearchEngine, name: str) -> bytes:
    """The memory as the bytes of a zip."""
    with tempfile.TemporaryDirectory(prefix="core-search-export-") as folder:
        return write_bundle(engine.export(name), Path(folder) / f"{name}.zip").read_bytes()


def _rename(page: Page) -> None:
    with st.form("rename", border=False):
        field, button = st.columns([3, 1], vertical_alignment="bottom")
        field.text_input(
            "New name",
            key=NEW_NAME,
            placeholder=page.workspace,
            help="Letters, digits, '.', '_' and '-'. Runs that were kept under the old name keep that name.",
        )
        button.form_submit_button("Rename", on_click=_renamed, args=(page.engine, page.workspace), width="stretch")


def _renamed(engine: SearchEngine, name: str) -> None:
    new = str(st.session_state.get(NEW_NAME) or "").strip()
    try:
        if not new:
            raise UsageError("no new name was given; write one")
        engine.rename(name, new)
    except CoreSearchError as error:
        st.session_state[PROBLEM] = str(error)
        return
    st.session_state[NEW_NAME] = ""
    st.session_state[DONE] = f"{name} is now {new}."
    address.gone(name, new)


def _remove(page: Page) -> None:
    with st.expander("Remove this memory", icon=":material/delete:", key="remove_box"), st.form("remove", border=False):
        again = " The sample is made anew when it is next looked at." if page.workspace == SAMPLE else ""
        st.html(markup.dim(f"It is deleted with everything in it, for everybody. Export it first to keep it.{again}"))
        st.text_input(f"Type its name, {safe_text.markdown(page.workspace, 70)}, to remove it", key=TYPED)
        st.form_submit_button("Remove", icon=":material/delete:", on_click=_removed, args=(page.engine, page.workspace))


def _removed(engine: SearchEngine, name: str) -> None:
    typed = str(st.session_state.get(TYPED) or "").strip()
    try:
        if typed != name:
            raise UsageError(f"{typed!r} is not {name!r}, so nothing was removed; type the name exactly")
        engine.remove(name)
    except CoreSearchError as error:
        st.session_state[PROBLEM] = str(error)
        return
    st.session_state[TYPED] = ""
    st.session_state[DONE] = f"{name} is removed."
    address.gone(name)
