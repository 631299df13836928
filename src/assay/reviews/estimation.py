"""Estimates for all items from a review of some: `assay review estimate`."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import combinations
from typing import TYPE_CHECKING, Any, Literal, Unpack

import numpy as np
import polars as pl

from assay.base.arrays import Array
from assay.base.entry_points import entry_point
from assay.base.errors import AssayError
from assay.data import Dataset
from assay.data.row_order import invert_order
from assay.inputs import take_data
from assay.kinds import kind_of
from assay.kinds.arguments import DataSource, ReadingArguments
from assay.kinds.tools.topics import find_topics
from assay.reviews.design import SUSPICION_SHARE, find_strata, is_in_plan_order
from assay.reviews.files import FILLED_IN, ReviewRows, describe_changed, read_reviews
from assay.reviews.planning import ReviewInputs, check_budget, draw_batch, make_table, measure_sizes, read_inputs
from assay.reviews.recalibration import recalibrate
from assay.reviews.results import ReviewAgreement, ReviewEstimate, ReviewStratum
from assay.reviews.samples import ReviewSample
from assay.reviews.system_scores import METHOD, correct_systems, score_reviewed
from assay.reviews.verdicts import ReviewedLabels, combine_verdicts
from assay.statistics import Interval, cohen_kappa, wilson
from assay.suspects.results import SuspectItem
from assay.wording.sentences import choose_verb, count_noun

if TYPE_CHECKING:
    from assay.evaluation.predictions.sources import PredictionSource

MAX_TOP = 500
MIN_SORTED = 8  # steps from one row to the next that are hardly all upwards, or all downwards, by chance
_DIGITS = 9  # of probabilities that make one stratum, significant


@dataclass(frozen=True)
class ReviewedItems:
    """The items of a plan up to the last one with a verdict: rows of the data, sample, verdicts and right labels."""

    rows: Array
    batches: Array
    sample: ReviewSample
    verdicts: ReviewedLabels
    right_labels: list[str | None]
    strata: list[ReviewStratum]
    n_skipped: int
    n_left: int
    is_shuffled: bool


@entry_point(ReadingArguments)
def estimate_review(
    data: DataSource,
    reviewed: Any,
    predictions: PredictionSource | None = None,
    suspects: Any = None,
    *,
    confidence: float = 0.95,
    anytime: bool = False,
    budget: int | Literal["same"] | None = None,
    suspicion_share: float = SUSPICION_SHARE,
    random_state: int = 0,
    **reading: Unpack[ReadingArguments],
) -> ReviewEstimate:
    """Estimate the number of bad items and the corrected scores of systems from a plan that people filled in.

    `reviewed` is the file or frame of `plan_review` with verdicts, or several of them, one per reviewer. The intervals
    follow from the probabilities with which items were drawn, even if the suspicion is wrong. With `anytime` they hold
    together for all batches, so that you can look at them after each batch. With a `budget`, `plan` has the items so
    far and a further batch; "same" means as many as in the last batch. `suspects` as in `plan_review`; False skips the
    search.

    >>> data = {"id": list("abcdefgh"), "text": ["t"] * 8, "label": ["x", "y"] * 4}
    >>> rows = {"id": list("aceg"), "draw_probability": [0.5] * 4, "verdict": ["bad", "ok", "ok", "ok"]}
    >>> estimate = estimate_review(data, rows, suspects=False)
    >>> estimate.bad.value, estimate.n_reviewed
    (2.0, 4)
    """
    dataset = take_data(data, reading)
    rows = read_reviews(reviewed, dataset)
    items = collect_items(rows)
    if budget is not None:
        budget = int((rows.batches == rows.batches.max()).sum()) if budget == "same" else budget
        check_budget(budget, suspicion_share)
        _check_complete(rows, items)
    inputs = read_inputs(dataset, suspects, predictions, random_state)
    n_batches = int(items.batches.max()) + 1
    bad = estimate_bad(items, len(dataset), confidence, anytime=anytime)
    n_found = float(items.verdicts.value.sum())
    groups = find_groups(dataset)
    order = dataset.order
    places = invert_order(order)
    fitted = recalibrate(
        inputs.suspicion[order],
        places[items.rows],
        items.verdicts.value,
        max(bad.value - n_found, 0.0),
        None if groups is None else groups.gather(order),
    )
    suspicion = fitted.suspicion[places]
    plan = None
    if budget is not None:
        plan = _continue_plan(rows, inputs, suspicion, budget, suspicion_share, random_state)
    level = spend_error(confidence, n_batches) if anytime else confidence
    answers = None
    if inputs.predictions is not None:
        strata = find_all_strata(inputs, rows, items, suspicion_share)
        answers = score_reviewed(inputs, items.rows, items.right_labels, rows.place, strata)
    return ReviewEstimate(
        bad=bad,
        n_items=len(dataset),
        n_drawn=len(rows),
        n_reviewed=len(items.rows) - items.n_skipped,
        n_bad=n_found,
        n_skipped=items.n_skipped,
        n_left=items.n_left,
        n_batches=n_batches,
        n_relabelled=sum(label is not None for label in items.right_labels),
        anytime=anytime,
        metric=_name_metric(dataset),
        systems=[] if answers is None else correct_systems(items.sample, items.verdicts, answers, level),
        suspects=_list_suspects(inputs, suspicion, items.rows),
        groups=fitted.groups,
        strata=items.strata,
        agreement=measure_agreement(rows),
        notes=[*inputs.notes, *([describe_changed(rows.changed)] if rows.changed else []), *_describe_gaps(items)],
        plan=plan,
    )


def collect_items(rows: ReviewRows) -> ReviewedItems:
    """Take the items up to the last one with a verdict, and find the strata that they were drawn from.

    A plan is in random order, so its first part is a smaller sample of the same kind. If the rows were sorted, it is
    not: all items without a verdict then count as skipped.
    """
    has_verdict = np.array([bool(ratings) for ratings in rows.ratings])
    rounded = np.array([float(f"{value:.{_DIGITS}g}") for value in rows.probabilities])
    keys, strata = np.unique(np.stack([rows.batches, -rounded]), axis=1, return_inverse=True)
    strata = strata.reshape(-1)
    n_drawn = np.bincount(strata)
    sizes = np.round(n_drawn / -keys[1])
    is_shuffled = _are_shuffled(rows, strata)
    n_used = int(np.flatnonzero(has_verdict).max()) + 1 if is_shuffled else len(rows)
    used = strata[:n_used]
    counts = np.bincount(used, minlength=len(n_drawn)).astype(float)
    batches = keys[0].astype(np.int64)
    kept = batches <= int(rows.batches[n_used - 1])
    sample = _make_sample(used, sizes[kept], counts[kept], n_drawn[kept], batches[kept])
    verdicts = combine_verdicts(rows.ratings[:n_used], used)
    found = np.bincount(used, verdicts.value, minlength=len(n_drawn))
    skipped = int((~has_verdict[:n_used]).sum())
    reviewed = np.bincount(used[has_verdict[:n_used]], minlength=len(n_drawn))
    return ReviewedItems(
        rows=rows.rows[:n_used],
        batches=rows.batches[:n_used],
        sample=sample,
        verdicts=verdicts,
        right_labels=_keep_bad_labels(rows, n_used),
        strata=[
            ReviewStratum(
                int(batches[n]) + 1,
                float(-keys[1, n]),
                int(sizes[n]),
                int(n_drawn[n]),
                int(reviewed[n]),
                float(found[n]),
            )
            for n in range(len(sizes))
        ],
        n_skipped=skipped,
        n_left=len(rows) - n_used,
        is_shuffled=is_shuffled,
    )


def _are_shuffled(rows: ReviewRows, strata: Array) -> bool:
    """Return whether the rows of every batch may be in the order of the plan, and not in that of the data."""
    for batch in range(int(rows.batches.max()) + 1):
        chosen = rows.batches == batch
        steps = np.diff(rows.rows[chosen])
        is_sorted = len(steps) >= MIN_SORTED and bool((steps > 0).all() or (steps < 0).all())
        if is_sorted or not is_in_plan_order(strata[chosen]):
            return False
    return True


def find_all_strata(
    inputs: ReviewInputs, rows: ReviewRows, items: ReviewedItems, suspicion_share: float
) -> Array | None:
    """Return the stratum of every item, from which it might have been drawn; None if that is not known.

    It is known for a first batch if suspicion and answers are the same as in the plan.
    """
    if rows.batches.any() or len(items.strata) != len(items.sample.sizes):
        return None
    order = inputs.data.order
    places = invert_order(order)
    sizes = measure_sizes(inputs, order, inputs.suspicion, len(rows), suspicion_share)
    numbers = items.sample.sizes.astype(np.int64)
    found = find_strata(sizes, numbers, places[items.rows], items.sample.strata)
    return None if found is None else found[places]


def _make_sample(strata: Array, sizes: Array, counts: Array, n_drawn: Array, batches: Array) -> ReviewSample:
    """Return the sample; a stratum of which nothing is reviewed yet is covered by the others of its batch.

    The reviewed part of a batch is a random part of it, so the probabilities of the plan are multiplied by that part.
    """
    if (counts > 0).all():
        return ReviewSample(strata, sizes, counts, batches)
    part = np.bincount(batches, counts) / np.bincount(batches, n_drawn)
    filled = counts > 0
    places = np.cumsum(filled) - 1
    expanded = counts / (n_drawn / sizes * part[batches])
    return ReviewSample(places[strata], expanded[filled], counts[filled], batches[filled])


def _keep_bad_labels(rows: ReviewRows, n_used: int) -> list[str | None]:
    """Return the right labels of bad items."""
    pairs = zip(rows.right_labels[:n_used], rows.ratings[:n_used], strict=True)
    return [label if any(ratings) else None for label, ratings in pairs]


def estimate_bad(items: ReviewedItems, n_items: int, confidence: float, *, anytime: bool = False) -> Interval:
    """Estimate the number of bad items among all.

    With `anytime`, the error is spent on all batches that there may ever be, and the intervals after each batch are
    intersected: they hold together.
    """
    if not anytime:
        return _estimate_bad(items, n_items, confidence)
    low, high = 0.0, float(n_items)
    interval = None
    for number in range(1, int(items.batches.max()) + 2):
        interval = _estimate_bad(_take_batches(items, number), n_items, spend_error(confidence, number))
        low, high = max(low, interval.low), min(high, interval.high)
    assert interval is not None
    value = min(max(interval.value, low), high)
    return Interval(value, min(low, value), max(high, value), confidence, f"{METHOD}, anytime-valid")


def spend_error(confidence: float, batch: int) -> float:
    """Return the confidence for a look after a batch; the errors of all looks add up to 1 - confidence.

    >>> round(spend_error(0.95, 1), 4), round(spend_error(0.95, 2), 4)
    (0.975, 0.9917)
    """
    return 1 - (1 - confidence) / (batch * (batch + 1))


def _take_batches(items: ReviewedItems, n_batches: int) -> ReviewedItems:
    """Keep the first batches."""
    from dataclasses import replace

    sample, verdicts = items.sample, items.verdicts
    kept, strata = items.batches < n_batches, sample.batches < n_batches
    return replace(
        items,
        batches=items.batches[kept],
        sample=ReviewSample(sample.strata[kept], sample.sizes[strata], sample.counts[strata], sample.batches[strata]),
        verdicts=ReviewedLabels(verdicts.low[kept], verdicts.value[kept], verdicts.high[kept]),
    )


def _estimate_bad(items: ReviewedItems, n_items: int, confidence: float) -> Interval:
    sample, verdicts = items.sample, items.verdicts
    if _count(sample, verdicts.value, confidence).value > n_items / 2:  # the rarer kind is counted
        flipped = ReviewedLabels(1 - verdicts.high, 1 - verdicts.value, 1 - verdicts.low)
        good = _bound(sample, flipped, n_items, confidence)
        return Interval(n_items - good.value, n_items - good.high, n_items - good.low, confidence, METHOD)
    return _bound(sample, verdicts, n_items, confidence)


def _bound(sample: ReviewSample, verdicts: ReviewedLabels, n_items: int, confidence: float) -> Interval:
    """Return the total of the verdicts; at least what was found, at most all that may be."""
    value = _count(sample, verdicts.value, confidence)
    low = value.low if verdicts.are_certain else _count(sample, verdicts.low, confidence).low
    high = value.high if verdicts.are_certain else _count(sample, verdicts.high, confidence).high
    least, most = float(verdicts.low.sum()), n_items - float((1 - verdicts.high).sum())
    center = min(max(value.value, least), most)
    return Interval(center, min(max(low, least), center), max(min(high, most), center), confidence, METHOD)


def _count(sample: ReviewSample, values: Array, confidence: float) -> Interval:
    totals = sample.estimate(values[:, None], np.ones(1), confidence)
    return Interval(float(totals.value[0]), float(totals.low[0]), float(totals.high[0]), confidence)


def measure_agreement(rows: ReviewRows) -> list[ReviewAgreement]:
    """Return the agreement of every two reviewers who reviewed the same items."""
    verdicts: dict[str, dict[int, bool]] = {}
    for number, (ratings, raters) in enumerate(zip(rows.ratings, rows.raters, strict=True)):
        for rating, rater in zip(ratings, raters, strict=True):
            verdicts.setdefault(rater, {})[number] = rating
    agreements = []
    for first, second in combinations(verdicts, 2):
        both = sorted(verdicts[first].keys() & verdicts[second].keys())
        if both:
            left, right = ([verdicts[name][number] for number in both] for name in (first, second))
            n_equal = sum(a == b for a, b in zip(left, right, strict=True))
            kappa = cohen_kappa([str(value) for value in left], [str(value) for value in right])
            agreements.append(ReviewAgreement((first, second), len(both), wilson(n_equal, len(both)), kappa))
    return agreements


def find_groups(data: Dataset) -> pl.Series | None:
    """Return the groups that may differ in bad items: those that the user names, or the subjects of the items."""
    groups = find_topics(data) if data.groups is None else data.groups
    return None if groups is None else groups.cast(pl.String).fill_null("")


def _check_complete(rows: ReviewRows, items: ReviewedItems) -> None:
    missing = len(rows) - (len(items.rows) - items.n_skipped)
    if missing:
        fact = f"{count_noun(missing, 'item')} of the plan {'has' if missing == 1 else 'have'} no verdict"
        hint = describe_changed(rows.changed) if rows.changed else "Review all of them before the plan is continued."
        raise AssayError(fact, place=rows.place, hint=hint)


def _continue_plan(
    rows: ReviewRows, inputs: ReviewInputs, suspicion: Array, budget: int, suspicion_share: float, random_state: int
) -> pl.DataFrame:
    """Return the reviewed rows and a further batch, drawn from the items that were not drawn before."""
    n_batches = int(rows.batches.max()) + 1
    order = inputs.data.order
    left = order[~np.isin(order, rows.rows)]
    new, _ = draw_batch(inputs, left, suspicion, budget, suspicion_share, random_state, batch=n_batches + 1)
    texts = make_table(inputs, rows.rows, rows.probabilities).drop(FILLED_IN).with_columns(batch=rows.batches + 1)
    several = rows.table["reviewer"].n_unique() > 1
    filled = rows.table.select("id", *FILLED_IN, *(["reviewer"] if several else []))
    old = filled.join(texts, on="id", maintain_order="left").select(*texts.columns, *filled.columns[1:])
    return pl.concat([old, new.with_columns(batch=pl.lit(n_batches + 1, pl.Int64))], how="diagonal").select(old.columns)


def _list_suspects(inputs: ReviewInputs, suspicion: Array, reviewed: Array) -> list[SuspectItem]:
    """Return the most suspicious items that nobody reviewed."""
    order = inputs.data.order
    suspicion = suspicion.copy()
    suspicion[reviewed] = np.nan
    values = np.nan_to_num(suspicion[order], nan=-1.0)
    ranked = order[np.argsort(-np.round(values, 9), kind="stable")[:MAX_TOP]]
    ranked = ranked[np.isfinite(suspicion[ranked])]
    table = pl.DataFrame(
        [
            inputs.data.ids.gather(ranked).cast(pl.String).alias("id"),
            inputs.labels.gather(ranked).alias("label"),
            inputs.suspects["suggested"].gather(ranked),
            pl.Series("suspicion", suspicion[ranked]),
            inputs.suspects["reasons"].gather(ranked).fill_null(""),
        ]
    )
    return [SuspectItem(**row) for row in table.to_dicts()]


def _describe_gaps(items: ReviewedItems) -> list[str]:
    notes = []
    if items.n_left:
        notes.append(f"{count_noun(items.n_left, 'item')} of the plan are not reviewed yet.")
    if items.n_skipped:
        where = " before reviewed ones" if items.is_shuffled else ""
        count = f"{count_noun(items.n_skipped, 'item')} without a verdict{where}"
        notes.append(
            f"{count} {choose_verb(items.n_skipped, 'counts', 'count')} as ok for the lower limit and as bad for the "
            "upper one."
        )
    if not items.is_shuffled:
        harmless, partial = (
            "which changes nothing if whole rows were sorted",
            "so the reviewed ones may be no random part",
        )
        part = partial if items.n_skipped else harmless
        notes.append(
            f"The rows are not in the order of the plan, {part}. If a column was sorted alone, its cells belong to other "
            "items: restore the order of the file that was written."
        )
    return notes


def _name_metric(data: Dataset) -> str:
    return kind_of(data).scoring.outcome or "accuracy"
