"""The four networks of paper 000 for many datasets at once: every weight has a first axis, one entry a dataset.

Small trainings leave a GPU idle; side by side in batched products they fill it. Each network computes what its
namesake in `assay.models` computes (a test says so); a dataset's gradients depend on its own rows only.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import torch
from torch import nn

Tensor = torch.Tensor


def linear(x: Tensor, weight: Tensor, bias: Tensor | None = None) -> Tensor:
    """Return x · weight + bias, dataset by dataset; x is (datasets, …, in), weight (datasets, in, out)."""
    flat = x.reshape(x.shape[0], -1, x.shape[-1])
    out = torch.bmm(flat, weight) if bias is None else torch.baddbmm(bias[:, None, :], flat, weight)
    return out.view(*x.shape[:-1], weight.shape[-1])


class Recurrence(torch.autograd.Function):
    """An LSTM's walk over time with one matrix a dataset; the matrix's gradient is one product at the end."""

    @staticmethod
    def forward(ctx: Any, inputs: Tensor, weight: Tensor) -> Tensor:
        n_steps, n, batch, wide = inputs.shape
        size = wide // 4
        states = inputs.new_zeros(n_steps + 1, n, batch, size)
        cells = inputs.new_zeros(n_steps + 1, n, batch, size)
        gates = torch.empty_like(inputs)
        for step in range(n_steps):
            torch.baddbmm(inputs[step], states[step], weight, out=gates[step])
            gate = gates[step]
            gate[..., : 3 * size].sigmoid_()
            gate[..., 3 * size :].tanh_()
            into, forget, out, new = gate.split(size, dim=-1)
            torch.addcmul(forget * cells[step], into, new, out=cells[step + 1])
            torch.mul(out, cells[step + 1].tanh(), out=states[step + 1])
        ctx.save_for_backward(states, cells, gates, weight)
        return states[1:]

    @staticmethod
    def backward(ctx: Any, *gradients: Tensor) -> tuple[Tensor, Tensor]:
        states, cells, gates, weight = ctx.saved_tensors
        (above,) = gradients
        size = states.shape[-1]
        turned = weight.transpose(1, 2).contiguous()
        on_gates = torch.empty_like(gates)
        on_state = torch.zeros_like(states[0])
        on_cell = torch.zeros_like(cells[0])
        for step in range(gates.shape[0] - 1, -1, -1):
            into, forget, out, new = gates[step].split(size, dim=-1)
            squashed = cells[step + 1].tanh()
            on_state = on_state + above[step]
            on_cell = on_cell + on_state * out * (1 - squashed * squashed)
            on = on_gates[step]
            torch.mul(on_cell * new, into * (1 - into), out=on[..., :size])
            torch.mul(on_cell * cells[step], forget * (1 - forget), out=on[..., size : 2 * size])
            torch.mul(on_state * squashed, out * (1 - out), out=on[..., 2 * size : 3 * size])
            torch.mul(on_cell * into, 1 - new * new, out=on[..., 3 * size :])
            on_state = torch.bmm(on, turned)
            on_cell = on_cell * forget
        n_steps, n, batch, _ = gates.shape
        before = states[:-1].permute(1, 0, 2, 3).reshape(n, n_steps * batch, size)
        on_weight = torch.bmm(before.transpose(1, 2), on_gates.permute(1, 0, 2, 3).reshape(n, n_steps * batch, -1))
        return on_gates, on_weight


class Words(nn.Module):
    """The base of the word networks: one table for all datasets, each with rows of its own."""

    def __init__(self, table: Tensor, n: int, n_sides: int, n_classes: int, dropout: float) -> None:
        super().__init__()
        self.table = nn.Parameter(table)  # row 0 pads
        self.n, self.n_sides, self.n_classes = n, n_sides, n_classes
        self.dropout = nn.Dropout(dropout)

    def make_head(self, size: int, generators: Sequence[torch.Generator]) -> None:
        size = size if self.n_sides == 1 else 4 * size
        self.head = nn.Parameter(drawn(generators, (size, self.n_classes), 1 / math.sqrt(size)))
        self.head_bias = nn.Parameter(torch.zeros(self.n, self.n_classes))

    def encode(self, words: Tensor, held: Tensor) -> tuple[Tensor, Tensor | None]:
        raise NotImplementedError

    def forward(self, *sides: Tensor) -> tuple[Tensor, Tensor | None]:
        """Return logits (datasets, items, classes) and a penalty a dataset."""
        vectors, penalties = [], []
        for side in sides:
            held = side > 0
            vectors_of_words = nn.functional.embedding(side, self.table) * held[..., None]
            vector, penalty = self.encode(self.dropout(vectors_of_words), held)
            vectors.append(vector)
            penalties.append(penalty)
        joined = vectors[0]
        if len(vectors) == 2:
            left, right = vectors
            joined = torch.cat([left, right, (left - right).abs(), left * right], dim=-1)
        total = None if penalties[0] is None else torch.stack(penalties).sum(dim=0)  # type: ignore[arg-type]
        return linear(self.dropout(joined), self.head, self.head_bias), total


class CNN(Words):
    """Filters of width 1, 3 and 5, the strongest answer of each."""

    widths = (1, 3, 5)

    def __init__(self, table: Tensor, shape: tuple[int, int, int], dropout: float, n_filters: int, draws: Any) -> None:
        super().__init__(table, *shape, dropout)
        self.n_filters = n_filters
        size = table.shape[1]
        made = [drawn(draws, (size, width * n_filters), 1 / math.sqrt(size * width)) for width in self.widths]
        self.filters = nn.Parameter(torch.cat(made, dim=-1))
        self.bias = nn.Parameter(torch.zeros(self.n, 1, 1, len(self.widths) * n_filters))
        self.make_head(len(self.widths) * n_filters, draws)

    def encode(self, words: Tensor, held: Tensor) -> tuple[Tensor, None]:
        answers = linear(words, self.filters)  # of every filter's every place; then places are moved and summed
        length, found, start = words.shape[2], [], 0
        for width in self.widths:
            total: Any = 0
            for place in range(width):
                piece = answers[..., start : start + self.n_filters]
                total = total + moved(piece, place - width // 2, length)
                start += self.n_filters
            found.append(total)
        strong = torch.relu(torch.cat(found, dim=-1) + self.bias) * held[..., None]
        return strong.amax(dim=2), None


class LSTM(Words):
    """A bidirectional LSTM, the largest value of each state over the words."""

    def __init__(self, table: Tensor, shape: tuple[int, int, int], dropout: float, hidden: int, draws: Any) -> None:
        super().__init__(table, *shape, dropout)
        self.hidden = hidden
        size, edge = table.shape[1], 1 / math.sqrt(hidden)
        self.into = nn.Parameter(torch.stack([drawn(draws, (size, 4 * hidden), edge) for _ in range(2)]))
        self.within = nn.Parameter(torch.stack([drawn(draws, (hidden, 4 * hidden), edge) for _ in range(2)]))
        self.bias = nn.Parameter(torch.zeros(2, self.n, 4 * hidden))
        self.make_head(2 * hidden, draws)

    def states(self, words: Tensor, held: Tensor) -> Tensor:
        """Return the states (datasets, items, words, 2 × hidden); backwards runs from each text's last word."""
        n, batch, length, _ = words.shape
        lengths = held.sum(dim=2, keepdim=True)
        steps = torch.arange(length, device=words.device)
        back = torch.where(steps < lengths, lengths - 1 - steps, steps)
        turned = torch.gather(words, 2, back[..., None].expand_as(words))
        both = torch.stack([linear(words, self.into[0], self.bias[0]), linear(turned, self.into[1], self.bias[1])])
        inputs = both.permute(3, 0, 1, 2, 4).reshape(length, 2 * n, batch, 4 * self.hidden)
        walked = Recurrence.apply(inputs.float(), self.within.view(2 * n, self.hidden, -1))
        found = walked.view(length, 2, n, batch, self.hidden).permute(1, 2, 3, 0, 4)
        backwards = torch.gather(found[1], 2, back[..., None].expand(*back.shape, self.hidden))
        return torch.cat([found[0], backwards], dim=-1)

    def encode(self, words: Tensor, held: Tensor) -> tuple[Tensor, Tensor | None]:
        states = self.states(words, held).masked_fill(~held[..., None], -2.0)
        return states.amax(dim=2), None


