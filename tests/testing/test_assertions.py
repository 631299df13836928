from __future__ import annotations

import pytest

from assay.base.errors import UsageError
from assay.checks import CHECKS
from assay.testing import assert_benchmark

TEXTS = [f"text number {n} of them" for n in range(20)]
SOUND = {"text": TEXTS, "label": ["a", "b"] * 10, "split": ["train"] * 10 + ["test"] * 10}
LEAKED = {**SOUND, "text": TEXTS[:10] * 2}
OPTIONS = {"only": ["profile"]}


def test_a_sound_benchmark_passes_and_the_audit_is_returned():
    assert assert_benchmark(SOUND, **OPTIONS).data.rows == 20


def test_a_leak_fails_and_is_named():
    with pytest.raises(AssertionError, match=r"(?s)fails its audit.*error A101: 10 items of 10 in test"):
        assert_benchmark(LEAKED, **OPTIONS)


def test_codes_and_severities_decide_what_fails():
    assert_benchmark(LEAKED, fail_on="A105", **OPTIONS)
    with pytest.raises(AssertionError, match="A101"):
        assert_benchmark(LEAKED, fail_on=["A105", "A101"], **OPTIONS)
    with pytest.raises(UsageError, match="severity or finding 'fatal'"):
        assert_benchmark("no such file", fail_on="fatal")


def test_ignored_findings_do_not_fail():
    assert_benchmark(LEAKED, ignore="A101=on purpose", **OPTIONS)


def test_a_section_that_failed_is_no_pass(monkeypatch):
    def break_section(_):
        raise KeyError("lost")

    from dataclasses import replace

    monkeypatch.setitem(CHECKS._methods, "profile", replace(CHECKS["profile"], measure=break_section))
    with pytest.raises(AssertionError, match=r"The section profile failed: .*KeyError"):
        assert_benchmark(SOUND, **OPTIONS)
