"""Time of the table of items on the local web page: filters, searches and orders of a million items, over HTTP.

`python -m benchmarks.web_items [ROWS]` makes texts of 14 words, writes the files of the table as an audit does, starts
the server and asks for pages of items as the browser does. The first request of each kind finds nothing in memory but
the files; the second one asks for the next page of the same items. With Chromium and Playwright, the time until a page
shows something is measured too.
"""

from __future__ import annotations

import http.client
import shutil
import statistics
import sys
import tempfile
import threading
import time
from dataclasses import replace
from pathlib import Path
from typing import Any

from benchmarks._bars import print_bar

N_ROWS = 1_000_000
N_WORDS = 5_000
N_SYSTEMS = 5
N_LOADS = 5
MAX_MILLISECONDS = 500  # of processor time, for any request
FIRST_PAINT = """new Promise((done) => new PerformanceObserver((list) => {
  for (const entry of list.getEntriesByName("first-contentful-paint")) done(entry.startTime);
}).observe({ type: "paint", buffered: true }))"""
REQUESTS = {
    "first page": "",
    "search for an id": "q=item-777777",
    "search for a phrase": "q=word12+word345+",
    "search for a frequent word": "q=word1",
    "search for nothing": "q=absent",
    "filter by label": "label=l3",
    "filter by reason": "reason=also+in+training",
    "filter by suspicion": "suspicion=0.9",
    "search and three filters": "q=word99&label=l3&part=test&proposal=repair",
    "sort by id": "sort=id&desc=1",
    "sort by suspicion": "sort=suspicion&desc=1",
    "sort by label, with a search": "sort=label&q=word77",
    "written filter": "where=label+%3D+l3+and+suspicion+%3E+0.5",
    "sort by text": "sort=text",
    "sort by subject": "sort=subject&desc=1",
    "group by label": "group=label",
    "group by subject": "group=subject",
    "group by system": "group=system",
    "group by system, with a search": "group=system&q=word77",
    "two systems": "first=0&second=1",
    "two systems, by subject": "first=0&second=1&group=subject",
    "last page": "sort=row&page=20000",
    "one item": "items/4711",
}


def make_items(n_rows: int) -> Any:
    """Return items as an audit leaves them, with random words."""
    import numpy as np
    import polars as pl

    generator = np.random.default_rng(0)
    words = np.array([f"word{number}" for number in range(N_WORDS)])
    texts = [" ".join(row) for row in words[generator.integers(0, N_WORDS, (n_rows, 14))].tolist()]
    reasons = ["", "also in training", "also in training; repeats another item"]
    return pl.DataFrame(
        {
            "id": [f"item-{number}" for number in range(n_rows)],
            "part": generator.choice(["train", "dev", "test"], n_rows),
            "label": generator.choice([f"l{number}" for number in range(20)], n_rows),
            "proposal": generator.choice(["keep", "repair", "retire"], n_rows),
            "reasons": generator.choice(reasons, n_rows),
            "suspicion": generator.random(n_rows),
            "suggested": pl.Series([None] * n_rows, dtype=pl.String),
            "n_systems_right": pl.Series(generator.integers(0, 20, n_rows), dtype=pl.Float64),
            "n_systems": pl.Series([20] * n_rows, dtype=pl.Int64),
            "item_discrimination": generator.random(n_rows),
            "divergence": generator.random(n_rows),
            "information": generator.random(n_rows),
            "text": texts,
            "doubts": pl.Series([None] * n_rows, dtype=pl.String),
            "partner": pl.Series([-1] * n_rows, dtype=pl.Int64),
        }
    )


def make_answers(n_rows: int) -> Any:
    """Return the answers of some systems, with scores of 0 and 1."""
    import numpy as np
    import polars as pl

    generator = np.random.default_rng(1)
    columns: dict[str, Any] = {}
    for number in range(N_SYSTEMS):
        columns[f"answer-{number}"] = generator.choice(["yes", "no"], n_rows)
        columns[f"score-{number}"] = generator.integers(0, 2, n_rows).astype(float)
    return pl.DataFrame(columns)


