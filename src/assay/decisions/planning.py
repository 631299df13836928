"""The next batch: which items to run, how many, how often, and what this would settle."""

from __future__ import annotations

import hashlib
import math
from collections.abc import Iterator
from dataclasses import dataclass, replace

import numpy as np

from assay.base.arrays import Array
from assay.decisions.needs import Design, count_repeats, find_effect, find_power
from assay.decisions.pairs import ItemPair
from assay.decisions.results import Decision, Plan, PlannedItem
from assay.decisions.sequential import MIN_PROBABILITY, Draws
from assay.decisions.settings import DecisionSettings
from assay.evaluation import Predictions
from assay.evaluation.repeats.variance import split_repeats
from assay.statistics import Interval


@dataclass(frozen=True, eq=False)
class _Drawn:
    items: tuple[PlannedItem, ...]

    @property
    def n_run(self) -> int:
        return sum(item.run for item in self.items)


def plan_batch(
    answers: Predictions,
    pair: ItemPair,
    decision: Decision,
    settings: DecisionSettings,
    past: Draws | None,
) -> Plan:
    """Propose the next batch of items that were not run yet, or more repeats if none are left.

    Groups are drawn as a whole. Items on which the other systems disagree are drawn with a greater probability. It
    depends on nothing but the answers of other systems to the item, so that weighted differences have the right mean.
    """
    left = _find_left(pair, past)
    wanted = max((decision.items_needed or settings.batch) - (decision.n_items or 0), 1)
    probabilities = score_probabilities(_collect_others(answers, decision))
    n_wanted, seed = min(wanted, settings.batch), settings.random_state
    drawn = draw_items(pair.ids, left, probabilities, n_wanted, seed, pair.groups)
    design = Design(settings.alpha, settings.sequential)
    n_left, n_items = int(left.sum()), decision.n_items or 0
    n_repeats, reason = 1, "each item once, which tells more than repeats of fewer items"
    if not n_left:
        effect, total = find_effect(decision.difference.value, decision.margin), None
        if decision.components is not None:
            total = count_repeats(decision.components, effect, n_items, design)
        n_repeats = total or decision.n_repeats
        reason = "no item is left to run"
        if total is None:
            reason += ", and repeats cannot settle the difference: more items are needed"
        elif total > decision.n_repeats:
            reason += f", so all items are repeated until each has {total} repeats"
    elif wanted > n_left:
        reason = f"{wanted:,} items more would be needed, and {n_left:,} are left"
    if decision.verdict != "undecided":
        reason = "the verdict is settled; further items only narrow the interval"
    expected, power = _expect(decision, drawn.n_run, settings, design)
    return Plan(drawn.n_run, n_repeats, len(drawn.items), n_left, power, expected, reason, drawn.items)


def score_probabilities(others: Array) -> Array:
    """Return the probability of drawing each item, from the outcomes of other systems (systems × items, nan: not run).

    It grows with the square root of the disagreement, which makes the variance per run smallest.

    >>> score_probabilities(np.array([[1.0, 1.0], [1.0, 0.0], [1.0, 0.0]])).round(2).tolist()
    [0.66, 0.97]
    """
    n = np.isfinite(others).sum(axis=0)
    share = (np.nansum(others, axis=0) + 0.5) / (n + 1)
    spread = np.sqrt(np.clip(4 * share * (1 - share), 0, 1))
    return np.where(n > 0, np.clip(spread, MIN_PROBABILITY, 1.0), 1.0)


def draw_items(
    ids: Array, left: Array, probabilities: Array, n_wanted: int, seed: int, groups: Array | None = None
) -> _Drawn:
    """Go through the items in random order and draw each with its probability, until enough are drawn.

    Groups are drawn as a whole, with the mean probability of their items; what is left of a group that was run in part
    is drawn for certain. The order and the draws follow from the ids and the seed, so that they do not depend on the
    order of rows.
    """
    units = _list_units(ids, left, probabilities, groups)
    items: list[PlannedItem] = []
    n_run = 0
    for key, share, places in sorted(units, key=lambda unit: (_hash_unit(f"order:{seed}:{unit[0]}"), unit[0])):
        if n_run >= n_wanted:
            break
        is_run = _hash_unit(f"draw:{seed}:{key}") < share
        n_run += is_run * len(places)
        items += [PlannedItem(str(ids[place]), share, is_run) for place in places]
    return _Drawn(tuple(items))


def _list_units(
    ids: Array, left: Array, probabilities: Array, groups: Array | None
) -> Iterator[tuple[str, float, list[int]]]:
    """Yield the key, the probability and the places of each item, or group, of which something is left."""
    places = np.flatnonzero(left)
    if groups is None:
        yield from ((str(ids[place]), float(probabilities[place]), [place]) for place in places.tolist())
        return
    members: dict[int, list[int]] = {}
    for place in sorted(places.tolist(), key=lambda place: str(ids[place])):
        members.setdefault(int(groups[place]), []).append(place)
    sizes = np.bincount(groups)
    for group, rest in members.items():
        share = float(probabilities[rest].mean()) if len(rest) == sizes[group] else 1.0
        yield str(ids[rest[0]]), share, rest


def _hash_unit(text: str) -> float:
    return int.from_bytes(hashlib.sha256(text.encode()).digest()[:7], "big") / 2**56


def _find_left(pair: ItemPair, past: Draws | None) -> Array:
    known = set() if past is None else set(past.run)
    return np.array(
        [not ran and str(key) not in known for key, ran in zip(pair.ids, pair.shared, strict=True)], dtype=bool
    )


def _collect_others(answers: Predictions, decision: Decision) -> Array:
    """Return the outcomes of all systems but the two, as means over repeats."""
    tables = split_repeats(answers)
    chosen = [row for row, name in enumerate(answers.names) if name not in (decision.baseline, decision.candidate)]
    counts = np.isfinite(tables[chosen]).sum(axis=1)
    return np.divide(np.nansum(tables[chosen], axis=1), counts, out=np.full(counts.shape, np.nan), where=counts > 0)


def _expect(decision: Decision, n_new: int, settings: DecisionSettings, design: Design) -> tuple[Interval, float]:
    """Return the interval expected after the batch, and the probability that it settles the verdict."""
    interval, n = decision.difference, decision.n_items or 1
    shrink = math.sqrt(n / (n + n_new))
    low, high = (interval.value + shrink * (end - interval.value) for end in (interval.low, interval.high))
    expected = replace(interval, low=low, high=high)
    if decision.components is None:
        return expected, math.nan
    noise = decision.components.sd_repeats
    variance = decision.components.sd_items**2 + (noise**2 / decision.n_repeats if math.isfinite(noise) else 0.0)
    error = math.sqrt(variance / (n + n_new))
    return expected, find_power(interval.value, error, settings.margin, design)
