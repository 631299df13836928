"""The review of a version: the items drawn for it, the verdicts of its reviewers, and what they say about all items."""

from __future__ import annotations

import hashlib
import threading
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

from assay.base.errors import AssayError, UsageError
from assay.reviews.recording import ItemVerdict, Verdicts, fill_in, put_verdict
from assay.system.json import JsonObject
from assay.web.decisions import ItemDecision
from assay.web.errors import ConflictError, NotFoundError
from assay.web.items.table import ItemTable
from assay.web.store import Version

if TYPE_CHECKING:
    import polars as pl

    from assay.reviews import ReviewEstimate

PLAN, VERDICTS = "review.json", "verdicts.json"
VERDICT_WORDS = ("ok", "bad", "skip")
DEFAULT_SIZE, MAX_SIZE = 20, 500
MAX_NAME_LENGTH, MAX_TEXT_LENGTH = 60, 500
_LOCK = threading.RLock()


@dataclass(frozen=True)
class LabelReview:
    """The drawn items in their order, and the verdicts by item and reviewer."""

    items: list[JsonObject]
    size: int = DEFAULT_SIZE
    seed: int = 0
    labels: tuple[str, ...] = ()
    error: str | None = None
    notes: tuple[str, ...] = ()
    verdicts: Verdicts = field(default_factory=dict)

    @property
    def reviewers(self) -> list[str]:
        """Return the names of all reviewers who gave a verdict."""
        return sorted({name for rows in self.verdicts.values() for name in rows})

    @property
    def n_batches(self) -> int:
        """Return the number of batches."""
        return max((item["batch"] for item in self.items), default=0)

    def get_item(self, id_: str) -> JsonObject:
        """Return a drawn item by its id."""
        item = next((item for item in self.items if item["id"] == id_), None)
        if item is None:
            raise NotFoundError("This item is not in the review.")
        return item

    def get_verdict(self, id_: str, reviewer: str) -> ItemVerdict | None:
        """Return the verdict of a reviewer on an item."""
        return self.verdicts.get(id_, {}).get(reviewer)

    def find_next(self, reviewer: str, *, again: bool = False) -> JsonObject | None:
        """Return the first item without a verdict of anybody, or with `again` of this reviewer; None if there is none."""
        for item in self.items:
            rows = self.verdicts.get(item["id"], {})
            if reviewer not in rows and (again or not is_settled(rows)):
                return item
        return None

    def find_last(self, reviewer: str) -> str | None:
        """Return the item on which a reviewer gave the last verdict."""
        numbers = {id_: rows[reviewer].number for id_, rows in self.verdicts.items() if reviewer in rows}
        return max(numbers, key=lambda id_: numbers[id_]) if numbers else None

    def find_skipped(self) -> list[str]:
        """Return the items that somebody skipped and nobody reviewed."""
        rows = {item["id"]: self.verdicts.get(item["id"], {}) for item in self.items}
        return [id_ for id_, each in rows.items() if each and not is_settled(each)]

    @property
    def is_complete(self) -> bool:
        """Return True if every item is reviewed, so that a further batch can be drawn."""
        return all(is_settled(self.verdicts.get(item["id"], {})) for item in self.items)

    def count_settled(self, batch: int) -> tuple[int, int]:
        """Return how many items of a batch somebody reviewed or skipped, and how many items it has."""
        items = [item for item in self.items if item["batch"] == batch]
        return sum(bool(self.verdicts.get(item["id"])) for item in items), len(items)

    def count_complete(self) -> int:
        """Return the number of batches whose items are all reviewed or skipped."""
        complete = 0
        while complete < self.n_batches and len(set(self.count_settled(complete + 1))) == 1:
            complete += 1
        return complete


def is_settled(rows: Mapping[str, ItemVerdict]) -> bool:
    """Return True if somebody said that an item is ok or bad."""
    return any(row.verdict != "skip" for row in rows.values())


def is_bad(rows: Mapping[str, ItemVerdict]) -> bool:
    """Return True if more reviewers call an item bad than ok."""
    words = [row.verdict for row in rows.values()]
    return words.count("bad") > words.count("ok")


