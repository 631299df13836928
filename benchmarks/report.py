"""Weigh and time pages: `python -m benchmarks.report [AUDIT.json…]`; without files, of the bundled data.

Beside each page stands what the same charts would weigh as Vega-Lite specifications with the Vega bundle.
"""

from __future__ import annotations

import json
import sys
import time
from pathlib import Path
from typing import Any


def audits(paths: list[str]) -> dict[str, dict[str, Any]]:
    """Read saved audits, or make one of the bundled data."""
    from assay.report.plain_audit import plain_audit

    if paths:
        return {Path(path).stem: plain_audit(json.loads(Path(path).read_text(encoding="utf-8"))) for path in paths}
    from assay.audits import audit
    from assay.data.bundled import find_bundled

    return {"arct": audit(find_bundled(), [find_bundled("predictions")]).to_dict()}


def with_bundle(told: dict[str, Any], page: str) -> int:
    """Return the weight of the page with specifications and Vega in place of the drawn charts."""
    import vl_convert
    from assay.report.charts_of import charts_of

    from assay.report.charts import CHARTS
    from assay.report.svg import inline, specification

    drawn = sum(len(inline(one.svg, one.drawing.name).encode()) for one in charts_of(told))
    charts = (drawing.chart(told) for drawing in CHARTS.values())
    written = sum(len(json.dumps(specification(chart))) for chart in charts if chart is not None)
    return len(page.encode()) - drawn + written + len(vl_convert.javascript_bundle())


def main() -> None:
    from assay.report import render

    print(f"{'audit':<16}{'rows':>9}{'page KB':>9}{'with Vega KB':>14}{'seconds':>9}")
    for name, told in audits(sys.argv[1:]).items():
        render(told)  # the first chart starts the renderer
        start = time.perf_counter()
        page = render(told)
        taken = time.perf_counter() - start
        rows = (told.get("data") or {}).get("rows", 0)
        print(
            f"{name:<16}{rows:>9,}{len(page.encode()) / 1e3:>9.0f}{with_bundle(told, page) / 1e3:>14.0f}{taken:>9.1f}"
        )


if __name__ == "__main__":
    main()
