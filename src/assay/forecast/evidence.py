"""The evidence that ships: sub-datasets with their features, the scores of four models, and λ."""

from __future__ import annotations

import json
from dataclasses import dataclass
from functools import cached_property
from importlib import resources
from typing import TYPE_CHECKING, Any

import numpy as np

from assay.base.arrays import Array
from assay.forecast.describing import SETS

if TYPE_CHECKING:
    import polars as pl

SYSTEMS = ("cnn", "lstm", "lstm_attention", "transformer")
TARGETS = ("lambda_var", "lambda_sva")
# Paper 000: a dataset discriminates from here on.
THRESHOLDS = {"lambda_var": 3.0, "lambda_sva": 28.0}


@dataclass(frozen=True)
class Evidence:
    """The table, and the arrays predictors ask for."""

    table: pl.DataFrame

    def __len__(self) -> int:
        return len(self.table)

    def features(self, chosen: str = "light") -> Array:
        """Return a matrix of features: `paper` (its light ones), `probes` (ours), `light` (both), or `all`."""
        return np.asarray(self.table.select(SETS[chosen]).to_numpy(), dtype=np.float64)

    def target(self, name: str) -> Array:
        """Return λ of every sub-dataset."""
        return np.asarray(self.table[name].to_numpy(), dtype=np.float64)

    @cached_property
    def families(self) -> Array:
        """Return the family of every sub-dataset: parents that share texts."""
        return np.asarray(self.table["family"].to_numpy())

    def take(self, rows: Array) -> Evidence:
        """Return some rows."""
        return Evidence(self.table[rows])


def read_evidence() -> Evidence:
    """Read the table that ships."""
    import polars as pl

    with resources.as_file(resources.files("assay.forecast") / "evidence.parquet") as path:
        return Evidence(pl.read_parquet(path))


def evidence_note() -> dict[str, Any]:
    """Return what the table was measured with: models, settings, hardware, time, seed noise."""
    told = (resources.files("assay.forecast") / "evidence.json").read_text(encoding="utf-8")
    found: dict[str, Any] = json.loads(told)
    return found
