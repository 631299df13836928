"""Near duplicates of reference texts themselves, as opposed to chains."""

from __future__ import annotations

from itertools import pairwise

import numpy as np
import pytest

from assay.base.errors import UsageError
from assay.text import Corpus, near_duplicates, near_matches


def chain() -> list[str]:
    """Four texts of 20 words, each near the one before it, the last not near the first."""
    words = [f"w{number}" for number in range(23)]
    return [" ".join(words[start : start + 20]) for start in range(4)]


def similarity(one: str, other: str) -> float:
    first, second = ({*text.split(), *pairwise(text.split())} for text in (one, other))
    return len(first & second) / len(first | second)


def test_a_chain_of_near_duplicates_does_not_make_its_ends_near():
    texts = chain()
    assert similarity(texts[0], texts[1]) >= 0.8 > similarity(texts[0], texts[3])
    assert near_duplicates(texts).tolist() == [0, 0, 0, 0]
    near = [similarity(texts[0], texts[row]) >= 0.8 for row in range(1, 4)]
    assert near_matches(texts, [1, 2, 3], [0]).tolist() == near


@pytest.mark.parametrize("with_groups", [True, False])
def test_matches_equal_a_comparison_of_every_pair(with_groups):
    rng = np.random.default_rng(0)
    texts = [" ".join(rng.choice(6, 12).astype(str)) for _ in range(300)] + ["", "!"]
    is_reference = rng.random(len(texts)) < 0.5
    rows, references = np.flatnonzero(~is_reference), np.flatnonzero(is_reference)
    groups = np.zeros(len(texts), np.int64) if with_groups else None
    matches = near_matches(Corpus.from_texts(texts), rows, references, 0.7, groups=groups)
    known = references[references < 300]
    expected = [row < 300 and any(similarity(texts[row], texts[other]) >= 0.7 for other in known) for row in rows]
    assert matches.tolist() == expected  # texts without words share nothing
    assert 0 < sum(expected) < len(rows)


def test_every_match_is_in_the_group_of_its_reference():
    texts = [*chain(), "something else altogether"]
    corpus = Corpus.from_texts(texts)
    groups = near_duplicates(corpus)
    rows = np.arange(1, 5)
    matches = near_matches(corpus, rows, [0])
    assert set(rows[matches]) <= set(np.flatnonzero(groups == groups[0]))
    np.testing.assert_array_equal(near_matches(corpus, rows, [0], groups=groups), matches)


def test_no_rows_and_no_references_match_nothing():
    assert near_matches(["a b", "a b"], [], [0]).tolist() == []
    assert near_matches(["a b", "a b"], [1], []).tolist() == [False]


def test_an_impossible_threshold_is_an_error():
    with pytest.raises(UsageError, match="threshold must be above 0 and at most 1, not 0"):
        near_matches(["a"], [0], [0], threshold=0)
