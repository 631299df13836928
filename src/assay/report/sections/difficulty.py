"""Which items are hard."""

from __future__ import annotations

from collections.abc import Iterator

from assay.report.chapter import Chapter, Fact, Table, Values, fact
from assay.report.numbers import shown, spanned


def facts(result: Values) -> Iterator[Fact | None]:
    """Yield the share of obvious items and the median divergence."""
    how = "Items whose words point to their label (paper 002), of those where it is defined. Wilson interval, 95 %."
    yield fact("Obvious items", result, how, percent=True, ends=("obvious_share", "low", "high"))
    cut = "The cut between low and high divergence; of all items measured, hence exact."
    yield fact("Median divergence", result.get("median"), cut)


def tables(result: Values) -> Iterator[Table]:
    """Yield the cases by part."""
    parts = result.get("by_part") or {}
    names = list(dict.fromkeys(name for part in parts.values() for name in part.get("counts") or {}))
    rows = [
        [part, *(shown((one.get("counts") or {}).get(name)) for name in names), _share(one)]
        for part, one in parts.items()
    ]
    how = (
        "Po, Pn: positive and obvious, not obvious. No, Nn: negative likewise. Counted, hence exact; the share has "
        "Wilson's interval (95 %)."
    )
    if rows:
        yield Table("Cases by part", ["part", *names, "obvious"], rows, how)


def _share(part: Values) -> str:
    from assay.statistics import wilson

    n = sum((part.get("counts") or {}).values())
    if part.get("obvious_share") is None or not n:
        return "n/a"
    span = wilson(part["obvious_share"] * n, n)
    return spanned(span.value, span.low, span.high, percent=True)


DIFFICULTY = Chapter(
    "difficulty",
    "How hard it is",
    "Do the words of an item give its label away, and do systems live off that?",
    facts,
    tables,
)
