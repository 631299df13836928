"""Every chart of an audit as files."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from assay.base.errors import AssayError
from assay.base.files import open_for_writing
from assay.report.charts_of import charts_of
from assay.report.plain_audit import plain_audit


def figures(audit: Any, folder: str | Path, *, private: bool = False) -> list[Path]:
    """Write every chart as SVG and PNG (two pixels a point) and return the paths; the folder is made where missing."""
    import vl_convert

    told = plain_audit(audit)
    target = Path(folder)
    try:
        target.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise AssayError(f"{target}: cannot be made: {error.strerror}.") from error
    paths = []
    for figure in charts_of(told, private=private or is_private(told)):
        if not figure.svg:
            raise AssayError(f"The chart {figure.drawing.name} cannot be drawn.")
        paths += [target / f"{figure.drawing.name}.svg", target / f"{figure.drawing.name}.png"]
        with open_for_writing(paths[-2]) as file:
            file.write(figure.svg)
        paths[-1].write_bytes(vl_convert.svg_to_png(figure.svg, scale=2))
    return paths


def is_private(audit: dict[str, Any]) -> bool:
    """Tell whether the audit itself was made without item text."""
    return bool((audit.get("settings") or {}).get("private"))
