"""Kim's convolutional network over word vectors."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from assay.models.neural.word_classifier import WordClassifier
from assay.models.registry import MODELS

if TYPE_CHECKING:
    from torch import nn


@MODELS.add("cnn")
@dataclass(eq=False, repr=False)
class CNNClassifier(WordClassifier):
    """Convolutions of widths 1, 3 and 5 over word vectors, the maximum of each filter (Xiao et al. 2022, App. B)."""

    n_filters: int = 120
    widths: Sequence[int] = (1, 3, 5)

    def _network(self, n_classes: int) -> nn.Module:
        from assay.models.neural.training.networks import CNN

        shape = (self.n_sides_, n_classes)
        return CNN(self._embedding(), self.dropout, shape, self.widths, self.n_filters)