def load_review(version: Version) -> LabelReview | None:
    """Return the review of a version; None if none has begun. What is damaged is left out."""
    content = version.read(PLAN)
    if content is None:
        return None
    items = [item for item in content.get("items", []) if _is_item(item)]
    known = {item["id"] for item in items}
    rows = (version.read(VERDICTS) or {}).get("items")
    verdicts = {
        id_: {name: ItemVerdict(*cells) for name, cells in each.items() if _is_verdict(cells)}
        for id_, each in (rows.items() if isinstance(rows, dict) else ())
        if id_ in known and isinstance(each, dict)
    }
    return LabelReview(
        items=items,
        size=int(content.get("size", DEFAULT_SIZE)),
        seed=int(content.get("seed", 0)),
        labels=tuple(map(str, content.get("labels", []))),
        error=content.get("error"),
        notes=tuple(map(str, content.get("notes", []))),
        verdicts={id_: each for id_, each in verdicts.items() if each},
    )


def get_review(version: Version) -> LabelReview:
    """Return the review of a version, which must have begun."""
    review = load_review(version)
    if review is None:
        raise NotFoundError("This version has no review yet.", hint="Draw items first.")
    return review


def read_reviewer(name: str) -> str:
    """Return the name of a reviewer.

    >>> read_reviewer("  Ann  Lee ")
    'Ann Lee'
    """
    name = " ".join(name.split())[:MAX_NAME_LENGTH]
    if not name:
        raise UsageError("No reviewer is named.", hint="Write a name, so that several people can review.")
    return name


def save_verdict(version: Version, id_: str, reviewer: str, verdict: ItemVerdict | None, seen: str | None) -> None:
    """Save, change or take back a verdict, unless it was changed since the item was shown.

    `seen` identifies the verdict that was shown; None, which no page sends, replaces any.
    """
    if verdict is not None:
        check_verdict(verdict)
    with _LOCK:
        review = get_review(version)
        review.get_item(id_)
        current = review.get_verdict(id_, reviewer)
        if seen is not None and seen != identify_verdict(current):
            raise ChangedVerdictError(current)
        write_verdicts(version, put_verdict(review.verdicts, id_, reviewer, verdict))


class ChangedVerdictError(ConflictError):
    """A verdict that was changed in the meantime, in another window."""

    def __init__(self, current: ItemVerdict | None) -> None:
        """Say what the verdict is now."""
        self.current = current
        label = f" ('{current.label}')" if current is not None and current.label else ""
        state = "was taken back" if current is None else f"is now {current.verdict}{label}"
        super().__init__(f"The verdict on this item {state}; yours is not saved.", hint="Look again, then decide.")


def write_verdicts(version: Version, verdicts: Verdicts) -> None:
    """Write all verdicts."""
    rows = {
        id_: {name: [row.verdict, row.label, row.comment, row.number] for name, row in each.items()}
        for id_, each in verdicts.items()
        if each
    }
    version.write(VERDICTS, {"items": rows})


def identify_verdict(verdict: ItemVerdict | None) -> str:
    """Return a short name for the state of an item, which differs if the verdict differs; empty if there is none.

    >>> identify_verdict(None), identify_verdict(ItemVerdict("ok")) == identify_verdict(ItemVerdict("bad"))
    ('', False)
    """
    return "" if verdict is None else hashlib.sha256(repr(verdict).encode()).hexdigest()[:16]


def check_verdict(verdict: ItemVerdict) -> None:
    """Refuse words that are not a verdict, and texts that are too long."""
    if verdict.verdict not in VERDICT_WORDS:
        raise UsageError(f"No verdict '{verdict.verdict[:40]}'. Known: {', '.join(VERDICT_WORDS)}.")
    if max(len(verdict.label), len(verdict.comment)) > MAX_TEXT_LENGTH:
        raise UsageError(f"A label or comment has at most {MAX_TEXT_LENGTH} characters.")


