"""The networks of Xiao et al. (2022) that read word vectors. Each takes padded word numbers and returns logits."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence

import torch
from torch import nn
from torch.nn.utils.rnn import pack_padded_sequence, pad_packed_sequence

from assay.base.arrays import Array

Vectors = tuple[Array, Array]  # of the words of training (trained), of other words (fixed)


class WordNetwork(nn.Module, ABC):
    """Word vectors → one vector per text (`encode`) → classes; a pair becomes u, v, |u − v|, u · v."""

    def __init__(self, vectors: Vectors, dropout: float) -> None:
        super().__init__()
        trained, other = vectors
        self.embedding = nn.Embedding(len(trained), trained.shape[1], padding_idx=0, _weight=torch.from_numpy(trained))
        # Words that are not in training keep their vectors, and cost the optimizer nothing.
        self.other: torch.Tensor
        self.register_buffer("other", torch.from_numpy(other))
        self.dropout = nn.Dropout(dropout)
        self.size = trained.shape[1]
        self.head: nn.Module = nn.Identity()

    def look_up(self, words: torch.Tensor) -> torch.Tensor:
        """Return the vectors of word numbers."""
        n_trained = self.embedding.num_embeddings
        vectors: torch.Tensor = self.embedding(words.clamp(max=n_trained - 1))
        if not len(self.other):
            return vectors
        others = nn.functional.embedding((words - n_trained).clamp(min=0), self.other)
        return torch.where((words < n_trained)[:, :, None], vectors, others)

    @abstractmethod
    def encode(self, words: torch.Tensor, is_word: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor | None]:
        """Return one vector per text, and a penalty if the network has one."""

    def forward(self, *sides: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor | None]:
        """Return logits and penalty for padded word numbers (0 pads) of one or two sides."""
        vectors, penalties = zip(
            *(self.encode(self.dropout(self.look_up(side)), side > 0) for side in sides), strict=True
        )
        joint = vectors[0]
        if len(vectors) == 2:
            left, right = vectors
            joint = torch.cat([left, right, (left - right).abs(), left * right], dim=1)
        penalty = None if penalties[0] is None else sum(penalties)
        return self.head(self.dropout(joint)), penalty


class CNN(WordNetwork):
    """Kim's network: filters of several widths, the maximum of each."""

    def __init__(self, vectors: Vectors, dropout: float, shape: tuple[int, int], widths: Sequence[int], n: int) -> None:
        super().__init__(vectors, dropout)
        n_sides, n_classes = shape
        self.filters = nn.ModuleList(nn.Conv1d(self.size, n, width, padding=width // 2) for width in widths)
        self.head = nn.Linear(joint_size(n * len(widths), n_sides), n_classes)

    def encode(self, words: torch.Tensor, is_word: torch.Tensor) -> tuple[torch.Tensor, None]:
        """Return the maximum of each filter over the words; padding counts as zero."""
        channels = words.transpose(1, 2)
        outputs = [
            nn.functional.relu(layer(channels))[:, :, : is_word.shape[1]] * is_word[:, None, :]
            for layer in self.filters
        ]
        return torch.cat([output.amax(dim=2) for output in outputs], dim=1), None


class LSTM(WordNetwork):
    """A bidirectional LSTM, the maximum of each state over the words."""

    def __init__(self, vectors: Vectors, dropout: float, shape: tuple[int, int], hidden: int) -> None:
        super().__init__(vectors, dropout)
        n_sides, n_classes = shape
        self.recurrent = nn.LSTM(self.size, hidden, batch_first=True, bidirectional=True)
        self.head = nn.Linear(joint_size(2 * hidden, n_sides), n_classes)

    def states(self, words: torch.Tensor, is_word: torch.Tensor) -> torch.Tensor:
        """Return the state after each word, in full precision: half precision is too coarse for the recurrence."""
        with torch.autocast(words.device.type, enabled=False):
            packed = pack_padded_sequence(words.float(), is_word.sum(1).cpu(), batch_first=True, enforce_sorted=False)
            out, _ = self.recurrent(packed)
            states: torch.Tensor = pad_packed_sequence(out, batch_first=True, total_length=is_word.shape[1])[0]
            return states

    def encode(self, words: torch.Tensor, is_word: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor | None]:
        """Return the maximum of each state."""
        states = self.states(words, is_word).masked_fill(~is_word[:, :, None], -2.0)  # below every value of tanh
        return states.amax(dim=1), None


class LSTMAttention(LSTM):
    """Structured self-attention: several weighted means of the states, kept apart by a penalty |AAᵀ − I|²."""

    def __init__(
        self,
        vectors: Vectors,
        dropout: float,
        shape: tuple[int, int],
        hidden: int,
        attention: tuple[int, int, float],
    ) -> None:
        super().__init__(vectors, dropout, shape, hidden)
        size, hops, self.strength = attention
        self.inner = nn.Linear(2 * hidden, size, bias=False)
        self.outer = nn.Linear(size, hops, bias=False)
        self.head = nn.Linear(joint_size(2 * hidden * hops, shape[0]), shape[1])

    def encode(self, words: torch.Tensor, is_word: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor]:
        """Return the weighted means side by side, and the penalty."""
        states = self.states(words, is_word)
        scores = self.outer(torch.tanh(self.inner(states))).float()
        shares = scores.masked_fill(~is_word[:, :, None], -1e9).softmax(dim=1).transpose(1, 2)
        means = shares @ states
        same = shares @ shares.transpose(1, 2) - torch.eye(shares.shape[1], device=shares.device)
        return means.flatten(1), self.strength * same.square().sum(dim=(1, 2)).mean()


def joint_size(size: int, n_sides: int) -> int:
    """Return the size of an item's vector: four times the size of one text for pairs."""
    return size if n_sides == 1 else 4 * size
