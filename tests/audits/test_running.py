"""How sections are run: how far the audit is, and with how many threads."""

from __future__ import annotations

import pytest

from assay.audits.case import Case, Settings
from assay.audits.running import run_sections
from assay.audits.section import Measure, Measured
from assay.audits.sections import SECTIONS
from assay.audits.threads import one_thread
from assay.kinds import read


@pytest.mark.parametrize(("quick", "expected"), [(True, [0.0, 0.5, 1.0]), (False, [0.0, 0.75, 1.0])])
def test_progress_knows_that_neural_models_take_longer(monkeypatch, quick, expected):
    made = {name: Measure(name, 1.0, lambda _case: Measured({}), full=full) for name, full in (("a", 3.0), ("b", None))}
    monkeypatch.setattr("assay.audits.running.SECTIONS", made)
    case = Case(read({"text": ["one"]}), None, None, Settings(quick=quick))
    shares = []
    run_sections(case, list(made), progress=lambda _name, share: shares.append(share))
    assert shares == expected


def test_splits_take_longer_in_a_full_audit():
    assert SECTIONS["splits"].share(quick=False) > SECTIONS["splits"].share(quick=True)


def test_sections_work_with_one_thread_whatever_the_machine_has(monkeypatch):
    from threadpoolctl import threadpool_info, threadpool_limits

    seen = []

    def looking(_case):
        seen.extend(pool["num_threads"] for pool in threadpool_info())
        return Measured({})

    monkeypatch.setattr("assay.audits.running.SECTIONS", {"a": Measure("a", 1.0, looking)})
    with threadpool_limits(2):
        run_sections(Case(read({"text": ["one"]}), None, None, Settings()), ["a"])
    assert seen
    assert set(seen) == {1}


def test_small_networks_work_with_one_thread():
    torch = pytest.importorskip("torch")
    before = torch.get_num_threads()
    torch.set_num_threads(2)
    with one_thread(neural=True):
        assert torch.get_num_threads() == 1
    assert torch.get_num_threads() == 2
    torch.set_num_threads(before)


def test_an_interrupt_while_progress_is_told_keeps_what_is_done(monkeypatch):
    made = {name: Measure(name, 1.0, lambda _case: Measured({"a": 1})) for name in ("a", "b")}
    monkeypatch.setattr("assay.audits.running.SECTIONS", made)

    def stop_at_b(name, _share):
        if name == "b":
            raise KeyboardInterrupt

    case = Case(read({"text": ["one"]}), None, None, Settings())
    sections, _, interrupted = run_sections(case, list(made), progress=stop_at_b)
    assert interrupted
    assert [section.status for section in sections.values()] == ["done", "skipped"]
