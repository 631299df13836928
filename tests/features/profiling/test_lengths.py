import math

import numpy as np
import pytest

from assay.features import LabelledTexts
from assay.features.profiling.lengths import summarise_lengths, summarise_lengths_by_label


def test_summaries_equal_numpy():
    lengths = np.array([3, 1, 4, 1, 5, 9, 2, 6])
    summary = summarise_lengths(lengths)
    assert summary.mean == lengths.mean()
    assert summary.std == pytest.approx(lengths.std(ddof=1))
    assert (summary.min, summary.median, summary.max, summary.n) == (1, 3.5, 9, 8)


def test_one_text_has_no_spread_and_no_text_no_mean():
    assert math.isnan(summarise_lengths(np.array([4])).std)
    assert math.isnan(summarise_lengths(np.array([], int)).mean)


def test_rows_without_a_label_count_under_no_label():
    texts = LabelledTexts.from_texts(["one", "one two", "one two three"], [None, "b", "a"])
    summaries = summarise_lengths_by_label(texts)
    assert {label: summary.mean for label, summary in summaries.items()} == {"a": 3, "b": 2}
