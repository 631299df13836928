"""Runs over time: changes of the score, and flaky items."""

from __future__ import annotations

import json

import numpy as np
import pytest

import assay
from assay.decisions import trace_history
from assay.decisions.history import find_changes


def draw_runs(n_runs: int, n_items: int, change_at: int | None, seed: int, lift: float = 0.15) -> np.ndarray:
    """Return runs × items; a fifth of the items is flaky."""
    generator = np.random.default_rng(seed)
    share = np.where(
        generator.random(n_items) < 0.2, generator.uniform(0.2, 0.8, n_items), generator.random(n_items) < 0.5
    )
    shares = np.tile(share, (n_runs, 1))
    if change_at is not None:
        gained = generator.random(n_items) < 2 * lift
        shares[change_at:, gained] = 1.0
    return (generator.random(shares.shape) < shares).astype(float)


def test_the_run_that_changed_the_score_is_found():
    table = draw_runs(12, 300, 7, seed=0)
    runs = {f"commit {n:02d}": row for n, row in enumerate(table)}
    result = trace_history(predictions=runs)
    assert [change.run for change in result.changes] == ["commit 07"]
    change = result.changes[0]
    assert change.difference.low > 0
    assert change.difference.value == pytest.approx(100 * (table[7:].mean() - table[:7].mean()))
    assert change.p <= 0.05
    stable = {str(n) for n in np.flatnonzero((np.ptp(table[:7], axis=0) == 0) & (np.ptp(table[7:], axis=0) == 0))}
    assert not {item.id for item in result.flaky} & stable
    assert result.n_flaky == 300 - len(stable)
    assert "commit 07" in result.summary


def test_a_single_step_between_two_runs_is_found():
    table = draw_runs(2, 400, 1, seed=1)
    assert [place for place, _ in find_changes(table, 0.05, np.random.default_rng(0))] == [1]


def test_without_a_change_alarms_are_rare():
    alarms = 0
    for seed in range(120):
        table = draw_runs(8, 80, None, seed)
        alarms += bool(find_changes(table, 0.05, np.random.default_rng(seed)))
    assert alarms / 120 <= 0.05 + 0.04


def test_repeats_of_a_system_are_its_runs():
    table = draw_runs(10, 120, 5, seed=3, lift=0.2)
    rows = [
        {"system": "bot", "id": str(item), "repeat": run, "score": int(table[run, item])}
        for run in range(10)
        for item in range(120)
    ]
    result = trace_history(predictions=rows)
    assert [run.run for run in result.runs] == [str(n) for n in range(10)]
    assert [change.place for change in result.changes] == [5]


def test_the_command_prints_and_writes_the_changes(run, tmp_path):
    table = draw_runs(6, 200, 3, seed=0, lift=0.2)
    lines = ["id\t" + "\t".join(f"v{n}" for n in range(6))]
    lines += ["\t".join([f"q{item}", *(f"{int(score)}" for score in table[:, item])]) for item in range(200)]
    (tmp_path / "runs.tsv").write_text("\n".join(lines) + "\n")
    done = run("decide", tmp_path / "runs.tsv", "--history", "--json", tmp_path / "h.json")
    assert done.returncode == 0, done.stderr
    assert 'changed with "v3"' in done.stdout
    assert json.loads((tmp_path / "h.json").read_text())["result"]["changes"][0]["run"] == "v3"
    assert run("decide", tmp_path / "runs.tsv", "--history", "--baseline", "v0").returncode == 2


def test_one_run_has_no_history():
    with pytest.raises(assay.AssayError, match="One run has no history"):
        trace_history(predictions={"a": [1, 0, 1]})
