"""All duplicates are found, and nothing else."""

from __future__ import annotations

import itertools

import numpy as np
import pytest

from assay.base.errors import UsageError
from assay.text import exact_duplicates, largest_groups, near_duplicates


def shingles(text):
    words = text.lower().split()
    return set(words) | set(itertools.pairwise(words))


def partition(groups):
    return {frozenset(np.flatnonzero(groups == group).tolist()) for group in np.unique(groups)}


def linked(texts, threshold):
    groups = list(range(len(texts)))
    sets = [shingles(text) for text in texts]
    for i, one in enumerate(sets):
        for j in range(i):
            similarity = len(one & sets[j]) / len(one | sets[j]) if one | sets[j] else 1.0
            if similarity >= threshold:
                groups = [groups[j] if group == groups[i] else group for group in groups]
    return np.array(groups)


@pytest.fixture(scope="module")
def texts():
    rng = np.random.default_rng(3)
    originals = [" ".join(f"w{word}" for word in rng.integers(0, 40, rng.integers(0, 25))) for _ in range(120)]
    changed = []
    for text in originals:
        words = text.split()
        if words:
            words[rng.integers(len(words))] = "new"
        changed.append(" ".join(words))
    return [*originals, *changed, *originals[:20], *(text.upper() for text in originals[:10])]


@pytest.mark.parametrize("threshold", [0.5, 0.8, 1.0])
def test_near_duplicates_equal_a_search_over_all_pairs(texts, threshold):
    assert partition(near_duplicates(texts, threshold)) == partition(linked(texts, threshold))


@pytest.mark.parametrize("threshold", [0.5, 0.8])
def test_texts_that_share_whole_sentences_equal_a_search_over_all_pairs(threshold):
    rng = np.random.default_rng(4)
    pool = [" ".join(f"w{word}" for word in rng.integers(0, 200, rng.integers(4, 12))) for _ in range(30)]
    texts = [" ".join(rng.choice(pool, rng.integers(3, 9))) for _ in range(300)]
    texts += [" ".join(word for word in text.split() if rng.random() > 0.05) for text in texts[:60]]
    groups = near_duplicates(texts, threshold)
    assert partition(groups) == partition(linked(texts, threshold))
    assert len(set(groups.tolist())) < len(texts)


def test_groups_do_not_depend_on_the_order_of_rows(texts):
    order = np.random.default_rng(0).permutation(len(texts))
    for search in (exact_duplicates, near_duplicates):
        shuffled = search([texts[row] for row in order])
        assert partition(search(texts)[order]) == partition(shuffled)


def test_exact_duplicates_ignore_case_space_and_composition():
    texts = [
        "Caf\u00e9  au lait",
        "CAFE\u0301 AU LAIT ",
        "cafe au lait",
        "STRASSE",
        "straße",
        "a b",
        "ab",
        "",
        " \n",
        None,
    ]
    assert exact_duplicates(texts).tolist() == [0, 0, 1, 2, 2, 3, 4, 5, 5, 5]


def test_many_equal_texts_are_one_group():
    assert near_duplicates(["the same few words"] * 100_000).max() == 0


def test_texts_without_words_are_near_duplicates_of_each_other_only():
    assert near_duplicates(["", "!!!", "word"]).tolist() == [0, 0, 1]
    assert near_duplicates([]).tolist() == []
    assert exact_duplicates([]).tolist() == []


def test_examples_are_the_largest_groups():
    assert largest_groups(np.array([0, 1, 1, 2, 3, 3, 3]), limit=1) == [[4, 5, 6]]
    assert largest_groups([]) == []


def test_an_impossible_threshold_is_an_error():
    with pytest.raises(UsageError, match="threshold must be above 0 and at most 1, not 80"):
        near_duplicates(["a"], threshold=80)


def test_blocks_of_keys_change_nothing(texts, monkeypatch):
    expected = near_duplicates(texts).tolist()
    monkeypatch.setattr("assay.text.duplicates.MAX_SORTED_KEYS", 50)
    assert near_duplicates(texts).tolist() == expected
