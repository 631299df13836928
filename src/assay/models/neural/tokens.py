"""Texts as an encoder's tokens."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from assay.base.arrays import Array
from assay.models.inputs import Sides
from assay.models.neural.training.batches import Ragged

if TYPE_CHECKING:
    import torch
    from transformers import BatchEncoding, PreTrainedTokenizerBase


@dataclass(frozen=True)
class TokenItems:
    """Token numbers and, for pairs if the encoder needs it, the side each token belongs to."""

    ids: Ragged
    types: Ragged | None
    padding: int

    @property
    def lengths(self) -> Array:
        """Return the number of tokens of each item."""
        return self.ids.lengths

    def batch(self, rows: Array) -> tuple[torch.Tensor, ...]:
        """Return token numbers, the mask of those that are not padding, and the types if any."""
        import torch

        ids, is_token = self.ids.pad(rows, self.padding)
        parts = [ids, is_token.astype(np.int64)]
        if self.types is not None:
            parts.append(self.types.pad(rows)[0])
        return tuple(torch.from_numpy(part) for part in parts)


def tokenize_sides(tokenizer: PreTrainedTokenizerBase, sides: Sides, limit: int) -> tuple[TokenItems, int]:
    """Tokenize texts or pairs to at most `limit` tokens; return them and how many were cut."""
    encoded = tokenizer(*sides, truncation=True, max_length=limit, padding=False)
    types = Ragged.from_rows(encoded["token_type_ids"]) if len(sides) == 2 and "token_type_ids" in encoded else None
    items = TokenItems(Ragged.from_rows(encoded["input_ids"]), types, int(tokenizer.pad_token_id or 0))
    return items, _count_cut(encoded, limit)


def _count_cut(encoded: BatchEncoding, limit: int) -> int:
    encodings = getattr(encoded, "encodings", None)
    if encodings:
        return sum(bool(encoding.overflowing) for encoding in encodings)
    return sum(len(row) >= limit for row in encoded["input_ids"])  # slow tokenizers do not report it
