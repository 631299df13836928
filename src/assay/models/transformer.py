"""Fine-tune any pretrained encoder."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from assay.errors import need
from assay.models.encoders import MINILM, load, token_limit
from assay.models.inputs import Sides
from assay.models.neural import NeuralClassifier
from assay.models.tokens import TokenItems, tokenized

if TYPE_CHECKING:
    from torch import nn


@dataclass(eq=False, repr=False)
class TransformerClassifier(NeuralClassifier):
    """A pretrained encoder, by hub name or local folder, fine-tuned with a linear head.

    Pairs are given to the tokenizer as pairs. Texts beyond the encoder's limit (or `max_length`) are cut, and that is
    said. Hyper-parameters of the papers are in `assay.models.presets`.
    """

    encoder: str = MINILM
    max_length: int | None = None
    learning_rate: float = 5e-5
    epochs: int = 3
    patience: int = 3
    warmup: float = 0.1
    decay: bool = True

    def _prepare(self, sides: Sides) -> None:  # noqa: ARG002, the tokenizer comes with the encoder
        self._load_tokenizer(self.encoder)

    def _load_tokenizer(self, place: str) -> None:
        name = type(self).__name__
        self.tokenizer_ = load(place, "AutoTokenizer", name)
        self.config_ = load(place, "AutoConfig", name)
        self.limit_ = token_limit(self.tokenizer_, self.config_, self.max_length)

    def _items(self, sides: Sides) -> TokenItems:
        items, n_cut = tokenized(self.tokenizer_, sides, self.limit_)
        if n_cut:
            told = f"{n_cut} of {len(sides[0])} texts are longer than {self.limit_} tokens and were cut"
            self.note(f"{type(self).__name__}: {told} (max_length).")
        return items

    def _network(self, n_classes: int) -> nn.Module:
        from assay.models.encoder_network import EncoderNetwork

        name = type(self).__name__
        model = load(self.encoder, "AutoModelForSequenceClassification", name, num_labels=n_classes)
        return EncoderNetwork(model)

    def _save_more(self, folder: Path) -> None:
        model: Any = self.network_.model
        model.save_pretrained(folder / "encoder")
        self.tokenizer_.save_pretrained(folder / "encoder")

    def _restore(self, values: dict[str, Any], arrays: dict[str, np.ndarray], folder: Path) -> None:  # noqa: ARG002
        name = type(self).__name__
        need("torch", "neural", name)
        from assay.models.encoder_network import EncoderNetwork

        place = str(folder / "encoder")
        self._load_tokenizer(place)
        self.network_ = EncoderNetwork(load(place, "AutoModelForSequenceClassification", name))
