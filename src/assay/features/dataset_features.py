"""The features of a whole dataset: of its training part, its test part and what lies between them."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from assay.base.results import Result
from assay.features import FEATURES
from assay.features.estimate import Estimate, undefined
from assay.features.part import Part

if TYPE_CHECKING:
    import polars as pl

HEAVY = ("perplexity", "grammar_errors")
INTERACTING = ("average_length", "type_token_ratio", "language_mix", "grammar_errors", "pmi", "flesch", "flesch_hard")


@dataclass(frozen=True)
class DatasetFeatures(Result):
    """Features by part: `train`, `test` and `interaction` where the data has parts, else `all`."""

    parts: dict[str, dict[str, Estimate]]

    def to_dict(self) -> dict[str, Any]:
        """Return plain numbers by part, with the reasons for what is missing and the intervals of what was sampled."""
        values: dict[str, Any] = {
            part: {name: number(estimate) for name, estimate in features.items()}
            for part, features in self.parts.items()
        }
        told = [(part, name, estimate) for part, features in self.parts.items() for name, estimate in features.items()]
        values["reasons"] = {name: estimate.reason for _, name, estimate in reversed(told) if estimate.reason}
        values["intervals"] = {
            f"{part}.{name}": {"low": estimate.low, "high": estimate.high, "n": estimate.n}
            for part, name, estimate in told
            if not math.isnan(estimate.low)
        }
        return values

    def _frame(self) -> pl.DataFrame:
        """Return a row per feature and a column per part."""
        import polars as pl

        names = list(next(iter(self.parts.values())))
        columns = {part: [number(features.get(name)) for name in names] for part, features in self.parts.items()}
        return pl.DataFrame({"feature": names, **columns}, schema_overrides=dict.fromkeys(columns, pl.Float64))


def dataset_features(parts: dict[str, Part], wanted: str | list[str] = "light") -> DatasetFeatures:
    """Measure features of each part, and the interaction of `train` and `test` where both are given.

    `wanted` is "light" (all but perplexity and grammar errors), "all", or a list of names.
    """
    measured = {part: measure(content, wanted) for part, content in parts.items()}
    if set(measured) == {"train", "test"}:
        names = [name for name in INTERACTING if name in measured["train"]]
        measured["interaction"] = {name: interaction(measured["train"][name], measured["test"][name]) for name in names}
    return DatasetFeatures(measured)


def measure(part: Part, wanted: str | list[str] = "light") -> dict[str, Estimate]:
    """Measure the wanted features of one part; heavy ones not asked for are undefined, and say so."""
    if isinstance(wanted, list):
        return {name: FEATURES[name](part) for name in wanted}
    return {
        name: undefined("runs under --features all") if name in HEAVY and wanted != "all" else feature(part)
        for name, feature in FEATURES.items()
    }


def interaction(train: Estimate, test: Estimate) -> Estimate:
    """Return ((train - test) / train)², undefined where train is 0 (paper 000).

    >>> interaction(Estimate(10.0), Estimate(5.0)).value
    0.25
    """
    if math.isnan(train.value) or math.isnan(test.value):
        return undefined(train.reason or test.reason or "undefined in one part")
    if train.value == 0:
        return undefined("the training part's value is 0")
    return Estimate(((train.value - test.value) / train.value) ** 2)


def number(estimate: Estimate | None) -> float | None:
    """Return an estimate's value, None where it is undefined."""
    return None if estimate is None or math.isnan(estimate.value) else estimate.value
