"""Every chart of an audit as files for a paper: SVG, PDF and PNG, one or two columns wide, and its points as CSV."""

from __future__ import annotations

import csv
import re
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from assay.audits import Audit
from assay.base.arrays import Values
from assay.base.errors import AssayError, unknown_name
from assay.base.marks import make_text_visible
from assay.checks import load_charts
from assay.report.svg import render_specification, specify_chart
from assay.system.files import create_folder, open_for_writing, write_bytes, write_together
from assay.system.json import JsonObject
from assay.views.charts import CHARTS, Chart
from assay.views.theme import INK

COLUMN_INCHES = {"single": 3.35, "double": 7.0}
STRETCH = {"single": 1, "double": 2}  # of the drawing: type has the same size in both
PIXELS_PER_INCH = 300
POINTS_PER_INCH = 72
_SIZE = re.compile(r'width="([\d.]+)" height="([\d.]+)"')
_LINK = re.compile('␟[^"<]*')
_VIEWS = {"mark", "layer", "spec", "vconcat", "hconcat", "concat"}


def write_figures(audit: Audit, folder: str | Path, width: str = "single") -> list[Path]:
    """Write every chart as SVG, PDF and PNG (300 dpi), and its points as CSV; return the paths. The folder is created.

    `width` is single (one column of a page) or double (both columns).
    """
    if width not in COLUMN_INCHES:
        raise unknown_name("figure width", width, tuple(COLUMN_INCHES))
    load_charts()
    results = audit.evidence.results
    paths = []
    with write_together():
        target = create_folder(folder)
        for chart in CHARTS.values():
            if audit.settings.private and chart.shows_words:
                continue
            plot = chart.plot(make_text_visible(results.get(chart.section)))
            if plot is not None:
                paths += write_figure(chart, plot.figure, target, width)
                paths.append(write_points(target / f"{chart.name}.csv", chart, plot.points))
    return paths


def write_figure(chart: Chart, figure: Values, folder: Path, width: str) -> list[Path]:
    """Write one chart in every format."""
    import vl_convert

    specification = add_title(stretch_views(specify_chart(figure), STRETCH[width]), chart.title)
    try:
        svg = render_specification(specification)
    except ValueError as error:
        raise AssayError(f"The chart {chart.name} cannot be drawn.") from error
    svg = _LINK.sub("", svg)  # a file has no items to lead to
    paths = [folder / f"{chart.name}.{kind}" for kind in ("svg", "pdf", "png")]
    scale = find_scale(svg, width)
    with open_for_writing(paths[0]) as file:
        file.write(resize(svg, scale / POINTS_PER_INCH, "in"))
    write_bytes(paths[1], vl_convert.svg_to_pdf(resize(svg, scale)))  # takes pixels as points
    write_bytes(paths[2], vl_convert.svg_to_png(svg, scale=scale, ppi=PIXELS_PER_INCH))
    return paths


def write_points(path: Path, chart: Chart, points: Sequence[object]) -> Path:
    """Write the unrounded points of a chart under the headings of its table."""
    with open_for_writing(path) as file:
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow(chart.columns.values())
        writer.writerows([getattr(point, name) for name in chart.columns] for point in points)
    return path


def stretch_views(specification: object, factor: float) -> Any:
    """Multiply the widths of all views of a specification.

    >>> stretch_views({"vconcat": [{"mark": {"type": "bar", "width": 3}, "width": 100}]}, 2)
    {'vconcat': [{'mark': {'type': 'bar', 'width': 3}, 'width': 200}]}
    """
    if isinstance(specification, list):
        return [stretch_views(part, factor) for part in specification]
    if not isinstance(specification, dict):
        return specification
    stretched = {
        key: stretch_views(value, factor) if key in _VIEWS - {"mark"} else value for key, value in specification.items()
    }
    if _VIEWS & set(stretched) and isinstance(stretched.get("width"), (int, float)):
        stretched["width"] *= factor
    return stretched


def add_title(specification: JsonObject, title: str) -> JsonObject:
    """Return a specification with a title above the chart."""
    style = {"anchor": "start", "fontSize": 13, "fontWeight": 600, "color": INK, "offset": 8}
    return {**specification, "title": {"text": title, **style}, "background": "white"}


def find_scale(svg: str, width: str) -> float:
    """Return the points per pixel with which a drawing gets the width of its columns."""
    match = _SIZE.search(svg)
    assert match is not None
    return COLUMN_INCHES[width] * POINTS_PER_INCH / float(match[1])


def resize(svg: str, factor: float, unit: str = "") -> str:
    """Multiply the size of an SVG, and name its unit.

    >>> resize('<svg width="432" height="216" viewBox="0 0 432 216">', 1 / 144, "in")
    '<svg width="3in" height="1.5in" viewBox="0 0 432 216">'
    """
    return _SIZE.sub(
        lambda match: f'width="{float(match[1]) * factor:.6g}{unit}" height="{float(match[2]) * factor:.6g}{unit}"',
        svg,
        count=1,
    )
