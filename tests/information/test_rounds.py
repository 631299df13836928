import numpy as np
import pytest

from assay.base.errors import AssayError
from assay.information.task_information import plan_rounds

CODES = np.arange(100) % 2


def test_parts_are_used_as_they_are():
    parts = ["train"] * 60 + ["dev"] * 20 + ["test"] * 20
    (split,) = plan_rounds(CODES, parts)
    assert (len(split.train), len(split.dev), len(split.test)) == (60, 20, 20)


def test_without_parts_every_item_is_held_out_once():
    splits = plan_rounds(CODES)
    assert sorted(np.concatenate([split.test for split in splits]).tolist()) == list(range(100))
    for split in splits:
        rows = np.concatenate([split.train, split.dev, split.test])
        assert len(set(rows.tolist())) == 100


def test_groups_are_never_divided():
    groups = np.repeat(np.arange(25), 4)
    for split in plan_rounds(CODES, groups=groups):
        sets = [set(groups[rows]) for rows in (split.train, split.dev, split.test)]
        assert len(set.union(*sets)) == sum(map(len, sets))


def test_too_few_items_are_an_error():
    with pytest.raises(AssayError, match="too few"):
        plan_rounds(np.array([0, 1, 0]))
