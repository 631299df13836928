"""The one training loop: AdamW, early stopping with the best weights kept, checkpoints, memory that runs out."""

from __future__ import annotations

import math
import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
import torch
from torch import nn

from assay.base.errors import AssayError
from assay.models import checkpoints
from assay.models.batches import Items, bucketed, by_length
from assay.models.hardware import device_named, moved, out_of_memory, precision, release
from assay.models.plan import Plan
from assay.models.progress import Progress


@dataclass(frozen=True)
class History:
    """How a training went: the epoch whose weights were kept, its loss and accuracy, and how many were run."""

    best_epoch: int
    dev_loss: float
    dev_accuracy: float
    n_epochs: int
    n_steps: int


@dataclass(frozen=True)
class Labelled:
    """Items with the numbers of their classes."""

    items: Items
    codes: np.ndarray


class Training:
    """One training of one network, which can be written down at any step and taken up again."""

    def __init__(self, network: nn.Module, train: Labelled, dev: Labelled | None, plan: Plan, say: Callable) -> None:
        self.device = device_named(plan.device)
        self.network = network.to(self.device)
        self.train, self.dev, self.plan, self.say = train, dev, plan, say
        self.optimizer = _adamw(self.network, plan, self.device)
        n_weights = sum(weight.numel() for weight in network.parameters())
        self.signature = plan.signature(len(train.codes), n_weights)
        self.weights = _class_weights(train.codes, plan.class_weight).to(self.device)
        self.codes = torch.from_numpy(np.asarray(train.codes, dtype=np.int64)).to(self.device)
        self.piece = max(1, math.ceil(plan.batch_size / plan.accumulation))
        self.n_batches = math.ceil(len(train.codes) / plan.batch_size)
        self.epoch = self.batch = self.best_epoch = 0
        self.best: tuple[float, ...] = (-math.inf, -math.inf)
        self.best_weights: dict[str, torch.Tensor] | None = None
        self.saved = time.monotonic()

    def run(self, title: str) -> History:
        """Train to the end and leave the network with its best weights."""
        if self.plan.checkpoint is not None and checkpoints.restore(self.plan.checkpoint, self):
            self.say(f"{title}: going on from epoch {self.epoch + 1}, batch {self.batch + 1}.")
        with Progress(title, self.plan.epochs * self.n_batches, self.plan.verbose) as progress:
            progress.first_step = self.step
            while self.epoch < self.plan.epochs and not self._patience_lost():
                self._one_epoch(progress)
        if self.best_weights is not None:
            self.network.load_state_dict(self.best_weights)
        if self.plan.checkpoint is not None:
            checkpoints.remove(self.plan.checkpoint)
        loss, accuracy = self._loss_and_accuracy(self.best) if self.dev is not None else (math.nan, math.nan)
        return History(self.best_epoch or self.epoch, loss, accuracy, self.epoch, self.step)

    @property
    def step(self) -> int:
        """Return how many batches were learnt from."""
        return self.epoch * self.n_batches + self.batch

    def counters(self) -> dict[str, Any]:
        """Return what a checkpoint must know beside tensors."""
        names = ("epoch", "batch", "best_epoch", "piece", "signature")
        return {name: getattr(self, name) for name in names} | {"best": [str(value) for value in self.best]}

    def resume(self, counters: dict[str, Any]) -> None:
        """Take the counters of a checkpoint."""
        self.epoch, self.batch = counters["epoch"], counters["batch"]
        self.best_epoch, self.piece = counters["best_epoch"], counters["piece"]
        self.best = tuple(float(value) for value in counters["best"])

    def _one_epoch(self, progress: Progress) -> None:
        draw = np.random.default_rng([self.plan.random_state, self.epoch])
        batches = bucketed(self.train.items.lengths, self.plan.batch_size, draw)
        self.network.train()
        for rows in batches[self.batch :]:
            loss = self._learn(rows)
            self.batch += 1
            if progress.due():
                progress.show(self.step, f"epoch {self.epoch + 1}, loss {loss.item():.3f}")
            self._save_if_due()
        self.epoch, self.batch = self.epoch + 1, 0
        self._look_at_dev()
        self._save_if_due(epoch_ended=True)

    def _learn(self, rows: np.ndarray) -> torch.Tensor:
        rate = self.plan.rate(self.step, self.plan.epochs * self.n_batches)
        for group in self.optimizer.param_groups:
            group["lr"] = rate
        loss = self._until_it_fits(lambda: self._gradients(rows), len(rows))
        if self.plan.clip:
            nn.utils.clip_grad_norm_(self.network.parameters(), self.plan.clip)
        self.optimizer.step()
        return loss

    def _gradients(self, rows: np.ndarray) -> torch.Tensor:
        self.optimizer.zero_grad(set_to_none=True)
        weight = self.weights[self._codes_of(rows)].sum() if self.plan.class_weight else float(len(rows))
        total = torch.zeros((), device=self.device)
        for start in range(0, len(rows), self.piece):
            loss = self._loss(rows[start : start + self.piece], weight, len(rows))
            loss.backward()  # type: ignore[no-untyped-call]
            total += loss.detach()
        return total

    def _loss(self, rows: np.ndarray, weight: torch.Tensor | float, n_rows: int) -> torch.Tensor:
        """Return the share of some rows in the batch's weighted mean loss."""
        tensors = moved(self.train.items.batch(rows), self.device)
        with precision(self.device):
            logits, penalty = self.network(*tensors)
        loss = nn.functional.cross_entropy(logits.float(), self._codes_of(rows), self.weights, reduction="sum") / weight
        return loss if penalty is None else loss + penalty.float() * (len(rows) / n_rows)

    def _codes_of(self, rows: np.ndarray) -> torch.Tensor:
        return self.codes[moved((torch.from_numpy(np.ascontiguousarray(rows)),), self.device)[0]]

    def _until_it_fits(self, work: Callable[[], torch.Tensor], n_rows: int) -> torch.Tensor:
        while True:
            try:
                return work()
            except RuntimeError as error:
                if not out_of_memory(error):
                    raise
                self._halve(min(self.piece, n_rows), error)

    def _halve(self, piece: int, error: RuntimeError) -> None:
        if piece <= 1:
            raise AssayError(
                f"{self.device}: out of memory with one text at a time; shorten texts (max_length)."
            ) from error
        self.optimizer.zero_grad(set_to_none=True)
        release(self.device)
        self.piece = math.ceil(piece / 2)
        self.say(f"{self.device}: out of memory; batches of {piece} are taken in pieces of {self.piece} from now on.")

    def _look_at_dev(self) -> None:
        if self.dev is None:
            return
        scores = logits_of(self.network, self.dev.items, self.piece * 2, self.plan.device, self.say)
        seen = self._score(scores)
        if seen > self.best:
            self.best, self.best_epoch = seen, self.epoch
            self.best_weights = {name: value.detach().clone() for name, value in self.network.state_dict().items()}

    def _score(self, logits: np.ndarray) -> tuple[float, float]:
        assert self.dev is not None
        shifted = logits - logits.max(axis=1, keepdims=True)
        nll = np.log(np.exp(shifted).sum(axis=1)) - shifted[np.arange(len(logits)), self.dev.codes]
        accuracy = float((logits.argmax(axis=1) == self.dev.codes).mean())
        return (accuracy, -float(nll.mean())) if self.plan.monitor == "accuracy" else (-float(nll.mean()), accuracy)

    def _loss_and_accuracy(self, score: tuple[float, ...]) -> tuple[float, float]:
        return (-score[1], score[0]) if self.plan.monitor == "accuracy" else (-score[0], score[1])

    def _patience_lost(self) -> bool:
        return self.dev is not None and self.epoch - self.best_epoch >= self.plan.patience and self.epoch > 0

    def _save_if_due(self, epoch_ended: bool = False) -> None:
        if self.plan.checkpoint is None:
            return
        if epoch_ended or time.monotonic() - self.saved >= self.plan.checkpoint_seconds:
            checkpoints.write(self.plan.checkpoint, self)
            self.saved = time.monotonic()


