"""Shared values for comparing splits of the same texts, each computed at most once: words, vectors, duplicates, plane."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np

from assay.base.arrays import Array, Values
from assay.base.errors import AssayError
from assay.splits.comparison.projection import compute_plane
from assay.splits.items import SplitItems

if TYPE_CHECKING:
    from scipy.sparse import csr_matrix

    from assay.text import Corpus


@dataclass(frozen=True, eq=False)
class ComparedTexts:
    """Texts (or a `Corpus`), ids and labels, with the words, vectors and duplicates that are ready."""

    texts: Sequence[str] | Corpus
    ids: Sequence[str] | None = None
    labels: Values | None = None
    encoder: Any = "tfidf"
    tokenizer: str = "words"
    random_state: int = 0
    ready_corpus: Corpus | None = None
    ready_vectors: Any = None
    ready_exact: Array | None = None
    ready_near: Array | None = None
    prepared: dict[tuple[object, ...], Any] = field(
        default_factory=dict, repr=False
    )  # what splits share, by its inputs

    def __post_init__(self) -> None:
        ready = {"labels": self.labels, "ids": self.ids, "exact duplicates": self.ready_exact}
        ready["near-duplicates"] = self.ready_near
        for what, values in ready.items():
            if values is not None and len(values) != len(self.items):
                raise AssayError(f"{len(self.items)} texts, but {len(values)} {what}.")

    @cached_property
    def items(self) -> SplitItems:
        """The rows as splitters see them."""
        return SplitItems.from_input(self.texts, self.ready_corpus, self.ready_vectors)

    @cached_property
    def corpus(self) -> Corpus:
        """The words of the texts."""
        from assay.text import Corpus

        return self.items.corpus or Corpus.from_texts(list(self.items.rows), self.tokenizer)

    @cached_property
    def counts(self) -> csr_matrix:
        """The word counts of each text as CSR."""
        return self.corpus.counts()

    @cached_property
    def vectors(self) -> Array:
        """One dense vector per text in float64."""
        encoded = self.items.encode(self.encoder, self.random_state)
        return np.asarray(encoded.toarray() if hasattr(encoded, "toarray") else encoded, dtype=np.float64)

    @cached_property
    def plane(self) -> Array:
        """The first two principal components of the vectors."""
        return compute_plane(self.vectors)

    @cached_property
    def exact_duplicates(self) -> Array:
        """The group of exact duplicates of each text."""
        from assay.text import exact_duplicates

        return exact_duplicates(list(self.items.rows)) if self.ready_exact is None else np.asarray(self.ready_exact)

    @cached_property
    def near_duplicates(self) -> Array:
        """The group of near-duplicates of each text."""
        from assay.text import near_duplicates

        if self.ready_near is not None:
            return np.asarray(self.ready_near)
        has_words = self.items.corpus is not None or self.tokenizer == "words"
        return near_duplicates(self.corpus if has_words else list(self.items.rows))

    @cached_property
    def id_names(self) -> list[str]:
        """The id of each text; row numbers if none were given."""
        return [str(row) for row in range(len(self.items))] if self.ids is None else list(self.ids)

    @cached_property
    def label_array(self) -> Array | None:
        """The label of each text as an array of objects."""
        return None if self.labels is None else np.array(list(self.labels), dtype=object)

    @cached_property
    def label_names(self) -> list[str]:
        """The labels that occur, sorted."""
        return [] if self.labels is None else sorted({label for label in self.labels if label is not None})
