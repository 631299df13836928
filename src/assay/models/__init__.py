"""Classifiers on texts and pairs, each a scikit-learn estimator; one training loop for those that need torch.

Nothing here imports torch or polars before it is used, so the room runs on a bare training image.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING

from assay.base.lazy import lazy_attributes
from assay.base.registry import Registry

if TYPE_CHECKING:
    from assay.models.base import TextClassifier
    from assay.models.cnn import CNNClassifier
    from assay.models.counted_texts import CountedTexts
    from assay.models.embedding import EmbeddingClassifier
    from assay.models.linear import LinearClassifier
    from assay.models.lstm import LSTMClassifier
    from assay.models.lstm_attention import LSTMAttentionClassifier
    from assay.models.transformer import TransformerClassifier

# Name on the command line: (module, class). Classes load when asked for.
_PLACES = {
    "linear": ("linear", "LinearClassifier"),
    "cnn": ("cnn", "CNNClassifier"),
    "lstm": ("lstm", "LSTMClassifier"),
    "lstm-attention": ("lstm_attention", "LSTMAttentionClassifier"),
    "transformer": ("transformer", "TransformerClassifier"),
    "embedding": ("embedding", "EmbeddingClassifier"),
}
_MODULES = {kind: module for module, kind in _PLACES.values()} | {
    "CountedTexts": "counted_texts",
    "TextClassifier": "base",
    "PRESETS": "presets",
    "Fit": "fits",
    "Fitted": "fits",
    "run_fits": "fits",
    "train": "runs",
    "write_predictions": "runs",
}


class _Models(Registry["type[TextClassifier]"]):
    """The registry of classifiers, which imports one only when it is looked up."""

    def __getitem__(self, name: str) -> type[TextClassifier]:
        if name not in _PLACES:
            return super().__getitem__(name)  # raises, with what exists
        module, kind = _PLACES[name]
        found: type[TextClassifier] = getattr(import_module(f"assay.models.{module}"), kind)
        return found


MODELS = _Models("model", _PLACES)  # type: ignore[arg-type]

__all__ = [
    "MODELS",
    "CNNClassifier",
    "CountedTexts",
    "EmbeddingClassifier",
    "LSTMAttentionClassifier",
    "LSTMClassifier",
    "LinearClassifier",
    "TextClassifier",
    "TransformerClassifier",
]

__getattr__ = lazy_attributes(__name__, _MODULES)
