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
_STRONG = 0.5  # share of a row
_SQUARE_PX = 36  # a little less than a cell is high
KINDS = (*(kind.value for kind in QueryType), CLOSED)


def confusion(table: Mapping[str, Mapping[str, int]]) -> go.Figure:
    """Rows are what was expected, columns what came; the tint is the share of the row. `customdata`: both.

    Plotly lets nobody pick the cell of a heat map: squares that are not seen lie over the cells and carry the counts.
    """
    counts = [[table.get(expected, {}).get(came, 0) for came in KINDS] for expected in KINDS]
    shares = [[count / sum(row) if sum(row) else 0.0 for count in row] for row in counts]
    names = [kind.replace("_", " ") for kind in KINDS]
    places = list(range(len(KINDS)))
    figure = go.Figure(
        go.Heatmap(
            z=shares,
            x=places,
            y=places,
            zmin=0,
            zmax=1,
            colorscale=[[0, "rgba(91,123,224,0.03)"], [1, ACCENT]],
            showscale=False,
            hoverinfo="skip",
            xgap=2,
            ygap=2,
        )
    )
    cells = [(row, column) for row in places for column in places if counts[row][column]]
    # On a strong tint white can be read, everywhere else the text of the theme.
    strong = [cell for cell in cells if shares[cell[0]][cell[1]] > _STRONG]
    for of_colour, font in ((strong, {"color": "#fff"}), ([cell for cell in cells if cell not in strong], {})):
        figure.add_scatter(
            x=[column for _, column in of_colour],
            y=[row for row, _ in of_colour],
            mode="markers+text",
            marker={"symbol": "square", "size": _SQUARE_PX, "color": "rgba(0,0,0,0)"},
            text=[str(counts[row][column]) for row, column in of_colour],
            textfont=font,
            customdata=[[KINDS[row], KINDS[column], counts[row][column]] for row, column in of_colour],
            hovertemplate="expected %{customdata[0]}, came %{customdata[1]}: %{customdata[2]}<extra></extra>",
            showlegend=False,
        )
    edge = [-0.5, len(KINDS) - 0.5]
    figure.update_xaxes(
        range=edge,
        tickvals=places,
        ticktext=[_BREAKS.get(name, name.replace(" ", "<br>")) for name in names],
        side="top",
        showgrid=False,
        tickangle=0,
    )
    figure.update_yaxes(range=edge[::-1], tickvals=places, ticktext=names, showgrid=False, automargin=True)
    return framed(figure, 380, top=52, bottom=8)
