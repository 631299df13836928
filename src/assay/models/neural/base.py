"""Base class of classifiers with torch: settings, training, prediction, weights on disk."""

from __future__ import annotations

import dataclasses
from abc import abstractmethod
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from assay.base.arrays import Array
from assay.base.errors import import_extra
from assay.base.parameters import Options
from assay.models.base import TextClassifier
from assay.models.inputs import Sides
from assay.models.neural.training.settings import TrainingSettings
from assay.system.files import open_temporary

if TYPE_CHECKING:
    from types import ModuleType

    from torch import nn

    from assay.models.neural.training.batches import BatchItems

WEIGHTS = "weights.safetensors"


# A dataclass, because scikit-learn reads the parameters from the signature of __init__, which is then written once.
@dataclass(eq=False, repr=False)
class NeuralClassifier(TextClassifier):
    """A classifier trained by `training.loop` with the settings of `TrainingSettings`.

    `monitor` ("accuracy" or "loss") is what is watched on the development set; after `patience` epochs without gain
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

    def _training_settings(self) -> TrainingSettings:
        fields = dataclasses.fields(TrainingSettings)
        return TrainingSettings(**{field.name: getattr(self, field.name) for field in fields})

    def _fit(self, sides: Sides, codes: Array, dev_sides: Sides | None, dev_codes: Array | None) -> None:
        torch = import_torch(self)
        from assay.models.neural.training.loop import LabelledItems, TrainingLoop

        with torch.random.fork_rng():
            torch.manual_seed(self.random_state)
            self._prepare(sides)
            network = self._network(len(self.classes_))
            dev = None
            if dev_sides is not None and dev_codes is not None:
                dev = LabelledItems(self._items(dev_sides), dev_codes)
            train = LabelledItems(self._items(sides), codes)
            loop = TrainingLoop(network, train, dev, self._training_settings(), self.note)
            self.history_ = loop.run(type(self).__name__)
        self.network_ = network

    def _probabilities(self, sides: Sides) -> Array:
        import_torch(self)
        from assay.models.neural.training.loop import predict_logits

        logits = predict_logits(self.network_, self._items(sides), max(64, self.batch_size), self.device, self.note)
        scores = np.exp(logits - logits.max(axis=1, keepdims=True))
        return np.asarray(scores / scores.sum(axis=1, keepdims=True))

    @abstractmethod
    def _prepare(self, sides: Sides) -> None:
        """Learn whatever turns texts into numbers."""

    @abstractmethod
    def _items(self, sides: Sides) -> BatchItems:
        """Turn texts into what the network reads."""

    @abstractmethod
    def _network(self, n_classes: int) -> nn.Module:
        """Build the network."""

    def _save_more(self, folder: Path) -> None:
        from safetensors.torch import save_file

        state = self.network_.state_dict()
        weights = {name: value.detach().cpu().clone().contiguous() for name, value in state.items()}
        with open_temporary(folder / WEIGHTS) as path:
            save_file(weights, path)

    def _load_weights(self, folder: Path) -> None:
        import_torch(self)
        from safetensors.torch import load_file

        self.network_ = self._network(len(self.classes_))
        self.network_.load_state_dict(load_file(folder / WEIGHTS))

    def _state(self) -> tuple[Options, dict[str, Array]]:
        return {}, {}


def import_torch(model: TextClassifier) -> ModuleType:
    """Import torch and safetensors for a model, or raise an error that names the extra to install."""
    purpose = type(model).__name__
    torch = import_extra("torch", "neural", purpose)
    import_extra("safetensors", "neural", purpose)
    return torch
