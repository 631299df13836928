"""The bootstrap split."""

import numpy as np

from assay.splits import BootstrapSplit

TEXTS = [f"text {number}" for number in range(1000)]


def test_the_training_set_is_drawn_from_the_rest_and_as_large():
    draw = BootstrapSplit(test_size=0.1).partition(TEXTS)
    (fold,) = draw.iterate_splits()
    assert len(fold.test) == 100
    assert len(fold.train) == 900
    assert set(fold.train).isdisjoint(fold.test)
    assert draw.weights[draw.parts == "train"].sum() == 900


def test_rows_that_are_never_drawn_are_unused_with_weight_0():
    draw = BootstrapSplit(dev_size=0.1).partition(TEXTS)
    assert ((draw.weights == 0) == (draw.parts == "unused")).all()
    assert (draw.weights[np.isin(draw.parts, ["dev", "test"])] == 1).all()
    assert abs(draw.sizes["unused"] / 800 - np.exp(-1)) < 0.06
