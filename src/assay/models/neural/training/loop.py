"""The training loop: AdamW, early stopping with the best weights kept, checkpoints, pieces when memory runs out."""

from __future__ import annotations

import math
import time
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
import torch
from torch import nn

from assay.base.arrays import Array
from assay.base.errors import AssayError
from assay.base.parameters import Options
from assay.models.neural.training import checkpoints
from assay.models.neural.training.batches import BatchItems, draw_batches, sort_into_batches
from assay.models.neural.training.progress import TrainingProgress
from assay.models.neural.training.settings import TrainingSettings


@dataclass(frozen=True)
class TrainingHistory:
    """The epoch whose weights were kept, its loss and accuracy, and how many epochs and steps were run."""

    best_epoch: int
    dev_loss: float
    dev_accuracy: float
    n_epochs: int
    n_steps: int


@dataclass(frozen=True)
class LabelledItems:
    """Items with the numbers of their classes."""

    items: BatchItems
    codes: Array


class TrainingLoop:
    """One training of one network, which can be stored at any step and resumed."""

    def __init__(
        self,
        network: nn.Module,
        train: LabelledItems,
        dev: LabelledItems | None,
        settings: TrainingSettings,
        notify: Callable[[str], None],
    ) -> None:
        self.device = find_device(settings.device)
        self.network = network.to(self.device)
        self.train, self.dev, self.settings, self.notify = train, dev, settings, notify
        self.optimizer = _make_optimizer(self.network, settings, self.device)
        n_weights = sum(weight.numel() for weight in network.parameters())
        self.signature = settings.signature(len(train.codes), n_weights)
        self.class_weights = _class_weights(train.codes, settings.class_weight).to(self.device)
        self.codes = torch.from_numpy(np.asarray(train.codes, dtype=np.int64)).to(self.device)
        self.piece_size = max(1, math.ceil(settings.batch_size / settings.accumulation))
        self.n_batches = math.ceil(len(train.codes) / settings.batch_size)
        self.epoch = self.batch = self.best_epoch = 0
        self.best_score: tuple[float, ...] = (-math.inf, -math.inf)
        self.best_weights: dict[str, torch.Tensor] | None = None
        self.last_saved = time.monotonic()

    def run(self, title: str) -> TrainingHistory:
        """Train to the end and leave the network with its best weights."""
        checkpoint = self.settings.checkpoint
        if checkpoint is not None and checkpoints.restore_checkpoint(checkpoint, self):
            self.notify(f"{title}: resumed at epoch {self.epoch + 1}, batch {self.batch + 1}.")
        with TrainingProgress(title, self.settings.epochs * self.n_batches, self.settings.verbose) as progress:
            progress.first_step = self.step
            while self.epoch < self.settings.epochs and not self._is_out_of_patience():
                self._run_epoch(progress)
        if self.best_weights is not None:
            self.network.load_state_dict(self.best_weights)
        if checkpoint is not None:
            checkpoints.remove_checkpoint(checkpoint)
        loss, accuracy = self._split_score(self.best_score) if self.dev is not None else (math.nan, math.nan)
        return TrainingHistory(self.best_epoch or self.epoch, loss, accuracy, self.epoch, self.step)

    @property
    def step(self) -> int:
        """Return the number of batches learnt from."""
        return self.epoch * self.n_batches + self.batch

    def get_counters(self) -> Options:
        """Return what a checkpoint stores next to tensors."""
        names = ("epoch", "batch", "best_epoch", "piece_size", "signature")
        return {name: getattr(self, name) for name in names} | {"best_score": [str(part) for part in self.best_score]}

    def set_counters(self, counters: Options) -> None:
        """Take the counters of a checkpoint."""
        self.epoch, self.batch = counters["epoch"], counters["batch"]
        self.best_epoch, self.piece_size = counters["best_epoch"], counters["piece_size"]
        self.best_score = tuple(float(part) for part in counters["best_score"])

    def _run_epoch(self, progress: TrainingProgress) -> None:
        rng = np.random.default_rng([self.settings.random_state, self.epoch])
        batches = draw_batches(self.train.items.lengths, self.settings.batch_size, rng)
        self.network.train()
        for rows in batches[self.batch :]:
            loss = self._learn(rows)
            self.batch += 1
            if progress.is_due():
                progress.show(self.step, f"epoch {self.epoch + 1}, loss {loss.item():.3f}")
            self._save_if_due()
        self.epoch, self.batch = self.epoch + 1, 0
        self._evaluate_dev()
        self._save_if_due(epoch_ended=True)

    def _learn(self, rows: Array) -> torch.Tensor:
        rate = self.settings.learning_rate_at(self.step, self.settings.epochs * self.n_batches)
        for group in self.optimizer.param_groups:
            group["lr"] = rate
        loss = self._retry_in_pieces(lambda: self._accumulate_gradients(rows), len(rows))
        if self.settings.clip:
            nn.utils.clip_grad_norm_(self.network.parameters(), self.settings.clip)
        self.optimizer.step()
        return loss

    def _accumulate_gradients(self, rows: Array) -> torch.Tensor:
        self.optimizer.zero_grad(set_to_none=True)
        weight = self.class_weights[self._take_codes(rows)].sum() if self.settings.class_weight else float(len(rows))
        total = torch.zeros((), device=self.device)
        for start in range(0, len(rows), self.piece_size):
            loss = self._loss(rows[start : start + self.piece_size], weight, len(rows))
            loss.backward()  # type: ignore[no-untyped-call]
            total += loss.detach()
        return total

    def _loss(self, rows: Array, weight: torch.Tensor | float, n_rows: int) -> torch.Tensor:
        """Return the share of some rows in the batch's weighted mean loss."""
        tensors = move_tensors(self.train.items.batch(rows), self.device)
        with autocast(self.device):
            logits, penalty = self.network(*tensors)
        codes = self._take_codes(rows)
        loss = nn.functional.cross_entropy(logits.float(), codes, self.class_weights, reduction="sum") / weight
        return loss if penalty is None else loss + penalty.float() * (len(rows) / n_rows)

    def _take_codes(self, rows: Array) -> torch.Tensor:
        return self.codes[move_tensors((torch.from_numpy(np.ascontiguousarray(rows)),), self.device)[0]]

    def _retry_in_pieces(self, work: Callable[[], torch.Tensor], n_rows: int) -> torch.Tensor:
        while True:
            try:
                return work()
            except RuntimeError as error:
                if not is_out_of_memory(error):
                    raise
                self._halve_pieces(min(self.piece_size, n_rows), error)

    def _halve_pieces(self, size: int, error: RuntimeError) -> None:
        if size <= 1:
            fact = "out of memory with one text at a time"
            raise AssayError(fact, place=self.device, hint="Shorten texts (max_length).") from error
        self.optimizer.zero_grad(set_to_none=True)
        release_memory(self.device)
        self.piece_size = math.ceil(size / 2)
        self.notify(f"{self.device}: out of memory; batches of {size} are now taken in pieces of {self.piece_size}.")

    def _evaluate_dev(self) -> None:
        if self.dev is None:
            return
        logits = predict_logits(self.network, self.dev.items, self.piece_size * 2, self.settings.device, self.notify)
        score = self._score_dev(logits, self.dev.codes)
        if score > self.best_score:
            self.best_score, self.best_epoch = score, self.epoch
            self.best_weights = {name: value.detach().clone() for name, value in self.network.state_dict().items()}

    def _score_dev(self, logits: Array, codes: Array) -> tuple[float, float]:
        shifted = logits - logits.max(axis=1, keepdims=True)
        nll = np.log(np.exp(shifted).sum(axis=1)) - shifted[np.arange(len(logits)), codes]
        accuracy, loss = float((logits.argmax(axis=1) == codes).mean()), float(nll.mean())
        return (accuracy, -loss) if self.settings.monitor == "accuracy" else (-loss, accuracy)

    def _split_score(self, score: tuple[float, ...]) -> tuple[float, float]:
        """Return loss and accuracy of a score."""
        return (-score[1], score[0]) if self.settings.monitor == "accuracy" else (-score[0], score[1])

    def _is_out_of_patience(self) -> bool:
        return self.dev is not None and self.epoch - self.best_epoch >= self.settings.patience and self.epoch > 0

    def _save_if_due(self, epoch_ended: bool = False) -> None:
        if self.settings.checkpoint is None:
            return
        if epoch_ended or time.monotonic() - self.last_saved >= self.settings.checkpoint_seconds:
            checkpoints.write_checkpoint(self.settings.checkpoint, self)
            self.last_saved = time.monotonic()


