"""Colours and type of the page and its charts: one list of light colours, each with its dark counterpart."""

from __future__ import annotations

from typing import Any

INK, MUTED, LINE, PAPER = "#1c2330", "#566072", "#e2e6ec", "#ffffff"
BLUE, ORANGE, TEAL, PINK = "#2b62c9", "#b45309", "#0b7d72", "#ad3388"
OLIVE, PURPLE, RED, GREY = "#6f7210", "#6647bd", "#c0342b", "#6b7484"
BAND = "#c9d0da"
CATEGORIES = (BLUE, ORANGE, TEAL, PINK, OLIVE, PURPLE, RED, GREY)
DARK = {
    INK: "#e8ebf1",
    MUTED: "#a5aebd",
    LINE: "#2d3442",
    PAPER: "#171c26",
    BAND: "#4a5466",
    BLUE: "#7daeff",
    ORANGE: "#ffa85c",
    TEAL: "#4fd0c0",
    PINK: "#f08fd0",
    OLIVE: "#c8cb57",
    PURPLE: "#b3a0ff",
    RED: "#ff8d84",
    GREY: "#a9b1bf",
}
WIDTH = 420  # of a chart in pixels; two fit side by side on a screen, one fills a phone


def chart_config() -> dict[str, Any]:
    """Return the Vega-Lite configuration of all charts."""
    text = {"labelColor": MUTED, "titleColor": MUTED, "labelFontSize": 12, "titleFontSize": 12}
    axis = {**text, "titleFontWeight": "normal", "domainColor": BAND, "tickColor": BAND, "gridColor": LINE}
    # Names are shortened before: Vega would cut surrogate pairs in half, and its renderer fails on halves.
    return {
        "background": None,
        "font": "Inter, Helvetica Neue, Helvetica, Arial, sans-serif",
        "padding": {"left": 14, "right": 6, "top": 4, "bottom": 4},  # the reader's font may be wider than ours
        "axis": {**axis, "labelLimit": 0, "tickCount": 5, "labelOverlap": True},
        "axisY": {"grid": False, "ticks": False, "domain": False, "labelPadding": 8},
        "legend": {**text, "titleFontWeight": "normal", "orient": "top", "labelLimit": 0, "symbolType": "circle"},
        "header": {**text, "labelColor": INK, "labelFontWeight": 600, "labelLimit": 0, "title": None},
        "range": {"category": list(CATEGORIES)},
        "view": {"stroke": None},
        "text": {"color": INK, "fontSize": 12},
        "rule": {"color": MUTED},
    }


def dark_rules() -> str:
    """Return the CSS that gives every colour of a chart its dark counterpart.

    >>> '.chart [fill="#2b62c9"]{fill:#7daeff}' in dark_rules()
    True
    """
    kinds = ("fill", "stroke")
    return "".join(f'.chart [{kind}="{light}"]{{{kind}:{dark}}}' for light, dark in DARK.items() for kind in kinds)
