"""Choose the items that people should review: `assay review plan`."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any, Unpack

import numpy as np
import polars as pl

from assay.base.arrays import Array
from assay.base.entry_points import entry_point
from assay.base.errors import AssayError, UsageError
from assay.data import Dataset
from assay.evaluation import Predictions
from assay.evaluation.predictions.reading import find_predictions
from assay.evaluation.repeats.stacking import combine_repeats
from assay.inputs import take_data
from assay.kinds import kind_of
from assay.kinds.arguments import DataSource, ReadingArguments
from assay.reviews.design import SUSPICION_SHARE, draw_items, mix_sizes
from assay.reviews.results import DrawnItem, ReviewPlan, ReviewStratum
from assay.suspects.items import find_gold

if TYPE_CHECKING:
    from assay.evaluation.predictions.sources import PredictionSource

PLAN_COLUMNS = ("id", "draw_probability", "label", "suggested", "reasons", "verdict", "right_label", "digest")
MAX_SHARE = 0.9  # of the draws that may follow the suspicion


@dataclass(frozen=True)
class ReviewInputs:
    """The input of a review: data, answers of systems, and the suspicion of each item, in the order of the data.

    `suspects` has suggested, suspicion and reasons, null if not known.
    """

    data: Dataset
    predictions: Predictions | None
    suspects: pl.DataFrame
    notes: list[str]

    @cached_property
    def outcomes(self) -> Array:
        """The scores of all answers, systems × items."""
        assert self.predictions is not None
        return self.predictions.outcomes()

    @property
    def suspicion(self) -> Array:
        """The suspicion of every item, nan if there is none."""
        return self.suspects["suspicion"].fill_null(np.nan).to_numpy()

    @property
    def labels(self) -> pl.Series:
        """The gold label of every item."""
        gold = find_gold(self.data)
        return pl.Series([None] * len(self.data), dtype=pl.String) if gold is None else gold.cast(pl.String)

    def measure_disagreement(self) -> Array | None:
        """Return how far systems disagree on every item: 1 if half of them are right, 0 if all or none are."""
        if self.predictions is None or len(self.predictions.names) < 2:
            return None
        answered = np.isfinite(self.outcomes)
        shares = np.where(answered, self.outcomes, 0.0).sum(axis=0) / np.maximum(answered.sum(axis=0), 1)
        values = 4 * np.clip(shares * (1 - shares), 0, 1)
        places = find_places(self.data.ids, self.predictions.ids)
        return np.asarray(np.where(places >= 0, values[places], 0.0))


def find_places(ids: pl.Series, known: Any) -> Array:
    """Return the place of each id among the known ones, -1 if it is not there."""
    names = pl.Series("id", list(known), dtype=pl.String)
    if names.equals(ids.cast(pl.String).alias("id")):
        return np.arange(len(ids))
    table = names.to_frame().with_row_index("place")
    joined = ids.cast(pl.String).alias("id").to_frame().join(table, on="id", how="left", maintain_order="left")
    return joined["place"].cast(pl.Int64).fill_null(-1).to_numpy()


@entry_point(ReadingArguments)
def plan_review(
    data: DataSource,
    suspects: Any = None,
    predictions: PredictionSource | None = None,
    *,
    budget: int = 60,
    suspicion_share: float = SUSPICION_SHARE,
    random_state: int = 0,
    **reading: Unpack[ReadingArguments],
) -> ReviewPlan:
    """Draw `budget` items to review, each with a known probability: more suspicious items, and some of all others.

    `suspects` is a result of `find_suspects`, its file, or a frame with id and suspicion; only their order counts; None
    searches for suspects first, False uses none. `predictions` are answers of systems: items on which they disagree are
    drawn a little more often. `suspicion_share` is the share of draws that follow the suspicion: a higher share finds
    more bad items but widens the intervals.

    >>> data = {"id": list("abcdefgh"), "text": ["t"] * 8, "label": ["x", "y"] * 4}
    >>> plan = plan_review(data, {"id": list("abcdefgh"), "suspicion": [0.9] + [0.1] * 7}, budget=4)
    >>> plan.items.columns
    ['id', 'draw_probability', 'label', 'suggested', 'reasons', 'text', 'verdict', 'right_label', 'digest']
    >>> round(float((1 / plan.items["draw_probability"]).sum()), 6)  # the items stand for all
    8.0
    """
    check_budget(budget, suspicion_share)
    inputs = read_inputs(take_data(data, reading), suspects, predictions, random_state)
    rows = inputs.data.order
    table, strata = draw_batch(inputs, rows, inputs.suspicion, budget, suspicion_share, random_state, batch=1)
    columns = ("id", "draw_probability", "label", "suggested", "reasons")
    return ReviewPlan(
        n_items=len(inputs.data),
        n_drawn=len(table),
        n_judged=int(np.isfinite(inputs.suspicion).sum()),
        strata=strata,
        drawn=[DrawnItem(**row) for row in table.select(columns).to_dicts()],
        notes=inputs.notes,
        items=table,
    )


def check_budget(budget: int, suspicion_share: float) -> None:
    """Refuse numbers that make no sense."""
    if budget < 1:
        raise UsageError(f"is {budget}; it must be at least 1", option="budget")
    if not 0 <= suspicion_share <= MAX_SHARE:
        raise UsageError(f"is {suspicion_share}; it must lie between 0 and {MAX_SHARE}", option="suspicion_share")


def read_inputs(data: Dataset, suspects: Any, predictions: PredictionSource | None, random_state: int) -> ReviewInputs:
    """Read the answers of systems, and read or search the suspects."""
    answers = find_predictions(predictions, data)
    answers = None if answers is None else combine_repeats(answers)
    notes = [] if answers is None else list(answers.notes)
    columns = {"suggested": pl.String, "suspicion": pl.Float64, "reasons": pl.String}
    nothing = pl.DataFrame([pl.Series(name, [None] * len(data), dtype=kind) for name, kind in columns.items()])
    if suspects is False:
        return ReviewInputs(data, answers, nothing, notes)
    if suspects is None:
        from assay.suspects import find_suspects

        try:
            suspects = find_suspects(data, answers, random_state=random_state)
        except AssayError as error:
            notes.append(f"No item is suspected: {error.fact.removesuffix('.')}.")
            return ReviewInputs(data, answers, nothing, notes)
        notes += suspects.notes
    return ReviewInputs(data, answers, _align_suspects(suspects, data), notes)


def _align_suspects(suspects: Any, data: Dataset) -> pl.DataFrame:
    from assay.suspects.repairs.proposals import read_proposals

    if isinstance(suspects, dict) and "id" in suspects:  # columns, not a result
        suspects = pl.DataFrame(suspects)
    table = read_proposals(suspects)
    if table["suspicion"].is_null().all():
        raise AssayError("there is no column 'suspicion' with numbers", option="suspects")
    if not table["id"].equals(data.ids.cast(pl.String).alias("id")):
        table = table.unique("id", keep="first", maintain_order=True)
        if not table["id"].is_in(data.ids.implode()).any():
            raise AssayError("has no id of the data", option="suspects", hint="Make it from the same data.")
        table = data.ids.cast(pl.String).alias("id").to_frame().join(table, on="id", how="left", maintain_order="left")
    return table.select("suggested", pl.col("suspicion").fill_nan(None), "reasons")


def draw_batch(
    inputs: ReviewInputs,
    rows: Array,
    suspicion: Array,
    budget: int,
    suspicion_share: float,
    random_state: int,
    *,
    batch: int,
) -> tuple[pl.DataFrame, list[ReviewStratum]]:
    """Draw items among `rows`, which are in the order in which everything is computed, as a table to fill in."""
    if not len(rows):
        raise AssayError("every item is reviewed", place=inputs.data.name)
    sizes = measure_sizes(inputs, rows, suspicion, budget, suspicion_share)
    generator = np.random.default_rng(np.random.SeedSequence((random_state, batch)))
    draw = draw_items(sizes, budget, generator)
    strata = [
        ReviewStratum(batch, float(probability), round(n / float(probability)), int(n))
        for probability, n in zip(*np.unique(draw.probabilities, return_counts=True), strict=True)
    ]
    return make_table(inputs, rows[draw.rows], draw.probabilities), strata[::-1]


def measure_sizes(inputs: ReviewInputs, rows: Array, suspicion: Array, budget: int, suspicion_share: float) -> Array:
    """Return the sizes of items by which they are drawn."""
    disagreement = inputs.measure_disagreement()
    return mix_sizes(
        len(rows), budget, suspicion[rows], None if disagreement is None else disagreement[rows], suspicion_share
    )


def make_table(inputs: ReviewInputs, rows: Array, probabilities: Array) -> pl.DataFrame:
    """Return the table to fill in: id, probability, label, suggestion, reasons, texts, verdict, right label, digest."""
    items = inputs.data.take(rows)
    suspects = inputs.suspects[rows.tolist()]
    texts = name_texts(items)
    empty = pl.lit(None, pl.String)
    return pl.DataFrame(
        [
            items.ids.cast(pl.String).alias("id"),
            pl.Series("draw_probability", probabilities),
            inputs.labels.gather(rows).alias("label"),
            suspects["suggested"],
            suspects["reasons"].fill_null(""),
            *(texts[name].alias(name) for name in texts),
        ]
    ).with_columns(verdict=empty, right_label=empty, digest=digest_items(items, inputs.labels.gather(rows)))


def digest_items(items: Dataset, labels: pl.Series) -> pl.Series:
    """Return a short digest of the label and the texts of each item, by which a change after the plan is noticed.

    It begins with a letter, so that no spreadsheet takes it for a number.
    """
    columns = [labels.cast(pl.String), *name_texts(items).values()]
    return pl.Series("digest", [_digest(cells) for cells in zip(*columns, strict=True)], dtype=pl.String)


def _digest(cells: tuple[str | None, ...]) -> str:
    written = "\0".join("" if cell is None else cell for cell in cells)
    return "t" + hashlib.blake2b(written.encode("utf-8", "surrogatepass"), digest_size=6).hexdigest()


def name_texts(data: Dataset) -> dict[str, pl.Series]:
    """Return the texts of items, and the options of a question, by the name of their column."""
    texts = dict(kind_of(data).texts.name_sides(data))
    texts |= {name: values for name, values in data.fields.items() if name not in ("answer", "references", "labels")}
    taken = {*PLAN_COLUMNS, "batch", "reviewer"}
    return {f"{name}_text" if name.lower() in taken else name: _join_lists(values) for name, values in texts.items()}


def _join_lists(values: pl.Series) -> pl.Series:
    """Return text cells; the elements of a list are joined by bars."""
    if isinstance(values.dtype, pl.List):
        return values.cast(pl.List(pl.String)).list.join(" | ")
    return values.cast(pl.String, strict=False)
