"""Items and groups of items that are harder for a group of systems than their ability explains."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

import numpy as np
import polars as pl

from assay.base.arrays import Array, Values
from assay.base.errors import UsageError, unknown_name
from assay.base.marks import NAME, OWN
from assay.discrimination.columns import ARRAY
from assay.discrimination.items.outcome_tables import fill_missing, to_outcome_table
from assay.statistics import Interval, benjamini_hochberg, cronbach_alpha
from assay.views.blocks import Block
from assay.views.results import Result

METHODS = ("mantel-haenszel", "logistic")
MIN_GROUP = 8  # systems
MIN_OTHER_ITEMS = 20  # they measure the ability
MAX_ROUNDS = 4  # of testing again without the items that differ among those that measure the ability
SYSTEMS_PER_STRATUM, MAX_STRATA = 6, 10
COEFFICIENT_SD = 5.0  # of the prior that keeps coefficients finite where an item separates the systems
NEWTON_STEPS = 12
Z = 1.959963984540054


@dataclass(frozen=True)
class ItemFunctioning(Result):
    """An item that is harder or easier for the focal group: common odds ratio of right answers, focal to reference.

    `delta` is −2.35 · log of the odds ratio of reference to focal, as testing services report it.
    """

    item: str | int = field(metadata=NAME)
    odds_ratio: Interval
    delta: float
    p: float
    adjusted_p: float


@dataclass(frozen=True)
class SubjectFunctioning(Result):
    """A group of items: points by which the focal group is better or worse on it than its other items predict."""

    subject: str = field(metadata=NAME)
    n_items: int
    points: Interval
    p: float
    adjusted_p: float


@dataclass(frozen=True)
class DifferentialFunctioning(Result):
    """Items (`flagged`) and groups of items (`subjects`) on which a group of systems is unlike equally able others.

    `flagged` has the items at the false discovery rate, the most certain first; the frame has all of them. `reason`
    says why nothing could be tested.
    """

    focal: str = field(metadata=NAME)
    n_focal: int
    n_reference: int
    n_items: int
    n_tested: int
    n_strata: int
    method: str = field(metadata=OWN)
    fdr: float
    flagged: tuple[ItemFunctioning, ...]
    subjects: tuple[SubjectFunctioning, ...] = ()
    reason: str | None = field(default=None, metadata=OWN)
    odds_ratios: Array = field(default_factory=lambda: np.empty(0), repr=False, compare=False, metadata=ARRAY)
    p_values: Array = field(default_factory=lambda: np.empty(0), repr=False, compare=False, metadata=ARRAY)
    adjusted: Array = field(default_factory=lambda: np.empty(0), repr=False, compare=False, metadata=ARRAY)

    def _frame(self) -> pl.DataFrame:
        """Return one row per item."""
        columns = {"odds_ratio": self.odds_ratios, "p": self.p_values, "adjusted_p": self.adjusted}
        return pl.DataFrame(columns).fill_nan(None)

    def blocks(self) -> Iterator[Block]:
        """Yield the groups of items, the items and the verdict."""
        from assay.discrimination.items.view import show_functioning

        yield from show_functioning(self)


def measure_differential_functioning(
    outcomes: Values,
    groups: Sequence[str],
    *,
    focal: str | None = None,
    subjects: Sequence[str] | None = None,
    ids: Sequence[str] | None = None,
    method: str = "mantel-haenszel",
    fdr: float = 0.05,
) -> DifferentialFunctioning:
    """Compare a group of systems with the others on every item, at equal ability (outcomes: systems × items, 0/1).

    `groups` has the group of every system, such as its family; `focal` is the one that is compared with all others, by
    default the smallest. The ability is the score on the other items, shrunk to the mean of the group as far as it is
    noise. "mantel-haenszel" compares within strata of equal ability (with continuity correction), "logistic" is a
    likelihood-ratio test of the group next to the ability. Benjamini–Hochberg over the items. `subjects` has the group
    of every item, such as its subject or language: their scores are regressed on the ability and the group.

    >>> generator = np.random.default_rng(0)
    >>> table = (generator.random((40, 60)) < np.linspace(0.3, 0.9, 40)[:, None]).astype(float)
    >>> table[::2, 7] = 1 - table[1::2, 7].round()
    >>> measure_differential_functioning(table, ["a", "b"] * 20).n_tested
    60
    """
    if method not in METHODS:
        raise unknown_name("method", method, METHODS)
    table = to_outcome_table(outcomes)
    if not np.isin(table[np.isfinite(table)], (0.0, 1.0)).all():
        raise UsageError("Differential item functioning needs outcomes of 0 and 1.", option="outcomes")
    names = np.asarray([str(name) for name in groups])
    if len(names) != len(table):
        raise UsageError(f"have {len(names)} groups for {len(table)} systems.", option="groups")
    found, counts = np.unique(names, return_counts=True)
    chosen = str(found[counts.argmin()]) if focal is None else focal
    if chosen not in found:
        raise unknown_name("group", chosen, found.tolist())
    is_focal = names == chosen
    sizes = int(is_focal.sum()), int((~is_focal).sum())
    n_strata = max(2, min(MAX_STRATA, len(table) // SYSTEMS_PER_STRATUM))
    reason = _find_reason(sizes, table.shape[1])
    if reason is not None:
        empty = np.full(table.shape[1], np.nan)
        return DifferentialFunctioning(
            chosen, *sizes, table.shape[1], 0, n_strata, method, fdr, (), (), reason, empty, empty, empty
        )
    is_matching = np.ones(table.shape[1], dtype=bool)
    for _ in range(MAX_ROUNDS):
        ratio, error, p = _test_items(table, is_focal, is_matching, n_strata, method)
        adjusted = benjamini_hochberg(p)
        still_matching = ~(np.nan_to_num(adjusted, nan=1.0) <= fdr)
        if (still_matching == is_matching).all() or still_matching.sum() <= MIN_OTHER_ITEMS:
            break
        is_matching = still_matching
    order = np.argsort(adjusted, kind="stable")
    flagged = tuple(
        ItemFunctioning(
            int(item) if ids is None else str(ids[item]),
            _make_ratio_interval(ratio[item], error[item]),
            float(2.35 * np.log(ratio[item])) if 0 < ratio[item] < np.inf else math.nan,
            float(p[item]),
            float(adjusted[item]),
        )
        for item in order[: int((np.nan_to_num(adjusted, nan=1.0) <= fdr).sum())]
    )
    rows = () if subjects is None else _compare_subjects(table, is_focal, [str(name) for name in subjects], fdr)
    counted = int(np.isfinite(p).sum())
    return DifferentialFunctioning(
        chosen, *sizes, table.shape[1], counted, n_strata, method, fdr, flagged, rows, None, ratio, p, adjusted
    )


def _find_reason(sizes: tuple[int, int], n_items: int) -> str | None:
    if min(sizes) < MIN_GROUP:
        return f"Each of the two groups needs at least {MIN_GROUP} systems; they have {sizes[0]} and {sizes[1]}."
    if n_items <= MIN_OTHER_ITEMS:
        return f"At least {MIN_OTHER_ITEMS + 1} items are needed to measure the ability; there are {n_items}."
    return None


def _shrink(scores: Array, is_focal: Array, reliability: float) -> Array:
    """Move scores to the mean of their group as far as they are noise (Kelley 1923): groups of unequal ability differ
    in what an equal score says.
    """
    means = np.where(is_focal[:, None], scores[is_focal].mean(axis=0), scores[~is_focal].mean(axis=0))
    return np.asarray(means + reliability * (scores - means))


def _measure_reliability(table: Array, is_focal: Array) -> float:
    """Return alpha within the groups, from 0.3 to 1."""
    within = table.copy()
    for group in (is_focal, ~is_focal):
        within[group] -= within[group].mean(axis=0)
    alpha = cronbach_alpha(within, 0.95).value if np.ptp(within.sum(axis=1)) > 0 else 0.0
    return float(np.clip(np.nan_to_num(alpha), 0.3, 1.0))


def _estimate_abilities(table: Array, is_focal: Array, is_matching: Array) -> Array:
    """Return, for every system and item, the mean score on the other items that measure the ability, shrunk."""
    filled = fill_missing(table)
    matching = filled[:, is_matching]
    rest = (matching.sum(axis=1)[:, None] - filled * is_matching) / (is_matching.sum() - is_matching)
    return _shrink(rest, is_focal, _measure_reliability(matching, is_focal))


def _test_items(
    table: Array, is_focal: Array, is_matching: Array, n_strata: int, method: str
) -> tuple[Array, Array, Array]:
    """Return the common odds ratio, the error of its logarithm, and p of every item."""
    abilities = _estimate_abilities(table, is_focal, is_matching)
    ratio, error, p = _compare_strata(table, is_focal, _assign_strata(abilities, n_strata))
    return ratio, error, p if method == "mantel-haenszel" else _test_by_regression(table, is_focal, abilities)


def _assign_strata(abilities: Array, n_strata: int) -> Array:
    """Cut the systems into strata of about the same size, item by item."""
    ranks = np.argsort(np.argsort(abilities, axis=0, kind="stable"), axis=0, kind="stable")
    return np.asarray(ranks * n_strata // len(abilities))


def _compare_strata(table: Array, is_focal: Array, strata: Array) -> tuple[Array, Array, Array]:
    """Return the common odds ratio (focal to reference), the error of its logarithm, and Mantel and Haenszel's p.

    The error is the one of Robins, Breslow and Greenland (1986).
    """
    from scipy.special import chdtrc

    shape = table.shape[1]
    ahead, behind, gap, variance, rr, cross, ss = (np.zeros(shape) for _ in range(7))
    for stratum in range(int(strata.max()) + 1):
        here = (strata == stratum) & np.isfinite(table)
        right, wrong = here & (table == 1), here & (table == 0)
        a, b = (x[is_focal].sum(axis=0).astype(float) for x in (right, wrong))
        c, d = (x[~is_focal].sum(axis=0).astype(float) for x in (right, wrong))
        n = a + b + c + d
        with np.errstate(divide="ignore", invalid="ignore"):
            r, s = np.nan_to_num(a * d / n), np.nan_to_num(b * c / n)
            p, q = np.nan_to_num((a + d) / n), np.nan_to_num((b + c) / n)
            expected = np.nan_to_num((a + b) * (a + c) / n)
            spread = (a + b) * (c + d) * (a + c) * (b + d) / (n**2 * (n - 1))
        ahead, behind = ahead + r, behind + s
        gap += np.where(n > 1, a - expected, 0.0)
        variance += np.where(n > 1, np.nan_to_num(spread, posinf=0.0), 0.0)
        rr, cross, ss = rr + p * r, cross + p * s + q * r, ss + q * s
    with np.errstate(divide="ignore", invalid="ignore"):
        chi = np.maximum(np.abs(gap) - 0.5, 0.0) ** 2 / variance
        error = np.sqrt(rr / (2 * ahead**2) + cross / (2 * ahead * behind) + ss / (2 * behind**2))
        return ahead / behind, error, np.where(variance > 0, chdtrc(1, np.nan_to_num(chi)), np.nan)


def _make_ratio_interval(ratio: float, error: float) -> Interval:
    if not (0 < ratio < math.inf and math.isfinite(error)):
        return Interval(float(ratio), math.nan, math.nan, 0.95)
    return Interval(float(ratio), float(ratio * math.exp(-Z * error)), float(ratio * math.exp(Z * error)), 0.95)


def _test_by_regression(table: Array, is_focal: Array, abilities: Array) -> Array:
    """Return p of the likelihood-ratio test of the group in a logistic regression on the ability, item by item."""
    from scipy.special import chdtrc

    spread = abilities.std(axis=0)
    scaled = (abilities - abilities.mean(axis=0)) / np.where(spread > 0, spread, 1.0)
    columns = [np.ones_like(scaled), scaled, np.broadcast_to((is_focal - is_focal.mean())[:, None], scaled.shape)]
    full = _fit_likelihood(table, np.stack(columns, axis=-1))
    null = _fit_likelihood(table, np.stack(columns[:2], axis=-1))
    present = np.isfinite(table)
    varies = np.nanmax(np.where(present, table, 0), axis=0) > np.nanmin(np.where(present, table, 1), axis=0)
    return np.where(varies, chdtrc(1, np.maximum(2 * (full - null), 0.0)), np.nan)


def _fit_likelihood(table: Array, design: Array) -> Array:
    """Return the largest penalised log-likelihood of every item; the design is systems × items × columns."""
    present = np.isfinite(table).astype(float)
    right = np.nan_to_num(table)
    beta = np.zeros((table.shape[1], design.shape[2]))
    ridge = np.eye(design.shape[2]) / COEFFICIENT_SD**2
    for _ in range(NEWTON_STEPS):
        chance = 1 / (1 + np.exp(-np.clip(np.einsum("sip,ip->si", design, beta), -30, 30)))
        gradient = np.einsum("si,sip->ip", present * (right - chance), design) - beta / COEFFICIENT_SD**2
        hessian = np.einsum("si,sip,siq->ipq", present * chance * (1 - chance), design, design) + ridge
        beta = beta + np.clip(np.linalg.solve(hessian, gradient[..., None])[..., 0], -2, 2)
    logits = np.clip(np.einsum("sip,ip->si", design, beta), -30, 30)
    likelihood = (present * (right * logits - np.logaddexp(0.0, logits))).sum(axis=0)
    return np.asarray(likelihood - (beta**2).sum(axis=1) / (2 * COEFFICIENT_SD**2))


def _compare_subjects(table: Array, is_focal: Array, subjects: list[str], fdr: float) -> tuple[SubjectFunctioning, ...]:
    """Regress the score on every group of items on the ability by the other items, its square, and the group.

    Errors are robust to unequal variances (HC3), with Student's t. Groups of items that differ, the most certain first,
    no longer measure the ability of the others: one that is hard would make all others look easy.
    """
    if len(subjects) != table.shape[1]:
        raise UsageError(f"have {len(subjects)} names for {table.shape[1]} items.", option="subjects")
    filled, names = fill_missing(table), np.asarray(subjects)
    left_out: set[str] = set()
    while True:
        rows = []
        for name in sorted(set(subjects)):
            inside = names == name
            others = filled[:, ~(inside | np.isin(names, list(left_out)))]
            if others.shape[1] < MIN_OTHER_ITEMS:
                continue
            ability = _shrink(others.mean(axis=1)[:, None], is_focal, _measure_reliability(others, is_focal))[:, 0]
            rows.append(
                (name, int(inside.sum()), *_regress_on_group(filled[:, inside].mean(axis=1), ability, is_focal))
            )
        adjusted = benjamini_hochberg([row[-1] for row in rows]) if rows else np.empty(0)
        named = [(value, row[0]) for value, row in zip(adjusted, rows, strict=True) if value <= fdr]
        new = sorted(entry for entry in named if entry[1] not in left_out)
        if not new or len(left_out) + 1 > len(rows) / 2:
            return tuple(SubjectFunctioning(*row, float(value)) for row, value in zip(rows, adjusted, strict=True))
        left_out.add(new[0][1])


def _regress_on_group(score: Array, ability: Array, is_focal: Array) -> tuple[Interval, float]:
    from scipy.special import stdtr, stdtrit

    scaled = (ability - ability.mean()) / max(float(ability.std()), np.finfo(float).tiny)
    design = np.column_stack([np.ones_like(scaled), scaled, scaled**2, is_focal.astype(float)])
    inverse = np.linalg.pinv(design.T @ design)
    beta = inverse @ design.T @ score
    leverage = np.einsum("sp,pq,sq->s", design, inverse, design)
    residual = (score - design @ beta) / np.maximum(1 - leverage, 1e-6)
    error = 100 * math.sqrt(float((inverse @ (design.T * residual**2) @ design @ inverse)[3, 3]))
    freedom, points = len(score) - design.shape[1], 100 * float(beta[3])
    if error == 0:
        return Interval(points, math.nan, math.nan, 0.95), math.nan
    width = float(stdtrit(freedom, 0.975)) * error
    return Interval(points, points - width, points + width, 0.95), float(2 * stdtr(freedom, -abs(points) / error))
