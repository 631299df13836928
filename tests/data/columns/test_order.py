"""Notes on rows sorted by label and groups that predict it."""

from __future__ import annotations

import random

from assay.kinds import read


def make_rows(labels, **columns):
    return {"text": [f"text {number}" for number in range(len(labels))], "label": labels, **columns}


def test_rows_sorted_by_label_are_noted():
    data = read(make_rows(["pos"] * 30 + ["neg"] * 30))
    assert "the rows are sorted by label; draw rows at random, the first ones are not a sample" in data.notes


def test_only_the_sorted_part_is_named():
    labels = ["pos"] * 30 + ["neg"] * 30
    data = read(make_rows(labels + ["pos", "neg"] * 30, split=["train"] * 60 + ["test"] * 60))
    assert "the rows of train are sorted by label; draw rows at random, the first ones are not a sample" in data.notes


def test_shuffled_rows_and_few_rows_are_not_noted():
    for labels in (["pos", "neg"] * 30, ["pos"] * 5 + ["neg"] * 5, ["pos"] * 60):
        assert not [note for note in read(make_rows(labels)).notes if "sorted" in note]


def test_groups_that_predict_the_label_are_noted_whether_named_or_not():
    labels = ["pos", "neg", "neg"] * 20
    groups = [f"{label}{number % 4}" for number, label in enumerate(labels)]
    for options in ({}, {"group": "author"}):
        (note,) = [note for note in read(make_rows(labels, author=groups), **options).notes if "predicts" in note]
        assert note.startswith("the group (column 'author') predicts the label: the other items of the group give")
        assert "100% of the items, the most frequent label of 67%" in note


def test_groups_of_two_random_items_predict_nothing():
    generator = random.Random(0)
    labels = [generator.choice(["pos", "neg"]) for _ in range(200)]
    groups = [str(number // 2) for number in range(200)]
    assert not [note for note in read(make_rows(labels, author=groups), group="author").notes if "predicts" in note]
