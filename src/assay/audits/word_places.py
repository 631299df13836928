"""Which labels go with any word of a place: what length and overlap already tell, whatever the word."""

from __future__ import annotations

from assay.data import Dataset
from assay.features import label_shares_by_place


def label_shares_of_words(data: Dataset) -> dict[str, dict[str, float]]:
    """Return, for each place a word may stand in, how the labels share out over the words there."""
    if data.labels is None:
        return {}
    return {row.place: row.shares for row in label_shares_by_place(data.sides, data.labels)}