def logits_of(
    network: nn.Module, items: Items, batch_size: int, device: str | None = None, say: Callable = print
) -> np.ndarray:
    """Return the network's logits for every item, in float64; halve the batches when memory runs out."""
    target = device_named(device)
    network = network.to(target).eval()
    try:
        parts = [(rows, _forward(network, items, rows, target)) for rows in by_length(items.lengths, batch_size)]
    except RuntimeError as error:
        if not out_of_memory(error) or batch_size <= 1:
            raise
        release(target)
        say(f"{target}: out of memory; predicting in batches of {batch_size // 2}.")
        return logits_of(network, items, batch_size // 2, device, say)
    logits = np.empty((len(items.lengths), parts[0][1].shape[1]))
    for rows, values in parts:
        logits[rows] = values.double().cpu().numpy()
    return logits


def _forward(network: nn.Module, items: Items, rows: np.ndarray, device: torch.device) -> torch.Tensor:
    with torch.inference_mode(), precision(device):
        logits: torch.Tensor = network(*moved(items.batch(rows), device))[0]
        return logits.float()


def _adamw(network: nn.Module, plan: Plan, device: torch.device) -> torch.optim.AdamW:
    weights = [weight for weight in network.parameters() if weight.requires_grad]
    decayed = [weight for weight in weights if weight.ndim > 1]
    kept = [weight for weight in weights if weight.ndim <= 1]  # biases and norms are not decayed
    groups = [{"params": decayed, "weight_decay": plan.weight_decay}, {"params": kept, "weight_decay": 0.0}]
    return torch.optim.AdamW(groups, lr=plan.learning_rate, fused=device.type in ("cuda", "cpu"))


def _class_weights(codes: np.ndarray, kind: str | None) -> torch.Tensor:
    counts = np.maximum(np.bincount(codes), 1)
    if kind is None:
        return torch.ones(len(counts))
    if kind != "balanced":
        raise AssayError(f"class_weight is '{kind}'; it is 'balanced' or None.")
    return torch.from_numpy((len(codes) / (len(counts) * counts)).astype(np.float32))
