"""A dataset that is not expected to tell systems apart."""

from __future__ import annotations

from collections.abc import Iterator

from assay.audits.finding import Check, Finding, Seen
from assay.base.wording import format_estimate
from assay.discrimination import MIN_LAMBDA_VAR
from assay.statistics import Interval


def find(seen: Seen) -> Iterator[Finding]:
    """Report a forecast of λ_var whose whole interval lies below the threshold of paper 000, within its range.

    Silent where systems are given: what is measured goes before what is forecast.
    """
    result = seen.result("forecast")
    if seen.result("discrimination").get("basis") == "predictions":
        return
    if not result or result.get("out_of_range") or result.get("lambda_var_high") is None:
        return
    value = Interval(result["lambda_var"], result["lambda_var_low"], result["lambda_var_high"], 0.8, "conformal")
    if value.high < MIN_LAMBDA_VAR:
        claim = (
            f"This dataset is not expected to tell systems apart: λ_var is forecast at {format_estimate(value)} (80 %), below "
            f"{MIN_LAMBDA_VAR:g}."
        )
        yield LOW.finding("note", claim, value, "Add harder items before collecting systems.", {"n": result["n_test"]})


LOW = Check("A602", "forecast", "Forecast: will not discriminate", find)
