"""A bidirectional LSTM over word vectors."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from assay.models.words import WordClassifier

if TYPE_CHECKING:
    from torch import nn


@dataclass(eq=False, repr=False)
class LSTMClassifier(WordClassifier):
    """A bidirectional LSTM, its states pooled by their largest value (paper 000, App. B)."""

    hidden: int = 256

    def _network(self, n_classes: int) -> nn.Module:
        from assay.models.networks import LSTM

        return LSTM(self._embedding(), self.dropout, (self.n_sides_, n_classes), self.hidden)