class LSTMAttention(LSTM):
    """Structured self-attention: several weighted means of the states, kept apart by a penalty."""

    size, hops, strength = 128, 8, 0.03

    def __init__(self, table: Tensor, shape: tuple[int, int, int], dropout: float, hidden: int, draws: Any) -> None:
        super().__init__(table, shape, dropout, hidden, draws)
        self.inner = nn.Parameter(drawn(draws, (2 * hidden, self.size), 1 / math.sqrt(2 * hidden)))
        self.outer = nn.Parameter(drawn(draws, (self.size, self.hops), 1 / math.sqrt(self.size)))
        self.make_head(2 * hidden * self.hops, draws)

    def encode(self, words: Tensor, held: Tensor) -> tuple[Tensor, Tensor]:
        states = self.states(words, held)
        scores = linear(torch.tanh(linear(states, self.inner)), self.outer)
        shares = scores.masked_fill(~held[..., None], -1e9).softmax(dim=2).transpose(2, 3)
        means = shares @ states
        same = shares @ shares.transpose(2, 3) - torch.eye(self.hops, device=shares.device)
        return means.flatten(2), self.strength * same.square().sum(dim=(2, 3)).mean(dim=1)


class Encoder(nn.Module):
    """MiniLM fine-tuned: mean of the last layer over the pieces, then classes. Vectors of pieces stay as they are."""

    heads = 12

    def __init__(self, weights: dict[str, Tensor], n: int, n_classes: int, draws: Any) -> None:
        super().__init__()
        self.n = n
        self.register_buffer("pieces", weights["embeddings.word_embeddings.weight"])
        self.register_buffer("positions", weights["embeddings.position_embeddings.weight"])
        self.register_buffer("types", weights["embeddings.token_type_embeddings.weight"])
        self.n_layers = 1 + max(int(name.split(".")[2]) for name in weights if name.startswith("encoder.layer"))
        self.weights = nn.ParameterDict()
        for name, value in weights.items():
            if name.startswith(("encoder.layer", "embeddings.LayerNorm")):
                turned = value.t() if value.ndim == 2 else value
                self.weights[name.replace(".", "/")] = nn.Parameter(turned.expand(n, *turned.shape).contiguous())
        size = self.pieces.shape[1]
        self.head = nn.Parameter(drawn(draws, (size, n_classes), 0.02))
        self.head_bias = nn.Parameter(torch.zeros(n, n_classes))
        self.dropout = nn.Dropout(0.1)

    def get(self, name: str) -> tuple[Tensor, Tensor]:
        stem = name.replace(".", "/")
        return self.weights[f"{stem}/weight"], self.weights[f"{stem}/bias"]

    def normed(self, x: Tensor, name: str) -> Tensor:
        weight, bias = self.get(name)
        plain = nn.functional.layer_norm(x.float(), x.shape[-1:], eps=1e-12)
        return torch.addcmul(bias[:, None, None], plain, weight[:, None, None])

    def layer(self, x: Tensor, mask: Tensor, number: int) -> Tensor:
        stem = f"encoder.layer.{number}"
        n, batch, length, size = x.shape
        query, key, value = (
            linear(x, *self.get(f"{stem}.attention.self.{part}"))
            .view(n * batch, length, self.heads, -1)
            .transpose(1, 2)
            for part in ("query", "key", "value")
        )
        dropped = 0.1 if self.training else 0.0
        mixed = nn.functional.scaled_dot_product_attention(query, key, value, attn_mask=mask, dropout_p=dropped)
        mixed = mixed.transpose(1, 2).reshape(n, batch, length, size)
        out = self.dropout(linear(mixed, *self.get(f"{stem}.attention.output.dense")))
        x = self.normed(out + x, f"{stem}.attention.output.LayerNorm")
        inner = nn.functional.gelu(linear(x, *self.get(f"{stem}.intermediate.dense")))
        out = self.dropout(linear(inner, *self.get(f"{stem}.output.dense")))
        return self.normed(out + x, f"{stem}.output.LayerNorm")

    def encode(self, ids: Tensor, types: Tensor) -> Tensor:
        """Return the mean vector of each text."""
        held = ids > 0
        positions = self.positions[: ids.shape[2]]
        x = nn.functional.embedding(ids, self.pieces) + positions + nn.functional.embedding(types, self.types)
        x = self.dropout(self.normed(x, "embeddings.LayerNorm"))
        mask = held.view(-1, 1, 1, ids.shape[2])
        for number in range(self.n_layers):
            x = self.layer(x, mask, number)
        weight = held[..., None].float()
        return (x.float() * weight).sum(dim=2) / weight.sum(dim=2).clamp(min=1)

    def forward(self, ids: Tensor, types: Tensor) -> tuple[Tensor, None]:
        return linear(self.dropout(self.encode(ids, types)), self.head, self.head_bias), None


def drawn(generators: Sequence[torch.Generator], shape: tuple[int, ...], edge: float) -> Tensor:
    """Draw a start for each dataset from its own generator, uniform within ± edge."""
    return torch.stack([(torch.rand(shape, generator=draw) * 2 - 1) * edge for draw in generators])


def moved(values: Tensor, by: int, length: int) -> Tensor:
    """Return values[l + by] along the words, zero beyond the ends."""
    if by == 0:
        return values
    rest = values[:, :, max(by, 0) : length + min(by, 0)]
    return nn.functional.pad(rest, (0, 0, max(-by, 0), max(by, 0)))
