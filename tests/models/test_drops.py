"""Intervals of what a split costs."""

from __future__ import annotations

from dataclasses import replace

import pytest
from tests.example_audit import MODEL

STRESS = replace(MODEL.stress[0], n_items=40, degrees=39)


def test_items_that_all_change_alike_are_not_certainty():
    drop = replace(STRESS, drop=0.0, standard_error=0.0).bound_drop()
    assert (drop.low, drop.high) == pytest.approx((-0.0876, 0.0876), abs=1e-4)  # Wilson's interval of 0 of 40
    assert replace(STRESS, n_items=4000, drop=0.0, standard_error=0.0).bound_drop().high < 0.001


def test_a_drop_of_a_share_is_at_most_one():
    assert replace(STRESS, drop=0.99, standard_error=0.02).bound_drop().high == 1.0
    assert replace(STRESS, drop=-0.99, standard_error=0.02).bound_drop().low == -1.0
    assert replace(STRESS, metric="r2", drop=0.99, standard_error=0.02).bound_drop().high > 1.0
