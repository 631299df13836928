"""Every setting of the training loop."""

from __future__ import annotations

import dataclasses
import hashlib
import json
from dataclasses import dataclass


@dataclass(frozen=True)
class TrainingSettings:
    """Settings of one training. `accumulation` takes each batch in that many pieces with the same gradient."""

    learning_rate: float = 1e-3
    batch_size: int = 32
    epochs: int = 50
    patience: int = 20
    monitor: str = "accuracy"
    weight_decay: float = 0.01
    warmup: float = 0.0
    decay: bool = False
    class_weight: str | None = None
    clip: float = 1.0
    accumulation: int = 1
    random_state: int = 0
    device: str | None = None
    checkpoint: str | None = None
    checkpoint_seconds: float = 300.0
    verbose: bool | None = None

    def signature(self, n_items: int, n_weights: int) -> str:
        """Return a hash of what a checkpoint must have in common with the training that resumes from it."""
        settings = dataclasses.asdict(self)
        for name in ("checkpoint", "checkpoint_seconds", "verbose", "device"):
            settings.pop(name)
        content = json.dumps([settings, n_items, n_weights], sort_keys=True)
        return hashlib.sha256(content.encode()).hexdigest()[:16]

    def learning_rate_at(self, step: int, n_steps: int) -> float:
        """Return the learning rate at a step: a linear rise over the warm-up, then constant or linear decay to zero.

        >>> settings = TrainingSettings(learning_rate=1.0, warmup=0.2, decay=True)
        >>> [round(settings.learning_rate_at(step, 10), 2) for step in (0, 1, 2, 6, 9)]
        [0.5, 1.0, 1.0, 0.5, 0.12]
        """
        n_warmup = round(self.warmup * n_steps)
        if step < n_warmup:
            return self.learning_rate * (step + 1) / n_warmup
        if not self.decay:
            return self.learning_rate
        return self.learning_rate * (n_steps - step) / max(1, n_steps - n_warmup)
