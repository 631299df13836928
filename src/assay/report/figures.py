"""Every chart of an audit as files."""

from __future__ import annotations

from pathlib import Path

from assay.audits import Audit
from assay.base.errors import AssayError
from assay.base.files import open_for_writing, write_bytes
from assay.report.drawing import draw_charts


def write_figures(audit: Audit, folder: str | Path) -> list[Path]:
    """Write every chart as SVG and PNG (two pixels per point) and return the paths; the folder is created."""
    import vl_convert

    target = Path(folder)
    try:
        target.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise AssayError(f"cannot be created: {error.strerror}.", place=target) from error
    paths = []
    for figure in draw_charts(audit):
        name = figure.chart.name
        if not figure.svg:
            raise AssayError(f"The chart {name} cannot be drawn.")
        paths += [target / f"{name}.svg", target / f"{name}.png"]
        with open_for_writing(paths[-2]) as file:
            file.write(figure.svg)
        write_bytes(paths[-1], vl_convert.svg_to_png(figure.svg, scale=2))
    return paths
