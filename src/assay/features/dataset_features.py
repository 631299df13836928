"""The features of a dataset: of its training part, its test part and their interaction (Xiao et al. 2022)."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, field

import polars as pl

from assay.base.errors import UsageError
from assay.base.marks import OWN
from assay.base.parameters import Options
from assay.features.labelled_texts import LabelledTexts
from assay.features.registry import FEATURES, FeatureValue, undefined_value
from assay.views.results import Result

HEAVY_FEATURES = ("perplexity", "grammar_errors")
# The features of the paper, in its order; what is trained on them depends on it.
PAPER_FEATURES = (
    "average_length", "n_labels", "label_balance", "basic_words", "type_token_ratio", "language_mix", "pmi",
    "pmi_top_words", "perplexity", "grammar_errors", "flesch", "flesch_hard",
)  # fmt: skip
# Those that the paper also compares between train and test.
INTERACTION_FEATURES = (
    "average_length", "type_token_ratio", "language_mix", "grammar_errors", "pmi", "flesch", "flesch_hard",
)  # fmt: skip
Values = dict[str, float]


@dataclass(frozen=True)
class FeatureInterval(Result):
    """The interval of a feature that was measured on a sample of n texts."""

    low: float
    high: float
    n: int


@dataclass(frozen=True)
class DatasetFeatures(Result):
    """Features of `train`, `test` and their `interaction` if the data has both parts, else of `all` items.

    Undefined values are nan; `reasons` says why by feature, and `intervals` holds those of sampled features by
    "part.feature".
    """

    train: Values | None = field(default=None, metadata=OWN)
    test: Values | None = field(default=None, metadata=OWN)
    interaction: Values | None = field(default=None, metadata=OWN)
    all: Values | None = field(default=None, metadata=OWN)
    reasons: dict[str, str] = field(default_factory=dict, metadata=OWN)
    intervals: dict[str, FeatureInterval] = field(default_factory=dict, metadata=OWN)

    @property
    def parts(self) -> dict[str, Values]:
        """Return the values by part, without the parts that the data does not have."""
        parts = {"train": self.train, "test": self.test, "interaction": self.interaction, "all": self.all}
        return {name: values for name, values in parts.items() if values is not None}

    def to_dict(self) -> Options:
        """Return plain values, without the parts that the data does not have."""
        return {name: value for name, value in super().to_dict().items() if value is not None}

    def _frame(self) -> pl.DataFrame:
        """Return one row per feature and one column per part."""
        plain = self.to_dict()
        names = list(next(iter(self.parts.values())))
        columns = {part: [plain[part].get(name) for name in names] for part in self.parts}
        return pl.DataFrame({"feature": names, **columns}, schema_overrides=dict.fromkeys(columns, pl.Float64))


def measure_features(parts: Mapping[str, LabelledTexts], features: str | list[str] = "light") -> DatasetFeatures:
    """Measure features of `train` and `test` with their interaction, or of `all` items.

    `features` is "light" (all but perplexity and grammar errors), "all", or a list of names.
    """
    if set(parts) not in ({"train", "test"}, {"all"}):
        raise UsageError(f"Features are measured on train and test, or on all; the parts are {', '.join(parts)}.")
    return collect_features({part: measure_part(texts, features) for part, texts in parts.items()})


def collect_features(measured: dict[str, dict[str, FeatureValue]]) -> DatasetFeatures:
    """Return the features of the parts with the interaction of train and test."""
    if "train" in measured:
        train, test = measured["train"], measured["test"]
        names = [name for name in INTERACTION_FEATURES if name in train]
        measured = measured | {"interaction": {name: compute_interaction(train[name], test[name]) for name in names}}
    return _collect_values(measured)


def measure_part(data: LabelledTexts, features: str | list[str] = "light") -> dict[str, FeatureValue]:
    """Measure features of some texts; heavy features are undefined, with the reason, by default."""
    if isinstance(features, list):
        return {name: FEATURES[name](data) for name in features}
    skipped = HEAVY_FEATURES if features != "all" else ()
    reason = 'slow: measured when features is "all"'
    return {name: undefined_value(reason) if name in skipped else feature(data) for name, feature in FEATURES.items()}


def compute_interaction(train: FeatureValue, test: FeatureValue) -> FeatureValue:
    """Return ((train − test) / train)², undefined if train is 0.

    >>> compute_interaction(FeatureValue(10.0), FeatureValue(5.0)).value
    0.25
    """
    if math.isnan(train.value) or math.isnan(test.value):
        return undefined_value(train.reason or test.reason or "undefined in one part")
    if train.value == 0:
        return undefined_value("the value of the training part is 0")
    return FeatureValue(((train.value - test.value) / train.value) ** 2)


def _collect_values(measured: Mapping[str, Mapping[str, FeatureValue]]) -> DatasetFeatures:
    rows = [(part, name, value) for part, features in measured.items() for name, value in features.items()]
    values = {part: {name: value.value for name, value in features.items()} for part, features in measured.items()}
    return DatasetFeatures(
        **values,
        reasons={name: value.reason for _, name, value in reversed(rows) if value.reason},  # that of the first part
        intervals={
            f"{part}.{name}": FeatureInterval(value.low, value.high, value.n)
            for part, name, value in rows
            if not math.isnan(value.low)
        },
    )
