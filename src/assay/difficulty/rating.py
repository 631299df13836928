"""The difficulty of any dataset: of pairs or of single texts."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from assay.data import Dataset
from assay.difficulty.pairs import PairDifficulty, pair_difficulty
from assay.difficulty.texts import TextDifficulty, text_difficulty
from assay.kinds import kind_of, read

if TYPE_CHECKING:
    from assay.text.tokenizers import Tokenizer


def rate_difficulty(
    data: Any,
    *,
    measure: str = "jensen-shannon",
    threshold: str | float = "dataset",
    positive: str | None = None,
    positive_from: float | None = None,
    encoder: str = "tfidf",
    tokenizer: str | Tokenizer = "words",
    random_state: int = 0,
) -> PairDifficulty | TextDifficulty:
    """Find the obvious and the non-obvious items of a dataset: of pairs by their shared words, of texts by neighbours.

    `measure`, `threshold`, `positive` and `positive_from` are for pairs, `encoder` is for single texts.

    >>> rows = {"text_a": ["a b", "a b"], "text_b": ["a b", "c d"], "label": ["1", "0"]}
    >>> rate_difficulty(rows).counts
    {'Po': 1, 'Pn': 0, 'No': 1, 'Nn': 0}
    """
    data = data if isinstance(data, Dataset) else read(data)
    if not kind_of(data).is_paired(data):
        return text_difficulty(data, encoder=encoder, tokenizer=tokenizer, random_state=random_state)
    return pair_difficulty(
        data,
        measure=measure,
        threshold=threshold,
        positive=positive,
        positive_from=positive_from,
        tokenizer=tokenizer,
        random_state=random_state,
    )
