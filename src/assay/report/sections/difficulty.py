"""Which items are hard."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from assay.base.numbers import format_interval, format_number, is_missing
from assay.report.chapter import Chapter, Fact, Table, Values, fact


def facts(result: Values) -> Iterator[Fact | None]:
    """Yield the share of obvious items and the median divergence."""
    how = "Items whose words point to their label (paper 002), of those where it is defined. Wilson interval, 95 %."
    yield fact("Obvious items", result, how, percent=True, ends=("obvious_share", "low", "high"))
    if "contrary_share" in result:
        yield contrary(result.get("contrary_share"), _counted(result))
        gap = "Distance to the nearest training text of its own label less that to one of another; below 0: its own is"
        yield fact("Median difficulty", result.get("median"), f"{gap} nearer. Of all items measured, hence exact.")
        return
    cut = "The cut between low and high divergence; of all items measured, hence exact."
    yield fact("Median divergence", result.get("median"), cut)


def contrary(value: Any, n: int) -> Fact | None:
    """Say how many single texts lie nearer to a training text of another label."""
    if is_missing(value) or not n:
        return None
    how = f"Of {format_number(n)} texts, as TF-IDF vectors; cosine distance to training texts. Wilson interval, 95 %."
    return Fact("Nearer to another label", _wilson(value, n), how)


def tables(result: Values) -> Iterator[Table]:
    """Yield the cases by part."""
    parts = result.get("by_part") or {}
    names = list(dict.fromkeys(name for part in parts.values() for name in part.get("counts") or {}))
    rows = [
        [part, *(format_number((one.get("counts") or {}).get(name)) for name in names), _share(one)]
        for part, one in parts.items()
    ]
    how = (
        "Po, Pn: positive and obvious, not obvious. No, Nn: negative likewise. Counted, hence exact; the share has "
        "Wilson's interval (95 %)."
    )
    if rows:
        yield Table("Cases by part", ["part", *names, "obvious"], rows, how)
    for kind in ("label", "part"):
        shares, spreads = (result.get(f"{name}_by_{kind}") or {} for name in ("contrary", "distribution"))
        told = [
            [name, _wilson(value, _n(spreads.get(name))), format_number(_n(spreads.get(name)))]
            for name, value in shares.items()
        ]
        if told:
            yield Table(f"Nearer to another label, by {kind}", [kind, "share", "items"], told, _CONTRARY)


def _share(part: Values) -> str:
    return _wilson(part.get("obvious_share"), sum((part.get("counts") or {}).values()))


def _wilson(share: Any, n: int) -> str:
    from assay.statistics import wilson

    if is_missing(share) or not n:
        return "n/a"
    span = wilson(share * n, n)
    return format_interval(span.value, span.low, span.high, percent=True)


def _counted(result: Values) -> int:
    return int((result.get("n_items") or 0) - (result.get("n_undefined") or 0))


def _n(spread: Values | None) -> int:
    return int(sum((spread or {}).get("histogram") or []))


_CONTRARY = "Texts whose nearest training text bears another label; Wilson interval, 95 %."


DIFFICULTY = Chapter(
    "difficulty",
    "How hard it is",
    "Do the words of an item give its label away, and do systems live off that?",
    facts,
    tables,
)
