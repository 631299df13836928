"""The evidence that ships: sub-datasets with their features, the scores of four models, and λ."""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from functools import cached_property
from importlib import resources
from typing import Any

import numpy as np
import polars as pl

from assay.base.arrays import Array
from assay.base.codec import from_plain
from assay.base.marks import NAME, OWN
from assay.forecast.features import FEATURE_SETS
from assay.views.results import Result, convert_frame

TARGETS = ("lambda_var", "lambda_sva")


@dataclass(frozen=True, repr=False)
class Evidence:
    """A table with one row per sub-dataset, and the arrays that predictors need."""

    table: pl.DataFrame

    def __len__(self) -> int:
        return len(self.table)

    def __repr__(self) -> str:
        parents = self.table["parent"].n_unique()
        return f"Evidence({len(self):,} sub-datasets, {parents} parents, {len(np.unique(self.families))} families)"

    def features(self, chosen: str = "light") -> Array:
        """Return a matrix of features: `paper` (its light ones), `probes` (ours), `light` (both), or `all`."""
        return np.asarray(self.table.select(FEATURE_SETS[chosen]).to_numpy(), dtype=np.float64)

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

    def to_frame(self, kind: str = "polars") -> Any:
        """Return the table as a frame of polars or pandas."""
        return convert_frame(self.table, kind)


@dataclass(frozen=True)
class NetworkSettings(Result):
    """How one of the four models was trained."""

    rate: float
    head_rate: float
    periods: int
    patience: int
    dropout: float
    weight_decay: float


@dataclass(frozen=True)
class SeedGap(Result):
    """How far two trainings of the same sub-dataset lie apart, in points of accuracy."""

    n: int
    mean_gap: float
    largest_gap: float


@dataclass(frozen=True)
class EvidenceNote(Result):
    """How the evidence was measured: models, settings, hardware, time, and the noise of training."""

    rows: int
    parents: int
    families: int
    device: list[str] = field(metadata=OWN)
    torch: list[str] = field(metadata=OWN)
    n_trainings: int
    training_seconds: float
    batch: int
    batches_a_period: int
    models: dict[str, NetworkSettings] = field(metadata=NAME)
    hidden: int
    filters: int
    words: str = field(metadata=OWN)
    encoder: str = field(metadata=OWN)
    same_seed_again: dict[str, SeedGap] = field(metadata=NAME)
    second_seed: dict[str, SeedGap] = field(metadata=NAME)
    runs: str = field(default="", metadata=OWN)


def read_evidence() -> Evidence:
    """Read the table that ships."""
    with resources.as_file(resources.files("assay.forecast") / "evidence.parquet") as path:
        return Evidence(pl.read_parquet(path))


def read_evidence_note() -> EvidenceNote:
    """Read what the table was measured with."""
    content = (resources.files("assay.forecast") / "evidence.json").read_text(encoding="utf-8")
    return from_plain(EvidenceNote, json.loads(content), "evidence.json")
