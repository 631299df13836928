from __future__ import annotations

import tomllib
from pathlib import Path

import pytest

from assay.audits import FINDINGS
from assay.report.explanations import explain_rule

ROOT = Path(__file__).resolve().parents[2]


@pytest.mark.parametrize("code", FINDINGS)
def test_every_rule_says_why_it_matters_and_how_it_is_measured(code):
    explanation = explain_rule(code)
    assert explanation.why.endswith(".")
    assert explanation.measured
    assert explanation.raised
    assert not set("`[]") & set(explanation.why + explanation.limits)


def test_an_unknown_rule_has_at_least_a_reason():
    assert explain_rule("A199").why
    assert explain_rule("A199").measured == ""


def test_the_explanations_are_in_the_installed_package():
    build = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["tool"]["hatch"]["build"]
    assert build["targets"]["wheel"]["force-include"]["docs/findings.md"] == "assay/report/findings.md"
