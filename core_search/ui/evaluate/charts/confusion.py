"""Expected against routed query types as a heat map."""

from __future__ import annotations

from collections.abc import Mapping

import plotly.graph_objects as go

from core_search.evaluation.route_judgment import CLOSED
from core_search.models import QueryType
from core_search.ui.charts.frame import framed
from core_search.ui.theme import ACCENT

# Where a long name may break under the narrow columns of a small window.
_BREAKS = {"exploratory": "explora-<br>tory", "relationship": "relation-<br>ship"}
KINDS = (*(kind.value for kind in QueryType), CLOSED)


def confusion(table: Mapping[str, Mapping[str, int]]) -> go.Figure:
    """Rows are what was expected, columns what came; the tint is the share of the row. `customdata`: both."""
    counts = [[table.get(expected, {}).get(came, 0) for came in KINDS] for expected in KINDS]
    shares = [[count / sum(row) if sum(row) else 0.0 for count in row] for row in counts]
    names = [kind.replace("_", " ") for kind in KINDS]
    figure = go.Figure(
        go.Heatmap(
            z=shares,
            x=list(range(len(KINDS))),
            y=list(range(len(KINDS))),
            zmin=0,
            zmax=1,
            colorscale=[[0, "rgba(91,123,224,0.03)"], [1, ACCENT]],
            showscale=False,
            text=[[str(count) if count else "" for count in row] for row in counts],
            texttemplate="%{text}",
            customdata=[[[expected, came, count] for came, count in zip(KINDS, row, strict=True)]
                        for expected, row in zip(KINDS, counts, strict=True)],
            hovertemplate="expected %{customdata[0]}, came %{customdata[1]}: %{customdata[2]}<extra></extra>",
            xgap=2,
            ygap=2,
        )
    )  # fmt: skip
    figure.update_xaxes(
        tickvals=list(range(len(KINDS))),
        ticktext=[_BREAKS.get(name, name.replace(" ", "<br>")) for name in names],
        side="top",
        showgrid=False,
        tickangle=0,
    )
    figure.update_yaxes(
        tickvals=list(range(len(KINDS))), ticktext=names, autorange="reversed", showgrid=False, automargin=True
    )
    return framed(figure, 380, top=52, bottom=8)
