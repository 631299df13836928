"""Ways to turn a text into a vector, by name."""

from __future__ import annotations

from inspect import signature
from typing import Any

from assay.base.errors import UsageError, unknown_name
from assay.text.encoders import counts, presets, sentence, tfidf, word_vectors  # noqa: F401, they register encoders
from assay.text.encoders.base import ENCODERS, Encoder

__all__ = ["ENCODERS", "Encoder", "make_encoder"]


def make_encoder(encoder: str | Encoder = "tfidf", **parameters: Any) -> Encoder:
    """Make an encoder by name; an object with `fit_transform` and `transform` is returned as it is.

    >>> make_encoder("tfidf", n_components=2).fit_transform(["a b", "b c"]).shape
    (2, 2)
    """
    if isinstance(encoder, str):
        kind = ENCODERS[encoder]
        for name in parameters.keys() - signature(kind).parameters.keys():
            raise unknown_name(f"parameter of encoder '{encoder}'", name, signature(kind).parameters)
        return kind(**parameters)
    if parameters or not hasattr(encoder, "fit_transform"):
        raise UsageError("An encoder is a name, or an object with fit_transform and no further parameters.")
    return encoder
