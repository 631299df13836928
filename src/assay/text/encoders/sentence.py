"""Vectors from a sentence-transformers model."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from numpy.typing import NDArray

from assay.base.errors import AssayError, import_extra
from assay.system.links import check_hub_name
from assay.text.corpus import Corpus
from assay.text.encoders.base import ENCODERS, Column, Encoder

DEFAULT_MODEL = "sentence-transformers/all-MiniLM-L6-v2"


@ENCODERS.add("sentence")
@dataclass(kw_only=True, eq=False)
class SentenceEncoder(Encoder):
    """Vectors of a sentence-transformers model, by its hub name or folder; each distinct text is encoded once."""

    model: str | Path = DEFAULT_MODEL
    batch_size: int = 32
    device: str | None = None

    def _learn(self, texts: Column) -> NDArray[np.float32]:
        if "model" not in self._learned:
            self._learned["model"] = self._load()
        return self._encode(texts)

    def _load(self) -> Any:
        package = import_extra("sentence_transformers", "embeddings", "The encoder 'sentence'")
        if self.model == DEFAULT_MODEL:
            check_hub_name(DEFAULT_MODEL)
        try:
            # Weights come from safetensors only: the other format runs code when it is read.
            return package.SentenceTransformer(
                str(self.model), device=self.device, model_kwargs={"use_safetensors": True}
            )
        except (OSError, ValueError) as error:
            raise AssayError(
                f"No sentence-transformers model '{self.model}': neither a folder with one nor available from the hub."
            ) from error

    def _encode(self, texts: Column) -> NDArray[np.float32]:
        if isinstance(texts, Corpus):
            raise AssayError("The encoder 'sentence' needs the texts themselves, not a corpus of their words.")
        # In a fixed order, so that batches, and with them the last digits, do not depend on the order of the rows.
        distinct = sorted(texts.unique().to_pylist())
        vectors = self._learned["model"].encode(distinct, batch_size=self.batch_size, show_progress_bar=False)
        return np.asarray(vectors, np.float32)[pc.index_in(texts, pa.array(distinct, texts.type)).to_numpy()]
