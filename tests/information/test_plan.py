import numpy as np
import pytest

from assay.base.errors import AssayError
from assay.information.plan import rounds

CODES = np.arange(100) % 2


def test_parts_that_are_given_are_used_as_they_are():
    parts = ["train"] * 60 + ["dev"] * 20 + ["test"] * 20
    (plan,) = rounds(CODES, parts)
    assert (len(plan.train), len(plan.dev), len(plan.test)) == (60, 20, 20)


def test_without_parts_every_item_is_held_out_once():
    plans = rounds(CODES)
    assert sorted(np.concatenate([plan.test for plan in plans]).tolist()) == list(range(100))
    for plan in plans:
        rows = np.concatenate([plan.train, plan.dev, plan.test])
        assert len(set(rows.tolist())) == 100


def test_groups_are_never_cut():
    groups = np.repeat(np.arange(25), 4)
    for plan in rounds(CODES, groups=groups):
        sets = [set(groups[rows]) for rows in (plan.train, plan.dev, plan.test)]
        assert len(set.union(*sets)) == sum(map(len, sets))


def test_too_few_items_are_an_error():
    with pytest.raises(AssayError, match="too few"):
        rounds(np.array([0, 1, 0]))
