"""Stage 2 on the page: each path as a card, how much they overlap, and the answers that stand beside the ranking."""

from __future__ import annotations

from collections import Counter

import streamlit as st

from core_search.models import ItemKind
from core_search.results import FacetsResult, SearchResult
from core_search.trace import Entry, Fate, Stage, Status
from core_search.ui import markup, safe_text
from core_search.ui.charts.counts import count_bars
from core_search.ui.charts.network import chain
from core_search.ui.pictures import picture
from core_search.ui.stages.steps import step_card
from core_search.ui.theme import source_words
from core_search.ui.view import View


def draw(view: View) -> None:
    stage = view.stage("handle")
    if stage.status is Status.SKIPPED:
        st.caption(f"No handler ran: {safe_text.markdown(stage.note)}.")
        return
    query_type = view.router.query_type.value if view.router else "?"
    st.subheader(f"Handler {query_type}", anchor=False)
    if stage.note:
        st.html(markup.dim(stage.note))
    result = view.result
    if result is not None:
        if result.facets:
            facets(result.facets)
        if result.entity:
            entity_card(result)
        if result.chain:
            chain_graph(result)
    overlap(stage)
    by_path = entries_by_path(stage)
    for step in stage.steps:
        step_card(view, step, by_path.get(step.name, ()), stage="handle")


def entries_by_path(stage: Stage) -> dict[str, list[Entry]]:
    """Ledger lines by the path that brought them; at handle each line has one."""
    found: dict[str, list[Entry]] = {}
    for entry in stage.ledger:
        for source in entry.sources:
            found.setdefault(source, []).append(entry)
    return found


def overlap(stage: Stage) -> None:
    """Which paths found the same items."""
    paths: dict[tuple[ItemKind, str], set[str]] = {}
    for entry in stage.ledger:
        if entry.fate is Fate.KEPT and not entry.detail.get("beside"):
            paths.setdefault((entry.kind, entry.id), set()).update(entry.sources)
    combinations = Counter(" + ".join(sorted(map(source_words, names))) for names in paths.values())
    if len({name for names in paths.values() for name in names}) < 2:
        return
    st.html(markup.caption("which paths found them"))
    picture(count_bars(combinations.most_common(), "items"), "handle_overlap", "items by the paths that found them")


def facets(found: FacetsResult) -> None:
    """Counts as bars, a few facts under each aspect."""
    stats = found.stats
    st.html(markup.dim(f"{stats.episodes:,} episodes and {stats.statements:,} statements in the range. True counts."))
    groups = [
        ("topics, by episodes", [(topic.label_name, topic.episode_count) for topic in found.topics], "episodes"),
        ("entities, by mentions", [(e.entity_name, e.mention_count) for e in found.entities], "mentions"),
        ("aspects, by statements", [(a.aspect.value, a.statement_count) for a in found.aspects], "statements"),
    ]
    for place, (title, rows, unit) in enumerate(groups):
        if rows:
            st.html(markup.caption(title))
            picture(count_bars(rows, unit), f"facets_{place}", title)
    samples = [(a.aspect.value, fact) for a in found.aspects for fact in a.statements]
    if samples:
        with st.expander("Some of the facts", key="facet_samples"):
            st.html(markup.table(("aspect", "fact"), samples))


def entity_card(result: SearchResult) -> None:
    """The entity that answers, with the attribute that was asked for."""
    entity = result.entity
    if entity is None:
        return
    with st.container(border=True, gap="xsmall"):
        st.html(markup.caption(entity.type.value) + f"<strong>{safe_text.span(entity.name)}</strong>")
        if entity.aliases:
            st.html(markup.dim("also called " + ", ".join(entity.aliases)))
        picked = entity.attribute
        if picked:
            st.html(markup.tags([f"{picked.key}: {picked.value}"], "on"))
        others = [(key, value) for key, value in entity.attributes.items() if not picked or key != picked.key]
        if others:
            st.html(markup.facts(others))


def chain_graph(result: SearchResult) -> None:
    """The entities of a chain from left to right, joined by their facts."""
    statements = {statement.uuid: statement for statement in result.statements}
    links = [statements[uuid] for uuid in result.chain if uuid in statements]
    ends = [[end.name for end in (link.subject, link.object) if end] for link in links]
    if not links or any(len(pair) < 2 for pair in ends):
        return
    names: list[str] = []
    for place, pair in enumerate(ends):
        following = set(ends[place + 1]) if place + 1 < len(ends) else set()
        if not names:
            first = next((name for name in pair if name not in following), pair[0])
            names = [first]
        names.append(next((name for name in pair if name != names[-1]), pair[-1]))
    st.html(markup.caption(f"connected through {len(links) - 1} other{'s' if len(links) > 2 else ''}"))
    picture(chain(names, [link.fact for link in links]), "chain_graph", "chain of entities: " + ", ".join(names))
