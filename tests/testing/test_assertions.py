from __future__ import annotations

import pytest

from assay.base.errors import UsageError
from assay.checks import CHECKS
from assay.testing import assert_benchmark, assert_better, assert_not_worse

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


def test_a_section_that_failed_is_not_a_pass(monkeypatch):
    def break_section(_):
        raise KeyError("lost")

    from dataclasses import replace

    monkeypatch.setitem(CHECKS._methods, "profile", replace(CHECKS["profile"], measure=break_section))
    with pytest.raises(AssertionError, match=r"The section profile failed: .*KeyError"):
        assert_benchmark(SOUND, **OPTIONS)


def test_systems_that_are_not_shown_to_be_good_enough_fail():
    answers = {"old": [1, 0, 0, 1] * 50, "new": [1, 1, 0, 1] * 50, "bad": [0, 0, 0, 1] * 50, "alike": [0, 1, 0, 1] * 50}
    assert assert_not_worse(predictions=answers, baseline="old", candidate="new").verdict == "better"
    assert assert_better(predictions=answers, baseline="old", candidate="new").verdict == "better"
    with pytest.raises(AssertionError, match="FAIL: bad not worse than old by more than 1 point: refuted"):
        assert_not_worse(predictions=answers, baseline="old", candidate="bad")
    with pytest.raises(AssertionError, match="UNDECIDED: alike"):
        assert_not_worse(predictions=answers, baseline="old", candidate="alike")
    undecided = assert_not_worse(predictions=answers, baseline="old", candidate="alike", allow_undecided=True)
    assert undecided.verdict == "undecided"
