"""Systems next to the gold labels."""

from __future__ import annotations

import assay
from assay.discrimination.items.gold import find_below_baseline
from assay.evaluation import read_predictions


def test_a_few_items_show_no_system_below_a_constant_answer():
    """Of six items the most frequent label is known no better than the accuracy of a system."""

    def find(times):
        data = assay.read(
            {"text": [f"text {n}" for n in range(6 * times)], "label": ["a", "a", "a", "a", "b", "c"] * times}
        )
        return find_below_baseline(read_predictions({"wrong": ["b", "b", "b", "b", "a", "a"] * times}, data))

    assert find(1) == ()
    (row,) = find(20)
    assert (row.system, row.n) == ("wrong", 120)
