"""Weigh pages, and time how long they take to make and to open: `python -m benchmarks.report [ROWS…]`.

The audit is that of the bundled data; its items are replaced by so many rows of sentences drawn from the same words,
of which every hundredth is marked as a copy of a training item. Opening is timed in Chromium where Playwright and a
browser are at hand: until the list of items can be used.
"""

from __future__ import annotations

import random
import shutil
import sys
import tempfile
import time
from dataclasses import replace
from pathlib import Path

from benchmarks._bars import print_bar

WORDS_PER_TEXT = 25
MAX_KILOBYTES = 2000


def make_audit(n: int):
    """Return an audit of the bundled data with n other items."""
    import polars as pl

    from assay.audits import audit
    from assay.audits.details import collect_details
    from assay.audits.items import build_item_table, count_proposals, top_rows
    from assay.data.bundled import find_bundled
    from assay.kinds import read

    result = audit(find_bundled(), find_bundled("predictions"), only=["profile", "discrimination"])
    words = " ".join(read(find_bundled()).texts.to_list()).split()
    draw = random.Random(0)
    texts = [" ".join(draw.choices(words, k=WORDS_PER_TEXT)) for _ in range(n)]
    data = read({"id": [f"item-{row}" for row in range(n)], "text": texts, "label": [str(row % 3) for row in range(n)]})
    leak = pl.Series("leak", ["exact" if row % 100 == 0 else None for row in range(n)], dtype=pl.String)
    items = build_item_table(data, [pl.DataFrame({"id": data.ids}).with_columns(leak)])
    rows = {"items": items, "items_top": top_rows(items, data.texts), "items_summary": count_proposals(items)}
    return replace(result, data=replace(result.data, rows=n), details=collect_details(data, None), **rows)


def time_opening(page: str) -> float:
    """Return the seconds until the items can be used, or nan without a browser."""
    browser = shutil.which("chromium") or shutil.which("google-chrome")
    try:
        from playwright.sync_api import sync_playwright
    except ImportError:
        browser = None
    if browser is None:
        return float("nan")
    with tempfile.TemporaryDirectory() as folder, sync_playwright() as started:
        path = Path(folder) / "report.html"
        path.write_text(page, encoding="utf-8")
        tab = started.chromium.launch(executable_path=browser, args=["--no-sandbox"]).new_page()
        tab.goto("about:blank")
        start = time.perf_counter()
        tab.goto(path.as_uri())
        tab.wait_for_selector("html[data-items]", state="attached")
        return time.perf_counter() - start


def main() -> None:
    from assay.report import render_page

    sizes = [int(size) for size in sys.argv[1:]] or [1_970, 14_000, 1_000_000]
    print(f"{'rows':>10}{'page KB':>10}{'items inside':>14}{'seconds to make':>17}{'seconds to open':>17}")
    for n in sizes:
        result = make_audit(n)
        start = time.perf_counter()
        page = render_page(result)
        seconds = time.perf_counter() - start
        inside = page.partition('id="items-bound"><b>')[2].partition(" of ")[0] or f"{n:,}"
        size = len(page.encode()) / 1000
        line = f"{n:>10,}{size:>10,.0f}{inside:>14}{seconds:>17.1f}{time_opening(page):>17.2f}"
        print_bar(line, is_held=size <= MAX_KILOBYTES)


if __name__ == "__main__":
    main()
