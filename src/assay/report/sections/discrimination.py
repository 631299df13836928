"""Can it tell systems apart."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from typing import Any

from assay.base.numbers import format_interval, format_number, is_missing
from assay.report.chapter import Chapter, Fact, Table, Values, fact, share, within

MOST = 60
LAMBDAS = {"lambda_var": "λ_var", "lambda_sva": "λ_sva", "lambda_hit": "λ_hit"}


def facts(result: Values) -> Iterator[Fact | None]:
    """Yield the λ of the first dataset, the items that tell nothing, reliability."""
    basis = result.get("basis", "scores")
    own = "Quick linear models of the audit itself, as no systems were given. Counted."
    yield fact("Systems", result.get("n_systems"), own if basis == "quick models" else f"Given as {basis}. Counted.")
    rows = result.get("datasets") or []
    for name, title in LAMBDAS.items() if len(rows) == 1 else ():
        ends = (name, f"{name}_low", f"{name}_high")
        yield fact(title, rows[0], "Paper 000; 95 % interval over items.", ends=ends)
    for items in (result.get("items") or [])[:1]:
        dead = {"count": (items.get("n_all_right") or 0) + (items.get("n_all_wrong") or 0), "n": items.get("n_items")}
        yield share("Items that tell nothing", dead, "Every system is right, or every one is wrong.")
        told = "over systems: 1 means another test set would rank them alike. Feldt's interval, 95 %."
        n_systems = result.get("n_systems") or within(rows[0] if rows else None, "n_systems")
        found = reliability(items.get("reliability"), n_systems, items.get("n_items"))
        yield fact("Reliability", found, f"{str(items.get('reliability_method')).upper()} {told}")
    yield datasets(result.get("proposals") or [])
    yield share("Items that run backwards", result.get("backwards"), "Better systems do worse on them, beyond chance.")


def tables(result: Values) -> Iterator[Table]:
    """Yield λ and verdict by dataset, and agreement by system."""
    wishes = result.get("proposals") or []
    wish = {_key(row): str(row.get("proposal")) for row in wishes}
    found = sorted(result.get("datasets") or [], key=lambda row: _gravity(wish.get(_key(row))))
    several = Counter(row.get("dataset") for row in found)
    rows = [
        [
            _name(row, several),
            *_spans(row),
            format_number(row.get("headroom")),
            str(row.get("verdict")),
            wish.get(_key(row), ""),
        ]
        for row in found[:MOST]
    ]
    how = (
        "λ in percent; 95 % intervals over items, where these or their number are known. Headroom: points between "
        "the best system and the upper bound. Keep what tells systems apart, repair what does not or is crowded at "
        "the top, retire what does not and has less than two points of headroom left."
    )
    if len(found) > MOST:
        how += f" The first {MOST} of {len(found):,}, those to retire and repair before the others; the JSON has all."
    if rows:
        columns = ["dataset", *LAMBDAS.values(), "headroom", "verdict", *(["proposal"] if wish else [])]
        yield Table("λ by dataset", columns, [row[: len(columns)] for row in rows], how)
    found = _first(result, "agreement")
    kappas = [
        [
            str(row.get("system")),
            format_interval(row.get("kappa"), row.get("low"), row.get("high")),
            format_number(row.get("n")),
        ]
        for row in found
    ]
    if kappas:
        yield Table(
            "Agreement with gold beyond chance",
            ["system", "kappa", "items"],
            kappas,
            "Cohen's kappa, 95 % interval over items.",
        )


def datasets(proposals: list[Values]) -> Fact | None:
    """Count what is proposed for datasets, where there are several."""
    if len(proposals) < 2:
        return None
    counts = [(wish, sum(row.get("proposal") == wish for row in proposals)) for wish in ("keep", "repair", "retire")]
    told = ", ".join(f"{wish} {format_number(count)}" for wish, count in counts)
    return Fact("Datasets", told, "By the verdict on each dataset, in the table below. Counted.")


def reliability(value: Any, n_systems: Any, n_items: Any) -> Any:
    """Return Cronbach's alpha (of right and wrong: KR-20) with Feldt's interval, where both counts allow one.

    >>> {end: round(number, 3) for end, number in reliability(0.9, 22, 444).items()}
    {'value': 0.9, 'low': 0.831, 'high': 0.951}
    """
    from assay.statistics import feldt_interval

    if is_missing(value) or not n_systems or not n_items or min(n_systems, n_items) < 2:
        return value
    interval = feldt_interval(value, n_systems, n_items)
    return {"value": value, "low": interval.low, "high": interval.high}


def _key(row: Values) -> tuple[Any, ...]:
    return row.get("benchmark"), row.get("dataset"), row.get("metric")


def _name(row: Values, several: Counter[Any]) -> str:
    """Name a dataset; where another has the same name, with what tells them apart."""
    name = str(row.get("dataset"))
    more = [str(one) for one in (row.get("benchmark"), row.get("metric")) if one not in (None, "all")]
    return f"{name} ({', '.join(more)})" if several[row.get("dataset")] > 1 and more else name


def _gravity(wish: str | None) -> int:
    return {"retire": 0, "repair": 1}.get(wish or "", 2)


def _spans(row: Values) -> list[str]:
    return [format_interval(row.get(name), row.get(f"{name}_low"), row.get(f"{name}_high")) for name in LAMBDAS]


def _first(result: Values, name: str, most: int = MOST) -> list[Values]:
    return list(result.get(name) or [])[:most]


DISCRIMINATION = Chapter(
    "discrimination", "Whom it can rank", "Can this test set still tell good systems from better ones?", facts, tables
)
