"""What notebooks show of results: escaped tables."""

from __future__ import annotations

import math
import re
from dataclasses import dataclass

import pytest

import assay
from assay.evaluation import Predictions
from assay.views.rendering import write_html_table
from assay.views.results import Result

HOSTILE = "<script>alert(1)</script>"


@dataclass(frozen=True)
class Score(Result):
    value: float
    name: str
    reason: str | None = None


def test_a_result_without_a_table_shows_its_fields():
    shown = Score(1234.5678, HOSTILE)._repr_html_()
    assert "<table>" in shown
    assert "<td>value</td><td>1,234.6</td>" in shown
    assert "&lt;script&gt;" in shown
    assert "<script>" not in shown
    assert "reason" not in shown  # a field without content


def test_fields_are_written_as_words():
    result = assay.discriminate({"system": ["a", "b", "c"], "x": [1.0, 2.0, 4.0], "y": [2.0, 1.0, 3.0]})
    shown = result.correlations[0]._repr_html_() if result.correlations else result.datasets[0]._repr_html_()
    assert "λ var" in shown
    assert "lambda_var" not in shown


def test_undefined_numbers_are_left_out():
    assert "<td>value</td>" not in Score(math.nan, "a").to_html()


def test_long_tables_and_texts_are_cut():
    shown = write_html_table(["x"], [["a" * 1000]] * 50, HOSTILE)
    assert shown.count("<tr>") == 41
    assert "10 more rows." in shown
    assert "a" * 299 + "…" in shown
    assert "a" * 300 not in shown
    assert "<script>" not in shown


def make_results():
    """Yield a result of each of several commands, on hostile data."""
    data = {"text": [f"{HOSTILE} text {n}" for n in range(12)], "label": [HOSTILE, "b"] * 6}
    yield assay.profile(data)
    yield assay.split(data, "random", n_splits=3)
    predictions = Predictions.from_arrays(data["label"], {HOSTILE: [HOSTILE] * 12, "s": data["label"]})
    yield assay.evaluate(None, predictions)
    yield assay.audit(data, only=["profile"])


def test_results_of_the_commands_are_escaped_tables():
    for result in make_results():
        shown = result._repr_html_()
        assert "<table>" in shown or "<p>" in shown, type(result)
        tags = set(re.findall(r"<(\w+)", shown))
        assert tags <= {"table", "caption", "thead", "tbody", "tr", "th", "td", "p", "b"}, type(result)


@pytest.mark.parametrize("ignored", [(), ("A103=copies are meant",)])
def test_an_audit_counts_its_checks(ignored):
    rows = {"text": ["one text"] * 8 + ["two", "three"], "label": ["a"] * 8 + ["b", "b"]}
    result = assay.audit(rows, only=["profile"], ignore=ignored)
    shown = result._repr_html_()
    assert f"{len(result.passed)} passed, {len(result.not_checked)} not checked, {len(ignored)} ignored." in shown
    assert ("A103" in [finding.code for finding in result.findings]) == (not ignored)
    assert "A103" in shown
