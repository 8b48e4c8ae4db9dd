"""One measure over the evaluations of a set, in their order."""

from __future__ import annotations

from collections.abc import Sequence

import plotly.graph_objects as go

from core_search.evaluation.history import EvaluationRecord
from core_search.ui import safe_text
from core_search.ui.charts.frame import framed
from core_search.ui.evaluate.charts.forest import RANGE_TINT
from core_search.ui.evaluate.words import configuration, when
from core_search.ui.theme import ACCENT, INK, LINE


def trend(records: Sequence[EvaluationRecord], measure: str, k: int, chosen: str) -> go.Figure:
    """Means with intervals and ranges, oldest first; a dotted line where data or judgments changed.

    `customdata` is `[evaluation id]`.
    """
    rows = [(record, record.summaries[k]) for record in records if measure in record.summaries[k].means]
    places = list(range(len(rows)))
    means = [summary.means[measure] for _, summary in rows]
    intervals = [summary.intervals[measure] for _, summary in rows]
    ranges = [summary.ranges.get(measure, (mean, mean)) for (_, summary), mean in zip(rows, means, strict=True)]
    figure = go.Figure()
    figure.add_bar(
        x=places,
        base=[low for low, _ in ranges],
        y=[high - low for low, high in ranges],
        width=min(0.3, 0.03 * len(rows)),
        marker={"color": RANGE_TINT, "line": {"width": 0}},
        hoverinfo="skip",
    )
    figure.add_scatter(
        x=places,
        y=means,
        mode="lines+markers",
        line={"color": ACCENT, "width": 1.4},
        marker={
            "color": ACCENT,
            "size": [13 if record.id == chosen else 9 for record, _ in rows],
            "line": {"color": INK, "width": [2 if record.id == chosen else 0 for record, _ in rows]},
        },
        error_y={
            "type": "data",
            "symmetric": False,
            "array": [high - mean for mean, (_, high) in zip(means, intervals, strict=True)],
            "arrayminus": [mean - low for mean, (low, _) in zip(means, intervals, strict=True)],
            "color": INK,
            "thickness": 1.4,
            "width": 4,
        },
        customdata=[
            [record.id, when(record.created_at), safe_text.chart(configuration(record.setup), 80)] for record, _ in rows
        ],
        hovertemplate=f"%{{customdata[1]}}<br>%{{customdata[2]}}<br>{measure} %{{y:.3f}}<extra></extra>",
    )
    for place in places[1:]:
        before, after = rows[place - 1][0].setup, rows[place][0].setup
        what = [
            word
            for word, changed in (
                ("data", before.fingerprint != after.fingerprint),
                ("judgments", before.judgments != after.judgments),
            )
            if changed
        ]
        if what:
            figure.add_vline(
                x=place - 0.5,
                line={"color": LINE, "dash": "dot", "width": 1},
                annotation={"text": "new " + " and ".join(what), "font": {"size": 11}},
            )
    lowest = min((min(low, interval[0]) for (low, _), interval in zip(ranges, intervals, strict=True)), default=0.0)
    figure.update_xaxes(
        tickvals=places,
        ticktext=[f"{when(record.created_at)[5:10]}<br>{when(record.created_at)[11:]}" for record, _ in rows],
        range=[-0.6, max(len(rows) - 0.4, 0.6)],
        showgrid=False,
    )
    # Zero stays in sight unless everything is far above it: small steps between good rankings must be seen.
    figure.update_yaxes(range=[0 if lowest < 0.5 else lowest - 0.1, 1.02])
    return framed(figure, 260, bottom=44)
