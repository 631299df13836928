from __future__ import annotations

import json
from collections import Counter

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.spatial.distance import jensenshannon

from assay.difficulty.pairs._kernels import jensen_shannon_of_pairs, overlap_of_pairs

words = st.lists(st.integers(0, 12), min_size=1, max_size=30)


def to_arrays(texts):
    """Write lists of word ids as offsets and ids."""
    offsets = np.cumsum([0, *map(len, texts)])
    return offsets, np.array([word for text in texts for word in text], dtype=np.int32)


def run(kernel, pairs):
    return kernel(*to_arrays([a for a, _ in pairs]), *to_arrays([b for _, b in pairs]), 900)


def measure_divergence(*pairs):
    return run(jensen_shannon_of_pairs, pairs)


def by_scipy(a, b):
    types = sorted({*a, *b})
    frequencies = [[counts[word] for word in types] for counts in (Counter(a), Counter(b))]
    return jensenshannon(*frequencies, base=2) ** 2


@settings(deadline=None)
@given(st.lists(st.tuples(words, words), min_size=1, max_size=5))
def test_the_divergence_equals_scipy(pairs):
    assert measure_divergence(*pairs) == pytest.approx([by_scipy(a, b) for a, b in pairs], abs=1e-12)


def test_long_documents_equal_scipy_whatever_came_before():
    random = np.random.default_rng(0)
    pairs = [(random.integers(0, 900, n_a).tolist(), random.integers(0, 900, n_b).tolist()) for n_a, n_b in
             [(3, 5), (300, 20_000), (20_000, 7), (1, 1), (700, 49)]]  # fmt: skip
    assert measure_divergence(*pairs) == pytest.approx([by_scipy(a, b) for a, b in pairs], abs=1e-12)


@settings(deadline=None)
@given(words, words, st.permutations(range(13)))
def test_the_divergence_does_not_depend_on_how_words_are_numbered_or_on_the_side(a, b, numbers):
    renamed = [numbers[word] for word in a], [numbers[word] for word in b]
    first, second, swapped = measure_divergence((a, b), renamed, (b, a))
    assert first == second == swapped
    assert 0 <= first <= 1


def test_an_empty_side_is_undefined_and_two_empty_sides_are_equal():
    assert np.isnan(measure_divergence(([], [1]), ([1], []))).all()
    assert measure_divergence(([], []), ([3, 3], [3])).tolist() == [0, 0]


@settings(deadline=None)
@given(st.lists(st.tuples(words, words), min_size=1, max_size=5))
def test_overlap_counts_distinct_words(pairs):
    counts = run(overlap_of_pairs, pairs)
    assert counts.tolist() == [[len({*a} & {*b}), len({*a}), len({*b})] for a, b in pairs]


def test_the_published_examples_are_reproduced(shared):
    examples = json.loads(shared("oracles/lexsim_pair_metrics.json").read_text())
    numbers = {}
    pairs = [
        tuple([numbers.setdefault(w, len(numbers)) for w in e[side]] for side in ("tokens_a", "tokens_b"))
        for e in examples
    ]
    assert measure_divergence(*pairs) == pytest.approx([example["jsd_base2"] for example in examples], abs=1e-12)
    shared_types, types_a, types_b = run(overlap_of_pairs, pairs).T
    assert shared_types / (types_a + types_b - shared_types) == pytest.approx([e["jaccard_sets"] for e in examples])
    assert 2 * shared_types / (types_a + types_b) == pytest.approx([e["dice"] for e in examples])
