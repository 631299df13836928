"""A bidirectional LSTM over word vectors."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from assay.models.neural.word_classifier import WordClassifier
from assay.models.registry import MODELS

if TYPE_CHECKING:
    from torch import nn


@MODELS.add("lstm")
@dataclass(eq=False, repr=False)
class LSTMClassifier(WordClassifier):
    """A bidirectional LSTM, its states pooled by their maximum (Xiao et al. 2022, App. B)."""

    hidden: int = 256

    def _network(self, n_classes: int) -> nn.Module:
        from assay.models.neural.training.networks import LSTM

        return LSTM(self._embedding(), self.dropout, (self.n_sides_, n_classes), self.hidden)
