"""The table of benchmarks: one row is replaced, the others stay."""

from __future__ import annotations

import importlib
import shutil
from pathlib import Path

from benchmarks import __main__ as benchmarks


def test_rows_are_replaced_by_name():
    page = "# Benchmarks\n\nText.\n"
    for run in (benchmarks.Run("words", "done", 3.2), benchmarks.Run("growth", "done", 60, (4, 1))):
        page = benchmarks.update_page(page, run)
    assert page.index("`growth` | done | 4 of 5 held | 60 |") < page.index("`words` | done |  | 3 |")
    changed = benchmarks.update_page(page, benchmarks.Run("growth", "failed with status 1", 2))
    assert changed == page.replace("done | 4 of 5 held | 60", "failed with status 1 |  | 2")


def test_the_row_of_a_short_run_replaces_the_one_of_a_full_run():
    page = benchmarks.update_page("# Benchmarks\n", benchmarks.Run("votes", "done", 400, (6, 0)))
    page = benchmarks.update_page(page, benchmarks.Run("votes", "done", 60, (5, 1), "40"))
    assert "`votes 40` | done | 5 of 6 held | 60 |" in page
    assert "`votes`" not in page


def test_all_benchmarks_that_run_are_there_and_none_has_a_target_of_its_own():
    chosen = benchmarks.choose_names()
    assert set(benchmarks.BRIEF) <= set(chosen) <= set(benchmarks.names())
    assert set(benchmarks.OWN_TARGETS) <= set(benchmarks.names())
    assert not set(chosen) & set(benchmarks.OWN_TARGETS)


def test_bars_are_counted(tmp_path, monkeypatch, capsys):
    (tmp_path / "benchmarks").mkdir()
    bar = "print_bar('no copies', is_held=len(sys.argv) == 2)"
    program = f"import sys\nfrom benchmarks._bars import print_bar\n{bar}\nprint_bar('slow', is_held=False)\n"
    (tmp_path / "benchmarks" / "sample.py").write_text(program, encoding="utf-8")
    shutil.copy(Path(benchmarks.__file__).with_name("_bars.py"), tmp_path / "benchmarks")
    monkeypatch.setattr(benchmarks, "HERE", tmp_path / "benchmarks")
    assert benchmarks.run_benchmark("sample", "5").bars == (1, 1)
    assert "no copies  held\n" in capsys.readouterr().out


def test_benchmarks_can_be_imported():
    """What each runs is called main."""
    for name in ("growth", "peers", "clusters", "cluster_simulation", "out_of_core"):
        assert name in benchmarks.names()
        assert callable(importlib.import_module(f"benchmarks.{name}").main)
