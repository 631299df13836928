"""Whether the intervals of a forecast hold on families it has not seen, and how their one setting can be chosen."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import combinations

import numpy as np

from assay.base.arrays import Array
from assay.base.marks import NAME
from assay.views.results import Result
from benchmarks.studies.forecast.predictor_training import CONFIDENCE, FAMILY_SHARE, Predict, compute_margins

MIN_COVERAGE = 0.65  # of a family, by intervals that should contain 80% of it
FAMILY_SHARES = (0.5, 0.6, 0.7, 0.8, 0.9, 0.95)


@dataclass(frozen=True)
class Coverage(Result):
    """The share of held-out sub-datasets inside their intervals, overall and by family, and how wide these are."""

    coverage: float
    confidence: float
    n: int
    width_ratio: float
    by_family: dict[str, float] = field(metadata=NAME)


@dataclass(frozen=True)
class HalfCoverage(Result):
    """A share of families chosen on one half of the families, and the coverage of the other half."""

    family_share: float
    coverage: float
    width_ratio: float
    by_family: dict[str, float] = field(metadata=NAME)


@dataclass(frozen=True, eq=False)
class HeldOutFamily:
    """The residuals of a family, and those of families of its kind by models that saw neither of the two."""

    name: str
    is_pair: bool
    predicted: Array = field(repr=False)
    residuals: Array = field(repr=False)
    others: dict[str, Array] = field(repr=False)

    def cover(
        self, family_share: float, confidence: float = CONFIDENCE, among: Sequence[str] | None = None
    ) -> tuple[Array, Array]:
        """Return which sub-datasets are inside margins of the other families (those `among`), and (1 + high) / (1 + low)."""
        names = [name for name in self.others if among is None or name in among]
        residuals = np.concatenate([self.others[name] for name in names])
        families = np.repeat(names, [len(self.others[name]) for name in names])
        margins = compute_margins(residuals, families, confidence, family_share)
        low, high = margins.add_to(self.predicted)
        inside = (self.residuals >= margins.low) & (self.residuals <= margins.high)
        return inside, (1 + high) / (1 + low)


def hold_out_families(
    X: Array, y: Array, families: Array, predict: Predict, is_pair: Array | None = None
) -> list[HeldOutFamily]:
    """Hold out every family, and every two families of the same kind; one model per set of families held out."""
    names = np.unique(families)
    kinds = {name: False if is_pair is None else bool(is_pair[families == name][0]) for name in names.tolist()}
    others: dict[str, dict[str, Array]] = {str(name): {} for name in names}
    for first, second in combinations(names.tolist(), 2):
        if kinds[first] == kinds[second]:
            is_out = np.isin(families, (first, second))
            residuals = np.log1p(y[is_out]) - np.log1p(predict(X[~is_out], y[~is_out], X[is_out]))
            others[str(first)][str(second)] = residuals[families[is_out] == second]
            others[str(second)][str(first)] = residuals[families[is_out] == first]
    held_out = []
    for name in names.tolist():
        is_out = families == name
        predicted = predict(X[~is_out], y[~is_out], X[is_out])
        residuals = np.log1p(y[is_out]) - np.log1p(predicted)
        held_out.append(HeldOutFamily(str(name), kinds[name], predicted, residuals, others[str(name)]))
    return held_out


def measure_coverage(
    held_out: Sequence[HeldOutFamily], family_share: float = FAMILY_SHARE, confidence: float = CONFIDENCE
) -> Coverage:
    """Measure coverage on each family; its margins come from the other families of its kind.

    `width_ratio` is the median of (1 + high) / (1 + low).
    """
    return _pool(held_out, family_share, confidence)


def validate_family_share(
    held_out: Sequence[HeldOutFamily],
    *,
    shares: Sequence[float] = FAMILY_SHARES,
    n_halves: int = 20,
    random_state: int = 0,
) -> list[HalfCoverage]:
    """Choose the share of families on a random half of the families, and measure coverage on the other half.

    Chosen is the smallest of `shares` with which no family of the half is covered below 65%, or the last. Margins of
    both halves come from families of the first half alone, so that nothing of the second half is used. Halves have as
    many families of pairs.
    """
    rng = np.random.default_rng(random_state)
    halves = []
    for _ in range(n_halves):
        chosen = _draw_half(held_out, rng)
        first = [family for family in held_out if family.name in chosen]
        second = [family for family in held_out if family.name not in chosen]
        share = next((each for each in shares if _find_lowest(first, each, chosen) >= MIN_COVERAGE), shares[-1])
        pooled = _pool(second, share, CONFIDENCE, among=chosen)
        halves.append(HalfCoverage(share, pooled.coverage, pooled.width_ratio, pooled.by_family))
    return halves


def _pool(
    families: Sequence[HeldOutFamily], share: float, confidence: float, among: Sequence[str] | None = None
) -> Coverage:
    covered = {family.name: family.cover(share, confidence, among) for family in families}
    inside, ratios = (np.concatenate(parts) for parts in zip(*covered.values(), strict=True))
    by_family = {name: float(part.mean()) for name, (part, _) in covered.items()}
    return Coverage(float(inside.mean()), confidence, len(inside), float(np.median(ratios)), by_family)


def _draw_half(held_out: Sequence[HeldOutFamily], rng: np.random.Generator) -> list[str]:
    half: list[str] = []
    for is_pair in (False, True):
        names = [family.name for family in held_out if family.is_pair == is_pair]
        half += rng.permutation(names)[: (len(names) + 1) // 2].tolist()
    return half


def _find_lowest(families: Sequence[HeldOutFamily], share: float, among: Sequence[str]) -> float:
    return min(float(family.cover(share, among=among)[0].mean()) for family in families)
