"""What the classifiers that need torch share: settings, training, prediction, weights on disk."""

from __future__ import annotations

import dataclasses
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from assay.errors import need
from assay.models.base import TextClassifier
from assay.models.inputs import Sides
from assay.models.plan import Plan

if TYPE_CHECKING:
    from torch import nn

    from assay.models.batches import Items

WEIGHTS = "weights.safetensors"


# A dataclass, for scikit-learn reads the parameters off the signature of __init__ and this writes it once.
@dataclass(eq=False, repr=False)
class NeuralClassifier(TextClassifier):
    """A classifier trained by the loop in `training.py`; its settings are those of `Plan`.

    `monitor` ("accuracy" or "loss") says what the development set watches; after `patience` epochs without gain
    training ends, and the best weights are kept. `checkpoint` is a folder to resume from after a kill.
    """

    learning_rate: float = 1e-3
    batch_size: int = 32
    epochs: int = 30
    patience: int = 5
    monitor: str = "accuracy"
    weight_decay: float = 0.01
    warmup: float = 0.0
    decay: bool = False
    class_weight: str | None = None
    clip: float = 1.0
    accumulation: int = 1
    dev_share: float = 0.125
    random_state: int = 0
    device: str | None = None
    checkpoint: str | None = None
    checkpoint_seconds: float = 300.0
    verbose: bool | None = None

    def plan(self) -> Plan:
        """Return the settings of the training loop."""
        return Plan(**{field.name: getattr(self, field.name) for field in dataclasses.fields(Plan)})

    def _fit(self, sides: Sides, codes: np.ndarray, dev_sides: Sides | None, dev_codes: np.ndarray | None) -> None:
        torch = need("torch", "neural", type(self).__name__)
        need("safetensors", "neural", type(self).__name__)
        from assay.models.training import Labelled, Training

        with torch.random.fork_rng():
            torch.manual_seed(self.random_state)
            self._prepare(sides)
            network = self._network(len(self.classes_))
            dev = None
            if dev_sides is not None and dev_codes is not None:
                dev = Labelled(self._items(dev_sides), dev_codes)
            training = Training(network, Labelled(self._items(sides), codes), dev, self.plan(), self.note)
            self.history_ = training.run(type(self).__name__)
        self.network_ = network

    def _probabilities(self, sides: Sides) -> np.ndarray:
        need("torch", "neural", type(self).__name__)
        from assay.models.training import logits_of

        logits = logits_of(self.network_, self._items(sides), max(64, self.batch_size), self.device, self.note)
        scores = np.exp(logits - logits.max(axis=1, keepdims=True))
        return np.asarray(scores / scores.sum(axis=1, keepdims=True))

    def _prepare(self, sides: Sides) -> None:
        """Learn whatever turns texts into numbers."""
        raise NotImplementedError

    def _items(self, sides: Sides) -> Items:
        raise NotImplementedError

    def _network(self, n_classes: int) -> nn.Module:
        raise NotImplementedError

    def _save_more(self, folder: Path) -> None:
        from safetensors.torch import save_file

        state = self.network_.state_dict()
        save_file({name: value.detach().cpu().clone().contiguous() for name, value in state.items()}, folder / WEIGHTS)

    def _load_weights(self, folder: Path) -> None:
        need("torch", "neural", type(self).__name__)
        need("safetensors", "neural", type(self).__name__)
        from safetensors.torch import load_file

        self.network_ = self._network(len(self.classes_))
        self.network_.load_state_dict(load_file(folder / WEIGHTS))

    def _state(self) -> tuple[dict[str, Any], dict[str, np.ndarray]]:
        return {}, {}
