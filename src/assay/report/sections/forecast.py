"""λ foretold from the data alone."""

from __future__ import annotations

from collections.abc import Iterator

from assay.base.numbers import format_number
from assay.report.chapter import Chapter, Fact, Table, Values, fact, within

TITLES = {"lambda_var": "λ_var", "lambda_sva": "λ_sva", "lambda_hit": "λ_hit"}


def facts(result: Values) -> Iterator[Fact | None]:
    """Yield the foretold values."""
    level = 100 * (result.get("confidence") or 0.8)
    how = f"A regression on the features of the data, learnt on datasets of known λ; {level:.0f} % prediction interval."
    for row in within(result, "charts", "forecast") or []:
        yield fact(f"{TITLES.get(row.get('measure'), row.get('measure'))}, foretold", row, how)
    if result.get("out_of_range"):
        names = ", ".join(map(_named, result.get("outside") or [])) or "all features together"
        yield Fact(
            "Out of its range", "do not rely on it", f"No dataset behind the forecast was like this one in: {names}."
        )


def tables(result: Values) -> Iterator[Table]:
    """Yield the features that move the forecast most."""
    rows = [
        [_named(row.get("feature")), format_number(row.get("value")), f"× {row['factor']:.2f}"]
        for row in result.get("drivers") or []
    ]
    how = "What each feature multiplies 1 + λ_sva by, beside a usual dataset. The interval is the forecast's."
    if rows:
        yield Table("What moves it", ["feature", "value", "factor"], rows, how)


def _named(feature: object) -> str:
    return str(feature).replace(".", ": ").replace("_", " ")


FORECAST = Chapter(
    "forecast",
    "What to expect of it",
    "How well will it tell systems apart, foretold from the data alone?",
    facts,
    tables,
)
