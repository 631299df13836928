import numpy as np
import pytest

import assay
from assay.features import LabelledTexts
from assay.features.profiling.label_words import find_label_words, rank_words
from assay.views.blocks import Sentence


def find_words(texts, labels):
    return find_label_words({None: LabelledTexts.from_texts(texts, labels)}, 5)


def test_equal_counts_are_in_alphabetical_order():
    ranked = rank_words(np.array([2, 5, 2]), ["b", "c", "a"], 2)
    assert [(word.word, word.count) for word in ranked] == [("c", 5), ("a", 2)]


def test_a_planted_word_is_found_and_its_z_is_as_worked_by_hand():
    texts = ["cue word"] * 30 + ["word"] * 70 + ["cue word"] * 10 + ["word"] * 90
    words = find_words(texts, ["yes"] * 100 + ["no"] * 100)["yes"]
    assert [word.word for word in words] == ["cue"]
    # 30 of 40 texts with the word have the label yes, whose own share is 1/2.
    assert words[0].z == pytest.approx((30 / 40 - 0.5) / (0.25 / 40) ** 0.5)
    assert words[0].pmi == pytest.approx(np.log(1.5))
    assert (words[0].texts, words[0].with_label) == (40, 30)


def test_random_labels_have_no_associated_word():
    rng = np.random.default_rng(0)
    texts = [" ".join(rng.choice(list("abcdefghijklmnop"), 5)) for _ in range(400)]
    assert not any(find_words(texts, rng.choice(["yes", "no"], 400).tolist()).values())


def test_rare_words_are_not_tested():
    assert not any(find_words(["cue"] * 4 + ["x"] * 4, list("aaaabbbb")).values())


def test_the_sides_of_a_pair_are_tested_apart():
    first, second = ["not so"] * 40 + ["so"] * 40, ["so"] * 40 + ["not so"] * 40
    labels = ["0"] * 40 + ["1"] * 40
    sides = {"a": LabelledTexts.from_texts(first, labels), "b": LabelledTexts.from_texts(second, labels)}
    words = find_label_words(sides, 5)
    assert [(word.word, word.side) for word in words["0"] + words["1"]] == [("not", "a"), ("not", "b")]


def test_of_very_many_labels_the_most_frequent_are_described(monkeypatch):
    data = {"text": ["a cue"] * 12 + ["b"] * 8 + ["c", "d"], "label": ["x"] * 12 + ["y"] * 8 + ["v", "w"]}
    whole = assay.profile(data)
    monkeypatch.setattr("assay.features.labelled_texts.MAX_DESCRIBED_LABELS", 3)
    result = assay.profile(data)
    assert list(whole.label_words) == ["v", "w", "x", "y"]
    assert list(result.labels) == ["x", "y", "v", "w"]
    assert (
        list(result.length_by_label) == list(result.top_words_by_label) == list(result.label_words) == ["v", "x", "y"]
    )
    assert result.label_words["x"] == whole.label_words["x"]  # p is adjusted for all labels
    notes = [block.text for block in result.blocks() if isinstance(block, Sentence)]
    assert "Words and lengths are described for the 3 most frequent of 4 labels." in notes
