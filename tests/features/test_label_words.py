import numpy as np
import pytest

from assay.features.label_words import label_words, most_frequent
from assay.features.part import Part


def test_equal_counts_stand_in_alphabetical_order():
    found = most_frequent(np.array([2, 5, 2]), ["b", "c", "a"], 2)
    assert [(word.word, word.count) for word in found] == [("c", 5), ("a", 2)]


def test_a_planted_word_is_found_and_its_z_is_as_worked_by_hand():
    texts = ["cue word"] * 30 + ["word"] * 70 + ["cue word"] * 10 + ["word"] * 90
    labels = ["yes"] * 100 + ["no"] * 100
    found = label_words({None: Part.of(texts, labels)}, 5)["yes"]
    assert [word.word for word in found] == ["cue"]
    # 30 of 40 texts with the word say yes, the label's own share is 1/2.
    assert found[0].z == pytest.approx((30 / 40 - 0.5) / (0.25 / 40) ** 0.5)
    assert found[0].pmi == pytest.approx(np.log(1.5))
    assert (found[0].texts, found[0].with_label) == (40, 30)


def test_random_labels_tie_no_word():
    rng = np.random.default_rng(0)
    texts = [" ".join(rng.choice(list("abcdefghijklmnop"), 5)) for _ in range(400)]
    labels = rng.choice(["yes", "no"], 400).tolist()
    assert not any(label_words({None: Part.of(texts, labels)}, 5).values())


def test_rare_words_are_not_tested():
    assert not any(label_words({None: Part.of(["cue"] * 4 + ["x"] * 4, list("aaaabbbb"))}, 5).values())


def test_the_sides_of_a_pair_are_looked_at_apart():
    first, second = ["not so"] * 40 + ["so"] * 40, ["so"] * 40 + ["not so"] * 40
    labels = ["0"] * 40 + ["1"] * 40
    found = label_words({"a": Part.of(first, labels), "b": Part.of(second, labels)}, 5)
    assert [(word.word, word.side) for word in found["0"] + found["1"]] == [("not", "a"), ("not", "b")]
