"""Forecast λ of a dataset nobody has trained on yet."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import numpy as np

from assay.base.arrays import Array
from assay.base.errors import AssayError
from assay.base.results import Result
from assay.forecast.cutting import LEAST_ROWS, LEAST_TEST, MOST_TEST, MOST_TRAIN, with_frequent_labels
from assay.forecast.describing import SETS, describe
from assay.forecast.evidence import TARGETS, read_evidence
from assay.forecast.predictor import CHOSEN, SEEN, Predictor, read_predictor

if TYPE_CHECKING:
    from assay.data import Dataset

N_DRIVERS = 5


@dataclass(frozen=True)
class Forecast(Result):
    """λ_var and λ_sva expected of four models (CNN, LSTM, LSTM with attention, small transformer) on a dataset.

    Intervals are 80 % ones, calibrated on families of data the predictor had not seen. `percentile` places λ_var
    among the evidence. `drivers` say which features multiply 1 + λ_sva, and by how much.
    """

    data: str
    lambda_var: float
    lambda_var_low: float
    lambda_var_high: float
    lambda_sva: float
    lambda_sva_low: float
    lambda_sva_high: float
    percentile: float
    percentile_sva: float
    out_of_range: bool
    outside: tuple[str, ...]
    drivers: list[dict[str, Any]]
    n_train: int
    n_test: int
    confidence: float = 0.8
    features: dict[str, float] = field(default_factory=dict, repr=False, compare=False)
    notes: tuple[str, ...] = field(default=(), repr=False)


def forecast(data: Dataset, *, random_state: int = 0) -> Forecast:
    """Predict how far apart a labelled dataset will set systems, from at most 1,800 training and 1,000 test rows.

    λ depends on how much there is to train on, so the forecast is for a training set of that size.
    """
    predictor = read_predictor()
    texts, labels, sides, (train, test), notes = sampled(data, random_state)
    features = describe(texts, labels, train, test, sides=sides)
    return from_features(data.name, features, predictor, (len(train), len(test)), notes)


def sampled(data: Dataset, random_state: int) -> tuple[Any, Any, list[Any], tuple[Array, Array], list[str]]:
    """Return texts, labels, sides, rows of train and test drawn as the evidence was, and notes."""
    import polars as pl

    train, test, note = data.drop_unlabelled().split_train_test(random_state)
    notes = [] if note is None else [note]
    draw = np.random.default_rng(random_state)
    kept = [_at_most(part, most, draw) for part, most in ((train, MOST_TRAIN), (test, MOST_TEST))]
    if len(train) > MOST_TRAIN or len(test) > MOST_TEST:
        notes.append(f"Forecast from {len(kept[0]):,} training and {len(kept[1]):,} test rows drawn at random.")
    texts = pl.concat([part.texts for part in kept])
    labels = pl.concat([part.labels for part in kept if part.labels is not None])
    if labels.n_unique() < 2:
        raise AssayError(f"{data.name}: a forecast needs at least two labels; there is {labels.n_unique()}.")
    rows = with_frequent_labels(np.arange(len(labels)), labels.rank("dense").to_numpy().astype(np.int64))
    rows = rows if labels.gather(rows).n_unique() >= 2 else np.arange(len(labels))
    n_train = int((rows < len(kept[0])).sum())
    if len(rows) < LEAST_ROWS or len(rows) - n_train < LEAST_TEST:
        notes.append(f"{len(rows):,} rows are fewer than any evidence has ({LEAST_ROWS:,}, {LEAST_TEST} of them test).")
    if not 2 <= n_train < len(rows) - 1:
        raise AssayError(f"{data.name}: {n_train} training and {len(rows) - n_train} test rows; too few to forecast.")
    sides = [pl.concat(list(side)) for side in zip(*(part.sides for part in kept), strict=True)]
    return texts, labels, sides, (rows[:n_train], rows[n_train:]), notes


def _at_most(part: Dataset, most: int, draw: np.random.Generator) -> Dataset:
    if len(part) <= most:
        return part
    return part.take(np.sort(draw.choice(len(part), most, replace=False)))


def from_features(
    name: str, features: dict[str, float], predictor: Predictor, sizes: tuple[int, int], notes: list[str]
) -> Forecast:
    """Turn measured features into a forecast."""
    x, seen = (np.array([features[name] for name in names]) for names in (SETS[CHOSEN], SEEN))
    values: dict[str, Any] = {}
    known = read_evidence()
    for target, place in zip(TARGETS, ("percentile", "percentile_sva"), strict=True):
        found = predictor.predict(target, x[None, :])
        low, high = predictor.margins(target).interval(found)
        values |= {target: float(found[0]), f"{target}_low": float(low[0]), f"{target}_high": float(high[0])}
        values[place] = 100 * float(np.mean(known.target(target) <= found[0]))
    outside = tuple(predictor.outside(seen))
    far = bool(outside) or predictor.far(seen)
    drivers = strongest(x, predictor.factors("lambda_sva", x))
    more: dict[str, Any] = {
        "out_of_range": far,
        "outside": outside,
        "drivers": drivers,
        "features": features,
        "notes": tuple(notes),
    }
    return Forecast(data=name, n_train=sizes[0], n_test=sizes[1], **values, **more)


def strongest(x: Array, factors: Array) -> list[dict[str, Any]]:
    """Return the features that move the forecast most, up or down."""
    order = np.argsort(-np.abs(np.log(factors)), kind="stable")[:N_DRIVERS]
    return [{"feature": SETS[CHOSEN][n], "value": float(x[n]), "factor": float(factors[n])} for n in order]
