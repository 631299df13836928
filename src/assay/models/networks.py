"""The networks of paper 000 that read word vectors, each with the same door: padded word numbers in, logits out."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import torch
from torch import nn
from torch.nn.utils.rnn import pack_padded_sequence, pad_packed_sequence

Vectors = tuple[np.ndarray, np.ndarray]  # of words training saw (trained), of others (not)


class WordNetwork(nn.Module):
    """Word vectors → one vector a text (`encode`) → classes; a pair is joined as u, v, |u − v|, u · v."""

    def __init__(self, vectors: Vectors, dropout: float) -> None:
        super().__init__()
        seen, other = vectors
        self.embedding = nn.Embedding(len(seen), seen.shape[1], padding_idx=0, _weight=torch.from_numpy(seen))
        # Words training never saw keep the vectors they came with, and cost the optimizer nothing.
        self.other: torch.Tensor
        self.register_buffer("other", torch.from_numpy(other))
        self.dropout = nn.Dropout(dropout)
        self.size = seen.shape[1]
        self.head: nn.Module = nn.Identity()

    def look_up(self, words: torch.Tensor) -> torch.Tensor:
        """Return the vectors of word numbers."""
        n_seen = self.embedding.num_embeddings
        vectors: torch.Tensor = self.embedding(words.clamp(max=n_seen - 1))
        if not len(self.other):
            return vectors
        others = nn.functional.embedding((words - n_seen).clamp(min=0), self.other)
        return torch.where((words < n_seen)[:, :, None], vectors, others)

    def encode(self, words: torch.Tensor, held: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor | None]:
        """Return a vector a text, and a penalty where the network has one."""
        raise NotImplementedError

    def forward(self, *sides: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor | None]:
        """Return logits and penalty for padded word numbers (0 pads) of one or two sides."""
        vectors, penalties = zip(
            *(self.encode(self.dropout(self.look_up(side)), side > 0) for side in sides), strict=True
        )
        joined = vectors[0]
        if len(vectors) == 2:
            left, right = vectors
            joined = torch.cat([left, right, (left - right).abs(), left * right], dim=1)
        penalty = None if penalties[0] is None else sum(penalties)
        return self.head(self.dropout(joined)), penalty


class CNN(WordNetwork):
    """Kim's network: filters of several widths, the strongest answer of each."""

    def __init__(self, vectors: Vectors, dropout: float, shape: tuple[int, int], widths: Sequence[int], n: int) -> None:
        super().__init__(vectors, dropout)
        n_sides, n_classes = shape
        self.filters = nn.ModuleList(nn.Conv1d(self.size, n, width, padding=width // 2) for width in widths)
        self.head = nn.Linear(joined_size(n * len(widths), n_sides), n_classes)

    def encode(self, words: torch.Tensor, held: torch.Tensor) -> tuple[torch.Tensor, None]:
        """Return the largest answer of each filter; padding answers nothing."""
        turned = words.transpose(1, 2)
        answers = [
            nn.functional.relu(layer(turned))[:, :, : held.shape[1]] * held[:, None, :] for layer in self.filters
        ]
        return torch.cat([answer.amax(dim=2) for answer in answers], dim=1), None


class LSTM(WordNetwork):
    """A bidirectional LSTM, the largest value of each state over the words."""

    def __init__(self, vectors: Vectors, dropout: float, shape: tuple[int, int], hidden: int) -> None:
        super().__init__(vectors, dropout)
        n_sides, n_classes = shape
        self.recurrent = nn.LSTM(self.size, hidden, batch_first=True, bidirectional=True)
        self.head = nn.Linear(joined_size(2 * hidden, n_sides), n_classes)

    def states(self, words: torch.Tensor, held: torch.Tensor) -> torch.Tensor:
        """Return the state after each word, in full precision: the recurrence is short of it in half."""
        with torch.autocast(words.device.type, enabled=False):
            packed = pack_padded_sequence(words.float(), held.sum(1).cpu(), batch_first=True, enforce_sorted=False)
            out, _ = self.recurrent(packed)
            states: torch.Tensor = pad_packed_sequence(out, batch_first=True, total_length=held.shape[1])[0]
            return states

    def encode(self, words: torch.Tensor, held: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor | None]:
        """Return the largest value of each state."""
        states = self.states(words, held).masked_fill(~held[:, :, None], -2.0)  # below anything tanh gives
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
        self.head = nn.Linear(joined_size(2 * hidden * hops, shape[0]), shape[1])

    def encode(self, words: torch.Tensor, held: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor]:
        """Return the means side by side, and the penalty."""
        states = self.states(words, held)
        scores = self.outer(torch.tanh(self.inner(states))).float()
        shares = scores.masked_fill(~held[:, :, None], -1e9).softmax(dim=1).transpose(1, 2)
        means = shares @ states
        same = shares @ shares.transpose(1, 2) - torch.eye(shares.shape[1], device=shares.device)
        return means.flatten(1), self.strength * same.square().sum(dim=(1, 2)).mean()


def joined_size(size: int, n_sides: int) -> int:
    """Return the size of an item's vector: four times a side's for pairs."""
    return size if n_sides == 1 else 4 * size
