"""Predictions in; scores with intervals, slices, baselines and paired comparisons out."""

from assay.evaluation.metrics import METRICS
from assay.evaluation.predictions import Answers, Predictions
from assay.evaluation.reading import read_predictions

__all__ = ["METRICS", "Answers", "Predictions", "read_predictions"]
