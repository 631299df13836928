"""The search for cheap features that are tied to a label."""

import numpy as np
import pytest

import assay
from assay.data.bundled import find_bundled
from assay.information import ItemTexts, search_cues
from assay.information.cues.features import build_cue_features
from assay.text import Corpus


def draw_texts(n: int, seed: int, planted: bool):
    rng = np.random.default_rng(seed)
    labels = rng.integers(0, 2, n)
    words = rng.choice([f"w{number}" for number in range(200)], (n, 8))
    has = planted & (rng.random(n) < np.where(labels == 1, 0.16, 0.04))
    return [" ".join([*row[:-1], "cue"] if mark else row) for row, mark in zip(words, has, strict=True)], labels


def test_a_planted_token_is_found_first():
    texts, labels = draw_texts(2000, 0, planted=True)
    best = search_cues([texts], labels, ["no", "yes"])[0]
    assert (best.token, best.label, best.kind) == ("cue", "yes", "word in text")
    assert best.precision == pytest.approx(0.8, abs=0.1)


def test_random_labels_seldom_show_a_cue():
    draws = [draw_texts(1000, seed, planted=False) for seed in range(20)]
    assert sum(bool(search_cues([texts], labels, "ab")) for texts, labels in draws) <= 2


def test_the_famous_shortcut_comes_up_on_its_own():
    data = assay.read(find_bundled())
    labels = (data.labels == "1").to_numpy().astype(int)
    best = search_cues([side.to_list() for side in data.sides], labels, ["0", "1"])[0]
    assert best.token == "not"
    assert best.p < 1e-6


def test_a_word_on_one_side_only_is_a_feature_of_its_own():
    rng = np.random.default_rng(0)
    labels = rng.integers(0, 2, 600)
    first = [
        "not here" if label == 0 and mark else "here" for label, mark in zip(labels, rng.random(600) < 0.5, strict=True)
    ]
    second = [
        "not here" if label == 1 and mark else "here" for label, mark in zip(labels, rng.random(600) < 0.5, strict=True)
    ]
    kinds = {(cue.token, cue.kind) for cue in search_cues([first, second], labels, ["0", "1"])}
    assert ("not", "word in a but not in b") in kinds


def test_words_of_a_corpus_give_the_same_cues_but_for_punctuation():
    texts, labels = draw_texts(2000, 0, planted=True)
    cues = search_cues([texts], labels, ["no", "yes"])
    assert search_cues([Corpus.from_texts(texts)], labels, ["no", "yes"])[0].token == cues[0].token
    assert search_cues(ItemTexts([texts], [Corpus.from_texts(texts)]), labels, ["no", "yes"]) == cues


@pytest.mark.parametrize("n_sides", [1, 2])
def test_features_of_some_rows_give_the_cues_of_their_texts(n_sides):
    rng = np.random.default_rng(0)
    sides = [draw_texts(600, seed, planted=True)[0] for seed in range(n_sides)]
    labels, rows = rng.integers(0, 2, 600), np.sort(rng.permutation(600)[:300])
    taken = build_cue_features(sides).take(rows)
    fresh = build_cue_features([[side[row] for row in rows] for side in sides])
    for table, other in zip(taken.tables, fresh.tables, strict=True):
        columns = [table.words.index(word) for word in other.words]
        assert sorted(table.words) == sorted(other.words)
        assert (table.matrix[:, columns] != other.matrix).nnz == 0
    assert all(np.array_equal(values, fresh.numbers[name]) for name, values in taken.numbers.items())
    assert search_cues(taken, labels[rows], "ab") == search_cues(fresh, labels[rows], "ab")


def test_empty_texts_have_no_cues():
    assert search_cues([[""] * 30], np.arange(30) % 2, ["0", "1"]) == []


def test_a_label_that_no_item_has_is_never_pointed_to():
    texts = ["red apple", "red pear", "blue sky", "blue sea"] * 20
    codes = np.array([1, 1, 2, 2] * 20)
    assert {cue.label for cue in search_cues([texts], codes, ["absent", "fruit", "view"])} == {"fruit", "view"}
