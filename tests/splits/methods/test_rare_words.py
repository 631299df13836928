"""The rare-words split."""

import numpy as np

from assay.splits import RareWordsSplit

TEXTS = ["the cat sat", "the dog sat", "the cat ran", "the dog ran", "the owl sat", "the elk ran"]


def test_texts_with_words_that_occur_once_come_first():
    assert np.flatnonzero(RareWordsSplit(test_size=2).partition(TEXTS).parts == "test").tolist() == [4, 5]


def test_the_order_of_words_of_equal_count_is_drawn():
    tests = {tuple(fold.test) for fold in RareWordsSplit(test_size=1, n_repeats=20).split(TEXTS)}
    assert tests == {(4,), (5,)}


def test_all_texts_that_hold_a_word_are_tested_together():
    draw = RareWordsSplit(test_size=4).partition(TEXTS)  # the two rarest, and both texts of one word of two
    words = [
        {word for row in np.flatnonzero(draw.parts == part) for word in TEXTS[row].split()}
        for part in ("test", "train")
    ]
    assert (draw.parts == "test").sum() == 4
    assert ("cat" in words[0]) != ("cat" in words[1])
