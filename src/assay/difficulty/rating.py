"""The difficulty of any dataset: of pairs or of single texts."""

from __future__ import annotations

from typing import Unpack

from assay.base.entry_points import entry_point
from assay.data.row_order import invert_order
from assay.difficulty.pairs.dataset import PairDifficulty, pair_difficulty
from assay.difficulty.texts.dataset import TextDifficulty, text_difficulty
from assay.inputs import take_data
from assay.kinds import kind_of
from assay.kinds.arguments import DataSource, ReadingArguments
from assay.text.tokenizers import Tokenizer


@entry_point(ReadingArguments)
def rate_difficulty(
    data: DataSource,
    *,
    measure: str = "jensen-shannon",
    threshold: str | float = "dataset",
    positive: str | None = None,
    positive_from: float | None = None,
    encoder: str = "tfidf",
    tokenizer: str | Tokenizer = "words",
    random_state: int = 0,
    **reading: Unpack[ReadingArguments],
) -> PairDifficulty | TextDifficulty:
    """Find obvious and non-obvious items: pairs by their shared words, single texts by their nearest neighbours.

    `measure`, `threshold`, `positive` and `positive_from` are for pairs, `encoder` is for single texts.

    >>> rows = {"text_a": ["a b", "a b"], "text_b": ["a b", "c d"], "label": ["1", "0"]}
    >>> rate_difficulty(rows).counts
    {'Po': 1, 'Pn': 0, 'No': 1, 'Nn': 0}
    """
    given = take_data(data, reading)
    places, rows = invert_order(given.order), given.sort_rows()
    if not kind_of(rows).texts.is_paired(rows):
        return text_difficulty(rows, encoder=encoder, tokenizer=tokenizer, random_state=random_state).reorder(places)
    pairs = pair_difficulty(
        rows,
        measure=measure,
        threshold=threshold,
        positive=positive,
        positive_from=positive_from,
        tokenizer=tokenizer,
        random_state=random_state,
    )
    return pairs.reorder(places)
