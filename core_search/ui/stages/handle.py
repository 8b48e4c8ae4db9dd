"""Stage 2 on the page: each path as a card, how much they overlap, and the answers that stand beside the ranking."""

from __future__ import annotations

from collections import Counter

import streamlit as st

from core_search.models import ItemKind
from core_search.results import EntityName, FacetsResult, SearchResult, StatementResult
from core_search.trace import Entry, Fate, Stage, Status
from core_search.ui import markup, safe_text
from core_search.ui.charts.counts import count_bars
from core_search.ui.charts.network import Link, chain
from core_search.ui.pictures import picture
from core_search.ui.stages.steps import step_card
from core_search.ui.theme import source_words
from core_search.ui.view import View

MOST_PAIRS = 4  # of directly connected entities that are drawn


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
        if result.statements:
            connection(result)
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
            st.html(markup.table(("aspect", "fact"), samples, short=(0,)))


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


def connection(result: SearchResult) -> None:
    """The chain from the first entity to the last; without one, what connects each two directly."""
    links = [statement for statement in result.statements if statement.subject and statement.object]
    if result.chain:
        by_uuid = {link.uuid: link for link in links}
        ordered = [by_uuid[uuid] for uuid in result.chain if uuid in by_uuid]
        if len(ordered) == len(result.chain):
            st.html(markup.caption(f"connected through {len(ordered) - 1} other{'s' if len(ordered) > 2 else ''}"))
            _chain(ordered)
        return
    pairs: dict[frozenset[str], list[StatementResult]] = {}
    for link in links:
        pairs.setdefault(frozenset(end.uuid for end in _ends(link)), []).append(link)
    for place, together in enumerate(list(pairs.values())[:MOST_PAIRS]):
        subject, object_ = _ends(together[0])
        figure = chain([subject.name, object_.name], [Link(tuple(link.fact for link in together))])
        picture(figure, f"connection_{place}", f"{subject.name} and {object_.name}")


def _chain(ordered: list[StatementResult]) -> None:
    """Each statement joins the entity before it to the one that it shares with the next statement."""
    ends = [_ends(link) for link in ordered]
    following = {end.uuid for end in ends[1]} if len(ends) > 1 else set()
    current = next((end for end in ends[0] if end.uuid not in following), ends[0][0])
    names, links = [current.name], []
    for link, (subject, object_) in zip(ordered, ends, strict=True):
        forward = subject.uuid == current.uuid
        current = object_ if forward else subject
        names.append(current.name)
        links.append(Link((link.fact,), forward))
    picture(chain(names, links), "chain_graph", "chain of entities: " + ", ".join(names))


def _ends(link: StatementResult) -> tuple[EntityName, EntityName]:
    assert link.subject is not None
    assert link.object is not None
    return link.subject, link.object
