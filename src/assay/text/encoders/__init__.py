"""Ways to turn a text into a vector, by name."""

from __future__ import annotations

from inspect import signature
from typing import Any

from assay.base.errors import UsageError, unknown_name
from assay.base.registry import Registry
from assay.text.encoders.base import Encoder
from assay.text.encoders.counts import CountsEncoder
from assay.text.encoders.sentence import SentenceEncoder
from assay.text.encoders.tfidf import TfidfEncoder
from assay.text.encoders.word_vectors import WordVectorsEncoder

_BY_NAME: dict[str, type[Encoder]] = {
    "tfidf": TfidfEncoder,
    "counts": CountsEncoder,
    "word-vectors": WordVectorsEncoder,
    "sentence": SentenceEncoder,
}
ENCODERS = Registry("encoder", _BY_NAME)


def encoder(name_or_object: Any = "tfidf", **parameters: Any) -> Any:
    """Return an encoder by name; an object with `fit_transform` and `transform` is its own.

    >>> encoder("tfidf", n_components=2).fit_transform(["a b", "b c"]).shape
    (2, 2)
    """
    if isinstance(name_or_object, str):
        kind = ENCODERS[name_or_object]
        for name in parameters.keys() - signature(kind).parameters.keys():
            raise unknown_name(f"parameter of encoder '{name_or_object}'", name, signature(kind).parameters)
        return kind(**parameters)
    if parameters or not hasattr(name_or_object, "fit_transform"):
        raise UsageError("An encoder is a name, or an object with fit_transform and no further parameters.")
    return name_or_object
