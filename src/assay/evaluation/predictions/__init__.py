"""Predictions of systems: files, frames and arrays in; answers aligned with the gold labels out."""

from assay.evaluation.predictions.reading import find_predictions, read_predictions
from assay.evaluation.predictions.types import Answers, Predictions, Run

__all__ = ["Answers", "Predictions", "Run", "find_predictions", "read_predictions"]
