"""Mantel–Haenszel by hand and as statsmodels has it, planted items, and cases that cannot be tested."""

from __future__ import annotations

import json

import numpy as np
import pytest
from benchmarks.item_functioning import simulate

from assay import AssayError
from assay.discrimination import estimate_guessing, measure_differential_functioning
from assay.discrimination.items.differential_functioning import _assign_strata, _compare_strata, _estimate_abilities


def test_two_strata_counted_by_hand():
    # Stratum 1: focal 1 of 4 right, other 3 of 4; stratum 2: focal 2 of 4, other 3 of 4.
    column = [1, 0, 0, 0, 1, 1, 1, 0, 1, 1, 0, 0, 1, 1, 1, 0]
    is_focal = np.array(([True] * 4 + [False] * 4) * 2)
    strata = np.repeat([0, 1], 8)
    ratio, error, p = _compare_strata(np.array(column, float)[:, None], is_focal, strata[:, None])
    # Σ ad/n = 1·1/8 + 2·1/8, Σ bc/n = 3·3/8 + 2·3/8.
    assert ratio[0] == pytest.approx((3 / 8) / (15 / 8))
    # Expected 2 + 2.5, seen 1 + 2; variances 4·4·4·4 / (64·7) and 4·4·5·3 / (64·7).
    chi = (1.5 - 0.5) ** 2 / (256 / 448 + 240 / 448)
    from scipy.stats import chi2

    assert p[0] == pytest.approx(chi2.sf(chi, 1))
    # Robins, Breslow and Greenland: Σ PR, Σ (PS + QR), Σ QS with P = (a + d)/n.
    r, s, p1, p2 = (1 / 8, 2 / 8), (9 / 8, 6 / 8), (2 / 8, 3 / 8), (6 / 8, 5 / 8)
    pr, qs = (sum(x * y for x, y in zip(*pair, strict=True)) for pair in ((p1, r), (p2, s)))
    cross = sum(a * b + c * d for a, b, c, d in zip(p1, s, p2, r, strict=True))
    variance = pr / (2 * (3 / 8) ** 2) + cross / (2 * (3 / 8) * (15 / 8)) + qs / (2 * (15 / 8) ** 2)
    assert error[0] == pytest.approx(variance**0.5)


def test_every_item_is_as_statsmodels_has_it():
    stratified = pytest.importorskip("statsmodels.stats.contingency_tables").StratifiedTable
    data = simulate(60, 0.5, 0.8, np.random.default_rng(11))
    strata = _assign_strata(_estimate_abilities(data.table, data.is_focal, np.ones(200, dtype=bool)), 4)
    ratio, error, p = _compare_strata(data.table, data.is_focal, strata)
    n_compared = 0
    for item in range(40):
        cells = [
            [
                [np.sum((strata[:, item] == stratum) & group & (data.table[:, item] == value)) for value in (1, 0)]
                for group in (data.is_focal, ~data.is_focal)
            ]
            for stratum in range(4)
        ]
        if not (0 < ratio[item] < np.inf):
            continue
        peer = stratified([np.array(table, float) for table in cells])
        assert ratio[item] == pytest.approx(peer.oddsratio_pooled)
        assert error[item] == pytest.approx(peer.logodds_pooled_se)
        if p[item] < 1:  # below half a system, statsmodels squares a negative corrected difference
            assert p[item] == pytest.approx(peer.test_null_odds(correction=True).pvalue)
            n_compared += 1
    assert n_compared > 20


@pytest.mark.parametrize("method", ["mantel-haenszel", "logistic"])
def test_planted_items_and_the_subject_are_found_and_clean_data_is_silent(method):
    generator = np.random.default_rng(3)
    clean = simulate(240, 0.5, 0.4, generator)
    groups = np.where(clean.is_focal, "focal", "other").tolist()
    result = measure_differential_functioning(
        clean.table, groups, focal="focal", subjects=clean.subjects, method=method
    )
    assert not result.flagged
    assert not [row for row in result.subjects if row.adjusted_p <= 0.05]
    data = simulate(240, 0.5, 0.4, generator, n_planted=20)
    result = measure_differential_functioning(data.table, groups, focal="focal", subjects=data.subjects, method=method)
    named = [int(row.item) for row in result.flagged]
    assert data.planted[named].sum() >= 4
    assert data.planted[named].mean() >= 0.8
    named_subjects = [row for row in result.subjects if row.adjusted_p <= 0.05]
    assert min(named_subjects, key=lambda row: row.p).subject == "s00"
    assert len(named_subjects) <= 2
    assert all(row.odds_ratio.low <= row.odds_ratio.value <= row.odds_ratio.high < 1 for row in result.flagged[:3])
    assert json.loads(json.dumps(result.to_dict()))["n_tested"] == result.n_tested
    assert any("items differ between 120 systems of focal" in str(block) for block in result.blocks())


def test_two_few_systems_are_a_reason_and_no_test():
    result = measure_differential_functioning(np.eye(12, 40), ["a"] * 5 + ["b"] * 7)
    assert (result.n_tested, result.flagged) == (0, ())
    assert "at least 8 systems" in str(result.reason)
    assert any("Not tested" in str(block) for block in result.blocks())


def test_wrong_arguments():
    table = np.ones((4, 30))
    with pytest.raises(AssayError, match="outcomes of 0 and 1"):
        measure_differential_functioning(table / 2, ["a", "b"] * 2)
    with pytest.raises(AssayError, match="3 groups for 4 systems"):
        measure_differential_functioning(table, ["a", "b", "a"])
    with pytest.raises(AssayError, match="group"):
        measure_differential_functioning(table, ["a", "b"] * 2, focal="c")
    with pytest.raises(AssayError, match="outcomes of 0 and 1"):
        estimate_guessing(table / 2, np.full(30, 0.25))
    with pytest.raises(AssayError, match="3 values for 30 items"):
        estimate_guessing(table, [0.25] * 3)


@pytest.mark.parametrize(("truth", "seed"), [(0.25, 5), (0.0, 6)])
def test_the_interval_of_guessing_has_the_truth(truth, seed):
    generator = np.random.default_rng(seed)
    ability = generator.normal(0, 1.2, (40, 1))
    known = 1 / (1 + np.exp(-(ability - generator.normal(0.3, 1.3, 200))))
    table = (generator.random(known.shape) < truth + (1 - truth) * known).astype(float)
    result = estimate_guessing(table, np.full(200, 0.25))
    (row,) = result.rows
    assert row.value.low <= truth <= row.value.high
    assert row.value.high - row.value.low < 0.25
    assert any("kind" in str(block) for block in result.blocks())


def test_guessing_is_not_told_by_few_systems():
    (row,) = estimate_guessing(np.tri(6, 40), np.full(40, 0.25)).rows
    assert row.reason == "6 systems; at least 12 are needed."
