"""How sections are run: progress, and the number of threads."""

from __future__ import annotations

import signal
import time

import polars as pl
import pytest
from tests.example_audit import FORECAST

import assay
from assay.audits.run import run_sections
from assay.checks import CHECKS, CheckOutcome
from assay.checks.base import Check
from assay.checks.benchmark import Benchmark, Settings
from assay.kinds import read
from assay.tasks import announce_step, run_tasks
from assay.tasks.threads import TORCH, use_one_thread

DONE = CheckOutcome(FORECAST)


def make_section(name, measure=lambda _benchmark: DONE, full_weight=1.0):
    return Check(name, type(FORECAST), measure, 1, name, "", "ranking", 1.0, full_weight)


def make_benchmark(**settings):
    return Benchmark(read({"text": ["one"]}), settings=Settings(**settings))


@pytest.mark.parametrize(("quick", "expected"), [(True, [0.0, 0.5, 1.0]), (False, [0.0, 0.75, 1.0])])
def test_progress_knows_that_neural_models_take_longer(monkeypatch, quick, expected):
    sections = {"a": make_section("a", full_weight=3.0), "b": make_section("b")}
    monkeypatch.setattr("assay.audits.run.CHECKS", sections)
    shares = []
    run_sections(make_benchmark(quick=quick), sections, progress=lambda _name, share: shares.append(share))
    assert shares == expected


def test_splits_take_longer_in_a_full_audit():
    assert CHECKS["splits"].full_weight > CHECKS["splits"].weight


def test_sections_run_with_one_thread_whatever_the_machine_has(monkeypatch):
    from threadpoolctl import threadpool_info, threadpool_limits

    threads = []

    def measure(_benchmark):
        threads.extend(pool["num_threads"] for pool in threadpool_info())
        return DONE

    monkeypatch.setattr("assay.audits.run.CHECKS", {"a": make_section("a", measure)})
    with threadpool_limits(2):
        run_sections(make_benchmark(), ["a"])
    assert threads
    assert set(threads) == {1}


def test_small_networks_run_with_one_thread():
    torch = pytest.importorskip("torch")
    before = torch.get_num_threads()
    torch.set_num_threads(2)
    with use_one_thread(TORCH):
        assert torch.get_num_threads() == 1
    assert torch.get_num_threads() == 2
    torch.set_num_threads(before)


def test_an_interrupt_during_progress_keeps_what_is_done(monkeypatch):
    sections = {name: make_section(name) for name in ("a", "b")}
    monkeypatch.setattr("assay.audits.run.CHECKS", sections)

    def stop_at_b(name, _share):
        if name == "b":
            raise KeyboardInterrupt

    results, _, interrupted = run_sections(make_benchmark(), sections, progress=stop_at_b)
    assert interrupted
    assert [section.status for section in results.values()] == ["done", "skipped"]


def test_steps_inside_a_section_move_the_progress(monkeypatch):
    def measure(_benchmark):
        run_tasks(max, [(1, 2), (3, 4)])
        announce_step("searching")
        return DONE

    monkeypatch.setattr("assay.audits.run.CHECKS", {"a": make_section("a", measure)})
    monkeypatch.setattr("assay.audits.run.STEP_SECONDS", 0.0)
    reports = []
    run_sections(make_benchmark(), ["a"], progress=lambda name, share: reports.append((name, share)))
    names = ["a", "a: max 1 of 2", "a: max 2 of 2", "a: max", "a: searching", ""]
    assert reports == list(zip(names, [0.0, 0.0, 0.25, 0.5, 0.5, 1.0], strict=True))


def test_the_budget_ends_a_section_that_runs(monkeypatch):
    def measure(_benchmark):
        for _ in range(6_000):
            time.sleep(0.01)
        return DONE

    sections = {"a": make_section("a"), "b": make_section("b", measure), "c": make_section("c")}
    monkeypatch.setattr("assay.audits.run.CHECKS", sections)
    results, _, interrupted = run_sections(make_benchmark(), sections, budget=0.3 / 60)
    assert not interrupted
    assert [section.status for section in results.values()] == ["done", "skipped", "skipped"]
    assert "budget" in results["b"].reason


def test_a_budget_ends_sections_where_interrupts_are_ignored(monkeypatch):
    """A process that a script starts in the background ignores interrupts."""

    def measure(_benchmark):
        for _ in range(6_000):
            time.sleep(0.01)
        return DONE

    monkeypatch.setattr("assay.audits.run.CHECKS", {"a": make_section("a", measure)})
    previous = signal.signal(signal.SIGINT, signal.SIG_IGN)
    try:
        results, _, _ = run_sections(make_benchmark(), {"a": None}, budget=0.3 / 60)
        assert signal.getsignal(signal.SIGINT) is signal.SIG_IGN
    finally:
        signal.signal(signal.SIGINT, previous)
    assert results["a"].status == "skipped"


def test_a_budget_that_suffices_changes_nothing(monkeypatch):
    sections = {name: make_section(name) for name in ("a", "b")}
    monkeypatch.setattr("assay.audits.run.CHECKS", sections)
    results, _, _ = run_sections(make_benchmark(), sections, budget=60.0)
    assert [section.status for section in results.values()] == ["done", "done"]


@pytest.mark.parametrize(
    "to_frame", [pl.DataFrame, lambda columns: pl.DataFrame(columns).to_pandas(), lambda rows: rows]
)
def test_predictions_in_memory_are_aligned_by_id(to_frame):
    data = {
        "id": [str(row) for row in range(40)],
        "text": [f"text {row}" for row in range(40)],
        "label": ["a", "b"] * 20,
    }
    rows = [{"id": str(row), "right": "ab"[row % 2], "wrong": "ba"[row % 2]} for row in reversed(range(40))]
    result = assay.audit(data, predictions=to_frame(rows), only=["discrimination"])
    systems = {row.system: row.kappa.value for row in result.sections["discrimination"].evidence.agreement}
    assert systems == {"right": 1.0, "wrong": -1.0}
