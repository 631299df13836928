"""The table of benchmarks: one row is replaced, the others stay."""

from __future__ import annotations

import importlib

from benchmarks import __main__ as benchmarks


def test_rows_are_replaced_by_name():
    page = "# Benchmarks\n\nText.\n"
    for run in (benchmarks.Run("words", "done", 3.2), benchmarks.Run("growth", "done", 60, (4, 1))):
        page = benchmarks.update_page(page, run)
    assert page.index("`growth` | done | 4 of 5 held | 60 |") < page.index("`words` | done |  | 3 |")
    changed = benchmarks.update_page(page, benchmarks.Run("growth", "failed with status 1", 2))
    assert changed == page.replace("done | 4 of 5 held | 60", "failed with status 1 |  | 2")


def test_benchmarks_can_be_imported():
    """What each runs is called main."""
    for name in ("growth", "peers", "clusters", "cluster_simulation", "out_of_core"):
        assert name in benchmarks.names()
        assert callable(importlib.import_module(f"benchmarks.{name}").main)
