"""What all charts share: inline data, sizes, scales, intervals."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

import altair as alt

from assay.report.drawing import Rows
from assay.report.theme import CATEGORIES, GREY, WIDTH

ROW = 24  # pixels of one name on an axis


def of(rows: Rows) -> alt.Chart:
    """Start a chart of these points, held inside the chart itself."""
    return alt.Chart(inline(rows))


def inline(rows: Rows) -> alt.InlineData:
    """Hold points inside the chart."""
    return alt.InlineData(values=rows)


def sized(chart: Any, height: int = 230) -> Any:
    """Give a chart the width of the page's columns, axes included."""
    fit = alt.AutoSizeParams(type="fit-x", contains="padding")
    return chart.properties(width=WIDTH, height=height, autosize=fit)


def names(rows: Rows, key: str, most: int = 40) -> list[str]:
    """Return the different names under a key in the order they come, at most so many."""
    return list(dict.fromkeys(str(row[key]) for row in rows if row.get(key) is not None))[:most]


def within(rows: Rows, key: str, kept: Sequence[str]) -> Rows:
    """Keep the rows whose name under a key is among those kept."""
    chosen = set(kept)
    return [row for row in rows if str(row.get(key)) in chosen]


def natural(name: str) -> tuple[int, int, str]:
    """Sort parts as they are used, numbers as numbers, other names by their letters.

    >>> sorted(["10", "2", "test", "a", "train"], key=natural)
    ['train', 'test', '2', '10', 'a']
    """
    parts = ("train", "dev", "test")
    if name in parts:
        return 0, parts.index(name), name
    return (1, int(name), name) if name.isascii() and name.isdigit() and len(name) < 10 else (2, 0, name)


def colours(kept: Sequence[str]) -> alt.Scale:
    """Give each name a colour; beyond eight names they are grey."""
    spare = [GREY] * max(0, len(kept) - len(CATEGORIES))
    return alt.Scale(domain=list(kept), range=[*CATEGORIES, *spare][: len(kept)])


def coloured(key: str, kept: Sequence[str], title: str | None = None) -> alt.Color:
    """Colour by name, with a legend where there is more than one."""
    columns = 3 if max(map(len, kept), default=0) <= 16 else 2
    legend = alt.Legend(title=title, columns=columns) if len(kept) > 1 else None
    return alt.Color(f"{key}:N", scale=colours(kept), sort=list(kept), legend=legend)


def tipped(rows: Iterable[dict[str, Any]], write: Any) -> Rows:
    """Give every point the sentence that is shown when it is touched."""
    return [{**row, "tip": write(row)} for row in rows]


TIP = alt.Description("tip:N")
