"""Representations of papers, as encoders with fixed settings."""

from __future__ import annotations

from dataclasses import dataclass

from assay.text.encoders.base import ENCODERS
from assay.text.encoders.word_vectors import WordVectorsEncoder


@ENCODERS.add("wecker-2020")
@dataclass(kw_only=True, eq=False)
class WeckerEncoder(WordVectorsEncoder):
    """Mean word vector, standardised, then five principal components (Wecker et al. 2020).

    The paper gives no number of components; its released folds were made with five. Its word vectors cannot be
    redistributed, so those of wordllama are the default; `vectors` takes a word2vec or GloVe file.
    """

    standardise: bool = True
    pca: int | None = 5
