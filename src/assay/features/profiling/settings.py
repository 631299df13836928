"""The settings of a profile."""

from __future__ import annotations

from dataclasses import dataclass

from assay.kinds.arguments import ReadingArguments


@dataclass(frozen=True)
class ProfileSettings:
    """Which features to measure, and how.

    `n_words` most frequent words are listed, and `n_examples` ids of each kind of odd texts. Texts whose words overlap by
    at least `threshold` are near duplicates. `perplexity_model` names the language model of the perplexity.
    """

    features: str | list[str] = "light"
    tokenizer: str = "words"
    n_words: int = 20
    n_examples: int = 5
    threshold: float = 0.8
    perplexity_model: str | None = None
    random_state: int = 0


class ProfileArguments(ReadingArguments, total=False):
    """The fields of `ProfileSettings`, and the arguments of `assay.read`."""

    features: str | list[str]
    tokenizer: str
    n_words: int
    n_examples: int
    threshold: float
    perplexity_model: str | None
    random_state: int
