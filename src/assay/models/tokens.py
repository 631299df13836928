"""Texts as an encoder's tokens."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from assay.models.batches import Ragged
from assay.models.inputs import Sides

if TYPE_CHECKING:
    import torch


@dataclass(frozen=True)
class TokenItems:
    """Token numbers, and for pairs the side each token belongs to where the encoder asks for it."""

    ids: Ragged
    types: Ragged | None
    padding: int

    @property
    def lengths(self) -> np.ndarray:
        """Return the tokens of each item."""
        return self.ids.lengths

    def batch(self, rows: np.ndarray) -> tuple[torch.Tensor, ...]:
        """Return token numbers, the mask of those that are not padding, and the types if any."""
        import torch

        ids, held = self.ids.padded(rows, self.padding)
        parts = [ids, held.astype(np.int64)]
        if self.types is not None:
            parts.append(self.types.padded(rows)[0])
        return tuple(torch.from_numpy(part) for part in parts)


def tokenized(tokenizer: Any, sides: Sides, limit: int) -> tuple[TokenItems, int]:
    """Tokenize texts or pairs to at most `limit` tokens; return them and how many were cut."""
    made = tokenizer(*sides, truncation=True, max_length=limit, padding=False)
    ids = made["input_ids"]
    n_cut = _n_cut(made, limit)
    types = Ragged.of(made["token_type_ids"]) if len(sides) == 2 and "token_type_ids" in made else None
    return TokenItems(Ragged.of(ids), types, int(tokenizer.pad_token_id or 0)), n_cut


def _n_cut(made: Any, limit: int) -> int:
    encodings = getattr(made, "encodings", None)
    if encodings:
        return sum(bool(encoding.overflowing) for encoding in encodings)
    return sum(len(row) >= limit for row in made["input_ids"])  # slow tokenizers do not tell
