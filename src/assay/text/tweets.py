"""The tokens of Peinelt et al. (2019)."""

from __future__ import annotations

import re
from functools import cache
from typing import Any

from assay.base.errors import import_extra

_PLACEHOLDERS = (
    (re.compile(r"(?:https?://|www\.)\S+?\.(?:png|jpe?g|gif|bmp|svg|webp)\b\S*|<img\b[^>]*>", re.IGNORECASE), "IMAGE"),
    (re.compile(r"(?:https?://|www\.)\S+", re.IGNORECASE), "URL"),
    (re.compile(r"\b[\w.+-]+@[\w-]+(?:\.[\w-]+)+"), "EMAIL"),
)
_NAMES = frozenset(name for _, name in _PLACEHOLDERS)


def tweet(text: str) -> list[str]:
    """Tokens of tweets and posts (Peinelt et al. 2019): NLTK's, with placeholders for URLs, addresses and images.

    Handles are dropped, repeated letters cut to three, everything but placeholders lower-cased, and tokens that start
    with a quotation mark dropped.
    """
    for pattern, name in _PLACEHOLDERS:
        text = pattern.sub(f" {name} ", text)
    once = _tokenizer().tokenize(text)
    again = _tokenizer().tokenize(" ".join(token if token in _NAMES else token.lower() for token in once))
    return [token for token in again if not token.startswith(("'", "`", '"'))]


@cache
def _tokenizer() -> Any:
    return import_extra("nltk.tokenize", "tweet", "The tokenizer 'tweet'").TweetTokenizer(
        strip_handles=True, reduce_len=True
    )