def make_version(server: Any, n_rows: int) -> Any:
    """Store a version whose audit is small, and whose table of items is large."""
    import numpy as np
    import polars as pl

    import assay
    from assay.base.codec import to_json
    from assay.views.results import wrap_result
    from assay.web.items.writing import ANSWERS, write_arrow, write_table

    version = server.store.create()
    server.store.assign_dataset(version, "million")
    data = assay.read({"text": ["good film", "bad film"], "label": ["a", "b"]})
    result = assay.audit(data, only=["profile"])
    result = replace(result, settings=replace(result.settings, systems=tuple(f"s{n}" for n in range(N_SYSTEMS))))
    (version.folder / "audit.json").write_text(to_json(wrap_result("audit", result, {}, data)), encoding="utf-8")
    version.write("outcome.json", {"status": "done"})
    start = time.perf_counter()
    subjects = pl.Series(np.random.default_rng(2).choice([f"subject {n}" for n in range(57)], n_rows))
    write_table(version.folder, make_items(n_rows), {"subject": subjects})
    write_arrow(version.folder / ANSWERS, make_answers(n_rows))
    print(f"files of {n_rows:,} items written in {time.perf_counter() - start:.1f} s")
    return version


def time_request(server: Any, path: str) -> tuple[float, float]:
    """Return the milliseconds until a page has arrived, and those of the processor, for server and client together."""
    headers = {"Cookie": f"{server.cookie}={server.token}"}
    start, start_cpu = time.perf_counter(), time.process_time()
    connection = http.client.HTTPConnection("127.0.0.1", server.server_port, timeout=60)
    connection.request("GET", path, headers=headers)
    response = connection.getresponse()
    response.read()
    assert response.status == 200, (path, response.status)
    connection.close()
    return 1000 * (time.perf_counter() - start), 1000 * (time.process_time() - start_cpu)


def time_paint(server: Any, path: str) -> float:
    """Return the milliseconds until a browser shows something of a page, the median of several loads; nan without it."""
    try:
        from playwright.sync_api import sync_playwright
    except ImportError:
        return float("nan")
    program = shutil.which("chromium")
    if program is None:
        return float("nan")
    with sync_playwright() as player:
        browser = player.chromium.launch(executable_path=program, args=["--no-sandbox", "--disable-gpu"])
        page = browser.new_page()
        page.goto(server.address)
        times = []
        for _ in range(N_LOADS):
            page.goto(f"http://127.0.0.1:{server.server_port}{path}")
            times.append(page.evaluate(FIRST_PAINT))
        browser.close()
    return statistics.median(times)


def main() -> None:
    """Print the time of each kind of request."""
    from assay.web import Server

    n_rows = int(sys.argv[1]) if len(sys.argv) > 1 else N_ROWS
    with tempfile.TemporaryDirectory() as folder, Server(Path(folder), port=0) as server:
        thread = threading.Thread(target=server.serve_forever)
        thread.start()
        try:
            version = make_version(server, n_rows)
            home = f"/versions/{version.id}/items"
            print("opened: {:.0f} ms ({:.0f} ms of processor time)".format(*time_request(server, home)))
            print(f"first paint in a browser: {time_paint(server, home):.0f} ms")
            print(f"{'request':32} {'first':>8} {'processor':>10} {'next page':>10} {'processor':>10}")
            for title, query in REQUESTS.items():
                path = f"/versions/{version.id}/{query}" if "/" in query else f"{home}?fragment=1&{query}"
                more = path if "/" in query or "page=" in query else f"{path}&page=2"
                times = (*time_request(server, path), *time_request(server, more))
                line = f"{title:32} {times[0]:5.0f} ms {times[1]:7.0f} ms {times[2]:7.0f} ms {times[3]:7.0f} ms"
                print_bar(line, is_held=max(times[1], times[3]) <= MAX_MILLISECONDS)
        finally:
            server.shutdown()
            thread.join()


if __name__ == "__main__":
    main()
