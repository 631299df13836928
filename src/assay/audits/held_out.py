"""Out-of-fold predictions of the audit's models on a sample of the labelled rows."""

from __future__ import annotations

from importlib.util import find_spec
from typing import TYPE_CHECKING, Any

from assay.models.cross_validation import OutOfFoldPredictions, cross_validate, select_trainable
from assay.models.presets import FREQUENT_TERMS, SMALL_CNN

if TYPE_CHECKING:
    from assay.audits.case import Case
    from assay.data import Dataset


def predict_out_of_fold(case: Case) -> OutOfFoldPredictions:
    """Fit the audit's models under random folds, the data's own parts and every challenging split that applies."""
    return cross_validate(sample_trainable(case), choose_models(case), **case.settings.work)


def sample_trainable(case: Case) -> Dataset:
    """Return a sample of the labelled rows without the labels that only one or two rows have."""
    return select_trainable(case.sample(case.classes, case.settings.most(6_000, 20_000)))


def choose_models(case: Case) -> dict[str, dict[str, Any]]:
    """Choose the linear model, and in a full audit a neural one where torch is installed, with their settings."""
    if case.settings.quick:
        return {"linear": FREQUENT_TERMS}
    return {"linear": {}} if find_spec("torch") is None else {"linear": {}, "cnn": SMALL_CNN}
