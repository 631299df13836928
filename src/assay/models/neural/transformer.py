"""Fine-tune any pretrained encoder."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from assay.base.arrays import Array
from assay.base.parameters import Options
from assay.models.inputs import Sides
from assay.models.neural.base import NeuralClassifier, import_torch
from assay.models.neural.encoders import MINILM, find_token_limit, load_pretrained
from assay.models.neural.tokens import TokenItems, tokenize_sides
from assay.models.registry import MODELS

if TYPE_CHECKING:
    from torch import nn

_HEAD = "AutoModelForSequenceClassification"


@MODELS.add("transformer")
@dataclass(eq=False, repr=False)
class TransformerClassifier(NeuralClassifier):
    """A pretrained encoder, by hub name or local folder, fine-tuned with a linear head.

    Pairs go to the tokenizer as pairs. Texts beyond the encoder's limit (or `max_length`) are cut, with a note. The
    papers' hyper-parameters are in `assay.models.presets`.
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

    def _load_tokenizer(self, encoder: str) -> None:
        name = type(self).__name__
        self.tokenizer_ = load_pretrained(encoder, "AutoTokenizer", name)
        self.config_ = load_pretrained(encoder, "AutoConfig", name)
        self.limit_ = find_token_limit(self.tokenizer_, self.config_, self.max_length)

    def _items(self, sides: Sides) -> TokenItems:
        items, n_cut = tokenize_sides(self.tokenizer_, sides, self.limit_)
        if n_cut:
            fact = f"{n_cut} of {len(sides[0])} texts are longer than {self.limit_} tokens and were cut"
            self.note(f"{type(self).__name__}: {fact} (max_length).")
        return items

    def _network(self, n_classes: int) -> nn.Module:
        from assay.models.neural.training.encoder_networks import EncoderNetwork

        model = load_pretrained(self.encoder, _HEAD, type(self).__name__, num_labels=n_classes)
        return EncoderNetwork(model)

    def _save_more(self, folder: Path) -> None:
        model: Any = self.network_.model
        model.save_pretrained(folder / "encoder")
        self.tokenizer_.save_pretrained(folder / "encoder")

    def _restore(self, values: Options, arrays: dict[str, Array], folder: Path) -> None:  # noqa: ARG002
        import_torch(self)
        from assay.models.neural.training.encoder_networks import EncoderNetwork

        encoder = str(folder / "encoder")
        self._load_tokenizer(encoder)
        self.network_ = EncoderNetwork(load_pretrained(encoder, _HEAD, type(self).__name__))