def choose_verdict(item: JsonObject, choice: str, label: str, comment: str, *, is_new: bool) -> ItemVerdict:
    """Return the verdict that a button stands for: `label`, `new`, `ok`, `bad` or `skip`.

    A label that the item does not offer is refused unless it is new on purpose.
    """
    label, comment = label if label in item["options"] else " ".join(label.split()), " ".join(comment.split())
    if choice not in ("label", "new"):
        return ItemVerdict(choice, "", comment)
    if not label:
        raise UsageError("No label is given.", hint="Write the right label.")
    if item["options"] and label not in item["options"] and not is_new:
        raise UnknownLabelError(label)
    return ItemVerdict("ok", "", comment) if label == item["label"] else ItemVerdict("bad", label, comment)


class UnknownLabelError(UsageError):
    """A label that no item has."""

    def __init__(self, label: str) -> None:
        """Name the label."""
        super().__init__(f"'{label[:80]}' is not a label of the data.", hint="Send it again to add it as a new label.")


def tabulate_review(review: LabelReview, *, n_batches: int | None = None) -> pl.DataFrame:
    """Return one row per item and reviewer, as `assay review estimate` reads it; of the first batches only, if given."""
    import polars as pl

    items = [item for item in review.items if n_batches is None or item["batch"] <= n_batches]
    columns = ("id", "draw_probability", "label", "suggested", "reasons")
    rows = []
    for item in items:
        texts = {name: value if isinstance(value, str) else " | ".join(value) for name, value in item["texts"].items()}
        empty = {"verdict": None, "right_label": None, "batch": item["batch"], "reviewer": None, "comment": None}
        rows.append({name: item[name] for name in columns} | texts | empty)
    frame = pl.DataFrame(rows, infer_schema_length=None)
    frame = frame.with_columns(pl.col(name).cast(pl.String) for name in frame.columns if frame[name].dtype == pl.Null)
    written = {
        item["id"]: {name: write_verdict(item, row) for name, row in review.verdicts.get(item["id"], {}).items()}
        for item in items
    }
    return fill_in(frame, written)


def write_verdict(item: JsonObject, verdict: ItemVerdict) -> ItemVerdict:
    """Return a verdict as a review file has it; a label that the data does not have is what is wrong, not a right label.

    >>> write_verdict({"options": ["a", "b"]}, ItemVerdict("bad", "c")).verdict
    'new label: c'
    """
    if verdict.verdict == "skip":
        return replace(verdict, verdict="", label="")
    is_new = bool(item["options"]) and verdict.label and verdict.label not in item["options"]
    return replace(verdict, verdict=f"new label: {verdict.label}", label="") if is_new else verdict


def estimate_bad_items(review: LabelReview, table: ItemTable) -> ReviewEstimate | None:
    """Estimate from all complete batches how many items are bad, with intervals that hold after every batch."""
    from assay.reviews import estimate_review

    complete = review.count_complete()
    settled = any(is_settled(review.verdicts.get(item["id"], {})) for item in review.items if item["batch"] <= complete)
    if not settled:
        return None
    try:
        frame = tabulate_review(review, n_batches=complete)
        return estimate_review(table.bare_items, frame, suspects=False, anytime=True)
    except AssayError:  # for example if the plan is damaged, which the page says
        return None


def to_decisions(review: LabelReview) -> dict[str, ItemDecision]:
    """Return the decisions that follow from verdicts on which all reviewers agree: relabel, or drop if no label is right."""
    decisions = {}
    for id_, rows in review.verdicts.items():
        given = [row for row in rows.values() if row.verdict != "skip"]
        if not given or len({(row.verdict, row.label) for row in given}) > 1 or given[0].verdict == "ok":
            continue
        reason = next((row.comment for row in given if row.comment), "reviewed")
        decisions[id_] = ItemDecision("relabel" if given[0].label else "drop", given[0].label, reason)
    return decisions


def _is_item(item: object) -> bool:
    return isinstance(item, dict) and all(
        isinstance(item.get(name), kind)
        for name, kind in {"id": str, "batch": int, "draw_probability": float, "texts": dict, "options": list}.items()
    )


def _is_verdict(cells: object) -> bool:
    return isinstance(cells, list) and [type(cell) for cell in cells] == [str, str, str, int]
