"""A bidirectional LSTM with structured self-attention."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from assay.models.words import WordClassifier

if TYPE_CHECKING:
    from torch import nn


@dataclass(eq=False, repr=False)
class LSTMAttentionClassifier(WordClassifier):
    """A bidirectional LSTM read by `hops` attentions, kept from looking at the same words by `penalty` (paper 000)."""

    hidden: int = 256
    attention_size: int = 128
    hops: int = 8
    penalty: float = 0.03

    def _network(self, n_classes: int) -> nn.Module:
        from assay.models.networks import LSTMAttention

        shape, attention = (self.n_sides_, n_classes), (self.attention_size, self.hops, self.penalty)
        return LSTMAttention(self._embedding(), self.dropout, shape, self.hidden, attention)
