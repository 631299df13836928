from __future__ import annotations

import re
from collections import Counter

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.spatial.distance import jensenshannon

from assay.base.errors import AssayError, UsageError
from assay.difficulty import MEASURES, assign_cases, dice, jaccard, jensen_shannon
from assay.difficulty.pairs.measures import SIMILARITIES
from assay.text import Corpus

texts = st.lists(st.sampled_from("abcdefgh"), min_size=1, max_size=12).map(" ".join)


def by_scipy(a, b):
    sides = [Counter(re.findall(r"\w+", text.lower())) for text in (a, b)]
    types = sorted(sides[0] | sides[1])
    return jensenshannon(*([side[word] for word in types] for side in sides), base=2) ** 2


def test_texts_of_any_script_equal_scipy():
    a = ["What is the origin of the word o'clock?", "Ёлка, ёлка и ель", "x x x y", "η γάτα η μαύρη"]
    b = ["what's the origin of the word o'clock", "ель и сосна", "x y y", "ο σκύλος η γάτα"]
    assert jensen_shannon(a, b) == pytest.approx([by_scipy(x, y) for x, y in zip(a, b, strict=True)], abs=1e-12)


@pytest.mark.parametrize("name", MEASURES)
def test_every_measure_of_equal_disjoint_and_empty_texts(name):
    values = MEASURES[name](["one two", "one two", "", "..."], ["two one", "three", "one", ""])
    near, far = (1, 0) if name in SIMILARITIES else (0, 1)
    assert values[[0, 1, 3]].tolist() == [near, far, near]
    assert np.isnan(values[2])


@pytest.mark.parametrize("name", MEASURES)
def test_every_measure_gives_one_number_per_pair(name):
    assert MEASURES[name]([], []).tolist() == []
    with pytest.raises(AssayError, match="as many first as second texts; there are 2 and 1"):
        MEASURES[name](["a", "b"], ["a"])


@pytest.mark.parametrize("name", MEASURES)
def test_every_measure_cuts_pairs_of_equal_overlap_on_the_same_side(name):
    a = ["b c d e", "z y x w", "q q", "m n"]
    b = ["b c x y", "z y q r", "q", "o p"]
    cases = assign_cases(MEASURES[name](a, b), "1111", similarity=name in SIMILARITIES).cases
    assert cases[0] == cases[1]


@pytest.mark.parametrize("name", MEASURES)
def test_every_measure_gives_the_same_in_blocks(name, monkeypatch):
    a, b = [f"w{i} w{i + 1} w{i + 2}" for i in range(23)], [f"w{i} w{i} w{2 * i}" for i in range(23)]
    whole = MEASURES[name](a, b)
    monkeypatch.setattr("assay.difficulty.pairs.measures._BLOCK", 4)
    assert MEASURES[name](a, b).tolist() == whole.tolist()


def test_an_unknown_measure_is_an_error():
    with pytest.raises(UsageError, match=r"No measure 'jacard'\. Did you mean 'jaccard'\?"):
        MEASURES["jacard"]


@pytest.mark.parametrize("name", MEASURES)
def test_every_measure_uses_ready_corpora_as_they_are(name):
    a, b = ["one two", "one two three"], ["two one", "three four"]
    assert MEASURES[name](*Corpus.from_sides(a, b)).tolist() == MEASURES[name](a, b).tolist()
    with pytest.raises(UsageError, match="must share one vocabulary"):
        MEASURES[name](Corpus.from_texts(a), Corpus.from_texts(b))


@settings(deadline=None)
@given(texts, texts)
def test_dice_follows_from_jaccard(a, b):
    index = jaccard([a], [b])
    assert dice([a], [b]) == pytest.approx(2 * index / (1 + index))


@settings(deadline=None)
@given(texts, texts)
def test_jaccard_and_dice_equal_their_definition_on_sets(a, b):
    one, other = set(a.split()), set(b.split())
    assert jaccard([a], [b]) == pytest.approx(len(one & other) / len(one | other))
    assert dice([a], [b]) == pytest.approx(2 * len(one & other) / (len(one) + len(other)))
