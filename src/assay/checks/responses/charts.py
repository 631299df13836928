"""The states of responses, by system."""

from __future__ import annotations

from dataclasses import dataclass

import altair as alt

from assay.responses import ResponseAudit
from assay.responses.reading.states import STATES
from assay.views.charts.base import TOOLTIP, Plot, chart, color_by, link_tooltip, set_size, start_chart
from assay.wording.characters import shorten_names

MAX_SYSTEMS = 40
ROW_HEIGHT = 18


@dataclass(frozen=True)
class StateBar:
    """How many responses of a system are in a state."""

    system: str
    state: str
    n: int
    share: float
    tooltip: str


@chart(
    "states",
    section="responses",
    title="In which states are the responses?",
    method="Counted. Complete responses are left out; at most 40 systems are drawn. Bars lead to the items with "
    "responses in their state, of any system.",
    columns={"system": "system", "state": "state", "n": "responses"},
)
def draw_states(responses: ResponseAudit) -> Plot | None:
    """Draw one bar per system, with a part for each state other than complete."""
    rows = responses.systems[:MAX_SYSTEMS]
    names = shorten_names(row.system for row in rows)
    bars = [
        StateBar(
            names[row.system],
            state,
            row.states[state],
            row.states[state] / row.n,
            link_tooltip(f"{row.system}, {state}: {row.states[state]:,} of {row.n:,}", state=state),
        )
        for row in rows
        for state in STATES
        if state != "complete" and row.states.get(state)
    ]
    if not bars:
        return None
    used = [state for state in STATES if any(bar.state == state for bar in bars)]
    figure = (
        start_chart(bars)
        .mark_bar()
        .encode(
            x=alt.X("share:Q", title="share of responses", axis=alt.Axis(format="%")),
            y=alt.Y("system:N", title=None, sort=None),
            color=color_by("state", used),
            description=TOOLTIP,
        )
    )
    return Plot(bars, set_size(figure, height=ROW_HEIGHT * len({bar.system for bar in bars}) + 20))
