"""Draw items for a review, or a further batch of them, as `assay review` does."""

from __future__ import annotations

from typing import TYPE_CHECKING

from assay.base.errors import AssayError
from assay.system.json import JsonObject
from assay.web.reviews import PLAN, LabelReview, load_review, tabulate_review
from assay.web.store import Version
from assay.web.work.sources import read_data, read_systems, write_error

if TYPE_CHECKING:
    import polars as pl

    from assay.data import Dataset

MAX_TEXT_LENGTH = 20_000
MAX_LABELS = 300
_LEFT_OUT = ("answer", "references", "labels")


def run_review(version: Version) -> None:
    """Draw a batch and add it to the review, or record the error."""
    content = version.read(PLAN) or {}
    try:
        version.write(PLAN, {**content, **draw_items(version, load_review(version) or LabelReview([])), "error": None})
    except Exception as error:  # the page shows one line, whatever went wrong
        version.write(PLAN, {**content, "error": write_error(error, version)})


def draw_items(version: Version, review: LabelReview) -> JsonObject:
    """Return the drawn items, those of earlier batches first, and the labels of the data."""
    from assay.kinds import kind_of
    from assay.reviews import estimate_review, plan_review

    data = read_data(version)
    predictions, suspects = read_systems(version, data), read_suspects(version)
    if review.items:
        frame = tabulate_review(review)
        plan = estimate_review(
            data, frame, predictions, suspects, anytime=True, budget=review.size, random_state=review.seed
        ).plan
        assert plan is not None
        drawn, notes = plan.filter(plan["batch"] > review.n_batches), list(review.notes)
    else:
        result = plan_review(data, suspects, predictions, budget=review.size, random_state=review.seed)
        drawn, notes = result.to_frame(), result.notes
    labels = list_labels(data) if kind_of(data).gold.has_labels else []
    items = describe_items(data, drawn, labels, review.n_batches + 1, review.seed)
    return {"items": [*review.items, *items], "labels": labels, "notes": notes}


def list_labels(data: Dataset) -> list[str]:
    """Return the labels to choose from."""
    return list(data.label_names)[:MAX_LABELS]


def read_suspects(version: Version) -> pl.DataFrame | None:
    """Return the suspicion that the audit found; None, so that suspects are searched, if it did not look for any."""
    import polars as pl

    try:
        items = pl.read_parquet(version.folder / "items.parquet", columns=["id", "suggested", "suspicion", "reasons"])
    except (OSError, pl.exceptions.PolarsError):
        return None
    return None if items["suspicion"].is_null().all() else items


def describe_items(
    data: Dataset, drawn: pl.DataFrame, labels: list[str], batch: int, seed: int = 0
) -> list[JsonObject]:
    """Return what the page shows of the drawn items: texts by name, lists as lists, the options, and deciding words."""
    import polars as pl

    from assay.kinds import kind_of
    from assay.reviews.words import find_deciding_words

    numbers = pl.DataFrame({"id": data.ids.cast(pl.String), "row": range(len(data))})
    rows = drawn.select("id").join(numbers, on="id", how="left", maintain_order="left")["row"].to_list()
    fields = {name: column for name, column in data.fields.items() if name not in _LEFT_OUT}
    texts = {**kind_of(data).texts.name_sides(data), **fields}
    if "tokens" in fields:
        del texts["text"]
    try:
        chosen = [suggested or label for suggested, label in zip(drawn["suggested"], drawn["label"], strict=True)]
        words = find_deciding_words(data, rows, chosen, seed)
    except AssayError:
        words = [[] for _ in rows]
    items = []
    for number, (row, cells) in enumerate(zip(rows, drawn.iter_rows(named=True), strict=True)):
        shown = {name: _write_cell(column[row]) for name, column in texts.items() if column[row] is not None}
        choices = shown.get("choices")
        options = labels[: len(choices)] if isinstance(choices, list) else labels
        items.append(
            {name: cells[name] for name in ("id", "draw_probability", "label", "suggested")}
            | {"reasons": cells["reasons"] or "", "row": row, "batch": batch, "texts": shown}
            | {"options": options, "words": words[number]}
        )
    return items


def _write_cell(value: object) -> str | list[str]:
    """Return a text, or a list of texts, that is not too long to show."""
    import polars as pl

    if isinstance(value, pl.Series | list):
        return ["" if each is None else str(each)[:MAX_TEXT_LENGTH] for each in value]
    return str(value)[:MAX_TEXT_LENGTH]
