"""Can it tell systems apart."""

from __future__ import annotations

from collections.abc import Iterator

from assay.report.chapter import Chapter, Fact, Table, Values, fact, share
from assay.report.numbers import shown, spanned

LAMBDAS = {"lambda_var": "λ_var", "lambda_sva": "λ_sva", "lambda_hit": "λ_hit"}


def facts(result: Values) -> Iterator[Fact | None]:
    """Yield the λ of the first dataset, the items that tell nothing, reliability."""
    yield fact("Systems", result.get("n_systems"), f"Given as {result.get('basis', 'scores')}. Counted.")
    rows = result.get("datasets") or []
    for name, title in LAMBDAS.items() if len(rows) == 1 else ():
        ends = (name, f"{name}_low", f"{name}_high")
        yield fact(title, rows[0], "Paper 000; 95 % interval over items.", ends=ends)
    for items in (result.get("items") or [])[:1]:
        dead = {"count": (items.get("n_all_right") or 0) + (items.get("n_all_wrong") or 0), "n": items.get("n_items")}
        yield share("Items that tell nothing", dead, "Every system is right, or every one is wrong.")
        told = "over systems: 1 means another test set would rank them alike. No interval from so few systems."
        how = f"{items.get('reliability_method')} {told}"
        yield fact("Reliability", items.get("reliability"), how)
    yield share("Items that run backwards", result.get("backwards"), "Better systems do worse on them, beyond chance.")


def tables(result: Values) -> Iterator[Table]:
    """Yield λ and verdict by dataset, and agreement by system."""
    rows = [
        [str(row.get("dataset")), *_spans(row), shown(row.get("headroom")), str(row.get("verdict"))]
        for row in _first(result, "datasets")
    ]
    how = "λ in percent with 95 % intervals over items. Headroom: points between the best system and the upper bound."
    if rows:
        yield Table("λ by dataset", ["dataset", *LAMBDAS.values(), "headroom", "verdict"], rows, how)
    found = _first(result, "agreement")
    kappas = [
        [str(row.get("system")), spanned(row.get("kappa"), row.get("low"), row.get("high")), shown(row.get("n"))]
        for row in found
    ]
    if kappas:
        yield Table(
            "Agreement with gold beyond chance",
            ["system", "kappa", "items"],
            kappas,
            "Cohen's kappa, 95 % interval over items.",
        )


def _spans(row: Values) -> list[str]:
    return [spanned(row.get(name), row.get(f"{name}_low"), row.get(f"{name}_high")) for name in LAMBDAS]


def _first(result: Values, name: str, most: int = 60) -> list[Values]:
    return list(result.get(name) or [])[:most]


DISCRIMINATION = Chapter(
    "discrimination", "Whom it can rank", "Can this test set still tell good systems from better ones?", facts, tables
)
