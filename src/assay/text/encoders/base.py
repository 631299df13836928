"""Base class of encoders: fit, transform, and the steps after them (standardise, PCA)."""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Self, TypeAlias

from assay.base.arrays import Matrix
from assay.base.errors import AssayError
from assay.base.parameters import Parameters
from assay.base.registry import Registry
from assay.text.columns import Texts, to_column
from assay.text.corpus import Corpus
from assay.text.encoders.projection import LinearMap

if TYPE_CHECKING:
    import pyarrow as pa
    from sklearn.utils import Tags

ENCODERS: Registry[type[Encoder]] = Registry("encoder")


Column: TypeAlias = "pa.ChunkedArray | Corpus"  # texts as encoders see them


@dataclass(kw_only=True, eq=False)
class Encoder(Parameters, ABC):
    """Texts in, one vector per text out, with the interface of scikit-learn.

    `standardise` gives every dimension mean 0 and deviation 1 over the texts of `fit`; `pca` then keeps that many
    directions of largest variance (Wecker et al. 2020). Encoders of words also take a `Corpus`.
    """

    standardise: bool = False
    pca: int | None = None
    random_state: int = 0
    _learned: dict[str, Any] = field(default_factory=dict, init=False, repr=False)

    def fit(self, texts: Texts | Corpus, y: object | None = None) -> Self:  # noqa: ARG002, scikit-learn's signature
        """Learn the vocabulary, weights and directions from texts."""
        self.fit_transform(texts)
        return self

    def fit_transform(self, texts: Texts | Corpus, y: object | None = None) -> Matrix:  # noqa: ARG002, scikit-learn's signature
        """Learn from texts and return their vectors, one row per text."""
        texts = _read_texts(texts)
        if len(texts) == 0:
            raise AssayError(f"{type(self).__name__} cannot learn from no texts.")
        vectors = self._learn(texts)
        projection = LinearMap.learn(vectors, self.standardise, self.pca) if self._has_projection else None
        self._learned["projection"] = projection
        return projection(vectors) if projection else vectors

    def transform(self, texts: Texts | Corpus) -> Matrix:
        """Return the vectors of texts, one row per text."""
        if not self.__sklearn_is_fitted__():
            from sklearn.exceptions import NotFittedError

            raise NotFittedError(f"This {type(self).__name__} is not fitted yet. Call fit first.")
        vectors = self._encode(_read_texts(texts))
        projection: LinearMap | None = self._learned["projection"]
        return projection(vectors) if projection else vectors

    def set_params(self, **params: object) -> Self:
        """Change parameters in place, and forget what was learned with the old ones."""
        super().set_params(**params)
        self._learned.clear()
        return self

    def __sklearn_is_fitted__(self) -> bool:
        return "projection" in self._learned

    def __sklearn_tags__(self) -> Tags:
        """Tell scikit-learn that texts are transformed, and that no labels are needed."""
        from sklearn.utils import InputTags, Tags, TargetTags, TransformerTags

        return Tags(
            estimator_type=None,
            target_tags=TargetTags(required=False),
            transformer_tags=TransformerTags(),
            input_tags=InputTags(string=True, two_d_array=False),
        )

    @property
    def _has_projection(self) -> bool:
        return self.standardise or self.pca is not None

    @abstractmethod
    def _learn(self, texts: Column) -> Matrix:
        """Learn from a column of texts, or a corpus, and return its vectors."""

    @abstractmethod
    def _encode(self, texts: Column) -> Matrix:
        """Return the vectors of a column of texts, or a corpus."""


def _read_texts(texts: Texts | Corpus) -> Column:
    return texts if isinstance(texts, Corpus) else to_column(texts)
