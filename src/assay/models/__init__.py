"""Classifiers on texts and pairs, each a scikit-learn estimator, and functions that train them under splits.

Importing this package imports neither torch nor polars, so it also runs on a bare training image.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from assay.base.lazy import lazy_exports, name_function
from assay.models.registry import MODELS

if TYPE_CHECKING:
    from assay.models.counted_texts import CountedTexts
    from assay.models.cross_validation import OutOfFoldPredictions, cross_validate
    from assay.models.embedding import EmbeddingClassifier
    from assay.models.fitting import run_fits
    from assay.models.linear import LinearClassifier
    from assay.models.neural.cnn import CNNClassifier
    from assay.models.neural.lstm import LSTMClassifier
    from assay.models.neural.lstm_attention import LSTMAttentionClassifier
    from assay.models.neural.transformer import TransformerClassifier
    from assay.models.presets import PRESETS
    from assay.models.quick_systems import predict_with_quick_systems
    from assay.models.training import TrainingRun, train, write_predictions

__all__ = [
    "MODELS",
    "PRESETS",
    "CNNClassifier",
    "CountedTexts",
    "EmbeddingClassifier",
    "LSTMAttentionClassifier",
    "LSTMClassifier",
    "LinearClassifier",
    "OutOfFoldPredictions",
    "TrainingRun",
    "TransformerClassifier",
    "cross_validate",
    "predict_with_quick_systems",
    "run_fits",
    "train",
    "write_predictions",
]

__getattr__, __dir__ = lazy_exports(__name__)

name_function(__name__, "train")
