"""A frozen encoder and a small network on its vectors: fast, since the encoder runs once."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import scipy.sparse as sp
from sklearn.metrics import log_loss
from sklearn.neural_network import MLPClassifier

from assay.base.arrays import Array
from assay.base.parameters import Options
from assay.models.base import TextClassifier
from assay.models.inputs import Sides
from assay.models.neural.base import import_torch
from assay.models.neural.encoders import MINILM, find_token_limit, load_pretrained
from assay.models.neural.tokens import tokenize_sides
from assay.models.registry import MODELS
from assay.tasks.threads import use_one_thread


@MODELS.add("embedding")
class EmbeddingClassifier(TextClassifier):
    """Sentence vectors of a frozen encoder, then hidden layers (Søgaard et al. 2021: 50-50 or 100-100, α 0.01).

    `encoder` is a hub name or folder (mean of the last layer), or `tfidf` (TF-IDF and truncated SVD, which needs no
    extra). The epoch with the lowest loss on the development set is kept; pairs become u, v, |u − v|, u · v.
    """

    def __init__(
        self,
        encoder: str = MINILM,
        hidden: tuple[int, ...] = (100, 100),
        alpha: float = 0.01,
        batch_size: int = 200,
        learning_rate: float = 1e-3,
        epochs: int = 200,
        patience: int = 10,
        max_length: int | None = 256,
        n_components: int = 200,
        dev_share: float = 0.125,
        random_state: int = 0,
        device: str | None = None,
    ) -> None:
        self.encoder = encoder
        self.hidden = hidden
        self.alpha = alpha
        self.batch_size = batch_size
        self.learning_rate = learning_rate
        self.epochs = epochs
        self.patience = patience
        self.max_length = max_length
        self.n_components = n_components
        self.dev_share = dev_share
        self.random_state = random_state
        self.device = device

    def _fit(self, sides: Sides, codes: Array, dev_sides: Sides | None, dev_codes: Array | None) -> None:
        if self.encoder == "tfidf":
            self._fit_tfidf([text for side in sides for text in side])
        vectors = self._vectors(sides)
        self.mean_, self.scale_ = vectors.mean(axis=0), np.maximum(vectors.std(axis=0), 1e-9)
        dev = None if dev_sides is None else self._standardise(self._vectors(dev_sides))
        with use_one_thread():  # threaded sums round differently
            self._learn(self._standardise(vectors), codes, dev, dev_codes)

    def _learn(self, vectors: Array, codes: Array, dev: Array | None, dev_codes: Any) -> None:
        network = MLPClassifier(
            hidden_layer_sizes=tuple(self.hidden),
            alpha=self.alpha,
            batch_size=min(self.batch_size, len(codes)),
            learning_rate_init=self.learning_rate,
            random_state=self.random_state,
        )
        classes = np.arange(len(self.classes_))
        best_loss, best_epoch, self.layers_ = np.inf, 0, []
        for epoch in range(self.epochs):
            network.partial_fit(vectors, codes, classes=classes)
            predicted = None if dev is None else network.predict_proba(dev)
            loss = network.loss_ if predicted is None else log_loss(dev_codes, predicted, labels=classes)
            if loss < best_loss - 1e-6:
                best_loss, best_epoch = loss, epoch
                layers = (network.coefs_, network.intercepts_)
                self.layers_ = [tuple(np.copy(part) for part in layer) for layer in zip(*layers, strict=True)]
            if epoch - best_epoch >= self.patience:
                break
        self.epochs_ = best_epoch + 1

    def _probabilities(self, sides: Sides) -> Array:
        values = self._standardise(self._vectors(sides))
        for number, (weights, bias) in enumerate(self.layers_):
            values = values @ weights + bias
            if number < len(self.layers_) - 1:
                values = np.maximum(values, 0)
        if values.shape[1] == 1:
            values = np.hstack([np.zeros_like(values), values])
        values = np.exp(values - values.max(axis=1, keepdims=True))
        return np.asarray(values / values.sum(axis=1, keepdims=True))

    def _standardise(self, vectors: Array) -> Array:
        return np.asarray((vectors - self.mean_) / self.scale_)

    def _vectors(self, sides: Sides) -> Array:
        parts = [self._encode(side) for side in sides]
        if len(parts) == 1:
            return parts[0]
        left, right = parts
        return np.hstack([left, right, np.abs(left - right), left * right])

    def _encode(self, texts: list[str]) -> Array:
        if self.encoder == "tfidf":
            return np.asarray(self.words_.transform(texts) @ self.axes_)
        import_torch(self)
        from assay.models.neural.training.encoder_networks import MeanEncoder
        from assay.models.neural.training.loop import predict_logits

        name = type(self).__name__
        if not hasattr(self, "model_"):
            self.tokenizer_ = load_pretrained(self.encoder, "AutoTokenizer", name)
            self.model_ = MeanEncoder(load_pretrained(self.encoder, "AutoModel", name))
        limit = find_token_limit(self.tokenizer_, self.model_.model.config, self.max_length)
        items, n_cut = tokenize_sides(self.tokenizer_, (texts,), limit)
        if n_cut:
            self.note(f"{name}: {n_cut} of {len(texts)} texts are longer than {limit} tokens and were cut.")
        return predict_logits(self.model_, items, 128, self.device, self.note)

    def _fit_tfidf(self, texts: list[str]) -> None:
        from sklearn.decomposition import TruncatedSVD
        from sklearn.feature_extraction.text import TfidfVectorizer

        self.words_ = TfidfVectorizer(sublinear_tf=True, min_df=1)
        counts = sp.csr_matrix(self.words_.fit_transform(texts))
        size = min(self.n_components, min(counts.shape) - 1)
        with use_one_thread():
            self.axes_ = TruncatedSVD(max(1, size), random_state=self.random_state).fit(counts).components_.T

    def _state(self) -> tuple[Options, dict[str, Array]]:
        arrays = {"mean": self.mean_, "scale": self.scale_}
        for number, (weights, bias) in enumerate(self.layers_):
            arrays |= {f"weights_{number}": weights, f"bias_{number}": bias}
        values: dict[str, Any] = {"n_layers": len(self.layers_)}
        if self.encoder == "tfidf":
            values["vocabulary"] = self.words_.get_feature_names_out().tolist()
            arrays |= {"idf": self.words_.idf_, "axes": self.axes_}
        return values, arrays

    def _restore(self, values: Options, arrays: dict[str, Array], folder: Path) -> None:  # noqa: ARG002
        self.mean_, self.scale_ = arrays["mean"], arrays["scale"]
        self.layers_ = [(arrays[f"weights_{n}"], arrays[f"bias_{n}"]) for n in range(values["n_layers"])]
        if self.encoder == "tfidf":
            from sklearn.feature_extraction.text import TfidfVectorizer

            columns = {word: column for column, word in enumerate(values["vocabulary"])}
            self.words_ = TfidfVectorizer(sublinear_tf=True, vocabulary=columns)
            self.words_.idf_, self.axes_ = arrays["idf"], arrays["axes"]
