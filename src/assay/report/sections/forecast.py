"""λ foretold from the data alone."""

from __future__ import annotations

from collections.abc import Iterator

from assay.report.chapter import Chapter, Fact, Table, Values, fact, within

TITLES = {"lambda_var": "λ_var", "lambda_sva": "λ_sva", "lambda_hit": "λ_hit"}


def facts(result: Values) -> Iterator[Fact | None]:
    """Yield the foretold values."""
    for row in within(result, "charts", "forecast") or []:
        how = "A regression on the features of the data, learnt on datasets of known λ; with its prediction interval."
        yield fact(f"{TITLES.get(row.get('measure'), row.get('measure'))}, foretold", row, how)


def tables(result: Values) -> Iterator[Table]:
    """Yield nothing: the facts are all there is."""
    del result
    yield from ()


FORECAST = Chapter(
    "forecast",
    "What to expect of it",
    "How well will it tell systems apart, foretold from the data alone?",
    facts,
    tables,
)
