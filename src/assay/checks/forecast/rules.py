"""Rules on the forecast, which needs no results of systems."""

from __future__ import annotations

from collections.abc import Iterator

from assay.base.errors import join_names
from assay.checks.discrimination.results import DiscriminationEvidence
from assay.checks.findings import NotChecked, Outcome, exact_number, make_finding, rule
from assay.checks.measured import Measurements
from assay.discrimination.lambdas.verdicts import MIN_LAMBDA_VAR
from assay.forecast import Forecast
from assay.wording.numbers import format_interval

# Leave-one-family-out table of docs/forecast.md.
INTERVAL_NOTE = (
    "80% intervals: of the datasets of 24 families that were held out, 86% are inside for λ_var and 87% for λ_sva; a "
    "family unlike the evidence is covered much worse (SNLI 17% of λ_var, German news 33% of λ_sva)."
)


@rule("A601", "Forecast out of range", section="forecast")
def find_forecast_out_of_range(forecast: Forecast) -> Iterator[Outcome]:
    """Report a dataset outside the range of those the forecast was fitted on."""
    if forecast.out_of_range:
        n_outside = len(forecast.outside)
        where = f"in {n_outside} of its features" if n_outside else "in all features taken together"
        yield make_finding(
            "note",
            f"The forecast is out of its range: no dataset it was fitted on resembles this one {where}.",
            "Do not rely on the forecast; collect the answers of real systems.",
            exact_number(len(forecast.outside)),
            n=forecast.n_test,
            evidence={"features outside the range": join_names(forecast.outside, 10)} if forecast.outside else None,
        )


@rule("A602", "Forecast: will not discriminate", section="forecast")
def find_low_forecast(forecast: Forecast, measured: Measurements) -> Iterator[Outcome]:
    """Report a forecast of λ_var whose whole interval is below the threshold of Xiao et al., within its range.

    Silent if there are answers of systems: a measurement is better than a forecast.
    """
    if (ranking := measured.find(DiscriminationEvidence)) is not None and ranking.basis == "predictions":
        yield NotChecked("Systems are given, so discrimination is measured instead of forecast.")
        return
    if forecast.out_of_range:
        yield NotChecked("The forecast is out of its range.")
        return
    estimate = forecast.lambda_var
    if estimate.high < MIN_LAMBDA_VAR:
        yield make_finding(
            "note",
            "This dataset is not expected to tell systems apart: the spread of their scores (λ_var) is forecast at "
            f"{format_interval(estimate)} points ({100 * estimate.confidence:.0f}% interval), below "
            f"{MIN_LAMBDA_VAR:g}.",
            "Add harder items before collecting systems.",
            estimate,
            n=forecast.n_test,
            evidence={"how far to trust the interval": INTERVAL_NOTE},
        )
