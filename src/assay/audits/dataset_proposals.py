"""What to do with datasets, where a score table or predictions tell how they set systems apart."""

from __future__ import annotations

from typing import Any

from assay.discrimination.verdict import NO

ROOM = 2.0  # points between the best system and the best possible score
CLOSE = 3  # systems within a point of the best one, it included


def proposals(datasets: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """Propose to keep, repair or retire each dataset, and say why.

    What does not tell systems apart is to be repaired, or retired where no room is left above the best system. What
    does, but has its best systems crowded at the top, needs harder items.

    >>> row = {"dataset": "d", "metric": "acc", "verdict": NO, "headroom": 0.5, "upper": 100.0, "n_within_one": 1}
    >>> proposals([row])[0]["proposal"], proposals([{**row, "headroom": 9.0}])[0]["proposal"]
    ('retire', 'repair')
    """
    told = []
    for row in datasets:
        wish, why = _wish(row)
        about = {name: row.get(name) for name in ("benchmark", "dataset", "metric")}
        told.append({**about, "proposal": wish, "reason": why})
    return told


def crowded(row: dict[str, Any]) -> bool:
    """Tell whether the best systems of a dataset stand close together just below the best possible score."""
    return full(row) and row["n_within_one"] >= CLOSE and row["upper"] == 100.0


def full(row: dict[str, Any]) -> bool:
    """Tell whether the best system leaves no room."""
    return row["headroom"] is not None and row["headroom"] < ROOM


def _wish(row: dict[str, Any]) -> tuple[str, str]:
    if row["verdict"] == NO:
        return ("retire", "used up") if full(row) else ("repair", row["verdict"])
    return ("repair", "used up at the top") if crowded(row) else ("keep", row["verdict"])
