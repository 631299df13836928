"""Tables and sentences of a forecast: λ with its interval, its drivers, and whether systems will be told apart."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from assay.discrimination.lambdas.verdicts import MIN_LAMBDA_VAR
from assay.forecast.forecasting import Forecast
from assay.forecast.recommendation import Recommendation
from assay.views.blocks import Block, Column, Fact, Sentence, Table, make_fact, make_table
from assay.wording.numbers import write_rounded

PROBE_NAMES = {
    "log_train": "training texts (log 10)",
    "log_test": "test texts (log 10)",
    "pair": "pairs of texts (1) or single texts (0)",
    "majority": "accuracy of the most frequent label",
    "label_entropy": "entropy of the labels",
    "label_shift": "difference of label shares between parts",
    "nb": "accuracy of naive Bayes",
    "nb_likelihood": "likelihood gain of naive Bayes over label shares",
    "ridge": "accuracy on words",
    "bigrams": "accuracy on words and word pairs",
    "letters": "accuracy on letters",
    "neighbours": "accuracy of the most similar texts",
    "best": "accuracy of the best small model",
    "error": "mean error of the small models",
    "spread": "spread of the small models",
    "scaled_spread": "error times spread of the small models",
    "gain": "gain of the best small model over the most frequent label",
    "slope": "gain from twice the training texts",
    "bigram_gain": "gain from word pairs",
    "letter_gain": "gain of letters over words",
    "unseen_words": "share of words not in training",
    "rare_words": "share of words rare in training",
    "overlap": "words that the texts of a pair share",
    "overlap_gain": "gain of shared words over the most frequent label",
}


def show_forecast(forecast: Forecast) -> Iterator[Block]:
    """Yield the forecast of one dataset and what drives it."""
    level = 100 * forecast.lambda_var.confidence
    method = (
        f"A regression on the features of the data, fitted on datasets of known λ; {level:.0f}% prediction interval."
    )
    yield from make_fact("Spread of scores, forecast (λ_var)", forecast.lambda_var, method)
    yield from make_fact("Spread times headroom, forecast (λ_sva)", forecast.lambda_sva, method)
    if forecast.out_of_range:
        method = f"No dataset behind the forecast resembles this one in: {name_outside(forecast)}."
        yield Fact("Out of range", "do not rely on it", method)
    yield from show_drivers(forecast, "What drives the forecast")


def show_drivers(forecast: Forecast, title: str) -> Iterator[Table]:
    """Yield the features that move the forecast most."""
    yield from make_table(
        title,
        forecast.drivers,
        {
            "feature": lambda row: name_feature(row.feature),
            "value": lambda row: row.value,
            Column("factor", "rounded:2"): lambda row: row.factor,
        },
        "What each feature multiplies 1 + λ_sva by, compared with a typical dataset.",
    )


def show_forecasts(forecasts: Sequence[Forecast]) -> Iterator[Block]:
    """Yield the forecasts of several datasets, the most discriminating first, and a verdict on each."""
    ranked = sorted(forecasts, key=lambda forecast: -forecast.lambda_sva.value)
    yield from make_table(
        "Forecast of λ (80% intervals)",
        ranked,
        {
            "data": lambda row: row.data,
            "λ_var": lambda row: row.lambda_var,
            "λ_sva": lambda row: row.lambda_sva,
            Column("percentile", "rounded:0"): lambda row: row.percentile,
            "out of range": lambda row: f"yes: {name_outside(row)}" if row.out_of_range else "no",
        },
        is_main=True,
    )
    for forecast in ranked:
        yield from show_drivers(forecast, f"{forecast.data}: what moves λ_sva")
    yield from (Sentence(write_verdict(forecast), is_verdict=len(ranked) == 1) for forecast in ranked)


def show_recommendation(result: Recommendation) -> Iterator[Block]:
    """Yield the recommended datasets in the order of choice."""
    rows = [choice for choice in result.choices if choice.recommended]
    yield from make_table(
        f"Recommended: {len(rows)} of {len(result.choices)} datasets",
        rows,
        {
            "rank": lambda row: row.rank,
            "data": lambda row: row.data,
            Column("gain", "rounded:2"): lambda row: row.gain,
            "λ_sva": lambda row: row.lambda_sva,
            Column("redundancy", "rounded:2"): lambda row: row.redundancy,
            "most similar": lambda row: row.most_similar or "–",
            "items": lambda row: row.n_items,
            "words": lambda row: row.n_words,
        },
        is_main=True,
    )


def write_verdict(forecast: Forecast) -> str:
    """Say whether a dataset is expected to tell systems apart, by the spread of their scores."""
    low, high = (write_rounded(end, 1) for end in (forecast.lambda_var.low, forecast.lambda_var.high))
    spread = f"scores of systems are expected to spread by {low} to {high} points (standard deviation, 80% interval)"
    if forecast.out_of_range:
        return f"{forecast.data}: do not rely on the forecast; no dataset behind it resembles this one."
    if forecast.lambda_var.high < MIN_LAMBDA_VAR:
        return f"{forecast.data} is not expected to tell systems apart: {spread}, below {MIN_LAMBDA_VAR:g}."
    if forecast.lambda_var.low >= MIN_LAMBDA_VAR:
        return f"{forecast.data} is expected to tell systems apart: {spread}, above {MIN_LAMBDA_VAR:g}."
    return f"{forecast.data} may or may not tell systems apart: {spread}, and {MIN_LAMBDA_VAR:g} is in between."


def name_outside(forecast: Forecast) -> str:
    """Name the features in which a dataset is out of the range of the evidence."""
    return ", ".join(map(name_feature, forecast.outside)) or "all features taken together"


def name_feature(feature: str) -> str:
    """Write the name of a feature in words.

    >>> name_feature("train.label_balance"), name_feature("probe.slope")
    ('train: label balance', 'gain from twice the training texts')
    """
    prefix, _, name = feature.partition(".")
    if prefix == "probe":
        return PROBE_NAMES[name]
    return feature.replace(".", ": ").replace("_", " ")
