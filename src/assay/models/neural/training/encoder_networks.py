"""Pretrained encoders as networks of the training loop."""

from __future__ import annotations

from typing import TYPE_CHECKING

import torch
from torch import nn

if TYPE_CHECKING:
    from transformers import PreTrainedModel


class EncoderNetwork(nn.Module):
    """Token numbers, mask and types in; logits out."""

    def __init__(self, model: PreTrainedModel) -> None:
        super().__init__()
        self.model = model

    def forward(
        self, ids: torch.Tensor, mask: torch.Tensor, types: torch.Tensor | None = None
    ) -> tuple[torch.Tensor, None]:
        """Return the logits; there is no penalty."""
        options = {} if types is None else {"token_type_ids": types}
        return self.model(input_ids=ids, attention_mask=mask, **options).logits, None


class MeanEncoder(EncoderNetwork):
    """Token numbers and mask in; the mean of the last layer over the tokens, of length 1, out."""

    def forward(
        self, ids: torch.Tensor, mask: torch.Tensor, types: torch.Tensor | None = None
    ) -> tuple[torch.Tensor, None]:
        """Return one vector per text."""
        options = {} if types is None else {"token_type_ids": types}
        states = self.model(input_ids=ids, attention_mask=mask, **options).last_hidden_state.float()
        weights = mask.unsqueeze(-1).float()
        mean = (states * weights).sum(1) / weights.sum(1).clamp(min=1)
        return nn.functional.normalize(mean, dim=1), None
