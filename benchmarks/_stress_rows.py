"""Rows of a stress table as they are stored in benchmarks/results."""

from __future__ import annotations

from typing import Any

from assay.models.split_studies.stress_table import StressTable


def list_rows(table: StressTable) -> list[dict[str, Any]]:
    """Return the score of every split and model."""
    return [
        {
            "split": row.split,
            "model": row.model,
            "score": row.score,
            "reduction": row.error_reduction,
            "std": row.score_std,
            "n_draws": row.n_draws,
        }
        for row in table.rows
    ]
