"""Baselines of tagging: the most frequent tag of each word, and a linear tagger of a window of words."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from assay.base.arrays import Array
from assay.kinds.facts import BaselineAnswers
from assay.kinds.tagging.models import build_models
from assay.kinds.tools.learning import answer_with_models, plan_learning

if TYPE_CHECKING:
    from assay.data import Dataset


def answer_baselines(data: Dataset, rows: Array, random_state: int = 0) -> Iterator[BaselineAnswers]:
    """Yield the answers of every baseline to some rows."""
    plan = plan_learning(data, rows, data.fields["tags"].is_not_null().to_numpy(), random_state)
    if plan is not None:
        yield from answer_with_models(build_models(data)[::-1], plan, rows, len(data))