def predict_logits(
    network: nn.Module,
    items: BatchItems,
    batch_size: int,
    device: str | None = None,
    notify: Callable[[str], None] = print,
) -> Array:
    """Return the network's logits for every item, in float64; halve the batches when memory runs out."""
    target = find_device(device)
    network = network.to(target).eval()
    try:
        batches = sort_into_batches(items.lengths, batch_size)
        parts = [(rows, _forward(network, items, rows, target)) for rows in batches]
    except RuntimeError as error:
        if not is_out_of_memory(error) or batch_size <= 1:
            raise
        release_memory(target)
        notify(f"{target}: out of memory; predicting in batches of {batch_size // 2}.")
        return predict_logits(network, items, batch_size // 2, device, notify)
    logits = np.empty((len(items.lengths), parts[0][1].shape[1]))
    for rows, values in parts:
        logits[rows] = values.double().cpu().numpy()
    return logits


def _forward(network: nn.Module, items: BatchItems, rows: Array, device: torch.device) -> torch.Tensor:
    with torch.inference_mode(), autocast(device):
        logits: torch.Tensor = network(*move_tensors(items.batch(rows), device))[0]
        return logits.float()


def _make_optimizer(network: nn.Module, settings: TrainingSettings, device: torch.device) -> torch.optim.AdamW:
    weights = [weight for weight in network.parameters() if weight.requires_grad]
    decayed = [weight for weight in weights if weight.ndim > 1]
    others = [weight for weight in weights if weight.ndim <= 1]  # biases and norms
    groups = [{"params": decayed, "weight_decay": settings.weight_decay}, {"params": others, "weight_decay": 0.0}]
    return torch.optim.AdamW(groups, lr=settings.learning_rate, fused=device.type in ("cuda", "cpu"))


def _class_weights(codes: Array, kind: str | None) -> torch.Tensor:
    counts = np.maximum(np.bincount(codes), 1)
    if kind is None:
        return torch.ones(len(counts))
    if kind != "balanced":
        raise AssayError(f"class_weight is '{kind}'; it must be 'balanced' or None")
    return torch.from_numpy((len(codes) / (len(counts) * counts)).astype(np.float32))


def find_device(name: str | None) -> torch.device:
    """Return the named device; without a name the GPU if there is one, else the CPU."""
    return torch.device(name or ("cuda" if torch.cuda.is_available() else "cpu"))


def autocast(device: torch.device) -> torch.autocast:
    """Return the context of the forward pass: bf16 on a GPU that has it, full precision elsewhere."""
    half = device.type == "cuda" and torch.cuda.is_bf16_supported()
    return torch.autocast(device.type, dtype=torch.bfloat16, enabled=half)


def move_tensors(tensors: tuple[torch.Tensor, ...], device: torch.device) -> tuple[torch.Tensor, ...]:
    """Copy tensors to the device; to a GPU from pinned memory, without waiting."""
    if device.type != "cuda":
        return tensors
    return tuple(tensor.pin_memory().to(device, non_blocking=True) for tensor in tensors)


def is_out_of_memory(error: BaseException) -> bool:
    """Return whether an error means that the device's memory is full."""
    return isinstance(error, torch.OutOfMemoryError) or (
        isinstance(error, RuntimeError) and "out of memory" in str(error).lower()
    )


def release_memory(device: torch.device) -> None:
    """Release cached memory."""
    if device.type == "cuda":
        torch.cuda.empty_cache()
