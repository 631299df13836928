"""The tokens of Peinelt et al. (2019)."""

from __future__ import annotations

import re
from functools import cache
from typing import Any

from assay.base.errors import import_extra

# Each pattern is linear: from one start it reads no further than the next start.
_IMAGE_TAG = re.compile(r"<img\b[^<>]*>", re.IGNORECASE)
_LINK = re.compile(r"(?:https?://|www\.)(\S+)", re.IGNORECASE)
_IMAGE_FILE = re.compile(r"\.(?:png|jpe?g|gif|bmp|svg|webp)\b", re.IGNORECASE)
_EMAIL = re.compile(r"(?<![\w.+-])([.+-]*)\b[\w.+-]+@[\w-]+(?:\.[\w-]+)+")
_NAMES = frozenset({"IMAGE", "URL", "EMAIL"})
MAX_RUN = 1_000  # characters between white space: longer runs are not words, and NLTK's patterns are not linear
_LONG_RUN = re.compile(rf"\S{{{MAX_RUN}}}")


def tweet(text: str) -> list[str]:
    """Tokens of tweets and posts (Peinelt et al. 2019): NLTK's, with placeholders for URLs, addresses and images.

    Handles are dropped, repeated letters cut to three, everything but placeholders lower-cased, and tokens that start
    with a quotation mark dropped. Runs of more than 1,000 characters without a space are cut.
    """
    text = _LINK.sub(_name_link, _IMAGE_TAG.sub(" IMAGE ", text))
    text = _LONG_RUN.sub(r"\g<0> ", _EMAIL.sub(r"\1 EMAIL ", text))
    once = _tokenizer().tokenize(text)
    again = _tokenizer().tokenize(" ".join(token if token in _NAMES else token.lower() for token in once))
    return [token for token in again if not token.startswith(("'", "`", '"'))]


def _name_link(link: re.Match[str]) -> str:
    return " IMAGE " if _IMAGE_FILE.search(link[1], 1) else " URL "


@cache
def _tokenizer() -> Any:
    return import_extra("nltk.tokenize", "tweet", "The tokenizer 'tweet'").TweetTokenizer(
        strip_handles=True, reduce_len=True
    )
