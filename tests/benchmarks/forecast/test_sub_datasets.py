"""Cutting a parent into sub-datasets."""

from __future__ import annotations

import numpy as np
import pytest
from benchmarks.studies.forecast.sub_datasets import cut_dataset

from assay.base.errors import AssayError

WORDS = "the a film of good bad long short water house running quickly extraordinary unbelievable story".split()


def draw_parent(n=4000, n_labels=6, seed=0):
    rng = np.random.default_rng(seed)
    texts = [" ".join(rng.choice(WORDS, rng.integers(3, 30))) for _ in range(n)]
    return texts, [f"label {code}" for code in rng.integers(0, n_labels, n)]


def test_pieces_of_one_cut_share_no_row():
    pieces = cut_dataset(*draw_parent(), n_pieces=12)
    assert len(pieces) == 12
    for cut in {piece.cut for piece in pieces}:
        rows = np.concatenate([np.concatenate([p.train, p.dev, p.test]) for p in pieces if p.cut == cut])
        assert len(rows) == len(set(rows.tolist()))


def test_pieces_are_large_enough_where_the_parent_allows_it():
    for piece in cut_dataset(*draw_parent(), n_pieces=12):
        assert len(piece.train) + len(piece.dev) + len(piece.test) >= 1000
        assert len(piece.test) >= 300
        assert len(piece.train) <= 1800
        assert not piece.small


def test_pieces_of_a_small_parent_are_flagged():
    assert all(piece.small for piece in cut_dataset(*draw_parent(400), n_pieces=3, min_rows=100))


def test_each_cut_takes_three_features():
    for piece in cut_dataset(*draw_parent(), n_pieces=12):
        assert len(set(piece.features)) == 3


def test_the_same_seed_gives_the_same_pieces_and_another_seed_others():
    first, again, other = (cut_dataset(*draw_parent(), n_pieces=5, random_state=seed) for seed in (1, 1, 2))
    assert [p.train.tolist() for p in first] == [p.train.tolist() for p in again]
    assert [p.train.tolist() for p in first] != [p.train.tolist() for p in other]


def test_rows_of_a_group_stay_on_one_side():
    texts, labels = draw_parent()
    groups = np.arange(len(texts)) // 7
    for piece in cut_dataset(texts, labels, groups=groups, n_pieces=8):
        assert set(groups[piece.train]).isdisjoint(groups[piece.test])
        assert set(groups[piece.train]).isdisjoint(groups[piece.dev])


def test_label_subsets_give_pieces_with_fewer_labels():
    texts, labels = draw_parent(8000, n_labels=8)
    counts = {len({labels[row] for row in piece.train}) for piece in cut_dataset(texts, labels, n_pieces=30)}
    assert len(counts) > 1
    assert min(counts) >= 2


def test_a_shifted_test_part_lies_higher_in_its_feature():
    texts, labels = draw_parent(8000)
    words = np.array([len(text.split()) for text in texts])
    shifted = [p for p in cut_dataset(texts, labels, n_pieces=150) if p.shift == "length"]
    assert shifted
    assert all(words[p.test].mean() > words[p.train].mean() for p in shifted)


def test_one_label_cannot_be_cut():
    texts, _ = draw_parent(50)
    with pytest.raises(AssayError, match="Cutting needs at least two labels; there are 1"):
        cut_dataset(texts, ["x"] * 50)


def test_too_few_rows_are_an_error():
    with pytest.raises(AssayError, match="12 rows give no 3 sub-datasets"):
        cut_dataset(*draw_parent(12), n_pieces=3)
