import numpy as np
import pytest

import assay
from assay.data.bundled import find_bundled
from assay.information.cues import search_cues


def made(n: int, seed: int, planted: bool):
    draw = np.random.default_rng(seed)
    labels = draw.integers(0, 2, n)
    words = draw.choice([f"w{number}" for number in range(200)], (n, 8))
    has = planted & (draw.random(n) < np.where(labels == 1, 0.16, 0.04))
    return [" ".join([*row[:-1], "cue"] if mark else row) for row, mark in zip(words, has, strict=True)], labels


def test_a_planted_token_is_found_first():
    texts, labels = made(2000, 0, planted=True)
    best = search_cues([texts], labels, ["no", "yes"])[0]
    assert (best.token, best.label, best.kind) == ("cue", "yes", "word in text")
    assert best.precision == pytest.approx(0.8, abs=0.1)


def test_random_labels_seldom_show_a_cue():
    found = [
        bool(search_cues([made(1000, seed, planted=False)[0]], made(1000, seed, False)[1], "ab")) for seed in range(20)
    ]
    assert sum(found) <= 2


def test_the_famous_shortcut_comes_up_on_its_own():
    data = assay.read(find_bundled())
    labels = (data.labels == "1").to_numpy().astype(int)
    best = search_cues([side.to_list() for side in data.sides], labels, ["0", "1"])[0]
    assert best.token == "not"
    assert best.p < 1e-6


def test_a_word_on_one_side_only_is_a_feature_of_its_own():
    draw = np.random.default_rng(0)
    labels = draw.integers(0, 2, 600)
    first = [
        "not here" if label == 0 and mark else "here"
        for label, mark in zip(labels, draw.random(600) < 0.5, strict=True)
    ]
    second = [
        "not here" if label == 1 and mark else "here"
        for label, mark in zip(labels, draw.random(600) < 0.5, strict=True)
    ]
    kinds = {(cue.token, cue.kind) for cue in search_cues([first, second], labels, ["0", "1"])}
    assert ("not", "word in a but not in b") in kinds


def test_empty_texts_have_no_cues():
    assert search_cues([[""] * 30], np.arange(30) % 2, ["0", "1"]) == []


def test_a_label_that_no_item_has_is_never_pointed_to():
    texts = ["red apple", "red pear", "blue sky", "blue sea"] * 20
    codes = np.array([1, 1, 2, 2] * 20)
    assert {cue.label for cue in search_cues([texts], codes, ["absent", "fruit", "view"])} == {"fruit", "view"}
