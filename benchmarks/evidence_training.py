"""Train one network on several sub-datasets at once, and keep each one's answers at its best moment.

A period is 40 batches of 32 rows of each sub-dataset, drawn from its own permutations and sorted roughly by length.
After each period dev and test are predicted; the test answers of the period with the best dev accuracy (then loss)
count, so no weights need to be kept. Training ends after the last period, or when no dataset has gained lately.
"""

from __future__ import annotations

import time
from dataclasses import dataclass
from typing import Any

import numpy as np
import torch

from benchmarks import evidence_data as data
from benchmarks import evidence_networks as networks

MODELS = ("cnn", "lstm", "lstm-attention", "transformer")
BATCH, STEPS = 32, 40


@dataclass(frozen=True)
class Settings:
    """What a model is trained with."""

    rate: float
    head_rate: float
    periods: int
    patience: int
    dropout: float = 0.1
    weight_decay: float = 0.01


SETTINGS = {
    "cnn": Settings(1e-3, 1e-3, 10, 3, dropout=0.5),
    "lstm": Settings(1e-3, 1e-3, 10, 3, dropout=0.3),
    "lstm-attention": Settings(1e-3, 1e-3, 10, 3, dropout=0.3),
    "transformer": Settings(1e-4, 1e-3, 4, 4),
}
HIDDEN, FILTERS = 256, 120


class Group:
    """Sub-datasets side by side as tensors: (datasets, rows, length), padded with 0; codes −1 if there is no row."""

    def __init__(self, inputs: data.Inputs, entries: list[dict[str, Any]], kind: str, device: str) -> None:
        self.entries, self.device, self.n = entries, device, len(entries)
        self.known = [np.unique(inputs.labels[e["parent"]][inputs.rows[e["id"]]["train"]]) for e in entries]
        self.n_classes = max(len(known) for known in self.known)
        self.n_rows = {part: [len(inputs.rows[e["id"]][part]) for e in entries] for part in data.PARTS}
        self.tables: list[np.ndarray] = [np.zeros((1, inputs.word_vectors.shape[1]), dtype=np.float32)]
        self.parts: dict[str, tuple[list[torch.Tensor], torch.Tensor]] = {}
        self._stack(inputs, kind)

    def _stack(self, inputs: data.Inputs, kind: str) -> None:
        made: dict[str, list[tuple[np.ndarray, ...]]] = {part: [] for part in data.PARTS}
        codes: dict[str, list[np.ndarray]] = {part: [] for part in data.PARTS}
        start = 1
        for entry, known in zip(self.entries, self.known, strict=True):
            rows, parent = inputs.rows[entry["id"]], entry["parent"]
            local = self._local_words(inputs, entry, start) if kind == "words" else None
            start += 0 if local is None else len(self.tables[-1])
            for part in data.PARTS:
                if local is not None:
                    made[part].append(data.word_matrices(inputs, parent, rows[part], local))
                else:
                    made[part].append(data.piece_matrices(inputs, parent, rows[part]))
                found = inputs.labels[parent][rows[part]]
                place = np.searchsorted(known, found)
                right = known[np.minimum(place, len(known) - 1)] == found
                codes[part].append(np.where(right, place, -2))  # −2: a label training never saw
        for part in data.PARTS:
            stacked = [stack([m[side] for m in made[part]], 0) for side in range(len(made[part][0]))]
            self.parts[part] = ([self._tensor(side) for side in stacked], self._tensor(stack(codes[part], -1)))
        lengths = [
            np.sum([(side > 0).sum(axis=1) for side in (m[:1] if kind != "words" else m)], axis=0)
            for m in made["train"]
        ]
        self.lengths = lengths

    def _local_words(self, inputs: data.Inputs, entry: dict[str, Any], start: int) -> np.ndarray:
        """Give the words of a sub-dataset rows of their own in the table, those of train, dev and test alike."""
        rows = np.concatenate([inputs.rows[entry["id"]][part] for part in data.PARTS])
        used = np.zeros(len(inputs.word_vectors), dtype=bool)
        for side in inputs.sides[entry["parent"]]:
            found = data.padded(side.words, side.word_offsets, rows)
            used[found[found >= 0]] = True
        words = np.flatnonzero(used)
        local = np.zeros(len(used), dtype=np.int64)
        local[words] = np.arange(len(words)) + start
        self.tables.append(inputs.word_vectors[words])
        return local

    def _tensor(self, values: np.ndarray) -> torch.Tensor:
        return torch.from_numpy(values).to(self.device)

    def batch(self, part: str, index: torch.Tensor) -> tuple[list[torch.Tensor], torch.Tensor]:
        """Return the rows `index` (datasets, items) of a part, cut to the longest of them."""
        sides, codes = self.parts[part]
        every = torch.arange(self.n, device=self.device)[:, None]
        taken = [side[every, index] for side in sides]
        return taken, codes[every, index]


