"""Votes on the parts of an answer: the labels of a set, or the tags of a sentence."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np
import polars as pl

from assay.base.arrays import Array
from assay.evaluation import Predictions
from assay.suspects.judgements import MAX_PROBABILITY, MIN_SUGGESTED_LEAD, Judgement, compare_votes
from assay.suspects.results import LabelEvidence
from assay.suspects.shares.estimation import MAX_NONE_BY_VOTES, estimate_share
from assay.suspects.shares.reviewed import CAUTION
from assay.suspects.shares.votes import weigh_vote_shares
from assay.suspects.votes import AnswerVotes, count_votes, measure_agreement, tally
from assay.wording.sentences import count_noun, quote

BAR, NO_LABEL = "|", "(none)"  # how sets of labels are written
YES, NO = "yes", "no"
MIN_AGREEMENT = 0.6  # between systems on parts, beyond chance; below it, estimates are too high on WNUT-17
RARE_SHARE = 0.75  # of planted errors, in parts whose label is not the most frequent one
COMMON_SHARE = 0.5  # of these, after which the label is the most frequent one


@dataclass(frozen=True)
class Cells:
    """The parts of all gold answers and of the systems' answers: one row per part.

    `item` is the row of the item, `name` the label, or the place of a token from 1.
    """

    item: Array = field(repr=False)
    names: list[str] = field(repr=False)
    gold: list[str] = field(repr=False)
    answers: dict[str, list[str | None]] = field(repr=False)


def judge_by_cells(predictions: Predictions, form: str) -> Judgement:
    """Judge items by the systems' votes on every label of a set ("class set") or every tag ("tag sequence").

    An item is as suspicious as its worst part. How strongly a wrong part is contradicted is counted on errors planted in
    these data. Systems that agree little with each other miss the same parts, so they only order the items.
    """
    is_set = form == "class set"
    cells = cut_label_sets(predictions) if is_set else cut_tag_sequences(predictions)
    votes = count_votes(Predictions.from_arrays(cells.gold, cells.answers))
    doubt = np.nan_to_num(votes.doubt, nan=-1.0)
    n_items = len(predictions)
    worst = _find_worst(cells.item, doubt, n_items)
    rows = np.flatnonzero(worst >= 0)
    order = np.full(n_items, -1.0)
    order[rows] = doubt[worst[rows]]
    of_items, wrong = votes.take(worst[rows]), [plant_errors(votes, cells.item, worst)]
    agrees = measure_agreement(votes) >= MIN_AGREEMENT
    log_likelihood = weigh_vote_shares(of_items, wrong) if agrees and len(rows) else None
    estimate = estimate_share([] if log_likelihood is None else [log_likelihood], MAX_NONE_BY_VOTES)
    probability = np.zeros(n_items)
    ratio = np.nan_to_num(compare_votes(of_items, wrong))
    probability[rows] = np.minimum(CAUTION * estimate.share.value * ratio, MAX_PROBABILITY)
    noun = "labels of sets" if is_set else "tags of tokens"
    detail = f"votes of {count_noun(len(predictions.systems), 'system')} on {len(cells.gold):,} {noun}"
    evidence = LabelEvidence("systems", n_items, int((order > 0).sum()), detail, estimate.describe())
    suggested = _suggest(predictions, cells, votes, is_set)

    def explain(row: int) -> str:
        return _explain(cells, votes, int(worst[row]), is_set) if worst[row] >= 0 else ""

    return Judgement(evidence, probability, order, suggested, explain, estimate, log_likelihood)


def plant_errors(votes: AnswerVotes, item: Array, worst: Array) -> AnswerVotes:
    """Return the votes on the worst part of every item that has parts, after one of its parts was given a wrong label.

    Three in four errors are in a part with another label than the most frequent one, such as a tag of an entity, if the
    item has such parts; half of these get the most frequent label. `worst` is the worst part before.
    """
    rng, n_items = np.random.default_rng(0), len(worst)
    rows = np.flatnonzero(worst >= 0)
    labels, numbers, counts = np.unique(votes.gold, return_inverse=True, return_counts=True)
    if not len(rows) or len(labels) < 2:
        return votes.take(np.array([], dtype=np.int64))
    common = int(counts.argmax())
    prefers = rng.random(n_items) < RARE_SHARE
    changed = _find_worst(item, rng.random(len(item)) + ((numbers != common) & prefers[item]), n_items)[rows]
    own = numbers[changed]
    new = (own + rng.integers(1, len(labels), len(rows))) % len(labels)
    new = np.where((own != common) & (rng.random(len(rows)) < COMMON_SHARE), common, new)
    planted, before = votes.take(changed).replace_gold(labels[new]), votes.take(worst[rows])
    is_worst = np.nan_to_num(planted.doubt, nan=-1.0) >= np.nan_to_num(before.doubt, nan=-1.0)
    codes = np.where(is_worst, planted.codes, before.codes)
    return tally(codes, np.where(is_worst, planted.gold, before.gold), votes.answers, votes.weights)


def cut_label_sets(predictions: Predictions) -> Cells:
    """Return one row per item and label that gold or any system gives it: yes or no.

    >>> predictions = Predictions.from_arrays(["a|b", "(none)"], {"x": ["a", "c"]})
    >>> cells = cut_label_sets(predictions)
    >>> list(zip(cells.item.tolist(), cells.names, cells.gold, cells.answers["x"]))
    [(0, 'a', 'yes', 'yes'), (0, 'b', 'yes', 'no'), (1, 'c', 'no', 'yes')]
    """
    assert predictions.gold is not None
    gold = [_cut_set(cell) for cell in predictions.gold.tolist()]
    said = {name: [_cut_set(cell) for cell in _list_answers(predictions, name)] for name in predictions.names}
    item, names, truth = [], [], []
    answers: dict[str, list[str | None]] = {name: [] for name in said}
    for row, labels in enumerate(gold):
        others = [sets[row] or set() for sets in said.values()]
        for label in sorted((labels or set()).union(*others)):
            item.append(row)
            names.append(label)
            truth.append(YES if label in (labels or ()) else NO)
            for name, sets in said.items():
                answers[name].append(_tell(sets[row], label))
    return Cells(np.array(item, dtype=np.int64), names, truth, answers)


def cut_tag_sequences(predictions: Predictions) -> Cells:
    """Return one row per token: its gold tag and the systems' tags, none if their number differs.

    >>> cells = cut_tag_sequences(Predictions.from_arrays(["O B-x"], {"x": ["O O"], "y": ["O"]}))
    >>> cells.gold, cells.answers["x"], cells.answers["y"], cells.names
    (['O', 'B-x'], ['O', 'O'], [None, None], ['1', '2'])
    """
    assert predictions.gold is not None
    gold = [str(cell).split(" ") for cell in predictions.gold.tolist()]
    item = np.repeat(np.arange(len(gold)), [len(tags) for tags in gold])
    answers: dict[str, list[str | None]] = {}
    for name in predictions.names:
        column: list[str | None] = []
        for tags, cell in zip(gold, _list_answers(predictions, name), strict=True):
            said = cell.split(" ") if cell else []
            column += said if len(said) == len(tags) else [None] * len(tags)
        answers[name] = column
    names = [str(place + 1) for tags in gold for place in range(len(tags))]
    return Cells(item, names, [tag for tags in gold for tag in tags], answers)


def _list_answers(predictions: Predictions, name: str) -> list[str | None]:
    predicted = predictions.systems[name].predicted
    return [None] * len(predictions) if predicted is None else predicted.tolist()


def _cut_set(cell: str | None) -> set[str] | None:
    return None if cell is None else set() if cell == NO_LABEL else set(cell.split(BAR))


def _tell(labels: set[str] | None, label: str) -> str | None:
    return None if labels is None else YES if label in labels else NO


def _suggest(predictions: Predictions, cells: Cells, votes: AnswerVotes, is_set: bool) -> pl.Series:
    """Return the gold answer with those parts changed on which another one leads clearly."""
    assert predictions.gold is not None
    changed: dict[int, list[int]] = {}
    for cell in np.flatnonzero(np.nan_to_num(votes.lead) >= MIN_SUGGESTED_LEAD).tolist():
        changed.setdefault(int(cells.item[cell]), []).append(cell)
    suggested: list[str | None] = [None] * len(predictions)
    for row, places in changed.items():
        gold = str(predictions.gold[row])
        if is_set:
            labels = (_cut_set(gold) or set()) ^ {cells.names[cell] for cell in places}
            suggested[row] = BAR.join(sorted(labels)) or NO_LABEL
        else:
            tags = gold.split(" ")
            for cell in places:
                tags[int(cells.names[cell]) - 1] = votes.answers[votes.other[cell]]
            suggested[row] = " ".join(tags)
    return pl.Series(suggested, dtype=pl.String)


def _find_worst(item: Array, doubt: Array, n_items: int) -> Array:
    """Return the most suspicious part of every item, -1 if it has none."""
    worst = np.full(n_items, -1)
    order = np.lexsort((-np.arange(len(doubt)), doubt))
    worst[item[order]] = order
    return worst


def _explain(cells: Cells, votes: AnswerVotes, cell: int, is_set: bool) -> str:
    n, n_other = int(votes.n_answered[cell]), int(votes.n_other[cell])
    if not n_other:
        return ""
    who, name = f"{n_other} of {count_noun(n, 'system')}", cells.names[cell]
    if is_set:
        return f"{who} {'leave out' if cells.gold[cell] == YES else 'add'} {quote(name)}"
    answer = quote(votes.answers[votes.other[cell]])
    return f"token {name}: {who} answer {answer}; the gold tag is {quote(cells.gold[cell])}"
