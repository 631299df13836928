"""Colours and type of the page and its charts: one list of light colours, each with its dark counterpart."""

from __future__ import annotations

from assay.system.json import JsonObject

INK, MUTED, LINE, PAPER = "#1c2330", "#566072", "#e2e6ec", "#ffffff"
BLUE, ORANGE, TEAL, PINK = "#2b62c9", "#b45309", "#04443d", "#9c2570"
OLIVE, PURPLE, MAROON, GREY = "#3d4000", "#2e1065", "#4a0a06", "#6b7484"
RED = "#c0342b"
BAND = "#c9d0da"
# They differ in lightness as well as in hue, so that they can be distinguished with any kind of colour vision.
CATEGORIES = (BLUE, ORANGE, TEAL, PINK, OLIVE, PURPLE, MAROON, GREY)
SHAPES = ("circle", "square", "triangle-up", "diamond", "cross", "triangle-down", "triangle-left", "triangle-right")
DASHES = ([1, 0], [7, 3], [2, 2], [9, 2, 2, 2], [4, 4], [12, 3], [1, 3], [6, 2, 1, 2])
DARK = {
    INK: "#e8ebf1",
    MUTED: "#a5aebd",
    LINE: "#2d3442",
    PAPER: "#171c26",
    BAND: "#4a5466",
    BLUE: "#5b93f5",
    ORANGE: "#ffa85c",
    TEAL: "#a8fff0",
    PINK: "#d25fae",
    OLIVE: "#f6f9b0",
    PURPLE: "#d9ceff",
    MAROON: "#e0645a",
    RED: "#ff8d84",
    GREY: "#a9b1bf",
}
WIDTH = 420  # of a chart in pixels; two fit side by side on a screen, one fills a phone


def chart_config() -> JsonObject:
    """Return the Vega-Lite configuration of all charts."""
    text = {"labelColor": MUTED, "titleColor": MUTED, "labelFontSize": 12, "titleFontSize": 12}
    axis = {**text, "titleFontWeight": "normal", "domainColor": BAND, "tickColor": BAND, "gridColor": LINE}
    # Names are shortened before: Vega would cut surrogate pairs in half, and its renderer fails on halves.
    return {
        "background": None,
        "font": "Inter, Helvetica Neue, Helvetica, Arial, sans-serif",
        "padding": {"left": 14, "right": 10, "top": 4, "bottom": 4},  # the reader's font may be wider than ours
        "axis": {
            **axis,
            "labelLimit": 0,
            "tickCount": 5,
            "labelOverlap": True,
            "labelFlush": False,
            "labelSeparation": 6,
        },
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

    >>> '.chart [fill="#2b62c9"]{fill:#5b93f5}' in dark_rules()
    True
    """
    kinds = ("fill", "stroke")
    return "".join(f'.chart [{kind}="{light}"]{{{kind}:{dark}}}' for light, dark in DARK.items() for kind in kinds)
