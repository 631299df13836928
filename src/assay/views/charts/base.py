"""Charts: where their points come from, how they are drawn, and how their numbers were measured."""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any
from urllib.parse import quote

import altair as alt

from assay.base.registry import Registry
from assay.views.theme import CATEGORIES, DASHES, GREY, SHAPES, WIDTH

FEW_NAMES = 3  # that colour alone may tell apart
ROW_HEIGHT = 24  # pixels of one name on an axis
TOOLTIP = alt.Description("tooltip:N")
PERCENT = "format(100 * datum.value, '~g') + '%'"  # labels of an axis of shares
LINK_MARK = "␟"  # between a tooltip and the filter of its items


@dataclass(frozen=True)
class Plot:
    """A drawn chart and the points it shows, which also make the table below it."""

    points: Sequence[object]
    figure: Any


@dataclass(frozen=True)
class Chart:
    """A kind of chart. `columns` maps fields of its points to the headings of the table below it.

    `shows_words` marks charts of words of the texts, which private pages leave out.
    """

    name: str
    section: str
    title: str
    method: str
    columns: Mapping[str, str]
    draw: Callable[[Any], Plot | None] = field(repr=False)
    shows_words: bool = False

    def plot(self, result: object) -> Plot | None:
        """Draw the chart, or return None if the result has nothing to show."""
        return None if result is None else self.draw(result)


CHARTS: Registry[Chart] = Registry("chart")
Draw = Callable[[Any], Plot | None]


def chart(
    name: str, *, section: str, title: str, method: str, columns: Mapping[str, str], shows_words: bool = False
) -> Callable[[Draw], Draw]:
    """Register a function that draws one section's evidence as a chart."""

    def register(draw: Draw) -> Draw:
        CHARTS.put(name, Chart(name, section, title, method, columns, draw, shows_words))
        return draw

    return register


def start_chart(points: Sequence[object]) -> alt.Chart:
    """Start a chart whose points are inside the chart itself."""
    return alt.Chart(inline_data(points))


def inline_data(points: Sequence[Any]) -> alt.InlineData:
    """Return points (dataclasses or dictionaries) as data inside a chart."""
    rows = [
        dataclasses.asdict(point) if dataclasses.is_dataclass(point) and not isinstance(point, type) else point
        for point in points
    ]
    return alt.InlineData(values=[{name: _drop_nan(value) for name, value in row.items()} for row in rows])


def _drop_nan(value: object) -> Any:
    return None if isinstance(value, float) and not math.isfinite(value) else value


def set_size(figure: Any, height: int = 230) -> Any:
    """Give a chart the width of the page's columns, axes included."""
    fit = alt.AutoSizeParams(type="fit-x", contains="padding")
    return figure.properties(width=WIDTH, height=height, autosize=fit)


def link_tooltip(text: str, **filters: str) -> str:
    """Return a tooltip that also leads to the items which some filters leave.

    >>> link_tooltip("12 items", label="a b")
    '12 items␟label=a%20b'
    """
    pairs = [f"{name}={quote(value, safe='')}" for name, value in filters.items()]
    return f"{text}{LINK_MARK}{'&'.join(pairs)}"


def sort_key(name: str) -> tuple[int, int, str]:
    """Sort parts as they are used, numbers as numbers, and other names alphabetically.

    >>> sorted(["10", "2", "test", "a", "train"], key=sort_key)
    ['train', 'test', '2', '10', 'a']
    """
    parts = ("train", "dev", "test")
    if name in parts:
        return 0, parts.index(name), name
    return (1, int(name), name) if name.isascii() and name.isdigit() and len(name) < 10 else (2, 0, name)


def shape_by(field_name: str, names: Sequence[str]) -> alt.Shape:
    """Give names different shapes if there are more than three, so that colour is not the only difference."""
    shapes = [SHAPES[place % len(SHAPES)] if len(names) > FEW_NAMES else SHAPES[0] for place in range(len(names))]
    return alt.Shape(f"{field_name}:N", scale=alt.Scale(domain=list(names), range=shapes), legend=None)


def dash_by(field_name: str, names: Sequence[str]) -> alt.StrokeDash:
    """Give names different dashes if there are more than three."""
    dashes = [DASHES[place % len(DASHES)] if len(names) > FEW_NAMES else DASHES[0] for place in range(len(names))]
    return alt.StrokeDash(f"{field_name}:N", scale=alt.Scale(domain=list(names), range=dashes), legend=None)


def color_by(field_name: str, names: Sequence[str]) -> alt.Color:
    """Colour by name, with a legend if there is more than one; beyond eight names colours are grey."""
    spare = [GREY] * max(0, len(names) - len(CATEGORIES))
    scale = alt.Scale(domain=list(names), range=[*CATEGORIES, *spare][: len(names)])
    columns = 3 if max(map(len, names), default=0) <= 12 else 2
    legend = alt.Legend(title=None, columns=columns) if len(names) > 1 else None
    return alt.Color(f"{field_name}:N", scale=scale, sort=list(names), legend=legend)
