"""The difficulty of a dataset of single texts, by the nearest training texts."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

import numpy as np
import polars as pl
from numpy.typing import NDArray

from assay.base.arrays import Matrix
from assay.base.marks import NAME, OWN
from assay.data.row_order import sort_ids
from assay.difficulty.distributions import DifficultyDistribution, describe_by_name, describe_values, group_rows
from assay.difficulty.systems.scoring import CASE_NAMES, SystemOnTexts
from assay.difficulty.texts.neighbours import Neighbours, nearest_texts
from assay.kinds import kind_of
from assay.statistics import wilson
from assay.views.results import Result
from assay.views.values import Interval

if TYPE_CHECKING:
    from assay.data import Dataset
    from assay.text import Corpus
    from assay.text.tokenizers import Tokenizer
    from assay.views.blocks import Block


def _no_neighbours() -> Neighbours:
    nothing = np.zeros(0)
    return Neighbours(np.nan, 0, 0, 0, nothing, nothing, nothing, nothing.astype(int), nothing.astype(int))


@dataclass(frozen=True)
class TextDifficulty(Result):
    """How many texts lie nearer to a training text of another label, and how difficulty is spread.

    `contrary_by_label` and `contrary_by_part` give the same share for each label and part; nan without labels.
    """

    contrary_share: Interval
    measure: str = field(metadata=OWN)
    median: float
    n_items: int
    n_reference: int
    n_undefined: int
    contrary_by_label: dict[str, Interval] = field(metadata=NAME)
    contrary_by_part: dict[str, Interval] = field(metadata=NAME)
    distribution: DifficultyDistribution
    distribution_by_label: dict[str, DifficultyDistribution] = field(metadata=NAME)
    distribution_by_part: dict[str, DifficultyDistribution] = field(metadata=NAME)
    notes: tuple[str, ...] = field(metadata=NAME)
    systems: tuple[SystemOnTexts, ...] = ()
    neighbours: Neighbours = field(
        default_factory=_no_neighbours, repr=False, compare=False, metadata={"json": False, **OWN}
    )
    ids: pl.Series = field(default_factory=pl.Series, repr=False, compare=False, metadata={"json": False, **NAME})

    @property
    def cases(self) -> NDArray[np.str_]:
        """Return 'o' if the nearest training text has the same label, 'n' if another, '' if unknown."""
        difficulty = self.neighbours.difficulty
        known = ~np.isnan(difficulty) & ~np.isnan(self.contrary_share.value)
        return np.where(known, np.where(difficulty > 0, "n", "o"), "")

    def reorder(self, order: NDArray[np.int64]) -> TextDifficulty:
        """Return the result with the items in another order."""
        return replace(self, neighbours=self.neighbours.reorder(order), ids=self.ids.gather(order))

    @property
    def case_names(self) -> list[str]:
        """Return "obvious" if the nearest training text has the same label, else "non-obvious", or "" if unknown."""
        return [CASE_NAMES.get(code, "") for code in self.cases.tolist()]

    def list_nearest(self) -> pl.DataFrame:
        """Return the distance to the nearest training text of any label, and its id."""
        near = self.neighbours
        is_same = near.same <= np.where(np.isnan(near.other), np.inf, near.other)
        rows = np.where(is_same, near.nearest_same, near.nearest_other)
        ids = pl.Series([self.ids[row] if row >= 0 else None for row in rows.tolist()], dtype=pl.String)
        return pl.DataFrame({"nearest_distance": np.fmin(near.same, near.other), "nearest": ids})

    def blocks(self) -> Iterator[Block]:
        """Yield how many texts are closer to another label, distributions and systems."""
        from assay.difficulty.view import show_text_difficulty

        yield from show_text_difficulty(self)

    def items(self) -> pl.DataFrame:
        """Return one row per item: rank (1 is the hardest, ties by id), distances, ids of both neighbours."""
        near, ids = self.neighbours, self.ids.to_list()
        by_id = sort_ids(self.ids)
        hardest = np.where(np.isnan(near.difficulty), np.inf, -near.difficulty)
        order = by_id[np.argsort(hardest[by_id], kind="stable")]
        ranks = np.empty(len(order), dtype=np.int64)
        ranks[order] = np.arange(1, len(order) + 1)
        columns = {"id": self.ids, "rank": ranks, "difficulty": near.difficulty, "same": near.same, "other": near.other}
        nearest = {"nearest_same": near.nearest_same, "nearest_other": near.nearest_other}
        names = {name: [ids[row] if row >= 0 else None for row in rows.tolist()] for name, rows in nearest.items()}
        return pl.DataFrame({**columns, **names}, schema_overrides=dict.fromkeys(names, pl.String))


def text_difficulty(
    data: Dataset,
    *,
    encoder: str = "tfidf",
    tokenizer: str | Tokenizer = "words",
    random_state: int = 0,
    corpus: Corpus | None = None,
    vectors: Matrix | None = None,
) -> TextDifficulty:
    """Compare each text of a dataset with its training texts (all texts if there is no training part).

    `vectors`, one row per text, are used as they are; by default the encoder is fitted on the training texts, with the
    words of `corpus` if they are ready. Distance is 1 − cosine; a training text is not its own neighbour.
    """
    is_reference, notes = _flag_reference(data)
    labels = None if data.labels is None or not data.label_names else data.labels.to_list()
    if kind_of(data).gold.has_grades:
        labels, notes = None, [*notes, "Labels are grades: texts are ranked by the distance to the nearest text alone."]
    if labels is not None and not kind_of(data).gold.has_text_labels:
        labels, notes = (
            None,
            [*notes, "Labels name answers: texts are ranked by the distance to the nearest text alone."],
        )
    if vectors is None:
        vectors = _encode(data.texts, corpus, is_reference, encoder, tokenizer, random_state)
    near = nearest_texts(vectors, labels, is_reference)
    bounds = (0.0, 1.0) if labels is None else (-1.0, 1.0)
    values, parts = near.difficulty, None if data.parts is None else data.parts.to_list()
    distribution = describe_values(values, bounds)
    return TextDifficulty(
        contrary_share=_share_contrary(values if labels is not None else values[:0]),
        measure=f"nearest-text ({encoder}, cosine)",
        median=distribution.median,
        n_items=near.n_items,
        n_reference=near.n_reference,
        n_undefined=near.n_undefined,
        contrary_by_label={} if labels is None else _share_contrary_by_name(values, labels),
        contrary_by_part={} if labels is None or parts is None else _share_contrary_by_name(values, parts),
        distribution=distribution,
        distribution_by_label={} if labels is None else describe_by_name(values, labels, bounds),
        distribution_by_part={} if parts is None else describe_by_name(values, parts, bounds),
        notes=tuple(notes),
        neighbours=near,
        ids=data.ids,
    )


def _flag_reference(data: Dataset) -> tuple[NDArray[np.bool_], list[str]]:
    """Return which rows to compare with: the training part, or all if there is none."""
    train = (
        np.zeros(len(data), dtype=bool) if data.parts is None else (data.parts == "train").fill_null(False).to_numpy()
    )
    if train.any():
        return train, [f"Compared with the {int(train.sum())} texts of the training part."]
    return np.ones(len(data), dtype=bool), ["No training part: each text is compared with all others."]


def _encode(
    texts: pl.Series,
    corpus: Corpus | None,
    is_reference: NDArray[np.bool_],
    encoder: str,
    tokenizer: str | Tokenizer,
    random_state: int,
) -> Matrix:
    from assay.text import make_encoder

    words = {"tokenizer": tokenizer} if encoder in ("tfidf", "counts") else {}
    fitted = make_encoder(encoder, random_state=random_state, **words)
    if corpus is not None and words:
        return fitted.fit(corpus.take(np.flatnonzero(is_reference))).transform(corpus)
    return fitted.fit(texts.filter(pl.Series(is_reference))).transform(texts)


def _share_contrary(values: NDArray[np.float64]) -> Interval:
    """Return the share of texts whose nearest training text has another label, with Wilson's interval."""
    defined = values[~np.isnan(values)]
    return wilson(float((defined > 0).sum()), len(defined))


def _share_contrary_by_name(values: NDArray[np.float64], names: list[str | None]) -> dict[str, Interval]:
    return {name: _share_contrary(values[rows]) for name, rows in group_rows(names)}