def stack(arrays: list[np.ndarray], fill: int) -> np.ndarray:
    """Stack arrays of unequal shape, filled up."""
    shape = [max(array.shape[axis] for array in arrays) for axis in range(arrays[0].ndim)]
    found = np.full((len(arrays), *shape), fill, dtype=np.int64)
    for number, array in enumerate(arrays):
        found[(number, *(slice(size) for size in array.shape))] = array
    return found


def cut(sides: list[torch.Tensor], lengths: list[int]) -> list[torch.Tensor]:
    """Drop columns that only pad; the rest is a multiple of eight."""
    return [side[:, :, : max(8, -(-length // 8) * 8)] for side, length in zip(sides, lengths, strict=True)]


class Stream:
    """The rows of one sub-dataset, permutation after permutation."""

    def __init__(self, n_rows: int, lengths: np.ndarray, seed: list[int]) -> None:
        self.n_rows, self.lengths = n_rows, lengths
        self.draw = np.random.default_rng(seed)
        self.waiting = np.array([], dtype=np.int64)

    def period(self) -> np.ndarray:
        """Return 40 batches of 32 rows, the shorter texts roughly first."""
        while len(self.waiting) < BATCH * STEPS:
            self.waiting = np.concatenate([self.waiting, self.draw.permutation(self.n_rows)])
        rows, self.waiting = self.waiting[: BATCH * STEPS], self.waiting[BATCH * STEPS :]
        rough = self.lengths[rows] * self.draw.uniform(0.8, 1.25, len(rows))
        return rows[np.argsort(rough, kind="stable")].reshape(STEPS, BATCH)


class Run:
    """One model on one group."""

    def __init__(self, inputs: data.Inputs, entries: list[dict[str, Any]], model: str, seed: int, device: str) -> None:
        self.model, self.settings, self.device = model, SETTINGS[model], device
        self.group = Group(inputs, entries, "pieces" if model == "transformer" else "words", device)
        numbers = [int(e["number"]) for e in entries]
        self.streams = [
            Stream(n, lengths, [seed, number, MODELS.index(model)])
            for n, lengths, number in zip(self.group.n_rows["train"], self.group.lengths, numbers, strict=True)
        ]
        draws = [
            torch.Generator().manual_seed(1_000_003 * seed + 7 * number + MODELS.index(model)) for number in numbers
        ]
        torch.manual_seed(seed * 1000 + min(numbers))
        self.network = self._network(inputs, draws).to(device)
        heads = [value for name, value in self.network.named_parameters() if "head" in name]
        body = [value for name, value in self.network.named_parameters() if "head" not in name]
        self.optimizer = torch.optim.AdamW(
            [{"params": body, "lr": self.settings.rate}, {"params": heads, "lr": self.settings.head_rate}],
            weight_decay=self.settings.weight_decay,
            fused=device == "cuda",
        )
        self.bases = [group["lr"] for group in self.optimizer.param_groups]
        valid = np.array([[c < len(known) for c in range(self.group.n_classes)] for known in self.group.known])
        self.barred = torch.from_numpy(~valid).to(device)[:, None, :]
        self.order = np.random.default_rng([seed, 99])
        self.step = 0

    def _network(self, inputs: data.Inputs, draws: Any) -> torch.nn.Module:
        n, n_classes = self.group.n, self.group.n_classes
        if self.model == "transformer":
            weights = {name: torch.from_numpy(value) for name, value in inputs.weights.items()}
            return networks.Encoder(weights, n, n_classes, draws)
        table = np.concatenate(self.group.tables)
        table *= 0.1 / inputs.word_vectors.std()  # of the scale of random starts
        shape = (n, len(inputs.sides[self.group.entries[0]["parent"]]), n_classes)
        start = torch.from_numpy(table)
        if self.model == "cnn":
            return networks.CNN(start, shape, self.settings.dropout, FILTERS, draws)
        kind = networks.LSTM if self.model == "lstm" else networks.LSTMAttention
        return kind(start, shape, self.settings.dropout, HIDDEN, draws)

    def _precision(self) -> torch.autocast:
        half = self.device == "cuda" and self.model in ("cnn", "transformer")
        return torch.autocast(self.device, dtype=torch.bfloat16, enabled=half)

    def _forward(self, sides: list[torch.Tensor]) -> tuple[torch.Tensor, Any]:
        with self._precision():
            logits, penalty = self.network(*sides)
        return logits.float().masked_fill(self.barred, -1e9), penalty

    def _learn(self, index: torch.Tensor, lengths: list[int]) -> None:
        total = self.settings.periods * STEPS
        if self.model == "transformer":
            warm = 0.1 * total
            factor = min((self.step + 1) / warm, (total - self.step) / (total - warm))
            for group, base in zip(self.optimizer.param_groups, self.bases, strict=True):
                group["lr"] = base * factor
        sides, codes = self.group.batch("train", index)
        logits, penalty = self._forward(cut(sides, lengths))
        losses = torch.nn.functional.cross_entropy(logits.flatten(0, 1), codes.flatten(), ignore_index=-1)
        loss = losses * self.group.n  # the mean of each dataset, summed
        if penalty is not None:
            loss = loss + penalty.sum()
        self.optimizer.zero_grad(set_to_none=True)
        loss.backward()  # type: ignore[no-untyped-call]
        if self.model == "transformer":
            self._clip()
        self.optimizer.step()
        self.step += 1

    def _clip(self) -> None:
        """Bring each dataset's gradient down to length 1; they must not limit one another."""
        gradients = [value.grad for value in self.network.parameters()]
        norms = torch.stack([g.flatten(1).square().sum(dim=1) for g in gradients]).sum(dim=0).sqrt()
        factors = (1.0 / norms.clamp(min=1.0)).to(gradients[0].dtype)
        for gradient in gradients:
            gradient.mul_(factors.view(-1, *[1] * (gradient.ndim - 1)))

    def _period(self) -> None:
        self.network.train()
        rows = np.stack([stream.period() for stream in self.streams])  # (datasets, steps, batch)
        sides, _ = self.group.parts["train"]
        index = torch.from_numpy(rows).to(self.device)
        every = torch.arange(self.group.n, device=self.device)[:, None, None]
        held = [(side > 0).sum(dim=2)[every, index].amax(dim=(0, 2)).tolist() for side in self._measured(sides)]
        for step in self.order.permutation(STEPS):
            lengths = [side[step] for side in held]
            self._learn(index[:, step], lengths * (len(sides) // len(held)))

    def _measured(self, sides: list[torch.Tensor]) -> list[torch.Tensor]:
        return sides[:1] if self.model == "transformer" else sides  # types are as long as pieces

    @torch.no_grad()
    def _answers(self, part: str) -> tuple[np.ndarray, np.ndarray]:
        """Return whether each row was right (datasets, rows) and the log-likelihood of its label."""
        self.network.eval()
        sides, codes = self.group.parts[part]
        longest = torch.stack([(side > 0).sum(dim=2) for side in self._measured(sides)]).sum(dim=0)
        order = longest.masked_fill(codes == -1, -1).argsort(dim=1, descending=True)
        right = torch.zeros(codes.shape, dtype=torch.bool, device=self.device)
        likely = torch.zeros(codes.shape, device=self.device)
        for begin in range(0, codes.shape[1], 2 * BATCH):
            index = order[:, begin : begin + 2 * BATCH]
            taken, wanted = self.group.batch(part, index)
            lengths = [int((side > 0).sum(dim=2).max()) for side in self._measured(taken)]
            logits, _ = self._forward(cut(taken, lengths * (len(taken) // len(lengths))))
            right.scatter_(1, index, logits.argmax(dim=2) == wanted)
            log = logits.log_softmax(dim=2).gather(2, wanted.clamp(min=0)[..., None])[..., 0]
            likely.scatter_(1, index, log.masked_fill(wanted < 0, 0.0))
        return right.cpu().numpy(), likely.cpu().numpy()

    def run(self) -> list[dict[str, Any]]:
        """Train, and return for each sub-dataset what it got right at its best."""
        began, n = time.monotonic(), self.group.n
        best = [(-1.0, 0.0)] * n
        found: list[dict[str, Any]] = [{} for _ in range(n)]
        since = 0
        for period in range(1, self.settings.periods + 1):
            self._period()
            dev, likely = self._answers("dev")
            test, _ = self._answers("test")
            since += 1
            for number in range(n):
                size = self.group.n_rows["dev"][number]
                score = (float(dev[number, :size].mean()), float(likely[number, :size].mean()))
                if score > best[number]:
                    best[number] = score
                    right = test[number, : self.group.n_rows["test"][number]]
                    found[number] = {"right": right, "dev": score[0], "dev_loss": -score[1], "period": period}
            gained = sum(f["period"] == period for f in found)
            since = 0 if gained > 0.1 * n else since
            if since >= self.settings.patience:
                break
        seconds = (time.monotonic() - began) / n
        return [{**f, "periods": period, "seconds": seconds} for f in found]
