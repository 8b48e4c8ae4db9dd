"""The first visit: the sample memory is loaded where it can be seen, and a first question is answered already."""

from __future__ import annotations

import streamlit as st

from core_search.assemble import models_in_use
from core_search.engine import SAMPLE
from core_search.errors import CoreSearchError, ProviderError
from core_search.records import setup
from core_search.results import SearchRequest
from core_search.ui import examples, session
from core_search.ui.frame import Page

WORDS = {"vectors": "Embedding texts", "words": "Indexing words"}


def load_sample(page: Page) -> None:
    """Load the sample memory when it is asked for and not there yet, with its progress on the page."""
    if page.workspace != SAMPLE or page.engine.folder(SAMPLE).exists():
        return
    with st.status("Loading the sample memory", expanded=True) as status:
        bar = st.progress(0.0)

        def progress(what: str, done: int, total: int) -> None:
            words = WORDS.get(what, what.capitalize())
            bar.progress(done / total if total else 1.0, text=f"{words}: {done:,} of {total:,}")

        try:
            with page.engine.memory(SAMPLE, progress):
                pass
        except CoreSearchError as error:
            status.update(label="The sample memory could not be loaded", state="error")
            if isinstance(error, ProviderError):
                st.markdown("It was being embedded. `CORE_SEARCH_EMBEDDINGS=local` embeds it here, without any server.")
            raise
        status.update(label="The sample memory is loaded", state="complete", expanded=False)


def first_question(page: Page) -> str | None:
    """The run that answers the first question; an equal one that is kept already is shown again."""
    if page.workspace != SAMPLE or session.changes():
        return None
    shared = page.engine
    request = SearchRequest(query=examples.WELCOME, workspace=SAMPLE)
    with shared.memory(SAMPLE) as memory:
        now = session.clock(memory)
        known = setup(memory.meta.fingerprint, now, shared.default_options(), models_in_use(shared.providers))
    return session.records().find(request.query, SAMPLE, known) or session.search(request)
