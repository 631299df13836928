"""A bidirectional LSTM with structured self-attention."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from assay.models.neural.word_classifier import WordClassifier
from assay.models.registry import MODELS

if TYPE_CHECKING:
    from torch import nn


@MODELS.add("lstm-attention")
@dataclass(eq=False, repr=False)
class LSTMAttentionClassifier(WordClassifier):
    """A bidirectional LSTM read by `hops` attentions; `penalty` keeps them apart (Xiao et al. 2022, App. B)."""

    hidden: int = 256
    attention_size: int = 128
    hops: int = 8
    penalty: float = 0.03

    def _network(self, n_classes: int) -> nn.Module:
        from assay.models.neural.training.networks import LSTMAttention

        shape, attention = (self.n_sides_, n_classes), (self.attention_size, self.hops, self.penalty)
        return LSTMAttention(self._embedding(), self.dropout, shape, self.hidden, attention)
