"""Intervals of the forecast on families it has not seen."""

from __future__ import annotations

import numpy as np
import pytest
from benchmarks.studies.forecast.interval_coverage import (
    FAMILY_SHARES,
    HeldOutFamily,
    hold_out_families,
    measure_coverage,
    validate_family_share,
)
from tests.benchmarks.forecast.worlds import draw_world, predict_by_slope


@pytest.mark.parametrize(("family_share", "mean"), [(0.5, 0.75), (0.8, 0.85)])
def test_intervals_cover_their_share_inside_so_many_new_families(family_share, mean):
    worlds = [hold_out_families(*draw_world(seed=seed), predict_by_slope) for seed in range(4)]
    found = [measure_coverage(world, family_share) for world in worlds]
    shares = np.array([share for each in found for share in each.by_family.values()])
    assert np.mean(shares >= 0.8) == pytest.approx(family_share, abs=0.2)
    assert shares.mean() > mean


def test_a_family_s_own_rows_do_not_calibrate_its_interval():
    X, y, families = draw_world()
    off = np.where(families == 0, 20 * (1 + y), y)
    assert measure_coverage(hold_out_families(X, off, families, predict_by_slope)).by_family["0"] == 0


def test_models_see_neither_of_two_families_and_only_the_same_kind_calibrates():
    X, y, families = draw_world(5, 10)
    sizes = []

    def predict(train, labels, rows):
        sizes.append((len(train), len(rows)))
        return predict_by_slope(train, labels, rows)

    held_out = hold_out_families(X, y, families, predict, is_pair=families >= 3)
    assert sorted(sizes) == [(30, 20)] * 4 + [(40, 10)] * 5
    assert {family.name: sorted(family.others) for family in held_out} == {
        "0": ["1", "2"], "1": ["0", "2"], "2": ["0", "1"], "3": ["4"], "4": ["3"],
    }  # fmt: skip


def test_coverage_counted_by_hand():
    others = {"b": np.linspace(-1, 1, 101), "c": np.linspace(-1, 1, 101)}  # equal medians: 80% of them are in ±0.8
    family = HeldOutFamily("a", False, np.ones(4), np.array([-0.9, -0.5, 0.5, 0.79]), others)
    found = measure_coverage([family])
    assert found.by_family == {"a": 0.75}
    assert found.width_ratio == pytest.approx(2 * np.exp(0.8))


def test_the_share_is_chosen_on_one_half_and_measured_on_the_other():
    held_out = hold_out_families(*draw_world(20, 40), predict_by_slope)
    halves = validate_family_share(held_out, n_halves=6)
    assert len(halves) == 6
    for half in halves:
        assert half.family_share in FAMILY_SHARES
        assert len(half.by_family) == 10
    far = [HeldOutFamily(f.name, f.is_pair, f.predicted, f.residuals + 50, f.others) for f in held_out]
    assert {half.family_share for half in validate_family_share(far, n_halves=2)} == {FAMILY_SHARES[-1]}
