"""The difficulty of a dataset of single texts: how near each lies to training texts of its own and another label."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import numpy as np
import polars as pl
from numpy.typing import NDArray

from assay.base.results import Result
from assay.difficulty.distribution import Distribution, distribution, distributions, in_order
from assay.difficulty.neighbours import Neighbours, nearest_texts
from assay.difficulty.positive import are_grades

if TYPE_CHECKING:
    from assay.data import Dataset
    from assay.text.tokenizers import Tokenizer


@dataclass(frozen=True)
class TextDifficulty(Result):
    """How many texts lie nearer to a training text of another label, and how difficulty is spread.

    `contrary_by_label` and `contrary_by_part` give the same share for each label and part; nan without labels.
    """

    contrary_share: float
    measure: str
    median: float
    n_items: int
    n_reference: int
    n_undefined: int
    contrary_by_label: dict[str, float]
    contrary_by_part: dict[str, float]
    distribution: Distribution
    distribution_by_label: dict[str, Distribution]
    distribution_by_part: dict[str, Distribution]
    notes: tuple[str, ...]
    neighbours: Neighbours = field(repr=False, compare=False)
    ids: pl.Series = field(repr=False, compare=False)

    def to_dict(self) -> dict[str, Any]:
        """Return all but the values of single items, which `items` holds."""
        told = super().to_dict()
        del told["neighbours"], told["ids"]
        return told

    @property
    def cases(self) -> NDArray[np.str_]:
        """Return 'o' where the nearest training text bears the same label, 'n' where another, '' where unknown."""
        difficulty = self.neighbours.difficulty
        known = ~np.isnan(difficulty) & ~np.isnan(self.contrary_share)
        return np.where(known, np.where(difficulty > 0, "n", "o"), "")

    def items(self) -> pl.DataFrame:
        """Return one row an item: its rank (1 is the hardest, ties in file order), distances, and who is nearest."""
        near, ids = self.neighbours, self.ids.to_list()
        order = np.argsort(np.where(np.isnan(near.difficulty), np.inf, -near.difficulty), kind="stable")
        ranks = np.empty(len(order), dtype=np.int64)
        ranks[order] = np.arange(1, len(order) + 1)
        columns = {"id": self.ids, "rank": ranks, "difficulty": near.difficulty, "same": near.same, "other": near.other}
        who = {"nearest_same": near.nearest_same, "nearest_other": near.nearest_other}
        named = {name: [ids[row] if row >= 0 else None for row in rows.tolist()] for name, rows in who.items()}
        return pl.DataFrame({**columns, **named}, schema_overrides=dict.fromkeys(named, pl.String))


def text_difficulty(
    data: Dataset, *, encoder: str = "tfidf", tokenizer: str | Tokenizer = "words", random_state: int = 0
) -> TextDifficulty:
    """Compare each text of a dataset with its training texts (all texts where there is no training part).

    Vectors are fitted on the training texts. Distance is 1 − cosine; a training text is not its own neighbour.
    """
    reference, notes = _reference(data)
    labels = None if data.labels is None or not data.label_names else data.labels.to_list()
    if are_grades(data.label_names):
        labels, notes = None, [*notes, "Labels are grades: texts are ranked by the distance to the nearest one alone."]
    near = nearest_texts(_vectors(data.texts, reference, encoder, tokenizer, random_state), labels, reference)
    bounds = (0.0, 1.0) if labels is None else (-1.0, 1.0)
    values = near.difficulty
    return TextDifficulty(
        contrary_share=near.contrary_share,
        measure=f"nearest-text ({encoder}, cosine)",
        median=(spread := distribution(values, bounds)).median,
        n_items=near.n_items,
        n_reference=near.n_reference,
        n_undefined=near.n_undefined,
        contrary_by_label={} if labels is None else _contrary(values, labels),
        contrary_by_part={} if labels is None or data.parts is None else _contrary(values, data.parts.to_list()),
        distribution=spread,
        distribution_by_label={} if labels is None else distributions(values, labels, bounds),
        distribution_by_part={} if data.parts is None else distributions(values, data.parts.to_list(), bounds),
        notes=tuple(notes),
        neighbours=near,
        ids=data.ids,
    )


def _reference(data: Dataset) -> tuple[NDArray[np.bool_], list[str]]:
    """Return which rows to compare with: the training part, or all where there is none."""
    train = (
        np.zeros(len(data), dtype=bool) if data.parts is None else (data.parts == "train").fill_null(False).to_numpy()
    )
    if train.any():
        return train, [f"Compared with the {int(train.sum())} texts of the training part."]
    return np.ones(len(data), dtype=bool), ["No training part: each text is compared with all others."]


def _vectors(
    texts: pl.Series, reference: NDArray[np.bool_], encoder: str, tokenizer: str | Tokenizer, random_state: int
) -> Any:
    from assay.text import make_encoder

    words = {"tokenizer": tokenizer} if encoder in ("tfidf", "counts") else {}
    fitted = make_encoder(encoder, random_state=random_state, **words)
    return fitted.fit(texts.filter(pl.Series(reference))).transform(texts)


def _contrary(values: NDArray[np.float64], names: list[Any]) -> dict[str, float]:
    told = np.array(["(none)" if name is None else str(name) for name in names], dtype=object)
    shares = {}
    for name in in_order(set(told.tolist())):
        here = values[(told == name) & ~np.isnan(values)]
        shares[name] = float((here > 0).mean()) if here.size else float("nan")
    return shares
