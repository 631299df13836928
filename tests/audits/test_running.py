"""How sections are run: progress, and the number of threads."""

from __future__ import annotations

import pytest
from tests.example_audit import FORECAST

from assay.audits.benchmark import Benchmark, Settings
from assay.audits.run import run_sections
from assay.audits.sections import SECTIONS, Measurement
from assay.audits.sections.base import SectionKind, always
from assay.audits.threads import one_thread
from assay.kinds import read

DONE = Measurement(FORECAST)


def make_section(name, measure=lambda _benchmark: DONE, full_weight=1.0):
    return SectionKind(name, type(FORECAST), 1.0, full_weight, measure, always)


def make_benchmark(**settings):
    return Benchmark(read({"text": ["one"]}), settings=Settings(**settings))


@pytest.mark.parametrize(("quick", "expected"), [(True, [0.0, 0.5, 1.0]), (False, [0.0, 0.75, 1.0])])
def test_progress_knows_that_neural_models_take_longer(monkeypatch, quick, expected):
    sections = {"a": make_section("a", full_weight=3.0), "b": make_section("b")}
    monkeypatch.setattr("assay.audits.run.SECTIONS", sections)
    shares = []
    run_sections(make_benchmark(quick=quick), sections, progress=lambda _name, share: shares.append(share))
    assert shares == expected


def test_splits_take_longer_in_a_full_audit():
    assert SECTIONS["splits"].full_weight > SECTIONS["splits"].weight


def test_sections_run_with_one_thread_whatever_the_machine_has(monkeypatch):
    from threadpoolctl import threadpool_info, threadpool_limits

    threads = []

    def measure(_benchmark):
        threads.extend(pool["num_threads"] for pool in threadpool_info())
        return DONE

    monkeypatch.setattr("assay.audits.run.SECTIONS", {"a": make_section("a", measure)})
    with threadpool_limits(2):
        run_sections(make_benchmark(), ["a"])
    assert threads
    assert set(threads) == {1}


def test_small_networks_run_with_one_thread():
    torch = pytest.importorskip("torch")
    before = torch.get_num_threads()
    torch.set_num_threads(2)
    with one_thread(neural=True):
        assert torch.get_num_threads() == 1
    assert torch.get_num_threads() == 2
    torch.set_num_threads(before)


def test_an_interrupt_during_progress_keeps_what_is_done(monkeypatch):
    sections = {name: make_section(name) for name in ("a", "b")}
    monkeypatch.setattr("assay.audits.run.SECTIONS", sections)

    def stop_at_b(name, _share):
        if name == "b":
            raise KeyboardInterrupt

    results, _, interrupted = run_sections(make_benchmark(), sections, progress=stop_at_b)
    assert interrupted
    assert [section.status for section in results.values()] == ["done", "skipped"]
