from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from assay.difficulty import dice, jaccard

texts = st.lists(st.sampled_from("abcdefgh"), min_size=1, max_size=12).map(" ".join)


@settings(deadline=None)
@given(texts, texts)
def test_dice_follows_from_jaccard(a, b):
    index = jaccard([a], [b])
    assert dice([a], [b]) == pytest.approx(2 * index / (1 + index))


@settings(deadline=None)
@given(texts, texts)
def test_they_equal_the_definition_on_sets(a, b):
    one, other = set(a.split()), set(b.split())
    assert jaccard([a], [b]) == pytest.approx(len(one & other) / len(one | other))
    assert dice([a], [b]) == pytest.approx(2 * len(one & other) / (len(one) + len(other)))
